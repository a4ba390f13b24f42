//! Walks around a corner, from polygon to polygon.

use crate::{Edge, NONE, PolyMesh};
use navbake_grid::{cross, dot};

/// Is a point on the closed segment from `a` to `b`?
#[inline]
pub fn is_between(a: [i32; 2], b: [i32; 2], p: [i32; 2]) -> bool {
    let towards = |to: [i32; 2]| [0, 1].map(|k| i64::from(to[k].wrapping_sub(p[k])));
    let (a, b) = (towards(a), towards(b));
    cross(a, b) == 0 && dot(a, b) <= 0
}

impl PolyMesh<'_> {
    /// One step around a corner of a polygon: the number of the edge that is crossed, and the
    /// polygon beyond with the number of the corner there. `None` at a wall, and at an edge that
    /// is not `open` by its number among all.
    #[inline]
    pub fn step_around(
        &self,
        (id, k): (u32, usize),
        counter_clockwise: bool,
        open: impl Fn(u32) -> bool,
    ) -> Option<(usize, (u32, usize))> {
        let border = self.border(id);
        let number = match counter_clockwise {
            true => border.previous(k),
            false => k,
        };
        let edge = border.get(number)?;
        if edge.neighbour == NONE || !open(border.number(number)) {
            return None;
        }
        let twin = edge.twin as usize;
        let there = match counter_clockwise {
            true => twin,
            false => self.border(edge.neighbour).next(twin),
        };
        Some((number, (edge.neighbour, there)))
    }

    /// Calls `f` for all other polygons that contain a point on the ground of `start`, which
    /// contains it: with the polygon before and its edge that leads there, by number and record.
    /// Edges that are not `open`, by their number among all, are walls.
    pub fn each_holder(
        &self,
        start: u32,
        p: [i32; 2],
        open: impl Fn(u32) -> bool,
        mut f: impl FnMut(u32, usize, &Edge),
    ) {
        let border = self.border(start);
        let Some(corner) = border.corner_at(p) else {
            for (k, edge) in border.iter().enumerate() {
                let is_there = is_between(edge.at, border.after(k).at, p);
                if is_there && edge.neighbour != NONE && open(border.number(k)) {
                    f(start, k, &edge);
                }
            }
            return;
        };
        for counter_clockwise in [true, false] {
            let (mut id, mut k) = (start, corner);
            for _ in 0..self.polygons.len() {
                let Some((number, next)) = self.step_around((id, k), counter_clockwise, &open)
                else {
                    break;
                };
                if next == (start, corner) {
                    return;
                }
                if let Some(edge) = self.edge((id, number as u32)) {
                    f(id, number, &edge);
                }
                (id, k) = next;
            }
        }
    }

    /// Adds the polygons that a link can be taken from, each with the number of the link: the one
    /// that it begins on first, and others if its start is on a border.
    #[cfg(feature = "alloc")]
    pub fn add_holders(
        &self,
        number: u32,
        (polygon, from): (u32, [i32; 2]),
        holders: &mut alloc::vec::Vec<(u32, u32)>,
    ) {
        let first = holders.len();
        holders.push((polygon, number));
        self.each_holder(
            polygon,
            from,
            |_| true,
            |_, _, edge| {
                let beyond = edge.neighbour;
                if holders[first..].iter().all(|(p, _)| *p != beyond) {
                    holders.push((beyond, number));
                }
            },
        );
    }
}
