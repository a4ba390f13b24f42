//! The diff as a picture: a sheet a storey, ground that both have in grey, gained in green, lost in red and hatched.

use std::fmt::Write;

use navbake_format::CheckedBlob;

use super::ground::{Piece, Side};
use super::{AgentDiff, Diff};

/// What lies within so many metres of height is drawn on one sheet; the agent's height, if that is more.
const STOREY: f64 = 3.0;
/// The longer side of a sheet, in pixels.
const WIDE: f64 = 900.0;
/// Most sheets that are drawn; the rest is drawn on the last.
const SHEETS: usize = 24;

/// A polygon of a sheet: its look and its corners.
struct Shape {
    class: &'static str,
    ring: Vec<[f64; 3]>,
}

/// An SVG picture of what changed for an agent, which both blobs must have; `None` when they do not.
pub fn svg(
    diff: &Diff,
    old: &CheckedBlob<'_>,
    new: &CheckedBlob<'_>,
    agent: &str,
) -> Option<String> {
    let found: &AgentDiff = diff.agents.iter().find(|a| a.agent == agent)?;
    let height = new.agent(agent)?.height.max(STOREY);
    let (old, new) = (old.decode_for(agent)?, new.decode_for(agent)?);
    let (before, after) = (Side::new(old.mesh()), Side::new(new.mesh()));
    let mut shapes = vec![];
    for (class, side) in [("old", &before), ("new", &after)] {
        for (p, ring) in side.rings.iter().enumerate() {
            let ring = ring.iter().map(|&[x, z]| [x, side.height(p, [x, z]), z]);
            shapes.push(Shape {
                class,
                ring: ring.collect(),
            });
        }
    }
    let pieces = |class, pieces: &[Piece], shapes: &mut Vec<Shape>| {
        for piece in pieces {
            let ring = piece.ring.clone();
            shapes.push(Shape { class, ring });
        }
    };
    pieces("lost", &found.lost, &mut shapes);
    pieces("gained", &found.gained, &mut shapes);
    Some(draw(&shapes, height, found))
}

fn middle(ring: &[[f64; 3]]) -> f64 {
    ring.iter().map(|c| c[1]).sum::<f64>() / ring.len().max(1) as f64
}

fn draw(shapes: &[Shape], storey: f64, found: &AgentDiff) -> String {
    let corners = || shapes.iter().flat_map(|s| &s.ring);
    let least = |k: usize| corners().map(|c| c[k]).fold(f64::INFINITY, f64::min);
    let most = |k: usize| corners().map(|c| c[k]).fold(f64::NEG_INFINITY, f64::max);
    let (x0, z0, x1, z1, low) = match shapes.is_empty() {
        true => (0.0, 0.0, 1.0, 1.0, 0.0),
        false => (least(0), least(2), most(0), most(2), least(1)),
    };
    let scale = WIDE / (x1 - x0).max(z1 - z0).max(0.01);
    let (wide, tall) = ((x1 - x0) * scale, (z1 - z0) * scale);
    let sheet_of =
        |s: &Shape| (((middle(&s.ring) - low) / storey).max(0.0) as usize).min(SHEETS - 1);
    let mut sheets: Vec<usize> = shapes.iter().map(sheet_of).collect();
    sheets.sort_unstable();
    sheets.dedup();
    let (margin, head) = (20.0, 30.0);
    let full = sheets.len() as f64 * (tall + head) + 2.0 * margin;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0} {full:.0}\">\n\
         <style>polygon {{ stroke-width: 0.5 }} .old {{ fill: #e4e4e4; stroke: none }} .new {{ fill: #d0d0d0; stroke: #b0b0b0 }}\n\
         .gained {{ fill: #2f9e44; stroke: #1b6e2c }} .lost {{ fill: #e03131; stroke: #8f1d1d; stroke-dasharray: 2 }}\n\
         text {{ font: 14px sans-serif }}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        wide + 2.0 * margin
    );
    for (row, sheet) in sheets.iter().enumerate() {
        let top = margin + row as f64 * (tall + head);
        let from = low + *sheet as f64 * storey;
        let _ = writeln!(
            out,
            "<text x=\"{margin}\" y=\"{:.1}\">height {from:.1} m to {:.1} m</text>",
            top + 16.0,
            from + storey
        );
        for class in ["old", "new", "lost", "gained"] {
            let own = shapes
                .iter()
                .filter(|s| s.class == class && sheet_of(s) == *sheet);
            for shape in own {
                out += "<polygon class=\"";
                out += class;
                out += "\" points=\"";
                for (k, c) in shape.ring.iter().enumerate() {
                    let (x, z) = (
                        (c[0] - x0) * scale + margin,
                        (c[2] - z0) * scale + top + head - 6.0,
                    );
                    let _ = write!(out, "{}{x:.1},{z:.1}", if k == 0 { "" } else { " " });
                }
                out += "\"/>\n";
            }
        }
    }
    let _ = writeln!(
        out,
        "<desc>gained {:.1} m2, lost {:.1} m2</desc>\n</svg>",
        found.gained_m2, found.lost_m2
    );
    out
}
