//! Fuzz targets: plain functions over bytes, for libFuzzer (`fuzz_targets`) and for the mutation
//! loop on stable Rust (`src/bin/stable.rs`).
//!
//! A target panics where navbake breaks a promise. [`TARGETS`] has a row for each.
#![allow(missing_docs)] // the targets say by name what they read

mod baking;
mod blobs;
mod c;
mod chunks;
mod input;
mod levels;
mod moving;
pub mod mutate;
pub mod queries;
pub mod seeds;
mod texts;
mod worlds;

use std::cell::Cell;

pub use baking::{detour, grid, soup};
pub use blobs::{blob, damaged_blob};
pub use c::c;
pub use chunks::chunks;
pub use levels::{glb, gltf, heights, map, obj, png, tiles};
pub use texts::{cache, config};
pub use worlds::world;

/// A target: its name, which is also that of its corpus, the function, and the group whose time it
/// shares in `.ci/run`.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub name: &'static str,
    pub run: fn(&[u8]),
    pub group: &'static str,
}

const fn target(name: &'static str, run: fn(&[u8]), group: &'static str) -> Target {
    Target { name, run, group }
}

thread_local! {
    static WORKED: Worked = const { Worked(Cell::new(0)) };
}

/// Inputs of this thread that were not refused: asked, baked, or run as programs. What was not
/// taken is printed when the program ends, as libFuzzer says nothing of it.
struct Worked(Cell<u64>);

impl Drop for Worked {
    fn drop(&mut self) {
        if self.0.get() > 0 {
            eprintln!("stat::inputs_worked_on: {}", self.0.get());
        }
    }
}

/// Counts an input that is not refused.
pub(crate) fn worked() {
    WORKED.with(|worked| worked.0.set(worked.0.get() + 1));
}

/// Inputs that were not refused since the last call.
pub fn take_worked() -> u64 {
    WORKED.with(|worked| worked.0.take())
}

/// All targets.
pub const TARGETS: &[Target] = &[
    target("blob", blob, "blobs"),
    target("damaged_blob", damaged_blob, "blobs"),
    target("config", config, "texts"),
    target("cache", cache, "texts"),
    target("obj", obj, "levels"),
    target("glb", glb, "levels"),
    target("gltf", gltf, "levels"),
    target("map", map, "levels"),
    target("tiles", tiles, "levels"),
    target("heights", heights, "levels"),
    target("png", png, "levels"),
    target("detour", detour, "bakes"),
    target("soup", soup, "bakes"),
    target("grid", grid, "bakes"),
    target("world", world, "worlds"),
    target("chunks", chunks, "worlds"),
    target("c", c, "worlds"),
];
