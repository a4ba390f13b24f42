#!/usr/bin/env python3
"""Counts the cells that every A* with a consistent estimate has to expand.

usage: must_expand.py [--trees] [NAME ...]     only maps whose path holds one of the names

For 20 queries of each MovingAI map, spread over its scenario: the cells whose exact cost from the
start plus the octile estimate is below the cost of the cheapest path. Once all ground costs 1, and
once the half of the map with the greater x costs 2 (with --trees: trees may be entered, and cost 2
instead); the estimate is by the least cost. An algorithm that leaves out one of these cells cannot
know that its path is the cheapest (Dechter, Pearl, "Generalized best-first search strategies and
the optimality of A*", 1985).

A plain search: free cells are `.`, `G` and `S`, diagonal steps need both cells beside them, and a
step costs its length times the cost of the cell that is entered.
"""

import argparse
import heapq
import math

from runs import data, table

STEPS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
QUERIES = 20


def read(path, free):
    """The width, and the rows of cells: 1 where one may go, else 0; the trees likewise."""
    lines = path.read_text().splitlines()
    width = int(lines[2].split()[1])
    cells = "".join(line.ljust(width, "@") for line in lines[4:])
    return width, [int(c in free) for c in cells], [c == "T" for c in cells]


def queries(path):
    rows = [line.split() for line in path.read_text().splitlines()[1:] if line.strip()]
    chosen = rows[len(rows) // (2 * QUERIES) :: max(1, len(rows) // QUERIES)][:QUERIES]
    return [tuple(int(number) for number in row[4:8]) for row in chosen]


def must_expand(width, costs, query):
    """The number of cells with cost and estimate below the cost of the goal."""
    sx, sy, gx, gy = query
    height = len(costs) // width

    def estimate(x, y):
        a, b = abs(x - gx), abs(y - gy)
        return max(a, b) + (math.sqrt(2) - 1) * min(a, b)

    best, closed, keys = {(sx, sy): 0.0}, set(), []
    queue = [(estimate(sx, sy), sx, sy)]
    while queue:
        key, x, y = heapq.heappop(queue)
        if (x, y) in closed:
            continue
        closed.add((x, y))
        if (x, y) == (gx, gy):
            # Sums in different orders differ in their last bits.
            return sum(k < key - 1e-9 * max(1.0, key) for k in keys)
        keys.append(key)
        for dx, dy in STEPS:
            i, j = x + dx, y + dy
            if not (0 <= i < width and 0 <= j < height and costs[j * width + i]):
                continue
            if dx and dy and not (costs[y * width + i] and costs[j * width + x]):
                continue
            cost = best[(x, y)] + math.hypot(dx, dy) * costs[j * width + i]
            if cost < best.get((i, j), math.inf) - 1e-9:
                best[(i, j)] = cost
                heapq.heappush(queue, (cost + estimate(i, j), i, j))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trees", action="store_true", help="trees cost 2, not half of the map")
    parser.add_argument("names", nargs="*", metavar="NAME")
    args = parser.parse_args()
    table([["map", "one cost", "two costs"]])
    for level in sorted((data() / "maps").glob("*/*.map")):
        name = f"{level.parent.name}/{level.stem}"
        if args.names and not any(n in name for n in args.names):
            continue
        width, one, trees = read(level, ".GST" if args.trees else ".GS")
        dear = trees if args.trees else [n % width >= width // 2 for n in range(len(one))]
        two = [cost * (2 if more else 1) for cost, more in zip(one, dear)]
        asked = queries(level.with_name(level.name + ".scen"))
        means = [sum(must_expand(width, c, q) for q in asked) / len(asked) for c in (one, two)]
        print(f"| {name} | {means[0]:,.0f} | {means[1]:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
