//! Steps of the flood of the obstacle heuristic, and a lower bound of their sums.

use navbake_format::VehicleView;

use crate::symmetry::Symmetry;

/// No path over free tiles.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// Steps of a flood, of those that are alike by quarter turns and mirror images one.
pub const FLOOD_STEPS: [[i32; 2]; KINDS] = [[1, 0], [1, 1], [2, 1], [3, 1], [3, 2]];
/// The kind of each set of tiles that a step may need: of those of one kind either will do.
pub const FLOOD_SETS: [usize; 8] = [0, 1, 2, 2, 3, 3, 4, 4];
/// Tiles around one that steps may need, columns and rows to each side.
pub(crate) const FLOOD_HALF: i32 = 3;
/// How many there are.
pub(crate) const KINDS: usize = 5;
/// With all that are alike.
const STEPS: usize = 64;
/// Costs of steps that a vehicle has not.
pub(crate) const NO_STEP: u32 = u32::MAX;

/// The bit of a tile relative to the tile where a step begins; 0 where it is too far.
pub fn flood_bit([x, z]: [i32; 2]) -> u64 {
    let side = 2 * FLOOD_HALF + 1;
    let inside = x.abs() <= FLOOD_HALF && z.abs() <= FLOOD_HALF;
    u64::from(inside) << (inside as i32 * ((z + FLOOD_HALF) * side + x + FLOOD_HALF))
}

/// A step outwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Step {
    /// The tiles that have to be free.
    pub(crate) needs: u64,
    pub(crate) to: [i8; 2],
    pub(crate) kind: u8,
}

/// The steps of a vehicle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps {
    pub(crate) all: [Step; STEPS],
    pub(crate) count: usize,
    pub(crate) costs: [u32; KINDS],
}

impl Steps {
    pub(crate) fn new(view: &VehicleView<'_>) -> Steps {
        let costs = view.flood_costs();
        let mut steps = Steps { all: [Step::default(); STEPS], count: 0, costs };
        for (set, kind) in FLOOD_SETS.into_iter().enumerate() {
            let Some(&offset) = FLOOD_STEPS.get(kind) else {
                continue;
            };
            if costs.get(kind).is_none_or(|&cost| cost == NO_STEP) {
                continue;
            }
            for symmetry in Symmetry::all() {
                let step = Step {
                    needs: turned(view.flood_needs(set), symmetry),
                    to: symmetry.offset(offset).map(|o| o as i8), // of at most 3
                    kind: kind as u8,                             // below 5
                };
                let before = steps.all.get(..steps.count).unwrap_or_default();
                if before.contains(&step) {
                    continue;
                }
                if let Some(place) = steps.all.get_mut(steps.count) {
                    *place = step;
                    steps.count += 1;
                }
            }
        }
        steps
    }
}

/// Tiles turned and mirrored.
fn turned(tiles: u64, by: Symmetry) -> u64 {
    let mut all = 0;
    for z in -FLOOD_HALF..=FLOOD_HALF {
        for x in -FLOOD_HALF..=FLOOD_HALF {
            if tiles & flood_bit([x, z]) != 0 {
                all |= flood_bit(by.offset([x, z]));
            }
        }
    }
    all
}

/// A lower bound over open ground: the greatest of some sums of columns and rows, each no more than
/// any step's cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Norm {
    sums: [[i64; 2]; KINDS],
    count: usize,
}

impl Norm {
    pub(crate) fn new(costs: [u32; KINDS]) -> Norm {
        let mut norm = Norm { sums: [[0; 2]; KINDS], count: 0 };
        // By direction, from straight ahead to the corner.
        let order = [0, 3, 2, 4, 1];
        let kinds = || {
            let all =
                order.into_iter().filter_map(|k| Some((*FLOOD_STEPS.get(k)?, *costs.get(k)?)));
            all.filter(|&(_, cost)| cost != NO_STEP)
                .map(|(step, cost)| (step.map(i64::from), i64::from(cost)))
        };
        for ((a, first), (b, second)) in kinds().zip(kinds().skip(1)) {
            // Whole numbers where the two span all tiles between them.
            if a[0] * b[1] - a[1] * b[0] != 1 {
                continue;
            }
            let sum = [first * b[1] - second * a[1], second * a[0] - first * b[0]];
            let is_below = kinds().all(|(step, cost)| sum[0] * step[0] + sum[1] * step[1] <= cost);
            if is_below
                && sum[0] >= sum[1]
                && sum[1] >= 0
                && let Some(place) = norm.sums.get_mut(norm.count)
            {
                *place = sum;
                norm.count += 1;
            }
        }
        norm
    }

    /// The bound for this many columns and rows.
    #[inline]
    pub(crate) fn of(&self, [x, z]: [i32; 2]) -> u32 {
        let [x, z] = [x, z].map(|v| i64::from(v.unsigned_abs()));
        let (long, short) = (x.max(z), x.min(z));
        let sums = self.sums.get(..self.count).unwrap_or_default();
        let most = sums.iter().map(|s| s[0] * long + s[1] * short).max();
        u32::try_from(most.unwrap_or(0)).unwrap_or(NO_STEP - 1)
    }
}
