"""What the add-on does without Blender: reading, writing, command lines."""
