#!/usr/bin/env python3
"""What labels bring on a level with links: bakes a MovingAI map with two-way links between random
cells, without tables and with labels, and times random queries on both.

Links cost COST times their length. Times are CPU time of one thread, from two runs that repeat the
queries a different number of times, so that other work on the machine does not count.

usage: links.py [MAP] [PAIRS] [COST]     ost000a, 500, 1
"""

import pathlib
import random
import resource
import sys
import tempfile

from runs import data, program, run, table

HEAD = ["two-way links", "labels", "us a query", "cones expanded"]
COUNTS = [0, 2, 10, 30, 100]
REPEATS = 4


def config(level, count, cost):
    """The links as a config."""
    lines = level.read_text().splitlines()
    rows = lines[lines.index("map") + 1 :]
    free = [(x + 0.5, z + 0.5) for z, row in enumerate(rows) for x, cell in enumerate(row) if cell in ".G"]
    source = random.Random(7)
    links = []
    for number in range(count):
        (ax, az), (bx, bz) = source.choice(free), source.choice(free)
        length = ((ax - bx) ** 2 + (az - bz) ** 2) ** 0.5
        links.append(
            f'[[link]]\nname = "{number}"\nfrom = [{ax}, 0.0, {az}]\nto = [{bx}, 0.0, {bz}]\n'
            f'two_way = true\nkind = "teleport"\ncost = {length * cost:.3f}\n'
        )
    return "\n".join(links)


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def finished(*arguments):
    done = run(*arguments, "--format", "json", seconds=3600)
    if done.code != 0:
        sys.exit(f"exit {done.code}: {done.first_error()}")
    return done.json()


def main():
    name, pairs, cost = (sys.argv[1:] + ["ost000a", "500", "1"][len(sys.argv) - 1 :])[:3]
    found = list((data() / "maps").glob(f"*/{name}.map"))
    if not found:
        sys.exit(f"no map {name}")
    navbake, rows = program(), [HEAD]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for count in COUNTS:
            (folder / "links.toml").write_text(config(found[0], count, float(cost)))
            for budget in ("none", "labels"):
                blob = folder / f"{budget}.nav"
                level = [found[0], "--config", folder / "links.toml", "--allow-outside"]
                finished(navbake, "bake", *level, "--table-budget", budget, "-o", blob, "--force", "-q")
                spent = []
                for repeat in (1, 1 + REPEATS):
                    before = cpu_seconds()
                    asked = finished(navbake, "bench", blob, "--planner", "optimal", "--random", pairs, "--repeat", repeat)
                    spent.append(cpu_seconds() - before)
                each = (spent[1] - spent[0]) * 1e6 / REPEATS / asked["queries"]
                rows.append([count, "yes" if budget == "labels" else "no", f"{each:.1f}", f"{asked['mean_expanded']:.0f}"])
    table(rows)


main()
