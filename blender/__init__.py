"""navbake for Blender: bakes the scene, shows its navmesh, lists what is wrong with it.

`core` runs without Blender; `ui` has the panels, the operators and the overlay.
"""

from .ui import findings, job, metadata, operators, overlay, panel, preferences, settings

# In the order of registration: classes before what refers to them.
MODULES = (settings, preferences, operators, findings, metadata, panel)


def register():
    """Called by Blender when the add-on is enabled."""
    for module in MODULES:
        module.register()


def unregister():
    """Called by Blender when the add-on is disabled; what it made in scenes goes as well.

    Without the add-on nothing would keep the overlay out of exports.
    """
    job.cancel_all()
    overlay.clear_all()
    for module in reversed(MODULES):
        module.unregister()
