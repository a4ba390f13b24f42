//! The lattice of a vehicle on a map, searched plainly: every tile of every edge is looked at on
//! the map itself, and all states are settled in order of their cost.

use std::cmp::Reverse as Least;
use std::collections::BinaryHeap;

use navbake_vehicle::build::edges::{Edge, spread};
use navbake_vehicle::build::{Tables, UNITS};

use super::course::Map;

/// A move: its tiles, where it leads, and for how much.
struct Step {
    tiles: Vec<[i32; 2]>,
    offset: [i32; 2],
    to: u32,
    cost: u64,
}

pub(crate) struct Lattice<'m> {
    map: &'m Map,
    headings: u32,
    gears: u32,
    change: u64,
    /// By `gear * headings + heading`.
    steps: Vec<Vec<Step>>,
}

impl<'m> Lattice<'m> {
    pub(crate) fn new(map: &'m Map, tables: &Tables) -> Lattice<'m> {
        let vehicle = &tables.vehicle;
        let headings = vehicle.headings;
        let forwards = spread(&tables.edges, vehicle);
        let backwards =
            if tables.back.is_empty() { forwards.clone() } else { spread(&tables.back, vehicle) };
        let gears = 1 + u32::from(vehicle.reverse.is_some());
        let mut steps = vec![];
        for gear in 0..gears {
            let about = |h: u32| (h + gear * headings / 2) % headings;
            for heading in 0..headings {
                let list = [&forwards, &backwards][gear as usize][about(heading) as usize].iter();
                let step = |edge: &Edge| Step {
                    tiles: edge.swept.tiles().collect(),
                    offset: edge.offset,
                    to: about(edge.to),
                    cost: match vehicle.reverse {
                        Some(r) if gear == 1 => (f64::from(edge.length) * r.penalty).ceil() as u64,
                        _ => u64::from(edge.length),
                    },
                };
                steps.push(list.map(step).collect());
            }
        }
        let change = vehicle.reverse.map_or(0.0, |r| (r.change * f64::from(UNITS)).ceil()) as u64;
        Lattice { map, headings, gears, change, steps }
    }

    fn is_free(&self, [x, z]: [i32; 2], step: &Step) -> bool {
        let mut tiles = step.tiles.iter();
        tiles.all(|t| !self.map.is_blocked([x + t[0], z + t[1]]))
    }

    /// How many moves are free from a tile at a heading, forwards.
    pub(crate) fn free_moves(&self, tile: [i32; 2], heading: u32) -> u32 {
        let steps = self.steps[heading as usize].iter();
        steps.filter(|s| self.is_free(tile, s)).count() as u32
    }

    /// Costs from a state to all others, by [`Lattice::cost`].
    pub(crate) fn from(&self, tile: [i32; 2], heading: u32) -> Vec<u64> {
        let states = (self.gears * self.headings) as usize;
        let width = self.map.width;
        let mut costs = vec![u64::MAX; width * self.map.height * states];
        let place = |[x, z]: [i32; 2], gear: u32, heading: u32| {
            (z as usize * width + x as usize) * states + (gear * self.headings + heading) as usize
        };
        let mut open = BinaryHeap::new();
        for gear in 0..self.gears {
            costs[place(tile, gear, heading)] = 0;
            open.push(Least((0u64, tile, gear, heading)));
        }
        while let Some(Least((cost, [x, z], gear, heading))) = open.pop() {
            if cost > costs[place([x, z], gear, heading)] {
                continue;
            }
            let mut reach = |tile: [i32; 2], gear: u32, heading: u32, cost: u64| {
                let known = &mut costs[place(tile, gear, heading)];
                if cost < *known {
                    *known = cost;
                    open.push(Least((cost, tile, gear, heading)));
                }
            };
            if self.gears == 2 {
                reach([x, z], 1 - gear, heading, cost + self.change);
            }
            for step in &self.steps[(gear * self.headings + heading) as usize] {
                if self.is_free([x, z], step) {
                    let to = [x + step.offset[0], z + step.offset[1]];
                    reach(to, gear, step.to, cost + step.cost);
                }
            }
        }
        costs
    }

    /// The cost to a tile, at a heading or at any.
    pub(crate) fn cost(
        &self,
        costs: &[u64],
        [x, z]: [i32; 2],
        heading: Option<u32>,
    ) -> Option<u64> {
        let states = (self.gears * self.headings) as usize;
        let first = (z as usize * self.map.width + x as usize) * states;
        let own = costs[first..first + states].iter().enumerate();
        let fits = |i: usize| heading.is_none_or(|h| h == i as u32 % self.headings);
        let least = own.filter(|&(i, _)| fits(i)).map(|(_, &c)| c).min();
        least.filter(|&c| c != u64::MAX)
    }
}
