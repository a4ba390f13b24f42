#!/usr/bin/env python3
"""The rate of paths in bulk, as a share of the rate of the same requests in Rust.

usage: rate.py PROGRAM BLOB COUNT [ROUNDS]

PROGRAM is examples/rate.rs, built. Both run in turn on one thread; the best of the rounds count.
Ends with 1 where the answers differ or the share is below 0.8.
"""

import subprocess
import sys
import time

import navbake

LEAST = 0.8


def main() -> None:
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    program, blob, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    rounds = int(sys.argv[4]) if len(sys.argv) == 5 else 5
    mesh = navbake.open(blob).mesh()
    places = mesh.random(2 * count, seed=7).positions
    rust, python = [], []
    for _ in range(rounds):
        ran = subprocess.run([program, blob, str(count), "7"], check=True, stdout=subprocess.PIPE, text=True)
        nanoseconds, expected = ran.stdout.split()
        rust.append(int(nanoseconds) / 1e9)
        begin = time.perf_counter()
        paths = mesh.find_paths(places[:count], places[count:])
        python.append(time.perf_counter() - begin)
        total = 0.0
        for length in paths.length.tolist():
            total += length
        if total != float(expected):
            sys.exit(f"{blob}: {total} m in all, in Rust {expected} m")
    share = min(rust) / min(python)
    print(f"{blob}: {count} paths, {min(python):.3f} s, in Rust {min(rust):.3f} s: {share:.2f} of the rate")
    sys.exit(int(share < LEAST))


if __name__ == "__main__":
    main()
