//! Adds surfaces to a filled sampling grid: only rows with them and the rows after those grow
//! again.

use super::columns::Rows;
use super::gaps::Patch;
use super::grow::{Below, Growth, MANY};
use super::{Kind, NONE, Node, SamplingGrid};
use crate::exact::input::Triangles;

impl Growth<'_> {
    /// Adds surfaces: only rows with them and the rows after those grow again.
    pub(crate) fn patch(&mut self, triangles: &Triangles, patches: &[Patch]) {
        let SamplingGrid { corner, cell, size, .. } = *self.grid;
        let count = size[1] as usize;
        let mut is_patched = vec![false; count + 1];
        for (row, ..) in patches {
            is_patched[*row] = true;
        }
        let old = Old {
            nodes: std::mem::take(&mut self.grid.nodes),
            kinds: std::mem::take(&mut self.grid.kinds),
            first: self.grid.first.clone(),
        };
        self.grid.nodes.reserve(old.nodes.len() + 4 * patches.len());
        self.grid.kinds.reserve(old.nodes.len() + 4 * patches.len());
        let mut rows = Rows::new(triangles, corner, cell, size, patches);
        let mut has_grown = false;
        for row in 0..count {
            let grows = is_patched[row] || (row > 0 && is_patched[row - 1]);
            if grows {
                rows.advance();
                if row == 0 {
                    self.below.fill(Below::default());
                } else if !has_grown {
                    self.look_below(row - 1);
                }
                self.row(row, &mut rows);
            } else {
                rows.skip();
                self.grid.copy(&old, row, has_grown, is_patched[row + 1]);
            }
            has_grown = grows;
        }
        self.grid.end_rows();
    }

    /// Notes the nodes under the points of a row that did not grow just now.
    fn look_below(&mut self, row: usize) {
        let across = self.below.len();
        let grid = &self.grid;
        for (column, below) in self.below.iter_mut().enumerate() {
            let point = row * across + column;
            let begin = grid.first[point];
            let end = match column + 1 < across {
                true => grid.first[point + 1],
                false => grid.nodes.len() as u32,
            };
            *below = match end - begin {
                0 => Below::default(),
                1 => Below { node: begin, ahead: grid.height(begin) + grid.rise(begin)[1] },
                _ => Below { node: MANY, ahead: 0.0 },
            };
        }
    }
}

/// The nodes of a sampling grid before it is patched.
struct Old {
    nodes: Vec<Node>,
    kinds: Vec<Kind>,
    first: Vec<u32>,
}

impl SamplingGrid {
    /// Copies a row as it was. `before` and `after` say whether the rows around it have grown anew.
    fn copy(&mut self, old: &Old, row: usize, before: bool, after: bool) {
        let across = self.size[0] as usize;
        let points = row * across..(row + 1) * across;
        let [begin, end] = [points.start, points.end].map(|p| old.first[p] as usize);
        let base = self.nodes.len();
        // As many nodes more in all rows up to this one. There may be fewer, as a surface may take
        // the head room of ground below it: then the difference wraps around.
        let more = (base as u32).wrapping_sub(begin as u32);
        for (first, old) in self.first[points.clone()].iter_mut().zip(&old.first[points]) {
            *first = old.wrapping_add(more);
        }
        let moved = |n: u32| if n == NONE { NONE } else { n.wrapping_add(more) };
        self.nodes.extend(
            old.nodes[begin..end].iter().map(|node| Node { links: node.links.map(moved), ..*node }),
        );
        self.kinds.extend_from_slice(&old.kinds[begin..end]);
        if after {
            self.nodes[base..].iter_mut().for_each(|n| n.links[1] = NONE);
            self.kinds[base..].fill(Kind::Nothing);
        }
        if before {
            for n in base..self.nodes.len() {
                let below = self.nodes[n].links[3] as usize;
                if let Some(below) = self.nodes.get_mut(below) {
                    below.links[1] = n as u32;
                }
                self.close(n);
            }
        }
    }
}
