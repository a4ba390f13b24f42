//! docs/cli.md names every verb and option, and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use super::common::Place;

/// Options of every verb, which have a section of their own.
const EVERY_VERB: [&str; 5] = ["--format", "--quiet", "--verbose", "--help", "--version"];

/// The options in a text: words that start with two dashes. Rules of tables are dashes alone.
fn options(text: &str) -> BTreeSet<String> {
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let words = text.split(|c: char| !is_name(c));
    let options = words.filter(|w| w.starts_with("--") && !w.ends_with('-'));
    options.map(str::to_owned).collect()
}

/// The options that the help of a verb declares, and their aliases.
fn declared(place: &Place, verb: &[&str]) -> BTreeSet<String> {
    let ran = place.run(&[verb, &["--help"]].concat());
    assert_eq!(ran.code, 0, "{verb:?}");
    let lines = ran.out.lines().map(str::trim_start);
    let declares = |line: &&str| line.starts_with('-') && !line.starts_with("- ");
    let declared = lines.filter(|line| declares(line) || line.starts_with("[alias"));
    declared.flat_map(options).collect()
}

/// The verbs or questions that a help lists.
fn commands(place: &Place, verb: &[&str]) -> Vec<String> {
    let ran = place.run(&[verb, &["--help"]].concat());
    let lines = ran.out.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = lines.take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn the_page_names_every_verb_and_option_and_no_other() {
    let page = include_str!("../../../../docs/cli.md");
    let mut sections: BTreeMap<&str, String> = BTreeMap::new();
    let mut title = "";
    for line in page.lines() {
        if let Some(heading) = line.trim_start_matches('#').strip_prefix(' ')
            && line.starts_with('#')
        {
            title = heading;
        }
        let section = sections.entry(title).or_default();
        section.push_str(line);
        section.push('\n');
    }
    let place = Place::new();
    let verbs = commands(&place, &[]);
    let questions = commands(&place, &["query"]);
    assert!(verbs.len() == 19 && questions.len() == 9, "{verbs:?} {questions:?}");
    let every_verb: BTreeSet<String> = EVERY_VERB.map(str::to_owned).into();
    assert_eq!(options(&sections["Every verb"]), every_verb);

    // Texts can refer to the options of every verb.
    let named = |title: &str| -> BTreeSet<String> {
        let found = options(&sections[title]);
        found.difference(&every_verb).cloned().collect()
    };

    let mut known = BTreeSet::from(["Every verb", "The command line", "query"]);
    let mut of_all_questions: Option<BTreeSet<String>> = None;
    for question in &questions {
        let found = declared(&place, &["query", question]);
        of_all_questions = Some(match of_all_questions {
            None => found,
            Some(all) => all.intersection(&found).cloned().collect(),
        });
    }
    let of_all_questions = of_all_questions.unwrap();
    let wanted: BTreeSet<String> = of_all_questions.difference(&every_verb).cloned().collect();
    assert_eq!(named("query"), wanted, "query");
    for question in &questions {
        let found = declared(&place, &["query", question]);
        let wanted: BTreeSet<String> = found.difference(&of_all_questions).cloned().collect();
        let title = format!("query {question}");
        assert_eq!(named(&title), wanted, "{title}");
    }
    for verb in verbs.iter().filter(|verb| *verb != "query") {
        let found = declared(&place, &[verb]);
        let wanted: BTreeSet<String> = found.difference(&every_verb).cloned().collect();
        assert_eq!(named(verb), wanted, "{verb}");
        known.insert(verb);
    }
    // No section of a verb that does not exist.
    for title in page.lines().filter_map(|line| line.strip_prefix("## ")) {
        assert!(known.contains(title), "{title}");
    }
    for title in page.lines().filter_map(|line| line.strip_prefix("### query ")) {
        assert!(questions.iter().any(|q| q == title), "{title}");
    }
}

#[test]
fn old_names_of_options_are_refused_with_the_new_name() {
    let place = Place::new();
    for (line, new) in [
        ("query path a.nav --from 0,0,0 --to 1,0,0 --ahead own", "--cost-estimate"),
        ("query path a.nav --from 0,0,0 --to 1,0,0 --gap=0.1", "--epsilon"),
        ("bench a.nav --random 1 --gap 0.1", "--epsilon"),
        ("bake a.obj --strip", "--no-diagnostics"),
    ] {
        let arguments: Vec<&str> = line.split(' ').collect();
        let ran = place.run(&arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{line}");
        assert!(ran.err.contains(new), "{line}: {}", ran.err);
    }
}
