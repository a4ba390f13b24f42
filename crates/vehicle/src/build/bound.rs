//! The step costs and needed tiles of the obstacle heuristic.
//!
//! A step leads outwards, from the tile nearer to the goal, and bounds the edges that lead back
//! over it: it costs as much as the shortest of them, and needs the tiles that all of those sweep.
//! The sum is a lower bound if, for every edge, the cheapest path by steps over the tiles that it
//! sweeps costs no more than the edge. Costs are lowered until that holds for steps that need only
//! their last tile. Then, edge by edge, tiles are taken from the needs until some path of steps is
//! cheap enough: of all those paths, the one that takes the fewest tiles.

use std::cmp::Reverse as Least;
use std::collections::{BinaryHeap, HashMap};

use crate::Symmetry;
use crate::flood_steps::{FLOOD_HALF, FLOOD_SETS, FLOOD_STEPS, NO_STEP, flood_bit};

use super::edges::{Edge, spread};
use super::mask::Mask;
use super::spec::{UNITS, VehicleSpec};

/// The price of removing a tile from a set of needs: the one that a set keeps, one between the ends
/// of the step, and another.
const PRICES: [u32; 3] = [20, 5, 1];
/// A tile that steps pass, for each set, so that none leaps over a wall: the two sets of a kind
/// keep different ones.
const KEPT: [[i32; 2]; 8] = [[1, 0], [1, 1], [1, 0], [1, 1], [1, 0], [2, 1], [1, 1], [2, 1]];
/// Paths with needs up to this price are tried before the cheapest one is taken.
const MOST_MISSING: u32 = 24;

/// Steps of a lower bound, by kind: see [`FLOOD_STEPS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Their costs, parts of a tile; `u32::MAX` where there is no edge of that offset.
    pub costs: [u32; 5],
    /// Tiles that have to be free, as [`flood_bit`] numbers them, by the kinds in [`FLOOD_SETS`].
    pub needs: [u64; 8],
}

/// The steps of a vehicle with these edges, those driven forwards and those backwards.
pub(crate) fn bound(vehicle: &VehicleSpec, sets: &[Vec<Edge>]) -> Bound {
    let images = images(vehicle, sets);
    let mut edges: Vec<&Edge> = sets.iter().flatten().collect();
    edges.sort_by_key(|e| (e.length, e.from, e.offset, e.to, e.word));
    let strict = steps(&images);
    let loose = Bound { needs: FLOOD_SETS.map(|kind| flood_bit(FLOOD_STEPS[kind])), ..strict };
    let Some(fitted) = fitted(loose, &edges) else {
        // A bound of zero is a bound, too.
        return Bound { costs: [0; 5], needs: [0; 8] };
    };
    let mut bound = Bound { needs: strict.needs, ..fitted };
    // Needs only ever get fewer: a path that was possible for an edge stays possible.
    let mut steps = all_steps(&bound);
    for edge in edges {
        let before = bound;
        relax(&mut bound, &steps, edge);
        if bound != before {
            steps = all_steps(&bound);
        }
    }
    bound
}

/// Takes needs from steps until a path over an edge's tiles costs no more than it.
fn relax(bound: &mut Bound, steps: &[Step], edge: &Edge) {
    let found = (0..=MOST_MISSING).find_map(|most| {
        let way = way(steps, edge, most)?;
        (way.cost <= edge.length).then_some(way)
    });
    let Some(way) = found.or_else(|| way(steps, edge, u32::MAX)) else {
        return;
    };
    for (number, at) in way.steps {
        // Of a step with needs that are not alike on both sides its mirror image is a step, too,
        // and another set of the kind may stay as it is.
        let step = &steps[number];
        let needs = &mut bound.needs[step.set];
        *needs = (0..49)
            .map(|bit| 1 << bit)
            .filter(|bit| *needs & bit != 0)
            .filter(|&bit| {
                let [x, z] = step.by.offset(tile_of(bit));
                edge.swept.has([at[0] + x, at[1] + z])
            })
            .fold(flood_bit(FLOOD_STEPS[step.kind]), |all, bit| all | bit);
    }
}

/// The tile of a bit.
fn tile_of(bit: u64) -> [i32; 2] {
    let (place, side) = (bit.trailing_zeros() as i32, 2 * FLOOD_HALF + 1);
    [place % side - FLOOD_HALF, place / side - FLOOD_HALF]
}

/// Edges that lead back over steps of each kind: their lengths and the tiles they sweep.
///
/// Tiles are seen from where the step begins, under every symmetry that brings the edge to the
/// kind's offset.
fn images(vehicle: &VehicleSpec, sets: &[Vec<Edge>]) -> [Vec<(u32, u64)>; 5] {
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

fn steps(images: &[Vec<(u32, u64)>; 5]) -> Bound {
    let mut bound = Bound { costs: [NO_STEP; 5], needs: [0; 8] };
    for (kind, edges) in images.iter().enumerate() {
        let Some(least) = edges.iter().map(|e| e.0).min() else {
            continue;
        };
        let shortest = edges.iter().filter(|e| e.0 == least);
        bound.costs[kind] = least;
        let all = shortest.fold(u64::MAX, |needs, e| needs & e.1);
        let sets = bound.needs.iter_mut().zip(FLOOD_SETS);
        for (needs, _) in sets.filter(|set| set.1 == kind) {
            *needs = all | flood_bit(FLOOD_STEPS[kind]);
        }
    }
    bound
}

/// With costs that no edge is cheaper than: those of the longer steps lowered, or if that does not
/// help of all, as little as will do.
fn fitted(bound: Bound, edges: &[&Edge]) -> Option<Bound> {
    let fits = |bound: &Bound| {
        let steps = all_steps(bound);
        move |edge: &Edge| way(&steps, edge, 0).is_some_and(|way| way.cost <= edge.length)
    };
    // Cheaper steps make no path dearer: those that fit now fit then.
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
        // Below two thirds the heuristic is of no use.
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
    kind: usize,
    set: usize,
    /// The symmetry that maps its kind to it.
    by: Symmetry,
    to: [i32; 2],
    cost: u32,
    /// Each with the price of doing without.
    needs: Vec<([i32; 2], u32)>,
}

/// Steps of all directions.
fn all_steps(bound: &Bound) -> Vec<Step> {
    let mut all: Vec<Step> = vec![];
    for (set, kind) in FLOOD_SETS.into_iter().enumerate() {
        let offset = FLOOD_STEPS[kind];
        for by in Symmetry::all() {
            let to = by.offset(offset);
            let bits = (0..49).map(|bit| bound.needs[set] & 1 << bit);
            let mut needs: Vec<([i32; 2], u32)> = bits
                .filter(|&bit| bit != 0)
                .map(|bit| (by.offset(tile_of(bit)), price(set, tile_of(bit))))
                .collect();
            needs.sort_unstable();
            let cost = bound.costs[kind];
            let is_known = |step: &Step| step.to == to && step.needs == needs;
            if cost != NO_STEP && !all.iter().any(is_known) {
                all.push(Step { kind, set, by, to, cost, needs });
            }
        }
    }
    all
}

/// A path of steps over the tiles that an edge sweeps.
struct Way {
    cost: u32,
    /// Numbers of steps, and where they begin.
    steps: Vec<(usize, [i32; 2])>,
}

/// The price of removing a tile from a set of needs.
fn price(set: usize, tile: [i32; 2]) -> u32 {
    let to = FLOOD_STEPS[FLOOD_SETS[set]];
    let is_between = (0..2).all(|k| (0..=to[k]).contains(&tile[k]));
    let place = match is_between {
        _ if tile == KEPT[set] => 0,
        true => 1,
        false => 2,
    };
    PRICES[place]
}

/// The cheapest path by steps within the tiles that an edge sweeps, from its end to its beginning.
///
/// Its steps may need tiles that the edge does not sweep, up to the price `most`.
fn way(steps: &[Step], edge: &Edge, most: u32) -> Option<Way> {
    let tiles: &Mask = &edge.swept;
    // A tile, and the price of those missing up to there; none is counted where any will do.
    type State = ([i32; 2], u32);
    let mut reached: HashMap<State, (u32, usize, State)> = HashMap::new();
    let first = (edge.offset, 0);
    reached.insert(first, (0, usize::MAX, first));
    let mut open = BinaryHeap::from([Least((0, first))]);
    while let Some(Least((cost, state))) = open.pop() {
        if reached[&state].0 < cost {
            continue;
        }
        let (at, missing) = state;
        if at == [0, 0] {
            let mut way = Way { cost, steps: vec![] };
            let mut state = state;
            while state != first {
                let (_, step, before) = reached[&state];
                way.steps.push((step, before.0));
                state = before;
            }
            return Some(way);
        }
        for (number, step) in steps.iter().enumerate() {
            let moved = |[x, z]: [i32; 2]| [at[0] + x, at[1] + z];
            if !tiles.has(moved(step.to)) {
                continue;
            }
            let gone = step.needs.iter().filter(|need| !tiles.has(moved(need.0)));
            let missing = match most {
                u32::MAX => 0,
                _ => missing + gone.map(|need| need.1).sum::<u32>(),
            };
            if missing > most {
                continue;
            }
            let next = (moved(step.to), missing);
            let cost = cost + step.cost;
            if reached.get(&next).is_none_or(|known| cost < known.0) {
                reached.insert(next, (cost, number, state));
                open.push(Least((cost, next)));
            }
        }
    }
    None
}
