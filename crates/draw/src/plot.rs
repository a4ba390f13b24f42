//! An SVG chart of points of several series.

use std::fmt::Write;

use crate::svg::{Svg, escape, round_numbers};

/// One point of a chart.
#[derive(Clone, Debug)]
pub struct Point {
    /// The name of its series; the points of a series share a colour and a line.
    pub series: String,
    /// The text beside it.
    pub label: String,
    /// Its value on the horizontal axis, which starts at 0.
    pub x: f64,
    /// Its value on the vertical axis.
    pub y: f64,
    /// Whether a ring marks it.
    pub marked: bool,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 480.0;
const LEFT: f64 = 80.0;
const TOP: f64 = 50.0;
const RIGHT: f64 = 170.0;
const FOOT: f64 = 60.0;
const COLOURS: [&str; 8] =
    ["#555", "#1b6ca8", "#c2541b", "#2f8f4e", "#8a4fa3", "#b0224c", "#8a7a10", "#137f84"];

/// An axis that starts and ends at round numbers.
struct Axis {
    low: f64,
    high: f64,
    step: f64,
}

impl Axis {
    fn around(values: impl Iterator<Item = f64>) -> Axis {
        let (low, high) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let range = (high - low).max(high.abs() * 1e-6).max(1e-6);
        // The smallest of 1, 2, 5 times a power of ten that makes at most six steps.
        let round = round_numbers(range / 6.0);
        let step = round.into_iter().find(|s| range / s <= 6.0).unwrap_or(round[3]);
        Axis { low: (low / step).floor() * step, high: (high / step).ceil() * step, step }
    }

    fn share(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low).max(f64::MIN_POSITIVE)
    }

    fn marks(&self) -> impl Iterator<Item = (f64, String)> {
        let count = ((self.high - self.low) / self.step).round() as usize;
        let digits = (-self.step.log10().floor()).clamp(0.0, 9.0) as usize;
        let (low, step) = (self.low, self.step);
        (0..=count).map(move |k| {
            let value = low + k as f64 * step;
            (value, format!("{value:.digits$}"))
        })
    }
}

/// Draws points with a title and named axes.
pub fn write(points: &[Point], title: &str, x_axis: &str, y_axis: &str) -> String {
    let (x, y) = (
        Axis::around(points.iter().map(|p| p.x).chain([0.0])),
        Axis::around(points.iter().map(|p| p.y)),
    );
    let (right, bottom) = (WIDTH - RIGHT, HEIGHT - FOOT);
    let place = |px: f64, py: f64| {
        (LEFT + x.share(px) * (right - LEFT), bottom - y.share(py) * (bottom - TOP))
    };
    let mut out = Svg::begin(
        format_args!("viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\""),
        title,
        "text{font:12px sans-serif;fill:#222}.axis{stroke:#222;fill:none}.mark{stroke:#ddd}",
        "#fff",
    );
    out.line(format_args!(
        "<text x=\"{LEFT}\" y=\"28\" style=\"font-size:14px\">{}</text>",
        escape(title)
    ));
    for (value, text) in x.marks() {
        let (px, _) = place(value, y.low);
        out.line(format_args!("<path class=\"mark\" d=\"M{px:.1} {TOP}V{bottom}\"/><text x=\"{px:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{text}</text>",
            bottom + 18.0
        ));
    }
    for (value, text) in y.marks() {
        let (_, py) = place(x.low, value);
        out.line(format_args!("<path class=\"mark\" d=\"M{LEFT} {py:.1}H{right}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
            LEFT - 8.0,
            py + 4.0
        ));
    }
    out.line(format_args!(
        "<path class=\"axis\" d=\"M{LEFT} {TOP}V{bottom}H{right}\"/>\n\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n\
         <text transform=\"translate(20,{:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        (LEFT + right) / 2.0,
        HEIGHT - 18.0,
        escape(x_axis),
        (TOP + bottom) / 2.0,
        escape(y_axis)
    ));
    let mut names: Vec<&str> = vec![];
    for point in points {
        if !names.contains(&point.series.as_str()) {
            names.push(&point.series);
        }
    }
    for (k, name) in names.iter().enumerate() {
        let colour = COLOURS[k % COLOURS.len()];
        let mine: Vec<&Point> = points.iter().filter(|p| p.series == *name).collect();
        let mut line = String::new();
        for (j, point) in mine.iter().enumerate() {
            let (px, py) = place(point.x, point.y);
            let _ = write!(line, "{}{px:.1} {py:.1}", if j == 0 { 'M' } else { 'L' });
        }
        out.line(format_args!(
            "<path d=\"{line}\" stroke=\"{colour}\" stroke-opacity=\".5\" fill=\"none\"/>"
        ));
        for point in mine {
            let (px, py) = place(point.x, point.y);
            out.line(format_args!(
                "<circle cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"3.5\" fill=\"{colour}\"/>"
            ));
            if point.marked {
                out.line(format_args!("<circle cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"8\" stroke=\"#222\" stroke-width=\"1.5\" fill=\"none\"/>"
                ));
            }
            if !point.label.is_empty() {
                out.line(format_args!("<text x=\"{:.1}\" y=\"{:.1}\" style=\"font-size:10px\" fill-opacity=\".8\">{}</text>",
                    px + 5.0,
                    py - 5.0,
                    escape(&point.label)
                ));
            }
        }
        let row = TOP + 10.0 + 20.0 * k as f64;
        out.line(format_args!("<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{colour}\"/><text x=\"{:.1}\" y=\"{row:.1}\">{}</text>",
            right + 24.0,
            row - 4.0,
            right + 36.0,
            escape(name)
        ));
    }
    out.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_is_drawn_inside_and_every_series_is_named() {
        let points: Vec<Point> = (0..5)
            .map(|k| Point {
                series: ["a", "b < c"][k % 2].into(),
                label: k.to_string(),
                x: 100.0 * k as f64,
                y: 1.0 + 0.01 * k as f64,
                marked: k == 3,
            })
            .collect();
        let picture = write(&points, "t", "x", "y");
        assert_eq!(picture.matches("r=\"3.5\"").count(), 5);
        assert_eq!(picture.matches("r=\"8\"").count(), 1);
        assert!(picture.contains("b &lt; c") && picture.contains(">1.04<"));
        for cx in picture.split("cx=\"").skip(1) {
            let cx: f64 = cx.split('"').next().unwrap().parse().unwrap();
            assert!((LEFT..WIDTH).contains(&cx));
        }
        assert!(write(&[], "none", "x", "y").contains("none"));
    }
}
