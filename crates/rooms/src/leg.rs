//! A single leg: the search within rooms for it, and its cut at a door.

use navbake_format::{PolyId, Rooms};

use super::super::finish::Bend;
use super::super::nodes::Corridor;
use super::super::optimal;
use super::super::portal::Portal;
use super::super::slices::Slices;
use super::bound::bound;
use super::exits::{Exits, MOST};
use super::links::RoomLink;
use super::within::{self, Found};
use crate::{NavPoint, NavQuery};
use navbake_navmesh::math::float;

/// A stretch of a path follower, before it is measured.
pub(super) struct Stretch {
    pub(super) corridor: Corridor,
    pub(super) end: NavPoint,
    /// The door at its end, if any.
    pub(super) door: Option<u32>,
    /// The bends of the stretch.
    pub(super) bend: Bend,
}

impl Stretch {
    /// The straight line to a place, if it is free: nothing is shorter.
    pub(super) fn straight(
        query: &NavQuery<'_>,
        from: &NavPoint,
        to: &NavPoint,
        door: Option<u32>,
        scratch: &mut Slices<'_>,
    ) -> Option<Stretch> {
        Some(Stretch {
            corridor: query.straight(from, to, scratch)?,
            end: *to,
            door,
            bend: Bend::Nowhere,
        })
    }
}

/// The last cone of a path to the goal within some rooms.
/// These are the first `count` rooms of the scratch. More rooms are added where the path could be a
/// tenth shorter.
pub(super) fn to_goal(
    query: &NavQuery<'_>,
    rooms: &Rooms<'_>,
    [from, to]: [&NavPoint; 2],
    count: u32,
    scratch: &mut Slices<'_>,
    expanded: &mut u32,
) -> Option<usize> {
    let (mut found, cones) = within::search(query, from, to, count, scratch);
    *expanded = expanded.saturating_add(cones);
    if let Found::Way { length, .. } = found {
        let exits = Exits::new(query, rooms, from, to);
        if exits.is_long(count, length, scratch) {
            let (least, doors) = bound(query, rooms, from, to, scratch);
            *expanded = expanded.saturating_add(doors);
            if length > MOST * least {
                let count = exits.grow(count, length / MOST, scratch);
                let (shorter, cones) = within::search(query, from, to, count, scratch);
                *expanded = expanded.saturating_add(cones);
                found = shorter;
            }
        }
    }
    match found {
        Found::Way { cone, .. } => Some(cone),
        _ => None,
    }
}

/// The path that a search found, cut at the first door if it leads through it.
/// Otherwise the path is kept whole, up to the door `last`.
pub(super) fn lead(
    query: &NavQuery<'_>,
    rooms: &Rooms<'_>,
    [from, to]: [&NavPoint; 2],
    cone: usize,
    [first, last]: [Option<u32>; 2],
    scratch: &mut Slices<'_>,
) -> Option<Stretch> {
    let corridor = optimal::trace(query, cone, to, scratch);
    if !corridor.is_whole() || corridor.len > scratch.longest_corridor() {
        return None;
    }
    let cut = match first {
        Some(_) => cut(query, rooms, from, to, corridor, scratch),
        None => None,
    };
    Some(match cut {
        Some((corridor, end)) => Stretch { corridor, end, door: first, bend: Bend::Corners },
        None => Stretch {
            corridor,
            end: *to,
            door: last,
            bend: optimal::bends(query, cone, [from, to], &corridor, scratch)
                .map_or(Bend::Corners, Bend::Known),
        },
    })
}

/// A path to the start of a link, extended over the link.
pub(super) fn take(
    query: &NavQuery<'_>,
    stretch: Stretch,
    link: &RoomLink,
    scratch: &mut Slices<'_>,
) -> Option<Stretch> {
    let (begin, end) = (link.begin(query).polygon(), link.end(query));
    let mut corridor = stretch.corridor;
    if corridor.last != begin || corridor.len >= scratch.longest_corridor() {
        return None;
    }
    corridor.take_link(scratch.corridor, begin, link.number);
    corridor.last = end.polygon();
    Some(Stretch { corridor, end, bend: Bend::Corners, ..stretch })
}

/// Cuts a path where it leaves its first room for good.
/// Returns the corridor up to there, and the place beyond the door. `None` where it does not leave
/// the room.
fn cut(
    query: &NavQuery<'_>,
    rooms: &Rooms<'_>,
    from: &NavPoint,
    to: &NavPoint,
    corridor: Corridor,
    scratch: &mut Slices<'_>,
) -> Option<(Corridor, NavPoint)> {
    let steps = scratch.corridor.get(..corridor.len)?;
    let room = |polygon: u32| rooms.of(PolyId(polygon));
    let first = room(steps.first()?.polygon);
    if rooms.of(corridor.last) == first {
        return None;
    }
    let at = steps.iter().rposition(|step| room(step.polygon) == first)?;
    let step = *steps.get(at)?;
    let path = query.finish(from, to, corridor, scratch.lend());
    let course = path.course;
    let node = |j: usize| {
        let number = *course.chain.get(j)?;
        course.nodes.get(number as usize).copied()
    };
    // The piece of the path that crosses the portal. It ends at a bend on a later portal, or at the
    // path's end.
    let mut j = 1;
    while j + 1 < course.chain.len() && node(j)?.portal as usize <= at {
        j += 1;
    }
    let before = node(j - 1)?;
    let end = if j + 1 < course.chain.len() { node(j)?.point } else { to.point() };
    let portal = Portal::of(query.mesh(), step);
    let (_, point) = portal.crossing(before.point, end, float(before.point));
    let place = query.on_portal(PolyId(step.polygon), step.edge, point)?;
    let mut shorter = Corridor::new(place.polygon());
    shorter.len = at + 1;
    Some((shorter, place))
}
