//! The lines of a config's keys, for error messages.

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};

/// The line of every key and every element of an array, by its path: `agent[1].radius`,
/// `weights.units.Jeep[3]`. They are for messages alone: any two are alike.
#[derive(Clone, Debug, Default)]
pub struct Lines(BTreeMap<String, Place>);

#[derive(Clone, Copy, Debug)]
struct Place {
    /// From 1.
    line: usize,
    /// The number there.
    number: Option<f64>,
}

impl PartialEq for Lines {
    fn eq(&self, _: &Lines) -> bool {
        true
    }
}

impl Lines {
    pub(super) fn read(document: &DeTable<'_>, text: &str) -> Lines {
        // Lines are counted once: a config can have many keys.
        let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        let line = |offset: usize| 1 + ends.partition_point(|&end| end < offset);
        let mut lines = Lines::default();
        lines.table("", document, &line);
        lines
    }

    fn table(&mut self, path: &str, table: &DeTable<'_>, line: &impl Fn(usize) -> usize) {
        for (key, value) in table.iter() {
            let name = key.get_ref();
            let path = match path {
                "" => name.to_string(),
                _ => format!("{path}.{name}"),
            };
            self.value(path, line(key.span().start), value.get_ref(), line);
        }
    }

    fn value(
        &mut self,
        path: String,
        at: usize,
        value: &DeValue<'_>,
        line: &impl Fn(usize) -> usize,
    ) {
        let digits = match value {
            DeValue::Integer(n) => n.as_str(),
            DeValue::Float(n) => n.as_str(),
            _ => "",
        };
        let number = digits.replace('_', "").parse().ok();
        match value {
            DeValue::Table(table) => self.table(&path, table, line),
            DeValue::Array(list) => {
                for (i, element) in list.iter().enumerate() {
                    let at = line(element.span().start);
                    self.value(format!("{path}[{i}]"), at, element.get_ref(), line);
                }
            }
            _ => {}
        }
        self.0.insert(path, Place { line: at, number });
    }

    /// The line of a path, where the file has it.
    pub(super) fn of(&self, path: &str) -> Option<usize> {
        self.0.get(path).map(|place| place.line)
    }

    /// The line of a path, or of what it is in.
    pub fn at(&self, path: &str) -> Option<usize> {
        let mut path = path;
        loop {
            if let Some(place) = self.0.get(path) {
                return Some(place.line);
            }
            path = &path[..path.rfind(['.', '['])?];
        }
    }

    /// As [`Lines::at`], and nothing where the file has another number than this: an option on the
    /// command line has overridden it.
    pub(super) fn of_number(&self, path: &str, number: f64) -> Option<usize> {
        let other = |n: f64| n != number && !(n.is_nan() && number.is_nan());
        match self.0.get(path) {
            Some(place) if place.number.is_some_and(other) => None,
            _ => self.at(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_elements_know_their_lines() {
        let text = "a = 1\n\n[[b]]\nc = [1,\n 2.5]\n[[b]]\n[d.\"e f\"]\ng = { h = nan }\n";
        let lines = Lines::read(DeTable::parse(text).unwrap().get_ref(), text);
        for (path, line) in [
            ("a", 1),
            ("b[0].c", 4),
            ("b[0].c[0]", 4),
            ("b[0].c[1]", 5),
            ("b[1]", 6),
            ("d.e f.g", 8),
            ("d.e f.g.h", 8),
            ("d.e f.i", 7),
            ("b[1].c[3].x", 6),
        ] {
            assert_eq!(lines.at(path), Some(line), "{path}");
        }
        assert_eq!(lines.at("z"), None);
        assert_eq!(lines.of_number("b[0].c[1]", 2.5), Some(5));
        assert_eq!(lines.of_number("b[0].c[1]", 2.0), None);
        assert_eq!(lines.of_number("d.e f.g.h", f64::NAN), Some(8));
        assert_eq!(lines.of_number("b[0].z", 2.0), Some(3));
    }
}
