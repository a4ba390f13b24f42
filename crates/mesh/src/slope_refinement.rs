//! Triangles that follow the ground up and down, for agents whose costs depend on height.
//!
//! Costs of going up and down are computed from the heights of polygon corners, so triangles are
//! refined greedily (as in [`crate::tin`]) until none misses the ground by more than the error, and
//! corners that are not needed any more are taken out. A point near a ring becomes a corner of the
//! ring: triangles beside a border follow the ground as well as others.

mod edges;
mod misfits;
mod thin;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use navbake_geom::{Delaunay, NO_EDGE, NO_TRIANGLE, Point, TriangulateError, orient};
use navbake_walkable::Ring;

use self::edges::{distance, foot, offset};
use self::misfits::Misfits;
use crate::areas::arrange;
use crate::connect::connect;
use crate::layer_heights::LayerHeights;
use crate::steps;

/// Places nearer to a ring, grid units, become corners of the ring: triangles between would be
/// slivers.
const NEAR: f64 = 32.0;
/// No place is inserted nearer than this, grid units, to a corner of the triangle beyond a side.
const TOO_NEAR: f64 = 2.0;
/// Of misses in the order in which they are mended: steps in a grid unit.
const SCALE: f64 = 65_536.0;

/// Triangles between rings that stay within `error` grid units of the ground, and for each edge of
/// the refined rings whether it is open.
///
/// Vertical steps are the exception: within 1.5 times [`steps::ASIDE`], heights are between their
/// two sides.
///
/// # Errors
/// The rings cross or touch in other places than corners.
pub(crate) fn refine(
    rings: &[Ring],
    ground: &LayerHeights<'_>,
    error: f64,
) -> Result<(Delaunay, Vec<bool>), TriangulateError> {
    let count = rings.len();
    let mut places = vec![];
    let lines = steps::lines(rings, ground, error);
    let cut_by_lines = || {
        let cut_rings = arrange::cut_by_most(rings, &lines)?;
        let made = connect(&cut_rings, &[]).ok()?;
        Some((cut_rings, made))
    };
    let with_lines = if lines.is_empty() { None } else { cut_by_lines() };
    let (mut rings, mut made) = match with_lines {
        Some(found) => found,
        None => (rings.to_vec(), connect(rings, &[])?),
    };
    let mut misfits = Misfits::new(ground, error);
    // Edges that cannot be cut further, by their ends.
    let mut whole: Vec<[Point; 2]> = vec![];
    loop {
        let cuts = insert(&mut made.0, &mut places, &rings, &whole, &mut misfits);
        if cuts.is_empty() {
            thin::thin(&rings, &mut places, &mut made, &mut misfits);
            // Lines along steps are no walls.
            let walls = rings[..count].iter().map(|ring| ring.points.len()).sum();
            made.1.truncate(walls);
            return Ok(made);
        }
        let mut parts = vec![cuts];
        while let Some(mut cuts) = parts.pop() {
            let cut_rings: Vec<Ring> = rings.iter().map(|ring| cut(ring, &cuts)).collect();
            match connect(&cut_rings, &places) {
                Ok(next) => (rings, made) = (cut_rings, next),
                // Rounding moved a ring onto something else, by one of these cuts.
                Err(_) => match cuts.keys().nth(cuts.len() / 2).copied() {
                    Some(middle) if cuts.len() > 1 => {
                        let second = cuts.split_off(&middle);
                        parts.extend([second, cuts]);
                    }
                    _ => whole.extend(cuts.into_keys()),
                },
            }
        }
        misfits.try_again();
    }
}

/// Where edges of rings are cut, by their ends in ascending order.
type Cuts = BTreeMap<[Point; 2], Point>;

/// Inserts the worst places inside until all that are left are beside rings. Gives the places for
/// these, one for each edge.
fn insert(
    mesh: &mut Delaunay,
    places: &mut Vec<Point>,
    rings: &[Ring],
    whole: &[[Point; 2]],
    misfits: &mut Misfits<'_, '_>,
) -> Cuts {
    let edges: Vec<[Point; 2]> = rings.iter().flat_map(edges_of).collect();
    let is_open = rings.iter().flat_map(|ring| edges_of(ring).zip(ring.open.iter().copied()));
    let is_open: HashMap<[Point; 2], bool> = is_open.collect();
    let mut cuts = Cuts::new();
    let mut worst: BinaryHeap<(u64, Reverse<Point>, u32)> = BinaryHeap::new();
    let mut pending: Vec<u32> = (0..mesh.triangles().len() as u32).collect();
    loop {
        for &t in &pending {
            if let Some((off, place)) = misfits.of(mesh.corners(t)) {
                worst.push(((off * SCALE) as u64, Reverse(place), t));
            }
        }
        pending.clear();
        let Some((off, Reverse(place), t)) = worst.pop() else {
            return cuts;
        };
        let corners = mesh.corners(t);
        if misfits.of(corners).is_none_or(|now| now.1 != place) {
            // The triangle changed meanwhile.
            continue;
        }
        let sides = mesh.edges()[t as usize].into_iter().filter(|&e| e != NO_EDGE);
        let sides: Vec<[Point; 2]> = sides.map(|e| edges[e as usize]).collect();
        if sides.iter().any(|s| cuts.contains_key(&in_order(*s))) {
            continue;
        }
        let free = sides.iter().copied().filter(|s| !whole.contains(&in_order(*s)));
        let near = free.filter_map(|s| Some((s, foot(s, place)?)));
        let near = near.filter(|(_, (_, far))| *far < NEAR).min_by(|a, b| a.1.1.total_cmp(&b.1.1));
        if let Some((side, _)) = near
            && let Some(at) = place_on(side, place, &is_open)
        {
            cuts.insert(in_order(side), at);
            continue;
        }
        let is_on_side = sides.iter().any(|&[a, b]| orient(a, b, place) == 0);
        let is_over = off as f64 > misfits.error * SCALE;
        let changed = if is_on_side { vec![] } else { insert_at(mesh, t, place, is_over) };
        if changed.is_empty() {
            misfits.refuse(corners, place);
            pending.push(t);
        } else {
            places.push(place);
            pending.extend(changed);
        }
    }
}

/// Adds a place to a triangle. If `or_beyond`, one that rounding put beside a side that is no
/// ring's goes to the triangle beyond: a sliver holds no place of the grid, and both triangles have
/// the side's heights. Gives the triangles that changed.
fn insert_at(mesh: &mut Delaunay, t: u32, place: Point, or_beyond: bool) -> Vec<u32> {
    let changed = mesh.insert(t, place).to_vec();
    if !changed.is_empty() || !or_beyond {
        return changed;
    }
    let sides = (0..3).filter(|&k| mesh.edges()[t as usize][k] == NO_EDGE);
    let beyond: Vec<u32> = sides.map(|k| mesh.neighbours()[t as usize][k]).collect();
    for u in beyond.into_iter().filter(|&u| u != NO_TRIANGLE) {
        let corners = mesh.corners(u);
        let edges = mesh.edges()[u as usize];
        let is_on_ring = (0..3)
            .any(|k| edges[k] != NO_EDGE && orient(corners[k], corners[(k + 1) % 3], place) == 0);
        if !is_on_ring && corners.iter().all(|&c| distance(c, place) >= TOO_NEAR) {
            let changed = mesh.insert(u, place);
            if !changed.is_empty() {
                return changed.to_vec();
            }
        }
    }
    vec![]
}

fn edges_of(ring: &Ring) -> impl Iterator<Item = [Point; 2]> + '_ {
    let n = ring.points.len();
    (0..n).map(move |k| [ring.points[k], ring.points[(k + 1) % n]])
}

fn in_order([a, b]: [Point; 2]) -> [Point; 2] {
    [a.min(b), a.max(b)]
}

/// A ring with more corners.
fn cut(ring: &Ring, cuts: &Cuts) -> Ring {
    let mut out = Ring::with_capacity(ring.points.len());
    for (edge, &open) in edges_of(ring).zip(&ring.open) {
        out.push(edge[0], open);
        if let Some(&at) = cuts.get(&in_order(edge)) {
            out.push(at, open);
        }
    }
    out
}

/// Where an edge is cut near a place: on the edge if it follows an axis, else on the ground's side
/// of it, or, if both sides are cut alike, beside it. An edge with another layer's ground beyond
/// must not move: it is cut where it meets the grid, if anywhere.
fn place_on([a, b]: [Point; 2], p: Point, open: &HashMap<[Point; 2], bool>) -> Option<Point> {
    let (t, _) = foot([a, b], p)?;
    let d = offset(a, b);
    let at = [f64::from(a.x) + t * d[0], f64::from(a.z) + t * d[1]];
    let [x, z] = at.map(|c| c.floor() as i32);
    let around = [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[i, j]| Point::new(x + i, z + j));
    let far = |q: &Point| {
        let [u, v] = [f64::from(q.x) - at[0], f64::from(q.z) - at[1]];
        u * u + v * v
    };
    let is_two_sided = open.contains_key(&[b, a]);
    let is_open = open.get(&[a, b]).is_some_and(|&open| open);
    let may_be = |q: &Point| match orient(a, b, *q) {
        0 => true,
        side => is_two_sided || side > 0 && !is_open,
    };
    let nearest = |all: &mut dyn Iterator<Item = Point>| {
        all.min_by(|p, q| far(p).total_cmp(&far(q)).then(p.cmp(q)))
    };
    nearest(&mut around.into_iter().filter(may_be)).or_else(|| {
        // Places of the grid on the edge are at equal distances.
        let gcd = gcd((b.x - a.x).unsigned_abs(), (b.z - a.z).unsigned_abs());
        let k = (t * f64::from(gcd)).round();
        let inner = k >= 1.0 && k < f64::from(gcd);
        let along = |from: i32, to: i32| from + ((to - from) / gcd as i32) * k as i32;
        inner.then(|| Point::new(along(a.x, b.x), along(a.z, b.z)))
    })
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}
