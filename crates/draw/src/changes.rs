//! An SVG picture of changed ground: kept in grey, gained in green, lost in red and dashed.

use std::fmt::Write;

use crate::storeys::Box2;
use crate::svg::Svg;

/// The longer side of a sheet, in pixels.
const SIDE: f64 = 900.0;
/// The most sheets; higher ground is drawn on the last.
const SHEETS: usize = 24;
const MARGIN: f64 = 20.0;
const HEAD: f64 = 30.0;

const STYLE: &str = "polygon { stroke-width: 0.5 } .old { fill: #e4e4e4; stroke: none } \
    .new { fill: #d0d0d0; stroke: #b0b0b0 }\n\
    .gained { fill: #2f9e44; stroke: #1b6e2c } \
    .lost { fill: #e03131; stroke: #8f1d1d; stroke-dasharray: 2 }\n\
    text { font: 14px sans-serif }";

/// The kinds of ground, in the order in which they are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Of the navmesh before.
    Old,
    /// Of the navmesh after.
    New,
    /// Only before.
    Lost,
    /// Only after.
    Gained,
}

/// Every kind with its class in the picture.
const KINDS: [(Kind, &str); 4] =
    [(Kind::Old, "old"), (Kind::New, "new"), (Kind::Lost, "lost"), (Kind::Gained, "gained")];

/// A polygon to draw.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Its kind.
    pub kind: Kind,
    /// Its corners, y-up metres.
    pub ring: Vec<[f64; 3]>,
}

impl Shape {
    fn height(&self) -> f64 {
        self.ring.iter().map(|c| c[1]).sum::<f64>() / self.ring.len().max(1) as f64
    }
}

/// Draws shapes on one sheet for every `storey` metres of height; `summary` describes the whole.
pub fn write(shapes: &[Shape], storey: f64, summary: &str) -> String {
    let corners = || shapes.iter().flat_map(|s| &s.ring);
    let Box2 { min: [x0, z0], max: [x1, z1] } = Box2::around(corners());
    let low = corners().map(|c| c[1]).reduce(f64::min).unwrap_or(0.0);
    let scale = SIDE / (x1 - x0).max(z1 - z0).max(0.01);
    let (wide, tall) = ((x1 - x0) * scale, (z1 - z0) * scale);
    let sheet_of = |s: &Shape| (((s.height() - low) / storey).max(0.0) as usize).min(SHEETS - 1);
    let mut sheets: Vec<usize> = shapes.iter().map(sheet_of).collect();
    sheets.sort_unstable();
    sheets.dedup();
    let (width, height) = (wide + 2.0 * MARGIN, sheets.len() as f64 * (tall + HEAD) + 2.0 * MARGIN);
    let mut out =
        Svg::begin(format_args!("viewBox=\"0 0 {width:.0} {height:.0}\""), "", STYLE, "#ffffff");
    for (row, sheet) in sheets.iter().enumerate() {
        let top = MARGIN + row as f64 * (tall + HEAD);
        let from = low + *sheet as f64 * storey;
        out.line(format_args!(
            "<text x=\"{MARGIN}\" y=\"{:.1}\">height {from:.1} m to {:.1} m</text>",
            top + 16.0,
            from + storey
        ));
        for (kind, class) in KINDS {
            let own = shapes.iter().filter(|s| s.kind == kind);
            for shape in own.filter(|s| sheet_of(s) == *sheet) {
                let mut points = String::new();
                for (k, c) in shape.ring.iter().enumerate() {
                    let x = (c[0] - x0) * scale + MARGIN;
                    let z = (c[2] - z0) * scale + top + HEAD - 6.0;
                    let _ = write!(points, "{}{x:.1},{z:.1}", if k == 0 { "" } else { " " });
                }
                out.line(format_args!("<polygon class=\"{class}\" points=\"{points}\"/>"));
            }
        }
    }
    out.line(format_args!("<desc>{summary}</desc>"));
    out.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_storey_has_a_sheet_and_lost_ground_is_drawn_over_old() {
        let shape =
            |kind, y: f64| Shape { kind, ring: vec![[0.0, y, 0.0], [0.0, y, 1.0], [1.0, y, 0.0]] };
        let shapes = [shape(Kind::Lost, 0.0), shape(Kind::Old, 0.0), shape(Kind::New, 4.0)];
        let picture = write(&shapes, 3.0, "gained nothing");
        assert_eq!(picture.matches("<text").count(), 2);
        assert!(picture.find("class=\"old\"") < picture.find("class=\"lost\""));
        assert!(picture.contains("<desc>gained nothing</desc>"));
        assert!(write(&[], 3.0, "").ends_with("</svg>\n"));
    }
}
