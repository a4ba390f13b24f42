//! Diagnostics of the bake about the level, which cannot be derived from a navmesh.

use navbake_format::{Diagnostic, DiagnosticKind, Findings};

use navbake_bake::Config;

use super::found::Found;
use crate::subject::called;
use crate::{Finding, Rule, Settings, Severity, Subject};

/// The rules of this file.
pub(super) const RULES: &[Rule] = &[
    Rule {
        code: "crack",
        severity: Severity::Note,
        finds: "Two open edges of ground face each other at most 5 cm apart.",
        cure: "Weld the vertices of both sides.",
        options: &[],
        run: Some(noticed),
    },
    Rule {
        code: "degenerate-triangles",
        severity: Severity::Note,
        finds: "Triangles without area were left out.",
        cure: "Dissolve degenerate faces; look for parts scaled to zero.",
        options: &[],
        run: None,
    },
    Rule {
        code: "duplicate-triangles",
        severity: Severity::Note,
        finds: "Triangles occur twice in one part.",
        cure: "Delete one copy.",
        options: &[],
        run: None,
    },
    Rule {
        code: "head-room-margin",
        severity: Severity::Note,
        finds: "Ground was left out because its head room is up to `height_margin` too low.",
        cure: "Raise the ceiling, or lower the agent's `height`.",
        options: &["height_margin"],
        run: None,
    },
    Rule {
        code: "island-dropped",
        severity: Severity::Note,
        finds: "An island smaller than `min_region` was left out.",
        cure: "Lower `min_region`, or put a marker on the island.",
        options: &[],
        run: None,
    },
    Rule {
        code: "island-without-seed",
        severity: Severity::Note,
        finds: "An island was left out because no seed reaches it.",
        cure: "Add a seed or connect the island, unless it is meant to be left out.",
        options: &[],
        run: None,
    },
    Rule {
        code: "ledge-without-railing",
        severity: Severity::Note,
        finds: "Ground ends over a drop deeper than `ledge_drop` without a railing or a link down.",
        cure: "Add a railing higher than the agent's climb or a link down, or raise `ledge_drop`.",
        options: &["ledge_drop"],
        run: None,
    },
    Rule {
        code: "link-off-mesh",
        severity: Severity::Error,
        finds: "A link starts or ends off the ground and is left out for the agent.",
        cure: "Move the end of the link onto ground.",
        options: &[],
        run: None,
    },
    Rule {
        code: "non-manifold-edge",
        severity: Severity::Note,
        finds: "More than two triangles of ground share an edge.",
        cure: "Delete the extra faces, usually inner walls or doubled floors.",
        options: &[],
        run: None,
    },
    Rule {
        code: "overlapping-ground",
        severity: Severity::Note,
        finds: "Two faces of ground overlap at the same height.",
        cure: "Delete one: which one is visible and whose area counts is undefined.",
        options: &[],
        run: None,
    },
    Rule {
        code: "passage-closed",
        severity: Severity::Warning,
        finds: "A passage is as wide as the agent, within a centimetre, and closed.",
        cure: "Widen it by a centimetre or two, or lower the agent's `radius`.",
        options: &[],
        run: None,
    },
    Rule {
        code: "seed-off-mesh",
        severity: Severity::Error,
        finds: "A seed of the config has no ground below it.",
        cure: "Move the seed onto ground.",
        options: &[],
        run: None,
    },
    Rule {
        code: "slope-margin",
        severity: Severity::Note,
        finds: "Ground was left out because it is up to `slope_margin` too steep.",
        cure: "Flatten it, or raise the agent's `slope`.",
        options: &["slope_margin"],
        run: None,
    },
    Rule {
        code: "t-junction",
        severity: Severity::Note,
        finds: "A vertex of ground that the navmesh covers is on an open edge of other ground.",
        cure: "Split the edge at the vertex.",
        options: &[],
        run: None,
    },
    Rule {
        code: "unknown-area",
        severity: Severity::Warning,
        finds: "The level names an area that the config does not have.",
        cure: "Correct the name in the level, or add an `[[area]]` of that name.",
        options: &[],
        run: None,
    },
];

/// Rules that use diagnostics of the bake.
const KINDS: [(DiagnosticKind, &str); 15] = [
    (DiagnosticKind::DegenerateTriangles, "degenerate-triangles"),
    (DiagnosticKind::DuplicateTriangles, "duplicate-triangles"),
    (DiagnosticKind::NonManifoldEdge, "non-manifold-edge"),
    (DiagnosticKind::Crack, "crack"),
    (DiagnosticKind::TJunction, "t-junction"),
    (DiagnosticKind::OverlappingGround, "overlapping-ground"),
    (DiagnosticKind::UnknownArea, "unknown-area"),
    (DiagnosticKind::SmallIsland, "island-dropped"),
    (DiagnosticKind::UnseededIsland, "island-without-seed"),
    (DiagnosticKind::SlopeMargin, "slope-margin"),
    (DiagnosticKind::HeadRoomMargin, "head-room-margin"),
    (DiagnosticKind::LinkOffMesh, "link-off-mesh"),
    (DiagnosticKind::SeedOffMesh, "seed-off-mesh"),
    (DiagnosticKind::Ledge, LEDGE),
    (DiagnosticKind::NarrowPassage, "passage-closed"),
];

/// Ground this near to a T-junction, m, besides the agent's radius, has it.
const BESIDE: f64 = 0.1;

const LEDGE: &str = "ledge-without-railing";

pub(super) fn noticed(subject: &Subject<'_>, settings: &Settings, found: &mut Found) {
    let findings = subject.blob.findings();
    for (kind, rule) in KINDS {
        if kind == DiagnosticKind::Ledge && settings.check.ledge_drop.is_none() {
            continue;
        }
        match &findings {
            None => found.not_run(
                rule,
                "no diagnostics in the blob: bake it with `findings = true` and without --no-diagnostics",
            ),
            Some(known) if kind == DiagnosticKind::Ledge && known.looked_for(kind) => {
                shallow(subject, settings, found);
            }
            Some(known) if kind == DiagnosticKind::Ledge && !is_map(known) => {
                found.not_run(rule, "not looked for: bake it with `check.ledge_drop` in the config");
            }
            Some(known) if !known.looked_for(kind) => {
                let why = match subject.blob.grid_map().is_some() {
                    true => "not looked for: a grid map has no triangles",
                    false => "not looked for: the level is too large, or has too many edges in one place",
                };
                found.not_run(rule, why);
            }
            Some(_) => {}
        }
    }
    for noticed in findings.iter().flat_map(|known| known.iter()) {
        let rule = KINDS.iter().find(|(kind, _)| *kind == noticed.kind);
        if let Some(&(_, rule)) = rule
            && is_asked(settings, &noticed)
            && (noticed.kind != DiagnosticKind::TJunction || is_on_ground(subject, noticed.at))
        {
            found.add(finding(subject, rule, &noticed));
        }
    }
}

/// Is the level a grid map? The bake searches all other levels for cracks.
fn is_map(known: &Findings<'_>) -> bool {
    !known.looked_for(DiagnosticKind::Crack)
}

/// Reports the rule as not run if the bake searched only for deeper ledges.
fn shallow(subject: &Subject<'_>, settings: &Settings, found: &mut Found) {
    let baked = Config::from_brief(subject.blob.config()).ok();
    let baked = baked.and_then(|config| config.check.ledge_drop);
    if let (Some(baked), Some(asked)) = (baked, settings.check.ledge_drop)
        && asked < baked
    {
        found.not_run(
            LEDGE,
            format!("only drops of more than {baked} m were looked for: bake it with `check.ledge_drop = {asked}` in the config"),
        );
    }
}

/// Is a ledge deeper than requested? A depth of 0 means that nothing is below.
fn is_asked(settings: &Settings, noticed: &Diagnostic<'_>) -> bool {
    let deep = f64::from(noticed.value);
    match (noticed.kind, settings.check.ledge_drop) {
        (DiagnosticKind::Ledge, Some(asked)) => deep == 0.0 || deep > asked,
        (DiagnosticKind::Ledge, None) => false,
        _ => true,
    }
}

/// Is the navmesh of an agent at a place, or as near as its radius keeps it?
fn is_on_ground(subject: &Subject<'_>, at: [f64; 3]) -> bool {
    subject.of_meshes().any(|walker| {
        let beside = 1.5 * walker.agent.radius + BESIDE;
        let extents = [beside, walker.agent.climb.max(BESIDE), beside];
        walker.query().nearest(at, extents).is_some()
    })
}

fn finding(subject: &Subject<'_>, rule: &'static str, n: &Diagnostic<'_>) -> Finding {
    // The file stores these as 32-bit numbers.
    let [value, limit] = [n.value, n.limit].map(|v| (f64::from(v) * 1000.0).round() / 1000.0);
    let ground = f64::from(n.count) / 100.0;
    let long = ground;
    let called = called(n.name);
    let many = |what: &str, each: &str| match n.count {
        1 => format!("a triangle {each}"),
        count => format!("{count} triangles {what}"),
    };
    let (message, figures): (String, &[(&'static str, f64)]) = match n.kind {
        DiagnosticKind::DegenerateTriangles => {
            (many("have no area; this is the first", "has no area"), &[("count", n.count.into())])
        }
        DiagnosticKind::DuplicateTriangles => {
            (many("occur twice; this is the first", "occurs twice"), &[("count", n.count.into())])
        }
        DiagnosticKind::NonManifoldEdge => {
            (format!("{value} triangles of ground share an edge"), &[("triangles", value)])
        }
        DiagnosticKind::Crack => (
            format!("two open edges of ground face each other, {:.0} mm apart", value * 1000.0),
            &[("gap_m", value)],
        ),
        DiagnosticKind::TJunction => ("a vertex is on an open edge of other ground".into(), &[]),
        DiagnosticKind::OverlappingGround => (
            format!("two faces of ground overlap at one height on about {value:.1} m2"),
            &[("area_m2", value)],
        ),
        DiagnosticKind::UnknownArea => {
            (format!("the level names an area{called} that the config does not have"), &[])
        }
        DiagnosticKind::SmallIsland => (
            format!("an island of {value:.2} m2 was left out: `min_region` is {limit} m2"),
            &[("area_m2", value), ("least_m2", limit)],
        ),
        DiagnosticKind::UnseededIsland => (
            format!("an island of {value:.2} m2 was left out: no seed reaches it"),
            &[("area_m2", value)],
        ),
        DiagnosticKind::SlopeMargin => (
            format!("{ground:.1} m2 of ground left out: slope {value:.2} of {limit} degrees"),
            &[("slope_degrees", value), ("most_degrees", limit), ("area_m2", ground)],
        ),
        DiagnosticKind::HeadRoomMargin => (
            format!(
                "about {ground:.1} m2 of ground left out: head room {value:.2} of {limit:.2} m"
            ),
            &[("head_room_m", value), ("wanted_m", limit), ("area_m2", ground)],
        ),
        DiagnosticKind::LinkOffMesh => {
            (format!("the link{called} has no ground at this end and is left out"), &[])
        }
        DiagnosticKind::SeedOffMesh => {
            ("the seed has no ground below it and has no effect".into(), &[])
        }
        DiagnosticKind::Ledge if value == 0.0 => (
            format!("{long:.1} m of ground end without a railing above nothing"),
            &[("length_m", long)],
        ),
        DiagnosticKind::Ledge => (
            format!(
                "{long:.1} m of ground end without a railing above a drop of up to {value:.2} m; `ledge_drop` is {limit} m"
            ),
            &[("drop_m", value), ("length_m", long)],
        ),
        DiagnosticKind::NarrowPassage => (
            format!("a passage of {value:.2} m is closed: the agent needs more than {limit:.2} m"),
            &[("width_m", value), ("wanted_m", limit)],
        ),
        _ => ("a diagnostic of a later version".into(), &[]),
    };
    let mut finding = Finding::new(rule, message).at(n.at);
    if let Some(class) = n.class {
        let agent = subject.blob.agents().find(|a| a.class == class);
        finding.agent = agent.map(|a| a.name.to_owned());
    }
    if !n.name.is_empty() {
        finding = finding.named(n.name);
    }
    for &(name, value) in figures {
        finding = finding.figure(name, value);
    }
    finding
}
