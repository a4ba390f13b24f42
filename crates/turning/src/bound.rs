//! Steps of a lower bound over free tiles, which searches flood the ground with.
//!
//! A step leads outwards, from the tile nearer to the goal, and stands for the edges that lead back over it. It needs the tiles that all of them sweep, and costs
//! as much as the shortest; longer ones than by some factor are left out, as they are no shorter than ways round. Whether that is a
//! bound is then looked at edge by edge: the cheapest way by steps over the tiles that an edge sweeps has to cost no more than the edge. If it does
//! not, steps are made cheaper. Of several factors the smallest is taken whose ways over open ground are hardly shorter than those of any other.

use std::cmp::Reverse as Least;
use std::collections::{BinaryHeap, HashMap};

use navbake_search::turning::{FLOOD_HALF, FLOOD_STEPS, Symmetry, flood_bit};

use crate::edges::{Edge, spread};
use crate::mask::Mask;
use crate::vehicle::{UNITS, Vehicle};

/// A vehicle has no such step.
const NO_STEP: u32 = u32::MAX;
/// Edges of up to so many times the length of the shortest one decide what a step needs.
const FACTORS: [f64; 5] = [1.0, 1.02, 1.06, 1.2, 1.5];
/// How much shorter ways may be whose steps need more tiles.
const SHORTER: f64 = 0.995;

/// Steps of a lower bound, by kind: see [`FLOOD_STEPS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// What they cost, parts of a tile; `u32::MAX` where there is no edge of that offset.
    pub costs: [u32; 5],
    /// The tiles that have to be free, as [`flood_bit`] numbers them.
    pub needs: [u64; 5],
}

/// The steps of a vehicle with these edges, those driven forwards and those backwards.
pub(crate) fn bound(vehicle: &Vehicle, sets: &[Vec<Edge>]) -> Bound {
    let images = images(vehicle, sets);
    let edges: Vec<&Edge> = sets.iter().flatten().collect();
    let mut all: Vec<Bound> = FACTORS
        .iter()
        .filter_map(|&factor| fitted(steps(&images, factor), &edges))
        .collect();
    // And steps that need nothing but where they lead to.
    let mut loose = steps(&images, 1.0);
    for (needs, offset) in loose.needs.iter_mut().zip(FLOOD_STEPS) {
        *needs = flood_bit(offset);
    }
    all.extend(fitted(loose, &edges));
    let longest = all.iter().map(mean_way).fold(0.0, f64::max);
    let first = all.iter().find(|b| mean_way(b) >= SHORTER * longest);
    // A bound that tells nothing is one, too.
    first.copied().unwrap_or(Bound {
        costs: [0; 5],
        needs: [0; 5],
    })
}

/// Edges that lead back over steps of each kind: their lengths, and the tiles they sweep, seen from where the step begins, in every way that brings them to the kind's offset.
fn images(vehicle: &Vehicle, sets: &[Vec<Edge>]) -> [Vec<(u32, u64)>; 5] {
    let mut images: [Vec<(u32, u64)>; 5] = Default::default();
    for edge in sets.iter().flat_map(|set| spread(set, vehicle)).flatten() {
        for symmetry in Symmetry::all() {
            let to = symmetry.offset(edge.offset.map(|o| -o));
            let Some(kind) = FLOOD_STEPS.iter().position(|&o| o == to) else {
                continue;
            };
            let tiles = edge.swept.tiles().map(|tile| {
                let [x, z] = symmetry.offset(tile);
                flood_bit([x + to[0], z + to[1]])
            });
            images[kind].push((edge.length, tiles.fold(0, |all, bit| all | bit)));
        }
    }
    images
}

fn steps(images: &[Vec<(u32, u64)>; 5], factor: f64) -> Bound {
    let mut bound = Bound {
        costs: [NO_STEP; 5],
        needs: [0; 5],
    };
    for (kind, edges) in images.iter().enumerate() {
        let Some(least) = edges.iter().map(|e| e.0).min() else {
            continue;
        };
        let most = f64::from(least) * factor;
        let near = edges.iter().filter(|e| f64::from(e.0) <= most);
        bound.costs[kind] = least;
        bound.needs[kind] =
            near.fold(u64::MAX, |needs, e| needs & e.1) | flood_bit(FLOOD_STEPS[kind]);
    }
    bound
}

/// With costs that no edge is cheaper than: those of the longer steps lowered, or if that does not help of all, as little as will do.
fn fitted(bound: Bound, edges: &[&Edge]) -> Option<Bound> {
    let fits = |bound: &Bound| {
        let steps = all_steps(bound);
        move |edge: &Edge| way(&steps, edge).is_some_and(|way| way <= edge.length)
    };
    // Cheaper steps make no way dearer: those that fit now fit then.
    let tight: Vec<&Edge> = {
        let fits = fits(&bound);
        edges.iter().copied().filter(|e| !fits(e)).collect()
    };
    let scaled = |share: u32, first: usize| {
        let mut lower = bound;
        for cost in lower.costs.iter_mut().skip(first) {
            if *cost != NO_STEP {
                *cost = (u64::from(*cost) * u64::from(share) / u64::from(UNITS)) as u32;
            }
        }
        lower
    };
    for first in [2, 0] {
        let all_fit = |share: u32| {
            let fits = fits(&scaled(share, first));
            tight.iter().all(|e| fits(e))
        };
        // A third less is not worth being looked at.
        let (mut low, mut high) = (UNITS * 2 / 3, UNITS);
        if !all_fit(low) {
            continue;
        }
        while low < high {
            let middle = (low + high).div_ceil(2);
            if all_fit(middle) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return Some(scaled(low, first));
    }
    None
}

/// A step with its cost and the tiles that it needs.
struct Step {
    to: [i32; 2],
    cost: u32,
    needs: Vec<[i32; 2]>,
}

/// Steps of all directions.
fn all_steps(bound: &Bound) -> Vec<Step> {
    let mut all: Vec<Step> = vec![];
    for (kind, offset) in FLOOD_STEPS.into_iter().enumerate() {
        for symmetry in Symmetry::all() {
            let to = symmetry.offset(offset);
            if bound.costs[kind] == NO_STEP || all.iter().any(|step| step.to == to) {
                continue;
            }
            let around = -FLOOD_HALF..=FLOOD_HALF;
            let needs = around
                .clone()
                .flat_map(|z| around.clone().map(move |x| [x, z]));
            all.push(Step {
                to,
                cost: bound.costs[kind],
                needs: needs
                    .filter(|&tile| bound.needs[kind] & flood_bit(tile) != 0)
                    .map(|tile| symmetry.offset(tile))
                    .collect(),
            });
        }
    }
    all
}

/// The cheapest way by steps over the tiles that an edge sweeps, from its end to its beginning.
fn way(steps: &[Step], edge: &Edge) -> Option<u32> {
    let tiles: &Mask = &edge.swept;
    let mut costs = HashMap::from([(edge.offset, 0u32)]);
    let mut open = BinaryHeap::from([Least((0u32, edge.offset))]);
    while let Some(Least((cost, at))) = open.pop() {
        if at == [0, 0] {
            return Some(cost);
        }
        if costs[&at] < cost {
            continue;
        }
        for step in steps {
            let moved = |[x, z]: [i32; 2]| [at[0] + x, at[1] + z];
            if !step.needs.iter().all(|&tile| tiles.has(moved(tile))) {
                continue;
            }
            let next = moved(step.to);
            let known = costs.entry(next).or_insert(u32::MAX);
            if cost + step.cost < *known {
                *known = cost + step.cost;
                open.push(Least((cost + step.cost, next)));
            }
        }
    }
    None
}

/// How long ways over open ground are by such steps, by the straight line, in the mean over directions.
fn mean_way(bound: &Bound) -> f64 {
    const AHEAD: u32 = 32;
    let steps: Vec<([f64; 2], f64)> = FLOOD_STEPS
        .iter()
        .zip(bound.costs)
        .filter(|&(_, cost)| cost != NO_STEP)
        .map(|(offset, cost)| (offset.map(f64::from), f64::from(cost)))
        .collect();
    let to = |aside: u32| {
        let [x, z] = [f64::from(AHEAD), f64::from(aside)];
        let mut least = f64::INFINITY;
        for (i, (a, first)) in steps.iter().enumerate() {
            for (b, second) in &steps[i + 1..] {
                let across = a[0] * b[1] - a[1] * b[0];
                let (s, t) = (
                    (x * b[1] - z * b[0]) / across,
                    (a[0] * z - a[1] * x) / across,
                );
                if s >= 0.0 && t >= 0.0 {
                    least = least.min(s * first + t * second);
                }
            }
        }
        least / (x * x + z * z).sqrt()
    };
    (0..=AHEAD).map(to).sum::<f64>() / f64::from(AHEAD + 1)
}
