#!/usr/bin/env python3
"""Builds npm/navbake.wasm: the C interface (crates/c) for WebAssembly.

usage: build.py [FILE]     writes FILE, by default npm/navbake.wasm, and prints its sizes

The target is installed with `rustup target add wasm32-unknown-unknown`. Ends with 1 where the file
takes 500 KB or more when compressed with gzip.
"""

import gzip
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = "wasm32-unknown-unknown"
MOST = 500_000


def build():
    folder = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    # Panic messages hold source paths: not those of this machine.
    home = os.environ.get("CARGO_HOME", str(pathlib.Path.home() / ".cargo"))
    flags = f"--remap-path-prefix={ROOT}=. --remap-path-prefix={home}=cargo"
    command = ["cargo", "rustc", "--locked", "-p", "navbake-c", "--lib", "--crate-type", "cdylib"]
    command += ["--profile", "small", "--target", TARGET]
    subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, "RUSTFLAGS": flags})
    return (folder / TARGET / "small/navbake_c.wasm").read_bytes()


def main():
    if len(sys.argv) > 2 or any(word.startswith("-") for word in sys.argv[1:]):
        sys.exit(__doc__)
    made = build()
    file = pathlib.Path(sys.argv[1]) if sys.argv[1:] else ROOT / "npm/navbake.wasm"
    file.write_bytes(made)
    packed = len(gzip.compress(made, 9, mtime=0))
    print(f"{file}: {len(made)} bytes, {packed} with gzip")
    sys.exit(int(packed >= MOST))


if __name__ == "__main__":
    main()
