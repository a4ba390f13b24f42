//! Every bad level of the data folder ends well: it bakes, or it is refused with one message.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{Place, Ran, navbake};
use navbake_testkit::data::data_in;

const LIMIT: Duration = Duration::from_secs(10);

#[test]
fn every_bad_file_ends_well() {
    let Some(folder) = data_in("every_bad_file_ends_well", "bad") else {
        return;
    };
    let mut levels = vec![];
    collect(&folder, &mut levels);
    levels.sort();
    assert!(!levels.is_empty(), "no level in {}", folder.display());
    let place = Place::new();
    let mut faults = vec![];
    let (mut baked, mut refused) = (0, 0);
    for level in &levels {
        match judge(&place, level) {
            Ok(0) => baked += 1,
            Ok(_) => refused += 1,
            Err(fault) => faults.push(format!("{}: {fault}", level.display())),
        }
    }
    println!("{} levels: {baked} baked, {refused} refused", levels.len());
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), levels.len(), faults.join("\n"));
}

fn collect(folder: &Path, levels: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, levels);
        } else if path.extension().is_some_and(|e| {
            ["obj", "gltf", "glb", "map"].iter().any(|known| e.eq_ignore_ascii_case(known))
        }) {
            levels.push(path);
        }
    }
}

/// The exit code when all is well, else what is not.
fn judge(place: &Place, level: &Path) -> Result<i32, String> {
    let output = place.path("out.nav");
    let _ = fs::remove_file(&output);
    let ran = run_for(level, &output)?;
    let complaints: Vec<&str> = ran.err.lines().filter(|l| l.starts_with("navbake: ")).collect();
    let talk: Vec<&str> = ran.err.lines().collect();
    match ran.code {
        0 if complaints.is_empty() && output.is_file() => Ok(0),
        0 => Err(format!("ended with 0, but: {talk:?}")),
        3 if complaints.len() != 1 => Err(format!("{} messages: {talk:?}", complaints.len())),
        3 if output.exists() => Err("refused, and yet there is an output".into()),
        3 => {
            let name = level.file_name().unwrap_or_default().to_string_lossy();
            if complaints[0].contains(&*name) {
                Ok(3)
            } else {
                Err(format!("the message does not name the file: {}", complaints[0]))
            }
        }
        code => Err(format!("exit code {code}: {talk:?}")),
    }
}

/// Bakes with default settings and gives up after [`LIMIT`].
fn run_for(level: &Path, output: &Path) -> Result<Ran, String> {
    let start = Instant::now();
    let level = level.to_str().ok_or("its name is no text")?;
    let output = output.to_str().ok_or("the output's name is no text")?;
    let mut child = navbake(&["-q", "bake", level, "-o", output])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| e.to_string())?;
    loop {
        if child.try_wait().map_err(|e| e.to_string())?.is_some() {
            return Ok(Ran::of(child.wait_with_output().map_err(|e| e.to_string())?));
        }
        if start.elapsed() > LIMIT {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("still running after {LIMIT:?}"));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
