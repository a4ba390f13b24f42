//! Finds the line of an error by a second, slower pass over the file.

use std::collections::HashSet;
use std::path::Path;

use crate::ImportError;

use super::text::{Lines, Statement, Text, statement, words};

/// Names the first statement that the parser cannot have liked.
pub(super) fn of_error(bytes: &[u8], file: &Path, answer: &str) -> ImportError {
    let total = Lines::new(bytes)
        .filter(|(_, line)| matches!(statement(line), Statement::Vertex(_)))
        .count();
    for (number, line) in Lines::new(bytes) {
        let fault = match statement(&line) {
            Statement::Vertex(rest) => words(rest).take(3).find_map(coordinate_fault),
            Statement::Face(rest) => words(rest).find_map(|word| index_fault(word, total)),
            Statement::Other(..) => None,
        };
        if let Some((finding, cure)) = fault {
            return ImportError::bad(file, format!("line {number}"), finding, cure);
        }
    }
    ImportError::bad(
        file,
        "the whole file",
        format!("cannot be parsed: {answer}"),
        "export the file again",
    )
}

fn shown(word: &[u8]) -> String {
    String::from_utf8_lossy(word).chars().take(40).collect()
}

fn coordinate_fault(word: &[u8]) -> Option<(String, &'static str)> {
    if word.contains(&b'#') || word.ends_with(b"nan(ind)") || word.ends_with(b"nan(snan)") {
        return None; // rewritten before parsing
    }
    let parsed = std::str::from_utf8(word).ok().map(str::parse::<f64>);
    if matches!(parsed, Some(Ok(_))) {
        return None;
    }
    let cure = if word.contains(&b',') {
        "write decimals with a point: export the file with an English locale"
    } else {
        "repair the line, or export the file again"
    };
    Some((format!("the coordinate `{}` is not a number", shown(word)), cure))
}

fn index_fault(word: &[u8], total: usize) -> Option<(String, &'static str)> {
    let index = word.split(|&b| b == b'/').next().unwrap_or(word);
    let parsed = std::str::from_utf8(index).ok().map(str::parse::<i64>);
    let cure = "export the file again: a vertex is missing, or the index is wrong";
    match parsed {
        Some(Ok(0)) => {
            Some(("the face refers to vertex 0".into(), "indices begin at 1: correct the exporter"))
        }
        Some(Ok(i)) if i > 0 && i as u64 > total as u64 => {
            Some((format!("the face refers to vertex {i}, but the file has {total}"), cure))
        }
        Some(Ok(_)) => None, // relative ones were looked at before
        _ => Some((
            format!("the face's corner `{}` is not an index", shown(word)),
            "write a corner as `v`, `v/vt`, `v//vn` or `v/vt/vn`",
        )),
    }
}

/// The line of a vertex, given by its number in the run of faces that the parser made a model of:
/// the parser numbers the vertices of a run in the order in which its faces name them.
pub(super) fn of_vertex(text: &Text, bytes: &[u8], run: usize, local: u32) -> String {
    let mut seen: HashSet<usize> = HashSet::new();
    let mut runs = 0;
    for line in text.faces.split(|&b| b == b'\n') {
        if line.starts_with(b"o") {
            runs += 1;
        } else if runs == run + 1 {
            for word in words(&line[line.len().min(1)..]) {
                let index: Option<usize> =
                    std::str::from_utf8(word).ok().and_then(|w| w.parse().ok());
                let Some(vertex) = index else { continue };
                if seen.insert(vertex) && seen.len() == local as usize + 1 {
                    let line = Lines::new(bytes)
                        .filter(|(_, line)| matches!(statement(line), Statement::Vertex(_)))
                        .nth(vertex.wrapping_sub(1));
                    return match line {
                        Some((number, _)) => format!("line {number} (vertex {vertex})"),
                        None => format!("vertex {vertex}"),
                    };
                }
            }
        }
    }
    String::new()
}
