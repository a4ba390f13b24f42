"""Bake, check, cancel, clear."""

import bpy

from ..core.problem import Problem
from . import job, overlay, settings
from .registry import functions

# Seconds between two steps of a job.
PACE = 0.05


class _Work:
    """What bake and check have in common. With a window it goes on beside other work."""

    bakes = checks = False

    @classmethod
    def poll(cls, _context):
        """One job at a time."""
        return job.current is None

    def invoke(self, context, _event):
        """Starts the job and comes back to it with a timer."""
        if not context.window:
            return self.execute(context)
        try:
            self.job = job.start(context, self.bakes, self.checks)
        except Problem as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        manager = context.window_manager
        self.timer = manager.event_timer_add(PACE, window=context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        """Takes a step at each tick; Esc cancels."""
        if event.type == "ESC" and event.value == "PRESS":
            self.job.cancel()
        if event.type == "TIMER" and not self.job.is_over:
            self.job.step()
        for area in context.screen.areas if context.screen else ():
            if area.type == "VIEW_3D":
                area.tag_redraw()
        if not self.job.is_over:
            return {"PASS_THROUGH"}
        context.window_manager.event_timer_remove(self.timer)
        return self._ended(self.job)

    def cancel(self, context):
        """Called by Blender when another file is opened meanwhile."""
        self.job.cancel()
        context.window_manager.event_timer_remove(self.timer)

    def execute(self, context):
        """Does all at once, for scripts."""
        try:
            started = job.start(context, self.bakes, self.checks)
        except Problem as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        started.finish()
        return self._ended(started)

    def _ended(self, ended):
        if ended.error == "cancelled":
            self.report({"INFO"}, "navbake: cancelled")
        elif ended.error:
            self.report({"ERROR"}, ended.error)
        else:
            self.report({"INFO"}, f"navbake: {ended.done}")
            return {"FINISHED"}
        return {"CANCELLED"}


class NAVBAKE_OT_bake(_Work, bpy.types.Operator):
    """Bake the navmesh and show it over the level"""

    bl_idname = "navbake.bake"
    bl_label = "Bake"
    bakes = True


class NAVBAKE_OT_check(_Work, bpy.types.Operator):
    """Look for what is wrong with the level and list it"""

    bl_idname = "navbake.check"
    bl_label = "Check"
    checks = True


class NAVBAKE_OT_cancel(bpy.types.Operator):
    """End the bake or check that runs"""

    bl_idname = "navbake.cancel"
    bl_label = "Cancel"

    @classmethod
    def poll(cls, _context):
        """Only while one runs."""
        return job.current is not None

    def execute(self, _context):
        """Cancels it."""
        job.cancel_all()
        return {"FINISHED"}


class NAVBAKE_OT_clear(bpy.types.Operator):
    """Remove the navmesh and the findings from the scene"""

    bl_idname = "navbake.clear"
    bl_label = "Clear"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        """Clears overlay and findings."""
        overlay.clear(context.scene)
        settings.forget(context)
        return {"FINISHED"}


register, unregister = functions(
    NAVBAKE_OT_bake, NAVBAKE_OT_check, NAVBAKE_OT_cancel, NAVBAKE_OT_clear
)
