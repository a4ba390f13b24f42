//! Border lines of a component along the sides of its cells.

use navbake_geom::Point;

use super::components::NO_COMPONENT;
use super::spans::{NO_SPAN, STEPS, Spans};
use crate::layers::{Heights, Layer, Ring};
use crate::params::Params;

/// The layer of each component.
pub(crate) fn layers(
    spans: &Spans,
    fits: &[bool],
    component_of: &[u32],
    count: u32,
    params: &Params,
) -> Vec<Layer> {
    let mut members: Vec<Vec<u32>> = vec![vec![]; count as usize];
    for (s, &component) in component_of.iter().enumerate() {
        if component != NO_COMPONENT {
            members[component as usize].push(s as u32);
        }
    }
    let corners = ((spans.side + 1) * (spans.side + 1)) as usize;
    let mut tracer = Tracer { spans, cell: params.cell, leaving: vec![0; corners] };
    members
        .iter()
        .enumerate()
        .map(|(component, members)| Layer {
            ground: None,
            rings: tracer.rings(members, fits, component_of, component as u32),
            heights: heights(spans, members, params.cell),
        })
        .collect()
}

struct Tracer<'a> {
    spans: &'a Spans,
    cell: i32,
    /// For each grid corner, bit d: a side leaves it in direction d of [`STEPS`]; bit d + 4: that
    /// side is open.
    leaving: Vec<u8>,
}

impl Tracer<'_> {
    fn corner(&self, column: i32, row: i32) -> usize {
        (row * (self.spans.side + 1) + column) as usize
    }

    fn rings(
        &mut self,
        members: &[u32],
        fits: &[bool],
        component_of: &[u32],
        component: u32,
    ) -> Vec<Ring> {
        let side = self.spans.side;
        for &s in members {
            let span = &self.spans.spans[s as usize];
            let (column, row) = (span.cell as i32 % side, span.cell as i32 / side);
            for (d, &next) in span.links.iter().enumerate() {
                if next != NO_SPAN && component_of[next as usize] == component {
                    continue;
                }
                let open = next != NO_SPAN && fits[next as usize];
                // The side towards d, with the cell to its left, runs in direction d + 1 from this
                // corner.
                let from = match d {
                    0 => (column, row + 1),
                    1 => (column + 1, row + 1),
                    2 => (column + 1, row),
                    _ => (column, row),
                };
                let at = self.corner(from.0, from.1);
                let run = (d + 1) % 4;
                self.leaving[at] |= 1 << run | u8::from(open) << (run + 4);
            }
        }
        let mut rings = vec![];
        for &s in members {
            let cell = self.spans.spans[s as usize].cell as i32;
            let (column, row) = (cell % side, cell / side);
            // Each side of a cell leaves one of its corners; a wall without width may have no side
            // along z.
            for (c, r, d) in [
                (column, row, 0),
                (column, row + 1, 1),
                (column + 1, row + 1, 2),
                (column + 1, row, 3),
            ] {
                while self.leaving[self.corner(c, r)] >> d & 1 != 0 {
                    rings.push(self.ring(c, r, d));
                }
            }
        }
        rings
    }

    /// Follows the ring that leaves a corner in a direction of [`STEPS`], and removes its sides.
    fn ring(&mut self, column: i32, row: i32, direction: usize) -> Ring {
        let (mut c, mut r, mut d) = (column, row, direction);
        let mut sides: Vec<(Point, usize, bool)> = vec![];
        loop {
            let at = self.corner(c, r);
            let open = self.leaving[at] >> (d + 4) & 1 != 0;
            self.leaving[at] &= !(1 << d | 1 << (d + 4));
            let point = Point::new(
                (self.spans.least[0] + c) * self.cell,
                (self.spans.least[1] + r) * self.cell,
            );
            sides.push((point, d, open));
            c += STEPS[d].0;
            r += STEPS[d].1;
            // Leftmost first: cells that meet only in a corner stay apart. A turn back is the end
            // of a wall without width.
            let here = self.leaving[self.corner(c, r)];
            let turn = [(d + 1) % 4, d, (d + 3) % 4, (d + 2) % 4]
                .into_iter()
                .find(|&t| here >> t & 1 != 0);
            match turn {
                Some(t) => d = t,
                None => break,
            }
        }
        let mut ring = Ring::default();
        for (k, &(point, d, open)) in sides.iter().enumerate() {
            let (_, before, open_before) = sides[(k + sides.len() - 1) % sides.len()];
            // Straight on between two closed sides is no corner; open ones keep theirs for the
            // heights.
            if before != d || open || open_before {
                ring.push(point, open);
            }
        }
        ring
    }
}

fn heights(spans: &Spans, members: &[u32], cell: i32) -> Heights {
    let place = |s: u32| {
        let cell = spans.spans[s as usize].cell as i32;
        (cell % spans.side, cell / spans.side)
    };
    let (mut least, mut most) = ((i32::MAX, i32::MAX), (i32::MIN, i32::MIN));
    for &s in members {
        let (c, r) = place(s);
        least = (least.0.min(c), least.1.min(r));
        most = (most.0.max(c), most.1.max(r));
    }
    let size = [(most.0 - least.0 + 1) as u32, (most.1 - least.1 + 1) as u32];
    let mut cells = vec![[Heights::NONE; 5]; (size[0] * size[1]) as usize];
    for &s in members {
        let (c, r) = place(s);
        cells[((r - least.1) as u32 * size[0] + (c - least.0) as u32) as usize] = spans.heights(s);
    }
    Heights { cell, least: [spans.least[0] + least.0, spans.least[1] + least.1], size, cells }
}
