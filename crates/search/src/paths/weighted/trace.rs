//! From pieces back to their portals, and from crossings to the points of a path.

use navbake_format::exact::orient;
use navbake_format::{Link, NavMesh, PolyId};

use super::super::finish::Bend;
use super::super::funnel::PointList;
use super::super::nodes::{Corridor, Goal, Step};
use super::super::optimal::towards;
use super::super::portal::{Portal, between, crossing, foot};
use super::super::slices::Slices;
use super::lower::Front;
use super::piece::{NONE, START, relative};
use super::state::{End, State};
use super::upper::Crossing;
use crate::{NavPoint, NavQuery, surface};
use navbake_navmesh::math::{float, round};

/// Heights are relative to that of the start, and zero where they cost nothing.
impl State {
    /// The height of a goal.
    pub(super) fn height_of(&self, goal: &Goal) -> f64 {
        if self.slopes.are_free() { 0.0 } else { goal.height - self.ground }
    }

    /// The heights of the right and left end of a portal.
    pub(super) fn heights_of(&self, query: &NavQuery<'_>, step: Step) -> [f64; 2] {
        if self.slopes.are_free() {
            return [0.0; 2];
        }
        let portal = Portal::of(query.mesh(), step);
        portal.heights().map(|height| height - self.ground)
    }

    /// The heights of both ends of a link.
    pub(super) fn link_heights(&self, query: &NavQuery<'_>, link: &Link<'_>) -> [f64; 2] {
        if self.slopes.are_free() {
            return [0.0; 2];
        }
        let ends = [(link.polygon, link.from), (link.beyond, link.to)];
        ends.map(|(polygon, at)| surface::height(&query.mesh().polygon(polygon), at) - self.ground)
    }

    /// The crossing of a portal in its middle, or a link.
    pub(super) fn crossing(&self, query: &NavQuery<'_>, step: Step) -> Option<Crossing> {
        let start = self.start;
        let mesh = query.mesh();
        let weight = query.weight(PolyId(step.polygon));
        let crossing = Crossing { step, weight, t: 0.5, ..Crossing::default() };
        if let Some(number) = step.link() {
            let link = mesh.link(number)?;
            let (from, to) = (relative(link.from, start), relative(link.to, start));
            let [height, exit] = self.link_heights(query, &link);
            return Some(Crossing {
                at: from,
                hop: [to[0] - from[0], to[1] - from[1]],
                height,
                lift: exit - height,
                toll: link.cost * mesh.grid().units(),
                ..crossing
            });
        }
        let [left, right] = Portal::ends(mesh, step);
        let (at, to) = (relative(right, start), relative(left, start));
        let [height, end] = self.heights_of(query, step);
        Some(Crossing {
            at,
            along: [to[0] - at[0], to[1] - at[1]],
            height,
            rise: end - height,
            ..crossing
        })
    }
}

/// Writes the crossings of the path that a round found, and returns their number.
///
/// Each is at the place where the path crosses. `None` where there is no room.
///
/// The trace starts at the goal and goes from piece to piece, to the one with the least cost of
/// arrival. Bounds are not exact, so that may lead astray, for example around a corner where paths
/// of no length lead from piece to piece. Therefore no piece is taken twice, and the trace goes
/// back out of a dead end. Loops remain; after descent those that save nothing are removed.
///
/// Where it finds no room that way, each piece is the one that lowered the bound of the next last.
pub(super) fn trace(front: &mut Front<'_, '_>, end: &End, tried: &mut [Crossing]) -> Option<usize> {
    let count = trace_by(front, end, tried, |front, last| Some(before(front, last, end.target)));
    count.or_else(|| {
        trace_by(front, end, tried, |front, last| {
            let from = front.pieces.get(last.piece as usize)?.from;
            (from != NONE).then_some(from)
        })
    })
}

fn trace_by(
    front: &mut Front<'_, '_>,
    end: &End,
    tried: &mut [Crossing],
    before: impl Fn(&Front<'_, '_>, &Crossing) -> Option<u32>,
) -> Option<usize> {
    let query = front.query;
    let goal = front.targets.get(end.target as usize)?;
    let goal = (relative(goal.point, front.state.start), front.state.height_of(goal));
    let (mut n, mut count) = (end.from, 0);
    while n != START {
        let (to, height) = match tried[..count].last() {
            Some(last) => (last.point(), last.up()),
            None => goal,
        };
        let slot = front.pieces.get_mut(n as usize)?;
        slot.traced = end.target;
        let piece = *slot;
        let (_, t) = piece.ways(front.ground(piece.beyond)).at(to, height);
        *tried.get_mut(count)? = Crossing {
            t: between(piece.share, t),
            piece: n,
            ..front.state.crossing(query, piece.step())?
        };
        count += 1;
        n = loop {
            let last = tried[..count].last()?;
            match before(front, last)? {
                NONE => count -= 1,
                found => break found,
            }
        };
    }
    tried.get_mut(..count)?.reverse();
    Some(count)
}

/// The piece that a path to a crossing comes from, of those not yet traced for a target.
///
/// The start, if it comes from there, or none. Of equal costs the one that comes from farthest
/// back.
fn before(front: &Front<'_, '_>, crossing: &Crossing, target: u32) -> u32 {
    let Some(piece) = front.pieces.get(crossing.piece as usize) else {
        return NONE;
    };
    let mut best = (f64::INFINITY, NONE, f64::INFINITY);
    front.arrivals(piece, front.ground(piece.polygon), |ways, m| {
        let (way, t) = ways.at(crossing.point(), crossing.up());
        let (behind, same) = (ways.value_at(t), SAME * way);
        let better = way < best.0 - same || (way < best.0 + same && behind < best.2);
        let is_traced = (front.pieces.get(m as usize)).is_some_and(|p| p.traced == target);
        if better && !is_traced {
            best = (way, m, behind);
        }
    });
    best.1
}

impl State {
    /// Writes the corridor of the best path, and the points where it bends.
    ///
    /// `None` where there is no room.
    pub(super) fn write(
        &self,
        query: &NavQuery<'_>,
        from: &NavPoint,
        to: &NavPoint,
        scratch: &mut Slices<'_>,
    ) -> Option<(Corridor, Bend)> {
        let corridor = self.crossed(to.polygon(), scratch)?;
        let crossings = scratch.weighted.best.get(..self.best as usize)?;
        if !corridor.is_whole() || corridor.len > scratch.longest_corridor() {
            return None;
        }
        let way = Crossed {
            query,
            start: from.point(),
            crossings,
            last: to.polygon(),
            beside: match self.slopes.are_free() {
                true => BESIDE,
                false => BESIDE_ON_SLOPES,
            },
        };
        let mut points = PointList { nodes: scratch.funnel, used: 0 };
        points.put(from.point(), 0, true)?;
        let mut at = (from.point(), 0);
        while at.1 < crossings.len() {
            let c = &crossings[at.1];
            if let Some(number) = c.step.link() {
                let link = query.mesh().link(number)?;
                points.put(link.from, at.1, false)?;
                points.put(link.to, at.1 + 1, true)?;
                at = (link.to, at.1 + 1);
                continue;
            }
            // The last crossing up to which the path can go straight on over ground of one weight.
            let mut next = at.1;
            let mut to_there = way.bend(next);
            for j in at.1 + 1..=crossings.len() {
                let weight = |i: usize| match crossings.get(i) {
                    Some(c) => c.weight,
                    None => query.weight(to.polygon()),
                };
                let is_link = crossings.get(j).is_some_and(|c| c.step.link().is_some());
                if weight(j) != weight(j - 1) {
                    break;
                }
                let there = match crossings.get(j) {
                    Some(c) if is_link => {
                        let number = c.step.link().unwrap_or(0);
                        (query.mesh().link(number)?.from, j)
                    }
                    Some(_) => way.bend(j),
                    None => (to.point(), j),
                };
                if way.passes(at.0, there.0, at.1..j)
                    && (self.slopes.are_free() || way.follows(at.0, there.0, at.1..j))
                {
                    (next, to_there) = (j, there);
                }
                if is_link {
                    break;
                }
            }
            let is_end = next == crossings.len() || crossings[next].step.link().is_some();
            if !is_end {
                points.put(to_there.0, to_there.1, false)?;
            }
            at = (to_there.0, if is_end { next } else { next + 1 });
        }
        points.put(to.point(), crossings.len(), false)?;
        Some((corridor, Bend::Points(points.used)))
    }
}

/// A path as the portals that it crosses.
struct Crossed<'p, 'a> {
    query: &'p NavQuery<'a>,
    start: [i32; 2],
    crossings: &'p [Crossing],
    last: PolyId,
    /// A crossing this near to an end of its portal is at that end, grid units.
    beside: f64,
}

impl Crossed<'_, '_> {
    fn mesh(&self) -> &NavMesh<'_> {
        self.query.mesh()
    }

    /// The grid point where the path crosses portal `i`, and the next portal there.
    ///
    /// Beside an end of the portal the point is that end. Elsewhere it is on the cheaper side: a
    /// path may run along a border there, and must not pay for the other side.
    fn bend(&self, i: usize) -> ([i32; 2], usize) {
        let Some(c) = self.crossings.get(i) else {
            return (self.start, i);
        };
        let [left, right] = Portal::ends(self.mesh(), c.step);
        let reach = navbake_navmesh::math::length(c.along[0], c.along[1]);
        if c.t * reach <= self.beside {
            return (right, i);
        }
        if (1.0 - c.t) * reach <= self.beside {
            return (left, i);
        }
        let (p, start) = (c.point(), float(self.start));
        let p = [0, 1].map(|k| round(p[k] + start[k]));
        let beyond = self.crossings.get(i + 1).map_or(self.last, |c| PolyId(c.step.polygon));
        let (polygon, next) = match self.query.weight(beyond) < c.weight {
            true => (beyond, i + 1),
            false => (PolyId(c.step.polygon), i),
        };
        (surface::nearest(&self.mesh().polygon(polygon), p), next)
    }

    /// Does a straight line cross some of the portals where the path does?
    ///
    /// Where heights cost something, it pays to go around a hill.
    fn follows(&self, a: [i32; 2], b: [i32; 2], portals: core::ops::Range<usize>) -> bool {
        let line = [a, b].map(|p| relative(p, self.start));
        let portals = self.crossings.get(portals).unwrap_or(&[]);
        (portals.iter()).all(|c| foot(line, c.point()).1 <= BESIDE_ON_SLOPES)
    }

    /// Does a straight line cross some of the portals, and never go back?
    ///
    /// It may run along one.
    fn passes(&self, a: [i32; 2], b: [i32; 2], portals: core::ops::Range<usize>) -> bool {
        let portals = self.crossings.get(portals).unwrap_or(&[]);
        let (d, mut at) = (float(towards(a, b)), float(a));
        let goes_on = |from: [f64; 2], to: [f64; 2]| {
            let step = [to[0] - from[0], to[1] - from[1]];
            let on = step[0] * d[0] + step[1] * d[1] >= -BACK * (d[0] * d[0] + d[1] * d[1]);
            // A line of no length stays where it is.
            on && (a != b || step == [0.0; 2])
        };
        let leads_through = portals.iter().all(|c| {
            let [left, right] = Portal::ends(self.mesh(), c.step);
            let from = at;
            at = crossing([right, left].map(float), [a, b], from).1;
            orient(a, b, left) >= 0
                && orient(a, b, right) <= 0
                && orient(right, left, a) >= 0
                && orient(right, left, b) <= 0
                && goes_on(from, at)
        });
        leads_through && goes_on(at, float(b))
    }
}

/// A step back of at most this share of the line's length is rounding.
const BACK: f64 = 1e-9;

/// Paths that differ by no more than this share cost the same.
const SAME: f64 = 1e-4;

/// A crossing this near to an end of a portal is at that end, grid units.
///
/// The second value holds where heights cost something.
const BESIDE: f64 = 2.0;
const BESIDE_ON_SLOPES: f64 = 0.5;
