//! Chooses the links that save the most distance, up to a limit.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use navbake_search::{
    AStar, Algorithm, NavPoint, NavQuery, PathRequest, QueryFilter, Scratch, Status,
};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::Settings;
use crate::floor::Place;
use crate::stretch::{Candidate, away};

/// The gain of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Gain {
    /// The link makes an otherwise unreachable place reachable.
    Way,
    /// The link saves this many metres.
    Metres(f64),
}

/// A candidate with all values that decide its rank.
struct Ranked {
    candidate: Candidate,
    gain: Gain,
    /// 0, 1 or 2; lower tiers are chosen first.
    ///
    /// 0 is the first link between two islands, 1 is more links between them, 2 is links within an
    /// island.
    tier: u8,
    ends: [[f64; 3]; 2],
    /// The islands of both ends.
    islands: [u32; 2],
}

/// Searches of more polygons than this end early.
///
/// A link to such a distant end is worth it.
const FAR: u32 = 1024;

/// The chosen links, best first, and the number of worthy links beyond the limits.
pub(crate) fn choose(
    query: &NavQuery<'_>,
    candidates: &[Candidate],
    settings: &Settings,
) -> (Vec<Candidate>, Vec<Candidate>) {
    let gains = candidates
        .par_iter()
        .map_init(Scratch::new, |scratch, candidate| gain(query, candidate, settings, scratch));
    let gains: Vec<Option<Gain>> = gains.collect();
    let worth = candidates.iter().zip(gains);
    let worth = worth.filter_map(|(candidate, gain)| {
        let islands = ends(candidate).map(|at| query.mesh().island(at.polygon).0);
        Some(Ranked {
            candidate: *candidate,
            gain: gain?,
            tier: 2,
            ends: ends(candidate).map(Place::point),
            islands,
        })
    });
    let units = query.mesh().grid().units();
    let mut ranked = distinct(worth.collect(), settings.spacing * units);
    ranked.sort_by(rank);
    let mut joined = BTreeSet::new();
    for link in ranked.iter_mut().filter(|l| l.gain == Gain::Way) {
        let [a, b] = link.islands;
        let both = link.candidate.leap.both_ways;
        let is_first = joined.insert((a, b)) | (both && joined.insert((b, a)));
        link.tier = u8::from(!is_first);
    }
    ranked.sort_by(rank);
    limited(&ranked, settings, settings.spacing * units)
}

fn ends(candidate: &Candidate) -> [&Place; 2] {
    [&candidate.leap.brink.at, &candidate.leap.to]
}

/// Best first: by tier, gain and width, then by position.
fn rank(a: &Ranked, b: &Ranked) -> Ordering {
    let metres = |l: &Ranked| match l.gain {
        Gain::Way => f64::INFINITY,
        Gain::Metres(saved) => saved,
    };
    (a.tier.cmp(&b.tier))
        .then(metres(b).total_cmp(&metres(a)))
        .then_with(|| wider(&a.candidate, &b.candidate))
}

/// Widest first, then by position, and drops before jumps.
///
/// No two links are equal in this order.
fn wider(a: &Candidate, b: &Candidate) -> Ordering {
    let [from, to] = [a, b].map(|candidate| ends(candidate).map(Place::point));
    let places = from.as_flattened().partial_cmp(to.as_flattened());
    (b.width.total_cmp(&a.width))
        .then(places.unwrap_or(Ordering::Equal))
        .then((a.leap.way as u8).cmp(&(b.leap.way as u8)))
}

/// Keeps the widest candidates, at most `most` of them, and counts the others.
pub(crate) fn keep_widest(candidates: &mut Vec<Candidate>, most: usize) -> usize {
    let over = candidates.len().saturating_sub(most);
    if over > 0 && most > 0 {
        candidates.select_nth_unstable_by(most - 1, wider);
    }
    candidates.truncate(most);
    over
}

/// The gain of a link over paths without it; `None` if it is too small.
fn gain(
    query: &NavQuery<'_>,
    candidate: &Candidate,
    settings: &Settings,
    scratch: &mut Scratch,
) -> Option<Gain> {
    let mut filter = QueryFilter::new();
    filter.set_agents(candidate.leap.agents);
    let query = query.with_filter(&filter);
    let corridor = Algorithm::Corridor(AStar::default());
    let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(corridor);
    let mut walk = |from: &NavPoint, to: &NavPoint| {
        // No request is refused that searches for a corridor by the straight line.
        let mut search = query.start_path_between(from, to, &request, scratch).ok()?;
        match search.step(&query, scratch, FAR) {
            Status::Reached => Some(search.path(&query, scratch).cost),
            Status::Unreachable => None,
            _ => Some(f64::MAX),
        }
    };
    let grid = query.mesh().grid();
    let location = |at: &Place| query.on_polygon(at.polygon, grid.metres(at.point()));
    let [from, to] = ends(candidate);
    let [start, end] = [location(from)?, location(to)?];
    let there = walk(&start, &end);
    let back = match candidate.leap.both_ways {
        true => walk(&end, &start),
        false => there,
    };
    let (Some(there), Some(back)) = (there, back) else {
        return Some(Gain::Way);
    };
    let cost = settings.cost * away(from, to) / grid.units();
    let walked = there.max(back);
    (walked >= settings.detour * cost).then_some(Gain::Metres(walked - cost))
}

/// The lattice cube that contains a point.
fn cube(place: &[f64; 3], side: f64) -> [i64; 3] {
    place.map(|c| (c / side).floor() as i64)
}

/// The widest of nearby links with the same effect.
///
/// A jump is found from both sides, and a ledge with many corners has many stretches.
fn distinct(mut links: Vec<Ranked>, spacing: f64) -> Vec<Ranked> {
    links.sort_by(|a, b| wider(&a.candidate, &b.candidate));
    let mut near: BTreeMap<[i64; 3], Vec<Kept>> = BTreeMap::new();
    links.retain(|link| {
        let this = Kept::of(link);
        let [x, y, z] = cube(&this.ends[0], spacing);
        let around = (x - 1..=x + 1).flat_map(|x| (y - 1..=y + 1).map(move |y| [x, y]));
        let around = around.flat_map(|[x, y]| (z - 1..=z + 1).map(move |z| [x, y, z]));
        let mut known = around.flat_map(|c| near.get(&c).into_iter().flatten());
        if known.any(|kept| kept.serves(&this, spacing / 3.0)) {
            return false;
        }
        let both = this.both_ways.then(|| this.back());
        for kept in [Some(this), both].into_iter().flatten() {
            let cell = cube(&kept.ends[0], spacing);
            near.entry(cell).or_default().push(kept);
        }
        true
    });
    links
}

/// The effect of a kept link.
#[derive(Clone, Copy)]
struct Kept {
    ends: [[f64; 3]; 2],
    islands: [u32; 2],
    both_ways: bool,
    agents: u32,
}

impl Kept {
    fn of(link: &Ranked) -> Kept {
        Kept {
            ends: link.ends,
            islands: link.islands,
            both_ways: link.candidate.leap.both_ways,
            agents: link.candidate.leap.agents,
        }
    }

    fn back(&self) -> Kept {
        let ([from, to], [a, b]) = (self.ends, self.islands);
        Kept { ends: [to, from], islands: [b, a], ..*self }
    }

    /// Does it have the effect of another link?
    ///
    /// Both its ends must be at most `most` from the other's.
    fn serves(&self, other: &Kept, most: f64) -> bool {
        let close = |k: usize| {
            let (a, b) = (self.ends[k], other.ends[k]);
            let square: f64 = (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum();
            square < most * most
        };
        self.islands == other.islands
            && (self.both_ways || !other.both_ways)
            && other.agents & !self.agents == 0
            && close(0)
            && close(1)
    }
}

/// Splits links into those within the limits and the others.
fn limited(
    ranked: &[Ranked],
    settings: &Settings,
    spacing: f64,
) -> (Vec<Candidate>, Vec<Candidate>) {
    let (mut kept, mut over) = (vec![], vec![]);
    let mut begun: BTreeMap<[i64; 3], u32> = BTreeMap::new();
    for link in ranked {
        let here = begun.entry(cube(&link.ends[0], CUBE * spacing)).or_default();
        if kept.len() < settings.max_links as usize && *here < settings.max_links_per_cube {
            *here += 1;
            kept.push(link.candidate);
        } else {
            over.push(link.candidate);
        }
    }
    (kept, over)
}

/// The side of a cube with its own limit, in spacings.
pub(crate) const CUBE: f64 = 4.0;
