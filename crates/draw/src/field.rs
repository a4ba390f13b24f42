//! An SVG picture of a cost field: what a metre costs, piece by piece, and a line over it.

use crate::cells::Sheet;
use crate::svg::{Svg, escape};

/// A field to draw. Points are `[x, z]` in metres.
#[derive(Clone, Debug, Default)]
pub struct FieldPicture {
    /// The outlines of the ground, each with its cost.
    pub pieces: Vec<(Vec<[f64; 2]>, f64)>,
    /// A path over it; may be empty.
    pub path: Vec<[f64; 2]>,
    /// The line below the title.
    pub caption: String,
}

/// Shades of cost.
const SHADES: usize = 48;

const STYLE: &str = "text{font-family:sans-serif;font-size:12px;fill:#222}\
    .path{stroke:#111;stroke-width:3;stroke-linejoin:round;stroke-linecap:round;fill:none}";

/// Draws a field: the darker, the dearer. A shade's title has its costs.
pub fn write(picture: &FieldPicture, title: &str) -> String {
    let points = picture.pieces.iter().flat_map(|(outline, _)| outline).chain(&picture.path);
    let sheet = Sheet::over(points.copied());
    let costs = || picture.pieces.iter().map(|(_, cost)| *cost);
    let (low, high) = (costs().fold(f64::INFINITY, f64::min), costs().fold(0.0, f64::max));
    let shade = |cost: f64| {
        let share = if high > low { (cost - low) / (high - low) } else { 0.0 };
        (share * (SHADES - 1) as f64).round() as usize
    };
    let mut shades = vec![(String::new(), f64::INFINITY, 0.0f64); SHADES];
    for (outline, cost) in &picture.pieces {
        let (d, least, most) = &mut shades[shade(*cost)];
        d.push_str(&sheet.closed(outline));
        (*least, *most) = (least.min(*cost), most.max(*cost));
    }
    let heading = format!("{title}: {}", picture.caption);
    let mut out = Svg::begin(format_args!("{}", sheet.size()), &heading, STYLE, "#f7f6f2");
    let range = match costs().next() {
        Some(_) => format!("; costs {low:.3} to {high:.3}"),
        None => String::new(),
    };
    sheet.caption(&mut out, &escape(&(picture.caption.clone() + &range)));
    for (k, (d, least, most)) in shades.iter().enumerate().filter(|(_, shade)| !shade.0.is_empty())
    {
        let share = k as f64 / (SHADES - 1) as f64;
        out.line(format_args!(
            "<path fill=\"hsl({:.0},70%,{:.0}%)\" d=\"{d}\"><title>{least:.3} to {most:.3}</title></path>",
            50.0 - 50.0 * share,
            90.0 - 50.0 * share
        ));
    }
    out.path("path", &sheet.outline(&picture.path));
    out.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dearest_ground_is_the_darkest_and_each_piece_is_drawn_once() {
        let square = |x: f64| vec![[x, 0.0], [x + 1.0, 0.0], [x + 1.0, 1.0], [x, 1.0]];
        let pieces = (0..5).map(|x| (square(f64::from(x)), f64::from(x + 1))).collect();
        let path = vec![[0.5, 0.5], [4.5, 0.5]];
        let picture = FieldPicture { pieces, path, caption: "a < b".into() };
        let text = write(&picture, "field");
        assert_eq!(text.matches("Z\"").count(), 5);
        assert_eq!(text.matches("class=\"path\"").count(), 1);
        assert!(text.contains("a &lt; b; costs 1.000 to 5.000"), "{text}");
        let shades: Vec<&str> =
            text.matches("hsl(50,70%,90%)").chain(text.matches("hsl(0,70%,40%)")).collect();
        assert_eq!(shades.len(), 2, "the least and the greatest: {text}");
        let nothing = write(&FieldPicture::default(), "field");
        assert!(nothing.starts_with("<svg") && !nothing.contains("NaN"));
    }
}
