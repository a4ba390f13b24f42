#!/usr/bin/env python3
"""Draws the picture of docs/engines/blender.md: the level of the tests with its overlay.

usage: picture.py NAVBAKE OUT.png   (with the Python of an environment that has bpy)
"""

import os
import sys

import extension
import level
from extension import bpy
from mathutils import Vector


def main():
    """Bakes, checks, renders with Workbench."""
    level.COMMAND, out = (os.path.abspath(path) for path in sys.argv[1:])
    level.FOLDER = extension.SCRATCH.name
    bpy.ops.extensions.package_install_files(
        filepath=extension.build(), repo="user_default", enable_on_install=True
    )
    settings = level.make()
    settings.drop, settings.lift = 3.0, 0.04
    bpy.ops.navbake.bake()
    bpy.ops.navbake.check()
    scene = bpy.context.scene
    grey = bpy.data.materials.new("level")
    grey.diffuse_color = (0.85, 0.85, 0.86, 1.0)
    for thing in scene.objects:
        if thing.type == "MESH" and not thing.data.materials:
            thing.data.materials.append(grey)
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(camera)
    camera.location = (-12.0, -23.0, 21.0)
    camera.rotation_euler = (Vector((-0.3, -1.0, 0.0)) - camera.location).to_track_quat(
        "-Z", "Y").to_euler()
    camera.data.lens = 37.0
    scene.camera = camera
    scene.render.engine = "BLENDER_WORKBENCH"
    shading = scene.display.shading
    shading.light, shading.color_type = "STUDIO", "MATERIAL"
    shading.show_cavity = shading.show_object_outline = shading.show_shadows = True
    scene.world = scene.world or bpy.data.worlds.new("world")
    scene.world.color = (0.9, 0.9, 0.92)
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_x, scene.render.resolution_y = 880, 495
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.compression = 100
    scene.render.image_settings.color_mode = "RGB"
    # Noise against bands would make the file three times as large.
    scene.render.dither_intensity = 0.0
    scene.render.filepath = out
    bpy.ops.render.render(write_still=True)
    extension.SCRATCH.cleanup()
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
