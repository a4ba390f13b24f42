//! A level for each rule that triggers it, and nothing else, at the right place; and a level that
//! triggers none.

use std::collections::BTreeSet;

use crate::support::Level;
use navbake_level::{Given, Part};
use navbake_report::{Baseline, Report, Settings, Severity, json, rules};

/// The config of the clean level: every rule has something to examine.
const EVERYTHING: &str = r#"
[rooms]
enabled = true
[check]
must_reach = [{ from = "a", to = "b", most = 40.0 }]
must_not_reach = [["a", [5.0, 8.0, 5.0]]]
starts = ["a"]
on_ground = ["a", "b*"]
min_island = 10.0
min_hole = 1.0
door_width = 2.5
widths = [2.0]
max_polygons = 1000
max_bytes = 100000
max_table_bytes = 1000
ledge_drop = 1.0
severity = { "marker-off-mesh" = "off" }
"#;

#[test]
fn a_clean_level_triggers_no_rule() {
    let mut level = Level::hall();
    level.marker("b", [18.0, 0.0, 5.0]);
    level.wall_with_doorway(3.0);
    level.railings([0.0, 0.0], [20.0, 10.0], 0.0, None);
    let mut report = level.report(EVERYTHING);
    assert_eq!(report.findings, []);
    assert_eq!(report.not_run, []);
    against(&mut report, &level.report(EVERYTHING), EVERYTHING);
    assert_eq!(report.findings, []);
    assert_eq!(report.not_run, []);
}

/// A rule, its level, the config's `[check]`, and where it is found.
struct Case {
    rule: &'static str,
    level: Level,
    config: &'static str,
    place: Option<[f64; 3]>,
    /// The level as it was when a baseline was made.
    before: Option<Level>,
}

fn case(rule: &'static str, level: Level, config: &'static str, place: [f64; 3]) -> Case {
    Case { rule, level, config, place: Some(place), before: None }
}

/// Holds a report against one of before.
fn against(report: &mut Report, before: &Report, config: &str) {
    let baseline = Baseline::parse(&json(before, "before.nav")).unwrap();
    let asked = navbake_bake::Config::parse(config).unwrap().check;
    report.against(baseline, &Settings::new(asked, &["default"]).unwrap());
}

#[test]
fn a_passage_exactly_as_wide_as_a_unit_is_closed_and_not_too_narrow_by_nothing() {
    // Exact to the millimetre: the doorway of 1.95 m for a unit of 1.95 m, and for one of 2 m.
    let message = |width: f64| {
        let level = hall_with(|level| level.wall_with_doorway(1.95));
        let report = level.report(&format!("[check]\nwidths = [{width}]"));
        let found = report.findings.iter().find(|f| f.rule == "passage-too-narrow");
        found.map_or(String::new(), |f| f.message.clone())
    };
    assert!(message(2.0).contains("0.05 m too narrow for a unit of 2.00 m"), "{}", message(2.0));
    // The passage is measured on the grid: a width just above it is the same to the millimetre.
    let exact = message(1.9505);
    assert!(exact.contains("exactly as wide as a unit of 1.95 m: it is closed"), "{exact}");
    assert!(!exact.contains("0.00 m"), "{exact}");
}

/// The hall and a floor of 10 m x 10 m beside it, 5 m away.
fn two_floors() -> Level {
    let mut level = Level::hall();
    level.floor([25.0, 0.0], [35.0, 10.0], 0.0);
    level.marker("b", [30.0, 0.0, 5.0]);
    level
}

fn hall_with(change: impl FnOnce(&mut Level)) -> Level {
    let mut level = Level::hall();
    change(&mut level);
    level
}

fn ways() -> Vec<Case> {
    let apart = "[check]\nstarts = [\"a\", \"b\"]\n";
    vec![
        case(
            "unreachable",
            two_floors(),
            "[check]\nstarts = [\"a\", \"b\"]\nmust_reach = [[\"a\", \"b\"]]",
            [30.0, 0.0, 5.0],
        ),
        case(
            "must-not-reach",
            Level::hall(),
            "[check]\nmust_not_reach = [[\"a\", [18, 0, 5]]]",
            [18.0, 0.0, 5.0],
        ),
        case(
            "path-too-long",
            Level::hall(),
            "[check]\nmust_reach = [{ from = \"a\", to = [18, 0, 5], most = 15.9 }]",
            [18.0, 0.0, 5.0],
        ),
        Case {
            before: Some(Level::hall()),
            ..case(
                "path-longer",
                hall_with(|level| level.block([9.95, 0.0, 0.0], [10.05, 4.0, 8.0])),
                "[check]\nmust_reach = [[\"a\", [18, 0, 5]]]",
                [18.0, 0.0, 5.0],
            )
        },
        Case {
            place: None,
            ..case(
                "marker-missing",
                Level::hall(),
                "[check]\nmust_reach = [[\"a\", \"bb\"]]",
                [0.0; 3],
            )
        },
        case(
            "marker-off-mesh",
            hall_with(|level| level.marker("b", [30.0, 0.0, 5.0])),
            "[check]\non_ground = [\"?\"]",
            [30.0, 0.0, 5.0],
        ),
        case(
            "passage-closed",
            hall_with(|level| level.wall_with_doorway(1.2)),
            "[check]\nstarts = [\"a\", [18, 0, 5]]",
            [10.0, 0.0, 5.0],
        ),
        case("island-cut-off", two_floors(), "[check]\nstarts = [\"a\"]", [30.0, 0.0, 5.0]),
        case(
            "island-small",
            two_floors(),
            "[check]\nstarts = [\"a\", \"b\"]\nmin_island = 80",
            [30.0, 0.0, 5.0],
        ),
        case(
            "one-way-trap",
            two_floors(),
            "[[link]]\nfrom = [19, 0, 5]\nto = [26, 0, 4]\nkind = \"jump\"",
            [26.0, 0.0, 4.0],
        ),
        case(
            "island-dropped",
            hall_with(|level| level.floor([30.0, 0.0], [32.0, 2.0], 0.0)),
            "",
            [31.0, 0.0, 1.0],
        ),
        case("island-without-seed", two_floors(), "seeds = [\"a\"]", [30.0, 0.0, 5.0]),
        case(
            "link-off-mesh",
            Level::hall(),
            "[[link]]\nname = \"rope\"\nfrom = [19, 0, 5]\nto = [26, 0, 4]",
            [26.0, 0.0, 4.0],
        ),
        case("seed-off-mesh", Level::hall(), "seeds = [\"a\", [26, 0, 4]]", [26.0, 0.0, 4.0]),
        case(
            "door-too-narrow",
            hall_with(|level| level.wall_with_doorway(1.8)),
            "[rooms]\nenabled = true\n[check]\ndoor_width = 2.0",
            [10.0, 0.0, 5.0],
        ),
        case(
            "passage-too-narrow",
            hall_with(|level| level.wall_with_doorway(1.95)),
            "[check]\nwidths = [2.0]",
            [10.0, 0.0, 5.0],
        ),
        case(
            "crack",
            hall_with(|level| {
                level.floor([20.02, 0.0], [30.0, 10.0], 0.0);
                level.marker("b", [28.0, 0.0, 5.0]);
            }),
            apart,
            [20.01, 0.0, 5.0],
        ),
    ]
}

fn ground() -> Vec<Case> {
    let apart = "[check]\nstarts = [\"a\", \"b\"]\n";
    vec![
        case(
            "ledge-without-railing",
            hall_with(|level| level.railings([0.0, 0.0], [20.0, 10.0], 0.0, Some([3.0, 7.0]))),
            "[check]\nledge_drop = 1.0",
            [20.0, 0.0, 5.0],
        ),
        case(
            "slope-margin",
            hall_with(|level| {
                // 3 m up over 2.85 m: 46.5 degrees.
                let (low, high) = ([20.0, 0.0], [22.85, 3.0]);
                let at = |[x, y]: [f64; 2], z: f64| [x, y, z];
                level.quad([at(low, 0.0), at(low, 10.0), at(high, 10.0), at(high, 0.0)]);
                level.floor([22.85, 0.0], [32.0, 10.0], 3.0);
                level.marker("b", [28.0, 3.0, 5.0]);
            }),
            apart,
            [21.425, 1.5, 5.0],
        ),
        case(
            "head-room-margin",
            hall_with(|level| {
                // A ceiling, seen from below.
                let y = 1.95;
                level.quad([[9.0, y, 4.0], [11.0, y, 4.0], [11.0, y, 6.0], [9.0, y, 6.0]]);
            }),
            "",
            [10.0, 0.0, 5.0],
        ),
        case(
            "degenerate-triangles",
            hall_with(|level| level.triangle([[3.0, 0.0, 3.0], [4.0, 0.0, 3.0], [5.0, 0.0, 3.0]])),
            "",
            [4.0, 0.0, 3.0],
        ),
        case(
            "duplicate-triangles",
            hall_with(|level| {
                let twice = [[0.0, 0.0, 0.0], [0.0, 0.0, 10.0], [20.0, 0.0, 10.0]];
                level.triangle(twice);
            }),
            "",
            [20.0 / 3.0, 0.0, 20.0 / 3.0],
        ),
        case(
            "non-manifold-edge",
            hall_with(|level| {
                level.triangle([[0.0, 0.0, 0.0], [20.0, 0.0, 10.0], [10.0, 4.0, 0.0]])
            }),
            "",
            [10.0, 0.0, 5.0],
        ),
        case(
            "t-junction",
            hall_with(|level| {
                level.floor([20.0, 0.0], [30.0, 4.0], 0.0);
                level.floor([20.0, 4.0], [30.0, 10.0], 0.0);
            }),
            "",
            [20.0, 0.0, 4.0],
        ),
        case(
            "overlapping-ground",
            hall_with(|level| level.floor([8.0, 3.0], [12.0, 7.0], 0.0)),
            "",
            [10.0, 0.0, 5.0],
        ),
        case(
            "unknown-area",
            hall_with(|level| {
                level.part(Part {
                    given: Given { area: Some("lava".into()), ..Given::default() },
                    ..Part::default()
                });
                level.triangle([[20.0, 0.0, 0.0], [20.0, 0.0, 10.0], [26.0, 0.0, 5.0]]);
            }),
            "[[area]]\nname = \"mud\"",
            [22.0, 0.0, 5.0],
        ),
        case(
            "sliver",
            hall_with(|level| {
                level.floor([30.0, 4.0], [33.0, 4.01], 0.0);
                level.marker("b", [31.5, 0.0, 4.005]);
            }),
            "surface = \"floor\"\n[check]\nstarts = [\"a\", \"b\"]",
            [31.5, 0.0, 4.005],
        ),
        case(
            "hole-small",
            hall_with(|level| level.block([9.75, 0.0, 4.75], [10.25, 4.0, 5.25])),
            "[check]\nmin_hole = 5",
            [10.0, 0.0, 5.0],
        ),
    ]
}

fn budgets() -> Vec<Case> {
    let of = |rule, config| Case { place: None, ..case(rule, Level::hall(), config, [0.0; 3]) };
    vec![
        of("polygons-over-budget", "[check]\nmax_polygons = 0"),
        of("file-over-budget", "[check]\nmax_bytes = 100"),
        Case {
            place: None,
            ..case(
                "tables-over-budget",
                hall_with(|level| level.wall_with_doorway(3.0)),
                "[tables]\nbudget = \"labels\"\n[check]\nmax_table_bytes = 10",
                [0.0; 3],
            )
        },
    ]
}

fn codes(report: &Report) -> BTreeSet<&'static str> {
    report.findings.iter().map(|f| f.rule).collect()
}

#[test]
fn every_rule_has_a_level_that_triggers_it_alone_at_the_right_place() {
    let cases: Vec<Case> = [ways(), ground(), budgets()].into_iter().flatten().collect();
    let mut faults = vec![];
    for Case { rule, level, config, place, before } in &cases {
        let mut report = level.report(config);
        if let Some(before) = before {
            against(&mut report, &before.report(config), config);
        }
        let found = codes(&report);
        if found != BTreeSet::from([*rule]) {
            faults.push(format!("{rule}: found {found:?}: {:#?}", report.findings));
            continue;
        }
        let near = report.findings.iter().any(|f| match (f.place, place) {
            (Some(at), Some(place)) => {
                (0..3).map(|k| (at[k] - place[k]).powi(2)).sum::<f64>().sqrt() <= 0.1
            }
            (None, None) => true,
            _ => false,
        });
        if !near {
            let places: Vec<_> = report.findings.iter().map(|f| f.place).collect();
            faults.push(format!("{rule}: at {places:?}, not {place:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let causes = crate::why::causes();
    let reported: BTreeSet<&str> =
        cases.iter().map(|c| c.rule).chain(causes.iter().map(|c| c.rule)).collect();
    let all: BTreeSet<&str> = rules().map(|r| r.code).collect();
    assert_eq!(reported, all, "a level for each rule");
}

#[test]
fn rules_that_need_the_bakers_notes_or_rooms_say_so_where_there_are_none() {
    let report = Level::hall().report("findings = false\n[check]\ndoor_width = 2");
    let not_run: BTreeSet<&str> = report.not_run.iter().map(|n| n.rule).collect();
    assert!(not_run.contains("crack") && not_run.contains("door-too-narrow"));
    assert!(!not_run.contains("unreachable"));
    assert!(report.not_run.iter().all(|n| n.why.contains("bake it")));
    let report = Level::hall().report("findings = false\n[check.severity]\ncrack = \"off\"");
    assert!(report.not_run.iter().all(|n| n.rule != "crack"), "nobody asked");
}

#[test]
fn a_pattern_of_on_ground_that_no_marker_matches_is_a_note() {
    let level = Level::hall();
    let of = |pattern: &str| {
        let report = level.report(&format!("[check]\non_ground = [\"{pattern}\"]\n"));
        let found = report.findings.into_iter().filter(|f| f.rule == "marker-missing");
        found.map(|f| f.severity).collect::<Vec<_>>()
    };
    assert_eq!(of("spawn_*"), [Severity::Note]);
    assert_eq!(of("spawn"), [Severity::Error]);
    assert!(of("*").is_empty());
}
