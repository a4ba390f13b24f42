//! A found path as arcs and lines, and as points.

use navbake_format::VehicleView;

use crate::connect::{self, Target};
use crate::curve::{Curve, Pose, Segment};
use crate::dubins::{Between, Word};
use crate::lattice::lattice_pose;
use crate::query::TurningQuery;
use crate::request::{
    CHANGE, ENTRY, LINK, NONE, START, TurningAnswer, TurningNode, TurningPiece, TurningScratch,
    TurningStatus,
};
use crate::search::TurningSearch;
use crate::smooth::smooth;
use crate::sweep::is_hit;
use crate::tables::Vehicle;
use crate::trig::{TURN, wrapped};
use navbake_navmesh::math::round;

impl TurningSearch {
    /// The path, once the search is over.
    pub fn answer<'s>(
        &self,
        query: &TurningQuery<'_>,
        scratch: &'s mut TurningScratch<'_>,
    ) -> TurningAnswer<'s> {
        let tile = query.ground.tile();
        let metres = |cost: u64| cost as f64 / f64::from(VehicleView::UNITS) * tile;
        let mut answer = TurningAnswer {
            status: self.status,
            length: 0.0,
            time: 0.0,
            cost: 0.0,
            bound: 0.0,
            pieces: &[],
            end: self.start,
            expanded: self.expanded,
            tested: self.tested,
            nodes: self.used as u32,
            max_open: self.max_open,
        };
        if self.status != TurningStatus::Reached {
            return answer;
        }
        let Some((count, end)) = self.write_pieces(query, scratch) else {
            answer.status = TurningStatus::OutOfNodes;
            return answer;
        };
        let (count, saved) = if self.smooth {
            let pieces = scratch.pieces.get_mut(..count).unwrap_or_default();
            smooth(query, pieces, count, end)
        } else {
            (count, 0.0)
        };
        answer.cost = metres(self.best) - saved * tile;
        answer.bound = metres(self.bound.min(self.best)).min(answer.cost);
        let mut count = count;
        if let Some(speeds) = &query.vehicle.speeds {
            let Some(driven) = self.drive(query, speeds, scratch, count) else {
                answer.status = TurningStatus::OutOfNodes;
                return answer;
            };
            (count, answer.time, answer.cost) = driven;
            answer.bound = speeds.seconds(self.bound);
        }
        let pieces = scratch.pieces.get_mut(..count).unwrap_or_default();
        for piece in pieces.iter_mut() {
            piece.layer = query.ground.layer_of(piece.from.z) as u32; // below 2^26
            piece.from = query.ground.plan_pose(piece.from);
        }
        answer.pieces = pieces;
        answer.length = tile * answer.pieces.iter().map(|p| p.segment.length).sum::<f64>();
        answer.end = query.ground.plan_pose(end);
        answer
    }

    /// Writes the pieces of the best path into the scratch: how many there are and where they end.
    ///
    /// `None` when there is no room.
    pub(crate) fn write_pieces(
        &self,
        query: &TurningQuery<'_>,
        scratch: &mut TurningScratch<'_>,
    ) -> Option<(usize, Pose)> {
        // Turned round, so that each node names the next; and back again, so that the answer can be
        // read twice.
        let first = turn_round(scratch.nodes, self.last);
        let vehicle = query.vehicle;
        let (mut at, mut count) = (self.start, 0);
        // The state that `at` is, and the row of the last pose: the path stays on a layer where it
        // can.
        let (mut here, mut row) = (None, self.start.z);
        let mut node = first;
        let mut done = Some(());
        for _ in 0..scratch.nodes.len() {
            let Some(&TurningNode { state, by, parent, .. }) = scratch.nodes.get(node as usize)
            else {
                break;
            };
            if let Some(here) = here
                && by < LINK
            {
                at = self.free_image(query, here, row, state, by);
            }
            row = at.z;
            done = if let Some(link) = query.link_of(by) {
                put_link(at, link, scratch.pieces, &mut count)
            } else {
                let laid = self.curve_to(query, at, state, by);
                let class = class_by(vehicle, by);
                let own = (vehicle.radius_of(class), class);
                laid.and_then(|curve| put(&curve, at, own, scratch.pieces, &mut count))
            };
            if done.is_none() {
                break;
            }
            if by != START {
                at = query.pose_like(state, row);
            }
            here = Some(state);
            node = parent;
        }
        turn_round(scratch.nodes, first);
        done?;
        if let Some((gear, form)) = self.final_curve {
            if let Some(here) = here {
                at = query.pose_like(here, self.target.place()[1]);
            }
            let curve = connect::curve(query.vehicle, at, &self.target, gear, form)?;
            let radius = vehicle.radius_of(form >> 3);
            put(&curve, at, (radius, form >> 3), scratch.pieces, &mut count)?;
            at = match self.target {
                Target::Pose(pose) => pose,
                Target::Point(_) => curve.end(at, radius),
            };
        }
        Some((count, at))
    }

    /// The pose of a state on a layer where a move from there leads to another and is free: that of
    /// `row` if it is.
    fn free_image(
        &self,
        query: &TurningQuery<'_>,
        here: u32,
        row: f64,
        state: u32,
        by: u32,
    ) -> Pose {
        let (vehicle, ground) = (query.vehicle, query.ground);
        let first = query.pose_like(here, row);
        if ground.twins.is_empty() {
            return first;
        }
        let (tile, _, heading) = query.parts_of(here);
        let images = ground.images(tile);
        let poses = images.map(|t| lattice_pose(ground.tile_of(t), heading, vehicle.headings()));
        let home = query.parts_of(state).0;
        let radius = vehicle.radius_of(class_by(vehicle, by));
        let is_free = |pose: &Pose| {
            let blocked = |tile| ground.is_blocked(tile);
            let Some(curve) = self.curve_to(query, *pose, state, by) else {
                return false;
            };
            // On another layer the same move may lead to another storey.
            let end = curve.end(*pose, radius);
            let tile = [end.x, end.z].map(round);
            ground.is_inside(tile)
                && ground.home(ground.id(tile)) == home
                && !is_hit(&vehicle.footprint, radius, *pose, &curve, blocked)
        };
        let mut all = core::iter::once(first).chain(poses);
        all.find(is_free).unwrap_or(first)
    }

    /// The curve by which a state was reached from a pose.
    fn curve_to(&self, query: &TurningQuery<'_>, from: Pose, state: u32, by: u32) -> Option<Curve> {
        let vehicle = query.vehicle;
        let (_, lane, heading) = query.parts_of(state);
        let gear = lane % vehicle.gears();
        if by == START || by == CHANGE {
            return Some(Curve::default());
        }
        if by & ENTRY != 0 {
            let to = Target::Pose(query.pose_like(state, from.z));
            return connect::curve(vehicle, from, &to, gear, (by & 31) as u8);
        }
        query.move_curve(from, gear, by as usize, heading)
    }
}

impl TurningQuery<'_> {
    /// The curve of a move from a pose to a heading.
    pub(crate) fn move_curve(
        &self,
        from: Pose,
        gear: u32,
        number: usize,
        heading: u32,
    ) -> Option<Curve> {
        let vehicle = self.vehicle;
        // As it was when its tiles were found: from the middle of the first tile.
        let step = vehicle.a_move(number);
        let headings = vehicle.headings();
        let travel = round(wrapped(from.heading) / TURN * f64::from(headings));
        let start = vehicle.travel(gear, travel as u32 % headings);
        let end = vehicle.travel(gear, heading);
        let word = *Word::ALL.get(usize::from(step.word))?;
        let curve = Between::new(
            lattice_pose([0, 0], start, headings),
            lattice_pose(step.offset.map(i32::from), end, headings),
            vehicle.radius_of(vehicle.class_of(number)),
        )
        .curve(word)?;
        Some(if gear > 0 { curve.backwards() } else { curve })
    }
}

/// The speed class of the curve by which a state was reached.
fn class_by(vehicle: &Vehicle<'_>, by: u32) -> u8 {
    match by {
        START | CHANGE => 0,
        _ if by & ENTRY != 0 => ((by & 31) >> 3) as u8, // below 4
        _ => vehicle.class_of(by as usize),
    }
}

/// Turns a chain of nodes round: its last becomes the first.
fn turn_round(nodes: &mut [TurningNode], last: u32) -> u32 {
    let (mut before, mut at) = (NONE, last);
    // No chain is longer than that, in whatever scratch.
    for _ in 0..nodes.len() {
        let Some(node) = nodes.get_mut(at as usize) else {
            break;
        };
        let next = node.parent;
        node.parent = before;
        before = at;
        at = next;
    }
    before
}

/// Adds a curve's segments, of that turn radius and speed class. One that continues the last piece
/// makes that longer.
///
/// `None` when there is no room.
pub(crate) fn put(
    curve: &Curve,
    from: Pose,
    (radius, class): (f64, u8),
    pieces: &mut [TurningPiece],
    count: &mut usize,
) -> Option<()> {
    let mut at = from;
    for &segment in curve.segments() {
        let last = count.checked_sub(1).and_then(|last| pieces.get_mut(last));
        match last.filter(|last| continues(last, at, segment, (radius, class))) {
            Some(last) => last.segment.length += segment.length,
            None => {
                *pieces.get_mut(*count)? =
                    TurningPiece { from: at, segment, class, ..TurningPiece::default() };
                *count += 1;
            }
        }
        at = segment.end(at, radius);
    }
    Some(())
}

/// Adds a link that begins at a pose.
///
/// `None` when there is no room.
pub(crate) fn put_link(
    from: Pose,
    link: u32,
    pieces: &mut [TurningPiece],
    count: &mut usize,
) -> Option<()> {
    let piece = TurningPiece { from, link: Some(link), ..TurningPiece::default() };
    *pieces.get_mut(*count)? = piece;
    *count += 1;
    Some(())
}

/// Is a segment from a pose more of the same line or circle as a piece? Not on another layer.
fn continues(last: &TurningPiece, at: Pose, segment: Segment, (radius, class): (f64, u8)) -> bool {
    let own = last.segment;
    let end = own.end(last.from, radius);
    let apart = (end.x - at.x).abs() + (end.z - at.z).abs();
    let turned = wrapped(end.heading - at.heading);
    let whole = segment.turn == 0 || own.length + segment.length < TURN * radius;
    last.link.is_none()
        && (own.turn == 0 || last.class == class)
        && (own.turn, own.back) == (segment.turn, segment.back)
        && whole
        && apart < SAME
        && turned.min(TURN - turned) < SAME
}

/// Poses that differ by no more are one, tiles and radians.
const SAME: f64 = 1e-6;

impl TurningAnswer<'_> {
    /// The pose of a vehicle after a length of its path, tiles; its end after all of it.
    pub fn pose(&self, vehicle: &Vehicle<'_>, mut along: f64) -> Pose {
        for piece in self.pieces {
            let radius = vehicle.radius_of(piece.class);
            if along <= piece.segment.length {
                return piece.segment.pose(piece.from, radius, along.max(0.0));
            }
            along -= piece.segment.length;
        }
        self.end
    }
}
