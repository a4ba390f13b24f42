//! The nodes of the sampling grid, and its squares.

use std::ops::Range;

use super::height_blocks::{BLOCK, HeightBlocks};
use crate::exact::input::Triangles;
use crate::exact::math::{V2, max, min};
use crate::exact::measures::Measures;

/// No node, no square.
pub(crate) const NONE: u32 = u32::MAX;

/// What begins at a node towards greater X and Y.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Nothing,
    /// A square of the surroundings.
    Around,
    /// A square of the tile.
    InTile,
}

/// Walkable ground under a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Node {
    /// Height.
    pub(super) y: f64,
    /// Nodes one step away towards +X, +Y, -X, -Y.
    pub(super) links: [u32; 4],
    /// The triangle that it is on.
    pub(super) triangle: u32,
    /// Column and row of the sampling grid point.
    pub(super) position: [i16; 2],
}

/// The nodes under the points of a grid, sorted by point (row by row), then height.
#[derive(Debug)]
pub(crate) struct SamplingGrid {
    pub(super) nodes: Vec<Node>,
    /// For each node: is it the least corner of a square, four nodes linked in a circle?
    pub(super) kinds: Vec<Kind>,
    /// Where the nodes of each point begin; one more entry than points.
    pub(super) first: Vec<u32>,
    /// For each triangle: rise over half a square along X and Y.
    pub(super) rises: Vec<V2>,
    /// For each triangle: does a square begin on it?
    pub(super) begun: Vec<bool>,
    /// Points along X and Y: the part of the tile and its surroundings that has ground.
    pub(crate) size: [i32; 2],
    /// Column and row of the tile's least square, and its squares along a side.
    pub(super) least: [i32; 2],
    pub(super) count: i32,
    pub(super) corner: V2,
    pub(super) cell: f64,
    pub(super) blocks: HeightBlocks,
    /// The greatest [`slack`] of any ground.
    pub(super) slack: f64,
    /// Steps between nodes that are linked, at the most.
    pub(super) steps: f64,
}

/// How far the centre of a square beside a segment may be from it, in squares.
pub(super) const BESIDE: f64 = 1.5;

impl SamplingGrid {
    /// Bytes a node takes here.
    pub(crate) const NODE: usize = size_of::<Node>() + size_of::<Kind>() + size_of::<u32>();

    /// A sampling grid without nodes.
    pub(super) fn empty(triangles: &Triangles, measures: &Measures) -> SamplingGrid {
        // Border segments beside the tile begin to spread in the squares of its surroundings.
        let pad = (measures.margin() / measures.cell) as i32 + 2;
        let begin = measures.corner.map(|c| c - f64::from(pad) * measures.cell);
        let all = measures.count + 1 + 2 * pad;
        let [columns, rows] = window(triangles, begin, measures.cell, all);
        let size = [&columns, &rows].map(|r| r.end - r.start);
        let from = [columns.start, rows.start];
        let points = (size[0] * size[1]) as usize;
        let half = |r: f64| r * measures.cell / 2.0;
        SamplingGrid {
            nodes: Vec::with_capacity(points),
            kinds: Vec::with_capacity(points),
            first: vec![0; points + 1],
            rises: triangles.all.iter().map(|f| f.rise().map(half)).collect(),
            begun: vec![false; triangles.all.len()],
            size,
            least: from.map(|k| pad - k),
            count: measures.count,
            corner: [0, 1].map(|k| begin[k] + f64::from(from[k]) * measures.cell),
            cell: measures.cell,
            blocks: HeightBlocks::new(size),
            slack: 0.0,
            steps: 1.0,
        }
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Height of a node.
    pub(crate) fn height(&self, node: u32) -> f64 {
        self.nodes[node as usize].y
    }

    /// Rise of the ground at a node over half a square along X and Y.
    pub(crate) fn rise(&self, node: u32) -> V2 {
        self.rises[self.nodes[node as usize].triangle as usize]
    }

    /// Nodes one step away towards +X, +Y, -X, -Y.
    pub(crate) fn links(&self, node: u32) -> &[u32; 4] {
        &self.nodes[node as usize].links
    }

    /// The sampling grid point of a node, row by row.
    pub(crate) fn point(&self, node: u32) -> usize {
        let [i, j] = self.nodes[node as usize].position.map(|k| k as usize);
        j * self.size[0] as usize + i
    }

    /// Nodes above each other, point by point.
    pub(crate) fn stacks(&self) -> impl Iterator<Item = Range<usize>> {
        let points = self.first.windows(2).filter(|w| w[1] - w[0] > 1);
        points.map(|w| w[0] as usize..w[1] as usize)
    }

    /// Column and row of a square in the tile; `None` in the surroundings.
    pub(crate) fn position(&self, square: u32) -> Option<(i32, i32)> {
        let [i, j] = self.nodes[square as usize].position;
        let (i, j) = (i32::from(i) - self.least[0], i32::from(j) - self.least[1]);
        let along = 0..self.count;
        (along.contains(&i) && along.contains(&j)).then_some((i, j))
    }

    /// Columns or rows of squares whose centre may be from `low` to `high` along an axis.
    pub(crate) fn squares_along(
        &self,
        axis: usize,
        low: f64,
        high: f64,
    ) -> std::ops::RangeInclusive<i32> {
        // From one before the first to one behind the last.
        let at = |v: f64| {
            let v = (v - self.corner[axis]) / self.cell + 1.0;
            min(max(v, 0.0), f64::from(self.size[axis])) as i32 - 1
        };
        at(low).max(0)..=at(high).min(self.size[axis] - 2)
    }

    /// Y of a row of points.
    pub(crate) fn row(&self, row: i32) -> f64 {
        self.corner[1] + f64::from(row) * self.cell
    }

    /// The nodes under some points of a row.
    pub(crate) fn under_row(
        &self,
        row: i32,
        columns: std::ops::RangeInclusive<i32>,
    ) -> std::ops::Range<u32> {
        let first = row * self.size[0] + columns.start();
        let last = row * self.size[0] + columns.end() + 1;
        self.first[first as usize]..self.first[last as usize]
    }

    /// The nodes at a place of the tile (column and row); not all begin a square.
    pub(crate) fn squares_at(&self, column: i32, row: i32) -> std::ops::Range<u32> {
        let (column, row) = (column + self.least[0], row + self.least[1]);
        let [columns, rows] = self.size.map(|n| 0..n);
        match columns.contains(&column) && rows.contains(&row) {
            true => self.under_row(row, column..=column),
            false => 0..0,
        }
    }

    /// Place of a node.
    pub(crate) fn place(&self, node: u32) -> V2 {
        let [i, j] = self.nodes[node as usize].position;
        [self.corner[0] + f64::from(i) * self.cell, self.corner[1] + f64::from(j) * self.cell]
    }

    /// Is the node the least corner of a square?
    pub(crate) fn is_square(&self, node: u32) -> bool {
        node != NONE && self.kinds[node as usize] != Kind::Nothing
    }

    /// Is the node the least corner of a square of the tile itself?
    pub(crate) fn is_in_tile(&self, node: u32) -> bool {
        node != NONE && self.kinds[node as usize] == Kind::InTile
    }

    /// How much higher or lower than its node a square may be, where a link is at most `step` high:
    /// its other corners are at most two links away from the first one.
    pub(super) fn far(&self, step: f64) -> f64 {
        2.0 * (self.steps * step + self.slack)
    }

    /// All nodes, with the links of those that are the least corners of squares of the tile.
    pub(crate) fn squares_of_tile(&self) -> impl Iterator<Item = (u32, Option<&[u32; 4]>)> {
        let nodes = self.nodes.iter().zip(&self.kinds).enumerate();
        nodes.map(|(s, (node, kind))| {
            let links = (*kind == Kind::InTile).then_some(&node.links);
            (s as u32, links)
        })
    }

    /// The corners of the square that begins at a node, counter-clockwise: the node, towards +X,
    /// +X+Y, +Y.
    pub(crate) fn corners(&self, node: u32) -> Option<[u32; 4]> {
        if !self.is_square(node) {
            return None;
        }
        let [b, d, ..] = self.nodes[node as usize].links;
        Some([node, b, self.nodes[b as usize].links[1], d])
    }

    /// Lowest and highest height near a square of the planes under its corners.
    pub(super) fn span(&self, square: u32) -> [f64; 2] {
        let mut span = [f64::INFINITY, f64::NEG_INFINITY];
        let Some(corners) = self.corners(square) else {
            return span;
        };
        for n in corners {
            let y = self.nodes[n as usize].y;
            let slack = slack(self.rises[self.nodes[n as usize].triangle as usize]);
            span = [min(span[0], y - slack), max(span[1], y + slack)];
        }
        span
    }

    /// Does a square begin on a triangle?
    pub(crate) fn has_begun_on(&self, triangle: u32) -> bool {
        self.begun[triangle as usize]
    }

    /// May a segment in these bounds with heights from `low` to `high` begin at any square? See
    /// [`crate::exact::capsules`].
    pub(crate) fn is_met(
        &self,
        bounds: [f64; 4],
        low: f64,
        high: f64,
        measures: &Measures,
    ) -> bool {
        let (beside, step) = (BESIDE * self.cell, measures.climb + 1.0);
        let meets = |[least, most]: [f64; 2]| least <= high + step && most >= low - step;
        let far = self.far(step);
        let rows = self.squares_along(1, bounds[1] - beside, bounds[3] + beside);
        let columns = self.squares_along(0, bounds[0] - beside, bounds[2] + beside);
        if rows.is_empty() || columns.is_empty() {
            return false;
        }
        for j in rows.start() / BLOCK..=rows.end() / BLOCK {
            for i in columns.start() / BLOCK..=columns.end() / BLOCK {
                if !meets(self.blocks.of(i, j)) {
                    continue;
                }
                let part = |k: i32, of: &std::ops::RangeInclusive<i32>| {
                    (k * BLOCK).max(*of.start())..=(k * BLOCK + BLOCK - 1).min(*of.end())
                };
                for row in part(j, &rows) {
                    let squares = self.under_row(row, part(i, &columns));
                    let found = squares.filter(|&s| self.is_square(s)).any(|s| {
                        let node = &self.nodes[s as usize];
                        if !meets([node.y - far, node.y + far]) {
                            return false;
                        }
                        let slack = slack(self.rises[node.triangle as usize]);
                        meets([node.y - slack, node.y + slack]) || meets(self.span(s))
                    });
                    if found {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Height of the ground of a square at a place near it: of the plane under the nearest corner.
    pub(crate) fn height_near(&self, square: u32, p: V2) -> f64 {
        let corner = self.place(square);
        let away = |axis: usize| p[axis] - corner[axis] > self.cell / 2.0;
        let corners = self.corners(square).unwrap_or([square; 4]);
        let nearest = corners[match (away(0), away(1)) {
            (false, false) => 0,
            (true, false) => 1,
            (true, true) => 2,
            (false, true) => 3,
        }] as usize;
        let place = self.place(nearest as u32);
        let rises = self.rises[self.nodes[nearest].triangle as usize];
        let rise = |axis: usize| (p[axis] - place[axis]) * rises[axis] * 2.0 / self.cell;
        self.nodes[nearest].y + rise(0) + rise(1)
    }

    /// The square beyond side `k` of a square (towards -Y, +X, +Y, -X), or [`NONE`].
    pub(crate) fn beyond(&self, square: u32, k: usize) -> u32 {
        let next = self.nodes[square as usize].links[[3, 0, 1, 2][k]];
        if self.is_square(next) { next } else { NONE }
    }

    /// The edge of side `k` of a square: twice its lesser node, plus one if it runs along Y.
    pub(crate) fn edge(&self, square: u32, k: usize) -> usize {
        let links = &self.nodes[square as usize].links;
        match k {
            0 => 2 * square as usize,
            1 => 2 * links[0] as usize + 1,
            2 => 2 * links[1] as usize,
            _ => 2 * square as usize + 1,
        }
    }
}

/// Points to keep beyond the ground: gaps are detected two points ahead.
const AHEAD: i32 = 3;

/// The columns and rows that have ground or are next to it, of a grid of `all` points a side.
fn window(triangles: &Triangles, begin: V2, cell: f64, all: i32) -> [Range<i32>; 2] {
    let grounds = || triangles.all.iter().filter(|f| f.ground);
    [0, 1].map(|axis| {
        let low = grounds().map(|f| f.bounds[axis]).fold(f64::INFINITY, min);
        let high = grounds().map(|f| f.bounds[axis + 2]).fold(f64::NEG_INFINITY, max);
        let point = |c: f64| min(max((c - begin[axis]) / cell, 0.0), f64::from(all)) as i32;
        let from = (point(low) - AHEAD).max(0);
        from..(point(high) + 1 + AHEAD).clamp(from + 2, all)
    })
}

/// How far a plane may rise or fall from a node to the places tested: at most three squares away.
pub(super) fn slack([rx, ry]: V2) -> f64 {
    6.0 * (rx.abs() + ry.abs())
}
