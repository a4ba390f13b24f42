//! What an audit finds.

use crate::Rule;
use crate::Severity::Warning;

/// The codes of an audit's findings.
pub const RULES: &[Rule] = &[
    Rule {
        code: "audit-height",
        severity: Warning,
        finds: "The navmesh lies far above or below the ground.",
        cure: "Lower `height_error`; if that does not help, it is a fault of the bake: please report the level.",
    },
    Rule {
        code: "audit-intrudes",
        severity: Warning,
        finds: "The navmesh lies where the agent has no room.",
        cure: "`navbake explain` says what is in the way there; if that is right, it is a fault of the bake: please report the level.",
    },
    Rule {
        code: "audit-missed",
        severity: Warning,
        finds: "Ground with room for the agent is not on the navmesh.",
        cure: "`navbake explain` says what it thinks of the place; if that is right, it is a fault of the bake: please report the level.",
    },
];
