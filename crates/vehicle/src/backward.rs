//! Backward reachability: can the goal be reached at all?
//!
//! A search that has found no path after a while also expands states backwards from the goal, one
//! for every four of its own. Where the goal is in a pocket that nothing leads into, that soon
//! ends, and the search with it; else it would expand all states on the start's side.

use crate::ground::Ground;
use crate::query::{TurningQuery, is_met};
use crate::request::{BackwardScratch, Exit};

/// Expansions before the backward search begins.
pub(crate) const AFTER: u64 = 512;
/// Expansions between its steps.
pub(crate) const EVERY: u64 = 4;

/// The state of a backward search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum BackwardSearch {
    #[default]
    Idle,
    /// How many states are expanded, and how many are found.
    Looking(usize, usize),
    /// It has met the search, or run out of memory.
    Done,
}

impl BackwardSearch {
    /// Takes the states that are the goal, or from which a curve leads there.
    pub(crate) fn begin(
        &mut self,
        query: &TurningQuery<'_>,
        goal: Option<(u32, Option<u32>)>,
        near: u32,
        exits: &[Exit],
        scratch: &mut BackwardScratch<'_>,
    ) {
        let vehicle = query.vehicle;
        *self = BackwardSearch::Looking(0, 0);
        let states = vehicle.headings * vehicle.gears();
        let words = (query.ground.ids() as usize * states as usize).div_ceil(64);
        let seen = scratch.seen.get_mut(..words);
        // Predecessors of places on several layers are not searched.
        let Some(seen) = seen.filter(|_| query.ground.twins.is_empty()) else {
            *self = BackwardSearch::Done;
            return;
        };
        seen.fill(0);
        match goal {
            Some((tile, heading)) => {
                for state in tile * states..(tile + 1) * states {
                    let (_, _, own) = query.parts_of(state);
                    if heading.is_none_or(|heading| heading == own) {
                        self.add(state, scratch);
                    }
                }
            }
            None => {
                let rings = vehicle.view.rings() as i32;
                let mut exits = exits.iter();
                for z in -rings..=rings {
                    for x in -rings..=rings {
                        let tile = moved(query.ground, near, [x, z]);
                        for (state, exit) in (0..states).zip(&mut exits) {
                            if exit.leads() {
                                self.add(tile * states + state, scratch);
                            }
                        }
                    }
                }
            }
        }
    }

    fn add(&mut self, state: u32, scratch: &mut BackwardScratch<'_>) {
        let BackwardSearch::Looking(_, found) = self else {
            return;
        };
        let Some(word) = scratch.seen.get_mut(state as usize / 64) else {
            *self = BackwardSearch::Done;
            return;
        };
        let bit = 1 << (state % 64);
        if *word & bit != 0 {
            return;
        }
        *word |= bit;
        match scratch.queue.get_mut(*found) {
            Some(place) => {
                *place = state;
                *found += 1;
            }
            None => *self = BackwardSearch::Done,
        }
    }

    /// Looks at one more state; `true` when that was all, and nothing that `known` knows leads to
    /// the goal.
    pub(crate) fn is_closed<const W: usize>(
        &mut self,
        query: &TurningQuery<'_>,
        scratch: &mut BackwardScratch<'_>,
        known: impl Fn(u32) -> bool,
    ) -> bool {
        let BackwardSearch::Looking(looked, found) = *self else {
            return false;
        };
        if looked == found {
            return true;
        }
        let Some(&state) = scratch.queue.get(looked) else {
            *self = BackwardSearch::Done;
            return false;
        };
        *self = BackwardSearch::Looking(looked + 1, found);
        if known(state) {
            *self = BackwardSearch::Done;
            return false;
        }
        self.look::<W>(query, state, scratch);
        false
    }

    /// Adds the predecessors of a state.
    fn look<const W: usize>(
        &mut self,
        query: &TurningQuery<'_>,
        state: u32,
        scratch: &mut BackwardScratch<'_>,
    ) {
        let (vehicle, ground) = (query.vehicle, query.ground);
        let (tile, gear, heading) = query.parts_of(state);
        if vehicle.reverse.is_some() {
            self.add(query.state(tile, 1 - gear, heading), scratch);
        }
        for link in query.filter.links_to(tile) {
            self.add(query.state(link.from, gear, heading), scratch);
        }
        let end = vehicle.travel(gear, heading);
        for from in 0..vehicle.headings {
            let (_, moves, masks) = vehicle.moves(gear, vehicle.travel(gear, from));
            let (masks, _) = masks.as_chunks::<W>();
            for (step, mask) in moves.iter().zip(masks) {
                if u32::from(step.to) != end {
                    continue;
                }
                let first = moved(ground, tile, step.offset.map(|o| -i32::from(o)));
                let before = query.state(first, gear, from);
                let word = scratch.seen.get(before as usize / 64);
                let is_new = word.is_some_and(|w| w >> (before % 64) & 1 == 0);
                if !is_new || ground.is_set(first) {
                    continue;
                }
                let window = ground.window::<W>(first, vehicle.half);
                if !is_met(mask, &window) {
                    self.add(before, scratch);
                }
            }
        }
    }
}

fn moved(ground: &Ground<'_>, tile: u32, [x, z]: [i32; 2]) -> u32 {
    tile.wrapping_add_signed(z.wrapping_mul(ground.stride() as i32)).wrapping_add_signed(x)
}
