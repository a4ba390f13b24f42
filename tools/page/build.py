#!/usr/bin/env python3
"""Builds the runtime that report pages carry.

usage: build.py [FILE]     writes FILE, by default crates/report/src/html/search.wasm

The file in the tree is built anew once a release, so that a clone needs no wasm target. It must
read the tree's format and give the tree's answers: `.ci/run` tests report pages with it, and again
with a runtime built from the sources. The target is installed with `rustup target add
wasm32-unknown-unknown`.
"""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = ROOT / "crates/report/src/html/search.wasm"
TARGET = "wasm32-unknown-unknown"


def build():
    folder = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    # Panic messages hold source paths: not those of this machine.
    home = os.environ.get("CARGO_HOME", str(pathlib.Path.home() / ".cargo"))
    flags = f"--remap-path-prefix={ROOT}=. --remap-path-prefix={home}=cargo"
    command = ["cargo", "build", "--locked", "-p", "navbake-page", "--profile", "small", "--target", TARGET]
    subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, "RUSTFLAGS": flags})
    return (folder / TARGET / "small/navbake_page.wasm").read_bytes()


def main():
    if len(sys.argv) > 2 or any(word.startswith("-") for word in sys.argv[1:]):
        sys.exit(__doc__)
    made = build()
    file = pathlib.Path(sys.argv[1]) if sys.argv[1:] else KEPT
    file.write_bytes(made)
    print(f"{file}: {len(made)} bytes")


if __name__ == "__main__":
    main()
