//! Segments that ground ends at.
//!
//! Two things end ground. A *ledge* is a part of an edge of a ground triangle without further
//! ground within a step beyond it. A *wall* is a line across a ground triangle where another
//! triangle cuts the slab between the agent's knee and head above it.
//!
//! Ledges come first, since nearly half of all walls run along one and add nothing. Both are found
//! one triangle at a time, by intervals on lines ([`outlines`]). A segment where no ground ends
//! does no harm if no agent can be there anyway, but it costs time: hidden parts are dropped
//! ([`super::occlusion`]), and segments that longer ones cover ([`prune`]). Long lines are cut into
//! pieces of a few radii.

pub(crate) mod cache;
mod gap_finder;
pub(crate) mod intervals;
mod join;
pub(crate) mod outlines;
pub(crate) mod prune;
mod slab;

use super::input::{Triangle, Triangles};
use super::math::{V2, boxes_meet, clamp_box, length, lerp, max, min};
use super::measures::Measures;
use super::plain::Plain;
use super::sampling::SamplingGrid;
use super::segment::Segment;
use cache::{CRUMB, Line, SegmentCache, Span, UNKNOWN};
use intervals::{Intervals, between, without};
use outlines::{BESIDE, Outlines, beside_edge};
use prune::Prune;

/// The segments needed on the ground in and around a tile. What holds for any radius is taken from
/// the cache or added to it.
pub(crate) fn segments(
    triangles: &Triangles,
    grid: &SamplingGrid,
    measures: &Measures,
    cache: &mut SegmentCache,
    plain: &Plain,
) -> Vec<Segment> {
    let prune = Prune::new(measures.radius, measures.climb);
    let (own, area) = (measures.area(), measures.common_area());
    cache.keep_for(measures.gap);
    let mut finder = Finder {
        triangles,
        grid,
        measures,
        own,
        area,
        cache,
        outlines: Outlines::new(triangles, measures, area),
        short: prune.short(),
        open: [UNKNOWN; 3],
        lines: vec![],
        covered: vec![],
        bare: vec![],
        waiting: vec![],
        found: vec![],
    };
    for (i, triangle) in (0u32..).zip(&triangles.all) {
        let within = clamp_box(triangle.bounds, area);
        if triangle.ground
            && boxes_meet(triangle.bounds, own)
            && !plain.holds(triangle)
            && (grid.has_begun_on(i) || grid.is_met(within, triangle.low, triangle.high, measures))
        {
            let (before, first) = (finder.cache.held(), finder.waiting.len());
            finder.look_up(i);
            finder.ledges(i, triangle);
            finder.walls(i, triangle);
            let waiting = finder.waiting[first..].iter_mut().map(|waiting| &mut waiting.line);
            finder.cache.end(i, before, waiting);
        }
    }
    let needed = finder.needed(&prune);
    cache.end_class();
    needed
}

/// A short line across a triangle: longer ones, found first, cover most of these.
struct Waiting {
    triangle: u32,
    line: usize,
    /// What may limit the head room above the triangle.
    roofs: Span,
}

struct Finder<'a> {
    triangles: &'a Triangles,
    grid: &'a SamplingGrid,
    measures: &'a Measures,
    /// The tile with the margin that matters to this class, and with the one of all triangles.
    own: [f64; 4],
    area: [f64; 4],
    cache: &'a mut SegmentCache,
    outlines: Outlines<'a>,
    /// Lines up to this length wait.
    short: f64,
    /// Intervals of the edges of the triangle that no ground goes on from.
    open: [Span; 3],
    /// Scratch: lines on a triangle, parts of a line that ledges cover, and the rest of it.
    lines: Vec<usize>,
    covered: Intervals,
    bare: Intervals,
    waiting: Vec<Waiting>,
    found: Vec<Segment>,
}

/// Length of a segment in radii.
const LONGEST: f64 = 8.0;

impl Finder<'_> {
    /// Finds the lines on a triangle.
    fn look_up(&mut self, index: u32) {
        if self.cache.walls(index) == UNKNOWN {
            self.cache.add_lines(index, self.outlines.lines(index));
            self.cache.add_roofs(index, self.outlines.roofs());
        }
    }

    /// Finds the walls: lines where triangles cut the slab between knee and head above a triangle.
    fn walls(&mut self, index: u32, triangle: &Triangle) {
        // With room for rounding.
        let short = 0.999 * self.short;
        let mut lines = std::mem::take(&mut self.lines);
        lines.clear();
        let roofs = self.cache.roofs(index);
        for number in self.cache.walls(index).range() {
            let Line { ends: [a, b], on, .. } = self.cache.line(number);
            let (x, y, part) = (b[0] - a[0], b[1] - a[1], on.1 - on.0);
            if (x * x + y * y) * part * part <= short * short {
                self.waiting.push(Waiting { triangle: index, line: number, roofs });
            } else if !self.is_along_edges(triangle, number) {
                lines.push(number);
            }
        }
        self.bounded(index, triangle, roofs, &mut lines);
        self.lines = lines;
    }

    /// Adds the segments of some lines across a triangle.
    fn bounded(&mut self, index: u32, triangle: &Triangle, roofs: Span, lines: &mut Vec<usize>) {
        lines.retain(|&number| {
            let Line { ends, on, .. } = self.cache.line(number);
            self.may_bound(triangle, ends, on)
        });
        self.hide(index, roofs, lines);
        for &number in lines.iter() {
            let Line { ends, left, .. } = self.cache.line(number);
            let parts = if self.covered(triangle, number) {
                let (long, bare) = (line_length(ends).max(1e-9), &mut self.bare);
                bare.clear();
                for &(u, v) in self.cache.parts(left) {
                    without(u, v, &mut self.covered, |u, v| {
                        if (v - u) * long >= CRUMB {
                            bare.push((u, v));
                        }
                    });
                }
                &self.bare
            } else {
                self.cache.parts(left)
            };
            pieces(&mut self.found, triangle, ends, parts, self.measures);
        }
        self.open = [UNKNOWN; 3];
    }

    /// Is all of a line across the triangle covered by edges that no ground goes on from?
    fn is_along_edges(&mut self, triangle: &Triangle, number: usize) -> bool {
        if !self.covered(triangle, number) {
            return false;
        }
        let Line { ends, on, .. } = self.cache.line(number);
        let (long, mut is_whole) = (line_length(ends), true);
        without(on.0, on.1, &mut self.covered, |u, v| {
            is_whole &= (v - u) * long < CRUMB;
        });
        is_whole
    }

    /// Collects the parts of a line along ledges of the current triangle. Gives false if there are
    /// none.
    fn covered(&mut self, triangle: &Triangle, number: usize) -> bool {
        self.covered.clear();
        let Line { ends, on, .. } = self.cache.line(number);
        let [p, q] = [on.0, on.1].map(|t| lerp(ends[0], ends[1], t));
        for (k, open) in self.open.into_iter().enumerate() {
            let open = self.cache.parts(open);
            if open.is_empty() {
                continue;
            }
            let (a, b) = (triangle.flat(k), triangle.flat(k + 1));
            let along = [b[0] - a[0], b[1] - a[1]];
            let square = along[0] * along[0] + along[1] * along[1];
            let is_near = |p: V2| {
                let off = triangle.inside_of(k, p);
                off * off <= BESIDE * BESIDE * square
            };
            if !is_near(p) || !is_near(q) {
                continue;
            }
            // Where along the edge the line begins and ends.
            let [from, to] =
                ends.map(|p| ((p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1]) / square);
            for part in open {
                if from == to {
                    // Straight across the edge, and no longer than it is near.
                    if part.0 <= from && part.1 >= from {
                        self.covered.push((0.0, 1.0));
                    }
                    continue;
                }
                let [s, t] = [part.0, part.1].map(|t| (t - from) / (to - from));
                self.covered.push((min(s, t), max(s, t)));
            }
        }
        !self.covered.is_empty()
    }

    /// May the part of a line across a triangle bound ground of the sampling grid?
    fn may_bound(&self, triangle: &Triangle, [a, b]: [V2; 2], (t0, t1): (f64, f64)) -> bool {
        let (a, b) = (lerp(a, b, t0), lerp(a, b, t1));
        let bounds = [min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])];
        let heights = [triangle.at(a), triangle.at(b)];
        boxes_meet(bounds, self.own)
            && self.grid.is_bounded(&Segment { a, b, heights }, self.measures)
    }

    /// Finds the free parts of some lines across a triangle.
    fn hide(&mut self, index: u32, roofs: Span, lines: &[usize]) {
        for &number in lines {
            let line = self.cache.line(number);
            if line.left != UNKNOWN {
                continue;
            }
            let first = self.cache.begin();
            self.outlines.gather(index, self.cache.all_roofs(roofs));
            self.outlines.left(&line, self.cache.add_parts());
            self.cache.settle(number, first);
        }
    }

    /// The segments that are needed of those found, and of lines that wait.
    fn needed(mut self, prune: &Prune) -> Vec<Segment> {
        let waiting = std::mem::take(&mut self.waiting);
        let found = std::mem::take(&mut self.found);
        let all = found.iter().map(|s| [s.a, s.b]);
        let lines = waiting.iter().map(|w| self.cache.line(w.line).ends);
        let mut pruned = prune.begin(all.chain(lines).flatten());
        pruned.take(found.iter().copied().filter(|s| !prune.is_short(s)));
        let mut lines = std::mem::take(&mut self.lines);
        for on_triangle in waiting.chunk_by(|a, b| a.triangle == b.triangle) {
            let Waiting { triangle, roofs, .. } = on_triangle[0];
            let ground = &self.triangles.all[triangle as usize];
            let is_covered = |line: usize| {
                let Line { ends, on, .. } = self.cache.line(line);
                let [a, b] = [on.0, on.1].map(|t| lerp(ends[0], ends[1], t));
                let heights = [ground.at(a), ground.at(b)];
                pruned.covers(&Segment { a, b, heights })
            };
            lines.clear();
            lines.extend(on_triangle.iter().map(|w| w.line));
            lines.retain(|&line| !is_covered(line));
            if !lines.is_empty() {
                self.bounded(triangle, ground, roofs, &mut lines);
            }
        }
        let short = found.into_iter().filter(|s| prune.is_short(s));
        pruned.take(short.chain(self.found));
        pruned.into_segments()
    }

    /// Finds the ledges of a triangle, which becomes the current one.
    fn ledges(&mut self, index: u32, triangle: &Triangle) {
        self.open = [UNKNOWN; 3];
        for k in 0..3 {
            let (a, b) = (triangle.flat(k), triangle.flat(k + 1));
            let around = beside_edge(triangle, k, self.measures);
            if triangle.kinds[k].ground_on_both || !boxes_meet(around, self.own) {
                continue;
            }
            let (mut t0, mut t1) = (0.0, 1.0);
            for axis in 0..2 {
                let (low, high) = (self.area[axis], self.area[axis + 2]);
                (t0, t1) = between(a[axis], b[axis], low, high, t0, t1);
            }
            if t0 >= t1 || !self.may_bound(triangle, [a, b], (t0, t1)) {
                continue;
            }
            if self.cache.ledge(index, k) == UNKNOWN {
                let roofs = self.cache.all_roofs(self.cache.roofs(index));
                let parts = self.outlines.ledge(index, k, (t0, t1), roofs);
                self.cache.add_ledge(index, k, parts);
            }
            self.open[k] = self.cache.ledge(index, k);
            let parts = self.cache.parts(self.open[k]);
            pieces(&mut self.found, triangle, [a, b], parts, self.measures);
        }
    }
}

/// The length of a line.
fn line_length([a, b]: [V2; 2]) -> f64 {
    length([b[0] - a[0], b[1] - a[1]])
}

/// Cuts parts of a segment on a triangle into pieces that rise by at most a step and are no longer
/// than some radii: each piece bounds the ground around it, and a long one would reach other layers
/// as well.
fn pieces(
    found: &mut Vec<Segment>,
    triangle: &Triangle,
    [a, b]: [V2; 2],
    parts: &[(f64, f64)],
    measures: &Measures,
) {
    if parts.is_empty() {
        return;
    }
    let long = line_length([a, b]).max(1e-9);
    let rise = (triangle.at(b) - triangle.at(a)).abs();
    let share = (rise / measures.climb.max(measures.cell))
        .max(long / (LONGEST * measures.radius.max(measures.cell)));
    for &(u, v) in parts {
        let pieces = ((v - u) * share).ceil().max(1.0);
        let at = |k: f64| lerp(a, b, u + (v - u) * (k / pieces));
        for k in 0..pieces as u32 {
            let (a, b) = (at(f64::from(k)), at(f64::from(k + 1)));
            let heights = [triangle.at(a), triangle.at(b)];
            found.push(Segment { a, b, heights });
        }
    }
}
