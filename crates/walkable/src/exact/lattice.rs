//! Ground under lattice points: the scaffold that says which storeys there are and how they hang together.

use super::Measures;
use super::columns::{Rows, Surface};
use super::facet::{Facets, V2};

/// No node, no square.
pub(crate) const NONE: u32 = u32::MAX;

/// What begins at a node towards greater X and Y.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Nothing,
    /// A square of the surroundings.
    Around,
    /// A square of the tile.
    InTile,
}

/// The places to stand under the points of a lattice, its nodes, sorted by point (row by row), then height.
#[derive(Debug)]
pub(crate) struct Lattice {
    /// Column and row of each node's point.
    spots: Vec<[i16; 2]>,
    /// Height of each node.
    heights: Vec<f64>,
    /// The facet that each node is on.
    facets: Vec<u32>,
    /// Nodes one step away from each towards +X, +Y, -X, -Y.
    links: Vec<[u32; 4]>,
    /// For each node: is it the least corner of a square, four nodes linked in a circle?
    kinds: Vec<Kind>,
    /// Where the nodes of each point begin; one more entry than points.
    first: Vec<u32>,
    /// For each facet: rise over half a square along X and Y.
    rises: Vec<V2>,
    /// Points along a side.
    pub(crate) across: i32,
    /// Squares of the surroundings on each side of the tile: border segments beside the tile begin to spread there.
    pad: i32,
    corner: V2,
    cell: f64,
    /// Lowest and highest that planes under the corners of squares of a block come to near these, block by block.
    blocks: Vec<[f64; 2]>,
}

/// Segments begin at squares whose centre lies this many squares away or nearer.
pub(crate) const BESIDE: f64 = 1.5;

/// Heights that differ by less do not part anything.
const TOUCH: f64 = 0.5;

/// Squares along a side of a block.
const BLOCK: i32 = 8;

/// Heights of the ground at a node, half a square from it.
#[derive(Clone, Copy, Debug)]
struct Beside {
    /// Along +X, +Y.
    ahead: V2,
    /// Along -X, -Y.
    behind: V2,
}

impl Lattice {
    pub(crate) fn new(facets: &Facets, measures: &Measures) -> Lattice {
        let pad = (measures.margin() / measures.cell) as i32 + 2;
        let across = measures.count + 1 + 2 * pad;
        let points = (across * across) as usize;
        let half = |r: f64| r * measures.cell / 2.0;
        let mut lattice = Lattice {
            spots: Vec::with_capacity(points),
            heights: Vec::with_capacity(points),
            facets: Vec::with_capacity(points),
            links: Vec::with_capacity(points),
            kinds: Vec::with_capacity(points),
            first: Vec::with_capacity(points + 1),
            rises: facets.all.iter().map(|f| f.rise().map(half)).collect(),
            across,
            pad,
            corner: measures.corner.map(|c| c - f64::from(pad) * measures.cell),
            cell: measures.cell,
            blocks: vec![],
        };
        lattice.grow(facets, measures);
        lattice
    }

    fn grow(&mut self, facets: &Facets, measures: &Measures) {
        let across = self.across;
        let mut rows = Rows::new(facets, self.corner, self.cell, across);
        let most = measures.climb + 1.0;
        // Of the nodes of a row and the one before.
        let (mut row_here, mut row_below): (Vec<Beside>, Vec<Beside>) = (vec![], vec![]);
        let mut begin_below = 0;
        let side = across / BLOCK + 2;
        let mut blocks = vec![[f64::INFINITY, f64::NEG_INFINITY]; (side * side) as usize];
        for row in 0..across {
            rows.advance();
            let begin = self.heights.len();
            let mut left = begin..begin;
            for column in 0..across {
                self.first.push(self.heights.len() as u32);
                let base = self.heights.len();
                standing(rows.column(column), measures, |surface| {
                    self.heights.push(surface.y);
                    self.facets.push(surface.facet());
                });
                let count = self.heights.len() - base;
                if count == 0 {
                    left = base..base;
                    continue;
                }
                if count > 1 {
                    self.heights[base..].reverse();
                    self.facets[base..].reverse();
                }
                let block = &mut blocks[((row / BLOCK) * side + column / BLOCK) as usize];
                for k in base..base + count {
                    self.spots.push([column as i16, row as i16]);
                    self.links.push([NONE; 4]);
                    self.kinds.push(Kind::Nothing);
                    let (y, [rx, ry]) = (self.heights[k], self.rises[self.facets[k] as usize]);
                    row_here.push(Beside {
                        ahead: [y + rx, y + ry],
                        behind: [y - rx, y - ry],
                    });
                    let slack = slack([rx, ry]);
                    *block = [block[0].min(y - slack), block[1].max(y + slack)];
                }
                let here = base..base + count;
                if !left.is_empty() {
                    let besides = [&row_here[left.start - begin..], &row_here[base - begin..]];
                    self.link(0, [left.clone(), here.clone()], besides, most);
                }
                if row > 0 {
                    let point = (row * across + column - across) as usize;
                    let below = self.first[point] as usize..self.first[point + 1] as usize;
                    if !below.is_empty() {
                        let besides = [
                            &row_below[below.start - begin_below..],
                            &row_here[base - begin..],
                        ];
                        self.link(1, [below, here.clone()], besides, most);
                        self.close(here.clone());
                    }
                }
                left = here;
            }
            std::mem::swap(&mut row_here, &mut row_below);
            row_here.clear();
            begin_below = begin;
        }
        self.first.push(self.heights.len() as u32);
        // Squares reach into the next block.
        self.blocks = blocks;
        for j in 0..side - 1 {
            for i in 0..side - 1 {
                let at = |i: i32, j: i32| (j * side + i) as usize;
                let mut all = self.blocks[at(i, j)];
                for k in [at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)] {
                    let other = self.blocks[k];
                    all = [all[0].min(other[0]), all[1].max(other[1])];
                }
                self.blocks[at(i, j)] = all;
            }
        }
    }

    /// Links nodes of a point with those of the next one along an axis: each with the one that it meets best half-way, if both agree.
    fn link(
        &mut self,
        axis: usize,
        nodes: [std::ops::Range<usize>; 2],
        besides: [&[Beside]; 2],
        most: f64,
    ) {
        let [from, to] = nodes;
        let jump =
            |a: usize, b: usize| (besides[1][b].behind[axis] - besides[0][a].ahead[axis]).abs();
        if from.len() == 1 && to.len() == 1 {
            if jump(0, 0) <= most {
                self.links[from.start][axis] = to.start as u32;
                self.links[to.start][axis + 2] = from.start as u32;
            }
            return;
        }
        // The last of equals.
        let best = |count: usize, jump: &dyn Fn(usize) -> f64| {
            let mut best = (most, None);
            for k in 0..count {
                if jump(k) <= best.0 {
                    best = (jump(k), Some(k));
                }
            }
            best.1
        };
        for a in 0..from.len() {
            if let Some(b) = best(to.len(), &|b| jump(a, b))
                && best(from.len(), &|a| jump(a, b)) == Some(a)
            {
                self.links[from.start + a][axis] = (to.start + b) as u32;
                self.links[to.start + b][axis + 2] = (from.start + a) as u32;
            }
        }
    }

    /// Notes the squares that nodes are the greatest corners of.
    fn close(&mut self, nodes: std::ops::Range<usize>) {
        for n in nodes {
            let [_, _, left, below] = self.links[n];
            if left == NONE || below == NONE {
                continue;
            }
            let least = self.links[left as usize][3];
            if least != NONE && self.links[below as usize][2] == least {
                let kind = match self.spot(least) {
                    Some(_) => Kind::InTile,
                    None => Kind::Around,
                };
                self.kinds[least as usize] = kind;
            }
        }
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.heights.len()
    }

    /// Height of a node.
    pub(crate) fn height(&self, node: u32) -> f64 {
        self.heights[node as usize]
    }

    /// Nodes one step away towards +X, +Y, -X, -Y.
    pub(crate) fn links(&self, node: u32) -> &[u32; 4] {
        &self.links[node as usize]
    }

    /// The lattice point of a node, row by row.
    pub(crate) fn point(&self, node: u32) -> usize {
        let [i, j] = self.spots[node as usize].map(|k| k as usize);
        j * self.across as usize + i
    }

    /// Do two nodes lie under the same point?
    pub(crate) fn are_above_each_other(&self, a: u32, b: u32) -> bool {
        self.spots[a as usize] == self.spots[b as usize]
    }

    /// Column and row, in the tile, of the square that begins at a node; `None` in the surroundings.
    pub(crate) fn spot(&self, square: u32) -> Option<(i32, i32)> {
        let count = self.across - 1 - 2 * self.pad;
        let [i, j] = self.spots[square as usize];
        let (i, j) = (i32::from(i) - self.pad, i32::from(j) - self.pad);
        ((0..count).contains(&i) && (0..count).contains(&j)).then_some((i, j))
    }

    /// Columns or rows of squares whose centre may lie from `low` to `high` along an axis.
    pub(crate) fn squares_along(
        &self,
        axis: usize,
        low: f64,
        high: f64,
    ) -> std::ops::RangeInclusive<i32> {
        let at = |v: f64| ((v - self.corner[axis]) / self.cell).floor() as i32;
        at(low).max(0)..=at(high).min(self.across - 2)
    }

    /// Y of a row of points.
    pub(crate) fn row(&self, row: i32) -> f64 {
        self.corner[1] + f64::from(row) * self.cell
    }

    /// The nodes under a lattice point.
    pub(crate) fn under(&self, point: i32) -> std::ops::Range<u32> {
        self.first[point as usize]..self.first[point as usize + 1]
    }

    /// Place of a node.
    pub(crate) fn place(&self, node: u32) -> V2 {
        let [i, j] = self.spots[node as usize];
        [
            self.corner[0] + f64::from(i) * self.cell,
            self.corner[1] + f64::from(j) * self.cell,
        ]
    }

    /// Is the node the least corner of a square?
    pub(crate) fn is_square(&self, node: u32) -> bool {
        node != NONE && self.kinds[node as usize] != Kind::Nothing
    }

    /// Is the node the least corner of a square of the tile itself?
    pub(crate) fn is_in_tile(&self, node: u32) -> bool {
        node != NONE && self.kinds[node as usize] == Kind::InTile
    }

    /// The corners of the square that begins at a node, counter-clockwise: the node, towards +X, +X+Y, +Y.
    pub(crate) fn corners(&self, node: u32) -> Option<[u32; 4]> {
        if !self.is_square(node) {
            return None;
        }
        let [b, d, ..] = self.links[node as usize];
        Some([node, b, self.links[b as usize][1], d])
    }

    /// Lowest and highest that the planes under a square's corners come to near it.
    fn span(&self, square: u32) -> [f64; 2] {
        let mut span = [f64::INFINITY, f64::NEG_INFINITY];
        for n in self.corners(square).into_iter().flatten() {
            let y = self.heights[n as usize];
            let slack = slack(self.rises[self.facets[n as usize] as usize]);
            span = [span[0].min(y - slack), span[1].max(y + slack)];
        }
        span
    }

    /// May a segment in these bounds with heights from `low` to `high` begin at any square? See [`super::reach`].
    pub(crate) fn is_met(
        &self,
        bounds: [f64; 4],
        low: f64,
        high: f64,
        measures: &Measures,
    ) -> bool {
        let (beside, step) = (BESIDE * self.cell, measures.climb + 1.0);
        let meets = |[least, most]: [f64; 2]| least <= high + step && most >= low - step;
        let rows = self.squares_along(1, bounds[1] - beside, bounds[3] + beside);
        let columns = self.squares_along(0, bounds[0] - beside, bounds[2] + beside);
        if rows.is_empty() || columns.is_empty() {
            return false;
        }
        let side = self.across / BLOCK + 2;
        for j in rows.start() / BLOCK..=rows.end() / BLOCK {
            for i in columns.start() / BLOCK..=columns.end() / BLOCK {
                if !meets(self.blocks[(j * side + i) as usize]) {
                    continue;
                }
                let part = |k: i32, of: &std::ops::RangeInclusive<i32>| {
                    (k * BLOCK).max(*of.start())..=(k * BLOCK + BLOCK - 1).min(*of.end())
                };
                for row in part(j, &rows) {
                    let columns = part(i, &columns);
                    let at = row * self.across;
                    let (first, last) = (at + columns.start(), at + columns.end() + 1);
                    let mut squares = self.first[first as usize]..self.first[last as usize];
                    if squares.any(|s| meets(self.span(s))) {
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
        let rises = self.rises[self.facets[nearest] as usize];
        let rise = |axis: usize| (p[axis] - place[axis]) * rises[axis] * 2.0 / self.cell;
        self.heights[nearest] + rise(0) + rise(1)
    }

    /// The square beyond side `k` of a square (towards -Y, +X, +Y, -X), or [`NONE`].
    pub(crate) fn beyond(&self, square: u32, k: usize) -> u32 {
        let next = self.links[square as usize][[3, 0, 1, 2][k]];
        if self.is_square(next) { next } else { NONE }
    }

    /// The lattice edge of side `k` of a square: twice its lesser node, plus one when it runs along Y.
    pub(crate) fn edge(&self, square: u32, k: usize) -> usize {
        let links = &self.links[square as usize];
        match k {
            0 => 2 * square as usize,
            1 => 2 * links[0] as usize + 1,
            2 => 2 * links[1] as usize,
            _ => 2 * square as usize + 1,
        }
    }
}

/// How far a plane may rise or fall from a node to where it is asked: at most three squares away.
fn slack([rx, ry]: V2) -> f64 {
    6.0 * (rx.abs() + ry.abs())
}

/// Calls `f` for each place to stand in a column, from the highest down: ground with head room that is not within a step below other
/// such ground.
fn standing(column: &[Surface], measures: &Measures, mut f: impl FnMut(&Surface)) {
    let mut last = f64::INFINITY;
    for (k, surface) in column.iter().enumerate().rev() {
        let y = surface.y;
        if !surface.is_ground() || last - y <= measures.climb {
            continue;
        }
        let (knee, head) = (y + measures.climb + TOUCH, y + measures.height - TOUCH);
        let mut above = column[k + 1..].iter().take_while(|s| s.y < head);
        if above.any(|s| s.y > knee) {
            continue;
        }
        last = y;
        f(surface);
    }
}
