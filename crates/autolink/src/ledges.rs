//! Borders of a navmesh over a drop, with no railing or wall between.
//!
//! At sample points of the borders (`border`) a body moves straight out. Anything lower than a
//! climb is stepped over. The body must move freely, and fall freely from the point where it is
//! clear of the ledge: these are the `prism`s of a drop whose depth is only known to be enough. An
//! obstacle to the body is a railing or a wall.

use navbake_format::NavMesh;
use navbake_geom::Grid;
use navbake_level::Agent;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::border::{self, Brink};
use crate::floor::Floor;
use crate::leap::{Body, TOUCH};
use crate::prism::Prism;
use crate::solids::Solids;

/// A ledge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ledge {
    /// Its middle, at the end of the ground, grid units.
    pub at: [f64; 3],
    /// The deepest fall from it, grid units; `None` if nothing is below.
    pub fall: Option<f64>,
    /// Its length, grid units.
    pub length: f64,
}

/// Searches for ledges.
pub struct Ledges<'a> {
    pub(crate) mesh: NavMesh<'a>,
    pub(crate) solids: &'a Solids<'a>,
    body: Body,
    /// Distance of borders from the end of the ground.
    inset: f64,
    /// Only falls deeper than this count, grid units.
    least: f64,
    /// The lowest height of the level, grid units.
    bottom: f64,
    /// Starts of links that lead down, and the distances that they serve, grid units.
    ///
    /// The distance is to both sides of the start.
    ways: Vec<([f64; 3], f64)>,
}

/// The largest distance between sample points along borders, m.
const PACE: f64 = 0.15;
/// A link that leads down serves a ledge up to this to both sides, m.
///
/// If half its width is more, it serves that.
const WITHIN: f64 = 2.0;

/// The fall at a brink over a drop, as in [`Ledge`]; `None` if there is no drop.
type Over = Option<Option<f64>>;

impl<'a> Ledges<'a> {
    /// For an agent of a navmesh.
    ///
    /// `least` is the deepest harmless fall, m. Falls of at most the agent's climb are always
    /// harmless.
    pub fn new(
        mesh: NavMesh<'a>,
        solids: &'a Solids<'a>,
        (agent, grid): (&Agent, &Grid),
        is_inset: bool,
        least: f64,
    ) -> Ledges<'a> {
        let body = Body::of(agent, grid);
        let mut ledges = Ledges {
            mesh,
            solids,
            body,
            inset: if is_inset { body.radius } else { 0.0 },
            least: f64::from(grid.length(least)).max(body.climb) + TOUCH,
            bottom: solids.bottom(),
            ways: vec![],
        };
        ledges.ways = ledges.ways_down(grid.units());
        ledges
    }

    fn ways_down(&self, units: f64) -> Vec<([f64; 3], f64)> {
        let links = (0..self.mesh.link_count()).filter_map(|n| self.mesh.link(n));
        let ways = links.filter_map(|link| {
            let height = |polygon, at: [i32; 2]| {
                let at = at.map(f64::from);
                [at[0], self.mesh.polygon(polygon).height(at), at[1]]
            };
            let from = height(link.polygon, link.from);
            let to = height(link.beyond, link.to);
            let reach = (f64::from(link.width) / 2.0).max(WITHIN) * units;
            (from[1] - to[1] > self.body.climb).then_some((from, reach))
        });
        ways.collect()
    }

    /// All ledges, in the order of the borders.
    pub fn all(&self) -> Vec<Ledge> {
        let pace = self.body.radius.max(self.body.height / 8.0) / 4.0;
        let pace = pace.min(PACE * self.mesh.grid().units()).max(16.0).round();
        let floor = Floor::new(&self.mesh);
        let pace = border::pace_within(&self.mesh, pace as i64);
        let mut brinks = vec![];
        border::brinks(&self.mesh, &floor, pace, |line| brinks.extend(line));
        let over: Vec<Over> = brinks.par_iter().map(|b| self.over(b)).collect();
        let mut found = vec![];
        let mut rest = over.as_slice();
        for line in brinks.chunk_by(|a, b| a.line == b.line) {
            let (own, later) = rest.split_at(line.len());
            rest = later;
            self.of_line(line, own, pace as f64, &mut found);
        }
        found
    }

    /// The depth of the fall from a brink.
    fn over(&self, brink: &Brink) -> Over {
        let from = brink.at.point();
        let clear = self.inset + self.body.radius + 2.0 * TOUCH;
        let fall = [0.0, 0.5, 1.0].into_iter().find_map(|radii| {
            let to = ahead(brink, from, clear + radii * self.body.radius);
            self.fall(from, to)
        })?;
        let is_near = |(way, reach): &([f64; 3], f64)| {
            let square: f64 = (0..3).map(|k| (way[k] - from[k]).powi(2)).sum();
            square <= reach * reach
        };
        (!self.ways.iter().any(is_near)).then_some(fall)
    }

    fn fall(&self, from: [f64; 3], to: [f64; 2]) -> Over {
        let Body { height, climb, .. } = self.body;
        let prism =
            |ends, low: f64, high: f64| Prism { ends, radius: self.body.clear(), low, high };
        let start = [from[0], from[2]];
        let top = from[1] + height - TOUCH;
        let out = prism([start, to], from[1] + climb + TOUCH, top);
        let down = |deep: f64| {
            let prism = prism([to, to], from[1] - deep, from[1] + climb + TOUCH);
            self.solids.are_clear_of(&prism)
        };
        if !self.solids.are_clear_of(&out) || !down(self.least) {
            return None;
        }
        let mut met = from[1] - self.bottom + TOUCH;
        if met <= self.least || down(met) {
            return Some(None);
        }
        let mut free = self.least;
        while met - free > 2.0 * TOUCH {
            let middle = (met + free) / 2.0;
            match down(middle) {
                true => free = middle,
                false => met = middle,
            }
        }
        Some(Some(free))
    }

    /// The ledges of one border.
    ///
    /// A border is a ring, so ledges may continue past its beginning.
    fn of_line(&self, line: &[Brink], over: &[Over], pace: f64, found: &mut Vec<Ledge>) {
        let count = line.len();
        let place = |k: usize| {
            let brink = &line[k % count];
            let at = brink.at.point();
            let [x, z] = ahead(brink, at, self.inset);
            [x, at[1], z]
        };
        // A corner adds up to a diagonal, and rounding a little more.
        let goes_on = |k: usize| {
            let [a, b] = [k, k + 1].map(|k| over[k % count].map(|fall| fall.is_some()));
            let [from, to] = [k, k + 1].map(|k| line[k % count].at.point());
            a.is_some() && a == b && away(from, to) <= 3.0 * pace
        };
        let begin = (0..count).find(|&k| !goes_on(k)).map_or(0, |k| k + 1);
        let mut run = vec![];
        for k in begin..begin + count {
            if over[k % count].is_some() {
                run.push(k);
            }
            let is_last = k + 1 == begin + count;
            if is_last || !goes_on(k) {
                let own = std::mem::take(&mut run);
                let falls = own.iter().filter_map(|k| over[k % count]);
                let places: Vec<[f64; 3]> = own.iter().map(|&k| place(k)).collect();
                // The body reaches beyond both ends by its radius, and a sample is somewhere within
                // the last pace.
                let more = match own.len() == count && goes_on(k) {
                    true => pace,
                    false => 2.0 * self.body.radius + pace,
                };
                found.extend(ledge(&places, falls, more));
            }
        }
    }
}

/// The ledge along consecutive samples.
///
/// It is longer by `more` than from the first to the last sample. A single sample is only what
/// rounding leaves of a corner.
fn ledge(
    places: &[[f64; 3]],
    falls: impl Iterator<Item = Option<f64>>,
    more: f64,
) -> Option<Ledge> {
    let long = places.windows(2).map(|w| away(w[0], w[1]));
    let whole: f64 = long.clone().sum();
    let mut half = whole / 2.0;
    let mut at = None;
    for (pair, long) in places.windows(2).zip(long) {
        if half <= long && long > 0.0 {
            let t = half / long;
            at = Some([0, 1, 2].map(|k| pair[0][k] + t * (pair[1][k] - pair[0][k])));
            break;
        }
        half -= long;
    }
    Some(Ledge { at: at?, fall: falls.flatten().reduce(f64::max), length: whole + more })
}

fn ahead(brink: &Brink, from: [f64; 3], length: f64) -> [f64; 2] {
    [from[0] + length * brink.out[0], from[2] + length * brink.out[1]]
}

fn away(a: [f64; 3], b: [f64; 3]) -> f64 {
    let square: f64 = (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum();
    square.sqrt()
}
