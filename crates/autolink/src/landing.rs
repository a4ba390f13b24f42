//! Finds the places where an agent lands when it leaves the ground at a brink.

use crate::border::Brink;
use crate::floor::{Floor, Place};
use crate::leap::{Body, Leap, TOUCH, Way};
use crate::prism::Prism;
use crate::reach::Reach;
use crate::solids::Solids;

/// A leap that is proved free.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) brink: Brink,
    pub(crate) to: Place,
    pub(crate) way: Way,
    /// The leap is possible in the other direction too.
    pub(crate) both_ways: bool,
    /// The agents that can make the leap, one bit each.
    pub(crate) agents: u32,
}

/// Searches for landings.
pub(crate) struct Finder<'a> {
    pub(crate) floor: &'a Floor<'a>,
    pub(crate) solids: &'a Solids<'a>,
    pub(crate) reach: &'a Reach,
}

/// The largest number of landings tested along one direction.
const MOST_LANDINGS: f64 = 256.0;

impl Finder<'_> {
    /// The nearest free drop and the nearest free jump from a brink.
    ///
    /// A jump to lower ground is searched for only if there is neither a drop nor a level jump.
    pub(crate) fn from(&self, brink: &Brink) -> [Option<Found>; 2] {
        let from = brink.at.point();
        if !self.is_open(brink, from) {
            return [None, None];
        }
        let drop = self.drop(brink, from);
        let [level, lower] = self.landings(brink, from, drop.is_some());
        let jump = |to: Option<Place>| self.found(brink, to?, Way::Jump);
        let jump = jump(level).or_else(|| match drop {
            None => jump(lower),
            Some(_) => None,
        });
        [drop, jump]
    }

    /// Is there room ahead for the part of the body that every leap from here needs?
    fn is_open(&self, brink: &Brink, from: [f64; 3]) -> bool {
        let Body { radius, height, climb } = self.reach.body;
        let near = Prism {
            ends: [[from[0], from[2]], self.ahead(brink, from, radius)],
            radius: self.reach.body.clear(),
            low: from[1] + climb + radius + TOUCH,
            high: from[1] + height - TOUCH,
        };
        near.low >= near.high || self.solids.are_clear_of(&near)
    }

    /// A drop to the first ground below.
    ///
    /// The landing is between the point where a body falls clear of the ledge and a radius beyond.
    fn drop(&self, brink: &Brink, from: [f64; 3]) -> Option<Found> {
        let Reach { body, inset, drop, .. } = *self.reach;
        let (least, most) = (body.climb, drop + TOUCH);
        if most <= least {
            return None;
        }
        let clear = inset + body.radius + 2.0 * TOUCH;
        let pace = self.reach.pace();
        [0.0, 0.5, 1.0, 2.0].into_iter().find_map(|paces| {
            let [x, z] = self.ahead(brink, from, clear + paces * pace);
            // The nearest ground more than a step below. If there is ground nearer than that, this
            // is not a ledge.
            let to = self.floor.nearest([x, from[1] - least, z], most - least)?;
            let fall = from[1] - to.height;
            (fall > least).then(|| self.found(brink, to, Way::Drop))?
        })
    }

    /// The first landings ahead within the widest gap.
    ///
    /// One is within a step of the brink's height, the other is lower. The lower landing is not
    /// searched for if there is a drop.
    fn landings(&self, brink: &Brink, from: [f64; 3], is_drop: bool) -> [Option<Place>; 2] {
        let Reach { body, inset, drop, jump, .. } = *self.reach;
        let mut found = [None, None];
        if jump <= 0.0 {
            return found;
        }
        let first = 2.0 * inset + 2.0 * TOUCH;
        let last = 2.0 * inset + jump + TOUCH;
        let pace = self.reach.pace().max(jump / MOST_LANDINGS);
        let deep = drop.max(body.climb) + TOUCH;
        let at = |length: f64, most: f64| {
            let [x, z] = self.ahead(brink, from, length);
            let to = self.floor.nearest([x, from[1], z], most)?;
            let rise = to.height - from[1];
            match rise {
                _ if rise > body.climb => None,
                _ if rise >= -body.climb => Some((0, to)),
                _ => Some((1, to)),
            }
        };
        let mut before = first;
        for k in 0..=MOST_LANDINGS as u32 + 1 {
            let length = (first + f64::from(k) * pace).min(last);
            // After lower ground is found, the search is limited to ground near the brink's height,
            // because deep queries are slow.
            let most = match is_drop || found[1].is_some() {
                true => body.climb,
                false => deep,
            };
            if let Some((kind, mut to)) = at(length, most)
                && found[kind].is_none()
            {
                // Bisects back to the beginning of this ground.
                let (mut without, mut with) = (before, length);
                while with - without > 4.0 {
                    let middle = (with + without) / 2.0;
                    match at(middle, most) {
                        Some((same, nearer)) if same == kind => (with, to) = (middle, nearer),
                        _ => without = middle,
                    }
                }
                found[kind] = Some(to);
                if kind == 0 {
                    break;
                }
            }
            if length >= last {
                break;
            }
            before = length;
        }
        found
    }

    /// The leap to a place, if some agent can make it and its path is free.
    fn found(&self, brink: &Brink, to: Place, way: Way) -> Option<Found> {
        let leap = Leap { way, from: brink.at.point(), to: to.point() };
        let fall = leap.from[1] - leap.to[1];
        let agents = self.reach.agents(way, leap.length(), fall);
        let free = || {
            let mut all = leap.prisms(&self.reach.body).into_iter();
            all.all(|prism| self.solids.are_clear_of(&prism))
        };
        (agents != 0 && free()).then(|| Found {
            brink: *brink,
            to,
            way,
            both_ways: way == Way::Jump && fall <= self.reach.body.climb,
            agents,
        })
    }

    fn ahead(&self, brink: &Brink, from: [f64; 3], length: f64) -> [f64; 2] {
        [from[0] + length * brink.out[0], from[2] + length * brink.out[1]]
    }
}
