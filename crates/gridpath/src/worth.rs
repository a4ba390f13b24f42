//! The steps that are worth trying beside ground of another cost. They are left out for the reasons
//! of `moves.rs` (Carlson, Moghadam, Harabor and Stuckey, *Optimal pathfinding on weighted grid
//! maps*, 2023).

use navbake_format::CellId;

use crate::GridPlanner;
use crate::cells::Cells;
use crate::metric::Metric;
use crate::moves::{self, STEPS};

/// The middle of a [`Ring`].
const MIDDLE: [i32; 2] = [0, 0];

/// A cell and the eight around it. Places are steps from the middle along x and z.
struct Ring<'a> {
    metric: &'a Metric,
    planner: GridPlanner,
    reverse: bool,
    /// Which of the eight are free, by directions.
    free: u8,
    /// What a metre of them costs.
    units: [u32; 8],
    /// The same of the middle.
    own: u32,
}

fn is_slant(a: [i32; 2], b: [i32; 2]) -> bool {
    a[0] != b[0] && a[1] != b[1]
}

impl Ring<'_> {
    fn direction([x, z]: [i32; 2]) -> usize {
        usize::from(moves::direction(x, z))
    }

    fn is_free(&self, at: [i32; 2]) -> bool {
        at == MIDDLE || self.free >> Self::direction(at) & 1 != 0
    }

    fn is_step(&self, a: [i32; 2], b: [i32; 2]) -> bool {
        let near = (a[0] - b[0]).abs() <= 1 && (a[1] - b[1]).abs() <= 1 && a != b;
        let may_cross = || {
            let diagonals = self.planner == GridPlanner::Grid8;
            diagonals && self.is_free([a[0], b[1]]) && self.is_free([b[0], a[1]])
        };
        near && self.is_free(b) && (!is_slant(a, b) || may_cross())
    }

    fn cost(&self, a: [i32; 2], b: [i32; 2]) -> u64 {
        let paid = if self.reverse { a } else { b };
        let units = if paid == MIDDLE { self.own } else { self.units[Self::direction(paid)] };
        self.metric.step(units, is_slant(a, b))
    }

    /// Is a step of the kind that is preferred? Of equal paths the one that ends with the other
    /// kind is kept.
    fn goes_first(&self, a: [i32; 2], b: [i32; 2]) -> bool {
        match self.planner {
            GridPlanner::Grid8 => is_slant(a, b),
            _ => a[0] != b[0],
        }
    }

    /// Is there a better path from one place to another than the one through the middle?
    fn has_better(&self, from: [i32; 2], to: [i32; 2]) -> bool {
        let through = self.cost(from, MIDDLE) + self.cost(MIDDLE, to);
        let is_less = |others: u64, last: [i32; 2]| {
            let wins_ties = self.goes_first(MIDDLE, to) && !self.goes_first(last, to);
            others < through || (others == through && wins_ties)
        };
        (self.is_step(from, to) && is_less(self.cost(from, to), from))
            || STEPS.iter().any(|&over| {
                let leads = self.is_step(from, over) && self.is_step(over, to);
                leads && is_less(self.cost(from, over) + self.cost(over, to), over)
            })
    }
}

impl Cells<'_, '_> {
    /// The steps of `all` that are worth trying from a cell after one in the direction `before`.
    ///
    /// A step from cell n to m after one from p to n is left out where another path of at most two
    /// steps from p to m past n costs less, or as much with the preferred step first. `moves.rs`
    /// says why distances stay the same: a step of the kind that comes last is left out only for
    /// less cost, and a shortest path to the nearest cell with a wrong distance ends with one.
    pub(crate) fn worth_trying(
        &self,
        cell: CellId,
        around: u8,
        before: u8,
        all: u8,
        offsets: &[i32; 8],
    ) -> u8 {
        let units = core::array::from_fn(|d| match around >> d & 1 {
            0 => 0,
            _ => self.units(CellId(cell.0.wrapping_add_signed(offsets[d]))),
        });
        let own = self.units(cell);
        let (metric, planner, reverse) = (self.metric, self.planner, self.reverse);
        let ring = Ring { metric, planner, reverse, free: around, units, own };
        let from = STEPS[usize::from(before)].map(|c| -c);
        let mut steps = all & !(1 << Ring::direction(from));
        for (d, &to) in STEPS.iter().enumerate() {
            if steps >> d & 1 != 0 && ring.has_better(from, to) {
                steps &= !(1 << d);
            }
        }
        steps
    }
}
