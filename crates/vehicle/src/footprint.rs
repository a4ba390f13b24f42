//! The area that a vehicle covers, and how deep it reaches into a tile.

use crate::curve::Pose;
use crate::trig::sin_cos;
use navbake_navmesh::math::sqrt;

/// The most corners that a footprint has.
pub const MOST_CORNERS: usize = 16;

/// The ground that a vehicle covers, around the point that follows the curve. Tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    corners: [[f64; 2]; MOST_CORNERS],
    /// 0 for a disc.
    count: u8,
    /// Distance of the farthest point that it covers; a disc's radius.
    reach: f64,
}

impl Footprint {
    /// A disc of that radius around the point.
    pub fn disc(radius: f64) -> Footprint {
        Footprint { corners: [[0.0; 2]; MOST_CORNERS], count: 0, reach: radius }
    }

    /// A convex polygon, its corners in either sense as `[ahead, right]` of the point.
    ///
    /// `None` where it is not convex, has fewer than 3 corners or more than [`MOST_CORNERS`], or
    /// does not hold the point.
    pub fn polygon(corners: &[[f64; 2]]) -> Option<Footprint> {
        let n = corners.len();
        if !(3..=MOST_CORNERS).contains(&n) || corners.iter().flatten().any(|c| !c.is_finite()) {
            return None;
        }
        let corner = |i: usize| corners[i % n];
        let cross = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
            (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        };
        let side = if cross(corner(0), corner(1), corner(2)) < 0.0 { -1.0 } else { 1.0 };
        let mut turned = 0.0;
        let mut footprint = Footprint::disc(0.0);
        for i in 0..n {
            let (a, b, c) = (corner(i), corner(i + 1), corner(i + 2));
            if side * cross(a, b, c) <= 0.0 || side * cross(a, b, [0.0; 2]) < 0.0 {
                return None;
            }
            let (u, v) = ([b[0] - a[0], b[1] - a[1]], [c[0] - b[0], c[1] - b[1]]);
            let bend = crate::trig::atan2(u[0] * v[1] - u[1] * v[0], u[0] * v[0] + u[1] * v[1]);
            turned += side * bend;
            footprint.corners[i] = a;
            footprint.reach = footprint.reach.max(sqrt(a[0] * a[0] + a[1] * a[1]));
        }
        // A star goes round more than once.
        footprint.count = n as u8;
        (turned < 1.5 * crate::trig::TURN).then_some(footprint)
    }

    /// Distance of the farthest point that it covers from the point that follows the curve.
    #[inline]
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// The corners of a polygon, `[ahead, right]`; none for a disc.
    #[inline]
    pub fn corners(&self) -> &[[f64; 2]] {
        self.corners.get(..usize::from(self.count)).unwrap_or_default()
    }

    /// The same for a vehicle turned about.
    pub fn turned_about(mut self) -> Footprint {
        for [ahead, right] in &mut self.corners {
            *ahead = -*ahead;
            *right = -*right;
        }
        self
    }

    /// Has every corner a counterpart at `to(corner)`?
    fn same(&self, to: impl Fn([f64; 2]) -> [f64; 2]) -> bool {
        self.corners().iter().all(|&c| {
            let t = to(c);
            self.corners().iter().any(|o| o[0] == t[0] && o[1] == t[1])
        })
    }

    /// Is its left like its right?
    pub fn is_mirrored(&self) -> bool {
        self.same(|[ahead, right]| [ahead, -right])
    }

    /// Does it cover the same when turned about?
    pub fn is_reversible(&self) -> bool {
        self.same(|[ahead, right]| [-ahead, -right])
    }

    /// How far it is from the tile at `tile`; where it overlaps it, minus the depth of the overlap.
    ///
    /// Of a polygon beside the tile's corner it may be less than the distance. It changes by no
    /// more than points of the footprint move.
    pub fn separation(&self, pose: Pose, tile: [f64; 2]) -> f64 {
        self.swept_separation(pose, [0.0; 2], tile)
    }

    /// The same for all that it covers while it is moved straight by `by`.
    pub(crate) fn swept_separation(&self, pose: Pose, by: [f64; 2], tile: [f64; 2]) -> f64 {
        let at = [pose.x - tile[0], pose.z - tile[1]];
        if self.count == 0 {
            return to_square(at, [at[0] + by[0], at[1] + by[1]]) - self.reach;
        }
        let (s, c) = sin_cos(pose.heading);
        let mut points = [[0.0; 2]; MOST_CORNERS];
        let n = usize::from(self.count).min(MOST_CORNERS);
        for (point, corner) in points.iter_mut().zip(self.corners()) {
            let [ahead, right] = *corner;
            *point = [at[0] + ahead * c + right * s, at[1] - ahead * s + right * c];
        }
        let points = &points[..n];
        let mut most = f64::NEG_INFINITY;
        // Both directions of an axis of unit length.
        let mut axis = |u: [f64; 2]| {
            let half = 0.5 * (u[0].abs() + u[1].abs());
            let moved = u[0] * by[0] + u[1] * by[1];
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for p in points {
                let d = u[0] * p[0] + u[1] * p[1];
                low = low.min(d);
                high = high.max(d);
            }
            low += moved.min(0.0);
            high += moved.max(0.0);
            most = most.max(low - half).max(-half - high);
        };
        axis([1.0, 0.0]);
        axis([0.0, 1.0]);
        let mut normal = |d: [f64; 2]| {
            let length = sqrt(d[0] * d[0] + d[1] * d[1]);
            if length > 0.0 {
                axis([-d[1] / length, d[0] / length]);
            }
        };
        normal(by);
        for (i, a) in points.iter().enumerate() {
            let b = points[(i + 1) % n];
            normal([b[0] - a[0], b[1] - a[1]]);
        }
        most
    }
}

/// Distance of a line from the square of side 1 around zero.
fn to_square(a: [f64; 2], b: [f64; 2]) -> f64 {
    let outside = |v: f64| (v.abs() - 0.5).max(0.0);
    let point = |p: [f64; 2]| {
        let (x, z) = (outside(p[0]), outside(p[1]));
        sqrt(x * x + z * z)
    };
    let d = [b[0] - a[0], b[1] - a[1]];
    let square = d[0] * d[0] + d[1] * d[1];
    if square == 0.0 {
        return point(a);
    }
    // Does it go through? The part of it within each pair of sides.
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for k in 0..2 {
        if d[k] == 0.0 {
            if a[k].abs() > 0.5 {
                to = -1.0;
            }
            continue;
        }
        let (t, u) = ((-0.5 - a[k]) / d[k], (0.5 - a[k]) / d[k]);
        from = from.max(t.min(u));
        to = to.min(t.max(u));
    }
    if from <= to {
        return 0.0;
    }
    let mut least = point(a).min(point(b));
    for corner in [[-0.5, -0.5], [-0.5, 0.5], [0.5, -0.5], [0.5, 0.5]] {
        let v = [corner[0] - a[0], corner[1] - a[1]];
        let t = ((v[0] * d[0] + v[1] * d[1]) / square).clamp(0.0, 1.0);
        let (x, z) = (v[0] - t * d[0], v[1] - t * d[1]);
        least = least.min(sqrt(x * x + z * z));
    }
    least
}
