//! Convex volumes that level authors draw around ground.

use navbake_geom::{Grid, LIMIT, Point, Point3, orient, ring_area};

/// A convex prism with an upright axis, on the grid. Its border is part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Volume {
    /// Corners seen from above, counter-clockwise and strictly convex.
    corners: Vec<Point>,
    /// Least and greatest height.
    y: [i32; 2],
}

/// Why corners do not make a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VolumeError {
    /// A corner is not finite, or is out of the range of the grid.
    #[error("corner {0} lies outside of what the grid reaches")]
    OutOfRange(usize),
    /// It has no ground area on the grid.
    #[error("it encloses no ground: it needs three corners or more that are not all on one line")]
    Flat,
    /// It is concave, or crosses itself.
    #[error("it is not convex at corner {0}: cut it into convex volumes")]
    NotConvex(usize),
    /// The upper end is below the lower one.
    #[error("its upper end lies below its lower end")]
    UpsideDown,
}

impl Volume {
    /// The box between two opposite corners in y-up metres.
    ///
    /// Corners beyond the grid are clamped to its end, since no level extends beyond.
    ///
    /// # Errors
    /// If a coordinate is not a number, or if the box has no width on the grid.
    pub fn between(a: [f64; 3], b: [f64; 3], grid: &Grid) -> Result<Volume, VolumeError> {
        for (i, p) in [a, b].iter().enumerate() {
            if p.iter().any(|c| c.is_nan()) {
                return Err(VolumeError::OutOfRange(i + 1));
            }
        }
        let side = |k: usize| {
            let [p, q] = [a[k].min(b[k]), a[k].max(b[k])];
            [clamped(p, k, grid), clamped(q, k, grid)]
        };
        let ([x0, x1], [z0, z1]) = (side(0), side(2));
        let corners =
            [Point::new(x0, z0), Point::new(x0, z1), Point::new(x1, z1), Point::new(x1, z0)];
        Volume::new(corners.to_vec(), side(1))
    }

    /// The prism over a convex polygon between two heights, in y-up metres.
    ///
    /// The polygon is seen from above (x and z), with either orientation.
    ///
    /// # Errors
    /// If the polygon is not convex, has no area, or extends beyond the grid.
    pub fn prism(polygon: &[[f64; 2]], y: [f64; 2], grid: &Grid) -> Result<Volume, VolumeError> {
        let mut corners = Vec::with_capacity(polygon.len());
        for (i, &[x, z]) in polygon.iter().enumerate() {
            let p = grid.snap_point([x, grid.origin[1], z]);
            corners.push(p.ok_or(VolumeError::OutOfRange(i + 1))?.flat());
        }
        if y.iter().any(|c| c.is_nan()) || y[0] > y[1] {
            return Err(VolumeError::UpsideDown);
        }
        Volume::new(corners, y.map(|c| clamped(c, 1, grid)))
    }

    /// The prism over the convex hull of points seen from above, in y-up metres.
    ///
    /// # Errors
    /// If the hull has no area, or extends beyond the grid.
    pub fn around(points: &[[f64; 2]], y: [f64; 2], grid: &Grid) -> Result<Volume, VolumeError> {
        let mut all = Vec::with_capacity(points.len());
        for (i, &[x, z]) in points.iter().enumerate() {
            let p = grid.snap_point([x, grid.origin[1], z]);
            all.push(p.ok_or(VolumeError::OutOfRange(i + 1))?.flat());
        }
        all.sort_unstable_by_key(|p| (p.x, p.z));
        all.dedup();
        // One side after the other, both counter-clockwise.
        let mut hull: Vec<Point> = vec![];
        for pass in 0..2 {
            let first = hull.len();
            for &p in &all {
                while hull.len() > first + 1
                    && orient(hull[hull.len() - 2], hull[hull.len() - 1], p) <= 0
                {
                    hull.pop();
                }
                hull.push(p);
            }
            hull.pop();
            if pass == 0 {
                all.reverse();
            }
        }
        Volume::new(hull, y.map(|c| clamped(c, 1, grid)))
    }

    fn new(corners: Vec<Point>, y: [i32; 2]) -> Result<Volume, VolumeError> {
        // Each corner with its number for messages. Neighbours that coincide on the grid are
        // merged.
        let mut corners: Vec<(Point, usize)> = corners.into_iter().zip(1..).collect();
        corners.dedup_by_key(|c| c.0);
        while corners.len() > 1 && corners.first().map(|c| c.0) == corners.last().map(|c| c.0) {
            corners.pop();
        }
        let ring: Vec<Point> = corners.iter().map(|c| c.0).collect();
        match ring_area(&ring) {
            0 => return Err(VolumeError::Flat),
            area if area < 0 => corners.reverse(),
            _ => {}
        }
        let n = corners.len();
        let at = |i: usize| corners[i % n].0;
        let turn = |i: usize| orient(at(i + n - 1), at(i), at(i + 1));
        if let Some(i) = (0..n).find(|&i| turn(i) < 0) {
            return Err(VolumeError::NotConvex(corners[i].1));
        }
        // A star turns in one direction at every corner. In a convex polygon every corner is also
        // on the inner side of every side.
        for i in 0..n {
            if let Some(out) = corners.iter().find(|c| orient(at(i), at(i + 1), c.0) < 0) {
                return Err(VolumeError::NotConvex(out.1));
            }
        }
        // Corners in the middle of a side do not cut anything.
        Ok(Volume { corners: (0..n).filter(|&i| turn(i) > 0).map(at).collect(), y })
    }

    /// Number of half-spaces whose intersection it is.
    pub(crate) fn planes(&self) -> usize {
        self.corners.len() + 2
    }

    /// Signed depth of a point within a half-space, in a unit of the half-space's own.
    ///
    /// Negative outside, 0 on its border. Linear in the point, exact.
    pub(crate) fn depth(&self, plane: usize, p: Point3) -> i64 {
        let n = self.corners.len();
        if plane < n {
            orient(self.corners[plane], self.corners[(plane + 1) % n], p.flat())
        } else if plane == n {
            i64::from(p.y) - i64::from(self.y[0])
        } else {
            i64::from(self.y[1]) - i64::from(p.y)
        }
    }

    /// Is the point within it, or on its border?
    pub fn holds(&self, p: Point3) -> bool {
        (0..self.planes()).all(|plane| self.depth(plane, p) >= 0)
    }

    /// The least and greatest corner of a box around it.
    pub(crate) fn bounds(&self) -> [Point3; 2] {
        let of = |least: fn(i32, i32) -> i32| {
            let first = self.corners[0];
            self.corners.iter().fold(first, |b, p| Point::new(least(b.x, p.x), least(b.z, p.z)))
        };
        [of(i32::min).at(self.y[0]), of(i32::max).at(self.y[1])]
    }
}

/// A coordinate on the grid, clamped to the grid's range.
fn clamped(value: f64, axis: usize, grid: &Grid) -> i32 {
    let end = f64::from(LIMIT - 1);
    let units = (value - grid.origin[axis]) * grid.units();
    units.round_ties_even().clamp(-end, end) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: Grid = Grid { bits: 4, origin: [0.0; 3] };

    #[test]
    fn a_prism_is_the_same_in_either_direction() {
        let mut polygon = vec![[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [2.0, 3.0], [0.0, 3.0]];
        let one = Volume::prism(&polygon, [0.0, 1.0], &GRID).unwrap();
        polygon.reverse();
        let other = Volume::prism(&polygon, [0.0, 1.0], &GRID).unwrap();
        for x in -2..70 {
            for z in -2..60 {
                let p = Point3::new(x, 8, z);
                let inside = (0..=64).contains(&x) && (0..=48).contains(&z);
                assert_eq!((one.holds(p), other.holds(p)), (inside, inside), "{p:?}");
            }
        }
        assert_eq!(one.corners.len(), 4, "the corner within a side is left out");
        assert!(!one.holds(Point3::new(1, 17, 1)) && one.holds(Point3::new(1, 16, 1)));
        let solid = Volume::between([4.0, 1.0, 0.0], [0.0, 0.0, 3.0], &GRID).unwrap();
        assert_eq!(solid.bounds(), one.bounds());
    }

    #[test]
    fn the_prism_around_points_is_that_over_their_hull() {
        let corners = [[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [0.0, 3.0]];
        let mut points = vec![[2.0, 1.0], [2.0, 3.0], [4.0, 1.0], [1.0, 1.0], [4.0, 0.0]];
        points.extend(corners);
        let around = Volume::around(&points, [0.0, 1.0], &GRID).unwrap();
        let mut prism = Volume::prism(&corners, [0.0, 1.0], &GRID).unwrap();
        let first = prism.corners.iter().position(|c| *c == around.corners[0]).unwrap();
        prism.corners.rotate_left(first);
        assert_eq!((around.corners, around.y), (prism.corners, prism.y));
        for flat in [&[][..], &[[1.0, 1.0]], &[[0.0, 0.0], [1.0, 1.0], [3.0, 3.0]]] {
            assert_eq!(Volume::around(flat, [0.0, 1.0], &GRID), Err(VolumeError::Flat));
        }
        let far = Volume::around(&[[1e300, 0.0]], [0.0, 1.0], &GRID);
        assert_eq!(far, Err(VolumeError::OutOfRange(1)));
    }

    #[test]
    fn what_is_no_convex_volume_is_refused() {
        let prism = |polygon: &[[f64; 2]]| Volume::prism(polygon, [0.0, 1.0], &GRID);
        assert_eq!(prism(&[]), Err(VolumeError::Flat));
        assert_eq!(prism(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]), Err(VolumeError::Flat));
        let dart = [[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]];
        assert!(matches!(prism(&dart), Err(VolumeError::NotConvex(_))));
        // Five corners of a star, twice around its middle.
        let star = [[3.0, 0.0], [-2.5, 1.8], [1.0, -2.9], [1.0, 2.9], [-2.5, -1.8]];
        assert!(matches!(prism(&star), Err(VolumeError::NotConvex(_))));
        assert_eq!(prism(&[[0.0, f64::NAN]]), Err(VolumeError::OutOfRange(1)));
        let triangle = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
        let upside_down = Volume::prism(&triangle, [1.0, 0.0], &GRID);
        assert_eq!(upside_down, Err(VolumeError::UpsideDown));
        assert_eq!(Volume::between([0.0; 3], [0.0, 5.0, 5.0], &GRID), Err(VolumeError::Flat));
        assert!(Volume::between([-1e300; 3], [1e300, f64::INFINITY, 1e300], &GRID).is_ok());
    }
}
