"""Findings of `navbake check --format json`, and which objects of the scene they are about."""

from dataclasses import dataclass, field

from .problem import Problem

SEVERITIES = ("error", "warning", "note")
# The fields of a finding that name objects.
NAMES = ("nodes", "meshes", "materials", "names")


@dataclass
class Finding:
    """A finding; its place is in y-up metres, or None."""

    rule: str
    severity: str
    message: str
    place: tuple | None
    agent: str
    # Paths of node names, the most likely culprit first; then names that the rule was about.
    nodes: list = field(default_factory=list)
    meshes: list = field(default_factory=list)
    materials: list = field(default_factory=list)
    names: list = field(default_factory=list)


def read(report):
    """The findings of a report, the worst first, otherwise in its order."""
    if report.get("schema") != 1:
        raise Problem(f"navbake check printed schema {report.get('schema')}, the add-on reads 1: "
                      "install an add-on as new as the command")
    findings = [_finding(found) for found in report["findings"]]
    return sorted(findings, key=lambda found: SEVERITIES.index(found.severity))


def _finding(found):
    objects = found["objects"]
    place = found["place"]
    return Finding(
        found["rule"],
        found["severity"],
        found["message"],
        tuple(place) if place is not None else None,
        found["agent"] or "",
        [o["node"] for o in objects],
        [o["mesh"] for o in objects],
        [o["material"] for o in objects],
        list(found["names"]),
    )


def counts(findings):
    """The number of findings of each severity, as text."""
    words = []
    for severity in SEVERITIES:
        n = sum(f.severity == severity for f in findings)
        words.append(f"{n} {severity}" + ("" if n == 1 else "s"))
    return ", ".join(words)


def object_names(path):
    """The names of objects that a path of node names may mean, the likeliest first.

    Names may have a `/` of their own. Above the objects of an instanced collection is the object
    that has the instance.
    """
    parts = path.split("/")
    names = ["/".join(parts[k:]) for k in range(len(parts))]
    names += [part for part in reversed(parts) if part not in names]
    return [name for name in names if name]


def guilty(finding, objects, by_mesh):
    """The name of the object to select for the names of a finding, or an empty text.

    `finding` has the fields of `NAMES`. `objects` maps names of objects that can be selected to
    the name of their parent or None, `by_mesh` names of mesh data to an object with it.
    """
    for path in finding["nodes"]:
        found = _by_path(path, objects)
        if found:
            return found
    for mesh in finding["meshes"]:
        if by_mesh.get(mesh):
            return by_mesh[mesh]
    return next((name for name in finding["names"] if name in objects), "")


def _by_path(path, objects):
    """The object at a path: its name ends the path, and its parents are what comes before."""
    best = ""
    for name in object_names(path):
        if name not in objects:
            continue
        if _path(name, objects) == path:
            return name
        best = best or name
    return best


def _path(name, objects):
    parts = [name]
    while (parent := objects.get(parts[0])) and len(parts) < 256:
        parts.insert(0, parent)
    return "/".join(parts)
