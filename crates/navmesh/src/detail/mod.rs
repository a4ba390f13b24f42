//! Height triangles, for ground that the corners of polygons do not describe: the detail mesh.
//!
//! A *detail mesh* has a box of the ground plane and *height points* in it, on whole steps, at most
//! [`MOST_STEPS`] a side. Its triangles are the Delaunay triangles of these points and of the box's
//! four corners, whatever the polygons are; polygons name the detail mesh that they take their
//! height from. Where more than three points are on one circle, a [second lifting](SECOND) decides,
//! so there is one triangulation.
//!
//! Squares of the box, about as many as there are points, list the triangles that meet them. So a
//! height is a look at a few triangles:
//!
//! ```text
//!   +----+----+----+
//!   |  . | \  |  . |     place -> square -> its triangles -> the one that contains the place
//!   +----+--\-+----+
//!   | .  |   .|    |
//!   +----+----+----+
//! ```

mod check;
#[cfg(feature = "alloc")]
mod circle;
#[cfg(feature = "alloc")]
mod delaunay;
mod place;
#[cfg(feature = "alloc")]
mod squares;

use crate::record::Records;
pub use check::Fault;
use place::Place;
#[cfg(feature = "alloc")]
pub use squares::DetailsBuffer;

/// The most steps along a side of a box.
pub const MOST_STEPS: i32 = (1 << 14) - 1;

/// `[t, u]` of the second lifting, u x² + t x z. Points of one circle tie again when the axes of the
/// conics through them are where tan(2 angle) = t / u. As t² + u² is a prime, that takes a side
/// longer than u steps.
pub const SECOND: [i32; 2] = [40_501, 65_536];

/// A place is rounded to 1 / 2^FINE steps, in units of 1 / 2^UNIT steps.
pub(crate) const FINE: u32 = 8;
pub(crate) const UNIT: u32 = 24;

crate::record! {
    /// One detail mesh: its box, its steps, and where its points and squares are.
    #[derive(Debug, PartialEq, Eq)]
    pub struct DetailHead: 44 {
        /// The box's least corner `[x, z]`, grid units.
        pub least: [i32; 2],
        /// What heights count from, grid units.
        pub base: i32,
        /// The box's sides in steps.
        pub size: [i32; 2],
        /// The greatest height of all points, steps above the base.
        pub top: i32,
        /// A step along x and z is `2^flat` grid units.
        pub flat: u8,
        /// A step upwards is `2^up` grid units.
        pub up: u8,
        /// The side of a square is `2^square` steps.
        pub square: u8,
        /// Zero.
        pub reserved: u8,
        /// Its first point.
        pub first_point: u32,
        /// How many there are, with the four corners of the box, which come first:
        /// counter-clockwise seen from above from the least one on.
        pub points: u32,
        /// Its first square.
        pub first_square: u32,
        /// Squares along x.
        pub columns: u32,
    }
}

crate::record! {
    /// A height point: steps from the box's least corner, and above the base.
    #[derive(Debug, PartialEq, Eq)]
    pub struct DetailPoint: 8 {
        /// Along x.
        pub x: u16,
        /// Along z.
        pub z: u16,
        /// Above the base.
        pub y: u32,
    }
}

/// A triangle: the numbers of its corners among the points of its detail mesh, counter-clockwise,
/// the least one in (x, z) first.
pub type Triangle = [u32; 3];

/// A point in wide numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) x: i64,
    pub(crate) z: i64,
    pub(crate) y: i64,
}

impl DetailPoint {
    #[inline]
    pub(crate) fn node(&self) -> Node {
        Node { x: self.x.into(), z: self.z.into(), y: self.y.into() }
    }
}

impl DetailHead {
    /// Least and greatest height, grid units.
    #[inline]
    pub fn heights(&self) -> [i32; 2] {
        let top = self.top.wrapping_shl(self.up.into());
        [self.base, self.base.wrapping_add(top)]
    }

    /// Least and greatest corner of the box `[x, z]`, grid units.
    pub fn bounds(&self) -> [[i32; 2]; 2] {
        let far = |k: usize| {
            let side = self.size[k].wrapping_shl(self.flat.into());
            self.least[k].wrapping_add(side)
        };
        [self.least, [far(0), far(1)]]
    }

    /// Squares along x and z.
    #[inline]
    pub fn squares(&self) -> [u64; 2] {
        let side = |s: i32| u64::from((s.max(0) as u32).wrapping_shr(self.square.into())) + 1;
        self.size.map(side)
    }

    /// A point, `[x, y, z]` in grid units.
    pub fn position(&self, point: &DetailPoint) -> [i32; 3] {
        let value =
            |v: u32, base: i32, shift: u8| base.wrapping_add((v as i32).wrapping_shl(shift.into()));
        [
            value(point.x.into(), self.least[0], self.flat),
            value(point.y, self.base, self.up),
            value(point.z.into(), self.least[1], self.flat),
        ]
    }
}

/// All detail meshes of a navigation mesh, read only.
#[derive(Clone, Copy, Debug, Default)]
pub struct Details<'a> {
    /// One each.
    pub heads: Records<'a, DetailHead>,
    /// Points of all.
    pub points: Records<'a, DetailPoint>,
    /// Where the list of each square begins, and behind those of each detail mesh where the last
    /// one ends.
    pub starts: Records<'a, u32>,
    /// Lists of triangles.
    pub triangles: Records<'a, Triangle>,
}

impl<'a> Details<'a> {
    /// One of them.
    #[inline]
    pub fn get(&self, i: u32) -> Option<Detail<'a>> {
        Some(Detail { head: self.heads.get(i as usize)?, all: *self })
    }

    /// Least and greatest height of one, grid units; zeros when it does not exist.
    #[inline]
    pub fn heights(&self, i: u32) -> [i32; 2] {
        self.heads.get(i as usize).map_or([0; 2], |h| h.heights())
    }

    /// Height of one at a place `[x, z]`, grid units; 0 when it does not exist.
    #[inline]
    pub fn height(&self, i: u32, place: [f64; 2]) -> f64 {
        match self.heads.get(i as usize) {
            Some(head) => self.height_by(&head, place),
            None => 0.0,
        }
    }

    #[inline]
    fn height_by(&self, head: &DetailHead, place: [f64; 2]) -> f64 {
        let place = Place::new(head, place);
        match self.holding(head, place.fine) {
            Some(triangle) => place.height(head, triangle),
            None => head.base.into(),
        }
    }

    /// The triangle that contains a place. There always is one in a sound file.
    #[inline]
    fn holding(&self, head: &DetailHead, fine: [i64; 2]) -> Option<[Node; 3]> {
        let [column, row] = fine.map(|c| (c >> UNIT >> (head.square & 63)) as usize);
        let square = row * head.columns as usize + column + head.first_square as usize;
        let (start, end) = (self.starts.get(square)?, self.starts.get(square + 1)?);
        let list = self.triangles.slice(start as usize..end as usize)?;
        let first = head.first_point as usize;
        let node = |k: u32| Some(self.points.get(first + k as usize)?.node());
        list.iter().find_map(|t| {
            let (a, b) = (node(t[0])?, node(t[1])?);
            if !place::left_of(a, b, fine) {
                return None;
            }
            let c = node(t[2])?;
            let inside = place::left_of(b, c, fine) && place::left_of(c, a, fine);
            inside.then_some([a, b, c])
        })
    }
}

/// One detail mesh.
#[derive(Clone, Copy, Debug)]
pub struct Detail<'a> {
    head: DetailHead,
    all: Details<'a>,
}

impl<'a> Detail<'a> {
    /// Its box and steps.
    pub fn head(&self) -> &DetailHead {
        &self.head
    }

    /// Least and greatest height of all its points, grid units.
    #[inline]
    pub fn heights(&self) -> [i32; 2] {
        self.head.heights()
    }

    /// Least and greatest corner of the box `[x, z]`, grid units.
    pub fn bounds(&self) -> [[i32; 2]; 2] {
        self.head.bounds()
    }

    /// Height at a place `[x, z]`, grid units; places outside the box have the height of the
    /// nearest one in it.
    #[inline]
    pub fn height(&self, place: [f64; 2]) -> f64 {
        self.all.height_by(&self.head, place)
    }

    /// Number of points, with the four corners of the box.
    pub fn len(&self) -> usize {
        self.head.points as usize
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All points that the triangles go through, `[x, y, z]` in grid units: the four corners of
    /// the box, then the height points.
    pub fn points(&self) -> impl Iterator<Item = [i32; 3]> + use<'a> {
        let head = self.head;
        let first = head.first_point as usize;
        let points = self.all.points.slice(first..first + self.len());
        let points = points.unwrap_or_default();
        points.iter().map(move |p| head.position(&p))
    }

    /// Its triangles, by the numbers of their corners among [`Detail::points`]. Each appears once
    /// for every square that it meets.
    pub fn triangles(&self) -> impl Iterator<Item = Triangle> + use<'a> {
        let [columns, rows] = self.head.squares();
        let first = self.head.first_square as usize;
        let last = first + (columns * rows) as usize;
        let ends = self.all.starts.get(first).zip(self.all.starts.get(last));
        let (start, end) = ends.unwrap_or((0, 0));
        let list = self.all.triangles.slice(start as usize..end as usize);
        list.unwrap_or_default().iter()
    }
}
