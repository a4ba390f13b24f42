//! A single leg: the search within rooms for it, and its cut at a door.

use navbake_format::{PolyId, Rooms};

use crate::aim::on_portal;
use crate::bound::bound;
use crate::exits::{Exits, MOST};
use crate::links::RoomLink;
use crate::memory::Lists;
use crate::within::{self, Found};
use navbake_navmesh::math::float;
use navbake_search::parts::{Bend, Corridor, Portal, bends, trace};
use navbake_search::{NavPoint, NavQuery};

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
        scratch: &mut Lists<'_>,
    ) -> Option<Stretch> {
        Some(Stretch {
            corridor: query.straight(from, to, &mut scratch.ground)?,
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
    scratch: &mut Lists<'_>,
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
    scratch: &mut Lists<'_>,
) -> Option<Stretch> {
    let corridor = trace(query, cone, to, &mut scratch.ground);
    if !corridor.is_whole() || corridor.len > scratch.ground.longest_corridor() {
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
            bend: bends(query, cone, [from, to], &corridor, &mut scratch.ground)
                .map_or(Bend::Corners, Bend::Known),
        },
    })
}

/// A path to the start of a link, extended over the link.
pub(super) fn take(
    query: &NavQuery<'_>,
    stretch: Stretch,
    link: &RoomLink,
    scratch: &mut Lists<'_>,
) -> Option<Stretch> {
    let (begin, end) = (link.begin(query).polygon(), link.end(query));
    let mut corridor = stretch.corridor;
    if corridor.last != begin || corridor.len >= scratch.ground.longest_corridor() {
        return None;
    }
    scratch.ground.take_link(&mut corridor, begin, link.number);
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
    scratch: &mut Lists<'_>,
) -> Option<(Corridor, NavPoint)> {
    let steps = scratch.ground.steps(&corridor);
    let room = |polygon: u32| rooms.of(PolyId(polygon));
    let first = room(steps.first()?.polygon);
    if rooms.of(corridor.last) == first {
        return None;
    }
    let at = steps.iter().rposition(|step| room(step.polygon) == first)?;
    let step = *steps.get(at)?;
    let path = query.finish(from, to, corridor, scratch.ground.lend());
    // The piece of the path that crosses the portal. It ends at a bend on a later portal, or at the
    // path's end.
    let (last, mut j) = (path.points.len().saturating_sub(1), 1);
    while j < last && path.course.turn(j)?.1 <= at {
        j += 1;
    }
    let (before, _) = path.course.turn(j - 1)?;
    let end = if j < last { path.course.turn(j)?.0 } else { to.point() };
    let portal = Portal::of(query.mesh(), step);
    let (_, point) = portal.crossing(before, end, float(before));
    let place = on_portal(query, PolyId(step.polygon), step.edge, point)?;
    let mut shorter = Corridor::new(place.polygon());
    shorter.len = at + 1;
    Some((shorter, place))
}
