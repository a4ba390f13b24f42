//! Help, examples, completions and manual pages.

use std::fs;

use crate::common::{Place, navbake};

/// A floor of 10 x 10 m with a wall, and two markers by the config.
const LEVEL: &str = "\
o floor
v 0 0 0
v 0 0 10
v 10 0 10
v 10 0 0
f 1 2 3 4
";
const CONFIG: &str = "\
[[marker]]
name = \"spawn_red\"
position = [1, 0, 1]
[[marker]]
name = \"flag_blue\"
position = [9, 0, 9]
";
const MAP: &str = "type octile\nheight 2\nwidth 3\nmap\n...\n.@.\n";

/// The verbs that `--help` lists, and the questions of `query`.
fn verbs(place: &Place, of: &[&str]) -> Vec<String> {
    let ran = place.run(&[of, &["--help"]].concat());
    let lines = ran.out.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = lines.take_while(|line| !line.is_empty());
    let names = names.filter_map(|line| line.split_whitespace().next().map(str::to_owned));
    names.filter(|name| name != "help").collect()
}

fn helps(place: &Place) -> Vec<Vec<String>> {
    let mut all = vec![vec![]];
    all.extend(verbs(place, &[]).into_iter().map(|verb| vec![verb]));
    all.extend(verbs(place, &["query"]).into_iter().map(|q| vec!["query".to_owned(), q]));
    all
}

#[test]
fn every_help_has_examples_and_every_example_runs() {
    let place = Place::new();
    place.write("level.obj", LEVEL);
    place.write("town.map", MAP);
    place.write("bake.toml", CONFIG);
    fs::write(place.path("terrain.r16"), [7; 2 * 9 * 9]).unwrap();
    // Within one tile, so that the plan has one job.
    place.write("world.toml", "[[place]]\nfile = \"level.obj\"\ntranslate = [30, 0, 30]\n");
    let baked = place.run(&["bake", "level.obj", "--config", "bake.toml", "-o", "old.navbake"]);
    assert_eq!(baked.code, 0, "{}", baked.err);
    let mut count = 0;
    for verb in helps(&place) {
        let verb: Vec<&str> = verb.iter().map(String::as_str).collect();
        let help = place.run(&[&verb[..], &["--help"]].concat());
        let examples = help.out.lines().filter_map(|line| line.strip_prefix("  navbake "));
        let examples: Vec<String> = examples.map(str::to_owned).collect();
        assert!(!examples.is_empty(), "{verb:?}: {}", help.out);
        for example in examples {
            // Each example finds the blob with its markers.
            fs::copy(place.path("old.navbake"), place.path("level.navbake")).unwrap();
            let arguments: Vec<&str> = example.split(' ').collect();
            if !verb.is_empty() {
                assert_eq!(arguments[..verb.len()], verb[..], "{example}");
            }
            let ran = place.run(&arguments);
            assert_eq!(ran.code, 0, "navbake {example}\n{}{}", ran.out, ran.err);
            count += 1;
        }
    }
    assert!(count > 40, "{count}");
}

#[test]
fn help_of_a_verb_is_the_same_both_ways() {
    let place = Place::new();
    for verb in helps(&place).into_iter().filter(|verb| !verb.is_empty()) {
        let verb: Vec<&str> = verb.iter().map(String::as_str).collect();
        let after = place.run(&[&verb[..], &["--help"]].concat());
        let before = place.run(&[&["help"], &verb[..]].concat());
        assert_eq!((before.code, before.out), (0, after.out), "{verb:?}");
    }
}

#[test]
fn completions_and_manual_pages_know_every_verb_and_option() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = place.run(&["completions", shell]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        for word in ["bake", "reachable", "--table-budget"] {
            let word = if shell == "fish" { word.trim_start_matches('-') } else { word };
            assert!(ran.out.contains(word), "{shell}: {word}");
        }
    }
    let ran = place.run(&["man", "--out-dir", "man/man1"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for verb in helps(&place) {
        let name = [&["navbake".to_owned()], &verb[..]].concat().join("-");
        let page = fs::read_to_string(place.path(&format!("man/man1/{name}.1"))).unwrap();
        assert!(page.contains(".SH NAME") && page.contains("Examples:"), "{name}");
    }
    let page = place.run(&["man"]);
    assert!(page.code == 0 && page.out.contains(".TH"), "{}", page.out);
}

#[test]
fn nothing_is_coloured_or_animated_off_a_terminal() {
    let place = Place::new();
    place.write("level.obj", LEVEL);
    for line in [&["bake", "level.obj"][..], &["bake", "none.obj"], &["--help"], &["bakee"]] {
        let ran = navbake(line).current_dir(place.folder.path()).output().unwrap();
        let all = [ran.stdout, ran.stderr].concat();
        assert!(!all.contains(&0x1b) && !all.contains(&b'\r'), "{line:?}");
    }
}
