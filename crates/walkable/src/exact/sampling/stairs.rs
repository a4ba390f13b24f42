//! Stairs too steep for the sampling grid: neighbouring points with two or three steps between
//! them.

use super::{NONE, SamplingGrid};
use crate::exact::input::{Triangle, Triangles};
use crate::exact::math::V2;
use crate::exact::measures::Measures;

/// The most steps between neighbouring points that are linked.
pub(crate) const STEPS: f64 = 3.0;

/// A node, an axis, and the node of the next point along it to be linked with.
pub(crate) type Link = (u32, usize, u32);

/// Ground along the line from a point to the next one.
#[derive(Clone, Copy, Debug)]
struct Tread {
    /// Where it begins and ends, as parameters along the line.
    from: f64,
    to: f64,
    /// Height at the first point, and how much more there is at the second.
    y: f64,
    rise: f64,
    is_reached: bool,
}

impl Tread {
    fn at(&self, t: f64) -> f64 {
        self.y + self.rise * t
    }

    /// Can one step from this one onto another, over a gap along the line?
    fn goes_on(&self, next: &Tread, step: f64, gap: f64) -> bool {
        let (low, high) = (self.from.max(next.from), self.to.min(next.to));
        if low - high > gap {
            return false;
        }
        // Without an overlap, each at its own end.
        let near = |t: &Tread, at: f64| t.at(at.clamp(t.from, t.to));
        let (a, b) = (near(next, low) - near(self, low), near(next, high) - near(self, high));
        (a < 0.0) != (b < 0.0) || a.abs().min(b.abs()) <= step
    }
}

/// The links that are missing, each node and axis at most once.
pub(crate) fn links(triangles: &Triangles, grid: &SamplingGrid, measures: &Measures) -> Vec<Link> {
    let step = measures.climb + 1.0;
    let mut found: Vec<Link> = vec![];
    let mut taken = vec![false; 2 * grid.len()];
    let mut around = vec![];
    let mut treads = vec![];
    let [across, rows] = grid.size.map(|n| n as usize);
    for n in 0..grid.len() as u32 {
        let links = grid.links(n);
        if links[0] != NONE && links[1] != NONE {
            continue;
        }
        let point = grid.point(n);
        let position = [point % across, point / across];
        for axis in 0..2 {
            if links[axis] != NONE || position[axis] + 1 == [across, rows][axis] {
                continue;
            }
            let ahead = grid.height(n) + grid.rise(n)[axis];
            let jump = |m: u32| (grid.height(m) - grid.rise(m)[axis] - ahead).abs();
            let mut next = position.map(|k| k as i32);
            next[axis] += 1;
            let others = grid.under_row(next[1], next[0]..=next[0]);
            let others = others.filter(|&m| {
                grid.links(m)[axis + 2] == NONE
                    && !taken[2 * m as usize + axis]
                    && jump(m) <= STEPS * step
            });
            let Some(m) = others.min_by(|&a, &b| jump(a).total_cmp(&jump(b))) else {
                continue;
            };
            if climbs(triangles, grid, measures, (n, m), &mut around, &mut treads) {
                taken[2 * m as usize + axis] = true;
                found.push((n, axis, m));
            }
        }
    }
    found
}

/// Do steps lead from one node to another?
fn climbs(
    triangles: &Triangles,
    grid: &SamplingGrid,
    measures: &Measures,
    (n, m): (u32, u32),
    around: &mut Vec<u32>,
    treads: &mut Vec<Tread>,
) -> bool {
    let (a, b) = (grid.place(n), grid.place(m));
    let step = measures.climb + 1.0;
    let heights = [n, m].map(|k| grid.height(k));
    let (low, high) = (heights[0].min(heights[1]) - step, heights[0].max(heights[1]) + step);
    triangles.collect([a[0], a[1], b[0], b[1]], low, high, around);
    treads.clear();
    // From the first to the second. They need not be on ground seen along the line: they may be at
    // its rim, or in a gap.
    treads.extend([0.0, 1.0].into_iter().zip(heights).map(|(at, y)| Tread {
        from: at,
        to: at,
        y,
        rise: 0.0,
        is_reached: at == 0.0,
    }));
    let ground = around.iter().map(|&k| &triangles.all[k as usize]);
    treads.extend(ground.filter_map(|triangle| tread(triangle, a, b)));
    let gap = measures.gap / measures.cell;
    let mut queue = vec![0];
    while let Some(k) = queue.pop() {
        let here = treads[k];
        for (k, next) in treads.iter_mut().enumerate() {
            if !next.is_reached && here.goes_on(next, step, gap) {
                next.is_reached = true;
                queue.push(k);
            }
        }
        if treads[1].is_reached {
            return true;
        }
    }
    false
}

/// The part of a line on a ground triangle.
fn tread(triangle: &Triangle, a: V2, b: V2) -> Option<Tread> {
    let (from, to) = triangle.cut(a, b, 0.0, 1.0, &[0.0; 3])?;
    let (y, end) = (triangle.at(a), triangle.at(b));
    Some(Tread { from, to, y, rise: end - y, is_reached: false })
}
