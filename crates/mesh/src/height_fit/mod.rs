//! Fits height meshes to polygons that miss the terrain by more than the error.
//!
//! A polygon's own heights are a fan from its first corner. The terrain differs from the fan most
//! at breaklines, where one triangle of the ground meets another. So it is enough to compare the
//! two at points of breaklines:
//!
//! ```text
//!   side view      ground   __/\__        breakline points: b1, b2, b3
//!                          b1 b2 b3
//!                  fan     --------       off by b2 - fan > error: needs a height mesh
//! ```
//!
//! Polygons that need one are grouped, samples on breaklines are snapped to whole steps of the
//! height mesh ([`crate::snapped`]), and [`crate::tin`] chooses the fewest points that bring all
//! samples to within the error. At a step of the ground there are samples on both sides.

mod border;
mod find;
mod ledges;

use navbake_format::detail::{MOST_POINTS, MOST_STEPS};
use navbake_format::fan;
use navbake_geom::{LIMIT, Point, Point3, sort_by_digits};
use navbake_walkable::{BreaklineKind, BreaklineScratch, BreaklineSettings};

use self::find::{Found, Misfit, Use};
use self::ledges::{Ledge, area};
use crate::cell_heights::Middle;
use crate::layer_heights::{Expected, LayerHeights};
use crate::place_map::PlaceMap;
use crate::snapped::{holds, snap_sample, snap_within};
use crate::tin::{Line, Sample, Tin};
use crate::{HeightMesh, NONE, PolygonMesh};

/// A step of a height mesh along x and z is `2^STEP` grid units in wide layers, in others no more
/// than makes [`FINE`] steps, and more where it must. Lengths in grid units are meant for agents
/// with a radius of 512 to 1024; on a grid that is finer because of smaller agents, they are as
/// many times longer.
const STEP: u32 = 5;
const FINE: i32 = 1000;
/// Bits of a height in a height mesh.
const HEIGHT_BITS: u32 = 9;
/// Corners of triangles this far outside a polygon still count, in grid units.
const MARGIN: i32 = 4096;
/// The greatest share of a layer's ground between the two sides of steps.
const BETWEEN: f64 = 0.001;
/// The least distance of samples along edges, in multiples of the height error.
const APART: f64 = 5.0;
/// Lengths are longer by no more than this power of two.
const MOST_FINER: u32 = 10;

/// Gives the polygons of a layer that need one a height mesh which brings their heights to within
/// `limit` of the ground at all breaklines.
pub(crate) fn fit_heights(mesh: &mut PolygonMesh, ground: &LayerHeights<'_>, limit: f64) {
    let mut fit = Fit::new(mesh, ground, limit);
    let mut of = vec![NONE; mesh.len()];
    let mut corners = vec![];
    for (p, slot) in of.iter_mut().enumerate() {
        corners.clear();
        let ring = mesh.polygon(p).iter();
        corners.extend(ring.map(|&v| mesh.vertices[v as usize]));
        if !fit.corners_suffice(&corners) {
            fit.keep(p, &corners);
            *slot = 0;
        }
    }
    let polygons = std::mem::take(&mut fit.polygons);
    loop {
        fit.outside_at.clear();
        for own in &polygons {
            fit.find(mesh, own, &of);
            fit.look_along_border(mesh, own, &of);
            fit.keep_found();
        }
        if !fit.parts_too_far(mesh) {
            break;
        }
    }
    fit.polygons = polygons;
    if let Some(height_mesh) = fit.height_mesh() {
        mesh.set_height_meshes(&of, &[height_mesh]);
    }
}

struct Fit<'a> {
    ground: &'a LayerHeights<'a>,
    limit: f64,
    /// The wider side of the layer, grid units.
    widest: i32,
    /// Samples are snapped to multiples of `2^shift` grid units.
    shift: u32,
    /// The grid is finer than the agent needs by this power of two.
    finer: u32,
    /// Bounds of the polygons that need a height mesh, grid units.
    least: [i32; 2],
    greatest: [i32; 2],
    /// Ground that the height mesh is to meet.
    samples: Vec<Met>,
    /// Ground that something else comes close to.
    ledges: Vec<Ledge>,
    /// Corners of its triangles outside the polygon.
    outside: Vec<Point3>,
    /// The number of the first of these at a place.
    outside_at: PlaceMap,
    /// The polygons that need a height mesh.
    polygons: Vec<Misfit>,
    /// Triangles near them.
    near: Vec<u32>,
    // Scratch of a polygon.
    flat: Vec<Point>,
    room: BreaklineScratch,
    place_numbers: PlaceMap,
    found: Vec<Found>,
    edge: Vec<Option<usize>>,
}

/// A place that the height mesh is to meet.
#[derive(Clone, Copy)]
struct Met {
    place: Point,
    height: i32,
    is_likely: bool,
    /// The height is that of the triangle that bends there: was another one found for the polygon
    /// with this place among those that need a height mesh? [`NONE`] where the height is known.
    taken_from: u32,
}

impl<'a> Fit<'a> {
    fn new(mesh: &PolygonMesh, ground: &'a LayerHeights<'a>, limit: f64) -> Fit<'a> {
        let side = |of: fn(&Point3) -> i32| {
            let least = mesh.vertices.iter().map(of).min().unwrap_or(0);
            mesh.vertices.iter().map(of).max().unwrap_or(0) - least
        };
        let widest = side(|p| p.x).max(side(|p| p.z));
        let finer = finer_than_needed(ground.radius());
        let step = STEP + finer;
        let mut shift = 0;
        while shift < step - 1 && widest >> shift > FINE {
            shift += 1;
        }
        if shift == step - 1 {
            shift = step;
        }
        while !can_tell(widest, finer, shift) {
            shift += 1;
        }
        Fit {
            ground,
            limit,
            widest,
            shift,
            finer,
            least: [i32::MAX; 2],
            greatest: [i32::MIN; 2],
            samples: vec![],
            ledges: vec![],
            outside: vec![],
            outside_at: PlaceMap::default(),
            polygons: vec![],
            near: vec![],
            flat: vec![],
            room: BreaklineScratch::default(),
            place_numbers: PlaceMap::default(),
            found: vec![],
            edge: vec![],
        }
    }

    /// Does the fan of a polygon's corners meet the ground at its breaklines?
    fn corners_suffice(&mut self, corners: &[Point3]) -> bool {
        self.flat.clear();
        self.flat.extend(corners.iter().map(|c| c.flat()));
        let ground = self.ground;
        // Ground more than a step from the corners' heights belongs to another layer, or the
        // corners miss something in between.
        let far = ground.reach() + self.limit;
        let expected = heights_of(corners);
        let settings =
            self.settings(plane(corners, self.limit), [expected[0] - far, expected[1] + far]);
        let middle = Middle::new(&self.flat);
        let at = |i: usize| [corners[i].x, corners[i].y, corners[i].z];
        let fan = |p: Point| fan::height(corners.len(), at, [f64::from(p.x), f64::from(p.z)]);
        self.place_numbers.clear();
        let (flat, place_numbers) = (&self.flat, &mut self.place_numbers);
        // Those of polygons that are kept stay in the list.
        let from = self.near.len();
        ground.near(flat, &mut self.near);
        let near = &self.near[from..];
        let is_flat = expected[1] - expected[0] <= self.limit;
        let (mut is_right, mut bends_here) = (true, false);
        ground.samples(near, flat, &settings, &mut self.room, |triangle, samples| {
            bends_here = true;
            for sample in samples.iter().filter(|b| b.kind != BreaklineKind::Outside) {
                let Some(place) = snap_sample(sample, self.shift, flat) else {
                    continue;
                };
                // If the triangle is the ground, it is right; if not, what is the ground has places
                // of its own.
                let plane = ground.plane_height(triangle, place);
                let near = |y: f64| (fan(place) - y).abs() <= self.limit - 1.0;
                let is_off = matches!(sample.kind, BreaklineKind::Beside | BreaklineKind::Beyond);
                if !is_off && plane.is_some_and(near) {
                    continue;
                }
                if !place_numbers.meets(key(place)) {
                    let towards = middle.from(place);
                    let y = f64::from(ground.height_near(place, towards, expected));
                    is_right &= (fan(place) - y).abs() <= self.limit;
                }
            }
            is_right
        });
        // A corner on a step may be all that the polygon holds of it, and no place beside that.
        if is_right && bends_here && !is_flat {
            let between = |i: usize, k: usize| {
                let [a, b] = [flat[i], flat[k]];
                let mean = |a: i32, b: i32| a + (b - a) / 2;
                snap_within(Point::new(mean(a.x, b.x), mean(a.z, b.z)), self.shift, flat)
            };
            let n = corners.len();
            let sides = (0..n).map(|k| between(k, (k + 1) % n));
            let within = (2..n - 1).map(|k| between(0, k));
            is_right = sides.chain(within).flatten().all(|place| {
                let y = ground.height_near(place, middle.from(place), expected);
                (fan(place) - f64::from(y)).abs() <= self.limit
            });
        }
        if is_right {
            self.near.truncate(from);
        }
        is_right
    }

    fn settings(&self, plane: Option<[f64; 4]>, heights: [f64; 2]) -> BreaklineSettings {
        let step = f64::from(1 << self.shift);
        BreaklineSettings {
            plane,
            heights,
            // The distance from an edge at which a sample is on its own side.
            beside: 1.5 * step + 1.0,
            deep: step,
            // How far heights may be off has nothing to do with the agent: slim ones need no more
            // places.
            apart: self.ground.radius().max(APART * self.limit),
        }
    }

    /// Keeps the polygon that was just asked about for the height mesh.
    fn keep(&mut self, number: usize, corners: &[Point3]) {
        let flat = self.flat.clone();
        let side = |of: fn(&Point) -> i32| {
            let values = || flat.iter().map(of);
            [values().min().unwrap_or(0), values().max().unwrap_or(0)]
        };
        let bounds = [side(|p| p.x), side(|p| p.z)];
        flat.iter().for_each(|&p| self.hold(p));
        let from = self.polygons.last().map_or(0, |own| own.near.end);
        // The order of triangles changes the height mesh, but not whether there has to be one.
        self.near[from..].sort_unstable();
        self.polygons.push(Misfit {
            number,
            order: self.polygons.len() as u32,
            flat,
            bounds,
            expected: heights_of(corners),
            near: from..self.near.len(),
        });
    }

    /// Makes samples of what was found in a polygon.
    fn keep_found(&mut self) {
        let of_use = self.found.iter().filter(|f| f.use_of != Use::None);
        self.samples.reserve(self.found.len());
        self.samples.extend(of_use.map(|f| Met {
            place: f.place,
            height: f.height,
            is_likely: f.use_of == Use::Likely,
            taken_from: NONE,
        }));
    }

    /// Is too much ground between the two sides of steps, where heights are of neither?
    ///
    /// Then smaller steps of the height mesh are set, and what was found is forgotten.
    fn parts_too_far(&mut self, mesh: &PolygonMesh) -> bool {
        // A step is listed from both sides.
        let mut wrong = self.ledges.iter().map(|b| b.wrong).sum::<f64>() / 2.0;
        let most = BETWEEN * area(mesh);
        let before = self.shift;
        while wrong > most && self.shift > 0 && can_tell(self.widest, self.finer, self.shift - 1) {
            self.shift -= 1;
            wrong /= 2.0;
        }
        if self.shift == before {
            return false;
        }
        self.samples.clear();
        self.ledges.clear();
        self.outside.clear();
        true
    }

    fn hold(&mut self, p: Point) {
        for (k, c) in [p.x, p.z].into_iter().enumerate() {
            self.least[k] = self.least[k].min(c);
            self.greatest[k] = self.greatest[k].max(c);
        }
    }

    /// Does a polygon that needs a height mesh hold the place?
    fn is_within(&self, p: Point) -> bool {
        let within = |c: i32, [least, most]: [i32; 2]| least <= c && c <= most;
        self.polygons.iter().any(|own| {
            let [x, z] = own.bounds;
            within(p.x, x) && within(p.z, z) && holds(&own.flat, p)
        })
    }

    /// A place in steps from the least corner of the box.
    fn steps(&self, p: Point, least: [i32; 2]) -> Point {
        Point::new((p.x >> self.shift) - least[0], (p.z >> self.shift) - least[1])
    }

    /// Puts the samples in ascending order of places, and leaves one at each: a likely one first,
    /// then a known height, then the least.
    fn keep_one_a_place(&mut self, least: [i32; 2]) {
        // Both coordinates have 14 bits.
        let order = (0u64..).zip(&self.samples).map(|(number, s)| {
            let p = self.steps(s.place, least);
            (p.x as u64) << 46 | (p.z as u64) << 32 | number
        });
        let mut order: Vec<u64> = order.collect();
        sort_by_digits(&mut order);
        let kept = order.chunk_by(|a, b| a >> 32 == b >> 32).filter_map(|same| {
            let all = same.iter().map(|&k| &self.samples[k as u32 as usize]);
            let first = all.min_by_key(|s| (!s.is_likely, s.taken_from != NONE, s.height))?;
            Some(*first)
        });
        self.samples = kept.collect();
    }

    /// The height mesh that meets the samples; `None` without any.
    fn height_mesh(mut self) -> Option<HeightMesh> {
        // Ground in another polygon is fitted there; the triangle may go on below it.
        for p in std::mem::take(&mut self.outside) {
            if !self.is_within(p.flat()) {
                self.samples.push(Met {
                    place: p.flat(),
                    height: p.y,
                    is_likely: true,
                    taken_from: NONE,
                });
            }
        }
        if self.samples.is_empty() {
            return None;
        }
        // Some are outside of their polygon.
        for k in 0..self.samples.len() {
            self.hold(self.samples[k].place);
        }
        let least = self.least.map(|c| c >> self.shift);
        let size = [0, 1].map(|k| ((self.greatest[k] - 1) >> self.shift) + 1 - least[k]);
        self.keep_one_a_place(least);
        let ups = || self.samples.iter().map(|s| s.height);
        let (base, top) = (ups().min()?, ups().max()?);
        let mut up = 0;
        while (i64::from(top) - i64::from(base) + (1 << up >> 1)) >> up >= 1 << HEIGHT_BITS {
            up += 1;
        }
        let [x, z] = size;
        let corners = [[0, 0], [0, z], [x, z], [x, 0]].map(|[x, z]| Point::new(x, z));
        let step = f64::from(1u32 << up);
        let samples: Vec<Sample> = (self.samples.iter())
            .map(|s| Sample {
                likely: s.is_likely,
                place: self.steps(s.place, least),
                height: (f64::from(s.height) - f64::from(base)) / step,
                known: s.taken_from == NONE,
            })
            .collect();
        let heights = corners.map(|c| nearest(&samples, c).round());
        let in_steps = |y: i32| (f64::from(y) - f64::from(base)) / step;
        let lines: Vec<Line> = (self.ledges.iter())
            .map(|b| Line {
                ends: b.ends.map(|p| self.steps(p, least)),
                heights: b.heights.map(in_steps),
            })
            .collect();
        let height = |line: usize, p: Point| {
            let [x, z] = [(p.x, least[0]), (p.z, least[1])].map(|(c, l)| (c + l) << self.shift);
            let ledge = &self.ledges[line];
            let y = (self.ground).height_near(Point::new(x, z), ledge.inwards, ledge.expected);
            in_steps(y)
        };
        let known = |sample: u32| {
            let s = &self.samples[sample as usize];
            let own = &self.polygons[s.taken_from as usize];
            let inwards = Middle::new(&own.flat).from(s.place);
            let y = (self.ground).height_near(s.place, inwards, own.expected);
            // Heights this far off are those of another triangle, which has samples of its own.
            let is_near = (f64::from(y) - f64::from(s.height)).abs() <= self.ground.reach();
            // Heights out of range are clamped.
            is_near.then(|| in_steps(y.clamp(base, top)))
        };
        let mut tin = Tin::new(corners, heights, samples, &known, self.limit / step)?;
        tin.refine(MOST_POINTS);
        tin.follow(&lines, MOST_POINTS, height);
        let points = (tin.points()).map(|(p, y)| [p.x as u16, y as u16, p.z as u16]);
        Some(HeightMesh {
            least: least.map(|c| c << self.shift),
            size: size.map(|s| s as u16),
            shift: self.shift,
            base,
            up,
            corners: heights.map(|y| y as u16),
            points: points.collect(),
        })
    }
}

/// Is a height mesh of steps of `2^shift` wide enough for a layer?
fn can_tell(widest: i32, finer: u32, shift: u32) -> bool {
    // The box is rounded outwards on both sides, and holds corners of triangles around.
    ((widest + ((2 * MARGIN) << finer)) >> shift) + 2 <= MOST_STEPS
}

/// By which power of two lengths in grid units are to be longer for agents of a radius.
fn finer_than_needed(radius: f64) -> u32 {
    let is_less = |finer: &u32| radius < f64::from(1024 << finer);
    (0..MOST_FINER).find(is_less).unwrap_or(MOST_FINER)
}

/// Least and greatest height.
fn heights_of(corners: &[Point3]) -> Expected {
    let ups = || corners.iter().map(|c| f64::from(c.y));
    [ups().fold(f64::INFINITY, f64::min), ups().fold(f64::NEG_INFINITY, f64::max)]
}

/// A place as a number.
fn key(p: Point) -> u64 {
    let [x, z] = [p.x, p.z].map(|c| (i64::from(c) + i64::from(LIMIT)) as u64);
    x << 27 | z
}

/// Height of the sample nearest to a place, of several the one with the least place.
///
/// Samples are in ascending order of places.
fn nearest(samples: &[Sample], place: Point) -> f64 {
    let mut best: Option<(i64, usize)> = None;
    // From the samples at the place's x on, until all that are left are further off along x alone;
    // false there.
    let mut look_at = |k: usize| {
        let d = [samples[k].place.x - place.x, samples[k].place.z - place.z].map(i64::from);
        let found = (d[0] * d[0] + d[1] * d[1], k);
        let is_near = best.is_none_or(|b| d[0] * d[0] <= b.0);
        best = Some(best.map_or(found, |b| b.min(found)));
        is_near
    };
    let from = samples.partition_point(|s| s.place.x < place.x);
    (from..samples.len()).all(&mut look_at);
    (0..from).rev().all(&mut look_at);
    best.map_or(0.0, |(_, k)| samples[k].height)
}

fn grid_units(p: Point3) -> [f64; 3] {
    [f64::from(p.x), f64::from(p.z), f64::from(p.y)]
}
/// The plane of the corners as height = plane[0] x + plane[1] z + plane[2] with plane[3] around it,
/// where they are on one plane.
fn plane(corners: &[Point3], limit: f64) -> Option<[f64; 4]> {
    let o = grid_units(corners[0]);
    let mut widest = (0.0, [0.0; 2]);
    for w in corners[1..].windows(2) {
        let [a, b] = [w[0], w[1]].map(|c| {
            let c = grid_units(c);
            [c[0] - o[0], c[1] - o[1], c[2] - o[2]]
        });
        let area = a[1] * b[0] - a[0] * b[1];
        if area > widest.0 {
            let slope_x = (a[1] * b[2] - b[1] * a[2]) / area;
            let slope_z = (b[0] * a[2] - a[0] * b[2]) / area;
            widest = (area, [slope_x, slope_z]);
        }
    }
    let [sx, sz] = widest.1;
    let base = o[2] - sx * o[0] - sz * o[1];
    let within = limit / 4.0;
    let flat = |&c: &Point3| {
        let c = grid_units(c);
        (sx * c[0] + sz * c[1] + base - c[2]).abs() <= within
    };
    corners.iter().all(flat).then_some([sx, sz, base, limit - within])
}
