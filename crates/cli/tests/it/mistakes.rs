//! Typical mistakes of the first hour, each with its exit code and the first line of its answer.

use std::fs;

use crate::common::{FLOOR, Place};

/// A command without `navbake`, then its exit code and the first line of the complaint, or of the
/// result where there is none. `..` at the end of a line is anything.
const MISTAKES: &str = include_str!("mistakes.txt");

/// Words of the language that navbake is written in, and of the system.
const FOREIGN: [&str; 9] =
    ["f64", "u32", "u16", "sequence", "os error", ".tmp", "untagged", "..=", "panicked"];

/// A folder with all that the commands name.
fn place() -> Place {
    let place = Place::new();
    place.floor();
    place.write("wide.obj", "v 0 0 0\nv 0 0 100\nv 100 0 100\nv 100 0 0\nf 1 2 3 4\n");
    place.write("empty.obj", "");
    place.write("onlyv.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\n");
    place.write("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 9\n");
    place.write("nan.obj", "v 0 0 0\nv nan 0 0\nv 0 0 1\nf 1 2 3\n");
    place.write("huge.obj", "v 0 0 0\nv 0 0 1e9\nv 1e9 0 1e9\nv 1e9 0 0\nf 1 2 3 4\n");
    place.write("notes.md", "# hello\n");
    place.write("typo.toml", "min_regoin = 2\n");
    place.write("list.json", "[[\"agent\"]]\n");
    place.write("typo2.toml", "\n[[agent]]\nradius = \"0.5\"\n");
    place.write("typo3.toml", "[check]\nmust_reach = [[\"spwan\", \"goal\"]]\n");
    place.write("syntax.toml", "[[agent]\nradius = 0.5\n");
    let mut blob = fs::read(place.path("floor.nav")).unwrap();
    fs::write(place.path("trunc.nav"), &blob[..blob.len() / 2]).unwrap();
    let noise: Vec<u8> = (0..5000u32).map(|i| (i * 37 + 11) as u8).collect();
    fs::write(place.path("rand.nav"), noise).unwrap();
    let middle = blob.len() / 2;
    blob[middle] ^= 1;
    fs::write(place.path("flip.nav"), blob).unwrap();
    fs::create_dir(place.path("dir")).unwrap();
    place
}

/// The words of a line; quotes hold words together.
fn words(line: &str) -> Vec<&str> {
    let parts = line.split('"').enumerate();
    let words = parts.flat_map(|(i, part)| match i % 2 {
        0 => part.split(' ').filter(|word| !word.is_empty()).collect(),
        _ => vec![part],
    });
    words.collect()
}

#[test]
fn every_typical_mistake_is_answered_with_its_cure() {
    let (mut count, mut faults) = (0, vec![]);
    let place = place();
    let mut lines = MISTAKES.lines();
    while let (Some(command), Some(expected)) = (lines.next(), lines.next()) {
        // What an earlier command wrote is no part of the next.
        let _ = fs::remove_file(place.path("x.nav"));
        place.write("floor.obj", FLOOR);
        let ran = place.run(&words(command));
        let complaint = ran.err.lines().find(|line| line.starts_with("navbake: "));
        let first = complaint.or(ran.out.lines().next()).or(ran.err.lines().next()).unwrap_or("");
        let found = format!("  [{}] {first}", ran.code);
        let is_so = match expected.strip_suffix("..") {
            Some(start) => found.starts_with(start),
            None => found == expected,
        };
        if !is_so {
            faults.push(format!("navbake {command}\n  expected{expected}\n  found   {found}"));
        }
        let foreign = FOREIGN.iter().find(|word| ran.err.contains(**word));
        faults.extend(foreign.map(|word| format!("navbake {command}: {word} in {}", ran.err)));
        count += 1;
    }
    assert!(faults.is_empty(), "{} of {count}:\n{}", faults.len(), faults.join("\n"));
    assert!(count > 86, "{count}");
}

#[test]
fn a_failure_is_one_json_object_of_one_form_from_every_verb() {
    let place = place();
    for (line, exit, code) in [
        ("bake floor.obj --raduis 1", 2, "usage"),
        ("bake nosuch.obj", 4, "io"),
        ("bake bad.obj", 3, "bad-input"),
        ("bake floor.obj --config typo.toml", 2, "usage"),
        ("info floor.obj", 3, "bad-input"),
        ("query path floor.nav --from 1 2 3 --to 1,0,1", 2, "usage"),
        ("query nearest floor.nav --at here", 2, "usage"),
        ("check dir", 4, "io"),
        ("diff floor.nav notes.md", 3, "bad-input"),
        ("export floor.nav --to svg -o dir", 4, "io"),
        ("explain floor.obj --at 1,0,1 --agent nobody", 2, "usage"),
    ] {
        let ran = place.run(&[&words(line)[..], &["--format", "json"]].concat());
        ran.failed_with(exit);
        let object: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let error = &object["error"];
        assert_eq!(crate::common::keys(error), ["code", "cure", "exit", "message", "place"]);
        assert_eq!(error["code"], code, "{line}: {error}");
        let message = error["message"].as_str().unwrap();
        assert!(!message.is_empty() && !message.contains('\n'), "{line}: {message}");
    }
}
