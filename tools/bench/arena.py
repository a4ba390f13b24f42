#!/usr/bin/env python3
"""Compares the navmesh of a flat arena with boxes with the exact free area, which follows from the
boxes; exit code 1 when it is off.

usage: arena.py [SIZE BOXES ROOMS]
           by default 512 6000 100; made by arena_obj.py and baked by the probe
       arena.py --level ARENA.obj --navmesh NAVMESH.obj
           a mesh that was baked elsewhere, from a level that arena_obj.py made

Exact: a point of the ground is free when it lies at least the radius away from every box and from
the edge of the ground. The area is the integral over scan lines of the length outside of the boxes
grown by the radius; each of those is convex, and its part of a line is known in closed form. Free
stretches that overlap on neighbouring lines hang together, so that the area of one island is known
too.

Two bakes are looked at: one that keeps every island, of which only what lies outside of boxes is
counted, and one with a seed in the greatest free island, of which nothing may lie in a box or a
closed room.
"""

import argparse
import collections
import math
import pathlib
import sys
import tempfile

from probing import CONFIG, probe, read_obj, script

RADIUS = 0.6
LINE = 0.01  # distance of scan lines, m
AREA_OFF = 0.005  # the most that the area may be off
NEARER = 0.01  # how much nearer to a box than the radius a border may be, m
CELL = 4.0  # of the table of boxes, m


class Arena:
    """Side of the ground, and the boxes as four corners in (x, z), counter-clockwise in that
    plane."""

    def __init__(self, path, rooms):
        vertices, _ = read_obj(path)
        # Ground vertices come first: a square grid, row by row.
        across = next(i for i, v in enumerate(vertices) if v[2] != vertices[0][2])
        ground = across * across
        self.side = vertices[ground - 1][0]
        self.boxes = [
            [(vertices[i + k][0], vertices[i + k][2]) for k in range(4)] for i in range(ground, len(vertices), 8)
        ]
        self.rooms = []
        walls = self.boxes[len(self.boxes) - 4 * rooms :] if rooms else []
        for i in range(0, len(walls), 4):
            # Inside of the walls at lower z, upper z, lower x, upper x.
            low_z, high_z = max(p[1] for p in walls[i]), min(p[1] for p in walls[i + 1])
            low_x, high_x = max(p[0] for p in walls[i + 2]), min(p[0] for p in walls[i + 3])
            self.rooms.append([(low_x, low_z), (high_x, low_z), (high_x, high_z), (low_x, high_z)])
        self.near = collections.defaultdict(list)
        for k, box in enumerate(self.boxes):
            for key in cells(box, RADIUS + 0.1):
                self.near[key].append(k)


def cells(points, margin=0.0):
    """Cells of the table that the bounds of points touch."""
    xs, zs = [p[0] for p in points], [p[1] for p in points]
    columns = range(math.floor((min(xs) - margin) / CELL), math.floor((max(xs) + margin) / CELL) + 1)
    rows = range(math.floor((min(zs) - margin) / CELL), math.floor((max(zs) + margin) / CELL) + 1)
    return [(c, r) for c in columns for r in rows]


def grown_edges(box):
    """Edges of a box moved outwards by the radius."""
    edges = []
    for (ax, az), (bx, bz) in zip(box, box[1:] + box[:1]):
        length = math.hypot(bx - ax, bz - az)
        ox, oz = (bz - az) / length * RADIUS, -(bx - ax) / length * RADIUS
        edges.append((ax + ox, az + oz, bx + ox, bz + oz))
    return edges


def stretch(box, edges, z):
    """Where a scan line runs inside a grown box: least and greatest x."""
    low, high = math.inf, -math.inf
    for x, cz in box:
        rest = RADIUS * RADIUS - (z - cz) * (z - cz)
        if rest >= 0.0:
            half = math.sqrt(rest)
            low, high = min(low, x - half), max(high, x + half)
    for ax, az, bx, bz in edges:
        if (az <= z) != (bz <= z):
            x = ax + (z - az) / (bz - az) * (bx - ax)
            low, high = min(low, x), max(high, x)
    return low, high


class Exact:
    """The free area, all of it and that of its greatest island, and a point well inside that
    island."""

    def __init__(self, arena):
        least, most = RADIUS, arena.side - RADIUS
        lines = round((most - least) / LINE)
        step = (most - least) / lines
        starts = collections.defaultdict(list)
        for box in arena.boxes:
            begin = min(p[1] for p in box) - RADIUS
            end = max(p[1] for p in box) + RADIUS
            starts[max(0, math.floor((begin - least) / step))].append((end, box, grown_edges(box)))
        parent, area, widest = [], [], []

        def root(k):
            while parent[k] != k:
                parent[k] = parent[parent[k]]
                k = parent[k]
            return k

        active, before = [], []
        for line in range(lines):
            z = least + (line + 0.5) * step
            active = [a for a in active if a[0] > z] + starts.pop(line, [])
            taken = sorted(s for s in (stretch(box, edges, z) for _, box, edges in active) if s[0] < s[1])
            free, x = [], least
            for low, high in taken + [(most, most)]:
                if min(low, most) > x:
                    free.append((x, min(low, most)))
                x = max(x, high)
            now, k = [], 0
            for low, high in free:
                here = None
                while k < len(before) and before[k][1] <= low:
                    k += 1
                j = k
                while j < len(before) and before[j][0] < high:
                    other = root(before[j][2])
                    if here is None:
                        here = other
                    elif here != other:
                        parent[other] = here
                        area[here] += area[other]
                        widest[here] = max(widest[here], widest[other])
                    j += 1
                if here is None:
                    here = len(parent)
                    parent.append(here)
                    area.append(0.0)
                    widest.append((0.0, 0.0, 0.0))
                area[here] += (high - low) * step
                widest[here] = max(widest[here], (high - low, (low + high) / 2, z))
                now.append((low, high, here))
            # A union within this line may have moved a root.
            before = [(low, high, root(k)) for low, high, k in now]
        roots = [k for k in range(len(parent)) if parent[k] == k]
        greatest = max(roots, key=lambda k: area[k])
        self.area = sum(area[k] for k in roots)
        self.island = area[greatest]
        self.inside = widest[greatest][1:]


def area_of(ring):
    return abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(ring, ring[1:] + ring[:1]))) / 2


def clipped(ring, box):
    """The part of a convex ring inside a convex box."""
    for (ax, az), (bx, bz) in zip(box, box[1:] + box[:1]):
        kept = []
        for p, q in zip(ring, ring[1:] + ring[:1]):
            dp = (bx - ax) * (p[1] - az) - (bz - az) * (p[0] - ax)
            dq = (bx - ax) * (q[1] - az) - (bz - az) * (q[0] - ax)
            if dp >= 0:
                kept.append(p)
            if (dp > 0 > dq) or (dp < 0 < dq):
                f = dp / (dp - dq)
                kept.append((p[0] + f * (q[0] - p[0]), p[1] + f * (q[1] - p[1])))
        ring = kept
        if len(ring) < 3:
            return []
    return ring


def point_to_segment(p, a, b):
    dx, dz = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dz * dz
    f = 0.0 if length == 0.0 else max(0.0, min(1.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dz) / length))
    return math.hypot(p[0] - a[0] - f * dx, p[1] - a[1] - f * dz)


def holds(box, p):
    return all(
        (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) >= 0 for a, b in zip(box, box[1:] + box[:1])
    )


def distance(a, b, box):
    """Of a segment from a box; 0 when it has a point inside."""
    if holds(box, a) or holds(box, b) or len(clipped([a, b, b], box)) > 0:
        return 0.0
    sides = list(zip(box, box[1:] + box[:1]))
    ends = min(point_to_segment(p, c, d) for p in (a, b) for c, d in sides)
    return min(ends, min(point_to_segment(c, a, b) for c in box))


class Navmesh:
    """The part of a navmesh that lies on the ground."""

    def __init__(self, path, arena):
        vertices, faces = read_obj(path)
        ground = [f for f in faces if all(abs(vertices[v][1]) < 1.0 for v in f)]
        flat = [(v[0], v[2]) for v in vertices]
        self.area = self.in_boxes = self.in_rooms = 0.0
        uses = collections.Counter()
        outside = []
        for face in ground:
            ring = [flat[v] for v in face]
            area = area_of(ring)
            near = sorted({k for key in cells(ring) for k in arena.near.get(key, ())})
            # Boxes that overlap count the same ground more than once, but never more than all of
            # it.
            boxed = min(area, sum(area_of(part) for part in (clipped(ring, arena.boxes[k]) for k in near) if part))
            self.in_boxes += boxed
            self.in_rooms += sum(area_of(part) for part in (clipped(ring, room) for room in arena.rooms) if part)
            self.area += area
            if boxed < area / 2:
                outside.append(face)
                for a, b in zip(face, face[1:] + face[:1]):
                    uses[frozenset((flat[a], flat[b]))] += 1
        self.nearest, self.where, self.too_near, self.border = math.inf, None, 0.0, 0.0
        for edge, count in sorted((sorted(e), n) for e, n in uses.items() if len(e) == 2):
            if count > 1:
                continue
            a, b = edge
            length = math.hypot(b[0] - a[0], b[1] - a[1])
            self.border += length
            near = sorted({k for key in cells([a, b], RADIUS) for k in arena.near.get(key, ())})
            here = min((distance(a, b, arena.boxes[k]) for k in near), default=math.inf)
            if here < RADIUS - NEARER:
                self.too_near += length
            if here < self.nearest:
                self.nearest, self.where = here, a


def compare(name, navmesh, exact_area, counted, sealed):
    """Prints how a navmesh stands to the exact area; is it as it must be?"""
    off = counted / exact_area - 1
    sound = abs(off) <= AREA_OFF and navmesh.nearest >= RADIUS - NEARER
    print(f"{name}: exact {exact_area:.1f} m2, navmesh {counted:.1f} m2, {100 * off:+.3f} %")
    share = 100 * navmesh.too_near / max(navmesh.border, 1e-9)
    print(f"  least distance of its border from a box: {navmesh.nearest:.4f} m at {navmesh.where}; {share:.2f} % of the border nearer than {RADIUS - NEARER:.2f} m")
    print(f"  inside boxes: {navmesh.in_boxes:.2f} m2, inside closed rooms: {navmesh.in_rooms:.2f} m2")
    if sealed and navmesh.in_boxes + navmesh.in_rooms > 0.0:
        sound = False
    return sound


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numbers", nargs="*", default=["512", "6000", "100"], metavar="SIZE BOXES ROOMS")
    parser.add_argument("--level")
    parser.add_argument("--navmesh")
    parser.add_argument("--rooms", type=int, default=100, help="closed rooms of a --level")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if options.level:
            arena = Arena(options.level, options.rooms)
        else:
            level = folder / "arena.obj"
            script("arena_obj.py", level, *options.numbers)
            arena = Arena(level, int(options.numbers[2]))
        exact = Exact(arena)
        print(f"{len(arena.boxes)} boxes; free {exact.area:.1f} m2, of which the greatest island {exact.island:.1f} m2")
        if options.navmesh:
            navmesh = Navmesh(options.navmesh, arena)
            sys.exit(0 if compare("navmesh", navmesh, exact.area, navmesh.area - navmesh.in_boxes, False) else 1)
        mesh = folder / "navmesh.obj"
        probe(level, folder, obj=mesh)
        navmesh = Navmesh(mesh, arena)
        sound = compare("every island", navmesh, exact.area, navmesh.area - navmesh.in_boxes, False)
        x, z = exact.inside
        probe(level, folder, config=f"seeds = [[{x}, 0.0, {z}]]\n" + CONFIG, obj=mesh)
        navmesh = Navmesh(mesh, arena)
        sound &= compare("with a seed", navmesh, exact.island, navmesh.area, True)
    sys.exit(0 if sound else 1)


if __name__ == "__main__":
    main()
