//! How much room there is beside a wall.

use super::blocks::Near;
use super::footprint::footprint;
use super::ground::{Ground, LINTEL};
use crate::explain::solid::TOUCH;
use crate::ring::distance;

impl Ground<'_> {
    /// The nearest place of a wall, and how wide the passage between that and a wall on the other
    /// side is, up to the agent's width.
    ///
    /// One wall makes no passage: beside it the agent has room.
    pub(super) fn tightness(
        &self,
        at: [f64; 2],
        y: f64,
        walls: &[Near],
    ) -> Option<([f64; 2], f64)> {
        let (band, reach) = (self.band(y), self.reach());
        let part = |n: &Near| distance(&footprint(self.solid(n.number), band), at);
        let mut nearest = (reach, None);
        for n in walls.iter().filter(|n| n.is_beside(band)) {
            if n.is_within(at, nearest.0)
                && let Some((far, p)) = part(n)
                && far < nearest.0
            {
                nearest = (far, Some(p));
            }
        }
        let (far, p) = (nearest.0, nearest.1?);
        let to = [p[0] - at[0], p[1] - at[1]];
        let mut wide = reach;
        for n in walls.iter().filter(|n| n.is_beside(band) && n.is_opposite(at, to)) {
            if let Some((e, q)) = part(n).filter(|(e, _)| *e < reach) {
                let dot = to[0] * (q[0] - at[0]) + to[1] * (q[1] - at[1]);
                if dot <= -0.5 * far * e {
                    wide = wide.min((p[0] - q[0]).hypot(p[1] - q[1]));
                }
            }
        }
        Some((p, wide))
    }

    /// What is too low above the place beside a wall where the agent has room for its radius, and
    /// the head room there.
    pub(super) fn low_beside(
        &self,
        at: [f64; 2],
        wall: [f64; 2],
        y: f64,
        flat: &[Near],
    ) -> Option<(u32, f64)> {
        let away = [at[0] - wall[0], at[1] - wall[1]];
        let far = away[0].hypot(away[1]).max(1.0);
        let stood = [0, 1].map(|k| wall[k] + away[k] * self.body.radius / far);
        let band = [y + LINTEL * self.body.height, y + self.body.height - TOUCH];
        let low = flat.iter().filter(|n| n.is_beside(band)).filter_map(|n| {
            let solid = self.solid(n.number);
            let room = solid.holds(stood).then(|| solid.at(stood) - y)?;
            (band[0] <= y + room && y + room <= band[1]).then_some((n.number, room))
        });
        low.min_by(|a, b| a.1.total_cmp(&b.1))
    }
}
