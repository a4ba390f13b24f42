//! What an audit finds.

use crate::Rule;
use crate::Severity::Warning;

/// The codes of an audit's findings.
pub const RULES: &[Rule] = &[
    Rule::new(
        "audit-height",
        Warning,
        "The navmesh lies far above or below the ground.",
        "Lower `height_error`; if that does not help, it is a fault of the bake: please report the level.",
    ),
    Rule::new(
        "audit-intrudes",
        Warning,
        "The navmesh lies where the agent has no room.",
        "`navbake explain` says what is in the way there; if that is right, it is a fault of the bake: please report the level.",
    ),
    Rule::new(
        "audit-missed",
        Warning,
        "Ground with room for the agent is not on the navmesh.",
        "`navbake explain` says what it thinks of the place; if that is right, it is a fault of the bake: please report the level.",
    ),
];
