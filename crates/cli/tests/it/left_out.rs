//! What a planner does not honour is named, and nothing is certified then; options that a planner
//! would ignore are refused.

use crate::common::{Place, Ran};
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
fn paths_over_cells_are_not_certified_where_doors_links_or_weights_of_the_blob_matter() {
    let gate = "[[area]]\nname = \"gate\"\nswitch = \"gate\"\n[[volume]]\n\
                box = [[5.0, -1.0, 2.0], [6.0, 1.0, 3.0]]\narea = \"gate\"\n\
                [[switch]]\nname = \"gate\"\n";
    let link =
        "[[link]]\nname = \"pipe\"\nfrom = [1.5, 0.0, 1.5]\nto = [9.5, 0.0, 1.5]\ncost = 1.0\n";
    let mud = "[[area]]\nname = \"mud\"\n[[agent]]\nname = \"u\"\n[weights.units]\nu = { mud = 3.0 }\n\
               [weights.tasks.swim]\nu = { mud = 1.0 }\n\
               [[volume]]\nbox = [[5.0, -1.0, 2.0], [6.0, 1.0, 3.0]]\narea = \"mud\"\n";
    let place = Place::new();
    for (config, missed) in [
        (String::new(), json!([])),
        (format!("{gate}closed = true\n"), json!(["closed-doors"])),
        (gate.into(), json!([])),
        (link.into(), json!(["links"])),
        (mud.into(), json!(["weights"])),
    ] {
        bake(&place, ROOMS, &config);
        for planner in ["grid4", "grid8"] {
            let found = ask(&place, &["--planner", planner]);
            let nothing = missed == json!([]);
            assert_eq!(found["left_out"], missed, "{config}");
            assert_eq!(found["certified_optimal"], nothing, "{config}");
            assert_eq!(found["bound"].is_null(), !nothing);
            let text = path(&place, &["--planner", planner]);
            assert_eq!(text.out.contains("optimal"), nothing);
            assert_eq!(text.out.contains("this planner ignores"), !nothing, "{}", text.out);
        }
        assert_eq!(ask(&place, &[])["left_out"], json!([]));
    }
    // The task charges what the planner does.
    let swim = ask(&place, &["--planner", "grid8", "--task", "swim"]);
    assert_eq!((&swim["left_out"], &swim["certified_optimal"]), (&json!([]), &json!(true)));
}

#[test]
fn options_that_a_planner_would_ignore_are_refused_with_a_reason() {
    let place = Place::new();
    bake(&place, ROOMS, "");
    for (planner, options) in [
        (
            "grid8",
            &["--trace=a.svg", "--finish=spline", "--epsilon=0.5", "--reverse", "--closed=a"][..],
        ),
        ("grid4", &["--max-open=3", "--cost-estimate=own", "--unsmoothed", "--extents=1,1,1"]),
        ("turning", &["--task=a", "--finish=spline", "--partial", "--epsilon=0.5", "--closed=a"]),
        ("optimal", &["--order=greedy", "--weight=2", "--heuristic=octile", "--turn-penalty"]),
        ("hierarchical", &["--order=greedy", "--reverse", "--corner-cutting"]),
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
