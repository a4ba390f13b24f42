//! Detail meshes read in place, and the height of one.

use super::place::{Place, left_of};
use super::records::{DetailHead, DetailPoint, Listed, Node, Triangle, UNIT};
use crate::record::Records;

/// All detail meshes of a navigation mesh, read only.
#[derive(Clone, Copy, Debug, Default)]
pub struct Details<'a> {
    /// One each.
    pub heads: Records<'a, DetailHead>,
    /// Points of all.
    pub points: Records<'a, DetailPoint>,
    /// Triangles of all.
    pub triangles: Records<'a, Triangle>,
    /// Where the list of each square begins, and behind those of each detail mesh where the last
    /// one ends.
    pub starts: Records<'a, u32>,
    /// The triangles in squares.
    pub lists: Records<'a, Listed>,
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
        let list = self.lists.slice(start as usize..end as usize)?;
        let [points, triangles] = [head.first_point, head.first_triangle].map(|i| i as usize);
        let points = self.points.slice(points..points + head.points as usize)?;
        let triangles = self.triangles.slice(triangles..triangles + head.triangles as usize)?;
        let node = |k: u16| Some(points.get(k.into())?.node());
        list.iter().find_map(|listed| {
            let t = triangles.get(listed.number())?;
            let (a, b) = (node(t[0])?, node(t[1])?);
            if !left_of(a, b, fine) {
                return None;
            }
            let c = node(t[2])?;
            let inside = left_of(b, c, fine) && left_of(c, a, fine);
            inside.then_some([a, b, c])
        })
    }
}

/// One detail mesh.
#[derive(Clone, Copy, Debug)]
pub struct Detail<'a> {
    pub(super) head: DetailHead,
    pub(super) all: Details<'a>,
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

    /// The corners `[x, z]` of the triangle at a place, grid units; `None` outside the box.
    pub fn triangle(&self, place: [f64; 2]) -> Option<[[i32; 2]; 3]> {
        let nodes = self.all.holding(&self.head, Place::new(&self.head, place).fine)?;
        let grid = |v: i64, k: usize| self.head.least[k].wrapping_add((v << self.head.flat) as i32);
        Some(nodes.map(|node| [grid(node.x, 0), grid(node.z, 1)]))
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
        self.point_records().iter().map(move |p| head.position(&p))
    }

    pub(super) fn point_records(&self) -> Records<'a, DetailPoint> {
        let first = self.head.first_point as usize;
        self.all.points.slice(first..first + self.len()).unwrap_or_default()
    }

    /// The triangles in the squares that meet a box `[x, z]`, grid units, each once for every such
    /// square; as [`Detail::triangles`].
    pub fn triangles_in(
        &self,
        [low, high]: [[i32; 2]; 2],
    ) -> impl Iterator<Item = Triangle> + use<'a> {
        let (head, all) = (self.head, self.all);
        let count = head.squares();
        let square = |at: i32, k: usize| {
            let steps = (i64::from(at) - i64::from(head.least[k])) >> (head.flat & 31);
            (steps >> (head.square & 31)).clamp(0, count[k] as i64 - 1) as usize
        };
        let [x, z] = [0, 1].map(|k| [square(low[k], k), square(high[k], k)]);
        (z[0]..=z[1]).flat_map(move |row| {
            let first = head.first_square as usize + row * head.columns as usize;
            let ends = all.starts.get(first + x[0]).zip(all.starts.get(first + x[1] + 1));
            let (start, end) = ends.unwrap_or((0, 0));
            let list = all.lists.slice(start as usize..end as usize).unwrap_or_default();
            let first = head.first_triangle as usize;
            list.iter().filter_map(move |listed| all.triangles.get(first + listed.number()))
        })
    }

    /// One of these points, by its number.
    pub fn point(&self, k: u32) -> Option<[i32; 3]> {
        let point = (k < self.head.points).then(|| self.head.first_point as usize + k as usize)?;
        Some(self.head.position(&self.all.points.get(point)?))
    }

    /// Its triangles, by the numbers of their corners among [`Detail::points`], larger ones first.
    pub fn triangles(&self) -> impl Iterator<Item = Triangle> + use<'a> {
        self.triangle_records().iter()
    }

    pub(super) fn triangle_records(&self) -> Records<'a, Triangle> {
        let first = self.head.first_triangle as usize;
        let all = self.all.triangles.slice(first..first + self.head.triangles as usize);
        all.unwrap_or_default()
    }
}
