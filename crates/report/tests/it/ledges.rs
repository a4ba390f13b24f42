//! Ledges without a railing: where, how deep, how long, and what takes the danger away.

use crate::support::{Level, report};
use navbake_report::{Finding, Report};

/// The hall with railings around it but for 4 m, where it goes down by this to a floor of 10 m x 10
/// m with railings of its own, which begins below the hall.
fn terrace(drop: f64) -> Level {
    let mut level = Level::hall();
    level.railings([0.0, 0.0], [20.0, 10.0], 0.0, Some([3.0, 7.0]));
    level.floor([19.0, 0.0], [29.0, 10.0], -drop);
    level.railings([19.0, 0.0], [29.0, 10.0], -drop, None);
    level.marker("b", [25.0, -drop, 5.0]);
    level
}

const ASKED: &str = "[check]\nstarts = [\"a\", \"b\"]\nledge_drop = 1.5\n";

fn ledges(report: &Report) -> Vec<&Finding> {
    let all = report.findings.iter();
    all.filter(|f| f.rule == "ledge-without-railing").collect()
}

fn figure(finding: &Finding, name: &str) -> f64 {
    let found = finding.figures.iter().find(|f| f.name == name);
    found.unwrap().value
}

#[test]
fn a_ledge_is_reported_with_its_middle_its_drop_and_its_length() {
    let report = terrace(3.0).report(ASKED);
    let found = ledges(&report);
    assert_eq!(found.len(), 1, "{:#?}", report.findings);
    let [x, y, z] = found[0].place.unwrap();
    assert!((x - 20.0).abs() < 0.05 && y.abs() < 0.01 && (z - 5.0).abs() < 0.1, "{x} {y} {z}");
    assert!((figure(found[0], "drop_m") - 3.0).abs() < 0.02);
    assert!((figure(found[0], "length_m") - 4.0).abs() < 0.2);
    assert!(found[0].message.contains("3.0"), "{}", found[0].message);
}

#[test]
fn drops_that_are_shallow_enough_are_not_reported() {
    assert_eq!(ledges(&terrace(1.4).report(ASKED)).len(), 0);
    assert_eq!(ledges(&terrace(1.6).report(ASKED)).len(), 1);
}

#[test]
fn where_nothing_lies_below_it_says_so() {
    let mut level = Level::hall();
    level.railings([0.0, 0.0], [20.0, 10.0], 0.0, Some([3.0, 7.0]));
    let report = level.report(ASKED);
    let found = ledges(&report);
    assert_eq!(found.len(), 1);
    assert!(found[0].message.contains("above nothing"));
    assert!(found[0].figures.iter().all(|f| f.name != "drop_m"));
}

#[test]
fn a_ledge_all_around_is_one() {
    let level = Level::hall();
    let report = level.report(ASKED);
    let found = ledges(&report);
    assert_eq!(found.len(), 1, "{:#?}", report.findings);
    let long = figure(found[0], "length_m");
    assert!((57.0..61.0).contains(&long), "{long}");
}

#[test]
fn what_is_stepped_over_is_no_railing() {
    let mut level = Level::hall();
    level.railings([0.0, 0.0], [20.0, 10.0], 0.0, Some([3.0, 7.0]));
    // A kerb of 0.5 m in the gap, and a climb of 0.9 m.
    level.block([20.0, 0.0, 3.0], [20.1, 0.5, 7.0]);
    assert_eq!(ledges(&level.report(ASKED)).len(), 1);
    let timid = format!("{ASKED}[[agent]]\nclimb = 0.4\n");
    assert_eq!(ledges(&level.report(&timid)).len(), 0);
}

#[test]
fn a_way_down_within_reach_takes_the_place_of_a_railing() {
    let link = "[[link]]\nfrom = [19.3, 0, 5]\nto = [22, -3, 5]\nkind = \"drop\"\n";
    let report = terrace(3.0).report(&format!("{ASKED}{link}"));
    assert_eq!(ledges(&report).len(), 0, "{:#?}", report.findings);
    // Not where it leads up, and not where it is far away.
    let up = "[[link]]\nfrom = [22, -3, 5]\nto = [19.3, 0, 5]\nkind = \"climb\"\n";
    assert_eq!(ledges(&terrace(3.0).report(&format!("{ASKED}{up}"))).len(), 1);
    let far = "[[link]]\nfrom = [12, 0, 5]\nto = [22, -3, 5]\nkind = \"drop\"\n";
    assert_eq!(ledges(&terrace(3.0).report(&format!("{ASKED}{far}"))).len(), 1);
    // As do the links that are found by themselves.
    let brave = format!("{ASKED}[[agent]]\ndrop = 4.0\n");
    assert_eq!(ledges(&terrace(3.0).report(&brave)).len(), 0);
}

#[test]
fn what_the_bake_did_not_look_for_is_said_to_be_not_run() {
    let why = |baked: &str, asked: &str| {
        let report = report(&terrace(3.0).bake(baked), asked);
        let own = report.not_run.iter();
        let own: Vec<String> =
            own.filter(|n| n.rule == "ledge-without-railing").map(|n| n.why.clone()).collect();
        (own, ledges(&report).len())
    };
    let asked = |least: &str| format!("[check]\nledge_drop = {least}");
    assert_eq!(why(&asked("1.0"), &asked("2.5")), (vec![], 1));
    assert_eq!(why(&asked("1.0"), &asked("3.5")), (vec![], 0));
    assert_eq!(why("", ""), (vec![], 0));
    let (warnings, found) = why("", &asked("2.0"));
    assert!(warnings.len() == 1 && warnings[0].contains("check.ledge_drop") && found == 0);
    let (warnings, found) = why(&asked("3.5"), &asked("2.0"));
    assert!(warnings.len() == 1 && warnings[0].contains("3.5") && found == 0);
}
