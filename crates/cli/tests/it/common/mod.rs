//! Runs the program on small levels that the tests write.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A folder of a test's own.
pub(crate) struct Place {
    pub(crate) folder: tempfile::TempDir,
}

/// What a run of the program gave.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Place {
    pub(crate) fn new() -> Place {
        Place { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Runs `navbake` in the folder.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, b"")
    }

    /// The same with bytes on stdin.
    pub(crate) fn run_with(&self, arguments: &[&str], stdin: &[u8]) -> Ran {
        let mut child = navbake(arguments)
            .current_dir(self.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = child.stdin.take().unwrap();
        // The program may be done before it has read everything.
        let _ = pipe.write_all(stdin);
        drop(pipe);
        Ran::of(child.wait_with_output().unwrap())
    }

    /// Bakes the floor and gives the blob's name.
    pub(crate) fn floor(&self) -> &'static str {
        self.write("floor.obj", FLOOR);
        let ran = self.run(&["bake", "floor.obj", "-o", "floor.nav"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        "floor.nav"
    }

    /// Bakes the grid map and gives the blob's name.
    pub(crate) fn map(&self) -> &'static str {
        self.write("small.map", MAP);
        let ran = self.run(&["bake", "small.map", "-o", "map.nav"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        "map.nav"
    }
}

impl Ran {
    pub(crate) fn of(output: Output) -> Ran {
        Ran {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// The one JSON object that was printed, after a run that ended with 0.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.code, 0, "{}", self.err);
        assert_eq!(self.out.lines().count(), 1, "{}", self.out);
        serde_json::from_str(&self.out).unwrap()
    }

    /// It failed with this code, said why in one line, and printed no result; with JSON the failure
    /// as one object.
    pub(crate) fn failed_with(&self, code: i32) -> &str {
        assert_eq!(self.code, code, "out: {}\nerr: {}", self.out, self.err);
        if !self.out.is_empty() {
            let object: Value = serde_json::from_str(&self.out).unwrap();
            assert_eq!(object["error"]["exit"], code, "{}", self.out);
            assert_eq!(keys(&object), ["error"]);
        }
        let complaints = self.err.lines().filter(|l| l.starts_with("navbake: "));
        assert_eq!(complaints.count(), 1, "{}", self.err);
        &self.err
    }
}

/// The program, not yet started.
pub(crate) fn navbake(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_navbake"));
    command.args(arguments);
    command
}

/// The keys of an object, sorted.
pub(crate) fn keys(value: &Value) -> Vec<String> {
    let mut keys: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
    keys.sort();
    keys
}

/// A floor of 20 x 10 m around (0, 0) with a box of 2 x 2 x 3 m in the middle, and a platform of 4
/// x 4 m that nothing leads to.
pub(crate) const FLOOR: &str = "\
o floor
v -10 0 -5
v -10 0 5
v 10 0 5
v 10 0 -5
f 1 2 3 4
o box
v -1 0 -1
v -1 0 1
v 1 0 1
v 1 0 -1
v -1 3 -1
v -1 3 1
v 1 3 1
v 1 3 -1
f 5 9 10 6
f 6 10 11 7
f 7 11 12 8
f 8 12 9 5
f 9 10 11 12
o platform
v 20 0 -2
v 20 0 2
v 24 0 2
v 24 0 -2
f 13 14 15 16
";

/// Two rooms of 3 x 3 cells with a door in row 1, and a room apart.
pub(crate) const MAP: &str = "\
type octile
height 5
width 11
map
@@@@@@@@@@@
@...@...@.@
@.......@.@
@...@...@.@
@@@@@@@@@@@
";
