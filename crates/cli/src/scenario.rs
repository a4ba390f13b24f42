//! Readers of MovingAI scenarios (`.scen`) and of lists of optimal lengths.
//!
//! A scenario's integers are points of the corner lattice of the grid map: (x, z), in cells.
//! <https://movingai.com/benchmarks/formats.html> defines the format; files come with tabs ("version 1") and with spaces
//! ("version 1.0"). Its own lengths are octile and not used.

use std::collections::BTreeMap;

use crate::failure::Failure;

/// Start and goal on the corner lattice: `[sx, sz, tx, tz]`.
pub(crate) type Lattice = [i32; 4];

/// Reads a scenario. `name` is the file's name for messages.
///
/// # Errors
/// A line that is not a query, or no query at all.
pub(crate) fn read_scenario(text: &str, name: &str) -> Result<Vec<Lattice>, Failure> {
    let mut queries = vec![];
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || (index == 0 && line.starts_with("version")) {
            continue;
        }
        // A map's name may hold spaces, so the numbers are counted from the end.
        let fields: Vec<&str> = line.split_whitespace().collect();
        let bad = |found: &str| {
            Failure::input(format_args!(
                "{name}:{}: {found}; a line is: bucket map width height start-x start-y goal-x goal-y length",
                index + 1
            ))
        };
        if fields.len() < 9 {
            return Err(bad(&format!(
                "{} fields where nine are needed",
                fields.len()
            )));
        }
        let mut lattice = [0; 4];
        for (value, field) in lattice.iter_mut().zip(&fields[fields.len() - 5..]) {
            *value = field
                .parse()
                .map_err(|_| bad(&format!("`{field}` is not a whole number")))?;
        }
        queries.push(lattice);
    }
    if queries.is_empty() {
        return Err(Failure::input(format_args!("{name}: it holds no query")));
    }
    Ok(queries)
}

/// Reads optimal lengths, `sx sz tx tz length` a line, and gives the length of each query in cells; `None` where there is no path (-1).
///
/// # Errors
/// A line that is not so, or a query that no line answers.
pub(crate) fn read_optimal(
    text: &str,
    name: &str,
    queries: &[Lattice],
) -> Result<Vec<Option<f64>>, Failure> {
    let mut lengths = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        if fields.is_empty() {
            continue;
        }
        let (lattice, length) = optimal_line(&fields).ok_or_else(|| {
            Failure::input(format_args!(
                "{name}:{}: `{}` is not a line of the form: sx sz tx tz length (-1 for no path)",
                index + 1,
                line.trim()
            ))
        })?;
        lengths.insert(lattice, length);
    }
    queries
        .iter()
        .map(|lattice| {
            lengths.get(lattice).copied().ok_or_else(|| {
                let [sx, sz, tx, tz] = lattice;
                Failure::input(format_args!(
                    "{name}: no line for the query {sx} {sz} {tx} {tz}; is it the list of this scenario?"
                ))
            })
        })
        .collect()
}

fn optimal_line(fields: &[&str]) -> Option<(Lattice, Option<f64>)> {
    let [a, b, c, d, length] = fields else {
        return None;
    };
    let mut lattice = [0; 4];
    for (value, field) in lattice.iter_mut().zip([a, b, c, d]) {
        *value = field.parse().ok()?;
    }
    let length: f64 = length.parse().ok()?;
    if length == -1.0 {
        return Some((lattice, None));
    }
    (length.is_finite() && length >= 0.0).then_some((lattice, Some(length)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabs_and_spaces_and_names_with_spaces_read_the_same() {
        let tabs = "version 1\n0\ta map.map\t10\t10\t1\t2\t3\t4\t5.5\n";
        let spaces = "version 1.0\n0 a map.map 10 10 1 2 3 4 5.5\r\n\r\n";
        for text in [tabs, spaces] {
            assert_eq!(read_scenario(text, "t").unwrap(), vec![[1, 2, 3, 4]]);
        }
    }

    #[test]
    fn a_bad_scenario_line_is_named() {
        for text in [
            "0 a 1 1 1 2 3 4",
            "0 a 1 1 x 2 3 4 5",
            "0 a 1 1 1.5 2 3 4 5",
        ] {
            let text = format!("version 1\n{text}\n");
            let failure = read_scenario(&text, "bad.scen").unwrap_err();
            assert_eq!(failure.code, 3);
            assert!(
                failure.message.starts_with("bad.scen:2:"),
                "{}",
                failure.message
            );
        }
        assert!(read_scenario("version 1\n", "t").is_err());
    }

    #[test]
    fn optimal_lengths_follow_their_queries_in_any_order() {
        let queries = [[0, 0, 1, 1], [5, 5, 6, 6]];
        let lengths = read_optimal("5 5 6 6 -1\n0 0 1 1 1.5\n", "t", &queries).unwrap();
        assert_eq!(lengths, [Some(1.5), None]);
        for bad in [
            "0 0 1 1 1.5",
            "0 0 1 1 nan\n5 5 6 6 1",
            "0 0 1 1 -2\n5 5 6 6 1",
            "x",
        ] {
            assert_eq!(read_optimal(bad, "t", &queries).unwrap_err().code, 3);
        }
    }
}
