//! The depth and distance that the agents of a class can leap.

use navbake_geom::Grid;
use navbake_level::Agent;

use crate::leap::{Body, TOUCH, Way};

/// The sizes of a class and the reach of its agents, grid units.
#[derive(Clone, Debug)]
pub struct Reach {
    pub(crate) body: Body,
    /// Distance of borders from the end of the ground, grid units.
    ///
    /// It is the radius, or 0 for a floor drawn by hand.
    pub(crate) inset: f64,
    /// The deepest drop and the widest gap of any agent.
    pub(crate) drop: f64,
    pub(crate) jump: f64,
    members: Vec<Member>,
}

#[derive(Clone, Debug)]
struct Member {
    /// Its bit in the masks of links.
    bit: u32,
    drop: f64,
    jump: f64,
}

impl Reach {
    /// `agents` are those of one class with their bits.
    ///
    /// `None` if none of them can drop or jump.
    pub fn of(agents: &[(u32, &Agent)], grid: &Grid, is_inset: bool) -> Option<Reach> {
        let length = |metres: f64| f64::from(grid.length(metres));
        let members: Vec<Member> = (agents.iter())
            .filter(|(_, a)| a.drop > 0.0 || a.jump > 0.0)
            .map(|(bit, a)| Member { bit: *bit, drop: length(a.drop), jump: length(a.jump) })
            .collect();
        let (_, first) = agents.first().filter(|_| !members.is_empty())?;
        let body = Body::of(first, grid);
        let most = |of: fn(&Member) -> f64| members.iter().map(of).fold(0.0, f64::max);
        Some(Reach {
            body,
            inset: if is_inset { body.radius } else { 0.0 },
            drop: most(|m| m.drop),
            jump: most(|m| m.jump),
            members,
        })
    }

    /// The distance between samples along a border, and between landings.
    pub(crate) fn pace(&self) -> f64 {
        // A lower bound, so that no agent sizes lead to millions of samples for each metre.
        const LEAST: f64 = 16.0;
        (self.body.radius.max(self.body.height / 8.0) / 2.0).round_ties_even().max(LEAST)
    }

    /// The agents that can make a leap, one bit each.
    ///
    /// A leap is a drop of depth `fall`, or a jump of this length (from border to border) to a
    /// landing that is lower by `fall`.
    pub(crate) fn agents(&self, way: Way, length: f64, fall: f64) -> u32 {
        let gap = length - 2.0 * self.inset;
        let can = |m: &&Member| match way {
            Way::Drop => fall <= m.drop + TOUCH,
            Way::Jump => gap <= m.jump + 2.0 * TOUCH && fall <= m.drop.max(self.body.climb) + TOUCH,
        };
        let able = self.members.iter().filter(can);
        able.fold(0, |all, m| all | m.bit)
    }
}
