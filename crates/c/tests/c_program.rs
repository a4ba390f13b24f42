//! A program in C, compiled against the committed header, linked with the static library, on a blob baked from a fixture: it finds what
//! the runtime finds.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use navbake_bake::{Config, Options, bake_file};
use navbake_search::{
    Blob, MoveLog, MoveRequest, PathRequest, Planner, PolyId, Query, SearchBuffer,
};

const FROM: [f64; 3] = [20.0, 0.0, 25.0];
const TO: [f64; 3] = [10.0, 4.0, 9.0];

/// Runs it and gives what it prints.
fn run(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Has the static library made, as a user would, and gives its place.
fn static_library() -> PathBuf {
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
    let query = Query::new(blob.mesh(0).unwrap());
    let mut buffer = SearchBuffer::new(query.mesh());
    let mut out = String::new();
    let show = |p: [f64; 3]| format!("{:.6} {:.6} {:.6}", p[0], p[1], p[2]);
    for agent in blob.agents() {
        writeln!(out, "agent {}: radius {:.3}", agent.name, agent.radius).unwrap();
    }
    let start = query.locate(FROM, 2.0).unwrap();
    let goal = query.nearest(TO, [1.0, 2.0, 1.0]).unwrap();
    for (name, place) in [("start", start), ("goal", goal)] {
        writeln!(
            out,
            "{name} {} {}",
            place.polygon().0,
            show(place.position())
        )
        .unwrap();
    }
    writeln!(
        out,
        "reachable {}",
        i32::from(!query.reachable(&start, &goal))
    )
    .unwrap();
    let ray = query.raycast(&start, TO);
    let end = if ray.wall.is_some() { "wall" } else { "free" };
    writeln!(out, "ray {}, {end}", show(ray.point)).unwrap();
    let mut entered = [PolyId(0); 4];
    let log = MoveLog {
        entered: &mut entered,
        hit: &mut [],
    };
    let moved = query.move_along(&start, &MoveRequest::new(TO), log);
    let end = query.place(moved.end).unwrap();
    let (walked, contacts, hit) = (moved.walked, moved.contacts, moved.hit);
    let place = format!("{} {}", end.polygon().0, show(end.position()));
    writeln!(
        out,
        "move {place}, {walked:.6}, {contacts} contacts, {hit} walls"
    )
    .unwrap();
    for polygon in &entered[..moved.entered.min(4)] {
        writeln!(out, "  {}", polygon.0).unwrap();
    }
    let request = PathRequest::new(FROM, TO).planner(Planner::Optimal);
    let path = query.path(&request, &mut buffer);
    assert!(path.points.len() > 2, "the program has something to show");
    writeln!(
        out,
        "path {:.6}, {}",
        path.length_xz,
        u32::from(path.certified_optimal)
    )
    .unwrap();
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

#[test]
fn a_c_program_finds_what_the_runtime_finds() {
    let compiler = std::env::var("CC").unwrap_or("cc".into());
    if !cfg!(target_os = "linux") || Command::new(&compiler).arg("--version").output().is_err() {
        println!("skipped: a_c_program_finds_what_the_runtime_finds needs Linux and {compiler}");
        return;
    }
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let level = crate_folder.join("../../fixtures/courtyard/courtyard.obj");
    let baked = bake_file(&level, &Config::default(), &Options::default()).unwrap();
    let blob = folder.path().join("courtyard.nav");
    std::fs::write(&blob, &baked.bytes).unwrap();

    let program = folder.path().join("path");
    run(Command::new(&compiler)
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program)
        .arg("-I")
        .arg(crate_folder.join("include"))
        .arg(crate_folder.join("tests/path.c"))
        .arg(static_library())
        .args(["-lpthread", "-ldl", "-lm"]));
    let printed = run(Command::new(&program)
        .arg(&blob)
        .args(FROM.iter().chain(&TO).map(f64::to_string)));
    assert_eq!(printed, expected(&baked.bytes));
}
