//! What a diff finds.

use crate::Rule;
use crate::Severity::{self, Error, Note, Warning};

const fn row(
    code: &'static str,
    severity: Severity,
    finds: &'static str,
    cure: &'static str,
) -> Rule {
    Rule {
        code,
        severity,
        finds,
        cure,
    }
}

/// The codes of a diff's findings.
pub const RULES: &[Rule] = &[
    row(
        "agent-changed",
        Note,
        "An agent has other sizes than before, or is new.",
        "Nothing, if it was meant.",
    ),
    row(
        "agent-lost",
        Warning,
        "An agent is no longer baked for.",
        "Put the agent back into the config, or take it out of the game.",
    ),
    row(
        "door-lost",
        Warning,
        "A door between rooms is gone: its rooms are one, or there is no way through.",
        "Look at what was built or moved there.",
    ),
    row(
        "door-narrower",
        Note,
        "A door between rooms is narrower than before.",
        "Look at what was built or moved there.",
    ),
    row(
        "door-new",
        Note,
        "A door between rooms is new.",
        "Nothing, if it was meant.",
    ),
    row(
        "door-wider",
        Note,
        "A door between rooms is wider than before.",
        "Nothing, if it was meant.",
    ),
    row(
        "ground-gained",
        Note,
        "There is ground where there was none.",
        "Nothing, if it was meant; `navbake explain` says who fits there.",
    ),
    row(
        "ground-lost",
        Warning,
        "Ground is gone.",
        "`navbake explain` on the new level says why the place is not walkable.",
    ),
    row(
        "island-lost",
        Warning,
        "An island is gone.",
        "`navbake explain` on the new level says why its ground is not walkable.",
    ),
    row(
        "island-merged",
        Note,
        "Islands grew together.",
        "Nothing, if there was meant to be a way between them.",
    ),
    row(
        "island-new",
        Note,
        "There is an island where there was no ground.",
        "Nothing, if it was meant.",
    ),
    row(
        "island-split",
        Warning,
        "An island fell apart: parts of it do not come to each other over ground any more.",
        "Look at what was built or moved between its parts.",
    ),
    row(
        "link-lost",
        Warning,
        "A link is gone.",
        "Look whether its ends still lie on ground.",
    ),
    row(
        "link-new",
        Note,
        "A link is new.",
        "Nothing, if it was meant.",
    ),
    row(
        "marker-back",
        Note,
        "A marker lies on ground that did not before.",
        "Nothing, if it was meant.",
    ),
    row(
        "marker-cut-off",
        Error,
        "A marker no longer lies on ground.",
        "`navbake explain` on the new level says why.",
    ),
    row(
        "marker-lost",
        Note,
        "A marker is gone.",
        "Nothing, if it was meant.",
    ),
    row(
        "marker-new",
        Note,
        "A marker is new.",
        "Nothing, if it was meant.",
    ),
    row(
        "room-lost",
        Warning,
        "A named room is gone.",
        "Give a marker or a rule the room's name again.",
    ),
    row(
        "room-new",
        Note,
        "A named room is new.",
        "Nothing, if it was meant.",
    ),
    row(
        "way-longer",
        Warning,
        "The way between two markers is longer than before.",
        "Look at what was built or moved along the old way.",
    ),
    row(
        "way-lost",
        Error,
        "There is no way between two markers any more.",
        "Look at what was built or moved along the old way; findings of lost ground lie there.",
    ),
    row(
        "way-new",
        Note,
        "There is a way between two markers where there was none.",
        "Nothing, if it was meant.",
    ),
    row(
        "way-shorter",
        Note,
        "The way between two markers is shorter than before.",
        "Nothing, if it was meant.",
    ),
];
