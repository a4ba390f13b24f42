#!/usr/bin/env python3
"""Builds the WebAssembly of the package for the web: npm/navbake.wasm, the C interface (crates/c),
and npm/baker.wasm, the baker (tools/web/src).

usage: build.py [FOLDER]     writes into FOLDER, by default npm, and prints sizes

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
    ("navbake.wasm", ["-p", "navbake-c", "--lib", "--crate-type", "cdylib"], "wasm32-unknown-unknown", "small", [], 500_000),
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
    if len(sys.argv) > 2 or any(word.startswith("-") for word in sys.argv[1:]):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1]) if sys.argv[1:] else ROOT / "npm"
    is_large = False
    for file, what, target, profile, options, most in PROGRAMS:
        made = build(what, target, profile, options)
        (folder / file).write_bytes(made)
        packed = len(gzip.compress(made, 9, mtime=0))
        print(f"{folder / file}: {len(made)} bytes, {packed} with gzip")
        is_large |= packed >= most
    sys.exit(int(is_large))


if __name__ == "__main__":
    main()
