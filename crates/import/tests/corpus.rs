//! Runs the collected levels and the collected bad files, where they are present: in the folder that NAVBAKE_DATA names, else in
//! `../shared/data` beside the workspace. Skips by name where they are not.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use navbake_import::{Import, ImportError, ImportErrorKind, ImportOptions, Nonfinite, read};
use navbake_level::{Scene, Source};

/// The data folder, or a word on what is skipped.
fn data(test: &str) -> Option<PathBuf> {
    let folder = match std::env::var_os("NAVBAKE_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
    };
    if folder.is_dir() {
        return Some(folder);
    }
    println!(
        "{test}: skipped, there is no data folder {}",
        folder.display()
    );
    None
}

/// Files of the four formats below a folder, sorted.
fn levels(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            levels(&path, found);
        } else if path
            .extension()
            .is_some_and(|e| ["obj", "gltf", "glb", "map"].contains(&e.to_str().unwrap_or("")))
        {
            found.push(path);
        }
    }
}

fn scene(import: &Import) -> &Scene {
    match &import.source {
        Source::Scene(scene) => scene,
        Source::Grid(_) => panic!("a grid"),
    }
}

fn check_sound(import: &Import) {
    if let Source::Scene(scene) = &import.source {
        assert_eq!(scene.triangles.len(), scene.triangle_parts.len());
        assert!(
            scene
                .triangles
                .iter()
                .flatten()
                .all(|&i| (i as usize) < scene.vertices.len())
        );
        assert!(
            scene
                .triangle_parts
                .iter()
                .all(|&p| (p as usize) < scene.parts.len())
        );
        assert!(scene.vertices.iter().flatten().all(|c| c.is_finite()));
    }
}

fn check_message(error: &ImportError, path: &Path) {
    assert_eq!(error.kind, ImportErrorKind::BadInput, "{error}");
    let text = error.to_string();
    assert!(text.contains(path.to_str().unwrap()), "{text}");
    assert!(!error.place.is_empty(), "no place: {text}");
    assert!(
        !error.finding.is_empty() && !error.cure.is_empty(),
        "{text}"
    );
    assert!(!text.contains('\n'), "{text}");
}

#[test]
fn every_bad_file_reads_or_gives_one_message() {
    let Some(data) = data("every_bad_file_reads_or_gives_one_message") else {
        return;
    };
    let mut files = vec![];
    levels(&data.join("bad"), &mut files);
    assert_eq!(files.len(), 203);
    for path in &files {
        let name = path.strip_prefix(&data).unwrap().display().to_string();
        for nonfinite in [Nonfinite::Refuse, Nonfinite::Drop] {
            let options = ImportOptions {
                nonfinite,
                ..ImportOptions::default()
            };
            let start = Instant::now();
            let answer = read(path, &options);
            assert!(start.elapsed() < Duration::from_secs(10), "{name}");
            match &answer {
                Ok(import) => check_sound(import),
                Err(error) => check_message(error, path),
            }
            if nonfinite == Nonfinite::Refuse {
                match &answer {
                    Ok(import) => {
                        let size = match &import.source {
                            Source::Scene(s) => format!("{} triangles", s.triangles.len()),
                            Source::Grid(g) => format!("{} x {} cells", g.width, g.height),
                        };
                        println!("read    {name}: {size}");
                        for w in &import.warnings {
                            println!(
                                "        {}: {} ({})",
                                w.code,
                                w.message,
                                w.place.rsplit('/').next().unwrap_or("")
                            );
                        }
                    }
                    Err(e) => println!("refused {name}: {}: {}; {}", e.place, e.finding, e.cure),
                }
            }
        }
    }
}
