#!/usr/bin/env python3
"""Bakes 792 platforms, each cut by a wall with one gap, and says which gaps the navmesh has a way
through; exit code 1 when one of 1.25 m or more is closed or one of 1.15 m or less is open. The
agent is 1.2 m wide.

usage: gaps.py [NAVMESH.nav]
           a navmesh of the level of gaps_obj.py, baked elsewhere; by default the level is made and baked here
"""

import collections
import json
import pathlib
import sys
import tempfile

from probing import probe, script

MUST_PASS, MUST_NOT = 1.25, 1.15


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        level, cases = folder / "gaps.obj", folder / "gaps.json"
        script("gaps_obj.py", level, cases)
        cases = json.loads(cases.read_text())
        navmesh = sys.argv[1] if len(sys.argv) > 1 else level
        answer = probe(navmesh, folder, pairs=[c["from"] + c["to"] for c in cases])
    open_at = collections.defaultdict(lambda: collections.defaultdict(list))
    closed, too_narrow, lost = [], [], []
    for case, reached in zip(cases, answer["reachable"]):
        gap = case["gap"]
        open_at[case["yaw"]][gap].append(reached is True)
        if reached is None:
            lost.append(case)
        if not reached and gap >= MUST_PASS:
            closed.append(case)
        if reached and gap <= MUST_NOT:
            too_narrow.append(case)
    print("| angle | least gap passed at any offset, m | least from which all pass, m |\n| --- | --- | --- |")
    for yaw, gaps in sorted(open_at.items()):
        some = min((g for g, passed in gaps.items() if any(passed)), default=None)
        shut = max((g for g, passed in gaps.items() if not all(passed)), default=0.0)
        every = min((g for g in gaps if g > shut), default=None)
        print(f"| {yaw} | {some} | {every} |")
    print(f"{len(cases)} gaps: {len(closed)} of {MUST_PASS} m or more are closed, {len(too_narrow)} of {MUST_NOT} m or less are open, ", end="")
    print(f"{len(lost)} have an end that is not on the navmesh")
    for name, wrong in (("closed", closed), ("open", too_narrow), ("not on the navmesh", lost)):
        for case in wrong[:5]:
            print(f"  {name}: {case['gap']} m at {case['yaw']} degrees, from {case['from']}", file=sys.stderr)
    sys.exit(1 if closed or too_narrow or lost else 0)


if __name__ == "__main__":
    main()
