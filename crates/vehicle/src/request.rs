//! Requests, their results, and the memory that they take.

use crate::bucket_queue::{HEADS, QueueEntry, QueueScratch};
use crate::curve::{Pose, Segment};
use crate::flood_steps::NOWHERE;
use crate::ground::Ground;
use crate::tables::Vehicle;

/// A path for a unit that turns. Places are y-up metres; heights do not matter. Headings are
/// radians, 0 along x, counter-clockwise seen from above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurningRequest {
    /// The start.
    pub from: [f64; 3],
    /// Where it looks.
    pub from_heading: f64,
    /// Where it shall go.
    pub to: [f64; 3],
    /// How it shall look there; however it comes when it is `None`.
    pub to_heading: Option<f64>,
    /// The factor of the estimated remaining cost, 1 to 100: paths may cost that many times the
    /// least.
    pub weight: f64,
    /// Analytic expansion: try the shortest curve to the goal from states that are expanded.
    ///
    /// It finds shorter ends, and sooner. A vehicle with speed classes tries it from the start, in
    /// each class.
    pub analytic_expansion: bool,
    /// Make the found path shorter where the ground has room for it.
    pub smooth: bool,
    /// Without an estimate: in the order of the cost up to now.
    pub dijkstra: bool,
    /// The speed at the start, m/s: 0 for vehicles without speeds.
    pub speed: f64,
    /// Stop at the goal. Vehicles with speeds may else reach it at any speed.
    pub stop: bool,
}

impl TurningRequest {
    /// The cheapest path of the lattice, or a shorter one.
    pub fn new(from: [f64; 3], from_heading: f64, to: [f64; 3], to_heading: Option<f64>) -> Self {
        TurningRequest {
            from,
            from_heading,
            to,
            to_heading,
            weight: 1.0,
            analytic_expansion: true,
            smooth: false,
            dijkstra: false,
            speed: 0.0,
            stop: true,
        }
    }
}

/// The result of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurningStatus {
    /// The search is not done.
    Looking,
    /// There is a path.
    Reached,
    /// There is none over this lattice.
    Unreachable,
    /// The start is no place on the map.
    StartOutside,
    /// The goal is no place on the map.
    GoalOutside,
    /// At the start the vehicle touches a blocked tile.
    StartBlocked,
    /// At the goal the vehicle would be in something.
    GoalBlocked,
    /// A heading is no number.
    NoHeading,
    /// The vehicle does not have the speed at the start.
    NoSpeed,
    /// The scratch was too small.
    OutOfNodes,
}

impl TurningStatus {
    /// The word for it that the command line and its JSON use.
    pub fn name(self) -> &'static str {
        match self {
            TurningStatus::Looking => "looking",
            TurningStatus::Reached => "reached",
            TurningStatus::Unreachable => "unreachable",
            TurningStatus::StartOutside | TurningStatus::GoalOutside => "off_mesh",
            TurningStatus::StartBlocked => "start_blocked",
            TurningStatus::GoalBlocked => "goal_blocked",
            TurningStatus::NoHeading => "no_heading",
            TurningStatus::NoSpeed => "no_speed",
            TurningStatus::OutOfNodes => "out_of_nodes",
        }
    }

    /// The text for people.
    pub fn text(self) -> &'static str {
        match self {
            TurningStatus::Looking => "the search is not done",
            TurningStatus::Reached => "there is a path",
            TurningStatus::Unreachable => "no way for this vehicle over its lattice",
            TurningStatus::StartOutside => "the start is not on the map",
            TurningStatus::GoalOutside => "the goal is not on the map",
            TurningStatus::StartBlocked => "at the start the vehicle stands in something blocked",
            TurningStatus::GoalBlocked => {
                "at the goal the vehicle would stand in something blocked"
            }
            TurningStatus::NoHeading => "a heading is not a finite number",
            TurningStatus::NoSpeed => {
                "the speed at the start is below 0, or above the greatest speed of this vehicle"
            }
            TurningStatus::OutOfNodes => "the search needs more memory than it was given",
        }
    }
}

/// A part of a path: an arc or a straight line, from a pose on. Tiles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TurningPiece {
    /// Where it begins.
    pub from: Pose,
    /// How it goes on.
    pub segment: Segment,
    /// The layer of the ground that it is on; 0 on a grid map.
    pub layer: u32,
    /// The link of the navmesh that is taken here, from the tile of `from`; such a piece has no
    /// length, and the next one begins where the link ends, at the same heading.
    pub link: Option<u32>,
    /// The speed class, 0 for the slowest and without speeds: its arcs have the turn radius of
    /// [`Vehicle::radius_of`].
    pub class: u8,
    /// The speeds at its ends, m/s, the acceleration between them constant; 0 without speeds.
    pub speeds: [f64; 2],
}

impl TurningPiece {
    /// The time that it takes on tiles of that side, s; 0 without speeds.
    pub fn time(&self, tile: f64) -> f64 {
        let sum = self.speeds[0] + self.speeds[1];
        if sum > 0.0 { 2.0 * self.segment.length * tile / sum } else { 0.0 }
    }
}

/// A path, or why there is none. The pieces are in the scratch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurningAnswer<'s> {
    /// The result of the request.
    pub status: TurningStatus,
    /// Length without links, m.
    pub length: f64,
    /// The time that it takes without links, s; 0 without speeds.
    pub time: f64,
    /// The cost that is minimised, m: length by the weights of the ground, reverse penalty, gear
    /// changes and links.
    ///
    /// With speeds it is in seconds: the time, and what those add, a length in metres as the time
    /// that it takes at the greatest speed.
    pub cost: f64,
    /// No path over the lattice costs less, m: the cost itself where the weight is 1.
    ///
    /// With speeds, no path over the lattice and its speed levels costs less, s. The path that is
    /// found is then driven without levels, so its cost can be less.
    pub bound: f64,
    /// Arcs and lines.
    pub pieces: &'s [TurningPiece],
    /// Where it ends; places are tiles.
    pub end: Pose,
    /// States taken off the open list.
    pub expanded: u64,
    /// Moves that were tested for hits.
    pub tested: u64,
    /// States seen.
    pub nodes: u32,
    /// The greatest number of entries on the open list.
    pub max_open: usize,
}

/// A state of a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct TurningNode {
    pub(crate) cost: u64,
    pub(crate) state: u32,
    pub(crate) parent: u32,
    /// Estimate of the remaining cost.
    pub(crate) rest: u32,
    /// The number of the move that led here, or a code for other origins.
    pub(crate) by: u32,
    /// The bucket that it waits in.
    pub(crate) bucket: u32,
}

/// No node.
pub(crate) const NONE: u32 = u32::MAX;
/// How a node was reached, beside moves: it is the start; a change of gear; a free curve from the
/// start, by its form.
pub(crate) const START: u32 = u32::MAX;
pub(crate) const CHANGE: u32 = u32::MAX - 1;
pub(crate) const ENTRY: u32 = 1 << 31;
/// A link, by its place among all.
pub(crate) const LINK: u32 = 1 << 30;

/// A curve from a state near the goal to it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exit {
    pub(crate) cost: u32,
    pub(crate) form: u8,
}

impl Exit {
    /// Is there a curve?
    pub(crate) fn leads(&self) -> bool {
        self.cost != NOWHERE
    }
}

/// How long the slices of a [`TurningScratch`] should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurningScratchSize {
    /// For `slots`: one a tile that can be free, heading, gear and speed level.
    pub slots: usize,
    /// For `nodes`: fewer are allowed, and end larger searches with [`TurningStatus::OutOfNodes`].
    pub nodes: usize,
    /// For `open`.
    pub open: usize,
    /// For `exits`: one a tile within the rings around the goal, heading, gear and speed class.
    pub exits: usize,
    /// For the memory of [`ObstacleScratch`]: one a tile.
    pub tiles: usize,
    /// For `pieces`.
    pub pieces: usize,
}

impl TurningScratchSize {
    /// Bytes of a [`TurningBuffer`] of this size.
    pub fn bytes(&self) -> usize {
        let parts = [
            (self.slots, size_of::<u64>()),
            (self.slots.div_ceil(64), size_of::<u64>()),
            (self.nodes, size_of::<TurningNode>() + size_of::<u32>()),
            (self.open, size_of::<QueueEntry>()),
            (self.exits, size_of::<Exit>() + size_of::<[u32; 2]>()),
            (self.tiles, size_of::<u32>() + 2 * size_of::<QueueEntry>()),
            (self.tiles.div_ceil(64), 2 * size_of::<u64>()),
            (2 * HEADS, size_of::<u32>()),
            (self.pieces, size_of::<TurningPiece>()),
        ];
        let each = parts.map(|(count, size)| count.saturating_mul(size));
        each.into_iter().fold(0, usize::saturating_add)
    }

    /// With this many nodes.
    pub fn with_nodes(vehicle: &Vehicle<'_>, ground: &Ground<'_>, nodes: usize) -> Self {
        let states = (vehicle.headings * vehicle.lanes) as usize;
        let side = 2 * vehicle.view.rings() as usize + 1;
        let exits = (vehicle.headings * vehicle.gears()) as usize * usize::from(vehicle.classes());
        TurningScratchSize {
            slots: ground.slots().saturating_mul(states),
            nodes,
            open: 4 * nodes,
            exits: side * side * exits,
            tiles: ground.slots(),
            pieces: 16_384,
        }
    }
}

/// Memory of a flood.
#[derive(Debug)]
pub struct ObstacleScratch<'s> {
    /// Cost of each tile, by number.
    pub costs: &'s mut [u32],
    /// A bit a tile: its cost is final.
    pub done: &'s mut [u64],
    /// Tiles to go on from.
    pub open: QueueScratch<'s>,
    /// The tiles that it begins with, and their costs.
    pub seeds: &'s mut [[u32; 2]],
}

/// Memory of a look back from the goal.
#[derive(Debug)]
pub struct BackwardScratch<'s> {
    /// A bit a state: it leads to the goal.
    pub seen: &'s mut [u64],
    /// Those states, in the order in which they were found.
    pub queue: &'s mut [u32],
}

/// Slices for one search at a time. Their contents do not matter.
#[derive(Debug)]
pub struct TurningScratch<'s> {
    /// Cost and node of each state.
    pub slots: &'s mut [u64],
    /// Which tiles the search has been to, a bit each.
    pub been: &'s mut [u64],
    /// States seen.
    pub nodes: &'s mut [TurningNode],
    /// The open list.
    pub open: QueueScratch<'s>,
    /// Curves to the goal from states near it.
    pub exits: &'s mut [Exit],
    /// The flood from the goal.
    pub obstacle: ObstacleScratch<'s>,
    /// The look back from the goal: bits for as many states as there are slots, and as many places
    /// as nodes.
    pub backward: BackwardScratch<'s>,
    /// Pieces of the answer.
    pub pieces: &'s mut [TurningPiece],
}

/// Scratch that owns its memory. Make one a thread and keep it: searches allocate nothing.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct TurningBuffer {
    slots: alloc::vec::Vec<u64>,
    been: alloc::vec::Vec<u64>,
    nodes: alloc::vec::Vec<TurningNode>,
    open: alloc::vec::Vec<QueueEntry>,
    exits: alloc::vec::Vec<Exit>,
    costs: alloc::vec::Vec<u32>,
    heads: [alloc::vec::Vec<u32>; 2],
    done: alloc::vec::Vec<u64>,
    tiles: alloc::vec::Vec<QueueEntry>,
    seeds: alloc::vec::Vec<[u32; 2]>,
    seen: alloc::vec::Vec<u64>,
    backward: alloc::vec::Vec<u32>,
    pieces: alloc::vec::Vec<TurningPiece>,
}

#[cfg(feature = "alloc")]
impl TurningBuffer {
    /// With slices of these lengths.
    pub fn new(size: TurningScratchSize) -> TurningBuffer {
        use alloc::vec;
        TurningBuffer {
            slots: vec![0; size.slots],
            been: vec![0; size.tiles.div_ceil(64)],
            seen: vec![0; size.slots.div_ceil(64)],
            backward: vec![0; size.nodes],
            nodes: vec![TurningNode::default(); size.nodes],
            open: vec![QueueEntry::default(); size.open],
            exits: vec![Exit::default(); size.exits],
            costs: vec![0; size.tiles],
            heads: [0; 2].map(|_| vec![0; HEADS]),
            done: vec![0; size.tiles.div_ceil(64)],
            tiles: vec![QueueEntry::default(); 2 * size.tiles],
            seeds: vec![[0; 2]; size.exits.max(1)],
            pieces: vec![TurningPiece::default(); size.pieces],
        }
    }

    /// The slices for a search.
    pub fn scratch(&mut self) -> TurningScratch<'_> {
        let [own, far] = &mut self.heads;
        TurningScratch {
            slots: &mut self.slots,
            been: &mut self.been,
            nodes: &mut self.nodes,
            open: QueueScratch { heads: own, entries: &mut self.open },
            exits: &mut self.exits,
            obstacle: ObstacleScratch {
                costs: &mut self.costs,
                done: &mut self.done,
                open: QueueScratch { heads: far, entries: &mut self.tiles },
                seeds: &mut self.seeds,
            },
            backward: BackwardScratch { seen: &mut self.seen, queue: &mut self.backward },
            pieces: &mut self.pieces,
        }
    }
}
