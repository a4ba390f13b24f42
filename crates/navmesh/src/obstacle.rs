//! Obstacles that take ground while a program runs: convex prisms and cylinders.

use core::fmt;

use crate::math::length;

/// The most corners of a prism.
pub const MOST_CORNERS: usize = 12;

const NO_CORNERS: [[f64; 2]; 2 * MOST_CORNERS] = [[0.0; 2]; 2 * MOST_CORNERS];

/// A convex prism or a cylinder, upright, that takes ground. Y-up metres.
///
/// ```
/// use navbake_navmesh::Obstacle;
///
/// let crate_ = Obstacle::prism(&[[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0]], [0.0, 1.2])?;
/// let barrel = Obstacle::cylinder([5.0, 5.0], 0.4, [0.0, 1.0])?;
/// assert_eq!(crate_.moved([0.5, 0.0, 0.0])?.heights(), [0.0, 1.2]);
/// # let _ = barrel;
/// # Ok::<(), navbake_navmesh::ObstacleError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle {
    corners: [[f64; 2]; MOST_CORNERS],
    count: usize,
    /// Of a cylinder, else 0.
    radius: f64,
    heights: [f64; 2],
}

impl Obstacle {
    /// A prism over the convex hull of 2 to 12 points `[x, z]`, from one height to another.
    ///
    /// # Errors
    /// [`ObstacleError::Corners`] for another number of points, [`ObstacleError::NotFinite`] for
    /// numbers that are not finite, [`ObstacleError::Heights`] when the first height is above the
    /// second.
    pub fn prism(corners: &[[f64; 2]], heights: [f64; 2]) -> Result<Obstacle, ObstacleError> {
        if !(2..=MOST_CORNERS).contains(&corners.len()) {
            return Err(ObstacleError::Corners(corners.len()));
        }
        Obstacle::new(corners, 0.0, heights)
    }

    /// A cylinder around `[x, z]`, from one height to another.
    ///
    /// # Errors
    /// [`ObstacleError::Radius`] when the radius is negative, and those of [`Obstacle::prism`].
    pub fn cylinder(
        centre: [f64; 2],
        radius: f64,
        heights: [f64; 2],
    ) -> Result<Obstacle, ObstacleError> {
        if radius < 0.0 {
            return Err(ObstacleError::Radius(radius));
        }
        Obstacle::new(&[centre], radius, heights)
    }

    fn new(
        corners: &[[f64; 2]],
        radius: f64,
        heights: [f64; 2],
    ) -> Result<Obstacle, ObstacleError> {
        let numbers = || corners.iter().flatten().chain(&heights).chain([&radius]);
        if let Some(&bad) = numbers().find(|n| !n.is_finite()) {
            return Err(ObstacleError::NotFinite(bad));
        }
        if heights[0] > heights[1] {
            return Err(ObstacleError::Heights(heights));
        }
        let mut all = [[0.0; 2]; MOST_CORNERS];
        for (own, corner) in all.iter_mut().zip(corners) {
            *own = *corner;
        }
        Ok(Obstacle { corners: all, count: corners.len(), radius, heights })
    }

    /// The same obstacle elsewhere.
    ///
    /// # Errors
    /// [`ObstacleError::NotFinite`] when a coordinate is not finite then.
    pub fn moved(&self, by: [f64; 3]) -> Result<Obstacle, ObstacleError> {
        let mut corners = self.corners;
        for corner in &mut corners {
            *corner = [corner[0] + by[0], corner[1] + by[2]];
        }
        let heights = self.heights.map(|y| y + by[1]);
        Obstacle::new(corners.get(..self.count).unwrap_or(&[]), self.radius, heights)
    }

    /// The points that it was made of, `[x, z]`: the middle of a cylinder.
    pub fn corners(&self) -> &[[f64; 2]] {
        self.corners.get(..self.count).unwrap_or(&[])
    }

    /// The radius of a cylinder, metres; 0 for a prism.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// From which height to which it reaches, metres.
    pub fn heights(&self) -> [f64; 2] {
        self.heights
    }

    /// What it takes of cells: it and all within `radius` of it, seen from above, but for overlaps
    /// of no more than `contact`. Metres.
    pub fn outline(&self, radius: f64, contact: f64) -> Outline {
        let mut outline = Outline {
            corners: NO_CORNERS,
            count: 0,
            radius: self.radius + radius,
            contact,
            is_thin: false,
        };
        outline.take_hull(self.corners, self.count);
        // Of a point there is no edge.
        let axes = edges(outline.ring()).filter_map(normal);
        let thinnest = axes.map(|axis| outline.width(axis)).fold(f64::INFINITY, f64::min);
        let thinnest = if outline.count == 1 { 2.0 * outline.radius } else { thinnest };
        outline.is_thin = thinnest <= 4.0 * contact;
        outline
    }
}

/// What an obstacle takes, seen from above; made by [`Obstacle::outline`]. It says which convex
/// cells it takes.
///
/// An obstacle takes a cell that it reaches into by more than the contact. One without width takes
/// each cell that it reaches into, and along the side of two cells the one at the greater x, or for
/// a wall along x at the greater z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outline {
    /// A convex ring.
    corners: [[f64; 2]; 2 * MOST_CORNERS],
    count: usize,
    radius: f64,
    contact: f64,
    /// It is hardly wider than contact in some direction.
    is_thin: bool,
}

impl Outline {
    fn ring(&self) -> &[[f64; 2]] {
        self.corners.get(..self.count).unwrap_or(&[])
    }

    /// The least and the greatest x and z of all that is taken.
    pub fn bounds(&self) -> [[f64; 2]; 2] {
        let all = |k: usize| self.ring().iter().map(move |p| p[k]);
        let more = self.radius + if self.is_thin { 9.0 * self.contact } else { 0.0 };
        let low = [0, 1].map(|k| all(k).fold(f64::INFINITY, f64::min) - more);
        let high = [0, 1].map(|k| all(k).fold(f64::NEG_INFINITY, f64::max) + more);
        [low, high]
    }

    /// Does it take a convex cell, given by its corners in order?
    ///
    /// Cells are squares or hexagons of a map, or other rings with sides in parallel pairs.
    /// O(corners of both, multiplied).
    pub fn takes(&self, cell: &[[f64; 2]]) -> bool {
        if self.is_thin {
            return self.moved_for(cell).takes(cell);
        }
        // The least by which both overlap along an axis.
        let mut least = f64::INFINITY;
        for ring in [cell, self.ring()] {
            for axis in edges(ring).filter_map(normal) {
                let ([low, high], [from, to]) = (along(self.ring(), axis), along(cell, axis));
                least = least.min((high - from).min(to - low));
                if least + self.radius <= self.contact {
                    return false;
                }
            }
        }
        // Apart along an axis by less than the radius: corners may still be farther apart.
        least > 0.0 || apart(self.ring(), cell) < self.radius - self.contact
    }

    /// Takes the corners of the convex hull (Andrew's monotone chain). Where rounding leaves a
    /// point on both chains, the ring has it twice.
    fn take_hull(&mut self, mut points: [[f64; 2]; MOST_CORNERS], many: usize) {
        let points = points.get_mut(..many).unwrap_or(&mut []);
        points.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        let hull = &mut self.corners;
        let mut count = 0;
        for back in [false, true] {
            let first = count;
            for k in 0..points.len() {
                let p = points[if back { points.len() - 1 - k } else { k }];
                while count >= first + 2 && turn(hull[count - 2], hull[count - 1], p) <= 0.0 {
                    count -= 1;
                }
                hull[count] = p;
                count += 1;
            }
            // Each chain begins where the other ends.
            count -= usize::from(count > first + 1);
        }
        let is_point = hull[..count].iter().all(|&p| p == hull[0]);
        self.count = if is_point { 1 } else { count };
    }

    /// How wide it is along an axis.
    fn width(&self, axis: [f64; 2]) -> f64 {
        let [low, high] = along(self.ring(), axis);
        high - low + 2.0 * self.radius
    }

    /// The same beside a cell, for what is no wider than contact. Across sides of the cell that it
    /// is along, it is moved a little to the greater x or z, so that of two cells it takes one.
    /// Else it takes what it reaches into at all: it might come no deeper into either of two cells.
    fn moved_for(&self, cell: &[[f64; 2]]) -> Outline {
        let mut moved = Outline { contact: 1e-4 * self.contact, is_thin: false, ..*self };
        for [x, z] in edges(cell).filter_map(normal) {
            if self.width([x, z]) > 4.0 * self.contact {
                continue;
            }
            let ahead = x + z > 1e-9 || (x + z > -1e-9 && x > 0.0);
            // Each axis is that of two sides.
            let by = if ahead { 1.5 * self.contact } else { -1.5 * self.contact };
            for corner in &mut moved.corners {
                *corner = [corner[0] + by * x, corner[1] + by * z];
            }
        }
        moved
    }
}

/// The edges of a ring, none of a point.
fn edges(ring: &[[f64; 2]]) -> impl Iterator<Item = [[f64; 2]; 2]> + '_ {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(&a, &b)| [a, b]).filter(|[a, b]| a != b)
}

/// A unit vector across an edge.
fn normal([a, b]: [[f64; 2]; 2]) -> Option<[f64; 2]> {
    let [dx, dz] = [b[0] - a[0], b[1] - a[1]];
    let long = length(dx, dz);
    (long > 0.0 && long.is_finite()).then(|| [dz / long, -dx / long])
}

/// From where to where a ring reaches along an axis.
fn along(ring: &[[f64; 2]], axis: [f64; 2]) -> [f64; 2] {
    let places = ring.iter().map(|p| p[0] * axis[0] + p[1] * axis[1]);
    places.fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], v| [l.min(v), h.max(v)])
}

/// The distance of two rings that do not overlap.
fn apart(a: &[[f64; 2]], b: &[[f64; 2]]) -> f64 {
    let mut least = f64::INFINITY;
    for (points, ring) in [(a, b), (b, a)] {
        for &p in points {
            let whole = ring.iter().zip(ring.iter().cycle().skip(1));
            for (&from, &to) in whole {
                let d = [to[0] - from[0], to[1] - from[1]];
                let off = [p[0] - from[0], p[1] - from[1]];
                let all = d[0] * d[0] + d[1] * d[1];
                let t = (off[0] * d[0] + off[1] * d[1]) / all;
                let t = if all > 0.0 { t.clamp(0.0, 1.0) } else { 0.0 };
                least = least.min(length(off[0] - t * d[0], off[1] - t * d[1]));
            }
        }
    }
    least
}

/// Twice the area of a triangle: above 0 for one way around.
fn turn(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

/// Why a shape is no obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ObstacleError {
    /// A prism has this many corners; 2 to 12 are possible.
    Corners(usize),
    /// A number that is not finite.
    NotFinite(f64),
    /// A radius that is negative.
    Radius(f64),
    /// An obstacle whose first height is above its second, metres.
    Heights([f64; 2]),
}

impl fmt::Display for ObstacleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ObstacleError::Corners(count) => {
                write!(f, "a prism with {count} corners: give 2 to 12")
            }
            ObstacleError::NotFinite(number) => {
                write!(f, "{number} in an obstacle: give finite coordinates, in metres")
            }
            ObstacleError::Radius(radius) => {
                write!(f, "radius {radius} of a cylinder: give 0 or more")
            }
            ObstacleError::Heights([low, high]) => {
                write!(f, "an obstacle from height {low} to {high}: give the lower height first")
            }
        }
    }
}

impl core::error::Error for ObstacleError {}
