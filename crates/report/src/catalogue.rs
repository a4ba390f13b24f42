//! All rules, by their codes.

use crate::finding::Finding;
use crate::rule::Rule;

/// The rules of a check, in no particular order.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    crate::rules::ALL.iter().copied().flatten()
}

/// The rules of a check, a diff and an audit.
pub(crate) fn all() -> impl Iterator<Item = &'static Rule> {
    rules().chain(crate::diff::RULES).chain(crate::audit::RULES)
}

/// The rule with a code.
pub fn rule(code: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.code == code)
}

impl Finding {
    /// A finding of the whole level with the severity of its rule.
    ///
    /// # Panics
    /// If there is no rule of that code, a bug in the program.
    pub fn new(rule: &'static str, message: impl Into<String>) -> Finding {
        let known = self::rule(rule).expect("a known rule");
        Finding {
            rule: known.code,
            severity: known.severity,
            message: message.into(),
            place: None,
            agent: None,
            names: vec![],
            objects: vec![],
            figures: vec![],
            shape: vec![],
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn codes_are_unique_and_texts_are_sentences() {
        let mut codes = BTreeSet::new();
        for rule in all() {
            let sound = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(rule.code.chars().all(sound), "{}", rule.code);
            assert!(codes.insert(rule.code), "{}", rule.code);
            for text in [rule.finds, rule.cure] {
                assert!(text.ends_with('.'), "{}: {text}", rule.code);
            }
        }
    }

    /// Rewrites the tables of docs/rules.md if NAVBAKE_WRITE_DOCS is set.
    #[test]
    fn docs_list_every_rule() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules.md");
        let text = std::fs::read_to_string(path).unwrap();
        let mut wanted = text.clone();
        let check: Vec<&Rule> = rules().collect();
        for (name, rules) in [
            ("check", check),
            ("diff", crate::diff::RULES.iter().collect()),
            ("audit", crate::audit::RULES.iter().collect()),
        ] {
            let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end {name} -->\n"));
            let start = wanted.find(&begin).expect(name) + begin.len();
            let stop = wanted.find(&end).expect(name);
            wanted.replace_range(start..stop, &table(rules));
        }
        if std::env::var_os("NAVBAKE_WRITE_DOCS").is_some() {
            std::fs::write(path, &wanted).unwrap();
        } else {
            assert!(
                text == wanted,
                "docs/rules.md is out of date: run this test with NAVBAKE_WRITE_DOCS=1"
            );
        }
    }

    /// The most severe first, then by code.
    fn table(mut rules: Vec<&Rule>) -> String {
        rules.sort_by_key(|r| (std::cmp::Reverse(r.severity), r.code));
        let mut out =
            String::from("| code | severity | finds | cure | options |\n|---|---|---|---|---|\n");
        for r in rules {
            let options: Vec<String> = r.options.iter().map(|o| format!("`{o}`")).collect();
            out += &format!(
                "| `{}` | {} | {} | {} | {} |\n",
                r.code,
                r.severity,
                r.finds,
                r.cure,
                options.join(", ")
            );
        }
        out
    }
}
