//! Builds Detour's TileCache, whose source the crate `recastnavigation-rs` brings but does not
//! build, and the few functions over it.

use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=src/tile_cache.cpp");
    let source = source();
    let mut build = cc::Build::new();
    build.cpp(true).std("c++14").warnings(false).flag("-ffp-contract=off");
    for part in ["Deterministic", "Recast", "Detour", "DetourTileCache"] {
        build.include(source.join(part).join("Include"));
    }
    let fastlz = source.join("RecastDemo/Contrib/fastlz");
    build.include(&fastlz);
    for file in ["DetourTileCache.cpp", "DetourTileCacheBuilder.cpp"] {
        build.file(source.join("DetourTileCache/Source").join(file));
    }
    build.file("src/tile_cache.cpp").compile("tile_cache");
    cc::Build::new().file(fastlz.join("fastlz.c")).warnings(false).compile("fastlz");
}

/// The C++ in the folder of the crate.
fn source() -> PathBuf {
    let cargo = std::env::var_os("CARGO").expect("set by Cargo");
    let all = Command::new(cargo).args(["metadata", "--format-version", "1"]).output();
    let all = all.expect("`cargo metadata` runs").stdout;
    let all: serde_json::Value = serde_json::from_slice(&all).expect("`cargo metadata` is JSON");
    let packages = all["packages"].as_array().expect("packages");
    let own = packages.iter().find(|p| p["name"] == "recastnavigation-rs").expect("a dependency");
    let manifest = PathBuf::from(own["manifest_path"].as_str().expect("a path"));
    manifest.with_file_name("recastnavigation")
}
