//! Following a path: the direction to steer in, corner by corner.

use navbake_navmesh::math::{distance, length};
use navbake_search::NavPoint;

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

impl Waypoint for NavPoint {
    fn position(&self) -> [f64; 3] {
        NavPoint::position(self)
    }
}

/// Follows one path for one unit; the path stays with the caller.
///
/// It looks at the path from above, and only at the current stretch, so storeys above each other do
/// not matter. A corner is passed when the unit is within `reach` of it, or, while the unit is
/// within `band` of the path, when the corner is beside it. Within `band` of the path the unit goes
/// along the stretch. Farther off it steers back, to a point `ahead` farther on than the one beside
/// it; near the end, to the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Follower {
    /// Half the width of the band around the path in which nothing is corrected, m.
    pub band: f64,
    /// Distance to a corner, or to the end, at which it is reached, m.
    pub reach: f64,
    /// Distance along the stretch to the point steered at when steering back, m.
    pub ahead: f64,
    next: usize,
}

/// Steering for one tick, from a [`Follower`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advice {
    /// Direction to go in: unit vector `[x, z]`, zero on arrival.
    pub heading: [f64; 2],
    /// Index of the next corner, the last one's on arrival.
    pub next: usize,
    /// Distance of the unit to the left of the current stretch, m; negative to the right.
    pub lateral: f64,
    /// Remaining length in the ground plane, from the point of the path beside the unit, m.
    pub remaining: f64,
    /// Does the heading lead back to the path?
    pub correcting: bool,
    /// At the end.
    pub arrived: bool,
}

impl Follower {
    /// At the start of a path, with a band of half width `band`, m.
    ///
    /// `reach` is the same, and `ahead` four times that.
    pub fn new(band: f64) -> Follower {
        Follower { band, reach: band, ahead: 4.0 * band, next: 1 }
    }

    /// Index of the next corner.
    pub fn next(&self) -> usize {
        self.next
    }

    /// The direction to go in from a position, y-up metres.
    ///
    /// Call it once a tick, with the same path each time. It passes all corners that the unit has
    /// passed.
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
            direction: if size > 0.0 { d.map(|c| c / size) } else { [0.0; 2] },
            length: size,
        }
    }

    /// Distances of a point along it and to its left.
    fn coordinates(&self, p: [f64; 2]) -> [f64; 2] {
        let (d, e) = (self.direction, [p[0] - self.start[0], p[1] - self.start[1]]);
        // Seen from above, +x is to the left of +z.
        [e[0] * d[0] + e[1] * d[1], e[0] * d[1] - e[1] * d[0]]
    }

    fn at(&self, along: f64) -> [f64; 2] {
        [0, 1].map(|k| self.start[k] + along * self.direction[k])
    }
}

fn flat(p: [f64; 3]) -> [f64; 2] {
    [p[0], p[2]]
}
