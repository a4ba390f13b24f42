//! Hashes of baked files and of the runtime's answers, compared with those of `golden.txt`:
//! `golden`, or `golden write` to make that file anew. They are the same on every processor.
//! `golden WORD..` compares the levels with one of these words in their names, where all take long.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use navbake_bake::config::Budget;
use navbake_bake::{Config, Options, bake_file};
use navbake_format::Blob;
use navbake_fuzz::queries::{Hash, Rounds, ask};

/// Levels of `fixtures`, each with its config.
const LEVELS: &[(&str, &str)] = &[
    ("battlefield/battlefield.txt", "battlefield/bake.toml"),
    ("cellar/cellar.map", ""),
    ("courtyard/courtyard.obj", ""),
    ("courtyard/courtyard.obj", "networks/courtyard.toml"),
    ("crossing/crossing.glb", "crossing/bake.toml"),
    ("gatehouse/gatehouse.glb", ""),
    ("grid10/grid10.txt", "networks/grid10.toml"),
    ("hexagons/hexagons.map", ""),
    ("mall/mall.obj", "mall/bake.toml"),
    ("office/office.obj", "office/bake.toml"),
    ("plan/plan.obj", "plan/bake.toml"),
    ("rooms/castle.obj", ""),
    ("rooms/dungeon.obj", ""),
    ("rooms/office.obj", ""),
    ("rooms/spiral.obj", ""),
    ("spiral/spiral.glb", ""),
    ("terraces/terraces.obj", "terraces/bake.toml"),
    ("tower/tower.obj", "tower/bake.toml"),
    ("tunnels/chain.map", "tunnels/chain.toml"),
    ("tunnels/tunnel.map", "tunnels/tunnel.toml"),
    ("yard/yard.txt", "yard/bake.toml"),
];

/// What is laid over each config: rooms and labels, and a plain bake.
const KINDS: &[&str] = &["", "rooms", "sources"];

fn main() -> ExitCode {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let kept = here.join("golden.txt");
    let words: Vec<String> = std::env::args().skip(1).collect();
    let writes = words == ["write"];
    let chosen = |name: &str| {
        writes || words.is_empty() || words.iter().any(|word| name.contains(word.as_str()))
    };
    let (mut text, mut files, mut answers) = (String::new(), 0, 0u64);
    for (level, config) in LEVELS.iter().filter(|(level, _)| chosen(level)) {
        for kind in KINDS {
            let Some((line, count)) = line(&here.join("../fixtures"), level, config, kind) else {
                continue;
            };
            print!("{line}");
            text += &line;
            (files, answers) = (files + 1, answers + count);
        }
    }
    println!("{files} files, {answers} answers");
    if writes {
        std::fs::write(&kept, text).expect("a folder that takes files");
        return ExitCode::SUCCESS;
    }
    let all = std::fs::read_to_string(&kept).unwrap_or_default();
    let level = |line: &str| line.split(' ').next().is_some_and(chosen);
    let expected: String = all.split_inclusive('\n').filter(|line| level(line)).collect();
    if files == 0 {
        eprintln!("no level has one of these words in its name: {}", words.join(", "));
        return ExitCode::FAILURE;
    }
    let differ = text.lines().zip(expected.lines()).filter(|(own, kept)| own != kept);
    for (own, kept) in differ {
        eprintln!("differs:\n  {own}\n  {kept}");
    }
    match text == expected {
        true => ExitCode::SUCCESS,
        false => {
            eprintln!("{} has other hashes", kept.display());
            ExitCode::FAILURE
        }
    }
}

/// Bakes a level and asks it: a line of the table, and the number of answers. `None` where the
/// kind says nothing of this level.
fn line(fixtures: &Path, level: &str, config: &str, kind: &str) -> Option<(String, u64)> {
    let mut own = match config {
        "" => Config::default(),
        name => Config::load(&fixtures.join(name)).expect("a sound config"),
    };
    let is_map = !level.ends_with(".obj") && !level.ends_with(".glb");
    match kind {
        "rooms" => {
            own.rooms.enabled = true;
            own.tables.budget = Budget::Labels.into();
        }
        "sources" if is_map => return None,
        "sources" => own.sources = true,
        _ => {}
    }
    let path: PathBuf = fixtures.join(level);
    let baked = bake_file(&path, &own, &Options { threads: 1, ..Options::default() });
    let bytes = match baked {
        Ok(baked) => baked.bytes,
        Err(error) => panic!("{level}: {error}"),
    };
    let mut of_bytes = Hash::default();
    of_bytes.bytes(&bytes);
    let file = Blob::open_checked(&bytes).expect("a sound file");
    let (mut of_answers, mut count) = (Hash::default(), 0);
    ask(&file, Rounds { seed: 1, count: 300 }, &mut |answer| {
        of_answers.add(answer);
        count += 1;
    });
    let mut line = String::new();
    let name = [level, config, kind].join(" ");
    writeln!(line, "{name} {} {:016x} {:016x}", bytes.len(), of_bytes.0, of_answers.0).ok()?;
    Some((line, count))
}
