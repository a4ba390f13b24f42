//! Lower bounds of the cost of all paths over a piece.

use super::Front;
use crate::paths::nodes::Goal;
use crate::paths::weighted::piece::{Piece, relative};
use crate::paths::weighted::ways::Ways;

impl Front<'_, '_> {
    /// The least cost of the paths to a target.
    pub(super) fn worth_to(&self, target: &Goal, ways: &Ways) -> f64 {
        let to = relative(target.point, self.state.start);
        ways.at(to, self.state.height_of(target)).0
    }

    /// How far all paths to a piece are above a line, with ground stretched.
    pub(super) fn above(&self, piece: &Piece, line: [f64; 2]) -> f64 {
        let ground = self.ground(piece.polygon).times(self.state.stretch);
        let line = Ways::line(&piece.span(), line, ground);
        let mut least = f64::INFINITY;
        self.arrivals(piece, ground, |ways, _| least = least.min(ways.above(&line)));
        least
    }

    /// The lower bound of all paths over a piece by landmarks; 0 where they give none.
    pub(super) fn by_landmarks(&self, piece: &Piece) -> f64 {
        let Some(landmarks) = &self.landmarks else {
            return 0.0;
        };
        // Going up and down never makes a path cheaper than its length alone does.
        let weight = self.state.least().weight;
        let border = self.query.mesh().polys().border(piece.polygon);
        let Some(here) = border.get(piece.edge as usize) else {
            return 0.0;
        };
        if weight <= 0.0 || piece.value[0].max(piece.value[1]) == f64::INFINITY {
            return 0.0;
        }
        let next = border.after(piece.edge as usize);
        let (polygon, ends) = (piece.polygon, [&*here, &*next]);
        let to =
            |t: &Goal| landmarks.beyond(polygon, ends, piece.share, piece.value, weight, &t.away);
        self.targets.iter().map(to).fold(f64::INFINITY, f64::min)
    }

    /// Computes the lower bound of all paths over a piece.
    ///
    /// The cost of reaching it, plus the remaining distance over the cheapest ground: the straight
    /// line, or the landmarks' bound.
    pub(super) fn worth(&mut self, n: u32) -> f64 {
        let Some(&piece) = self.pieces.get(n as usize) else {
            return f64::INFINITY;
        };
        let ways = piece.ways(self.state.least());
        let mut f = f64::INFINITY;
        for (t, target) in self.targets.iter().enumerate() {
            let to = self.worth_to(target, &ways);
            // Of several goals, those that the piece leads to no cheaper do not count.
            if self.reaches.get(t).is_none_or(|r| r.open && to < self.state.until(r)) {
                f = f.min(to);
            }
        }
        if self.landmarks.is_some() {
            f = f.max(self.by_landmarks(&piece));
        }
        self.pieces[n as usize].f = f;
        f
    }
}
