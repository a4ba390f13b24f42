//! Triangles that follow the ground up and down, for agents whose costs depend on height.
//!
//! Costs of going up and down are computed from the heights of polygon corners, so triangles are
//! refined greedily (as in [`crate::tin`]) until none misses the ground by more than the error. A
//! point near a ring becomes a corner of the ring: triangles beside a border follow the ground as
//! well as others.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use navbake_geom::{Delaunay, NO_EDGE, NO_TRIANGLE, Point, TriangulateError, orient};
use navbake_walkable::{BreaklineKind, BreaklineSample, BreaklineScratch, BreaklineSettings, Ring};

use crate::areas::arrange;
use crate::cell_heights::Middle;
use crate::layer_heights::LayerHeights;
use crate::patch::connect;
use crate::snapped::{holds, snap_within};
use crate::steps;

/// Places nearer to a ring, grid units, become corners of the ring: triangles between would be
/// slivers.
const NEAR: f64 = 32.0;
/// The least distance between corners, grid units.
const APART: f64 = 8.0;
/// The same of triangles that lead over a step, where the ground beside a corner is that of the
/// other side.
const APART_AT_STEPS: f64 = 4.0;
/// No place is inserted nearer than this, grid units, to a corner of the triangle beyond a side.
const TOO_NEAR: f64 = 2.0;
/// Triangles that rise more than this per unit lead from one side of a step to the other.
const STEEP: f64 = 1.5;
/// Around a vertical step, heights are between its two sides: on both, grid units.
const BESIDE: i32 = 6;
/// Of misses in the order in which they are mended: steps in a grid unit.
const SCALE: f64 = 65_536.0;
/// Where the ground is likely to bend, a corner is of more use than elsewhere, even if it is off by
/// this share of the error only.
const SHARE: f64 = 0.25;

/// Triangles between rings that stay within `error` grid units of the ground, and for each edge of
/// the refined rings whether it is open.
///
/// Vertical steps are the exception: within 1.5 times [`steps::ASIDE`], heights are between their
/// two sides.
///
/// # Errors
/// The rings cross or touch in other places than corners.
pub(crate) fn refine(
    rings: &[Ring],
    ground: &LayerHeights<'_>,
    error: f64,
) -> Result<(Delaunay, Vec<bool>), TriangulateError> {
    let count = rings.len();
    let mut places = vec![];
    let lines = steps::lines(rings, ground, error);
    let cut_by_lines = || {
        let cut_rings = arrange::cut(rings, &lines)?;
        let made = connect(&cut_rings, &[]).ok()?;
        Some((cut_rings, made))
    };
    let with_lines = if lines.is_empty() { None } else { cut_by_lines() };
    let (mut rings, mut made) = match with_lines {
        Some(found) => found,
        None => (rings.to_vec(), connect(rings, &[])?),
    };
    let mut misfits = Misfits {
        ground,
        error,
        beside: BESIDE,
        known: HashMap::new(),
        left: HashMap::new(),
        near: vec![],
        room: BreaklineScratch::default(),
    };
    // Edges that cannot be cut further, by their ends.
    let mut whole: Vec<[Point; 2]> = vec![];
    loop {
        let cuts = insert(&mut made.0, &mut places, &rings, &whole, &mut misfits);
        if cuts.is_empty() {
            // Lines along steps are no walls.
            let walls = rings[..count].iter().map(|ring| ring.points.len()).sum();
            made.1.truncate(walls);
            return Ok(made);
        }
        let cut_rings: Vec<Ring> = rings.iter().map(|ring| cut(ring, &cuts)).collect();
        match connect(&cut_rings, &places) {
            Ok(next) => (rings, made) = (cut_rings, next),
            // Rounding moved a ring onto something else.
            Err(_) => whole.extend(cuts.into_keys()),
        }
    }
}

/// Where edges of rings are cut, by their ends in ascending order.
type Cuts = BTreeMap<[Point; 2], Point>;

/// Inserts the worst places inside until all that are left are beside rings. Gives the places for
/// these, one for each edge.
fn insert(
    mesh: &mut Delaunay,
    places: &mut Vec<Point>,
    rings: &[Ring],
    whole: &[[Point; 2]],
    misfits: &mut Misfits<'_, '_>,
) -> Cuts {
    let edges: Vec<[Point; 2]> = rings.iter().flat_map(edges_of).collect();
    let is_open = rings.iter().flat_map(|ring| edges_of(ring).zip(ring.open.iter().copied()));
    let is_open: HashMap<[Point; 2], bool> = is_open.collect();
    let mut cuts = Cuts::new();
    let mut worst: BinaryHeap<(u64, Reverse<Point>, u32)> = BinaryHeap::new();
    let mut pending: Vec<u32> = (0..mesh.triangles().len() as u32).collect();
    loop {
        for &t in &pending {
            if let Some((off, place)) = misfits.of(mesh.corners(t)) {
                worst.push(((off * SCALE) as u64, Reverse(place), t));
            }
        }
        pending.clear();
        let Some((off, Reverse(place), t)) = worst.pop() else {
            return cuts;
        };
        let corners = mesh.corners(t);
        if misfits.of(corners).is_none_or(|now| now.1 != place) {
            // The triangle changed meanwhile.
            continue;
        }
        let sides = mesh.edges()[t as usize].into_iter().filter(|&e| e != NO_EDGE);
        let sides: Vec<[Point; 2]> = sides.map(|e| edges[e as usize]).collect();
        if sides.iter().any(|s| cuts.contains_key(&in_order(*s))) {
            continue;
        }
        let free = sides.iter().copied().filter(|s| !whole.contains(&in_order(*s)));
        let near = free.filter_map(|s| Some((s, foot(s, place)?)));
        let near = near.filter(|(_, (_, far))| *far < NEAR).min_by(|a, b| a.1.1.total_cmp(&b.1.1));
        if let Some((side, _)) = near
            && let Some(at) = place_on(side, place, &is_open)
        {
            cuts.insert(in_order(side), at);
            continue;
        }
        let is_on_side = sides.iter().any(|&[a, b]| orient(a, b, place) == 0);
        let is_over = off as f64 > misfits.error * SCALE;
        let changed = if is_on_side { vec![] } else { insert_at(mesh, t, place, is_over) };
        if changed.is_empty() {
            misfits.refuse(corners, place);
            pending.push(t);
        } else {
            places.push(place);
            pending.extend(changed);
        }
    }
}

/// Adds a place to a triangle. If `or_beyond`, one that rounding put beside a side that is no
/// ring's goes to the triangle beyond: a sliver holds no place of the grid, and both triangles have
/// the side's heights. Gives the triangles that changed.
fn insert_at(mesh: &mut Delaunay, t: u32, place: Point, or_beyond: bool) -> Vec<u32> {
    let changed = mesh.insert(t, place).to_vec();
    if !changed.is_empty() || !or_beyond {
        return changed;
    }
    let sides = (0..3).filter(|&k| mesh.edges()[t as usize][k] == NO_EDGE);
    let beyond: Vec<u32> = sides.map(|k| mesh.neighbours()[t as usize][k]).collect();
    for u in beyond.into_iter().filter(|&u| u != NO_TRIANGLE) {
        let corners = mesh.corners(u);
        let edges = mesh.edges()[u as usize];
        let is_on_ring = (0..3)
            .any(|k| edges[k] != NO_EDGE && orient(corners[k], corners[(k + 1) % 3], place) == 0);
        if !is_on_ring && corners.iter().all(|&c| distance(c, place) >= TOO_NEAR) {
            let changed = mesh.insert(u, place);
            if !changed.is_empty() {
                return changed.to_vec();
            }
        }
    }
    vec![]
}

fn edges_of(ring: &Ring) -> impl Iterator<Item = [Point; 2]> + '_ {
    let n = ring.points.len();
    (0..n).map(move |k| [ring.points[k], ring.points[(k + 1) % n]])
}

fn in_order([a, b]: [Point; 2]) -> [Point; 2] {
    [a.min(b), a.max(b)]
}

/// A ring with more corners.
fn cut(ring: &Ring, cuts: &Cuts) -> Ring {
    let mut out = Ring::with_capacity(ring.points.len());
    for (edge, &open) in edges_of(ring).zip(&ring.open) {
        out.push(edge[0], open);
        if let Some(&at) = cuts.get(&in_order(edge)) {
            out.push(at, open);
        }
    }
    out
}

fn offset(from: Point, to: Point) -> [f64; 2] {
    [f64::from(to.x - from.x), f64::from(to.z - from.z)]
}

fn distance(a: Point, b: Point) -> f64 {
    let [x, z] = offset(a, b);
    (x * x + z * z).sqrt()
}

/// The place on an edge nearest to `p`, as a share of the edge, and how far away it is; `None` near
/// the edge's ends.
fn foot([a, b]: [Point; 2], p: Point) -> Option<(f64, f64)> {
    let (d, v) = (offset(a, b), offset(a, p));
    let square = d[0] * d[0] + d[1] * d[1];
    let t = (v[0] * d[0] + v[1] * d[1]) / square;
    let long = square.sqrt();
    let far = (v[0] * d[1] - v[1] * d[0]).abs() / long;
    (t * long >= APART && (1.0 - t) * long >= APART).then_some((t, far))
}

/// Where an edge is cut near a place: on the edge if it follows an axis, else on the ground's side
/// of it, or, if both sides are cut alike, beside it. An edge with another layer's ground beyond
/// must not move: it is cut where it meets the grid, if anywhere.
fn place_on([a, b]: [Point; 2], p: Point, open: &HashMap<[Point; 2], bool>) -> Option<Point> {
    let (t, _) = foot([a, b], p)?;
    let d = offset(a, b);
    let at = [f64::from(a.x) + t * d[0], f64::from(a.z) + t * d[1]];
    let [x, z] = at.map(|c| c.floor() as i32);
    let around = [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[i, j]| Point::new(x + i, z + j));
    let far = |q: &Point| {
        let [u, v] = [f64::from(q.x) - at[0], f64::from(q.z) - at[1]];
        u * u + v * v
    };
    let is_two_sided = open.contains_key(&[b, a]);
    let is_open = open.get(&[a, b]).is_some_and(|&open| open);
    let may_be = |q: &Point| match orient(a, b, *q) {
        0 => true,
        side => is_two_sided || side > 0 && !is_open,
    };
    let nearest = |all: &mut dyn Iterator<Item = Point>| {
        all.min_by(|p, q| far(p).total_cmp(&far(q)).then(p.cmp(q)))
    };
    nearest(&mut around.into_iter().filter(may_be)).or_else(|| {
        // Places of the grid on the edge are at equal distances.
        let gcd = gcd((b.x - a.x).unsigned_abs(), (b.z - a.z).unsigned_abs());
        let k = (t * f64::from(gcd)).round();
        let inner = k >= 1.0 && k < f64::from(gcd);
        let along = |from: i32, to: i32| from + ((to - from) / gcd as i32) * k as i32;
        inner.then(|| Point::new(along(a.x, b.x), along(a.z, b.z)))
    })
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn from_least(mut corners: [Point; 3]) -> [Point; 3] {
    let least = (0..3).min_by_key(|&k| corners[k]).unwrap_or(0);
    corners.rotate_left(least);
    corners
}

/// A place where a triangle is off the ground.
#[derive(Clone, Copy)]
struct Miss {
    /// How far, grid units.
    off: f64,
    place: Point,
    /// The triangle's height there.
    surface: f64,
    /// Is the ground likely to bend here?
    is_likely: bool,
}

/// Finds where triangles miss the ground.
struct Misfits<'a, 'g> {
    ground: &'a LayerHeights<'g>,
    error: f64,
    /// The distance of places from the step that they are beside, grid units.
    beside: i32,
    /// How far a triangle is off at its worst place, by its corners from the least on.
    known: HashMap<[Point; 3], Option<(f64, Point)>>,
    /// Places too far from the ground, by triangle, where a triangle got no corner elsewhere: on
    /// edges that cannot be cut, or beside slivers.
    left: HashMap<[Point; 3], Vec<Miss>>,
    near: Vec<u32>,
    room: BreaklineScratch,
}

impl Misfits<'_, '_> {
    /// The triangle with these corners gets none at this place.
    fn refuse(&mut self, corners: [Point; 3], place: Point) {
        let corners = from_least(corners);
        let mut left = self.left.remove(&corners).unwrap_or_else(|| self.find(&corners));
        left.retain(|miss| miss.place != place);
        let next = self.worst(&corners, &mut left);
        self.known.insert(corners, next);
        self.left.insert(corners, left);
    }

    /// The place where a triangle gets a corner, and how far it is off there; `None` when it stays
    /// within the error.
    fn of(&mut self, corners: [Point; 3]) -> Option<(f64, Point)> {
        let corners = from_least(corners);
        if let Some(&known) = self.known.get(&corners) {
            return known;
        }
        let mut misses = self.find(&corners);
        let found = self.worst(&corners, &mut misses);
        self.known.insert(corners, found);
        found
    }

    /// The place of a triangle's misses that gets a corner. Those that are steps are taken out.
    fn worst(&self, corners: &[Point; 3], misses: &mut Vec<Miss>) -> Option<(f64, Point)> {
        let Misfits { ground, error, beside, .. } = *self;
        let (_, height) = heights_on(ground, corners);
        let is_over = |miss: &Miss| miss.off > error;
        let is_step = |miss: &Miss| is_step(miss.place, beside, miss.surface, error, &height);
        let steps = misses.iter().take_while(|m| is_over(m) && is_step(m)).count();
        misses.drain(..steps);
        let worst = *misses.first().filter(|m| is_over(m))?;
        let likely = misses.iter().find(|m| m.is_likely && !(is_over(m) && is_step(m)));
        let found = likely.unwrap_or(&worst);
        Some((found.off, found.place))
    }

    /// The places where a triangle is off the ground, those that are off furthest first.
    fn find(&mut self, corners: &[Point; 3]) -> Vec<Miss> {
        let Misfits { ground, error, beside, .. } = *self;
        let (heights, height) = heights_on(ground, corners);
        let (u, v) = (offset(corners[0], corners[1]), offset(corners[0], corners[2]));
        let area = u[1] * v[0] - u[0] * v[1];
        let up = [heights[1] - heights[0], heights[2] - heights[0]];
        let slope = [(up[1] * u[1] - up[0] * v[1]) / area, (up[0] * v[0] - up[1] * u[0]) / area];
        let on = |p: Point| {
            let d = offset(corners[0], p);
            heights[0] + slope[0] * d[0] + slope[1] * d[1]
        };
        let low = heights.into_iter().fold(f64::INFINITY, f64::min);
        let high = heights.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let [x, z] = [corners[0].x, corners[0].z].map(f64::from);
        let settings = BreaklineSettings {
            plane: Some([
                slope[0],
                slope[1],
                heights[0] - slope[0] * x - slope[1] * z,
                error - 1.0,
            ]),
            heights: [f64::NEG_INFINITY, f64::INFINITY],
            beside: f64::from(self.beside),
            deep: 0.0,
            apart: ground.radius().max(error),
        };
        // No ground is steep: a corner is on a step, and other ground begins next to it.
        let is_steep = slope[0].hypot(slope[1]) > STEEP;
        let apart = if is_steep { APART_AT_STEPS } else { APART };
        let mut found = vec![];
        let mut take = |place: Point, surface: f64, is_likely: bool| {
            let is_apart = corners.iter().all(|&c| distance(c, place) >= apart);
            if is_apart {
                let off = (surface - height(place)).abs();
                if off > if is_likely { SHARE * error } else { error } {
                    found.push(Miss { off, place, surface, is_likely });
                }
            }
        };
        // Slivers need not hold a place of the grid that is on one of their sides.
        let on_side = |k: usize, place: Point| {
            let ends = [corners[k], corners[(k + 1) % 3]];
            let t = foot(ends, place)?.0;
            Some(heights[k] + t * (heights[(k + 1) % 3] - heights[k]))
        };
        self.near.clear();
        ground.near(corners, &mut self.near);
        self.near.sort_unstable();
        let mut bends = false;
        ground.samples(&self.near, corners, &settings, &mut self.room, |triangle, samples| {
            bends = true;
            let inner = samples.iter().filter(|s| s.kind != BreaklineKind::Outside);
            if ground.is_elsewhere(triangle, inner.clone().map(|s| s.place), [low, high]) {
                return true;
            }
            for sample in inner {
                if let BreaklineKind::Border(k) = sample.kind {
                    if let Some(y) = on_side(k as usize, sample.place) {
                        take(sample.place, y, false);
                    }
                } else if let Some(place) = place_of(sample, corners, beside) {
                    take(place, on(place), sample.kind != BreaklineKind::Along);
                }
            }
            true
        });
        // Triangles of the ground that cross each other have no edge where they do.
        let pace = ground.radius() / 2.0;
        // Cells are sampled everywhere.
        bends &= pace > 0.0;
        for k in 0..if bends { 3 } else { 0 } {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            let long = distance(a, b);
            let parts = (long / pace).ceil();
            let inner = (1..parts as i32).map(|n| f64::from(n) / parts);
            let distances = std::iter::successors(Some(apart + 1.0), |d| Some(2.0 * d));
            let distances = distances.take_while(|&d| is_steep && d <= long / 2.0);
            let ends = distances.flat_map(|d| [d / long, 1.0 - d / long]);
            for t in inner.chain(ends) {
                let along = |from: i32, to: i32| from + (f64::from(to - from) * t).round() as i32;
                let place = Point::new(along(a.x, b.x), along(a.z, b.z));
                if let Some(y) = on_side(k, place) {
                    take(place, y, false);
                }
            }
        }
        if bends {
            lattice(corners, 2.0 * pace).for_each(|place| take(place, on(place), false));
        }
        found.sort_unstable_by(|a, b| b.off.total_cmp(&a.off).then(a.place.cmp(&b.place)));
        found
    }
}

/// The heights of a triangle's corners, and the ground below places in it.
fn heights_on<'a>(
    ground: &'a LayerHeights<'_>,
    corners: &[Point; 3],
) -> ([f64; 3], impl Fn(Point) -> f64 + use<'a>) {
    let middle = Middle::new(corners);
    let heights = corners.map(|p| f64::from(ground.height(p, middle.from(p))));
    let low = heights.into_iter().fold(f64::INFINITY, f64::min);
    let high = heights.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let below = move |p: Point| f64::from(ground.height_near(p, middle.from(p), [low, high]));
    (heights, below)
}

/// Where a sample is met by a triangle: in it, and at some distance from the step it is beside.
fn place_of(sample: &BreaklineSample, corners: &[Point], beside: i32) -> Option<Point> {
    let [x, z] = sample.away.map(|d| i32::from(d) * beside);
    let place = Point::new(sample.place.x + x, sample.place.z + z);
    match holds(corners, place) {
        true => Some(place),
        false if sample.away == [0; 2] => snap_within(place, 0, corners),
        false => None,
    }
}

/// Is a surface between the two sides of a vertical step no further than `beside` from a place?
fn is_step(
    place: Point,
    beside: i32,
    surface: f64,
    error: f64,
    height: impl Fn(Point) -> f64,
) -> bool {
    let y = height(place);
    let ways = [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];
    ways.into_iter().any(|way| {
        let at = |k: i32| height(Point::new(place.x + k * way[0], place.z + k * way[1]));
        // From the ground at the place to the other end, by halves with the greater rise.
        let (mut from, mut to) = ((0, y), (beside, at(beside)));
        if (from.1 - to.1).abs() <= error {
            return false;
        }
        while to.0 - from.0 > 1 {
            let middle = i32::midpoint(from.0, to.0);
            let middle = (middle, at(middle));
            match (middle.1 - from.1).abs() > (to.1 - middle.1).abs() {
                true => to = middle,
                false => from = middle,
            }
        }
        let (low, high) = (from.1.min(to.1), from.1.max(to.1));
        high - low > error && surface >= low - error && surface <= high + error
    })
}

/// The places of a square lattice in a triangle.
fn lattice(corners: &[Point; 3], pitch: f64) -> impl Iterator<Item = Point> + '_ {
    let pitch = (pitch as i32).max(1);
    let range = |of: fn(&Point) -> i32| {
        let all = corners.each_ref().map(of);
        let low = all.into_iter().min().unwrap_or(0);
        (low.div_euclid(pitch) + 1) * pitch..all.into_iter().max().unwrap_or(0)
    };
    let rows = range(|p| p.z).step_by(pitch as usize);
    let columns = range(|p| p.x).step_by(pitch as usize);
    let all = rows.flat_map(move |z| columns.clone().map(move |x| Point::new(x, z)));
    all.filter(|&p| holds(corners, p))
}
