//! The commented config that `navbake config --template` prints, and the reference of all keys.

use crate::config::Config;
use crate::config::keys::{Key, SECTIONS, Section};

const HEAD: &str = "# navbake config. Every key may be left out; these are the defaults. Lengths are metres, angles degrees.
# An unknown key is an error. Options on the command line override this file.
";

impl Config {
    /// A config with every key at its default, with unit and meaning.
    ///
    /// Keys whose default depends on the input are comments. It parses to [`Config::default`].
    pub fn template() -> String {
        let mut text = HEAD.to_owned();
        for section in SECTIONS {
            text.push('\n');
            for line in section.doc.lines() {
                text.push_str(&format!("# {line}\n"));
            }
            if !section.head.is_empty() {
                let comment = if section.shown { "" } else { "# " };
                text.push_str(&format!("{comment}{}\n", section.head));
            }
            for key in section.keys {
                text.push_str(&line(key));
            }
        }
        text
    }

    /// A Markdown table of all keys, for docs/config.md.
    pub fn reference() -> String {
        let mut text = "# Config keys\n\nGenerated from the rows that also make `navbake config --template`. Every key may be left out.\n".to_owned();
        for section in SECTIONS {
            text.push_str(&format!("\n## {}\n\n{}\n\n", title(section), section.doc));
            text.push_str(
                "| key | default or example | unit | range | meaning |\n|---|---|---|---|---|\n",
            );
            for key in section.keys {
                let cell = |text: &str| text.replace('|', "\\|");
                let value = if key.shown { "" } else { "e.g. " };
                text.push_str(&format!(
                    "| `{}` | {value}`{}` | {} | {} | {} |\n",
                    key.name(),
                    cell(key.value),
                    key.unit,
                    key.range.text(),
                    cell(key.doc)
                ));
            }
        }
        text
    }
}

fn title(section: &Section) -> String {
    match section.head {
        "" => section.doc.split('.').next().unwrap_or("").into(),
        head => format!("`{head}`"),
    }
}

/// A key as the template has it.
fn line(key: &Key) -> String {
    let comment = if key.shown { "" } else { "# " };
    let assigned = format!("{comment}{} = {}", key.name(), key.value);
    let said = match (key.unit, key.doc) {
        ("", doc) => doc.to_owned(),
        (unit, "") => unit.to_owned(),
        (unit, doc) => format!("{unit}, {doc}"),
    };
    match said.as_str() {
        "" => format!("{assigned}\n"),
        said => format!("{assigned:<22} # {said}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_parses_to_the_default() {
        assert_eq!(Config::parse(&Config::template()).unwrap(), Config::default());
    }

    #[test]
    fn every_key_of_the_config_is_in_the_template_with_its_default() {
        // All rows, also those that the template has as comments.
        let mut text = String::new();
        for section in SECTIONS {
            text.push_str(section.head);
            text.push('\n');
            for key in section.keys.iter().filter(|k| !k.name.starts_with('#')) {
                text.push_str(&format!("{} = {}\n", key.name, key.value));
            }
        }
        let config = Config::parse(&text).unwrap();
        let defaults = Config::default().resolved(false).unwrap();
        assert_eq!(config.agents, defaults.agents);
        assert_eq!(config.min_region, defaults.min_region);
        assert_eq!(config.rules.len(), 1);
        // Nothing that a config has is missing from the rows.
        let known = toml::to_string(&config).unwrap();
        let rows: Vec<&str> = SECTIONS.iter().flat_map(|s| s.keys).map(Key::name).collect();
        for (key, _) in known.lines().filter_map(|l| l.split_once(" = ")) {
            let in_other = ["from", "penalty", "change", "disc", "sliver", "Mud", "island-cut-off"];
            let bare = key.trim_matches('"');
            let is_row = rows.iter().any(|r| r.trim_matches('"') == bare);
            assert!(is_row || in_other.contains(&bare) || text.contains(bare), "{key}");
        }
        for table in ["[[volume]]", "[[link]]", "[[area]]", "[[switch]]", "[[vehicle]]"] {
            assert!(known.contains(table), "{table}");
        }
    }

    #[test]
    fn the_reference_in_the_docs_is_that_of_the_rows() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/config.md");
        if std::env::var_os("NAVBAKE_BLESS").is_some() {
            std::fs::write(path, Config::reference()).unwrap();
        }
        let written = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            written == Config::reference(),
            "docs/config.md is out of date: run this test with NAVBAKE_BLESS=1"
        );
    }
}
