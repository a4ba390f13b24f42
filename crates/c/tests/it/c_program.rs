//! Programs in C, compiled against the committed header and linked with the static library: on a
//! blob baked from a fixture, and on one with doors, they find what the runtime finds.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use navbake_bake::{Config, Options, bake_file};
use navbake_format::write::{
    AgentParts, AreaParts, BlobParts, ClosureParts, DoorParts, MeshParts, SwitchParts, encode,
};
use navbake_search::around::MoveLog;
use navbake_search::blob::Blob;
use navbake_search::{
    Algorithm, MoveRequest, NavQuery, PathRequest, PolyId, QueryFilter, Scratch, Status,
};

const FROM: [f64; 3] = [20.0, 0.0, 25.0];
const TO: [f64; 3] = [10.0, 4.0, 9.0];

/// Runs it and gives what it prints.
pub(crate) fn run(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Has the static library made, as a user would, and gives its place.
pub(crate) fn static_library() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["build", "--lib", "--locked", "--offline", "--target-dir"])
        .arg(target);
    let profile = if cfg!(debug_assertions) {
        "debug"
    } else {
        cargo.arg("--release");
        "release"
    };
    run(&mut cargo);
    target.join(profile).join("libnavbake_c.a")
}

/// What the program prints, from the runtime itself.
fn expected(bytes: &[u8]) -> String {
    let blob = Blob::open_checked(bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let query = NavQuery::new(nav.mesh());
    let mut scratch = Scratch::new();
    let mut out = String::new();
    let show = |p: [f64; 3]| format!("{:.6} {:.6} {:.6}", p[0], p[1], p[2]);
    for agent in blob.agents() {
        writeln!(out, "agent {}: radius {:.3}", agent.name, agent.radius).unwrap();
    }
    let start = query.locate(FROM, 2.0).unwrap();
    let goal = query.nearest(TO, [1.0, 2.0, 1.0]).unwrap();
    for (name, place) in [("start", start), ("goal", goal)] {
        writeln!(out, "{name} {} {}", place.polygon().0, show(place.position())).unwrap();
    }
    writeln!(out, "reachable {}", i32::from(!query.reachable(&start, &goal))).unwrap();
    let ray = query.raycast(&start, TO);
    let end = if ray.wall.is_some() { "wall" } else { "free" };
    writeln!(out, "ray {}, {end}", show(ray.point)).unwrap();
    let mut entered = [PolyId(0); 4];
    let log = MoveLog { entered: &mut entered, hit: &mut [] };
    let moved = query.move_along(&start, &MoveRequest::new(TO), log);
    let end = query.place(moved.end).unwrap();
    let (walked, contacts, hit) = (moved.walked, moved.contacts, moved.hit);
    let place = format!("{} {}", end.polygon().0, show(end.position()));
    writeln!(out, "move {place}, {walked:.6}, {contacts} contacts, {hit} walls").unwrap();
    for polygon in &entered[..moved.entered.min(4)] {
        writeln!(out, "  {}", polygon.0).unwrap();
    }
    let request = PathRequest::new(FROM, TO).algorithm(Algorithm::Optimal);
    let path = query.find_path(&request, &mut scratch).unwrap();
    assert!(path.points.len() > 2, "the program has something to show");
    writeln!(out, "path {:.6}, {}", path.length_xz, u32::from(path.certified_optimal)).unwrap();
    for &point in path.points {
        writeln!(out, "  {}", show(point)).unwrap();
    }
    for polygon in path.polygons {
        writeln!(out, "  {}", polygon.0).unwrap();
    }
    // As much as 23 bytes of the message hold.
    let error = Blob::open_checked(&bytes[..bytes.len() / 2]).err().unwrap();
    let message: String = error.to_string().chars().take(23).collect();
    writeln!(out, "half a blob: {message}").unwrap();
    out
}

/// Compiles `tests/NAME.c`, runs it on a blob with two points, and gives what it prints; `None`
/// where there is no compiler.
pub(crate) fn program(name: &str, bytes: &[u8], ends: [[f64; 3]; 2]) -> Option<String> {
    let compiler = std::env::var("CC").unwrap_or("cc".into());
    if !cfg!(target_os = "linux") || Command::new(&compiler).arg("--version").output().is_err() {
        println!("skipped: the test of {name}.c needs Linux and {compiler}");
        return None;
    }
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let blob = folder.path().join("level.nav");
    std::fs::write(&blob, bytes).unwrap();
    let program = folder.path().join(name);
    run(Command::new(&compiler)
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program)
        .arg("-I")
        .arg(crate_folder.join("include"))
        .arg(crate_folder.join(format!("tests/it/{name}.c")))
        .arg(static_library())
        .args(["-lpthread", "-ldl", "-lm"]));
    let ends = ends.as_flattened().iter().map(f64::to_string);
    Some(run(Command::new(&program).arg(&blob).args(ends)))
}

#[test]
fn a_c_program_finds_what_the_runtime_finds() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let level = crate_folder.join("../../fixtures/courtyard/courtyard.obj");
    let baked = bake_file(&level, &Config::default(), &Options::default()).unwrap();
    if let Some(printed) = program("path", &baked.bytes, [FROM, TO]) {
        assert_eq!(printed, expected(&baked.bytes));
    }
}

/// A corridor of three squares along x, 4 m each, with a door behind the first and a bridge as the
/// last.
pub(crate) fn corridor() -> Vec<u8> {
    let vertices: Vec<[i32; 3]> =
        (0..4).flat_map(|k| [[4096 * k, 0, 0], [4096 * k, 0, 4096]]).collect();
    // Left, front, right, back.
    let corners: Vec<u32> = (0..3).flat_map(|k| [0, 1, 3, 2].map(|c| 2 * k + c)).collect();
    const NONE: u32 = u32::MAX;
    let neighbours = [[NONE, NONE, 1, NONE], [0, NONE, 2, NONE], [1, NONE, NONE, NONE]];
    let switch = |name, closed| SwitchParts { name, closed };
    let door = DoorParts { edge: 2, switch: Some(0), width: 4.0, name: "oak" };
    encode(&BlobParts {
        switches: &[switch("gate", true), switch("bridge", false)],
        areas: &[AreaParts { name: "ground", tags: 0, edge_tags: 0, factor: 1.0, switch: None }],
        agents: &[AgentParts {
            name: "walker",
            class: 0,
            radius: 0.6,
            height: 2.0,
            climb: 0.5,
            slope: 45.0,
        }],
        meshes: &[MeshParts {
            vertices: &vertices,
            first_edge: &[0, 4, 8, 12],
            corners: &corners,
            neighbours: neighbours.as_flattened(),
            islands: &[0; 3],
            doors: &[door],
            closures: &[ClosureParts { polygon: 2, switch: 1 }],
            ..MeshParts::default()
        }],
        ..BlobParts::default()
    })
    .unwrap()
}

#[test]
fn a_c_program_closes_doors_and_opens_them() {
    let bytes = corridor();
    let ends = [[2.0, 0.0, 2.0], [10.0, 0.0, 3.0]];
    let Some(printed) = program("doors", &bytes, ends) else {
        return;
    };
    let blob = Blob::open_checked(&bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let view = nav.mesh();
    let (mut filter, mut scratch) = (QueryFilter::new(), Scratch::new());
    let mut out = String::from("switch gate: 1\nswitch bridge: 0\n");
    let mut reached = 0;
    let all = ["some"; 4].into_iter().zip(0..4);
    let all = [("at first", 0), ("as the level begins", 1)].into_iter().chain(all);
    for (name, closed) in all.chain([("all open", 0)]) {
        filter.set_blocked(&view, &[closed], 0).unwrap();
        let query = NavQuery::new(view).with_filter(&filter);
        let request = PathRequest::new(ends[0], ends[1]).algorithm(Algorithm::Optimal);
        let path = query.find_path(&request, &mut scratch).unwrap();
        // As the header numbers them.
        let status = match path.status {
            Status::Reached => 0,
            Status::Unreachable => 2,
            other => panic!("{other:?}"),
        };
        reached += u32::from(status == 0);
        let (points, length) = (path.points.len(), path.length_xz);
        let ray = query.raycast(&query.locate(ends[0], 1.0).unwrap(), ends[1]);
        let to = ray.point[0];
        writeln!(out, "{name}: status {status}, {points} points, {length:.6} long, ray to {to:.6}")
            .unwrap();
    }
    assert_eq!(printed, out);
    assert_eq!(reached, 3, "only with everything open");
}
