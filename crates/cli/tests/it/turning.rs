//! `[[vehicle]]` in the config and the planner `turning`.

use crate::common;
use crate::common::Place;

/// Rooms with an alley, cells of 2 m.
const TOWN: &str = "\
............
............
............
............
####.#######
####.#######
####.#######
####.#######
############
";

fn town(place: &Place, vehicles: &str) -> common::Ran {
    let mut map = String::from("type octile\nheight 9\nwidth 12\nmap\n");
    map.extend(TOWN.lines().map(|row| format!("{row}\n").replace('#', "@")));
    place.write("town.map", &map);
    place.write("town.toml", &format!("scale = 2.0\n{vehicles}"));
    place.run(&["bake", "town.map", "-o", "town.nav", "--config", "town.toml", "--force"])
}

const TRUCK: &str = "\
[[vehicle]]
name = \"car\"
turn_radius = 2.0
footprint = { disc = 0.9 }

[[vehicle]]
name = \"truck\"
turn_radius = 2.0
footprint = { rectangle = [3.0, 1.6] }
reverse = { penalty = 2.0, change = 1.0 }
";

#[test]
fn a_truck_backs_out_of_an_alley_that_a_car_without_reverse_cannot_leave() {
    let place = Place::new();
    let ran = town(&place, TRUCK);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ask = |options: &[&str]| {
        let mut line =
            vec!["query", "path", "town.nav", "--planner", "turning", "--format", "json"];
        line.extend(options);
        place.run(&line)
    };
    let ends = ["--from", "9,0,13@270", "--to", "3,0,3"];
    let car = ask(&[&["--agent", "car"], &ends[..]].concat()).json();
    assert_eq!(car["status"], "unreachable", "{car}");
    let truck = ask(&[&["--agent", "truck", "--trace", "path.svg"], &ends[..]].concat()).json();
    assert_eq!(truck["status"], "reached", "{truck}");
    assert_eq!(truck["pieces"][0]["gear"], "reverse");
    let number = |key: &str| truck[key].as_f64().unwrap();
    assert!(number("cost") > number("length_xz") + 8.0 && number("bound") > 0.0);
    let points = truck["points"].as_array().unwrap();
    assert_eq!(points[0], serde_json::json!([9.0, 0.0, 13.0]));
    let last = &points[points.len() - 1];
    for (k, wanted) in [(0, 3.0), (2, 3.0)] {
        assert!((last[k].as_f64().unwrap() - wanted).abs() < 1e-6, "{last}");
    }
    let picture = std::fs::read_to_string(place.path("path.svg")).unwrap();
    assert!(picture.contains("class=\"back\"") && picture.contains("class=\"swept\""));
    // With a heading at the end it looks there.
    let aimed = ask(&["--agent", "truck", "--from", "3,0,3@0", "--to", "19,0,5@90"]).json();
    assert!((aimed["end_heading"].as_f64().unwrap() - 90.0).abs() < 1e-6);
    // In a wall.
    let stuck = ask(&["--agent", "truck", "--from", "3,0,11@0", "--to", "19,0,5"]).json();
    assert_eq!(stuck["status"], "start_blocked");
    for (to, status) in [("3,0,11", "goal_blocked"), ("300,0,5", "off_mesh")] {
        let answer = ask(&["--agent", "car", "--from", "3,0,3@0", "--to", to]).json();
        assert_eq!(answer["status"], status, "{answer}");
        assert!(answer["says"].as_str().unwrap().contains("goal"), "{answer}");
    }
    for heading in ["nan", "inf", "north"] {
        let from = format!("3,0,3@{heading}");
        let ran = ask(&["--agent", "car", "--from", &from, "--to", "19,0,5"]);
        let message = format!("`{heading}` is not a heading");
        assert!(ran.failed_with(2).contains(&message), "{}", ran.err);
    }
    // By default a little more than the cheapest.
    let usual = ask(&["--agent", "car", "--from", "3,0,3@90", "--to", "19,0,5@90"]).json();
    let least = ask(&[
        "--agent",
        "car",
        "--from",
        "3,0,3@90",
        "--to",
        "19,0,5@90",
        "--weight",
        "1",
        "--unsmoothed",
    ])
    .json();
    let cost = |answer: &serde_json::Value, key: &str| answer[key].as_f64().unwrap();
    assert!(cost(&usual, "cost") <= 1.1 * cost(&least, "cost") + 1e-9);
    assert!((cost(&least, "bound") - cost(&least, "cost")).abs() < 1e-9);
    let info = place.run(&["info", "town.nav"]);
    assert!(info.out.contains("turn-edges") && info.out.contains("turning:"), "{}", info.out);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let place = Place::new();
    town(&place, TRUCK);
    let ask = |options: &[&str]| {
        let mut line = vec!["query", "path", "town.nav", "--to", "19,0,5"];
        line.extend(options);
        place.run(&line)
    };
    let turning = ["--planner", "turning", "--from", "3,0,3@0"];
    let ran = ask(&[&turning[..], &["--agent", "tram"]].concat());
    assert!(ran.failed_with(2).contains("its vehicles: car, truck"));
    let ran = ask(&[&turning[..], &["--partial"]].concat());
    ran.failed_with(2);
    for planner in ["corridor", "grid8"] {
        let ran = ask(&["--planner", planner, "--from", "3,0,3@0"]);
        assert!(ran.failed_with(2).contains("a heading (@degrees) does not apply"));
    }
    let blob = place.map();
    let ran = place.run(&[
        "query",
        "path",
        blob,
        "--planner",
        "turning",
        "--from",
        "1.5,0,1.5",
        "--to",
        "2.5,0,1.5",
    ]);
    assert!(ran.failed_with(2).contains("[[vehicle]]"));
}

#[test]
fn what_no_tables_can_be_made_for_is_an_error_that_says_what_would_do() {
    let place = Place::new();
    for (vehicle, words) in [
        (
            "turn_radius = 5.0\nfootprint = { disc = 0.9 }\nrings = 2",
            ["line 4", "`rings = 3` would do"],
        ),
        ("turn_radius = 2.0\nfootprint = { disc = 0.9 }\nwindow = 3", ["vehicle `v`", "would do"]),
        ("turn_radius = 2.0\nfootprint = { disc = 90.0 }", ["vehicle `v`", "times the side"]),
        (
            "turn_radius = 2.0\nfootprint = { polygon = [[1.0, 0.0], [2.0, 0.0], [1.0, 1.0]] }",
            ["vehicle `v`", "must be convex"],
        ),
        (
            "turn_radius = 2.0\nfootprint = { disc = 0.9 }\nheadings = 9",
            ["vehicle `v`", "8, 16 or 32"],
        ),
        ("turn_radius = nan\nfootprint = { disc = 0.9 }", ["vehicle `v`", "NaN"]),
        ("turn_radius = 2.0\nfootprint = { square = 0.9 }", ["square", "rectangle"]),
    ] {
        let ran = town(&place, &format!("[[vehicle]]\nname = \"v\"\n{vehicle}\n"));
        let message = ran.failed_with(2);
        for word in words {
            let word = word.replace("line 4", "town.toml:4");
            assert!(message.contains(&word), "{message}");
        }
    }
    let twice = format!("{TRUCK}{}", TRUCK.replace("\"truck\"", "\"van\""));
    assert!(town(&place, &twice).failed_with(2).contains("two vehicles are called `car`"));
    place.write("floor.toml", TRUCK);
    place.floor();
    let ran = place.run(&["bake", "floor.obj", "-o", "no.nav", "--config", "floor.toml"]);
    assert!(ran.failed_with(2).contains("give the vehicle a `tile`"));
    assert!(!place.path("no.nav").exists());
}

#[test]
fn threads_do_not_change_the_bytes() {
    let place = Place::new();
    town(&place, TRUCK);
    let line = ["bake", "town.map", "--config", "town.toml", "--force"];
    for threads in ["1", "2", "3"] {
        let out = format!("{threads}.nav");
        let ran = place.run(&[&line[..], &["-o", &out, "--threads", threads]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    let read = |name: &str| std::fs::read(place.path(name)).unwrap();
    assert!(read("1.nav") == read("2.nav") && read("2.nav") == read("3.nav"));
}

/// A field with a road of two tiles and one bend, and a truck.
#[test]
fn paths_of_vehicles_keep_to_roads_by_each_remedy() {
    let place = Place::new();
    place.write("field.txt", &format!("1\n20\n20\n{}", format!("{}\n", ".".repeat(20)).repeat(20)));
    let road = "[[area]]\nname = \"road\"\n[[volume]]\nbox = [[2, -1, 16], [18, 1, 18]]\narea = \"road\"\n\
                [[volume]]\nbox = [[16, -1, 2], [18, 1, 18]]\narea = \"road\"\n\
                [[vehicle]]\nname = \"truck\"\nturn_radius = 1.0\nfootprint = { disc = 0.45 }\n";
    place.write("field.toml", road);
    let ran = place.run(&["bake", "field.txt", "--config", "field.toml", "-o", "field.nav"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let line = ["query", "path", "field.nav", "--planner", "turning", "--from", "3.5,0,17.5@0"];
    let ask = |options: &[&str]| {
        let ends = ["--to", "17.5,0,3.5@90", "--format", "json"];
        place.run(&[&line[..], &ends[..], options].concat())
    };
    let is_road = |x: f64, z: f64| {
        let along = |v: f64| (2.0..=18.0).contains(&v);
        (along(x) && z >= 16.0) || (along(z) && x >= 16.0)
    };
    // The greatest distance of the path from the bend at which it is off the road.
    let off = |found: &serde_json::Value| {
        let at = |p: &serde_json::Value, k: usize| p[k].as_f64().unwrap();
        let points = found["points"].as_array().unwrap().iter();
        let off = points.map(|p| (at(p, 0), at(p, 2))).filter(|&(x, z)| !is_road(x, z));
        off.map(|(x, z)| (x - 16.0).abs().max((z - 16.0).abs())).fold(0.0, f64::max)
    };
    let plain = ask(&[]).json();
    assert!(off(&plain) > 3.0, "{plain}");
    let cost = |found: &serde_json::Value| found["cost"].as_f64().unwrap();
    for remedy in [
        &["--road", "road"][..],
        &["--road", "road", "--off-road", "8", "--road-rings", "1"],
        &["--road", "road", "--off-road", "8", "--road-rings", "turn"],
    ] {
        let found = ask(remedy).json();
        assert_eq!((&found["status"], off(&found)), (&"reached".into(), 0.0), "{remedy:?}");
        assert!(cost(&found) > cost(&plain) + 1.0, "{remedy:?}");
    }
    let cones = ask(&["--road", "road", "--cones"]).json();
    assert!(off(&cones) <= 2.0 && cost(&cones) > cost(&plain), "{cones}");
    for (options, message) in [
        (&["--road", "rode"][..], "did you mean `road`?"),
        (&["--road", "road", "--off-road", "0.5"], "1 or more"),
        (&["--road", "road", "--road-rings", "0"], "1 or more"),
        (&["--cones"], "`truck` has no roads; name their areas with --road"),
        (&["--off-road", "2"], "`truck` has no roads"),
        (&["--no-road", "--cones"], "cannot be used with"),
        (&["--directions", "4"], "8 or 16"),
    ] {
        let error = ask(options);
        assert!(error.failed_with(2).contains(message), "{}", error.err);
    }
    // The config gives the truck roads of its own: as the options do, which override them.
    let same = |found: &serde_json::Value, other: &serde_json::Value| {
        assert_eq!((&found["cost"], &found["pieces"]), (&other["cost"], &other["pieces"]));
    };
    let turn = ask(&["--road", "road", "--off-road", "8", "--road-rings", "turn"]).json();
    let only = ask(&["--road", "road"]).json();
    let lines = ask(&["--directions", "8"]).json();
    for (own, by_options) in [
        ("roads = { areas = [\"road\"] }", &only),
        ("roads = { areas = [\"road\"], off_road = 8, rings = \"turn\" }", &turn),
        ("roads = { areas = [\"road\"], cones = true }", &cones),
        ("directions = 8", &lines),
    ] {
        place.write("field.toml", &format!("{road}{own}\n"));
        let line = ["bake", "field.txt", "--config", "field.toml", "-o", "field.nav", "--force"];
        assert_eq!(place.run(&line).code, 0, "{own}");
        same(&ask(&[]).json(), by_options);
        same(&ask(&["--no-road", "--directions", "any"]).json(), &plain);
        same(&ask(&["--road", "road", "--directions", "any"]).json(), &only);
        if own.starts_with("roads") {
            same(&ask(&["--off-road", "8", "--road-rings", "turn"]).json(), &{
                let cones: &[&str] = if own.contains("cones") { &["--cones"] } else { &[] };
                let options = ["--road", "road", "--off-road", "8", "--road-rings", "turn"];
                ask(&[&options[..], cones].concat()).json()
            });
        }
    }
    for (own, key, message) in [
        ("roads = { areas = [\"rode\"] }", 13, "did you mean `road`?"),
        ("roads = { areas = [] }", 13, "is empty"),
        ("roads = { areas = [\"road\"], off_road = 0.5 }", 13, "1 or more"),
        ("roads = { areas = [\"road\"], rings = 0 }", 13, "1 or more"),
        ("roads = { areas = [\"road\"], rings = \"far\" }", 13, "or \"turn\""),
        ("directions = 4", 13, "8 or 16"),
    ] {
        place.write("wrong.toml", &format!("{road}{own}\n"));
        let ran = place.run(&["bake", "field.txt", "--config", "wrong.toml", "-o", "no.nav"]);
        let found = ran.failed_with(2);
        assert!(found.contains(message), "{found}");
        assert!(found.contains(&format!("wrong.toml:{key}:")), "{found}");
    }
    // Lines in 8 directions, one after the other.
    let found = ask(&["--directions", "8"]).json();
    let pieces = found["pieces"].as_array().unwrap();
    let number = |v: &serde_json::Value| v.as_f64().unwrap();
    for two in pieces.windows(2) {
        let heading = number(&two[0]["heading"]);
        assert_eq!((&two[0]["turn"], heading % 45.0), (&"straight".into(), 0.0));
        let (sin, cos) = heading.to_radians().sin_cos();
        let long = number(&two[0]["length"]);
        let end =
            [number(&two[0]["from"][0]) + long * cos, number(&two[0]["from"][2]) - long * sin];
        let next = [0, 2].map(|k| number(&two[1]["from"][k]));
        assert!((0..2).all(|k| (end[k] - next[k]).abs() < 1e-6), "{two:?}");
    }
    assert!(pieces.len() > 4);
}

const RACER: &str = "\
[[vehicle]]
name = \"racer\"
turn_radius = 2.0
speeds = [{ speed = 1.0 }, { speed = 4.0, turn_radius = 4.0 }]
acceleration = 1.0
braking = 2.0
footprint = { disc = 0.9 }
detour = 3.0
";

#[test]
fn answers_for_a_vehicle_with_speeds_have_class_speeds_and_time_of_each_piece() {
    let place = Place::new();
    let ran = town(&place, RACER);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let line = "query path town.nav --planner turning --from 3,0,3@0 --to 9,0,13@270";
    let line: Vec<&str> = line.split(' ').collect();
    let answer = place.run(&[&line[..], &["--format", "json"]].concat()).json();
    assert_eq!(answer["status"], "reached", "{answer}");
    let pieces = answer["pieces"].as_array().unwrap();
    let (mut clock, mut speed) = (0.0, 0.0);
    for piece in pieces {
        let number = |key: &str| piece[key].as_f64().unwrap();
        let [first, last] = [0, 1].map(|k| piece["speeds"][k].as_f64().unwrap());
        assert!((first - speed).abs() < 1e-6, "{piece}");
        let most = if piece["class"] == 0 { 1.0 } else { 4.0 };
        assert!(first.max(last) <= most + 1e-6, "{piece}");
        let rate = (last - first) / number("time");
        assert!((-2.0 - 1e-6..=1.0 + 1e-6).contains(&rate), "{piece}");
        assert!((number("length") - number("time") * (first + last) / 2.0).abs() < 1e-6);
        (clock, speed) = (clock + number("time"), last);
    }
    assert!(speed.abs() < 1e-6 && pieces.iter().any(|piece| piece["class"] == 1), "{answer}");
    for key in ["time", "cost"] {
        assert!((answer[key].as_f64().unwrap() - clock).abs() < 1e-6, "{answer}");
    }
    let text = place.run(&line);
    assert!(text.out.contains("class 1, 0.000 to ") && text.out.contains(" s\n"), "{}", text.out);
    let lines = place.run(&[&line[..], &["--directions", "8"]].concat());
    assert!(lines.code == 2 && lines.err.contains("`racer`"), "{} {}", lines.code, lines.err);
}

#[test]
fn speeds_that_no_vehicle_can_have_are_refused_with_their_line() {
    for (wrong, right, line, found) in [
        ("acceleration = 1.0", "", 5, "`acceleration`"),
        ("speed = 4.0", "speed = 0.5", 5, "more than 1"),
        ("turn_radius = 4.0", "turn_radius = 1.0", 5, "2 at least"),
        ("speed = 4.0", "speed = 40.0", 5, "speed levels"),
        ("braking = 2.0", "braking = -2.0", 7, "braking of -2"),
        ("speeds = [{ speed = 1.0 }, { speed = 4.0, turn_radius = 4.0 }]", "", 6, "`speeds`"),
        ("detour = 3.0", "directions = 8", 9, "do not go with `speeds`"),
    ] {
        let place = Place::new();
        let ran = town(&place, &RACER.replace(wrong, right));
        let line = format!("town.toml:{line}:");
        assert!(ran.code != 0 && ran.err.contains(found), "{wrong}: {}", ran.err);
        assert!(ran.err.contains(&line), "{wrong}: {}", ran.err);
    }
}
