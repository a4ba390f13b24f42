//! Which polygons' corners do not tell how high the ground is inside of them, and the relief that does.

use navbake_format::fan;
use navbake_format::relief::MOST_STEPS;
use navbake_geom::{LIMIT, Point, Point3, orient};
use navbake_walkable::{Bend, BendKind};

use crate::heights::Middle;
use crate::layer_heights::LayerHeights;
use crate::tin::{Sample, Tin};
use crate::{NONE, NavMesh, Relief};

/// A step of a relief along x and z is `2^STEP` grid units, or less where that makes no more than [`FINE`] steps, or more where it must.
const STEP: u32 = 2;
const FINE: i32 = 4000;
/// Heights of a relief are told in so many bits.
const HEIGHT_BITS: u32 = 10;
/// So far around a polygon corners of its triangles are looked at, grid units.
const MARGIN: i32 = 4096;
/// A triangle is the ground where their heights differ by no more, grid units.
const SAME: f64 = 8.0;
/// The most height points that a relief can have.
const MOST_POINTS: usize = u16::MAX as usize;

/// Gives the polygons of a layer that need one a relief which brings their heights to within `limit` of the ground at all places where it may
/// bend.
pub(crate) fn fit(mesh: &mut NavMesh, ground: &LayerHeights<'_>, limit: f64) {
    let mut fit = Fit::new(mesh, limit);
    let mut of = vec![NONE; mesh.len()];
    let mut corners = vec![];
    for (p, slot) in of.iter_mut().enumerate() {
        corners.clear();
        let ring = mesh.polygon(p).iter();
        corners.extend(ring.map(|&v| mesh.vertices[v as usize]));
        if !fit.told_by_corners(&corners, ground) {
            *slot = 0;
        }
    }
    let mut polygons = std::mem::take(&mut fit.polygons);
    for own in &mut polygons {
        fit.find(mesh, own, &of, ground);
        fit.keep_outside(own, ground);
        fit.look_along_border(mesh, own, &of, ground);
    }
    fit.polygons = polygons;
    if let Some(relief) = fit.relief() {
        mesh.set_reliefs(&of, &[relief]);
    }
}

struct Fit {
    limit: f64,
    /// Places that can be told lie `2^shift` grid units apart.
    shift: u32,
    /// Bounds of the polygons that need a relief, grid units.
    least: [i32; 2],
    greatest: [i32; 2],
    /// Ground that the relief is to meet, and whether it is less likely to bend there.
    samples: Vec<(Point3, bool)>,
    /// Corners of its triangles that lie outside of the polygon that they were found for.
    outside: Vec<Point3>,
    /// How many polygons were asked about.
    asked: usize,
    /// The polygons that need a relief.
    polygons: Vec<Needy>,
    // Scratch of a polygon.
    flat: Vec<Point>,
    bends: Vec<Bend>,
    places: Vec<(u64, u32)>,
    /// Triangles that are the polygon's ground somewhere.
    triangles: Vec<u32>,
}

/// A polygon that needs a relief.
struct Needy {
    /// Its number of those polygons that were asked about, in order.
    number: usize,
    flat: Vec<Point>,
    bends: Vec<Bend>,
}

impl Fit {
    fn new(mesh: &NavMesh, limit: f64) -> Fit {
        let side = |of: fn(&Point3) -> i32| {
            let least = mesh.vertices.iter().map(of).min().unwrap_or(0);
            mesh.vertices.iter().map(of).max().unwrap_or(0) - least
        };
        let widest = side(|p| p.x).max(side(|p| p.z));
        let mut shift = 0;
        // The box is rounded outwards on both sides, and holds corners of triangles around.
        while (shift < STEP && widest >> shift > FINE)
            || ((widest + 2 * MARGIN) >> shift) + 2 > MOST_STEPS
        {
            shift += 1;
        }
        Fit {
            limit,
            shift,
            least: [i32::MAX; 2],
            greatest: [i32::MIN; 2],
            samples: vec![],
            outside: vec![],
            polygons: vec![],
            asked: 0,
            flat: vec![],
            bends: vec![],
            places: vec![],
            triangles: vec![],
        }
    }

    /// Does the fan of a polygon's corners lie on the ground? If not, its ground is kept for the relief.
    fn told_by_corners(&mut self, corners: &[Point3], ground: &LayerHeights<'_>) -> bool {
        let number = self.asked;
        self.asked += 1;
        self.flat.clear();
        self.flat.extend(corners.iter().map(|c| c.flat()));
        let slab = plane(corners, self.limit);
        self.bends(ground, slab);
        if self.fan_is_right(corners, ground) {
            return true;
        }
        if slab.is_some() {
            // The polygon is not the plane of its corners any more: it matters again what lay along that.
            self.bends(ground, None);
        }
        for k in 0..self.flat.len() {
            self.hold(self.flat[k]);
        }
        self.polygons.push(Needy {
            number,
            flat: self.flat.clone(),
            bends: self.bends.clone(),
        });
        false
    }

    /// Places where the ground may bend in the polygon.
    fn bends(&mut self, ground: &LayerHeights<'_>, slab: Option<[f64; 4]>) {
        // So far off an edge that a place is told on its side of it.
        let beside = 1.5 * f64::from(1 << self.shift) + 1.0;
        self.bends.clear();
        ground.bends(&self.flat, slab, beside, &mut self.bends);
    }

    /// Does the fan of the corners lie on the ground where that bends?
    fn fan_is_right(&mut self, corners: &[Point3], ground: &LayerHeights<'_>) -> bool {
        let middle = Middle::new(&self.flat);
        let at = |i: usize| [corners[i].x, corners[i].y, corners[i].z];
        let fan = |p: Point| fan::height(corners.len(), at, [f64::from(p.x), f64::from(p.z)]);
        self.places.clear();
        let right = |p: Point| {
            let y = f64::from(ground.height(p, middle.from(p)));
            (fan(p) - y).abs() <= self.limit
        };
        // Where the fan is wrong, that shows soon; else places are looked at once only.
        let mut soon = 4;
        for bend in &self.bends {
            if bend.kind == BendKind::Outside
                || !ground.may_be_ground(bend.triangle, bend.place, middle.from(bend.place))
            {
                continue;
            }
            let Some(place) = told(bend.place, self.shift, &self.flat) else {
                continue;
            };
            // If the triangle is the ground, it is right; if not, what is the ground has places of its own.
            let plane = ground.plane_height(bend.triangle, place);
            let near = |y: f64| (fan(place) - y).abs() <= self.limit - 1.0;
            if bend.kind == BendKind::Beside || !plane.is_some_and(near) {
                if soon > 0 && bend.kind != BendKind::Beside {
                    soon -= 1;
                    if !right(place) {
                        return false;
                    }
                }
                self.places.push((key(place, false), NONE));
            }
        }
        self.places.sort_unstable();
        self.places.dedup();
        self.places.iter().all(|&(k, _)| right(place(k).0))
    }

    /// Ground where it may bend in a polygon that needs a relief.
    fn find(&mut self, mesh: &NavMesh, own: &Needy, of: &[u32], ground: &LayerHeights<'_>) {
        let flat = &own.flat;
        let middle = Middle::new(flat);
        let beyond = &mesh.neighbours[mesh.edges(own.number)];
        let same_relief = |k: u32| {
            let beyond = beyond.get(k as usize).map_or(NONE, |&n| n);
            of.get(beyond as usize).is_some_and(|&r| r != NONE)
        };
        self.places.clear();
        for bend in &own.bends {
            // Edges of triangles are as straight at the polygon's border as elsewhere.
            let unlikely = match bend.kind {
                BendKind::Outside => continue,
                BendKind::Border(k) if same_relief(k) => continue,
                BendKind::Border(_) | BendKind::Along => true,
                BendKind::Corner | BendKind::Beside => false,
            };
            if ground.may_be_ground(bend.triangle, bend.place, middle.from(bend.place))
                && let Some(place) = told(bend.place, self.shift, flat)
            {
                self.places.push((key(place, unlikely), bend.triangle));
            }
        }
        self.places.sort_unstable();
        self.triangles.clear();
        let mut last = None;
        for &(k, triangle) in &self.places {
            let (p, unlikely) = place(k);
            let y = match last {
                Some((q, y)) if q == p => y,
                _ => {
                    let y = ground.height(p, middle.from(p));
                    self.samples.push((p.at(y), unlikely));
                    y
                }
            };
            last = Some((p, y));
            let plane = ground.plane_height(triangle, p);
            if plane.is_some_and(|plane| (plane - f64::from(y)).abs() <= SAME) {
                self.triangles.push(triangle);
            }
        }
        self.triangles.sort_unstable();
    }

    /// Corners of triangles that lie outside of the polygon, but near, and tell how its ground goes on.
    fn keep_outside(&mut self, own: &Needy, ground: &LayerHeights<'_>) {
        let side = |of: fn(&Point) -> i32| {
            let values = || own.flat.iter().map(of);
            let least = values().min().unwrap_or(0) - MARGIN;
            least..=values().max().unwrap_or(0) + MARGIN
        };
        let (x, z) = (side(|p| p.x), side(|p| p.z));
        for bend in &own.bends {
            let p = bend.place;
            let near = x.contains(&p.x) && z.contains(&p.z);
            if bend.kind == BendKind::Outside
                && near
                && self.triangles.binary_search(&bend.triangle).is_ok()
                && let Some(y) = ground.plane_height(bend.triangle, p)
            {
                let half = 1 << self.shift >> 1;
                let [px, pz] = [p.x, p.z].map(|c| (c + half) >> self.shift << self.shift);
                self.outside
                    .push(Point3::new(px, y.round_ties_even() as i32, pz));
            }
        }
    }

    /// Ground along those edges of a polygon beyond which the relief does not count: its triangles may reach in from there, where nothing else
    /// holds them.
    fn look_along_border(
        &mut self,
        mesh: &NavMesh,
        own: &Needy,
        of: &[u32],
        ground: &LayerHeights<'_>,
    ) {
        let flat = &own.flat;
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
                if let Some(p) = told(p, self.shift, flat) {
                    let y = ground.height(p, middle.from(p));
                    self.samples.push((p.at(y), true));
                }
            }
        }
    }

    fn hold(&mut self, p: Point) {
        for (k, c) in [p.x, p.z].into_iter().enumerate() {
            self.least[k] = self.least[k].min(c);
            self.greatest[k] = self.greatest[k].max(c);
        }
    }

    /// Does a polygon that needs a relief hold the place?
    fn is_within(&self, p: Point) -> bool {
        self.polygons.iter().any(|own| {
            let ring = &own.flat;
            (0..ring.len()).all(|k| orient(ring[k], ring[(k + 1) % ring.len()], p) >= 0)
        })
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
                self.samples.push((p, false));
            }
        }
        self.samples
            .sort_unstable_by_key(|&(s, unlikely)| (key(s.flat(), unlikely), s.y));
        self.samples.dedup_by_key(|s| s.0.flat());
        let ups = || self.samples.iter().map(|s| s.0.y);
        let (base, top) = (ups().min()?, ups().max()?);
        let mut up = 0;
        while (i64::from(top) - i64::from(base) + (1 << up >> 1)) >> up >= 1 << HEIGHT_BITS {
            up += 1;
        }
        let least = self.least.map(|c| c >> self.shift);
        let size = [0, 1].map(|k| ((self.greatest[k] - 1) >> self.shift) + 1 - least[k]);
        let [x, z] = size;
        let corners = [[0, 0], [0, z], [x, z], [x, 0]].map(|[x, z]| Point::new(x, z));
        let step = f64::from(1u32 << up);
        let samples: Vec<Sample> = (self.samples.iter())
            .map(|&(s, unlikely)| Sample {
                likely: !unlikely,
                place: Point::new(
                    (s.x >> self.shift) - least[0],
                    (s.z >> self.shift) - least[1],
                ),
                height: (f64::from(s.y) - f64::from(base)) / step,
            })
            .collect();
        let heights = corners.map(|c| nearest(&samples, c).round());
        let mut tin = Tin::new(corners, heights, &samples, self.limit / step)?;
        tin.refine(MOST_POINTS);
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

/// A place and a mark as a number, in ascending order of x, z and the mark.
fn key(p: Point, mark: bool) -> u64 {
    let [x, z] = [p.x, p.z].map(|c| (i64::from(c) + i64::from(LIMIT)) as u64);
    x << 28 | z << 1 | u64::from(mark)
}

/// What [`key`] was made of.
fn place(key: u64) -> (Point, bool) {
    let [x, z] =
        [key >> 28, key >> 1 & ((1 << 27) - 1)].map(|c| (c as i64 - i64::from(LIMIT)) as i32);
    (Point::new(x, z), key & 1 != 0)
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

/// The nearest place with coordinates that are multiples of `2^shift`, of the four around, that a convex polygon holds.
fn told(p: Point, shift: u32, polygon: &[Point]) -> Option<Point> {
    let low = [p.x, p.z].map(|c| c >> shift << shift);
    let step = 1 << shift;
    let holds = |q: Point| {
        let n = polygon.len();
        (0..n).all(|k| orient(polygon[k], polygon[(k + 1) % n], q) >= 0)
    };
    let nearer = [0, 1].map(|k| 2 * ([p.x, p.z][k] - low[k]) > step);
    let at = |far: [bool; 2]| {
        let c = [0, 1].map(|k| low[k] + if far[k] { step } else { 0 });
        Point::new(c[0], c[1])
    };
    let [a, b] = nearer;
    let first = at(nearer);
    if holds(first) {
        return Some(first);
    }
    let others = [at([!a, b]), at([a, !b]), at([!a, !b])];
    let away = |q: &Point| {
        let d = [q.x - p.x, q.z - p.z].map(i64::from);
        (d[0] * d[0] + d[1] * d[1], *q)
    };
    others.into_iter().filter(|&q| holds(q)).min_by_key(away)
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
