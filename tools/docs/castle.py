#!/usr/bin/env python3
"""Draws docs/pictures/castle.png, the picture of the README.

Usage: tools/docs/castle.py NAVBAKE. Needs rsvg-convert and pngquant.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LEVEL = ROOT / "fixtures/rooms/castle.obj"
PICTURE = ROOT / "docs/pictures/castle.png"
START, GOAL = "-4,0,21", "3,4,-18"
# The least x and z of the navmesh: that of the walls plus the radius.
LEFT, TOP = -8.7, -19.7
RED = "#b3001b"

CONFIG = """
seeds = [[13.0, 0.0, 9.0]]
[[agent]]
name = "guard"
radius = 0.3
[rooms]
enabled = true
[rooms.names]
"Yard" = [13.0, 0.0, 14.0]
"Hall" = [8.0, 0.0, -6.0]
"Kitchen" = [21.0, 0.0, -6.0]
"Barracks" = [-5.0, 0.0, 9.0]
"Chapel" = [31.0, 0.0, 9.0]
"Gate" = [13.0, 0.0, 22.0]
"Solar" = [20.0, 4.0, -16.0]
"Gallery" = [6.0, 4.0, -16.0]
"Stair" = [26.0, 0.0, -5.0]
"""


def path_over(svg, points):
    """The path as SVG in the coordinates of the drawing."""
    scale = float(re.search(r"M0 [\d.]+V[\d.]+H([\d.]+)V", svg)[1]) / 5  # the bar of 5 m
    places = [((x - LEFT) * scale, (z - TOP) * scale) for x, _, z in points]
    line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    drawn = [
        f'<path d="{line}" fill="none" stroke="#fff" stroke-width="8" stroke-opacity=".75"/>',
        f'<path d="{line}" fill="none" stroke="{RED}" stroke-width="3.6"/>',
    ]
    for k, (x, y) in enumerate(places):
        radius, fill, stroke = 4, RED, "none"
        if k == 0:
            radius, fill, stroke = 9, "#fff", RED
        elif k == len(places) - 1:
            radius, fill, stroke = 9, RED, "#fff"
        drawn.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}" stroke="{stroke}"'
            ' stroke-width="4"/>'
        )
    return "".join(drawn)


def moved(svg, room, x, y, turned=False):
    """Moves the name of a room."""

    def place(match):
        at = float(match[1]) + x, float(match[2]) + y
        turn = f' transform="rotate(90 {at[0]} {at[1]})"' if turned else ""
        return f'<text class="room" x="{at[0]}" y="{at[1]}"{turn}{match[3]}{room}<'

    pattern = rf'<text class="room" x="([\d.]+)" y="([\d.]+)"([^>]*>){room}<'
    return re.sub(pattern, place, svg)


def main():
    navbake = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "castle.toml").write_text(CONFIG)
        run = lambda *args: subprocess.run(  # noqa: E731
            [str(a) for a in args], cwd=folder, check=True, capture_output=True, text=True
        ).stdout
        run(navbake, "bake", LEVEL, "--config", "castle.toml", "-o", "castle.nav", "-q")
        run(navbake, "export", "castle.nav", "--to", "svg", "-o", "castle.svg")
        answer = json.loads(
            run(navbake, "query", "path", "castle.nav", "--planner", "optimal",
                f"--from={START}", "--to", GOAL, "--format", "json")
        )
        svg = (folder / "castle.svg").read_text()
        end = svg.index("</g>", svg.index('<g id="storey-0"'))
        svg = svg[:end] + path_over(svg, answer["points"]) + svg[end:]
        title = (
            "castle.obj, baked for a radius of 0.3 m: 60 polygons, 12 rooms, 12 doors with their"
            f" widths in metres, and the shortest path ({answer['length_xz']:.1f} m)"
        )
        svg = re.sub(r"storey 1 of 1:[^<]*", title, svg)
        svg = re.sub(r"<text[^>]*>12 rooms, 12 doors</text>", "", svg)
        svg = svg.replace(".room{font-size:12px", ".room{font-size:17px;font-weight:bold")
        svg = svg.replace(".width{font-size:8px", ".width{font-size:11px")
        svg = svg.replace("stroke-width:.7", "stroke-width:1.3")
        svg = moved(svg, "Solar", 0, 38)
        svg = moved(svg, "Stair", 6, 40, turned=True)
        # The sheet without its margins above and below.
        svg = re.sub(r'viewBox="0 0 ([\d.]+) [\d.]+"', r'viewBox="0 30 \1 1092"', svg)
        svg = re.sub(r' height="\d+">', ' height="1092">', svg, count=1)
        svg = svg.replace('<rect width="100%"', '<rect y="30" width="100%"')
        (folder / "composed.svg").write_text(svg)
        run("rsvg-convert", "-w", "900", "composed.svg", "-o", "composed.png")
        run("pngquant", "128", "--force", "-o", PICTURE, "composed.png")


if __name__ == "__main__":
    main()
