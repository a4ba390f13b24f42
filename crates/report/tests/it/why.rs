//! Why ground is cut off: a level for each cause, found once, at its place, with its object.

use crate::support::Level;
use navbake_level::{Given, Part};
use navbake_report::{Finding, Report, Severity};

pub(crate) const GUARD: &str = "[[agent]]\nradius = 0.4\nheight = 1.9\nclimb = 0.45\n";

/// A cause, a level with it, where it is and what is guilty.
pub(crate) struct Cause {
    pub(crate) rule: &'static str,
    level: Level,
    config: String,
    place: [f64; 3],
    object: &'static str,
    /// A part of the message: the figures.
    says: &'static str,
}

fn cause(
    rule: &'static str,
    level: Level,
    place: [f64; 3],
    object: &'static str,
    says: &'static str,
) -> Cause {
    let config = format!("{GUARD}[check]\nmust_reach = [[\"a\", \"b\"]]\n");
    Cause { rule, level, config, place, object, says }
}

/// The hall with a wall across it, which has a doorway, and the marker `b` behind it.
fn doorway(width: f64) -> Level {
    let mut level = Level::hall();
    let half = width / 2.0;
    level.marker("b", [18.0, 0.0, 5.0]);
    level.object("Wall_a");
    level.block([9.9, 0.0, 0.0], [10.1, 3.0, 5.0 - half]);
    level.object("Wall_b");
    level.block([9.9, 0.0, 5.0 + half], [10.1, 3.0, 10.0]);
    level
}

/// Floors at both sides of a strip of ground from x to x.
pub(crate) fn strip(from: f64, to: f64, add: impl FnOnce(&mut Level)) -> Level {
    let mut level = Level::new();
    level.marker("a", [2.0, 0.0, 1.5]);
    level.marker("b", [18.0, 0.0, 1.5]);
    level.object("West");
    level.floor([0.0, 0.0], [from, 3.0], 0.0);
    level.object("East");
    level.floor([to, 0.0], [20.0, 3.0], 0.0);
    add(&mut level);
    level
}

fn with(mut level: Level, add: impl FnOnce(&mut Level)) -> Level {
    add(&mut level);
    level
}

/// A hall with a podium at its end, and the marker `b` on it.
fn podium(high: f64, add: impl FnOnce(&mut Level)) -> Level {
    let mut level = Level::hall();
    level.marker("b", [18.0, high, 5.0]);
    level.object("Podium");
    level.block([16.0, 0.0, 0.0], [20.0, high, 10.0]);
    add(&mut level);
    level
}

pub(crate) fn causes() -> Vec<Cause> {
    let on_ground = format!("{GUARD}[check]\non_ground = [\"b\"]\n");
    let starts = format!("{GUARD}[check]\nstarts = [\"a\"]\n");
    let ramp = |level: &mut Level| {
        level.object("Ramp");
        let z = [4.0, 6.0];
        let (low, high) = ([14.2, 0.0], [16.0, 2.0]);
        let at = |[x, y]: [f64; 2], k: usize| [x, y, z[k]];
        level.quad([at(low, 0), at(low, 1), at(high, 1), at(high, 0)]);
    };
    vec![
        cause(
            "blocked-by-width",
            doorway(0.75),
            [10.0, 0.0, 5.0],
            "Wall_",
            "passage 0.75 m wide, the agent needs 0.80 m: 5 cm too narrow",
        ),
        cause(
            "blocked-by-head-room",
            with(doorway(1.5), |level| {
                level.object("Lintel");
                level.block([9.9, 1.85, 4.2], [10.1, 3.0, 5.8]);
            }),
            [10.0, 0.0, 5.0],
            "Lintel",
            "head room 1.85 of 1.90 m",
        ),
        cause(
            "blocked-by-prop",
            with(doorway(1.5), |level| {
                level.object("Crate");
                level.block([9.7, 0.0, 4.7], [10.3, 1.2, 5.3]);
            }),
            [10.0, 0.0, 5.0],
            "Crate",
            "an obstacle leaves a passage 0.45 m wide",
        ),
        // A wall is thinner, but a prop is what one moves.
        cause(
            "blocked-by-prop",
            with(doorway(1.0), |level| {
                level.object("Leaf");
                level.block([9.97, 0.01, 4.51], [10.03, 2.4, 5.49]);
            }),
            [10.0, 0.0, 5.0],
            "Leaf",
            "an obstacle",
        ),
        cause(
            "blocked-by-prop",
            with(doorway(1.2), |level| {
                level.object("Shelf");
                level.block([10.12, 0.0, 3.8], [10.5, 1.8, 6.2]);
            }),
            [10.3, 0.0, 5.0],
            "Shelf",
            "an obstacle",
        ),
        cause(
            "blocked-by-wall",
            with(Level::hall(), |level| {
                level.marker("b", [18.0, 0.0, 5.0]);
                level.object("Wall_c");
                level.block([9.8, 0.0, 0.0], [10.2, 3.0, 10.0]);
            }),
            [18.0, 0.0, 5.0],
            "Wall_c",
            "a wall without an opening",
        ),
        cause(
            "blocked-by-step",
            podium(0.5, |_| {}),
            [16.0, 0.0, 5.0],
            "Podium",
            "step of 0.50 m above climb 0.45",
        ),
        cause(
            "blocked-by-slope",
            podium(2.0, ramp),
            [15.1, 1.0, 5.0],
            "Ramp",
            "slope 48.0 of 45.0 degrees",
        ),
        cause("blocked-by-gap", strip(9.8, 10.2, |_| {}), [10.0, 0.0, 1.5], "West", "gap 0.40 m"),
        cause(
            "floor-missing",
            strip(8.5, 11.5, |_| {}),
            [10.0, 0.0, 1.5],
            "West",
            "no floor for 3.00 m",
        ),
        cause(
            "floor-faces-down",
            strip(9.0, 11.0, |level| {
                level.object("Deck");
                level.quad([[9.0, 0.0, 0.0], [11.0, 0.0, 0.0], [11.0, 0.0, 3.0], [9.0, 0.0, 3.0]]);
            }),
            [10.0, 0.0, 1.5],
            "Deck",
            "faces down",
        ),
        Cause {
            config: format!(
                "{GUARD}[[area]]\nname = \"lava\"\n[weights.units]\n\"*\" = {{ lava = \"x\" }}\n\
                 [check]\nmust_reach = [[\"a\", \"b\"]]\n"
            ),
            ..cause(
                "blocked-by-area",
                strip(9.0, 11.0, |level| {
                    let area = Some("lava".into());
                    let given = Given { area, ..Given::default() };
                    level.part(Part { node: "Lava".into(), given, ..Part::default() });
                    level.floor([9.0, 0.0], [11.0, 3.0], 0.0);
                }),
                [10.0, 0.0, 1.5],
                "Lava",
                "`lava`",
            )
        },
        Cause {
            config: format!(
                "{GUARD}[[switch]]\nname = \"gate\"\nclosed = true\n[check]\n\
                 must_reach = [[\"a\", \"b\"]]\n"
            ),
            ..cause(
                "blocked-by-switch",
                strip(9.0, 11.0, |level| {
                    let switch = Some("gate".into());
                    let given = Given { switch, ..Given::default() };
                    level.part(Part { node: "Gate".into(), given, ..Part::default() });
                    level.floor([9.0, 0.0], [11.0, 3.0], 0.0);
                }),
                [10.0, 0.0, 1.5],
                "Gate",
                "closed switch `gate`",
            )
        },
        Cause {
            config: on_ground.clone(),
            ..cause(
                "marker-in-air",
                with(Level::new(), |level| {
                    level.object("Hall");
                    level.floor([0.0, 0.0], [20.0, 10.0], 0.0);
                    level.marker("b", [10.0, 2.5, 5.0]);
                }),
                [10.0, 2.5, 5.0],
                "Hall",
                "2.50 m above `Hall`",
            )
        },
        Cause {
            config: on_ground,
            ..cause(
                "marker-in-solid",
                with(Level::hall(), |level| {
                    level.object("Crate");
                    level.block([9.0, 0.0, 4.0], [10.0, 1.0, 5.0]);
                    level.marker("b", [9.5, 0.0, 4.5]);
                }),
                [9.5, 0.0, 4.5],
                "Crate",
                "1.00 m below its top",
            )
        },
        Cause {
            config: starts.clone(),
            ..cause(
                "ground-in-solid",
                with(Level::hall(), |level| {
                    level.object("House");
                    level.block([8.0, 0.0, 2.0], [14.0, 3.0, 8.0]);
                }),
                [11.0, 0.0, 5.0],
                "House",
                "inside `House`",
            )
        },
        Cause {
            config: starts,
            ..cause(
                "ground-on-top",
                with(Level::hall(), |level| {
                    level.object("House");
                    level.block([8.0, 0.0, 2.0], [14.0, 3.0, 8.0]);
                }),
                [11.0, 3.0, 5.0],
                "House",
                "on top of `House`",
            )
        },
    ]
    .into_iter()
    .chain(shortcuts())
    .collect()
}

/// Flaws that cut nothing off, as another path leads around.
fn shortcuts() -> [Cause; 3] {
    let starts = format!("{GUARD}[check]\nstarts = [\"a\"]\n");
    [
        Cause {
            config: starts.clone(),
            ..cause(
                "gap-margin",
                strip(9.85, 10.15, |level| {
                    level.object("Around");
                    level.floor([0.0, 3.0], [3.0, 12.0], 0.0);
                    level.floor([3.0, 9.0], [17.0, 12.0], 0.0);
                    level.floor([17.0, 3.0], [20.0, 12.0], 0.0);
                }),
                [10.0, 0.0, 1.5],
                "West",
                "gap 0.30 m",
            )
        },
        Cause {
            config: starts.clone(),
            ..cause(
                "step-margin",
                with(Level::new(), |level| {
                    level.marker("a", [2.0, 0.0, 1.5]);
                    level.object("West");
                    level.floor([0.0, 0.0], [10.0, 3.0], 0.0);
                    level.floor([0.0, 3.0], [3.0, 12.0], 0.0);
                    let (low, high) = ([3.0, 0.0], [17.0, 0.5]);
                    let at = |[x, y]: [f64; 2], z: f64| [x, y, z];
                    level.quad([at(low, 9.0), at(low, 12.0), at(high, 12.0), at(high, 9.0)]);
                    level.floor([17.0, 3.0], [20.0, 12.0], 0.5);
                    level.object("Podium");
                    level.block([10.0, 0.0, 0.0], [20.0, 0.5, 3.0]);
                }),
                [10.0, 0.0, 1.5],
                "Podium",
                "step of 0.50 m above climb 0.45",
            )
        },
        Cause {
            config: starts,
            ..cause(
                "prop-in-passage",
                with(Level::hall(), |level| {
                    level.object("Wall_a");
                    level.block([9.9, 0.0, 1.5], [10.1, 3.0, 6.25]);
                    level.object("Wall_b");
                    level.block([9.9, 0.0, 7.75], [10.1, 3.0, 10.0]);
                    level.object("Crate");
                    level.block([9.7, 0.0, 6.7], [10.3, 1.2, 7.3]);
                }),
                [10.0, 0.0, 7.0],
                "Crate",
                "an obstacle leaves a passage 0.45 m wide",
            )
        },
    ]
}

pub(crate) fn away(finding: &Finding, place: [f64; 3]) -> f64 {
    let at = finding.place.unwrap();
    (0..3).map(|k| (at[k] - place[k]).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn each_cause_is_found_once_at_its_place_with_its_object_and_figures() {
    let mut faults = vec![];
    for Cause { rule, level, config, place, object, says } in causes() {
        let report = level.why(&config);
        let own: Vec<&Finding> = report.findings.iter().filter(|f| f.rule == rule).collect();
        let is_right = matches!(own[..], [f] if away(f, place) <= 0.3
            && f.objects.iter().any(|o| o.node.starts_with(object))
            && f.message.contains(says));
        let others =
            report.findings.iter().filter(|f| f.rule != rule && f.severity != Severity::Note);
        if !is_right || others.count() > 0 {
            faults.push(format!("{rule}: {:#?}", report.findings));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_cause_is_told_once_for_all_pairs_and_replaces_what_it_explains() {
    let mut level = doorway(0.7);
    level.marker("c", [17.0, 0.0, 3.0]);
    let asked = "[check]\nmust_reach = [[\"a\", \"b\"], [\"a\", \"c\"]]\n";
    let report = level.why(&format!("{GUARD}{asked}"));
    let errors: Vec<&Finding> =
        report.findings.iter().filter(|f| f.severity != Severity::Note).collect();
    assert_eq!(errors.len(), 1, "{errors:#?}");
    assert_eq!(errors[0].names, ["a", "b", "c"]);
    // Without the level there is a finding for each pair.
    let blind = level.report(&format!("{GUARD}{asked}"));
    assert_eq!(blind.findings.iter().filter(|f| f.rule == "unreachable").count(), 2);
}

#[test]
fn a_room_that_is_cut_off_is_no_top_of_the_slab_it_is_on() {
    let slab = |level: &mut Level, x: [f64; 2], thick: f64| {
        level.object("Slab");
        level.block([x[0], -thick, 0.0], [x[1], 0.0, 10.0]);
    };
    let mut floors = vec![Level::new(); 3];
    slab(&mut floors[0], [0.0, 20.0], 0.2);
    slab(&mut floors[1], [0.0, 20.0], 1.0);
    slab(&mut floors[2], [0.0, 17.0], 1.0);
    slab(&mut floors[2], [17.0, 20.0], 1.0);
    for mut level in floors {
        level.marker("a", [2.0, 0.0, 5.0]);
        level.object("Wall_a");
        level.block([16.9, 0.0, 0.0], [17.1, 4.0, 4.4]);
        level.object("Wall_b");
        level.block([16.9, 0.0, 5.6], [17.1, 4.0, 10.0]);
        level.object("Crate");
        level.block([16.5, 0.0, 4.7], [17.5, 1.2, 5.3]);
        let report = level.why(&format!("{GUARD}[check]\nstarts = [\"a\"]\n"));
        let found: Vec<&Finding> =
            report.findings.iter().filter(|f| f.severity != Severity::Note).collect();
        let is_of_crate = matches!(found[..], [f] if f.rule == "blocked-by-prop"
            && f.message.contains("m2 of ground cannot be reached")
            && f.objects.iter().any(|o| o.node.starts_with("Crate")));
        assert!(is_of_crate, "{found:#?}");
    }
}

#[test]
fn the_top_of_a_duct_is_no_ground_that_anybody_misses() {
    let mut level = Level::hall();
    level.object("Duct");
    level.block([8.0, 2.5, 1.0], [9.4, 2.8, 9.0]);
    let config = "[[agent]]\nradius = 0.2\nheight = 1.9\n[check]\nstarts = [\"a\"]\n";
    let report = level.why(config);
    let of_duct = |f: &&Finding| f.objects.iter().any(|o| o.node.starts_with("Duct"));
    let found: Vec<&Finding> = report.findings.iter().filter(of_duct).collect();
    assert!(matches!(found[..], [f] if f.rule == "ground-on-top"), "{:#?}", report.findings);
    assert!(report.findings.iter().all(|f| f.severity == Severity::Note));
}

#[test]
fn two_causes_in_one_path_are_two_findings() {
    let mut level = doorway(0.7);
    level.object("Step");
    level.block([13.0, 0.0, 0.0], [20.0, 0.6, 10.0]);
    level
        .scene
        .markers
        .iter_mut()
        .for_each(|m| m.position[1] = if m.name == "b" { 0.6 } else { 0.0 });
    let report = level.why(&format!("{GUARD}[check]\nmust_reach = [[\"a\", \"b\"]]\n"));
    let codes: Vec<&str> =
        report.findings.iter().filter(|f| f.severity == Severity::Error).map(|f| f.rule).collect();
    assert_eq!(codes, ["blocked-by-step", "blocked-by-width"], "{:#?}", report.findings);
}

#[test]
fn what_must_not_be_reached_is_no_more_than_a_note() {
    let level = doorway(0.7);
    let asked = "[check]\nstarts = [\"a\"]\nmust_not_reach = [[\"a\", \"b\"]]\n";
    let report = level.why(&format!("{GUARD}{asked}"));
    assert!(report.findings.iter().all(|f| f.severity == Severity::Note), "{:#?}", report.findings);
    assert!(report.findings.iter().any(|f| f.rule == "blocked-by-width"));
}

#[test]
fn the_config_decides_about_the_severity_of_causes() {
    let level = doorway(0.7);
    let asked = "[check]\nmust_reach = [[\"a\", \"b\"]]\n[check.severity]\n";
    let report = level.why(&format!("{GUARD}{asked}blocked-by-width = \"note\"\n"));
    assert!(report.findings.iter().all(|f| f.severity == Severity::Note), "{:#?}", report.findings);
    let off = level.why(&format!("{GUARD}{asked}blocked-by-width = \"off\"\n"));
    assert!(off.findings.iter().any(|f| f.rule == "unreachable"), "{:#?}", off.findings);
}

#[test]
fn a_search_that_must_end_leaves_what_it_has_not_explained() {
    let door = doorway(0.7);
    let config = format!("{GUARD}[check]\nmust_reach = [[\"a\", \"b\"]]\n");
    let rules = |report: Report| report.findings.iter().map(|f| f.rule).collect::<Vec<_>>();
    let ended = rules(door.why_while(&config, &|| false));
    assert!(ended.contains(&"unreachable") && !ended.contains(&"blocked-by-width"), "{ended:?}");
    let whole = rules(door.why(&config));
    assert!(whole.contains(&"blocked-by-width") && !whole.contains(&"unreachable"), "{whole:?}");
}

#[test]
fn a_search_may_end_at_each_question_whether_it_goes_on() {
    let door = doorway(0.7);
    let config = format!("{GUARD}[check]\nmust_reach = [[\"a\", \"b\"]]\n");
    let whole = door.why(&config).findings;
    for most in 0.. {
        let asked = std::cell::Cell::new(0);
        let goes_on = || asked.replace(asked.get() + 1) < most;
        let found = door.why_while(&config, &goes_on).findings;
        let has = |rule: &str| found.iter().any(|f| f.rule == rule);
        assert!(has("unreachable") || has("blocked-by-width"), "{most}: {found:?}");
        if asked.get() <= most {
            assert!(most > 3, "a large level takes long before the first search");
            return assert_eq!(found, whole);
        }
    }
}

#[test]
fn ground_behind_doors_with_causes_has_a_cause_of_its_own() {
    let mut level = Level::hall();
    for x in [5.0, 9.0, 13.0, 17.0] {
        level.object(&format!("Wall_{x}_a"));
        level.block([x - 0.1, 0.0, 0.0], [x + 0.1, 3.0, 4.75]);
        level.object(&format!("Wall_{x}_b"));
        level.block([x - 0.1, 0.0, 5.25], [x + 0.1, 3.0, 10.0]);
    }
    let report = level.why(&format!("{GUARD}[check]\nstarts = [\"a\"]\n"));
    let found = |rule: &str| report.findings.iter().filter(|f| f.rule == rule).count();
    let text: Vec<&String> = report.findings.iter().map(|f| &f.message).collect();
    assert_eq!((found("blocked-by-width"), found("island-cut-off")), (4, 0), "{text:?}");
}
