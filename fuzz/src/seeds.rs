//! Small levels that are baked when they are first asked for: together they have every section of
//! the format, packed and unpacked.

use std::sync::OnceLock;

use navbake_bake::{BakeInput, Cache, ChunkFile, Config, Options, bake};
use navbake_format::Blob;
use navbake_import::{Format, ImportOptions, read_bytes};
use navbake_level::Source;

/// Ground, a ramp up to the floor above, and that floor.
const HOUSE: &str = "\
v 0 0 0\nv 0 0 20\nv 40 0 20\nv 40 0 0\nv 4 0 8\nv 4 0 12\nv 20 4 12\nv 20 4 8\nv 20 4 0\n\
v 20 4 20\nv 40 4 20\nv 40 4 0\nf 1 2 3 4\nf 5 6 7 8\nf 9 10 11 12\n";

const HOUSE_CONFIG: &str = include_str!("../seeds/house.toml");

/// With links between chunks and within one, and with rooms whose doors are on the sides of chunks.
const CHUNKS_CONFIG: &str = "\
cell = 0.06\nfindings = false\n[tables]\nbudget = \"none\"\n\
[rooms]\nenabled = true\nmax_room_area = 100\n[rooms.doors]\n\"gate\" = [10, 0, 2]\n\
[[link]]\nfrom = [2, 0, 2]\nto = [38, 4, 18]\ntwo_way = true\n\
[[link]]\nname = \"rope\"\nfrom = [36, 4, 4]\nto = [35, 0, 3]\n";

/// Names and bytes of a level and its config.
type Level = (&'static str, &'static str, &'static [u8], &'static str);

const LEVELS: &[Level] = &[
    ("house", "obj", HOUSE.as_bytes(), HOUSE_CONFIG),
    (
        "grid",
        "txt",
        include_bytes!("../../fixtures/grid10/grid10.txt"),
        include_str!("../seeds/grid.toml"),
    ),
    (
        "crossing",
        "glb",
        include_bytes!("../../fixtures/crossing/crossing.glb"),
        include_str!("../../fixtures/crossing/bake.toml"),
    ),
    ("hexagons", "map", include_bytes!("../../fixtures/hexagons/hexagons.map"), ""),
    (
        "office",
        "obj",
        include_bytes!("../../fixtures/office/office.obj"),
        include_str!("../seeds/office.toml"),
    ),
    (
        "yard",
        "txt",
        include_bytes!("../../fixtures/yard/yard.txt"),
        include_str!("../../fixtures/yard/bake.toml"),
    ),
    (
        "terraces",
        "obj",
        include_bytes!("../../fixtures/terraces/terraces.obj"),
        include_str!("../../fixtures/terraces/bake.toml"),
    ),
    ("floor", "obj", b"v 0 0 0\nv 0 0 9\nv 9 1 9\nv 9 0 0\nf 1 2 3 4\n", ""),
];

/// A level in memory, by its extension.
///
/// # Panics
/// When it is not read: the levels of this file are sound.
fn read(name: &str, extension: &str, bytes: &[u8]) -> Source {
    let format = Format::by_extension(extension).expect("a format");
    let path = format!("{name}.{extension}");
    let import = read_bytes(bytes.into(), format, path.as_ref(), &ImportOptions::default());
    import.expect("a sound level").source
}

/// The blobs by name, each packed and unpacked; baked once in a process.
pub fn blobs() -> &'static [(String, Vec<u8>)] {
    static BLOBS: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    BLOBS.get_or_init(|| {
        let mut all = vec![];
        for &(name, extension, bytes, config) in LEVELS {
            let config = Config::parse(config).expect("a sound config");
            let source = read(name, extension, bytes);
            let options = Options { threads: 1, ..Options::default() };
            let packed = match bake(source, &config, &options) {
                Ok(baked) => baked.bytes,
                Err(error) => panic!("{name}: {error}"),
            };
            let unpacked = Blob::open_checked(&packed).and_then(|blob| blob.unpack());
            all.push((format!("{name}-unpacked"), unpacked.expect("a sound blob")));
            all.push((name.into(), packed));
        }
        all
    })
}

/// The index of a world, and its chunks: the house without its lift, six squares of 15 m.
pub fn world_in_chunks() -> &'static [Vec<u8>] {
    static FILES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    FILES.get_or_init(|| {
        let config = Config::parse(CHUNKS_CONFIG).expect("a sound config");
        let level = read("house", "obj", HOUSE.as_bytes());
        let input = BakeInput::new(level, &config).expect("a sound level");
        let options = Options { threads: 1, chunk: Some(1.0), ..Options::default() };
        let mut files = vec![vec![]];
        let mut take = |file: ChunkFile| {
            files.push(file.bytes);
            Ok(())
        };
        let index = input.bake_chunks(&options, &mut take).expect("a sound level");
        files[0] = index.bytes;
        files
    })
}

/// Inputs that a target begins with, beside those of its folder in `corpus`.
pub fn of(target: &str) -> Vec<Vec<u8>> {
    let all = |files: &[&[u8]]| files.iter().map(|file| [file, &[0][..]].concat()).collect();
    match target {
        "blob" => blobs().iter().map(|(_, bytes)| bytes.clone()).collect(),
        "config" => LEVELS.iter().map(|(.., config)| config.as_bytes().to_vec()).collect(),
        "detour" => written_for_detour(),
        "cache" => entries(),
        "obj" => all(&[
            HOUSE.as_bytes(),
            include_bytes!("../../fixtures/plan/plan.obj"),
            include_bytes!("../../fixtures/office/office.obj"),
        ]),
        "glb" => all(&[
            include_bytes!("../../fixtures/crossing/crossing.glb"),
            include_bytes!("../../fixtures/gatehouse/gatehouse.glb"),
            include_bytes!("../../fixtures/bad/glb_index_past_vertices.glb"),
        ]),
        "gltf" => all(&[
            include_bytes!("../../fixtures/bad/gltf_draco_damaged.gltf"),
            include_bytes!("../../fixtures/bad/gltf_node_cycle.gltf"),
        ]),
        "map" => all(&[
            include_bytes!("../../fixtures/hexagons/hexagons.map"),
            include_bytes!("../../fixtures/cellar/cellar.map"),
        ]),
        "tiles" => all(&[
            include_bytes!("../../fixtures/grid10/grid10.txt"),
            include_bytes!("../../fixtures/yard/yard.txt"),
        ]),
        // Four by four samples, and how they are read.
        "heights" => vec![(0..33).collect()],
        "png" => vec![include_bytes!("../../fixtures/battlefield/battlefield.png").to_vec()],
        "c" => programs().chain(programs().map(|program| on_a_world(&program))).collect(),
        _ => programs().collect(),
    }
}

/// Programs: any bytes are one.
fn programs() -> impl Iterator<Item = Vec<u8>> {
    (1..9u64).map(|seed| {
        let mut random = navbake_testkit::Random(seed);
        (0..40 * seed).map(|_| random.next() as u8).collect()
    })
}

/// A program of the target `c` after chunks of the world were inserted, saved and restored.
fn on_a_world(program: &[u8]) -> Vec<u8> {
    // The shared index, its agent, no room for a message.
    let mut all = vec![192, 255, 0, 0];
    for chunk in 0..world_in_chunks().len() as u8 - 1 {
        // With a commit.
        all.extend([128, 66, chunk, 0]);
    }
    // Without edits, and with all chunks.
    all.extend([128, 7, 0, 0, 0, 0, 0]);
    all.extend(program);
    all
}

/// The navmeshes of the seeds as Detour's files.
fn written_for_detour() -> Vec<Vec<u8>> {
    let mut files = vec![];
    for (_, bytes) in blobs() {
        let file = Blob::open_checked(bytes).expect("a sound blob");
        let nav = file.decode(0).expect("a class");
        let mesh = nav.mesh();
        let settings = navbake_detour::Settings::new(&mesh, 0);
        if let Ok(written) = navbake_detour::write(&mesh, &settings) {
            files.push(written.bytes);
        }
    }
    files
}

/// Payloads of the entries that a bake leaves in a cache's folder.
fn entries() -> Vec<Vec<u8>> {
    let folder = std::env::temp_dir().join(format!("navbake-fuzz-{}", std::process::id()));
    let cache = Cache::open(&folder).expect("a folder for temporary files");
    let config = Config::parse(HOUSE_CONFIG).expect("a sound config");
    let options = Options { threads: 1, cache: Some(&cache), ..Options::default() };
    bake(read("house", "obj", HOUSE.as_bytes()), &config, &options).expect("a sound level");
    let shelves = std::fs::read_dir(&folder).expect("it was made").flatten();
    let files = shelves.flat_map(|shelf| std::fs::read_dir(shelf.path()).into_iter().flatten());
    let mut paths: Vec<_> = files.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    // Behind magic, version, key, length and checksum.
    let payload = |path: &std::path::PathBuf| {
        std::fs::read(path).ok().and_then(|bytes| Some(bytes.get(84..)?.to_vec()))
    };
    let entries = paths.iter().filter_map(payload).collect();
    // What is left there is temporary.
    let _ = std::fs::remove_dir_all(&folder);
    entries
}
