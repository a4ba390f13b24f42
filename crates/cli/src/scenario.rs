//! Readers of MovingAI scenarios (`.scen`) and of lists of optimal lengths.
//!
//! A scenario's integers are points of the corner lattice of the grid map, (x, z) in cells; for its
//! own octile lengths they name cells by column and row.
//! <https://movingai.com/benchmarks/formats.html> defines the format; files come with tabs
//! ("version 1") and with spaces ("version 1.0").

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use crate::failure::Failure;

/// Start and goal, in cells: `[sx, sz, tx, tz]`.
pub(crate) type Ends = [i32; 4];

/// The use of the last field of a scenario's line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Lengths {
    /// Nothing; it can be any text.
    Ignored,
    /// The octile length of the shortest path.
    Octile,
}

/// A query of a scenario.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Query {
    /// Its ends.
    pub(crate) ends: Ends,
    /// The octile length of the shortest path in cells, `None` for no path (-1) and if ignored.
    pub(crate) length: Option<f64>,
    /// How much the printed length may be off: by 1e-5 of it or of 1, or by its two decimals.
    pub(crate) slack: f64,
}

/// Reads the queries of a scenario.
///
/// # Errors
/// If the file cannot be read, has an invalid line, or no query.
pub(crate) fn read_scenario(path: &Path, lengths: Lengths) -> Result<Vec<Query>, Failure> {
    parse_scenario(&read(path)?, lengths, &path.display())
}

/// Reads the optimal length of each query, in cells; `None` where there is no path.
///
/// # Errors
/// If the file cannot be read, has an invalid line, or misses a query.
pub(crate) fn read_optimal(path: &Path, queries: &[Query]) -> Result<Vec<Option<f64>>, Failure> {
    parse_optimal(&read(path)?, &path.display(), queries)
}

fn read(path: &Path) -> Result<String, Failure> {
    crate::files::read_text(path)
}

fn parse_scenario(text: &str, lengths: Lengths, name: &dyn Display) -> Result<Vec<Query>, Failure> {
    let mut queries = vec![];
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || (index == 0 && line.starts_with("version")) {
            continue;
        }
        // A map's name may contain spaces, so fields are counted from the end.
        let fields: Vec<&str> = line.split_whitespace().collect();
        let bad = |found: &str| {
            Failure::input(format_args!(
                "{name}:{}: {found}; expected: bucket map width height start-x start-y goal-x goal-y length",
                index + 1
            ))
        };
        if fields.len() < 9 {
            return Err(bad(&format!("{} of nine fields", fields.len())));
        }
        let mut ends = [0; 4];
        for (value, field) in ends.iter_mut().zip(&fields[fields.len() - 5..]) {
            *value = field.parse().map_err(|_| bad(&format!("`{field}` is not an integer")))?;
        }
        let field = fields[fields.len() - 1];
        let length = match lengths {
            Lengths::Ignored => None,
            Lengths::Octile => length(field)
                .ok_or_else(|| bad(&format!("`{field}` is not a length, nor -1 for no path")))?,
        };
        let decimals = field.split_once('.').map_or(0, |(_, d)| d.len());
        let printed = if decimals == 2 { 0.00501 } else { 0.0 };
        queries.push(Query {
            ends,
            length,
            slack: (1e-5 * length.unwrap_or(0.0).max(1.0)).max(printed),
        });
    }
    if queries.is_empty() {
        return Err(Failure::input(format_args!("{name}: no query in it")));
    }
    Ok(queries)
}

fn parse_optimal(
    text: &str,
    name: &dyn Display,
    queries: &[Query],
) -> Result<Vec<Option<f64>>, Failure> {
    let mut lengths = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        if fields.is_empty() {
            continue;
        }
        let (ends, length) = optimal_line(&fields).ok_or_else(|| {
            Failure::input(format_args!(
                "{name}:{}: `{}` is not a line of the form: sx sz tx tz length (-1 for no path)",
                index + 1,
                line.trim()
            ))
        })?;
        lengths.insert(ends, length);
    }
    let length = |query: &Query| {
        lengths.get(&query.ends).copied().ok_or_else(|| {
            let [sx, sz, tx, tz] = query.ends;
            Failure::input(format_args!(
                "{name}: no line for the query {sx} {sz} {tx} {tz}; is it the list of this scenario?"
            ))
        })
    };
    queries.iter().map(length).collect()
}

fn optimal_line(fields: &[&str]) -> Option<(Ends, Option<f64>)> {
    let [a, b, c, d, last] = fields else {
        return None;
    };
    let mut ends = [0; 4];
    for (value, field) in ends.iter_mut().zip([a, b, c, d]) {
        *value = field.parse().ok()?;
    }
    Some((ends, length(last)?))
}

/// A length, or -1 for no path.
fn length(field: &str) -> Option<Option<f64>> {
    let length: f64 = field.parse().ok()?;
    let is_length = length.is_finite() && length >= 0.0;
    (is_length || length == -1.0).then_some(Some(length).filter(|_| is_length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenario(text: &str) -> Result<Vec<Query>, Failure> {
        parse_scenario(text, Lengths::Octile, &"bad.scen")
    }

    #[test]
    fn a_length_that_is_ignored_can_be_any_text() {
        for text in ["-2", "nan", "unknown"] {
            let text = format!("version 1\n1 a 9 9 1 2 3 4 {text}\n");
            let queries = parse_scenario(&text, Lengths::Ignored, &"t").unwrap();
            assert_eq!((queries[0].ends, queries[0].length), ([1, 2, 3, 4], None));
        }
    }

    #[test]
    fn tabs_and_spaces_and_names_with_spaces_read_the_same() {
        let tabs = "version 1\n0\ta map.map\t10\t10\t1\t2\t3\t4\t5.5\n";
        let spaces = "version 1.0\n0 a map.map 10 10 1 2 3 4 5.5\r\n\r\n";
        for text in [tabs, spaces] {
            assert_eq!(scenario(text).unwrap()[0].ends, [1, 2, 3, 4]);
        }
    }

    #[test]
    fn a_bad_scenario_line_is_named() {
        for text in [
            "0 a 1 1 1 2 3 4",
            "0 a 1 1 x 2 3 4 5",
            "0 a 1 1 1.5 2 3 4 5",
            "1 a 9 9 1 2 3 4 nan",
            "1 a 9 9 1 2 3 4 -2",
            "1 a 9 9 1 2 3 4 x",
            "1 a 9 9 1 2 3 4 inf",
        ] {
            let failure = scenario(&format!("version 1\n{text}\n")).unwrap_err();
            assert_eq!(failure.code, 3);
            assert!(failure.message.starts_with("bad.scen:2:"), "{}", failure.message);
        }
        assert!(scenario("version 1\n").is_err());
    }

    #[test]
    fn octile_lengths_come_with_the_error_of_their_digits() {
        let text = "version 1.0\n\n44 a b.map 512 512 189 382 65 254 179.36\n1\ta\t9\t9\t1\t2\t3\t4\t2.82843\n1 a 9 9 1 2 3 4 -1\n";
        let read = scenario(text).unwrap();
        assert_eq!(read[0].ends, [189, 382, 65, 254]);
        assert_eq!((read[0].length, read[0].slack), (Some(179.36), 0.00501));
        assert_eq!(read[2].length, None);
        assert_eq!((read[1].length, read[1].slack), (Some(2.82843), 1e-5 * 2.82843));
    }

    #[test]
    fn optimal_lengths_follow_their_queries_in_any_order() {
        let queries =
            [[0, 0, 1, 1], [5, 5, 6, 6]].map(|ends| Query { ends, length: None, slack: 0.0 });
        let lengths = parse_optimal("5 5 6 6 -1\n0 0 1 1 1.5\n", &"t", &queries).unwrap();
        assert_eq!(lengths, [Some(1.5), None]);
        for bad in ["0 0 1 1 1.5", "0 0 1 1 nan\n5 5 6 6 1", "0 0 1 1 -2\n5 5 6 6 1", "x"] {
            assert_eq!(parse_optimal(bad, &"t", &queries).unwrap_err().code, 3);
        }
    }
}
