use navbake_bake::Options;
use navbake_format::Blob;

use super::*;
use crate::Severity;
use crate::explain::Quads;

fn halls() -> Quads {
    Quads::default()
        .floor("floor", [-10.0, -10.0], [10.0, 10.0], 0.0)
        .marker("red", [-5.0, 0.0, 0.0])
        .marker("blue", [5.0, 0.0, 0.0])
}

/// A wall across the floor, with a gap of some width in the middle.
fn walled(gap: f64) -> Quads {
    halls().block("wall", [-0.1, 0.0, -10.0], [0.1, 3.0, -gap / 2.0]).block(
        "wall",
        [-0.1, 0.0, gap / 2.0],
        [0.1, 3.0, 10.0],
    )
}

fn bake(level: Quads, config: &str) -> Vec<u8> {
    level.job(config).bake(&Options::default()).unwrap().bytes
}

fn compare(old: &[u8], new: &[u8]) -> Diff {
    let [old, new] = [old, new].map(|b| Blob::open_checked(b).unwrap());
    let settings = DiffSettings::default();
    let found = diff(&old, &new, &settings);
    assert_eq!(found, diff(&old, &new, &settings));
    found
}

fn codes(found: &Diff) -> Vec<&str> {
    let mut codes: Vec<&str> = found.findings.iter().map(|f| f.rule).collect();
    codes.dedup();
    codes
}

#[test]
fn a_bake_does_not_differ_from_itself() {
    let bytes = bake(walled(3.0), "");
    let found = compare(&bytes, &bytes);
    assert!(found.same_input && found.findings.is_empty(), "{found:?}");
    assert_eq!((found.agents[0].gained_m2, found.agents[0].lost_m2), (0.0, 0.0));
    assert!(found.text().ends_with("no changes\n"));
}

#[test]
fn a_gate_that_was_walled_up_parts_the_level() {
    let (open, shut) = (bake(walled(3.0), ""), bake(walled(0.0), ""));
    let found = compare(&open, &shut);
    assert_eq!(codes(&found), ["way-lost", "ground-lost", "island-split"]);
    let lost = found.findings.iter().find(|f| f.rule == "ground-lost").unwrap();
    // A strip of 1.4 m across a gate with 1.8 m of ground, and a little more beside the rounded
    // ends of the wall.
    let area = lost.figures[0].value;
    assert!(area > 2.4 && area < 2.9, "{lost:?}");
    assert!(lost.place.unwrap().iter().all(|c| c.abs() < 0.8), "{lost:?}");
    let way = &found.findings[0];
    assert_eq!(
        (way.severity, &way.names[..]),
        (Severity::Error, &["blue".to_string(), "red".into()][..])
    );
    let back = compare(&shut, &open);
    assert_eq!(codes(&back), ["ground-gained", "island-merged", "way-new"]);
    let area = |d: &Diff| (d.agents[0].gained_m2, d.agents[0].lost_m2);
    assert_eq!(area(&found), (area(&back).1, area(&back).0));
}

#[test]
fn one_break_is_one_lost_way_however_many_markers_it_parts() {
    let marked = |mut level: Quads| {
        for k in 0..3 {
            let z = f64::from(k) * 2.0 - 4.0;
            level = level.marker(&format!("west{k}"), [-5.0, 0.0, z]);
            level = level.marker(&format!("east{k}"), [5.0, 0.0, z]);
        }
        level
    };
    let open = bake(marked(walled(3.0)), "");
    let shut = bake(marked(walled(0.0)), "");
    let all = |old, new, rule: &str| -> Vec<String> {
        let found = compare(old, new).findings;
        found.into_iter().filter(|f| f.rule == rule).map(|f| f.message).collect()
    };
    // Four markers on each side.
    let lost = all(&open, &shut, "way-lost");
    assert_eq!(lost.len(), 1, "{lost:?}");
    assert!(lost[0].ends_with("no path any more (and for 15 other pairs of markers)"), "{lost:?}");
    let back = all(&shut, &open, "way-new");
    assert_eq!(back.len(), 1, "{back:?}");
    // Two walls part three strips: two breaks.
    let aside = |level: Quads, gap: f64| {
        level.block("wall", [-7.1, 0.0, -10.0], [-6.9, 3.0, -gap]).marker("far", [-9.0, 0.0, 0.0])
    };
    let open = bake(aside(marked(walled(3.0)), 3.0), "");
    let shut = bake(aside(marked(walled(0.0)), -10.0), "");
    assert_eq!(all(&open, &shut, "way-lost").len(), 2);
}

#[test]
fn a_longer_way_is_reported_with_both_lengths() {
    let found = compare(&bake(halls(), ""), &bake(walled_aside(), ""));
    let way = found.findings.iter().find(|f| f.rule == "way-longer").unwrap();
    let figure = |name: &str| way.figures.iter().find(|f| f.name == name).unwrap().value;
    assert!((figure("was_m") - 10.0).abs() < 0.01, "{way:?}");
    assert!(figure("length_m") > 15.0, "{way:?}");
}

/// A wall that leaves a path at one end.
fn walled_aside() -> Quads {
    halls().block("wall", [-0.1, 0.0, -10.0], [0.1, 3.0, 7.0])
}

#[test]
fn ground_above_other_ground_is_distinguished() {
    let bridge = || halls().block("bridge", [-2.0, 3.0, -2.0], [2.0, 3.2, 2.0]);
    let found = compare(&bake(halls(), ""), &bake(bridge(), ""));
    assert_eq!(codes(&found), ["ground-gained", "island-new"], "{found:?}");
    let gained = &found.findings[0];
    assert!((gained.place.unwrap()[1] - 3.2).abs() < 0.01, "{gained:?}");
    assert!((gained.figures[0].value - 2.8 * 2.8).abs() < 0.1, "{gained:?}");
    assert!(found.agents[0].lost_m2 < 0.01);
}

#[test]
fn agents_and_markers_that_come_and_go_are_reported() {
    let two = "[[agent]]\nname = \"cat\"\n[[agent]]\nname = \"dog\"\nradius = 0.8\n";
    let one = "[[agent]]\nname = \"cat\"\nheight = 1.9\n";
    let old = bake(halls(), two);
    let new = bake(halls().marker("green", [2.0, 0.0, 2.0]), one);
    let found = compare(&old, &new);
    assert_eq!(codes(&found), ["agent-lost", "agent-changed", "marker-new"]);
    let message = &found.findings[1].message;
    assert_eq!(message, "the agent has height 1.9 instead of 2 m");
}

#[test]
fn the_picture_shows_what_the_numbers_say() {
    let (open, shut) = (bake(walled(3.0), ""), bake(walled(0.0), ""));
    let [old, new] = [&open, &shut].map(|b| Blob::open_checked(b).unwrap());
    let found = diff(&old, &new, &DiffSettings::default());
    let svg = found.svg(&old, &new, "default").unwrap();
    assert!(svg.contains("class=\"lost\"") && !svg.contains("class=\"gained\""));
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    assert_eq!(found.svg(&old, &new, "nobody"), None);
}
