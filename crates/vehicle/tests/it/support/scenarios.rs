//! MovingAI maps with their scenarios, and headings drawn for them.

use std::path::{Path, PathBuf};

use navbake_testkit::Random;
use navbake_testkit::data::MapText;

use super::course::Map;

/// Splitmix64 of a number.
pub(crate) fn splitmix(z: u64) -> u64 {
    Random(z).next()
}

/// A path requested by a scenario.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scenario {
    /// Number of its line, from 0.
    pub(crate) line: usize,
    /// Middles of the first and the last cell.
    pub(crate) from: [f64; 3],
    pub(crate) to: [f64; 3],
    /// Length of the shortest path over cells.
    pub(crate) octile: f64,
}

impl Scenario {
    /// The headings at the start and the goal, radians: whole ones of their number, drawn from the
    /// line's number.
    pub(crate) fn headings(&self, headings: u32) -> [f64; 2] {
        let random = splitmix(self.line as u64);
        [random, random >> 32]
            .map(|r| (r % u64::from(headings)) as f64 * std::f64::consts::TAU / f64::from(headings))
    }
}

/// The maps of a folder, by name, those with scenarios.
pub(crate) fn maps_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|e| e == "map"))
        .filter(|p| p.with_extension("map.scen").exists())
        .collect();
    files.sort();
    files
}

/// Reads a map.
pub(crate) fn map(path: &Path) -> Map {
    let text = MapText::read(path);
    Map { width: text.width, height: text.height, free: text.free() }
}

/// About `most` scenarios of a map, from all over the file.
pub(crate) fn scenarios(map: &Path, most: usize) -> Vec<Scenario> {
    let text = std::fs::read_to_string(map.with_extension("map.scen")).expect("scenarios");
    let lines: Vec<Vec<&str>> = text
        .lines()
        .skip(1)
        .map(|l| l.split_whitespace().collect())
        .filter(|l: &Vec<&str>| l.len() == 9)
        .collect();
    let every = (lines.len() / most.max(1)).max(1);
    let numbered = lines.iter().enumerate().step_by(every);
    numbered
        .map(|(line, words)| {
            let n = |k: usize| words[k].parse::<f64>().expect("a number");
            Scenario {
                line,
                from: [n(4) + 0.5, 0.0, n(5) + 0.5],
                to: [n(6) + 0.5, 0.0, n(7) + 0.5],
                octile: n(8),
            }
        })
        .collect()
}
