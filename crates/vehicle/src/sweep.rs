//! The tiles that a vehicle touches along a curve.
//!
//! A tile is touched where the footprint reaches into it by more than [`CONTACT`] at any pose of
//! the curve, not only at sampled ones. Straight parts are decided by the shape that they sweep,
//! and discs on arcs by the distance of the arc from the tile. For a polygon on an arc the pose in
//! the middle decides: no point of the footprint is farther from there than half the arc's angle
//! times its distance from the centre of the turn. A footprint farther away than that misses the
//! tile for the whole arc, one that reaches in touches it, and between the two the arc is halved.

use crate::curve::{Curve, Pose, Segment};
use crate::footprint::Footprint;
use crate::trig::{atan2, sin_cos, wrapped};
use navbake_navmesh::math::sqrt;

/// Overlaps of no more than this, tiles, are contact and no overlap: a vehicle of width 1 passes
/// between walls 1 apart.
pub const CONTACT: f64 = 1e-7;
/// Where an arc this short is still undecided, the tile is touched.
const SHORT: f64 = 1e-9;
/// Arcs are halved this often at most, which is beyond [`SHORT`] for every arc near a tile.
const MOST_HALVINGS: u32 = 48;

/// Does a vehicle touch a tile along a segment? The tile is given by its centre.
pub fn touches(
    footprint: &Footprint,
    radius: f64,
    from: Pose,
    segment: &Segment,
    tile: [f64; 2],
) -> bool {
    if segment.turn == 0 {
        let to = segment.end(from, radius);
        let by = [to.x - from.x, to.z - from.z];
        return footprint.swept_separation(from, by, tile) < -CONTACT;
    }
    if footprint.corners().is_empty() {
        return arc_to_tile(radius, from, segment, tile) - footprint.reach() < -CONTACT;
    }
    // It never leaves the disc of its farthest point.
    if arc_to_tile(radius, from, segment, tile) >= footprint.reach() {
        return false;
    }
    // The greatest length that any point of the footprint moves, over that of the point on the
    // curve.
    let arm = (radius + footprint.reach()) / radius;
    let mut from_along = 0.0;
    let mut length = segment.length;
    // The arc is cut into `2^level` parts, and parts are looked at one after the other, the next
    // greater one where a part is done.
    let (mut level, mut part) = (0u32, 0u64);
    loop {
        let half = length / 2.0;
        let pose = segment.pose(from, radius, from_along + half);
        let gap = footprint.separation(pose, tile);
        let most = half * arm;
        if gap < -CONTACT {
            return true;
        }
        if gap - most >= -CONTACT {
            // Done with this part; on to the next, as large as may be.
            part += 1;
            from_along += length;
            while level > 0 && part.is_multiple_of(2) {
                part /= 2;
                level -= 1;
                length *= 2.0;
            }
            if level == 0 {
                return false;
            }
        } else if most < SHORT || level >= MOST_HALVINGS {
            return true;
        } else {
            level += 1;
            part *= 2;
            length = half;
        }
    }
}

/// Distance of an arc from a tile, 0 where it goes through.
///
/// Where they are nearest one of these is: an end of the arc, a point of it where it runs along an
/// axis, or a corner of the tile.
fn arc_to_tile(radius: f64, from: Pose, segment: &Segment, tile: [f64; 2]) -> f64 {
    let turn = f64::from(segment.turn);
    let (s, c) = sin_cos(from.heading);
    let start = [from.x - tile[0], from.z - tile[1]];
    // The centre of the turn is to its left or right.
    let about = [start[0] - turn * radius * s, start[1] - turn * radius * c];
    let end = segment.end(from, radius);
    let swept = segment.length / radius;
    let sense = if segment.back { -turn } else { turn };
    // From there, rows downwards: the angle of the first point, and of others on from it.
    let first = atan2(about[1] - start[1], start[0] - about[0]);
    let on_arc = |p: [f64; 2]| {
        let angle = atan2(about[1] - p[1], p[0] - about[0]);
        wrapped(sense * (angle - first)) <= swept
    };
    let point = |p: [f64; 2]| {
        let (x, z) = ((p[0].abs() - 0.5).max(0.0), (p[1].abs() - 0.5).max(0.0));
        sqrt(x * x + z * z)
    };
    let mut least = point(start).min(point([end.x - tile[0], end.z - tile[1]]));
    for way in [[radius, 0.0], [-radius, 0.0], [0.0, radius], [0.0, -radius]] {
        let p = [about[0] + way[0], about[1] + way[1]];
        if point(p) < least && on_arc(p) {
            least = point(p);
        }
    }
    for corner in [[-0.5, -0.5], [-0.5, 0.5], [0.5, -0.5], [0.5, 0.5]] {
        let (x, z) = (corner[0] - about[0], corner[1] - about[1]);
        let gap = (sqrt(x * x + z * z) - radius).abs();
        if gap < least && on_arc(corner) {
            least = gap;
        }
    }
    // Does it cross a side?
    for k in 0..2 {
        for side in [-0.5, 0.5] {
            let away = side - about[k];
            let square = radius * radius - away * away;
            if least == 0.0 || square < 0.0 {
                continue;
            }
            for half in [sqrt(square), -sqrt(square)] {
                let along = about[1 - k] + half;
                let p = if k == 0 { [side, along] } else { [along, side] };
                if along.abs() <= 0.5 && on_arc(p) {
                    least = 0.0;
                }
            }
        }
    }
    least
}

/// Calls `tile` with the middle of each tile that may be near the curve, until it says that it has
/// seen enough; tiles may come several times. Gives whether it did.
pub fn near_tiles(
    footprint: &Footprint,
    radius: f64,
    from: Pose,
    curve: &Curve,
    mut tile: impl FnMut(&Segment, Pose, [i32; 2]) -> bool,
) -> bool {
    let mut at = from;
    for segment in curve.segments() {
        // Short enough that the box around an arc is hardly larger than the arc.
        let parts = match segment.turn {
            0 => (segment.length / 2.0) as u32 + 1,
            _ => (segment.length / radius * 1.5) as u32 + 1,
        }
        .min(1 << 20);
        for _ in 0..parts {
            let part = Segment { length: segment.length / f64::from(parts), ..*segment };
            let next = part.end(at, radius);
            // How far the arc bends away from its chord: no more than an eighth of its length
            // squared over the radius.
            let bend = match part.turn {
                0 => 0.0,
                _ => part.length * part.length / (8.0 * radius),
            };
            let around = footprint.reach() + bend + 0.5;
            let low = [at.x.min(next.x) - around, at.z.min(next.z) - around];
            let high = [at.x.max(next.x) + around, at.z.max(next.z) + around];
            for z in ceil(low[1])..=floor(high[1]) {
                for x in ceil(low[0])..=floor(high[0]) {
                    if tile(&part, at, [x, z]) {
                        return true;
                    }
                }
            }
            at = next;
        }
    }
    false
}

fn floor(v: f64) -> i32 {
    let cut = v as i32; // saturates
    if f64::from(cut) > v { cut.saturating_sub(1) } else { cut }
}

fn ceil(v: f64) -> i32 {
    let cut = v as i32;
    if f64::from(cut) < v { cut.saturating_add(1) } else { cut }
}

/// Does a vehicle along a curve touch a tile that is `blocked`?
pub fn is_hit(
    footprint: &Footprint,
    radius: f64,
    from: Pose,
    curve: &Curve,
    mut blocked: impl FnMut([i32; 2]) -> bool,
) -> bool {
    near_tiles(footprint, radius, from, curve, |segment, at, tile| {
        blocked(tile) && touches(footprint, radius, at, segment, tile.map(f64::from))
    })
}

/// Does a vehicle at a pose touch a tile that is `blocked`?
pub fn is_pose_hit(
    footprint: &Footprint,
    pose: Pose,
    mut blocked: impl FnMut([i32; 2]) -> bool,
) -> bool {
    let around = footprint.reach() + 0.5;
    for z in ceil(pose.z - around)..=floor(pose.z + around) {
        for x in ceil(pose.x - around)..=floor(pose.x + around) {
            if blocked([x, z])
                && footprint.separation(pose, [f64::from(x), f64::from(z)]) < -CONTACT
            {
                return true;
            }
        }
    }
    false
}
