//! The committed header is the one that cbindgen makes.

use std::path::Path;

/// `NAVBAKE_WRITE_HEADER=1 cargo test -p navbake-c --test it header` writes it anew.
#[test]
fn the_header_is_what_cbindgen_makes_of_the_sources() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).unwrap();
    let bindings = [
        "status",
        "blob",
        "closed",
        "costs",
        "place",
        "motion",
        "request",
        "path",
        "search",
        "distances",
        "cells",
        "queue",
        "around",
        "obstacles",
        "chunks",
        "save",
        "file",
        "vehicle",
        "vehicle_path",
    ]
    .iter()
    .fold(cbindgen::Builder::new().with_config(config), |builder, file| {
        builder.with_src(folder.join(format!("src/{file}.rs")))
    })
    .generate()
    .unwrap();
    let mut made = vec![];
    bindings.write(&mut made);
    let made = String::from_utf8(made).unwrap();
    let header = folder.join("include/navbake.h");
    if std::env::var_os("NAVBAKE_WRITE_HEADER").is_some() {
        std::fs::write(&header, &made).unwrap();
    }
    let committed = std::fs::read_to_string(&header).unwrap();
    assert!(
        committed == made,
        "include/navbake.h is not that of the sources; NAVBAKE_WRITE_HEADER=1 with this test writes it"
    );
}
