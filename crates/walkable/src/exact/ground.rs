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

    /// Places in a convex polygon (counter-clockwise seen from above) where its heights may bend: corners of triangles, edges of triangles where they
    /// meet the polygon's border, and places on both sides of a step, `beside` grid units away from it. Triangles whose
    /// corners lie in the slab `plane` (`height = plane[0] x + plane[1] z + plane[2]`, at most `plane[3]` away) are passed over.
    pub fn bends(
        &self,
        corners: &[Point],
        plane: Option<[f64; 4]>,
        beside: f64,
        out: &mut Vec<Point>,
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
            if plane.is_some_and(|plane| lies_in(facet, plane)) {
                return;
            }
            for k in 0..3 {
                let (a, b) = (facet.flat(k), facet.flat(k + 1));
                let Some((from, to)) = clip(a, b, &ring) else {
                    continue;
                };
                let long = length([b[0] - a[0], b[1] - a[1]]) * (to - from);
                let pieces = if long > self.pitch / 2.0 {
                    (long / (2.0 * self.pitch)).ceil().max(2.0)
                } else {
                    1.0
                };
                let mut n = 0.0;
                while n <= pieces {
                    push(lerp(a, b, from + (to - from) * n / pieces), out);
                    n += 1.0;
                }
                if !facet.kinds[k].ground_on_both {
                    self.step(a, b, [from, to], beside, out);
                }
            }
        });
    }

    /// Places on both sides of an edge that may be a step.
    fn step(&self, a: V2, b: V2, [from, to]: [f64; 2], beside: f64, out: &mut Vec<Point>) {
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
            push([p[0] + normal[0], p[1] + normal[1]], out);
            push([p[0] - normal[0], p[1] - normal[1]], out);
            k += 1.0;
        }
    }
}

fn push(p: V2, out: &mut Vec<Point>) {
    out.push(Point::new(
        p[0].round_ties_even() as i32,
        -(p[1].round_ties_even() as i32),
    ));
}

fn lies_in(facet: &Facet, plane: [f64; 4]) -> bool {
    facet
        .corners
        .iter()
        .all(|c| (plane[0] * c[0] - plane[1] * c[1] + plane[2] - c[2]).abs() <= plane[3])
}

/// The part of the segment in a convex ring (counter-clockwise).
fn clip(a: V2, b: V2, ring: &[V2]) -> Option<(f64, f64)> {
    let (mut t0, mut t1) = (0.0f64, 1.0f64);
    for (k, p) in ring.iter().enumerate() {
        let q = ring[(k + 1) % ring.len()];
        let side = |v: V2| (q[0] - p[0]) * (v[1] - p[1]) - (q[1] - p[1]) * (v[0] - p[0]);
        let (d0, d1) = (side(a), side(b));
        if d0 < 0.0 && d1 < 0.0 {
            return None;
        }
        if d0 < 0.0 {
            t0 = t0.max(d0 / (d0 - d1));
        } else if d1 < 0.0 {
            t1 = t1.min(d0 / (d0 - d1));
        }
    }
    (t1 >= t0).then_some((t0, t1))
}
