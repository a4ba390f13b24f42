//! The distance from a place to the nearest end of its ground.
//!
//! A straight walk from the place reaches the nearest end. That end is at one of these points:
//!
//! - the point of a triangle edge that is nearest to the place
//! - the end of a part of an edge beside which no other ground continues
//!
//! The search therefore walks straight to all such points around the place, nearest first, and in
//! `RAYS` more directions. Each walk is limited to the shortest distance found before.

use super::slice::{Hit, Near, Slice, Stop};
use super::solid::{Body, Solids, lid, standing};
use navbake_level::UP_ONE;

/// Number of directions to walk in, besides those to edges.
pub(crate) const RAYS: u32 = 96;
/// With more edges than this nearby, parts of edges are not searched for.
///
/// The walks in all directions must then be enough.
const EDGES: usize = 400;
/// Targets are this far inside the edge, in grid units, if its end is nearest.
///
/// The margin keeps rounding from missing the edge.
const WITHIN: f64 = 0.25;
/// An edge is extended by this at both ends for points beside it, in grid units.
const SLACK: f64 = 2.0;

/// The end of the ground nearest to a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Border {
    /// Distance in the ground plane, in grid units.
    pub(crate) distance: f64,
    /// x, height, z.
    pub(crate) at: [f64; 3],
    pub(crate) end: End,
}

/// Why ground ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum End {
    /// A solid blocks the path.
    Wall(u32),
    /// Head room is only this, in grid units, under that solid.
    Lid(u32, f64),
    /// The ground continues this much higher, in grid units.
    Step(f64),
    /// The surface continues too steeply.
    Slope(u32),
    /// The ground drops by this, in grid units; `None` if there is nothing below.
    Ledge(Option<f64>),
}

/// Finds borders; keeps buffers between queries.
#[derive(Debug, Default)]
pub(crate) struct Rooms {
    slice: Slice,
    numbers: Vec<u32>,
    near: Vec<Near>,
    aims: Vec<(f64, [f64; 2])>,
    pub(crate) cracks: Cracks,
}

/// Finds cracks; keeps buffers between queries.
#[derive(Debug, Default)]
pub(crate) struct Cracks {
    slice: Slice,
    numbers: Vec<u32>,
    near: Vec<Near>,
}

impl Cracks {
    /// Height of the ground beside a place that is in a crack.
    ///
    /// A crack is a gap between two pieces of ground at about the height `y`, narrower than the
    /// crack width of `body`. The width is measured at right angles to the edge of one of them.
    /// Ground on both sides of the corner of a hole may be as near: that is not a crack.
    pub(crate) fn at(
        &mut self,
        solids: &Solids,
        place: [f64; 2],
        y: f64,
        body: &Body,
    ) -> Option<f64> {
        solids.around(place, body.crack, &mut self.numbers);
        self.near.clear();
        let near = self.numbers.iter();
        self.near.extend(near.map(|&n| Near::new(solids, n, place, body)));
        let Cracks { slice, numbers, near } = self;
        let edges = numbers.iter().flat_map(|&n| (0..3).map(move |k| (n, k)));
        let ends = edges.filter(|&(n, k)| {
            body.walks_on(&solids.all[n as usize]) && !solids.is_inner(n, k, body)
        });
        let mut ways = ends.filter_map(|(n, k)| {
            let solid = &solids.all[n as usize];
            let (a, b) = (solid.corners[k], solid.corners[(k + 1) % 3]);
            beside(a, b, place, body.crack)
        });
        ways.find_map(|(far, to)| {
            slice.cut(near, to.map(|v| -v), body.crack);
            let (back, high) = slice.ahead(y, body)?;
            if (back - far).abs() > WITHIN {
                return None;
            }
            slice.cut(near, to, body.crack);
            let (on, low) = slice.ahead(y, body)?;
            (back + on < body.crack).then_some(if back <= on { high } else { low })
        })
    }
}

/// Distance from an edge straight to a place, and the direction to the place.
///
/// `None` beyond the limit.
fn beside(a: [f64; 3], b: [f64; 3], place: [f64; 2], limit: f64) -> Option<(f64, [f64; 2])> {
    let [dx, dz] = [b[0] - a[0], b[2] - a[2]];
    let [px, pz] = [place[0] - a[0], place[1] - a[2]];
    let long = (dx * dx + dz * dz).sqrt();
    let along = (px * dx + pz * dz) / long;
    let aside = (px * dz - pz * dx) / long;
    let side = aside.signum() / long;
    let to = [dz * side, -dx * side];
    // Neighbouring edges meet only up to rounding.
    (along >= -SLACK && along <= long + SLACK && aside.abs() <= limit).then_some((aside.abs(), to))
}

impl Rooms {
    /// The nearest end of the ground around a place to stand at.
    ///
    /// `None` if it is not nearer than `limit`. With `any` the first end found is enough.
    pub(crate) fn border(
        &mut self,
        solids: &Solids,
        place: [f64; 2],
        y: f64,
        limit: f64,
        any: bool,
        body: &Body,
    ) -> Option<Border> {
        let reach = limit + body.crack + 1.0;
        self.gather(solids, place, reach, body);
        self.aim(solids, place, y, limit, body);
        let mut best: Option<(Stop, [f64; 2])> = None;
        self.walks(&mut best, solids, place, y, limit, any, RAYS, body);
        if !any && best.is_none_or(|b| b.0.t > 0.0) {
            self.aim_at_parts(solids, place, best.map_or(limit, |b| b.0.t), body);
            self.walks(&mut best, solids, place, y, limit, any, 0, body);
        }
        let (stop, to) = best?;
        let on = |t: f64| [place[0] + to[0] * t, place[1] + to[1] * t];
        let [x, z] = on(stop.t);
        Some(Border {
            distance: stop.t,
            at: [x, stop.y, z],
            end: why(solids, &stop, on(stop.t + 8.0), body),
        })
    }

    /// Walks to all targets and in `rays` more directions; keeps the nearest end.
    #[allow(clippy::too_many_arguments)]
    fn walks(
        &mut self,
        best: &mut Option<(Stop, [f64; 2])>,
        solids: &Solids,
        place: [f64; 2],
        y: f64,
        limit: f64,
        any: bool,
        rays: u32,
        body: &Body,
    ) {
        let aims = std::mem::take(&mut self.aims);
        let rays = (0..rays).map(|k| (0.0, direction(k * 37 % RAYS)));
        let all = aims.iter().copied().chain(rays);
        for (far, to) in all {
            let limit = best.map_or(limit, |b| b.0.t);
            if far >= limit {
                continue;
            }
            let length = limit + body.crack + 1.0;
            self.slice.cut(&self.near, to, length);
            let cracks = &mut self.cracks;
            let mut over = |t: f64, y: f64| {
                let at = [place[0] + to[0] * t, place[1] + to[1] * t];
                cracks.at(solids, at, y, body).is_some()
            };
            if let Some(stop) = self.slice.walk(y, limit, body, &mut over) {
                *best = Some((stop, to));
                if any || stop.t <= 0.0 {
                    break;
                }
            }
        }
        self.aims = aims;
    }

    /// Walks straight from one place to another.
    ///
    /// The result is the height of the ground at the end.
    pub(crate) fn walk_to(
        &mut self,
        solids: &Solids,
        from: [f64; 2],
        y: f64,
        to: [f64; 2],
        body: &Body,
    ) -> Option<f64> {
        let (dx, dz) = (to[0] - from[0], to[1] - from[1]);
        let far = (dx * dx + dz * dz).sqrt();
        if far < 1e-6 {
            return Some(y);
        }
        let reach = far + body.crack + 1.0;
        self.gather(solids, from, reach, body);
        self.slice.cut(&self.near, [dx / far, dz / far], reach);
        self.slice.height_after(y, far, body)
    }

    /// Collects the triangles near a place.
    fn gather(&mut self, solids: &Solids, place: [f64; 2], far: f64, body: &Body) {
        solids.around(place, far, &mut self.numbers);
        self.near.clear();
        let near = self.numbers.iter();
        self.near.extend(near.map(|&n| Near::new(solids, n, place, body)));
    }

    /// Collects directions and distances to the nearest points of edges, nearest first.
    fn aim(&mut self, solids: &Solids, place: [f64; 2], y: f64, limit: f64, body: &Body) {
        self.aims.clear();
        for &n in &self.numbers {
            let solid = &solids.all[n as usize];
            for k in 0..3 {
                if solids.is_inner(n, k, body) {
                    continue;
                }
                let (a, b) = (solid.corners[k], solid.corners[(k + 1) % 3]);
                let whole = nearest(a, b, 0.0, 1.0, place);
                let body_high = between(a[1], b[1], y + body.climb, y + body.height);
                let part = body_high.and_then(|(t0, t1)| nearest(a, b, t0, t1, place));
                for (far, at) in whole.into_iter().chain(part) {
                    if far < limit && far > 1e-3 {
                        let to = [at[0] - place[0], at[1] - place[1]];
                        self.aims.push((far, to.map(|v| v / far)));
                    }
                }
            }
        }
        self.sort();
    }

    /// Collects directions to the ends of parts of edges, nearest first.
    ///
    /// Such a part coincides with other ground, or is at most a step above or below it.
    fn aim_at_parts(&mut self, solids: &Solids, place: [f64; 2], limit: f64, body: &Body) {
        self.aims.clear();
        let mut edges = vec![];
        for &n in &self.numbers {
            let solid = &solids.all[n as usize];
            if !body.walks_on(solid) {
                continue;
            }
            for k in 0..3 {
                let (a, b) = (solid.corners[k], solid.corners[(k + 1) % 3]);
                let is_near = nearest(a, b, 0.0, 1.0, place).is_some_and(|(far, _)| far < limit);
                if is_near && !solids.is_inner(n, k, body) {
                    edges.push((n, a, b));
                }
            }
        }
        if edges.len() > EDGES {
            return;
        }
        for (own, a, b) in edges {
            let (dx, dz) = (b[0] - a[0], b[2] - a[2]);
            let beside = 4.0 * WITHIN / (dx * dx + dz * dz).sqrt().max(1e-6);
            for &n in &self.numbers {
                let solid = &solids.all[n as usize];
                if n == own || !body.walks_on(solid) {
                    continue;
                }
                let Some((t0, t1)) = solid.cut([a[0], a[2]], [b[0], b[2]]) else {
                    continue;
                };
                let rise = |p: [f64; 3]| p[1] - solid.at([p[0], p[2]]);
                let (from, to) = (rise(a), rise(b));
                let step = body.climb + 1.0;
                let passes = [step, -step].map(|s| (s - from) / (to - from));
                let passes = passes.into_iter().filter(|t| *t > t0 && *t < t1);
                for t in passes.chain([t0, t1]) {
                    for t in [t - beside, t + beside] {
                        if t > 0.0 && t < 1.0 {
                            let at = [a[0] + t * dx - place[0], a[2] + t * dz - place[1]];
                            let far = (at[0] * at[0] + at[1] * at[1]).sqrt();
                            if far < limit && far > 1e-3 {
                                self.aims.push((far, at.map(|v| v / far)));
                            }
                        }
                    }
                }
            }
        }
        self.sort();
    }

    /// Sorts the targets, nearest first.
    fn sort(&mut self) {
        let by = |a: &(f64, [f64; 2]), b: &(f64, [f64; 2])| {
            let by_x = a.1[0].total_cmp(&b.1[0]);
            a.0.total_cmp(&b.0).then(by_x).then(a.1[1].total_cmp(&b.1[1]))
        };
        self.aims.sort_unstable_by(by);
        self.aims.dedup();
    }
}

/// The part of an edge between two heights, as shares of its length.
///
/// `from` and `to` are the heights of its ends. `None` if there is no such part, or if it is the
/// whole edge.
fn between(from: f64, to: f64, low: f64, high: f64) -> Option<(f64, f64)> {
    if from.min(to) >= low && from.max(to) <= high || from.max(to) < low || from.min(to) > high {
        return None;
    }
    let rise = to - from;
    let (p, q) = ((low - from) / rise, (high - from) / rise);
    let (t0, t1) = (p.min(q).max(0.0), p.max(q).min(1.0));
    (t0 < t1).then_some((t0, t1))
}

/// The distance and position of the nearest point of an edge part to a place.
///
/// The point is a little inside the part.
fn nearest(a: [f64; 3], b: [f64; 3], t0: f64, t1: f64, place: [f64; 2]) -> Option<(f64, [f64; 2])> {
    let (dx, dz) = (b[0] - a[0], b[2] - a[2]);
    let square = dx * dx + dz * dz;
    let slack = if square > 0.0 { (WITHIN / square.sqrt()).min((t1 - t0) / 2.0) } else { 0.0 };
    let t = match square > 0.0 {
        true => ((place[0] - a[0]) * dx + (place[1] - a[2]) * dz) / square,
        false => 0.0,
    };
    let t = t.clamp(t0 + slack, (t1 - slack).max(t0 + slack));
    let at = [a[0] + t * dx, a[2] + t * dz];
    let (x, z) = (at[0] - place[0], at[1] - place[1]);
    Some(((x * x + z * z).sqrt(), at))
}

/// Directions evenly around the circle, from sums and products only.
///
/// The results are the same on every machine.
pub(crate) fn direction(k: u32) -> [f64; 2] {
    // A quarter of a square, projected onto the circle. Not quite even, but even enough.
    let quarter = RAYS / 4;
    let share = f64::from(k % quarter) / f64::from(quarter);
    let (x, z) = (1.0 - share, share);
    let length = (x * x + z * z).sqrt();
    let (x, z) = (x / length, z / length);
    match k / quarter % 4 {
        0 => [x, z],
        1 => [-z, x],
        2 => [-x, -z],
        _ => [z, -x],
    }
}

/// The reason why the ground ends at the end of a walk.
fn why(solids: &Solids, stop: &Stop, beyond: [f64; 2], body: &Body) -> End {
    let column = solids.column(beyond, body);
    let rise = |y: f64| y - stop.y;
    let stood = standing(&column, body);
    let step = (stood.iter().rev())
        .map(|&k| rise(column[k].y))
        .find(|r| *r > body.climb && *r <= 2.0 * body.climb);
    let near = |y: f64| rise(y).abs() <= body.climb + 1.0;
    let steep = column.iter().rev().find(|s| {
        let solid = &solids.all[s.solid as usize];
        near(s.y) && !s.ground && !solid.obstacle && solid.up > 0
    });
    let ledge = || {
        let below = column.iter().rev().find(|s| s.y < stop.y);
        End::Ledge(below.map(|s| -rise(s.y)))
    };
    match stop.hit {
        Hit::Wall(solid) => step.map_or(End::Wall(solid), End::Step),
        Hit::Lid(solid, room) => {
            // A solid steeper than 60 degrees is a wall.
            let is_steep = solids.all[solid as usize].up.unsigned_abs() < UP_ONE as u32 / 4;
            // A surface that begins at the feet and rises to the head is not a ceiling.
            let foot = steep.filter(|_| solids.all[solid as usize].up > 0);
            match (step, is_steep, foot) {
                (Some(step), true, _) => End::Step(step),
                (_, true, _) => End::Wall(solid),
                (_, _, Some(foot)) => End::Slope(foot.solid),
                _ if stop.late => ledge(),
                _ => End::Lid(solid, room),
            }
        }
        Hit::End => {
            if let Some(steep) = steep {
                return End::Slope(steep.solid);
            }
            let lidded = (0..column.len()).find_map(|k| {
                let s = column[k];
                let lid = lid(&column, k, body)?;
                (s.ground && near(s.y)).then_some(End::Lid(lid.solid, lid.y - s.y))
            });
            if let Some(lidded) = lidded {
                return lidded;
            }
            match step {
                Some(step) if stood.iter().all(|&k| !near(column[k].y)) => End::Step(step),
                _ => ledge(),
            }
        }
    }
}
