//! Costs as whole numbers.
//!
//! A path of a straight and b diagonal steps costs a + b sqrt 2. Sums of floating-point numbers
//! depend on the order of the steps, so that equally long paths would differ. Here a cost is the
//! whole number `a K + b S`, with K a power of two and S the least whole number above `K sqrt 2`:
//! it adds up exactly, and estimates made of the same two numbers are exactly consistent. Of two
//! costs whose a and b do not exceed N, the lesser is also lesser by the true square root when `K >
//! 1.5 N^2`, since `|a + b sqrt 2|` is at least `1 / (|a| + |b| sqrt 2)` for whole numbers that are
//! not both 0, and S is off by less than 1. K is as large as the map allows in 64 bits: enough for
//! every path on a million cells of one cost.
//!
//! Costs of terrains and the penalty are whole multiples of 1/1024, of which the greatest common
//! divisor is taken out. So are those of single cells, where there are any, by no divisor.

use navbake_format::{CellId, GridMapView};

/// Costs are multiples of one of this many parts of a straight step.
const PARTS: f64 = 1024.0;
/// The greatest cost of a terrain, of a diagonal step and of a turn, in straight steps.
pub(crate) const MOST: f64 = 1024.0;
/// The greatest cost of a link, in straight steps.
const MOST_LINK: f64 = 1e6;
/// Units of a terrain that cannot be entered.
const FORBIDDEN: u32 = u32::MAX;

/// What a search pays, in straight steps.
#[derive(Clone, Copy)]
pub(crate) struct Prices<'a> {
    /// For entering a cell, by terrain; 1 for all when empty.
    pub(crate) terrains: &'a [f64],
    pub(crate) diagonal: f64,
    pub(crate) turn: f64,
    /// For all links together, in [`link_parts`].
    pub(crate) links: u64,
    /// The least and the greatest cost of a cell in [`parts`], where cells have costs of their own.
    pub(crate) cells: Option<[u32; 2]>,
}

/// The whole numbers of a search.
#[derive(Clone, Debug)]
pub(crate) struct Metric {
    /// Units of cost of each terrain.
    units: [u32; 256],
    /// Units of the cheapest terrain on the map, and of a step on ground that is only left.
    least_units: u32,
    /// Units of the penalty of a step that is not straight on.
    penalty_units: u32,
    /// Units in a straight step of cost 1, with a fraction.
    pub(crate) units_a_step: f64,
    /// A straight unit.
    k: u64,
    /// A diagonal unit.
    s: u64,
    /// A diagonal step in straight ones.
    diagonal: f64,
    /// Of a turn.
    pub(crate) penalty: u64,
    /// All terrains on the map that can be entered cost the same, and diagonal steps cost the
    /// square root of 2.
    pub(crate) is_uniform: bool,
    /// Diagonal steps cost the square root of 2, and all ground costs something.
    pub(crate) is_usual: bool,
    /// Is there ground that is free and cannot be entered?
    pub(crate) has_blocked: bool,
}

/// A cost in parts; `None` where it is none that is allowed.
pub(crate) fn parts(cost: f64) -> Option<u32> {
    (0.0..=MOST).contains(&cost).then(|| {
        // What costs something does not become free.
        ((cost * PARTS + 0.5) as u32).max(u32::from(cost > 0.0))
    })
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The least and a greatest of the units of terrains that are on the map: they differ if any do.
///
/// Looks at cells until one of the cheapest terrain and one of another are found: at all of them
/// where the map has none of the cheapest. `own` are cells that are free for the unit alone. `None`
/// where there are none that can be entered.
fn on_map(
    map: &GridMapView<'_>,
    units: &[u32],
    own: impl Iterator<Item = CellId>,
) -> Option<[u32; 2]> {
    let enterable = || units.iter().copied().filter(|&u| u != FORBIDDEN);
    let (lowest, highest) = (enterable().min()?, enterable().max()?);
    if lowest == highest {
        return Some([lowest; 2]);
    }
    let (mut least, mut most) = (FORBIDDEN, None);
    for id in own.chain((0..map.id_count()).map(CellId).filter(|&id| map.is_free(id))) {
        let units = units.get(usize::from(map.terrain(id))).copied().unwrap_or(FORBIDDEN);
        if units != FORBIDDEN {
            (least, most) = (least.min(units), most.max(Some(units)));
        }
        if least == lowest && most > Some(least) {
            break;
        }
    }
    most.map(|most| [least, most])
}

impl Metric {
    /// `own` are cells that are free for the unit alone.
    pub(crate) fn new(
        map: &GridMapView<'_>,
        prices: &Prices<'_>,
        own: impl Iterator<Item = CellId>,
    ) -> Metric {
        let mut units = [FORBIDDEN; 256];
        let all = usize::from(map.terrain_count()).min(256);
        let terrains =
            if prices.terrains.is_empty() { all } else { all.min(prices.terrains.len()) };
        for (t, units) in units.iter_mut().enumerate().take(terrains) {
            let cost = match prices.terrains {
                [] => Some(1.0),
                costs => costs.get(t).copied(),
            };
            *units = cost.and_then(parts).unwrap_or(FORBIDDEN);
        }
        // A penalty of less than nothing would make cycles pay.
        let penalty = parts(prices.turn.clamp(0.0, MOST)).unwrap_or(0);
        let is_allowed = |u: &u32| *u != FORBIDDEN;
        let used = &mut units[..terrains];
        // Where nothing can be entered, a start on such ground can still move on it.
        let nowhere = if used.iter().any(is_allowed) { 0 } else { PARTS as u32 };
        let root = prices.diagonal == core::f64::consts::SQRT_2;
        let usual = |cost: f64| !cost.is_nan() && !root;
        let (diagonal, exact) = match parts(prices.diagonal) {
            Some(own) if usual(prices.diagonal) => (f64::from(own) / PARTS, true),
            _ => (core::f64::consts::SQRT_2, false),
        };
        // Costs of links, of diagonal steps and of single cells are whole parts: only where there
        // are none can a unit be larger.
        let whole = u32::from(exact || prices.links > 0 || prices.cells.is_some());
        let divisor = (used.iter().copied().filter(is_allowed))
            .fold(gcd(gcd(penalty, nowhere), whole), gcd)
            .max(1);
        used.iter_mut().filter(|u| is_allowed(u)).for_each(|u| *u /= divisor);
        let penalty_units = penalty / divisor;
        let most = used.iter().copied().filter(is_allowed).max().unwrap_or(nowhere / divisor);
        let on_map = || on_map(map, used, own).unwrap_or([most; 2]);
        let [least, dearest] = prices.cells.unwrap_or_else(on_map);
        let most = most.max(dearest);
        let states = u64::from(map.free_count()).max(1) * if penalty > 0 { 9 } else { 1 };
        // The dearest path through all states and links, rounded up; states alone take less than
        // 2^31 * 2^22.
        let step = diagonal.max(1.0) * f64::from(most.max(1)) + f64::from(penalty_units);
        let longest = states.saturating_mul((step + 1.0) as u64).saturating_add(prices.links);
        let k = 1u64 << ((1u64 << 62) / longest.max(1)).max(1 << 10).ilog2().min(44);
        let s = match exact {
            true => (diagonal * k as f64) as u64, // whole, as k is a multiple of the parts
            // 2 K^2 is no square: its root is a whole number of halves of an odd power of two.
            false => (2 * u128::from(k) * u128::from(k)).isqrt() as u64 + 1,
        };
        let has_blocked = terrains < all || used.contains(&FORBIDDEN);
        Metric {
            units,
            least_units: least,
            penalty_units,
            units_a_step: PARTS / f64::from(divisor),
            k,
            s,
            diagonal,
            penalty: k * u64::from(penalty_units),
            is_uniform: least == dearest && root,
            is_usual: root && least > 0,
            has_blocked,
        }
    }

    /// Can ground of this terrain be entered from other ground?
    #[inline]
    pub(crate) fn enters(&self, terrain: u8) -> bool {
        self.units[usize::from(terrain)] != FORBIDDEN
    }

    /// The cost of a step onto a cell of these units.
    #[inline]
    pub(crate) fn step(&self, units: u32, diagonal: bool) -> u64 {
        u64::from(units) * if diagonal { self.s } else { self.k }
    }

    /// Units of cost of a terrain.
    #[inline]
    pub(crate) fn units(&self, terrain: u8) -> u32 {
        match self.units[usize::from(terrain)] {
            FORBIDDEN => self.least_units,
            units => units,
        }
    }

    /// Units of cost in straight steps of cost 1.
    pub(crate) fn price(&self, units: u32) -> f64 {
        f64::from(units) / self.units_a_step
    }

    /// The cost of a step onto the cheapest ground.
    #[inline]
    pub(crate) fn least_step(&self, diagonal: bool) -> u64 {
        u64::from(self.least_units) * if diagonal { self.s } else { self.k }
    }

    /// The least cost of coming nearer by a column or a row, and by both, where a straight step of
    /// plain ground costs `price`; `None` for the cheapest terrain on the map.
    ///
    /// Two straight steps may be cheaper than a diagonal one, and two diagonal ones than two
    /// straight ones.
    pub(crate) fn nearer(&self, price: Option<f64>) -> [u64; 2] {
        let [straight, diagonal] = match price {
            None => [self.least_step(false), self.least_step(true)],
            Some(price) => {
                let units = price.clamp(0.0, MOST) * self.units_a_step;
                [self.k, self.s].map(|one| (units * one as f64) as u64)
            }
        };
        [straight.min(diagonal), diagonal.min(2 * straight)]
    }

    /// A cost in straight steps, rounded down by more than its own rounding.
    pub(crate) fn below(&self, steps: f64) -> u64 {
        const BELOW: f64 = 1.0 - 1.0 / (1u64 << 40) as f64;
        (steps * BELOW * self.units_a_step * self.k as f64) as u64
    }

    /// The cost of a link, given in straight steps.
    pub(crate) fn link(&self, cost: f64) -> u64 {
        link_parts(cost) / (PARTS / self.units_a_step) as u64 * self.k
    }

    /// A diagonal step in straight ones.
    pub(crate) fn diagonal_steps(&self) -> f64 {
        self.diagonal
    }

    /// A whole number as a cost, in straight steps of cost 1.
    pub(crate) fn steps(&self, cost: u64) -> f64 {
        cost as f64 / self.k as f64 / self.units_a_step
    }

    /// By how much the whole numbers may be off, relative: a path with the least of them is longer
    /// than the shortest by no more.
    pub(crate) fn error(&self) -> f64 {
        1.0 / self.k as f64
    }

    /// Is a path with the least whole number, this many units long, certainly the shortest?
    pub(crate) fn is_exact(&self, units: f64) -> bool {
        let n = units + 2.0;
        self.diagonal != core::f64::consts::SQRT_2 || 1.5 * n * n < self.k as f64
    }
}

/// The cost of a link in whole parts; what costs something does not become free.
pub(crate) fn link_parts(cost: f64) -> u64 {
    ((cost.clamp(0.0, MOST_LINK) * PARTS + 0.5) as u64).max(u64::from(cost > 0.0))
}

/// The numbers of steps and turns of a path.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    pub(crate) straight: u32,
    pub(crate) diagonal: u32,
    pub(crate) turns: u32,
    pub(crate) links: u32,
    straight_units: u64,
    diagonal_units: u64,
}

impl Sum {
    /// Adds a step onto a cell of these units.
    pub(crate) fn add(&mut self, metric: &Metric, units: u32, diagonal: bool, turn: bool) {
        let units = u64::from(units);
        if diagonal {
            self.diagonal += 1;
            self.diagonal_units += units;
        } else {
            self.straight += 1;
            self.straight_units += units;
        }
        if turn {
            self.turns += 1;
            self.straight_units += u64::from(metric.penalty_units);
        }
    }

    /// Adds a link, its cost in straight steps.
    pub(crate) fn add_link(&mut self, metric: &Metric, cost: f64) {
        self.links += 1;
        self.straight_units += link_parts(cost) / (PARTS / metric.units_a_step) as u64;
    }

    /// In sides of a cell.
    pub(crate) fn length(&self) -> f64 {
        f64::from(self.straight) + f64::from(self.diagonal) * core::f64::consts::SQRT_2
    }

    /// In units of the metric.
    pub(crate) fn units(&self, metric: &Metric) -> f64 {
        self.straight_units as f64 + self.diagonal_units as f64 * metric.diagonal
    }
}
