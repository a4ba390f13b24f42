//! Ground triangles by place.

use navbake_geom::{Box2, Point, Point3, SquareGrid, box_around, orient};

/// Surfaces no further apart than this, in grid units, count as one: the grid rounds them.
pub(super) const SAME: f64 = 1.5;
/// How far heights of a layer may be off by their own rounding.
const ROUNDED: f64 = 2.0;
/// How far around a place in a gap between triangles its area is looked up, nearest first.
const AROUND: [i32; 2] = [4, 32];
/// Squares along a side at most.
const MOST_SQUARES: i64 = 64;

/// A triangle of ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroundTriangle {
    /// In the ground plane, counter-clockwise seen from above.
    pub(super) flat: [Point; 3],
    /// In space, in the same order.
    pub(super) corners: [Point3; 3],
    /// Height over the first corner, and how it changes along x and z.
    slope: [f64; 2],
    pub(super) area: u8,
}

impl GroundTriangle {
    fn new(corners: [Point3; 3], area: u8) -> Option<GroundTriangle> {
        let [a, b, c] = corners;
        let corners = match orient(a.flat(), b.flat(), c.flat()) {
            0 => return None,
            turn if turn > 0 => [a, b, c],
            _ => [a, c, b],
        };
        let [a, b, c] = corners.map(<[f64; 3]>::from);
        let (u, v) = ([0, 1, 2].map(|k| b[k] - a[k]), [0, 1, 2].map(|k| c[k] - a[k]));
        let area_doubled = u[2] * v[0] - u[0] * v[2];
        let slope = [
            (u[2] * v[1] - u[1] * v[2]) / area_doubled,
            (u[1] * v[0] - u[0] * v[1]) / area_doubled,
        ];
        Some(GroundTriangle { flat: corners.map(Point3::flat), corners, slope, area })
    }

    fn holds(&self, p: Point) -> bool {
        let [a, b, c] = self.flat;
        orient(a, b, p) >= 0 && orient(b, c, p) >= 0 && orient(c, a, p) >= 0
    }

    /// Height of its plane.
    pub(super) fn at(&self, [x, z]: [f64; 2]) -> f64 {
        let a = self.corners[0];
        f64::from(a.y) + self.slope[0] * (x - f64::from(a.x)) + self.slope[1] * (z - f64::from(a.z))
    }

    pub(super) fn slope(&self) -> [f64; 2] {
        self.slope
    }

    /// Least and greatest x, z and y.
    pub(super) fn bounds(&self) -> [[i32; 2]; 3] {
        let span = |of: fn(&Point3) -> i32| {
            let [a, b, c] = [0, 1, 2].map(|k| of(&self.corners[k]));
            [a.min(b).min(c), a.max(b).max(c)]
        };
        [span(|p| p.x), span(|p| p.z), span(|p| p.y)]
    }
}

/// The ground triangles in and around a tile, with their areas, by place.
#[derive(Debug)]
pub struct AreaMap {
    pub(super) triangles: Vec<GroundTriangle>,
    /// The highest step, grid units.
    climb: f64,
    squares: SquareGrid,
    /// The areas in each square, a bit each.
    areas: Vec<u64>,
}

impl AreaMap {
    /// From the corners and areas (below 64) of triangles that an agent can stand on.
    ///
    /// `climb` is the agent's highest step in grid units. The order of triangles does not matter.
    pub fn new(triangles: impl IntoIterator<Item = ([Point3; 3], u8)>, climb: i32) -> AreaMap {
        let all = triangles.into_iter();
        let triangles: Vec<GroundTriangle> =
            all.filter_map(|(c, area)| GroundTriangle::new(c, area)).collect();
        let area = box_around(triangles.iter().flat_map(|f| f.flat));
        let [low, high] = area;
        let wide = |a: i32, b: i32| i64::from(b) - i64::from(a) + 1;
        let most = wide(low.x, high.x).max(wide(low.z, high.z));
        let count = ((triangles.len() as f64).sqrt() as i64).clamp(1, MOST_SQUARES);
        let boxes = triangles.iter().map(|f| box_around(f.flat));
        let squares = SquareGrid::new(area, (most + count - 1) / count, boxes);
        let areas = (0..squares.len()).map(|s| {
            let all = squares.items(s).iter();
            all.fold(0, |set, &f| set | 1 << (triangles[f as usize].area & 63))
        });
        AreaMap { areas: areas.collect(), triangles, climb: f64::from(climb), squares }
    }

    /// The area of all ground, when there is one only; `Some(0)` without any ground.
    pub fn only(&self) -> Option<u8> {
        let first = self.triangles.first().map_or(0, |f| f.area);
        self.triangles.iter().all(|f| f.area == first).then_some(first)
    }

    /// Is there ground of different areas in the squares around a box?
    pub(super) fn is_mixed(&self, x: [i32; 2], z: [i32; 2]) -> bool {
        let squares = self.squares.squares(box_of(x, z));
        let areas = squares.fold(0, |set, s| set | self.areas[s]);
        areas & areas.wrapping_sub(1) != 0
    }

    /// Triangles that may meet a box, ascending.
    pub(super) fn among(&self, x: [i32; 2], z: [i32; 2]) -> Vec<u32> {
        self.squares.near(box_of(x, z))
    }

    /// The area of the ground at a place: of the highest surface that is no higher than the layer
    /// there, which is `height()`. Of surfaces at one height the greatest area.
    fn area_at(&self, p: Point, height: &mut impl FnMut() -> f64) -> Option<u8> {
        let [x, z] = [p.x, p.z];
        let here = || {
            let all = self.squares.at(p).iter().map(|&f| &self.triangles[f as usize]);
            all.filter(|f| f.holds(p))
        };
        let first = here().next()?;
        if here().all(|f| f.area == first.area) {
            return Some(first.area);
        }
        let y = height();
        let at = |f: &GroundTriangle| f.at([f64::from(x), f64::from(z)]);
        let highest = |low: f64, high: f64| {
            let all = here().map(at).filter(|h| (low..=high).contains(h));
            all.fold(None, |top: Option<f64>, h| Some(top.map_or(h, |t| t.max(h))))
        };
        // Where heights come from cells, they are less exact.
        let top = highest(y - ROUNDED, y + ROUNDED)
            .or_else(|| highest(y - self.climb, y + self.climb))?;
        let same = here().filter(|f| (top - SAME..=top).contains(&at(f)));
        same.map(|f| f.area).max()
    }

    /// The area of the ground at a place, or, in a crack between triangles, the greatest of those
    /// around.
    pub(super) fn area_near(&self, p: Point, mut height: impl FnMut() -> f64) -> Option<u8> {
        if let Some(area) = self.area_at(p, &mut height) {
            return Some(area);
        }
        AROUND.into_iter().find_map(|d| {
            let ways = [[d, 0], [d, d], [0, d], [-d, d], [-d, 0], [-d, -d], [0, -d], [d, -d]];
            let beside = |[dx, dz]: [i32; 2]| Point::new(p.x + dx, p.z + dz);
            let found = ways.into_iter().filter_map(|w| self.area_at(beside(w), &mut height));
            found.max()
        })
    }
}

fn box_of(x: [i32; 2], z: [i32; 2]) -> Box2 {
    [Point::new(x[0], z[0]), Point::new(x[1], z[1])]
}
