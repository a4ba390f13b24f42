//! An SVG picture of one search over cells: the order of expansion, the open list and the path.

use std::fmt::Write;

use navbake_format::{CellId, GridMapView};

use crate::svg::{Svg, escape};
use crate::trace::{MOST_NUMBERS, order_colour};

/// A search over cells to draw. Points are `[x, z]` in metres.
#[derive(Clone, Debug, Default)]
pub struct CellTrace {
    /// The outlines of the ground.
    pub ground: Vec<Vec<[f64; 2]>>,
    /// The cells expanded, in order; one that was reopened is at its last place.
    pub expanded: Vec<Cell>,
    /// The cells on the open list at the end.
    pub open: Vec<Cell>,
    /// The middles of the cells of the path.
    pub path: Vec<[f64; 2]>,
    /// The legs of the path that are links, by the place of their first cell.
    pub links: Vec<usize>,
    /// The line below the title.
    pub caption: String,
}

/// A cell of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Its corners.
    pub outline: Vec<[f64; 2]>,
    /// Its middle.
    pub middle: [f64; 2],
    /// The middle of the cell that it was entered from.
    pub parent: Option<[f64; 2]>,
}

/// The length of the longer side of the ground, pixels.
const SHEET: f64 = 720.0;
const MARGIN: f64 = 24.0;
const TITLE: f64 = 56.0;

const STYLE: &str = "text{font-family:sans-serif;font-size:12px;fill:#222}\
    .ground{fill:#e6e4dc}.open{fill:#f6c9a8;stroke:#f08030;stroke-width:.6}\
    .tree{stroke:#667;stroke-width:.7;fill:none}\
    .path{stroke:#111;stroke-width:3;stroke-linejoin:round;stroke-linecap:round;fill:none}\
    .link{stroke:#1d5fa8;stroke-width:2.4;stroke-dasharray:1 5;stroke-linecap:round;fill:none}\
    .number{font-size:9px;text-anchor:middle}";

/// The corners of a cell of a grid map, `[x, z]` in metres.
pub fn outline(map: &GridMapView<'_>, cell: CellId) -> Vec<[f64; 2]> {
    let (shape, at) = (map.shape(), map.column_row(cell).map(i64::from));
    let [x, _, z] = map.corner();
    let corner = |k| {
        let [dx, dz] = shape.corner(at, k).map(|v: f64| v * map.cell());
        [x + dx, z + dz]
    };
    (0..shape.sides()).map(corner).collect()
}

/// A sheet that shows some points from above, with a caption.
pub(crate) struct Sheet {
    low: [f64; 2],
    factor: f64,
    /// Of the picture.
    full: [f64; 2],
}

impl Sheet {
    /// Wide and high enough for all of them.
    pub(crate) fn over(points: impl Iterator<Item = [f64; 2]>) -> Sheet {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for p in points {
            for k in 0..2 {
                (low[k], high[k]) = (low[k].min(p[k]), high[k].max(p[k]));
            }
        }
        let size = [0, 1].map(|k| (high[k] - low[k]).max(1e-9));
        let size = if size.iter().all(|s| s.is_finite()) { size } else { [1.0; 2] };
        let factor = SHEET / size[0].max(size[1]);
        let [width, height] = size.map(|s| s * factor);
        let full = [(width + 2.0 * MARGIN).max(320.0), height + TITLE + MARGIN];
        Sheet { low, factor, full }
    }

    /// The attributes of its size.
    pub(crate) fn size(&self) -> String {
        let [width, height] = self.full;
        format!(
            "viewBox=\"0 0 {width:.1} {height:.1}\" width=\"{width:.0}\" height=\"{height:.0}\""
        )
    }

    /// Where a point is, pixels.
    pub(crate) fn place(&self, [x, z]: [f64; 2]) -> (f64, f64) {
        (MARGIN + (x - self.low[0]) * self.factor, TITLE + (z - self.low[1]) * self.factor)
    }

    /// A line through points.
    pub(crate) fn outline(&self, points: &[[f64; 2]]) -> String {
        let mut d = String::new();
        for (k, &p) in points.iter().enumerate() {
            let (x, y) = self.place(p);
            let _ = write!(d, "{}{x:.1} {y:.1}", if k == 0 { 'M' } else { 'L' });
        }
        d
    }

    /// The same back to its first point.
    pub(crate) fn closed(&self, points: &[[f64; 2]]) -> String {
        self.outline(points) + "Z"
    }

    /// Writes the line below the title, which is escaped.
    pub(crate) fn caption(&self, out: &mut Svg, text: &str) {
        out.line(format_args!("<text x=\"{MARGIN}\" y=\"34\">{text}</text>"));
    }
}

/// Draws a search.
pub fn write(trace: &CellTrace, title: &str) -> String {
    let sheet = Sheet::over(trace.ground.iter().flatten().chain(&trace.path).copied());
    let outline = |points: &[[f64; 2]]| sheet.outline(points);
    let closed = |points: &[[f64; 2]]| sheet.closed(points);
    let heading = format!("{title}: {}", trace.caption);
    let mut out = Svg::begin(format_args!("{}", sheet.size()), &heading, STYLE, "#f7f6f2");
    sheet.caption(&mut out, &escape(&trace.caption));
    let ground: String = trace.ground.iter().map(|points| closed(points)).collect();
    out.path("ground", &ground);
    for (k, cell) in trace.expanded.iter().enumerate() {
        out.line(format_args!(
            "<path fill=\"{}\" d=\"{}\"><title>expanded {}</title></path>",
            order_colour(k, trace.expanded.len()),
            closed(&cell.outline),
            k + 1
        ));
    }
    let open: String = trace.open.iter().map(|cell| closed(&cell.outline)).collect();
    out.path("open", &open);
    let seen = trace.expanded.iter().chain(&trace.open);
    let tree: String =
        seen.filter_map(|cell| Some(outline(&[cell.parent?, cell.middle]))).collect();
    out.path("tree", &tree);
    if trace.expanded.len() <= MOST_NUMBERS {
        for (k, cell) in trace.expanded.iter().enumerate() {
            let (x, y) = sheet.place(cell.middle);
            out.line(format_args!(
                "<text class=\"number\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
                y - 4.0,
                k + 1
            ));
        }
    }
    for (k, leg) in trace.path.windows(2).enumerate() {
        out.path(if trace.links.contains(&k) { "link" } else { "path" }, &outline(leg));
    }
    out.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_without_ground_is_a_picture_all_the_same() {
        let picture = write(&CellTrace::default(), "search");
        assert!(picture.starts_with("<svg") && !picture.contains("NaN"));
    }

    #[test]
    fn links_are_drawn_as_links_and_cells_in_order() {
        let square = |x: f64| vec![[x, 0.0], [x + 1.0, 0.0], [x + 1.0, 1.0], [x, 1.0]];
        let cell = |x: f64, parent| Cell { outline: square(x), middle: [x + 0.5, 0.5], parent };
        let trace = CellTrace {
            ground: vec![square(0.0), square(1.0), square(5.0)],
            expanded: vec![cell(0.0, None), cell(1.0, Some([0.5, 0.5]))],
            open: vec![cell(5.0, Some([1.5, 0.5]))],
            path: vec![[0.5, 0.5], [1.5, 0.5], [5.5, 0.5]],
            links: vec![1],
            caption: "a < b".into(),
        };
        let picture = write(&trace, "search");
        assert_eq!(picture.matches("class=\"link\"").count(), 1);
        assert_eq!(picture.matches("class=\"path\"").count(), 1);
        assert!(picture.contains("expanded 2") && picture.contains("a &lt; b"));
    }
}
