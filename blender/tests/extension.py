#!/usr/bin/env python3
"""Tests the add-on in Blender's own module bpy: manifest, zip, and everything it does.

usage: extension.py NAVBAKE   (with the Python of an environment that has bpy)
"""

import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ADDON = HERE.parent
SCRATCH = tempfile.TemporaryDirectory(prefix="navbake-blender-")
# Read when bpy is imported: else the user's own Blender would get the extension.
os.environ["BLENDER_USER_RESOURCES"] = str(Path(SCRATCH.name) / "user")

import bpy  # noqa: E402

sys.path.insert(0, str(HERE))

import level  # noqa: E402
from scenes import *  # noqa: E402, F401, F403


def build():
    """Validates the manifest and builds the zip with Blender's own script."""
    scripts = Path(bpy.utils.system_resource("SCRIPTS"))
    tool = next(scripts.glob("addons_core/bl_pkg/cli/blender_ext.py"))
    python = [sys.executable, str(tool)]
    subprocess.run([*python, "validate", str(ADDON)], check=True)
    zipped = Path(SCRATCH.name) / "navbake.zip"
    subprocess.run([*python, "build", "--source-dir", str(ADDON), "--output-filepath", str(zipped)],
                   check=True)
    names = zipfile.ZipFile(zipped).namelist()
    assert "blender_manifest.toml" in names and "ui/panel.py" in names, names
    assert not [n for n in names if "test" in n or "__pycache__" in n], names
    return str(zipped)


def main():
    """Builds, installs, tests."""
    level.COMMAND = os.path.abspath(sys.argv.pop(1))
    level.FOLDER = SCRATCH.name
    bpy.ops.extensions.package_install_files(
        filepath=build(), repo="user_default", enable_on_install=True
    )
    print(f"Blender {bpy.app.version_string}")
    program = unittest.main(exit=False, verbosity=2)
    SCRATCH.cleanup()
    # bpy can fail while Python ends; the result is known by now.
    sys.stdout.flush()
    os._exit(0 if program.result.wasSuccessful() else 1)


if __name__ == "__main__":
    main()
