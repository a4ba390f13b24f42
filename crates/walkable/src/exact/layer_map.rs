//! Which layer each square of the tile belongs to.
//!
//! Squares are joined if there is an opening between them. A set of joined squares is a layer,
//! unless it winds above itself, as a spiral ramp does: then it is split into layers without
//! overlap.

use std::collections::VecDeque;

use super::capsules::Clearance;
use super::sampling::{NONE, SamplingGrid};

/// Squares of the tile joined over openings; no layer overlaps itself.
#[derive(Debug)]
pub(crate) struct LayerMap {
    /// The layer of each node's square, or [`NONE`].
    of: Vec<u32>,
    /// The least square of each layer.
    pub(crate) seeds: Vec<u32>,
    /// Squares that the border of their layer may run through or along, ascending.
    pub(crate) bordered: Vec<u32>,
}

/// Sides of a square, as bits: those that it is joined over.
const ALL: u8 = 15;
/// There is a border on a side of the square.
const CUT: u8 = 16;

impl LayerMap {
    pub(crate) fn new(grid: &SamplingGrid, clearance: &Clearance) -> LayerMap {
        let mut parts = Parts {
            of: vec![NONE; grid.len()],
            sides: vec![0; grid.len()],
            parent: vec![],
            least: vec![],
        };
        parts.label(grid, clearance);
        // Labels are in the order of their least squares, and parents come first.
        let mut number = vec![0; parts.parent.len()];
        let mut layers = LayerMap { of: vec![], seeds: vec![], bordered: vec![] };
        for label in 0..number.len() {
            let parent = parts.parent[label] as usize;
            number[label] = if parent == label {
                layers.seeds.push(parts.least[label]);
                layers.seeds.len() as u32 - 1
            } else {
                number[parent]
            };
        }
        let mut overlapping = vec![false; layers.seeds.len()];
        let all = parts.of.iter_mut().zip(&parts.sides);
        for (s, (of, sides)) in all.enumerate().filter(|(_, (of, _))| **of != NONE) {
            *of = number[*of as usize];
            if *sides != ALL {
                layers.bordered.push(s as u32);
            }
        }
        for stack in grid.stacks() {
            for s in stack.clone() {
                let layer = parts.of[s];
                if layer != NONE && parts.of[stack.start..s].contains(&layer) {
                    overlapping[layer as usize] = true;
                }
            }
        }
        layers.of = std::mem::take(&mut parts.of);
        if overlapping.contains(&true) {
            layers.part(grid, clearance, &overlapping, &mut parts.sides);
        }
        layers
    }

    /// Splits layers that overlap themselves.
    fn part(
        &mut self,
        grid: &SamplingGrid,
        clearance: &Clearance,
        overlapping: &[bool],
        sides: &mut [u8],
    ) {
        let mut label = self.seeds.len() as u32;
        let of = &mut self.of;
        let among: Vec<bool> =
            of.iter().map(|&layer| layer != NONE && overlapping[layer as usize]).collect();
        let kept = |k: usize| !overlapping[k];
        let mut seeds: Vec<u32> =
            (0..self.seeds.len()).filter(|&k| kept(k)).map(|k| self.seeds[k]).collect();
        spread(grid, clearance, &among, &mut label, of, &mut seeds);
        for s in (0..of.len()).filter(|&s| among[s]) {
            let joined = |k: usize| {
                let next = grid.beyond(s as u32, k);
                next != NONE && of[next as usize] == of[s]
            };
            sides[s] &= CUT;
            sides[s] |= (0..4).map(|k| u8::from(joined(k)) << k).sum::<u8>();
        }
        // LayerMap are numbered by their least square.
        seeds.sort_unstable();
        let mut number = vec![NONE; label as usize];
        for (k, &seed) in seeds.iter().enumerate() {
            number[of[seed as usize] as usize] = k as u32;
        }
        self.seeds = seeds;
        self.bordered.clear();
        for (s, label) in of.iter_mut().enumerate().filter(|l| *l.1 != NONE) {
            *label = number[*label as usize];
            if sides[s] != ALL {
                self.bordered.push(s as u32);
            }
        }
    }

    /// The layer of a square, or [`NONE`].
    pub(crate) fn of(&self, square: u32) -> u32 {
        if square == NONE { NONE } else { self.of[square as usize] }
    }
}

/// Connected squares.
struct Parts {
    /// Label of each node's square.
    of: Vec<u32>,
    sides: Vec<u8>,
    /// For each label: a label of the same set, itself or a lesser one.
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

    fn label(&mut self, grid: &SamplingGrid, clearance: &Clearance) {
        for (s, links, edges) in clearance.edges_of_squares(grid) {
            let [_, _, left, below] = *links;
            let in_tile = [left, below].map(|next| grid.is_in_tile(next));
            // In the midst of free ground.
            if in_tile == [true; 2] && edges[0].is_free() && edges[1].is_free() {
                let label = self.of[left as usize];
                self.of[s as usize] = label;
                self.sides[s as usize] |= 0b1001;
                self.sides[left as usize] |= 0b10;
                self.sides[below as usize] |= 0b100;
                let other = self.of[below as usize];
                if label != other {
                    self.join(label, other);
                }
                continue;
            }
            let mut label = NONE;
            // To the left, then below.
            for (next, side, edge) in [(left, 3u8, edges[1]), (below, 0, edges[0])] {
                let in_tile = in_tile[usize::from(side == 0)];
                if !edge.is_free() {
                    self.sides[s as usize] |= CUT;
                    if in_tile {
                        self.sides[next as usize] |= CUT;
                    }
                }
                if !in_tile || !edge.is_passable() {
                    continue;
                }
                self.sides[s as usize] |= 1 << side;
                self.sides[next as usize] |= 1 << (side ^ 2);
                let other = self.of[next as usize];
                if label == NONE {
                    label = other;
                } else if label != other {
                    self.join(label, other);
                }
            }
            if label == NONE {
                if !(0..4).any(|k| clearance.is_passable(grid.edge(s, k))) {
                    continue;
                }
                label = self.parent.len() as u32;
                self.parent.push(label);
                self.least.push(s);
            }
            self.of[s as usize] = label;
        }
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }
}

/// Splits connected squares into layers without overlap: breadth first from the least square on.
/// New labels begin at `label`.
fn spread(
    grid: &SamplingGrid,
    clearance: &Clearance,
    among: &[bool],
    label: &mut u32,
    of: &mut [u32],
    seeds: &mut Vec<u32>,
) {
    let mut done = vec![false; of.len()];
    let mut taken = vec![NONE; (grid.size[0] * grid.size[1]) as usize];
    let mut queue = VecDeque::new();
    for seed in 0..of.len() as u32 {
        if done[seed as usize] || !among[seed as usize] {
            continue;
        }
        done[seed as usize] = true;
        taken[grid.point(seed)] = *label;
        queue.push_back(seed);
        while let Some(s) = queue.pop_front() {
            of[s as usize] = *label;
            for k in 0..4 {
                let next = grid.beyond(s, k);
                if !grid.is_in_tile(next)
                    || done[next as usize]
                    || !clearance.is_passable(grid.edge(s, k))
                {
                    continue;
                }
                let point = grid.point(next);
                if taken[point] != *label {
                    taken[point] = *label;
                    done[next as usize] = true;
                    queue.push_back(next);
                }
            }
        }
        seeds.push(seed);
        *label += 1;
    }
}
