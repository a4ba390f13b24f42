//! Memory of a bake at its peak, taken in a process of its own that holds nothing but the level.

use std::path::Path;
use std::process::Command;

use crate::clock::{peak_memory, reset_peak_memory};
use crate::levels::{Entry, Folders};
use crate::{ours, peer};

/// Which baker.
pub const BAKERS: [&str; 2] = ["navbake", "rerecast"];

/// Runs this program again for one bake and reads its peak, bytes.
///
/// # Errors
/// When that bake fails.
pub fn of_child(baker: &str, entry: &Entry) -> Result<u64, String> {
    let program = std::env::current_exe().map_err(|e| format!("who am I? {e}"))?;
    let entry = serde_json::to_string(entry).map_err(|e| e.to_string())?;
    let output = Command::new(Path::new(&program))
        .args(["--peak-of", baker, &entry])
        .output()
        .map_err(|e| format!("cannot run {}: {e}", program.display()))?;
    let said = String::from_utf8_lossy(&output.stdout);
    said.trim().parse().map_err(|_| {
        let why = String::from_utf8_lossy(&output.stderr);
        format!("the bake by {baker} ended with {}: {why}", output.status)
    })
}

/// The bake of such a process: one thread; the level in the form its baker wants it in is part of
/// the peak.
///
/// # Errors
/// When the bake fails.
pub fn here(baker: &str, entry: &str) -> Result<u64, String> {
    let entry: Entry = serde_json::from_str(entry).map_err(|e| e.to_string())?;
    let level = entry.load(&Folders::find())?;
    match baker {
        "navbake" => {
            let job =
                ours::job(level.scene, &ours::config(&level.agent, level.entry.border_error))?;
            reset_peak_memory();
            ours::bake(&job, 1)?;
        }
        "rerecast" => {
            let mut input = peer::Input::new(&level.scene, &level.agent, level.entry.cells())?;
            drop(level.scene);
            reset_peak_memory();
            input.bake()?;
        }
        other => return Err(format!("`{other}` is none of {BAKERS:?}")),
    }
    Ok(peak_memory())
}
