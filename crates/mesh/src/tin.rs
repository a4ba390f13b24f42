//! A triangulated irregular network over a box, refined greedily.
//!
//! The sample with the greatest error becomes a point of the Delaunay triangulation, until no
//! sample is off by more than the error (Garland and Heckbert, "Fast polygonal approximation of
//! terrains and height fields", 1995).

mod line;
mod samples;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use navbake_geom::{Delaunay, NO_TRIANGLE, Point, orient};

pub(crate) use self::line::Line;
pub(crate) use self::samples::Sample;
use self::samples::{Key, Lists, NONE, Worst, append};
use crate::dirty_regions::DirtyRegions;

/// Squares along a side of the box for finding triangles.
const SQUARES: i32 = 32;

/// Delaunay triangles with heights, and the places in each that are to be met.
pub(crate) struct Tin<'a> {
    mesh: Delaunay,
    heights: Vec<f64>,
    /// In ascending order of places.
    samples: Vec<Sample>,
    /// The height of a sample that is not known; `None` for a place that need not be met.
    ask: &'a dyn Fn(u32) -> Option<f64>,
    inside: Lists,
    worst: BinaryHeap<(Key, u32, u32)>,
    /// How often each triangle was looked at: older entries count no more.
    turn: Vec<u32>,
    limit: f64,
    /// Where triangles changed.
    dirty: DirtyRegions,
    // Scratch of an insertion.
    changed: Vec<u32>,
    star: Vec<Slice>,
}

/// A triangle around a new point.
struct Slice {
    triangle: u32,
    /// From the point to the other two corners.
    to: [[f64; 2]; 2],
    plane: Plane,
    ends: [u32; 2],
    worst: Worst,
}

/// Twice the area of the triangle of the origin, `a` and `b`, positive when it is counter-clockwise
/// seen from above; exact for steps of a height mesh.
#[inline]
fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[1] * b[0] - a[0] * b[1]
}

#[inline]
fn apart(from: Point, to: Point) -> [f64; 2] {
    [f64::from(to.x - from.x), f64::from(to.z - from.z)]
}

/// Heights about a corner of a triangle.
#[derive(Clone, Copy)]
struct Plane {
    base: f64,
    /// Rise per step along x and z.
    rise: [f64; 2],
}

impl Plane {
    /// Through a corner of a triangle, which has an area, and the other two, at these offsets from
    /// it: the heights of all three.
    #[inline]
    fn new(to: [[f64; 2]; 2], [base, first, second]: [f64; 3]) -> Plane {
        let [a, b] = to;
        let (up_a, up_b) = (first - base, second - base);
        let area = cross(a, b);
        Plane {
            base,
            rise: [(up_b * a[1] - up_a * b[1]) / area, (up_a * b[0] - up_b * a[0]) / area],
        }
    }

    /// Height at an offset from the corner.
    #[inline]
    fn at(&self, to: [f64; 2]) -> f64 {
        self.base + (self.rise[0] * to[0] + self.rise[1] * to[1])
    }
}

impl<'a> Tin<'a> {
    /// Over a box with these corners (counter-clockwise seen from above) and heights; `None` when
    /// it has no area. Samples are inside it, each at another place, and are to be met to within
    /// `limit` steps.
    pub(crate) fn new(
        corners: [Point; 4],
        heights: [f64; 4],
        samples: Vec<Sample>,
        ask: &'a dyn Fn(u32) -> Option<f64>,
        limit: f64,
    ) -> Option<Tin<'a>> {
        let mesh = Delaunay::new(&corners, &[[0, 1], [1, 2], [2, 3], [3, 0]]).ok()?;
        let count = mesh.triangles().len();
        let mut tin = Tin {
            mesh,
            heights: heights.to_vec(),
            inside: Lists { ends: vec![[NONE; 2]; count], after: vec![NONE; samples.len()] },
            samples,
            ask,
            worst: BinaryHeap::new(),
            turn: vec![0; count],
            limit,
            dirty: DirtyRegions::new(corners[0], corners[2]),
            changed: vec![],
            star: vec![],
        };
        tin.take(true);
        Some(tin)
    }

    /// Gives the likely samples, or the others, to the triangles that hold them.
    ///
    /// A corner of the box is as exact as its steps allow.
    fn take(&mut self, likely: bool) {
        // A triangle near each of some squares of the box, the one that was found last.
        let corners = &self.mesh.points()[..4];
        let (low, high) = (corners[0], corners[2]);
        let across = (high.x - low.x).max(high.z - low.z).max(1);
        let mut shift = 0;
        while across >> shift >= SQUARES {
            shift += 1;
        }
        let along = |c: i32| (c >> shift).clamp(0, SQUARES - 1) as usize;
        let square = |p: Point| [along(p.x - low.x), along(p.z - low.z)];
        let mut found = [[0u32; SQUARES as usize]; SQUARES as usize];
        for (t, corners) in (0u32..).zip(self.mesh.triangles()) {
            let [i, j] = square(self.mesh.points()[corners[0] as usize]);
            found[i][j] = t;
        }
        for s in 0..self.samples.len() as u32 {
            let sample = self.samples[s as usize];
            if sample.likely == likely && !self.mesh.points()[..4].contains(&sample.place) {
                let [i, j] = square(sample.place);
                let t = self.walk(found[i][j], sample.place);
                found[i][j] = t;
                self.inside.push(t, s);
            }
        }
        for t in 0..self.turn.len() as u32 {
            self.look_at(t);
        }
    }

    /// Adds points, at most `most`, until all samples are met.
    pub(crate) fn refine(&mut self, most: usize) {
        let most = self.heights.len() + most;
        self.meet(most);
        self.take(false);
        self.meet(most);
    }

    /// Height of a triangle at a place.
    fn height(&self, t: u32, p: Point) -> f64 {
        let (from, plane) = self.plane(t);
        plane.at(apart(from, p))
    }

    /// A corner of a triangle and the heights about it.
    fn plane(&self, t: u32) -> (Point, Plane) {
        let [a, b, c] = self.mesh.corners(t);
        let heights = self.mesh.triangles()[t as usize].map(|v| self.heights[v as usize]);
        (a, Plane::new([apart(a, b), apart(a, c)], heights))
    }

    /// The triangle that holds a place, from one near it.
    fn walk(&self, mut t: u32, p: Point) -> u32 {
        // Delaunay triangles are never gone round in circles (H. Edelsbrunner, An acyclicity
        // theorem for cell complexes in d dimensions, 1990).
        loop {
            let [a, b, c] = self.mesh.corners(t);
            let beyond = &self.mesh.neighbours()[t as usize];
            let next = if orient(a, b, p) < 0 {
                beyond[0]
            } else if orient(b, c, p) < 0 {
                beyond[1]
            } else if orient(c, a, p) < 0 {
                beyond[2]
            } else {
                return t;
            };
            if next == NO_TRIANGLE {
                return t;
            }
            t = next;
        }
    }

    fn meet(&mut self, most: usize) {
        while self.heights.len() < most
            && let Some(((_, _, Reverse(sample)), t, turn)) = self.worst.pop()
        {
            if self.turn[t as usize] != turn {
                continue;
            }
            if self.knows(t, sample) {
                let sample = self.samples[sample as usize];
                self.add(t, sample.place, sample.stored_height());
            }
        }
    }

    /// Is the height of a sample of a triangle what it was taken for?
    ///
    /// It is known from then on. If not, the triangle is looked at again.
    fn knows(&mut self, t: u32, sample: u32) -> bool {
        let here = &mut self.samples[sample as usize];
        if here.known {
            return true;
        }
        let before = here.height;
        // No triangle differs from a value that is not a number.
        let asked = (self.ask)(sample).unwrap_or(f64::NAN);
        (here.height, here.known) = (asked, true);
        let is_same = here.height == before;
        if !is_same {
            self.look_at(t);
        }
        is_same
    }

    /// Adds a point to the triangle that holds it; false if there is one already.
    fn add(&mut self, t: u32, place: Point, height: f64) -> bool {
        self.changed.clear();
        self.changed.extend_from_slice(self.mesh.insert(t, place));
        if self.changed.is_empty() {
            return false;
        }
        self.heights.push(height);
        let count = self.mesh.triangles().len();
        self.inside.ends.resize(count, [NONE; 2]);
        self.turn.resize(count, 0);
        self.share_out(place);
        true
    }

    /// The points that were added, with their heights.
    pub(crate) fn points(&self) -> impl Iterator<Item = (Point, f64)> + '_ {
        let all = self.mesh.points().iter().copied();
        all.zip(self.heights.iter().copied()).skip(4)
    }

    /// Gives the samples of the triangles that changed to those of them that hold them now, and
    /// sees how far they are off. All these are around the last point.
    fn share_out(&mut self, point: Point) {
        let v = self.heights.len() as u32 - 1;
        let (mesh, heights) = (&self.mesh, &self.heights);
        let around = self.changed.iter().flat_map(|&t| mesh.corners(t));
        self.dirty.change(around);
        self.star.clear();
        for &triangle in &self.changed {
            let [a, b, c] = mesh.triangles()[triangle as usize].map(|c| c as usize);
            // From the new point on.
            let others = match v as usize {
                v if v == a => [b, c],
                v if v == b => [c, a],
                _ => [a, b],
            };
            let to = others.map(|c| apart(point, mesh.points()[c]));
            let [first, second] = others.map(|c| heights[c]);
            self.star.push(Slice {
                triangle,
                to,
                plane: Plane::new(to, [heights[v as usize], first, second]),
                ends: [NONE; 2],
                worst: Worst::default(),
            });
        }
        let Lists { ends, after } = &mut self.inside;
        for &t in &self.changed {
            let mut s = ends[t as usize][0];
            while s != NONE {
                let next = after[s as usize];
                let sample = &self.samples[s as usize];
                let to = apart(point, sample.place);
                let holder = (self.star.iter_mut())
                    .find(|slice| cross(to, slice.to[1]) >= 0.0 && cross(slice.to[0], to) >= 0.0);
                // The place of the point itself is as exact as its steps allow.
                if let Some(slice) = holder
                    && to != [0.0; 2]
                {
                    let off = (slice.plane.at(to) - sample.height).abs();
                    slice.worst.take(off, s, sample.likely);
                    append(&mut slice.ends, after, s);
                }
                s = next;
            }
        }
        for slice in &self.star {
            let t = slice.triangle as usize;
            ends[t] = slice.ends;
            self.turn[t] += 1;
            if let Some(key) = slice.worst.key(self.limit) {
                self.worst.push((key, slice.triangle, self.turn[t]));
            }
        }
    }

    /// Sees how far the samples of a triangle are off.
    fn look_at(&mut self, t: u32) {
        self.turn[t as usize] += 1;
        let mut s = self.inside.ends[t as usize][0];
        if s == NONE {
            return;
        }
        let (from, plane) = self.plane(t);
        let mut worst = Worst::default();
        while s != NONE {
            let sample = &self.samples[s as usize];
            let off = (plane.at(apart(from, sample.place)) - sample.height).abs();
            worst.take(off, s, sample.likely);
            s = self.inside.after[s as usize];
        }
        if let Some(key) = worst.key(self.limit) {
            self.worst.push((key, t, self.turn[t as usize]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_taken_for_known_are_asked_for_before_they_become_points_and_only_then() {
        let corners = [[0, 0], [0, 1000], [1000, 1000], [1000, 0]];
        let corners = corners.map(|[x, z]| Point::new(x, z));
        // A roof whose ridge runs along x = 500; heights are taken to be those of the roof.
        let roof = |p: Point| f64::from(500 - (p.x - 500).abs()) / 5.0;
        let places = (1..10).flat_map(|i| (1..10).map(move |k| Point::new(100 * i, 100 * k)));
        let samples: Vec<Sample> = places
            .map(|place| Sample { place, height: roof(place), likely: false, known: false })
            .collect();
        // A hole where the ridge begins, and a place on the ridge that need not be met.
        let (hole, nothing) = (36, 38);
        assert_eq!(samples[hole].place, Point::new(500, 100));
        assert_eq!(samples[nothing].place, Point::new(500, 300));
        let asked = std::cell::RefCell::new(vec![]);
        let truth = |s: u32| {
            asked.borrow_mut().push(s as usize);
            let y = samples[s as usize].height;
            match s as usize {
                s if s == hole => Some(y - 30.0),
                s if s == nothing => None,
                _ => Some(y),
            }
        };
        let mut tin = Tin::new(corners, [0.0; 4], samples.clone(), &truth, 2.0).unwrap();
        tin.refine(10_000);
        let points: Vec<(Point, f64)> = tin.points().collect();
        drop(tin);
        let mut asked = asked.into_inner();
        let count = asked.len();
        asked.sort_unstable();
        asked.dedup();
        assert_eq!(asked.len(), count, "a height was asked for twice");
        assert!(points.iter().all(|&(p, y)| {
            let true_height = roof(p) - if p == samples[hole].place { 30.0 } else { 0.0 };
            p != samples[nothing].place && y == true_height.round()
        }));
        assert!(asked.contains(&hole), "{asked:?}");
        assert!(points.len() <= count && count < samples.len(), "{count}");
    }

    #[test]
    fn triangles_do_not_reach_over_a_step_between_the_places_that_are_met_beside_it() {
        let mut seed = 3u32;
        let mut next = |most: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((seed >> 8) % most) as i32
        };
        // A step along z = 500: ground of height 50 up to there, and none from 16 steps further on.
        let ground = |p: Point| if p.z < 516 { 50.0 } else { 0.0 };
        let line = |z: i32| Line {
            ends: [Point::new(100, z), Point::new(900, z)],
            heights: [ground(Point::new(0, z)); 2],
        };
        let lines = [line(500), line(516)];
        let (apart, limit) = (4, 6.0);
        let mut reaches_over = 0;
        for _ in 0..100 {
            let mut places: Vec<Point> = lines.iter().flat_map(|l| l.ends).collect();
            for _ in 0..12 {
                let z = if next(2) == 0 { next(500) } else { 517 + next(480) };
                places.push(Point::new(next(1000), z));
            }
            places.sort_unstable();
            places.dedup();
            let sample =
                |&place: &Point| Sample { place, height: ground(place), likely: true, known: true };
            let samples: Vec<Sample> = places.iter().map(sample).collect();
            let corners = [[0, 0], [0, 1000], [1000, 1000], [1000, 0]];
            let corners = corners.map(|[x, z]| Point::new(x, z));
            let mut tin =
                Tin::new(corners, corners.map(ground), samples.clone(), &|_| unreachable!(), limit)
                    .unwrap();
            tin.refine(10_000);
            let most_off = |tin: &Tin| {
                let mut most: f64 = 0.0;
                for line in &lines {
                    for k in 1..800 / apart {
                        let (p, y) = line.at(k, 800 / apart);
                        most = most.max((tin.height(tin.walk(0, p), p) - y).abs());
                    }
                }
                most
            };
            reaches_over += usize::from(most_off(&tin) > 2.0 * limit);
            tin.follow(&lines, 10_000, |_, p| ground(p));
            assert!(most_off(&tin) <= limit, "{}", most_off(&tin));
            for s in &samples {
                let off = tin.height(tin.walk(0, s.place), s.place) - s.height;
                assert!(off.abs() <= limit, "{off}");
            }
        }
        assert!(reaches_over > 20, "{reaches_over}");
    }
}
