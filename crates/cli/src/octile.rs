//! The octile lengths of MovingAI scenarios: shortest paths over cells with diagonal steps that cut no corners.
//!
//! For these lengths a scenario's integers name cells, by column and row. (For any-angle lengths they are points of the corner lattice.)

use crate::failure::Failure;
use crate::scenario::{Lattice, read_scenario};

/// A query of a scenario with its length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Octile {
    /// Column and row of the start, of the goal.
    pub(crate) ends: Lattice,
    /// Length in cells, `None` for no path (-1).
    pub(crate) length: Option<f64>,
    /// By how much the printed length may be off: by 1e-5 of it or of 1, or what was cut off where it has two decimals.
    pub(crate) slack: f64,
}

/// Reads the queries of a scenario with their lengths. `name` is the file's name for messages.
///
/// # Errors
/// A line that is not a query, or no query at all.
pub(crate) fn read_octile(text: &str, name: &str) -> Result<Vec<Octile>, Failure> {
    let queries = read_scenario(text, name)?;
    let lines = text.lines().enumerate().filter(|(index, line)| {
        let line = line.trim();
        !line.is_empty() && (*index > 0 || !line.starts_with("version"))
    });
    lines
        .zip(queries)
        .map(|((index, line), ends)| {
            let field = line.split_whitespace().next_back().unwrap_or_default();
            let length = field.parse::<f64>().ok();
            let length = length
                .filter(|&l| l == -1.0 || (l.is_finite() && l >= 0.0))
                .ok_or_else(|| {
                    Failure::input(format_args!(
                        "{name}:{}: `{field}` is not a length (-1 for no path)",
                        index + 1
                    ))
                })?;
            let decimals = field.split_once('.').map_or(0, |(_, d)| d.len());
            let printed = if decimals == 2 { 0.00501 } else { 0.0 };
            Ok(Octile {
                ends,
                length: (length >= 0.0).then_some(length),
                slack: (1e-5 * length.max(1.0)).max(printed),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_come_with_what_their_digits_leave_open() {
        let text = "version 1.0\n\n44 a b.map 512 512 189 382 65 254 179.36\n1\ta\t9\t9\t1\t2\t3\t4\t2.82843\n1 a 9 9 1 2 3 4 -1\n";
        let read = read_octile(text, "t").unwrap();
        assert_eq!(read[0].ends, [189, 382, 65, 254]);
        assert_eq!((read[0].length, read[0].slack), (Some(179.36), 0.00501));
        assert_eq!(read[2].length, None);
        assert_eq!(
            (read[1].length, read[1].slack),
            (Some(2.82843), 1e-5 * 2.82843)
        );
    }

    #[test]
    fn a_length_that_is_none_is_named() {
        for bad in ["nan", "-2", "x", "inf"] {
            let text = format!("version 1\n1 a 9 9 1 2 3 4 {bad}\n");
            let failure = read_octile(&text, "bad.scen").unwrap_err();
            assert_eq!(failure.code, 3);
            assert!(
                failure.message.starts_with("bad.scen:2:"),
                "{}",
                failure.message
            );
        }
    }
}
