//! Bakes the level when it changes, with the command `navbake`.

use std::env;
use std::process::Command;

const LEVEL: &str = "../../fixtures/courtyard/courtyard.obj";
const BAKED: &str = "assets/courtyard.navbake";

fn main() {
    println!("cargo::rerun-if-changed={LEVEL}");
    println!("cargo::rerun-if-env-changed=NAVBAKE");
    // Where the command is; else that of the PATH.
    let navbake = env::var("NAVBAKE").unwrap_or_else(|_| "navbake".to_owned());
    std::fs::create_dir_all("assets").expect("a folder for assets");
    let baked = Command::new(&navbake)
        .args(["-q", "bake", LEVEL, "-o", BAKED, "--force"])
        .status()
        .unwrap_or_else(|error| panic!("{navbake}: {error}; install it, or set NAVBAKE"));
    assert!(baked.success(), "{navbake} did not bake {LEVEL}: see above");
}
