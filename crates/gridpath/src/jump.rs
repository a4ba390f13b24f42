//! Jumps: cells of a run from which only the run goes on need no place on the open list (Harabor
//! and Grastien, *Online graph pruning for pathfinding on grid maps*, 2011; without cut corners:
//! Rabin and Silva, *JPS+*, 2015).
//!
//! The steps tried are those of `moves.rs`, no fewer; only nodes are saved. A run ends where one
//! may turn off it for good: at a goal or a link, and beside a cell that opens up behind a blocked
//! one. A run in the preferred direction (diagonal, or along x where there are no diagonal steps)
//! sends out runs to its sides from each cell, and ends where one of those finds something.

use core::cell::Cell;

use navbake_format::{CellId, GridMapView};

use crate::cells::is_set;
use crate::moves::STEPS;
use crate::scratch::GridGoal;

/// The most cells of a run that sends out runs to its sides: it goes on from there if the place is
/// ever the best one. So no state looks over a whole open map, and few over ground that no path
/// reaches.
const FURTHEST: u32 = 64;

/// Runs over a map to some goals.
#[derive(Clone, Copy)]
pub(crate) struct Jumper<'a, 'm> {
    pub(crate) map: &'a GridMapView<'m>,
    pub(crate) goals: &'a [GridGoal],
    /// Cells where runs end, a bit each, as links lead on from them; empty without links.
    pub(crate) stops: &'a [u64],
    /// The same map and stops with columns for rows, if there is such a copy.
    pub(crate) turned: Option<Turned<'a>>,
    /// Are there diagonal steps?
    pub(crate) diagonal: bool,
    /// Counts the words of lines that are looked at, and every eighth of single cells.
    pub(crate) looked: &'a Cell<u32>,
}

/// A map whose lines are the columns of another, with the same rim.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turned<'a> {
    pub(crate) bits: &'a [u64],
    pub(crate) stops: &'a [u64],
    /// Words of a column.
    pub(crate) words: usize,
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

    fn along_x(&self, from: CellId, dx: i32) -> Run {
        let lines = Lines {
            word: |at| self.map.word(at),
            count: self.map.id_count() as usize / 64,
            words: self.map.stride() as usize / 64,
            stops: self.stops,
            looked: self.looked,
        };
        let goals = self.goals.iter().map(|goal| goal.cell.0);
        let steps = lines.run(from.0, dx > 0, goals)?;
        Some((self.moved(from, dx * steps as i32, 0), steps))
    }

    fn along_z(&self, from: CellId, dz: i32) -> Run {
        if let Some(turned) = self.turned {
            let lines = Lines {
                word: |at| turned.bits.get(at).copied().unwrap_or(0),
                count: turned.bits.len(),
                words: turned.words,
                stops: turned.stops,
                looked: self.looked,
            };
            // The rim comes before the first column and row.
            let at = |column: i32, row: i32| {
                (column + 1) as u32 * turned.words as u32 * 64 + (row + 1) as u32
            };
            let [column, row] = self.map.column_row(from).map(|c| c as i32);
            let goals = self.goals.iter().filter(|goal| goal.cell != GridGoal::NOWHERE);
            let goals = goals.map(|goal| at(goal.column, goal.row));
            let steps = lines.run(at(column, row), dz > 0, goals)?;
            return Some((self.moved(from, 0, dz * steps as i32), steps));
        }
        let (mut cell, mut before) = (from, self.map.beside(from));
        for steps in 1.. {
            cell = self.moved(cell, 0, dz);
            // Eight cells take about as long as a word of 64.
            self.looked.set(self.looked.get().wrapping_add(u32::from(steps % 8 == 1)));
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
            if sides || self.is_end(cell) || steps == FURTHEST {
                return Some((cell, steps));
            }
        }
        None
    }
}

/// A map by lines of words, 64 cells each.
struct Lines<'a, W> {
    word: W,
    /// All words, and those of a line.
    count: usize,
    words: usize,
    stops: &'a [u64],
    looked: &'a Cell<u32>,
}

impl<W: Fn(usize) -> u64> Lines<'_, W> {
    /// The steps of a run along a line from a bit, a word at a time: 64 cells of the line and of
    /// those beside it. `goals` are bits, on this line or others.
    #[inline]
    fn run(&self, from: u32, forward: bool, goals: impl Iterator<Item = u32>) -> Option<u32> {
        let (mut at, bit) = (from as usize / 64, from % 64);
        // What is ahead in the first word.
        let mut ahead = match forward {
            true => (u64::MAX << bit) << 1,
            false => !(u64::MAX << bit),
        };
        let word = &self.word;
        // A cell beside the line opens up where the one before it is blocked.
        let opens = |at: usize| {
            let own = word(at);
            let before = match forward {
                true => own << 1 | word(at.wrapping_sub(1)) >> 63,
                false => own >> 1 | word(at + 1) << 63,
            };
            own & !before
        };
        let mut looked = self.looked.get();
        let end = loop {
            looked = looked.wrapping_add(1);
            let free = word(at);
            let links = self.stops.get(at).copied().unwrap_or(0);
            let opens = opens(at.wrapping_sub(self.words)) | opens(at + self.words);
            let ends = (!free | links | opens) & ahead;
            if ends != 0 {
                let bit = match forward {
                    true => ends.trailing_zeros(),
                    false => 63 - ends.leading_zeros(),
                };
                break at as u32 * 64 + bit;
            }
            // The rim ends every run of a map that passed its checks.
            at = at.wrapping_add_signed(if forward { 1 } else { -1 });
            if at >= self.count {
                return None;
            }
            ahead = u64::MAX;
        };
        self.looked.set(looked);
        let reach = |to: u32| to.abs_diff(from);
        let is_ahead = |to: u32| (to > from) == forward && to != from;
        let before_end = goals.filter(|&to| is_ahead(to) && reach(to) < reach(end));
        match before_end.map(reach).min() {
            Some(steps) => Some(steps),
            None => (word(end as usize / 64) >> (end % 64) & 1 != 0).then_some(reach(end)),
        }
    }
}
