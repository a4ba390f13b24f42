#!/usr/bin/env python3
"""Draws a level from above: its rooms, walls, doors and links, and a search in it.

usage: plot.py LEVEL OUT.png X,Y,Z X,Y,Z [PLANNER]

LEVEL is a level, which is baked with rooms, or a blob (.nav). The points are y-up metres. Needs
matplotlib.
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

import navbake


def flat(points):
    """x and z of points."""
    return np.asarray(points)[..., [0, 2]]


def open_level(name):
    if name.endswith(".nav"):
        return navbake.open(name)
    return navbake.bake(name, {"rooms": {"enabled": True}}).open()


def draw_mesh(axes, mesh):
    polygons = mesh.polygons()
    bounds = zip(polygons.offsets, polygons.offsets[1:])
    rings = [flat(polygons.corners[first:end]) for first, end in bounds]
    groups = polygons.islands if polygons.rooms is None else polygons.rooms
    colours = plt.get_cmap("Pastel1")(groups % 9)
    axes.add_collection(PolyCollection(rings, facecolors=colours, edgecolors="#ffffff80", lw=0.4))
    axes.add_collection(LineCollection(flat(mesh.walls()), colors="#333333", lw=0.8))
    axes.add_collection(
        LineCollection([door.ends for door in mesh.doors()], colors="#d62728", lw=2, label="doors")
    )
    for link in mesh.links():
        start, end = flat(link.start), flat(link.end)
        axes.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": "#9467bd"})
    for number, room in enumerate(mesh.rooms()):
        x, z = flat(room.middle)
        axes.text(x, z, room.name or str(number), ha="center", va="center", fontsize=7)


def draw_search(axes, trace):
    for closed, colour, label in [(True, "#1f77b4", "expanded"), (False, "#ff7f0e", "open")]:
        at = trace.entries[trace.closed == closed]
        axes.scatter(at[:, 0], at[:, 1], s=9, color=colour, label=f"{label}: {len(at)}", zorder=3)
    path = trace.path
    points = flat(path.points)
    label = f"{path.status} by {path.planner}: {path.length:.1f} m"
    axes.plot(points[:, 0], points[:, 1], "-o", color="#2ca02c", ms=3, lw=2, label=label, zorder=4)


def main():
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    level, out, *ends = sys.argv[1:5]
    start, goal = ([float(number) for number in end.split(",")] for end in ends)
    planner = sys.argv[5] if len(sys.argv) == 6 else "corridor"
    mesh = open_level(level).mesh()
    figure, axes = plt.subplots(figsize=(9, 9), layout="constrained")
    draw_mesh(axes, mesh)
    draw_search(axes, mesh.trace(start, goal, planner))
    axes.set_aspect("equal")
    axes.autoscale()
    axes.invert_yaxis()  # z points down, as seen from above
    axes.set(xlabel="x, m", ylabel="z, m", title=level)
    axes.legend(loc="upper right")
    figure.savefig(out, dpi=110)
    print(f"{out}: {mesh.polygon_count} polygons, {len(mesh.rooms())} rooms")


if __name__ == "__main__":
    main()
