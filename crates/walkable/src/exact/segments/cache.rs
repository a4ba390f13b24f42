//! A cache of what does not depend on the radius: the lines that may bound each ground triangle,
//! and their parts that are not hidden.
//!
//! Classes that share a tile differ in the radius alone. The sampling grid, the length of segments
//! and pruning depend on it; everything in here does not. All classes use the triangles within the
//! margin of the greatest radius, so an entry does not depend on which classes there are.
//!
//! A class that is alone needs what was found for a triangle only until the next one begins, but
//! for lines that wait: the rest is dropped then. On dense props it took a quarter of a tile.

use std::ops::Range;

use super::intervals::{Intervals, without};
use crate::exact::input::Triangles;
use crate::exact::math::{V2, length};

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
    /// Whether another class will ask again. Otherwise only one triangle is known at a time.
    is_shared: bool,
    /// The gap width that the ledges were computed for.
    gap: f64,
    /// For each triangle, the lines on it where triangles cut the slab above it; for each of its
    /// edges, the parts without further ground.
    walls: Vec<Span>,
    ledges: Vec<[Span; 3]>,
    /// For each triangle with lines: what may limit the head room above it.
    roofs: Vec<Span>,
    lines: Vec<Line>,
    /// Numbers of triangles.
    all_roofs: Vec<u32>,
    parts: Intervals,
}

/// How much a cache held at some time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    lines: usize,
    roofs: usize,
    parts: usize,
}

/// Beside a hidden part, anything shorter than a few grid units is due to rounding.
pub(crate) const CRUMB: f64 = 8.0;

impl SegmentCache {
    /// Bytes a triangle takes here where classes share the cache: its entries, one to two lines and
    /// some triangles above it.
    pub(crate) const SHARED: usize =
        5 * size_of::<Span>() + 3 * size_of::<Line>() / 2 + 4 * size_of::<u32>();
    /// The same for a class that is alone: a third has a line that waits.
    pub(crate) const ALONE: usize = size_of::<Line>() / 3 + 3 * size_of::<u32>();

    /// Nothing yet, for some classes.
    pub(crate) fn new(triangles: &Triangles, classes: usize) -> SegmentCache {
        let is_shared = classes > 1;
        let count = if is_shared { triangles.all.len() } else { 1 };
        SegmentCache {
            is_shared,
            gap: 0.0,
            walls: vec![UNKNOWN; count],
            ledges: vec![[UNKNOWN; 3]; count],
            roofs: vec![UNKNOWN; count],
            lines: vec![],
            all_roofs: vec![],
            parts: vec![],
        }
    }

    /// Where a triangle's entries are.
    fn entry(&self, triangle: u32) -> usize {
        if self.is_shared { triangle as usize } else { 0 }
    }

    /// How much there is now.
    pub(crate) fn held(&self) -> Held {
        let Self { lines, all_roofs, parts, .. } = self;
        Held { lines: lines.len(), roofs: all_roofs.len(), parts: parts.len() }
    }

    /// Ends the work on a triangle that began when there was as much as `before`. If no other class
    /// will ask, only the lines that wait are kept, under new numbers, and what may limit the head
    /// room above them.
    pub(crate) fn end<'a>(
        &mut self,
        triangle: u32,
        before: Held,
        waiting: impl Iterator<Item = &'a mut usize>,
    ) {
        if self.is_shared {
            return;
        }
        let mut kept = before.lines;
        for line in waiting {
            self.lines[kept] = self.lines[*line];
            *line = kept;
            kept += 1;
        }
        if kept == before.lines {
            self.all_roofs.truncate(before.roofs);
        }
        self.lines.truncate(kept);
        self.parts.truncate(before.parts);
        let entry = self.entry(triangle);
        self.walls[entry] = UNKNOWN;
        self.ledges[entry] = [UNKNOWN; 3];
        self.roofs[entry] = UNKNOWN;
    }

    /// Drops everything if no other class will ask.
    pub(crate) fn end_class(&mut self) {
        if !self.is_shared {
            (self.lines, self.all_roofs, self.parts) = (vec![], vec![], vec![]);
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
        let entry = self.entry(triangle);
        self.walls[entry] = Span { first, end };
    }

    /// The lines on a triangle where triangles cut the slab above it.
    pub(crate) fn walls(&self, triangle: u32) -> Span {
        self.walls[self.entry(triangle)]
    }

    /// Stores what may limit the head room above a triangle.
    pub(crate) fn add_roofs(&mut self, triangle: u32, roofs: &[u32]) {
        let first = self.all_roofs.len() as u32;
        self.all_roofs.extend_from_slice(roofs);
        let end = self.all_roofs.len() as u32;
        let entry = self.entry(triangle);
        self.roofs[entry] = Span { first, end };
    }

    /// What may limit the head room above a triangle whose lines are cached.
    pub(crate) fn roofs(&self, triangle: u32) -> Span {
        self.roofs[self.entry(triangle)]
    }

    /// Numbers of triangles that may limit the head room.
    pub(crate) fn all_roofs(&self, roofs: Span) -> &[u32] {
        &self.all_roofs[roofs.range()]
    }

    /// Notes the parts of an edge of a triangle that ground does not go on from.
    pub(crate) fn add_ledge(&mut self, triangle: u32, k: usize, parts: &Intervals) {
        let first = self.begin();
        self.parts.extend_from_slice(parts);
        let entry = self.entry(triangle);
        self.ledges[entry][k] = self.since(first);
    }

    /// The parts of an edge of a triangle that ground does not go on from.
    pub(crate) fn ledge(&self, triangle: u32, k: usize) -> Span {
        self.ledges[self.entry(triangle)][k]
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
