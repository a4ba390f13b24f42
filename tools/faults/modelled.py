"""Objects of a level, and how they are written as glTF: see `varied.py`."""

import base64
import json
import math
import struct

CUBE = [[0, 1, 2, 3], [4, 7, 6, 5], [0, 4, 5, 1], [1, 5, 6, 2], [2, 6, 7, 3], [3, 7, 4, 0]]


def corners(low, high):
    (a, b, c), (d, e, f) = low, high
    return [(a, b, c), (d, b, c), (d, b, f), (a, b, f), (a, e, c), (d, e, c), (d, e, f), (a, e, f)]


def turned(p, axis, angle):
    c, s = math.cos(angle), math.sin(angle)
    x, y, z = p
    return (c * x + s * z, y, c * z - s * x) if axis == "y" else (c * x - s * y, s * x + c * y, z)


def times(p, q):
    """The product of two quaternions x, y, z, w."""
    a, b, c, d = p
    e, f, g, h = q
    return [d * e + a * h + b * g - c * f, d * f - a * g + b * h + c * e,
            d * g + a * f - b * e + c * h, d * h - a * e - b * f - c * g]


class Level:
    """Objects, in metres of the level before its turn, and how they are written."""

    def __init__(self, rng):
        self.rng = rng
        self.style = rng.choice(["objects", "cubes", "merged"])
        self.scale = rng.choice([1.0, 1.0, 0.01])
        self.yaw, self.shift = rng.uniform(0, 6.28), [rng.uniform(-60, 60) for _ in range(3)]
        self.tilt = rng.choice([0.0, 0.0, 0.05]) if self.style != "cubes" else 0.0
        self.is_named = self.style == "merged" or rng.random() < 0.6
        self.names, self.objects, self.markers = {}, [], []
        self.at = (0.0, 0.0, 0.0)

    def outward(self, p):
        """From a plot's metres to those of the level."""
        x, y, z = (a + b for a, b in zip(p, self.at))
        x, y, z = turned((x, y + self.tilt * x, z), "y", self.yaw)
        return [round(a + b, 5) for a, b in zip((x, y, z), self.shift)]

    def name(self, wanted):
        stem = wanted if self.is_named else self.rng.choice(["Cube", "Cube", "Plane", "Object"])
        self.names[stem] = self.names.get(stem, -1) + 1
        return f"{stem}.{self.names[stem]:03}" if self.names[stem] else stem

    def add(self, wanted, quads, box=None, extras=None):
        """An object of quads in a plot's metres; `box` is its middle, sides, and turns."""
        name = self.name(wanted)
        points = [[self.outward(p) for p in quad] for quad in quads]
        middle = self.outward(box[0]) if box else None
        self.objects.append({"name": name, "quads": points, "extras": extras,
                             "box": box and (middle, *box[1:])})
        return name

    def box(self, wanted, low, high, yaw=0.0, pitch=0.0):
        middle = [(a + b) / 2 for a, b in zip(low, high)]
        side = [b - a for a, b in zip(low, high)]
        ring = corners([-s / 2 for s in side], [s / 2 for s in side])
        ring = [turned(turned(p, "z", pitch), "y", yaw) for p in ring]
        ring = [[a + b for a, b in zip(p, middle)] for p in ring]
        return self.add(wanted, [[ring[k] for k in f] for f in CUBE], (middle, side, yaw, pitch))

    def boxes(self, wanted, parts):
        """One object of several boxes."""
        rings = [corners(low, high) for low, high in parts]
        return self.add(wanted, [[ring[k] for k in f] for ring in rings for f in CUBE])

    def plane(self, wanted, low, high, y, down=False, extras=None):
        (x0, z0), (x1, z1) = low, high
        quad = [(x0, y, z0), (x0, y, z1), (x1, y, z1), (x1, y, z0)]
        return self.add(wanted, [quad[::-1] if down else quad], extras=extras)

    def prism(self, wanted, x, z, radius, low, high, count=10):
        at = [(x + radius * math.cos(2 * math.pi * k / count),
               z + radius * math.sin(2 * math.pi * k / count)) for k in range(count)]
        quads = []
        for (a, b), (c, d) in zip(at, at[1:] + at[:1]):
            quads += [[(a, low, b), (a, high, b), (c, high, d), (c, low, d)],
                      [(x, high, z), (c, high, d), (a, high, b), (x, high, z)],
                      [(x, low, z), (a, low, b), (c, low, d), (x, low, z)]]
        return self.add(wanted, quads)

    def marker(self, name, p):
        self.markers.append((name, self.outward(p)))

    def write(self, path):
        gltf = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
                "nodes": [{"name": "root", "scale": [self.scale] * 3, "children": []}],
                "meshes": [], "accessors": [], "bufferViews": [], "materials": []}
        data, known = b"", {}

        def material(name):
            if name not in known:
                known[name] = len(known)
                gltf["materials"].append({"name": name})
            return known[name]

        def primitive(quads, named):
            nonlocal data
            points, indices = [], []
            for quad in quads:
                k, count = len(points), len(quad)
                points += [[c / self.scale for c in p] for p in quad]
                indices += [k, k + 1, k + 2] + ([k, k + 2, k + 3] if count == 4 else [])
            for packed in (b"".join(struct.pack("<3f", *p) for p in points),
                           struct.pack(f"<{len(indices)}I", *indices)):
                gltf["bufferViews"].append(
                    {"buffer": 0, "byteOffset": len(data), "byteLength": len(packed)})
                data += packed
            view = len(gltf["bufferViews"])
            gltf["accessors"] += [
                {"bufferView": view - 2, "componentType": 5126, "count": len(points),
                 "type": "VEC3", "min": [min(p[k] for p in points) for k in range(3)],
                 "max": [max(p[k] for p in points) for k in range(3)]},
                {"bufferView": view - 1, "componentType": 5125, "count": len(indices),
                 "type": "SCALAR"}]
            k = len(gltf["accessors"])
            return {"attributes": {"POSITION": k - 2}, "indices": k - 1,
                    "material": material(named)}

        def mesh(name, primitives):
            gltf["meshes"].append({"name": name, "primitives": primitives})
            return len(gltf["meshes"]) - 1

        def node(parent, **own):
            gltf["nodes"].append(own)
            gltf["nodes"][parent].setdefault("children", []).append(len(gltf["nodes"]) - 1)
            return len(gltf["nodes"]) - 1

        parent = node(0, name="geometry") if self.rng.random() < 0.5 else 0
        loose = self.objects
        if self.style == "merged":
            plain = [o for o in loose if not o["extras"]]
            loose = [o for o in loose if o["extras"]]
            node(parent, name="Level",
                 mesh=mesh("Level", [primitive(o["quads"], o["name"]) for o in plain]))
        unit = None
        for o in loose:
            extras = {"extras": o["extras"]} if o["extras"] else {}
            if self.style == "cubes" and o["box"]:
                if unit is None:
                    ring = corners((-0.5,) * 3, (0.5,) * 3)
                    ring = [[c * self.scale for c in p] for p in ring]
                    unit = mesh("Unit", [primitive([[ring[k] for k in f] for f in CUBE], "grey")])
                middle, side, yaw, pitch = o["box"]
                half = (self.yaw + yaw) / 2
                turn = times([0, math.sin(half), 0, math.cos(half)],
                             [0, 0, math.sin(pitch / 2), math.cos(pitch / 2)])
                node(parent, name=o["name"], mesh=unit, rotation=turn,
                     translation=[c / self.scale for c in middle],
                     scale=[s / self.scale for s in side])
                continue
            shared = self.rng.choice(["grey", "wood"])
            node(parent, name=o["name"],
                 mesh=mesh(o["name"] + "_m", [primitive(o["quads"], shared)]), **extras)
        for name, at in self.markers:
            node(0, name=name, translation=[c / self.scale for c in at])
        uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
        gltf["buffers"] = [{"byteLength": len(data), "uri": uri}]
        path.write_text(json.dumps(gltf))
