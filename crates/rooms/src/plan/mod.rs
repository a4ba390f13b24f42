//! The route over doors between two places.
//!
//! A* over doors: nodes are at door anchors, and the straight line is the heuristic. Some stretches
//! are not known beforehand:
//! - from the start to the doors of its room;
//! - from the doors of the goal's room to the goal;
//! - between doors of rooms with blocked ground.
//!
//! Such a stretch waits on the open list with its lower bound. A search within its room measures it
//! when its turn comes; most are never measured. Where a room has only one usable door, the stretch
//! need not be measured at all.
//!
//! Doors that no path between both ends can lead through are left out, like ground in optimal
//! searches: they are in other biconnected components.

mod over_links;

use navbake_format::Rooms;
use navbake_navmesh::blocks::each_crossed;

use crate::aim::{AHEAD, anchor};
use crate::cells::{Opened, is_passable};
use crate::links::saved;
use crate::memory::Lists;
use crate::open::{Front, Offer};
use crate::within::{self, Found};
use navbake_navmesh::math::grid_distance;
use navbake_search::{NavPoint, NavQuery};

/// The result of a search for a route over doors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Planned {
    /// The number of abstract edges of the route in the scratch, the last one first.
    Way(u32),
    /// There is no route over doors.
    Nowhere,
    /// The memory was too small for an answer.
    Full,
}

/// The work of a plan.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    /// Doors settled, and cones opened within rooms.
    pub(super) expanded: u32,
    /// The greatest length of the open list of doors.
    pub(super) max_open: u32,
    /// Was a room searched? Then the scratch no longer holds a search from before.
    pub(super) searched: bool,
    /// Length of the route, grid units.
    pub(super) length: f64,
    /// Is there only one door to leave the start's room by?
    pub(super) is_forced: bool,
}

/// Upper limit of what rounding to 32 bits takes from a distance, as a share.
const ROUNDED: f64 = 1e-6;

/// Weight of the heuristic in a plan that is rough at the start.
/// Doors towards the goal come first, and the route is longer than the shortest by at most this
/// factor.
const EAGER: f64 = 1.06;

/// All bits set: no label.
const NONE: u32 = u32::MAX;

struct Planner<'q> {
    query: &'q NavQuery<'q>,
    rooms: &'q Rooms<'q>,
    from: &'q NavPoint,
    to: &'q NavPoint,
    /// The rooms of both ends.
    ends: [u32; 2],
    opened: Opened,
    /// The number of biconnected components in the scratch that are between both ends.
    passed: u32,
    /// For each end: is there only one door to leave or enter its room by?
    /// If so, the distance to it does not matter.
    forced: [bool; 2],
    /// For each end: does its stretch count with the lower bound?
    rough: [bool; 2],
    front: Front,
    cones: u32,
    /// Was a room searched?
    searched: bool,
    /// Length of the route found, grid units.
    length: f64,
    units: f64,
    marks: &'q mut Marks,
    /// May links be taken?
    linked: bool,
    /// The length that links can save, grid units.
    saved: f64,
}

/// The number of measured doors to remember at each end.
pub(super) const MARKS: usize = 8;

/// Share of the route up to which a rough plan estimates the last stretch.
/// It does not measure the stretch either when it is beyond the doors to look ahead.
const SHORT: f64 = 0.25;

/// Doors of the start's and the goal's room with measured distances, grid units.
#[derive(Default)]
pub(super) struct Marks {
    all: [[(u32, f64); MARKS]; 2],
    count: [usize; 2],
}

impl Marks {
    /// Remembers a door of the start's (0) or the goal's room (1), if there is space.
    pub(super) fn put(&mut self, end: usize, door: u32, length: f64) {
        if let Some(slot) = self.all[end].get_mut(self.count[end]) {
            *slot = (door, length);
            self.count[end] += 1;
        }
    }

    fn of(&self, end: usize) -> impl Iterator<Item = &(u32, f64)> {
        self.all[end].iter().take(self.count[end])
    }

    /// The distance of a door, if it was measured.
    pub(super) fn get(&self, end: usize, door: u32) -> Option<f64> {
        self.of(end).find(|mark| mark.0 == door).map(|mark| mark.1)
    }
}

/// Finds the shortest route over doors between two places.
/// Uses what was measured before, and adds to it.
///
/// A plan that is rough at the start takes the lower bound for the distance to the first door. A
/// plan that is rough at the goal takes it for the distance from the last door, where that is a
/// small share of the route or far ahead.
pub(super) fn plan(
    query: &NavQuery<'_>,
    rooms: &Rooms<'_>,
    [from, to]: [&NavPoint; 2],
    rough: [bool; 2],
    marks: &mut Marks,
    scratch: &mut Lists<'_>,
) -> (Planned, Work) {
    let ends = [from, to].map(|place| rooms.of(place.polygon()).0);
    let mut planner = Planner {
        query,
        rooms,
        from,
        to,
        ends,
        opened: Opened::new(query, rooms, ends, scratch),
        passed: 0,
        forced: [false; 2],
        rough,
        length: 0.0,
        front: Front::default(),
        cones: 0,
        searched: false,
        units: query.mesh().grid().units(),
        marks,
        linked: query.links().next().is_some(),
        saved: saved(query),
    };
    let planned = planner.run(scratch);
    let work = Work {
        expanded: planner.front.expanded.saturating_add(planner.cones),
        max_open: planner.front.longest,
        searched: planner.searched,
        length: planner.length,
        is_forced: planner.forced[0],
    };
    (planned, work)
}

impl Planner<'_> {
    fn goal(&self) -> u32 {
        self.rooms.door_count()
    }

    fn run(&mut self, scratch: &mut Lists<'_>) -> Planned {
        let [start, end] = self.ends;
        self.pass(scratch);
        for door in self.rooms.cell(start).doors() {
            self.begin_by(door, scratch);
        }
        if self.linked {
            self.offer_links((NONE, start), self.from.point(), |_, _| None, scratch);
        }
        if start == end {
            let away = self.straight(NONE, self.goal());
            self.offer(NONE, start, self.goal(), away, false, scratch);
        }
        while let Some((item, label)) = self.front.pop(&mut scratch.doors) {
            if self.front.full {
                return Planned::Full;
            }
            if !item.exact {
                let least = item.g - self.behind(item.parent, scratch);
                let farther = self.by_marks(&item, scratch);
                if let Some(length) = self.known(&item, least, farther, scratch) {
                    self.offer(item.parent, item.cell, item.door, length, true, scratch);
                    continue;
                }
                if farther > least * (1.0 + ROUNDED) {
                    self.offer(item.parent, item.cell, item.door, farther, false, scratch);
                    continue;
                }
                match self.measure(&item, scratch) {
                    Ok(Some(length)) => {
                        self.mark(&item, length, scratch);
                        self.offer(item.parent, item.cell, item.door, length, true, scratch);
                    }
                    Ok(None) => {}
                    Err(()) => return Planned::Full,
                }
                continue;
            }
            self.front.expanded = self.front.expanded.saturating_add(1);
            if item.door == self.goal() {
                self.length = item.g;
                let hops = self.front.trace(label, 0, &mut scratch.doors);
                return hops.map_or(Planned::Full, Planned::Way);
            }
            self.expand(&item, label, scratch);
        }
        match self.front.full {
            true => Planned::Full,
            false => Planned::Nowhere,
        }
    }

    /// Offers a door of the start's room.
    /// In a plan that is rough at the start, its distance is settled beforehand, so that its turn
    /// comes only once.
    fn begin_by(&mut self, door: u32, scratch: &mut Lists<'_>) {
        let away = self.straight(NONE, door);
        let mut item =
            Offer { g: away, door, parent: NONE, cell: self.ends[0], ..Offer::default() };
        if self.rough[0] {
            let known = self.marks.get(0, door);
            item.g = known.unwrap_or_else(|| away.max(self.by_marks(&item, scratch)));
            item.exact = true;
        }
        self.offer_item(item, scratch);
    }

    /// Marks the biconnected components that the route can lead through.
    /// Also finds where there is no choice.
    fn pass(&mut self, scratch: &mut Lists<'_>) {
        if self.linked {
            // Over links a route may lead anywhere.
            return;
        }
        let polys = self.query.mesh().polys();
        let [from, to] = [self.from, self.to].map(|place| place.polygon().0);
        each_crossed(polys, from, to, |block| scratch.doors.passed.add(&mut self.passed, block));
        if self.ends[0] == self.ends[1] {
            return;
        }
        for end in [0, 1] {
            let room = self.ends[end];
            let cell = self.rooms.cell(room);
            let choices = cell.doors().filter(|&door| self.is_passed(door, scratch));
            self.forced[end] |= choices.take(2).count() < 2 && !self.opened.is_dirty(room, scratch);
        }
    }

    /// The length of a stretch at an end, if it is known or need not be.
    /// It is at least `least` by the straight line, and `farther` by measured stretches.
    fn known(&self, item: &Offer, least: f64, farther: f64, scratch: &Lists<'_>) -> Option<f64> {
        let (end, door) = self.joins(item, scratch)?;
        let is_little = || least <= SHORT * item.g || self.is_far(item.parent, scratch);
        let rough = self.rough[end] && (end == 0 || is_little());
        let enough = (rough || self.forced[end]).then_some(least.max(farther));
        self.marks.get(end, door).or(enough)
    }

    /// Has the route to a label more doors than the look-ahead?
    fn is_far(&self, label: u32, scratch: &Lists<'_>) -> bool {
        let mut at = label;
        (0..AHEAD).all(|_| match scratch.doors.labels.get(at as usize) {
            Some(label) => {
                at = label.parent;
                true
            }
            None => false,
        })
    }

    /// Can the route lead through a door?
    #[inline]
    fn is_passed(&self, door: u32, scratch: &Lists<'_>) -> bool {
        if self.linked {
            return true;
        }
        let block = self.query.mesh().room_links().door_blocks.get(door as usize);
        block.is_none_or(|block| {
            block == NONE || scratch.doors.passed.place(self.passed, block).is_some()
        })
    }

    fn behind(&self, label: u32, scratch: &Lists<'_>) -> f64 {
        (scratch.doors.labels.get(label as usize)).map_or(0.0, |l| l.g)
    }

    /// The grid point of a node.
    /// A node is a door, the goal, a link (its end) or, for any other number, the start.
    fn point(&self, door: u32) -> [i32; 2] {
        match self.rooms.stop(door) {
            Some((_, point)) => point,
            None if door == self.goal() => self.to.point(),
            None => self.link(door).map_or(self.from.point(), |link| link.to),
        }
    }

    /// Lower bound on routes from a node to the goal.
    fn ahead(&self, node: u32) -> f64 {
        (grid_distance(self.point(node), self.to.point()) - self.saved).max(0.0)
    }

    fn straight(&self, a: u32, b: u32) -> f64 {
        grid_distance(self.point(a), self.point(b))
    }

    /// Offers a stretch over a cell to a door, from a label on.
    #[inline(never)]
    fn offer(
        &mut self,
        parent: u32,
        cell: u32,
        door: u32,
        length: f64,
        exact: bool,
        scratch: &mut Lists<'_>,
    ) {
        let item =
            Offer { f: 0.0, g: self.behind(parent, scratch) + length, door, parent, cell, exact };
        self.offer_item(item, scratch);
    }

    /// Offers a route of known length; computes its lower bound if it is wanted.
    fn offer_item(&mut self, item: Offer, scratch: &mut Lists<'_>) {
        if let Some(own) = (self.front).wanted(item.door, item.g, item.exact, &scratch.doors) {
            self.take(item, own, scratch);
        }
    }

    /// Takes a wanted offer, if the route can lead through its door.
    /// `own` is the label of the door.
    fn take(&mut self, mut item: Offer, own: u32, scratch: &mut Lists<'_>) {
        if item.door < self.goal()
            && !(self.is_passed(item.door, scratch)
                && is_passable(self.query, self.rooms, item.door))
        {
            return;
        }
        let weight = if self.rough[0] { EAGER } else { 1.0 };
        item.f = item.g + weight * self.ahead(item.door);
        self.front.take(&item, own, &mut scratch.doors);
    }

    /// Offers the successors of a settled door.
    fn expand(&mut self, item: &Offer, label: u32, scratch: &mut Lists<'_>) {
        let Some(door) = self.rooms.door(item.door) else {
            if let Some(link) = self.link(item.door) {
                self.expand_link(item, &link, label, scratch);
            }
            return;
        };
        for room in door.rooms.map(|r| r.0) {
            let cell = self.opened.largest(self.rooms, room, scratch);
            // No route is shorter than to cross it in one step.
            if cell == item.cell {
                continue;
            }
            if cell == self.ends[1] {
                let away = self.straight(item.door, self.goal());
                self.offer(label, cell, self.goal(), away, false, scratch);
            }
            if self.linked {
                self.offer_links_of_door((label, cell), item.door, scratch);
            }
            let dirty = self.opened.is_dirty(cell, scratch);
            let doors = self.rooms.cell(cell);
            let Some(own) = doors.place(item.door) else {
                continue;
            };
            doors.ways_from(own).for_each(|(to, way)| {
                let way = f64::from(way) * self.units;
                let way = if dirty { way.max(self.straight(item.door, to)) } else { way };
                let g = item.g + way;
                // Most are known already by a shorter route.
                let Some(own) = self.front.wanted(to, g, !dirty, &scratch.doors) else {
                    return;
                };
                let item = Offer { f: 0.0, g, door: to, parent: label, cell, exact: !dirty };
                self.take(item, own, scratch);
            });
        }
    }

    /// The end that a stretch joins, and the door at its other end.
    fn joins(&self, item: &Offer, scratch: &Lists<'_>) -> Option<(usize, u32)> {
        let before = scratch.doors.labels.get(item.parent as usize);
        match (before, item.door == self.goal()) {
            (None, false) => Some((0, item.door)),
            (Some(label), true) => Some((1, label.door)),
            _ => None,
        }
    }

    /// Remembers a measured stretch.
    fn mark(&mut self, item: &Offer, length: f64, scratch: &Lists<'_>) {
        if let Some((end, door)) = self.joins(item, scratch) {
            self.marks.put(end, door, length);
        }
    }

    /// Lower bound on a stretch from measured ones, by the triangle inequality.
    /// Uses the stored distances between their doors.
    #[inline(never)]
    fn by_marks(&self, item: &Offer, scratch: &Lists<'_>) -> f64 {
        let Some((end, door)) = self.joins(item, scratch) else {
            return 0.0;
        };
        if self.marks.count[end] == 0 {
            return 0.0;
        }
        let own = self.rooms.cell(item.cell);
        let dirty = self.opened.is_dirty(item.cell, scratch);
        let mut least = 0.0f64;
        for &(mark, length) in self.marks.of(end) {
            let places = own.place(door).zip(own.place(mark));
            let Some(way) = places.and_then(|(a, b)| own.way(a, b)) else {
                continue;
            };
            let way = f64::from(way) * self.units;
            least = least.max(way * (1.0 - ROUNDED) - length);
            // With blocked ground, distances may be longer than stored.
            if !dirty {
                least = least.max(length - way * (1.0 + ROUNDED));
            }
        }
        least
    }

    /// Measures a stretch within its room; `None` where there is no path.
    #[inline(never)]
    fn measure(&mut self, item: &Offer, scratch: &mut Lists<'_>) -> Result<Option<f64>, ()> {
        let anchor = |door: u32| anchor(self.query, self.rooms, door);
        let from = match scratch.doors.labels.get(item.parent as usize) {
            None => Some(*self.from),
            Some(label) if label.door < self.goal() => anchor(label.door),
            Some(label) => self.link(label.door).map(|link| link.end(self.query)),
        };
        let link = self.link(item.door);
        let cost = link.map_or(0.0, |link| link.cost);
        let to = match link {
            Some(link) => Some(link.begin(self.query)),
            None if item.door == self.goal() => Some(*self.to),
            None => anchor(item.door),
        };
        // Obstacles may take a whole door.
        let (Some(from), Some(to)) = (from, to) else {
            return Ok(None);
        };
        // In one polygon, or in sight.
        if self.query.straight(&from, &to, &mut scratch.ground).is_some() {
            return Ok(Some(grid_distance(from.point(), to.point()) + cost));
        }
        let rooms = scratch.doors.rooms.insert(0, item.cell);
        let (found, cones) = within::search(self.query, &from, &to, rooms, scratch);
        self.cones = self.cones.saturating_add(cones);
        self.searched = true;
        match found {
            Found::Way { length, .. } => Ok(Some(length + cost)),
            Found::Nowhere => Ok(None),
            Found::Full => Err(()),
        }
    }
}
