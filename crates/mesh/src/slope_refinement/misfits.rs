//! Where triangles miss the ground.

use std::cmp::Ordering;
use std::collections::HashMap;

use navbake_geom::Point;
use navbake_walkable::{BreaklineKind, BreaklineSample, BreaklineScratch, BreaklineSettings};

use super::edges::{APART, distance, foot, offset};
use crate::cell_heights::Middle;
use crate::layer_heights::LayerHeights;
use crate::snapped::{holds, snap_within};

/// The same of triangles that lead over a step, where the ground beside a corner is that of the
/// other side.
const APART_AT_STEPS: f64 = 4.0;
/// Triangles that rise more than this per unit lead from one side of a step to the other.
const STEEP: f64 = 1.5;
/// Around a vertical step, heights are between its two sides: on both, grid units.
const BESIDE: i32 = 6;
/// Where the ground is likely to bend, a corner is of more use than elsewhere, even if it is off by
/// this share of the error only.
const SHARE: f64 = 0.25;

pub(super) fn from_least(mut corners: [Point; 3]) -> [Point; 3] {
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

impl Miss {
    /// Those that are off furthest first.
    fn order(&self, other: &Miss) -> Ordering {
        other.off.total_cmp(&self.off).then(self.place.cmp(&other.place))
    }
}

/// Finds where triangles miss the ground.
pub(super) struct Misfits<'a, 'g> {
    ground: &'a LayerHeights<'g>,
    pub(super) error: f64,
    /// The distance of places from the step that they are beside, grid units.
    beside: i32,
    /// How far a triangle is off at its worst place, by its corners from the least on.
    known: HashMap<[Point; 3], Option<(f64, Point)>>,
    /// Places too far from the ground, by triangle, where a triangle got no corner elsewhere: on
    /// edges that cannot be cut, or beside slivers. Then those that were tried.
    left: HashMap<[Point; 3], [Vec<Miss>; 2]>,
    near: Vec<u32>,
    room: BreaklineScratch,
}

impl<'a, 'g> Misfits<'a, 'g> {
    pub(super) fn new(ground: &'a LayerHeights<'g>, error: f64) -> Misfits<'a, 'g> {
        Misfits {
            ground,
            error,
            beside: BESIDE,
            known: HashMap::new(),
            left: HashMap::new(),
            near: vec![],
            room: BreaklineScratch::default(),
        }
    }

    /// The triangle with these corners gets none at this place.
    pub(super) fn refuse(&mut self, corners: [Point; 3], place: Point) {
        let corners = from_least(corners);
        let left = self.left.remove(&corners);
        let [mut left, mut tried] = left.unwrap_or_else(|| [self.find(&corners), vec![]]);
        tried.extend(left.extract_if(.., |miss| miss.place == place));
        let next = self.worst(&corners, &mut left);
        self.known.insert(corners, next);
        self.left.insert(corners, [left, tried]);
    }

    /// Rings have more corners: what is beside one of their edges now can be met by a cut.
    pub(super) fn try_again(&mut self) {
        for (corners, [left, tried]) in &mut self.left {
            left.append(tried);
            left.sort_unstable_by(Miss::order);
            self.known.remove(corners);
        }
    }

    /// Does a triangle stay within the error, and was no place of it given up?
    pub(super) fn is_met(&mut self, corners: [Point; 3]) -> bool {
        self.of(corners).is_none() && !self.left.contains_key(&from_least(corners))
    }

    /// The place where a triangle gets a corner, and how far it is off there; `None` when it stays
    /// within the error.
    pub(super) fn of(&mut self, corners: [Point; 3]) -> Option<(f64, Point)> {
        let corners = from_least(corners);
        if let Some(&known) = self.known.get(&corners) {
            return known;
        }
        let left = self.left.remove(&corners);
        let is_left = left.is_some();
        let [mut left, tried] = left.unwrap_or_else(|| [self.find(&corners), vec![]]);
        let found = self.worst(&corners, &mut left);
        if is_left {
            self.left.insert(corners, [left, tried]);
        }
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
        // Beside the third corner of a sliver no place is apart from corners.
        for k in 0..3 {
            let third = (k + 2) % 3;
            if let Some((_, far)) = foot([corners[k], corners[(k + 1) % 3]], corners[third])
                && far < apart
                && let Some(y) = on_side(k, corners[third])
                && (y - heights[third]).abs() > error
            {
                let off = (y - heights[third]).abs();
                found.push(Miss { off, place: corners[third], surface: y, is_likely: false });
            }
        }
        found.sort_unstable_by(Miss::order);
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
