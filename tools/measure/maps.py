#!/usr/bin/env python3
"""Bakes every MovingAI map and asks all queries of its scenario; exit code 1 when an answer is
wrong.

Wrong is: reachable where there is no path or the other way round, or a path shorter than the
optimum by more than 1e-6 of the larger of it and 1. Longer paths are counted, not wrong: the table
says how much longer.

usage: maps.py [NAME ...]     only maps whose path holds one of the names
"""

import pathlib
import sys
import tempfile

from runs import data, program, run, table

HEAD = ["map", "queries", "polygons", "bake s", "blob KiB", "mean us", "p99 us", "mean excess", "max excess", "wrong"]


def scenario(path):
    """The queries of a scenario, in order."""
    lines = path.read_text().splitlines()
    rows = [line.split() for line in lines if line.strip() and not line.startswith("version")]
    return [tuple(int(v) for v in row[-5:-1]) for row in rows]


def optimal(path):
    """Optimal length of each query."""
    rows = [line.split() for line in path.read_text().splitlines() if line.strip()]
    return {tuple(int(v) for v in row[:4]): float(row[4]) for row in rows}


def compare(queries, lengths, dump):
    """Relative excess of every reachable answer, and what is wrong in words. A line of the dump:
    status, length, points."""
    excess, wrong = [], []
    if len(queries) != len(dump):
        return excess, [f"{len(dump)} answers to {len(queries)} queries"]
    for query, line in zip(queries, dump):
        status, length = line.split()[:2]
        best = lengths[query]
        if (status == "reached") != (best >= 0):
            wrong.append(f"{query}: {status}, the optimum is {best}")
        elif best >= 0:
            more = float(length) - best
            excess.append(more / max(1.0, best))
            if excess[-1] < -1e-6:
                wrong.append(f"{query}: length {length} is below the optimum {best}")
    return excess, wrong


def main():
    navbake, folder = program(), data()
    sound = True
    with tempfile.TemporaryDirectory() as scratch:
        blob, dump = pathlib.Path(scratch) / "map.nav", pathlib.Path(scratch) / "dump.txt"
        table([HEAD])
        for answers in sorted((folder / "optimal").glob("*/*.txt")):
            name = f"{answers.parent.name}/{answers.stem}"
            if sys.argv[1:] and not any(n in name for n in sys.argv[1:]):
                continue
            level = folder / "maps" / f"{name}.map"
            scen = level.with_name(level.name + ".scen")
            dump.unlink(missing_ok=True)
            baked = run(navbake, "bake", level, "-o", blob, "--table-budget", "none", "--format", "json", "--quiet", "--force")
            questions = ["--scen", scen, "--optimal", answers, "--dump", dump, "--format", "json"]
            asked = run(navbake, "bench", blob, *questions, seconds=3600) if baked.code == 0 else baked
            if asked.code != 0 or not dump.exists():
                print(f"{name}: exit {asked.code}: {asked.first_error()}", file=sys.stderr)
                sound = False
                continue
            lines = dump.read_text().splitlines()
            excess, wrong = compare(scenario(scen), optimal(answers), lines)
            for line in wrong[:5]:
                print(f"{name}: {line}", file=sys.stderr)
            sound &= not wrong
            bench, summary = asked.json(), baked.json()
            row = [name, bench["queries"], summary["polygons"], f"{baked.seconds:.2f}", summary["bytes"] >> 10]
            row += [f"{bench['mean_us']:.1f}", f"{bench['p99_us']:.1f}"]
            mean = max(0.0, sum(excess) / max(1, len(excess)))
            row += [f"{mean:.4f}", f"{max(excess, default=0.0):.4f}", len(wrong)]
            print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)
    sys.exit(0 if sound else 1)


if __name__ == "__main__":
    main()
