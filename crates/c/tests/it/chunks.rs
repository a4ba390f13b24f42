//! Worlds in chunks, in C and C++: answers are those of the runtime with the same chunks, to the
//! bit.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use navbake_bake::{BakeInput, ChunkFile, Config, Options, bake_file};
use navbake_search::around::{Areas, Random};
use navbake_search::blob::Blob;
use navbake_search::{Algorithm, NavMeshBuf, NavQuery, PathRequest, Scratch, Status};
use navbake_world::{Chunk, ChunkMesh, Way, World};

use crate::abi::sanitized;
use crate::c_program::run;

/// A level as an index with chunks, whose files are in a folder.
pub(crate) struct Baked {
    pub(crate) index: PathBuf,
    pub(crate) nav: NavMeshBuf,
    /// The rows of the index.
    pub(crate) files: Vec<Chunk>,
    pub(crate) chunks: Vec<ChunkMesh>,
}

const CONFIG: &str = "cell = 0.06\nfindings = false\ntables.budget = \"none\"\n";

/// The agent of the tests is the first.
const AGENTS: &str = "[[agent]]\nname = \"walker\"\n[[agent]]\nname = \"giant\"\nradius = 0.9\n";

fn level(folder: &Path) -> PathBuf {
    navbake_testkit::data::world(folder, 6)
}

/// Bakes chunks of 15 m.
pub(crate) fn baked(level: &Path, folder: &Path, config: &str) -> Baked {
    let config = Config::parse(&format!("{CONFIG}{config}")).unwrap();
    let input = BakeInput::open_to_bake(level, &config).unwrap();
    let index = folder.join("world.navw");
    let folder = index.with_extension("chunks");
    std::fs::create_dir(&folder).unwrap();
    let mut take = |file: ChunkFile| {
        std::fs::write(folder.join(file.name), file.bytes).unwrap();
        Ok(())
    };
    let options = Options { chunk: Some(15.0), ..Options::default() };
    let bytes = input.bake_chunks(&options, &mut take).unwrap().bytes;
    std::fs::write(&index, &bytes).unwrap();
    let first = |bytes: &[u8]| Blob::open_checked(bytes).unwrap().decode(0).unwrap();
    let nav = first(&bytes);
    let files: Vec<Chunk> = nav.mesh().file().chunks().iter().collect();
    let open = |file: &Chunk| {
        let bytes = std::fs::read(folder.join(file.file_name())).unwrap();
        ChunkMesh::new(first(&bytes)).unwrap()
    };
    let chunks = files.iter().map(open).collect();
    Baked { index, nav, files, chunks }
}

impl Baked {
    pub(crate) fn folder(&self) -> PathBuf {
        self.index.with_extension("chunks")
    }
}

pub(crate) fn places(whole: &[u8], count: usize) -> Vec<[f64; 3]> {
    let nav = NavMeshBuf::open(whole).unwrap();
    let query = NavQuery::new(nav.mesh());
    let mut sums = vec![0; nav.mesh().polygon_count() as usize];
    let areas: Areas = query.areas(&mut sums).unwrap();
    let mut random = Random::new(1);
    (0..count).map(|_| query.random_place(&areas, &mut random).unwrap().position()).collect()
}

fn show(out: &mut String, number: f64) {
    write!(out, " {:016x}", number.to_bits()).unwrap();
}

/// What the program prints of a pair: as the header numbers statuses.
fn answer(world: &World, [from, to]: [[f64; 3]; 2], out: &mut String) {
    let query = NavQuery::new(world.nav_mesh());
    let mut scratch = Scratch::new();
    for (what, partial) in [("path", false), (", near", true)] {
        let request = PathRequest::new(from, to).algorithm(Algorithm::Optimal).partial(partial);
        let path = query.find_path(&request, &mut scratch).unwrap();
        let status = match path.status {
            Status::Reached => 0,
            Status::Partial => 1,
            Status::Unreachable => 2,
            Status::NotLoaded => 6,
            other => panic!("{other:?}"),
        };
        write!(out, "{what} {status}").unwrap();
        show(out, path.length_xz);
    }
    if let Some(start) = query.locate(from, 1.0) {
        if let Some(goal) = query.locate(to, 1.0) {
            let status = match world.way(start.polygon(), goal.polygon()) {
                Way::Loaded => 0,
                Way::None => 2,
                Way::NotLoaded => 6,
            };
            write!(out, ", reachable {status}").unwrap();
        }
        write!(out, ", beyond").unwrap();
        for [column, row] in world.not_loaded(start.polygon()) {
            write!(out, " {column},{row}").unwrap();
        }
        let route = query.route(&start, to, 1.0, &mut scratch);
        write!(out, ", route {}", if route.is_some() { 0 } else { 2 }).unwrap();
        show(out, route.as_ref().map_or(0.0, |route| route.length));
        for passage in route.iter().flat_map(|route| &route.passages) {
            let [column, row] = passage.into;
            write!(out, " {column},{row}").unwrap();
            show(out, passage.position[0]);
        }
    }
    out.push('\n');
}

/// What the program prints, from the runtime itself.
fn expected(baked: &Baked, pairs: &[[[f64; 3]; 2]]) -> String {
    let mut out = String::new();
    let grid = baked.nav.mesh().grid();
    for file in &baked.files {
        let [column, row] = file.key;
        write!(out, "{} {column},{row} {}", file.file_name(), file.polygons).unwrap();
        show(&mut out, grid.metres(file.least.map(f64::from))[0]);
        show(&mut out, grid.metres(file.greatest.map(f64::from))[2]);
        writeln!(out, " {:02x}", file.hash[31]).unwrap();
    }
    let orders: [Vec<&ChunkMesh>; 2] =
        [baked.chunks.iter().collect(), baked.chunks.iter().rev().collect()];
    for order in orders {
        let mut world = World::new(baked.nav.clone());
        order.into_iter().for_each(|chunk| world.insert_chunk(chunk.clone()).unwrap());
        world.commit();
        // It came and went meanwhile.
        world.remove_chunk(baked.files[0].key).unwrap();
        world.insert_chunk(baked.chunks[0].clone()).unwrap();
        world.commit();
        pairs.iter().for_each(|&pair| answer(&world, pair, &mut out));
        for file in baked.files.iter().skip(1).step_by(2) {
            world.remove_chunk(file.key).unwrap();
        }
        world.commit();
        pairs.iter().for_each(|&pair| answer(&world, pair, &mut out));
    }
    out + "0 faults\n"
}

#[test]
fn a_world_in_chunks_has_the_answers_of_the_runtime_in_c_and_cpp() {
    let [scratch, others] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let own = baked(&level(scratch.path()), scratch.path(), AGENTS);
    let other = baked(&level(others.path()), others.path(), "");
    let other = other.folder().join(other.files[0].file_name());
    let whole =
        bake_file(&level(scratch.path()), &Config::parse(CONFIG).unwrap(), &Options::default());
    let whole = whole.unwrap().bytes;
    let blob = scratch.path().join("whole.nav");
    std::fs::write(&blob, &whole).unwrap();
    let pairs: Vec<[[f64; 3]; 2]> =
        places(&whole, 160).chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
    let wanted = expected(&own, &pairs);
    let has = |text: &str| wanted.contains(text);
    assert!(["path 0", "path 2", "path 6"].into_iter().all(has), "paths of all kinds");
    assert!([0, 2, 6].iter().all(|status| has(&format!("reachable {status}"))), "as well");
    assert!(has("route 0") && has("route 2") && has("beyond "), "and routes");
    let Some(program) = sanitized("chunks.c", scratch.path()) else { return };
    let words = |pairs: &[[[f64; 3]; 2]]| -> Vec<String> {
        pairs.as_flattened().as_flattened().iter().map(f64::to_string).collect()
    };
    let printed = run(Command::new(program)
        .arg(&own.index)
        .arg(own.folder())
        .arg(other)
        .arg(blob)
        .args(words(&pairs)));
    assert_eq!(printed, wanted);

    // In C++: a pair whose route enters chunks that are not there at first.
    let mut world = World::new(own.nav.clone());
    for chunk in own.chunks.iter().step_by(2) {
        world.insert_chunk(chunk.clone()).unwrap();
    }
    world.commit();
    let crosses = |pair: &&[[f64; 3]; 2]| {
        let mut text = String::new();
        answer(&world, **pair, &mut text);
        text.starts_with("path 6") && text.contains("reachable 6") && text.contains("route 0")
    };
    let &pair = pairs.iter().find(crosses).expect("a route over chunks that are not loaded");
    let length = followed(&own, world, pair);
    let Some(program) = sanitized("chunks.cpp", scratch.path()) else { return };
    let printed = run(Command::new(program).arg(&own.index).arg(own.folder()).args(words(&[pair])));
    assert_eq!(printed, format!("{length:.6}\n"));
}

/// The length of a path once the chunks of its route are loaded.
fn followed(baked: &Baked, mut world: World, [from, to]: [[f64; 3]; 2]) -> f64 {
    let mut scratch = Scratch::new();
    loop {
        let query = NavQuery::new(world.nav_mesh());
        let start = query.locate(from, 1.0).unwrap();
        let route = query.route(&start, to, 1.0, &mut scratch).unwrap();
        let missing = route.passages.iter().find(|passage| !world.is_loaded(passage.into));
        let Some(missing) = missing else {
            let request = PathRequest::new(from, to).algorithm(Algorithm::Auto);
            let path = query.find_path(&request, &mut scratch).unwrap();
            assert_eq!(path.status, Status::Reached);
            return path.length_xz;
        };
        let chunk = baked.chunks.iter().find(|chunk| chunk.key() == missing.into).unwrap();
        world.insert_chunk(chunk.clone()).unwrap();
        world.commit();
    }
}
