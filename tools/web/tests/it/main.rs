//! The program as the page runs it: streams in, streams out.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use navbake_bake::{Config, Options, bake_file};
use serde_json::Value;

const CONFIG: &str = "[[agent]]\nname = \"guard\"\nradius = 0.4\n";

/// Runs it in the folder of fixtures.
fn run(words: &[&str], config: &str) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_navbake-web"))
        .args(words)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    program.stdin.take().unwrap().write_all(config.as_bytes()).unwrap();
    program.wait_with_output().unwrap()
}

/// Its lines on stderr.
fn lines_of(output: &Output) -> Vec<Value> {
    let text = str::from_utf8(&output.stderr).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_level_is_baked_as_the_library_bakes_it() {
    let output = run(&["courtyard/courtyard.obj"], CONFIG);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let level =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/courtyard/courtyard.obj");
    let config = Config::parse(CONFIG).unwrap();
    let baked = bake_file(&level, &config, &Options::default()).unwrap();
    assert_eq!(output.stdout, baked.bytes);
    let lines = lines_of(&output);
    let (report, steps) = lines.split_last().unwrap();
    assert_eq!(report["report"]["hash"], baked.summary.hash.as_str());
    assert_eq!(report["report"]["agents"][0], "guard");
    assert!(!steps.is_empty());
    for step in steps {
        let step = &step["progress"];
        assert!(step["stage"].is_string() && step["done"].as_u64() <= step["total"].as_u64());
    }
}

#[test]
fn faults_have_the_exit_code_of_the_command() {
    let level = "courtyard/courtyard.obj";
    for (words, config, code, says) in [
        (&["bad/obj_nan.obj"][..], "", 3, "bad/obj_nan.obj, line 5"),
        (&["none.obj"], "", 4, "none.obj: cannot be read: no such file or folder"),
        (&[level], "cel = 1", 2, "config, line 1: unknown key `cel`; did you mean `cell`?"),
        (&[level, level], "", 2, "usage: "),
        (&[], "", 2, "usage: "),
        (&[level], "[[agent]]\nradius = 50", 3, ""),
    ] {
        let output = run(words, config);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {output:?}");
        assert!(output.stdout.is_empty());
        let lines = lines_of(&output);
        let error = &lines.last().unwrap()["error"];
        assert_eq!(error["code"], code);
        assert!(error["message"].as_str().unwrap().starts_with(says), "{error}");
    }
}
