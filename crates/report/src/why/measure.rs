//! Exact figures of a cause, measured on the level's triangles.

use super::footprint::{Ring, crosses, footprint};
use super::ground::{Ground, is_wall};
use super::search::Place;
use crate::explain::{Border, RAYS, direction};
use crate::ring::distance;

/// Paces of 5 cm to look for the end of an edge to both sides.
const SIDEWAYS: u32 = 200;
/// Bisections to find the end of a surface.
const HALVES: u32 = 14;

/// A passage between two walls, grid units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passage {
    pub(super) ends: [[f64; 2]; 2],
    pub(super) solids: [u32; 2],
}

impl Passage {
    pub(super) fn wide(&self) -> f64 {
        let [a, b] = self.ends;
        (a[0] - b[0]).hypot(a[1] - b[1])
    }

    pub(super) fn middle(&self) -> [f64; 2] {
        between(self.ends[0], self.ends[1], 0.5)
    }
}

pub(super) fn between(a: [f64; 2], b: [f64; 2], t: f64) -> [f64; 2] {
    [0, 1].map(|k| a[k] + t * (b[k] - a[k]))
}

/// The passage at a place: its nearest wall and the nearest one on the other side of its middle.
///
/// Walls are looked for up to a distance, m, or half as far again as the agent is wide.
pub(super) fn passage(ground: &Ground<'_>, at: [f64; 2], y: f64, far: f64) -> Option<Passage> {
    let body = &ground.body;
    let far = (far * ground.metre).max(3.0 * body.radius);
    let band = ground.band(y);
    let walls: Vec<(u32, Ring)> = (ground.walls(at, 2.0 * far).into_iter())
        .map(|n| (n, footprint(ground.solid(n), band)))
        .filter(|(_, ring)| !ring.is_empty())
        .collect();
    let mut at = at;
    let mut best: Option<Passage> = None;
    for _ in 0..6 {
        let mut near: Vec<(f64, [f64; 2], u32)> = (walls.iter())
            .filter_map(|(n, ring)| distance(ring, at).map(|(far, p)| (far, p, *n)))
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
        let &(d, p, first) = near.first().filter(|n| n.0 > 0.0 && n.0 <= far)?;
        // On the other side: within 60 degrees of straight ahead.
        let opposite = near.iter().find(|(e, q, _)| {
            let dot = (p[0] - at[0]) * (q[0] - at[0]) + (p[1] - at[1]) * (q[1] - at[1]);
            // What is behind another wall is no side of the passage. A look along a wall does not
            // cross it, but the passage does if its other side is that wall's end.
            let looks = [[at, between(at, *q, 0.99)], [between(p, *q, 0.01), between(p, *q, 0.99)]];
            let is_free = |[a, b]: [[f64; 2]; 2]| walls.iter().all(|(_, w)| !crosses(w, a, b));
            *e <= far && dot <= -0.5 * d * e && looks.into_iter().all(is_free)
        });
        let Some(&(_, q, second)) = opposite else { break };
        let found = Passage { ends: [p, q], solids: [first, second] };
        if best.is_none_or(|b| found.wide() < b.wide()) {
            best = Some(found);
        }
        at = found.middle();
    }
    best
}

/// The nearest walls of two pieces at a place, at most as far as the agent is wide.
pub(super) fn pinch(ground: &Ground<'_>, at: [f64; 2], y: f64) -> Option<Passage> {
    let (far, band) = (2.0 * ground.body.radius, ground.band(y));
    let mut near: Vec<(f64, [f64; 2], u32)> = (ground.walls(at, far).into_iter())
        .filter_map(|n| distance(&footprint(ground.solid(n), band), at).map(|(d, p)| (d, p, n)))
        .filter(|n| n.0 <= far)
        .collect();
    near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
    let &(_, p, first) = near.first()?;
    let piece = |n: u32| ground.pieces().of(n);
    let &(_, q, second) = near.iter().find(|n| piece(n.2) != piece(first))?;
    Some(Passage { ends: [p, q], solids: [first, second] })
}

/// The height at which the agent stands at a place, as exactly as `explain`, and the nearest end of
/// the ground there up to a distance; `None` without ground. All in grid units.
pub(super) fn border(
    ground: &Ground<'_>,
    at: [f64; 3],
    most: f64,
) -> Option<(f64, Option<Border>)> {
    ground.explainer.border_at(at, ground.agent, ground.body.climb, most)
}

/// A strip of ground between two of its ends, grid units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strip {
    pub(super) wide: f64,
    /// x, height, z.
    pub(super) middle: [f64; 3],
    pub(super) ends: [Border; 2],
}

/// The strip of ground across a place that is too narrow for the agent, or just as wide, and at
/// most `widest` wide, grid units.
///
/// It is measured from the nearest end of the ground straight across, to where another end on the
/// other side is as near.
pub(super) fn strip(ground: &Ground<'_>, at: [f64; 2], y: f64, widest: f64) -> Option<Strip> {
    let radius = ground.body.radius;
    // What is wider by up to a centimetre is closed by rounding. Both ends are as far from the
    // centre, and within 45 degrees of opposite: they are 1.84 times as far from each other.
    let most = (radius + 0.005 * ground.metre).min(widest / 1.84 + 1.0);
    // No farther than the question needs: the work grows with the square of the distance.
    let border = |at: [f64; 2], most: f64| border(ground, [at[0], y, at[1]], most);
    let first = border(at, most + 1.0)?.1.filter(|end| end.distance > 1.0)?;
    let away = [0, 1].map(|k| (at[k] - first.at[2 * k]) / first.distance);
    let across = |far: f64| [0, 1].map(|k| first.at[2 * k] + far * away[k]);
    let nearer = |far: f64| border(across(far), far - 1.0);
    // Where an end is as near as the first one, give or take a unit: as far across as this.
    let as_near = |end: Border| {
        let to = [0, 1].map(|k| end.at[2 * k] - first.at[2 * k]);
        let straight = to[0] * away[0] + to[1] * away[1];
        (to[0] * to[0] + to[1] * to[1] - 1.0) / (2.0 * (straight - 1.0))
    };
    let (mut yes, mut no) = (first.distance.min(most), most);
    let mut found = nearer(most);
    if found.is_some_and(|(_, end)| end.is_none()) {
        return None;
    }
    // Bisection that tries both sides of where the last end found is as near.
    let mut next = None;
    while no - yes > 0.25 {
        let end = found.and_then(|(_, end)| end);
        let guess = next.take().or(end.map(|end| as_near(end) - 0.1));
        let far = guess.filter(|far| yes < *far && *far < no).unwrap_or((yes + no) / 2.0);
        found = nearer(far);
        match found {
            Some((_, None)) => (yes, next) = (far, Some(far + 0.2)),
            _ => no = far,
        }
    }
    let centre = across(no);
    let (height, second) = border(centre, no + 1.0)?;
    let second = second?;
    // On the other side: within 45 degrees of straight ahead. Two sides of a corner are no strip.
    let ahead = [0, 1].map(|k| second.at[2 * k] - centre[k]);
    let is_across = ahead[0] * away[0] + ahead[1] * away[1] >= 0.7 * second.distance;
    let [a, b] = [first, second].map(|end| [end.at[0], end.at[2]]);
    let wide = (a[0] - b[0]).hypot(a[1] - b[1]);
    let [x, z] = between(a, b, 0.5);
    is_across.then_some(Strip { wide, middle: [x, height, z], ends: [first, second] })
}

/// Where the upper of two neighbouring places ends, and how high the step is there.
pub(super) fn step(ground: &Ground<'_>, low: &Place, high: &Place) -> ([f64; 2], f64) {
    let is_on = |at: [f64; 2]| surface(ground, at, high.footing.y, ground.body.climb).is_some();
    let at = bisect(high.at, low.at, is_on);
    let upper = surface(ground, at, high.footing.y, ground.body.climb).unwrap_or(high.footing.y);
    let lower = surface(ground, at, low.footing.y, ground.body.climb).unwrap_or(low.footing.y);
    (at, upper - lower)
}

/// The last place from `from` towards `to` where something holds, as it does at `from`.
fn bisect(from: [f64; 2], to: [f64; 2], holds: impl Fn([f64; 2]) -> bool) -> [f64; 2] {
    let (mut yes, mut no) = (0.0, 1.0);
    for _ in 0..HALVES {
        let t = (yes + no) / 2.0;
        if holds(between(from, to, t)) { yes = t } else { no = t }
    }
    between(from, to, yes)
}

/// The height of the surface to walk on nearest to a height, at most `most` from it.
fn surface(ground: &Ground<'_>, at: [f64; 2], y: f64, most: f64) -> Option<f64> {
    let column = ground.explainer.solids.column(at, &ground.body);
    let near = column.iter().filter(|s| (s.y - y).abs() <= most + 1.0);
    let flat = near.filter(|s| ground.solid(s.solid).up > 0 && !is_wall(ground.solid(s.solid)));
    flat.map(|s| s.y).min_by(|a, b| (a - y).abs().total_cmp(&(b - y).abs()))
}

/// Is steep ground at a place, at most a climb above or below a height?
pub(super) fn is_steep(ground: &Ground<'_>, at: [f64; 2], y: f64) -> bool {
    let column = ground.explainer.solids.column(at, &ground.body);
    let mut near = column.iter().filter(|s| (s.y - y).abs() <= ground.body.climb + 1.0);
    near.any(|s| ground.solid(s.solid).up > 0)
}

/// Is there a place without ground between two places?
pub(super) fn is_torn(ground: &Ground<'_>, from: &Place, to: &Place) -> bool {
    let y = from.footing.y;
    let has = |at: [f64; 2]| surface(ground, at, y, ground.body.climb).is_some();
    (1..8).any(|k| !has(between(from.at, to.at, f64::from(k) / 8.0)))
}

/// A gap of the ground.
pub(super) struct Gap {
    pub(super) wide: f64,
    /// The middle of its narrowest place, and of its edge where that is short.
    pub(super) middles: [[f64; 2]; 2],
    /// Its two sides at the middle of its edge.
    pub(super) ends: [[f64; 2]; 2],
}

/// The gap between two places, measured where it is narrowest around the middle between them.
///
/// `None` if the ground goes on between them, as where something hides it from the search.
pub(super) fn gap(ground: &Ground<'_>, from: &Place, to: &Place) -> Option<Gap> {
    let y = from.footing.y;
    let has = |at: [f64; 2]| surface(ground, at, y, ground.body.climb).is_some();
    // Where the ground ends first, seen from both sides.
    let end = |from: [f64; 2], to: [f64; 2]| {
        let at = |k: u32| between(from, to, f64::from(k) / 64.0);
        let torn = (1..=64).find(|&k| !has(at(k)))?;
        Some(bisect(at(torn - 1), at(torn), has))
    };
    let [a, b] = [end(from.at, to.at)?, end(to.at, from.at)?];
    let length = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    let mut best = [a, b];
    let middle = between(a, b, 0.5);
    let far = length(a, b);
    let pace = (far / 24.0).max(0.01 * ground.metre);
    // Towards the first ground in a direction, at most as far as the other end.
    let ahead = |to: [f64; 2]| {
        let at = |t: f64| [middle[0] + t * to[0], middle[1] + t * to[1]];
        let count = (far / pace).ceil() as u32;
        let hit = (1..=count).map(|k| f64::from(k) * pace).find(|&t| has(at(t)))?;
        Some(bisect(at(hit), at(hit - pace), has))
    };
    for to in (0..RAYS / 2).map(direction) {
        if let Some(ends) = ahead(to).zip(ahead(to.map(|c| -c)))
            && length(ends.0, ends.1) < length(best[0], best[1])
        {
            best = [ends.0, ends.1];
        }
    }
    let wide = length(best[0], best[1]);
    let middle = between(best[0], best[1], 0.5);
    let along = [best[1][0] - best[0][0], best[1][1] - best[0][1]];
    let inset = 0.05 * ground.metre / wide.max(1e-9);
    let inside = [0, 1].map(|k| best[0][k] - along[k] * inset);
    let shift = sideways(ground, inside, across_edge(inside, along, ground.metre, has), y);
    let moved = |p: [f64; 2]| [p[0] + shift[0], p[1] + shift[1]];
    Some(Gap { wide, middles: [middle, moved(middle)], ends: best.map(moved) })
}

/// The direction across the edge of ground, from a direction nearly across it and a place inside
/// that is near the edge.
///
/// A direction that is off by a degree or two leaves long ground along its edge too soon.
fn across_edge(
    inside: [f64; 2],
    out: [f64; 2],
    metre: f64,
    has: impl Fn([f64; 2]) -> bool,
) -> [f64; 2] {
    let long = out[0].hypot(out[1]).max(1e-9);
    let out = out.map(|c| c / long);
    let side = [-out[1], out[0]];
    let moved = |p: [f64; 2], to: [f64; 2], by: f64| [0, 1].map(|k| p[k] + by * metre * to[k]);
    let edge = |by: f64| {
        let from = moved(inside, side, by);
        let to = moved(from, out, 0.1);
        (has(from) && !has(to)).then(|| bisect(from, to, &has))
    };
    match (edge(-0.2), edge(0.2)) {
        (Some(a), Some(b)) => [b[1] - a[1], a[0] - b[0]],
        _ => out,
    }
}

/// The place of a step moved to the middle of its edge, where that is short.
pub(super) fn centred(
    ground: &Ground<'_>,
    at: [f64; 2],
    [low, high]: [[f64; 2]; 2],
    upper: f64,
) -> [f64; 2] {
    // Straight across the edge: the direction in which the upper ground begins soonest.
    let has = |p: [f64; 2]| surface(ground, p, upper, ground.body.climb * 0.5).is_some();
    let reach = 0.1 * ground.metre;
    let mut sum = [0.0; 2];
    for to in (0..RAYS).map(direction) {
        if has([at[0] + reach * to[0], at[1] + reach * to[1]]) {
            sum = [sum[0] + to[0], sum[1] + to[1]];
        }
    }
    if sum == [0.0; 2] {
        sum = [high[0] - low[0], high[1] - low[1]];
    }
    let long = sum[0].hypot(sum[1]).max(1e-9);
    let inside = [0, 1].map(|k| at[k] + sum[k] / long * 0.05 * ground.metre);
    let shift = sideways(ground, inside, sum, upper);
    [at[0] + shift[0], at[1] + shift[1]]
}

/// How far a place is from the middle of the ground at right angles to a direction.
///
/// Nothing if that ground or the room on it does not end within 10 m on both sides.
fn sideways(ground: &Ground<'_>, at: [f64; 2], along: [f64; 2], y: f64) -> [f64; 2] {
    let long = along[0].hypot(along[1]);
    if long < 1e-9 {
        return [0.0; 2];
    }
    let side = [-along[1] / long, along[0] / long];
    let pace = 0.05 * ground.metre;
    let walls = ground.walls(at, f64::from(SIDEWAYS) * pace);
    let has = |p: [f64; 2]| {
        surface(ground, p, y, ground.body.climb * 0.5).is_some()
            && ground.clearance(p, y, &walls, 0.02 * ground.metre).1.is_none()
    };
    let end = |sign: f64| {
        let place = |t: f64| [at[0] + sign * t * side[0], at[1] + sign * t * side[1]];
        let last = (1..=SIDEWAYS).map(|k| f64::from(k) * pace).find(|&t| !has(place(t)))?;
        Some(last - pace / 2.0)
    };
    match (end(1.0), end(-1.0)) {
        (Some(right), Some(left)) => side.map(|c| c * (right - left) / 2.0),
        _ => [0.0; 2],
    }
}

/// The middle of the face that a triangle belongs to: those of its piece with its slope.
///
/// Of a face wider than 12 m, the given place.
pub(super) fn face(ground: &Ground<'_>, solid: u32, at: [f64; 2], y: f64) -> [f64; 3] {
    let own = ground.solid(solid);
    let pieces = ground.pieces();
    let alike = |(s, n): &(&crate::explain::solid::Solid, u32)| {
        pieces.of(*n) == pieces.of(solid)
            && !s.upright
            && s.up.signum() == own.up.signum()
            && (s.slope() - own.slope()).abs() < 1.0
    };
    let (mut sum, mut whole) = ([0.0; 3], 0.0);
    let mut bounds = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
    for (s, _) in ground.explainer.solids.all.iter().zip(0..).filter(alike) {
        let [a, b, c] = s.corners;
        let area = ((b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0])).abs();
        for k in 0..3 {
            sum[k] += area * (a[k] + b[k] + c[k]) / 3.0;
        }
        whole += area;
        for p in s.corners.map(|p| [p[0], p[2]]) {
            for k in 0..2 {
                bounds[0][k] = bounds[0][k].min(p[k]);
                bounds[1][k] = bounds[1][k].max(p[k]);
            }
        }
    }
    let wide = (bounds[1][0] - bounds[0][0]).max(bounds[1][1] - bounds[0][1]);
    if whole <= 0.0 || wide > 12.0 * ground.metre {
        return [at[0], y, at[1]];
    }
    sum.map(|s| s / whole)
}
