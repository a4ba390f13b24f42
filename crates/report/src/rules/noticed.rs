//! What the baker noticed about the level, which a navmesh alone does not show.

use navbake_format::{Diagnostic, DiagnosticKind, Findings};

use navbake_bake::Config;

use super::Found;
use crate::{Finding, Settings, Subject};

/// Rules that rest on what the baker noticed.
const RULES: [(DiagnosticKind, &str); 14] = [
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
];

const LEDGE: &str = "ledge-without-railing";

pub(super) fn noticed(subject: &Subject<'_>, settings: &Settings, found: &mut Found) {
    let findings = subject.blob.findings();
    for (kind, rule) in RULES {
        if kind == DiagnosticKind::Ledge && settings.check.ledge_drop.is_none() {
            continue;
        }
        match &findings {
            None => found.not_run(
                rule,
                "the file does not say what the baker noticed: bake it with `findings = true` and without --strip",
            ),
            Some(known) if kind == DiagnosticKind::Ledge && known.looked_for(kind) => {
                shallow(subject, settings, found);
            }
            Some(known) if kind == DiagnosticKind::Ledge && !is_map(known) => {
                found.not_run(rule, "the baker did not look for it: bake it with `check.ledge_drop` in the config");
            }
            Some(known) if !known.looked_for(kind) => {
                found.not_run(rule, "the baker did not look for it: a grid map has no triangles, and a level can be too large for it");
            }
            Some(_) => {}
        }
    }
    for noticed in findings.iter().flat_map(|known| known.iter()) {
        let rule = RULES.iter().find(|(kind, _)| *kind == noticed.kind);
        if let Some(&(_, rule)) = rule
            && is_asked(settings, &noticed)
        {
            found.add(finding(subject, rule, &noticed));
        }
    }
}

/// The baker looks for cracks in every level, and in no grid map.
fn is_map(known: &Findings<'_>) -> bool {
    !known.looked_for(DiagnosticKind::Crack)
}

/// Says so when ledges were looked for that are deeper than those that are asked for.
fn shallow(subject: &Subject<'_>, settings: &Settings, found: &mut Found) {
    let baked = Config::from_brief(subject.blob.config()).ok();
    let baked = baked.and_then(|config| config.check.ledge_drop);
    if let (Some(baked), Some(asked)) = (baked, settings.check.ledge_drop)
        && asked < baked
    {
        found.not_run(
            LEDGE,
            format!("the baker looked for drops of more than {baked} m alone: bake it with `check.ledge_drop = {asked}` in the config"),
        );
    }
}

/// Is a ledge as deep as is asked for?
fn is_asked(settings: &Settings, noticed: &Diagnostic<'_>) -> bool {
    let deep = f64::from(noticed.value);
    match (noticed.kind, settings.check.ledge_drop) {
        (DiagnosticKind::Ledge, Some(asked)) => deep == 0.0 || deep > asked,
        (DiagnosticKind::Ledge, None) => false,
        _ => true,
    }
}

fn finding(subject: &Subject<'_>, rule: &'static str, n: &Diagnostic<'_>) -> Finding {
    // As told by the file, in numbers of 32 bits.
    let [value, limit] = [n.value, n.limit].map(|v| (f64::from(v) * 1000.0).round() / 1000.0);
    let ground = f64::from(n.count) / 100.0;
    let long = ground;
    let called = match n.name {
        "" => String::new(),
        name => format!(" `{name}`"),
    };
    let many = |what: &str, each: &str| match n.count {
        1 => format!("a triangle {each}"),
        count => format!("{count} triangles {what}"),
    };
    let (message, figures): (String, &[(&'static str, f64)]) = match n.kind {
        DiagnosticKind::DegenerateTriangles => (
            many("have no area; this is the first", "has no area"),
            &[("count", n.count.into())],
        ),
        DiagnosticKind::DuplicateTriangles => (
            many("stand twice; this is the first", "stands twice"),
            &[("count", n.count.into())],
        ),
        DiagnosticKind::NonManifoldEdge => (
            format!("{value} triangles of ground share an edge"),
            &[("triangles", value)],
        ),
        DiagnosticKind::Crack => (
            format!(
                "two edges of ground run side by side, {:.0} mm apart",
                value * 1000.0
            ),
            &[("gap_m", value)],
        ),
        DiagnosticKind::TJunction => (
            "a vertex lies on an edge of other ground that goes on".into(),
            &[],
        ),
        DiagnosticKind::OverlappingGround => (
            format!("two faces of ground lie at one height over about {value:.1} m2"),
            &[("area_m2", value)],
        ),
        DiagnosticKind::UnknownArea => (
            format!("the level names an area{called} that the config does not have"),
            &[],
        ),
        DiagnosticKind::SmallIsland => (
            format!("an island of {value:.2} m2 was left out: `min_region` is {limit} m2"),
            &[("area_m2", value), ("least_m2", limit)],
        ),
        DiagnosticKind::UnseededIsland => (
            format!("an island of {value:.2} m2 was left out: no seed reaches it"),
            &[("area_m2", value)],
        ),
        DiagnosticKind::SlopeMargin => (
            format!("{ground:.1} m2 of ground are left out: {value:.2} of {limit} degrees"),
            &[
                ("slope_degrees", value),
                ("most_degrees", limit),
                ("area_m2", ground),
            ],
        ),
        DiagnosticKind::HeadRoomMargin => (
            format!(
                "about {ground:.1} m2 of ground are left out: head room {value:.2} of {limit:.2} m"
            ),
            &[
                ("head_room_m", value),
                ("wanted_m", limit),
                ("area_m2", ground),
            ],
        ),
        DiagnosticKind::LinkOffMesh => (
            format!("the link{called} has no ground at this end and is left out"),
            &[],
        ),
        DiagnosticKind::SeedOffMesh => (
            "the seed has no ground under it and keeps nothing".into(),
            &[],
        ),
        DiagnosticKind::Ledge if value == 0.0 => (
            format!("{long:.1} m of ground end without a railing, and nothing lies below"),
            &[("length_m", long)],
        ),
        DiagnosticKind::Ledge => (
            format!(
                "{long:.1} m of ground end without a railing over a drop of up to {value:.2} m; more than {limit} m is told"
            ),
            &[("drop_m", value), ("length_m", long)],
        ),
        _ => ("something of a later version".into(), &[]),
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
