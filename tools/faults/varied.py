"""Levels with known faults, modelled in other ways than those of `generate.py`, for `score.py`.

    varied.py FOLDER [COUNT] [SEED]

The same files as `generate.py`, but what a level is made of varies: a mesh for each object, one
unit cube placed by nodes with turns and scales below groups, or one mesh with a material for each
part; floors of slabs or tiles, with or without thickness; stairs of boxes or one mesh; ramps of
planes, wedges or turned boxes; doors with frames and leaves; one or two storeys; level or sloped
ground; metres or centimetres; agents of several sizes.
"""

import json
import math

from generate import levels
from modelled import corners, CUBE, Level

PLOT = 14.0


class Plot:
    """A situation of PLOT by PLOT metres on level ground, and its fault."""

    def __init__(self, level, agent, number, wrong):
        self.level, self.rng, self.agent, self.wrong = level, level.rng, agent, wrong
        self.goal, self.fault, self.reach, self.switches = f"goal{number}", None, True, []
        self.wide = 2 * agent["radius"]
        self.tall, self.climb, self.slope = agent["height"], agent["climb"], agent["slope"]
        self.high = self.tall + self.rng.uniform(0.7, 1.2)

    def tell(self, kind, line, objects, **more):
        if self.wrong:
            out = self.level.outward
            self.fault = {"kind": kind, "line": [out(p) for p in line], "objects": objects,
                          "marker": self.goal, **{k: [out(p) for p in v] for k, v in more.items()}}

    def room(self, door, lintel=None, frame=False, mesh=None):
        """Walls around x and z from 3 to 11, a door in the wall of greater x: names, middle."""
        box, rng, high = self.level.box, self.rng, self.high
        lintel = lintel or min(self.tall + 0.3, high - 0.1)
        t = rng.choice([0.02, 0.05, 0.1, 0.2, 0.35])
        z = rng.uniform(5, 9)
        a, b = z - door / 2, z + door / 2
        low, top = (11 - t, 0, 3), (11, high, 11)
        sides = [((3, 0, 3), (3 + t, high, 11)), ((3 + t, 0, 3), (11 - t, high, 3 + t)),
                 ((3 + t, 0, 11 - t), (11 - t, high, 11))]
        jambs = [(low, (11, high, a)), ((11 - t, 0, b), top)]
        beam = ((11 - t, lintel, a), (11, high, b))
        names = {}
        self.level.marker(self.goal, (7, 0, 7))
        mesh = rng.random() < 0.3 if mesh is None else mesh
        if door <= 0:
            walls = [*sides, (low, top)]
            names["walls"] = ([self.level.boxes("room", walls)] if mesh
                              else [box("wall", *w) for w in walls])
        elif mesh:
            one = self.level.boxes("room", [*sides, *jambs, beam])
            names.update(walls=[one], jambs=[one], lintel=one)
        else:
            names["walls"] = [box("wall", *w) for w in sides]
            names["jambs"] = [box("wall", *w) for w in jambs]
            names["lintel"] = box("lintel", *beam)
            if frame:
                f = 0.06
                names["jambs"] += [
                    box("frame", (10.97 - t, 0, a), (11.03, lintel, a + f)),
                    box("frame", (10.97 - t, 0, b - f), (11.03, lintel, b))]
        return names, (11 - t / 2, z), t

    def door(self):
        frame = self.rng.random() < 0.4
        wide = self.wide * (self.rng.uniform(0.5, 0.97) if self.wrong
                            else self.rng.uniform(1.15, 2.0))
        names, (x, z), _ = self.room(wide + (0.12 if frame else 0), frame=frame,
                                     mesh=False if frame else None)
        self.tell("door", [(x, 0, z)] * 2, names["jambs"])

    def corridor(self):
        """Two long walls that come near to each other at one place."""
        wide = self.wide * (self.rng.uniform(0.5, 0.96) if self.wrong
                            else self.rng.uniform(1.2, 2.0))
        names, (x, z), t = self.room(self.wide * 2.2, mesh=False)
        side = (self.wide * 2.2 - wide) / 2
        kind = self.rng.choice(["pillar", "column"])
        a = self.level.box(kind, (x - 0.3, 0, z - self.wide * 1.1),
                           (x + 0.3, self.high, z - self.wide * 1.1 + side))
        b = self.level.box(kind, (x - 0.3, 0, z + self.wide * 1.1 - side),
                           (x + 0.3, self.high, z + self.wide * 1.1))
        self.tell("door", [(x - 0.3, 0, z), (x + 0.3, 0, z)], [a, b])

    def lintel(self):
        high = self.tall * self.rng.uniform(0.7, 0.98) if self.wrong else self.tall + 0.15
        names, (x, z), _ = self.room(self.wide * self.rng.uniform(1.3, 2.0), lintel=high)
        self.tell("lintel", [(x, 0, z)] * 2, [names["lintel"]])

    def beam(self):
        """A beam or a duct in the way behind a door."""
        _, (x, z), t = self.room(self.wide * self.rng.uniform(1.4, 2.0))
        high = self.tall * self.rng.uniform(0.65, 0.97) if self.wrong else self.tall + 0.1
        deep = self.rng.choice([0.15, 0.5, 1.0])
        x0 = 11 + self.rng.uniform(0.0, 0.1)
        beam = self.level.box("duct", (x0, high, z - 3), (x0 + deep, high + 0.3, z + 3))
        for at in (z - 3, z + 2.8):
            self.level.box("post", (x0, 0, at), (x0 + deep, high, at + 0.2))
        if self.wrong:
            # What is beside the beam is closed.
            self.level.box("fence", (11, 0, z - 3.2), (x0 + deep, self.high, z - 3))
            self.level.box("fence", (11, 0, z + 3), (x0 + deep, self.high, z + 3.2))
        self.tell("lintel", [(x0 + deep / 2, 0, z - 1), (x0 + deep / 2, 0, z + 1)], [beam])

    def prop(self):
        wide = self.wide * self.rng.uniform(1.3, 1.8)
        _, (x, z), t = self.room(wide)
        kind = self.rng.choice(["crate", "barrel", "shelf", "leaf"])
        free = self.wide * self.rng.uniform(0.1, 0.9)
        side = max(wide - free, 0.45 * wide)
        off = 0 if self.wrong else 2.2 * self.wide + 0.5
        at = z - wide / 2 + side / 2 if kind != "leaf" else z
        high = self.climb + self.rng.uniform(0.2, 0.6)
        if kind == "crate":
            name = self.level.box("crate", (x - 0.3 + off, 0, at - side / 2),
                                  (x + 0.3 + off, high, at + side / 2),
                                  yaw=self.rng.uniform(-0.15, 0.15))
        elif kind == "barrel":
            side = min(side, 1.2)
            at = z
            if (wide - side) / 2 > 0.95 * self.wide:
                side = wide * 0.6
            name = self.level.prism("barrel", x + off, at, side / 2, 0, high)
        elif kind == "shelf":
            name = self.level.box("shelf", (x + t / 2 + 0.02 + off, 0, z - wide),
                                  (x + t / 2 + 0.4 + off, self.tall * 0.95, z + wide))
            if self.wrong:
                for a, b in ((z - wide - 0.1, z - wide), (z + wide, z + wide + 0.1)):
                    self.level.box("panel", (11, 0, a), (x + t / 2 + 0.42, self.high, b))
            at = z
        else:
            off = 0
            a, b = z - wide / 2, z + wide / 2
            top = min(self.tall + 0.3, self.high - 0.1)
            if self.wrong:
                name = self.level.box("door_leaf", (x - 0.03, 0.01, a + 0.01),
                                      (x + 0.03, top - 0.01, b - 0.01))
            else:
                name = self.level.box("door_leaf", (11.02, 0.01, b), (11.08, top, b + wide))
        self.tell("prop", [(x, 0, z), (x + off + (t / 2 + 0.2 if kind == "shelf" else 0), 0, at)],
                  [name])

    def sealed(self):
        names, _, _ = self.room(0 if self.wrong else self.wide * 1.6)
        ring = [(3, 0, 3), (11, 0, 3), (11, 0, 11), (3, 0, 11)]
        self.tell("sealed", [(3, 0, 7), (11, 0, 7)], names["walls"], box=ring)

    def platform(self, high, run=0.0):
        """A block and the ring of its edges, and space on the plot for a ramp beside it."""
        x1, z1 = self.rng.uniform(7, min(11.0, PLOT - 0.5 - run)), self.rng.uniform(7, 11)
        if self.rng.random() < 0.5:
            name = self.level.box("platform", (3, 0, 3), (x1, high, z1))
        else:
            quads = [[corners((3, 0, 3), (x1, high, z1))[k] for k in f] for f in CUBE[1:]]
            name = self.level.add("platform", quads)
        self.level.marker(self.goal, ((3 + x1) / 2, high, (3 + z1) / 2))
        return name, (x1, z1), [(3, high / 2, 3), (x1, high / 2, 3), (x1, high / 2, z1),
                                (3, high / 2, z1)]

    def step(self):
        high = self.climb * (self.rng.uniform(1.06, 1.8) if self.wrong
                             else self.rng.uniform(0.3, 0.94))
        name, _, ring = self.platform(high)
        self.tell("step", ring[:2], [name], ring=ring)

    def stairs(self):
        """Stairs to a block; the fault is one step of twice the rise."""
        count = self.rng.randint(3, 5)
        rise = self.climb * self.rng.uniform(0.65, 0.9)
        name, (x1, z1), _ = self.platform(rise * (count + 1))
        wide = self.wide * self.rng.uniform(1.6, 2.4)
        z = self.rng.uniform(3.0, z1 - wide)
        missing = self.rng.randrange(1, count - 1) if self.wrong else None
        deep = max(0.35, self.agent["radius"])
        steps = [((x1 + k * deep, 0, z), (x1 + (k + 1) * deep, rise * (count - k), z + wide))
                 for k in range(count)]
        if missing is not None:
            low, high = steps[missing]
            steps[missing] = (low, (high[0], rise * (count - missing - 1), high[2]))
        if self.rng.random() < 0.5:
            names = [self.level.boxes("stairs", steps)] * count
        else:
            names = [self.level.box("step", *s) for s in steps]
        if missing is not None:
            x = x1 + missing * deep
            m = z + wide / 2
            self.tell("step", [(x, rise * (count - missing), m)] * 2,
                      [names[missing - 1], names[missing]])

    def ramp(self):
        degrees = self.slope + (self.rng.uniform(2, 12) if self.wrong
                                else -self.rng.uniform(3, 20))
        high = self.rng.uniform(1.5, 2.2) * max(1.0, self.climb / 0.45)
        steepest = high / math.tan(math.radians(self.slope - 3))
        name, (x1, z1), _ = self.platform(high, steepest)
        # Its foot stays on the plot.
        degrees = max(degrees, math.degrees(math.atan(high / (PLOT - 0.5 - x1))))
        wide = self.wide * self.rng.uniform(1.6, 3.0)
        z = self.rng.uniform(3.0, max(3.05, z1 - wide))
        run = high / math.tan(math.radians(degrees))
        kind = self.rng.choice(["plane", "wedge", "box"])
        top, foot = x1, x1 + run
        if kind == "plane":
            ramp = self.level.add("ramp", [[(top, high, z), (top, high, z + wide),
                                            (foot, 0, z + wide), (foot, 0, z)]])
        elif kind == "wedge":
            a, b = (top, high, z), (top, high, z + wide)
            c, d, e, f = (foot, 0, z + wide), (foot, 0, z), (top, 0, z), (top, 0, z + wide)
            ramp = self.level.add("ramp", [[a, b, c, d], [b, f, c], [a, d, e], [e, f, b, a],
                                           [d, c, f, e]])
        else:
            long, t = math.hypot(high, run), 0.15
            pitch = -math.radians(degrees)
            # The middle of the upper face is on the line from block to floor.
            mx, my = (top + foot) / 2 - t / 2 * math.sin(-pitch), high / 2 - t / 2 * math.cos(pitch)
            ramp = self.level.box("ramp", (mx - long / 2, my - t / 2, z),
                                  (mx + long / 2, my + t / 2, z + wide), pitch=pitch)
        m = z + wide / 2
        self.tell("slope", [(top, high, m), (foot, 0, m)], [ramp])

    def decks(self, gap, drop=0.0):
        """Stairs to a deck and a second deck beyond a gap."""
        rise = self.climb * 0.85
        count = math.ceil((self.tall + 0.3) / rise)
        high, deep = rise * count, 0.3
        wide = self.wide * self.rng.uniform(1.7, 3.0)
        z = self.rng.uniform(1, 13 - wide)
        steps = [((0.3 + k * deep, 0, z), (0.3 + (k + 1) * deep, rise * (k + 1), z + wide))
                 for k in range(count)]
        self.level.boxes("stairs", steps)
        x = 0.3 + count * deep
        thick = self.rng.choice([0.1, 0.3])
        top = high + drop

        def deck(x0, x1, y):
            if self.rng.random() < 0.3:
                return self.level.plane("deck", (x0, z), (x1, z + wide), y)
            return self.level.box("deck", (x0, y - thick, z), (x1, y, z + wide))

        a = deck(x, x + 2.2, high)
        b = deck(x + 2.2 + gap, x + 5.4 + gap, top)
        self.level.marker(self.goal, (x + 4.2 + gap, top, z + wide / 2))
        m = z + wide / 2
        return [a, b], [(x + 2.2, high, m), (x + 2.2 + gap, top, m)], (z, z + wide, high)

    def gap(self):
        gap = self.rng.uniform(0.25, 1.0) if self.wrong else self.rng.choice([0.0, 0.02])
        drop = self.rng.choice([0.0, 0.0, 0.5 * self.climb])
        names, line, _ = self.decks(gap, drop)
        self.tell("gap", line, names)

    def missing(self):
        gap = self.rng.uniform(1.5, 2.6)
        names, line, (z0, z1, high) = self.decks(gap)
        if not self.wrong:
            self.level.box("deck", (line[0][0], high - 0.1, z0), (line[1][0], high, z1))
        self.tell("missing", line, names)

    def flipped(self):
        gap = self.rng.uniform(1.3, 2.6)
        _, line, (z0, z1, high) = self.decks(gap)
        name = self.level.plane("floor", (line[0][0], z0), (line[1][0], z1), high,
                                down=self.wrong)
        self.tell("flipped", line, [name])

    def flipped_goal(self):
        """The floor that the goal is on faces down."""
        rise = self.climb * 0.9
        self.level.boxes("stairs", [((2 + 0.4 * k, 0, 4), (2.4 + 0.4 * k, rise * (k + 1), 8))
                                    for k in range(3)])
        name = self.level.plane("floor", (3.2, 4), (7.2, 8), 3 * rise, down=self.wrong)
        self.level.marker(self.goal, (5.2, 3 * rise, 6))
        self.tell("flipped", [(5.2, 3 * rise, 6)] * 2, [name])

    def spawn_in_solid(self):
        kind = self.rng.choice(["crate", "pillar", "wall"])
        high = self.rng.uniform(0.8, 2.4) * max(1.0, self.climb / 0.45)
        x = 7 if self.wrong else 3
        if kind == "crate":
            half = self.rng.uniform(0.4, 1.2)
            name = self.level.box("crate", (7 - half, 0, 7 - half), (7 + half, high, 7 + half),
                                  yaw=self.rng.uniform(0, 1))
        elif kind == "pillar":
            name = self.level.prism("pillar", 7, 7, self.rng.uniform(0.3, 0.8), 0, self.high)
        else:
            name = self.level.box("wall", (6.8, 0, 3), (7.2, self.high, 11))
        y = self.rng.choice([0.0, 0.0, 0.3])
        self.level.marker(self.goal, (x, y, 7))
        self.reach = False
        self.tell("spawn-in-solid", [(x, y, 7)] * 2, [name])

    def spawn_in_air(self):
        high = self.tall + self.rng.uniform(0.3, 1.2) if self.wrong else 0.1
        self.level.marker(self.goal, (7, high, 7))
        self.reach = False
        self.tell("spawn-in-air", [(7, high, 7)] * 2, ["*"])

    def switch(self):
        wide = self.wide * 1.8
        _, (x, z), _ = self.room(wide)
        name = f"gate_{self.goal}"
        r = self.wide
        gate = self.level.plane("gate", (x - r, z - wide / 2), (x + r, z + wide / 2), 0.0,
                                extras={"navbake_switch": name})
        self.switches.append((name, bool(self.wrong)))
        self.tell("switch", [(x - r, 0, z), (x + r, 0, z)], [gate])


KINDS = ["door", "corridor", "lintel", "beam", "prop", "sealed", "step", "stairs", "ramp", "gap",
         "missing", "flipped", "flipped_goal", "spawn_in_solid", "spawn_in_air", "switch"]
AGENTS = [{"radius": 0.4, "height": 1.9, "climb": 0.45, "slope": 45},
          {"radius": 0.3, "height": 1.8, "climb": 0.4, "slope": 45},
          {"radius": 0.5, "height": 2.0, "climb": 0.3, "slope": 38},
          {"radius": 0.25, "height": 1.2, "climb": 0.25, "slope": 50}]


def floor(level, x1, z1, y):
    """The floor of a storey: a slab, a plane, or tiles; the names of its objects."""
    kind = level.rng.choice(["slab", "plane", "tiles"])
    if kind == "slab" or y > 0:
        return [level.box("floor", (-1, y - 0.2, -1), (x1, y, z1))]
    if kind == "plane":
        return [level.plane("floor", (-1, -1), (x1, z1), y)]
    nx, nz = round((x1 + 1) / 5), round((z1 + 1) / 5)
    at = [[-1 + (e + 1) * k / n for k in range(n + 1)] for e, n in ((x1, nx), (z1, nz))]
    return [level.plane("tile", (at[0][i], at[1][k]), (at[0][i + 1], at[1][k + 1]), y)
            for i in range(nx) for k in range(nz)]


def make(path, rng, wrong):
    """Writes a level with faults of these kinds, and plots that are sound."""
    level = Level(rng)
    agent = rng.choice(AGENTS)
    kinds = [(kind, True) for kind in wrong]
    kinds += [(rng.choice(KINDS), False) for _ in range(rng.randint(2, 5) - len(wrong))]
    rng.shuffle(kinds)
    if any(kind in ("ramp", "step", "stairs", "spawn_in_air") for kind, _ in kinds):
        level.tilt = 0.0
    storeys = rng.choice([1, 1, 2]) if len(kinds) > 1 and level.tilt == 0.0 else 1
    columns = math.ceil(len(kinds) / storeys)
    x1, z1 = columns * (PLOT + 1) + 1.0, PLOT + 6.0
    floors = floor(level, x1, z1, 0.0)
    for low, high in (((-1.2, -1.2), (x1 + 0.2, -1)), ((-1.2, z1), (x1 + 0.2, z1 + 0.2)),
                      ((-1.2, -1), (-1, z1)), ((x1, -1), (x1 + 0.2, z1))):
        level.box("outer", (low[0], 0, low[1]), (high[0], 3, high[1]))
    above = 7.5
    if storeys > 1:
        upper = floor(level, x1, PLOT + 1.0, above)
        run = above / math.tan(math.radians(30))
        level.plane("landing", (-1, PLOT + 1.0), (0.5, z1), above)
        level.add("ramp", [[(0.5, above, PLOT + 1.5), (0.5, above, z1 - 0.5),
                            (0.5 + run, 0, z1 - 0.5), (0.5 + run, 0, PLOT + 1.5)]])
    level.marker("spawn", (x1 - 1.0, 0, z1 - 2.0) if storeys > 1 else (0.0, 0, z1 - 2.0))
    plots = []
    for k, (kind, is_wrong) in enumerate(kinds):
        on = k // columns
        level.at = (k % columns * (PLOT + 1), on * above, 0.0)
        plot = Plot(level, agent, k, is_wrong)
        getattr(plot, kind)()
        if plot.fault and plot.fault["objects"] == ["*"]:
            plot.fault["objects"] = upper if on else floors
        plots.append(plot)
    level.at = (0.0, 0.0, 0.0)
    is_two = rng.random() < 0.25
    agents = [{"name": "guard", **agent}]
    if is_two:
        agents.append({"name": "cat", "radius": 0.15, "height": 1.1, "climb": agent["climb"],
                       "slope": agent["slope"]})
    lines = [line for a in agents for line in
             ["[[agent]]", *(f"{k} = {json.dumps(v)}" for k, v in a.items())]]
    own = {"agents": ["guard"]} if is_two else {}
    reach = ", ".join("{ " + ", ".join(f"{k} = {json.dumps(v)}" for k, v in way.items()) + " }"
                      for way in ({"from": "spawn", "to": p.goal, **own}
                                  for p in plots if p.reach))
    lines += ["[check]", f"must_reach = [{reach}]",
              f"on_ground = {json.dumps(['spawn'] + [p.goal for p in plots if not p.reach])}"]
    if rng.random() < 0.5:
        lines.append('starts = ["spawn"]')
    for p in plots:
        for name, is_closed in p.switches:
            lines += ["[[switch]]", f'name = "{name}"', f"closed = {str(is_closed).lower()}"]
    path.with_suffix(".toml").write_text("\n".join(lines) + "\n")
    truth = {"style": level.style, "plots": [kind for kind, _ in kinds],
             "faults": [p.fault for p in plots if p.fault]}
    path.with_suffix(".json").write_text(json.dumps(truth, indent=1) + "\n")
    level.write(path.with_suffix(".gltf"))


if __name__ == "__main__":
    levels(make, KINDS)
