//! The way from door to door between two places.
//!
//! A* over doors, by their stops, with the straight line as the way ahead. What leads from the start to the doors of its room, from the doors of the goal's room to
//! the goal, and between doors of rooms in which something is closed is not known beforehand. Such a stretch waits on the open list with what it takes at least
//! and is measured, by a search within its room, when its turn comes; most never are. What a room has but one door for need not be measured at all.
//!
//! Doors that no path between both ends can lead through are left out, as ground is in optimal searches: they are of other blocks.

mod over_links;

use navbake_format::Rooms;

use super::super::optimal;
use super::super::scratch::Scratch;
use super::aim::AHEAD;
use super::cells::{Opened, is_passable};
use super::links::saved;
use super::open::{Front, Offer};
use super::within::{self, Found};
use crate::math::grid_distance;
use crate::{Location, Query};

/// What a search for a way from door to door came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Planned {
    /// So many hops, which stand in the scratch, the last one first.
    Way(u32),
    /// There is none, as far as doors can tell.
    Nowhere,
    /// The memory was too small to tell.
    Full,
}

/// What a plan took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    /// Doors settled, and cones opened within rooms.
    pub(super) expanded: u32,
    /// The greatest length of the open list of doors.
    pub(super) max_open: u32,
    /// Was a room searched? What was in the scratch before is not any more.
    pub(super) searched: bool,
    /// How long the way is, grid units.
    pub(super) length: f64,
    /// Is there but one door to leave the start's room by?
    pub(super) is_forced: bool,
}

/// More than what rounding to 32 bits takes from a way, as a share.
const ROUNDED: f64 = 1e-6;

/// So much more the way ahead counts in a plan that is rough at the start: doors towards the goal come first, and the way that is found is longer than the shortest
/// by no more than this.
const EAGER: f64 = 1.06;

/// All bits set: no label.
const NONE: u32 = u32::MAX;

struct Planner<'q> {
    query: &'q Query<'q>,
    rooms: &'q Rooms<'q>,
    from: &'q Location,
    to: &'q Location,
    /// The rooms of both.
    ends: [u32; 2],
    opened: Opened,
    /// Blocks between both, so many of those in the scratch.
    passed: u32,
    /// Is there but one door to leave the start's, to enter the goal's room by? Then it does not matter how far it is.
    forced: [bool; 2],
    /// Is what joins the start, the goal taken by the least that it can be?
    rough: [bool; 2],
    front: Front,
    cones: u32,
    /// Was a room searched?
    searched: bool,
    /// Of the way that was found, grid units.
    length: f64,
    units: f64,
    marks: &'q mut Marks,
    /// May links be taken?
    linked: bool,
    /// What they can save, grid units.
    saved: f64,
}

/// So many measured doors are remembered at each end.
pub(super) const MARKS: usize = 8;

/// In a rough plan the last stretch is not measured when it seems no more than this share of the way up to the goal, or when it lies beyond the doors that are
/// looked ahead to.
const SHORT: f64 = 0.25;

/// Doors of the start's and of the goal's room to which it was measured how far they are, grid units.
#[derive(Default)]
pub(super) struct Marks {
    all: [[(u32, f64); MARKS]; 2],
    count: [usize; 2],
}

impl Marks {
    /// Remembers a door of the start's (0) or the goal's room (1), if there is room for it.
    pub(super) fn put(&mut self, end: usize, door: u32, length: f64) {
        if let Some(slot) = self.all[end].get_mut(self.count[end]) {
            *slot = (door, length);
            self.count[end] += 1;
        }
    }

    fn of(&self, end: usize) -> impl Iterator<Item = &(u32, f64)> {
        self.all[end].iter().take(self.count[end])
    }

    /// How far a door is, if that was measured.
    pub(super) fn get(&self, end: usize, door: u32) -> Option<f64> {
        self.of(end).find(|mark| mark.0 == door).map(|mark| mark.1)
    }
}

/// Finds the shortest way from door to door between two places, given what was measured before, and adds to that. A plan that is rough at the start takes the least
/// that it can be for how far it is to the first door; one that is rough at the goal does so for how far it is from the last door where that is little of the
/// way or far ahead.
pub(super) fn plan(
    query: &Query<'_>,
    rooms: &Rooms<'_>,
    [from, to]: [&Location; 2],
    rough: [bool; 2],
    marks: &mut Marks,
    scratch: &mut Scratch<'_>,
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

    fn run(&mut self, scratch: &mut Scratch<'_>) -> Planned {
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

    /// Offers a door of the start's room. Where it is known beforehand how far it is, its turn need not come twice.
    fn begin_by(&mut self, door: u32, scratch: &mut Scratch<'_>) {
        let away = self.straight(NONE, door);
        let mut item = Offer {
            g: away,
            door,
            parent: NONE,
            cell: self.ends[0],
            ..Offer::default()
        };
        if self.rough[0] {
            let known = self.marks.get(0, door);
            item.g = known.unwrap_or_else(|| away.max(self.by_marks(&item, scratch)));
            item.exact = true;
        }
        self.offer_item(item, scratch);
    }

    /// Marks the blocks that the way can lead through, and sees where there is no choice.
    fn pass(&mut self, scratch: &mut Scratch<'_>) {
        if self.linked {
            // Over links a way may lead anywhere.
            return;
        }
        let polys = self.query.mesh().polys();
        let [from, to] = [self.from, self.to].map(|place| place.polygon().0);
        optimal::each_between(polys, from, to, |block| {
            self.passed = scratch.doors.passed.insert(self.passed, block);
        });
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

    /// How long a stretch at an end is, if that is known or need not be: at least so long by the straight line and by what was measured.
    fn known(&self, item: &Offer, least: f64, farther: f64, scratch: &Scratch<'_>) -> Option<f64> {
        let (end, door) = self.joins(item, scratch)?;
        let is_little = || least <= SHORT * item.g || self.is_far(item.parent, scratch);
        let rough = self.rough[end] && (end == 0 || is_little());
        let enough = (rough || self.forced[end]).then_some(least.max(farther));
        self.marks.get(end, door).or(enough)
    }

    /// Are there more doors on the way to a label than are looked ahead to?
    fn is_far(&self, label: u32, scratch: &Scratch<'_>) -> bool {
        let mut at = label;
        (0..AHEAD).all(|_| match scratch.doors.labels.get(at as usize) {
            Some(label) => {
                at = label.parent;
                true
            }
            None => false,
        })
    }

    /// Can the way lead through a door?
    #[inline]
    fn is_passed(&self, door: u32, scratch: &Scratch<'_>) -> bool {
        if self.linked {
            return true;
        }
        let block = self
            .query
            .mesh()
            .room_links()
            .door_blocks
            .get(door as usize);
        block.is_none_or(|block| {
            block == NONE || scratch.doors.passed.place(self.passed, block).is_some()
        })
    }

    fn behind(&self, label: u32, scratch: &Scratch<'_>) -> f64 {
        (scratch.doors.labels.get(label as usize)).map_or(0.0, |l| l.g)
    }

    /// The grid point that a door, the goal, a link where it ends or, for no door, the start stands for.
    fn point(&self, door: u32) -> [i32; 2] {
        match self.rooms.stop(door) {
            Some((_, point)) => point,
            None if door == self.goal() => self.to.point(),
            None => self.link(door).map_or(self.from.point(), |link| link.to),
        }
    }

    /// No way from a door, or what else has a number, to the goal is shorter.
    fn ahead(&self, node: u32) -> f64 {
        (grid_distance(self.point(node), self.to.point()) - self.saved).max(0.0)
    }

    fn straight(&self, a: u32, b: u32) -> f64 {
        grid_distance(self.point(a), self.point(b))
    }

    /// Offers a stretch over a cell to a door from a label on.
    #[inline(never)]
    fn offer(
        &mut self,
        parent: u32,
        cell: u32,
        door: u32,
        length: f64,
        exact: bool,
        scratch: &mut Scratch<'_>,
    ) {
        let item = Offer {
            f: 0.0,
            g: self.behind(parent, scratch) + length,
            door,
            parent,
            cell,
            exact,
        };
        self.offer_item(item, scratch);
    }

    /// The same for a way whose length is known; what it takes at least is found out here, if it is wanted.
    fn offer_item(&mut self, item: Offer, scratch: &mut Scratch<'_>) {
        if let Some(own) = (self.front).wanted(item.door, item.g, item.exact, &scratch.doors) {
            self.take(item, own, scratch);
        }
    }

    /// Takes an offer that is wanted, with the label that its door has, if the way can lead through it.
    fn take(&mut self, mut item: Offer, own: u32, scratch: &mut Scratch<'_>) {
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

    /// Offers what comes after a door that is settled.
    fn expand(&mut self, item: &Offer, label: u32, scratch: &mut Scratch<'_>) {
        let Some(door) = self.rooms.door(item.door) else {
            if let Some(link) = self.link(item.door) {
                self.expand_link(item, &link, label, scratch);
            }
            return;
        };
        for room in door.rooms.map(|r| r.0) {
            let cell = self.opened.largest(self.rooms, room, scratch);
            // Nothing is shorter than to cross it at once.
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
                let way = if dirty {
                    way.max(self.straight(item.door, to))
                } else {
                    way
                };
                let g = item.g + way;
                // Most are known already by a shorter way.
                let Some(own) = self.front.wanted(to, g, !dirty, &scratch.doors) else {
                    return;
                };
                let item = Offer {
                    f: 0.0,
                    g,
                    door: to,
                    parent: label,
                    cell,
                    exact: !dirty,
                };
                self.take(item, own, scratch);
            });
        }
    }

    /// The end that a stretch joins, and the door at its other end.
    fn joins(&self, item: &Offer, scratch: &Scratch<'_>) -> Option<(usize, u32)> {
        let before = scratch.doors.labels.get(item.parent as usize);
        match (before, item.door == self.goal()) {
            (None, false) => Some((0, item.door)),
            (Some(label), true) => Some((1, label.door)),
            _ => None,
        }
    }

    /// Remembers a stretch that was measured.
    fn mark(&mut self, item: &Offer, length: f64, scratch: &Scratch<'_>) {
        if let Some((end, door)) = self.joins(item, scratch) {
            self.marks.put(end, door, length);
        }
    }

    /// How long a stretch is at least, by those that were measured and the ways between their doors: the triangle inequality.
    #[inline(never)]
    fn by_marks(&self, item: &Offer, scratch: &Scratch<'_>) -> f64 {
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
            // With ground closed ways may be longer than they were measured.
            if !dirty {
                least = least.max(length - way * (1.0 + ROUNDED));
            }
        }
        least
    }

    /// Measures a stretch within its room; nothing where it cannot be walked.
    #[inline(never)]
    fn measure(&mut self, item: &Offer, scratch: &mut Scratch<'_>) -> Result<Option<f64>, ()> {
        let stop = |door: u32| {
            let (polygon, point) = self.rooms.stop(door)?;
            Some(self.query.location(polygon, point, 0.0))
        };
        let left = |node: u32| stop(node).or_else(|| Some(self.link(node)?.end(self.query)));
        let before = scratch.doors.labels.get(item.parent as usize);
        let from = before.and_then(|l| left(l.door)).unwrap_or(*self.from);
        let link = self.link(item.door);
        let cost = link.map_or(0.0, |link| link.cost);
        let to = match link {
            Some(link) => link.begin(self.query),
            None => stop(item.door).unwrap_or(*self.to),
        };
        // In one polygon, or in sight.
        if self.query.straight(&from, &to, scratch).is_some() {
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
