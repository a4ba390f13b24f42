//! The part of the sampling grid that capsules leave.
//!
//! Each segment starts at the squares beside it at its own height, and spreads from square to
//! square along links of the sampling grid, as far as its capsule reaches. So it keeps the agent
//! off the ground that it bounds, and never off a layer above or below.
//!
//! Then each edge of a square is cut by the capsules around it. What is left are its *openings*,
//! where the agent's centre can cross the edge:
//!
//! ```text
//! node                              node
//!  o~~~~~~~|######|~~~~~|##########|o       # inside a capsule
//!   opening         opening                 ~ opening, with the capsule side at either end
//! ```
//!
//! An edge is cut once, with the same capsules for both squares beside it, so that both agree. Most
//! edges are wholly free or wholly covered; only the others store openings.

mod capsule;
mod narrow;
mod spread;

use navbake_geom::Whole;

use super::measures::{Measures, WIDEST};
use super::sampling::{NONE, SamplingGrid};
use super::segment::Segment;
use capsule::{CLEAR, NARROWEST, NO_SIDE};
pub(crate) use capsule::{Capsule, is_side};
pub use narrow::NarrowPassage;
pub(crate) use narrow::Plug;
use spread::{Around, Spread};

/// A part of a sampling grid edge where the agent's centre may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opening {
    /// Begin and end along the edge.
    pub(crate) exact: [f64; 2],
    /// The same in whole grid units, as rings have it: rounded inwards, but for what capsules are
    /// larger than the radius.
    pub(crate) rounded: [i32; 2],
    /// Where it begins and ends.
    pub(crate) ends: [End; 2],
}

/// Where an opening ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The node: the opening goes on beyond.
    Node,
    /// A side of a capsule; [`NO_SIDE`] where another edge at the node is closed.
    Capsule(u32, u8),
}

/// Capsules by square, and openings by edge.
#[derive(Debug)]
pub(crate) struct Clearance {
    capsules: Vec<Capsule>,
    /// For each node: the first item of the square that begins there, and how many items.
    spans: Vec<(u32, u32)>,
    items: Vec<u32>,
    /// For each node: does a single capsule cover the square that begins there? Such a square has
    /// no items.
    covered: Vec<bool>,
    openings: Vec<Opening>,
    /// For each edge: which of the ranges, [`NONE`] when it is wholly free, or [`SHUT`].
    edges: Vec<u32>,
    /// First opening and number of openings of edges that have some but are not free.
    ranges: Vec<(u32, u32)>,
}

/// The free part of an edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Left(u32);

impl Left {
    /// All of it.
    pub(crate) fn is_free(self) -> bool {
        self.0 == NONE
    }

    /// Can the centre cross it somewhere?
    pub(crate) fn is_passable(self) -> bool {
        self.0 != SHUT
    }
}

/// An edge without openings.
const SHUT: u32 = NONE - 1;

impl Clearance {
    /// Also gives the plugs between the segments.
    pub(crate) fn new(
        grid: &SamplingGrid,
        segments: &[Segment],
        measures: &Measures,
    ) -> (Clearance, Vec<Plug>) {
        let mut reach = Clearance {
            capsules: vec![],
            spans: vec![(0, 0); grid.len()],
            items: vec![],
            covered: vec![false; grid.len()],
            openings: vec![],
            edges: vec![NONE; 2 * grid.len()],
            ranges: vec![],
        };
        let mut spread = Spread::new(grid, measures);
        let (mut touched, names) = reach.spread(grid, segments, &mut spread, measures);
        reach.cut(grid, &touched, measures.cell);
        // Every passage is wide enough for a point.
        if measures.radius == 0.0 {
            return (reach, vec![]);
        }
        // Nobody is in a square whose edges are all closed, so no passage is in it.
        touched.retain(|&s| {
            reach.around(s).len() > 1 && (0..4).any(|k| reach.is_passable(grid.edge(s, k)))
        });
        let segment = |capsule: u32| &segments[names[capsule as usize] as usize];
        let plugs = narrow::plugs(grid, &reach, &touched, segment, measures);
        let plugged = reach.plug(grid, &plugs, &mut spread, measures);
        reach.cut(grid, &plugged, measures.cell);
        (reach, plugs)
    }

    /// A capsule by the number that squares and openings know it by.
    pub(crate) fn capsule(&self, number: u32) -> &Capsule {
        &self.capsules[number as usize]
    }

    /// The capsules that may touch a square.
    pub(crate) fn around(&self, square: u32) -> &[u32] {
        let (first, count) = self.spans[square as usize];
        &self.items[first as usize..(first + count) as usize]
    }

    /// The openings of an edge as indices, or `None` when it is wholly free.
    pub(crate) fn openings_of(&self, edge: usize) -> Option<std::ops::Range<u32>> {
        match self.edges[edge] {
            NONE => None,
            SHUT => Some(0..0),
            range => {
                let (first, count) = self.ranges[range as usize];
                Some(first..first + count)
            }
        }
    }

    pub(crate) fn opening(&self, opening: u32) -> &Opening {
        &self.openings[opening as usize]
    }

    /// The number of openings.
    pub(crate) fn opening_count(&self) -> u32 {
        self.openings.len() as u32
    }

    /// The squares of the tile, the links of the nodes that they begin at, and the free parts of
    /// the edges there along X and Y.
    pub(crate) fn edges_of_squares<'a>(
        &'a self,
        grid: &'a SamplingGrid,
    ) -> impl Iterator<Item = (u32, &'a [u32; 4], [Left; 2])> {
        let edges = self.edges.chunks_exact(2);
        let edges = edges.map(|e| [Left(e[0]), Left(e[1])]);
        let squares = grid.squares_of_tile().zip(edges);
        squares.filter_map(|((s, links), edges)| Some((s, links?, edges)))
    }

    /// Can the centre cross the edge somewhere?
    pub(crate) fn is_passable(&self, edge: usize) -> bool {
        self.edges[edge] != SHUT
    }

    /// Lists, for each square of the tile, the segments whose capsule may touch it, and closes the
    /// edges of squares that a single capsule covers. Gives the other squares that have such
    /// segments, and the segment of each capsule.
    fn spread(
        &mut self,
        grid: &SamplingGrid,
        segments: &[Segment],
        spread: &mut Spread,
        measures: &Measures,
    ) -> (Vec<u32>, Vec<u32>) {
        let inner = measures.radius * NARROWEST - measures.cell * 0.7072 - 1.0;
        let inner = if inner > 0.0 { inner * inner } else { -1.0 };
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(16 * segments.len());
        for (name, segment) in (0..).zip(segments) {
            for &Around { square: s, far, .. } in spread.over(grid, segment, measures) {
                if !grid.is_in_tile(s) || self.covered[s as usize] {
                } else if far <= inner {
                    self.covered[s as usize] = true;
                    for k in 0..4 {
                        self.edges[grid.edge(s, k)] = SHUT;
                    }
                } else {
                    pairs.push((s, name));
                }
            }
        }
        self.list(segments, pairs, measures.radius)
    }

    /// Sorts pairs of squares and segments by square; only capsules that a square knows are made.
    fn list(
        &mut self,
        segments: &[Segment],
        mut pairs: Vec<(u32, u32)>,
        radius: f64,
    ) -> (Vec<u32>, Vec<u32>) {
        let covered = &self.covered;
        pairs.retain(|p| !covered[p.0 as usize]);
        let (mut touched, mut names) = (vec![], vec![]);
        let mut number = vec![NONE; segments.len()];
        for (square, segment) in &mut pairs {
            let number = &mut number[*segment as usize];
            if *number == NONE {
                *number = self.capsules.len() as u32;
                let capsule = Capsule::new(&segments[*segment as usize], radius);
                self.capsules.push(capsule);
                names.push(*segment);
            }
            *segment = *number;
            let count = &mut self.spans[*square as usize].1;
            if *count == 0 {
                touched.push(*square);
            }
            *count += 1;
        }
        let mut first = 0;
        for &square in &touched {
            let span = &mut self.spans[square as usize];
            let count = span.1;
            *span = (first, 0);
            first += count;
        }
        self.items = vec![0; pairs.len()];
        for (square, capsule) in pairs {
            let (first, count) = &mut self.spans[square as usize];
            self.items[(*first + *count) as usize] = capsule;
            *count += 1;
        }
        (touched, names)
    }

    /// Adds the capsules of plugs to the squares that they may touch, and gives these squares.
    fn plug(
        &mut self,
        grid: &SamplingGrid,
        plugs: &[Plug],
        spread: &mut Spread,
        measures: &Measures,
    ) -> Vec<u32> {
        let reach = Plug::radius(measures) * WIDEST + measures.cell * 0.7072 + 1.0;
        let (mut pairs, mut squares) = (vec![], vec![]);
        for plug in plugs {
            let number = self.capsules.len() as u32;
            self.capsules.push(Capsule::new(&plug.segment, Plug::radius(measures)));
            let around = spread.over(grid, &plug.segment, measures).iter();
            let around = around.filter(|s| s.far <= reach * reach).map(|s| s.square);
            let is_open = |&s: &u32| grid.is_in_tile(s) && !self.covered[s as usize];
            pairs.extend(around.filter(is_open).map(|s| (s, number)));
        }
        pairs.sort_unstable();
        for on_square in pairs.chunk_by(|p, q| p.0 == q.0) {
            let square = on_square[0].0;
            squares.push(square);
            let (first, count) = self.spans[square as usize];
            let begin = self.items.len() as u32;
            self.items.extend_from_within(first as usize..(first + count) as usize);
            self.items.extend(on_square.iter().map(|p| p.1));
            self.spans[square as usize] = (begin, count + on_square.len() as u32);
        }
        squares
    }

    /// Cuts the edges of squares with capsules around them: by those around the square that begins
    /// at the edge's lesser node, if that is one of the tile, and else by those around the other
    /// square.
    fn cut(&mut self, grid: &SamplingGrid, touched: &[u32], cell: f64) {
        let mut parts = vec![];
        for &square in touched {
            let links = grid.links(square);
            self.cut_edge(grid, square, 2 * square as usize, cell, &mut parts);
            self.cut_edge(grid, square, 2 * square as usize + 1, cell, &mut parts);
            for (next, across) in [(links[0], 1), (links[1], 0)] {
                if !grid.is_in_tile(next) {
                    let edge = 2 * next as usize + across;
                    self.cut_edge(grid, square, edge, cell, &mut parts);
                }
            }
        }
    }

    /// Closes the ends of edges at nodes where another edge is closed.
    ///
    /// Edges are cut by the capsules around one square each, and two of them may disagree on
    /// whether the centre can be at the node between them. Borders close once all agree.
    pub(super) fn agree(&mut self, grid: &SamplingGrid) {
        let nodes = |edge: usize| [edge as u32 / 2, grid.links(edge as u32 / 2)[edge % 2]];
        let mut closed = vec![false; grid.len()];
        for edge in (0..self.edges.len()).filter(|&e| nodes(e)[1] != NONE) {
            let is_closed = self.openings_of(edge).map(|openings| {
                let end = |opening: Option<u32>, end: usize| {
                    opening.is_none_or(|o| self.opening(o).ends[end] != End::Node)
                };
                [end(openings.clone().next(), 0), end(openings.last(), 1)]
            });
            for (node, is_closed) in nodes(edge).into_iter().zip(is_closed.unwrap_or_default()) {
                closed[node as usize] |= is_closed;
            }
        }
        for edge in (0..self.edges.len()).filter(|&e| nodes(e)[1] != NONE) {
            let [begin, end] = nodes(edge).map(|node| closed[node as usize]);
            let range = match self.openings_of(edge) {
                Some(range) => range,
                None if !begin && !end => continue,
                None => {
                    let first = self.openings.len() as u32;
                    openings(&[], grid.row(1) - grid.row(0), &mut self.openings);
                    self.edges[edge] = self.ranges.len() as u32;
                    self.ranges.push((first, 1));
                    first..first + 1
                }
            };
            let shut = End::Capsule(NONE, NO_SIDE);
            if let Some(o) = range.clone().next().map(|o| &mut self.openings[o as usize])
                && begin
                && o.ends[0] == End::Node
            {
                o.ends[0] = shut;
                o.rounded[0] = (o.rounded[0] + 1).min(o.rounded[1]);
            }
            if let Some(o) = range.last().map(|o| &mut self.openings[o as usize])
                && end
                && o.ends[1] == End::Node
            {
                o.ends[1] = shut;
                o.rounded[1] = (o.rounded[1] - 1).max(o.rounded[0]);
            }
        }
    }

    fn cut_edge(
        &mut self,
        grid: &SamplingGrid,
        square: u32,
        edge: usize,
        cell: f64,
        parts: &mut Vec<(f64, f64, End, End)>,
    ) {
        if self.edges[edge] == SHUT {
            return;
        }
        let a = grid.place((edge / 2) as u32);
        let mut b = a;
        b[edge % 2] += cell;
        parts.clear();
        let (first, count) = self.spans[square as usize];
        for &s in &self.items[first as usize..(first + count) as usize] {
            if let Some(cut) = self.capsules[s as usize].cut(a, b) {
                if cut.t == [0.0, 1.0] {
                    self.edges[edge] = SHUT;
                    return;
                }
                let [begin, end] = cut.sides.map(|side| End::Capsule(s, side));
                parts.push((cut.t[0] * cell, cut.t[1] * cell, begin, end));
            }
        }
        if parts.is_empty() {
            return;
        }
        parts.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.total_cmp(&q.1)));
        let first = self.openings.len() as u32;
        openings(parts, cell, &mut self.openings);
        let count = self.openings.len() as u32 - first;
        self.edges[edge] = if count == 0 {
            SHUT
        } else {
            self.ranges.push((first, count));
            self.ranges.len() as u32 - 1
        };
    }
}

/// The openings that sorted cuts leave of an edge. An opening at a free node is never dropped for
/// being short: all four edges there must agree.
fn openings(parts: &[(f64, f64, End, End)], cell: f64, out: &mut Vec<Opening>) {
    let (mut at, mut behind) = (0.0, End::Node);
    for &(begin, end, near, far) in parts {
        if begin > at {
            let rounded = match behind {
                End::Node => [0, (begin + CLEAR).to_floor().max(1)],
                End::Capsule(..) => [(at - CLEAR).to_ceil(), (begin + CLEAR).to_floor()],
            };
            if behind == End::Node || rounded[1] - rounded[0] >= 2 {
                out.push(Opening { exact: [at, begin], rounded, ends: [behind, near] });
            }
        }
        if end > at {
            (at, behind) = (end, far);
        }
    }
    if at < cell {
        let rounded = [(at - CLEAR).to_ceil().min(cell as i32 - 1), cell as i32];
        out.push(Opening { exact: [at, cell], rounded, ends: [behind, End::Node] });
    }
}
