"""Levels with known faults, and clean ones, for `score.py`.

    generate.py FOLDER [COUNT] [SEED]

Writes COUNT faulty levels (`fault_000.gltf`) and COUNT clean ones (`clean_000.gltf`), each with its
config (`.toml`) and the truth (`.json`). A level is a hall with plots, each a small situation: a
room with a door, a ramp, a bridge. Of a faulty level one or two plots have a fault; of a clean one
none. Names are an author's (`Wall_N`) or an editor's (`Cube.017`), and the whole is turned by any
angle. The same seed gives the same levels.
"""

import base64
import json
import math
import pathlib
import random
import struct
import sys

RADIUS, HEIGHT, CLIMB, SLOPE = 0.4, 1.9, 0.45, 45.0
PLOT = 14.0
WALL = 3.0


class Level:
    """glTF in the making, turned by an angle."""

    def __init__(self, rng):
        self.rng = rng
        self.yaw = rng.uniform(0, 2 * math.pi)
        self.shift = [rng.uniform(-40, 40), 0.0, rng.uniform(-40, 40)]
        self.is_named = rng.random() < 0.5
        self.names = 0
        self.data = b""
        self.gltf = {
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}], "nodes": [],
            "meshes": [], "accessors": [], "bufferViews": [],
            "materials": [{"name": n} for n in ("concrete", "wood", "plaster")],
        }
        self.origin = (0.0, 0.0)
        self.turn = 0

    def local(self, p):
        """From a plot's metres to the level's."""
        x, y, z = p
        for _ in range(self.turn):
            x, z = PLOT - z, x
        x, z = x + self.origin[0], z + self.origin[1]
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        turned = [c * x + s * z, y, -s * x + c * z]
        return [round(a + b, 6) for a, b in zip(turned, self.shift)]

    def name(self, wanted):
        self.names += 1
        stem = wanted if self.is_named else self.rng.choice(["Cube", "Plane", "Mesh", "Cylinder"])
        return f"{stem}.{self.names:03}" if self.names > 1 else stem

    def node(self, **node):
        self.gltf["nodes"].append(node)
        self.gltf["scenes"][0]["nodes"].append(len(self.gltf["nodes"]) - 1)

    def quads(self, wanted, quads, extras=None):
        """An object of quads, counter-clockwise seen from the front; its name."""
        points, indices = [], []
        for quad in quads:
            k = len(points)
            points += [self.local(p) for p in quad]
            indices += [k, k + 1, k + 2, k, k + 2, k + 3]
        g, name = self.gltf, self.name(wanted)
        for packed in (b"".join(struct.pack("<3f", *p) for p in points),
                       b"".join(struct.pack("<I", i) for i in indices)):
            g["bufferViews"].append(
                {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(packed)})
            self.data += packed
        view = len(g["bufferViews"])
        bounds = {f: [fold(p[k] for p in points) for k in range(3)]
                  for f, fold in (("min", min), ("max", max))}
        g["accessors"] += [
            {"bufferView": view - 2, "componentType": 5126, "count": len(points), "type": "VEC3",
             **bounds},
            {"bufferView": view - 1, "componentType": 5125, "count": len(indices),
             "type": "SCALAR"}]
        k = len(g["accessors"])
        g["meshes"].append({"name": f"{name}_mesh", "primitives": [{
            "attributes": {"POSITION": k - 2}, "indices": k - 1,
            "material": self.rng.randrange(3)}]})
        node = {"name": name, "mesh": len(g["meshes"]) - 1}
        self.node(**node, **({"extras": extras} if extras else {}))
        return name

    def box(self, wanted, low, high):
        (x0, y0, z0), (x1, y1, z1) = low, high
        a, b, c, d = (x0, y0, z0), (x1, y0, z0), (x1, y0, z1), (x0, y0, z1)
        e, f, g, h = (x0, y1, z0), (x1, y1, z0), (x1, y1, z1), (x0, y1, z1)
        return self.quads(wanted, [[a, b, c, d], [e, h, g, f], [a, e, f, b], [b, f, g, c],
                                   [c, g, h, d], [d, h, e, a]])

    def plane(self, wanted, low, high, y, down=False, extras=None):
        (x0, z0), (x1, z1) = low, high
        quad = [(x0, y, z0), (x0, y, z1), (x1, y, z1), (x1, y, z0)]
        return self.quads(wanted, [quad[::-1] if down else quad], extras)

    def marker(self, name, place):
        self.node(name=name, translation=self.local(place))

    def write(self, path):
        uri = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
        self.gltf["buffers"] = [{"byteLength": len(self.data), "uri": uri}]
        path.write_text(json.dumps(self.gltf))


class Plot:
    """A situation: what it adds to the config, and its fault."""

    def __init__(self, level, number, is_faulty):
        self.level, self.rng, self.is_faulty = level, level.rng, is_faulty
        self.goal = f"goal_{number}"
        self.reach, self.on_ground, self.switches = True, False, []
        self.fault = None

    def pick(self, fine, faulty):
        low, high = faulty if self.is_faulty else fine
        return round(self.rng.uniform(low, high), 3)

    def tell(self, kind, line, objects):
        if self.is_faulty:
            ends = [self.level.local(p) for p in line]
            self.fault = {"kind": kind, "line": ends, "objects": objects, "marker": self.goal}

    def room(self, door, lintel=2.2, low=(3.0, 3.0), high=(11.0, 11.0), goal=True):
        """A room with a door of a width in the wall of greater x; the names of its parts."""
        (x0, z0), (x1, z1) = low, high
        box, t = self.level.box, 0.2
        middle = self.rng.uniform(z0 + 2.0, z1 - 2.0)
        a, b = middle - door / 2, middle + door / 2
        names = {"walls": [box("Wall_W", (x0, 0, z0), (x0 + t, WALL, z1)),
                           box("Wall_N", (x0 + t, 0, z0), (x1 - t, WALL, z0 + t)),
                           box("Wall_S", (x0 + t, 0, z1 - t), (x1 - t, WALL, z1))]}
        if door > 0:
            names["jambs"] = [box("Wall_E", (x1 - t, 0, z0), (x1, WALL, a)),
                              box("Wall_E", (x1 - t, 0, b), (x1, WALL, z1))]
            names["lintel"] = box("Lintel", (x1 - t, lintel, a), (x1, WALL, b))
        else:
            names["walls"].append(box("Wall_E", (x1 - t, 0, z0), (x1, WALL, z1)))
        if goal:
            self.level.marker(self.goal, ((x0 + x1) / 2, 0, (z0 + z1) / 2))
        return names, (x1 - t / 2, middle)

    def door(self):
        names, (x, z) = self.room(self.pick((0.95, 1.6), (0.35, 0.78)))
        self.tell("door", [(x, 0, z)] * 2, names["jambs"])

    def lintel(self):
        low = self.pick((2.0, 2.4), (1.4, 1.87))
        names, (x, z) = self.room(self.rng.uniform(1.0, 1.8), lintel=low)
        self.tell("lintel", [(x, 0, z)] * 2, [names["lintel"]])

    def prop(self):
        wide = self.rng.uniform(1.1, 1.5)
        names, (x, z) = self.room(wide)
        side = self.rng.uniform(0.5, 0.8)
        high = self.rng.uniform(0.6, 1.6)
        # Faulty: in the doorway, leaving less than the agent's width at either side.
        most = min(wide - side, 0.78)
        free = self.rng.uniform(wide - side - most, most)
        at = z - wide / 2 + free if self.is_faulty else z + wide / 2 + 1.0
        step = 0 if self.is_faulty else 1.2
        crate = self.level.box("Crate", (x - side / 2 + step, 0, at),
                               (x + side / 2 + step, high, at + side))
        self.tell("prop", [(x, 0, z), (x, 0, at + side / 2)], [crate])

    def sealed(self):
        names, _ = self.room(0.0 if self.is_faulty else 1.2)
        self.tell("sealed", [(3.1, 0, 7), (10.9, 0, 7)], names["walls"])
        self.fault and self.fault.update(
            box=[self.level.local(p) for p in ((3, 0, 3), (11, 0, 3), (11, 0, 11), (3, 0, 11))])

    def step(self):
        high = self.pick((0.15, 0.43), (0.47, 0.95))
        (x0, z0), (x1, z1) = (3.0, 3.0), (self.rng.uniform(7, 11), self.rng.uniform(7, 11))
        name = self.level.box("Podium", (x0, 0, z0), (x1, high, z1))
        self.level.marker(self.goal, ((x0 + x1) / 2, high, (z0 + z1) / 2))
        self.tell("step", [(x0, 0, z0), (x1, 0, z0)], [name])
        ring = ((x0, high / 2, z0), (x1, high / 2, z0), (x1, high / 2, z1), (x0, high / 2, z1))
        self.fault and self.fault.update(ring=[self.level.local(p) for p in ring])

    def stairs(self, x, z, wide, high, count):
        """Stairs from x upwards, towards greater x, up to a height; where they end."""
        deep = 0.4
        for k in range(count):
            self.level.box("Stair", (x + k * deep, 0, z),
                           (x + (k + 1) * deep, high * (k + 1) / count, z + wide))
        return x + count * deep

    def slope(self):
        degrees = self.pick((25, 44), (46.2, 58))
        high = self.rng.uniform(1.2, 2.2)
        wide = self.rng.uniform(1.4, 3)
        run = high / math.tan(math.radians(degrees))
        self.level.box("Tower", (2, 0, 4), (7, high, 9))
        z = self.rng.uniform(4, 9 - wide)
        name = self.level.quads("Ramp", [[(7, high, z), (7, high, z + wide),
                                          (7 + run, 0, z + wide), (7 + run, 0, z)]])
        self.level.marker(self.goal, (4.5, high, 6.5))
        m = z + wide / 2
        self.tell("slope", [(7, high, m), (7 + run, 0, m)], [name])

    def bridge(self, kind, gap):
        """Two platforms and what is between them from x to x."""
        high = round(self.rng.uniform(1.5, 2.2), 3)
        wide = self.rng.uniform(1.6, 2.6)
        z = self.rng.uniform(4, 8)
        x = self.stairs(0.7, z, wide, high, 6)
        a = self.level.box("Bridge_A", (x, high - 0.2, z), (x + 2.6, high, z + wide))
        b = self.level.box("Bridge_B", (x + 2.6 + gap, high - 0.2, z),
                           (x + 6.2 + gap, high, z + wide))
        self.level.marker(self.goal, (x + 4.6 + gap, high, z + wide / 2))
        ends = [(x + 2.6, high, z + wide / 2), (x + 2.6 + gap, high, z + wide / 2)]
        return [a, b], ends, (z, z + wide, high)

    def gap(self):
        gap = self.rng.uniform(0.2, 1.0) if self.is_faulty else 0.0
        names, ends, _ = self.bridge("gap", gap)
        self.tell("gap", ends, names)

    def missing(self):
        gap = self.rng.uniform(1.6, 3.2)
        names, ends, (z0, z1, high) = self.bridge("missing", gap)
        if not self.is_faulty:
            self.level.box("Deck", (ends[0][0], high - 0.2, z0), (ends[1][0], high, z1))
        self.tell("missing", ends, names)

    def plank(self):
        gap = self.rng.uniform(1.2, 3.2)
        _, ends, (z0, z1, high) = self.bridge("plank", gap)
        wide = self.pick((0.95, 1.4), (0.35, 0.75))
        z = self.rng.uniform(z0, z1 - wide)
        (x0, *_), (x1, *_) = ends
        name = self.level.box("Plank", (x0, high - 0.1, z), (x1, high, z + wide))
        m = z + wide / 2
        self.tell("plank", [(x0, high, m), (x1, high, m)], [name])

    def flipped(self):
        gap = self.rng.uniform(1.2, 3.2)
        _, ends, (z0, z1, high) = self.bridge("flipped", gap)
        name = self.level.plane("Deck", (ends[0][0], z0), (ends[1][0], z1), high,
                                down=self.is_faulty)
        self.tell("flipped", ends, [name])

    def balcony(self):
        high = round(self.rng.uniform(0.8, 1.2), 3)
        x = self.stairs(1.0, 4, 3, high - 0.3, 3)
        name = self.level.plane("Balcony", (x, 4), (x + 5, 7), high, down=self.is_faulty)
        self.level.marker(self.goal, (x + 2.5, high, 5.5))
        self.tell("flipped", [(x + 2.5, high, 5.5)] * 2, [name])

    def spawn_in_solid(self):
        side, high = self.rng.uniform(0.8, 3.0), self.rng.uniform(0.8, 2.5)
        name = self.level.box("Crate", (5, 0, 5), (5 + side, high, 5 + side))
        at = 5 + side / 2 if self.is_faulty else 3.5
        self.level.marker(self.goal, (at, 0, at))
        self.reach, self.on_ground = False, True
        self.tell("spawn-in-solid", [(at, 0, at)] * 2, [name])

    def spawn_in_air(self):
        high = self.pick((0.0, 0.2), (2.1, 5.0))
        self.level.marker(self.goal, (7, high, 7))
        self.reach, self.on_ground = False, True
        self.tell("spawn-in-air", [(7, high, 7)] * 2, ["*"])

    def switch(self):
        names, (x, z) = self.room(1.6)
        name = f"gate_{self.goal}"
        gate = self.level.plane("Gate", (x - 0.7, z - 0.8), (x + 0.7, z + 0.8), 0.0,
                                extras={"navbake_switch": name})
        self.switches.append((name, self.is_faulty))
        self.tell("switch", [(x, 0, z)] * 2, [gate])


KINDS = ["door", "lintel", "prop", "sealed", "step", "slope", "gap", "missing", "plank",
         "flipped", "balcony", "spawn_in_solid", "spawn_in_air", "switch"]


def make(path, rng, wrong):
    """Writes a level with faults of these kinds, and plots that are sound."""
    level = Level(rng)
    count = rng.randint(max(2, len(wrong)), 5)
    kinds = [(kind, True) for kind in wrong]
    kinds += [(rng.choice(KINDS), False) for _ in range(count - len(wrong))]
    rng.shuffle(kinds)
    side = PLOT + 1.0
    wide, deep = side * len(kinds) + 2.0, side + 6.0
    floor = level.box("Floor", (-1, -0.2, -1), (wide, 0, deep))
    for low, high in (((-1.3, -1.3), (wide + 0.3, -1)), ((-1.3, deep), (wide + 0.3, deep + 0.3)),
                      ((-1.3, -1), (-1, deep)), ((wide, -1), (wide + 0.3, deep))):
        level.box("Outer", (low[0], 0, low[1]), (high[0], WALL, high[1]))
    level.marker("spawn", (1.0, 0, deep - 2.0))
    for _ in range(rng.randrange(4)):
        x, s = rng.uniform(3, wide - 4), rng.uniform(0.4, 1.2)
        level.box("Prop", (x, 0, deep - 4), (x + s, rng.uniform(0.5, 1.5), deep - 4 + s))
    plots = []
    for k, (kind, is_faulty) in enumerate(kinds):
        level.origin, level.turn = (k * side, 0.5), rng.randrange(4)
        plot = Plot(level, k, is_faulty)
        getattr(plot, kind)()
        plots.append(plot)
    reach = [["spawn", p.goal] for p in plots if p.reach]
    on_ground = ["spawn"] + [p.goal for p in plots if p.on_ground]
    lines = ["[[agent]]", 'name = "guard"', f"radius = {RADIUS}", f"height = {HEIGHT}",
             f"climb = {CLIMB}", f"slope = {SLOPE}", "[check]", f"must_reach = {json.dumps(reach)}",
             'starts = ["spawn"]', f"on_ground = {json.dumps(on_ground)}"]
    for p in plots:
        for name, is_closed in p.switches:
            lines += ["[[switch]]", f'name = "{name}"', f"closed = {str(is_closed).lower()}"]
    path.with_suffix(".toml").write_text("\n".join(lines) + "\n")
    faults = [p.fault for p in plots if p.fault]
    for fault in faults:
        if fault["objects"] == ["*"]:
            fault["objects"] = [floor]
    truth = {"plots": [kind for kind, _ in kinds], "faults": faults}
    path.with_suffix(".json").write_text(json.dumps(truth, indent=1) + "\n")
    level.write(path.with_suffix(".gltf"))


def levels(make, kinds):
    """Faulty and clean levels by the arguments of the command line."""
    folder = pathlib.Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    folder.mkdir(parents=True, exist_ok=True)
    for k in range(count):
        rng = random.Random(f"{seed} fault {k}")
        wrong = [kinds[k % len(kinds)]]
        if rng.random() < 0.4:
            wrong.append(rng.choice(kinds))
        make(folder / f"fault_{k:03}", rng, wrong)
        make(folder / f"clean_{k:03}", random.Random(f"{seed} clean {k}"), [])


if __name__ == "__main__":
    levels(make, KINDS)
