//! A found path made shorter, where the ground has room for it.
//!
//! Paths over a lattice bend more often than they must, as their headings are few. From each bend
//! the shortest curve to one farther on is tried, the farthest first, and taken where it is free
//! and shorter: the pass that Pinter's article makes over the path's own nodes, with the sweep
//! instead of tables.

use navbake_format::VehicleView;

use crate::connect::{self, Target, free_curve};
use crate::curve::{Curve, Pose};
use crate::lattice::parts;
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
        if pieces[read].link.is_some() {
            pieces[write] = pieces[read];
            (read, write) = (read + 1, write + 1);
            continue;
        }
        let from = pieces[read].from;
        let back = pieces[read].segment.back;
        // As far as the gear is the same, and up to the next link.
        let run = pieces[read..count.min(read + FARTHEST)]
            .iter()
            .take_while(|p| p.segment.back == back && p.link.is_none())
            .count();
        let mut step = run;
        let mut found = None;
        while step >= 2 && found.is_none() {
            let next = read + step;
            let to = if next < count { pieces[next].from } else { end };
            let length: f64 = pieces[read..next].iter().map(|p| p.segment.length).sum();
            let gear = u32::from(back);
            let free = free_curve(vehicle, ground, from, &Target::Pose(to), 0, gear, length - 1e-6);
            let curve = free
                .and_then(|(form, _)| connect::curve(vehicle, from, &Target::Pose(to), gear, form));
            // Writing must not overtake reading.
            found = curve.filter(|c| c.segments().len() <= step).and_then(|c| {
                let saves = query.saves(&pieces[read..next], &c, length, gear);
                (saves > 0.0).then_some((c, saves))
            });
            if found.is_none() {
                step /= 2;
            }
        }
        let Some((curve, saves)) = found else {
            let piece = pieces[read];
            _ = put(&Curve::new(&[piece.segment]), piece.from, (radius, 0), pieces, &mut write);
            read += 1;
            continue;
        };
        *saved += saves;
        _ = put(&curve, from, (radius, 0), pieces, &mut write);
        read += step;
    }
    write
}

impl TurningQuery<'_> {
    /// What a curve costs less than the pieces of that length that it replaces, tiles.
    fn saves(&self, pieces: &[TurningPiece], curve: &Curve, length: f64, gear: u32) -> f64 {
        if self.filter.areas.is_empty() {
            let price = match self.vehicle.reverse {
                Some([penalty, _]) if gear > 0 => penalty,
                _ => 1.0,
            };
            return self.filter.cost_of_tiles(price * (length - curve.length()));
        }
        let cost = |from, curve: &Curve| {
            let cost =
                self.curve_cost(from, curve, self.vehicle.radius, gear, parts(curve.length()));
            cost.map_or(f64::INFINITY, f64::from)
        };
        let before = pieces.iter().map(|p| cost(p.from, &Curve::new(&[p.segment])));
        let before: f64 = before.sum();
        let after = pieces.first().map_or(f64::INFINITY, |p| cost(p.from, curve));
        (before - after) / f64::from(VehicleView::UNITS)
    }
}
