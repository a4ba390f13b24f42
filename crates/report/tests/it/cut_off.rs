//! Ground that is cut off: where ground that is reached is nearest to it.

use crate::support::{Level, report};
use navbake_format::{Blob, NavMesh};
use navbake_report::{Finding, Report, Severity};
use navbake_search::{NavMeshBuf, NavQuery};
use proptest::prelude::*;

/// A hall of 20 m x 10 m, and a floor beside, above or below it.
fn hall_and(least: [f64; 2], most: [f64; 2], y: f64) -> Level {
    let mut level = Level::hall();
    level.floor(least, most, y);
    level
}

fn cut_off(report: &Report) -> Vec<&Finding> {
    report.findings.iter().filter(|f| f.rule == "island-cut-off").collect()
}

/// The ground ends half a metre before the border of a floor.
const STARTS: &str = "agent = [{ radius = 0.5 }]\n[check]\nstarts = [\"a\"]\n";

fn message(level: &Level, config: &str) -> String {
    let report = level.report(config);
    let [finding] = cut_off(&report)[..] else { panic!("{:#?}", report.findings) };
    finding.message.clone()
}

#[test]
fn ground_that_is_cut_off_names_the_nearest_reached_ground() {
    let beside = message(&hall_and([25.0, 0.0], [30.0, 10.0], 0.0), STARTS);
    assert!(beside.ends_with("6.00 m away from (25.50, 0.00, 0.50)"), "{beside}");
    let lower = message(&hall_and([25.0, 12.0], [30.0, 20.0], -2.0), STARTS);
    let nearest = "from the starts; reached ground is nearest at (19.50, 0.00, 9.50), 6.71 m away \
                   from and 2.00 m above (25.50, -2.00, 12.50)";
    assert!(lower.ends_with(nearest), "{lower}");
    let far = message(&hall_and([45.1, 0.0], [50.0, 10.0], 0.0), STARTS);
    assert!(far.ends_with("from the starts; no reached ground within 25 m"), "{far}");
}

#[test]
fn ground_is_said_to_be_cut_off_from_the_largest_island_without_starts() {
    let said = message(&hall_and([25.0, 0.0], [30.0, 10.0], 0.0), "");
    assert!(said.contains("cannot be reached from the largest island; "), "{said}");
}

#[test]
fn below_a_bridge_the_nearest_ground_is_where_their_borders_cross() {
    let bridge =
        message(&hall_and([8.0, -20.0], [12.0, 30.0], 6.0), "[check]\nstarts = [[10, 6, 20]]");
    assert!(bridge.contains("6.00 m above (8.60, 0.00, 9.40)"), "{bridge}");
}

#[test]
fn large_ground_that_is_hard_to_explain_leaves_work_for_small_rooms() {
    let mut level = Level::new();
    level.floor([0.0, 0.0], [120.0, 20.0], 0.0);
    for x in (0..10).map(|k| 3.0 + 7.0 * f64::from(k)) {
        level.block([x, 0.0, 4.0], [x + 4.0, 3.0, 4.2]);
        level.block([x, 0.0, 8.0], [x + 4.0, 3.0, 8.2]);
        level.block([x, 0.0, 4.2], [x + 0.2, 3.0, 8.0]);
        level.block([x + 3.8, 0.0, 4.2], [x + 4.0, 3.0, 8.0]);
    }
    level.floor([0.0, 40.0], [200.0, 240.0], -30.0);
    let report = level.why("[check]\nstarts = [[1, 0, 1]]\n");
    let of = |rule| report.findings.iter().filter(|f| f.rule == rule).count();
    assert_eq!([of("blocked-by-wall"), of("island-cut-off")], [10, 1], "{:#?}", report.findings);
}

#[test]
fn a_link_down_does_not_hide_why_there_is_no_way_up() {
    let mut level = Level::hall();
    level.block([20.0, 0.0, 0.0], [30.0, 2.0, 10.0]);
    level.marker("b", [25.0, 2.0, 5.0]);
    let link = "[[link]]\nfrom = [21, 2, 5]\nto = [18, 0, 5]\nkind = \"drop\"\n";
    let report = level.why(&format!("{link}[check]\nmust_reach = [[\"a\", \"b\"]]\n"));
    let of = |rule| report.findings.iter().filter(|f| f.rule == rule).count();
    assert_eq!([of("blocked-by-step"), of("unreachable")], [1, 0], "{:#?}", report.findings);
}

#[test]
fn stairs_without_a_tread_are_cut_off_by_the_gap_though_the_next_tread_is_high() {
    let mut level = Level::new();
    level.object("Low");
    level.floor([0.0, 0.0], [5.0, 2.0], 0.0);
    // The fifth of ten treads is missing, between walls.
    for k in (0..10).filter(|k| *k != 4) {
        let (x, y) = (5.0 + 0.3 * f64::from(k), 0.25 * f64::from(k + 1));
        level.object(&format!("Tread_{}", k + 1));
        level.floor([x, 0.0], [x + 0.3, 2.0], y);
    }
    level.object("High");
    level.floor([8.0, 0.0], [13.0, 2.0], 2.5);
    level.object("Walls");
    for z in [-0.2, 2.0] {
        level.block([-0.2, 0.0, z], [13.2, 6.0, z + 0.2]);
    }
    for x in [-0.2, 13.0] {
        level.block([x, 0.0, 0.0], [x + 0.2, 6.0, 2.0]);
    }
    level.marker("a", [2.0, 0.0, 1.0]);
    level.marker("b", [11.0, 2.5, 1.0]);
    let agent = "agent = [{ radius = 0.4, height = 1.8, climb = 0.4 }]\n";
    let report = level.why(&format!("{agent}[check]\nmust_reach = [[\"a\", \"b\"]]\n"));
    let [gap] =
        report.findings.iter().filter(|f| f.severity == Severity::Error).collect::<Vec<_>>()[..]
    else {
        panic!("{:#?}", report.findings);
    };
    assert_eq!(gap.rule, "blocked-by-gap");
    let [x, _, z] = gap.place.unwrap();
    assert!((x - 6.35).abs() < 0.3 && (z - 1.0).abs() < 0.3, "{:?}", gap.place);
}

#[test]
fn a_marker_in_the_air_of_a_room_is_no_missing_floor_between_its_walls() {
    let mut level = Level::new();
    level.floor([0.0, 0.0], [6.0, 6.0], 0.0);
    level.block([0.0, 0.0, 0.0], [6.0, 3.0, 0.2]);
    level.block([0.0, 0.0, 5.8], [6.0, 3.0, 6.0]);
    level.block([0.0, 0.0, 0.2], [0.2, 3.0, 5.8]);
    level.block([5.8, 0.0, 0.2], [6.0, 3.0, 5.8]);
    level.marker("a", [2.0, 0.0, 2.0]);
    level.marker("b", [3.0, 2.6, 3.0]);
    let report = level.why("[check]\nmust_reach = [[\"a\", \"b\"]]\n");
    let of = |rule| report.findings.iter().filter(|f| f.rule == rule).count();
    assert_eq!([of("marker-in-air"), of("floor-missing")], [1, 0], "{:#?}", report.findings);
}

#[test]
fn a_width_that_is_asked_for_is_a_warning_for_a_level_as_for_its_blob() {
    let mut level = Level::hall();
    level.wall_with_doorway(1.4);
    let config = "[check]\nwidths = [1.5]\n";
    let of = |report: &Report| {
        let all = report.findings.iter().filter(|f| f.rule == "passage-too-narrow");
        all.map(|f| f.severity).collect::<Vec<_>>()
    };
    assert_eq!(of(&level.report(config)), [Severity::Warning]);
    assert_eq!(of(&level.why(config)), [Severity::Warning]);
}

/// Points of the ground of a mesh, with their islands.
fn points(mesh: &NavMesh<'_>) -> Vec<(u32, [f64; 3])> {
    let query = NavQuery::new(*mesh);
    let steps = |from: f64, to: f64| {
        let count = ((to - from) / 0.25).round() as u32;
        (0..=count).map(move |k| from + 0.25 * f64::from(k))
    };
    let mut all = vec![];
    for (x, z) in steps(-30.0, 50.0).flat_map(|x| steps(-30.0, 40.0).map(move |z| (x, z))) {
        for y in [-4.0, 0.0, 4.0] {
            // All borders of ground are at quarters of a metre, so these points are on them too.
            all.extend(
                query
                    .locate([x, y, z], 2.0)
                    .map(|at| (mesh.island(at.polygon()).index() as u32, at.position())),
            );
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn no_points_of_the_ground_are_nearer_than_what_is_reported(
        (x, z) in (-80i32..120, -80i32..100),
        (width, depth) in (8i32..60, 8i32..60),
        y in -16i32..16,
    ) {
        let [x, z, width, depth, y] = [x, z, width, depth, y].map(|c| f64::from(c) / 4.0);
        let bytes = hall_and([x, z], [x + width, z + depth], y).bake(STARTS);
        let report = report(&bytes, STARTS);
        let blob = Blob::open_checked(&bytes).unwrap();
        let mesh: NavMeshBuf = blob.decode(0).unwrap();
        let mesh = mesh.mesh();
        let all = points(&mesh);
        for finding in cut_off(&report).into_iter().filter(|f| !f.shape.is_empty()) {
            let far = |a: [f64; 3], b: [f64; 3]| {
                (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
            };
            let ends: Vec<u32> = finding.shape.iter().map(|&end| {
                let at = NavQuery::new(mesh).nearest(end, [0.01; 3]).unwrap();
                mesh.island(at.polygon()).index() as u32
            }).collect();
            prop_assert_ne!(ends[0], ends[1]);
            let reported = far(finding.shape[0], finding.shape[1]);
            let of = |island: u32| all.iter().filter(move |(own, _)| *own == island);
            let nearest = of(ends[0]).flat_map(|(_, a)| of(ends[1]).map(|(_, b)| far(*a, *b)));
            let nearest = nearest.fold(f64::INFINITY, f64::min);
            prop_assert!(reported <= nearest + 0.002, "{} {}", reported, nearest);
        }
    }
}
