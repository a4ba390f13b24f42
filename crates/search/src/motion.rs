//! Motion on the mesh: a point goes where it is pushed, and slides along walls.
//!
//! The rules are those of Greg Snook, "Simplified 3D movement and pathfinding using navigation
//! meshes" (Game Programming Gems, 2000):
//!
//! 1. Go straight to an edge without ground beyond.
//! 2. Turn the rest of the motion along that edge.
//! 3. Subtract a part of it for friction, and repeat.
//!
//! ```text
//!   start
//!      \            |
//!       \           | wall
//!        v          |
//!   ------*-------->*   the slide ends: the next wall blocks it
//!   wall  contact: what is left of the motion turns along the wall
//! ```
//!
//! Unlike Snook's version, this one nudges nothing. Between contacts the point is at corners of
//! polygons, which are on the grid, so every decision is exact. Along a wall only a length is kept.
//! Rounding happens once, at the end, to a grid point of the polygon there.

use navbake_format::exact::{LIMIT, cross, direction, dot, orient};
use navbake_format::{EdgeId, NavMesh, PolyId, Polygon};

use crate::beside::beside;
use crate::locate::PolyPoint;
use crate::ray::{End, clip, ends, leads_on, turn_around, turn_to_wall, walk};
use crate::{NavQuery, Point};
use navbake_navmesh::math::{distance, float, length, round};

/// A requested motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveRequest {
    /// The target on open ground, y-up metres; the height is ignored.
    pub to: [f64; 3],
    /// The share of the remaining motion that a contact keeps, 0 to 1; default 0.9.
    pub kept: f64,
}

impl MoveRequest {
    /// A motion to a point, y-up metres.
    pub fn new(to: impl Into<Point>) -> MoveRequest {
        MoveRequest { to: to.into().0, kept: 0.9 }
    }

    /// Sets the share that a contact keeps: 1 slides without friction, 0 stops.
    pub fn kept(self, kept: f64) -> MoveRequest {
        MoveRequest { kept, ..self }
    }
}

/// A record of a motion, in memory of the caller.
///
/// Either slice may be empty. Entries that do not fit are only counted.
#[derive(Debug, Default)]
pub struct MoveLog<'s> {
    /// Polygons entered, in order.
    ///
    /// Each shares an edge with the one before, the first with the polygon of the start.
    pub entered: &'s mut [PolyId],
    /// Walls that the point hit or slid along, in order.
    pub hit: &'s mut [EdgeId],
}

/// The result of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// The new position; [`NavQuery::place`] adds its height.
    pub end: PolyPoint,
    /// Length of the motion in the ground plane, m.
    pub walked: f64,
    /// The number of polygons entered, even those that did not fit into the log.
    pub entered: usize,
    /// The number of walls hit, those that did not fit into the log included.
    pub hit: usize,
    /// How many times friction was applied.
    pub contacts: u32,
}

/// The next step of the point. Lengths are in grid units.
enum Next {
    /// It goes straight from one grid point to another.
    Straight { polygon: PolyId, from: [i32; 2], to: [i32; 2] },
    /// It slides along a wall, in the direction of the edge or against it.
    Along { polygon: PolyId, edge: u32, forward: bool, from: [f64; 2], rest: f64 },
    /// It has reached its final grid point.
    Done { polygon: PolyId, point: [i32; 2] },
}

struct Mover<'q, 'a, 's> {
    query: &'q NavQuery<'a>,
    mesh: &'q NavMesh<'a>,
    log: MoveLog<'s>,
    kept: f64,
    entered: usize,
    hit: usize,
    contacts: u32,
    walked: f64,
    /// The last grid point passed, and the number of polygons entered up to it.
    safe: (PolyId, [i32; 2], usize),
}

impl NavQuery<'_> {
    /// Moves a point along the ground, sliding along walls.
    ///
    /// The point never leaves connected ground. Pass the end of the answer to the next motion.
    ///
    /// Positions are on the grid, so a remaining motion shorter than half a grid unit has no
    /// effect. At a wall, and at the end of a slide along one, the position is at most two units
    /// from the end of the motion. Only where the ground beside the wall has no grid point that
    /// near is it further back along the motion.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let at = query.locate([1.0, 0.0, 1.0], 2.0).unwrap();
    /// use navbake_search::MoveRequest;
    /// use navbake_search::around::MoveLog;
    ///
    /// let request = MoveRequest::new([3.0, 0.0, 1.0]);
    /// let motion = query.move_along(&at, &request, MoveLog::default());
    /// assert_eq!((motion.walked, motion.contacts), (2.0, 0));
    /// ```
    pub fn move_along(
        &self,
        from: impl Into<PolyPoint>,
        request: &MoveRequest,
        log: MoveLog<'_>,
    ) -> Motion {
        let (mesh, from) = (self.mesh(), from.into());
        let mut mover = Mover {
            query: self,
            mesh,
            log,
            kept: if request.kept > 0.0 { request.kept.min(1.0) } else { 0.0 },
            entered: 0,
            hit: 0,
            contacts: 0,
            walked: 0.0,
            safe: (from.polygon(), from.point(), 0),
        };
        let mut next = Next::Straight {
            polygon: from.polygon(),
            from: from.point(),
            to: clip(mesh, from.point(), request.to),
        };
        // Every other step reaches a new corner and the rest shrinks; the bound is for hostile
        // blobs.
        for _ in 0..2 * u64::from(mesh.edge_count()) + 8 {
            next = match next {
                Next::Straight { polygon, from, to } => mover.straight(polygon, from, to),
                Next::Along { polygon, edge, forward, from, rest } => {
                    mover.along(polygon, edge, forward, from, rest)
                }
                Next::Done { .. } => break,
            };
        }
        let (polygon, point) = match next {
            Next::Done { polygon, point } => (polygon, point),
            _ => mover.give_up(),
        };
        Motion {
            end: PolyPoint::new(polygon, point),
            walked: mover.walked / mesh.grid().units(),
            entered: mover.entered,
            hit: mover.hit,
            contacts: mover.contacts,
        }
    }
}

impl<'a> Mover<'_, 'a, '_> {
    /// Goes straight to the target or a wall.
    fn straight(&mut self, polygon: PolyId, from: [i32; 2], to: [i32; 2]) -> Next {
        self.safe = (polygon, from, self.entered);
        let mesh = self.mesh;
        let d = direction(from, to);
        let mut here = polygon;
        let end = walk(self.query, polygon, from, to, |p, k| {
            here = mesh.polygon(p).neighbour(k).unwrap_or(p);
            self.enter(p, k);
        });
        match end {
            End::Reached(polygon) => {
                self.walked += distance(float(from), float(to));
                Next::Done { polygon, point: to }
            }
            End::Lost => self.back(),
            End::Wall { polygon: id, edge, corner: None } => {
                let polygon = mesh.polygon(id);
                let [u, v] = ends(&polygon, edge);
                let (before, behind) = (orient(u, v, from) as f64, orient(u, v, to) as f64);
                let t = (before / (before - behind)).clamp(0.0, 1.0);
                let (a, b) = (float(from), float(to));
                let at = [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
                self.walked += distance(a, at);
                self.touch(&polygon, edge);
                let e = direction(u, v);
                let along = dot(d, e);
                let rest = (1.0 - t) * along.unsigned_abs() as f64 / norm(e);
                if along == 0 || self.contact() == 0.0 {
                    return self.settle(&polygon, at, a);
                }
                Next::Along {
                    polygon: id,
                    edge,
                    forward: along > 0,
                    from: at,
                    rest: rest * self.kept,
                }
            }
            End::Wall { polygon: id, edge, corner: Some(k) } => {
                let facing = mesh.polygon(id);
                let c = facing.corner(k);
                self.walked += distance(float(from), float(c));
                self.safe = (here, c, self.entered);
                // The wall that the ray faces may belong to another polygon than the last one
                // crossed.
                let Some(k) = mesh.polygon(here).corner_at(c) else {
                    return self.back();
                };
                let rest = direction(c, to);
                // Along the wall that keeps more of the motion.
                let best = [true, false]
                    .into_iter()
                    .filter_map(|side| {
                        let (id, edge, k) = turn_to_wall(self.query, here, k, side, |_, _| {})?;
                        let out = outgoing(&mesh.polygon(id), edge, k);
                        Some((side, dot(rest, out) as f64 / norm(out)))
                    })
                    .reduce(|a, b| if b.1 > a.1 { b } else { a });
                let found = best.filter(|&(_, along)| along > 0.0);
                let Some((side, along)) = found else {
                    self.touch(&facing, edge);
                    return self.back();
                };
                self.slide_from(here, k, side, along)
            }
        }
    }

    /// Slides from a corner along the wall found by turning around it.
    ///
    /// `rest` is the remaining length before friction.
    fn slide_from(&mut self, id: PolyId, k: u32, counter_clockwise: bool, rest: f64) -> Next {
        let mesh = self.mesh;
        let c = mesh.polygon(id).corner(k);
        let wall = turn_to_wall(self.query, id, k, counter_clockwise, |p, k| self.enter(p, k));
        let Some((id, edge, _)) = wall else {
            return self.back();
        };
        self.safe = (id, c, self.entered);
        self.touch(&mesh.polygon(id), edge);
        if self.contact() == 0.0 {
            return self.back();
        }
        Next::Along {
            polygon: id,
            edge,
            // Turning counter-clockwise meets the edge that ends at the corner.
            forward: !counter_clockwise,
            from: float(c),
            rest: rest * self.kept,
        }
    }

    /// Slides along a wall until the motion or the wall ends.
    fn along(&mut self, id: PolyId, edge: u32, forward: bool, from: [f64; 2], rest: f64) -> Next {
        let mesh = self.mesh;
        let polygon = mesh.polygon(id);
        let k = if forward { polygon.next(edge) } else { edge };
        let c = polygon.corner(k);
        let w = outgoing(&polygon, edge, k).map(|c| -c);
        let far = distance(from, float(c));
        if rest < far {
            self.walked += rest;
            let t = rest / norm(w);
            let at = [from[0] + t * w[0] as f64, from[1] + t * w[1] as f64];
            return self.settle(&polygon, at, from);
        }
        self.walked += far;
        self.safe = (id, c, self.entered);
        let rest = rest - far;
        let on = |p: &Polygon<'_, '_>, k: u32| leads_on(p, k, w);
        let found = if on(&polygon, k) {
            Ok(id)
        } else {
            turn_around(self.query, id, k, on, &mut |p, k| self.enter(p, k))
        };
        let Ok(beyond) = found else {
            return self.meet_corner(&polygon, k, forward, w, rest);
        };
        self.safe = (beyond, c, self.entered);
        let next = mesh.polygon(beyond);
        if let Some(k) = next.corner_at(c) {
            // The same wall may continue as another edge.
            let edge = if forward { k } else { next.previous(k) };
            let straight_on = cross(w, outgoing(&next, edge, k)) == 0;
            if self.query.beyond(&next, edge).is_none() && straight_on && on(&next, k) {
                self.touch(&next, edge);
                return Next::Along { polygon: beyond, edge, forward, from: float(c), rest };
            }
        }
        let t = rest / norm(w);
        let to = [0, 1].map(|i| {
            let c = f64::from(c[i]) + t * w[i] as f64;
            round(c).clamp(1 - LIMIT, LIMIT - 1)
        });
        if to == c {
            return self.back();
        }
        Next::Straight { polygon: beyond, from: c, to }
    }

    /// The wall ends at another wall that blocks the slide.
    fn meet_corner(
        &mut self,
        polygon: &Polygon<'_, 'a>,
        k: u32,
        forward: bool,
        w: [i64; 2],
        rest: f64,
    ) -> Next {
        // When sliding forward, the ground is on the left, so the next wall is found clockwise.
        let side = !forward;
        let wall = turn_to_wall(self.query, polygon.id(), k, side, |_, _| {});
        let Some((id, edge, corner)) = wall else {
            return self.back();
        };
        let out = outgoing(&self.mesh.polygon(id), edge, corner);
        let along = dot(w, out) as f64 / (norm(w) * norm(out));
        if along <= 0.0 {
            let wall = self.mesh.polygon(id);
            self.touch(&wall, edge);
            return self.back();
        }
        self.slide_from(polygon.id(), k, side, rest * along)
    }

    /// Ends the motion at a point of a polygon's border, or at a grid point near it.
    ///
    /// `from` is where the motion came from; the search for a grid point backs up towards it.
    fn settle(&mut self, polygon: &Polygon<'_, 'a>, at: [f64; 2], from: [f64; 2]) -> Next {
        let (query, whole) = (self.query, distance(from, at));
        let mut back = 0.0;
        loop {
            let t = if back < whole { back / whole } else { 1.0 };
            let x = [at[0] + t * (from[0] - at[0]), at[1] + t * (from[1] - at[1])];
            if let Some((polygon, point)) = beside(query, polygon, x, |p, k| self.enter(p, k)) {
                return Next::Done { polygon, point };
            }
            if back >= whole {
                return self.back();
            }
            back = 2.0 * back + 1.0;
        }
    }

    /// Ends the motion at the last grid point.
    fn back(&mut self) -> Next {
        let (polygon, point) = self.give_up();
        Next::Done { polygon, point }
    }

    fn give_up(&mut self) -> (PolyId, [i32; 2]) {
        self.entered = self.safe.2;
        (self.safe.0, self.safe.1)
    }

    fn enter(&mut self, polygon: PolyId, edge: u32) {
        if let Some(beyond) = self.mesh.polygon(polygon).neighbour(edge) {
            if let Some(slot) = self.log.entered.get_mut(self.entered) {
                *slot = beyond;
            }
            self.entered += 1;
        }
    }

    fn touch(&mut self, polygon: &Polygon<'_, '_>, edge: u32) {
        if let Some(slot) = self.log.hit.get_mut(self.hit) {
            *slot = polygon.edge(edge);
        }
        self.hit += 1;
    }

    /// Applies friction; returns the share that remains.
    fn contact(&mut self) -> f64 {
        self.contacts += 1;
        self.kept
    }
}

/// The direction of an edge, away from its end at corner `k`.
fn outgoing(polygon: &Polygon<'_, '_>, edge: u32, k: u32) -> [i64; 2] {
    let [u, v] = ends(polygon, edge);
    if k == edge { direction(u, v) } else { direction(v, u) }
}

fn norm(v: [i64; 2]) -> f64 {
    length(v[0] as f64, v[1] as f64)
}
