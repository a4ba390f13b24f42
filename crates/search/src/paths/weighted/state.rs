//! The state of a weighted search.

use super::super::open_list::OpenState;
use super::piece::START;
use super::ways::Ground;
use crate::costs::Slopes;

/// An arrival at a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct End {
    /// Its least cost, grid units.
    pub(super) value: f64,
    /// The piece that the path comes from.
    pub(super) from: u32,
    /// The number of the target.
    pub(super) target: u32,
}

/// One of the goals of a search for all of them. Costs are in grid units of plain ground.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// The least cost of a known path along its points, and the lower bound of all paths.
    pub(super) upper: f64,
    pub(super) lower: f64,
    /// Its number of crossings.
    pub(super) crossings: u32,
    /// Has the search of this round not yet passed it?
    pub(super) open: bool,
    /// The least arrival in this round; infinity where there is none yet.
    pub(super) value: f64,
    /// The piece that it comes from.
    pub(super) from: u32,
}

impl Reach {
    /// A goal that no path is known to.
    pub(super) const NONE: Reach = Reach {
        upper: f64::INFINITY,
        lower: 0.0,
        crossings: 0,
        open: true,
        value: f64::INFINITY,
        from: START,
    };

    /// What is between the path's cost and the bound, for each crossing.
    pub(super) fn lack(&self) -> f64 {
        (self.upper - self.lower) / (2.0 * (f64::from(self.crossings) + 1.0))
    }
}

impl Default for Reach {
    fn default() -> Reach {
        Reach::NONE
    }
}

/// The state of a weighted search. Costs are in grid units of plain ground.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct State {
    /// The start: all other places are relative to it.
    pub(super) start: [i32; 2],
    /// Its polygon.
    pub(super) polygon: u32,
    /// Number of goals.
    pub(super) goals: u32,
    /// Is a path looked for to each goal, not to the nearest alone?
    pub(super) all: bool,
    /// Number of pieces in use.
    pub(super) used: u32,
    pub(in super::super) open: OpenState,
    /// Number of pieces taken off the open list: in this round, and in all.
    pub(super) taken: u32,
    pub(in super::super) expanded: u32,
    pub(super) goal: Option<End>,
    /// Lower bound of the paths over pieces without room beyond them.
    pub(super) lost: f64,
    /// The greatest distance from the start of all places seen.
    pub(super) reach: f64,
    /// Up to this distance from the start, pieces are not made shorter.
    pub(super) near: f64,
    /// The loss of a line above which its piece is cut in two.
    pub(super) give: f64,
    /// The greatest cost of a unit.
    pub(super) dearest: f64,
    /// The least cost of a unit, links included.
    ///
    /// Zero where links cost less than their length.
    pub(super) least: f64,
    /// The costs of heights, and their least, where links lead up or down for less.
    pub(super) slopes: Slopes,
    pub(super) least_slopes: Slopes,
    /// The height of the start, grid units: all others are relative to it.
    pub(super) ground: f64,
    /// The least cost of a known path, and the lower bound of all paths.
    pub(super) upper: f64,
    pub(super) lower: f64,
    /// The accepted share by which the path may exceed the bound.
    pub(super) gap: f64,
    /// The path's number of crossings, and its target.
    pub(super) best: u32,
    pub(super) target: u32,
    /// The factor of ground costs while bounds are handed on.
    ///
    /// The bounds are divided by it in the end.
    pub(super) stretch: f64,
    pub(super) round: u32,
    /// Number of rounds in a row with little progress.
    pub(super) idle: u32,
    /// Are landmarks used?
    ///
    /// The search for the first path has given goals their distances.
    pub(super) by_landmarks: bool,
    pub(in super::super) done: bool,
}

impl State {
    /// The bound from which on the search may end.
    pub(super) fn enough(&self) -> f64 {
        self.upper / (1.0 + self.gap)
    }

    /// The bound from which on the path to one of several goals is good enough.
    pub(super) fn enough_for(&self, reach: &Reach) -> f64 {
        reach.upper / (1.0 + self.gap)
    }

    /// The worth from which on pieces do not matter to one of several goals.
    ///
    /// A little more than enough, for what rounding takes from the bound.
    pub(super) fn until(&self, reach: &Reach) -> f64 {
        const MORE: f64 = 1.0 + 1.0 / (1u64 << 20) as f64;
        reach.value.min(self.enough_for(reach) * self.stretch * MORE)
    }

    /// An upper bound of the rounding when a value is handed on once.
    ///
    /// Some tens of operations on numbers of this size.
    pub(super) fn noise(&self) -> f64 {
        const STEP: f64 = 1.0 / (1u64 << 46) as f64;
        STEP * (self.upper + (self.dearest + self.slopes.most()) * self.reach)
    }

    /// The certain part of a bound.
    ///
    /// A value has been handed on at most as often as pieces were taken. Each time it may have been
    /// rounded, and a gain of no more than noise may have been ignored.
    pub(super) fn certified(&self, bound: f64) -> f64 {
        bound - 2.0 * self.noise() * (f64::from(self.taken) + 2.0)
    }

    /// The least costs of ground, stretched.
    pub(super) fn least(&self) -> Ground {
        let ground = Ground { weight: self.least, slopes: self.least_slopes };
        ground.times(self.stretch)
    }
}
