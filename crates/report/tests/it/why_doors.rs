//! Widths of doors and passages, in walls of every thickness.

use crate::support::Level;
use navbake_format::Blob;
use navbake_report::Severity;

/// Two rooms with a doorway in the wall between them, turned and moved, and the doorway's middle.
fn rooms(thick: f64, wide: f64, [yaw, x, z]: [f64; 3]) -> (Level, [f64; 3]) {
    let (sin, cos) = yaw.to_radians().sin_cos();
    let at = |[u, y, v]: [f64; 3]| {
        let [u, v] = [u + x, v + z];
        [u * cos + v * sin, y, v * cos - u * sin]
    };
    let mut level = Level::new();
    let mut block = |name: &str, [u, v]: [f64; 2], [to_u, to_v]: [f64; 2]| {
        level.object(name);
        // A wall without thickness has one side: it is drawn from both.
        let around = [[u, v], [to_u, v], [to_u, to_v], [u, to_v]];
        for k in 0..4 {
            let ([u, v], [to_u, to_v]) = (around[k], around[(k + 1) % 4]);
            if [u, v] != [to_u, to_v] {
                level.quad([
                    at([u, 0.0, v]),
                    at([u, 3.0, v]),
                    at([to_u, 3.0, to_v]),
                    at([to_u, 0.0, to_v]),
                ]);
            }
        }
    };
    let (left, right) = (5.0 - thick / 2.0, 5.0 + thick / 2.0);
    let [from, to] = [3.1, 3.1 + wide];
    block("Jamb_1", [left, 0.0], [right, from]);
    block("Jamb_2", [left, to], [right, 7.0]);
    block("South", [-0.2, -0.2], [10.2, 0.0]);
    block("North", [-0.2, 7.0], [10.2, 7.2]);
    block("West", [-0.2, 0.0], [0.0, 7.0]);
    block("East", [10.0, 0.0], [10.2, 7.0]);
    level.object("Floor");
    let corners = [[0.0, 0.0], [0.0, 7.0], [10.0, 7.0], [10.0, 0.0]];
    level.quad(corners.map(|[u, v]| at([u, 0.0, v])));
    level.marker("a", at([2.0, 0.0, 3.0]));
    level.marker("b", at([8.0, 0.0, 4.0]));
    (level, at([5.0, 0.0, (from + to) / 2.0]))
}

#[test]
fn a_door_is_measured_however_thin_its_wall_is_and_wherever_the_cells_are() {
    let agent = "agent = [{ radius = 0.4, height = 1.8, climb = 0.4 }]\n";
    let config = format!("{agent}[check]\nmust_reach = [[\"a\", \"b\"]]\n");
    for k in 0..60 {
        let n = f64::from(k);
        let thick = [0.0, 0.02, 0.1, 0.3][k as usize % 4];
        let wide = [0.5, 0.6, 0.7, 0.78][k as usize / 4 % 4];
        let (level, middle) = rooms(thick, wide, [7.3 * n, 0.037 * n, 0.053 * n]);
        let report = level.why(&config);
        let loud = report.findings.iter().filter(|f| f.severity == Severity::Error);
        let [door] = loud.collect::<Vec<_>>()[..] else {
            panic!("{thick} {wide} {k}: {:#?}", report.findings);
        };
        assert_eq!(door.rule, "blocked-by-width", "{thick} {wide} {k}: {door:#?}");
        let figure = door.figures.iter().find(|f| f.name == "width_m").map(|f| f.value);
        assert!(figure.is_some_and(|found| (found - wide).abs() < 0.01), "{thick} {wide} {door:?}");
        let place = door.place.unwrap();
        let off = (place[0] - middle[0]).hypot(place[2] - middle[2]);
        assert!(
            off < 0.3 && door.objects[0].name().contains("Jamb"),
            "{thick} {wide} {k}: {door:?}"
        );
    }
}

#[test]
fn widths_that_are_asked_for_are_those_of_the_level() {
    let agent = "agent = [{ radius = 0.4, height = 1.8, climb = 0.4 }]\n";
    let doors = format!("{agent}[rooms]\nenabled = true\n[check]\ndoor_width = 1.2\n");
    let passages = format!("{agent}[check]\nwidths = [1.2]\n");
    for k in 0..40 {
        let n = f64::from(k);
        let thick = [0.0, 0.02, 0.1, 0.3][k as usize % 4];
        // In a wall of 2 cm, the navmesh is up to 12 cm narrower than the ground.
        let wide = [1.15, 1.19, 1.21, 1.3][k as usize / 4 % 4];
        let (level, middle) = rooms(thick, wide, [7.3 * n, 0.037 * n, 0.053 * n]);
        for (config, rule) in [(&doors, "door-too-narrow"), (&passages, "passage-too-narrow")] {
            let report = level.why(config);
            let found: Vec<_> = report.findings.iter().filter(|f| f.rule == rule).collect();
            assert_eq!(found.len(), usize::from(wide < 1.2), "{rule} {thick} {wide} {k}");
            for finding in found {
                let width = finding.figures.iter().find(|f| f.name == "width_m").unwrap().value;
                let place = finding.place.unwrap();
                let off = (place[0] - middle[0]).hypot(place[2] - middle[2]);
                assert!((width - wide).abs() < 0.01 && off < 0.3, "{thick} {wide} {k} {finding:?}");
            }
        }
    }
}

#[test]
fn a_door_is_no_wider_than_its_passage_and_narrower_by_twice_the_border_error_at_most() {
    let agent = "agent = [{ radius = 0.4, height = 1.8, climb = 0.4 }]\n";
    let config = format!("border_error = 0.098\n{agent}[rooms]\nenabled = true\n");
    for k in 0..60 {
        let n = f64::from(k);
        let thick = [0.0, 0.02, 0.05, 0.1, 0.4][k as usize % 5];
        let wide = [0.85, 1.0, 1.3, 1.8][k as usize / 5 % 4];
        let (level, _) = rooms(thick, wide, [7.3 * n, 0.037 * n, 0.053 * n]);
        let bytes = level.bake(&config);
        let blob = Blob::open_checked(&bytes).unwrap();
        let rooms = blob.rooms(0).unwrap();
        assert_eq!(rooms.door_count(), 1, "{thick} {wide} {k}");
        let off = f64::from(rooms.door(0).unwrap().width) - wide;
        assert!((-0.196..0.012).contains(&off), "{thick} {wide} {k}: {off}");
    }
}
