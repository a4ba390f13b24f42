//! Jumps: cells of a run from which only the run goes on need no place on the open list (Harabor
//! and Grastien, *Online graph pruning for pathfinding on grid maps*, 2011; without cut corners:
//! Rabin and Silva, *JPS+*, 2015).
//!
//! The steps tried are those of `moves.rs`, no fewer; only nodes are saved. A run ends where one
//! may turn off it for good: at a goal or a link, and beside a cell that opens up behind a blocked one. A run
//! in the preferred direction (diagonal, or along x where there are no diagonal steps) sends out
//! runs to its sides from each cell, and ends where one of those finds something.

use navbake_format::{CellId, GridMapView};

use crate::moves::STEPS;
use crate::scratch::GridGoal;
use crate::square::is_set;

/// Runs over a map to some goals.
#[derive(Clone, Copy)]
pub(crate) struct Jumper<'a, 'm> {
    pub(crate) map: &'a GridMapView<'m>,
    pub(crate) goals: &'a [GridGoal],
    /// Cells where runs end, a bit each, as links lead on from them.
    pub(crate) stops: &'a [u64],
    /// Are there diagonal steps?
    pub(crate) diagonal: bool,
}

/// Where a run leads, and its number of steps.
pub(crate) type Run = Option<(CellId, u32)>;

impl Jumper<'_, '_> {
    /// The end of the run in a direction; `None` when it ends at a blocked cell.
    pub(crate) fn run(&self, from: CellId, direction: usize) -> Run {
        let [dx, dz] = STEPS[direction];
        match (dx, dz) {
            (_, 0) if self.diagonal => self.along_x(from, dx),
            (0, _) => self.along_z(from, dz),
            _ => self.with_sides(from, dx, dz),
        }
    }

    /// Does a run end here, at a goal or a link?
    fn is_end(&self, cell: CellId) -> bool {
        self.goals.iter().any(|goal| goal.cell == cell) || is_set(self.stops, cell)
    }

    fn moved(&self, cell: CellId, dx: i32, dz: i32) -> CellId {
        let by = dz * self.map.stride() as i32 + dx;
        CellId(cell.0.wrapping_add_signed(by))
    }

    /// A word a time: 64 cells of the row and of those beside it.
    fn along_x(&self, from: CellId, dx: i32) -> Run {
        let words = self.map.stride() as usize / 64;
        let (mut word, bit) = (from.0 as usize / 64, from.0 % 64);
        // What is ahead in the first word.
        let mut ahead = match dx > 0 {
            true => (u64::MAX << bit) << 1,
            false => !(u64::MAX << bit),
        };
        // A cell beside the row opens up where the one before it is blocked.
        let opens = |at: usize| {
            let own = self.map.word(at);
            let before = match dx > 0 {
                true => own << 1 | self.map.word(at.wrapping_sub(1)) >> 63,
                false => own >> 1 | self.map.word(at + 1) << 63,
            };
            own & !before
        };
        let end = loop {
            let free = self.map.word(word);
            let links = self.stops.get(word).copied().unwrap_or(0);
            let opens = opens(word.wrapping_sub(words)) | opens(word + words);
            let stops = (!free | links | opens) & ahead;
            if stops != 0 {
                let bit = match dx > 0 {
                    true => stops.trailing_zeros(),
                    false => 63 - stops.leading_zeros(),
                };
                break word as u32 * 64 + bit;
            }
            // The rim ends every run of a map that passed its checks.
            word = word.wrapping_add_signed(dx as isize);
            if word >= self.map.id_count() as usize / 64 {
                return None;
            }
            ahead = u64::MAX;
        };
        let reach = |to: u32| to.abs_diff(from.0);
        let ahead = |to: u32| (to > from.0) == (dx > 0) && to != from.0;
        let on_the_way = self.goals.iter().map(|goal| goal.cell.0);
        let goal = on_the_way
            .filter(|&to| ahead(to) && reach(to) < reach(end))
            .min_by_key(|&to| reach(to));
        match goal {
            Some(to) => Some((CellId(to), reach(to))),
            None if self.map.is_free(CellId(end)) => Some((CellId(end), reach(end))),
            None => None,
        }
    }

    fn along_z(&self, from: CellId, dz: i32) -> Run {
        let (mut cell, mut before) = (from, self.map.beside(from));
        for steps in 1.. {
            cell = self.moved(cell, 0, dz);
            let here = self.map.beside(cell);
            if here & 2 == 0 {
                return None;
            }
            if here & !before & 5 != 0 || self.is_end(cell) {
                return Some((cell, steps));
            }
            before = here;
        }
        None
    }

    /// In the preferred direction.
    fn with_sides(&self, from: CellId, dx: i32, dz: i32) -> Run {
        let mut cell = from;
        for steps in 1.. {
            let open = |dx, dz| self.map.is_free(self.moved(cell, dx, dz));
            let slant = dz != 0;
            if !open(dx, dz) || (slant && !(open(dx, 0) && open(0, dz))) {
                return None;
            }
            cell = self.moved(cell, dx, dz);
            let sides = if slant {
                self.along_z(cell, dz).is_some() || self.along_x(cell, dx).is_some()
            } else {
                self.along_z(cell, 1).is_some() || self.along_z(cell, -1).is_some()
            };
            if sides || self.is_end(cell) {
                return Some((cell, steps));
            }
        }
        None
    }
}
