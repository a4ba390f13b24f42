//! The height triangles of a piece, as Detour's detail mesh.

use navbake_draw::Surface;

use super::half_edges::doubled;

/// Points of a detail mesh nearer to each other than this are one, m.
const SAME: f64 = 1.0 / 32_768.0;

/// Ground within this of a plane is written as flat, m.
const FLAT: f64 = 0.001;

/// Triangles with less than this, m2 doubled, are left out: Detour skips them.
const THIN: f64 = 1e-6;

/// Corners and detail vertices of a polygon, and its triangles, are counted in a byte each.
const MOST: usize = 255;

/// The height triangles of a piece.
#[derive(Clone, Debug, Default)]
pub(crate) struct DetailMesh {
    /// Vertices beside the corners of the piece; y-up metres.
    pub(crate) points: Vec<[f64; 3]>,
    /// Corners by number, then points; and the flags of edges on the outline.
    pub(crate) triangles: Vec<([u32; 3], u8)>,
}

impl DetailMesh {
    /// The ground of polygon `source` inside of a piece of it.
    pub(crate) fn new(surface: &Surface, source: u32, ring: &[[f64; 3]]) -> DetailMesh {
        let polygon = &surface.polygons[source as usize];
        let at =
            |v: u32| match surface.points.get((v as usize).wrapping_sub(surface.vertices.len())) {
                Some(point) => *point,
                None => surface.vertices[v as usize],
            };
        let faces: Vec<Vec<[f64; 3]>> = if polygon.faces.is_empty() {
            // Heights inside are those of the fan from the first corner.
            let corners: Vec<[f64; 3]> = polygon.corners.iter().map(|&v| at(v)).collect();
            let pairs = corners.windows(2).skip(1);
            let fan = pairs.map(|w| vec![corners[0], w[0], w[1]]);
            fan.filter(|t| doubled([t[0], t[1], t[2]]) > 0.0).collect()
        } else {
            polygon.faces.iter().map(|f| f.iter().map(|&v| at(v)).collect()).collect()
        };
        let parts: Vec<_> = faces.iter().map(|f| clip(f, ring)).filter(|p| p.len() > 2).collect();
        if is_flat(ring, &parts) {
            return DetailMesh::of_corners(ring);
        }
        let mut mesh = DetailMesh::default();
        for part in &parts {
            let numbers: Vec<u32> = part.iter().map(|&p| mesh.number(p, ring)).collect();
            for k in 1..numbers.len() - 1 {
                mesh.push([numbers[0], numbers[k], numbers[k + 1]], ring);
            }
        }
        if mesh.triangles.iter().all(|(_, flags)| *flags == 0) {
            return DetailMesh::of_corners(ring);
        }
        mesh
    }

    /// The fan of a piece's corners.
    pub(crate) fn of_corners(ring: &[[f64; 3]]) -> DetailMesh {
        let mut mesh = DetailMesh::default();
        for k in 1..ring.len() as u32 - 1 {
            mesh.push([0, k, k + 1], ring);
        }
        if mesh.triangles.is_empty() {
            // Thinner than Detour looks at, but it must have one.
            mesh.triangles.push(([0, 1, 2], 0b1_0101));
        }
        mesh
    }

    /// Do its counts fit in bytes?
    pub(crate) fn fits(&self, corners: usize) -> bool {
        corners + self.points.len() <= MOST && self.triangles.len() <= MOST
    }

    fn number(&mut self, p: [f64; 3], ring: &[[f64; 3]]) -> u32 {
        let same = |q: &[f64; 3]| (p[0] - q[0]).abs() < SAME && (p[2] - q[2]).abs() < SAME;
        if let Some(corner) = ring.iter().position(same) {
            return corner as u32;
        }
        let known = self.points.iter().position(same);
        let at = known.unwrap_or_else(|| {
            self.points.push(p);
            self.points.len() - 1
        });
        (ring.len() + at) as u32
    }

    /// Adds a triangle unless it is thin.
    fn push(&mut self, t: [u32; 3], ring: &[[f64; 3]]) {
        let at = |v: u32| {
            ring.get(v as usize).copied().unwrap_or_else(|| self.points[v as usize - ring.len()])
        };
        let corners = t.map(at);
        if doubled(corners) < THIN {
            return;
        }
        let mut flags = 0;
        for k in 0..3 {
            if on_outline(corners[k], corners[(k + 1) % 3], ring) {
                flags |= 1 << (2 * k);
            }
        }
        self.triangles.push((t, flags));
    }
}

/// Is a segment of a convex polygon on its outline? It is if its middle is.
fn on_outline(a: [f64; 3], b: [f64; 3], ring: &[[f64; 3]]) -> bool {
    let middle = [0, 1, 2].map(|k| (a[k] + b[k]) / 2.0);
    (0..ring.len()).any(|k| {
        let (c, d) = (ring[k], ring[(k + 1) % ring.len()]);
        let length = (d[0] - c[0]).hypot(d[2] - c[2]);
        length > 0.0 && doubled([c, d, middle]).abs() <= 4.0 * SAME * length
    })
}

/// Are all parts on the plane of the piece's corners?
fn is_flat(ring: &[[f64; 3]], parts: &[Vec<[f64; 3]>]) -> bool {
    let fan = (1..ring.len() - 1).map(|k| [ring[0], ring[k], ring[k + 1]]);
    let Some(base) = fan.max_by(|a, b| doubled(*a).total_cmp(&doubled(*b))) else { return false };
    let all = doubled(base);
    if all <= 0.0 {
        return false;
    }
    let off = |p: &[f64; 3]| {
        let [a, b, c] = base;
        let weights = [doubled([*p, b, c]), doubled([a, *p, c]), doubled([a, b, *p])];
        let y: f64 = (0..3).map(|k| weights[k] * base[k][1]).sum::<f64>() / all;
        (y - p[1]).abs()
    };
    ring.iter().chain(parts.iter().flatten()).all(|p| off(p) <= FLAT)
}

/// The part of a convex face in a convex polygon; heights are linear along the face's edges.
///
/// I. E. Sutherland and G. W. Hodgman, "Reentrant polygon clipping", 1974.
fn clip(face: &[[f64; 3]], polygon: &[[f64; 3]]) -> Vec<[f64; 3]> {
    let mut part = face.to_vec();
    for k in 0..polygon.len() {
        let (a, b) = (polygon[k], polygon[(k + 1) % polygon.len()]);
        let length = (b[0] - a[0]).hypot(b[2] - a[2]);
        if length == 0.0 {
            continue;
        }
        let side = |p: [f64; 3]| {
            let d = doubled([a, b, p]) / length;
            if d.abs() < SAME { 0.0 } else { d }
        };
        let before = std::mem::take(&mut part);
        for (i, &to) in before.iter().enumerate() {
            let from = before[(i + before.len() - 1) % before.len()];
            let (s, e) = (side(from), side(to));
            if (s < 0.0 && e > 0.0) || (s > 0.0 && e < 0.0) {
                let t = s / (s - e);
                part.push([0, 1, 2].map(|k| from[k] + t * (to[k] - from[k])));
            }
            if e >= 0.0 {
                part.push(to);
            }
        }
    }
    let area: f64 = part.windows(2).skip(1).map(|w| doubled([part[0], w[0], w[1]])).sum();
    if area > 0.0 { part } else { vec![] }
}
