//! What a planner does not honour is named, and nothing is certified then; options that a planner
//! would ignore are refused.

use crate::common::{FLOOR, Place, Ran};
use serde_json::{Value, json};

const ROOMS: &str = "1\n11\n5\nxxxxxxxxxxx\nx....x....x\nx.........x\nx....x....x\nxxxxxxxxxxx\n";

fn bake(place: &Place, map: &str, config: &str) {
    place.write("level.txt", map);
    place.write("level.toml", config);
    let ran =
        place.run(&["bake", "level.txt", "--config", "level.toml", "-o", "level.nav", "--force"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
}

fn path(place: &Place, options: &[&str]) -> Ran {
    let line = ["query", "path", "level.nav", "--from", "1.5,0,2.5", "--to", "9.5,0,2.5"];
    place.run(&[&line[..], options].concat())
}

fn ask(place: &Place, options: &[&str]) -> Value {
    path(place, &[options, &["--format", "json"]].concat()).json()
}

#[test]
fn paths_over_cells_honour_the_doors_links_and_weights_of_the_blob() {
    let gate = "[[area]]\nname = \"gate\"\nswitch = \"gate\"\n[[volume]]\n\
                box = [[5.0, -1.0, 2.0], [6.0, 1.0, 3.0]]\narea = \"gate\"\n\
                [[switch]]\nname = \"gate\"\n";
    let link =
        "[[link]]\nname = \"pipe\"\nfrom = [1.5, 0.0, 1.5]\nto = [9.5, 0.0, 1.5]\ncost = 1.0\n";
    let mud = "[[area]]\nname = \"mud\"\n[[agent]]\nname = \"u\"\n[weights.units]\nu = { mud = 3.0 }\n\
               [weights.tasks.swim]\nu = { mud = 1.0 }\n\
               [[volume]]\nbox = [[5.0, -1.0, 2.0], [6.0, 1.0, 3.0]]\narea = \"mud\"\n";
    let place = Place::new();
    for (config, cost) in [
        (String::new(), Some(8.0)),
        (format!("{gate}closed = true\n"), None),
        (gate.into(), Some(8.0)),
        (link.into(), Some(3.0)),
        (mud.into(), Some(10.0)),
    ] {
        bake(&place, ROOMS, &config);
        for planner in ["grid4", "grid8"] {
            for options in [&["--planner", planner][..], &["--planner", planner, "--reverse"]] {
                let found = ask(&place, options);
                assert_eq!(found["left_out"], json!([]), "{config}");
                assert_eq!(found["cost"].as_f64(), cost, "{config}");
                assert_eq!(found["certified_optimal"], cost.is_some(), "{config}");
                let links = found["legs"].as_array().unwrap().iter();
                let links: Vec<_> = links.filter(|leg| leg["kind"] == "link").collect();
                assert_eq!(links.len(), usize::from(cost == Some(3.0)));
                assert!(links.iter().all(|leg| leg["link"] == "pipe"));
            }
        }
    }
    // Another task has other weights.
    let swim = ask(&place, &["--planner", "grid8", "--task", "swim"]);
    assert_eq!((&swim["cost"], &swim["certified_optimal"]), (&json!(8.0), &json!(true)));
}

/// A ferry over the wall, a gate in its gap, and mud between a vehicle and its goal.
#[test]
fn paths_of_vehicles_honour_the_doors_links_and_weights_of_the_blob() {
    let cart =
        "[[vehicle]]\nname = \"cart\"\nturn_radius = 1.0\nrings = 2\nfootprint = { disc = 0.4 }\n";
    let gate = "[[area]]\nname = \"gate\"\nswitch = \"gate\"\n[[volume]]\n\
                box = [[5.0, -1.0, 2.0], [6.0, 1.0, 3.0]]\narea = \"gate\"\n\
                [[switch]]\nname = \"gate\"\nclosed = true\n";
    let link =
        "[[link]]\nname = \"ferry\"\nfrom = [2.5, 0.0, 2.5]\nto = [8.5, 0.0, 2.5]\ncost = 1.0\n";
    let lost = "[[link]]\nfrom = [1.5, 0.0, 2.5]\nto = [9.9, 0.0, 2.9]\ncost = 50.0\n";
    let mud = "[[area]]\nname = \"mud\"\n[[agent]]\nname = \"u\"\n[weights.units]\nu = { mud = 3.0 }\n\
               [weights.tasks.swim]\nu = { mud = 1.0 }\n\
               [[volume]]\nbox = [[5.0, -1.0, 2.0], [6.0, 1.0, 3.0]]\narea = \"mud\"\n";
    let place = Place::new();
    for (config, options, cost) in [
        ("", &[][..], Some(8.0)),
        (gate, &[], None),
        (gate, &["--closed="], Some(8.0)),
        (link, &[], Some(3.0)),
        (lost, &[], Some(8.0)),
        (mud, &[], Some(10.0)),
        (mud, &["--task", "swim"], Some(8.0)),
    ] {
        bake(&place, ROOMS, &format!("{config}{cart}"));
        let found = ask(&place, &[&["--planner", "turning"], options].concat());
        assert_eq!(found["left_out"], json!([]), "{config}");
        assert_eq!((&found["cost"], &found["bound"]), (&json!(cost), &json!(cost)), "{config}");
        let legs = found["legs"].as_array().unwrap();
        let kinds: Vec<_> = legs.iter().map(|leg| leg["kind"].as_str().unwrap()).collect();
        let expected = match cost {
            None => vec![],
            Some(3.0) => vec!["walk", "link", "walk"],
            _ => vec!["walk"],
        };
        assert_eq!(kinds, expected, "{config}");
        if cost == Some(3.0) {
            assert_eq!(legs[1]["link"], "ferry");
            let points = found["points"].as_array().unwrap();
            let at = |key: &str| &points[legs[1][key].as_u64().unwrap() as usize];
            assert_eq!(at("from"), &json!([2.5, 0.0, 2.5]));
            assert_eq!(at("to"), &json!([8.5, 0.0, 2.5]));
            assert_eq!(found["pieces"][1]["turn"], "link");
            assert_eq!(found["length_xz"], 2.0);
        }
    }
    let unknown = path(&place, &["--planner", "turning", "--task", "dive"]);
    assert!(unknown.failed_with(2).contains("`swim`"));
    let unknown = path(&place, &["--planner", "turning", "--closed", "gat"]);
    assert!(unknown.failed_with(2).contains("no switch `gat`"));
}

#[test]
fn options_that_a_planner_would_ignore_are_refused_with_a_reason() {
    let place = Place::new();
    bake(&place, ROOMS, "");
    for (planner, options) in [
        ("grid8", &["--finish=spline", "--epsilon=0.5"][..]),
        ("grid4", &["--unsmoothed", "--extents=1,1,1"]),
        ("turning", &["--finish=spline", "--partial", "--epsilon=0.5"]),
        ("optimal", &["--order=greedy", "--weight=2", "--heuristic=octile", "--turn-penalty"]),
        ("hierarchical", &["--order=greedy", "--reverse", "--corner-cutting", "--unit-cells=2"]),
        ("corridor", &["--epsilon=0.5", "--terrain-costs=1", "--unsmoothed"]),
    ] {
        for option in options {
            let ran = path(&place, &["--planner", planner, option]);
            let error = ran.failed_with(2);
            let name = option.split('=').next().unwrap();
            assert!(error.contains(name) && error.contains(planner), "{error}");
            assert!(error.contains("does not apply"), "{error}");
        }
    }
    assert!(!place.path("a.svg").exists());
}

#[test]
fn bench_and_tune_ask_as_the_agent_and_its_task() {
    let mud = "[[area]]\nname = \"mud\"\n[[agent]]\nname = \"u\"\n[weights.units]\nu = { mud = 9.0 }\n\
               [weights.tasks.dry]\nu = { mud = inf }\n\
               [[volume]]\nbox = [[1.0, -1.0, 1.0], [5.0, 1.0, 4.0]]\narea = \"mud\"\n";
    let place = Place::new();
    bake(&place, ROOMS, mud);
    let dump = |options: &[&str]| {
        let line =
            ["bench", "level.nav", "--random", "40", "--dump", "d.txt", "--planner", "corridor"];
        assert_eq!(place.run(&[&line[..], options].concat()).code, 0);
        std::fs::read_to_string(place.path("d.txt")).unwrap()
    };
    let cost = |text: &str| -> f64 {
        text.lines().map(|l| l.split(' ').nth(1).unwrap().parse::<f64>().unwrap()).sum()
    };
    let total = |line: &str| -> f64 {
        let points: Vec<Vec<f64>> = (line.split(' ').skip(2))
            .map(|p| p.split(',').map(|c| c.parse().unwrap()).collect())
            .collect();
        points.windows(2).map(|w| (w[1][0] - w[0][0]).hypot(w[1][2] - w[0][2])).sum()
    };
    let own = dump(&[]);
    assert!(cost(&own) > 1.5 * own.lines().map(total).sum::<f64>());
    // No end is on forbidden ground, and all that is left is plain.
    let dry = dump(&["--task", "dry"]);
    assert!(
        dry.lines().all(|l| l
            .split(' ')
            .nth(2)
            .unwrap()
            .split(',')
            .next()
            .unwrap()
            .parse::<f64>()
            .unwrap()
            >= 5.0)
    );
    let random = place.run(&["query", "random", "level.nav", "--count", "50", "--task", "dry"]);
    for line in random.out.lines() {
        assert!(line.split(',').next().unwrap().parse::<f64>().unwrap() >= 5.0, "{line}");
    }
    for verb in [&["bench", "level.nav", "--random", "5"][..], &["tune", "level.nav"]] {
        let unknown = place.run(&[verb, &["--task", "wet"]].concat());
        assert!(unknown.failed_with(2).contains("`dry`"));
    }
}

#[test]
fn bench_ends_once_where_the_blob_lacks_what_the_planner_needs() {
    let place = Place::new();
    bake(&place, ROOMS, "");
    for options in [["--planner", "hierarchical"], ["--heuristic", "table"]] {
        let ran = place.run(&[&["bench", "level.nav", "--random", "63"], &options[..]].concat());
        if ran.code != 0 {
            assert!(ran.failed_with(2).contains("the navmesh has no "), "{}", ran.err);
        } else {
            assert_eq!(options[0], "--heuristic", "landmarks may be there");
        }
    }
}

#[test]
fn the_length_along_the_ground_goes_over_every_rise() {
    // A ridge 4 m high between level ground: flat from above, one straight path.
    let place = Place::new();
    let heights = [0.0, 0.0, 1.0, 3.0, 4.0, 2.5, 1.0, 0.0, 0.0];
    let mut level = String::new();
    for z in [0.0, 24.0] {
        for (k, y) in heights.iter().enumerate() {
            level += &format!("v {} {y} {z}\n", 4 * k);
        }
    }
    for k in 1..heights.len() {
        level += &format!("f {k} {} {}\nf {k} {} {}\n", k + 9, k + 10, k + 10, k + 1);
    }
    place.write("ridge.obj", &level);
    let ran = place.run(&["bake", "ridge.obj", "-o", "ridge.nav"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let line = ["query", "path", "ridge.nav", "--from", "2,0,12", "--to", "30,0,12"];
    let found = place.run(&[&line[..], &["--format", "json"]].concat()).json();
    let rise = |k: usize| 4f64.hypot(heights[k + 1] - heights[k]);
    let truth = 4.0 + (1..7).map(rise).sum::<f64>();
    assert_eq!(found["length_xz"], 28.0);
    let length = found["length_3d"].as_f64().unwrap();
    assert!((length - truth).abs() < 1e-6 && truth > 29.0, "{length} for {truth}");
    let text = place.run(&line);
    assert!(text.out.contains("length 28.000 in the plane"), "{}", text.out);
    assert!(text.out.contains(&format!("{length:.3} along the ground")), "{}", text.out);
}

#[test]
fn a_weight_of_ground_that_is_not_there_does_not_lower_the_estimate() {
    let place = Place::new();
    let row = "1".repeat(24);
    let map = format!("1\n24\n9\n{}", format!("{row}\n").repeat(9));
    let config = "[terrain]\nnames = [\"plain\", \"swamp\"]\n[[agent]]\nname = \"u\"\n\
                  [weights.units]\nu = { swamp = 8.0 }\n";
    bake(&place, &map, config);
    let found = ask(&place, &["--planner", "corridor"]);
    let number = |found: &Value, key: &str| found[key].as_f64().unwrap();
    assert!((number(&found, "cost") - 64.0).abs() < 1e-9, "{found}");
    assert!((number(&found, "bound") - 64.0).abs() < 1e-9, "{found}");
    let cells = |costs| ask(&place, &["--planner", "grid8", "--terrain-costs", costs]);
    let (own, all) = (cells("1,8"), cells("8,8"));
    assert_eq!((&own["cost"], &own["expanded"]), (&all["cost"], &all["expanded"]));
    assert_eq!((&own["left_out"], &own["certified_optimal"]), (&json!([]), &json!(true)));
}

/// Every option of every other question changes its answer, or is refused with what to do instead.
/// An option of `--help` that is not in the table fails this test.
#[test]
fn options_of_questions_are_honoured_or_refused() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    let config = "scale = 2.0\n[[agent]]\nname = \"walker\"\n[[agent]]\nname = \"giant\"\nradius = 2.0\n\
                  [[area]]\nname = \"mud\"\n[[area]]\nname = \"gate\"\nswitch = \"gate\"\n\
                  [[switch]]\nname = \"gate\"\n\
                  [[volume]]\nbox = [[-20, -1, -10], [-10, 3, 10]]\narea = \"mud\"\n\
                  [[volume]]\nbox = [[10, -1, -10], [12, 3, 10]]\narea = \"gate\"\n\
                  [weights.tasks.dry]\nwalker = { mud = \"x\" }\ngiant = { mud = \"x\" }\n";
    place.write("floor.toml", config);
    let ran = place.run(&["bake", "floor.obj", "--config", "floor.toml", "-o", "floor.nav"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let table = [
        (
            "nearest",
            "--at 0,0,9.9",
            "--agent=giant --coords=input --extents=.1,.1,.1",
            "--closed=gate --task=dry",
        ),
        (
            "raycast",
            "--from 5,1.5,5 --to 19,0,5",
            "--agent=giant --coords=input --extents=0,.1,0 --closed=gate --to=15,0,5 --from=6,0,5",
            "",
        ),
        ("raycast", "--from -5,1.5,5 --to -19,0,5", "--task=dry", ""),
        (
            "reachable",
            "--from 5,1.5,5 --to 18.8,0,5",
            "--agent=giant --coords=input --extents=0,.1,0 --closed=gate --expect=unreachable --to=44,0,0 --from=19.9,0,0",
            "",
        ),
        ("reachable", "--from -5,1.5,5 --to -15,0,5", "--task=dry", ""),
        (
            "move",
            "--from 5,1.5,5 --to 30,0,9",
            "--agent=giant --coords=input --extents=0,.1,0 --closed=gate --kept=0 --to=7,0,5 --from=6,0,5",
            "",
        ),
        ("move", "--from -5,1.5,5 --to -19,0,5", "--task=dry", ""),
        (
            "gradient",
            "--from 5,1.5,5 --to 19,0,5",
            "--agent=giant --coords=input --extents=0,.1,0 --closed=gate --pull=3 --step=2 --to=15,0,5 --from=6,0,5",
            "--over=cells",
        ),
        ("gradient", "--from -5,1.5,5 --to -19,0,5", "--task=dry", ""),
        (
            "distance",
            "--at 8,1.5,5",
            "--agent=giant --coords=input --extents=0,.1,0 --closed=gate --within=1 --at=7,0,7",
            "",
        ),
        ("distance", "--at -8,1.5,5", "--task=dry", ""),
        (
            "fits",
            "--at 8,1.5,5",
            "--agent=giant --coords=input --extents=0,.1,0 --closed=gate --within=1 --radius=15 --at=7,0,7",
            "",
        ),
        ("fits", "--at -8,1.5,5", "--task=dry", ""),
        (
            "random",
            "--count 20",
            "--agent=giant --coords=input --closed=gate --task=dry --count=2 --seed=2 --island=1 --near=5,0,5=--within=3",
            "--extents=1,1,1",
        ),
        ("random", "--near 5,1.5,5 --within 3", "--extents=0,.1,0 --within=1 --near=6,0,6", ""),
    ];
    let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
    for verb in
        ["nearest", "raycast", "reachable", "move", "gradient", "distance", "fits", "random"]
    {
        let help = place.run(&["query", verb, "--help"]).out;
        let own = help.split("Every verb:").next().unwrap();
        let options = own.lines().map(str::trim).filter(|line| line.starts_with("--"));
        for option in options.map(|line| line.split([' ', '=']).next().unwrap()) {
            let decided = table.iter().filter(|row| row.0 == verb).any(|row| {
                let all = format!("{} {} {}", row.1, row.2, row.3).replace("=--", " --");
                all.split_whitespace().any(|word| word.split('=').next() == Some(option))
            });
            // A way to read the file is none to answer, and a picture is written beside the answer.
            assert!(
                decided || option == "--mmap" || option == "--trace",
                "query {verb} {option}: honoured or refused?"
            );
        }
    }
    for (verb, base, honoured, refused) in table {
        let ask = |more: &[String]| {
            // A later value replaces an earlier one.
            let mut line = words(base);
            for option in more {
                let name = option.split('=').next().unwrap();
                if let Some(at) = line.iter().position(|word| word == name) {
                    line.drain(at..at + 2);
                }
            }
            let head = ["query", verb, "floor.nav", "--format", "json"].map(String::from);
            let line: Vec<String> = head.into_iter().chain(line).chain(more.to_vec()).collect();
            place.run(&line.iter().map(String::as_str).collect::<Vec<_>>())
        };
        let plain = ask(&[]);
        assert_eq!(plain.code, 0, "{verb}: {}", plain.err);
        for option in honoured.split_whitespace() {
            let other = ask(&words(&option.replace("=--", " --")));
            assert!(other.code <= 1, "{verb} {option}: {}", other.err);
            assert!((other.code, &other.out) != (0, &plain.out), "{verb} {option} changes nothing");
        }
        for option in refused.split_whitespace() {
            let ran = ask(&words(option));
            let error = ran.failed_with(2);
            assert!(error.contains(option.split('=').next().unwrap()), "{error}");
        }
    }
}
