//! The time of a query with tables: predicted from their sizes, and measured. Changes no byte.

use std::hint::black_box;
use std::time::Instant;

use navbake_format::CheckedBlob;
use navbake_search::around::Random;
use navbake_search::{Algorithm, NavPoint, NavQuery, PathRequest, Scratch};
use navbake_tables::Packed;

/// How many queries are measured, and counted.
const PAIRS: usize = 256;

/// How often each is measured.
const RUNS: usize = 3;

/// Random pairs of places, each pair on one island; the same for the same mesh.
pub(super) fn pairs(query: &NavQuery<'_>) -> Vec<[NavPoint; 2]> {
    let mesh = query.mesh();
    let mut sums = vec![0; mesh.polygon_count() as usize];
    let Some(areas) = query.areas(&mut sums) else {
        return vec![];
    };
    let mut random = Random::new(1);
    let mut pair = || {
        let from = query.random_place(&areas, &mut random)?;
        let island = mesh.island(from.polygon());
        Some([from, query.random_on_island(&areas, island, &mut random)?])
    };
    (0..PAIRS).filter_map(|_| pair()).collect()
}

/// Mean time of a whole query with such tables, µs, where views serve such a share of the ground,
/// or labels of squares all of it: a line through the times of 16 maps on one machine, within a
/// third of most of them.
pub(super) fn predicted(packed: &Packed, view_share: f64) -> f64 {
    let slope = match packed.squares.ends.is_empty() {
        true => 0.5 - 0.2 * view_share,
        false => 0.08,
    };
    1.0 + slope * (packed.ranks.len() as f64).sqrt()
}

/// The same where landmarks guide a search, by the mesh's corners: within a factor of two of most
/// maps that were measured.
pub(super) fn predicted_by_landmarks(corners: usize) -> f64 {
    1.0 + 0.022 * corners as f64
}

/// The same, measured with all tables and without labels: random pairs of points of one island on
/// one thread, the fastest of a few runs, taken in turns.
///
/// The means over classes.
pub(super) fn measured(blob: &CheckedBlob<'_>, classes: &[u16]) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for nav in classes.iter().filter_map(|&class| blob.decode(class).ok()) {
        let queries = [nav.mesh(), nav.mesh().without_labels()].map(NavQuery::new);
        let mut scratches = [Scratch::new(), Scratch::new()];
        let pairs = pairs(&queries[0]);
        let mut times = vec![[f64::INFINITY; 2]; pairs.len()];
        for _ in 0..RUNS {
            for (ends, times) in pairs.iter().zip(&mut times) {
                let [from, to] = [0, 1].map(|i| ends[i].position());
                let request = PathRequest::new(from, to).algorithm(Algorithm::Optimal);
                for ((query, scratch), time) in queries.iter().zip(&mut scratches).zip(times) {
                    let begin = Instant::now();
                    let path = query.find_path(&request, scratch);
                    black_box(path.map_or(0.0, |path| path.length_xz));
                    *time = time.min(begin.elapsed().as_secs_f64() * 1e6);
                }
            }
        }
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum += times.iter().map(|t| t[i]).sum::<f64>() / times.len().max(1) as f64;
        }
    }
    sums.map(|sum| sum / classes.len().max(1) as f64)
}
