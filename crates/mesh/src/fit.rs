//! Height points: where a polygon's corners do not tell how high the ground is inside of it.
//!
//! Greedy insertion, the worst place first: M. Garland and P. S. Heckbert, Fast polygonal approximation of terrains and
//! height fields, 1995.

use navbake_format::relief::{self, Follower, MOST_POINTS};
use navbake_geom::{Point, Point3, orient};

use crate::relief::Relief;

/// Places in a polygon are told by so many steps along x and z.
const STEPS: i32 = 4095;

/// Scratch of [`Fit::points`].
#[derive(Default)]
pub(crate) struct Fit {
    flat: Vec<Point>,
    /// Corners, then height points, as the reader takes them.
    all: Vec<[i32; 3]>,
    places: Vec<Point>,
    rest: Vec<Place>,
}

/// A place with its true height.
struct Place {
    at: Point3,
    follower: Follower,
    off: f64,
}

impl Fit {
    /// Points that bring the heights of a convex polygon to within `limit` of the ground at all places where the ground bends, if there are not too many; none where
    /// its corners do. Heights are those that readers will find.
    pub(crate) fn points(
        &mut self,
        corners: &[Point3],
        relief: &Relief<'_>,
        limit: f64,
    ) -> Vec<Point3> {
        self.flat.clear();
        self.flat.extend(corners.iter().map(|c| c.flat()));
        self.all.clear();
        self.all.extend(corners.iter().map(|c| [c.x, c.y, c.z]));
        let slab = plane(corners, limit);
        self.find_places(relief, slab);
        let right = |p: &Point| {
            let y = f64::from(relief.height(*p));
            (self.height(corners.len(), *p) - y).abs() <= limit
        };
        if self.places.iter().all(right) {
            return vec![];
        }
        if slab.is_some() {
            // The polygon is not the plane of its corners any more: it matters again what lay along that.
            self.find_places(relief, None);
        }
        let n = corners.len();
        self.rest.clear();
        for &p in &self.places {
            let at = |i: usize| self.all[i];
            let mut place = Place {
                at: p.at(relief.height(p)),
                follower: Follower::new(n, at, flat(p)),
                off: 0.0,
            };
            place.measure(n, &self.all);
            self.rest.push(place);
        }
        while self.all.len() < n + MOST_POINTS {
            let mut worst = (limit, usize::MAX);
            for (k, place) in self.rest.iter().enumerate() {
                if place.off > worst.0 {
                    worst = (place.off, k);
                }
            }
            let Some(worst) = self.rest.get(worst.1) else {
                break;
            };
            let new = worst.at;
            self.all.push([new.x, new.y, new.z]);
            let points = self.all.len() - n;
            for place in &mut self.rest {
                if place.follower.follow(n, points, |i| self.all[i]) {
                    place.measure(n, &self.all);
                }
            }
        }
        if self.all.len() == n {
            // The Delaunay triangles of the corners are right, and the fan is not: one point more tells which are meant.
            return vec![corners[0]];
        }
        let point = |&[x, y, z]: &[i32; 3]| Point3::new(x, y, z);
        self.all[n..].iter().map(point).collect()
    }

    /// Places that the polygon holds where the ground may bend, in ascending order.
    fn find_places(&mut self, relief: &Relief<'_>, slab: Option<[f64; 4]>) {
        let quantum = Quantum::new(&self.flat);
        let beside = 1.5 * f64::from(quantum.step[0].max(quantum.step[1])) + 1.0;
        self.places.clear();
        relief.bends(&self.flat, slab, beside, &mut self.places);
        self.places.retain_mut(|p| quantum.settle(&self.flat, p));
        self.places.sort_unstable();
        self.places.dedup();
    }

    /// The height that readers find at a place.
    fn height(&self, corners: usize, p: Point) -> f64 {
        let points = self.all.len() - corners;
        relief::height(corners, points, |i| self.all[i], flat(p))
    }
}

impl Place {
    /// How far are the heights of all corners and points from the true one?
    fn measure(&mut self, corners: usize, all: &[[i32; 3]]) {
        let points = all.len() - corners;
        let y = self.follower.height(corners, points, |i| all[i]);
        self.off = (y - f64::from(self.at.y)).abs();
    }
}

fn flat(p: Point) -> [f64; 2] {
    [f64::from(p.x), f64::from(p.z)]
}

/// The steps in which places in a polygon are told.
struct Quantum {
    least: Point,
    greatest: Point,
    step: [i32; 2],
}

impl Quantum {
    fn new(corners: &[Point]) -> Quantum {
        let first = corners.first().copied().unwrap_or_default();
        let (mut least, mut greatest) = (first, first);
        for p in corners {
            least = Point::new(least.x.min(p.x), least.z.min(p.z));
            greatest = Point::new(greatest.x.max(p.x), greatest.z.max(p.z));
        }
        let step = |extent: i32| {
            let mut s = 0;
            while extent >> s > STEPS {
                s += 1;
            }
            1 << s
        };
        Quantum {
            least,
            greatest,
            step: [step(greatest.x - least.x), step(greatest.z - least.z)],
        }
    }

    /// Moves a place to the nearest one beside it that can be told and that the polygon holds, if there is any.
    fn settle(&self, corners: &[Point], p: &mut Point) -> bool {
        let on = |v: i32, low: i32, high: i32, step: i32| {
            let whole = (high - low) / step * step;
            low + ((v - low + step / 2).div_euclid(step) * step).clamp(0, whole)
        };
        let near = Point::new(
            on(p.x, self.least.x, self.greatest.x, self.step[0]),
            on(p.z, self.least.z, self.greatest.z, self.step[1]),
        );
        let far = p.x.abs_diff(near.x) > 2 * self.step[0] as u32
            || p.z.abs_diff(near.z) > 2 * self.step[1] as u32;
        if far {
            return false;
        }
        const BESIDE: [[i32; 2]; 9] = [
            [0, 0],
            [-1, 0],
            [1, 0],
            [0, -1],
            [0, 1],
            [-1, -1],
            [1, -1],
            [-1, 1],
            [1, 1],
        ];
        let held = BESIDE
            .iter()
            .map(|d| Point::new(near.x + d[0] * self.step[0], near.z + d[1] * self.step[1]))
            .find(|&q| holds(corners, q));
        if let Some(q) = held {
            *p = q;
        }
        held.is_some()
    }
}

/// x, z and height.
fn spot(p: Point3) -> [f64; 3] {
    [f64::from(p.x), f64::from(p.z), f64::from(p.y)]
}

fn holds(corners: &[Point], p: Point) -> bool {
    (0..corners.len()).all(|k| orient(corners[k], corners[(k + 1) % corners.len()], p) >= 0)
}

/// The plane of the corners as height = plane[0] x + plane[1] z + plane[2] with plane[3] around it, where they lie on one.
fn plane(corners: &[Point3], limit: f64) -> Option<[f64; 4]> {
    let o = spot(corners[0]);
    let mut widest = (0.0, [0.0; 2]);
    for w in corners[1..].windows(2) {
        let [a, b] = [w[0], w[1]].map(|c| {
            let c = spot(c);
            [c[0] - o[0], c[1] - o[1], c[2] - o[2]]
        });
        let area = a[1] * b[0] - a[0] * b[1];
        if area > widest.0 {
            let slope_x = (a[1] * b[2] - b[1] * a[2]) / area;
            let slope_z = (b[0] * a[2] - a[0] * b[2]) / area;
            widest = (area, [slope_x, slope_z]);
        }
    }
    let [sx, sz] = widest.1;
    let base = o[2] - sx * o[0] - sz * o[1];
    let within = limit / 4.0;
    corners
        .iter()
        .all(|&c| {
            let c = spot(c);
            (sx * c[0] + sz * c[1] + base - c[2]).abs() <= within
        })
        .then_some([sx, sz, base, limit - within])
}
