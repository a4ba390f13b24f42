//! The mutation loop on stable Rust: `stable SECONDS [--seed N] [TARGET|GROUP]..`; and
//! `stable seeds FOLDER`, which writes the inputs that targets begin with.
//!
//! Each group of targets has this many seconds, shared evenly. Inputs come from `corpus/TARGET`,
//! the blobs of `seeds` and `dictionaries/TARGET.dict`; the same in every run. They are run in any
//! case, also with 0 seconds, and then changes of them, chosen by random numbers that begin at `N`.
//! An input that breaks a promise, or takes more than [`MOST`] seconds, is written to
//! `artifacts/TARGET`, and the program ends with 1.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use navbake_fuzz::mutate::{mutated, words};
use navbake_fuzz::{TARGETS, Target, seeds};
use navbake_testkit::Random;

/// The longest time of an execution, s.
const MOST: u64 = 30;

/// The input under way, and since when.
type UnderWay = Arc<Mutex<Option<(&'static str, Vec<u8>, Instant)>>>;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let first = arguments.next().unwrap_or_default();
    let mut named: Vec<String> = arguments.collect();
    if let ("seeds", [folder]) = (first.as_str(), &named[..]) {
        return write_seeds(Path::new(folder)).expect("a folder that takes files");
    }
    let seconds: u64 = first.parse().unwrap_or(10);
    let seed = seed(&mut named);
    let is_named =
        |t: &&Target| named.is_empty() || named.iter().any(|n| n == t.name || n == t.group);
    let chosen: Vec<&Target> = TARGETS.iter().filter(is_named).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = TARGETS.iter().map(|t| t.name).collect();
        eprintln!("no such target; there are {}", names.join(", "));
        std::process::exit(2);
    }
    let under_way: UnderWay = Arc::default();
    watch(under_way.clone());
    for target in &chosen {
        let sharing = chosen.iter().filter(|t| t.group == target.group).count() as u32;
        run(target, Duration::from_secs(seconds) / sharing, seed, &under_way);
    }
}

/// The number behind `--seed`, which is taken out with its name; else always the same.
fn seed(named: &mut Vec<String>) -> u64 {
    let Some(at) = named.iter().position(|word| word == "--seed") else {
        return 20_261_127;
    };
    let number = named.get(at + 1).and_then(|number| number.parse().ok());
    named.drain(at..named.len().min(at + 2));
    number.unwrap_or_else(|| {
        eprintln!("--seed needs a number");
        std::process::exit(2);
    })
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).into()
}

fn write_seeds(folder: &Path) -> std::io::Result<()> {
    for target in TARGETS {
        let own = folder.join(target.name);
        std::fs::create_dir_all(&own)?;
        for (number, seed) in seeds::of(target.name).iter().enumerate() {
            std::fs::write(own.join(format!("seed-{number}")), seed)?;
        }
    }
    Ok(())
}

fn corpus(target: &Target) -> Vec<Vec<u8>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder().join("corpus").join(target.name))
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    files.sort();
    let mut all: Vec<Vec<u8>> = files.iter().filter_map(|f| std::fs::read(f).ok()).collect();
    all.extend(seeds::of(target.name));
    all
}

fn run(target: &Target, time: Duration, seed: u64, under_way: &UnderWay) {
    let corpus = corpus(target);
    let dictionary = folder().join(format!("dictionaries/{}.dict", target.name));
    let words = words(&std::fs::read_to_string(dictionary).unwrap_or_default());
    if target.group == "blobs" {
        // Baked before the time begins.
        seeds::blobs();
    }
    let mut random = Random(seed);
    navbake_fuzz::take_worked();
    let start = Instant::now();
    let mut count = 0u64;
    // The corpus as it is, then changes of it.
    let mut first = corpus.iter();
    loop {
        let input = match first.next() {
            Some(input) => input.clone(),
            None if start.elapsed() < time => mutated(&mut random, &corpus, &words),
            None => break,
        };
        *under_way.lock().expect("no panic holds it") =
            Some((target.name, input.clone(), Instant::now()));
        if catch_unwind(AssertUnwindSafe(|| (target.run)(&input))).is_err() {
            stop(target.name, &input, "broke a promise");
        }
        count += 1;
    }
    *under_way.lock().expect("no panic holds it") = None;
    let rate = count as f64 / start.elapsed().as_secs_f64();
    let worked = navbake_fuzz::take_worked();
    println!(
        "{}: {count} executions, {rate:.0} a second, {worked} of them not refused",
        target.name
    );
}

/// Ends the program when an execution takes too long.
fn watch(under_way: UnderWay) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let now = under_way.lock().expect("no panic holds it");
            if let Some((name, input, since)) = &*now
                && since.elapsed() > Duration::from_secs(MOST)
            {
                stop(name, input, "takes too long");
            }
        }
    });
}

fn stop(name: &str, input: &[u8], what: &str) -> ! {
    let mut hash = navbake_fuzz::queries::Hash::default();
    hash.bytes(input);
    let folder = folder().join("artifacts").join(name);
    let file = folder.join(format!("stable-{:016x}", hash.0));
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, input));
    match written {
        Ok(()) => eprintln!("{name}: an input {what}: {}", file.display()),
        Err(error) => eprintln!("{name}: an input {what}, and cannot be kept: {error}"),
    }
    std::process::exit(1);
}
