"""Scores `navbake check` on the levels of `generate.py`.

    score.py NAVBAKE FOLDER [-v]

A fault is found if one finding has its cause, a place at most 0.6 m from it, and its object first.
Warnings and errors of clean levels, and those of faulty ones that belong to no fault, are false.
Exit code 1 if less than 98 % are found, or more than one clean level in 20 has a false warning.
"""

import collections
import json
import math
import pathlib
import subprocess
import sys

NEAR = 0.6
RULES = {
    "door": {"blocked-by-width"},
    "lintel": {"blocked-by-head-room"},
    "prop": {"blocked-by-prop"},
    "sealed": {"blocked-by-wall"},
    "step": {"blocked-by-step"},
    "slope": {"blocked-by-slope"},
    "gap": {"blocked-by-gap"},
    "plank": {"blocked-by-width"},
    "missing": {"floor-missing"},
    "flipped": {"floor-faces-down"},
    "spawn-in-solid": {"marker-in-solid"},
    "spawn-in-air": {"marker-in-air"},
    "switch": {"blocked-by-switch"},
}


def to_segment(p, a, b):
    d = [b[k] - a[k] for k in range(3)]
    square = sum(c * c for c in d)
    along = sum((p[k] - a[k]) * d[k] for k in range(3))
    t = min(1.0, max(0.0, along / square)) if square else 0.0
    return math.dist(p, [a[k] + t * d[k] for k in range(3)])


def is_in(p, ring):
    turns = []
    for a, b in zip(ring, ring[1:] + ring[:1]):
        turns.append((b[0] - a[0]) * (p[2] - a[2]) - (b[2] - a[2]) * (p[0] - a[0]))
    return all(t >= 0 for t in turns) or all(t <= 0 for t in turns)


def away(fault, place):
    if place is None:
        return math.inf
    ring = fault.get("ring") or fault.get("box")
    if fault.get("box") and is_in(place, ring):
        return 0.0
    if ring:
        return min(to_segment(place, a, b) for a, b in zip(ring, ring[1:] + ring[:1]))
    return to_segment(place, *fault["line"])


def names(finding):
    """The names of the first object: its node without the groups, its material."""
    first = finding.get("objects", [])[:1]
    return [n for o in first for n in (o["node"].split("/")[-1], o["material"]) if n]


def main():
    navbake, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    verbose = "-v" in sys.argv
    found, said, all_of = (collections.Counter() for _ in range(3))
    false, false_levels, alarms, clean = 0, 0, 0, 0
    for level in sorted(folder.glob("*.gltf")):
        ran = subprocess.run(
            [navbake, "check", level, "--config", level.with_suffix(".toml"), "--format", "json"],
            capture_output=True, text=True, check=False)
        if ran.returncode not in (0, 1):
            sys.exit(f"{level}: {ran.stderr}")
        findings = json.loads(ran.stdout)["findings"]
        faults = json.loads(level.with_suffix(".json").read_text())["faults"]
        loud = [f for f in findings if f["severity"] != "note"]
        known = []
        for fault in faults:
            all_of[fault["kind"]] += 1
            right = [f for f in findings if f["rule"] in RULES[fault["kind"]]
                     and away(fault, f["place"]) <= NEAR
                     and any(n in fault["objects"] for n in names(f))]
            if right:
                found[fault["kind"]] += 1
                known.append(right[0])
            elif verbose:
                print(f"missed: {level.name} {fault['kind']} {fault['objects']} {fault['line']}")
                for f in loud:
                    print(f"    {f['rule']} {f['place']} {names(f)} {away(fault, f['place']):.2f}"
                          f" {f['message']}")
            said[fault["kind"]] += any(fault["marker"] in f["names"] for f in findings)
        # The same cause of a further agent is not false.
        extra = [f for f in loud if f not in known and not any(
            f["rule"] == k["rule"] and f["agent"] != k["agent"]
            and math.dist(f["place"], k["place"]) <= 1.5 for k in known)]
        if faults:
            false += len(extra)
        else:
            clean += 1
            alarms += len(extra)
            false_levels += bool(extra)
        if verbose:
            for f in extra:
                print(f"extra: {level.name} {f['severity']} {f['rule']} {f['place']} {names(f)} "
                      f"{f['message']}")
    print(f"{'fault':<16}{'levels':>8}{'said':>8}{'found':>8}")
    for kind in sorted(all_of):
        print(f"{kind:<16}{all_of[kind]:>8}{said[kind]:>8}{found[kind]:>8}")
    total, hit = sum(all_of.values()), sum(found.values())
    share = hit / total if total else 1.0
    print(f"{hit} of {total} found ({share:.1%}); {false} other warnings in faulty levels; "
          f"{alarms} in {false_levels} of {clean} clean levels")
    sys.exit(share < 0.98 or alarms * 20 > clean)


main()
