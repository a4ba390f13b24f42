//! Ground that a search is confined to.

use navbake_navmesh::{HalfEdge, PolyMesh};

use super::cone::{along, towards, turn};
use crate::closings::Closings;

/// A part of the ground that an optimal search stays within.
pub trait Region {
    /// Can a path between the ends lead through a biconnected component at all?
    fn is_between(&self, block: u32) -> bool;

    /// Is a polygon part of it?
    fn holds(&self, polygon: u32) -> bool;
}

/// Can a path turn at a corner because ground around it is left out?
/// The corner is where `edge` begins. This happens where three parts of the ground meet:
///
/// ```text
///    own a  |  other
///           o--------     o: the corner
///    own a  |  own b
/// ```
///
/// Goes around the corner, clockwise to where the region begins, then counter-clockwise to where
/// it ends. Tests whether that takes more than half a turn.
#[cold]
pub(super) fn turns(
    region: &dyn Region,
    polys: &PolyMesh<'_>,
    closings: &Closings<'_>,
    edge: &HalfEdge,
) -> bool {
    let number = edge.number();
    let Some(([polygon, _], k)) = polys.sides(number).zip(polys.place(number)) else {
        return false;
    };
    let across = |edge: HalfEdge| {
        let beyond = closings.beyond(&edge)?;
        region.holds(beyond).then_some((beyond, edge.twin))
    };
    let start = (polygon, k);
    let mut begin = start;
    for _ in 0..polys.edges.len() {
        let Some((beyond, twin)) = polys.edge(begin).and_then(across) else {
            break;
        };
        let count = polys.border(beyond).len() as u32;
        begin = (beyond, if twin + 1 < count { twin + 1 } else { 0 });
        if begin == start {
            // All ground around it is part of the region.
            return false;
        }
    }
    let Some(first) = polys.ends(begin.0, begin.1).map(|[left, right]| towards(right, left)) else {
        return false;
    };
    let (mut at, mut half) = (begin, false);
    for _ in 0..polys.edges.len() {
        let count = polys.border(at.0).len() as u32;
        let back = (at.0, if at.1 == 0 { count.saturating_sub(1) } else { at.1 - 1 });
        let Some(end) = polys.edge(back) else {
            return false;
        };
        let d = towards(edge.at, end.at);
        let side = turn(first, d);
        if half || side < 0 {
            return true;
        }
        half = side == 0 && along(first, d) < 0;
        match across(end) {
            Some(next) if next != begin => at = next,
            _ => return false,
        }
    }
    false
}
