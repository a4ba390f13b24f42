//! An SVG plan of a surface: x to the right, z down, one sheet a storey, sheets below each other.

use std::fmt::Write;

use crate::storeys::{Box2, Storey, storeys};
use crate::surface::Surface;
use crate::svg::{Svg, colour, round_numbers};
use crate::{links, rooms};

/// The longer side of the level on a sheet, in the picture's units.
const SHEET: f64 = 1000.0;
/// Space around a sheet, for its title, and for its scale bar.
const MARGIN: f64 = 40.0;
const TITLE: f64 = 34.0;
const FOOT: f64 = 46.0;

const STYLE: &str = "text{font:14px sans-serif;fill:#222}\
    .wall{stroke:#222;stroke-width:1.4;stroke-linecap:round;fill:none}\
    .portal{stroke:#fff;stroke-width:.7;stroke-opacity:.85;fill:none}\
    .step{stroke:#b8860b;stroke-width:1;stroke-dasharray:3 2;fill:none}\
    .off{stroke:#c33;stroke-width:1.2;stroke-dasharray:1 2;fill:none}";

/// Draws a surface. `unit` is the unit of its coordinates, for the scale bar and the titles.
pub fn write(surface: &Surface, title: &str, unit: &str) -> String {
    document(
        surface,
        title,
        unit,
        &format!("{}{}", links::STYLE, rooms::STYLE),
        |_| true,
        |out, plan, sheet| {
            match surface.rooms {
                Some(_) => rooms::fill(out, plan, sheet, surface),
                None => plan.islands(out, sheet),
            }
            plan.lines(out, sheet);
            rooms::draw(out, plan, sheet, surface);
            links::draw(out, plan, sheet, &surface.links);
        },
    )
}

/// A plan of which `draw` draws the sheets that `keep` selects, or all if it selects none.
///
/// `style` is added to the styles of lines and texts.
pub(crate) fn document(
    surface: &Surface,
    title: &str,
    unit: &str,
    style: &str,
    keep: impl Fn(&Storey) -> bool,
    mut draw: impl FnMut(&mut Svg, &Plan<'_>, &Storey),
) -> String {
    let all = storeys(surface);
    let any = all.iter().any(&keep);
    let sheets: Vec<(usize, &Storey)> =
        (all.iter().enumerate()).filter(|(_, sheet)| !any || keep(sheet)).collect();
    let frame = Box2::around(&surface.vertices);
    let [width, depth] = [0, 1].map(|k| (frame.max[k] - frame.min[k]).max(1e-9));
    let plan = Plan { surface, frame, factor: SHEET / width.max(depth), unit };
    let full_width = (width * plan.factor).max(300.0) + 2.0 * MARGIN;
    let sheet_height = TITLE + depth * plan.factor + FOOT;
    let full_height = MARGIN + (sheets.len().max(1) as f64) * (sheet_height + MARGIN);
    let mut out = Svg::begin(
        format_args!(
            "viewBox=\"0 0 {full_width:.1} {full_height:.1}\" \
             width=\"{full_width:.0}\" height=\"{full_height:.0}\""
        ),
        title,
        &format!("{STYLE}{style}"),
        "#f7f6f2",
    );
    if sheets.is_empty() {
        out.line(format_args!("<text x=\"{MARGIN}\" y=\"{MARGIN}\">nothing is walkable</text>"));
    }
    for (row, &(number, sheet)) in sheets.iter().enumerate() {
        let top = MARGIN + row as f64 * (sheet_height + MARGIN);
        plan.begin(&mut out, number, all.len(), sheet, top);
        draw(&mut out, &plan, sheet);
        plan.scale_bar(&mut out);
        out.line(format_args!("</g>"));
    }
    out.end()
}

/// The data that all sheets of a plan share.
pub(crate) struct Plan<'a> {
    surface: &'a Surface,
    frame: Box2,
    /// Units of the picture in a unit of the surface.
    factor: f64,
    unit: &'a str,
}

/// The lines of a sheet by kind.
#[derive(Default)]
struct Lines {
    walls: String,
    portals: String,
    steps: String,
    off_sheet: String,
}

impl Plan<'_> {
    fn begin(&self, out: &mut Svg, number: usize, count: usize, sheet: &Storey, top: f64) {
        let area: f64 = sheet.polygons.iter().map(|&p| self.surface.area(p)).sum();
        let unit = self.unit;
        out.line(format_args!(
            "<g id=\"storey-{number}\" transform=\"translate({MARGIN},{:.1})\">",
            top + TITLE
        ));
        out.line(format_args!(
            "<text x=\"0\" y=\"-12\">storey {} of {count}: height {:.2} to {:.2} {unit}, \
             {} polygons, {area:.1} {unit}²</text>",
            number + 1,
            sheet.low,
            sheet.high,
            sheet.polygons.len()
        ));
    }

    /// Fills the polygons of a sheet, each island with its colour.
    fn islands(&self, out: &mut Svg, sheet: &Storey) {
        let polygons = sheet.polygons.iter();
        let mut by_island: Vec<(u32, usize)> =
            polygons.map(|&p| (self.surface.polygons[p].island, p)).collect();
        by_island.sort_unstable();
        for group in by_island.chunk_by(|a, b| a.0 == b.0) {
            let island = group[0].0;
            let rings = self.rings(group.iter().map(|&(_, p)| p));
            out.line(format_args!(
                "<path fill=\"{}\" d=\"{rings}\"><title>island {island}</title></path>",
                colour(island)
            ));
        }
    }

    /// The outlines of polygons as the data of a path.
    pub(crate) fn rings(&self, polygons: impl IntoIterator<Item = usize>) -> String {
        let mut out = String::new();
        for polygon in polygons {
            for (k, corner) in self.surface.ring(polygon).into_iter().enumerate() {
                let (x, y) = self.point(corner);
                let _ = write!(out, "{}{x:.2} {y:.2}", if k == 0 { 'M' } else { 'L' });
            }
            out.push('Z');
        }
        out
    }

    /// A segment as the data of a path.
    pub(crate) fn segment(&self, ends: [[f64; 3]; 2]) -> String {
        let [a, b] = ends.map(|p| self.point(p));
        format!("M{:.2} {:.2}L{:.2} {:.2}", a.0, a.1, b.0, b.1)
    }

    /// Draws walls, portals and steps of a sheet.
    pub(crate) fn lines(&self, out: &mut Svg, sheet: &Storey) {
        let lines = self.collect(sheet);
        for (class, lines) in [
            ("portal", lines.portals),
            ("step", lines.steps),
            ("off", lines.off_sheet),
            ("wall", lines.walls),
        ] {
            out.path(class, &lines);
        }
    }

    fn collect(&self, sheet: &Storey) -> Lines {
        let mut on_sheet = vec![false; self.surface.polygons.len()];
        for &p in &sheet.polygons {
            on_sheet[p] = true;
        }
        let mut lines = Lines::default();
        for &p in &sheet.polygons {
            let corners = &self.surface.polygons[p].corners;
            for k in 0..corners.len() {
                let (a, b) = (corners[k], corners[(k + 1) % corners.len()]);
                let target = match self.surface.edge_back(p, k) {
                    None => &mut lines.walls,
                    Some(back) if !on_sheet[back.polygon as usize] => &mut lines.off_sheet,
                    // A portal is drawn once.
                    Some(back) if (back.polygon as usize) < p => continue,
                    Some(back) if back.start != b || back.end != a => &mut lines.steps,
                    Some(_) => &mut lines.portals,
                };
                *target += &self.segment([a, b].map(|v| self.surface.vertices[v as usize]));
            }
        }
        lines
    }

    fn scale_bar(&self, out: &mut Svg) {
        let depth = self.frame.max[1] - self.frame.min[1];
        let length = round_length(self.longest() / 5.0);
        let (pixels, y) = (length * self.factor, depth * self.factor + 26.0);
        out.line(format_args!(
            "<path class=\"wall\" d=\"M0 {:.1}V{y:.1}H{pixels:.2}V{:.1}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{length} {}</text>",
            y - 6.0,
            y - 6.0,
            pixels + 8.0,
            y + 4.0,
            self.unit
        ));
    }

    /// A coloured note, `x` to the right of the scale bar.
    pub(crate) fn note(&self, out: &mut Svg, x: f64, text: &str, colour: &str) {
        let y = (self.frame.max[1] - self.frame.min[1]) * self.factor + 30.0;
        let bar = round_length(self.longest() / 5.0) * self.factor;
        out.line(format_args!(
            "<text x=\"{:.1}\" y=\"{y:.1}\" style=\"fill:{colour}\">{text}</text>",
            bar + x
        ));
    }

    fn longest(&self) -> f64 {
        let Box2 { min, max } = self.frame;
        (max[0] - min[0]).max(max[1] - min[1])
    }

    /// A point of the level on a sheet.
    pub(crate) fn point(&self, p: [f64; 3]) -> (f64, f64) {
        ((p[0] - self.frame.min[0]) * self.factor, (p[2] - self.frame.min[1]) * self.factor)
    }
}

/// The largest of 1, 2, 5 times a power of ten that is at most `length`.
fn round_length(length: f64) -> f64 {
    let length = length.max(1e-3);
    let round = round_numbers(length);
    round.into_iter().rev().find(|&l| l <= length).unwrap_or(round[0])
}

#[cfg(test)]
mod tests {
    use navbake_format::LinkKind;

    use super::*;
    use crate::surface::Link;
    use crate::surface::tests::{plus_of_four_squares, two_squares_and_an_island};

    #[test]
    fn islands_have_colours_portals_have_lines_and_the_bar_has_a_round_length() {
        let picture = write(&two_squares_and_an_island(), "a < b", "m");
        assert_eq!(picture.matches("<title>island").count(), 2);
        assert_eq!(picture.matches("class=\"portal\"").count(), 1);
        assert!(picture.contains("a &lt; b"));
        assert!(picture.contains(">1 m<"), "{picture}");
        assert!(write(&plus_of_four_squares(), "", "m").contains("class=\"step\""));
    }

    #[test]
    fn links_are_arrows_on_the_sheets_of_their_ends() {
        let mut surface = two_squares_and_an_island();
        let link = |polygons, both_ways| Link {
            kind: LinkKind::Jump,
            name: "a<b".into(),
            polygons,
            ends: [[1.5, 0.0, 0.5], [5.2, 0.0, 0.5]],
            both_ways,
        };
        surface.links = vec![link([1, 2], false), link([1, 2], true)];
        let picture = write(&surface, "", "m");
        assert_eq!(picture.matches("class=\"link\"").count(), 2);
        assert_eq!(picture.matches("class=\"head\"").count(), 3);
        assert_eq!(picture.matches("class=\"begin\"").count(), 1);
        assert!(picture.contains("jump a&lt;b, both ways") && picture.contains(">2 jump<"));
    }

    #[test]
    fn scale_bars_are_1_2_or_5() {
        for (length, bar) in [(1.0, 1.0), (4.9, 2.0), (73.0, 50.0), (0.03, 0.02)] {
            assert!((round_length(length) - bar).abs() < 1e-12, "{length}");
        }
    }

    #[test]
    fn the_plan_of_an_empty_surface_says_so() {
        assert!(write(&Surface::default(), "", "m").contains("nothing is walkable"));
    }
}
