//! How much room there is beside a wall.

use super::blocks::Near;
use super::footprint::{footprint, is_crossed};
use super::ground::{Ground, LINTEL};
use crate::explain::solid::TOUCH;
use crate::ring::distance;

/// Beside the ends of two walls both may be ahead by at most this, the cosine of an angle.
const ASKEW: f64 = 0.1;

/// The room between walls at a place, grid units.
struct Room {
    /// The nearest place of a wall.
    wall: [f64; 2],
    /// How wide the passage is, up to the agent's width.
    wide: f64,
    /// Is there none here, and maybe one beside?
    is_beside_end: bool,
}

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
        let found = self.room_at(at, y, walls)?;
        if !found.is_beside_end {
            return Some((found.wall, found.wide));
        }
        // Two thin walls have their ends between this place and the next.
        let band = self.band(y);
        let is_free = |to: &[f64; 2]| {
            let beside = walls.iter().filter(|n| n.is_beside(band));
            beside.into_iter().all(|n| !is_crossed(self.solid(n.number), band, at, *to))
        };
        let rooms = self.towards_next(at).filter(is_free).filter_map(|p| self.room_at(p, y, walls));
        Some((found.wall, rooms.map(|room| room.wide).fold(found.wide, f64::min)))
    }

    /// Places a third of the way to each of the eight next cells.
    pub(super) fn towards_next(&self, [x, z]: [f64; 2]) -> impl Iterator<Item = [f64; 2]> {
        let third = self.cell / 3.0;
        let steps = (-1..=1).flat_map(|i| (-1..=1).map(move |k| [i, k]));
        let steps = steps.filter(|step| *step != [0, 0]);
        steps.map(move |[i, k]| [x + f64::from(i) * third, z + f64::from(k) * third])
    }

    /// The room between walls at a place; `None` where no wall is within the agent's width.
    fn room_at(&self, at: [f64; 2], y: f64, walls: &[Near]) -> Option<Room> {
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
        let mut room = Room { wall: p, wide: reach, is_beside_end: false };
        let ahead = ASKEW * far * reach;
        for n in walls.iter().filter(|n| n.is_beside(band) && n.is_behind(at, to, ahead)) {
            if let Some((e, q)) = part(n).filter(|(e, _)| *e < reach) {
                let dot = to[0] * (q[0] - at[0]) + to[1] * (q[1] - at[1]);
                let wide = (p[0] - q[0]).hypot(p[1] - q[1]);
                if dot <= -0.5 * far * e {
                    room.wide = room.wide.min(wide);
                } else if dot <= ASKEW * far * e && wide < reach {
                    room.is_beside_end = true;
                }
            }
        }
        room.is_beside_end &= room.wide >= reach && far < self.body.radius;
        Some(room)
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
