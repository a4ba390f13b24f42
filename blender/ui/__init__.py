"""The part of the add-on that is made of Blender."""
