//! The rules of an audit.

use crate::Rule;
use crate::Severity::Warning;

/// The rules of an audit.
pub const RULES: &[Rule] = &[
    Rule::new(
        "audit-height",
        Warning,
        "The navmesh is far above or below the ground.",
        "Lower `height_error`; if that does not help, please report the level as a bug.",
    ),
    Rule::new(
        "audit-intrudes",
        Warning,
        "The navmesh covers ground without room for the agent.",
        "`navbake explain` names the obstacle; if it is right, please report the level as a bug.",
    ),
    Rule::new(
        "audit-missed",
        Warning,
        "Ground with room for the agent is not on the navmesh.",
        "`navbake explain` says whether the point is walkable; if it is, please report the level as a bug.",
    ),
];
