//! A polyline turned into a path that a vehicle can drive, where there is room.
//!
//! Each corner becomes an arc of the vehicle's turn radius that touches both lines, which needs `r
//! tan(a / 2)` of either for a bend by `a`. From the middle of each line to that of the next the
//! path is tested against the ground. Where the arc does not fit, or touches something, a search
//! leads from the one to the other, and if need be past further corners. The answer names the first
//! corner that no search gets around.

use crate::connect::is_blocked_at;
use crate::curve::{Curve, Pose, Segment};
use crate::query::TurningQuery;
use crate::request::{TurningPiece, TurningRequest, TurningScratch, TurningStatus};
use crate::sweep::is_hit;
use crate::trig::{PI, atan2, sin_cos, wrapped};
use navbake_navmesh::math::{round, sqrt};

/// How many corners a search leads past at most.
const MOST_CORNERS: usize = 3;
/// Points nearer to one another than this, tiles, are one.
const SHORT: f64 = 1e-9;

/// The result for a polyline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlongStatus {
    /// There is a path.
    Turned,
    /// At this point of the polyline there is no room to turn.
    NoRoom {
        /// Its place among the points.
        corner: usize,
    },
    /// A point is not on the ground, or not a number.
    Outside {
        /// Its place among the points.
        point: usize,
    },
    /// At the first or the last point the vehicle touches a blocked tile, or a heading is no
    /// number.
    End(TurningStatus),
    /// Fewer than two points.
    TooFew,
    /// The memory for pieces, or for searches, is too small.
    Memory,
}

/// A path along a polyline: its pieces are in the caller's memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlongAnswer<'p> {
    /// The result.
    pub status: AlongStatus,
    /// Arcs and lines.
    pub pieces: &'p [TurningPiece],
    /// Length, m.
    pub length: f64,
    /// Where it ends; places are tiles.
    pub end: Pose,
    /// How many corners were passed by a search.
    pub searched: u32,
}

/// Where a path is tied to the polyline: on its line from one point to the next.
#[derive(Clone, Copy)]
struct Knot {
    /// On the plan.
    pose: Pose,
    point: [f64; 3],
    /// The offset from the plan to the bits of the ground; `None` beside it.
    bits: Option<[i32; 2]>,
    /// The point of the polyline behind it.
    next: usize,
    /// Does it look along the line?
    along: bool,
}

/// Pieces being written.
struct Out<'o> {
    pieces: &'o mut [TurningPiece],
    count: usize,
    end: Pose,
    searched: u32,
}

impl<'q> TurningQuery<'q> {
    /// A path along the points of a polyline, y-up metres; without headings it begins and ends
    /// along its lines.
    pub fn along<'p>(
        &self,
        points: &[[f64; 3]],
        headings: [Option<f64>; 2],
        scratch: &mut TurningScratch<'_>,
        pieces: &'p mut [TurningPiece],
    ) -> AlongAnswer<'p> {
        let mut out = Out { pieces, count: 0, end: Pose::default(), searched: 0 };
        let status = self.follow(points, headings, scratch, &mut out);
        let status = status.and_then(|()| out.drive(self)).err().unwrap_or(AlongStatus::Turned);
        let count = if status == AlongStatus::Turned { out.count } else { 0 };
        let pieces = out.pieces.get(..count).unwrap_or_default();
        AlongAnswer {
            status,
            pieces,
            length: self.ground.tile() * pieces.iter().map(|p| p.segment.length).sum::<f64>(),
            end: out.end,
            searched: out.searched,
        }
    }

    fn follow(
        &self,
        points: &[[f64; 3]],
        headings: [Option<f64>; 2],
        scratch: &mut TurningScratch<'_>,
        out: &mut Out<'_>,
    ) -> Result<(), AlongStatus> {
        if points.len() < 2 {
            return Err(AlongStatus::TooFew);
        }
        for (point, &at) in points.iter().enumerate() {
            let place = self.ground.entry(at);
            if !place.iter().all(|v| v.abs() < 1e9) {
                return Err(AlongStatus::Outside { point });
            }
        }
        let last = points.len() - 1;
        let mut at = self.knot(points, 0, 0.0, headings[0])?;
        self.judge(&at)?;
        out.end = at.pose;
        while at.next <= last {
            let next = self.reach_next(points, &at, headings[1], scratch, out)?;
            at = next;
        }
        Ok(())
    }

    /// Continues from a knot to the next one, or past corners to a later one. Returns the knot
    /// reached.
    fn reach_next(
        &self,
        points: &[[f64; 3]],
        at: &Knot,
        last_heading: Option<f64>,
        scratch: &mut TurningScratch<'_>,
        out: &mut Out<'_>,
    ) -> Result<Knot, AlongStatus> {
        let last = points.len() - 1;
        for past in 0..=MOST_CORNERS {
            // Where it does not look along its own line it turns there first.
            let first = at.next - usize::from(!at.along && at.next < last);
            let line = first + past;
            let is_end = line >= last;
            let to = match is_end {
                true => self.knot(points, last, 0.0, last_heading)?,
                false => match self.middle(points, line) {
                    Some(knot) => knot,
                    None => continue,
                },
            };
            if is_end {
                self.judge(&to)?;
            }
            if past == 0 && at.along && to.along && self.bend(at, &to, points, out)? {
                return Ok(to);
            }
            if self.search(at, &to, scratch, out)? {
                return Ok(to);
            }
            if is_end {
                break;
            }
        }
        Err(AlongStatus::NoRoom { corner: at.next })
    }

    /// A knot on the line behind a point, at this share of it; with its own heading if there is
    /// one.
    fn knot(
        &self,
        points: &[[f64; 3]],
        line: usize,
        share: f64,
        heading: Option<f64>,
    ) -> Result<Knot, AlongStatus> {
        let last = points.len() - 1;
        let plan = |p: [f64; 3]| self.ground.place(p);
        // The direction of the first line that has one, of those behind it, or of those before.
        let way = |i: usize| {
            let (a, b) = (plan(points[i]), plan(points[i + 1]));
            let d = [b[0] - a[0], b[1] - a[1]];
            (sqrt(d[0] * d[0] + d[1] * d[1]) > SHORT).then_some(d)
        };
        let behind = (line..last).find_map(way);
        let [dx, dz] = behind.or_else(|| (0..line).rev().find_map(way)).unwrap_or([1.0, 0.0]);
        let along = atan2(-dz, dx);
        let next = points[(line + 1).min(last)];
        let point = [0, 1, 2].map(|k| points[line][k] + share * (next[k] - points[line][k]));
        let [x, z] = plan(point);
        let entry = self.ground.entry(point);
        let is_on = entry.iter().all(|v| v.abs() < 1e9);
        let heading = heading.unwrap_or(along);
        if heading.is_nan() || heading.abs() >= 1e6 {
            return Err(AlongStatus::End(TurningStatus::NoHeading));
        }
        Ok(Knot {
            pose: Pose { x, z, heading },
            point,
            bits: is_on.then(|| [round(entry[0] - x), round(entry[1] - z)]),
            next: line + 1,
            along: wrapped(heading - along) < 1e-6 || wrapped(along - heading) < 1e-6,
        })
    }

    /// A knot around the middle of a line where the vehicle is free.
    fn middle(&self, points: &[[f64; 3]], line: usize) -> Option<Knot> {
        let shares = [0.5, 0.375, 0.625, 0.25, 0.75];
        let knots = shares.iter().filter_map(|&s| self.knot(points, line, s, None).ok());
        knots.into_iter().find(|k| self.judge(k).is_ok())
    }

    /// Is the vehicle free there?
    fn judge(&self, knot: &Knot) -> Result<(), AlongStatus> {
        let outside = AlongStatus::End(TurningStatus::StartOutside);
        let pose = knot.in_bits().ok_or(outside)?;
        if is_blocked_at(self.vehicle, self.ground, pose) {
            let status = match knot.next {
                1 => TurningStatus::StartBlocked,
                _ => TurningStatus::GoalBlocked,
            };
            return Err(AlongStatus::End(status));
        }
        Ok(())
    }

    /// A line, an arc around the corner between two knots, and a line, where that is free.
    fn bend(
        &self,
        from: &Knot,
        to: &Knot,
        points: &[[f64; 3]],
        out: &mut Out<'_>,
    ) -> Result<bool, AlongStatus> {
        let radius = self.vehicle.turn_radius();
        let corner = self.ground.place(points[from.next.min(points.len() - 1)]);
        let line = |length: f64| Segment { turn: 0, back: false, length };
        let away = |p: Pose| {
            let (x, z) = (corner[0] - p.x, corner[1] - p.z);
            sqrt(x * x + z * z)
        };
        let left = wrapped(to.pose.heading - from.pose.heading);
        let (turn, angle) = if left > PI { (-1, 2.0 * PI - left) } else { (1, left) };
        let (s, c) = sin_cos(angle / 2.0);
        if c < 1e-6 {
            return Ok(false);
        }
        let needed = if angle < SHORT { 0.0 } else { radius * s / c };
        let (before, behind) = (away(from.pose) - needed, away(to.pose) - needed);
        if before < -SHORT || behind < -SHORT || from.bits != to.bits {
            return Ok(false);
        }
        let arc = Segment { turn, back: false, length: radius * angle };
        let curve = Curve::new(&[line(before.max(0.0)), arc, line(behind.max(0.0))]);
        let Some(start) = from.in_bits() else {
            return Ok(false);
        };
        let blocked = |tile| self.ground.is_blocked(tile);
        let end = curve.end(from.pose, radius);
        let off = (end.x - to.pose.x).abs().max((end.z - to.pose.z).abs());
        if off > 1e-6 || is_hit(self.vehicle.footprint(), radius, start, &curve, blocked) {
            return Ok(false);
        }
        let layer = self.ground.layer_of(start.z) as u32; // below 2^26
        let mut at = from.pose;
        for &segment in curve.segments() {
            let piece = TurningPiece { from: at, segment, layer, ..TurningPiece::default() };
            out.put(piece)?;
            at = segment.end(at, radius);
        }
        out.end = to.pose;
        Ok(true)
    }

    /// A search from a knot to another; `false` when it finds none.
    fn search(
        &self,
        from: &Knot,
        to: &Knot,
        scratch: &mut TurningScratch<'_>,
        out: &mut Out<'_>,
    ) -> Result<bool, AlongStatus> {
        let request = TurningRequest {
            smooth: true,
            ..TurningRequest::new(from.point, from.pose.heading, to.point, Some(to.pose.heading))
        };
        let answer = self.without_links().path(&request, scratch);
        match answer.status {
            TurningStatus::Reached => {}
            TurningStatus::OutOfNodes => return Err(AlongStatus::Memory),
            _ => return Ok(false),
        }
        for &piece in answer.pieces {
            out.put(piece)?;
        }
        out.end = answer.end;
        out.searched += 1;
        Ok(true)
    }
}

impl Knot {
    fn in_bits(&self) -> Option<Pose> {
        let [x, z] = self.bits?.map(f64::from);
        Some(self.pose.moved(x, z))
    }
}

impl Out<'_> {
    fn put(&mut self, piece: TurningPiece) -> Result<(), AlongStatus> {
        *self.pieces.get_mut(self.count).ok_or(AlongStatus::Memory)? = piece;
        self.count += 1;
        Ok(())
    }

    /// Sets the speeds of a vehicle that has them, from rest to rest.
    fn drive(&mut self, query: &TurningQuery<'_>) -> Result<(), AlongStatus> {
        if let Some(speeds) = &query.vehicle.speeds {
            let driven = speeds.drive(self.pieces, self.count, 0.0, Some(0.0), query.ground.tile());
            (self.count, _) = driven.ok_or(AlongStatus::Memory)?;
        }
        Ok(())
    }
}
