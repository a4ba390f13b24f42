//! An SVG plan of one search: the order of expansion, the open list and the path.

use std::fmt::Write;

use crate::plan::{Plan, document};
use crate::storeys::Storey;
use crate::surface::Surface;
use crate::svg::{Svg, escape};

/// A search to draw. Polygons are indices, points y-up metres.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The nodes expanded, in order; a node that was reopened appears again.
    pub expanded: Vec<Node>,
    /// The nodes on the open list at the end.
    pub open: Vec<Node>,
    /// The path before string pulling: from entry to entry, each with the polygon it enters.
    pub raw: Vec<Node>,
    /// The corners of the path.
    pub path: Vec<[f64; 3]>,
    /// The polygons it crosses, in order.
    pub through: Vec<usize>,
    /// Its legs: walks and links, in order.
    pub legs: Vec<navbake_search::path::Leg>,
    /// The line below the title of the plan.
    pub caption: String,
}

/// A node of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Its polygon.
    pub polygon: usize,
    /// The point where the search entered the polygon, `[x, z]`.
    pub entry: [f64; 2],
    /// Of a Polyanya search: the root and the right and left end of the interval.
    pub seen: Option<[[f64; 2]; 3]>,
}

/// The most nodes that get numbers: more are not readable.
pub(crate) const MOST_NUMBERS: usize = 120;

/// The most intervals that are drawn.
const MOST_INTERVALS: usize = 1000;

const STYLE: &str = ".ground{fill:#e6e4dc}.open{fill:#f6c9a8}\
    .raw{stroke:#b0224c;stroke-width:1.4;stroke-dasharray:4 3;fill:none}\
    .path{stroke:#111;stroke-width:3;stroke-linejoin:round;stroke-linecap:round;fill:none}\
    .link{stroke:#1d5fa8;stroke-width:2.4;stroke-dasharray:1 5;stroke-linecap:round;fill:none}\
    .entry{fill:#fff;stroke:#333;stroke-width:.8}.wait{fill:#f08030;stroke:#333;stroke-width:.8}\
    .number{font-size:10px;text-anchor:middle}\
    .cone{fill-opacity:.16;stroke-opacity:.5;stroke-width:.6}";

/// Draws a search on a surface.
pub fn write(surface: &Surface, trace: &Trace, title: &str) -> String {
    let legs = legs(surface, trace);
    // A polygon's colour is that of its first expansion.
    let mut order = vec![None; surface.polygons.len()];
    for (k, node) in trace.expanded.iter().enumerate() {
        if let Some(place) = order.get_mut(node.polygon) {
            place.get_or_insert(k);
        }
    }
    let title = format!("{title}: {}", trace.caption);
    // Storeys that the search never entered are left out.
    let entered = |sheet: &Storey| {
        let nodes = trace.expanded.iter().chain(&trace.open);
        let mut polygons = (nodes.map(|n| n.polygon)).chain(trace.through.iter().copied());
        polygons.any(|p| sheet.has(p))
    };
    document(surface, &title, "m", STYLE, entered, |out, plan, sheet| {
        out.line(format_args!(
            "<text x=\"0\" y=\"-28\" style=\"font-size:12px\">{}</text>",
            escape(&trace.caption)
        ));
        ground(out, plan, sheet, trace, &order);
        plan.lines(out, sheet);
        intervals(out, plan, sheet, trace);
        marks(out, plan, sheet, trace);
        paths(out, plan, sheet, trace, &legs);
    })
}

fn ground(out: &mut Svg, plan: &Plan<'_>, sheet: &Storey, trace: &Trace, order: &[Option<usize>]) {
    let mut open = vec![false; order.len()];
    for node in &trace.open {
        if let Some(place) = open.get_mut(node.polygon) {
            *place = true;
        }
    }
    let mut untouched = String::new();
    for &p in &sheet.polygons {
        let (fill, title) = match order[p] {
            Some(k) => (
                format!("fill=\"{}\"", order_colour(k, trace.expanded.len())),
                format!("expanded {}", k + 1),
            ),
            None if open[p] => ("class=\"open\"".into(), "open".into()),
            None => {
                untouched += &plan.rings([p]);
                continue;
            }
        };
        out.line(format_args!(
            "<path {fill} d=\"{}\"><title>{title}</title></path>",
            plan.rings([p])
        ));
    }
    out.line(format_args!("<path class=\"ground\" d=\"{untouched}\"/>"));
}

/// Draws the intervals of a Polyanya search, each as a triangle with its root.
fn intervals(out: &mut Svg, plan: &Plan<'_>, sheet: &Storey, trace: &Trace) {
    let all = || trace.expanded.iter().enumerate();
    let on_sheet = all().filter(|(_, n)| sheet.has(n.polygon));
    if all().filter(|(_, n)| n.seen.is_some()).count() > MOST_INTERVALS {
        return;
    }
    for (k, seen) in on_sheet.filter_map(|(k, n)| Some((k, n.seen?))) {
        let [(ax, ay), (bx, by), (cx, cy)] = seen.map(|p| flat(plan, p));
        let colour = order_colour(k, trace.expanded.len());
        out.line(format_args!(
            "<path class=\"cone\" fill=\"{colour}\" stroke=\"#445\" \
             d=\"M{bx:.1} {by:.1}L{ax:.1} {ay:.1}L{cx:.1} {cy:.1}\"/>"
        ));
    }
}

/// Marks the entries in their order, and those on the open list.
fn marks(out: &mut Svg, plan: &Plan<'_>, sheet: &Storey, trace: &Trace) {
    let on_sheet = |n: &Node| sheet.has(n.polygon);
    let numbers = trace.expanded.len() <= MOST_NUMBERS;
    let radius = if numbers { 2.5 } else { 1.5 };
    for (k, node) in trace.expanded.iter().enumerate().filter(|(_, n)| on_sheet(n)) {
        let (x, y) = flat(plan, node.entry);
        out.add(format_args!(
            "<circle class=\"entry\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>"
        ));
        if numbers {
            out.add(format_args!(
                "<text class=\"number\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
                y - 5.0,
                k + 1
            ));
        }
        out.line(format_args!(""));
    }
    for node in trace.open.iter().filter(|n| on_sheet(n)) {
        let (x, y) = flat(plan, node.entry);
        out.line(format_args!(
            "<circle class=\"wait\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>"
        ));
    }
}

/// A straight piece of the path within one polygon, or a link that starts or ends there.
struct Leg {
    polygon: usize,
    ends: [[f64; 2]; 2],
    link: bool,
}

/// Cuts the path into pieces by polygon, so that each is drawn on the sheet of its polygon.
///
/// A link is drawn on the sheets of both its ends.
fn legs(surface: &Surface, trace: &Trace) -> Vec<Leg> {
    let mut legs = vec![];
    for stretch in &trace.legs {
        let points = trace.path.get(stretch.points.clone()).unwrap_or(&[]);
        let through = (trace.through.get(stretch.polygons.clone())).unwrap_or(&[]);
        let mut i = 0;
        for w in points.windows(2) {
            let [a, b] = [w[0], w[1]].map(|p| [p[0], p[2]]);
            let piece = |polygon, ends| Leg { polygon, ends, link: stretch.link.is_some() };
            if stretch.link.is_some() {
                legs.extend(through.iter().map(|&polygon| piece(polygon, [a, b])));
                continue;
            }
            let mut from = a;
            // Cross portals up to the polygon that contains the end of the piece.
            while i + 1 < through.len() {
                let Some(exit) = crossing(surface, through[i], through[i + 1], a, b) else {
                    break;
                };
                legs.push(piece(through[i], [from, exit]));
                from = exit;
                i += 1;
            }
            if let Some(&polygon) = through.get(i) {
                legs.push(piece(polygon, [from, b]));
            }
        }
    }
    legs
}

/// Where the segment `a b` leaves a polygon for the next one, if it does.
fn crossing(
    surface: &Surface,
    polygon: usize,
    next: usize,
    a: [f64; 2],
    b: [f64; 2],
) -> Option<[f64; 2]> {
    let ring = surface.ring(polygon);
    let n = ring.len();
    let cross = |p: [f64; 2], q: [f64; 2], r: [f64; 2]| {
        (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    };
    let neighbours = &surface.polygons[polygon].neighbours;
    (0..n).filter(|&k| neighbours[k] == Some(next as u32)).find_map(|k| {
        let [p, q] = [ring[k], ring[(k + 1) % n]].map(|p| [p[0], p[2]]);
        // Rings are counter-clockwise seen from above, so inside is negative in (x, z).
        let (sa, sb) = (cross(p, q, a), cross(p, q, b));
        let slack = 1e-9 * (1.0 + (q[0] - p[0]).abs() + (q[1] - p[1]).abs());
        if sb < -slack {
            return None;
        }
        let t = if (sb - sa).abs() > 0.0 { (sa / (sa - sb)).clamp(0.0, 1.0) } else { 1.0 };
        let at = [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
        // Within the portal, up to rounding.
        let d = [q[0] - p[0], q[1] - p[1]];
        let along = (at[0] - p[0]) * d[0] + (at[1] - p[1]) * d[1];
        let square = d[0] * d[0] + d[1] * d[1];
        ((-1e-6..=1.0 + 1e-6).contains(&(along / square))).then_some(at)
    })
}

fn paths(out: &mut Svg, plan: &Plan<'_>, sheet: &Storey, trace: &Trace, legs: &[Leg]) {
    let on_sheet = |p: usize| sheet.has(p);
    let line = |out: &mut String, a: [f64; 2], b: [f64; 2]| {
        let ((ax, ay), (bx, by)) = (flat(plan, a), flat(plan, b));
        let _ = write!(out, "M{ax:.1} {ay:.1}L{bx:.1} {by:.1}");
    };
    let (mut raw, mut path, mut links) = (String::new(), String::new(), String::new());
    for w in trace.raw.windows(2).filter(|w| on_sheet(w[0].polygon)) {
        line(&mut raw, w[0].entry, w[1].entry);
    }
    for leg in legs.iter().filter(|l| on_sheet(l.polygon)) {
        let out = if leg.link { &mut links } else { &mut path };
        line(out, leg.ends[0], leg.ends[1]);
    }
    for (class, d) in [("path", path), ("link", links), ("raw", raw)] {
        out.path(class, &d);
    }
    let ends = [trace.path.first(), trace.path.last()];
    let at = [trace.through.first(), trace.through.last()];
    for ((end, polygon), (colour, name)) in
        ends.into_iter().zip(at).zip([("#2f8f4e", "start"), ("#b0224c", "end")])
    {
        if let (Some(end), Some(&polygon)) = (end, polygon)
            && on_sheet(polygon)
        {
            let (x, y) = plan.point(*end);
            out.line(format_args!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6\" fill=\"{colour}\" \
                 stroke=\"#fff\" stroke-width=\"1.5\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\">{name}</text>",
                x + 9.0,
                y + 5.0
            ));
        }
    }
}

fn flat(plan: &Plan<'_>, p: [f64; 2]) -> (f64, f64) {
    plan.point([p[0], 0.0, p[1]])
}

/// The colour of the k-th expansion: from pale yellow to blue.
pub(crate) fn order_colour(k: usize, count: usize) -> String {
    let share = k as f64 / count.saturating_sub(1).max(1) as f64;
    format!("hsl({:.0},60%,{:.0}%)", 55.0 + 165.0 * share, 85.0 - 18.0 * share)
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::surface::tests::plus_of_four_squares;

    fn node(polygon: usize, x: f64, z: f64) -> Node {
        Node { polygon, entry: [x, z], seen: None }
    }

    fn leg(
        link: Option<u32>,
        points: Range<usize>,
        polygons: Range<usize>,
    ) -> navbake_search::path::Leg {
        navbake_search::path::Leg { link, points, polygons }
    }

    #[test]
    fn a_link_is_drawn_on_the_sheets_of_both_its_ends() {
        let surface = plus_of_four_squares();
        let trace = Trace {
            path: vec![[0.5, 0.0, 0.25], [0.5, 0.0, 0.5], [1.5, 0.5, 1.5], [1.5, 0.5, 1.75]],
            through: vec![0, 3],
            legs: vec![leg(None, 0..2, 0..1), leg(Some(0), 1..3, 0..2), leg(None, 2..4, 1..2)],
            ..Trace::default()
        };
        let pieces: Vec<(usize, bool)> =
            (legs(&surface, &trace).iter()).map(|l| (l.polygon, l.link)).collect();
        assert_eq!(pieces, [(0, false), (0, true), (3, true), (3, false)]);
        let picture = write(&surface, &trace, "t");
        assert!(picture.contains("class=\"link\""));
    }

    #[test]
    fn a_path_is_cut_at_portals() {
        let surface = plus_of_four_squares();
        let trace = Trace {
            expanded: vec![node(0, 0.5, 0.5), node(1, 1.0, 0.5), node(3, 1.5, 1.0)],
            open: vec![node(2, 0.5, 1.0)],
            raw: vec![node(0, 0.5, 0.5), node(1, 1.0, 0.5), node(3, 1.5, 1.5)],
            path: vec![[0.5, 0.0, 0.5], [1.5, 0.0, 0.75], [1.5, 0.5, 1.5]],
            through: vec![0, 1, 3],
            legs: vec![leg(None, 0..3, 0..3)],
            caption: "a & b".into(),
        };
        let legs = legs(&surface, &trace);
        let pieces: Vec<(usize, [[f64; 2]; 2])> =
            legs.iter().map(|l| (l.polygon, l.ends)).collect();
        assert_eq!(
            pieces,
            [
                (0, [[0.5, 0.5], [1.0, 0.625]]),
                (1, [[1.0, 0.625], [1.5, 0.75]]),
                (1, [[1.5, 0.75], [1.5, 1.0]]),
                (3, [[1.5, 1.0], [1.5, 1.5]]),
            ]
        );
        let picture = write(&surface, &trace, "t");
        assert_eq!(picture.matches("class=\"entry\"").count(), 3);
        assert_eq!(picture.matches("class=\"wait\"").count(), 1);
        assert_eq!(picture.matches("class=\"open\"").count(), 1);
        assert!(picture.contains("class=\"raw\"") && picture.contains("class=\"path\""));
        assert!(picture.contains("a &amp; b") && picture.contains(">start<"));
        assert!(!picture.contains("class=\"cone\""));
    }

    #[test]
    fn intervals_are_drawn_on_the_sheet_of_the_polygon_they_enter() {
        let surface = plus_of_four_squares();
        let through =
            Node { seen: Some([[0.5, 0.5], [1.0, 1.0], [1.0, 0.0]]), ..node(1, 1.0, 0.5) };
        let mut trace = Trace {
            expanded: vec![node(0, 0.5, 0.5), through],
            path: vec![[0.5, 0.0, 0.5], [1.5, 0.0, 0.5]],
            through: vec![0, 1],
            ..Trace::default()
        };
        let cones = |trace: &Trace| write(&surface, trace, "t").matches("class=\"cone\"").count();
        assert_eq!(cones(&trace), 1);
        trace.expanded = vec![through; MOST_INTERVALS + 1];
        assert_eq!(cones(&trace), 0);
    }
}
