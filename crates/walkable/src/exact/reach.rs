//! What border segments leave of the lattice: the stadiums around each square, and the gaps between them on its edges.

use super::Measures;
use super::borders::Segment;
use super::facet::{V2, lerp};
use super::lattice::{Lattice, NONE};
use super::stadium::{Stadium, WIDEST};

/// A part of a lattice edge where the agent's centre may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    /// Begin and end along the edge.
    pub(crate) exact: [f64; 2],
    /// The same, as the border is drawn: in whole grid units, inwards.
    pub(crate) drawn: [i32; 2],
    /// What it ends at.
    pub(crate) ends: [End; 2],
}

/// What a gap ends at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The node: the gap goes on beyond.
    Node,
    /// A side of a stadium.
    Stadium(u32, u8),
}

/// Stadiums by square and gaps by edge.
#[derive(Debug)]
pub(crate) struct Reach {
    pub(crate) stadiums: Vec<Stadium>,
    first: Vec<u32>,
    items: Vec<u32>,
    gaps: Vec<Gap>,
    /// First gap and number of gaps of each edge; [`NONE`] for an edge that is wholly free.
    edges: Vec<(u32, u32)>,
}

impl Reach {
    pub(crate) fn new(lattice: &Lattice, segments: &[Segment], measures: &Measures) -> Reach {
        let (first, items) = spread(lattice, segments, measures);
        let mut reach = Reach {
            stadiums: segments
                .iter()
                .map(|s| Stadium::new(s, measures.radius))
                .collect(),
            first,
            items,
            gaps: vec![],
            edges: vec![(NONE, 0); 2 * lattice.nodes.len()],
        };
        reach.cut(lattice, measures.cell);
        reach
    }

    /// The stadiums that may touch a square.
    pub(crate) fn around(&self, square: u32) -> &[u32] {
        &self.items[self.first[square as usize] as usize..self.first[square as usize + 1] as usize]
    }

    /// The gaps of an edge as indices, or `None` when it is wholly free.
    pub(crate) fn gaps_of(&self, edge: usize) -> Option<std::ops::Range<u32>> {
        let (first, count) = self.edges[edge];
        (first != NONE).then(|| first..first + count)
    }

    pub(crate) fn gap(&self, gap: u32) -> &Gap {
        &self.gaps[gap as usize]
    }

    /// The number of gaps.
    pub(crate) fn gap_count(&self) -> u32 {
        self.gaps.len() as u32
    }

    /// Can the centre cross the edge somewhere?
    pub(crate) fn is_passable(&self, edge: usize) -> bool {
        self.edges[edge].0 == NONE || self.edges[edge].1 > 0
    }

    fn cut(&mut self, lattice: &Lattice, cell: f64) {
        let mut parts: Vec<(f64, f64, End, End)> = vec![];
        for node in 0..lattice.nodes.len() as u32 {
            for axis in 0..2 {
                let links = &lattice.nodes[node as usize].links;
                let (next, other) = (links[axis], links[3 - axis]);
                let in_tile = |s: u32| lattice.is_square(s) && lattice.spot(s).is_some();
                let square = [node, other].into_iter().find(|&s| in_tile(s));
                let (Some(square), true) = (square, next != NONE) else {
                    continue;
                };
                let (a, b) = (lattice.place(node), lattice.place(next));
                parts.clear();
                for &s in self.around(square) {
                    if let Some(cut) = self.stadiums[s as usize].cut(a, b) {
                        let [begin, end] = cut.sides.map(|side| End::Stadium(s, side));
                        parts.push((cut.t[0] * cell, cut.t[1] * cell, begin, end));
                    }
                }
                if parts.is_empty() {
                    continue;
                }
                parts.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.total_cmp(&q.1)));
                let first = self.gaps.len() as u32;
                gaps(&parts, cell, &mut self.gaps);
                self.edges[2 * node as usize + axis] = (first, self.gaps.len() as u32 - first);
            }
        }
    }
}

/// The gaps that sorted parts leave of an edge. A gap at a free node is never dropped for being short: all four edges there must agree.
fn gaps(parts: &[(f64, f64, End, End)], cell: f64, out: &mut Vec<Gap>) {
    let (mut at, mut behind) = (0.0, End::Node);
    for &(begin, end, near, far) in parts {
        if begin > at {
            let drawn = match behind {
                End::Node => [0, (begin.floor() as i32).max(1)],
                End::Stadium(..) => [at.ceil() as i32, begin.floor() as i32],
            };
            if behind == End::Node || drawn[1] - drawn[0] >= 2 {
                out.push(Gap {
                    exact: [at, begin],
                    drawn,
                    ends: [behind, near],
                });
            }
        }
        if end > at {
            (at, behind) = (end, far);
        }
    }
    if at < cell {
        let drawn = [(at.ceil() as i32).min(cell as i32 - 1), cell as i32];
        out.push(Gap {
            exact: [at, cell],
            drawn,
            ends: [behind, End::Node],
        });
    }
}

/// Lists, for each square, the segments whose stadium may touch it. A segment begins at the squares beside it at its own height and spreads
/// over their neighbours as far as its stadium reaches.
fn spread(lattice: &Lattice, segments: &[Segment], measures: &Measures) -> (Vec<u32>, Vec<u32>) {
    let cell = measures.cell;
    let reach = measures.radius * WIDEST + cell * 0.7072;
    let beside = cell * 1.5;
    let mut pairs: Vec<(u32, u32)> = vec![];
    let mut mark = vec![NONE; lattice.nodes.len()];
    let mut queue: Vec<u32> = vec![];
    for (i, segment) in segments.iter().enumerate() {
        let along = |axis: usize| {
            let (a, b) = (segment.a[axis], segment.b[axis]);
            lattice.squares_along(axis, a.min(b) - beside, a.max(b) + beside)
        };
        queue.clear();
        for row in along(1) {
            for column in along(0) {
                for s in lattice.under(row * lattice.across + column) {
                    if !lattice.is_square(s) {
                        continue;
                    }
                    let (far, along) = apart(lattice.place(s), cell, segment);
                    if far > beside * beside {
                        continue;
                    }
                    let height = height_of(segment, along);
                    let ground = lattice.height_near(s, lerp(segment.a, segment.b, along));
                    if (ground - height).abs() <= measures.climb + 1.0 {
                        mark[s as usize] = i as u32;
                        queue.push(s);
                    }
                }
            }
        }
        let mut at = 0;
        while at < queue.len() {
            let s = queue[at];
            at += 1;
            pairs.push((s, i as u32));
            for k in 0..4 {
                let next = lattice.beyond(s, k);
                if next == NONE || mark[next as usize] == i as u32 {
                    continue;
                }
                if apart(lattice.place(next), cell, segment).0 <= reach * reach {
                    mark[next as usize] = i as u32;
                    queue.push(next);
                }
            }
        }
    }
    let mut first = vec![0u32; lattice.nodes.len() + 1];
    for p in &pairs {
        first[p.0 as usize + 1] += 1;
    }
    for k in 0..lattice.nodes.len() {
        first[k + 1] += first[k];
    }
    let mut items = vec![0u32; pairs.len()];
    let mut next = first.clone();
    for (square, segment) in pairs {
        items[next[square as usize] as usize] = segment;
        next[square as usize] += 1;
    }
    (first, items)
}

fn height_of(segment: &Segment, along: f64) -> f64 {
    segment.heights[0] + along * (segment.heights[1] - segment.heights[0])
}

/// The squared distance of a square's centre from a segment, and where along the segment that is.
fn apart(corner: V2, cell: f64, segment: &Segment) -> (f64, f64) {
    let (px, py) = (
        corner[0] + cell / 2.0 - segment.a[0],
        corner[1] + cell / 2.0 - segment.a[1],
    );
    let (dx, dy) = (segment.b[0] - segment.a[0], segment.b[1] - segment.a[1]);
    let t = ((px * dx + py * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
    let (qx, qy) = (px - t * dx, py - t * dy);
    (qx * qx + qy * qy, t)
}
