//! What was found on ground facets of a tile and holds for agents of any radius: lines that may bound them, and what of those is not hidden.
//!
//! Only the lattice, how finely lines are cut, and what longer ones make needless depend on the radius. All look at the same facets: those within the margin of the
//! greatest radius that has such tiles, so that what is found does not depend on which classes there are.

use std::ops::Range;

use super::facet::{Facets, V2, length};
use super::parts::{Parts, without};
use navbake_geom::PackedBox;

/// A range of lines or of parts; [`UNKNOWN`] where nobody has looked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    first: u32,
    end: u32,
}

/// Nobody has looked; nothing is in it.
pub(crate) const UNKNOWN: Span = Span { first: 1, end: 0 };

impl Span {
    pub(crate) fn range(self) -> Range<usize> {
        self.first as usize..self.end as usize
    }
}

/// A line across a facet, and the part of it that lies there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) ends: [V2; 2],
    pub(crate) on: (f64, f64),
    /// The parts of it that are not hidden.
    pub(crate) left: Span,
}

/// What is known of the facets of a tile.
#[derive(Debug)]
pub(crate) struct Known {
    /// What of ledges is known holds for this width of cracks.
    crack: f64,
    /// For each facet: the lines on it where triangles cut the slab above it; for each of its edges: the parts that ground does not go on from.
    pub(crate) walls: Vec<Span>,
    pub(crate) ledges: Vec<[Span; 3]>,
    /// For each facet whose lines are known: what may take the head room above it.
    roofs: Vec<Span>,
    lines: Vec<Line>,
    all_roofs: Vec<PackedBox>,
    parts: Parts,
}

/// Beside a hidden part, what is shorter than a few grid units is a rounding.
pub(super) const CRUMB: f64 = 8.0;

impl Known {
    /// Nothing.
    pub(crate) fn new(facets: &Facets) -> Known {
        Known {
            crack: 0.0,
            walls: vec![UNKNOWN; facets.all.len()],
            ledges: vec![[UNKNOWN; 3]; facets.all.len()],
            roofs: vec![UNKNOWN; facets.all.len()],
            lines: vec![],
            all_roofs: vec![],
            parts: vec![],
        }
    }

    /// Forgets what does not hold for a class that steps over so wide cracks.
    pub(crate) fn keep_for(&mut self, crack: f64) {
        if self.crack != crack {
            self.crack = crack;
            self.ledges.fill([UNKNOWN; 3]);
        }
    }

    /// The line of a number.
    pub(crate) fn line(&self, number: usize) -> Line {
        self.lines[number]
    }

    /// Notes the lines on a facet.
    pub(crate) fn add_lines(&mut self, facet: u32, lines: impl Iterator<Item = Line>) {
        let first = self.lines.len() as u32;
        self.lines.extend(lines);
        let end = self.lines.len() as u32;
        self.walls[facet as usize] = Span { first, end };
    }

    /// Notes what may take the head room above a facet.
    pub(crate) fn add_roofs(&mut self, facet: u32, roofs: &[PackedBox]) {
        let first = self.all_roofs.len() as u32;
        self.all_roofs.extend_from_slice(roofs);
        let end = self.all_roofs.len() as u32;
        self.roofs[facet as usize] = Span { first, end };
    }

    /// What may take the head room above a facet whose lines are known.
    pub(crate) fn roofs(&self, facet: u32) -> &[PackedBox] {
        &self.all_roofs[self.roofs[facet as usize].range()]
    }

    /// Notes the parts of an edge of a facet that ground does not go on from.
    pub(crate) fn add_ledge(&mut self, facet: u32, k: usize, parts: &Parts) {
        let first = self.begin();
        self.parts.extend_from_slice(parts);
        self.ledges[facet as usize][k] = self.since(first);
    }

    /// Notes that what is not hidden of a line are all parts from there on.
    pub(crate) fn settle(&mut self, number: usize, first: u32) {
        self.lines[number].left = self.since(first);
    }

    /// Where the next parts will begin.
    pub(crate) fn begin(&self) -> u32 {
        self.parts.len() as u32
    }

    /// All parts from there on.
    pub(crate) fn since(&self, first: u32) -> Span {
        let end = self.begin();
        Span { first, end }
    }

    /// Where parts are added.
    pub(crate) fn add_parts(&mut self) -> &mut Parts {
        &mut self.parts
    }

    pub(crate) fn parts(&self, span: Span) -> &[(f64, f64)] {
        self.parts.get(span.range()).unwrap_or_default()
    }
}

/// Adds the parts of a segment that are not hidden.
pub(crate) fn left_of([a, b]: [V2; 2], on: (f64, f64), hidden: &mut Parts, out: &mut Parts) {
    let long = length([b[0] - a[0], b[1] - a[1]]).max(1e-9);
    let least = if hidden.is_empty() { 1.0 } else { CRUMB } / long;
    without(on.0, on.1, hidden, |u, v| {
        if v - u >= least {
            out.push((u, v));
        }
    });
}
