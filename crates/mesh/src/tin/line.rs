//! Lines that triangles are to follow.

use navbake_geom::{NO_TRIANGLE, Point, Whole, orient};

use super::{Tin, apart};

/// How often all lines are looked at.
const ROUNDS: usize = 16;

/// A straight line along which heights are known, as on one side of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    /// In steps.
    pub(crate) ends: [Point; 2],
    /// Of its ends, in steps.
    pub(crate) heights: [f64; 2],
}

impl Line {
    /// The number of steps along its longer axis.
    pub(super) fn steps(&self) -> i32 {
        let [a, b] = self.ends;
        (b.x - a.x).abs().max((b.z - a.z).abs())
    }

    /// Height at a share of its length.
    pub(super) fn height(&self, along: f64) -> f64 {
        self.heights[0] + along * (self.heights[1] - self.heights[0])
    }

    /// The end of part k of equal parts: its place to the nearest step, and its height.
    pub(super) fn at(&self, k: i32, parts: i32) -> (Point, f64) {
        let t = f64::from(k) / f64::from(parts);
        let [a, b] = self.ends;
        let along = |a: i32, b: i32| a + nearest(t * f64::from(b - a));
        (Point::new(along(a.x, b.x), along(a.z, b.z)), self.height(t))
    }
}

impl Tin<'_> {
    /// Adds points, at most `most`, where triangles cross a line at a height that is too far off,
    /// however well they meet the line's ends; `height` gives the ground at a place of a line with
    /// this number.
    pub(crate) fn follow(
        &mut self,
        lines: &[Line],
        most: usize,
        height: impl Fn(usize, Point) -> f64,
    ) {
        let most = self.heights.len() + most;
        let mut near = 0;
        let mut looked = vec![0; lines.len()];
        for _ in 0..ROUNDS {
            let before = self.heights.len();
            for (number, (line, looked)) in lines.iter().zip(&mut looked).enumerate() {
                if self.dirty.is_as_before(line.ends.into_iter(), *looked) {
                    continue;
                }
                *looked = self.dirty.now();
                while self.heights.len() < most
                    && let Some((t, p, y)) = self.most_off(line, &mut near)
                {
                    let ground = height(number, p);
                    let is_of_line = (ground - y).abs() <= self.limit;
                    if !is_of_line && (self.height(t, p) - ground).abs() <= self.limit {
                        break;
                    }
                    if !self.add(t, p, ground.round()) {
                        break;
                    }
                    self.meet(most);
                }
            }
            if self.heights.len() == before {
                return;
            }
        }
    }

    /// The place to add where triangles are farthest off a line, if they are off by more than the
    /// limit: with the triangle that holds it, and the line's height.
    ///
    /// Along a line, triangles' heights bend only where it crosses their edges. `near` is a
    /// triangle near the line before and after.
    fn most_off(&self, line: &Line, near: &mut u32) -> Option<(u32, Point, f64)> {
        let [a, b] = line.ends;
        let way = apart(a, b);
        let mut t = self.walk(*near, a);
        let mut worst = (self.limit, None);
        loop {
            *near = t;
            let corners = self.mesh.corners(t);
            let sides = (0..3).filter_map(|k| {
                let [from, to] = [corners[k], corners[(k + 1) % 3]];
                let beyond = orient(from, to, b);
                (beyond < 0).then(|| {
                    let here = orient(from, to, a);
                    (here as f64 / (here - beyond) as f64, k)
                })
            });
            let Some((along, side)) = sides.min_by(|a, b| a.0.total_cmp(&b.0)) else {
                return worst.1;
            };
            let (from, plane) = self.plane(t);
            let to = apart(from, a);
            let y = plane.at([to[0] + along * way[0], to[1] + along * way[1]]);
            let off = (y - line.height(along)).abs();
            if off > worst.0
                && let Some(place) = self.place_on(line, along, t)
            {
                worst = (off, Some(place));
            }
            t = self.mesh.neighbours()[t as usize][side];
            if t == NO_TRIANGLE {
                return worst.1;
            }
        }
    }

    /// The step nearest to a place along a line that is no point yet, with its triangle and the
    /// line's height.
    fn place_on(&self, line: &Line, along: f64, near: u32) -> Option<(u32, Point, f64)> {
        let parts = line.steps();
        let k = (along * f64::from(parts)).to_nearest();
        let other = if f64::from(k) > along * f64::from(parts) { k - 1 } else { k + 1 };
        [k, other].into_iter().filter(|k| (0..=parts).contains(k)).find_map(|k| {
            let (p, y) = line.at(k, parts);
            let t = self.walk(near, p);
            (!self.mesh.corners(t).contains(&p)).then_some((t, p, y))
        })
    }
}

/// The nearest whole number to one that is not great, ties away from zero.
#[inline]
fn nearest(v: f64) -> i32 {
    let whole = v as i32;
    let rest = v - f64::from(whole);
    whole + i32::from(rest >= 0.5) - i32::from(rest <= -0.5)
}
