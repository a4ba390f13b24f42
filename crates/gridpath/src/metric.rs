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
//! divisor is taken out.

use navbake_format::{CellId, GridMapView};

use crate::GridRequest;

/// Costs are multiples of one of this many parts of a straight step.
const PARTS: f64 = 1024.0;
/// The greatest cost of a terrain and the greatest penalty, in straight steps.
const MOST: f64 = 1024.0;

/// The whole numbers of a search.
pub(crate) struct Metric {
    /// Units of cost of each terrain, 0 where it cannot be entered from other ground.
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
    /// The least cost of a terrain on the map, straight and diagonal.
    pub(crate) least: [u64; 2],
    /// Of a turn.
    pub(crate) penalty: u64,
    /// All terrains on the map that can be entered cost the same.
    pub(crate) is_uniform: bool,
    /// Is there ground that is free and cannot be entered?
    pub(crate) has_blocked: bool,
}

/// A cost in parts, 0 where it is none that is allowed.
fn parts(cost: f64) -> u32 {
    if cost > 0.0 && cost <= MOST { ((cost * PARTS + 0.5) as u32).max(1) } else { 0 }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The least and a greatest of the units of terrains that are on the map: they differ if any do.
///
/// Looks at cells until one of the cheapest terrain and one of another are found: at all of them
/// where the map has none of the cheapest. `None` where it has none that can be entered.
fn on_map(map: &GridMapView<'_>, units: &[u32]) -> Option<[u32; 2]> {
    let enterable = || units.iter().copied().filter(|&u| u > 0);
    let (lowest, highest) = (enterable().min()?, enterable().max()?);
    if lowest == highest {
        return Some([lowest; 2]);
    }
    let (mut least, mut most) = (u32::MAX, 0);
    for id in (0..map.id_count()).map(CellId).filter(|&id| map.is_free(id)) {
        let units = units[usize::from(map.terrain(id))];
        if units > 0 {
            (least, most) = (least.min(units), most.max(units));
        }
        if least == lowest && most > least {
            break;
        }
    }
    (most > 0).then_some([least, most])
}

impl Metric {
    pub(crate) fn new(map: &GridMapView<'_>, request: &GridRequest<'_>) -> Metric {
        let mut units = [0u32; 256];
        let terrains = usize::from(map.terrain_count()).min(256);
        for (t, units) in units.iter_mut().enumerate().take(terrains) {
            *units = match request.costs {
                [] => parts(1.0),
                costs => costs.get(t).map_or(0, |&c| parts(c)),
            };
        }
        // A penalty of less than nothing would make cycles pay.
        let penalty = parts(request.turn_penalty.min(MOST));
        // Where nothing can be entered, a start on such ground can still move on it.
        let nowhere = if units.iter().all(|&u| u == 0) { parts(1.0) } else { 0 };
        let divisor = units.iter().fold(gcd(penalty, nowhere), |d, &u| gcd(d, u)).max(1);
        units.iter_mut().for_each(|u| *u /= divisor);
        let penalty_units = penalty / divisor;
        let used = &units[..terrains];
        let enterable = || used.iter().copied().filter(|&u| u > 0);
        let most = enterable().max().unwrap_or(nowhere / divisor);
        let [least, dearest] = on_map(map, used).unwrap_or([most; 2]);
        let states = u64::from(map.free_count()).max(1) * if penalty > 0 { 8 } else { 1 };
        // The dearest path through all states, rounded up; below 2^31 * 2^22.
        let longest = states * (2 * u64::from(most) + u64::from(penalty_units));
        let k = 1u64 << ((1u64 << 62) / longest).ilog2().min(44);
        // 2 K^2 is no square: its root is a whole number of halves of an odd power of two.
        let s = (2 * u128::from(k) * u128::from(k)).isqrt() as u64 + 1;
        Metric {
            units,
            least_units: least,
            penalty_units,
            units_a_step: PARTS / f64::from(divisor),
            k,
            s,
            least: [k * u64::from(least), s * u64::from(least)],
            penalty: k * u64::from(penalty_units),
            is_uniform: least == dearest,
            has_blocked: used.contains(&0),
        }
    }

    /// Can ground of this terrain be entered from other ground?
    #[inline]
    pub(crate) fn enters(&self, terrain: u8) -> bool {
        self.units[usize::from(terrain)] > 0
    }

    /// The cost of a step onto a terrain.
    #[inline]
    pub(crate) fn step(&self, terrain: u8, diagonal: bool) -> u64 {
        u64::from(self.units(terrain)) * if diagonal { self.s } else { self.k }
    }

    /// Units of cost of a terrain.
    fn units(&self, terrain: u8) -> u32 {
        match self.units[usize::from(terrain)] {
            0 => self.least_units,
            units => units,
        }
    }

    /// The cost of any step, where all ground costs the same.
    #[inline]
    pub(crate) fn least_step(&self, diagonal: bool) -> u64 {
        self.least[usize::from(diagonal)]
    }

    /// The whole number of a unit.
    pub(crate) fn step_unit(&self) -> f64 {
        self.k as f64
    }

    /// By how much the whole numbers may be off, relative: a path with the least of them is longer
    /// than the shortest by no more.
    pub(crate) fn error(&self) -> f64 {
        1.0 / self.k as f64
    }

    /// Is a path with the least whole number, this many units long, certainly the shortest?
    pub(crate) fn is_exact(&self, units: f64) -> bool {
        let n = units + 2.0;
        1.5 * n * n < self.k as f64
    }
}

/// The numbers of steps and turns of a path.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    pub(crate) straight: u32,
    pub(crate) diagonal: u32,
    pub(crate) turns: u32,
    straight_units: u64,
    diagonal_units: u64,
}

impl Sum {
    /// Adds a step.
    pub(crate) fn add(&mut self, metric: &Metric, terrain: u8, diagonal: bool, turn: bool) {
        let units = u64::from(metric.units(terrain));
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

    /// In sides of a cell.
    pub(crate) fn length(&self) -> f64 {
        f64::from(self.straight) + f64::from(self.diagonal) * core::f64::consts::SQRT_2
    }

    /// In units of the metric.
    pub(crate) fn units(&self) -> f64 {
        self.straight_units as f64 + self.diagonal_units as f64 * core::f64::consts::SQRT_2
    }
}
