#!/usr/bin/env python3
"""A terrain as height map (PNG and .r16) and as OBJ with the same triangles.

    terrain.py SAMPLES OUT [hills|blocks|fractal|rough]

makes OUT.png, OUT.r16 and OUT.obj of SAMPLES x SAMPLES samples, 1 m apart: hills with steep sides
and terraces, long waves with upright blocks, or a fractal of diamonds and squares, for which
SAMPLES is a power of two and one. Bake the height maps with `--heights 0,100`; the OBJ gives the
same ground.
"""

import math
import random
import struct
import sys
import zlib

HIGH = 100.0


def hills(x, z):
    """Metres at a place."""
    hills = math.sin(x * 0.021) * math.cos(z * 0.017) * 18
    hills += math.sin(x * 0.06 + 1) * math.sin(z * 0.053) * 5
    hills += math.sin(x * 0.31) * math.sin(z * 0.27) * 0.25
    is_terrace = math.sin(x * 0.013 + 2) * math.sin(z * 0.011 + 1) > 0.35
    return math.floor((40 + hills) / 8) * 8 if is_terrace else 40 + hills


def blocks(x, z):
    """Metres at a place."""
    return 20 + math.sin(x * 0.01) * 5 + (8 if (x // 64 + z // 64) % 5 == 0 else 0)


def fractal(side, amplitude, roughness):
    """Metres at a place, by diamonds and squares; each step has `roughness` of the amplitude."""
    draw = random.Random(3).uniform
    heights = [[0.0] * side for _ in range(side)]
    step = side - 1
    for z, x in ((0, 0), (0, step), (step, 0), (step, step)):
        heights[z][x] = draw(-amplitude, amplitude)

    def place(x, z, around):
        near = [
            heights[z + j][x + i] for i, j in around if 0 <= x + i < side and 0 <= z + j < side
        ]
        heights[z][x] = sum(near) / len(near) + draw(-amplitude, amplitude)

    while step > 1:
        k = step // 2
        for z in range(k, side, step):
            for x in range(k, side, step):
                place(x, z, ((-k, -k), (k, -k), (-k, k), (k, k)))
        for z in range(0, side, k):
            for x in range((z + k) % step, side, step):
                place(x, z, ((0, -k), (0, k), (-k, 0), (k, 0)))
        step, amplitude = k, amplitude * roughness
    return lambda x, z: min(99.9, max(0.1, 50 + heights[z][x]))


def png(rows):
    """A PNG in grey with 16 bits."""

    def chunk(kind, data):
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    side = len(rows)
    raw = b"".join(b"\0" + struct.pack(f">{side}H", *row) for row in rows)
    head = struct.pack(">IIBBBBB", side, side, 16, 0, 0, 0, 0)
    parts = [chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(raw)), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def main():
    side, out, *kind = int(sys.argv[1]), *sys.argv[2:]
    kinds = {
        "hills": lambda: hills,
        "blocks": lambda: blocks,
        "fractal": lambda: fractal(side, 40, 0.45),
        "rough": lambda: fractal(side, 20, 0.6),
    }
    if len(kind) > 1 or not set(kind) <= set(kinds):
        sys.exit(__doc__)
    height = kinds[kind[0] if kind else "hills"]()
    rows = [[round(height(x, z) / HIGH * 65535) for x in range(side)] for z in range(side)]
    with open(out + ".png", "wb") as file:
        file.write(png(rows))
    with open(out + ".r16", "wb") as file:
        file.write(b"".join(struct.pack(f"<{side}H", *row) for row in rows))
    with open(out + ".obj", "w", encoding="ascii") as file:
        step = HIGH / 65535
        for z, row in enumerate(rows):
            file.writelines(f"v {x} {value * step!r} {z}\n" for x, value in enumerate(row))
        for z in range(side - 1):
            for x in range(side - 1):
                a = z * side + x + 1
                b = a + side
                file.write(f"f {a} {b} {b + 1}\nf {a} {b + 1} {a + 1}\n")


if __name__ == "__main__":
    main()
