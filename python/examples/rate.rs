//! Paths in bulk in Rust, beside those of the Python package: the same requests, one after the
//! other on one thread.
//!
//! `rate BLOB COUNT SEED` prints the nanoseconds and the sum of the lengths.
#![allow(missing_docs)]

use std::error::Error;
use std::time::Instant;

use navbake_search::around::Random;
use navbake_search::{NavMeshBuf, NavQuery, PathRequest, QueryFilter, Scratch};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [blob, count, seed] = words.as_slice() else {
        return Err("usage: rate BLOB COUNT SEED".into());
    };
    let count: usize = count.parse()?;
    let nav = NavMeshBuf::open(&std::fs::read(blob)?)?;
    let mesh = nav.mesh();
    let mut filter = QueryFilter::new();
    filter.set_agents(1);
    let query = NavQuery::new(mesh).with_filter(&filter);
    let mut sums = vec![0; mesh.polygon_count() as usize];
    let areas = query.areas(&mut sums).ok_or("no ground")?;
    let mut random = Random::new(seed.parse()?);
    let mut place = || query.random_place(&areas, &mut random).map(|place| place.position());
    let places: Vec<[f64; 3]> = (0..2 * count).map_while(|_| place()).collect();
    let (starts, goals) = places.split_at(count);
    let mut scratch = Scratch::new();
    let begin = Instant::now();
    let (mut points, mut sum) = (vec![], 0.0);
    for (&from, &to) in starts.iter().zip(goals) {
        let request = PathRequest::new(from, to).polygons(false);
        let path = query.find_path(&request, &mut scratch)?;
        points.extend_from_slice(path.points);
        sum += path.length_xz;
    }
    println!("{} {sum:?}", begin.elapsed().as_nanos());
    Ok(())
}
