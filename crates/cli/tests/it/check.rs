//! `check` and `view` as a build runs them: exit codes, files, and errors that say where.

use crate::common::Place;
use navbake_testkit::data::{data_in, fixture};
use serde_json::Value;

/// What is asked of the floor: there is nothing at the far place.
const ASKS: &str = "[check]\nmust_reach = [[[2, 0, 2], [2, 0, 3]], [[2, 0, 2], [90, 0, 90]]]\n";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_gate_for_the_build() {
    let place = Place::new();
    let blob = place.floor();
    place.write("rules.toml", "must_reach = [[[2, 0, 2], [90, 0, 90]]]\n");
    let ran = place.run(&["check", blob]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.contains("floor.nav: 0 errors"), "{}", ran.out);
    let ran = place.run(&["check", blob, "--rules", "rules.toml"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.starts_with("error marker-off-mesh: "), "{}", ran.out);
    assert!(ran.out.contains("(90.00, 0.00, 90.00)"), "{}", ran.out);
    // What is a warning does not fail the build, unless it is asked to.
    place.write(
        "mild.toml",
        "must_reach = [[[2, 0, 2], [90, 0, 90]]]\nseverity = { marker-off-mesh = \"warning\" }\n",
    );
    assert_eq!(place.run(&["check", blob, "--rules", "mild.toml"]).code, 0);
    let strict = ["check", blob, "--rules", "mild.toml", "--fail-on", "warning"];
    assert_eq!(place.run(&strict).code, 1);
}

#[test]
fn what_is_asked_goes_into_the_blob_and_a_level_is_baked_first() {
    let place = Place::new();
    place.floor();
    place.write("asks.toml", ASKS);
    let ran = place.run(&["bake", "floor.obj", "-o", "asked.nav", "--config", "asks.toml"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let of_blob = place.run(&["check", "asked.nav", "--format", "json"]);
    let of_level = place.run(&["check", "floor.obj", "--config", "asks.toml", "--format", "json"]);
    assert_eq!((of_blob.code, of_level.code), (1, 1), "{}", of_level.err);
    let (mut a, mut b) = (json(&of_blob.out), json(&of_level.out));
    assert_eq!(a["file"], "asked.nav");
    assert_eq!(b["file"], "floor.obj");
    for report in [&mut a, &mut b] {
        report["file"] = Value::Null;
    }
    // Why ground is cut off is searched in the level.
    let not_run = a["not_run"].as_array_mut().unwrap();
    let before = not_run.len();
    not_run.retain(|n| !n["why"].as_str().unwrap().contains("causes were not searched"));
    assert!(not_run.len() < before, "a blob says that causes were not searched");
    // So are objects.
    for finding in b["findings"].as_array_mut().unwrap() {
        finding["objects"] = Value::Array(vec![]);
    }
    assert_eq!(a, b);
    let bytes = std::fs::read(place.path("asked.nav")).unwrap();
    let piped = place.run_with(&["check", "-", "--format", "json"], &bytes);
    assert_eq!(json(&piped.out)["findings"], a["findings"]);
}

#[test]
fn a_baseline_hides_what_was_known() {
    let place = Place::new();
    let blob = place.floor();
    place.write("rules.toml", "must_reach = [[[2, 0, 2], [90, 0, 90]]]\n");
    let first = place.run(&["check", blob, "--rules", "rules.toml", "--format", "json"]);
    place.write("known.json", &first.out);
    let again = ["check", blob, "--rules", "rules.toml", "--baseline", "known.json"];
    let ran = place.run(&again);
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains(" known from the baseline"), "{}", ran.out);
    place.write("known.json", "{\n  \"schema\": 1,\n");
    let ran = place.run(&again);
    let said = ran.failed_with(2);
    assert!(said.contains("known.json") && said.contains("line 3"), "{said}");
}

#[test]
fn files_are_written_and_the_same_each_time() {
    let place = Place::new();
    let blob = place.floor();
    let write = |to: &str| {
        let [html, sarif, junit] = ["html", "sarif", "xml"].map(|kind| format!("{to}.{kind}"));
        let ran =
            place.run(&["check", blob, "--html", &html, "--sarif", &sarif, "--junit", &junit]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        [html, sarif, junit].map(|name| std::fs::read_to_string(place.path(&name)).unwrap())
    };
    let first = write("first");
    assert_eq!(first, write("second"));
    let folder = place.folder.path().display().to_string();
    assert!(first.iter().all(|text| !text.contains(&folder)));
    let ran = place.run(&["check", blob, "--sarif", "-"]);
    assert_eq!(json(&ran.out)["version"], "2.1.0");
    let ran = place.run(&["check", blob, "--sarif", "-", "--junit", "-"]);
    ran.failed_with(2);
    let ran = place.run(&["check", blob, "--html", "made/here/page.html"]);
    assert!(ran.code <= 1 && place.path("made/here/page.html").is_file(), "{}", ran.err);
}

#[test]
fn faults_of_what_is_asked_name_file_and_line_and_the_nearest_name() {
    let place = Place::new();
    let blob = place.floor();
    for (text, line, near) in [
        ("\nmust_reech = []\n", ":2:", "`must_reach`"),
        ("severity = { slivers = \"off\" }\n", ":1:", "`sliver`"),
        ("\n\n[[ignore]]\nrule = \"unreachabl\"\n", ":4:", "`unreachable`"),
        (
            "must_reach = [{ from = \"a\", to = \"b\", agents = [\"defalt\"] }]\n",
            ":1:",
            "`default`",
        ),
    ] {
        place.write("rules.toml", text);
        let ran = place.run(&["check", blob, "--rules", "rules.toml"]);
        let said = ran.failed_with(2);
        let at = format!("rules.toml{line}");
        assert!(said.contains(&at) && said.contains(near), "{said}");
        place.write("config.toml", &format!("[check]\n{}", text.replace("[[", "[[check.")));
        let ran = place.run(&["check", "floor.obj", "--config", "config.toml"]);
        assert!(ran.failed_with(2).contains(near));
    }
}

#[test]
fn what_cannot_be_looked_at_is_refused() {
    let place = Place::new();
    let blob = place.floor();
    assert!(place.run(&["check", "missing.nav"]).failed_with(4).contains("missing.nav"));
    place.write("broken.nav", "no blob at all");
    assert!(place.run(&["check", "broken.nav"]).failed_with(3).contains("broken.nav"));
    place.write("level.doc", "no level");
    assert!(place.run(&["check", "level.doc"]).failed_with(3).contains("level.doc"));
    let said = place.run(&["check", blob, "--radius", "0.3"]);
    assert!(said.failed_with(2).contains("baked already"));
}

#[test]
fn a_view_is_a_page_and_says_where_it_is() {
    let place = Place::new();
    let blob = place.floor();
    let ran = place.run(&["view", blob, "--no-open", "-o", "page.html"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "page.html\n"), "{}", ran.err);
    let page = std::fs::read_to_string(place.path("page.html")).unwrap();
    assert!(page.starts_with("<!doctype html>"), "{page}");
}

#[test]
fn commands_of_a_page_name_a_file_that_is_there() {
    let place = Place::new();
    place.floor();
    for name in ["level.navbake", "a.blob"] {
        std::fs::copy(place.path("floor.nav"), place.path(name)).unwrap();
    }
    let asked = |of: &str| {
        let page = std::fs::read_to_string(place.path(of)).unwrap();
        page.split_once("\"blob\":\"").unwrap().1.split('"').next().unwrap().to_string()
    };
    for blob in ["floor.nav", "level.navbake", "a.blob"] {
        assert_eq!(place.run(&["view", blob, "--no-open", "-o", "page.html"]).code, 0);
        assert_eq!(asked("page.html"), blob);
    }
    let ran = place.run(&["diff", "a.blob", "floor.nav", "--html", "changes.html"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(asked("changes.html"), "floor.nav");
    // That of a level is what a bake of it writes.
    std::fs::copy(fixture("office/office.obj"), place.path("office.obj")).unwrap();
    let ran = place.run(&["view", "office.obj", "--no-open", "-o", "level.html"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(asked("level.html"), "office.navbake");
}

#[test]
fn a_gap_that_agents_cross_is_no_cause_of_ground_that_is_cut_off() {
    let place = Place::new();
    place.write("c.toml", "[[agent]]\nradius = 0.3\n[rooms]\nenabled = true\n");
    let castle = fixture("rooms/castle.obj");
    let castle = castle.to_str().unwrap();
    let ran = place.run(&["check", castle, "--config", "c.toml", "--format", "json"]);
    let report = json(&ran.out);
    let findings = report["findings"].as_array().unwrap();
    assert!(findings.len() > 20, "{}", ran.err);
    let gaps = findings.iter().filter(|f| f["rule"] == "blocked-by-gap");
    let narrow: Vec<_> =
        gaps.filter(|f| f["figures"]["width_m"].as_f64().unwrap() <= 0.1).collect();
    assert!(narrow.is_empty(), "{narrow:#?}");
}

#[test]
fn a_check_leaves_tables_out_only_where_no_rule_is_about_them() {
    let place = Place::new();
    place.floor();
    place.write("labels.toml", "[tables]\nbudget = \"labels\"\n");
    place.write("limit.toml", "max_table_bytes = 10\n");
    let check = |more: &[&str]| place.run(&[&["check", "floor.obj"], more].concat());
    let tables = ["--config", "labels.toml"];
    assert_eq!(check(&tables).code, 0);
    let ran = check(&[&tables[..], &["--rules", "limit.toml"]].concat());
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.starts_with("error tables-over-budget: "), "{}", ran.out);
    place.write("own.toml", "[tables]\nbudget = \"labels\"\n[check]\nmax_table_bytes = 10\n");
    assert_eq!(check(&["--config", "own.toml"]).code, 1);
    // What a bake refuses is refused.
    place.write("small.toml", "[tables]\nbudget = \"1\"\nrequire = \"labels\"\n");
    assert_eq!(check(&["--config", "small.toml"]).code, 5);
    place.write("wrong.toml", "[tables]\nbudget = \"plenty\"\n");
    let ran = check(&["--config", "wrong.toml"]);
    assert!(ran.code == 2 && ran.err.contains("wrong.toml:2: `tables.budget`"), "{}", ran.err);
}

#[test]
fn ground_that_is_hard_to_explain_leaves_work_for_the_rest() {
    let name = "ground_that_is_hard_to_explain_leaves_work_for_the_rest";
    let Some(meshes) = data_in(name, "meshes") else { return };
    let level = meshes.join("sauerbraten_fdm6.obj");
    let size = ["--scale", "0.05", "--radius", "0.4", "--height", "1.8", "--climb", "0.5"];
    let check = ["check", level.to_str().unwrap(), "--format", "json"];
    let ran = Place::new().run(&[&check[..], &size[..]].concat());
    let report = json(&ran.out);
    let is_warning = |f: &&Value| f["severity"] == "warning";
    let found = report["findings"].as_array().unwrap().iter().filter(is_warning);
    // A yard beyond a passage as wide as the agent, once; ledges and roofs are notes.
    let rules: Vec<&str> = found.map(|f| f["rule"].as_str().unwrap()).collect();
    assert_eq!(rules, ["blocked-by-width"], "{}", ran.out);
}
