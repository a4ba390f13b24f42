//! Settings of searches, pictures of them, and their comparison.

use crate::common::{Place, keys};

#[test]
fn every_setting_finds_the_way_and_the_planner_is_named() {
    let place = Place::new();
    let blob = place.floor();
    for planner in ["corridor", "midpoints", "optimal"] {
        for settings in [
            "--order greedy",
            "--order dijkstra",
            "--heuristic manhattan --weight 2.5",
            "--heuristic octile --reverse",
            "--heuristic longest-axis --max-open 1",
        ] {
            let line = format!(
                "query path {blob} --from -6,0,0 --to 6,0,0 --planner {planner} {settings} --format json"
            );
            let ran = place.run(&line.split(' ').collect::<Vec<_>>());
            if planner == "optimal" {
                assert!(ran.failed_with(2).contains("does not apply to the planner optimal"));
                continue;
            }
            let path = ran.json();
            assert_eq!(path["status"], "reached", "{line}");
            assert_eq!(path["planner"], planner);
            assert_eq!(path["certified_optimal"], false);
            assert!(path["length_xz"].as_f64().unwrap() > 12.0);
            for key in ["expanded", "closed", "max_open", "dropped"] {
                assert!(keys(&path).contains(&key.to_string()), "{key}");
            }
        }
    }
}

#[test]
fn tables_that_are_not_there_are_named_and_senseless_weights_refused() {
    let place = Place::new();
    let blob = place.floor();
    let base = ["query", "path", blob, "--from", "-6,0,0", "--to", "6,0,0", "--heuristic", "table"];
    let ran = place.run(&base);
    assert_eq!(ran.code, 0);
    assert!(ran.out.starts_with("no_tables: "), "{}", ran.out);
    for weight in ["-1", "1001", "nan"] {
        let ran = place.run(&[&base[..7], &["--weight", weight]].concat());
        assert_eq!(ran.code, 2, "{weight}");
    }
}

#[test]
fn a_trace_is_a_picture_of_the_search_and_the_same_every_time() {
    let place = Place::new();
    place.floor();
    // Without tables, so that there is a search.
    let blob = "bare.nav";
    let ran = place.run(&["bake", "floor.obj", "-o", blob, "--table-budget", "none"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for (planner, more) in
        [("corridor", &[][..]), ("corridor", &["--reverse"]), ("midpoints", &[]), ("optimal", &[])]
    {
        let base =
            ["query", "path", blob, "--from", "-6,0,0", "--to", "6,0,0", "--planner", planner];
        let draw = |file: &str| {
            let ran = place.run(&[&base[..], more, &["--trace", file]].concat());
            assert_eq!(ran.code, 0, "{}", ran.err);
            std::fs::read_to_string(place.path(file)).unwrap()
        };
        let picture = draw("a.svg");
        assert_eq!(picture, draw("b.svg"));
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
        assert!(picture.contains("class=\"path\"") && picture.contains(">start<"));
        // Cones turn at corners, so their path has no raw form.
        let own = match planner {
            "optimal" => "class=\"cone\"",
            _ => "class=\"raw\"",
        };
        assert!(picture.contains(own) && picture.contains("expanded 1<"));
    }
    // Labels search nothing: the picture is of the search without them.
    place.run(&["bake", "floor.obj", "-o", "floor.nav", "--force", "--table-budget", "labels"]);
    let ran = place.run(&[
        "query",
        "path",
        "floor.nav",
        "--from",
        "-6,0,0",
        "--to",
        "6,0,0",
        "--planner",
        "optimal",
        "--trace",
        "l.svg",
    ]);
    assert!(ran.out.contains("optimal, from tables"), "{}", ran.out);
    let picture = std::fs::read_to_string(place.path("l.svg")).unwrap();
    assert!(picture.contains("class=\"cone\"") && picture.contains("without the labels"));
    // A straight line has no search to show, and an end off the mesh no path.
    for to in ["-6,0,3", "60,0,0"] {
        let ran =
            place.run(&["query", "path", blob, "--from", "-6,0,0", "--to", to, "--trace", "c.svg"]);
        assert_eq!(ran.code, 0);
        let picture = std::fs::read_to_string(place.path("c.svg")).unwrap();
        assert!(picture.contains("0 expanded"));
    }
}

#[test]
fn tune_compares_settings_and_draws_them() {
    let place = Place::new();
    // With labels, by which `optimal` searches nothing.
    let (blob, map) = (place.floor(), place.map());
    place.run(&["bake", "floor.obj", "-o", blob, "--force", "--table-budget", "labels"]);
    let base = ["tune", blob, "--random", "60", "--weights", "1,2"];
    for (planner, blob) in [("corridor", blob), ("midpoints", blob), ("grid4", map), ("grid8", map)]
    {
        let base = ["tune", blob, "--random", "60", "--weights", "1,2"];
        let ran = place.run(
            &[&base[..], &["--planner", planner, "--plot", "p.svg", "--format", "json"]].concat(),
        );
        let tuning = ran.json();
        assert_eq!(tuning["planner"], planner);
        assert!(tuning["queries"].as_u64().unwrap() > 10, "{tuning}");
        let settings = tuning["settings"].as_array().unwrap();
        // Dijkstra, each heuristic with two weights, and greedy with each; over cells by landmarks
        // too.
        let heuristics = if planner.starts_with("grid") { 5 } else { 4 };
        assert_eq!(settings.len(), 1 + heuristics * 2 + heuristics);
        let blind = settings[0]["mean_expanded"].as_f64().unwrap();
        assert!(blind > 0.0);
        for setting in settings {
            assert!(setting["mean_ratio"].as_f64().unwrap() >= 1.0 - 1e-9);
            assert!(setting["max_ratio"].as_f64() >= setting["mean_ratio"].as_f64());
            // Over cells only consistent estimates, such as none, leave out steps.
            let pruned = planner.starts_with("grid");
            assert!(pruned || setting["mean_expanded"].as_f64().unwrap() <= 1.5 * blind);
        }
        let euclidean = settings.iter().find(|s| s["heuristic"] == "euclidean").unwrap();
        assert_eq!(euclidean["overestimates"], false);
        let picture = std::fs::read_to_string(place.path("p.svg")).unwrap();
        assert_eq!(picture.matches("r=\"3.5\"").count(), settings.len());
        assert!(picture.contains(">longest-axis<"));
    }
    let table = place.run(&base);
    assert_eq!(table.code, 0);
    assert_eq!(table.out.matches("<- least work").count(), 1);
    let ran = place.run(&[&base[..], &["--planner", "optimal"]].concat());
    assert!(ran.failed_with(2).contains("nothing to tune"));
}
