//! The script of the guide for a gate in a build, taken out of the guide and run as it is there.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use crate::common::{Place, Ran};
use serde_json::Value;

/// The blocks of shell text of a section of the guide.
fn blocks(section: &str) -> Vec<String> {
    let guide = include_str!("../../../../docs/guide.md");
    let from = guide.find(section).unwrap() + section.len();
    let own = guide[from..].split("\n## ").next().unwrap();
    let mut parts = own.split("```sh\n").skip(1);
    let blocks = parts.by_ref().map(|p| p.split("```").next().unwrap());
    blocks.map(str::to_owned).collect()
}

/// A project with a level and its gate.
struct Project {
    place: Place,
    accept: String,
}

const CONFIG: &str = "[check]\nstarts = [[-9, 0, 0]]\nmust_reach = [[[-9, 0, 0], [9, 0, 0]]]\n";

impl Project {
    fn new() -> Project {
        let [gate, accept] = &blocks("## A gate in a build\n")[..] else {
            panic!("the guide has a gate and a way to accept what is known");
        };
        let place = Place::new();
        place.write("gate.sh", gate);
        place.write("bake.toml", CONFIG);
        Project { place, accept: accept.clone() }
    }

    /// A floor of 20 m x 10 m with a wall across it that leaves this much open.
    fn level(&self, open: f64) {
        let wall = 5.0 - open;
        let text = format!(
            "v -10 0 -5\nv -10 0 5\nv 10 0 5\nv 10 0 -5\nf 1 2 3 4\nv 0 0 -5\nv 0 3 -5\nv 0 3 {wall}\nv 0 0 {wall}\nf 5 6 7 8\n"
        );
        self.place.write("level.obj", &text);
    }

    fn shell(&self, script: &[&str]) -> Ran {
        let own = Path::new(env!("CARGO_BIN_EXE_navbake")).parent().unwrap();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(own.to_owned()).chain(std::env::split_paths(&path));
        let mut command = Command::new("sh");
        command.args(script).current_dir(self.place.folder.path());
        command.env("PATH", std::env::join_paths(all).unwrap());
        Ran::of(command.output().unwrap())
    }

    fn gate(&self) -> Ran {
        self.shell(&["gate.sh", "level.obj"])
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.place.path(name)).unwrap()
    }

    /// How many findings the files for programs have: SARIF, and JUnit's failures.
    fn results_and_failures(&self) -> [usize; 2] {
        let sarif: Value = serde_json::from_str(&self.read("reports/level.sarif")).unwrap();
        let results = sarif["runs"][0]["results"].as_array().unwrap();
        let junit = self.read("reports/level.xml");
        [results.len(), junit.matches("<failure").count()]
    }
}

#[test]
fn the_gate_of_the_guide_lets_a_good_level_through_and_keeps_its_reports() {
    let project = Project::new();
    project.level(8.0);
    let ran = project.gate();
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert_eq!(project.results_and_failures(), [0, 0]);
    assert!(project.read("reports/level.html").contains("<html"));
    assert!(project.place.path("reports/level.navbake").is_file());
    assert!(project.place.path("reports/navcache").is_dir());
}

#[test]
fn the_gate_of_the_guide_stops_what_broke_and_a_baseline_accepts_it() {
    let project = Project::new();
    project.level(0.5);
    let ran = project.gate();
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("error unreachable: "), "{}", ran.out);
    assert!(ran.err.contains("reports/level.html"), "{}", ran.err);
    let [results, failures] = project.results_and_failures();
    assert!(results > 0 && failures > 0);
    // What is known does not fail the build any more ..
    let ran = project.shell(&["-c", &project.accept]);
    assert_eq!(ran.code, 1, "findings are no fault of the baseline: {}", ran.err);
    let ran = project.gate();
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert_eq!(project.results_and_failures(), [0, 0]);
    // .. and what is new does.
    project.place.write("bake.toml", &CONFIG.replace("[9, 0, 0]", "[9, 0, 90]"));
    assert_eq!(project.gate().code, 1);
}

#[test]
fn the_gate_of_the_guide_notices_a_way_that_became_longer() {
    let project = Project::new();
    project.level(7.0);
    assert_eq!(project.gate().code, 0);
    assert_eq!(project.shell(&["-c", &project.accept]).code, 0);
    project.level(2.0);
    let ran = project.gate();
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("warning path-longer: "), "{}", ran.out);
    project.level(7.0);
    assert_eq!(project.gate().code, 0);
}

#[test]
fn the_gate_of_the_guide_says_when_it_does_not_work_itself() {
    let project = Project::new();
    // No level; a level that is none; a config that is none; a baseline that is none.
    assert_eq!(project.gate().code, 4);
    project.place.write("level.obj", "f 1 2 3\n");
    assert_eq!(project.gate().code, 3);
    project.level(8.0);
    project.place.write("bake.toml", "[chek]\n");
    assert_eq!(project.gate().code, 2);
    project.place.write("bake.toml", CONFIG);
    project.place.write("baseline.json", "[]");
    assert_eq!(project.gate().code, 2);
    std::fs::remove_file(project.place.path("baseline.json")).unwrap();
    assert_eq!(project.gate().code, 0);
}

/// A recipe of the guide for a build tool: its block of text, as the file of that name.
fn build_file(place: &Place, language: &str, name: &str) {
    let guide = include_str!("../../../../docs/guide.md");
    let block = guide.split(&format!("```{language}\n")).nth(1).expect("a recipe");
    place.write(name, block.split("```").next().unwrap());
}

/// Runs the steps of a build tool as the guide promises: the second build does nothing, a level
/// that was only touched is not baked again, and a changed one is.
fn builds(project: &Project, blob: &str, build: &[&[&str]], idle: &str) {
    let run = || {
        let own = Path::new(env!("CARGO_BIN_EXE_navbake")).parent().unwrap();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(own.to_owned()).chain(std::env::split_paths(&path));
        let path = std::env::join_paths(all).unwrap();
        let mut said = String::new();
        for step in build {
            let mut command = Command::new(step[0]);
            command.args(&step[1..]).current_dir(project.place.folder.path()).env("PATH", &path);
            let ran = Ran::of(command.output().unwrap());
            assert_eq!(ran.code, 0, "{step:?}: {}{}", ran.out, ran.err);
            said += &ran.out;
        }
        said
    };
    let read = || std::fs::read(project.place.path(blob)).unwrap();
    // Time stamps of some file systems are coarse.
    let touch = |level: &dyn Fn()| {
        std::thread::sleep(std::time::Duration::from_millis(1100));
        level();
    };
    project.level(3.0);
    run();
    let first = read();
    let again = run();
    assert!(again.contains(idle), "{again}");
    touch(&|| project.level(3.0));
    run();
    let settled = run();
    assert!(settled.contains(idle), "{settled}");
    assert_eq!(read(), first);
    touch(&|| project.level(2.0));
    run();
    assert_ne!(read(), first);
    let settled = run();
    assert!(settled.contains(idle), "{settled}");
}

fn is_there(tool: &str) -> bool {
    let there = Command::new(tool).arg("--version").output().is_ok();
    if !there {
        println!("{tool} is not installed: `.ci/run` installs it and runs this test whole");
    }
    there
}

#[test]
fn make_settles() {
    let project = Project::new();
    build_file(&project.place, "make", "Makefile");
    if is_there("make") {
        builds(&project, "build/level.navbake", &[&["make"]], "Nothing to be done");
    }
}

#[test]
fn ninja_settles() {
    let project = Project::new();
    build_file(&project.place, "ninja", "build.ninja");
    if is_there("ninja") {
        builds(&project, "build/level.navbake", &[&["ninja"]], "no work to do");
    }
}

#[test]
fn cmake_settles() {
    let project = Project::new();
    build_file(&project.place, "cmake", "CMakeLists.txt");
    if is_there("cmake") && is_there("ninja") {
        let steps: [&[&str]; 2] =
            [&["cmake", "-G", "Ninja", "-S", ".", "-B", "out"], &["cmake", "--build", "out"]];
        builds(&project, "out/level.navbake", &steps, "no work to do");
    }
}
