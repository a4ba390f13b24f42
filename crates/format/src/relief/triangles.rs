//! The triangles of all reliefs laid out in memory, for who asks for many heights.
//!
//! [`Relief::height`](super::Relief::height) pivots from triangle to triangle, which takes some thousand steps of a processor. Here squares of the box, about
//! as many as there are points, list the triangles that meet them; that takes some hundred. Both find the one triangle that holds the place, so
//! heights are the same to the last bit.

use super::circle::left_of;
use super::place::Place;
use super::{Head, Node, UNIT};

/// The triangles of a mesh's reliefs, read only.
#[derive(Clone, Copy, Debug, Default)]
pub struct Triangles<'a> {
    pub(super) reliefs: &'a [Laid],
    pub(super) nodes: &'a [Point],
    /// Where the list of each square begins, and where the last one ends.
    pub(super) starts: &'a [u32],
    /// Lists of triangles, by the numbers of their corners among the relief's nodes.
    pub(super) items: &'a [[u16; 3]],
}

/// Where one relief's triangles are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Laid {
    pub(super) head: Head,
    /// Its first node, and its first square.
    pub(super) node: u32,
    pub(super) square: u32,
    /// Sides of squares are powers of two, steps.
    pub(super) shift: u32,
    /// Squares along x; 0 where the triangles are not laid out.
    pub(super) columns: u32,
}

/// A node in eight bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    at: [u16; 2],
    up: u32,
}

impl Point {
    #[cfg(feature = "alloc")]
    pub(super) fn of(node: &Node) -> Point {
        Point {
            at: [node.x as u16, node.z as u16],
            up: node.y as u32,
        }
    }

    #[inline]
    fn node(&self) -> Node {
        Node {
            x: self.at[0].into(),
            z: self.at[1].into(),
            y: self.up.into(),
        }
    }
}

impl<'a> Triangles<'a> {
    /// Those of a relief; `None` where they are not laid out.
    #[inline]
    pub fn relief(&self, i: u32) -> Option<LaidRelief<'a>> {
        let laid = self.reliefs.get(i as usize).filter(|r| r.columns > 0)?;
        Some(LaidRelief {
            laid,
            nodes: self.nodes.get(laid.node as usize..)?,
            starts: self.starts.get(laid.square as usize..)?,
            items: self.items,
        })
    }
}

/// A relief whose triangles are laid out.
#[derive(Clone, Copy)]
pub struct LaidRelief<'a> {
    laid: &'a Laid,
    nodes: &'a [Point],
    starts: &'a [u32],
    items: &'a [[u16; 3]],
}

impl LaidRelief<'_> {
    /// Least and greatest height of all its points, grid units.
    #[inline]
    pub fn heights(&self) -> [i32; 2] {
        self.laid.head.heights()
    }

    /// Height at a place `[x, z]`, grid units: the same as [`Relief::height`](super::Relief::height). `None` where no triangle holds the place, which
    /// no sound relief has.
    #[inline]
    pub fn height(&self, place: [f64; 2]) -> Option<f64> {
        let head = &self.laid.head;
        let place = Place::new(head, place);
        let [column, row] = place.fine.map(|c| (c >> UNIT >> self.laid.shift) as usize);
        let square = row * self.laid.columns as usize + column;
        let &[start, end] = self.starts.get(square..)?.first_chunk()?;
        let list = self.items.get(start as usize..end as usize)?;
        let triangle = list.iter().find_map(|&t| self.holding(t, place.fine))?;
        Some(place.height(head, triangle))
    }

    /// A triangle, if it holds a place.
    #[inline]
    fn holding(&self, corners: [u16; 3], p: [i64; 2]) -> Option<[Node; 3]> {
        let node = |k: usize| Some(self.nodes.get(usize::from(corners[k]))?.node());
        let (a, b) = (node(0)?, node(1)?);
        if !left_of(a, b, p) {
            return None;
        }
        let c = node(2)?;
        (left_of(b, c, p) && left_of(c, a, p)).then_some([a, b, c])
    }
}
