//! Asks baked navmeshes random questions of every kind, checks every answer, and prints a table.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use navbake_ask::{Fuzzer, KINDS, reach, relink};
use navbake_format::Blob;

/// Asks baked navmeshes random questions of every kind and checks every answer with plain code.
/// Exits with status 1 if an answer is wrong.
#[derive(Debug, Parser)]
struct Options {
    /// Baked blobs.
    #[arg(required = true)]
    blobs: Vec<PathBuf>,
    /// Questions of each cheap kind.
    #[arg(long, default_value_t = 10_000)]
    count: u64,
    /// Questions of each kind that searches paths.
    #[arg(long, default_value_t = 1_000)]
    paths: u64,
    /// Only this kind.
    #[arg(long)]
    kind: Option<String>,
    /// Number of reachability questions for each agent and row of weights.
    #[arg(long, default_value_t = 100_000)]
    reach: u64,
    /// Cut the ground of each blob into pieces, and join them by this many one-way links; areas and
    /// weights are made up as well.
    #[arg(long)]
    links: Option<u32>,
    /// Which questions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    let options = Options::parse();
    println!("| blob | polygons | kind | asked | conclusive | faults | seconds |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let mut sound = true;
    for blob in &options.blobs {
        match ask(blob, &options) {
            Ok(faults) => sound &= faults == 0,
            Err(why) => {
                eprintln!("{}: {why}", blob.display());
                sound = false;
            }
        }
    }
    ExitCode::from(u8::from(!sound))
}

/// How many answers were wrong.
fn ask(path: &PathBuf, options: &Options) -> Result<usize, String> {
    let mut bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    if let Some(links) = options.links {
        let blob = Blob::open_checked(&bytes).map_err(|e| e.to_string())?;
        bytes = relink(&blob, links, options.seed).map_err(|e| e.to_string())?;
    }
    let blob = Blob::open_checked(&bytes).map_err(|e| e.to_string())?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut faults = 0;
    for (number, agent) in (0..).zip(blob.agents()) {
        let nav = blob.decode(agent.class).map_err(|e| e.to_string())?;
        let mesh = nav.mesh();
        let polygons = mesh.polygon_count();
        let Some(mut fuzzer) = Fuzzer::new(mesh, agent.radius, options.seed) else {
            continue;
        };
        for &(kind, searches, question) in KINDS {
            if options.kind.as_deref().is_some_and(|only| only != kind) {
                continue;
            }
            let count = if searches { options.paths } else { options.count };
            let (begin, before) = (Instant::now(), fuzzer.conclusive);
            for _ in 0..count {
                question(&mut fuzzer);
            }
            let seconds = begin.elapsed().as_secs_f64();
            let conclusive = fuzzer.conclusive - before;
            for fault in fuzzer.faults.iter().take(5) {
                eprintln!("{name}: {}: {}", fault.kind, fault.what);
            }
            let wrong = fuzzer.faults.len();
            println!(
                "| {name} | {polygons} | {kind} | {count} | {conclusive} | {wrong} | {seconds:.1} |"
            );
            faults += wrong;
            fuzzer.faults.clear();
        }
        if options.kind.as_deref().is_some_and(|only| only != "reach") {
            continue;
        }
        let begin = Instant::now();
        if let Some(counts) = reach(&blob, number, options.reach, options.seed) {
            for fault in counts.faults.iter().take(5) {
                eprintln!("{name}: {}: {}", agent.name, fault.what);
            }
            let (seconds, wrong) = (begin.elapsed().as_secs_f64(), counts.faults.len());
            println!(
                "| {name} | {polygons} | reach, {} | {} | {} | {wrong} | {seconds:.1} |",
                agent.name, counts.asked, counts.known
            );
            faults += wrong;
        }
    }
    Ok(faults)
}
