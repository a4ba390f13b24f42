//! Which detail meshes of a file can be trusted.

use super::records::{DetailHead, DetailPoint, Listed, MOST_POINTS, MOST_STEPS, Triangle};
use super::view::{Detail, Details};
use crate::record::Records;
use navbake_grid::LIMIT;

/// A fault of a detail mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A head: its number, and what was expected.
    Head(usize, &'static str),
    /// A point.
    Point(usize, &'static str),
    /// A triangle.
    Triangle(usize, &'static str),
    /// Where the list of a square begins.
    Start(usize, &'static str),
    /// A triangle in the list of a square.
    Listed(usize, &'static str),
}

/// The greatest shift of a step that a box within the grid can have.
const MOST_SHIFT: u8 = 18;

impl Details<'_> {
    /// Checks all detail meshes, so that heights can be asked for: O(bytes).
    ///
    /// Points are in their box, triangles counter-clockwise, sorted, together as large as the box,
    /// and listed where their least corner is. That they cover it without overlap is not checked: a
    /// place without a triangle has the base's height.
    ///
    /// # Errors
    /// The first record that is wrong.
    pub fn check(&self) -> Result<(), Fault> {
        let (mut points, mut triangles, mut squares, mut begin) = (0usize, 0usize, 0usize, 0);
        for (i, head) in self.heads.iter().enumerate() {
            let wrong = |expected| Err(Fault::Head(i, expected));
            if let Err(expected) = head.check() {
                return wrong(expected);
            }
            let first = [head.first_point, head.first_triangle, head.first_square];
            if first.map(|first| first as usize) != [points, triangles, squares] {
                let expected =
                    "points, triangles and squares behind those of the detail mesh before";
                return wrong(expected);
            }
            let [columns, rows] = head.squares();
            if u64::from(head.columns) != columns {
                return wrong("as many columns as the box has squares along x");
            }
            let detail = Detail { head, all: *self };
            points = points.saturating_add(detail.len());
            triangles = triangles.saturating_add(head.triangles as usize);
            let count = usize::try_from(columns * rows).unwrap_or(usize::MAX);
            squares = squares.saturating_add(count).saturating_add(1);
            if points > self.points.len() {
                return wrong("points that are there");
            }
            if triangles > self.triangles.len() {
                return wrong("triangles that are there");
            }
            if squares > self.starts.len() {
                return wrong("starts of its squares, and the end of the last list");
            }
            detail.check_points()?;
            detail.check_triangles()?;
            begin = detail.check_squares(begin)?;
        }
        if points != self.points.len() {
            return Err(Fault::Point(points, "no points but those of detail meshes"));
        }
        if triangles != self.triangles.len() {
            return Err(Fault::Triangle(triangles, "no triangles but those of detail meshes"));
        }
        if squares != self.starts.len() {
            return Err(Fault::Start(squares, "no starts but those of detail meshes"));
        }
        if begin != self.lists.len() {
            return Err(Fault::Listed(begin, "no lists but those of squares"));
        }
        Ok(())
    }
}

impl DetailHead {
    /// Its box and steps.
    fn check(&self) -> Result<(), &'static str> {
        if self.flat > MOST_SHIFT || self.up > MOST_SHIFT || self.square > 14 || self.reserved != 0
        {
            return Err("shifts of steps of at most 18, of squares of at most 14, and then 0");
        }
        let limit = i64::from(LIMIT);
        for k in 0..2 {
            let (least, size) = (i64::from(self.least[k]), i64::from(self.size[k]));
            if size < 1 || size > i64::from(MOST_STEPS) {
                return Err("1 to 16383 steps a side");
            }
            if least < -limit || least + (size << self.flat) > limit {
                return Err("a box from -2^25 to 2^25 at most");
            }
        }
        let (base, top) = (i64::from(self.base), i64::from(self.top));
        if top < 0 || base < -limit || base + (top << self.up) > limit {
            return Err("heights from -2^25 to 2^25 at most");
        }
        if self.points < 4 || self.points > MOST_POINTS as u32 + 4 {
            return Err("4 to 65536 points");
        }
        if self.triangles >= 2 * self.points {
            return Err("fewer than twice as many triangles as points");
        }
        Ok(())
    }
}

impl Detail<'_> {
    /// The box's corners first, then points in it; heights from 0 to the greatest.
    fn check_points(&self) -> Result<(), Fault> {
        let head = &self.head;
        let [x, z] = head.size;
        let corners = [[0, 0], [0, z], [x, z], [x, 0]];
        let mut range = [u32::MAX, 0];
        for i in 0..self.len() {
            let number = head.first_point as usize + i;
            let Some(point) = self.all.points.get(number) else {
                return Err(Fault::Point(number, "a point"));
            };
            let at = [point.x, point.z].map(i32::from);
            if corners.get(i).is_some_and(|&corner| at != corner) {
                let expected = "the corners of the box first, counter-clockwise";
                return Err(Fault::Point(number, expected));
            }
            if at[0] > x || at[1] > z {
                return Err(Fault::Point(number, "a point in the box"));
            }
            range = [range[0].min(point.y), range[1].max(point.y)];
        }
        if range != [0, head.top as u32] {
            let number = head.first_point as usize;
            return Err(Fault::Point(
                number,
                "heights from 0 to the greatest that the head states",
            ));
        }
        Ok(())
    }

    /// Each is one of its points, larger ones come first, and all are as large as the box.
    fn check_triangles(&self) -> Result<(), Fault> {
        let first = self.head.first_triangle as usize;
        let (points, triangles) = (self.point_records(), self.triangle_records());
        let (mut before, mut sum) = ((i32::MAX, Triangle::default()), 0);
        for (i, triangle) in triangles.iter().enumerate() {
            let Some(area) = area(points, triangle) else {
                let expected = "a counter-clockwise triangle of the detail mesh, the least corner \
                                first";
                return Err(Fault::Triangle(first + i, expected));
            };
            if area > before.0 || (area == before.0 && triangle <= before.1) {
                return Err(Fault::Triangle(first + i, "larger triangles first, each once"));
            }
            before = (area, triangle);
            // Below 2^47: there are fewer than 2^17, each below 2^30.
            sum += i64::from(area);
        }
        let [x, z] = self.head.size.map(i64::from);
        if sum != 2 * x * z {
            let expected = "triangles that are as large together as the box";
            return Err(Fault::Triangle(first, expected));
        }
        Ok(())
    }

    /// The lists of squares; returns where the last one ends.
    fn check_squares(&self, begin: usize) -> Result<usize, Fault> {
        let head = &self.head;
        let [columns, rows] = head.squares();
        let first = head.first_square as usize;
        let (points, triangles) = (self.point_records(), self.triangle_records());
        let (mut begin, mut own) = (begin, 0);
        for square in 0..columns * rows {
            // Below 2^32, as there is a start for each.
            let at = first + square as usize;
            let range = (self.all.starts.get(at)).zip(self.all.starts.get(at + 1));
            let Some((start, end)) = range.map(|(s, e)| (s as usize, e as usize)) else {
                return Err(Fault::Start(at, "a start"));
            };
            if start != begin {
                return Err(Fault::Start(at, "the end of the list before"));
            }
            let Some(list) = self.all.lists.slice(start..end) else {
                let expected = "an end within the lists, not before the start";
                return Err(Fault::Start(at + 1, expected));
            };
            let place = Square::new([square % columns, square / columns], head.square);
            own += check_list(points, triangles, list, &place).map_err(|i| {
                let expected = "triangles whose boxes meet the square, by ascending number";
                Fault::Listed(start + i, expected)
            })?;
            begin = end;
        }
        // No list has a triangle twice, and one square has its least corner.
        if own != triangles.len() {
            let expected = "each triangle in the list of the square that has its least corner";
            return Err(Fault::Start(first, expected));
        }
        Ok(begin)
    }
}

/// A square for comparisons of x and z at once. Places are in lanes of 16 bits, x in the upper one;
/// the highest bit of a lane is free, as places are below 2^14.
struct Square {
    /// Plus a place: highest bits where the place is not before the square.
    first: u32,
    /// Minus a place: highest bits where the place is not behind the square.
    last: u32,
}

/// The highest bits of both lanes.
const HIGHEST: u32 = 0x8000_8000;

impl Square {
    /// The square in a column and a row, with a side of `2^shift`: within places below 2^14.
    #[inline]
    fn new(at: [u64; 2], shift: u8) -> Square {
        let [x, z] = at.map(|at| (at as u32) << shift);
        let first = x << 16 | z;
        Square { first: HIGHEST - first, last: HIGHEST + first + ((1 << shift) - 1) * 0x1_0001 }
    }

    /// Does the box of three places meet it? And is the first of them in it?
    #[inline]
    fn meets(&self, places: [u32; 3]) -> (bool, bool) {
        let [a, b, c] = places.map(|at| self.first.wrapping_add(at));
        let [d, e, f] = places.map(|at| self.last.wrapping_sub(at));
        let have_all = |bits: u32| bits & HIGHEST == HIGHEST;
        (have_all((a | b | c) & (d | e | f)), have_all(a & d))
    }
}

/// How many triangles in the list of a square have their first corner in it, or the place in the
/// list that is wrong. On its own, so that its numbers stay in registers.
#[inline(never)]
fn check_list(
    points: Records<'_, DetailPoint>,
    triangles: Records<'_, Triangle>,
    list: Records<'_, Listed>,
    square: &Square,
) -> Result<usize, usize> {
    let (mut least, mut own) = (0, 0);
    for (i, listed) in list.iter().enumerate() {
        let number = listed.number();
        let triangle = triangles.get(number).filter(|_| number >= least).ok_or(i)?;
        let (a, b, c) = places(points, triangle).ok_or(i)?;
        let (meets, is_own) = square.meets([a, b, c]);
        if !meets {
            return Err(i);
        }
        own += usize::from(is_own);
        least = number + 1;
    }
    Ok(own)
}

/// Twice the area of a triangle; `None` when it is unsound. The points of the detail mesh are known
/// to be in its box, so all products are below 2^31.
#[inline]
fn area(points: Records<'_, DetailPoint>, triangle: Triangle) -> Option<i32> {
    let (a, b, c) = places(points, triangle)?;
    let side = |to: u32| {
        let [from, to] = [a, to].map(|at| [at >> 16, at & 0xFFFF].map(|c| c as i32));
        [to[0] - from[0], to[1] - from[1]]
    };
    let ([bx, bz], [cx, cz]) = (side(b), side(c));
    let area = bz.wrapping_mul(cx).wrapping_sub(bx.wrapping_mul(cz));
    (a <= b.min(c) && area > 0).then_some(area)
}

/// Where the corners of a triangle are: x in the upper 16 bits, z in the lower ones.
#[inline]
fn places(points: Records<'_, DetailPoint>, triangle: Triangle) -> Option<(u32, u32, u32)> {
    let place = |k: u16| {
        let point = points.get(k.into())?;
        Some(u32::from(point.x) << 16 | u32::from(point.z))
    };
    Some((place(triangle[0])?, place(triangle[1])?, place(triangle[2])?))
}
