//! The rules of a diff.

use crate::Rule;
use crate::Severity::{Error, Note, Warning};

/// The rules of a diff.
pub const RULES: &[Rule] = &[
    Rule::new(
        "agent-changed",
        Note,
        "The size of an agent changed, or an agent is new.",
        "Nothing, if intended.",
    ),
    Rule::new(
        "agent-lost",
        Warning,
        "An agent is gone.",
        "Put the agent back into the config, or take it out of the game.",
    ),
    Rule::new(
        "door-lost",
        Warning,
        "A door between rooms is gone: its rooms merged, or it is blocked.",
        "Check what was built or moved there.",
    ),
    Rule::new(
        "door-narrower",
        Note,
        "A door between rooms is narrower than before.",
        "Check what was built or moved there.",
    ),
    Rule::new("door-new", Note, "A door between rooms is new.", "Nothing, if intended."),
    Rule::new(
        "door-wider",
        Note,
        "A door between rooms is wider than before.",
        "Nothing, if intended.",
    ),
    Rule::new(
        "ground-gained",
        Note,
        "There is ground where there was none.",
        "Nothing, if intended; `navbake explain` says which agents fit there.",
    ),
    Rule::new(
        "ground-lost",
        Warning,
        "Ground is gone.",
        "`navbake explain` on the new level says why the ground is not walkable.",
    ),
    Rule::new(
        "island-lost",
        Warning,
        "An island is gone.",
        "`navbake explain` on the new level says why its ground is not walkable.",
    ),
    Rule::new(
        "island-merged",
        Note,
        "Islands were merged.",
        "Nothing, if they are meant to be connected.",
    ),
    Rule::new(
        "island-new",
        Note,
        "There is an island where there was no ground.",
        "Nothing, if intended.",
    ),
    Rule::new(
        "island-split",
        Warning,
        "An island was split into parts that are no longer connected over ground.",
        "Check what was built or moved between its parts.",
    ),
    Rule::new("link-lost", Warning, "A link is gone.", "Check that its ends are still on ground."),
    Rule::new("link-new", Note, "A link is new.", "Nothing, if intended."),
    Rule::new(
        "marker-back",
        Note,
        "A marker is on ground that was not before.",
        "Nothing, if intended.",
    ),
    Rule::new(
        "marker-cut-off",
        Error,
        "A marker is no longer on ground.",
        "`navbake explain` on the new level says why.",
    ),
    Rule::new("marker-lost", Note, "A marker is gone.", "Nothing, if intended."),
    Rule::new("marker-new", Note, "A marker is new.", "Nothing, if intended."),
    Rule::new(
        "room-lost",
        Warning,
        "A named room is gone.",
        "Give a marker or a rule the name of the room again.",
    ),
    Rule::new("room-new", Note, "A named room is new.", "Nothing, if intended."),
    Rule::new(
        "way-longer",
        Warning,
        "The path between two markers is longer than before.",
        "Check what was built or moved along the old path.",
    ),
    Rule::new(
        "way-lost",
        Error,
        "There is no path between two markers any more.",
        "Check what was built or moved along the old path; findings of lost ground are there.",
    ),
    Rule::new(
        "way-new",
        Note,
        "There is a path between two markers where there was none.",
        "Nothing, if intended.",
    ),
    Rule::new(
        "way-shorter",
        Note,
        "The path between two markers is shorter than before.",
        "Nothing, if intended.",
    ),
];
