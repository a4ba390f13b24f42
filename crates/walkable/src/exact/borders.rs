//! Segments that ground ends at.

use super::Measures;
use super::blocks::{least, most};
use super::facet::{Facet, Facets, V2, length, lerp, meet};
use super::known::{CRUMB, Known, Line, Span, UNKNOWN};
use super::lattice::Lattice;
use super::look::{BESIDE, Look, beside_edge, clamp};
use super::parts::{Parts, between, without};
use super::pieces::Sight;
use super::thin::Thin;

/// A segment that ground ends at, or that nobody can stand beside anyway. It lies on ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Segment {
    pub(crate) a: V2,
    pub(crate) b: V2,
    /// Heights of the ground at `a` and `b`.
    pub(crate) heights: [f64; 2],
}

impl Segment {
    /// The same towards greater X, or Y.
    pub(crate) fn upwards(&self) -> Segment {
        if self.a <= self.b {
            return *self;
        }
        Segment {
            a: self.b,
            b: self.a,
            heights: [self.heights[1], self.heights[0]],
        }
    }

    /// The squared distance of a place, seen from above, and the segment's height there.
    pub(crate) fn apart(&self, p: V2) -> (f64, f64) {
        let (px, py) = (p[0] - self.a[0], p[1] - self.a[1]);
        let (dx, dy) = (self.b[0] - self.a[0], self.b[1] - self.a[1]);
        let t = ((px * dx + py * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
        let (qx, qy) = (px - t * dx, py - t * dy);
        let [ya, yb] = self.heights;
        (qx * qx + qy * qy, ya + t * (yb - ya))
    }
}

/// The segments on the ground in and around a tile that are needed; what holds for any radius is looked up in, or added to, what is known.
pub(crate) fn segments(
    facets: &Facets,
    lattice: &Lattice,
    measures: &Measures,
    known: &mut Known,
    pieces: Option<&Sight>,
) -> Vec<Segment> {
    let thin = Thin::new(measures.radius, measures.climb);
    let (own, area) = (measures.area(), measures.common_area());
    known.keep_for(measures.crack);
    let mut finder = Finder {
        facets,
        lattice,
        measures,
        own,
        area,
        known,
        look: Look::new(facets, measures, area),
        pieces,
        short: thin.short(),
        open: [UNKNOWN; 3],
        lines: vec![],
        covered: vec![],
        bare: vec![],
        waiting: vec![],
        found: vec![],
    };
    for (i, facet) in facets.all.iter().enumerate() {
        let within = clamp(facet.bounds, area);
        if facet.ground
            && meet(facet.bounds, own)
            && (lattice.has_begun_on(i as u32)
                || lattice.is_met(within, facet.low, facet.high, measures))
        {
            finder.look_up(i as u32);
            finder.ledges(i as u32, facet);
            finder.walls(i as u32, facet);
        }
    }
    finder.needed(&thin)
}

/// A short line across a facet: most are covered by longer ones, which are to be found first.
struct Waiting {
    facet: u32,
    line: usize,
}

struct Finder<'a> {
    facets: &'a Facets,
    lattice: &'a Lattice,
    measures: &'a Measures,
    /// The tile with the margin that matters to this class, and with the one of all facets.
    own: [f64; 4],
    area: [f64; 4],
    known: &'a mut Known,
    look: Look<'a>,
    /// None where nothing stands in the level more than once.
    pieces: Option<&'a Sight<'a>>,
    /// Lines up to this length wait.
    short: f64,
    /// Parts of the edges of the facet at hand that no ground goes on from.
    open: [Span; 3],
    /// Scratch: lines on a facet; parts of a line that such edges cover; what they leave of it.
    lines: Vec<usize>,
    covered: Parts,
    bare: Parts,
    waiting: Vec<Waiting>,
    found: Vec<Segment>,
}

/// Length of a segment in radii.
const LONGEST: f64 = 8.0;

impl Finder<'_> {
    /// Finds the lines on a facet.
    fn look_up(&mut self, index: u32) {
        if self.known.walls[index as usize] == UNKNOWN {
            self.known.add_lines(index, self.look.lines(index));
            self.known.add_roofs(index, self.look.roofs());
        }
    }

    /// Where triangles cut the slab between knee and head above a facet. Most walls stand along an edge that no ground goes on from, which bounds the ground
    /// already.
    fn walls(&mut self, index: u32, facet: &Facet) {
        // With room for rounding.
        let short = 0.999 * self.short;
        let mut lines = std::mem::take(&mut self.lines);
        lines.clear();
        for number in self.known.walls[index as usize].range() {
            let Line {
                ends: [a, b], on, ..
            } = self.known.line(number);
            let (x, y, part) = (b[0] - a[0], b[1] - a[1], on.1 - on.0);
            if (x * x + y * y) * part * part <= short * short {
                self.waiting.push(Waiting {
                    facet: index,
                    line: number,
                });
            } else if !self.is_along_edges(facet, number) {
                lines.push(number);
            }
        }
        self.bounded(index, facet, &mut lines);
        self.lines = lines;
    }

    /// What of some lines across a facet bounds it.
    fn bounded(&mut self, index: u32, facet: &Facet, lines: &mut Vec<usize>) {
        lines.retain(|&number| {
            let Line { ends, on, .. } = self.known.line(number);
            is_met(self.lattice, facet, ends, on, self.own, self.measures)
        });
        self.hide(index, facet, lines);
        for &number in lines.iter() {
            let Line { ends, left, .. } = self.known.line(number);
            let parts = if self.covered(facet, number) {
                let (long, bare) = (far(ends).max(1e-9), &mut self.bare);
                bare.clear();
                for &(u, v) in self.known.parts(left) {
                    without(u, v, &mut self.covered, |u, v| {
                        if (v - u) * long >= CRUMB {
                            bare.push((u, v));
                        }
                    });
                }
                &self.bare
            } else {
                self.known.parts(left)
            };
            pieces(&mut self.found, facet, ends, parts, self.measures);
        }
        self.open = [UNKNOWN; 3];
    }

    /// Is all of a line across the facet at hand covered by edges that no ground goes on from?
    fn is_along_edges(&mut self, facet: &Facet, number: usize) -> bool {
        if !self.covered(facet, number) {
            return false;
        }
        let Line { ends, on, .. } = self.known.line(number);
        let (long, mut is_whole) = (far(ends), true);
        without(on.0, on.1, &mut self.covered, |u, v| {
            is_whole &= (v - u) * long < CRUMB;
        });
        is_whole
    }

    /// Collects the parts of a line across the facet at hand that lie along parts of edges that no ground goes on from. Are there any?
    fn covered(&mut self, facet: &Facet, number: usize) -> bool {
        self.covered.clear();
        let Line { ends, on, .. } = self.known.line(number);
        let [p, q] = [on.0, on.1].map(|t| lerp(ends[0], ends[1], t));
        for (k, open) in self.open.into_iter().enumerate() {
            let open = self.known.parts(open);
            if open.is_empty() {
                continue;
            }
            let (a, b) = (facet.flat(k), facet.flat(k + 1));
            let along = [b[0] - a[0], b[1] - a[1]];
            let square = along[0] * along[0] + along[1] * along[1];
            let is_near = |p: V2| {
                let off = facet.inside_of(k, p);
                off * off <= BESIDE * BESIDE * square
            };
            if !is_near(p) || !is_near(q) {
                continue;
            }
            // Where along the edge the line begins and ends.
            let [from, to] =
                ends.map(|p| ((p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1]) / square);
            for part in open {
                let [s, t] = [part.0, part.1].map(|t| (t - from) / (to - from));
                self.covered.push((least(s, t), most(s, t)));
            }
        }
        !self.covered.is_empty()
    }

    /// Finds what of some lines across a facet is hidden.
    fn hide(&mut self, index: u32, facet: &Facet, lines: &[usize]) {
        let seen = self.pieces.and_then(|p| p.seen(facet, self.area));
        for &number in lines {
            let line = self.known.line(number);
            if line.left != UNKNOWN {
                continue;
            }
            let first = self.known.begin();
            if !seen.as_ref().is_some_and(|seen| seen.hides(line.ends)) {
                self.look.gather(index, self.known.roofs(index));
                self.look.left(&line, self.known.add_parts());
            }
            self.known.settle(number, first);
        }
    }

    /// The segments that are needed of those found, and of lines that wait.
    fn needed(mut self, thin: &Thin) -> Vec<Segment> {
        let waiting = std::mem::take(&mut self.waiting);
        let found = std::mem::take(&mut self.found);
        let all = found.iter().map(|s| [s.a, s.b]);
        let lines = waiting.iter().map(|w| self.known.line(w.line).ends);
        let mut thinned = thin.begin(all.chain(lines).flatten());
        thinned.take(found.iter().copied().filter(|s| !thin.is_short(s)));
        let mut lines = std::mem::take(&mut self.lines);
        for on_facet in waiting.chunk_by(|a, b| a.facet == b.facet) {
            let facet = on_facet[0].facet;
            let ground = &self.facets.all[facet as usize];
            let is_covered = |line: usize| {
                let Line { ends, on, .. } = self.known.line(line);
                let [a, b] = [on.0, on.1].map(|t| lerp(ends[0], ends[1], t));
                let heights = [ground.at(a), ground.at(b)];
                thinned.covers(&Segment { a, b, heights })
            };
            lines.clear();
            lines.extend(on_facet.iter().map(|w| w.line));
            lines.retain(|&line| !is_covered(line));
            if !lines.is_empty() {
                self.bounded(facet, ground, &mut lines);
            }
        }
        let short = found.into_iter().filter(|s| thin.is_short(s));
        thinned.take(short.chain(self.found));
        thinned.into_segments()
    }

    /// Where no ground within a step goes on from an edge of a facet, which is the one at hand from then on.
    fn ledges(&mut self, index: u32, facet: &Facet) {
        self.open = [UNKNOWN; 3];
        for k in 0..3 {
            let (a, b) = (facet.flat(k), facet.flat(k + 1));
            let around = beside_edge(facet, k, self.measures);
            if facet.kinds[k].ground_on_both || !meet(around, self.own) {
                continue;
            }
            let (mut t0, mut t1) = (0.0, 1.0);
            for axis in 0..2 {
                let (low, high) = (self.area[axis], self.area[axis + 2]);
                (t0, t1) = between(a[axis], b[axis], low, high, t0, t1);
            }
            if t0 >= t1
                || !is_met(
                    self.lattice,
                    facet,
                    [a, b],
                    (t0, t1),
                    self.own,
                    self.measures,
                )
            {
                continue;
            }
            if self.known.ledges[index as usize][k] == UNKNOWN {
                let roofs = self.known.roofs(index);
                let parts = self.look.ledge(index, k, (t0, t1), roofs);
                self.known.add_ledge(index, k, parts);
            }
            self.open[k] = self.known.ledges[index as usize][k];
            let parts = self.known.parts(self.open[k]);
            pieces(&mut self.found, facet, [a, b], parts, self.measures);
        }
    }
}

/// May the part of a segment on a facet, if it meets an area, bound ground that anybody stands on?
fn is_met(
    lattice: &Lattice,
    facet: &Facet,
    [a, b]: [V2; 2],
    (t0, t1): (f64, f64),
    area: [f64; 4],
    measures: &Measures,
) -> bool {
    let (p, q) = (lerp(a, b, t0), lerp(a, b, t1));
    let bounds = [
        least(p[0], q[0]),
        least(p[1], q[1]),
        most(p[0], q[0]),
        most(p[1], q[1]),
    ];
    let (u, v) = (facet.at(p), facet.at(q));
    meet(bounds, area) && lattice.is_met(bounds, least(u, v), most(u, v), measures)
}

/// The length of a line.
fn far([a, b]: [V2; 2]) -> f64 {
    length([b[0] - a[0], b[1] - a[1]])
}

/// Takes parts of a segment on a facet in pieces that rise by at most a step and are no longer than some radii: each
/// piece bounds the ground around it, and a long one would meet other storeys as well.
fn pieces(
    found: &mut Vec<Segment>,
    facet: &Facet,
    [a, b]: [V2; 2],
    parts: &[(f64, f64)],
    measures: &Measures,
) {
    if parts.is_empty() {
        return;
    }
    let long = far([a, b]).max(1e-9);
    let rise = (facet.at(b) - facet.at(a)).abs();
    let share = (rise / measures.climb.max(measures.cell))
        .max(long / (LONGEST * measures.radius.max(measures.cell)));
    for &(u, v) in parts {
        let pieces = ((v - u) * share).ceil().max(1.0);
        let at = |k: f64| lerp(a, b, u + (v - u) * (k / pieces));
        for k in 0..pieces as u32 {
            let (a, b) = (at(f64::from(k)), at(f64::from(k + 1)));
            let heights = [facet.at(a), facet.at(b)];
            found.push(Segment { a, b, heights });
        }
    }
}
