#!/usr/bin/env python3
"""Builds the WebAssembly of the package for the web: npm/navbake.wasm, the C interface (crates/c),
and npm/baker.wasm, the baker (tools/web/src).

usage: build.py [FOLDER [FILE]]     writes into FOLDER, by default npm, and prints sizes

With FILE, navbake.wasm or baker.wasm, it builds that one alone.

The targets are installed with `rustup target add wasm32-unknown-unknown wasm32-wasip1`. Ends with 1
where a file takes more than its limit when compressed with gzip.
"""

import gzip
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# File, what is built, target, profile, options of rustc, and the most bytes with gzip. The baker
# has the stack of the command's threads (STACK in crates/bake/src/recorder.rs).
PROGRAMS = [
    ("navbake.wasm", ["-p", "navbake-c", "--lib", "--crate-type", "cdylib", "--no-default-features"], "wasm32-unknown-unknown", "small", [], 500_000),
    ("baker.wasm", ["-p", "navbake-web"], "wasm32-wasip1", "web", ["-C", f"link-arg=-zstack-size={8 << 20}"], 2_500_000),
]


def build(what, target, profile, options):
    folder = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    # Panic messages hold source paths: not those of this machine.
    home = os.environ.get("CARGO_HOME", str(pathlib.Path.home() / ".cargo"))
    flags = f"--remap-path-prefix={ROOT}=. --remap-path-prefix={home}=cargo"
    command = ["cargo", "rustc", "--locked", *what, "--profile", profile, "--target", target, "--", *options]
    subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, "RUSTFLAGS": flags})
    name = what[1].replace("-", "_") if "--lib" in what else what[1]
    return (folder / target / profile / f"{name}.wasm").read_bytes()


def main():
    files = [program[0] for program in PROGRAMS]
    words = sys.argv[1:]
    if len(words) > 2 or any(word.startswith("-") for word in words) or not set(words[1:]) <= set(files):
        sys.exit(__doc__)
    folder = pathlib.Path(words[0]) if words else ROOT / "npm"
    wanted = words[1:] or files
    is_large = False
    for file, what, target, profile, options, most in PROGRAMS:
        if file not in wanted:
            continue
        made = build(what, target, profile, options)
        (folder / file).write_bytes(made)
        packed = len(gzip.compress(made, 9, mtime=0))
        print(f"{folder / file}: {len(made)} bytes, {packed} with gzip, at most {most}")
        is_large |= packed >= most
    sys.exit(int(is_large))


if __name__ == "__main__":
    main()
