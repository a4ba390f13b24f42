//! From pieces back to the portals that they lead through, and from crossings to the points of a path.

use navbake_format::exact::orient;
use navbake_format::{NavMeshView, PolyId};

use super::super::finish::Bend;
use super::super::funnel::PointList;
use super::super::optimal::Chart;
use super::super::portal::Portal;
use super::super::scratch::{Corridor, Scratch, Step};
use super::lower::Front;
use super::piece::{NONE, START, relative};
use super::upper::Crossing;
use super::{End, State};
use crate::math::{float, round};
use crate::{Location, Query, surface};

/// The crossing of a portal in its middle, or a link.
pub(super) fn crossing(query: &Query<'_>, step: Step, start: [i32; 2]) -> Option<Crossing> {
    let mesh = query.mesh();
    let weight = query.weight(PolyId(step.polygon));
    let crossing = Crossing {
        step,
        weight,
        t: 0.5,
        ..Crossing::default()
    };
    if let Some(number) = step.link() {
        let link = mesh.link(number)?;
        let (from, to) = (relative(link.from, start), relative(link.to, start));
        return Some(Crossing {
            at: from,
            hop: [to[0] - from[0], to[1] - from[1]],
            toll: link.cost * mesh.grid().units(),
            ..crossing
        });
    }
    let [left, right] = Portal::ends(mesh, &Chart::default(), step);
    let (at, to) = (relative(right, start), relative(left, start));
    Some(Crossing {
        at,
        along: [to[0] - at[0], to[1] - at[1]],
        ..crossing
    })
}

/// Writes the crossings of the way that a round found, each where the way crosses it; gives how many. `None` where there is no room.
pub(super) fn trace(front: &Front<'_, '_>, end: &End, tried: &mut [Crossing]) -> Option<usize> {
    let (query, start) = (front.query, front.start.point);
    let goal = front.targets.get(end.target as usize)?;
    let (mut n, mut to) = (end.from, relative(goal.point, start));
    let mut count = 0;
    while n != START {
        let piece = front.pieces.get(n as usize)?;
        let (_, t) = piece.beam(front.weight(piece.beyond)).at(to);
        let share = piece.share[0] + t * (piece.share[1] - piece.share[0]);
        *tried.get_mut(count)? = Crossing {
            t: share,
            piece: n,
            ..crossing(query, piece.step(), start)?
        };
        count += 1;
        to = core::array::from_fn(|k| piece.ends[0][k] + t * (piece.ends[1][k] - piece.ends[0][k]));
        // Around a corner ways of no length lead from piece to piece: of ways that cost the same, the one that comes from farthest back.
        let mut best = (f64::INFINITY, NONE, f64::INFINITY);
        front.arrivals(piece, front.weight(piece.polygon), |beam, m| {
            let (way, t) = beam.at(to);
            let (behind, same) = (beam.value_at(t), SAME * way);
            let better = way < best.0 - same || (way < best.0 + same && behind < best.2);
            if better && !tried[..count].iter().any(|c| c.piece == m) {
                best = (way, m, behind);
            }
        });
        n = best.1;
    }
    tried.get_mut(..count)?.reverse();
    Some(count)
}

impl State {
    /// Writes the corridor of the best path, and the points where it bends. `None` where there is no room.
    pub(super) fn write(
        &self,
        query: &Query<'_>,
        from: &Location,
        to: &Location,
        scratch: &mut Scratch<'_>,
    ) -> Option<(Corridor, Bend)> {
        let crossings = scratch.weighted.best.get(..self.best as usize)?;
        let mut corridor = Corridor::new(to.polygon());
        for c in crossings {
            corridor.push(scratch.corridor, PolyId(c.step.polygon), c.step.edge);
        }
        if !corridor.is_whole() || corridor.len > scratch.longest_corridor() {
            return None;
        }
        let way = Crossed {
            query,
            start: from.point(),
            crossings,
            last: to.polygon(),
        };
        let mut points = PointList {
            nodes: scratch.funnel,
            used: 0,
        };
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
                if way.passes(at.0, there.0, at.1..j) {
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
    query: &'p Query<'a>,
    start: [i32; 2],
    crossings: &'p [Crossing],
    last: PolyId,
}

impl Crossed<'_, '_> {
    fn mesh(&self) -> &NavMeshView<'_> {
        self.query.mesh()
    }

    /// Where the path crosses portal `i`, on the grid, and the portal that comes next there. Beside its ends it is an end. Elsewhere it lies on the
    /// cheaper side: a path may run along a border there, and must not be charged for the other side.
    fn bend(&self, i: usize) -> ([i32; 2], usize) {
        let Some(c) = self.crossings.get(i) else {
            return (self.start, i);
        };
        let [left, right] = Portal::ends(self.mesh(), &Chart::default(), c.step);
        let reach = crate::math::length(c.along[0], c.along[1]);
        if c.t * reach <= BESIDE {
            return (right, i);
        }
        if (1.0 - c.t) * reach <= BESIDE {
            return (left, i);
        }
        let (p, start) = (c.point(), float(self.start));
        let p = [0, 1].map(|k| round(p[k] + start[k]));
        let beyond = self
            .crossings
            .get(i + 1)
            .map_or(self.last, |c| PolyId(c.step.polygon));
        let (polygon, next) = match self.query.weight(beyond) < c.weight {
            true => (beyond, i + 1),
            false => (PolyId(c.step.polygon), i),
        };
        (surface::nearest(&self.mesh().polygon(polygon), p), next)
    }

    /// Does a straight line lead through some of the portals?
    fn passes(&self, a: [i32; 2], b: [i32; 2], portals: core::ops::Range<usize>) -> bool {
        let portals = self.crossings.get(portals).unwrap_or(&[]);
        portals.iter().all(|c| {
            let [left, right] = Portal::ends(self.mesh(), &Chart::default(), c.step);
            orient(a, b, left) >= 0
                && orient(a, b, right) <= 0
                && orient(right, left, a) >= 0
                && orient(right, left, b) <= 0
        })
    }
}

/// Ways that differ by no more than this share cost the same.
const SAME: f64 = 1e-4;

/// A crossing so near to the end of a portal is at that end, grid units.
const BESIDE: f64 = 2.0;
