//! Every rule there is: its code, how bad what it finds is, what that is, and what helps.

use crate::Severity;

/// A rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its stable code, lower case with dashes. Scripts and baselines hold it: it never changes its meaning.
    pub code: &'static str,
    /// How bad it is unless the config says otherwise.
    pub severity: Severity,
    /// What it finds, in one sentence.
    pub finds: &'static str,
    /// What helps, in one sentence.
    pub cure: &'static str,
}

impl Rule {
    /// A row of a table of rules.
    pub(crate) const fn new(
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
}

use Severity::{Error, Note, Warning};

/// Every rule of a check, by code.
pub const RULES: &[Rule] = &[
    Rule::new(
        "crack",
        Note,
        "Two edges of ground run side by side with a gap between them that is too small to be meant.",
        "Weld the vertices of both sides in the level's editor.",
    ),
    Rule::new(
        "degenerate-triangles",
        Note,
        "Triangles of the input have no area and were left out.",
        "Clean the mesh up in its editor (dissolve degenerate faces); look for parts that were scaled to nothing.",
    ),
    Rule::new(
        "door-too-narrow",
        Warning,
        "A door between two rooms is narrower than `door_width`.",
        "Widen the doorway, or move what stands in it.",
    ),
    Rule::new(
        "duplicate-triangles",
        Note,
        "Triangles of the input stand twice at the same place.",
        "Delete one of the copies: they cost drawing time as well.",
    ),
    Rule::new(
        "file-over-budget",
        Error,
        "The navmesh file is larger than `max_bytes`.",
        "Leave out agents or tables, raise `min_region` or `height_error`, or raise the budget.",
    ),
    Rule::new(
        "head-room-margin",
        Note,
        "Ground is left out because the head room over it is a little less than the agent's height.",
        "Raise the ceiling, or lower the agent's `height`.",
    ),
    Rule::new(
        "hole-small",
        Note,
        "A hole in the ground is smaller than `min_hole`.",
        "If what makes it is debris, give its node the role `ignored`.",
    ),
    Rule::new(
        "island-cut-off",
        Warning,
        "There is ground that cannot be reached from where units set out.",
        "Open a way to it (a wider door, a lower step, a link), or leave it out with `seeds`.",
    ),
    Rule::new(
        "island-dropped",
        Note,
        "An island was left out because it is smaller than `min_region`.",
        "Lower `min_region`, or put a marker on the island if it matters.",
    ),
    Rule::new(
        "island-small",
        Warning,
        "An island has less ground than `min_island`.",
        "Connect it, raise `min_region`, or give what it stands on the role `obstacle`.",
    ),
    Rule::new(
        "island-without-seed",
        Note,
        "An island was left out because no seed reaches it.",
        "Put a seed on it, or open a way to it; nothing if it is a roof or the like.",
    ),
    Rule::new(
        "ledge-without-railing",
        Note,
        "Ground ends over a drop deeper than `ledge_drop`, with neither a railing nor a way down.",
        "Put a railing there that is higher than the agent's climb, or a link with which units come down; raise `ledge_drop` if the drop is harmless.",
    ),
    Rule::new(
        "link-off-mesh",
        Error,
        "A link begins or ends where the agent cannot stand, and is left out for it.",
        "Move the end of the link onto ground.",
    ),
    Rule::new(
        "marker-missing",
        Error,
        "The config names a marker or a room that the level does not have.",
        "Correct the name in the config, or bring the marker back into the level.",
    ),
    Rule::new(
        "marker-off-mesh",
        Error,
        "A marker that the config names does not lie on ground that the agent can stand on.",
        "Move the marker, or make the ground under it walkable; `navbake explain` says why it is not.",
    ),
    Rule::new(
        "must-not-reach",
        Error,
        "There is a way between two places that must not be connected.",
        "Close the way that is drawn, or take the pair out of `must_not_reach`.",
    ),
    Rule::new(
        "non-manifold-edge",
        Note,
        "More than two triangles of ground share an edge.",
        "Take the extra faces away: as a rule inner walls or doubled floors.",
    ),
    Rule::new(
        "one-way-trap",
        Warning,
        "There is ground that units can come to and cannot leave.",
        "Add a way back (a link, a ramp), or keep units out of it.",
    ),
    Rule::new(
        "overlapping-ground",
        Note,
        "Two faces of ground lie at the same height over the same place.",
        "Delete one of the two: which of them is seen and which area counts is chance.",
    ),
    Rule::new(
        "passage-too-narrow",
        Warning,
        "A passage is a little too narrow for a wider agent.",
        "Widen it by what is said, or make it clearly narrower if the agent is to be kept out.",
    ),
    Rule::new(
        "path-longer",
        Warning,
        "A way of `must_reach` is longer than in the baseline, by more than the share `length_tolerance`.",
        "Take back what stands in the way since, or make the baseline anew if the longer way is meant.",
    ),
    Rule::new(
        "path-too-long",
        Error,
        "The way between two places is longer than the config allows.",
        "Open a shorter way, or raise `most`.",
    ),
    Rule::new(
        "polygons-over-budget",
        Error,
        "The navmeshes have more polygons than `max_polygons`.",
        "Raise `height_error` or `min_region`, leave detail out with role `ignored`, or raise the budget.",
    ),
    Rule::new(
        "seed-off-mesh",
        Error,
        "A seed of the config has no ground under it.",
        "Move the seed onto ground.",
    ),
    Rule::new(
        "sliver",
        Note,
        "A polygon of the navmesh is long and hardly wider than a line.",
        "Nothing as a rule; many of them in one place speak of vertices that nearly meet in the level.",
    ),
    Rule::new(
        "slope-margin",
        Note,
        "Ground is left out because it is a little steeper than the agent's slope.",
        "Flatten it, or raise the agent's `slope`.",
    ),
    Rule::new(
        "t-junction",
        Note,
        "A vertex of ground lies on an edge of other ground that does not end there.",
        "Cut the long edge at the vertex in the level's editor.",
    ),
    Rule::new(
        "tables-over-budget",
        Error,
        "The tables in the navmesh file are larger than `max_table_bytes`.",
        "Give `tables.budget` a size, or raise the budget.",
    ),
    Rule::new(
        "unknown-area",
        Warning,
        "The level names an area that the config does not know.",
        "Correct the name in the level, or add an `[[area]]` of that name.",
    ),
    Rule::new(
        "unreachable",
        Error,
        "There is no way between two places that must be connected.",
        "Open the way where it breaks off; `navbake explain` says why the ground there is not walkable.",
    ),
];

/// The tables of all rules: those of a check, of a diff and of an audit; each by code.
const TABLES: [&[Rule]; 3] = [RULES, crate::diff::RULES, crate::audit::RULES];

/// Every rule of a check, a diff or an audit.
pub(crate) fn all() -> impl Iterator<Item = &'static Rule> {
    TABLES.into_iter().flatten()
}

/// The rule of a code.
pub fn rule(code: &str) -> Option<&'static Rule> {
    TABLES.into_iter().find_map(|rules| {
        let place = rules.binary_search_by(|r| r.code.cmp(code)).ok()?;
        rules.get(place)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_stand_in_the_order_of_their_codes_and_say_what_helps() {
        for rules in TABLES {
            assert!(rules.windows(2).all(|w| w[0].code < w[1].code));
        }
        for rule in all() {
            let sound = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(rule.code.chars().all(sound), "{}", rule.code);
            assert!(
                rule.finds.ends_with('.') && rule.cure.ends_with('.'),
                "{}",
                rule.code
            );
            assert_eq!(super::rule(rule.code), Some(rule));
        }
    }
}
