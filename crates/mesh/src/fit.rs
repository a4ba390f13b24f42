//! Which polygons' corners do not tell how high the ground is inside of them, and the relief that does.

use std::ops::Range;

use navbake_format::fan;
use navbake_format::relief::MOST_STEPS;
use navbake_geom::{LIMIT, Point, Point3};
use navbake_walkable::{BendKind, BendRoom, BendSettings};

use crate::heights::Middle;
use crate::layer_heights::{Expected, LayerHeights};
use crate::seen::Seen;
use crate::tin::{Line, Sample, Tin};
use crate::told::{holds, told, told_near, told_on};
use crate::{NONE, NavMesh, Relief};

/// A step of a relief along x and z is `2^STEP` grid units, or less where that makes no more than [`FINE`] steps, or more where it must.
const STEP: u32 = 4;
const FINE: i32 = 1000;
/// Heights of a relief are told in so many bits.
const HEIGHT_BITS: u32 = 10;
/// So far around a polygon corners of its triangles are looked at, grid units.
const MARGIN: i32 = 4096;
/// A triangle is the ground where their heights differ by no more, grid units.
const SAME: f64 = 8.0;
/// Of a layer's ground such a share may lie between two sides of steps.
const BETWEEN: f64 = 0.0002;
/// So far from each other places along steps are looked at in the end, grid units.
const LOOK: i32 = 64;
/// The most height points that a relief can have.
const MOST_POINTS: usize = u16::MAX as usize;

/// Gives the polygons of a layer that need one a relief which brings their heights to within `limit` of the ground at all places where it may
/// bend.
pub(crate) fn fit(mesh: &mut NavMesh, ground: &LayerHeights<'_>, limit: f64) {
    let mut fit = Fit::new(mesh, ground, limit);
    let mut of = vec![NONE; mesh.len()];
    let mut corners = vec![];
    for (p, slot) in of.iter_mut().enumerate() {
        corners.clear();
        let ring = mesh.polygon(p).iter();
        corners.extend(ring.map(|&v| mesh.vertices[v as usize]));
        if !fit.told_by_corners(&corners) {
            fit.keep(p, &corners);
            *slot = 0;
        }
    }
    let polygons = std::mem::take(&mut fit.polygons);
    loop {
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
    if let Some(relief) = fit.relief() {
        mesh.set_reliefs(&of, &[relief]);
    }
}

struct Fit<'a> {
    ground: &'a LayerHeights<'a>,
    limit: f64,
    /// The wider side of the layer, grid units.
    widest: i32,
    /// Places that can be told lie `2^shift` grid units apart.
    shift: u32,
    /// Bounds of the polygons that need a relief, grid units.
    least: [i32; 2],
    greatest: [i32; 2],
    /// Ground that the relief is to meet.
    samples: Vec<Met>,
    /// Ground on one side of a step.
    brinks: Vec<Brink>,
    /// Corners of its triangles that lie outside of the polygon that they were found for.
    outside: Vec<Point3>,
    /// The polygons that need a relief.
    polygons: Vec<Needy>,
    /// Triangles near them.
    near: Vec<u32>,
    // Scratch of a polygon.
    flat: Vec<Point>,
    room: BendRoom,
    seen: Seen,
    found: Vec<Found>,
    edge: Vec<Option<usize>>,
}

/// A polygon that needs a relief.
struct Needy {
    number: usize,
    flat: Vec<Point>,
    /// Least and greatest x and z.
    bounds: [[i32; 2]; 2],
    /// Least and greatest height of its corners.
    expected: Expected,
    /// Where its triangles stand in [`Fit::near`].
    near: Range<usize>,
}

/// Ground along one side of a step, from one sample to the next.
struct Brink {
    ends: [Point; 2],
    heights: [i32; 2],
    /// How much of the ground between the two sides has neither's height, grid units squared.
    wrong: f64,
    /// Into the polygon.
    inwards: [i64; 2],
    expected: Expected,
}

/// A place that was looked at in a polygon.
struct Found {
    place: Point,
    height: i32,
    use_of: Use,
}

/// A place that the relief is to meet.
struct Met {
    place: Point,
    height: i32,
    is_likely: bool,
}

/// What a place is to the relief.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    None,
    Unlikely,
    Likely,
}

impl<'a> Fit<'a> {
    fn new(mesh: &NavMesh, ground: &'a LayerHeights<'a>, limit: f64) -> Fit<'a> {
        let side = |of: fn(&Point3) -> i32| {
            let least = mesh.vertices.iter().map(of).min().unwrap_or(0);
            mesh.vertices.iter().map(of).max().unwrap_or(0) - least
        };
        let widest = side(|p| p.x).max(side(|p| p.z));
        let mut shift = 0;
        while (shift < STEP && widest >> shift > FINE) || !can_tell(widest, shift) {
            shift += 1;
        }
        Fit {
            ground,
            limit,
            widest,
            shift,
            least: [i32::MAX; 2],
            greatest: [i32::MIN; 2],
            samples: vec![],
            brinks: vec![],
            outside: vec![],
            polygons: vec![],
            near: vec![],
            flat: vec![],
            room: BendRoom::default(),
            seen: Seen::default(),
            found: vec![],
            edge: vec![],
        }
    }

    /// Does the fan of a polygon's corners lie on the ground where that bends?
    fn told_by_corners(&mut self, corners: &[Point3]) -> bool {
        self.flat.clear();
        self.flat.extend(corners.iter().map(|c| c.flat()));
        let ground = self.ground;
        // Ground further away than a step from what the corners tell is another storey's, or there is some between that they do not tell.
        let far = ground.reach() + self.limit;
        let expected = heights_of(corners);
        let settings = self.settings(
            plane(corners, self.limit),
            [expected[0] - far, expected[1] + far],
        );
        let middle = Middle::new(&self.flat);
        let at = |i: usize| [corners[i].x, corners[i].y, corners[i].z];
        let fan = |p: Point| fan::height(corners.len(), at, [f64::from(p.x), f64::from(p.z)]);
        self.seen.clear();
        let (flat, seen) = (&self.flat, &mut self.seen);
        // Those of polygons that are kept stay in the list.
        let from = self.near.len();
        ground.near(flat, &mut self.near);
        let near = &self.near[from..];
        let mut is_right = true;
        ground.bends(near, flat, &settings, &mut self.room, |triangle, bends| {
            for bend in bends.iter().filter(|b| b.kind != BendKind::Outside) {
                let Some(place) = told(bend, self.shift, flat) else {
                    continue;
                };
                // If the triangle is the ground, it is right; if not, what is the ground has places of its own.
                let plane = ground.plane_height(triangle, place);
                let near = |y: f64| (fan(place) - y).abs() <= self.limit - 1.0;
                if bend.kind != BendKind::Beside && plane.is_some_and(near) {
                    continue;
                }
                if !seen.meets(key(place)) {
                    let towards = middle.from(place);
                    let y = f64::from(ground.height_near(place, towards, expected));
                    is_right &= (fan(place) - y).abs() <= self.limit;
                }
            }
            is_right
        });
        if is_right {
            self.near.truncate(from);
        }
        is_right
    }

    fn settings(&self, plane: Option<[f64; 4]>, heights: [f64; 2]) -> BendSettings {
        let step = f64::from(1 << self.shift);
        BendSettings {
            plane,
            heights,
            // So far off an edge that a place is told on its side of it.
            beside: 1.5 * step + 1.0,
            deep: step,
        }
    }

    /// Keeps the polygon that was just asked about for the relief.
    fn keep(&mut self, number: usize, corners: &[Point3]) {
        let flat = self.flat.clone();
        let side = |of: fn(&Point) -> i32| {
            let values = || flat.iter().map(of);
            [values().min().unwrap_or(0), values().max().unwrap_or(0)]
        };
        let bounds = [side(|p| p.x), side(|p| p.z)];
        flat.iter().for_each(|&p| self.hold(p));
        let from = self.polygons.last().map_or(0, |own| own.near.end);
        self.polygons.push(Needy {
            number,
            flat,
            bounds,
            expected: heights_of(corners),
            near: from..self.near.len(),
        });
    }

    /// Ground where it may bend in a polygon that needs a relief, and corners of its triangles that lie outside of the polygon, but near, and tell how its
    /// ground goes on.
    fn find(&mut self, mesh: &NavMesh, own: &Needy, of: &[u32]) {
        let (flat, ground) = (&own.flat, self.ground);
        let middle = Middle::new(flat);
        let beyond = &mesh.neighbours[mesh.edges(own.number)];
        let same_relief = |k: u32| {
            let beyond = beyond.get(k as usize).map_or(NONE, |&n| n);
            of.get(beyond as usize).is_some_and(|&r| r != NONE)
        };
        let is_near = |p: Point| {
            let [x, z] = own.bounds;
            let near = |c: i32, [least, most]: [i32; 2]| c >= least - MARGIN && c <= most + MARGIN;
            near(p.x, x) && near(p.z, z)
        };
        let settings = self.settings(None, [f64::NEG_INFINITY, f64::INFINITY]);
        let half = 1 << self.shift >> 1;
        self.seen.clear();
        self.found.clear();
        let (seen, found, outside) = (&mut self.seen, &mut self.found, &mut self.outside);
        let (edge, brinks, limit) = (&mut self.edge, &mut self.brinks, self.limit);
        let near = &self.near[own.near.clone()];
        ground.bends(near, flat, &settings, &mut self.room, |triangle, bends| {
            let mut is_ground = false;
            edge.clear();
            for bend in bends {
                if bend.kind != BendKind::Beside {
                    along_step(edge, found, own, &middle, limit, brinks);
                    edge.clear();
                }
                // Edges of triangles are as straight at the polygon's border as elsewhere.
                let use_of = match bend.kind {
                    BendKind::Outside => continue,
                    BendKind::Border(k) if same_relief(k) => continue,
                    BendKind::Border(_) | BendKind::Along => Use::Unlikely,
                    BendKind::Corner | BendKind::Beside => Use::Likely,
                };
                let mut meet = |place: Point| {
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
                let mut at = told(bend, self.shift, flat).map(&mut meet);
                if let Some(beside) = at
                    && let Some(place) = told_on(bend, self.shift, flat)
                {
                    let on = meet(place);
                    let off = found[on].height.abs_diff(found[beside].height);
                    if f64::from(off) <= limit / 2.0 {
                        at = Some(on);
                    }
                }
                if bend.kind == BendKind::Beside {
                    edge.push(at);
                }
                let Some(at) = at else { continue };
                let here = &mut found[at];
                let off = (ground.plane_height(triangle, here.place))
                    .map(|plane| (plane - f64::from(here.height)).abs());
                if off.is_none_or(|off| off <= ground.reach()) {
                    here.use_of = here.use_of.max(use_of);
                    is_ground |= off.is_some_and(|off| off <= SAME);
                }
            }
            along_step(edge, found, own, &middle, limit, brinks);
            if is_ground {
                for bend in bends.iter().filter(|b| b.kind == BendKind::Outside) {
                    let p = bend.place;
                    if is_near(p)
                        && let Some(y) = ground.plane_height(triangle, p)
                    {
                        let [px, pz] = [p.x, p.z].map(|c| (c + half) >> self.shift << self.shift);
                        outside.push(Point3::new(px, y.round_ties_even() as i32, pz));
                    }
                }
            }
            true
        });
    }

    /// Ground along those edges of a polygon beyond which the relief does not count: its triangles may reach in from there, where nothing else
    /// holds them.
    fn look_along_border(&mut self, mesh: &NavMesh, own: &Needy, of: &[u32]) {
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
            for i in 0..=pieces as i32 {
                let t = f64::from(i) / pieces;
                let along = |from: i32, d: f64| from + (t * d).round_ties_even() as i32;
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
                }
            }
        }
    }

    /// Makes samples of what was found in a polygon.
    fn keep_found(&mut self) {
        let of_use = self.found.iter().filter(|f| f.use_of != Use::None);
        self.samples.extend(of_use.map(|f| Met {
            place: f.place,
            height: f.height,
            is_likely: f.use_of == Use::Likely,
        }));
    }

    /// Lies too much ground between the two sides of steps, where heights are neither's? Then smaller steps of the relief are set, and what was found
    /// is forgotten.
    fn parts_too_far(&mut self, mesh: &NavMesh) -> bool {
        if self.shift == 0 {
            return false;
        }
        let wrong: f64 = self.brinks.iter().map(|b| b.wrong).sum();
        // Both sides tell of a step.
        if wrong / 2.0 <= BETWEEN * area(mesh) || !can_tell(self.widest, self.shift - 1) {
            return false;
        }
        self.shift -= 1;
        self.samples.clear();
        self.brinks.clear();
        self.outside.clear();
        true
    }

    fn hold(&mut self, p: Point) {
        for (k, c) in [p.x, p.z].into_iter().enumerate() {
            self.least[k] = self.least[k].min(c);
            self.greatest[k] = self.greatest[k].max(c);
        }
    }

    /// Does a polygon that needs a relief hold the place?
    fn is_within(&self, p: Point) -> bool {
        let within = |c: i32, [least, most]: [i32; 2]| least <= c && c <= most;
        self.polygons.iter().any(|own| {
            let [x, z] = own.bounds;
            within(p.x, x) && within(p.z, z) && holds(&own.flat, p)
        })
    }

    /// A place in steps from the least corner of the box.
    fn steps(&self, p: Point, least: [i32; 2]) -> Point {
        Point::new(
            (p.x >> self.shift) - least[0],
            (p.z >> self.shift) - least[1],
        )
    }

    /// Puts the samples in ascending order of places, and leaves one at each: a likely one first, then the least height.
    fn keep_one_a_place(&mut self, least: [i32; 2]) {
        // Both coordinates have 16 bits, and numbers are sorted faster than what they stand for.
        let order = (0u64..).zip(&self.samples).map(|(number, s)| {
            let p = self.steps(s.place, least);
            (p.x as u64) << 48 | (p.z as u64) << 32 | number
        });
        let mut order: Vec<u64> = order.collect();
        order.sort_unstable();
        let kept = order
            .chunk_by(|a, b| a >> 32 == b >> 32)
            .filter_map(|same| {
                let all = same.iter().map(|&k| &self.samples[k as u32 as usize]);
                let first = all.min_by_key(|s| (!s.is_likely, s.height))?;
                Some(Met { ..*first })
            });
        self.samples = kept.collect();
    }

    /// The relief that meets the samples; `None` without any.
    fn relief(mut self) -> Option<Relief> {
        // What lies in another polygon is told by that: the triangle may go on below its ground.
        let mut outside = std::mem::take(&mut self.outside);
        outside.sort_unstable();
        outside.dedup();
        for p in outside {
            if !self.is_within(p.flat()) {
                self.hold(p.flat());
                self.samples.push(Met {
                    place: p.flat(),
                    height: p.y,
                    is_likely: true,
                });
            }
        }
        if self.samples.is_empty() {
            return None;
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
            })
            .collect();
        let heights = corners.map(|c| nearest(&samples, c).round());
        let told = |y: i32| (f64::from(y) - f64::from(base)) / step;
        let lines: Vec<Line> = (self.brinks.iter())
            .map(|b| Line {
                ends: b.ends.map(|p| self.steps(p, least)),
                heights: b.heights.map(told),
            })
            .collect();
        let height = |line: usize, p: Point| {
            let [x, z] = [(p.x, least[0]), (p.z, least[1])].map(|(c, l)| (c + l) << self.shift);
            let brink = &self.brinks[line];
            let y = (self.ground).height_near(Point::new(x, z), brink.inwards, brink.expected);
            told(y)
        };
        let mut tin = Tin::new(corners, heights, &samples, self.limit / step)?;
        tin.refine(MOST_POINTS);
        tin.follow(&lines, (LOOK >> self.shift).max(2), MOST_POINTS, height);
        let points = (tin.points()).map(|(p, y)| [p.x as u16, y as u16, p.z as u16]);
        Some(Relief {
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

/// Takes in the ground along both sides of an edge, right and left in turns, where it is a step.
fn along_step(
    edge: &[Option<usize>],
    found: &[Found],
    own: &Needy,
    middle: &Middle,
    limit: f64,
    brinks: &mut Vec<Brink>,
) {
    let met = |k: usize| {
        found
            .get((*edge.get(k)?)?)
            .filter(|f| f.use_of != Use::None)
    };
    for from in 0..edge.len().saturating_sub(2) {
        let (Some(a), Some(b)) = (met(from), met(from + 2)) else {
            continue;
        };
        let mut is_step = false;
        let mut between = 0.0f64;
        for (here, other) in [(a, met(from ^ 1)), (b, met((from + 2) ^ 1))] {
            let Some(other) = other else { continue };
            let apart = f64::from(here.height.abs_diff(other.height));
            is_step |= apart > limit;
            // Heights fall from one side to the other, and are right next to each.
            let share = (1.0 - 2.0 * limit / apart).max(0.0);
            between = between.max(share * double_area(a.place, b.place, other.place));
        }
        if is_step && a.place != b.place {
            brinks.push(Brink {
                ends: [a.place, b.place],
                heights: [a.height, b.height],
                wrong: between,
                inwards: middle.from(a.place),
                expected: own.expected,
            });
        }
    }
}

/// Is a relief of steps of `2^shift` wide enough for a layer?
fn can_tell(widest: i32, shift: u32) -> bool {
    // The box is rounded outwards on both sides, and holds corners of triangles around.
    ((widest + 2 * MARGIN) >> shift) + 2 <= MOST_STEPS
}

/// Least and greatest height.
fn heights_of(corners: &[Point3]) -> Expected {
    let ups = || corners.iter().map(|c| f64::from(c.y));
    [
        ups().fold(f64::INFINITY, f64::min),
        ups().fold(f64::NEG_INFINITY, f64::max),
    ]
}

/// Area seen from above, grid units squared.
fn area(mesh: &NavMesh) -> f64 {
    let of = |p: usize| {
        let ring = mesh.polygon(p);
        let at = |k: usize| mesh.vertices[ring[k % ring.len()] as usize].flat();
        let parts = (2..ring.len()).map(|k| double_area(at(0), at(k - 1), at(k)));
        parts.sum::<f64>() / 2.0
    };
    (0..mesh.len()).map(of).sum()
}

/// Twice the area of a triangle.
fn double_area(a: Point, b: Point, c: Point) -> f64 {
    let side = |p: Point| [p.x - a.x, p.z - a.z].map(f64::from);
    let (b, c) = (side(b), side(c));
    (b[0] * c[1] - b[1] * c[0]).abs()
}

/// A place as a number.
fn key(p: Point) -> u64 {
    let [x, z] = [p.x, p.z].map(|c| (i64::from(c) + i64::from(LIMIT)) as u64);
    x << 27 | z
}

/// Height of the sample nearest to a place, the least one of several.
fn nearest(samples: &[Sample], place: Point) -> f64 {
    let away = |s: &Sample| {
        let d = [s.place.x - place.x, s.place.z - place.z].map(i64::from);
        d[0] * d[0] + d[1] * d[1]
    };
    let least = samples.iter().min_by_key(|s| away(s));
    least.map_or(0.0, |s| s.height)
}

fn spot(p: Point3) -> [f64; 3] {
    [f64::from(p.x), f64::from(p.z), f64::from(p.y)]
}
/// The plane of the corners as height = plane[0] x + plane[1] z + plane[2] with plane[3] around it, where they lie on one.
fn plane(corners: &[Point3], limit: f64) -> Option<[f64; 4]> {
    let o = spot(corners[0]);
    let mut widest = (0.0, [0.0; 2]);
    for w in corners[1..].windows(2) {
        let [a, b] = [w[0], w[1]].map(|c| {
            let c = spot(c);
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
        let c = spot(c);
        (sx * c[0] + sz * c[1] + base - c[2]).abs() <= within
    };
    corners
        .iter()
        .all(flat)
        .then_some([sx, sz, base, limit - within])
}
