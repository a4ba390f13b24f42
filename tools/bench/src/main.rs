//! Bakes levels with navbake and `rerecast` in one process and prints their times and results.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use navbake_peer_bench::levels::{Entry, Folders, Loaded, list};
use navbake_peer_bench::run::Meshes;
use navbake_peer_bench::{oracle, peak, report, run};

/// Bakes levels with navbake and with rerecast in one process and prints a table. CPU times are the
/// least of the runs.
///
/// Without levels those of levels.toml are taken, from below NAVBAKE_DATA (by default
/// ../shared/data beside the project).
#[derive(Debug, Parser)]
struct Options {
    /// Level files, OBJ.
    levels: Vec<PathBuf>,
    /// Metres in a unit of the level files.
    #[arg(long, default_value_t = 1.0)]
    scale: f64,
    /// The axis that points up in the level files, y or z.
    #[arg(long, default_value = "y")]
    up: String,
    /// The steepest ground, degrees; 45 unless the list says otherwise.
    #[arg(long)]
    slope: Option<f64>,
    /// Move rerecast's cells by this against the level files, m; see the head of peer.rs.
    #[arg(long, default_value_t = 0.0)]
    nudge: f64,
    /// Side of rerecast's cells, m, which are two thirds as high; 0.3, as in Recast's demo, unless
    /// the list says otherwise.
    #[arg(long)]
    cell: Option<f64>,
    /// How far navbake's borders may move into the ground, m; 0.39 is what Recast's may at cells of
    /// 0.3 m [default: navbake's].
    #[arg(long)]
    border_error: Option<f64>,
    /// A list of levels to take instead of files.
    #[arg(long)]
    list: Option<PathBuf>,
    /// Of a list, only levels whose name holds this; may be given several times.
    #[arg(long)]
    only: Vec<String>,
    /// Runs of each baker, in turn.
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// The accuracy oracle, run on both meshes of each level.
    #[arg(long)]
    oracle: Option<PathBuf>,
    /// Samples of the oracle.
    #[arg(long, default_value_t = 5000)]
    samples: usize,
    /// Keep the meshes, as OBJ, in this folder.
    #[arg(long)]
    keep: Option<PathBuf>,
    /// Also measure the peak of memory of each baker, one bake each in a process of its own.
    #[arg(long)]
    peak: bool,
    /// One JSON object a line instead of tables.
    #[arg(long)]
    json: bool,
    /// One bake by this baker, of the level given as JSON instead of a file; prints the peak of
    /// memory. For --peak.
    #[arg(long, hide = true)]
    peak_of: Option<String>,
}

fn main() -> ExitCode {
    match work(&Options::parse()) {
        Ok(sound) => ExitCode::from(u8::from(!sound)),
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::from(2)
        }
    }
}

/// Did every level bake?
fn work(options: &Options) -> Result<bool, String> {
    if let Some(baker) = &options.peak_of {
        let entry = options.levels.first().ok_or("no level")?;
        let bytes = peak::here(baker, &entry.to_string_lossy())?;
        println!("{bytes}");
        return Ok(true);
    }
    let folders = Folders::find();
    let scratch = tempfile::tempdir().map_err(|e| format!("no folder for temporary files: {e}"))?;
    let folder = match &options.keep {
        Some(folder) => {
            std::fs::create_dir_all(folder)
                .map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
            folder.as_path()
        }
        None => scratch.path(),
    };
    let mut sound = true;
    let mut baked: Vec<(Loaded, Meshes)> = vec![];
    let mut peaks = vec![];
    if !options.json {
        println!("{}", report::head());
    }
    for entry in entries(options)? {
        let result = entry.load(&folders).and_then(|level| {
            let found = run::measure(&level, options.runs, folder)?;
            Ok((level, found))
        });
        match result {
            Ok((level, (row, meshes))) => {
                if options.json {
                    print_json(&row)?;
                } else {
                    println!("{}", report::row(&row));
                }
                match &row.rerecast {
                    Err(why) => eprintln!("{}: rerecast: {why}", row.level),
                    Ok(t) if t.triangles_left_out + t.contours_left_out > 0 => eprintln!(
                        "{}: rerecast bakes it only without {} triangles and {} contours",
                        row.level, t.triangles_left_out, t.contours_left_out
                    ),
                    Ok(_) => (),
                }
                if options.peak {
                    let [a, b] = peak::BAKERS.map(|b| peak::of_child(b, &entry));
                    peaks.push((level.name.clone(), a, b));
                }
                // Only the oracle looks at them again.
                if options.oracle.is_some() {
                    let scene = navbake_level::Scene::default();
                    baked.push((Loaded { scene, ..level }, meshes));
                }
            }
            Err(fault) => {
                eprintln!("{}: {fault}", entry.title());
                sound = false;
            }
        }
    }
    if options.peak {
        print_peaks(&peaks, options.json)?;
    }
    if let Some(program) = &options.oracle {
        if !options.json {
            println!("\n{}", report::accuracy_head());
        }
        for (level, meshes) in &baked {
            let judged = match oracle::judge(program, options.samples, level, meshes, folder) {
                Ok(judged) => judged,
                Err(fault) => {
                    eprintln!("{}: {fault}", level.name);
                    sound = false;
                    continue;
                }
            };
            for pair in &judged.pairs_missed {
                eprintln!("{}: not connected: {pair:?}", judged.level);
            }
            if options.json {
                print_json(&judged)?;
            } else {
                println!("{}", report::accuracy_rows(&judged));
            }
        }
    }
    Ok(sound)
}

fn entries(options: &Options) -> Result<Vec<Entry>, String> {
    let of_file = |path: &PathBuf| Entry {
        nudge: options.nudge,
        ..Entry::of_file(path, options.scale, &options.up, options.slope)
    };
    let mut entries: Vec<Entry> = options.levels.iter().map(of_file).collect();
    if entries.is_empty() || options.list.is_some() {
        let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("levels.toml");
        entries.extend(list(&options.list.clone().unwrap_or_else(default))?);
    }
    let wanted = |e: &Entry| options.only.iter().any(|name| e.title().contains(name));
    for entry in &mut entries {
        entry.cell = options.cell.unwrap_or(entry.cell);
        entry.border_error = options.border_error.unwrap_or(entry.border_error);
    }
    entries.retain(|e| options.only.is_empty() || wanted(e));
    Ok(entries)
}

/// The peak memory of a bake, by level and baker.
type Peak = (String, Result<u64, String>, Result<u64, String>);

fn print_peaks(peaks: &[Peak], json: bool) -> Result<(), String> {
    if !json {
        println!("\n| level | navbake peak MB | rerecast peak MB |\n| --- | --- | --- |");
    }
    for (level, ours, theirs) in peaks {
        if json {
            print_json(&serde_json::json!({
                "level": level,
                "navbake_peak_bytes": ours.as_ref().ok(),
                "rerecast_peak_bytes": theirs.as_ref().ok(),
            }))?;
            continue;
        }
        let [a, b] = [ours, theirs].map(|peak| match peak {
            Ok(bytes) => format!("{:.1}", *bytes as f64 / 1e6),
            Err(why) => {
                eprintln!("{level}: {why}");
                "–".into()
            }
        });
        println!("| {level} | {a} | {b} |");
    }
    Ok(())
}

fn print_json(value: &impl serde::Serialize) -> Result<(), String> {
    let text = serde_json::to_string(value).map_err(|e| e.to_string())?;
    println!("{text}");
    Ok(())
}
