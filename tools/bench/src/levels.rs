//! The levels that are baked: files, generated ones, and how each is to be read.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use navbake_bake::Config;
use navbake_import::{ImportOptions, Up, read};
use navbake_level::{Scene, Source};
use serde::{Deserialize, Serialize};

use crate::peer::Cells;

/// Who walks. The defaults are those of Recast's demo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Agent {
    /// Radius, m.
    pub radius: f64,
    /// Height, m.
    pub height: f64,
    /// The highest step, m.
    pub climb: f64,
    /// The steepest ground, degrees.
    pub slope: f64,
}

impl Default for Agent {
    fn default() -> Self {
        Agent { radius: 0.6, height: 2.0, climb: 0.9, slope: 45.0 }
    }
}

/// A level of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its name in the table; by default the file's.
    #[serde(default)]
    pub name: String,
    /// An OBJ file; a relative path is below the data folder.
    pub file: Option<PathBuf>,
    /// A Python script below the tools folder that makes the level, and its arguments; in them
    /// `{out}` stands for the file to write and `{data}` for the data folder.
    #[serde(default)]
    pub script: Vec<String>,
    /// Metres in a unit of the file.
    #[serde(default = "one")]
    pub scale: f64,
    /// `y` or `z`.
    #[serde(default = "y")]
    pub up: String,
    /// The steepest ground, degrees; by default the agent's.
    pub slope: Option<f64>,
    /// How far `rerecast`'s cells are moved against the level along x and z, m.
    #[serde(default)]
    pub nudge: f64,
    /// Side of `rerecast`'s cells, m.
    #[serde(default = "cell")]
    pub cell: f64,
    /// How far navbake's borders may move into the ground, m.
    #[serde(default = "border_error")]
    pub border_error: f64,
}

fn cell() -> f64 {
    Cells::default().side
}

fn border_error() -> f64 {
    Config::default().border_error
}

fn one() -> f64 {
    1.0
}

fn y() -> String {
    "y".into()
}

/// A list as it is in its file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    level: Vec<Entry>,
}

/// The folders of files and scripts.
#[derive(Clone, Debug)]
pub struct Folders {
    /// `NAVBAKE_DATA`, else `../shared/data` beside the project.
    pub data: PathBuf,
    /// `NAVBAKE_DATA_TOOLS`, else `tools` beside the data folder.
    pub tools: PathBuf,
}

impl Folders {
    /// From the environment.
    pub fn find() -> Folders {
        let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
        let named = |name: &str| std::env::var_os(name).map(PathBuf::from);
        let data = named("NAVBAKE_DATA").unwrap_or_else(beside);
        let tools = named("NAVBAKE_DATA_TOOLS").unwrap_or_else(|| data.join("../tools"));
        Folders { data, tools }
    }
}

/// A level in memory, and the file it came from.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Name in tables.
    pub name: String,
    /// How it is read.
    pub entry: Entry,
    /// The file.
    pub path: PathBuf,
    /// Who walks.
    pub agent: Agent,
    /// Triangles in y-up metres.
    pub scene: Scene,
}

/// Reads a list of levels.
///
/// # Errors
/// When the file cannot be read or is not such a list.
pub fn list(path: &Path) -> Result<Vec<Entry>, String> {
    let text =
        fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    let list: List = toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(list.level)
}

impl Entry {
    /// A file named on the command line.
    pub fn of_file(path: &Path, scale: f64, up: &str, slope: Option<f64>) -> Entry {
        Entry {
            name: String::new(),
            file: Some(path.to_path_buf()),
            script: vec![],
            scale,
            up: up.into(),
            slope,
            nudge: 0.0,
            cell: cell(),
            border_error: border_error(),
        }
    }

    /// The cells that `rerecast` cuts it into.
    pub fn cells(&self) -> Cells {
        let (side, nudge) = (self.cell, self.nudge);
        Cells { side, nudge }
    }

    /// Name in tables.
    pub fn title(&self) -> String {
        if !self.name.is_empty() {
            return self.name.clone();
        }
        let stem = self.file.as_ref().and_then(|f| f.file_stem());
        stem.map_or_else(|| "level".into(), |s| s.to_string_lossy().into_owned())
    }

    /// The level's file, made first where a script makes it. Such files are kept in the system's
    /// folder for temporary files.
    ///
    /// # Errors
    /// When there is neither file nor script, or the script fails.
    pub fn path(&self, folders: &Folders) -> Result<PathBuf, String> {
        match (&self.file, self.script.split_first()) {
            (Some(file), None) => {
                let below = folders.data.join(file);
                // A file named on the command line is looked up in the current folder first.
                Ok(if file.is_file() { file.clone() } else { below })
            }
            (None, Some((script, arguments))) => self.generate(folders, script, arguments),
            _ => Err(format!("level `{}` needs either `file` or `script`", self.title())),
        }
    }

    fn generate(
        &self,
        folders: &Folders,
        script: &str,
        arguments: &[String],
    ) -> Result<PathBuf, String> {
        let cache = std::env::temp_dir().join("navbake-bench-levels");
        fs::create_dir_all(&cache).map_err(|e| format!("cannot make {}: {e}", cache.display()))?;
        let word = |text: &String| text.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        let key: Vec<String> = self.script.iter().map(word).collect();
        let made = cache.join(format!("{}.obj", key.join("-")));
        if made.is_file() {
            return Ok(made);
        }
        let part = cache.join(format!("part-{}.obj", std::process::id()));
        let (out, data) = (part.to_string_lossy(), folders.data.to_string_lossy());
        let program = folders.tools.join(script);
        let status = Command::new("python3")
            .arg(&program)
            .args(arguments.iter().map(|a| a.replace("{out}", &out).replace("{data}", &data)))
            .stdout(std::process::Stdio::null())
            .status()
            .map_err(|e| format!("cannot run python3: {e}"))?;
        if !status.success() {
            return Err(format!("{} ended with {status}", program.display()));
        }
        fs::rename(&part, &made).map_err(|e| format!("cannot keep {}: {e}", made.display()))?;
        Ok(made)
    }

    /// Reads the level.
    ///
    /// # Errors
    /// When there is no such level, or it is not made of triangles.
    pub fn load(&self, folders: &Folders) -> Result<Loaded, String> {
        let path = self.path(folders)?;
        let up = match self.up.as_str() {
            "y" => Up::Y,
            "z" => Up::Z,
            other => return Err(format!("`up` is `{other}`; it must be `y` or `z`")),
        };
        let options = ImportOptions { up, scale: self.scale, ..ImportOptions::default() };
        let import = read(&path, &options).map_err(|e| e.to_string())?;
        let Source::Scene(scene) = import.source else {
            return Err(format!("{} is a grid map", path.display()));
        };
        let agent =
            Agent { slope: self.slope.unwrap_or(Agent::default().slope), ..Agent::default() };
        Ok(Loaded { name: self.title(), entry: self.clone(), path, agent, scene })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_list_can_be_read() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("levels.toml");
        let entries = list(&path).expect("reads");
        assert_eq!(entries.len(), 10);
        assert!(entries.iter().all(|e| e.file.is_some() == e.script.is_empty()));
    }
}
