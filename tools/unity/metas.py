#!/usr/bin/env python3
"""Writes the .meta files that the Unity package lacks.

usage: metas.py [--check] [PACKAGE]

Unity keeps the GUID of each folder and file in a file beside it, and does not write one where a
package is read-only. A new GUID is drawn from the path; one that is there is never changed, since
scenes refer to scripts by it. With --check nothing is written: prints what is missing, left over or
there twice, and ends with 1 if anything is.

Folders that end with ~ are not Unity's; Plugins/ is not in the repository.
"""

import hashlib
import re
import sys
from pathlib import Path

IMPORTERS = {
    ".cs": "MonoImporter:\n  externalObjects: {}\n  serializedVersion: 2\n"
    "  defaultReferences: []\n  executionOrder: 0\n  icon: {instanceID: 0}\n",
    ".asmdef": "AssemblyDefinitionImporter:\n  externalObjects: {}\n",
    ".json": "PackageManifestImporter:\n  externalObjects: {}\n",
    "": "folderAsset: yes\nDefaultImporter:\n  externalObjects: {}\n",
}


def imported(package):
    """The folders and files that Unity imports, by their paths in the package."""
    for path in sorted(package.rglob("*")):
        inside = path.relative_to(package)
        hidden = any(p.startswith(".") or p.endswith("~") or p == "Plugins" for p in inside.parts)
        if not hidden and path.suffix != ".meta" and inside.name != "Plugins.meta":
            yield path


def text(path, package):
    """A new .meta file."""
    name = f"com.navbake.navbake/{path.relative_to(package).as_posix()}"
    kind = "" if path.is_dir() else path.suffix
    if kind not in IMPORTERS:
        sys.exit(f"{path}: no importer known for {kind}; add it to IMPORTERS of {__file__}")
    return (
        f"fileFormatVersion: 2\nguid: {hashlib.md5(name.encode()).hexdigest()}\n"
        f"{IMPORTERS[kind]}  userData:\n  assetBundleName:\n  assetBundleVariant:\n"
    )


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    default = Path(__file__).resolve().parents[2] / "unity"
    package = Path(words[0]) if words else default
    faults, owners = [], {}
    paths = list(imported(package))
    for path in paths:
        meta = path.with_name(path.name + ".meta")
        if not meta.exists():
            if "--check" in sys.argv:
                faults.append(f"{meta}: missing; write it with tools/unity/metas.py")
                continue
            meta.write_text(text(path, package))
        found = re.search(r"^guid: ([0-9a-f]{32})$", meta.read_text(), re.M)
        if not found:
            faults.append(f"{meta}: has no GUID")
        elif found[1] in owners:
            faults.append(f"{meta}: has the GUID of {owners[found[1]]}")
        else:
            owners[found[1]] = meta
    known = {path.with_name(path.name + ".meta") for path in paths}
    for meta in package.rglob("*.meta"):
        inside = meta.relative_to(package)
        if meta not in known and "Plugins" not in inside.parts and inside.name != "Plugins.meta":
            faults.append(f"{meta}: left over; nothing has its name")
    print("\n".join(faults) or f"{len(owners)} .meta files")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
