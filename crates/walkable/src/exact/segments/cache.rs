//! What was found on ground triangles of a tile and holds for agents of any radius: lines that may bound them, and what of those is not hidden.
//!
//! Only the sampling grid, how finely lines are cut, and what longer ones make needless depend on the radius. All look at the same triangles: those within the margin of the
//! greatest radius that has such tiles, so that what is found does not depend on which classes there are.

use std::ops::Range;

use super::intervals::{Intervals, without};
use crate::exact::input::Triangles;
use crate::exact::math::{V2, length};
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

/// A line across a triangle, and the part of it that lies there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) ends: [V2; 2],
    pub(crate) on: (f64, f64),
    /// The parts of it that are not hidden.
    pub(crate) left: Span,
}

/// What is known of the triangles of a tile.
#[derive(Debug)]
pub(crate) struct SegmentCache {
    /// What of ledges is known holds for this width of gaps.
    gap: f64,
    /// For each triangle: the lines on it where triangles cut the slab above it; for each of its edges: the parts that ground does not go on from.
    pub(crate) walls: Vec<Span>,
    pub(crate) ledges: Vec<[Span; 3]>,
    /// For each triangle whose lines are known: what may take the head room above it.
    roofs: Vec<Span>,
    lines: Vec<Line>,
    all_roofs: Vec<PackedBox>,
    parts: Intervals,
}

/// Beside a hidden part, what is shorter than a few grid units is a rounding.
pub(crate) const CRUMB: f64 = 8.0;

impl SegmentCache {
    /// Nothing.
    pub(crate) fn new(triangles: &Triangles) -> SegmentCache {
        SegmentCache {
            gap: 0.0,
            walls: vec![UNKNOWN; triangles.all.len()],
            ledges: vec![[UNKNOWN; 3]; triangles.all.len()],
            roofs: vec![UNKNOWN; triangles.all.len()],
            lines: vec![],
            all_roofs: vec![],
            parts: vec![],
        }
    }

    /// Forgets what does not hold for a class that steps over so wide gaps.
    pub(crate) fn keep_for(&mut self, gap: f64) {
        if self.gap != gap {
            self.gap = gap;
            self.ledges.fill([UNKNOWN; 3]);
        }
    }

    /// The line of a number.
    pub(crate) fn line(&self, number: usize) -> Line {
        self.lines[number]
    }

    /// Notes the lines on a triangle.
    pub(crate) fn add_lines(&mut self, triangle: u32, lines: impl Iterator<Item = Line>) {
        let first = self.lines.len() as u32;
        self.lines.extend(lines);
        let end = self.lines.len() as u32;
        self.walls[triangle as usize] = Span { first, end };
    }

    /// Notes what may take the head room above a triangle.
    pub(crate) fn add_roofs(&mut self, triangle: u32, roofs: &[PackedBox]) {
        let first = self.all_roofs.len() as u32;
        self.all_roofs.extend_from_slice(roofs);
        let end = self.all_roofs.len() as u32;
        self.roofs[triangle as usize] = Span { first, end };
    }

    /// What may take the head room above a triangle whose lines are known.
    pub(crate) fn roofs(&self, triangle: u32) -> &[PackedBox] {
        &self.all_roofs[self.roofs[triangle as usize].range()]
    }

    /// Notes the parts of an edge of a triangle that ground does not go on from.
    pub(crate) fn add_ledge(&mut self, triangle: u32, k: usize, parts: &Intervals) {
        let first = self.begin();
        self.parts.extend_from_slice(parts);
        self.ledges[triangle as usize][k] = self.since(first);
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
    pub(crate) fn add_parts(&mut self) -> &mut Intervals {
        &mut self.parts
    }

    pub(crate) fn parts(&self, span: Span) -> &[(f64, f64)] {
        self.parts.get(span.range()).unwrap_or_default()
    }
}

/// Adds the parts of a segment that are not hidden.
pub(crate) fn left_of(
    [a, b]: [V2; 2],
    on: (f64, f64),
    hidden: &mut Intervals,
    out: &mut Intervals,
) {
    let long = length([b[0] - a[0], b[1] - a[1]]).max(1e-9);
    let least = if hidden.is_empty() { 1.0 } else { CRUMB } / long;
    without(on.0, on.1, hidden, |u, v| {
        if v - u >= least {
            out.push((u, v));
        }
    });
}
