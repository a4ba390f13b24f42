//! The corners that shortest paths turn at, with the two walls there.

use navbake_grid::cross;

crate::record! {
    /// Where a corner is, and the two walls there: the first one with the ground on its left, the
    /// last one, seen from the corner. Between them, clockwise from the first to the last, is the
    /// wedge that paths turn around. Twice zero where there is no such wedge: where the ground
    /// takes more than one turn, and at the end of a wall without thickness.
    #[derive(Debug, PartialEq, Eq)]
    pub struct Corner: 32 {
        /// `[x, z]`, grid units.
        pub at: [i32; 2],
        /// Its height in the first of the polygons that have it, grid units.
        pub height: i32,
        /// Which hub it is; 0 without labels.
        pub rank: u32,
        /// From the corner along the first wall.
        pub first: [i32; 2],
        /// From the corner along the last wall.
        pub last: [i32; 2],
    }
}

#[inline]
fn turn(u: [i32; 2], v: [i32; 2]) -> i64 {
    cross(u.map(i64::from), v.map(i64::from))
}

impl Corner {
    /// Is there a wedge, so that a direction says where a straight path leads?
    #[inline]
    pub fn is_wedge(&self) -> bool {
        self.first != [0; 2] || self.last != [0; 2]
    }

    /// The side on which a straight path in this direction goes around the corner: 0 where the
    /// wedge is on its right, 1 where it is on its left. `None` where it runs into the wedge or
    /// comes out of it: no shortest path that turns at the corner does. Always 0 where there is no
    /// wedge.
    #[inline]
    pub fn side(&self, direction: [i32; 2]) -> Option<u8> {
        let (a, b) = (turn(self.first, direction), turn(direction, self.last));
        // Along the first wall up to where the last one would go on straight; or from where the
        // first one would up to the last one.
        match (a >= 0 && b <= 0, a <= 0 && b >= 0) {
            (true, _) => Some(0),
            (_, true) => Some(1),
            _ => None,
        }
    }
}

impl Corner {
    /// One with the ends of the two walls there, if it has walls that paths turn around.
    pub(crate) fn between(at: [i32; 2], height: i32, walls: Option<[[i32; 2]; 2]>) -> Corner {
        let towards = |to: [i32; 2]| [0, 1].map(|k| to[k].wrapping_sub(at[k]));
        let [mut first, mut last] = walls.map_or([[0; 2]; 2], |ends| ends.map(towards));
        if turn(first, last) == 0 {
            (first, last) = ([0; 2], [0; 2]);
        }
        Corner { at, height, rank: 0, first, last }
    }
}

/// The corners of a mesh, by their numbers; ranks are 0.
#[cfg(feature = "alloc")]
pub fn corners(mesh: &crate::PolyMesh<'_>) -> alloc::vec::Vec<Corner> {
    let none = Corner { at: [0; 2], height: 0, rank: 0, first: [0; 2], last: [0; 2] };
    let mut corners = alloc::vec![none; mesh.corners as usize];
    let found = crate::pivots::check(mesh, |number, corner| {
        let slot = corners.get_mut(number as usize);
        slot.map(|slot| *slot = corner).is_some()
    });
    debug_assert_eq!(found, Ok(()), "pivots were numbered before");
    corners
}
