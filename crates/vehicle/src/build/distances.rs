//! Exact distances over open ground: the heuristic table.

use std::cmp::Reverse as Least;
use std::collections::BinaryHeap;

use navbake_format::VehicleView;
use rayon::prelude::*;

use crate::lattice::times;

use super::edges::Edge;
use super::spec::{UNITS, VehicleSpec};

/// The costs of a vehicle's moves, by gear and by the heading at their end: the only input of a
/// table.
struct Moves {
    headings: usize,
    gears: usize,
    /// A change of gear.
    change: u64,
    /// Moves that end with a heading, at `gear * headings + heading`: where they begin, from where
    /// they end, at which heading, for how much.
    into: Vec<Vec<([i32; 2], usize, u64)>>,
}

impl Moves {
    /// `sets`: edges by first heading, forwards, and backwards as driven by a vehicle turned about.
    fn new(vehicle: &VehicleSpec, sets: [&[Vec<Edge>]; 2]) -> Moves {
        let headings = vehicle.headings as usize;
        let gears = if vehicle.reverse.is_some() { 2 } else { 1 };
        let mut into = vec![vec![]; gears * headings];
        for (gear, set) in sets.iter().enumerate().take(gears) {
            for edge in set.iter().flatten() {
                let about = |travel: u32| (travel as usize + gear * headings / 2) % headings;
                let cost = match vehicle.reverse {
                    Some(reverse) if gear == 1 => times(edge.length, reverse.penalty),
                    _ => edge.length,
                };
                let [x, z] = edge.offset;
                into[gear * headings + about(edge.to)].push((
                    [-x, -z],
                    about(edge.from),
                    u64::from(cost),
                ));
            }
        }
        // Of moves between the same poses the cheapest.
        for list in &mut into {
            list.sort_unstable();
            list.dedup_by_key(|m| (m.0, m.1));
        }
        Moves {
            headings,
            gears,
            change: vehicle.reverse.map_or(0, |r| (r.change * f64::from(UNITS)).ceil() as u64),
            into,
        }
    }

    /// Costs from all states within `half` columns and rows to the middle at a heading, over a
    /// lattice that ends there.
    fn to(&self, heading: usize, half: i32) -> Vec<u64> {
        let side = 2 * half as usize + 1;
        let place = |[x, z]: [i32; 2]| {
            let inside = x.abs() <= half && z.abs() <= half;
            inside.then(|| (z + half) as usize * side + (x + half) as usize)
        };
        let states = self.headings * self.gears;
        let mut costs = vec![u64::MAX; side * side * states];
        let mut open = BinaryHeap::new();
        let middle = (side * side - 1) / 2;
        for gear in 0..self.gears {
            let state = middle * states + gear * self.headings + heading;
            costs[state] = 0;
            open.push(Least((0, state)));
        }
        while let Some(Least((cost, state))) = open.pop() {
            if cost > costs[state] {
                continue;
            }
            let (tile, inner) = (state / states, state % states);
            let mut reach = |other: usize, cost: u64| {
                if cost < costs[other] {
                    costs[other] = cost;
                    open.push(Least((cost, other)));
                }
            };
            if self.gears == 2 {
                let other = (inner + self.headings) % states;
                reach(tile * states + other, cost + self.change);
            }
            let gear = inner / self.headings;
            let (x, z) = ((tile % side) as i32 - half, (tile / side) as i32 - half);
            for &([dx, dz], heading, more) in &self.into[inner] {
                if let Some(before) = place([x + dx, z + dz]) {
                    reach(before * states + gear * self.headings + heading, cost + more);
                }
            }
        }
        costs
    }
}

/// Distances in the empty lattice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distances {
    /// Offsets in the tables: up to this many columns and rows.
    pub range: u32,
    /// To the centre at each heading of the first quarter turn: a table for each gear and first
    /// heading, row by row.
    pub to_heading: Vec<u32>,
    /// To the centre at any heading: a table for each gear and first heading of the first quarter
    /// turn.
    pub to_any: Vec<u32>,
}

/// No path in the lattice.
pub const NO_WAY: u32 = VehicleView::NO_WAY;

/// Range of the tables, columns and rows.
pub(crate) fn range(headings: u32) -> u32 {
    match headings {
        8 => 20,
        16 => 12,
        _ => 10,
    }
}

/// Fills the tables.
///
/// They are exact: the lattice they are computed on is so large that a path out of it and back is
/// longer than any in the tables.
pub(crate) fn distances(vehicle: &VehicleSpec, sets: [&[Vec<Edge>]; 2]) -> Distances {
    let moves = Moves::new(vehicle, sets);
    let range = range(vehicle.headings) as i32;
    let quarter = moves.headings / 4;
    let tables: Vec<Vec<u64>> = (0..quarter)
        .into_par_iter()
        .map(|heading| {
            let mut half =
                range + 2 * vehicle.rings as i32 + (2.0 * vehicle.turn_radius) as i32 + 4;
            loop {
                let costs = inner(&moves.to(heading, half), half, range, &moves);
                let longest = costs.iter().filter(|&&c| c != u64::MAX).max();
                // A path that leaves goes from the table's edge to the lattice's and from there to
                // the centre.
                let outside = u64::from(UNITS) * (2 * half - range + 2) as u64;
                if longest.is_none_or(|&l| l <= outside) || half > 8 * range {
                    return costs;
                }
                half += range;
            }
        })
        .collect();
    let entry = |cost: u64| u32::try_from(cost).unwrap_or(NO_WAY);
    let side = 2 * range as usize + 1;
    let plane = side * side;
    let mut any = vec![];
    for gear in 0..moves.gears {
        for from in 0..quarter {
            for place in 0..plane {
                let offset = [(place % side) as i32 - range, (place / side) as i32 - range];
                let least = (0..moves.headings).map(|to| {
                    // Turned back until the goal looks into the first quarter.
                    let turns = to / quarter;
                    let mut at = offset;
                    for _ in 0..turns {
                        at = [-at[1], at[0]];
                    }
                    let from = (from + moves.headings - turns * quarter) % moves.headings;
                    let place = (at[1] + range) as usize * side + (at[0] + range) as usize;
                    tables[to % quarter][(gear * moves.headings + from) * plane + place]
                });
                any.push(entry(least.min().unwrap_or(u64::MAX)));
            }
        }
    }
    Distances {
        range: range as u32,
        to_heading: tables.into_iter().flatten().map(entry).collect(),
        to_any: any,
    }
}

/// The part of a lattice's costs that goes into the table, each state's row by row.
fn inner(costs: &[u64], half: i32, range: i32, moves: &Moves) -> Vec<u64> {
    let side = 2 * half as usize + 1;
    let states = moves.headings * moves.gears;
    let mut part = vec![];
    for state in 0..states {
        for z in -range..=range {
            for x in -range..=range {
                let place = (z + half) as usize * side + (x + half) as usize;
                part.push(costs[place * states + state]);
            }
        }
    }
    part
}
