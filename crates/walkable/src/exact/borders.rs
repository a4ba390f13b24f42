//! Segments that ground ends at.

use super::Measures;
use super::blocks::{least, most};
use super::cover::{Cover, Parts, TOUCH, between, without};
use super::facet::{Facet, Facets, V2, length, lerp, meet};
use super::known::{Known, Line, UNKNOWN};
use super::lattice::Lattice;
use super::lines;
use super::slots::Slots;
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
        gathered: None,
        near: vec![],
        slots: Slots::default(),
        cover: Cover::new(facets, measures),
        walls: vec![],
        short: thin.short(),
        waiting: vec![],
        slab: Slab::default(),
        holes: vec![],
        left: vec![],
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
    /// The facet that [`Finder::cover`] knows about.
    gathered: Option<u32>,
    /// Scratch: ground beside an edge, and around its ends; what hides a facet; outlines of what is in the way; parts to leave out; what is left.
    near: Vec<u32>,
    slots: Slots,
    cover: Cover<'a>,
    walls: Vec<(V2, V2)>,
    /// Lines up to this length wait.
    short: f64,
    waiting: Vec<Waiting>,
    slab: Slab,
    holes: Parts,
    left: Parts,
    found: Vec<Segment>,
}

/// A wall may stand this far beside the ground it bounds.
const BESIDE: f64 = 2.0;
/// A segment is useless where, this far to both of its sides, nobody can stand.
const ASIDE: f64 = 1.0;
/// Length of a segment in radii.
const LONGEST: f64 = 8.0;
/// Ground is looked for this far outside of an edge.
const OUTSIDE: f64 = 4.0;

impl Finder<'_> {
    /// Where triangles cut the slab between knee and head above a facet.
    fn walls(&mut self, index: u32, facet: &Facet) {
        if self.known.walls[index as usize] == UNKNOWN {
            self.find_lines(index, facet);
        }
        // With room for rounding.
        let short = 0.999 * self.short;
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
                self.wall(index, facet, number);
            }
        }
    }

    /// The lines where triangles cut that slab.
    fn find_lines(&mut self, index: u32, facet: &Facet) {
        let Measures { climb, height, .. } = *self.measures;
        let within = clamp(facet.bounds, self.area);
        let (walls, slab) = (&mut self.walls, &mut self.slab);
        walls.clear();
        // Heights are whole numbers: what only touches the slab does not lie in it.
        let (low, high) = (facet.low + climb + 1.0, facet.high + height - 1.0);
        let facets = self.facets;
        let wanted = facets.wanted(within, low, high);
        facets.near(&wanted, |item| {
            let other = &facets.all[item.index() as usize];
            let above = other.corners.map(|c| c[2] - facet.at([c[0], c[1]]));
            if item.index() != index && Slab::may_hold(other, above, climb, height) {
                walls_of(facet, other, above, slab, walls, self.measures);
            }
        });
        lines::join(walls);
        let grown = facet.grown(BESIDE);
        let on_facet = walls.iter().filter_map(|&(a, b)| {
            let on = facet.cut(a, b, 0.0, 1.0, &grown)?;
            Some(Line {
                ends: [a, b],
                on,
                left: UNKNOWN,
            })
        });
        self.known.add_lines(index, on_facet);
    }

    /// What of a line across the facet at hand bounds it.
    fn wall(&mut self, index: u32, facet: &Facet, number: usize) {
        let line = self.known.line(number);
        if !is_met(self.lattice, facet, line.ends, line.on, self.measures) {
            return;
        }
        if line.left == UNKNOWN {
            self.hide(index, facet, number);
        }
        let left = self.known.line(number).left;
        let parts = self.known.parts(left);
        pieces(&mut self.found, facet, line.ends, parts, self.measures);
    }

    /// Finds what of a line across the facet at hand is hidden.
    fn hide(&mut self, index: u32, facet: &Facet, number: usize) {
        let Line {
            ends: [a, b], on, ..
        } = self.known.line(number);
        if self.gathered != Some(index) {
            self.gathered = Some(index);
            let within = clamp(facet.bounds, self.area);
            let grown = facet.grown(BESIDE + ASIDE + 1.0);
            self.cover.gather(index, within, &grown);
        }
        let along = [b[0] - a[0], b[1] - a[1]];
        let aside = ASIDE / length(along).max(1e-9);
        let left = [-along[1] * aside, along[0] * aside];
        self.holes.clear();
        self.cover.hides([a, b], on, left, &mut self.holes);
        self.known.settle(number, &mut self.holes);
    }

    /// The segments that are needed of those found, and of lines that wait.
    fn needed(mut self, thin: &Thin) -> Vec<Segment> {
        let waiting = std::mem::take(&mut self.waiting);
        let found = std::mem::take(&mut self.found);
        let all = found.iter().map(|s| [s.a, s.b]);
        let lines = waiting.iter().map(|w| self.known.line(w.line).ends);
        let mut thinned = thin.begin(all.chain(lines).flatten());
        thinned.take(found.iter().copied().filter(|s| !thin.is_short(s)));
        for Waiting { facet, line } in waiting {
            let ground = &self.facets.all[facet as usize];
            let Line { ends, on, .. } = self.known.line(line);
            let [a, b] = [on.0, on.1].map(|t| lerp(ends[0], ends[1], t));
            let heights = [ground.at(a), ground.at(b)];
            if thinned.covers(&Segment { a, b, heights }) {
                continue;
            }
            self.wall(facet, ground, line);
        }
        let short = found.into_iter().filter(|s| thin.is_short(s));
        thinned.take(short.chain(self.found));
        thinned.into_segments()
    }

    /// Where no ground within a step goes on from an edge of a facet.
    fn ledges(&mut self, index: u32, facet: &Facet) {
        for k in 0..3 {
            let (a, b) = (facet.flat(k), facet.flat(k + 1));
            let reach = self.measures.crack + OUTSIDE;
            let around = [
                least(a[0], b[0]) - reach,
                least(a[1], b[1]) - reach,
                most(a[0], b[0]) + reach,
                most(a[1], b[1]) + reach,
            ];
            if facet.kinds[k].ground_on_both || !meet(around, self.own) {
                continue;
            }
            let (mut t0, mut t1) = (0.0, 1.0);
            for axis in 0..2 {
                let (low, high) = (self.area[axis], self.area[axis + 2]);
                (t0, t1) = between(a[axis], b[axis], low, high, t0, t1);
            }
            if t0 >= t1 || !is_met(self.lattice, facet, [a, b], (t0, t1), self.measures) {
                continue;
            }
            if self.known.ledges[index as usize][k] == UNKNOWN {
                let first = self.known.begin();
                self.ledge(index, facet, k, around, (t0, t1));
                self.known.ledges[index as usize][k] = self.known.since(first);
            }
            let left = self.known.ledges[index as usize][k];
            let parts = self.known.parts(left);
            pieces(&mut self.found, facet, [a, b], parts, self.measures);
        }
    }

    /// Adds to what is known the parts of edge `k` that no ground goes on from, in a box around it.
    fn ledge(
        &mut self,
        index: u32,
        facet: &Facet,
        k: usize,
        around: [f64; 4],
        (t0, t1): (f64, f64),
    ) {
        let Measures { climb, crack, .. } = *self.measures;
        let (a, b) = (facet.flat(k), facet.flat(k + 1));
        let along = [b[0] - a[0], b[1] - a[1]];
        let long = length(along);
        let (facets, near) = (self.facets, &mut self.near);
        near.clear();
        let ends = [facet.corners[k][2], facet.corners[(k + 1) % 3][2]];
        let low = (ends[0].min(ends[1]) - 1.0).max(facet.low) - climb;
        let high = (ends[0].max(ends[1]) + 1.0).min(facet.high) + climb;
        let clamped = clamp(around, self.area);
        let inside = (1.0 - OUTSIDE) * long;
        facets.ground_near(&facets.wanted(clamped, low, high), |item| {
            if item.index() == index {
                return;
            }
            // Only what reaches out of the edge can go on from it.
            let other = &facets.all[item.index() as usize];
            if (0..3).any(|j| facet.inside_of(k, other.flat(j)) < inside) {
                near.push(item.index());
            }
        });
        self.holes.clear();
        let out = [along[1] / long, -along[0] / long];
        'steps: for step in [OUTSIDE, OUTSIDE + crack / 3.0, crack * 2.0 / 3.0, crack] {
            let beside = |p: V2| [p[0] + out[0] * step, p[1] + out[1] * step];
            let (c, d) = (beside(a), beside(b));
            for &i in near.iter() {
                let other = &self.facets.all[i as usize];
                let Some((u0, u1)) = other.cut(c, d, 0.0, 1.0, &[0.0; 3]) else {
                    continue;
                };
                let rise = [other.at(c) - facet.at(a), other.at(d) - facet.at(b)];
                let (w0, w1) = between(rise[0], rise[1], -climb - 1.0, climb + 1.0, u0, u1);
                // Neighbours meet with a rounding between them; what meets the line only by a rounding, as the ground around a hole's right
                // angle, goes on from nothing.
                let slack = BESIDE / long;
                if w1 - w0 > slack.min(0.5) {
                    self.holes.push((w0 - slack, w1 + slack));
                    if w0 - slack <= t0 && w1 + slack >= t1 {
                        break 'steps;
                    }
                }
            }
        }
        self.left.clear();
        let left = &mut self.left;
        without(t0, t1, &mut self.holes, |u, v| {
            // Between ground and ground a slot is stepped over along the edge as well.
            if u == t0 || v == t1 || (v - u) * long >= crack {
                left.push((u, v));
            }
        });
        // What is left at one end of it may hang over a slot that is stepped over along another edge.
        let slots = &mut self.slots;
        left.retain(|&(u, v)| {
            let is_tip = (u == t0) != (v == t1) && (v - u) * long < crack;
            let tips = [(u + v) / 2.0, if u == t0 { u } else { v }];
            let is_in_slot = |t: f64| {
                let p = lerp(a, b, t);
                let beside = [p[0] + out[0] * OUTSIDE, p[1] + out[1] * OUTSIDE];
                slots.hold(facets, beside, facet.at(p), climb, crack)
            };
            !(is_tip && tips.into_iter().all(is_in_slot))
        });
        // Nothing ends where nobody stands on this ground.
        let cover = &mut self.cover;
        let inwards = out.map(|v| -v * ASIDE);
        for on in self.left.iter().copied() {
            self.holes.clear();
            let inside = [a, b].map(|p| [p[0] + inwards[0], p[1] + inwards[1]]);
            cover.hides_at(index, inside, on, &mut self.holes);
            self.known.leave([a, b], on, &mut self.holes);
        }
    }
}

/// Adds the outlines of a facet, its corners so high above the plane of a ground facet, that may bound that one.
fn walls_of(
    facet: &Facet,
    other: &Facet,
    above: [f64; 3],
    slab: &mut Slab,
    walls: &mut Vec<(V2, V2)>,
    measures: &Measures,
) {
    if !facet.is_clear_of(other, BESIDE) {
        slab.outline(other, above, measures.climb, measures.height, walls);
    }
}

/// Cuts triangles by the slab above a plane.
#[derive(Default)]
struct Slab {
    /// X, Y, height above the plane; is the edge that begins here an outline?
    polygon: Vec<([f64; 3], bool)>,
    spare: Vec<([f64; 3], bool)>,
}

impl Slab {
    /// May a facet, its corners so high above a plane, have an outline in the slab from `climb` to `height` above it?
    fn may_hold(other: &Facet, above: [f64; 3], climb: f64, height: f64) -> bool {
        let (low, high) = (climb + TOUCH, height - TOUCH);
        if above.iter().all(|&h| h <= low) || above.iter().all(|&h| h >= high) {
            return false;
        }
        // What lies in the slab as a whole is cut nowhere.
        other.upright
            || other.kinds.iter().any(|kind| !kind.inner)
            || above.iter().any(|&h| h < low || h > high)
    }

    /// The outlines, seen from above, of the part of `other`, its corners so high above a plane, that lies from `climb` to `height` above it.
    fn outline(
        &mut self,
        other: &Facet,
        above: [f64; 3],
        climb: f64,
        height: f64,
        out: &mut Vec<(V2, V2)>,
    ) {
        self.polygon.clear();
        for (k, (c, h)) in other.corners.iter().zip(above).enumerate() {
            let outline = other.upright || !other.kinds[k].inner;
            self.polygon.push(([c[0], c[1], h], outline));
        }
        if above.iter().any(|h| h - climb - TOUCH < 0.0) {
            self.clip(|h| h - climb - TOUCH);
        }
        if above.iter().any(|h| height - TOUCH - h < 0.0) {
            self.clip(|h| height - TOUCH - h);
        }
        let flat = |corner: &([f64; 3], bool)| [corner.0[0], corner.0[1]];
        let Some(mut before) = self.polygon.last() else {
            return;
        };
        if self.polygon.len() < 2 {
            return;
        }
        if other.upright {
            let b = other.bounds;
            let axis = usize::from(b[2] - b[0] < b[3] - b[1]);
            let by = |p: &V2, q: &V2| p[axis].total_cmp(&q[axis]);
            let places = self.polygon.iter().map(flat);
            if let (Some(a), Some(b)) = (places.clone().min_by(by), places.max_by(by)) {
                out.push((a, b));
            }
            return;
        }
        for corner in &self.polygon {
            if before.1 {
                out.push((flat(before), flat(corner)));
            }
            before = corner;
        }
    }

    /// Keeps what has `f(height) >= 0`; the edge that the cut makes is an outline.
    fn clip(&mut self, f: impl Fn(f64) -> f64) {
        self.spare.clear();
        let Some(first) = self.polygon.first() else {
            return;
        };
        let next = self.polygon[1..].iter().chain([first]);
        for (p, q) in self.polygon.iter().zip(next) {
            let (a, b) = (f(p.0[2]), f(q.0[2]));
            if a >= 0.0 {
                self.spare.push(*p);
            }
            if (a < 0.0) != (b < 0.0) {
                let t = a / (a - b);
                let cut = std::array::from_fn(|j| p.0[j] + (q.0[j] - p.0[j]) * t);
                self.spare.push((cut, if a >= 0.0 { true } else { p.1 }));
            }
        }
        std::mem::swap(&mut self.polygon, &mut self.spare);
    }
}

fn clamp(b: [f64; 4], to: [f64; 4]) -> [f64; 4] {
    [
        most(b[0], to[0]),
        most(b[1], to[1]),
        least(b[2], to[2]),
        least(b[3], to[3]),
    ]
}

/// May the part of a segment on a facet bound ground that anybody stands on?
fn is_met(
    lattice: &Lattice,
    facet: &Facet,
    [a, b]: [V2; 2],
    (t0, t1): (f64, f64),
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
    lattice.is_met(bounds, least(u, v), most(u, v), measures)
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
