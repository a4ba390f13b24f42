//! Baked fixtures.

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use navbake_godot::ground::Shared;
use navbake_godot::level::Level;
use navbake_godot::search::{Search, Settings};
use navbake_search::Algorithm;

/// The bytes of a fixture, baked once.
fn baked(once: &'static OnceLock<Vec<u8>>, name: &str, options: &[&str]) -> &'static [u8] {
    once.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let navbake = std::env::var("NAVBAKE").unwrap_or_else(|_| "navbake".to_owned());
        let mut command = Command::new(&navbake);
        command.current_dir(root.join("../fixtures")).args(["-q", "bake", "--force"]);
        let status = command.args(options).arg("-o").arg(&out).status().unwrap_or_else(|error| {
            panic!("{navbake}: {error}; `cargo build --release -p navbake` and set NAVBAKE")
        });
        assert!(status.success(), "{name} was not baked");
        std::fs::read(out).unwrap()
    })
}

/// The yard with a house of two storeys.
pub(crate) fn courtyard() -> &'static [u8] {
    static BAKED: OnceLock<Vec<u8>> = OnceLock::new();
    baked(&BAKED, "courtyard.navbake", &["courtyard/courtyard.obj"])
}

/// Terraces with drops and jumps for the cat, and none for the dog.
pub(crate) fn terraces() -> &'static [u8] {
    static BAKED: OnceLock<Vec<u8>> = OnceLock::new();
    let options = ["terraces/terraces.obj", "--config", "terraces/bake.toml"];
    baked(&BAKED, "terraces.navbake", &options)
}

/// Rooms with doors as switches; `g` is closed when the level begins.
pub(crate) fn office() -> &'static [u8] {
    static BAKED: OnceLock<Vec<u8>> = OnceLock::new();
    let options = ["office/office.obj", "--config", "office/bake.toml", "--rooms"];
    baked(&BAKED, "office.navbake", &options)
}

/// The courtyard for two classes of agents.
pub(crate) fn two_classes() -> &'static [u8] {
    static BAKED: OnceLock<Vec<u8>> = OnceLock::new();
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/two_classes.toml");
    baked(&BAKED, "two.navbake", &["courtyard/courtyard.obj", "--config", config])
}

// Sides of chunks are whole tiles, which grow with cells: these are of 22.5 m.
const FINE: [&str; 3] = ["courtyard/courtyard.obj", "--cell", "0.03"];
const CHUNKED: [&str; 5] = ["courtyard/courtyard.obj", "--cell", "0.03", "--chunk", "20"];
const TWO: [&str; 2] =
    ["--config", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/two_classes.toml")];

/// The index of the courtyard in four chunks.
pub(crate) fn world() -> &'static [u8] {
    static BAKED: OnceLock<Vec<u8>> = OnceLock::new();
    baked(&BAKED, "world.navw", &CHUNKED)
}

/// The same in one file.
pub(crate) fn whole() -> &'static [u8] {
    static BAKED: OnceLock<Vec<u8>> = OnceLock::new();
    baked(&BAKED, "whole.navbake", &FINE)
}

/// The index of the courtyard in four chunks, for two classes of agents.
pub(crate) fn world_of_two_classes() -> &'static [u8] {
    static BAKED: OnceLock<Vec<u8>> = OnceLock::new();
    baked(&BAKED, "two.navw", &[&CHUNKED[..], &TWO].concat())
}

/// The same in one file.
pub(crate) fn whole_of_two_classes() -> &'static [u8] {
    static BAKED: OnceLock<Vec<u8>> = OnceLock::new();
    baked(&BAKED, "two_fine.navbake", &[&FINE[..], &TWO].concat())
}

/// The file of a chunk of the world whose index has this name.
pub(crate) fn chunk_file(index: &str, bytes: &[u8], key: [i32; 2]) -> Vec<u8> {
    let files = Level::open(bytes).unwrap().chunks();
    let own = files.iter().find(|file| file.key == key).unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(index).with_extension("chunks");
    let file = std::fs::read(folder.join(&own.name)).unwrap();
    assert_eq!(file.len() as u64, own.bytes);
    file
}

/// The level of such a file.
pub(crate) fn chunk(index: &str, bytes: &[u8], key: [i32; 2]) -> Level {
    Level::open(&chunk_file(index, bytes, key)).unwrap()
}

/// The ground of an agent of a file.
pub(crate) fn ground(bytes: &[u8], agent: &str) -> Shared {
    Shared::new(Level::open(bytes).unwrap().ground(agent).unwrap())
}

/// A unit on the only ground of a file.
pub(crate) fn search(bytes: &[u8]) -> Search {
    Search::new(ground(bytes, "")).unwrap()
}

/// How Godot's `NavbakeQuery` asks, unless it is set otherwise.
pub(crate) fn settings(algorithm: Algorithm) -> Settings {
    Settings { reach: [0.0, 2.0, 0.0], algorithm, partial: false }
}
