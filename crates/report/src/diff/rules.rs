//! What a diff finds.

use crate::Rule;
use crate::Severity::{Error, Note, Warning};

/// The codes of a diff's findings.
pub const RULES: &[Rule] = &[
    Rule::new(
        "agent-changed",
        Note,
        "An agent has other sizes than before, or is new.",
        "Nothing, if it was meant.",
    ),
    Rule::new(
        "agent-lost",
        Warning,
        "An agent is no longer baked for.",
        "Put the agent back into the config, or take it out of the game.",
    ),
    Rule::new(
        "door-lost",
        Warning,
        "A door between rooms is gone: its rooms are one, or there is no way through.",
        "Look at what was built or moved there.",
    ),
    Rule::new(
        "door-narrower",
        Note,
        "A door between rooms is narrower than before.",
        "Look at what was built or moved there.",
    ),
    Rule::new(
        "door-new",
        Note,
        "A door between rooms is new.",
        "Nothing, if it was meant.",
    ),
    Rule::new(
        "door-wider",
        Note,
        "A door between rooms is wider than before.",
        "Nothing, if it was meant.",
    ),
    Rule::new(
        "ground-gained",
        Note,
        "There is ground where there was none.",
        "Nothing, if it was meant; `navbake explain` says who fits there.",
    ),
    Rule::new(
        "ground-lost",
        Warning,
        "Ground is gone.",
        "`navbake explain` on the new level says why the place is not walkable.",
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
        "Islands grew together.",
        "Nothing, if there was meant to be a way between them.",
    ),
    Rule::new(
        "island-new",
        Note,
        "There is an island where there was no ground.",
        "Nothing, if it was meant.",
    ),
    Rule::new(
        "island-split",
        Warning,
        "An island fell apart: parts of it do not come to each other over ground any more.",
        "Look at what was built or moved between its parts.",
    ),
    Rule::new(
        "link-lost",
        Warning,
        "A link is gone.",
        "Look whether its ends still lie on ground.",
    ),
    Rule::new(
        "link-new",
        Note,
        "A link is new.",
        "Nothing, if it was meant.",
    ),
    Rule::new(
        "marker-back",
        Note,
        "A marker lies on ground that did not before.",
        "Nothing, if it was meant.",
    ),
    Rule::new(
        "marker-cut-off",
        Error,
        "A marker no longer lies on ground.",
        "`navbake explain` on the new level says why.",
    ),
    Rule::new(
        "marker-lost",
        Note,
        "A marker is gone.",
        "Nothing, if it was meant.",
    ),
    Rule::new(
        "marker-new",
        Note,
        "A marker is new.",
        "Nothing, if it was meant.",
    ),
    Rule::new(
        "room-lost",
        Warning,
        "A named room is gone.",
        "Give a marker or a rule the room's name again.",
    ),
    Rule::new(
        "room-new",
        Note,
        "A named room is new.",
        "Nothing, if it was meant.",
    ),
    Rule::new(
        "way-longer",
        Warning,
        "The way between two markers is longer than before.",
        "Look at what was built or moved along the old way.",
    ),
    Rule::new(
        "way-lost",
        Error,
        "There is no way between two markers any more.",
        "Look at what was built or moved along the old way; findings of lost ground lie there.",
    ),
    Rule::new(
        "way-new",
        Note,
        "There is a way between two markers where there was none.",
        "Nothing, if it was meant.",
    ),
    Rule::new(
        "way-shorter",
        Note,
        "The way between two markers is shorter than before.",
        "Nothing, if it was meant.",
    ),
];
