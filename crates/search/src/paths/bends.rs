//! The bends of a path whose corners are known before its corridor is pulled tight.

use super::funnel::FunnelNode;
use super::nodes::Corridor;
use super::optimal::{along, towards, turn};
use super::slices::Slices;
use crate::{NavPoint, NavQuery};

/// Settles the bends of a path whose corridor was just traced.
///
/// `Scratch::funnel` holds `count` corners, in order, behind a first place. Each has the portal
/// at or behind which the path turns there. Corners that the path passes straight are left out; the
/// others get the first portal that they are on. Returns the number of nodes with both ends, or
/// `None` where a corner is on no portal that the path crosses there.
pub(super) fn settle(
    query: &NavQuery<'_>,
    [from, to]: [&NavPoint; 2],
    count: usize,
    corridor: &Corridor,
    scratch: &mut Slices<'_>,
) -> Option<usize> {
    let polys = query.mesh().polys();
    let steps = scratch.corridor.get(..corridor.len)?;
    let stands = |portal: usize, point: [i32; 2]| {
        let step = steps.get(portal);
        let ends = step.and_then(|s| polys.ends(s.polygon, s.edge));
        ends.is_some_and(|ends| ends.contains(&point))
    };
    let nodes = scratch.funnel.get_mut(..count + 2)?;
    let mut bends = 1;
    let mut before = from.point();
    nodes[0] = FunnelNode { point: before, before: 0, portal: 0 };
    nodes[count + 1].point = to.point();
    for i in 1..=count {
        let (corner, next) = (nodes[i], nodes[i + 1].point);
        let (d, e) = (towards(before, corner.point), towards(corner.point, next));
        if turn(d, e) == 0 && along(d, e) >= 0 {
            continue;
        }
        let mut portal = corner.portal as usize;
        if !stands(portal, corner.point) {
            portal = (portal.checked_sub(1)).filter(|&p| stands(p, corner.point))?;
        }
        while portal > 0 && stands(portal - 1, corner.point) {
            portal -= 1;
        }
        nodes[bends] =
            FunnelNode { point: corner.point, before: bends as u32 - 1, portal: portal as u32 };
        bends += 1;
        before = corner.point;
    }
    nodes[bends] =
        FunnelNode { point: to.point(), before: bends as u32 - 1, portal: corridor.len as u32 };
    (bends < corridor.len + 2).then_some(bends + 1)
}
