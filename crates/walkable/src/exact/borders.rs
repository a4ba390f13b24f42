//! Segments that ground ends at.

use super::Measures;
use super::blocks::{least, most};
use super::cover::between;
use super::facet::{Facet, Facets, V2, length, lerp, meet};
use super::known::{Known, Line, UNKNOWN};
use super::lattice::Lattice;
use super::look::{Look, beside_edge, beside_lines, clamp};
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
        waiting: vec![],
        found: vec![],
    };
    for (i, facet) in facets.all.iter().enumerate() {
        let within = clamp(facet.bounds, area);
        if facet.ground
            && meet(facet.bounds, own)
            && lattice.is_met(within, facet.low, facet.high, measures)
        {
            finder.walls(i as u32, facet);
            finder.ledges(i as u32, facet);
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
    waiting: Vec<Waiting>,
    found: Vec<Segment>,
}

/// Length of a segment in radii.
const LONGEST: f64 = 8.0;

impl Finder<'_> {
    /// Where triangles cut the slab between knee and head above a facet.
    fn walls(&mut self, index: u32, facet: &Facet) {
        if self.known.walls[index as usize] == UNKNOWN {
            self.known.add_lines(index, self.look.lines(index));
        }
        // With room for rounding.
        let short = 0.999 * self.short;
        let mut lines = vec![];
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
            } else {
                lines.push(number);
            }
        }
        self.bounded(index, facet, lines);
    }

    /// What of some lines across a facet bounds it.
    fn bounded(&mut self, index: u32, facet: &Facet, mut lines: Vec<usize>) {
        lines.retain(|&number| {
            let Line { ends, on, .. } = self.known.line(number);
            is_met(self.lattice, facet, ends, on, self.own, self.measures)
        });
        self.hide(index, facet, &lines);
        for number in lines {
            let Line { ends, left, .. } = self.known.line(number);
            let parts = self.known.parts(left);
            pieces(&mut self.found, facet, ends, parts, self.measures);
        }
    }

    /// Finds what of some lines across a facet is hidden.
    fn hide(&mut self, index: u32, facet: &Facet, lines: &[usize]) {
        let seen = self.pieces.and_then(|p| p.seen(facet, self.area));
        let all = lines.iter().map(|&number| self.known.line(number));
        let within = beside_lines(all.filter(|line| line.left == UNKNOWN));
        for &number in lines {
            let line = self.known.line(number);
            if line.left != UNKNOWN {
                continue;
            }
            let first = self.known.begin();
            if !seen.as_ref().is_some_and(|seen| seen.hides(line.ends)) {
                self.look.left(index, &line, within, self.known.add_parts());
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
        for on_facet in waiting.chunk_by(|a, b| a.facet == b.facet) {
            let facet = on_facet[0].facet;
            let ground = &self.facets.all[facet as usize];
            let is_covered = |line: usize| {
                let Line { ends, on, .. } = self.known.line(line);
                let [a, b] = [on.0, on.1].map(|t| lerp(ends[0], ends[1], t));
                let heights = [ground.at(a), ground.at(b)];
                thinned.covers(&Segment { a, b, heights })
            };
            let lines = on_facet.iter().map(|w| w.line);
            let lines = lines.filter(|&line| !is_covered(line)).collect();
            self.bounded(facet, ground, lines);
        }
        let short = found.into_iter().filter(|s| thin.is_short(s));
        thinned.take(short.chain(self.found));
        thinned.into_segments()
    }

    /// Where no ground within a step goes on from an edge of a facet.
    fn ledges(&mut self, index: u32, facet: &Facet) {
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
                let first = self.known.begin();
                let parts = self.known.add_parts();
                self.look.ledge(index, k, (t0, t1), parts);
                self.known.ledges[index as usize][k] = self.known.since(first);
            }
            let left = self.known.ledges[index as usize][k];
            let parts = self.known.parts(left);
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
    let long = length([b[0] - a[0], b[1] - a[1]]).max(1e-9);
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
