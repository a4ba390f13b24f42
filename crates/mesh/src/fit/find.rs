//! What is found of the ground in a polygon that needs a relief.

use std::cell::Cell;
use std::ops::Range;

use navbake_geom::{Point, Point3, Whole};
use navbake_walkable::{Bend, BendKind};

use super::brinks::{Brink, along_step};
use super::{Fit, MARGIN, Met, key};
use crate::heights::Middle;
use crate::layer_heights::Expected;
use crate::told::{told, told_near, told_on};
use crate::{NONE, NavMesh};

/// A triangle is the ground where their heights differ by no more, grid units.
const SAME: f64 = 8.0;

/// A polygon that needs a relief.
pub(super) struct Needy {
    pub(super) number: usize,
    /// Its place among the polygons that need a relief.
    pub(super) order: u32,
    pub(super) flat: Vec<Point>,
    /// Least and greatest x and z.
    pub(super) bounds: [[i32; 2]; 2],
    /// Least and greatest height of its corners.
    pub(super) expected: Expected,
    /// Where its triangles stand in [`Fit::near`].
    pub(super) near: Range<usize>,
}

/// A place that was looked at in a polygon.
pub(super) struct Found {
    pub(super) place: Point,
    pub(super) height: i32,
    pub(super) use_of: Use,
}

/// What a place is to the relief.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Use {
    None,
    Unlikely,
    Likely,
}

/// Does a triangle's next edge begin with a bend?
fn begins_edge(bend: &Bend) -> bool {
    matches!(bend.kind, BendKind::Corner | BendKind::Outside)
}

impl Fit<'_> {
    /// Ground where it may bend in a polygon that needs a relief, and corners of its triangles that lie outside of the polygon, but near, and tell how its
    /// ground goes on.
    pub(super) fn find(&mut self, mesh: &NavMesh, own: &Needy, of: &[u32]) {
        let (flat, ground) = (&own.flat, self.ground);
        let middle = Middle::new(flat);
        let beyond = &mesh.neighbours[mesh.edges(own.number)];
        let same_relief = |k: u32| {
            let beyond = beyond.get(k as usize).map_or(NONE, |&n| n);
            of.get(beyond as usize).is_some_and(|&r| r != NONE)
        };
        let margin = MARGIN << self.finer;
        let is_near = |p: Point| {
            let [x, z] = own.bounds;
            let near = |c: i32, [least, most]: [i32; 2]| c >= least - margin && c <= most + margin;
            near(p.x, x) && near(p.z, z)
        };
        let settings = self.settings(None, [f64::NEG_INFINITY, f64::INFINITY]);
        let half = 1 << self.shift >> 1;
        self.seen.clear();
        self.found.clear();
        let (seen, found) = (&mut self.seen, &mut self.found);
        let (outside, outside_at) = (&mut self.outside, &mut self.outside_at);
        let (edge, brinks, limit) = (&mut self.edge, &mut self.brinks, self.limit);
        let samples = &mut self.samples;
        let near = &self.near[own.near.clone()];
        ground.bends(near, flat, &settings, &mut self.room, |triangle, bends| {
            let inner = bends.iter().filter(|b| b.kind != BendKind::Outside);
            if ground.is_elsewhere(triangle, inner.map(|b| b.place), own.expected) {
                return true;
            }
            // Is it the ground somewhere, and something else somewhere?
            let (is_ground, is_covered) = (Cell::new(false), Cell::new(false));
            // The triangle's edges so far, and which of them are steps.
            let (mut edges, mut steps) = (0usize, [false; 3]);
            let mut meet = |found: &mut Vec<Found>, place: Point| {
                let number = found.len() as u32;
                let at = seen.find(key(place), number) as usize;
                if at == found.len() {
                    let height = ground.height_near(place, middle.from(place), own.expected);
                    found.push(Found {
                        place,
                        height,
                        use_of: Use::None,
                    });
                }
                at
            };
            let make = |here: &mut Found, use_of: Use| {
                let off = (ground.plane_height(triangle, here.place))
                    .map(|plane| (plane - f64::from(here.height)).abs());
                if off.is_none_or(|off| off <= ground.reach()) {
                    here.use_of = here.use_of.max(use_of);
                    let is_same = off.is_some_and(|off| off <= SAME);
                    is_ground.set(is_ground.get() | is_same);
                    is_covered.set(is_covered.get() | !is_same);
                }
            };
            for run in bends.chunk_by(|a, b| a.kind == b.kind && a.kind == BendKind::Beside) {
                edges += usize::from(begins_edge(&run[0]));
                match run[0].kind {
                    BendKind::Outside | BendKind::Border(_) | BendKind::Along => {}
                    BendKind::Corner | BendKind::Beyond => {
                        if let Some(place) = told(&run[0], self.shift, flat) {
                            let at = meet(found, place);
                            make(&mut found[at], Use::Likely);
                        }
                    }
                    BendKind::Beside => {
                        edge.clear();
                        edge.extend((run.iter()).map(|bend| {
                            let place = told(bend, self.shift, flat)?;
                            Some(meet(found, place))
                        }));
                        for side in 0..2 {
                            // The side whose height the edge itself has, if all of it lies where it is told.
                            let on = |(k, bend): (usize, &Bend)| {
                                let at = meet(found, told_on(bend, self.shift, flat)?);
                                let off = found[at].height.abs_diff(found[edge[k]?].height);
                                (f64::from(off) <= limit / 2.0).then_some(at)
                            };
                            let all = run.iter().enumerate().skip(side).step_by(2).map(on);
                            if let Some(all) = all.collect::<Option<Vec<usize>>>() {
                                for (at, on) in edge[side..].iter_mut().step_by(2).zip(all) {
                                    *at = Some(on);
                                }
                            }
                        }
                        for &at in edge.iter().flatten() {
                            make(&mut found[at], Use::Likely);
                        }
                        let before = brinks.len();
                        along_step(edge, found, own, &middle, limit, brinks);
                        if let Some(step) = steps.get_mut(edges.wrapping_sub(1)) {
                            *step = brinks.len() > before;
                        }
                    }
                }
            }
            edges = 0;
            for bend in bends {
                edges += usize::from(begins_edge(bend));
                let is_step = *steps.get(edges.wrapping_sub(1)).unwrap_or(&false);
                // Edges of triangles are as straight at the polygon's border as elsewhere. Steps are told on both sides.
                match bend.kind {
                    BendKind::Along if !is_step => {}
                    BendKind::Border(k) if !same_relief(k) => {}
                    _ => continue,
                }
                let Some(place) = told(bend, self.shift, flat) else {
                    continue;
                };
                // Where a triangle is the ground wherever that is known, its edges most likely are too, and most places along them are of no use to the relief.
                let plane = ground.plane_height(triangle, place);
                if let Some(y) = plane.filter(|_| is_ground.get() && !is_covered.get()) {
                    samples.push(Met {
                        place,
                        height: y.to_nearest(),
                        is_likely: false,
                        taken_from: own.order,
                    });
                } else {
                    let at = meet(found, place);
                    make(&mut found[at], Use::Unlikely);
                }
            }
            if is_ground.get() {
                for bend in bends.iter().filter(|b| b.kind == BendKind::Outside) {
                    let p = bend.place;
                    if is_near(p)
                        && let Some(y) = ground.plane_height(triangle, p)
                    {
                        let [px, pz] = [p.x, p.z].map(|c| (c + half) >> self.shift << self.shift);
                        let corner = Point3::new(px, y.to_nearest(), pz);
                        // Most are found once for each triangle around them.
                        let first = outside_at.find(key(corner.flat()), outside.len() as u32);
                        if outside.get(first as usize) != Some(&corner) {
                            outside.push(corner);
                        }
                    }
                }
            }
            true
        });
    }

    /// Ground along those edges of a polygon beyond which the relief does not count: its triangles may reach in from there, where nothing else
    /// holds them.
    pub(super) fn look_along_border(&mut self, mesh: &NavMesh, own: &Needy, of: &[u32]) {
        let (flat, ground) = (&own.flat, self.ground);
        let n = flat.len();
        let middle = Middle::new(flat);
        let pitch = 4.0 * f64::from(ground.pitch().max(64));
        let edges = mesh.neighbours[mesh.edges(own.number)].iter();
        for (k, &beyond) in edges.enumerate() {
            if of.get(beyond as usize).is_some_and(|&r| r != NONE) {
                continue;
            }
            let (a, b) = (flat[k], flat[(k + 1) % n]);
            let [dx, dz] = [b.x - a.x, b.z - a.z].map(f64::from);
            let pieces = ((dx * dx + dz * dz).sqrt() / pitch).ceil().max(1.0);
            let mut last: Option<usize> = None;
            for i in 0..=pieces as i32 {
                let t = f64::from(i) / pieces;
                let along = |from: i32, d: f64| from + (t * d).to_nearest();
                let p = Point::new(along(a.x, dx), along(a.z, dz));
                if let Some(place) = told_near(p, self.shift, flat) {
                    let number = self.found.len() as u32;
                    let at = self.seen.find(key(place), number) as usize;
                    if at == self.found.len() {
                        let height = ground.height_near(place, middle.from(place), own.expected);
                        self.found.push(Found {
                            place,
                            height,
                            use_of: Use::None,
                        });
                    }
                    let here = &mut self.found[at];
                    here.use_of = here.use_of.max(Use::Unlikely);
                    if let Some(last) = last {
                        let ends = [&self.found[last], &self.found[at]];
                        self.brinks.push(Brink {
                            ends: ends.map(|f| f.place),
                            heights: ends.map(|f| f.height),
                            wrong: 0.0,
                            inwards: middle.from(place),
                            expected: own.expected,
                        });
                    }
                    last = Some(at);
                }
            }
        }
    }
}
