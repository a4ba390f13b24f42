//! Sorted positions, and triangles in their order.

use navbake_geom::{Point3, sort_by_parts};

use crate::Triangle;

/// The corners of a triangle on the grid.
pub(crate) type Corners = [Point3; 3];

/// Triangles as indices into their distinct, sorted corners. All areas are 0.
pub(crate) fn index(
    soup: impl Iterator<Item = (Corners, i32, u32)> + Clone,
) -> (Vec<Point3>, Vec<Triangle>) {
    let all = soup.clone().flat_map(|t| t.0);
    let count = 3 * soup.clone().count();
    let (vertices, number) = distinct(all.zip(0..), count);
    let of = |((_, up, part), k): ((Corners, i32, u32), usize)| Triangle {
        v: [0, 1, 2].map(|j| number[3 * k + j]),
        up,
        part,
        area: 0,
    };
    let triangles = soup.zip(0..).map(of).collect();
    (vertices, triangles)
}

/// The sorted distinct positions of `things`, and the position of each thing.
fn distinct(things: impl Iterator<Item = (Point3, u32)>, count: usize) -> (Vec<Point3>, Vec<u32>) {
    let key = |(p, thing): (Point3, u32)| p.rank() << 32 | u128::from(thing);
    let keys: Vec<u128> = things.map(key).collect();
    // By the first coordinate: as many parts of its range as there are positions.
    let first = |key: u128| (key >> 96) as u32;
    let least = keys.iter().map(|&key| first(key)).min().unwrap_or(0);
    let most = keys.iter().map(|&key| first(key)).max().unwrap_or(0);
    let parts = keys.len() as u64;
    let range = u64::from(most - least) + 1;
    let part = |key: u128| (u64::from(first(key) - least) * parts / range) as usize;
    let keys = sort_by_parts(keys, parts as usize, part);
    let (mut vertices, mut number) = (vec![], vec![0; count]);
    for same in keys.chunk_by(|a, b| a >> 32 == b >> 32) {
        for &key in same {
            number[key as u32 as usize] = vertices.len() as u32;
        }
        vertices.push(Point3::of_rank(same[0] >> 32));
    }
    (vertices, number)
}

/// Replaces a scene's vertex indices by indices of sorted grid points.
///
/// Returns these points.
pub(crate) fn number(soup: &mut [Triangle], places: Vec<Option<Point3>>) -> Vec<Point3> {
    let mut is_used = vec![false; places.len()];
    for v in soup.iter().flat_map(|t| t.v) {
        is_used[v as usize] = true;
    }
    let used = places.iter().zip(0u32..).zip(is_used);
    let used = used.filter_map(|((p, k), is_used)| Some(((*p)?, k)).filter(|_| is_used));
    let (vertices, number) = distinct(used, places.len());
    drop(places);
    for v in soup.iter_mut().flat_map(|t| &mut t.v) {
        *v = number[*v as usize];
    }
    vertices
}

/// The corners of triangles and their numbers, sorted. Corners are numbers below `vertices`.
pub(crate) fn sorted_keys(soup: &[Triangle], vertices: usize) -> Vec<u128> {
    let keys: Vec<u128> = soup.iter().zip(0u32..).map(|(t, k)| key(t.v, k)).collect();
    sort_by_parts(keys, vertices, |key| (key >> 96) as usize)
}

/// The corners of a triangle and its number.
pub(crate) fn key(corners: [u32; 3], number: u32) -> u128 {
    let [a, b, c] = corners.map(u128::from);
    a << 96 | b << 64 | c << 32 | u128::from(number)
}

/// Triangles sorted by corners, then by slope and part. `keys` are those of [`sorted_keys`].
///
/// Of successive triangles with the same corners and part only the first is kept.
pub(crate) fn in_order(soup: &[Triangle], keys: &[u128]) -> Vec<Triangle> {
    let mut sorted: Vec<Triangle> = Vec::with_capacity(soup.len());
    let mut same = vec![];
    for keys in keys.chunk_by(|a, b| a >> 32 == b >> 32) {
        if let [key] = keys {
            sorted.push(soup[*key as u32 as usize]);
            continue;
        }
        same.clear();
        same.extend(keys.iter().map(|&k| soup[k as u32 as usize]));
        same.sort_unstable_by_key(|t: &Triangle| (t.up, t.part));
        same.dedup_by(|a, b| a.part == b.part);
        sorted.append(&mut same);
    }
    sorted
}
