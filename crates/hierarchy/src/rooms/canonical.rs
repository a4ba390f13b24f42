//! Canonical rooms: the rooms and doors of the smallest agent on the ground of a larger one.
//!
//! The ground of a larger agent is that of the smallest without a strip along its walls. So each of
//! its doors is a stretch of one of these, on the same line: polygons are cut along the lines of
//! the doors, as far as there is ground, and the ground between them is the smallest agent's room.
//! Where a passage is too narrow for the larger agent there is no stretch, and no door; a room that
//! it does not get through in one piece is several, all of one number.
//!
//! Ground that the smallest does not have (another agent may climb higher), and rooms that are one
//! for that reason, are looked at as if there were no smaller agent, between the doors that are
//! known.

use std::collections::BTreeMap;

use navbake_geom::{Point, UnionFind, along};
use navbake_mesh::{NONE, PolygonMesh};

use super::crossings::Line;
use super::cut::{Cut, Cutter};
use super::flat::{Flat, square};
use super::polygon_index::{PolygonIndex, samples, shares};
use super::subdivide::{self, Squares};
use super::walls::{End, tightened};
use super::{Door, RoomSettings, Rooms, articulation, cut_along, doors, far_ends, find, parts};

/// The smallest agent's ground and its rooms.
#[derive(Clone, Copy, Debug)]
pub struct ReferenceRooms<'a> {
    /// As [`rooms()`](super::rooms()) gave it.
    pub mesh: &'a PolygonMesh,
    /// The same.
    pub rooms: &'a Rooms,
    /// Ground less than this above or below other ground is of one storey, grid units.
    pub storey: f64,
}

/// The rooms of a navmesh and the navmesh with polygons cut at their doors, like those of a smaller
/// agent: see [`Rooms::canonical`] and [`Door::canonical`]. O(n log n) where polygons are about as
/// large as others.
pub fn canonical_rooms(
    mesh: &PolygonMesh,
    settings: &RoomSettings,
    reference: ReferenceRooms<'_>,
) -> (PolygonMesh, Rooms) {
    let known = ReferenceIndex::new(reference, settings.min_area);
    let (mut cut, line_of, mut lost) = cut_at_lines(mesh, settings, reference);
    let (part, count) = parts(&cut, |_, _| true);
    let unclear = known.unclear(&cut.mesh, &part, count);
    if unclear.contains(&true) {
        let among: Vec<bool> = part.iter().map(|&p| unclear[p as usize]).collect();
        let more;
        (cut, more) = cut_at_own(cut, settings, &among, line_of.len() as u32);
        lost += more;
    }
    let (mut room, mut count) = parts(&cut, |_, _| true);
    let most = settings.max_field;
    if most > 0.0
        && let Some(found) =
            subdivide::subdivide(&cut, &room, count, most, &Squares::Canonical(&known))
    {
        (cut, room, count) = (found.cut, found.of, found.count);
    }
    let canonical = known.canonical_of_rooms(&cut.mesh, &room, count);
    let mut doors = doors(&cut, &room);
    for door in &mut doors {
        door.canonical = known.canonical_door(door, &line_of, &canonical);
    }
    let ends: Vec<[u32; 2]> = doors.iter().map(|d| d.rooms).collect();
    let rooms = Rooms {
        joints: articulation::joints(count, &ends),
        of: room,
        count,
        doors,
        wider: known.wider(&canonical),
        canonical,
        lost,
    };
    (cut.mesh, rooms)
}

/// The lines of the smallest agent's doors, by their numbers.
fn lines(reference: ReferenceRooms<'_>) -> BTreeMap<u32, Line> {
    let mut portals: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for door in reference.rooms.doors.iter().filter(|d| !d.is_divide) {
        portals.entry(door.line).or_default().extend(&door.portals);
    }
    let line = |portals: Vec<u32>| {
        let ends = far_ends(reference.mesh, &portals);
        let long = square(ends[0], ends[1]).max(1) as f64;
        let corners = (portals.iter()).filter_map(|&e| reference.mesh.edge_ends(e)).flatten();
        let mut heights: Vec<(f64, f64)> = corners
            .map(|c| (along(ends[0], ends[1], c.flat()) as f64 / long, f64::from(c.y)))
            .collect();
        heights.sort_by(|a, b| a.0.total_cmp(&b.0));
        heights.dedup_by_key(|h| h.0);
        Line { ends, heights }
    };
    portals.into_iter().map(|(n, p)| (n, line(p))).collect()
}

/// The mesh cut along the lines of doors; the number of the line that each cut is on, and how many
/// could not be made.
fn cut_at_lines(
    mesh: &PolygonMesh,
    settings: &RoomSettings,
    reference: ReferenceRooms<'_>,
) -> (Cut, Vec<u32>, usize) {
    let places = PolygonIndex::new(mesh);
    let mut cutter = Cutter::new(mesh);
    let (mut line_of, mut lost) = (vec![], 0);
    for (number, line) in lines(reference) {
        let long = |ends: [Point; 2]| (square(ends[0], ends[1]) as f64).sqrt();
        // Ground that goes on beyond its walls is of an agent that they do not hold: that is no
        // door to it.
        let most = long(line.ends) + f64::from(settings.radius).max(2.0);
        for ends in line.crossings(mesh, &places, reference.storey) {
            // The smallest agent's line is not exactly where the passage is narrowest for others.
            let narrow = tightened(mesh, ends, f64::from(settings.radius));
            if long(narrow.map(|e| e.at)) > most {
                continue;
            }
            let cut = line_of.len() as u32;
            line_of.push(number);
            lost += usize::from(!cutter.cut_first([narrow, ends], cut));
        }
    }
    let cut = cutter.finish();
    match cut.mesh.check() {
        Ok(()) => (cut, line_of, lost),
        // Rooms are worth no unsound mesh.
        Err(_) => {
            let all = line_of.len();
            (Cutter::new(mesh).finish(), line_of, all)
        }
    }
}

/// Cuts some polygons at doors of their own, numbered from one on.
fn cut_at_own(cut: Cut, settings: &RoomSettings, among: &[bool], first: u32) -> (Cut, usize) {
    let mesh = &cut.mesh;
    let is_door = |e: usize| cut.door_of[e] != NONE;
    let mut flat = Flat::among(mesh, |p| among[p], is_door);
    let mut segments = find(&mut flat, mesh, settings).segments;
    // A line from a wall to a known door is no door.
    let is_between_walls = |ends: [End; 2]| ends.iter().all(|end| !is_door(end.wall as usize));
    segments.retain(|s| s.tries().into_iter().flatten().any(is_between_walls));
    let mut cutter = Cutter::with_doors(mesh, &cut.door_of);
    let lost = cut_along(&mut cutter, &segments, first);
    let made = cutter.finish();
    match made.mesh.check() {
        Ok(()) => (made, lost),
        Err(_) => (cut, segments.len()),
    }
}

/// What the smallest agent knows of ground.
pub(super) struct ReferenceIndex<'a> {
    reference: ReferenceRooms<'a>,
    places: PolygonIndex<'a>,
    /// For each of its rooms the one that it was before it was cut into fields, by the least of
    /// these.
    whole: Vec<u32>,
    /// Which of its rooms are fields.
    is_field: Vec<bool>,
    least: f64,
}

impl<'a> ReferenceIndex<'a> {
    fn new(reference: ReferenceRooms<'a>, least: f64) -> ReferenceIndex<'a> {
        let mut sets = UnionFind::new(reference.rooms.count);
        let mut is_field = vec![false; reference.rooms.count];
        for door in reference.rooms.doors.iter().filter(|d| d.is_divide) {
            sets.join(door.rooms[0], door.rooms[1]);
            door.rooms.iter().for_each(|&r| is_field[r as usize] = true);
        }
        ReferenceIndex {
            reference,
            places: PolygonIndex::new(reference.mesh),
            is_field,
            least,
            whole: (0..reference.rooms.count as u32).map(|r| sets.find(r)).collect(),
        }
    }

    /// What is smaller, grid units squared, belongs to a neighbour.
    pub(super) fn least(&self) -> f64 {
        self.least
    }

    /// Its room at a place, or [`NONE`].
    fn room_at(&self, place: Point, height: f64) -> u32 {
        let found = self.places.at(place, height);
        let near = found.filter(|&(_, off)| off < self.reference.storey);
        near.map_or(NONE, |(p, _)| self.reference.rooms.of[p as usize])
    }

    /// Its room below most of a polygon, or [`NONE`].
    pub(super) fn room_of(&self, mesh: &PolygonMesh, polygon: usize) -> u32 {
        let mut areas: BTreeMap<u32, i64> = BTreeMap::new();
        for (place, height, area) in shares(mesh, polygon) {
            *areas.entry(self.room_at(place, height)).or_default() += area;
        }
        let most = (areas.into_iter()).max_by_key(|&(room, area)| (area, std::cmp::Reverse(room)));
        most.map_or(NONE, |(room, _)| room)
    }

    /// The area of each part in each of its rooms, grid units squared.
    fn shares(&self, mesh: &PolygonMesh, part: &[u32], count: usize) -> Vec<BTreeMap<u32, f64>> {
        let mut shares = vec![BTreeMap::new(); count];
        for p in 0..mesh.len() {
            let share: &mut BTreeMap<u32, f64> = &mut shares[part[p] as usize];
            *share.entry(self.room_of(mesh, p)).or_default() +=
                mesh.polygon_area_doubled(p) as f64 / 2.0;
        }
        shares
    }

    /// Parts without a clear room: in several, or mostly in none.
    fn unclear(&self, mesh: &PolygonMesh, part: &[u32], count: usize) -> Vec<bool> {
        let least = self.least;
        let is_unclear = |share: &BTreeMap<u32, f64>| {
            let all: f64 = share.values().sum();
            let mut of_whole: BTreeMap<u32, f64> = BTreeMap::new();
            for (&room, area) in share.iter().filter(|s| *s.0 != NONE) {
                *of_whole.entry(self.whole[room as usize]).or_default() += area;
            }
            let rooms = of_whole.values().filter(|&&area| area >= least).count();
            let none = share.get(&NONE).copied().unwrap_or(0.0);
            rooms > 1 || (none >= least && none > all / 2.0)
        };
        let shares = self.shares(mesh, part, count);
        shares.iter().map(is_unclear).collect()
    }

    /// Marks the parts in several of its subdivided rooms.
    pub(super) fn mark_several(&self, mesh: &PolygonMesh, part: &[u32], marks: &mut [bool]) {
        let mut first = vec![NONE; marks.len()];
        for (p, &part) in part.iter().enumerate() {
            let slot = &mut first[part as usize];
            for (place, height) in samples(mesh, p) {
                let room = self.room_at(place, height);
                if self.is_field.get(room as usize) == Some(&true) {
                    marks[part as usize] |= *slot != NONE && *slot != room;
                    *slot = room;
                }
            }
        }
    }

    /// Its room with most of the ground of each room.
    fn canonical_of_rooms(&self, mesh: &PolygonMesh, room: &[u32], count: usize) -> Vec<u32> {
        let most = |share: &BTreeMap<u32, f64>| {
            let best = share.iter().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0)));
            best.map_or(NONE, |(&room, _)| room)
        };
        let shares = self.shares(mesh, room, count);
        shares.iter().map(most).collect()
    }

    /// Its door that one on these lines is, between rooms like these.
    fn canonical_door(&self, door: &Door, line_of: &[u32], canonical: &[u32]) -> u32 {
        let line = line_of.get(door.line as usize).copied().unwrap_or(NONE);
        if line == NONE && !door.is_divide {
            return NONE;
        }
        let mut rooms = door.rooms.map(|r| canonical[r as usize]);
        rooms.sort_unstable();
        let all = || (0u32..).zip(&self.reference.rooms.doors);
        let is_on = |d: &Door| d.line == line && d.is_divide == door.is_divide;
        let same = all().find(|(_, d)| is_on(d) && d.rooms == rooms);
        let any = || all().find(|(_, d)| is_on(d) && !d.is_divide);
        same.or_else(any).map_or(NONE, |(number, _)| number)
    }

    /// Rooms put together as it has them; each of those that are like none is one by itself.
    fn wider(&self, canonical: &[u32]) -> Vec<Vec<u32>> {
        let own = self.reference.rooms.count as u32;
        let of = |level: &Vec<u32>| {
            let number = |(room, &canonical): (u32, &u32)| match level.get(canonical as usize) {
                Some(&wider) => wider,
                None => own + room,
            };
            (0u32..).zip(canonical).map(number).collect()
        };
        self.reference.rooms.wider.iter().map(of).collect()
    }
}
