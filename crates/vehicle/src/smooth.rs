//! A found path made shorter, where the ground has room for it.
//!
//! Paths over a lattice bend more often than they must, as their headings are few. From each bend
//! the shortest curve to one farther on is tried, the farthest first, and taken where it is free
//! and shorter: the pass that Pinter's article makes over the path's own nodes, with the sweep
//! instead of tables.

use crate::connect::{self, Target, free_curve};
use crate::curve::{Curve, Pose};
use crate::pieces::put;
use crate::query::TurningQuery;
use crate::request::TurningPiece;

/// How many pieces farther on are tried first.
const FARTHEST: usize = 64;
/// How often the whole path is gone over.
const PASSES: u32 = 2;

/// Makes `pieces[..count]`, which end at `end`, shorter in place: the number of pieces left, and
/// the length saved, tiles.
pub(crate) fn smooth(
    query: &TurningQuery<'_>,
    pieces: &mut [TurningPiece],
    mut count: usize,
    end: Pose,
) -> (usize, f64) {
    let mut saved = 0.0;
    for _ in 0..PASSES {
        let before = saved;
        count = pass(query, pieces, count, end, &mut saved);
        if saved - before < 1e-6 {
            break;
        }
    }
    (count, saved)
}

fn pass(
    query: &TurningQuery<'_>,
    pieces: &mut [TurningPiece],
    count: usize,
    end: Pose,
    saved: &mut f64,
) -> usize {
    let (vehicle, ground, radius) = (query.vehicle, query.ground, query.vehicle.turn_radius());
    let (mut read, mut write) = (0, 0);
    while read < count {
        let from = pieces[read].from;
        let back = pieces[read].segment.back;
        // As far as the gear is the same.
        let run = pieces[read..count.min(read + FARTHEST)]
            .iter()
            .take_while(|p| p.segment.back == back)
            .count();
        let mut step = run;
        let mut found = None;
        while step >= 2 && found.is_none() {
            let next = read + step;
            let to = if next < count { pieces[next].from } else { end };
            let length: f64 = pieces[read..next].iter().map(|p| p.segment.length).sum();
            let gear = u32::from(back);
            let free = free_curve(vehicle, ground, from, &Target::Pose(to), gear, length - 1e-6);
            let curve = free
                .and_then(|(form, _)| connect::curve(vehicle, from, &Target::Pose(to), gear, form));
            // Writing must not overtake reading.
            found = curve.filter(|c| c.segments().len() <= step).map(|c| (c, length));
            if found.is_none() {
                step /= 2;
            }
        }
        let Some((curve, length)) = found else {
            let piece = pieces[read];
            _ = put(&Curve::new(&[piece.segment]), piece.from, radius, pieces, &mut write);
            read += 1;
            continue;
        };
        let price = match vehicle.reverse {
            Some([penalty, _]) if back => penalty,
            _ => 1.0,
        };
        *saved += price * (length - curve.length());
        _ = put(&curve, from, radius, pieces, &mut write);
        read += step;
    }
    write
}
