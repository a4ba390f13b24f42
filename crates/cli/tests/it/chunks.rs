//! Worlds in chunks: an index and a folder of blobs from one output name.

use std::fs;

use navbake_format::Blob;

use crate::common::Place;

/// A floor with a block.
const YARD: &str = "o yard\nv 0 0 0\nv 0 0 90\nv 90 0 90\nv 90 0 0\nf 1 2 3 4\n\
    o block\nv 10 0 10\nv 10 0 14\nv 14 0 14\nv 14 0 10\nv 10 3 10\nv 10 3 14\nv 14 3 14\nv 14 3 10\n\
    f 5 8 7 6\nf 9 10 11 12\nf 5 6 10 9\nf 6 7 11 10\nf 7 8 12 11\nf 8 5 9 12\n";

/// Tiles of 12.8 m.
const BAKE: [&str; 6] = ["bake", "yard.obj", "--cell", "0.05", "--chunk", "30"];

fn baked() -> Place {
    let place = Place::new();
    place.write("yard.obj", YARD);
    let ran = place.run(&[&BAKE[..], &["-o", "out/yard.navw"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    place
}

/// The files of chunks, sorted.
fn chunks(place: &Place) -> Vec<String> {
    let entries = fs::read_dir(place.path("out/yard.chunks")).unwrap();
    let mut all: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    all.sort();
    all
}

#[test]
fn an_output_with_navw_is_an_index_and_a_blob_for_each_chunk() {
    let place = baked();
    let bytes = fs::read(place.path("out/yard.navw")).unwrap();
    let blob = Blob::open_checked(&bytes).unwrap();
    let mut named: Vec<String> = blob.chunks().iter().map(|chunk| chunk.file_name()).collect();
    named.sort();
    assert!(named.len() >= 9);
    assert_eq!(named, chunks(&place));
    // Each is a blob that other verbs read. With the index they read all of them.
    let polygons = |path: &str| {
        place.run(&["info", path, "--format", "json"]).json()["polygons"].as_u64().unwrap()
    };
    let of_chunks = named.iter().map(|name| polygons(&format!("out/yard.chunks/{name}")));
    let of_chunks: Vec<u64> = of_chunks.collect();
    assert!(of_chunks.iter().all(|&count| count > 0));
    assert_eq!(polygons("out/yard.navw"), of_chunks.iter().sum::<u64>());
    let path = format!("out/yard.chunks/{}", named[0]);
    assert_eq!(place.run(&["export", &path, "--to", "obj", "-o", "chunk.obj"]).code, 0);
}

#[test]
fn a_world_that_is_up_to_date_is_not_baked_again_and_has_the_same_figures() {
    let place = baked();
    let again = |more: &[&str]| {
        let command = [&BAKE[..], &["-o", "out/yard.navw", "--format", "json"], more].concat();
        place.run(&command).json()
    };
    let (kept, forced) = (again(&[]), again(&["--force"]));
    assert_eq!(
        (kept["up_to_date"].as_bool(), forced["up_to_date"].as_bool()),
        (Some(true), Some(false))
    );
    for key in ["hash", "bytes", "polygons", "portals", "islands"] {
        assert_eq!(kept[key], forced[key], "{key}");
    }
    let near = |key: &str| kept[key].as_f64().unwrap() - forced[key].as_f64().unwrap();
    assert!(near("area_m2").abs() < 1e-6);
    fs::remove_file(place.path(&format!("out/yard.chunks/{}", chunks(&place)[0]))).unwrap();
    assert_eq!(again(&[])["up_to_date"].as_bool(), Some(false));
}

#[test]
fn a_farm_merges_a_world_in_chunks_to_the_bytes_of_one_machine() {
    let place = baked();
    let index = fs::read(place.path("out/yard.navw")).unwrap();
    let plan = ["plan", "yard.obj", "-o", "plan", "--cell", "0.05", "--jobs", "2"];
    assert_eq!(place.run(&plan).code, 0);
    assert_eq!(place.run(&["run", "--plan", "plan", "--job", "0-1"]).code, 0);
    let merge = ["merge", "--plan", "plan", "-o", "farm/yard.navw", "--chunk", "30"];
    let ran = place.run(&merge);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(fs::read(place.path("farm/yard.navw")).unwrap(), index);
}

#[test]
fn a_side_of_chunks_without_chunks_is_refused() {
    let place = Place::new();
    place.write("yard.obj", YARD);
    for more in [&["-o", "yard.nav"][..], &[]] {
        let ran = place.run(&[&BAKE[..], more].concat());
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains("--chunk") && ran.err.contains(".navw"), "{}", ran.err);
    }
    place.write("floor.toml", "surface = \"floor\"\n");
    let ran = place.run(&["bake", "yard.obj", "-o", "yard.navw", "--config", "floor.toml"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("`surface") && ran.err.contains(".navw"), "{}", ran.err);
    assert!(!place.path("yard.navw").exists() && !place.path("yard.chunks").exists());
}
