//! Heights of a polygon under merging: a plane and the ground's distance from it.

use navbake_geom::Point3;

/// A plane with the interval of the heights of some ground above it.
///
/// The ground is piecewise linear, so the interval of its vertices is that of all of it. Sums and
/// products of `f64` in a fixed order only.
#[derive(Clone, Debug)]
pub(crate) struct Slab {
    anchor: [f64; 3],
    slope: [f64; 2],
    /// Interval of the ground's height minus the plane's.
    low: f64,
    high: f64,
    /// Twice the area seen from above.
    area: f64,
    /// All vertices of the ground are corners of the polygon.
    plain: bool,
}

impl Slab {
    /// The plane of a triangle.
    pub(crate) fn of_triangle(corners: [Point3; 3]) -> Slab {
        let [a, b, c] = corners.map(<[f64; 3]>::from);
        let (u, v) =
            ([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - a[0], c[1] - a[1], c[2] - a[2]]);
        let area = u[2] * v[0] - u[0] * v[2];
        let slope = if area > 0.0 {
            [(u[2] * v[1] - u[1] * v[2]) / area, (u[1] * v[0] - u[0] * v[1]) / area]
        } else {
            [0.0; 2]
        };
        Slab { anchor: a, slope, low: 0.0, high: 0.0, area, plain: true }
    }

    /// The slab of a convex polygon's own heights (see [`crate::PolygonMesh`]): along the plane of
    /// the widest triangle of its fan.
    pub(crate) fn of_polygon(corners: impl Iterator<Item = Point3> + Clone) -> Slab {
        let mut all = corners.clone();
        let (first, mut before) = (all.next(), all.next());
        let mut area = 0.0;
        let mut widest: Option<Slab> = None;
        for c in all {
            if let (Some(a), Some(b)) = (first, before) {
                let slab = Slab::of_triangle([a, b, c]);
                area += slab.area;
                if widest.as_ref().is_none_or(|w| slab.area > w.area) {
                    widest = Some(slab);
                }
            }
            before = Some(c);
        }
        let mut slab = widest.unwrap_or_else(|| Slab::of_triangle([Point3::default(); 3]));
        (slab.low, slab.high) = slab.over(corners, &slab);
        slab.area = area;
        slab
    }

    /// The slab for a triangle over a part of this slab's ground.
    pub(crate) fn under(&self, corners: [Point3; 3]) -> Slab {
        Slab { area: Slab::of_triangle(corners).area, plain: false, ..self.clone() }
    }

    fn at(&self, p: Point3) -> f64 {
        let p: [f64; 3] = p.into();
        self.anchor[1]
            + self.slope[0] * (p[0] - self.anchor[0])
            + self.slope[1] * (p[2] - self.anchor[2])
    }

    /// How far apart the lowest and the highest ground are, seen along the plane.
    pub(crate) fn thickness(&self) -> f64 {
        self.high - self.low
    }

    /// A vertex of the ground is no corner any more; its height stays within the interval.
    pub(crate) fn forget_corner(&mut self) {
        self.plain = false;
    }

    /// The interval of this slab's ground, with these corners, over another plane: exact while
    /// every vertex is a corner, else an outer bound.
    fn over(&self, corners: impl Iterator<Item = Point3>, plane: &Slab) -> (f64, f64) {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for p in corners {
            let y = if self.plain { f64::from(p.y) } else { self.at(p) };
            let d = y - plane.at(p);
            low = low.min(d);
            high = high.max(d);
        }
        if self.plain { (low, high) } else { (low + self.low, high + self.high) }
    }

    /// A thin slab around the ground of both.
    pub(crate) fn union(
        &self,
        corners: impl Iterator<Item = Point3> + Clone,
        other: &Slab,
        other_corners: impl Iterator<Item = Point3> + Clone,
    ) -> Slab {
        let area = self.area + other.area;
        let wide = if self.area >= other.area { self } else { other };
        let mut mean = wide.clone();
        if area > 0.0 {
            for k in 0..2 {
                mean.slope[k] = (self.slope[k] * self.area + other.slope[k] * other.area) / area;
            }
        }
        let mut best: Option<Slab> = None;
        for (plane, of_self, of_other) in
            [(self, true, false), (other, false, true), (&mean, false, false)]
        {
            let a = if of_self { (self.low, self.high) } else { self.over(corners.clone(), plane) };
            let b = if of_other {
                (other.low, other.high)
            } else {
                other.over(other_corners.clone(), plane)
            };
            let (low, high) = (a.0.min(b.0), a.1.max(b.1));
            if best.as_ref().is_none_or(|s| high - low < s.thickness()) {
                best = Some(Slab {
                    anchor: plane.anchor,
                    slope: plane.slope,
                    low,
                    high,
                    area,
                    plain: self.plain && other.plain,
                });
            }
        }
        best.unwrap_or(mean)
    }
}
