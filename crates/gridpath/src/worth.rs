//! The steps that are worth trying beside ground of another cost. They are left out for the reasons
//! of `moves.rs` (Carlson, Moghadam, Harabor and Stuckey, *Optimal pathfinding on weighted grid
//! maps*, 2023).

use navbake_format::CellId;

use crate::GridPlanner;
use crate::cells::Cells;
use crate::moves::{self, STEPS};

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
        let diagonals = self.planner == GridPlanner::Grid8;
        let units: [u32; 8] = core::array::from_fn(|d| match around >> d & 1 {
            0 => 0,
            _ => self.units(CellId(cell.0.wrapping_add_signed(offsets[d]))),
        });
        let own = self.units(cell);
        let is_middle = |[x, z]: [i32; 2]| x == 0 && z == 0;
        let place = |[x, z]: [i32; 2]| usize::from(moves::direction(x, z));
        let is_free = |at: [i32; 2]| is_middle(at) || around >> place(at) & 1 != 0;
        let is_slant = |a: [i32; 2], b: [i32; 2]| a[0] != b[0] && a[1] != b[1];
        let cost = |a: [i32; 2], b: [i32; 2]| {
            let paid = if self.reverse { a } else { b };
            let units = if is_middle(paid) { own } else { units[place(paid)] };
            self.metric.step(units, is_slant(a, b))
        };
        let is_step = |a: [i32; 2], b: [i32; 2]| {
            let near = (a[0] - b[0]).abs() <= 1 && (a[1] - b[1]).abs() <= 1 && a != b;
            let may = || diagonals && is_free([a[0], b[1]]) && is_free([b[0], a[1]]);
            near && is_free(b) && (!is_slant(a, b) || may())
        };
        // Of equal paths the one that ends with the other kind of step is kept.
        let goes_first = |a: [i32; 2], b: [i32; 2]| match diagonals {
            true => is_slant(a, b),
            false => a[0] != b[0],
        };
        let from = STEPS[usize::from(before)].map(|c| -c);
        let first = cost(from, [0, 0]);
        let is_better = |to: [i32; 2]| {
            let through = first + cost([0, 0], to);
            let is_less = |others: u64, last: [i32; 2]| {
                others < through
                    || (others == through && goes_first([0, 0], to) && !goes_first(last, to))
            };
            (is_step(from, to) && is_less(cost(from, to), from))
                || STEPS.iter().any(|&over| {
                    let leads = is_step(from, over) && is_step(over, to);
                    leads && is_less(cost(from, over) + cost(over, to), over)
                })
        };
        let mut steps = all & !(1 << place(from));
        for (d, &to) in STEPS.iter().enumerate() {
            if steps >> d & 1 != 0 && is_better(to) {
                steps &= !(1 << d);
            }
        }
        steps
    }
}
