//! The commands and tests that `docs/seeds.md` names do what it says.

use std::path::{Path, PathBuf};

use crate::common::Place;

const PAGE: &str = include_str!("../../../../docs/seeds.md");

/// The words of a command line: quotes hold words together, and fixtures are those of the project.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let words = parts.flat_map(|(k, part)| match k % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
        _ => vec![part.to_owned()],
    });
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    words
        .map(|word| match word.strip_prefix("fixtures/") {
            Some(_) => root.join(&word).display().to_string(),
            None => word,
        })
        .collect()
}

fn run(place: &Place, line: &str) -> crate::common::Ran {
    let words = words(line);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    assert_eq!(words[0], "navbake", "{line}");
    place.run(&words[1..])
}

/// The rows of all tables: technique, text, where, what shows it.
fn rows() -> Vec<[&'static str; 4]> {
    let lines = PAGE.lines().filter(|l| l.starts_with("| ") && !l.contains("---"));
    let cells = lines.map(|line| line.trim_matches('|').split(" | ").collect::<Vec<_>>());
    cells
        .filter(|cells| cells[0].trim() != "technique")
        .map(|cells| {
            let [technique, text, place, shown] = cells[..] else {
                panic!("a row has four cells: {cells:?}");
            };
            [technique, text, place, shown].map(str::trim)
        })
        .collect()
}

#[test]
fn every_command_of_the_page_of_techniques_prints_what_it_says() {
    let place = Place::new();
    let block = PAGE.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    for line in block.lines() {
        let ran = run(&place, line);
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
    }
    let mut count = 0;
    for [technique, _, _, shown] in rows() {
        let Some((line, text)) = shown.split_once(" → ") else {
            continue;
        };
        let (line, text) = (line.trim_matches('`'), text.trim_matches('`'));
        let ran = run(&place, line);
        assert!(ran.out.contains(text), "{technique}: `{line}` prints\n{}{}", ran.out, ran.err);
        count += 1;
    }
    assert!(count > 30, "{count}");
}

#[test]
fn every_row_of_the_page_of_techniques_is_shown_or_says_why_not() {
    let mut known = String::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let checks = std::fs::read_to_string(root.join(".ci/run")).unwrap();
    let mut folders: Vec<PathBuf> = vec![root.join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|e| e == "rs") {
                known += &std::fs::read_to_string(entry).unwrap();
            }
        }
    }
    let rows = rows();
    assert!(rows.len() > 80, "{}", rows.len());
    for [technique, _, place, shown] in rows {
        if shown.is_empty() {
            assert!(place.starts_with("left out: "), "{technique}: {place}");
        } else if shown.starts_with("`tools/") {
            let script = shown.trim_matches('`');
            assert!(root.join(script).exists(), "{technique}: no script {script}");
            assert!(checks.contains(script), "{technique}: .ci/run does not run {script}");
        } else if !shown.contains(" → ") {
            let name = format!("fn {}(", shown.trim_matches('`'));
            assert!(known.contains(&name), "{technique}: no test `{name}`");
        }
    }
}
