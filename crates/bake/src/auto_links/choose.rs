//! Which links are worth having: those between places that are far from each other on foot, and of these the best, up to a number.

use std::collections::{BTreeMap, BTreeSet};

use navbake_search::{Location, PathRequest, Query, SearchBuffer, Status};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::floor::Place;
use super::stretch::{Candidate, away};
use crate::config::AutoLinks;

/// What is gained by a link.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Gain {
    /// There is no way on foot.
    Way,
    /// So many metres.
    Metres(f64),
}

/// A candidate with all that decides its rank.
struct Ranked {
    candidate: Candidate,
    gain: Gain,
    /// 0 for the first link between two islands, 1 for others between them, 2 for links on one island.
    tier: u8,
    ends: [[f64; 3]; 2],
}

/// Searches of more polygons than these are given up: what is so far away is worth a link.
const FAR: u32 = 1024;

/// The links that are made, best first, and how many more would be worth it but are too many.
pub(super) fn choose(
    query: &Query<'_>,
    candidates: &[Candidate],
    settings: &AutoLinks,
) -> (Vec<Candidate>, Vec<Candidate>) {
    let gains = candidates.par_iter().map_init(
        || SearchBuffer::new(query.mesh()),
        |buffer, candidate| gain(query, candidate, settings, buffer),
    );
    let gains: Vec<Option<Gain>> = gains.collect();
    let worth = candidates.iter().zip(gains);
    let mut ranked: Vec<Ranked> = worth
        .filter_map(|(candidate, gain)| {
            let gain = gain?;
            Some(Ranked {
                candidate: *candidate,
                gain,
                tier: 2 - u8::from(gain == Gain::Way),
                ends: ends(candidate).map(Place::point),
            })
        })
        .collect();
    ranked.sort_by(rank);
    let mut joined = BTreeSet::new();
    for link in ranked.iter_mut().filter(|l| l.gain == Gain::Way) {
        let [a, b] = ends(&link.candidate).map(|at| query.mesh().island(at.polygon).0);
        let both = link.candidate.leap.both_ways;
        let is_first = joined.insert((a, b)) | (both && joined.insert((b, a)));
        link.tier = u8::from(!is_first);
    }
    ranked.sort_by(rank);
    limited(query, &ranked, settings)
}

fn ends(candidate: &Candidate) -> [&Place; 2] {
    [&candidate.leap.brink.at, &candidate.leap.to]
}

/// Better ones first: by tier, by what they gain, by width; then by place, which no two share.
fn rank(a: &Ranked, b: &Ranked) -> std::cmp::Ordering {
    let metres = |l: &Ranked| match l.gain {
        Gain::Way => f64::INFINITY,
        Gain::Metres(saved) => saved,
    };
    let places = |l: &Ranked| l.ends.as_flattened().to_vec();
    (a.tier.cmp(&b.tier))
        .then(metres(b).total_cmp(&metres(a)))
        .then(b.candidate.width.total_cmp(&a.candidate.width))
        .then_with(|| {
            let (a, b) = (places(a), places(b));
            a.partial_cmp(&b).unwrap_or(std::cmp::Ordering::Equal)
        })
        .then((a.candidate.leap.way as u8).cmp(&(b.candidate.leap.way as u8)))
}

/// What a link saves who walks, `None` when that is too little.
fn gain(
    query: &Query<'_>,
    candidate: &Candidate,
    settings: &AutoLinks,
    buffer: &mut SearchBuffer,
) -> Option<Gain> {
    let query = query.with_agents(candidate.leap.agents);
    let request = PathRequest::new([0.0; 3], [0.0; 3]);
    let mut walk = |from: &Location, to: &Location| {
        let mut search = query.begin_between(from, to, &request, &mut *buffer);
        match search.step(&query, &mut *buffer, FAR) {
            Status::Reached => Some(search.answer(&query, &mut *buffer).cost),
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

/// Leaves out what stands in for a better one, and then what is too much.
fn limited(
    query: &Query<'_>,
    ranked: &[Ranked],
    settings: &AutoLinks,
) -> (Vec<Candidate>, Vec<Candidate>) {
    let spacing = settings.spacing * query.mesh().grid().units();
    let cell = |p: &[f64; 3], side: f64| p.map(|c| (c / side).floor() as i64);
    let (mut kept, mut over) = (vec![], vec![]);
    let mut begun: BTreeMap<[i64; 3], u32> = BTreeMap::new();
    let mut near: BTreeMap<[i64; 3], Vec<[[f64; 3]; 2]>> = BTreeMap::new();
    for link in ranked {
        let [from, to] = &link.ends;
        // Of two that do the same the better one is enough: a jump is found from both its sides.
        let [x, y, z] = cell(from, spacing);
        let around = (x - 1..=x + 1).flat_map(|x| (y - 1..=y + 1).map(move |y| [x, y]));
        let around = around.flat_map(|[x, y]| (z - 1..=z + 1).map(move |z| [x, y, z]));
        let mut known = around.flat_map(|c| near.get(&c).into_iter().flatten());
        let close = |a: &[f64; 3], b: &[f64; 3]| {
            let square: f64 = (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum();
            square < (spacing / 3.0) * (spacing / 3.0)
        };
        if known.any(|[a, b]| close(a, from) && close(b, to)) {
            continue;
        }
        let here = begun.entry(cell(from, CUBE * spacing)).or_default();
        if kept.len() >= settings.most as usize || *here >= settings.most_in_cube {
            over.push(link.candidate);
            continue;
        }
        *here += 1;
        kept.push(link.candidate);
        let mut remember = |a: &[f64; 3], b: &[f64; 3]| {
            near.entry(cell(a, spacing)).or_default().push([*a, *b]);
        };
        remember(from, to);
        if link.candidate.leap.both_ways {
            remember(to, from);
        }
    }
    (kept, over)
}

/// The side of a cube that has a limit of its own, in spacings.
pub(super) const CUBE: f64 = 4.0;
