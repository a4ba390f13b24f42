//! The true heights of a tile: its facets, kept to be asked for heights at places and for places where heights bend.

use navbake_geom::Point;

use super::Measures;
use super::facet::{Facet, Facets, V2, length, lerp};

/// The ground of a tile as its triangles have it.
#[derive(Debug)]
pub struct Ground {
    facets: Facets,
    climb: f64,
    height: f64,
    /// How far apart steps are looked at along their edge.
    pitch: f64,
}

/// Heights that differ by less do not part anything.
const TOUCH: f64 = 0.5;

impl Ground {
    pub(super) fn new(facets: Facets, measures: &Measures) -> Ground {
        Ground {
            facets,
            climb: measures.climb,
            height: measures.height,
            pitch: measures.radius.max(64.0),
        }
    }

    /// Height, in grid units, of the surface above or below `p` that an agent can stand on and that is nearest to `about`, at most a climb away: the
    /// highest of several within a climb of each other, with head room.
    pub fn height(&self, p: Point, about: f64) -> Option<f64> {
        let at = [f64::from(p.x), f64::from(-p.z)];
        let (low, high) = (
            about - 2.0 * self.climb - TOUCH,
            about + self.climb + self.height,
        );
        // What lies above or below, the highest first. Of more surfaces than these within a body's reach the rest is not looked at.
        let mut column = [(0.0f64, false); 24];
        let mut count = 0;
        self.facets.at(at, low, high, |facet| {
            let y = facet.at(at);
            if y < low || y > high || count == column.len() {
                return;
            }
            let mut k = count;
            while k > 0 && (column[k - 1].0, column[k - 1].1) < (y, facet.ground) {
                column[k] = column[k - 1];
                k -= 1;
            }
            column[k] = (y, facet.ground);
            count += 1;
        });
        let mut best: Option<(f64, f64)> = None;
        let mut last = f64::INFINITY;
        for k in 0..count {
            let (y, ground) = column[k];
            if !ground || last - y <= self.climb {
                continue;
            }
            let (knee, head) = (y + self.climb + TOUCH, y + self.height - TOUCH);
            if column[..k].iter().any(|c| c.0 > knee && c.0 < head) {
                continue;
            }
            last = y;
            let away = (y - about).abs();
            if away <= self.climb + TOUCH && best.is_none_or(|b| away < b.0) {
                best = Some((away, y));
            }
        }
        best.map(|b| b.1)
    }

    /// Height at a place, in grid units, of the plane of a triangle that [`Ground::bends`] named.
    pub fn plane_height(&self, triangle: u32, p: Point) -> Option<f64> {
        let facet = self.facets.all.get(triangle as usize)?;
        Some(facet.at([f64::from(p.x), f64::from(-p.z)]))
    }

    /// May a triangle that [`Ground::bends`] named be what [`Ground::height`] finds near a place? Not if it lies too far above or below.
    pub fn may_be_near(&self, triangle: u32, p: Point, about: f64) -> bool {
        // Room for places nearby and steep planes.
        let most = self.climb + 64.0;
        (self.plane_height(triangle, p)).is_none_or(|y| (y - about).abs() <= most)
    }

    /// Places in a convex polygon (counter-clockwise seen from above) where its heights may bend: corners of triangles, edges of triangles and where they
    /// meet the polygon's border, places on both sides of a step, `beside` grid units away from it, and corners outside of triangles that may reach in. Triangles whose
    /// corners lie in the slab `plane` (`height = plane[0] x + plane[1] z + plane[2]`, at most `plane[3]` away) are passed over.
    pub fn bends(
        &self,
        corners: &[Point],
        plane: Option<[f64; 4]>,
        beside: f64,
        out: &mut Vec<Bend>,
    ) {
        let ring: Vec<V2> = corners
            .iter()
            .map(|p| [f64::from(p.x), f64::from(-p.z)])
            .collect();
        let mut bounds = [
            f64::INFINITY,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NEG_INFINITY,
        ];
        for p in &ring {
            for axis in 0..2 {
                bounds[axis] = bounds[axis].min(p[axis]);
                bounds[axis + 2] = bounds[axis + 2].max(p[axis]);
            }
        }
        self.facets.ground_near(bounds, |i| {
            let facet = &self.facets.all[i as usize];
            let mut push = |p: V2, kind: BendKind| push(p, kind, i, out);
            if plane.is_some_and(|plane| lies_in(facet, plane)) {
                return;
            }
            for k in 0..3 {
                let (a, b) = (facet.flat(k), facet.flat(k + 1));
                let part = clip(a, b, &ring);
                let Some([(from, leaves), (to, enters)]) = part else {
                    push(a, BendKind::Outside);
                    continue;
                };
                // The edge after this one begins with its end.
                push(
                    a,
                    if leaves.is_none() {
                        BendKind::Corner
                    } else {
                        BendKind::Outside
                    },
                );
                let both = facet.kinds[k].ground_on_both;
                if !both {
                    self.step(a, b, [from, to], beside, &mut push);
                } else if b < a {
                    // The triangle on the other side tells of this edge.
                    continue;
                }
                for (t, side) in [(from, leaves), (to, enters)] {
                    if let Some(side) = side {
                        push(lerp(a, b, t), BendKind::Border(side));
                    }
                }
                let long = length([b[0] - a[0], b[1] - a[1]]) * (to - from);
                if long > self.pitch / 2.0 {
                    let pieces = (long / (2.0 * self.pitch)).ceil().max(2.0);
                    let mut n = 1.0;
                    while n < pieces {
                        let t = from + (to - from) * n / pieces;
                        push(lerp(a, b, t), BendKind::Along);
                        n += 1.0;
                    }
                }
            }
        });
    }

    /// Places on both sides of an edge that may be a step.
    fn step(
        &self,
        a: V2,
        b: V2,
        [from, to]: [f64; 2],
        beside: f64,
        push: &mut impl FnMut(V2, BendKind),
    ) {
        let along = [b[0] - a[0], b[1] - a[1]];
        let long = length(along);
        if long < 1.0 {
            return;
        }
        let normal = [along[1] / long * beside, -along[0] / long * beside];
        let pieces = ((to - from) * long / self.pitch).ceil().max(1.0);
        let mut k = 0.0;
        while k <= pieces {
            let p = lerp(a, b, from + (to - from) * k / pieces);
            push([p[0] + normal[0], p[1] + normal[1]], BendKind::Beside);
            push([p[0] - normal[0], p[1] - normal[1]], BendKind::Beside);
            k += 1.0;
        }
    }
}

/// A place where heights may bend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bend {
    /// Where, grid units.
    pub place: Point,
    /// The triangle that bends there, for [`Ground::plane_height`]; it may be other ground, above or below.
    pub triangle: u32,
    /// What the place is to the triangle.
    pub kind: BendKind,
}

/// What a place is where heights may bend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BendKind {
    /// A corner of the triangle.
    Corner,
    /// Beside an edge that may be a step.
    Beside,
    /// On an edge of the triangle, where it meets the edge of the polygon from this corner on.
    Border(u32),
    /// Further on an edge of the triangle.
    Along,
    /// A corner of the triangle outside of the polygon.
    Outside,
}

fn push(p: V2, kind: BendKind, triangle: u32, out: &mut Vec<Bend>) {
    let [x, z] = p.map(|c| c.round_ties_even() as i32);
    out.push(Bend {
        place: Point::new(x, -z),
        triangle,
        kind,
    });
}

fn lies_in(facet: &Facet, plane: [f64; 4]) -> bool {
    facet
        .corners
        .iter()
        .all(|c| (plane[0] * c[0] - plane[1] * c[1] + plane[2] - c[2]).abs() <= plane[3])
}

/// The part of the segment in a convex ring (counter-clockwise): where it begins and ends, and the sides of the ring that cut it there.
fn clip(a: V2, b: V2, ring: &[V2]) -> Option<[(f64, Option<u32>); 2]> {
    let (mut from, mut to) = ((0.0f64, None), (1.0f64, None));
    for (k, p) in ring.iter().enumerate() {
        let q = ring[(k + 1) % ring.len()];
        let side = |v: V2| (q[0] - p[0]) * (v[1] - p[1]) - (q[1] - p[1]) * (v[0] - p[0]);
        let (d0, d1) = (side(a), side(b));
        if d0 < 0.0 && d1 < 0.0 {
            return None;
        }
        let t = d0 / (d0 - d1);
        if d0 < 0.0 && t > from.0 {
            from = (t, Some(k as u32));
        } else if d1 < 0.0 && t < to.0 {
            to = (t, Some(k as u32));
        }
    }
    (to.0 >= from.0).then_some([from, to])
}
