//! The rules about causes.

use crate::{Rule, Severity};

/// A cause of ground that is cut off.
const fn cause(
    code: &'static str,
    finds: &'static str,
    cure: &'static str,
    options: &'static [&'static str],
) -> Rule {
    Rule { code, severity: Severity::Error, finds, cure, options, run: None }
}

/// What makes an agent's ground interesting.
const PAIRS: &[&str] = &["must_reach", "starts"];

/// The rules about causes.
pub(crate) const RULES: &[Rule] = &[
    cause(
        "blocked-by-area",
        "Ground is cut off by an area that is forbidden for the agent, or by the role `obstacle`.",
        "Give the ground another area or role, or allow the area.",
        PAIRS,
    ),
    cause(
        "blocked-by-gap",
        "Ground is cut off by a gap that is too wide.",
        "Close the gap, or add a jump link.",
        PAIRS,
    ),
    cause(
        "blocked-by-head-room",
        "Ground is cut off by a lintel or ceiling that is too low.",
        "Raise it, or lower the agent's `height`.",
        PAIRS,
    ),
    cause(
        "blocked-by-prop",
        "Ground is cut off by an object that blocks the passage or leaves too little of it.",
        "Move the object, or give it the role `ignored`.",
        PAIRS,
    ),
    cause(
        "blocked-by-slope",
        "Ground is cut off by ground that is too steep.",
        "Flatten it, or raise the agent's `slope`.",
        PAIRS,
    ),
    cause(
        "blocked-by-step",
        "Ground is cut off by a step or a difference in height.",
        "Lower the step, add stairs or a ramp, or raise the agent's `climb`.",
        PAIRS,
    ),
    cause(
        "blocked-by-wall",
        "Ground is closed in: every path to it leads through a wall.",
        "Add a door, or a link.",
        PAIRS,
    ),
    cause(
        "blocked-by-width",
        "Ground is cut off by a passage that is too narrow.",
        "Widen it, or lower the agent's `radius`.",
        PAIRS,
    ),
    cause(
        "floor-faces-down",
        "A floor faces down, so that nothing can stand on it.",
        "Flip its faces, or mark its material as double-sided.",
        &["must_reach", "starts", "on_ground"],
    ),
    cause(
        "floor-missing",
        "A floor is missing.",
        "Add the floor; look for a deleted or hidden object.",
        &["must_reach", "starts", "on_ground"],
    ),
    Rule {
        code: "ground-in-solid",
        severity: Severity::Note,
        finds: "Ground that cannot be reached is inside a solid.",
        cure: "Usually nothing; the role `obstacle` for the solid, or `seeds`, leaves it out.",
        options: &["starts", "must_reach"],
        run: None,
    },
    Rule {
        code: "ground-on-top",
        severity: Severity::Note,
        finds: "Ground that cannot be reached is the top of a solid, such as a wall or a roof.",
        cure: "Usually nothing; the role `obstacle` for the solid, or `seeds`, leaves it out.",
        options: &["starts", "must_reach"],
        run: None,
    },
    Rule {
        code: "gap-margin",
        severity: Severity::Note,
        finds: "A gap up to `gap_margin` wide could be a shortcut; the path around it is long.",
        cure: "Close the gap, add a jump link, or nothing if the path around is meant.",
        options: &["gap_margin"],
        run: None,
    },
    cause(
        "marker-in-air",
        "A marker of the config is above the ground, or below it.",
        "Move the marker onto the ground.",
        &["on_ground", "must_reach", "must_not_reach", "starts"],
    ),
    cause(
        "marker-in-solid",
        "A marker of the config is inside a solid.",
        "Move the marker out of it.",
        &["on_ground", "must_reach", "must_not_reach", "starts"],
    ),
    Rule {
        code: "prop-in-passage",
        severity: Severity::Warning,
        finds: "An object leaves too little of a passage; the path around it is long.",
        cure: "Move the object, or give it the role `ignored`.",
        options: &[],
        run: None,
    },
    Rule {
        code: "step-margin",
        severity: Severity::Note,
        finds: "A step up to `step_margin` above the climb could be a shortcut; the path around it is long.",
        cure: "Lower the step, raise the agent's `climb`, or nothing if the path around is meant.",
        options: &["step_margin"],
        run: None,
    },
];
