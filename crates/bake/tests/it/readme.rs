//! The Rust of the README, compiled and run on the level that the README bakes.

use std::path::Path;

use navbake_bake::{Config, Options, bake_file};

#[rustfmt::skip]
mod example {
use navbake_search::{Error, NavMeshBuf, NavQuery, PathRequest, Scratch, Status};

pub(super) fn path_upstairs(bytes: &[u8]) -> Result<Vec<[f64; 3]>, Error> {
    let nav = NavMeshBuf::open(bytes)?; // once, for all threads
    let query = NavQuery::new(nav.mesh());
    let mut scratch = Scratch::new(); // one per thread; it grows with what is asked
    let request = PathRequest::new([20.0, 0.0, 25.0], [10.0, 4.0, 9.0]); // y-up metres
    let path = query.find_path(&request, &mut scratch)?;
    assert_eq!(path.status, Status::Reached);
    Ok(path.points.to_vec())
}
}

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

#[test]
fn the_readme_shows_this_code() {
    let readme = std::fs::read_to_string(Path::new(ROOT).join("README.md")).expect("README.md");
    let block = readme
        .split("```rust\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("a block of Rust");
    let here = include_str!("readme.rs").replace("pub(super) fn", "fn");
    assert!(here.contains(block), "the README shows other code:\n{block}");
}

#[test]
fn the_readme_finds_its_path() {
    let level = Path::new(ROOT).join("fixtures/courtyard/courtyard.obj");
    let baked = bake_file(&level, &Config::default(), &Options::default()).expect("it bakes");
    let points = example::path_upstairs(&baked.bytes).expect("a sound blob");
    assert_eq!(points.first(), Some(&[20.0, 0.0, 25.0]));
    assert!(points.len() > 2, "the way goes round corners: {points:?}");
    let end = points.last().expect("a last point");
    assert!((end[0] - 10.0).abs() < 1e-9 && (end[2] - 9.0).abs() < 1e-9);
    assert!((end[1] - 4.0).abs() < 0.1, "on the upper floor: {end:?}");
}
