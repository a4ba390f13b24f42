//! Accuracy, judged by a program that knows neither baker: `oracle SOURCE.obj NAVMESH.obj
//! [options]`.
//!
//! It prints one JSON object with `recall` and `intrusion` at the margins 0, 0.05, 0.1, 0.15, 0.2
//! and 0.3 m, `height_error` (median and 99.9th percentile) and `covered_twice`; with `--pairs
//! FILE` it writes lines of two points which any correct navmesh connects.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::levels::Loaded;
use crate::ours;
use crate::run::Meshes;

/// The greatest distance of Recast's polygons, which are flat, from the ground they represent, m.
const FLAT_TOLERANCE: &str = "3";

/// The oracle's figures for one mesh.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Accuracy {
    /// Area of the ideal navmesh, estimated, m2.
    pub ideal_area: f64,
    /// Area of the mesh, m2.
    pub navmesh_area: f64,
    /// Margins of the two lists that follow, m.
    pub margins_m: Vec<f64>,
    /// Share of the ground with the margin to spare that is covered.
    pub recall: Vec<f64>,
    /// Share of the mesh that is nearer to a wall than the radius less the margin.
    pub intrusion: Vec<f64>,
    /// Median and 99.9th percentile, m.
    pub height_error: [f64; 2],
    /// Share of the mesh that is covered twice.
    pub covered_twice: f64,
}

impl Accuracy {
    fn at(&self, list: &[f64], margin: f64) -> f64 {
        let mut all = self.margins_m.iter().zip(list);
        all.find(|(m, _)| (*m - margin).abs() < 1e-9).map_or(f64::NAN, |(_, v)| *v)
    }

    /// Recall at a margin, m.
    pub fn recall_at(&self, margin: f64) -> f64 {
        self.at(&self.recall, margin)
    }

    /// Intrusion at a margin, m.
    pub fn intrusion_at(&self, margin: f64) -> f64 {
        self.at(&self.intrusion, margin)
    }
}

/// The oracle's figures for a level.
#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    /// The level.
    pub level: String,
    /// On navbake's mesh.
    pub navbake: Accuracy,
    /// On `rerecast`'s.
    pub rerecast: Option<Accuracy>,
    /// Pairs of points that a correct navmesh connects.
    pub pairs: usize,
    /// Those that navbake's does not connect.
    pub pairs_missed: Vec<[f64; 6]>,
}

/// Runs the oracle on both meshes of a level.
///
/// # Errors
/// When the oracle cannot be run, or its output is not as described above.
pub fn judge(
    program: &Path,
    samples: usize,
    level: &Loaded,
    meshes: &Meshes,
    folder: &Path,
) -> Result<Judged, String> {
    let pairs_file = folder.join(format!("{}.pairs", level.name));
    let run = |mesh: &Path, more: &[&str]| -> Result<Accuracy, String> {
        let (agent, entry) = (level.agent, &level.entry);
        let numbers = [
            ("--radius", agent.radius),
            ("--height", agent.height),
            ("--climb", agent.climb),
            ("--slope", agent.slope),
            ("--scale", entry.scale),
            ("--samples", samples as f64),
        ];
        let mut command = Command::new(program);
        command.arg(&level.path).arg(mesh).args(["--up", &entry.up]);
        for (name, value) in numbers {
            command.args([name, &value.to_string()]);
        }
        let output = command
            .args(more)
            .output()
            .map_err(|e| format!("cannot run {}: {e}", program.display()))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("the oracle ended with {}: {said}", output.status));
        }
        serde_json::from_slice(&output.stdout).map_err(|e| format!("the oracle's answer: {e}"))
    };
    let navbake = run(&meshes.ours, &["--pairs", &pairs_file.to_string_lossy()])?;
    let flat = ["--height-tolerance", FLAT_TOLERANCE];
    let rerecast = match &meshes.theirs {
        Some(mesh) => Some(run(mesh, &flat)?),
        None => None,
    };
    let pairs = read_pairs(&pairs_file)?;
    let answers = ours::reachable(&meshes.blob, &pairs)?;
    let missed = pairs.iter().zip(answers);
    Ok(Judged {
        level: level.name.clone(),
        navbake,
        rerecast,
        pairs: pairs.len(),
        pairs_missed: missed
            .filter(|(_, answer)| *answer != Some(true))
            .map(|(pair, _)| *pair)
            .collect(),
    })
}

/// Reads pairs of points, six numbers a line.
///
/// # Errors
/// When the file cannot be read or a line is something else.
pub fn read_pairs(path: &Path) -> Result<Vec<[f64; 6]>, String> {
    let name = path.display();
    let text = fs::read_to_string(path).map_err(|e| format!("cannot read {name}: {e}"))?;
    let line = |(number, line): (usize, &str)| -> Result<[f64; 6], String> {
        let fault = |what: &str| format!("{name}: line {}: {what}", number + 1);
        let numbers: Result<Vec<f64>, _> = line.split_whitespace().map(str::parse).collect();
        let numbers = numbers.map_err(|_| fault("not a number"))?;
        numbers.try_into().map_err(|_| fault("six numbers are needed"))
    };
    text.lines().enumerate().map(line).collect()
}
