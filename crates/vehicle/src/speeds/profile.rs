//! The speeds along a path: the greatest that acceleration, braking and classes allow.
//!
//! The search knows speeds as levels. Along the path that it finds each piece is driven as fast as
//! the bounds allow, which takes no longer than over the levels.

use navbake_navmesh::math::sqrt;

use crate::query::TurningQuery;
use crate::request::{TurningPiece, TurningScratch};
use crate::search::TurningSearch;

use super::Speeds;
use super::motion::Stretch;

/// Phases of no more than this, tiles, are left out.
const SHORT: f64 = 1e-9;

impl TurningSearch {
    /// Sets the speeds of the pieces in the scratch, and splits pieces where the acceleration
    /// changes: how many there are then, the time and the cost of the path, s.
    ///
    /// `None` when there is no room.
    pub(crate) fn drive(
        &self,
        query: &TurningQuery<'_>,
        speeds: &Speeds<'_>,
        scratch: &mut TurningScratch<'_>,
        count: usize,
    ) -> Option<(usize, f64, f64)> {
        let over_levels = self.time_of_best(query, speeds, scratch)?;
        let more = self.best.saturating_sub(over_levels);
        let tile = query.ground.tile();
        let (count, time) =
            speeds.drive(scratch.pieces, count, self.start_square, self.last_square(), tile)?;
        Some((count, time, time + speeds.seconds(more)))
    }
}

impl Speeds<'_> {
    fn stretch(&self, piece: &TurningPiece) -> Stretch {
        let s = piece.segment;
        Stretch { length: s.length, cap: self.cap(piece.class, s.turn, s.back) }
    }

    /// The greatest square of the speed between two pieces.
    fn cap_between(&self, a: &TurningPiece, b: &TurningPiece) -> f64 {
        if a.segment.back != b.segment.back || a.link.is_some() || b.link.is_some() {
            return 0.0;
        }
        self.stretch(a).cap.min(self.stretch(b).cap)
    }

    /// Drives the first `count` pieces, from one square of the speed to another or to any: how many
    /// pieces there are then, and the time, s.
    ///
    /// `None` when there is no room.
    pub(crate) fn drive(
        &self,
        pieces: &mut [TurningPiece],
        count: usize,
        from: f64,
        to: Option<f64>,
        tile: f64,
    ) -> Option<(usize, f64)> {
        // Forwards, then backwards; squares in place of speeds.
        let mut before = from;
        for k in 0..count {
            let piece = *pieces.get(k)?;
            let cap = match pieces.get(k + 1).filter(|_| k + 1 < count) {
                Some(next) => self.cap_between(&piece, next),
                None => to.unwrap_or(self.stretch(&piece).cap),
            };
            let after = self.bounds.faster(before, piece.segment.length).min(cap);
            pieces[k].speeds = [before, after];
            before = after;
        }
        let mut after = before;
        for piece in pieces.get_mut(..count)?.iter_mut().rev() {
            let most = self.bounds.slower(after, piece.segment.length);
            piece.speeds = [piece.speeds[0].min(most), after];
            after = piece.speeds[0];
        }
        if let Some(first) = pieces.get_mut(..count)?.first_mut() {
            // There is room to brake from there: a lesser square is rounding.
            first.speeds[0] = from;
        }
        let total = pieces.get(..count)?.iter().map(|piece| self.split(piece, tile).1).sum();
        // From the back, so that nothing is written over before it is read.
        let (mut at, mut time) = (total, 0.0);
        for k in (0..count).rev() {
            let (parts, many) = self.split(pieces.get(k)?, tile);
            at -= many;
            pieces.get_mut(at..at + many)?.copy_from_slice(parts.get(..many)?);
            time += parts.iter().take(many).map(|part| part.time(tile)).sum::<f64>();
        }
        Some((total, time))
    }

    /// A piece with the squares of its speeds, as pieces of constant acceleration with speeds: the
    /// first ones of three.
    fn split(&self, piece: &TurningPiece, tile: f64) -> ([TurningPiece; 3], usize) {
        let (mut parts, mut many, mut along) = ([*piece; 3], 0, 0.0);
        let radius = self.radius(piece.class);
        for phase in self.bounds.phases(self.stretch(piece), piece.speeds) {
            if phase.length > SHORT
                && let Some(part) = parts.get_mut(many)
            {
                part.from = piece.segment.pose(piece.from, radius, along);
                part.segment.length = phase.length;
                part.speeds = phase.ends;
                many += 1;
            }
            along += phase.length;
        }
        for part in &mut parts {
            if part.segment.turn == 0 {
                let most = part.speeds[0].max(part.speeds[1]) * (1.0 - 1e-9);
                let class = self.caps.iter().take(self.classes).position(|&cap| cap >= most);
                part.class = class.unwrap_or(self.classes - 1) as u8; // at most 3
            }
            part.speeds = part.speeds.map(|square| sqrt(square) * tile);
        }
        (parts, many.max(1))
    }
}
