#!/usr/bin/env python3
"""Lays copies of a MovingAI map side by side and joins them: a world whose long ways lead through
many of them.

Each copy is joined to its neighbours by a corridor three cells wide, where the way from its largest
piece of ground to the next copy's is shortest.

usage: joined.py IN.map OUT.map N     N x N copies
"""

import sys

FREE = b".GS"


def pieces(rows):
    """The cells of the largest piece of ground, as a set of numbers."""
    width, best, seen = len(rows[0]), set(), set()
    for start in (z * width + x for z, row in enumerate(rows) for x, c in enumerate(row) if c in FREE):
        if start in seen:
            continue
        piece, stack = {start}, [start]
        while stack:
            at = stack.pop()
            x, z = at % width, at // width
            for nx, nz in ((x + 1, z), (x - 1, z), (x, z + 1), (x, z - 1)):
                to = nz * width + nx
                if 0 <= nx < width and 0 <= nz < len(rows) and rows[nz][nx] in FREE and to not in piece:
                    piece.add(to)
                    stack.append(to)
        seen |= piece
        if len(piece) > len(best):
            best = piece
    return best


def joint(lines):
    """The line whose last ground is nearest to the next copy's first: its number, and the cells
    before and after the ground."""
    ends = [(k, min(cells), max(cells), size) for k, cells, size in lines if cells]
    return min(((low + size - high), k, high, low) for k, low, high, size in ends)[1:]


def main():
    source, out, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    lines = open(source, "rb").read().split(b"\n")
    first = lines.index(b"map") + 1
    rows = [bytearray(line.strip()) for line in lines[first:] if line.strip()]
    width, height = len(rows[0]), len(rows)
    ground = pieces(rows)
    across = joint([(z, [x for x in range(width) if z * width + x in ground], width) for z in range(1, height - 1)])
    down = joint([(x, [z for z in range(height) if z * width + x in ground], height) for x in range(1, width - 1)])
    world = [bytearray(row * count) for _ in range(count) for row in rows]
    for i in range(count):
        for k in range(count - 1):
            line, high, low = across
            for z in range(line - 1, line + 2):
                for x in range(high, width + low + 1):
                    world[i * height + z][k * width + x] = FREE[0]
            line, high, low = down
            for x in range(line - 1, line + 2):
                for z in range(high, height + low + 1):
                    world[k * height + z][i * width + x] = FREE[0]
    with open(out, "wb") as file:
        file.write(b"type octile\nheight %d\nwidth %d\nmap\n" % (height * count, width * count))
        file.write(b"\n".join(world) + b"\n")


if __name__ == "__main__":
    main()
