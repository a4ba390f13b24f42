//! What is a prop and what a wall, and where low ceilings close what looks like a passage.

use crate::support::Level;
use crate::why::GUARD;
use navbake_report::{Finding, Severity};

/// A room in the hall with a marker in it, and a doorway in its east wall from z to z.
fn room(doorway: [f64; 2]) -> Level {
    let mut level = Level::hall();
    level.marker("b", [6.0, 0.0, 5.0]);
    level.object("North");
    level.block([3.0, 0.0, 2.0], [10.1, 3.0, 2.2]);
    level.object("South");
    level.block([3.0, 0.0, 7.8], [10.1, 3.0, 8.0]);
    level.object("West");
    level.block([3.0, 0.0, 2.2], [3.2, 3.0, 7.8]);
    level.object("East_1");
    level.block([10.0, 0.0, 2.2], [10.1, 3.0, doorway[0]]);
    level.object("East_2");
    level.block([10.0, 0.0, doorway[1]], [10.1, 3.0, 7.8]);
    level
}

/// Rules, agents and first objects of what is more than a note.
fn loud(level: &Level, config: &str) -> Vec<[String; 3]> {
    let is_loud = |f: &&Finding| f.severity != Severity::Note;
    let report = level.why(config);
    let all = report.findings.iter().filter(is_loud).map(|f| {
        let object = f.objects.first().map(|o| o.node.clone());
        [f.rule.to_owned(), f.agent.clone().unwrap_or_default(), object.unwrap_or_default()]
    });
    all.collect()
}

#[test]
fn a_shelf_higher_than_a_small_agent_is_a_prop_for_it_too() {
    let mut level = room([4.4, 5.6]);
    level.object("Shelf");
    level.block([10.12, 0.0, 3.8], [10.5, 1.8, 6.2]);
    let agents = "[[agent]]\nname = \"guard\"\nradius = 0.4\nheight = 1.9\nclimb = 0.45\n\
                  [[agent]]\nname = \"cat\"\nradius = 0.15\nheight = 1.1\nclimb = 0.45\n";
    let found = loud(&level, &format!("{agents}[check]\nstarts = [\"a\"]\n"));
    assert_eq!(found, ["cat", "guard"].map(|agent| ["blocked-by-prop", agent, "Shelf"]));
}

#[test]
fn a_short_piece_of_wall_beside_a_doorway_is_no_prop() {
    // The shelf leaves the corner of the room free, so the way through the wall there is shorter.
    let mut level = room([3.4, 4.6]);
    level.object("Shelf");
    level.block([10.12, 0.0, 2.9], [10.5, 1.8, 5.1]);
    let found = loud(&level, &format!("{GUARD}[check]\nmust_reach = [[\"a\", \"b\"]]\n"));
    assert_eq!(found, [["blocked-by-prop", "default", "Shelf"]]);
}

#[test]
fn a_slit_between_a_wall_and_a_low_duct_is_no_passage() {
    // It leads around the corner of the room, where the duct ends.
    let mut level = room([6.6, 7.6]);
    level.object("Duct");
    level.block([10.2, 0.8, 1.0], [10.5, 1.1, 9.0]);
    for (name, z) in [("Post_1", 1.0), ("Post_2", 8.8)] {
        level.object(name);
        level.block([10.2, 0.0, z], [10.5, 0.8, z + 0.2]);
    }
    let agent = "[[agent]]\nradius = 0.25\nheight = 1.2\nclimb = 0.25\n";
    let found = loud(&level, &format!("{agent}[check]\nmust_reach = [[\"a\", \"b\"]]\n"));
    assert_eq!(found, [["blocked-by-head-room", "default", "Duct"]]);
}

#[test]
fn the_leaf_of_a_double_door_is_a_prop() {
    let mut level = room([4.1, 5.9]);
    level.object("Leaf");
    level.block([10.02, 0.01, 4.11], [10.08, 2.3, 5.89]);
    let found = loud(&level, &format!("{GUARD}[check]\nmust_reach = [[\"a\", \"b\"]]\n"));
    assert_eq!(found, [["blocked-by-prop", "default", "Leaf"]]);
}

/// Walls of a block between four corners in order around it, seen from above.
fn turned(level: &mut Level, corners: [[f64; 2]; 4], top: f64) {
    let at = |k: usize, y: f64| [corners[k % 4][0], y, corners[k % 4][1]];
    for k in 0..4 {
        level.quad([at(k, 0.0), at(k + 1, 0.0), at(k + 1, top), at(k, top)]);
    }
    level.quad([3, 2, 1, 0].map(|k| at(k, top)));
}

#[test]
fn a_crate_in_a_turned_doorway_is_a_prop_wherever_the_cells_are() {
    for (x, z) in (0..25).map(|n| (f64::from(n % 5) * 0.04, f64::from(n / 5) * 0.04)) {
        let moved = |corners: [[f64; 2]; 4]| corners.map(|p| [p[0] + x, p[1] + z]);
        let mut level = Level::new();
        level.object("Floor");
        level.floor([-84.0, 26.5], [-78.0, 32.5], 0.0);
        level.object("Jamb_1");
        let jamb = [[-80.708, 28.885], [-80.547, 29.003], [-77.0, 24.13], [-77.16, 24.01]];
        turned(&mut level, moved(jamb), 3.0);
        level.object("Jamb_2");
        let jamb = [[-81.202, 29.9], [-81.363, 29.782], [-84.94, 34.67], [-84.78, 34.79]];
        turned(&mut level, moved(jamb), 3.0);
        level.object("Crate");
        let crate_ = [[-81.214, 29.252], [-80.87, 28.779], [-80.397, 29.124], [-80.742, 29.596]];
        turned(&mut level, moved(crate_), 0.669);
        level.marker("b", [-79.4, 0.0, 30.6]);
        level.marker("a", [-82.6, 0.0, 28.2]);
        let found = loud(&level, &format!("{GUARD}[check]\nmust_reach = [[\"a\", \"b\"]]\n"));
        assert_eq!(found, [["blocked-by-prop", "default", "Crate"]], "{x} {z}");
    }
}

#[test]
fn a_gap_across_a_turned_bridge_is_in_the_middle_of_its_width() {
    // Along the bridge and across it: a direction that no compass of 96 directions has.
    let (along, across) = ([0.9622, -0.2723], [0.2723, 0.9622]);
    let point = |u: f64, v: f64| {
        let [x, z] = [0, 1].map(|k| u * along[k] + v * across[k]);
        [x, 0.0, z]
    };
    let mut level = Level::new();
    for (name, from, to, half) in [
        ("Bank_1", -9.0, -5.0, 4.0),
        ("Bridge_1", -5.0, -0.135, 1.1),
        ("Bridge_2", 0.135, 5.0, 1.1),
        ("Bank_2", 5.0, 9.0, 4.0),
    ] {
        level.object(name);
        let corners = [(from, -half), (from, half), (to, half), (to, -half)];
        level.quad(corners.map(|(u, v)| point(u, v)));
    }
    level.marker("a", point(-7.0, 2.0));
    level.marker("b", point(7.0, 2.0));
    let report = level.why(&format!("{GUARD}[check]\nmust_reach = [[\"a\", \"b\"]]\n"));
    let [gap] =
        report.findings.iter().filter(|f| f.rule == "blocked-by-gap").collect::<Vec<_>>()[..]
    else {
        panic!("{:#?}", report.findings);
    };
    let [x, _, z] = gap.place.unwrap();
    assert!(x.hypot(z) < 0.1, "{:?}", gap.place);
}

#[test]
fn a_steep_ramp_between_rails_is_a_slope_and_no_wall_beside_them() {
    let (sin, cos) = 45f64.to_radians().sin_cos();
    for k in 0..25 {
        let by = [f64::from(k % 5) * 0.04, f64::from(k / 5) * 0.04];
        let at = |[u, y, v]: [f64; 3]| {
            let [u, v] = [u + by[0], v + by[1]];
            [u * cos + v * sin, y, v * cos - u * sin]
        };
        let mut level = Level::new();
        let mut quad = |name: &str, corners: [[f64; 3]; 4]| {
            level.object(name);
            level.quad(corners.map(at));
        };
        quad("Floor", [[-8.0, 0.0, -4.0], [-8.0, 0.0, 4.0], [4.0, 0.0, 4.0], [4.0, 0.0, -4.0]]);
        quad("Podium", [[4.0, 1.5, -4.0], [4.0, 1.5, 4.0], [9.0, 1.5, 4.0], [9.0, 1.5, -4.0]]);
        quad("Podium", [[4.0, 0.0, -4.0], [4.0, 0.0, 4.0], [4.0, 1.5, 4.0], [4.0, 1.5, -4.0]]);
        // 60 degrees, 2 m wide.
        let foot = 4.0 - 1.5 / 60f64.to_radians().tan();
        quad("Ramp", [[foot, 0.0, -1.0], [foot, 0.0, 1.0], [4.0, 1.5, 1.0], [4.0, 1.5, -1.0]]);
        for v in [-1.0, 1.0] {
            quad("Rail", [[2.0, 0.0, v], [5.0, 0.0, v], [5.0, 2.7, v], [2.0, 2.7, v]]);
        }
        level.marker("a", at([-4.0, 0.0, 0.0]));
        level.marker("b", at([7.0, 1.5, 0.0]));
        let config = "agent = [{ radius = 0.4, height = 1.8, climb = 0.4 }]\n";
        let config = format!("{config}[check]\nmust_reach = [[\"a\", \"b\"]]\n");
        let found = loud(&level, &config);
        assert_eq!(found, [["blocked-by-slope", "default", "Ramp"]], "{by:?}");
    }
}
