#!/usr/bin/env python3
"""What tables bring: bakes every MovingAI map with several budgets and looks all queries of its
scenario up; exit code 1 when an answer is wrong.

Budgets: none, a byte too few for labels (landmarks), labels, and half, or all, of what views or
labels of squares take besides. Times are CPU time of one thread, from two runs that repeat the
queries a different number of times, so that other work on the machine does not count.

usage: tables.py [--plot FILE.svg] [NAME ...]     only maps whose path holds one of the names
"""

import math
import pathlib
import resource
import sys
import tempfile

from runs import data, program, run, table

HEAD = ["map", "budget", "tables MB", "views of the ground", "bake s (user)", "peak MiB", "predicted us", "us a query", "mismatches"]
REPEATS = 5
COLOURS = ["#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#566573", "#16a085", "#7d6608"]


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def ask(navbake, blob, level, answers):
    """Mean CPU time of a query, us, and how many answers are wrong; None when it fails."""
    spent, wrong = [], None
    for repeat in (1, 1 + REPEATS):
        before = cpu_seconds()
        questions = ["--scen", level.with_name(level.name + ".scen"), "--optimal", answers, "--planner", "optimal"]
        asked = run(navbake, "bench", blob, *questions, "--repeat", repeat, "--format", "json", seconds=3600)
        spent.append(cpu_seconds() - before)
        if asked.code != 0:
            print(f"{level}: exit {asked.code}: {asked.first_error()}", file=sys.stderr)
            return None
        report = asked.json()
        wrong = report["mismatches"] + report["unreachable_mismatches"]
    return (spent[1] - spent[0]) * 1e6 / REPEATS / report["queries"], wrong


def measure(navbake, level, answers, blob, budget):
    """One row; None when something fails."""
    before = cpu_seconds()
    baked = run(navbake, "bake", level, "-o", blob, "--table-budget", budget, "--format", "json", "--quiet", "--force")
    seconds = cpu_seconds() - before
    asked = ask(navbake, blob, level, answers) if baked.code == 0 else None
    if asked is None:
        print(f"{level} {budget}: exit {baked.code}: {baked.first_error()}", file=sys.stderr)
        return None
    summary = baked.json()
    return summary["tables"], seconds, summary["peak_rss_bytes"], *asked


def plot(curves, file):
    """Time against bytes, both on scales of powers; the leftmost points are without tables."""
    width, height, left, top = 860, 520, 70, 30
    xs = [b for _, points in curves for b, _ in points if b]
    ys = [us for _, points in curves for _, us in points]
    low, high = math.floor(math.log10(min(xs))), math.ceil(math.log10(max(xs)))
    least, most = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))
    span, rise = (width - left - 210) / (high - low + 0.6), (height - top - 50) / (most - least)

    def x(size):
        return left + (0 if size == 0 else 0.6 + math.log10(size) - low) * span

    def y(us):
        return top + (most - math.log10(us)) * rise

    def text(px, py, words, more=""):
        return f'<text x="{px:.1f}" y="{py:.1f}" {more}>{words}</text>'

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">']
    out.append(f'<rect width="{width}" height="{height}" fill="white"/>')
    out.append(text(left, height - 8, "bytes of tables (none at the left)"))
    out.append(text(8, 18, "mean time of an optimal path, us of CPU"))
    for power in range(low, high + 1):
        out.append(f'<path d="M{x(10**power):.1f} {top}V{height - 50}" stroke="#ddd"/>')
        out.append(text(x(10**power), height - 32, f"{10**power / 1e6:g} MB", 'text-anchor="middle"'))
    out.append(f'<path d="M{left} {top}V{height - 50}" stroke="#ddd"/>')
    out.append(text(left, height - 32, "0", 'text-anchor="middle"'))
    for power in range(least, most + 1):
        out.append(f'<path d="M{left} {y(10**power):.1f}H{width - 210}" stroke="#ddd"/>')
        out.append(text(left - 6, y(10**power) + 4, f"{10**power}", 'text-anchor="end"'))
    for number, (name, points) in enumerate(curves):
        colour = COLOURS[number % len(COLOURS)]
        dash = ' stroke-dasharray="5 3"' if number >= len(COLOURS) else ""
        way = "L".join(f"{x(b):.1f} {y(us):.1f}" for b, us in points)
        out.append(f'<path d="M{way}" fill="none" stroke="{colour}"{dash}/>')
        out += [f'<circle cx="{x(b):.1f}" cy="{y(us):.1f}" r="2.5" fill="{colour}"/>' for b, us in points]
        out.append(text(width - 200, top + 10 + 18 * number, name, f'fill="{colour}"'))
    out.append("</svg>\n")
    pathlib.Path(file).write_text("\n".join(out))


def main():
    names = sys.argv[1:]
    picture = None
    if names[:1] == ["--plot"]:
        picture, names = names[1], names[2:]
    navbake, folder = program(), data()
    sound, curves = True, []
    with tempfile.TemporaryDirectory() as scratch:
        blob = pathlib.Path(scratch) / "map.nav"
        table([HEAD])
        for answers in sorted((folder / "optimal").glob("*/*.txt")):
            name = f"{answers.parent.name}/{answers.stem}"
            if names and not any(n in name for n in names):
                continue
            level = folder / "maps" / f"{name}.map"
            all_views = run(navbake, "bake", level, "-o", blob, "--table-budget", "1GiB", "--format", "json", "--quiet", "--force")
            tables = all_views.json()["tables"]
            labels = tables["bytes"] - tables["view_bytes"]
            half = tables["bytes"] - tables["view_bytes"] // 2
            points = []
            budgets = [("none", "none"), ("landmarks", labels - 1), ("labels", "labels"), ("half", half), ("all", tables["bytes"])]
            for title, budget in budgets:
                found = measure(navbake, level, answers, blob, budget)
                if found is None:
                    sound = False
                    continue
                made, seconds, peak, micros, wrong = found
                too_large = isinstance(budget, int) and made["bytes"] > budget
                sound &= wrong == 0 and not too_large
                points.append((made["bytes"], micros))
                row = [name, title, f"{made['bytes'] / 1e6:.3f}", f"{100 * made['view_share']:.0f} %", f"{seconds:.2f}", peak >> 20]
                row += [f"{made['predicted_us']:.1f}", f"{micros:.2f}", wrong]
                print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)
            curves.append((name, points))
    if picture:
        plot(curves, picture)
    sys.exit(0 if sound else 1)


if __name__ == "__main__":
    main()
