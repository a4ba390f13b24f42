//! Which things of a level are props, and which are parts of the building.

use super::ground::Ground;

/// Things wider than this seen from above, m, are parts of the building and not props.
pub(super) const PROP: f64 = 3.5;
/// The same of what is higher than all agents, such as the leaf of a door.
pub(super) const LEAF: f64 = 2.0;
/// A wall goes on in what is this near to it, m.
const BESIDE: f64 = 0.2;
/// Tops of walls that differ by this, m, are as high.
const AS_HIGH: f64 = 0.05;

impl Ground<'_> {
    /// Is a triangle's piece small enough for a prop? What is higher than all agents is part of a
    /// wall, unless it is as narrow as the leaf of a door, and no wall goes on in it.
    pub(super) fn is_prop(&self, solid: u32) -> bool {
        let extent = self.pieces().extent(solid);
        if extent.top() - extent.base() < self.tallest {
            return extent.wide() <= PROP * self.metre;
        }
        if extent.wide() > LEAF * self.metre {
            return false;
        }
        let piece = self.pieces().of(solid);
        !*self.of_walls.borrow_mut().entry(piece).or_insert_with(|| self.is_of_wall(solid))
    }

    /// Does a wall of the same height go on beside a triangle's piece?
    fn is_of_wall(&self, solid: u32) -> bool {
        let pieces = self.pieces();
        let (piece, own) = (pieces.of(solid), pieces.extent(solid));
        let is_wider = |n: &u32| {
            let other = pieces.extent(*n);
            pieces.of(*n) != piece
                && other.wide() > LEAF * self.metre
                && (other.top() - own.top()).abs() <= AS_HIGH * self.metre
        };
        let mut corners = pieces.members(solid).iter().flat_map(|&n| self.solid(n).corners);
        corners.any(|[x, _, z]| {
            let far = BESIDE * self.metre;
            let mut walls = self.walls([x, z], far);
            walls.retain(is_wider);
            self.clearance([x, z], own.base(), &walls, far).1.is_some()
        })
    }
}
