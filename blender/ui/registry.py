"""Registers classes, and takes them back in the opposite order."""

import bpy


def functions(*classes):
    """The functions register and unregister of a module with these classes."""

    def register():
        for cls in classes:
            bpy.utils.register_class(cls)

    def unregister():
        for cls in reversed(classes):
            bpy.utils.unregister_class(cls)

    return register, unregister
