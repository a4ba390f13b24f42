//! Is the free ground around a place an island smaller than a given area?
//!
//! The test is a flood fill over the points of a lattice at which the agent can be. The fill ends
//! when it has found enough area, so its cost is bounded by the least island, not by the level.
//! Narrow ground can slip between the points of a lattice. Therefore the test repeats on a finer
//! lattice when it finds too little area.

use std::collections::HashMap;

use super::room::Rooms;
use super::solid::{Body, Solids, standing};

/// The lattices, coarse to fine: side, and area at which an island is large.
///
/// The side is a share of the side of a square with the area of the least island. The area is a
/// multiple of the least area: the coarser the lattice, the less exact it is, and the larger the
/// multiple.
const LATTICES: [(f64, f64); 3] = [(0.2, 2.0), (0.07, 1.25), (0.025, 1.1)];
/// Largest side of the coarsest lattice as a share of the radius.
///
/// With this bound the discs of neighbouring points overlap.
const OF_RADIUS: f64 = 0.5;
/// Paces of an eighth of the radius along a passage.
const PACES: usize = 40;
/// A flood fill that visits this many points gives up and calls the island large.
const MOST: usize = 20_000;

/// A lattice point with free ground: lattice, column, row and surface.
///
/// Surfaces at one point are counted from the highest.
type Node = (u8, i32, i32, u8);

/// What is known about the islands of a level for one agent.
#[derive(Debug, Default)]
pub(crate) struct Islands {
    /// Free ground at visited points: heights from the highest down.
    ///
    /// Each has a flag that is set if the ground is connected to a large area.
    known: Known,
}

/// Heights and flags by lattice point.
type Known = HashMap<(u8, i32, i32), Vec<(f64, bool)>>;

/// A place that keeps its island: a marker or the end of a link.
pub(crate) type Keeper = [f64; 3];

/// The result of a flood fill.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Island {
    /// Large enough, or kept by a marker or link.
    Kept,
    /// Too small: about this many square grid units.
    Small(f64),
}

impl Islands {
    /// Estimates the area of the free ground around a free place.
    ///
    /// `least` is in square grid units.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn around(
        &mut self,
        solids: &Solids,
        rooms: &mut Rooms,
        place: [f64; 2],
        y: f64,
        least: f64,
        keepers: &[Keeper],
        body: &Body,
    ) -> Island {
        if least <= 0.0 {
            return Island::Kept;
        }
        let mut flood = |place, y| {
            let mut found = 0.0;
            for ((share, enough), number) in LATTICES.into_iter().zip(0u8..) {
                let side =
                    (least.sqrt() * share).min(body.radius * OF_RADIUS / f64::from(1 << number));
                let side = side.max(4.0);
                let mut flood = Flood {
                    solids,
                    rooms: &mut *rooms,
                    body,
                    side,
                    number,
                    keepers,
                    known: &mut self.known,
                };
                found = flood.run(place, y, least * enough)?;
            }
            (found < least).then_some(found)
        };
        let Some(mut area) = flood(place, y) else { return Island::Kept };
        for (place, y) in ends_of_passage(solids, place, y, body) {
            match flood(place, y) {
                Some(found) => area = area.max(found),
                None => return Island::Kept,
            }
        }
        Island::Small(area)
    }
}

/// A place and the height of its ground.
type Spot = ([f64; 2], f64);

/// The places beyond both ends of a passage that is hardly wider than the agent.
///
/// In a doorway a centimetre wider than the agent, no point of a lattice need be free. The agent
/// goes along the wall on both sides, off it by its radius, until there is more room.
fn ends_of_passage(solids: &Solids, place: [f64; 2], y: f64, body: &Body) -> Vec<Spot> {
    let mut rooms = Rooms::default();
    let Some((_, away)) = off_wall(solids, &mut rooms, (place, y), body) else { return vec![] };
    let along = [[-away[1], away[0]], [away[1], -away[0]]];
    along.into_iter().filter_map(|to| end(solids, &mut rooms, (place, y), to, body)).collect()
}

/// How much farther than its radius the agent looks for walls in a passage, and its pace there.
fn pace(body: &Body) -> f64 {
    body.radius / 8.0
}

/// The distance from the nearest wall, and the direction away from it; `None` with more room.
fn off_wall(
    solids: &Solids,
    rooms: &mut Rooms,
    (at, y): Spot,
    body: &Body,
) -> Option<(f64, [f64; 2])> {
    let wall = rooms.border(solids, at, y, body.radius + pace(body), false, body)?;
    let away = [at[0] - wall.at[0], at[1] - wall.at[2]];
    Some((wall.distance, away.map(|c| c / wall.distance.max(1.0))))
}

/// The first place in a direction with more room; `None` where the agent does not come so far.
fn end(solids: &Solids, rooms: &mut Rooms, from: Spot, to: [f64; 2], body: &Body) -> Option<Spot> {
    let (mut at, mut y) = from;
    for _ in 0..PACES {
        let mut next = [0, 1].map(|k| at[k] + pace(body) * to[k]);
        if let Some((far, away)) = off_wall(solids, rooms, (next, y), body)
            && far < body.radius
        {
            next = [0, 1].map(|k| next[k] + (body.radius - far + 0.5) * away[k]);
        }
        y = rooms.walk_to(solids, at, y, next, body)?;
        at = next;
        match off_wall(solids, rooms, (at, y), body) {
            None => return Some((at, y)),
            Some((far, _)) if far < body.radius => return None,
            Some(_) => {}
        }
    }
    None
}

struct Flood<'a> {
    solids: &'a Solids,
    rooms: &'a mut Rooms,
    body: &'a Body,
    side: f64,
    number: u8,
    keepers: &'a [Keeper],
    known: &'a mut Known,
}

impl Flood<'_> {
    /// The area of the free ground around a place.
    ///
    /// `None` if that is at least `enough`, or if a marker or link keeps the island.
    fn run(&mut self, place: [f64; 2], y: f64, enough: f64) -> Option<f64> {
        let [i, j] = place.map(|v| (v / self.side).floor() as i32);
        let mut queue: Vec<Node> = vec![];
        let mut seen = std::collections::HashSet::new();
        if self.is_kept(place, y) {
            return None;
        }
        for (i, j) in [(i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1)] {
            self.add(place, y, i, j, &mut queue, &mut seen);
        }
        let each = self.side * self.side;
        let mut at = 0;
        while at < queue.len() {
            let (_, i, j, k) = queue[at];
            at += 1;
            let (height, large) = self.known[&(self.number, i, j)][usize::from(k)];
            let here = self.point(i, j);
            if large
                || queue.len() > MOST
                || queue.len() as f64 * each >= enough
                || self.is_kept(here, height)
            {
                for (number, i, j, k) in queue {
                    if let Some(grounds) = self.known.get_mut(&(number, i, j)) {
                        grounds[usize::from(k)].1 = true;
                    }
                }
                return None;
            }
            for (i, j) in [(i + 1, j), (i, j + 1), (i - 1, j), (i, j - 1)] {
                self.add(here, height, i, j, &mut queue, &mut seen);
            }
        }
        Some(queue.len() as f64 * each)
    }

    fn point(&self, i: i32, j: i32) -> [f64; 2] {
        [i, j].map(|k| f64::from(k) * self.side)
    }

    /// Does a marker or the end of a link keep the island?
    ///
    /// The condition is that of the bake: no farther than the radius, at most a climb below the
    /// ground and a height above it.
    fn is_kept(&self, [x, z]: [f64; 2], y: f64) -> bool {
        let Body { radius, climb, height, .. } = *self.body;
        self.keepers.iter().any(|k| {
            let (dx, dz, rise) = (k[0] - x, k[2] - z, y - k[1]);
            dx * dx + dz * dz <= radius * radius && rise <= climb && rise >= -height
        })
    }

    /// Adds the ground at a lattice point that can be reached from a place.
    fn add(
        &mut self,
        from: [f64; 2],
        y: f64,
        i: i32,
        j: i32,
        queue: &mut Vec<Node>,
        seen: &mut std::collections::HashSet<Node>,
    ) {
        let to = self.point(i, j);
        let step = 2.0 * self.body.climb + 2.0 * self.side;
        let heights: Vec<f64> = self.free(i, j).iter().map(|g| g.0).collect();
        for (k, height) in heights.iter().enumerate() {
            let node = (self.number, i, j, k as u8);
            if (height - y).abs() > step || seen.contains(&node) {
                continue;
            }
            let there = self.rooms.walk_to(self.solids, from, y, to, self.body);
            if there.is_some_and(|t| (t - height).abs() <= 1.0) {
                seen.insert(node);
                queue.push(node);
            }
        }
    }

    /// The free ground at a lattice point.
    fn free(&mut self, i: i32, j: i32) -> &[(f64, bool)] {
        let key = (self.number, i, j);
        if !self.known.contains_key(&key) {
            let place = self.point(i, j);
            let column = self.solids.column(place, self.body);
            let mut found = vec![];
            for k in standing(&column, self.body).into_iter().take(255) {
                let y = column[k].y;
                let border =
                    (self.rooms).border(self.solids, place, y, self.body.radius, true, self.body);
                if border.is_none() {
                    found.push((y, false));
                }
            }
            self.known.insert(key, found);
        }
        &self.known[&key]
    }
}
