#!/usr/bin/env python3
"""Bakes variants of a level that must not matter (obj_variants.py) and compares area and
connectivity with the level itself; exit code 1 when one is off.

usage: variants.py [NAME ...]     of the levels below; by default all

Shuffled, duplicated, degenerate, moved and sliver variants: area within 0.1 %, as many islands
above 1 m2, and the same answers for 200 pairs of points, moved along with the level. Turned ones:
area within 0.5 %; their islands and pairs are printed. Levels with a NaN or an infinite vertex must
be refused, and the message must say so.
"""

import math
import pathlib
import random
import sys
import tempfile

from probing import CONFIG, data, probe, read_obj, script

# Name, file, metres in a unit of it, and the config beyond the common one.
LEVELS = {
    "nav_test": ("recast_nav_test.obj", 1.0, ""),
    "dungeon": ("recast_dungeon.obj", 1.0, ""),
    "steelribs": ("tesseract_steelribs.obj", 0.05, "agent = [{ slope = 46.0 }]\n"),
}
SAME = ["shuffle", "rotidx", "dup", "degen", "sliver"]
MOVED = [0.1, 2.1, 1000.0, 100000.0, 1000000.0]
TURNED = [30, 90]
REFUSED = {"nan": "nan", "inf": "inf"}
PAIRS = 200


def random_pairs(path, count):
    """Pairs of points of a navmesh, the same every time; chosen by area, half of them near each
    other."""
    vertices, faces = read_obj(path)
    triangles, sums, total = [], [], 0.0
    for face in faces:
        for k in range(1, len(face) - 1):
            a, b, c = (vertices[i] for i in (face[0], face[k], face[k + 1]))
            total += abs((b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0])) / 2
            triangles.append((a, b, c))
            sums.append(total)
    chance = random.Random(5)

    def point():
        (a, b, c) = chance.choices(triangles, cum_weights=sums)[0]
        # Well inside of the triangle, so that rounding does not take a point off the mesh.
        u, v = chance.uniform(0.1, 0.45), chance.uniform(0.1, 0.45)
        return [a[k] + u * (b[k] - a[k]) + v * (c[k] - a[k]) for k in range(3)]

    points = [point() for _ in range(4 * count)]
    pairs = []
    for k in range(count):
        start = points[k]
        near = min(points[count:], key=lambda p: math.dist(p, start) + (0.0 if math.dist(p, start) > 1.0 else 1e9))
        pairs.append(start + (near if k % 2 else points[-1 - k]))
    return pairs


def write_scaled(source, scale, target):
    """Writes a level in metres."""
    vertices, faces = read_obj(source)
    lines = ["v " + " ".join(repr(c * scale) for c in v) for v in vertices]
    lines += ["f " + " ".join(str(i + 1) for i in f) for f in faces]
    target.write_text("\n".join(lines) + "\n")


def on_points(pairs, change):
    return [change(*pair[:3]) + change(*pair[3:]) for pair in pairs]


def main():
    names = sys.argv[1:] or list(LEVELS)
    sound = True
    print("| level | variant | area m2 | off | islands above 1 m2 | pairs that differ | as it must be |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name in names:
        file, scale, more = LEVELS[name]
        config = CONFIG + more
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            # In metres, so that the moves are in metres.
            write_scaled(data() / "meshes" / file, scale, folder / "level.obj")
            script("obj_variants.py", folder / "level.obj", folder / "v")
            base, mesh = folder / "v_base.obj", folder / "mesh.obj"
            probe(base, folder, config, obj=mesh)
            # Corners tell the height of a wide polygon only about: the pairs asked for are places
            # on the surface.
            about = probe(base, folder, config, random_pairs(mesh, 2 * PAIRS))
            pairs = [place for place in about["places"] if place][:PAIRS]
            first = probe(base, folder, config, pairs)

            def row(variant, change, turned):
                """Bakes a variant and prints how it differs; is it as it must be?"""
                path = folder / f"v_{variant}.obj"
                try:
                    answer = probe(path, folder, config, on_points(pairs, change))
                except RuntimeError as refusal:
                    print(f"| {name} | {variant} | refused: {refusal} | | | | no |", flush=True)
                    return False
                off = answer["area_m2"] / first["area_m2"] - 1
                islands = [sum(1 for a in found["islands"] if a > 1.0) for found in (first, answer)]
                answers = list(zip(pairs, first["reachable"], answer["reachable"]))
                differ = sum(1 for _, a, b in answers if a != b)
                for pair, a, b in answers:
                    if a != b:
                        print(f"  {name} {variant}: {pair[:3]} to {pair[3:]}: {a}, now {b}", file=sys.stderr)
                good = abs(off) <= (0.005 if turned else 0.001)
                good &= turned or (islands[0] == islands[1] and differ == 0)
                cells = [name, variant, f"{answer['area_m2']:.2f}", f"{100 * off:+.4f} %", f"{islands[1]} ({islands[0]})"]
                cells += [f"{differ} of {PAIRS}", "yes" if good else "no"]
                print("| " + " | ".join(cells) + " |", flush=True)
                return good

            reached = sum(1 for a in first["reachable"] if a)
            print(f"| {name} | as it is | {first['area_m2']:.2f} | | {sum(1 for a in first['islands'] if a > 1.0)} | {reached} reached | |")
            for variant in SAME:
                sound &= row(variant, lambda x, y, z: [x, y, z], False)
            for by in MOVED:
                sound &= row(f"tr{by:g}", lambda x, y, z, d=by: [x + d, y, z + d], False)
            for degrees in TURNED:
                c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
                sound &= row(f"rot{degrees}", lambda x, y, z, c=c, s=s: [x * c - z * s, y, x * s + z * c], True)
            for variant, word in REFUSED.items():
                try:
                    probe(folder / f"v_{variant}.obj", folder, config)
                    said, good = "baked", False
                except RuntimeError as refusal:
                    said, good = "refused", word in str(refusal).lower()
                    said += "" if good else f" for another reason: {refusal}"
                sound &= good
                print(f"| {name} | {variant} | {said} | | | | {'yes' if good else 'no'} |", flush=True)
    sys.exit(0 if sound else 1)


if __name__ == "__main__":
    main()
