//! Rooms on the command line: `bake`, `info`, `query`, `export`.

use crate::common::Place;

/// Two rooms of cells and a door of one between them.
const MAP: &str = "\
type octile
height 8
width 15
map
@@@@@@@@@@@@@@@
@......@......@
@......@......@
@.............@
@......@......@
@......@......@
@......@......@
@@@@@@@@@@@@@@@
";

fn baked(config: &str) -> (Place, serde_json::Value) {
    let place = Place::new();
    place.write("two.map", MAP);
    place.write("c.toml", config);
    let ran =
        place.run(&["bake", "two.map", "--config", "c.toml", "-o", "two.nav", "--format", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let said = ran.json();
    (place, said)
}

const NAMED: &str = "[rooms]\nenabled = true\n[rooms.names]\nkitchen = [3, 0, 3]\n";

#[test]
fn bake_and_info_count_rooms_and_info_names_them() {
    let (place, said) = baked(NAMED);
    assert_eq!((&said["rooms"], &said["doors"]), (&2.into(), &1.into()));
    let info = place.run(&["info", "two.nav", "--verify", "--format", "json"]).json();
    assert_eq!((&info["rooms"], &info["room_doors"]), (&2.into(), &1.into()));
    let named = &info["named_rooms"];
    assert_eq!(named.as_array().map(Vec::len), Some(1));
    assert_eq!((&named[0]["name"], &named[0]["doors"]), (&"kitchen".into(), &1.into()));
    let text = place.run(&["info", "two.nav"]).out;
    assert!(text.contains("2 rooms, 1 door") && text.contains("kitchen: 3"), "{text}");
}

#[test]
fn queries_tell_the_rooms_of_places_and_paths() {
    let (place, _) = baked(NAMED);
    let near =
        place.run(&["query", "nearest", "two.nav", "--at", "3,0,5", "--format", "json"]).json();
    assert_eq!(near["room"]["name"], "kitchen");
    let path = ["query", "path", "two.nav", "--from", "3,0,5", "--to", "12,0,2"];
    let json = place.run(&[&path[..], &["--format", "json"]].concat()).json();
    let rooms: Vec<&str> =
        json["rooms"].as_array().unwrap().iter().map(|r| r["name"].as_str().unwrap()).collect();
    assert_eq!(rooms, ["kitchen", ""]);
    let text = place.run(&path).out;
    assert!(text.contains("(kitchen)") && text.contains("; rooms: room"), "{text}");
}

#[test]
fn export_draws_rooms_with_names_and_doors_with_widths() {
    let (place, _) = baked(NAMED);
    let ran = place.run(&["export", "two.nav", "--to", "svg", "-o", "-"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains(">kitchen</text>") && ran.out.contains("1.00 wide: "), "{}", ran.out);
    assert_eq!(ran.out.matches("class=\"door\"").count(), 1);
}

#[test]
fn a_bake_without_rooms_says_nothing_of_them() {
    let (place, said) = baked("");
    assert_eq!((&said["rooms"], &said["doors"]), (&0.into(), &0.into()));
    let near =
        place.run(&["query", "nearest", "two.nav", "--at", "3,0,5", "--format", "json"]).json();
    assert!(near["room"].is_null());
    let svg = place.run(&["export", "two.nav", "--to", "svg", "-o", "-"]).out;
    assert!(svg.contains("<title>island") && !svg.contains("class=\"door\""));
}

#[test]
fn a_room_named_off_the_ground_or_by_no_marker_is_reported() {
    let (_, said) = baked("[rooms]\nenabled = true\n[rooms.names]\nattic = [100, 0, 100]\n");
    let codes: Vec<&str> =
        said["warnings"].as_array().unwrap().iter().map(|w| w["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["room-off-mesh"]);
    let place = Place::new();
    place.write("two.map", MAP);
    place.write("c.toml", "[rooms.names]\n\nattic = \"stairs\"\n");
    let ran = place.run(&["bake", "two.map", "--config", "c.toml", "-o", "two.nav"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(
        ran.err.contains("c.toml:3") && ran.err.contains("no marker called `stairs`"),
        "{}",
        ran.err
    );
}

#[test]
fn hierarchical_paths_need_rooms_and_say_so() {
    let (place, _) = baked(NAMED);
    let ask = |extra: &[&str]| {
        let mut args =
            vec!["query", "path", "two.nav", "--from", "2.5,0,5.5", "--to", "12.5,0,6.5"];
        args.extend(["--planner", "hierarchical"]);
        args.extend(extra);
        place.run(&args)
    };
    let answer = ask(&["--format", "json"]).json();
    assert_eq!(
        (&answer["status"], &answer["planner"]),
        (&"reached".into(), &"hierarchical".into())
    );
    assert!(answer["bound"].as_f64().unwrap() <= answer["length_xz"].as_f64().unwrap());
    let info = place.run(&["info", "two.nav"]).out;
    assert!(info.contains("hierarchical"), "{info}");
    let ran = place.run(&["bake", "two.map", "-o", "two.nav", "--force"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = ask(&[]);
    assert!(ran.out.starts_with("no_rooms: ") && ran.out.contains("[rooms]"), "{}", ran.out);
    assert!(!place.run(&["info", "two.nav"]).out.contains("hierarchical"));
}

#[test]
fn info_says_which_doors_are_none_for_larger_agents() {
    let place = Place::new();
    place.write(
        "c.toml",
        "seeds = [[5.0, 0.0, 5.0]]\n[rooms]\nenabled = true\n[[agent]]\nname = \"ogre\"\nradius = 0.52\nheight = 1.8\nclimb = 0.4\n\
         [[agent]]\nname = \"imp\"\nradius = 0.3\nheight = 1.8\nclimb = 0.4\n",
    );
    let level = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/rooms/office.obj");
    let ran = place.run(&["bake", level, "--config", "c.toml", "-o", "o.nav"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let info = place.run(&["info", "o.nav", "--format", "json"]).json();
    let of = |class: usize, key: &str| info["classes"][class][key].as_u64().unwrap();
    assert_eq!((of(0, "room_doors"), of(0, "missing_doors")), (5, 11));
    assert_eq!((of(1, "room_doors"), of(1, "missing_doors")), (16, 0));
    let text = place.run(&["info", "o.nav"]).out;
    assert!(text.contains("5 doors, 11 doors of the smallest agent missing"), "{text}");
    // A place has the same number for both.
    let number = |agent: &str| {
        let ran = place.run(&["query", "nearest", "o.nav", "--agent", agent, "--at", "5,0,5"]);
        ran.out.split("room ").nth(1).map(|r| r.split([' ', '\n', ',']).next().unwrap().to_owned())
    };
    assert!(number("imp").is_some());
    assert_eq!(number("imp"), number("ogre"));
}
