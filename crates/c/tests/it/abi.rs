//! The functions that programs link to: listed, called, and compiled in each language.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use navbake_bake::{Config, Options, bake_file};

use crate::c_program::{run, static_library};

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn has(program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok();
    if !there {
        println!("skipped: no {program} here");
    }
    there
}

/// The names that are called or declared in a text: `navbake_` up to a bracket.
fn called(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, _) in text.match_indices("navbake_") {
        let name: String =
            text[at..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        if text[at + name.len()..].starts_with('(') {
            names.insert(name);
        }
    }
    names
}

fn header() -> BTreeSet<String> {
    called(&std::fs::read_to_string(folder().join("include/navbake.h")).unwrap())
}

/// `NAVBAKE_WRITE_HEADER=1` writes the list anew.
#[test]
fn the_listed_functions_are_those_of_the_header() {
    let list = folder().join("symbols.txt");
    let made: String = header().iter().map(|name| format!("{name}\n")).collect();
    if std::env::var_os("NAVBAKE_WRITE_HEADER").is_some() {
        std::fs::write(&list, &made).unwrap();
    }
    let listed = std::fs::read_to_string(list).unwrap();
    assert!(listed == made, "symbols.txt differs: a name gone breaks programs that call it");
}

#[test]
fn the_shared_library_exports_the_listed_functions_and_no_others() {
    if !cfg!(target_os = "linux") || !has("nm") {
        return;
    }
    let library = static_library().with_extension("so");
    let printed = run(Command::new("nm").args(["-D", "--defined-only"]).arg(library));
    let exported: BTreeSet<String> = printed
        .lines()
        .filter_map(|line| line.split_whitespace().last())
        .filter(|name| name.starts_with("navbake_"))
        .map(str::to_owned)
        .collect();
    assert_eq!(exported, header());
}

/// A blob with rooms, links, a switch and areas.
fn level(folder: &Path) -> PathBuf {
    let text = std::fs::read_to_string(fixture("terraces/bake.toml")).unwrap();
    let mut config = Config::parse(&(text + "\n[[area]]\nname = \"mud\"\n")).unwrap();
    config.rooms.enabled = true;
    baked(folder, "terraces/terraces.obj", &config)
}

fn fixture(file: &str) -> PathBuf {
    folder().join("../../fixtures").join(file)
}

fn baked(folder: &Path, level: &str, config: &Config) -> PathBuf {
    let level = fixture(level);
    let file = folder.join(level.with_extension("nav").file_name().unwrap());
    let baked = bake_file(&level, config, &Options::default()).unwrap();
    std::fs::write(&file, baked.bytes).unwrap();
    file
}

/// Compiles a program of this folder with the address sanitizer; `None` where there is no compiler.
pub(crate) fn sanitized(source: &str, scratch: &Path) -> Option<PathBuf> {
    let (variable, usual, standard) = match source.ends_with(".c") {
        true => ("CC", "cc", "c99"),
        false => ("CXX", "c++", "c++17"),
    };
    let compiler = std::env::var(variable).unwrap_or(usual.into());
    if !cfg!(target_os = "linux") || !has(&compiler) {
        return None;
    }
    let program = scratch.join(source).with_extension("program");
    run(Command::new(compiler)
        .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g"])
        .arg(format!("-std={standard}"))
        .args(["-fsanitize=address", "-fno-omit-frame-pointer", "-o"])
        .arg(&program)
        .arg("-I")
        .arg(folder().join("include"))
        .arg(folder().join("tests/it").join(source))
        .arg(static_library())
        .args(["-lpthread", "-ldl", "-lm"]));
    Some(program)
}

#[test]
fn every_function_is_called_under_the_address_sanitizer() {
    let sources = ["all.c", "chunks.c"].map(|name| folder().join("tests/it").join(name));
    let both = sources.map(|source| std::fs::read_to_string(source).unwrap()).concat();
    let missing: Vec<_> = header().difference(&called(&both)).cloned().collect();
    assert!(missing.is_empty(), "neither all.c nor chunks.c calls {missing:?}");
    let scratch = tempfile::tempdir().unwrap();
    let Some(program) = sanitized("all.c", scratch.path()) else { return };
    let networks = Config::load(&fixture("networks/grid10.toml")).unwrap();
    let grid = baked(scratch.path(), "grid10/grid10.txt", &networks);
    let printed = run(Command::new(program).arg(level(scratch.path())).arg(grid));
    assert_eq!(printed, "0 faults\n");
}

#[test]
fn the_headers_compile_as_c99_and_as_cpp17_without_a_warning() {
    let include = folder().join("include");
    for (compiler, standard, header) in
        [("cc", "c99", "navbake.h"), ("c++", "c++17", "navbake.h"), ("c++", "c++17", "navbake.hpp")]
    {
        if !has(compiler) {
            continue;
        }
        let scratch = tempfile::tempdir().unwrap();
        let end = if compiler == "cc" { "c" } else { "cpp" };
        let source = scratch.path().join(format!("one.{end}"));
        std::fs::write(&source, format!("#include \"{header}\"\nint one;\n")).unwrap();
        run(Command::new(compiler)
            .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"])
            .arg(format!("-std={standard}"))
            .arg("-I")
            .arg(&include)
            .arg(source));
    }
}

/// With `CoreMinimal.h` beside it in place of Unreal's.
#[test]
fn the_sample_for_unreal_compiles_and_finds_paths_in_centimetres() {
    if !cfg!(target_os = "linux") || !has("c++") {
        return;
    }
    let scratch = tempfile::tempdir().unwrap();
    let program = scratch.path().join("sample");
    let tests = folder().join("tests/unreal");
    run(Command::new("c++")
        .args(["-std=c++17", "-fno-exceptions", "-fno-rtti", "-Wall", "-Wextra", "-Werror"])
        .args(["-fsanitize=address", "-g", "-o"])
        .arg(&program)
        .arg("-I")
        .arg(&tests)
        .arg("-I")
        .arg(folder().join("examples/unreal"))
        .arg("-I")
        .arg(folder().join("include"))
        .arg(tests.join("sample.cpp"))
        .arg(static_library())
        .args(["-lpthread", "-ldl", "-lm"]));
    let courtyard = baked(scratch.path(), "courtyard/courtyard.obj", &Config::default());
    assert_eq!(run(Command::new(program).arg(courtyard)), "0 faults\n");
}

/// As CMake and as pkg-config find it: installed, then used by a project in C++.
#[test]
fn an_installed_library_is_found_by_cmake_and_by_pkg_config() {
    if !cfg!(target_os = "linux") || !["cmake", "c++", "pkg-config"].into_iter().all(has) {
        return;
    }
    let scratch = tempfile::tempdir().unwrap();
    let (build, prefix) = (scratch.path().join("build"), scratch.path().join("prefix"));
    let library = static_library();
    run(Command::new("cmake")
        .arg("-S")
        .arg(folder())
        .arg("-B")
        .arg(&build)
        .arg(format!("-DNAVBAKE_LIBRARIES={}", library.parent().unwrap().display()))
        .arg(format!("-DCMAKE_INSTALL_PREFIX={}", prefix.display())));
    run(Command::new("cmake").arg("--install").arg(&build));
    let blob = level(scratch.path());
    let sample = folder().join("tests/cmake");
    let out = scratch.path().join("sample");
    run(Command::new("cmake")
        .arg("-S")
        .arg(&sample)
        .arg("-B")
        .arg(&out)
        .arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())));
    run(Command::new("cmake").arg("--build").arg(&out));
    for name in ["shared", "static"] {
        let printed = run(Command::new(out.join(name)).arg(&blob));
        assert!(printed.starts_with("reached"), "{printed}");
    }
    let flags = run(Command::new("pkg-config")
        .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"))
        .args(["--cflags", "--libs", "navbake"]));
    let program = scratch.path().join("by-pkg-config");
    run(Command::new("c++")
        .args(["-std=c++17", "-fno-exceptions", "-o"])
        .arg(&program)
        .arg(sample.join("sample.cpp"))
        .args(flags.split_whitespace()));
    let libraries = prefix.join("lib");
    let printed = run(Command::new(program).env("LD_LIBRARY_PATH", libraries).arg(&blob));
    assert!(printed.starts_with("reached"), "{printed}");
}
