//! Samples of the ground in a polygon that needs a height mesh.

use std::ops::Range;

use navbake_geom::{Point, Point3, Whole};
use navbake_walkable::{BreaklineKind, BreaklineSample};

use super::ledges::{Ledge, along_step};
use super::{Fit, MARGIN, Met, key};
use crate::cell_heights::Middle;
use crate::layer_heights::{Expected, LayerHeights};
use crate::place_map::PlaceMap;
use crate::snapped::{snap_away, snap_on_step, snap_sample};
use crate::{NONE, PolygonMesh};

/// A triangle is the ground where their heights differ by no more, grid units.
const SAME: f64 = 8.0;

/// A polygon that needs a height mesh.
pub(super) struct Misfit {
    pub(super) number: usize,
    /// Its place among the polygons that need a height mesh.
    pub(super) order: u32,
    pub(super) flat: Vec<Point>,
    /// Least and greatest x and z.
    pub(super) bounds: [[i32; 2]; 2],
    /// Least and greatest height of its corners.
    pub(super) expected: Expected,
    /// The range of its triangles in [`Fit::near`].
    pub(super) near: Range<usize>,
}

/// A place that was looked at in a polygon.
pub(super) struct Found {
    pub(super) place: Point,
    pub(super) height: i32,
    pub(super) use_of: Use,
}

/// What a place is to the height mesh.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Use {
    None,
    Unlikely,
    Likely,
}

/// Does a triangle's next edge begin with this sample?
fn begins_edge(sample: &BreaklineSample) -> bool {
    matches!(sample.kind, BreaklineKind::Corner | BreaklineKind::Outside)
}

/// The places that were looked at in a polygon.
pub(super) struct Places<'f> {
    pub(super) ground: &'f LayerHeights<'f>,
    pub(super) middle: Middle,
    pub(super) expected: Expected,
    pub(super) place_numbers: &'f mut PlaceMap,
    pub(super) found: &'f mut Vec<Found>,
}

impl Places<'_> {
    /// The number of a place, which is looked at if it was not before.
    pub(super) fn meet(&mut self, place: Point) -> usize {
        let number = self.found.len() as u32;
        let at = self.place_numbers.find(key(place), number) as usize;
        if at == self.found.len() {
            let inwards = self.middle.from(place);
            self.found.push(Found {
                place,
                height: self.ground.height_near(place, inwards, self.expected),
                use_of: Use::None,
            });
        }
        at
    }
}

/// What is found out about one triangle after the other near a polygon.
struct Looks<'f> {
    own: &'f Misfit,
    /// Samples are snapped to multiples of `2^shift` grid units.
    shift: u32,
    limit: f64,
    /// Corners this far outside the polygon still count.
    margin: i32,
    places: Places<'f>,
    samples: &'f mut Vec<Met>,
    ledges: &'f mut Vec<Ledge>,
    outside: &'f mut Vec<Point3>,
    outside_at: &'f mut PlaceMap,
    edge: &'f mut Vec<Option<usize>>,
    // Of the triangle: is it the ground somewhere, and something else somewhere? Which of its edges
    // are steps?
    triangle: u32,
    is_ground: bool,
    is_covered: bool,
    steps: [bool; 3],
}

impl Looks<'_> {
    /// Looks at the samples of a triangle.
    ///
    /// Beyond some sides of the polygon the height mesh goes on.
    fn triangle(
        &mut self,
        triangle: u32,
        samples: &[BreaklineSample],
        goes_on: &impl Fn(u32) -> bool,
    ) {
        let inner = samples.iter().filter(|b| b.kind != BreaklineKind::Outside);
        let places = inner.map(|b| b.place);
        if (self.places.ground).is_elsewhere(triangle, places, self.own.expected) {
            return;
        }
        (self.triangle, self.steps) = (triangle, [false; 3]);
        (self.is_ground, self.is_covered) = (false, false);
        self.corners_and_steps(samples);
        self.along_edges(samples, goes_on);
        if self.is_ground {
            self.corners_outside(samples);
        }
    }

    /// Makes a place of use, if the triangle has anything to do with the ground there.
    fn make(&mut self, at: usize, use_of: Use) {
        let ground = self.places.ground;
        let here = &mut self.places.found[at];
        let off = (ground.plane_height(self.triangle, here.place))
            .map(|plane| (plane - f64::from(here.height)).abs());
        if off.is_none_or(|off| off <= ground.reach()) {
            here.use_of = here.use_of.max(use_of);
            let is_same = off.is_some_and(|off| off <= SAME);
            self.is_ground |= is_same;
            self.is_covered |= !is_same;
        }
    }

    /// Ground at the triangle's corners, and on both sides of edges that may be steps.
    fn corners_and_steps(&mut self, samples: &[BreaklineSample]) {
        let mut edges = 0usize;
        for run in samples.chunk_by(|a, b| a.kind == b.kind && a.kind == BreaklineKind::Beside) {
            edges += usize::from(begins_edge(&run[0]));
            match run[0].kind {
                BreaklineKind::Outside | BreaklineKind::Border(_) | BreaklineKind::Along => {}
                BreaklineKind::Beyond => self.beyond(&run[0]),
                BreaklineKind::Corner => {
                    if let Some(place) = snap_sample(&run[0], self.shift, &self.own.flat) {
                        let at = self.places.meet(place);
                        self.make(at, Use::Likely);
                    }
                }
                BreaklineKind::Beside => {
                    let is_step = self.beside(run);
                    if let Some(step) = self.steps.get_mut(edges.wrapping_sub(1)) {
                        *step = is_step;
                    }
                }
            }
        }
    }

    /// Ground diagonally beyond a corner: rather outside of the polygon than on the step.
    fn beyond(&mut self, sample: &BreaklineSample) {
        let place = match sample.away {
            [0, 0] => snap_sample(sample, self.shift, &self.own.flat),
            away => Some(snap_away(sample.place, away, self.shift)),
        };
        if let Some(place) = place {
            let at = self.places.meet(place);
            self.make(at, Use::Likely);
        }
    }

    /// Ground on both sides of an edge; is it a step?
    fn beside(&mut self, run: &[BreaklineSample]) -> bool {
        let (flat, shift, limit) = (&self.own.flat, self.shift, self.limit);
        let places = &mut self.places;
        self.edge.clear();
        self.edge.extend((run.iter()).map(|sample| {
            let place = snap_sample(sample, shift, flat)?;
            Some(places.meet(place))
        }));
        for side in 0..2 {
            // The side whose height the edge itself has, if all of it is at its snapped place.
            let edge = &*self.edge;
            let on = |(k, sample): (usize, &BreaklineSample)| {
                let at = places.meet(snap_on_step(sample, shift, flat)?);
                let off = places.found[at].height.abs_diff(places.found[edge[k]?].height);
                (f64::from(off) <= limit / 2.0).then_some(at)
            };
            let all = run.iter().enumerate().skip(side).step_by(2).map(on);
            if let Some(all) = all.collect::<Option<Vec<usize>>>() {
                for (at, on) in self.edge[side..].iter_mut().step_by(2).zip(all) {
                    *at = Some(on);
                }
            }
        }
        for k in 0..self.edge.len() {
            if let Some(at) = self.edge[k] {
                self.make(at, Use::Likely);
            }
        }
        let before = self.ledges.len();
        let Places { found, middle, .. } = &self.places;
        along_step(self.edge, found, self.own, middle, limit, self.ledges);
        self.ledges.len() > before
    }

    /// Ground further on the triangle's edges, and where these meet sides of the polygon.
    fn along_edges(&mut self, samples: &[BreaklineSample], goes_on: &impl Fn(u32) -> bool) {
        let mut edges = 0usize;
        for sample in samples {
            edges += usize::from(begins_edge(sample));
            let is_step = *self.steps.get(edges.wrapping_sub(1)).unwrap_or(&false);
            // Edges of triangles are as straight at the polygon's border as elsewhere. Steps have
            // samples on both sides.
            match sample.kind {
                BreaklineKind::Along if !is_step => {}
                BreaklineKind::Border(k) if !goes_on(k) => {}
                _ => continue,
            }
            let Some(place) = snap_sample(sample, self.shift, &self.own.flat) else {
                continue;
            };
            // Where a triangle is the ground wherever that is known, its edges most likely are too,
            // and most places along them are of no use to the height mesh.
            let plane = self.places.ground.plane_height(self.triangle, place);
            if let Some(y) = plane.filter(|_| self.is_ground && !self.is_covered) {
                self.samples.push(Met {
                    place,
                    height: y.to_nearest(),
                    is_likely: false,
                    taken_from: self.own.order,
                });
            } else {
                let at = self.places.meet(place);
                self.make(at, Use::Unlikely);
            }
        }
    }

    /// The triangle's corners outside of the polygon, but near.
    fn corners_outside(&mut self, samples: &[BreaklineSample]) {
        let half = 1 << self.shift >> 1;
        let near =
            |c: i32, [least, most]: [i32; 2]| c >= least - self.margin && c <= most + self.margin;
        let [x, z] = self.own.bounds;
        for sample in samples.iter().filter(|b| b.kind == BreaklineKind::Outside) {
            let p = sample.place;
            if near(p.x, x)
                && near(p.z, z)
                && let Some(y) = self.places.ground.plane_height(self.triangle, p)
            {
                let [px, pz] = [p.x, p.z].map(|c| (c + half) >> self.shift << self.shift);
                let corner = Point3::new(px, y.to_nearest(), pz);
                // Most are found once for each triangle around them.
                let number = self.outside.len() as u32;
                let first = self.outside_at.find(key(corner.flat()), number);
                if self.outside.get(first as usize) != Some(&corner) {
                    self.outside.push(corner);
                }
            }
        }
    }
}

impl Fit<'_> {
    /// Points of breaklines in a polygon that needs a height mesh, and corners of its triangles
    /// outside the polygon, but near, that give how its ground goes on.
    pub(super) fn find(&mut self, mesh: &PolygonMesh, own: &Misfit, of: &[u32]) {
        let ground = self.ground;
        let beyond = &mesh.neighbours[mesh.edges(own.number)];
        let goes_on = |k: u32| {
            let beyond = beyond.get(k as usize).map_or(NONE, |&n| n);
            of.get(beyond as usize).is_some_and(|&r| r != NONE)
        };
        let settings = self.settings(None, [f64::NEG_INFINITY, f64::INFINITY]);
        self.place_numbers.clear();
        self.found.clear();
        let mut looks = Looks {
            own,
            shift: self.shift,
            limit: self.limit,
            margin: MARGIN << self.finer,
            places: Places {
                ground,
                middle: Middle::new(&own.flat),
                expected: own.expected,
                place_numbers: &mut self.place_numbers,
                found: &mut self.found,
            },
            samples: &mut self.samples,
            ledges: &mut self.ledges,
            outside: &mut self.outside,
            outside_at: &mut self.outside_at,
            edge: &mut self.edge,
            triangle: NONE,
            is_ground: false,
            is_covered: false,
            steps: [false; 3],
        };
        let near = &self.near[own.near.clone()];
        ground.samples(near, &own.flat, &settings, &mut self.room, |triangle, samples| {
            looks.triangle(triangle, samples, &goes_on);
            true
        });
    }
}
