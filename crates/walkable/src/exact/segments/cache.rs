//! A cache of what does not depend on the radius: the lines that may bound each ground triangle,
//! and their parts that are not hidden.
//!
//! Classes that share a tile differ in the radius alone. The sampling grid, the length of segments
//! and pruning depend on it; everything in here does not. All classes use the triangles within the
//! margin of the greatest radius, so an entry does not depend on which classes there are.

use std::ops::Range;

use super::intervals::{Intervals, without};
use crate::exact::input::Triangles;
use crate::exact::math::{V2, length};
use navbake_geom::PackedBox;

/// A range of lines or of intervals; [`UNKNOWN`] if not computed yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    first: u32,
    end: u32,
}

/// Not computed yet; an empty range.
pub(crate) const UNKNOWN: Span = Span { first: 1, end: 0 };

impl Span {
    pub(crate) fn range(self) -> Range<usize> {
        self.first as usize..self.end as usize
    }
}

/// A line across a triangle, and the part of it on the triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) ends: [V2; 2],
    pub(crate) on: (f64, f64),
    /// The parts of it that are not hidden.
    pub(crate) left: Span,
}

/// The lines found for the triangles of a tile.
#[derive(Debug)]
pub(crate) struct SegmentCache {
    /// The gap width that the ledges were computed for.
    gap: f64,
    /// For each triangle, the lines on it where triangles cut the slab above it; for each of its
    /// edges, the parts without further ground.
    pub(crate) walls: Vec<Span>,
    pub(crate) ledges: Vec<[Span; 3]>,
    /// For each triangle with lines: what may limit the head room above it.
    roofs: Vec<Span>,
    lines: Vec<Line>,
    all_roofs: Vec<PackedBox>,
    parts: Intervals,
}

/// Beside a hidden part, anything shorter than a few grid units is due to rounding.
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

    /// Drops what does not hold for a class that steps over gaps of this width.
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

    /// Stores what may limit the head room above a triangle.
    pub(crate) fn add_roofs(&mut self, triangle: u32, roofs: &[PackedBox]) {
        let first = self.all_roofs.len() as u32;
        self.all_roofs.extend_from_slice(roofs);
        let end = self.all_roofs.len() as u32;
        self.roofs[triangle as usize] = Span { first, end };
    }

    /// What may limit the head room above a triangle whose lines are cached.
    pub(crate) fn roofs(&self, triangle: u32) -> &[PackedBox] {
        &self.all_roofs[self.roofs[triangle as usize].range()]
    }

    /// Notes the parts of an edge of a triangle that ground does not go on from.
    pub(crate) fn add_ledge(&mut self, triangle: u32, k: usize, parts: &Intervals) {
        let first = self.begin();
        self.parts.extend_from_slice(parts);
        self.ledges[triangle as usize][k] = self.since(first);
    }

    /// Stores that all parts from `first` on are the free parts of a line.
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
