//! Ground that is too narrow between ledges, slopes and walls: planks, beams, paths along a bank.

use navbake_report::{Finding, Severity};

use crate::support::Level;
use crate::why::{GUARD, away, strip};

/// Floors with something between them, from x = 9 to 11.
fn joined(name: &str, add: impl FnOnce(&mut Level)) -> Level {
    strip(9.0, 11.0, |level| {
        level.object(name);
        add(level);
    })
}

/// A bank of 61 degrees along the side of a path, from x = 9 to 11.
fn bank(level: &mut Level, z: f64) {
    level.object("Bank");
    let (low, high) = ([0.0, z], [2.0, z + 1.1]);
    let at = |x: f64, [y, z]: [f64; 2]| [x, y, z];
    level.quad([at(9.0, low), at(9.0, high), at(11.0, high), at(11.0, low)]);
}

/// The one finding about a level that is no note.
fn only(level: &Level, of: &str) -> Finding {
    let report = level.why(&format!("{GUARD}[check]\nmust_reach = [[\"a\", \"b\"]]\n"));
    let mut found = report.findings.into_iter().filter(|f| f.severity != Severity::Note);
    let first = found.next().expect("a cause");
    let more: Vec<Finding> = found.collect();
    assert!(more.is_empty(), "{of}: {first:#?} {more:#?}");
    first
}

#[test]
fn a_plank_that_is_too_narrow_is_a_narrow_passage_and_no_gap() {
    for wide in [0.3, 0.5, 0.7, 0.78] {
        for shift in [-1.0, 0.0, 0.8] {
            let middle = 1.5 + shift;
            let plank = joined("Plank", |level| {
                level.floor([9.0, middle - wide / 2.0], [11.0, middle + wide / 2.0], 0.0);
            });
            let what = format!("{wide} m wide at z = {middle}");
            let found = only(&plank, &what);
            assert_eq!(found.rule, "blocked-by-width", "{what}: {found:#?}");
            let says = format!("passage {wide:.2} m wide between two ledges, the agent needs 0.80");
            assert!(found.message.contains(&says), "{what}: {}", found.message);
            assert!(away(&found, [10.0, 0.0, middle]) <= 0.3, "{what}: {found:#?}");
            assert_eq!(found.objects[0].node, "Plank", "{what}");
        }
    }
}

#[test]
fn a_plank_that_turns_is_measured_straight_across() {
    for degrees in [10.0f64, 33.0, 45.0, 70.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let mut level = Level::new();
        let at = |x: f64, z: f64| [x * cos - z * sin, 0.0, x * sin + z * cos];
        let floor = |level: &mut Level, [x0, x1]: [f64; 2], z: f64| {
            level.quad([at(x0, -z), at(x0, z), at(x1, z), at(x1, -z)]);
        };
        for (name, x, z) in
            [("West", [0.0, 9.0], 1.5), ("Plank", [9.0, 11.0], 0.3), ("East", [11.0, 20.0], 1.5)]
        {
            level.object(name);
            floor(&mut level, x, z);
        }
        level.marker("a", at(2.0, 0.0));
        level.marker("b", at(18.0, 0.0));
        let found = only(&level, &format!("{degrees} degrees"));
        assert!(found.message.contains("0.60 m wide between two ledges"), "{found:#?}");
        assert!(away(&found, at(10.0, 0.0)) <= 0.3, "{degrees}: {found:#?}");
    }
}

#[test]
fn a_path_between_a_ledge_and_a_slope_or_a_wall_is_a_narrow_passage() {
    let banked = joined("Path", |level| {
        level.floor([9.0, 1.15], [11.0, 1.85], 0.0);
        bank(level, 1.85);
    });
    let walled = joined("Path", |level| {
        level.floor([9.0, 1.15], [11.0, 1.85], 0.0);
        level.object("Wall");
        level.block([9.0, 0.0, 1.85], [11.0, 3.0, 2.0]);
    });
    for (level, beside) in [(banked, "slope"), (walled, "wall")] {
        let found = only(&level, beside);
        assert_eq!(found.rule, "blocked-by-width", "{beside}: {found:#?}");
        assert!(found.message.starts_with("passage 0.70 m wide between a "), "{found:#?}");
        assert!(found.message.contains(beside), "{beside}: {}", found.message);
        assert!(away(&found, [10.0, 0.0, 1.5]) <= 0.3, "{beside}: {found:#?}");
    }
}

#[test]
fn a_crack_that_is_crossed_is_no_cause_however_it_is_turned() {
    for degrees in [0.0f64, 7.0, 25.0, 30.0] {
        let (slant, half) = (degrees.to_radians().tan(), 0.049 / degrees.to_radians().cos());
        let edge = |z: f64, side: f64| 10.0 + slant * (z - 1.5) + side * half;
        let level = joined("Path", |level| {
            let [z0, z1] = [1.15, 1.85];
            let at = |x: f64, z: f64| [x, 0.0, z];
            level.quad([at(9.0, z0), at(9.0, z1), at(edge(z1, -1.0), z1), at(edge(z0, -1.0), z0)]);
            level.quad([at(edge(z0, 1.0), z0), at(edge(z1, 1.0), z1), at(11.0, z1), at(11.0, z0)]);
            bank(level, z1);
        });
        let found = only(&level, &format!("{degrees} degrees"));
        assert_eq!(found.rule, "blocked-by-width", "{degrees}: {found:#?}");
        assert!(!found.message.contains("gap"), "{degrees}: {}", found.message);
    }
}
