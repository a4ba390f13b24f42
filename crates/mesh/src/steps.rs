//! Lines along vertical steps of the ground, one on each side, so that triangles on both sides have
//! heights of their own side.
//!
//! ```text
//!    higher ground
//!   ----------------------   line at the height of the upper side
//!   ======= step =========   at most [`ASIDE`] away
//!   ----------------------   line at the height of the lower side
//!    lower ground
//! ```

use std::collections::BTreeMap;

use navbake_geom::{Point, Whole, orient};
use navbake_walkable::Ring;

use crate::layer_heights::LayerHeights;

/// The distance of lines from their step, grid units.
pub(crate) const ASIDE: f64 = 4.0;
/// Halvings that find where a step ends.
const HALVINGS: u32 = 12;

type Line = [Point; 2];

/// Lines on both sides of steps of more than `error` grid units, ascending.
pub(crate) fn lines(rings: &[Ring], ground: &LayerHeights<'_>, error: f64) -> Vec<Line> {
    let range = |of: fn(&Point) -> i32| {
        let all = || rings.iter().flat_map(|r| &r.points).map(of);
        Some((all().min()?, all().max()?))
    };
    let (Some((x0, x1)), Some((z0, z1))) = (range(|p| p.x), range(|p| p.z)) else {
        return vec![];
    };
    let bounds = [[x0, z0], [x0, z1], [x1, z1], [x1, z0]].map(|[x, z]| Point::new(x, z));
    let mut edges = ground.loose_edges(&bounds);
    edges.retain(|[a, b]| a != b);
    let mut steps: Vec<Step> = vec![];
    for (&[a, b], crossings) in edges.iter().zip(crossings(&edges)) {
        let line = Step::new(a, b);
        let add = |from, to| steps.push(Step { ends: [from, to], ..line });
        line.parts(ground, error, crossings, add);
    }
    // Where a step goes on from another one, so do the lines.
    let mut at: BTreeMap<Point, Vec<usize>> = BTreeMap::new();
    for (k, step) in steps.iter().enumerate() {
        for end in step.corners().into_iter().flatten() {
            at.entry(end).or_default().push(k);
        }
    }
    let mut lines = vec![];
    for (k, step) in steps.iter().enumerate() {
        let next = step.corners().map(|end| {
            let both = end.and_then(|end| at.get(&end)).filter(|both| both.len() == 2);
            both.and_then(|both| both.iter().find(|&&n| n != k)).map(|&n| &steps[n])
        });
        for side in [-ASIDE, ASIDE] {
            let [p, q] = [0, 1].map(|end| step.end_of_line(end, side, next[end]));
            if p != q {
                lines.push([p.min(q), p.max(q)]);
            }
        }
    }
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// For each edge, where others cross it, as shares of its length: the ground on its sides may be
/// that of other triangles from there on.
fn crossings(edges: &[Line]) -> Vec<Vec<f64>> {
    let mut crossings = vec![vec![]; edges.len()];
    let span = |[a, b]: Line| [a.z.min(b.z), a.z.max(b.z)];
    // They are in ascending order of their first ends, which are the lesser ones.
    for (i, &[a, b]) in edges.iter().enumerate() {
        let [low, high] = span([a, b]);
        for (j, &[c, d]) in edges.iter().enumerate().skip(i + 1).take_while(|e| e.1[0].x <= b.x) {
            let other = span([c, d]);
            if other[0] > high || other[1] < low {
                continue;
            }
            let [u, v] = [orient(a, b, c), orient(a, b, d)].map(|side| side as f64);
            let [s, t] = [orient(c, d, a), orient(c, d, b)].map(|side| side as f64);
            if u * v < 0.0 && s * t < 0.0 {
                crossings[i].push(s / (s - t));
                crossings[j].push(u / (u - v));
            }
        }
    }
    crossings
}

/// A part of an edge of the ground.
#[derive(Clone, Copy)]
struct Step {
    edge: Line,
    /// Of unit length.
    along: [f64; 2],
    length: f64,
    /// As distances from the edge's first end.
    ends: [f64; 2],
}

impl Step {
    fn new(a: Point, b: Point) -> Step {
        let [x, z] = [f64::from(b.x - a.x), f64::from(b.z - a.z)];
        let length = (x * x + z * z).sqrt();
        Step { edge: [a, b], along: [x / length, z / length], length, ends: [0.0, length] }
    }

    /// The corners of the ground that it ends at.
    fn corners(&self) -> [Option<Point>; 2] {
        let [from, to] = self.ends;
        [(from <= 0.0).then_some(self.edge[0]), (to >= self.length).then_some(self.edge[1])]
    }

    fn at(&self, far: f64, aside: f64) -> [f64; 2] {
        let ([u, v], a) = (self.along, self.edge[0]);
        [f64::from(a.x) + far * u + aside * v, f64::from(a.z) + far * v - aside * u]
    }

    /// Calls `f` with parts where the heights of both sides differ by more than the error.
    ///
    /// Places at even distances are looked at, and one between each two crossings.
    fn parts(
        &self,
        ground: &LayerHeights<'_>,
        error: f64,
        mut crossings: Vec<f64>,
        mut f: impl FnMut(f64, f64),
    ) {
        let is_step = |far: f64| {
            // The ground right at a corner may be that of a third side.
            let inset = ASIDE.min(self.length / 2.0);
            let far = far.clamp(inset, self.length - inset);
            let height = |aside: f64| {
                let [x, z] = self.at(far, aside);
                let way = [aside * self.along[1], -aside * self.along[0]];
                let way = way.map(|c| (c * 1024.0) as i64);
                f64::from(ground.height(Point::new(x.to_nearest(), z.to_nearest()), way))
            };
            (height(ASIDE) - height(-ASIDE)).abs() > error
        };
        let pieces = (2.0 * self.length / ground.radius().max(ASIDE)).ceil().max(1.0);
        let bend = |mut inside: f64, mut outside: f64| {
            for _ in 0..HALVINGS {
                let middle = f64::midpoint(inside, outside);
                *(if is_step(middle) { &mut inside } else { &mut outside }) = middle;
            }
            inside
        };
        // On shorter parts all ground is beside a step.
        let least = (ground.radius() / 32.0).max(2.0 * ASIDE);
        crossings.extend([0.0, 1.0]);
        crossings.sort_unstable_by(f64::total_cmp);
        let long = crossings.windows(2).filter(|p| self.length * (p[1] - p[0]) > least);
        let middles = long.map(|pair| f64::midpoint(pair[0], pair[1]));
        let even = (1..=pieces as i32).map(|k| f64::from(k) / pieces);
        let mut stops: Vec<f64> = middles.chain(even).map(|share| share * self.length).collect();
        stops.sort_unstable_by(f64::total_cmp);
        let mut begun = is_step(0.0).then_some(0.0);
        let mut last = 0.0;
        for here in stops {
            match (begun, is_step(here)) {
                (None, true) => begun = Some(bend(here, last)),
                (Some(from), false) => {
                    f(from, bend(last, here));
                    begun = None;
                }
                _ => {}
            }
            last = here;
        }
        if let Some(from) = begun {
            f(from, self.length);
        }
    }

    /// Where the line on one side ends: where it meets that of the step that goes on from there.
    fn end_of_line(&self, end: usize, side: f64, next: Option<&Step>) -> Point {
        let mut far = self.ends[end];
        if let Some(next) = next {
            // Both from their common corner on.
            let away = |step: &Step, end: usize| match end {
                0 => step.along,
                _ => step.along.map(|c| -c),
            };
            let own = away(self, end);
            let other = away(next, usize::from(next.edge[0] != self.edge[end]));
            let turn = own[0] * other[1] - own[1] * other[0];
            let dot = own[0] * other[0] + own[1] * other[1];
            // Clamped where the step turns back.
            let mitre = (turn / (1.0 - dot).max(1e-6)).clamp(-4.0, 4.0);
            far -= side * mitre;
        }
        let [x, z] = self.at(far, side);
        Point::new(x.to_nearest(), z.to_nearest())
    }
}
