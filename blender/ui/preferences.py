"""Preferences of the add-on: where the command is."""

import bpy

from ..core import command
from ..core.problem import Problem
from .registry import functions

ADDON = __package__.rpartition(".")[0]


class NavbakePreferences(bpy.types.AddonPreferences):
    """Where the command navbake is."""

    bl_idname = ADDON

    command: bpy.props.StringProperty(
        name="Command",
        description="The program navbake; empty: the one on PATH",
        subtype="FILE_PATH",
    )
    said: bpy.props.StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    def draw(self, _context):
        """Draws the path and what the last test of it said."""
        row = self.layout.row()
        row.prop(self, "command")
        row.operator(NAVBAKE_OT_version.bl_idname)
        if self.said:
            self.layout.label(text=self.said)


class NAVBAKE_OT_version(bpy.types.Operator):
    """Ask the command for its version"""

    bl_idname = "navbake.version"
    bl_label = "Test"

    def execute(self, context):
        """Shows the version, or why there is none."""
        chosen = of(context)
        try:
            chosen.said = command.version(command_path(context))
        except Problem as problem:
            chosen.said = str(problem)
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        self.report({"INFO"}, chosen.said)
        return {"FINISHED"}


def of(context):
    """The preferences of the add-on."""
    return context.preferences.addons[ADDON].preferences


def command_path(context):
    """The command's path. A problem, with its cure, if it is not there."""
    path = of(context).command
    return command.find(bpy.path.abspath(path) if path else "")


register, unregister = functions(NavbakePreferences, NAVBAKE_OT_version)
