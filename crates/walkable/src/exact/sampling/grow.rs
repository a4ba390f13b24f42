//! The nodes of a sampling grid, row by row, each linked with those before it and below it.

use std::ops::Range;

use super::columns::{Rows, Strip};
use super::gaps::Patch;
use super::height_blocks::{BLOCK, HeightBlocks};
use super::{Kind, NONE, Node, SamplingGrid, slack, stairs};
use crate::exact::input::Triangles;
use crate::exact::math::{max, min};
use crate::exact::measures::Measures;

/// The node under a point, to be linked with that of the next point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Below {
    /// [`NONE`], or [`MANY`] when there are several.
    pub(crate) node: u32,
    /// Height of its ground half a square towards the next point.
    pub(crate) ahead: f64,
}

impl Default for Below {
    fn default() -> Below {
        Below { node: NONE, ahead: 0.0 }
    }
}

/// Nodes under a point whose heights are worked out once.
const FEW: usize = 6;

/// Several nodes.
pub(crate) const MANY: u32 = NONE - 1;

/// A sampling grid that grows.
pub(crate) struct Growth<'a> {
    pub(crate) grid: &'a mut SamplingGrid,
    measures: &'a Measures,
    /// The greatest jump between nodes that are linked.
    step: f64,
    /// The nodes under the points of the last row.
    pub(crate) below: Vec<Below>,
    blocks: HeightBlocks,
}

impl<'a> Growth<'a> {
    pub(crate) fn new(grid: &'a mut SamplingGrid, measures: &'a Measures) -> Growth<'a> {
        Growth {
            step: measures.climb + 1.0,
            below: vec![Below::default(); grid.size[0] as usize],
            blocks: HeightBlocks::new(grid.size),
            grid,
            measures,
        }
    }

    pub(crate) fn grid(&self) -> &SamplingGrid {
        self.grid
    }

    /// All nodes, with some surfaces besides those of the triangles.
    pub(crate) fn all(&mut self, triangles: &Triangles, patches: &[Patch]) {
        let SamplingGrid { corner, cell, size, .. } = *self.grid;
        let mut rows = Rows::new(triangles, corner, cell, size, patches);
        for row in 0..size[1] as usize {
            rows.advance();
            self.row(row, &mut rows);
        }
        self.grid.end_rows();
    }

    /// Notes how high and how steep all is that has grown.
    pub(crate) fn finish(self, triangles: &Triangles) {
        let grounds = triangles.all.iter().zip(&self.grid.rises);
        let grounds = grounds.filter(|f| f.0.ground);
        self.grid.slack = grounds.map(|f| slack(*f.1)).fold(0.0, max);
        self.grid.blocks = self.blocks.done(self.grid.slack);
    }

    /// The nodes of a row.
    pub(crate) fn row(&mut self, row: usize, rows: &mut Rows) {
        let Growth { grid, measures, step, below, blocks } = self;
        let across = below.len();
        // The last node to the left, and its height half a square ahead.
        let mut left = Below::default();
        let mut done = 0;
        while let Some(run) = rows.next(measures) {
            if run.start > done {
                let base = grid.nodes.len() as u32;
                grid.first[row * across + done..row * across + run.start].fill(base);
                below[done..run.start].fill(Below::default());
                left = Below::default();
            }
            done = run.end;
            left = grid.run(rows.standing(), row, run, left, below, *step, blocks);
        }
        let end = grid.nodes.len();
        grid.kinds.resize(end, Kind::Nothing);
        grid.first[row * across + done..(row + 1) * across].fill(end as u32);
        below[done..].fill(Below::default());
    }
}

impl SamplingGrid {
    /// Notes where the nodes end.
    pub(crate) fn end_rows(&mut self) {
        if let Some(last) = self.first.last_mut() {
            *last = self.nodes.len() as u32;
        }
    }

    /// Adds the nodes of points of a row that are on the same triangles; gives the last.
    #[allow(clippy::too_many_arguments)]
    fn run(
        &mut self,
        standing: &[Strip],
        row: usize,
        columns: Range<usize>,
        left: Below,
        row_below: &mut [Below],
        step: f64,
        blocks: &mut HeightBlocks,
    ) -> Below {
        let base = self.nodes.len();
        let across = self.size[0] as usize;
        let point = row * across + columns.start;
        let count = standing.len();
        let total = columns.len() * count;
        let mut n = base as u32;
        for first in &mut self.first[point..point + columns.len()] {
            *first = n;
            n += count as u32;
        }
        self.nodes.reserve(total);
        let last = match standing {
            [only] => self.single(only, row, columns.clone(), left, row_below, step),
            _ => {
                self.several(standing, row, columns.clone(), left, row_below, step);
                Below { node: MANY, ahead: 0.0 }
            }
        };
        for node in &mut self.nodes[base + total - count..] {
            node.links[0] = NONE;
        }
        // Heights are linear along the run.
        let mut from = columns.start;
        let mut nodes = &self.nodes[base..];
        while from < columns.end {
            let to = ((from / ACROSS + 1) * ACROSS).min(columns.end);
            let (part, rest) = nodes.split_at((to - from) * count);
            let [p, q] = [0, part.len() - count].map(|k| part[k].y);
            let [r, s] = [count - 1, part.len() - 1].map(|k| part[k].y);
            blocks.take([from as i16, row as i16], min(p, q), max(r, s));
            (from, nodes) = (to, rest);
        }
        last
    }

    /// Nodes of points with one only.
    fn single(
        &mut self,
        strip: &Strip,
        row: usize,
        columns: Range<usize>,
        left: Below,
        row_below: &mut [Below],
        step: f64,
    ) -> Below {
        let base = self.nodes.len();
        let across = self.size[0] as usize;
        let triangle = strip.triangle();
        let rise = self.rises[triangle as usize];
        // Squares end at this row and begin at the one below.
        let in_tile = self.tile_columns(row as i32 - 1);
        // The node below the last one, if they are linked.
        let mut corner = NONE;
        let mut y = 0.0;
        for (column, below) in columns.clone().zip(&mut row_below[columns.clone()]) {
            let here = self.nodes.len() as u32;
            y = strip.at(column);
            let under = *below;
            *below = Below { node: here, ahead: y + rise[1] };
            let mut node = Node {
                y,
                links: [here + 1, NONE, here.wrapping_sub(1), NONE],
                triangle,
                position: [column as i16, row as i16],
            };
            if column == columns.start {
                node.links[2] = NONE;
                if left.node < MANY && ((y - rise[0]) - left.ahead).abs() <= step {
                    node.links[2] = left.node;
                    self.nodes[left.node as usize].links[0] = here;
                }
            }
            if under.node < MANY && ((y - rise[1]) - under.ahead).abs() <= step {
                node.links[3] = under.node;
                let under = &mut self.nodes[under.node as usize];
                under.links[1] = here;
                if corner != NONE && under.links[2] == corner {
                    let in_tile = in_tile.contains(&(column as i32 - 1));
                    self.kinds[corner as usize] = kind(in_tile);
                }
            }
            self.nodes.push(node);
            if column == columns.start && left.node == MANY {
                let point = row * across + column - 1;
                self.link(0, self.under_point(point), base..base + 1, step);
            }
            let many = under.node == MANY;
            if many {
                let from = self.under_point((row - 1) * across + column);
                self.link(1, from, here as usize..here as usize + 1, step);
            }
            if many || column == columns.start {
                self.close(here as usize);
            }
            corner = self.nodes[here as usize].links[3];
        }
        Below { node: self.nodes.len() as u32 - 1, ahead: y + rise[0] }
    }

    /// Nodes of points with several.
    fn several(
        &mut self,
        standing: &[Strip],
        row: usize,
        columns: Range<usize>,
        left: Below,
        row_below: &mut [Below],
        step: f64,
    ) {
        let across = self.size[0] as usize;
        let count = standing.len() as u32;
        for column in columns.clone() {
            let base = self.nodes.len();
            for strip in standing {
                let here = self.nodes.len() as u32;
                let before = match column == columns.start {
                    true => NONE,
                    false => here - count,
                };
                self.nodes.push(Node {
                    y: strip.at(column),
                    links: [here + count, NONE, before, NONE],
                    triangle: strip.triangle(),
                    position: [column as i16, row as i16],
                });
            }
            let all = base..self.nodes.len();
            if column == columns.start && left.node != NONE {
                let from = self.under_point(row * across + column - 1);
                self.link(0, from, all.clone(), step);
            }
            let below = std::mem::replace(&mut row_below[column], Below { node: MANY, ahead: 0.0 });
            if below.node != NONE {
                let from = self.under_point((row - 1) * across + column);
                self.link(1, from, all.clone(), step);
            }
            for n in all {
                self.close(n);
            }
        }
    }

    /// The columns of a row where squares of the tile begin.
    fn tile_columns(&self, row: i32) -> Range<i32> {
        let [columns, rows] = self.least.map(|first| first..first + self.count);
        if rows.contains(&row) { columns } else { 0..0 }
    }

    /// The nodes under a point that is followed by others.
    fn under_point(&self, point: usize) -> Range<usize> {
        let end = self.first[point + 1] as usize;
        self.first[point] as usize..end
    }

    /// Links nodes of a point with those of the next one along an axis: each with the one nearest
    /// in height half-way, if both agree.
    #[inline(never)]
    fn link(&mut self, axis: usize, from: Range<usize>, to: Range<usize>, most: f64) {
        let triangle = |n: usize| self.nodes[n].triangle;
        if from.len() == to.len()
            && from.clone().zip(to.clone()).all(|(a, b)| triangle(a) == triangle(b))
        {
            for (a, b) in from.zip(to) {
                self.nodes[a].links[axis] = b as u32;
                self.nodes[b].links[axis + 2] = a as u32;
            }
            return;
        }
        // Heights half a square from nodes, of the first few.
        let beside = |n: usize, sign: f64| {
            let node = &self.nodes[n];
            node.y + sign * self.rises[node.triangle as usize][axis]
        };
        let (mut ahead, mut behind) = ([0.0; FEW], [0.0; FEW]);
        for (n, v) in from.clone().zip(&mut ahead) {
            *v = beside(n, 1.0);
        }
        for (n, v) in to.clone().zip(&mut behind) {
            *v = beside(n, -1.0);
        }
        for a in from.clone() {
            let get = |known: &[f64; FEW], k: usize, n: usize, sign: f64, all: &SamplingGrid| {
                known.get(k).copied().unwrap_or_else(|| {
                    let node = &all.nodes[n];
                    node.y + sign * all.rises[node.triangle as usize][axis]
                })
            };
            let here = get(&ahead, a - from.start, a, 1.0, self);
            // The last of equals.
            let mut best = (most, usize::MAX, 0.0);
            for b in to.clone() {
                let there = get(&behind, b - to.start, b, -1.0, self);
                let jump = (there - here).abs();
                if jump <= best.0 {
                    best = (jump, b, there);
                }
            }
            let (jump, b, there) = best;
            let is_best = |c: usize| {
                let other = (there - get(&ahead, c - from.start, c, 1.0, self)).abs();
                if c <= a { other >= jump } else { other > jump }
            };
            if b != usize::MAX && from.clone().all(is_best) {
                self.nodes[a].links[axis] = b as u32;
                self.nodes[b].links[axis + 2] = a as u32;
            }
        }
    }

    /// Adds a link over several steps.
    pub(crate) fn climb(&mut self, (from, axis, to): stairs::Link) {
        self.steps = stairs::STEPS;
        self.nodes[from as usize].links[axis] = to;
        self.nodes[to as usize].links[axis + 2] = from;
        // The squares on both sides.
        self.close(to as usize);
        let beside = self.nodes[to as usize].links[1 - axis];
        if beside != NONE {
            self.close(beside as usize);
        }
    }

    /// Notes the square that a node is the greatest corner of.
    #[inline]
    pub(crate) fn close(&mut self, node: usize) {
        let [_, _, left, below] = self.nodes[node].links;
        if left == NONE || below == NONE {
            return;
        }
        let least = self.nodes[left as usize].links[3];
        if least != NONE && self.nodes[below as usize].links[2] == least {
            self.kinds[least as usize] = kind(self.position(least).is_some());
        }
    }
}

/// The kind of a square.
fn kind(in_tile: bool) -> Kind {
    match in_tile {
        true => Kind::InTile,
        false => Kind::Around,
    }
}

/// Points along a block.
const ACROSS: usize = BLOCK as usize;
