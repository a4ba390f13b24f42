//! Examples at the end of each `--help`; a test runs every line.

/// The examples of a verb or a question, by its name in `examples.txt`.
pub(crate) fn of(verb: &str) -> String {
    let lines = include_str!("examples.txt").lines();
    let own = lines.skip_while(|line| line.trim_matches(['[', ']']) != verb).skip(1);
    let own = own.take_while(|line| !line.starts_with('['));
    own.fold("Examples:".into(), |text, line| text + "\n  " + line)
}
