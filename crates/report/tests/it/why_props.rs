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
