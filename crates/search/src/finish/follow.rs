//! Following a path: which way to steer, corner by corner.

use crate::Location;
use crate::math::{distance, length};

/// A point of a path to follow: of an answer as it is, or of a finished one.
pub trait Waypoint {
    /// In y-up metres.
    fn position(&self) -> [f64; 3];
}

impl Waypoint for [f64; 3] {
    fn position(&self) -> [f64; 3] {
        *self
    }
}

impl Waypoint for Location {
    fn position(&self) -> [f64; 3] {
        Location::position(self)
    }
}

/// Follows one path for one unit. Holds the distances it goes by and the next corner; the path stays with the caller.
///
/// The path is seen from above, and only its present stretch is looked at, so storeys above each other do not matter. A corner is passed
/// when the unit comes within `reach` of it, or, while it is no farther than `band` from the path, when it has it beside it. Within `band`
/// of the path nothing is corrected: the unit goes along the stretch. Outside it is steered back, to the point `ahead` farther on than the
/// one beside it; near the end, to the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Follower {
    /// Half the width of the band around the path in which nothing is corrected, m.
    pub band: f64,
    /// How near to a corner, or to the end, counts as there, m.
    pub reach: f64,
    /// How far ahead on the stretch to steer when steering back, m.
    pub ahead: f64,
    next: usize,
}

/// What a [`Follower`] says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advice {
    /// Which way to go: unit vector `[x, z]`, zero on arrival.
    pub heading: [f64; 2],
    /// Index of the next corner, the last one's on arrival.
    pub next: usize,
    /// How far the unit is to the left of the path's present stretch, seen from above, m; negative to the right.
    pub lateral: f64,
    /// Length still to go in the ground plane, from the point of the path beside the unit, m.
    pub remaining: f64,
    /// Is the heading one that leads back to the path?
    pub correcting: bool,
    /// At the end.
    pub arrived: bool,
}

impl Follower {
    /// At the start of a path, with a band of half width `band`; corners count as passed within the same distance, and steering back looks
    /// as far ahead as four times that.
    pub fn new(band: f64) -> Follower {
        Follower {
            band,
            reach: band,
            ahead: 4.0 * band,
            next: 1,
        }
    }

    /// Index of the next corner.
    pub fn next(&self) -> usize {
        self.next
    }

    /// Which way to go from a position (y-up metres). To be asked once a tick, with the same path each time; passes as many corners as
    /// the unit has passed.
    pub fn advise<P: Waypoint>(&mut self, path: &[P], position: [f64; 3]) -> Advice {
        let at = flat(position);
        let point = |k: usize| path.get(k).map_or(at, |p| flat(p.position()));
        let last = path.len().saturating_sub(1);
        self.next = self.next.clamp(1, last.max(1));
        loop {
            let (a, b) = (point(self.next - 1), point(self.next.min(last)));
            let stretch = Stretch::new(a, b);
            let [along, lateral] = stretch.coordinates(at);
            let beside = along >= stretch.length && lateral.abs() <= self.band;
            let passed = beside || distance(at, b) <= self.reach;
            if passed && self.next < last {
                self.next += 1;
                continue;
            }
            if passed || path.len() < 2 {
                return Advice {
                    heading: [0.0; 2],
                    next: last,
                    lateral,
                    remaining: 0.0,
                    correcting: false,
                    arrived: true,
                };
            }
            let beside = along.clamp(0.0, stretch.length);
            let beyond =
                (self.next..last).fold(0.0, |sum, k| sum + distance(point(k), point(k + 1)));
            let off = distance(at, stretch.at(beside));
            let correcting = off > self.band;
            let ending = self.next == last && stretch.length - beside <= self.ahead;
            let heading = if correcting || ending {
                let target = stretch.at((beside + self.ahead).min(stretch.length));
                Stretch::new(at, target).direction
            } else {
                stretch.direction
            };
            return Advice {
                heading,
                next: self.next,
                lateral,
                remaining: stretch.length - beside + beyond,
                correcting,
                arrived: false,
            };
        }
    }
}

/// A straight piece of a path, seen from above.
struct Stretch {
    start: [f64; 2],
    direction: [f64; 2],
    length: f64,
}

impl Stretch {
    fn new(a: [f64; 2], b: [f64; 2]) -> Stretch {
        let d = [b[0] - a[0], b[1] - a[1]];
        let size = length(d[0], d[1]);
        Stretch {
            start: a,
            direction: if size > 0.0 {
                d.map(|c| c / size)
            } else {
                [0.0; 2]
            },
            length: size,
        }
    }

    /// How far along it and how far to its left a point lies.
    fn coordinates(&self, p: [f64; 2]) -> [f64; 2] {
        let (d, e) = (self.direction, [p[0] - self.start[0], p[1] - self.start[1]]);
        // Seen from above, +x lies to the left of +z.
        [e[0] * d[0] + e[1] * d[1], e[0] * d[1] - e[1] * d[0]]
    }

    fn at(&self, along: f64) -> [f64; 2] {
        [0, 1].map(|k| self.start[k] + along * self.direction[k])
    }
}

fn flat(p: [f64; 3]) -> [f64; 2] {
    [p[0], p[2]]
}
