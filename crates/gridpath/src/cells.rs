//! The cells of a grid map as a space. Squares: steps along x and z, diagonal ones, and links;
//! `hex.rs` has the steps over hexagons.
//!
//! With a turn penalty the cost of a step depends on the one before, so the cheapest path into a
//! cell need not be part of the cheapest path through it. States are then cells with the direction
//! they were entered in.

use core::cell::Cell;

use navbake_format::{CellId, GridMapView};
use navbake_search::Heuristic;

use crate::GridPlanner;
use crate::filter::{LandmarkParts, Own};
use crate::heuristic::between;
use crate::jump::{Jumper, Turned};
use crate::links::{CellLink, Detour};
use crate::metric::Metric;
use crate::moves::{self, CUTTING, DIAGONAL, EIGHT, FOUR, STEPS};
use crate::scratch::{GridGoal, GridNode};
use crate::search::NONE;
use crate::space::{Space, Step};

/// Directions of states where turns cost something: eight, and none.
pub(crate) const HEADINGS: u32 = 9;

/// What the estimate assumes of the ground ahead.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ground {
    /// The same everywhere: the least costs of coming nearer by one column or row, and by both.
    Same([u64; 2]),
    /// What the cell itself costs.
    Own,
}

/// What is closed beside blocked cells. Empty where there is no filter.
#[derive(Clone, Copy, Default)]
pub(crate) struct Closed<'a> {
    /// Free cells that a switch closes, a bit an id.
    pub(crate) cells: &'a [u64],
    /// Cells with walls without width beside them, and the directions of these, in rising order.
    pub(crate) walls: &'a [(CellId, u8)],
}

impl Closed<'_> {
    /// Does a switch close the cell?
    pub(crate) fn holds(&self, cell: CellId) -> bool {
        is_set(self.cells, cell)
    }

    /// The directions with a wall, of squares the straight ones.
    pub(crate) fn walls_of(&self, cell: CellId) -> u8 {
        let at = self.walls.binary_search_by_key(&cell, |wall| wall.0);
        at.ok().and_then(|at| self.walls.get(at)).map_or(0, |wall| wall.1)
    }
}

/// A grid map with the costs and goals of a search.
pub(crate) struct Cells<'a, 'm> {
    pub(crate) map: GridMapView<'m>,
    pub(crate) metric: &'a Metric,
    /// Costs of single cells in parts, by id; empty where all cost what their terrain does.
    pub(crate) costs: &'a [u32],
    pub(crate) closed: Closed<'a>,
    /// The links that may be taken, by the cells where the search takes them, in rising order.
    pub(crate) links: &'a [CellLink],
    /// A bit for each cell that links are taken from; where costs differ, also beside others.
    pub(crate) stops: &'a [u64],
    pub(crate) turned: Option<Turned<'a>>,
    pub(crate) detours: &'a [Detour],
    /// Raise estimates where there are some.
    pub(crate) landmarks: Option<LandmarkParts<'a>>,
    /// Finds the cells that are free for this unit only, as it stands on others.
    pub(crate) own: Option<Own<'a>>,
    pub(crate) goals: &'a [GridGoal],
    pub(crate) planner: GridPlanner,
    pub(crate) heuristic: Heuristic,
    pub(crate) ground: Ground,
    /// Diagonal steps past one blocked cell.
    pub(crate) cutting: bool,
    /// From the goals to the start.
    pub(crate) reverse: bool,
    /// The start is on forbidden or closed ground.
    pub(crate) leaves: bool,
    /// The start, where a search from the goals leads to a cell that the unit does not fit on.
    pub(crate) tight: Option<CellId>,
    /// Steps are left out where another path is as short.
    pub(crate) prune: bool,
    /// Nodes are only made where a path may bend.
    pub(crate) jumps: bool,
    /// Parts of runs looked along.
    pub(crate) looked: Cell<u32>,
}

impl Cells<'_, '_> {
    /// The cell of a state.
    pub(crate) fn cell(&self, state: u32) -> CellId {
        CellId(if self.metric.penalty > 0 { state / HEADINGS } else { state })
    }

    /// The state of a cell, entered in a direction.
    pub(crate) fn state(&self, cell: CellId, direction: u8) -> u32 {
        match self.metric.penalty > 0 {
            true => cell.0 * HEADINGS + u32::from(direction),
            false => cell.0,
        }
    }

    /// Is it free for this unit?
    pub(crate) fn is_free(&self, cell: CellId) -> bool {
        self.map.is_free(cell) || self.own.is_some_and(|own| own.frees(&self.map, cell))
    }

    /// Units of cost of a step onto a cell.
    #[inline]
    pub(crate) fn units(&self, cell: CellId) -> u32 {
        let terrain = self.map.terrain(cell);
        match self.costs.get(cell.0 as usize) {
            Some(&units) if self.metric.enters(terrain) => units,
            _ => self.metric.units(terrain),
        }
    }

    /// The estimate from a cell.
    pub(crate) fn estimate_from(&self, cell: CellId, heuristic: Heuristic) -> u64 {
        let by_landmarks = self.landmarks.map_or(0, |landmarks| self.bound(&landmarks, cell));
        if heuristic == Heuristic::Zero {
            return by_landmarks;
        }
        let costs = match self.ground {
            Ground::Same(costs) => costs,
            Ground::Own => self.metric.nearer(Some(self.metric.price(self.units(cell)))),
        };
        let [column, row] = self.map.column_row(cell).map(|c| c as i32);
        let shape = self.map.shape();
        let remains = |to| between(shape, heuristic, costs, [column, row], to);
        let mut least = u64::MAX;
        for goal in self.goals {
            least = least.min(remains([goal.column, goal.row]));
        }
        for detour in self.detours {
            least = least.min(remains(detour.at).saturating_add(detour.rest));
        }
        least.max(by_landmarks)
    }

    /// The landmarks' lower bound of the cost from a cell to the nearest goal, or of the cost back
    /// in a search from the goals.
    fn bound(&self, landmarks: &LandmarkParts<'_>, cell: CellId) -> u64 {
        let bounds = self.goals.iter().map(|goal| match self.reverse {
            true => landmarks.between(goal.cell, cell),
            false => landmarks.between(cell, goal.cell),
        });
        let least = bounds.fold(f64::INFINITY, f64::min);
        if least.is_finite() { self.metric.below(least) } else { 0 }
    }

    /// May a path lead from a cell to one that is free? Ground that is closed, and ground that its
    /// cost alone forbids, is entered from such ground alone.
    pub(crate) fn may_enter(&self, from: CellId, to: CellId) -> bool {
        match self.closed.holds(to) {
            true => self.closed.holds(from),
            false => !self.is_forbidden(to) || self.is_forbidden(from),
        }
    }

    /// Is it forbidden by its cost?
    pub(crate) fn is_forbidden(&self, cell: CellId) -> bool {
        !self.metric.enters(self.map.terrain(cell))
    }

    /// Is it neither forbidden nor closed?
    pub(crate) fn is_plain(&self, cell: CellId) -> bool {
        !self.is_forbidden(cell) && !self.closed.holds(cell)
    }

    /// The free cells around a cell, by direction; where the path is on plain ground all along,
    /// the plain ones.
    #[inline]
    fn around(&self, cell: CellId, offsets: &[i32; 8]) -> u8 {
        let mut around = moves::eight(self.map.around(cell));
        let beside = |d: usize| CellId(cell.0.wrapping_add_signed(offsets[d]));
        if let Some(own) = &self.own {
            for d in (0..8).filter(|&d| own.frees(&self.map, beside(d))) {
                around |= 1 << d;
            }
        }
        if !self.leaves && (self.metric.has_blocked || !self.closed.cells.is_empty()) {
            for d in 0..8 {
                if around >> d & 1 != 0 && !self.is_plain(beside(d)) {
                    around &= !(1 << d);
                }
            }
        }
        around
    }

    /// The steps that forbidden ground and walls without width leave, into cells of `around`.
    ///
    /// A diagonal step is two straight ones, in either order; both orders must be open, or one
    /// where corners may be cut. Of the cell beside the step it matters whether the path could
    /// enter it.
    fn careful(&self, cell: CellId, around: u8, offsets: &[i32; 8]) -> u8 {
        let diagonals = self.planner == GridPlanner::Grid8;
        let at = |d: u8| CellId(cell.0.wrapping_add_signed(offsets[usize::from(d)]));
        let is_tight = |d: &u8| self.tight == Some(at(*d));
        let mut steps = 0;
        for d in (0..8u8).filter(|d| around >> d & 1 != 0 || is_tight(d)) {
            let to = at(d);
            let [first, last] = if self.reverse { [to, cell] } else { [cell, to] };
            let [dx, dz] = STEPS[usize::from(d)];
            let is_open = if DIAGONAL >> d & 1 == 0 {
                self.closed.walls_of(cell) >> d & 1 == 0
            } else {
                let (x, z) = (moves::direction(dx, 0), moves::direction(0, dz));
                let past = |one: u8, other: u8| {
                    around >> one & 1 != 0
                        && self.may_enter(first, at(one))
                        && self.closed.walls_of(cell) >> one & 1 == 0
                        && self.closed.walls_of(at(one)) >> other & 1 == 0
                };
                let open = u8::from(past(x, z)) + u8::from(past(z, x));
                diagonals && open >= if self.cutting { 1 } else { 2 }
            };
            if is_open && self.may_enter(first, last) {
                steps |= 1 << d;
            }
        }
        steps
    }

    /// The link between two cells that the search took, the cheapest.
    pub(crate) fn link_between(&self, from: CellId, to: CellId) -> Option<&CellLink> {
        let between = self.links_at(from).iter().filter(|link| link.end(self.reverse) == to);
        between.min_by_key(|link| self.metric.link(link.cost))
    }

    /// The links that the search takes at a cell.
    fn links_at(&self, cell: CellId) -> &[CellLink] {
        let start = |link: &CellLink| link.start(self.reverse);
        let first = self.links.partition_point(|link| start(link) < cell);
        let count = self.links[first..].iter().take_while(|link| start(link) == cell).count();
        &self.links[first..first + count]
    }

    /// Calls `each` with every link out of a cell.
    pub(crate) fn each_link(&self, cell: CellId, mut each: impl FnMut(Step)) {
        if !is_set(self.stops, cell) {
            return;
        }
        for link in self.links_at(cell) {
            let to = link.end(self.reverse);
            let [first, last] = if self.reverse { [to, cell] } else { [cell, to] };
            let is_free = self.is_free(to) || self.tight == Some(to);
            if is_free && self.may_enter(first, last) {
                let cost = self.metric.link(link.cost);
                each(Step { to: self.state(to, NONE), cost, direction: NONE });
            }
        }
    }
}

/// Is a cell's bit set?
pub(crate) fn is_set(bits: &[u64], cell: CellId) -> bool {
    bits.get(cell.0 as usize / 64).is_some_and(|word| word >> (cell.0 % 64) & 1 != 0)
}

impl Space for Cells<'_, '_> {
    #[inline]
    fn each_step(&self, node: &GridNode, mut each: impl FnMut(Step)) {
        if self.planner == GridPlanner::Hex {
            return self.each_step_over_hexagons(node, each);
        }
        let stride = self.map.stride() as i32;
        let offsets: [i32; 8] = core::array::from_fn(|d| STEPS[d][1] * stride + STEPS[d][0]);
        let cell = self.cell(node.state);
        let metric = self.metric;
        let around = self.around(cell, &offsets);
        let diagonals = self.planner == GridPlanner::Grid8;
        let is_plain = !self.leaves && self.tight.is_none() && self.closed.walls.is_empty();
        let mut steps = if !is_plain {
            self.careful(cell, around, &offsets)
        } else if diagonals && self.cutting {
            CUTTING[usize::from(around)]
        } else {
            let table = if diagonals { &EIGHT } else { &FOUR };
            let before = if self.prune { node.direction } else { NONE };
            if before != NONE && !metric.is_uniform && is_set(self.stops, cell) {
                let all = table[usize::from(NONE)][usize::from(around)];
                self.worth_trying(cell, around, before, all, &offsets)
            } else {
                table[usize::from(before)][usize::from(around)]
            }
        };
        let jumper = Jumper {
            map: &self.map,
            goals: self.goals,
            stops: self.stops,
            turned: self.turned,
            diagonal: diagonals,
            looked: &self.looked,
        };
        // Against the direction of travel a step costs what the cell that is left costs.
        let own = if self.reverse && !metric.is_uniform { self.units(cell) } else { 0 };
        while steps != 0 {
            let d = steps.trailing_zeros() as usize;
            steps &= steps - 1;
            let mut to = CellId(cell.0.wrapping_add_signed(offsets[d]));
            let diagonal = DIAGONAL >> d & 1 != 0;
            let mut count = 1;
            if self.jumps {
                let Some((end, steps)) = jumper.run(cell, d) else {
                    continue;
                };
                (to, count) = (end, steps);
            }
            // All steps of a run cost the same: it ends at the first cell beside another cost.
            let mut cost = match metric.is_uniform {
                true => metric.least_step(diagonal),
                false => metric.step(if self.reverse { own } else { self.units(to) }, diagonal),
            };
            cost *= u64::from(count);
            if metric.penalty > 0 && node.direction != NONE && usize::from(node.direction) != d {
                cost += metric.penalty;
            }
            each(Step { to: self.state(to, d as u8), cost, direction: d as u8 });
        }
        self.each_link(cell, each);
    }

    #[inline]
    fn estimate(&self, state: u32) -> u64 {
        self.estimate_from(self.cell(state), self.heuristic)
    }

    #[inline]
    fn is_goal(&self, state: u32) -> bool {
        let cell = self.cell(state);
        self.goals.iter().any(|goal| goal.cell == cell)
    }

    #[inline]
    fn looked(&self) -> u32 {
        self.looked.get()
    }
}
