//! The Rust of the README, compiled and run on the level that the README bakes.

use std::path::Path;

use navbake_bake::{Config, Options, bake_file};

#[rustfmt::skip]
mod example {
use navbake_search::{Blob, BlobError, PathRequest, Query, SearchBuffer, Status};

pub(super) fn path_upstairs(bytes: &[u8]) -> Result<Vec<[f64; 3]>, BlobError> {
    let blob = Blob::open_checked(bytes)?;
    let nav = blob.decode_for("default").expect("baked for this agent"); // once, for all threads
    let query = Query::new(nav.mesh());
    let mut buffer = SearchBuffer::new(query.mesh()); // once a thread: queries allocate nothing
    let request = PathRequest::new([20.0, 0.0, 25.0], [10.0, 4.0, 9.0]); // y-up metres
    let answer = query.path(&request, &mut buffer);
    assert_eq!(answer.status, Status::Reached);
    Ok(answer.points.to_vec())
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
