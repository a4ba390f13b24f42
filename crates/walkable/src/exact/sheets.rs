//! Squares joined to sheets.

use std::collections::VecDeque;

use super::lattice::{Lattice, NONE};
use super::reach::Reach;

/// Squares of the tile joined over gaps; no two of a sheet lie above one another.
#[derive(Debug)]
pub(crate) struct Sheets {
    /// The sheet of each node's square, or [`NONE`].
    of: Vec<u32>,
    /// The least square of each sheet.
    pub(crate) seeds: Vec<u32>,
    /// Squares that the border of their sheet may run through or along, ascending.
    pub(crate) bordered: Vec<u32>,
}

/// Sides of a square, as bits: those that it is joined over.
const ALL: u8 = 15;
/// Something lies across a side of the square.
const CUT: u8 = 16;

impl Sheets {
    pub(crate) fn new(lattice: &Lattice, reach: &Reach) -> Sheets {
        let mut parts = Parts {
            of: vec![NONE; lattice.len()],
            sides: vec![0; lattice.len()],
            parent: vec![],
            least: vec![],
        };
        parts.label(lattice, reach);
        let overlapping = parts.resolve(lattice);
        let Parts {
            mut of,
            mut sides,
            parent,
            least,
        } = parts;
        // What lies above itself is parted.
        let mut seeds: Vec<u32> = (0..parent.len())
            .filter(|&l| parent[l] == l as u32 && !overlapping[l])
            .map(|l| least[l])
            .collect();
        if overlapping.contains(&true) {
            let mut among = vec![false; of.len()];
            for s in 0..of.len() {
                if of[s] != NONE && overlapping[of[s] as usize] {
                    among[s] = true;
                }
            }
            part(
                lattice,
                reach,
                &among,
                parent.len() as u32,
                &mut of,
                &mut seeds,
            );
            for s in (0..of.len()).filter(|&s| among[s]) {
                let joined = |k: usize| {
                    let next = lattice.beyond(s as u32, k);
                    next != NONE && of[next as usize] == of[s]
                };
                sides[s] &= CUT;
                sides[s] |= (0..4).map(|k| u8::from(joined(k)) << k).sum::<u8>();
            }
        }
        // Sheets are numbered by their least square.
        seeds.sort_unstable();
        let most = of.iter().filter(|&&l| l != NONE).max();
        let mut number = vec![NONE; most.map_or(0, |&l| l as usize + 1)];
        for (k, &seed) in seeds.iter().enumerate() {
            number[of[seed as usize] as usize] = k as u32;
        }
        let mut bordered = vec![];
        for (s, (label, sides)) in of.iter_mut().zip(&sides).enumerate() {
            if *label != NONE {
                *label = number[*label as usize];
                if *sides != ALL {
                    bordered.push(s as u32);
                }
            }
        }
        Sheets {
            of,
            seeds,
            bordered,
        }
    }

    /// The sheet of a square, or [`NONE`].
    pub(crate) fn of(&self, square: u32) -> u32 {
        if square == NONE {
            NONE
        } else {
            self.of[square as usize]
        }
    }
}

/// Connected squares.
struct Parts {
    /// Label of each node's square.
    of: Vec<u32>,
    sides: Vec<u8>,
    /// For each label: one of the same part, itself or a lesser one.
    parent: Vec<u32>,
    /// For each label: the least square.
    least: Vec<u32>,
}

impl Parts {
    fn root(&mut self, mut label: u32) -> u32 {
        while self.parent[label as usize] != label {
            let above = self.parent[self.parent[label as usize] as usize];
            self.parent[label as usize] = above;
            label = above;
        }
        label
    }

    fn label(&mut self, lattice: &Lattice, reach: &Reach) {
        for s in 0..lattice.len() as u32 {
            if !lattice.is_in_tile(s) {
                continue;
            }
            let links = lattice.links(s);
            let mut label = NONE;
            // To the left, then below.
            for (axis, side, edge) in [(2, 3u8, 2 * s as usize + 1), (3, 0, 2 * s as usize)] {
                let next = links[axis];
                let in_tile = lattice.is_in_tile(next);
                if !reach.is_free(edge) {
                    self.sides[s as usize] |= CUT;
                    if in_tile {
                        self.sides[next as usize] |= CUT;
                    }
                    if !reach.is_passable(edge) {
                        continue;
                    }
                }
                if !in_tile {
                    continue;
                }
                self.sides[s as usize] |= 1 << side;
                self.sides[next as usize] |= 1 << (side ^ 2);
                let other = self.of[next as usize];
                if label == NONE {
                    label = other;
                } else if label != other {
                    let (a, b) = (self.root(label), self.root(other));
                    self.parent[a.max(b) as usize] = a.min(b);
                }
            }
            if label == NONE {
                if !(0..4).any(|k| reach.is_passable(lattice.edge(s, k))) {
                    continue;
                }
                label = self.parent.len() as u32;
                self.parent.push(label);
                self.least.push(s);
            }
            self.of[s as usize] = label;
        }
    }

    /// Gives all squares of a part the same label; says which labels have squares above one another.
    fn resolve(&mut self, lattice: &Lattice) -> Vec<bool> {
        let mut overlapping = vec![false; self.parent.len()];
        for l in 0..self.parent.len() {
            // Parents come first.
            self.parent[l] = self.parent[self.parent[l] as usize];
        }
        for s in 0..self.of.len() {
            if self.of[s] == NONE {
                continue;
            }
            let label = self.parent[self.of[s] as usize];
            self.of[s] = label;
            for other in (0..s).rev() {
                if !lattice.are_above_each_other(s as u32, other as u32) {
                    break;
                }
                if self.of[other] == label {
                    overlapping[label as usize] = true;
                }
            }
        }
        overlapping
    }
}

/// Parts squares that hang together so that none of a sheet lie above one another: from the least one on, neighbours first. Labels
/// begin at `label`.
fn part(
    lattice: &Lattice,
    reach: &Reach,
    among: &[bool],
    mut label: u32,
    of: &mut [u32],
    seeds: &mut Vec<u32>,
) {
    let mut done = vec![false; of.len()];
    let mut taken = vec![NONE; (lattice.across * lattice.across) as usize];
    let mut queue = VecDeque::new();
    for seed in 0..of.len() as u32 {
        if done[seed as usize] || !among[seed as usize] {
            continue;
        }
        done[seed as usize] = true;
        taken[lattice.point(seed)] = label;
        queue.push_back(seed);
        while let Some(s) = queue.pop_front() {
            of[s as usize] = label;
            for k in 0..4 {
                let next = lattice.beyond(s, k);
                if !lattice.is_in_tile(next)
                    || done[next as usize]
                    || !reach.is_passable(lattice.edge(s, k))
                {
                    continue;
                }
                let point = lattice.point(next);
                if taken[point] != label {
                    taken[point] = label;
                    done[next as usize] = true;
                    queue.push_back(next);
                }
            }
        }
        seeds.push(seed);
        label += 1;
    }
}
