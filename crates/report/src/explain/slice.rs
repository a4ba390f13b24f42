//! Exact straight walks over the ground, in the level cut by an upright plane.
//!
//! In this plane a triangle is a segment of heights, and an upright triangle is an upright stroke.
//! Nothing changes between the positions where segments begin, end, cross or pass a limit relative
//! to each other. One test at the middle of each such interval therefore decides all of it.
//!
//! ```text
//!   height
//!     |                    lid _______
//!     |  agent                        |
//!     |    |                          |  stroke (a wall)
//!     |  __|_______                   |
//!     |  ground    \__________________|
//!     +-----------------------------------> t, along the line
//! ```

#[cfg(test)]
mod tests;

use super::solid::{Body, Solids, TOUCH};

/// Positions along a line that differ by less than this, in grid units, are equal.
const SAME: f64 = 1e-4;
/// Number of bisections to find the position where a crack becomes too wide.
///
/// They begin at a quarter of the crack width.
const HALVES: u32 = 4;

/// A cut triangle that is not upright: its heights from one position to another.
#[derive(Clone, Copy, Debug)]
struct Cut {
    t: [f64; 2],
    h: [f64; 2],
    rise: f64,
    solid: u32,
    ground: bool,
}

impl Cut {
    #[inline]
    fn at(&self, t: f64) -> f64 {
        self.h[0] + (t - self.t[0]) * self.rise
    }
}

/// A triangle near the place where lines begin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    /// Corners relative to that place.
    x: [f64; 3],
    z: [f64; 3],
    y: [f64; 3],
    /// The sectors of directions in which it is: no line in another one cuts it.
    sectors: u64,
    solid: u32,
    ground: bool,
    upright: bool,
}

impl Near {
    pub(crate) fn new(solids: &Solids, number: u32, place: [f64; 2], body: &Body) -> Near {
        let solid = &solids.all[number as usize];
        let x = solid.corners.map(|c| c[0] - place[0]);
        let z = solid.corners.map(|c| c[2] - place[1]);
        Near {
            x,
            z,
            y: solid.corners.map(|c| c[1]),
            sectors: sectors(x, z),
            solid: number,
            ground: body.walks_on(solid),
            upright: solid.upright,
        }
    }
}

/// Rises from 0 to 4 once around the circle, and by 2 from a direction to the opposite one.
fn turn(x: f64, z: f64) -> f64 {
    let share = x / (x.abs() + z.abs());
    if z >= 0.0 { 1.0 - share } else { 3.0 + share }
}

/// One of 64 sectors of directions, each as wide as the next in [`turn`].
fn sector(turn: f64) -> i32 {
    (turn * 16.0).floor() as i32
}

/// The sectors that a triangle is in, as bits, and one more on both sides.
fn sectors(x: [f64; 3], z: [f64; 3]) -> u64 {
    if (0..3).any(|k| x[k].abs() + z[k].abs() < 10.0 * SAME) {
        return u64::MAX;
    }
    let mut turns = [0, 1, 2].map(|k| turn(x[k], z[k]));
    turns.sort_unstable_by(f64::total_cmp);
    let gaps = [0, 1, 2].map(|k| (turns[k] - turns[(k + 2) % 3]).rem_euclid(4.0));
    let widest = (0..3).max_by(|&a, &b| gaps[a].total_cmp(&gaps[b])).unwrap_or(0);
    // Around the place, or so near that a line away from it may still touch it.
    if gaps[widest] < 2.1 {
        return u64::MAX;
    }
    let from = sector(turns[widest]) - 1;
    let count = sector(turns[widest] + 4.0 - gaps[widest]) + 2 - from;
    ((1u64 << count.clamp(1, 63)) - 1).rotate_left(from.rem_euclid(64) as u32)
}

/// An upright triangle that is cut.
#[derive(Clone, Copy, Debug)]
struct Stroke {
    t: f64,
    low: f64,
    high: f64,
    solid: u32,
}

/// What ends a walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Hit {
    /// Something upright between knee and head.
    Wall(u32),
    /// Something that leaves this head room, which is less than the agent's height.
    Lid(u32, f64),
    /// No ground continues within a step.
    End,
}

/// The end of a walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stop {
    /// Distance along the line.
    pub(crate) t: f64,
    /// Height of the ground there.
    pub(crate) y: f64,
    pub(crate) hit: Hit,
    /// Did the ground end before the obstacle?
    pub(crate) late: bool,
}

/// A gap of the ground along a line, as far as it is known to be a crack.
///
/// A crack separates two pieces of ground and is narrower than the crack width.
#[derive(Clone, Copy, Debug, Default)]
struct Crack {
    seen: f64,
    ends: bool,
}

impl Crack {
    fn from(t: f64) -> Crack {
        Crack { seen: t, ends: false }
    }

    /// How far the crack goes along the line, up to `to`.
    ///
    /// A crack that is oblique to the line, or parallel to it, is measured where it is crossed at
    /// right angles: `over` decides this for positions along the line.
    fn until(
        &mut self,
        to: f64,
        y: f64,
        body: &Body,
        over: &mut dyn FnMut(f64, f64) -> bool,
    ) -> f64 {
        let apart = (body.crack * 0.25).max(1.0);
        while !self.ends && self.seen < to {
            let mut next = (self.seen + apart).min(to);
            self.ends = !over(next, y);
            for _ in 0..if self.ends { HALVES } else { 0 } {
                let middle = (self.seen + next) / 2.0;
                match over(middle, y) {
                    true => self.seen = middle,
                    false => next = middle,
                }
            }
            if !self.ends {
                self.seen = next;
            }
        }
        self.seen.min(to)
    }
}

/// The level along a line, from its start.
#[derive(Debug, Default)]
pub(crate) struct Slice {
    cuts: Vec<Cut>,
    strokes: Vec<Stroke>,
    /// Positions where anything begins or ends.
    stops: Vec<f64>,
    length: f64,
    /// A buffer.
    active: Vec<Cut>,
    events: Vec<f64>,
    heights: Vec<[f64; 2]>,
}

impl Slice {
    /// Cuts triangles along a line of a given length.
    ///
    /// The line starts at the place that `near` is relative to; its direction has length 1.
    pub(crate) fn cut(&mut self, near: &[Near], to: [f64; 2], length: f64) {
        self.cuts.clear();
        self.strokes.clear();
        self.stops.clear();
        self.length = length;
        let own = 1u64 << (sector(turn(to[0], to[1])) & 63);
        for solid in near.iter().filter(|solid| solid.sectors & own != 0) {
            let side = [0, 1, 2].map(|k| to[0] * solid.z[k] - to[1] * solid.x[k]);
            let left = side.map(|s| s <= 0.0);
            if left[0] == left[1] && left[1] == left[2] {
                continue;
            }
            let along = [0, 1, 2].map(|k| to[0] * solid.x[k] + to[1] * solid.z[k]);
            let mut ends = [(0.0, 0.0); 2];
            let mut found = 0;
            for k in 0..3 {
                let (a, b) = (k, (k + 1) % 3);
                if left[a] != left[b] && found < 2 {
                    let share = side[a] / (side[a] - side[b]);
                    ends[found] = (
                        along[a] + share * (along[b] - along[a]),
                        solid.y[a] + share * (solid.y[b] - solid.y[a]),
                    );
                    found += 1;
                }
            }
            if ends[0].0 > ends[1].0 {
                ends.swap(0, 1);
            }
            let [(t0, h0), (t1, h1)] = ends;
            if t1 < -SAME || t0 > length {
                continue;
            }
            if solid.upright || t1 - t0 < SAME {
                let t = (t0 + t1) / 2.0;
                self.strokes.push(Stroke {
                    t,
                    low: h0.min(h1),
                    high: h0.max(h1),
                    solid: solid.solid,
                });
                self.stops.push(t);
            } else {
                self.cuts.push(Cut {
                    t: [t0, t1],
                    h: [h0, h1],
                    rise: (h1 - h0) / (t1 - t0),
                    solid: solid.solid,
                    ground: solid.ground,
                });
                self.stops.extend([t0, t1]);
            }
        }
        let by_begin = |a: &Cut, b: &Cut| {
            let by_end = a.t[1].total_cmp(&b.t[1]);
            a.t[0].total_cmp(&b.t[0]).then(by_end).then(a.solid.cmp(&b.solid))
        };
        self.cuts.sort_unstable_by(by_begin);
        self.stops.push(0.0);
        self.stops.push(length);
        self.stops.retain(|t| (0.0..=length).contains(t));
        self.stops.sort_unstable_by(f64::total_cmp);
        self.stops.dedup_by(|b, a| *b - *a < SAME);
    }

    /// Walks from the start at a height to the end of the line or to `limit`.
    ///
    /// The result is what ends the walk before that. A gap that is wider along the line than a
    /// crack may still be a crack across the line: `over` decides this for positions along the line
    /// and heights.
    pub(crate) fn walk(
        &mut self,
        from: f64,
        limit: f64,
        body: &Body,
        over: &mut dyn FnMut(f64, f64) -> bool,
    ) -> Option<Stop> {
        self.go(from, limit, body, over).0
    }

    /// The height at the end of such a walk; `None` if it ends early.
    pub(crate) fn height_after(&mut self, from: f64, limit: f64, body: &Body) -> Option<f64> {
        self.stops.push(limit.min(self.length));
        self.stops.sort_unstable_by(f64::total_cmp);
        self.stops.dedup_by(|b, a| *b - *a < SAME);
        let (stop, y) = self.go(from, limit - SAME, body, &mut |_, _| false);
        stop.is_none().then_some(y)
    }

    fn go(
        &mut self,
        from: f64,
        limit: f64,
        body: &Body,
        over: &mut dyn FnMut(f64, f64) -> bool,
    ) -> (Option<Stop>, f64) {
        let mut y = from;
        // Position of the last ground while the walk crosses a crack, and the crack's extent.
        let mut gap: Option<f64> = None;
        let mut crack = Crack::default();
        let mut events = std::mem::take(&mut self.events);
        let mut active = std::mem::take(&mut self.active);
        let mut heights = std::mem::take(&mut self.heights);
        let (mut stop, mut next, mut late) = (None, 0, false);
        active.clear();
        'stretches: for k in 0..self.stops.len().saturating_sub(1) {
            let (begin, end) = (self.stops[k], self.stops[k + 1]);
            if gap.unwrap_or(begin) >= limit || begin >= limit + body.crack {
                break;
            }
            if gap.is_none()
                && let Some(wall) = self.wall_at(begin, y, body)
            {
                stop = Some((begin, wall));
                break;
            }
            while let Some(cut) = self.cuts.get(next).filter(|c| c.t[0] <= begin + SAME) {
                active.push(*cut);
                next += 1;
            }
            active.retain(|c| c.t[1] >= end - SAME);
            changes(&active, [begin, end], body, &mut heights, &mut events);
            for (k, pair) in events.windows(2).enumerate() {
                let [from, to] = [pair[0], pair[1]];
                if gap.unwrap_or(from) >= limit {
                    break 'stretches;
                }
                let middle = (from + to) / 2.0;
                let step = body.climb + 2.0 * TOUCH + 1e-6;
                let (mut best, mut lidded): (Option<&Cut>, Option<(f64, Hit)>) = (None, None);
                for c in active.iter().filter(|c| c.ground) {
                    let here = c.at(middle);
                    if (c.at(from) - y).abs() > step || best.is_some_and(|b| b.at(middle) >= here) {
                        continue;
                    }
                    match lowest_lid(&active, middle, here, body) {
                        None => best = Some(c),
                        Some(lid) if lidded.is_none_or(|l| here > l.0) => {
                            lidded = Some((here, lid));
                        }
                        Some(_) => {}
                    }
                }
                if let Some(best) = best {
                    let there = best.at(from);
                    if k == 0
                        && let Some(wall) = self.wall_at(begin, there, body)
                    {
                        let at = gap.map_or(from, |_| crack.until(from, y, body, over));
                        stop = Some((at, wall));
                        break 'stretches;
                    }
                    gap = None;
                    y = best.at(to);
                } else if let Some((_, lid)) = lidded {
                    let at = gap.map_or(from, |_| crack.until(from, y, body, over));
                    stop = Some((at, lid));
                    break 'stretches;
                } else {
                    let since = *gap.get_or_insert_with(|| {
                        crack = Crack::from(from);
                        from
                    });
                    if let Some(lid) = lowest_lid(&active, middle, y, body) {
                        let at = crack.until(from, y, body, over);
                        late = from > at + SAME;
                        stop = Some((at, lid));
                        break 'stretches;
                    }
                    if to - since >= body.crack {
                        let at = crack.until(to, y, body, over);
                        if at < to {
                            stop = Some((at, Hit::End));
                            break 'stretches;
                        }
                    }
                }
            }
        }
        self.events = events;
        self.active = active;
        self.heights = heights;
        let stop = stop.filter(|(t, _)| *t < limit);
        (stop.map(|(t, hit)| Stop { t, y, hit, late }), y)
    }

    /// An upright stroke at a position along the line that blocks the agent.
    ///
    /// It is between knee and head above the ground.
    fn wall_at(&self, t: f64, y: f64, body: &Body) -> Option<Hit> {
        let (knee, head) = (y + body.climb + TOUCH, y + body.height - TOUCH);
        let mut here = self.strokes.iter().filter(|s| (s.t - t).abs() < SAME);
        here.find(|s| s.high > knee && s.low < head).map(|s| Hit::Wall(s.solid))
    }

    /// Distance along the line to ground within a step of `y`, and its height.
    pub(crate) fn ahead(&self, y: f64, body: &Body) -> Option<(f64, f64)> {
        let ground = self.cuts.iter().filter(|c| c.ground);
        let ends = ground.map(|c| {
            let t = c.t[0].max(0.0);
            (t, c.at(t))
        });
        let level = ends.filter(|(_, h)| (h - y).abs() <= body.climb + 1.0);
        level.min_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)))
    }
}

/// The lowest surface that takes head room from ground at height `y`.
fn lowest_lid(active: &[Cut], t: f64, y: f64, body: &Body) -> Option<Hit> {
    let rooms = active.iter().map(|c| (c.at(t) - y, c.solid));
    let lids = rooms.filter(|(room, _)| body.bumps(*room));
    lids.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
        .map(|(room, solid)| Hit::Lid(solid, room))
}

/// The ends of an interval, and the positions in it where cuts cross.
///
/// Positions where one cut passes a limit relative to another are included.
fn changes(
    active: &[Cut],
    [begin, end]: [f64; 2],
    body: &Body,
    heights: &mut Vec<[f64; 2]>,
    out: &mut Vec<f64>,
) {
    out.clear();
    out.push(begin);
    heights.clear();
    heights.extend(active.iter().map(|c| [c.at(begin), c.at(end)]));
    let limits = [body.climb + 2.0 * TOUCH, body.climb + TOUCH, body.height - TOUCH];
    for (k, a) in active.iter().enumerate() {
        for (b, of_b) in active[..k].iter().zip(&heights[..]) {
            if !a.ground && !b.ground {
                continue;
            }
            let [d0, d1] = [heights[k][0] - of_b[0], heights[k][1] - of_b[1]];
            let (low, high) = (d0.min(d1), d0.max(d1));
            let passes = |limit: f64| (low < limit) & (limit < high);
            // Most pairs pass no limit: all are compared without branches first. Those that do not
            // cross are as far apart as their difference is great, whichever is above.
            let (near, far) = (d0.abs().min(d1.abs()), d0.abs().max(d1.abs()));
            let is_passed = |any, &limit: &f64| any | ((near < limit) & (limit < far));
            if !limits.iter().fold(passes(0.0), is_passed) {
                continue;
            }
            let all = limits.into_iter().flat_map(|limit| [limit, -limit]).chain([0.0]);
            let passed = all.filter(|&limit| passes(limit));
            out.extend(passed.map(|limit| begin + (limit - d0) / (d1 - d0) * (end - begin)));
        }
    }
    if out.len() > 1 {
        out.sort_unstable_by(f64::total_cmp);
        out.dedup_by(|b, a| *b - *a < SAME);
        // The last interval is not shorter than that either.
        if out.len() > 1 && out.last().is_some_and(|last| end - last < SAME) {
            out.pop();
        }
    }
    out.push(end);
}
