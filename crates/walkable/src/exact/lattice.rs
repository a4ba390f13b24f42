//! Ground under lattice points: the scaffold that says which storeys there are and how they hang together.

use super::Measures;
use super::facet::{Facets, V2};

/// No node, no square.
pub(crate) const NONE: u32 = u32::MAX;

/// A place to stand under a lattice point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The lattice point, row by row.
    pub(crate) point: u32,
    /// Height.
    pub(crate) y: f64,
    /// Rise of the ground over half a square along X and Y.
    rise: V2,
    /// Nodes one step away towards +X, +Y, -X, -Y.
    pub(crate) links: [u32; 4],
}

/// The nodes of a tile.
#[derive(Debug)]
pub(crate) struct Lattice {
    /// Sorted by point, then height.
    pub(crate) nodes: Vec<Node>,
    /// Where the nodes of each point begin; one more entry than points.
    first: Vec<u32>,
    /// Points along a side.
    pub(crate) across: i32,
    /// Squares of the surroundings on each side of the tile: border segments beside the tile begin to spread there.
    pad: i32,
    corner: V2,
    cell: f64,
    /// For each node: is it the least corner of a square, four nodes linked in a circle?
    square: Vec<bool>,
}

/// Heights that differ by less do not part anything.
const TOUCH: f64 = 0.5;

impl Lattice {
    pub(crate) fn new(facets: &Facets, measures: &Measures) -> Lattice {
        let pad = (measures.margin() / measures.cell) as i32 + 2;
        let across = measures.count + 1 + 2 * pad;
        let corner = measures.corner.map(|c| c - f64::from(pad) * measures.cell);
        let columns = columns(facets, corner, measures.cell, across);
        let mut lattice = Lattice {
            nodes: vec![],
            first: Vec::with_capacity((across * across) as usize + 1),
            across,
            pad,
            corner,
            cell: measures.cell,
            square: vec![],
        };
        for (point, column) in columns.iter().enumerate() {
            lattice.first.push(lattice.nodes.len() as u32);
            let base = lattice.nodes.len();
            standing(facets, column, measures, |y, facet| {
                let rise = facets.all[facet as usize]
                    .rise()
                    .map(|r| r * measures.cell / 2.0);
                lattice.nodes.push(Node {
                    point: point as u32,
                    y,
                    rise,
                    links: [NONE; 4],
                });
            });
            lattice.nodes[base..].reverse();
        }
        lattice.first.push(lattice.nodes.len() as u32);
        lattice.link(measures.climb);
        lattice.square = (0..lattice.nodes.len() as u32)
            .map(|n| lattice.corners(n).is_some())
            .collect();
        lattice
    }

    /// Column and row, in the tile, of the square that begins at a node; `None` in the surroundings.
    pub(crate) fn spot(&self, square: u32) -> Option<(i32, i32)> {
        let point = self.nodes[square as usize].point as i32;
        let count = self.across - 1 - 2 * self.pad;
        let (i, j) = (
            point % self.across - self.pad,
            point / self.across - self.pad,
        );
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

    /// The nodes under a lattice point.
    pub(crate) fn under(&self, point: i32) -> std::ops::Range<u32> {
        self.first[point as usize]..self.first[point as usize + 1]
    }

    /// Place of a node.
    pub(crate) fn place(&self, node: u32) -> V2 {
        let point = self.nodes[node as usize].point as i32;
        let (i, j) = (point % self.across, point / self.across);
        [
            self.corner[0] + f64::from(i) * self.cell,
            self.corner[1] + f64::from(j) * self.cell,
        ]
    }

    /// Is the node the least corner of a square?
    pub(crate) fn is_square(&self, node: u32) -> bool {
        node != NONE && self.square[node as usize]
    }

    /// The corners of the square that begins at a node, counter-clockwise: the node, towards +X, +X+Y, +Y.
    pub(crate) fn corners(&self, node: u32) -> Option<[u32; 4]> {
        let [b, d, ..] = self.nodes[node as usize].links;
        if b == NONE || d == NONE {
            return None;
        }
        let c = self.nodes[b as usize].links[1];
        (c != NONE && self.nodes[d as usize].links[0] == c).then_some([node, b, c, d])
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
        }];
        let (node, place) = (&self.nodes[nearest as usize], self.place(nearest));
        let rise = |axis: usize| (p[axis] - place[axis]) * node.rise[axis] * 2.0 / self.cell;
        node.y + rise(0) + rise(1)
    }

    /// The square beyond side `k` of a square (towards -Y, +X, +Y, -X), or [`NONE`].
    pub(crate) fn beyond(&self, square: u32, k: usize) -> u32 {
        let next = self.nodes[square as usize].links[[3, 0, 1, 2][k]];
        if self.is_square(next) { next } else { NONE }
    }

    /// The lattice edge of side `k` of a square: twice its lesser node, plus one when it runs along Y.
    pub(crate) fn edge(&self, square: u32, k: usize) -> usize {
        let links = &self.nodes[square as usize].links;
        match k {
            0 => 2 * square as usize,
            1 => 2 * links[0] as usize + 1,
            2 => 2 * links[1] as usize,
            _ => 2 * square as usize + 1,
        }
    }

    /// Links each node with the one under the next point that it meets best half-way, if both agree.
    fn link(&mut self, climb: f64) {
        for axis in 0..2 {
            let step = if axis == 0 { 1 } else { self.across };
            for point in 0..self.across * self.across {
                let along = if axis == 0 {
                    point % self.across
                } else {
                    point / self.across
                };
                if along == self.across - 1 {
                    continue;
                }
                for a in self.under(point) {
                    let b = self.best(a, point + step, axis, 1.0, climb);
                    if b != NONE && self.best(b, point, axis, -1.0, climb) == a {
                        self.nodes[a as usize].links[axis] = b;
                        self.nodes[b as usize].links[axis + 2] = a;
                    }
                }
            }
        }
    }

    fn best(&self, from: u32, point: i32, axis: usize, sign: f64, climb: f64) -> u32 {
        let node = &self.nodes[from as usize];
        let halfway = node.y + sign * node.rise[axis];
        let mut best = (climb + 1.0, NONE);
        for n in self.under(point) {
            let other = &self.nodes[n as usize];
            let jump = (other.y - sign * other.rise[axis] - halfway).abs();
            if jump <= best.0 {
                best = (jump, n);
            }
        }
        best.1
    }
}

/// Heights and facets under each point of a lattice, row by row; unsorted.
pub(crate) fn columns(facets: &Facets, corner: V2, cell: f64, across: i32) -> Columns {
    let mut found: Vec<(u32, (f64, u32))> = vec![];
    for (i, facet) in facets.all.iter().enumerate() {
        if facet.upright {
            continue;
        }
        let b = facet.bounds;
        let least = |v: f64, o: f64| ((v - o) / cell).ceil().max(0.0) as i32;
        let most = |v: f64, o: f64| ((v - o) / cell).floor().min(f64::from(across - 1)) as i32;
        let (i0, i1) = (least(b[0], corner[0]), most(b[2], corner[0]));
        for row in least(b[1], corner[1])..=most(b[3], corner[1]) {
            let start = [
                corner[0] + f64::from(i0) * cell,
                corner[1] + f64::from(row) * cell,
            ];
            let (mut from, mut to) = (0.0f64, f64::from(i1 - i0));
            for k in 0..3 {
                let value = facet.inside_of(k, start);
                let step = (facet.flat(k)[1] - facet.flat(k + 1)[1]) * cell;
                if step > 0.0 {
                    from = from.max((-value / step).ceil());
                } else if step < 0.0 {
                    to = to.min((-value / step).floor());
                } else if value < 0.0 {
                    to = -1.0;
                }
            }
            let mut k = from;
            while k <= to {
                let point = row * across + i0 + k as i32;
                let y = facet.at([start[0] + k * cell, start[1]]);
                found.push((point as u32, (y, i as u32)));
                k += 1.0;
            }
        }
    }
    Columns::new((across * across) as usize, found)
}

/// One list a point.
#[derive(Debug)]
pub(crate) struct Columns {
    first: Vec<u32>,
    items: Vec<(f64, u32)>,
}

impl Columns {
    fn new(points: usize, found: Vec<(u32, (f64, u32))>) -> Columns {
        let mut first = vec![0u32; points + 1];
        for f in &found {
            first[f.0 as usize + 1] += 1;
        }
        for k in 0..points {
            first[k + 1] += first[k];
        }
        let mut items = vec![(0.0, 0); found.len()];
        let mut next = first.clone();
        for (point, item) in found {
            items[next[point as usize] as usize] = item;
            next[point as usize] += 1;
        }
        for k in 0..points {
            let list = &mut items[first[k] as usize..first[k + 1] as usize];
            if list.len() > 1 {
                list.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            }
        }
        Columns { first, items }
    }

    pub(crate) fn of(&self, point: usize) -> &[(f64, u32)] {
        &self.items[self.first[point] as usize..self.first[point + 1] as usize]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[(f64, u32)]> {
        (0..self.first.len() - 1).map(|k| self.of(k))
    }
}

/// Calls `f` for each place to stand in a column, from the highest down: ground with head room that is not within a step below other
/// such ground.
pub(crate) fn standing(
    facets: &Facets,
    column: &[(f64, u32)],
    measures: &Measures,
    mut f: impl FnMut(f64, u32),
) {
    let mut last = f64::INFINITY;
    for (k, &(y, facet)) in column.iter().enumerate().rev() {
        if !facets.all[facet as usize].ground || last - y <= measures.climb {
            continue;
        }
        let (knee, head) = (y + measures.climb + TOUCH, y + measures.height - TOUCH);
        if column[k + 1..].iter().any(|c| c.0 > knee && c.0 < head) {
            continue;
        }
        last = y;
        f(y, facet);
    }
}
