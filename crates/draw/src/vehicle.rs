//! An SVG picture of a path of arcs and lines, on its tiles, with the ground it sweeps.

use navbake_vehicle::{Ground, Pose, TurningAnswer, Vehicle};

use crate::svg::Svg;

/// The most pixels of a tile, and of the picture.
const TILE: f64 = 24.0;
const SHEET: f64 = 1400.0;
/// The tiles that are drawn around the path.
const AROUND: f64 = 6.0;

const STYLE: &str = ".wall{fill:#3a3a3a}\
    .swept{fill:#1b6ca8;fill-opacity:.16;stroke:none}\
    .path{fill:none;stroke:#1b6ca8;stroke-width:1.6}\
    .back{fill:none;stroke:#c2541b;stroke-width:1.6}.other{stroke-opacity:.3}\
    .end{fill:none;stroke:#2f8f4e;stroke-width:2}";

/// A pose along the path, whether it is reached in reverse, and its sheet.
type Step = (Pose, bool, u32);

/// The tiles that the picture shows, and the pixels of a tile.
#[derive(Clone, Copy)]
struct Frame {
    from: [f64; 2],
    to: [f64; 2],
    scale: f64,
}

impl Frame {
    fn x(&self, v: f64) -> f64 {
        (v - self.from[0] + 0.5) * self.scale
    }

    fn z(&self, v: f64) -> f64 {
        (v - self.from[1] + 0.5) * self.scale
    }

    /// Columns and rows in pixels.
    fn size(&self) -> [f64; 2] {
        [0, 1].map(|k| (self.to[k] - self.from[k] + 1.0) * self.scale)
    }
}

/// Draws a path, its storeys below each other. `ends` are the start and the goal, in tiles.
pub fn write(
    title: &str,
    vehicle: &Vehicle<'_>,
    ground: &Ground<'_>,
    answer: &TurningAnswer<'_>,
    ends: &[[f64; 2]],
) -> String {
    let steps = steps(vehicle, answer);
    let frame = frame(ground, &steps, ends);
    let mut sheets: Vec<u32> = answer.pieces.iter().map(|p| p.layer).collect();
    sheets.sort_unstable();
    sheets.dedup();
    if sheets.is_empty() {
        sheets.push(0);
    }
    let [width, height] = frame.size();
    let all = height * sheets.len() as f64;
    let mut out = Svg::begin(
        format_args!(
            "viewBox=\"0 0 {width:.1} {all:.1}\" width=\"{width:.0}\" height=\"{all:.0}\""
        ),
        title,
        STYLE,
        "#f7f6f2",
    );
    for (k, &sheet) in sheets.iter().enumerate() {
        out.line(format_args!(
            "<svg y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\">",
            height * k as f64
        ));
        walls(&mut out, ground, sheet, &frame);
        for (pose, _, _) in steps.iter().filter(|s| s.2 == sheet) {
            shape(&mut out, "swept", *pose, vehicle, &frame);
        }
        line(&mut out, &steps, sheet, &frame);
        for (pose, _, _) in steps.first().into_iter().chain(steps.last()) {
            shape(&mut out, "end", *pose, vehicle, &frame);
        }
        for end in ends {
            let (x, z) = (frame.x(end[0]), frame.z(end[1]));
            out.line(format_args!("<circle class=\"end\" cx=\"{x:.1}\" cy=\"{z:.1}\" r=\"3\"/>"));
        }
        out.line(format_args!("</svg>"));
    }
    out.end()
}

fn steps(vehicle: &Vehicle<'_>, answer: &TurningAnswer<'_>) -> Vec<Step> {
    let mut steps = vec![];
    for piece in answer.pieces {
        let radius = vehicle.radius_of(piece.class);
        let many = (piece.segment.length / 0.2).ceil().max(1.0) as u32;
        let at = |i: u32| piece.segment.length * f64::from(i) / f64::from(many);
        steps.extend((0..=many).map(|i| {
            let pose = piece.segment.pose(piece.from, radius, at(i));
            (pose, piece.segment.back, piece.layer)
        }));
    }
    steps
}

/// The path with a margin, within the map.
fn frame(ground: &Ground<'_>, steps: &[Step], ends: &[[f64; 2]]) -> Frame {
    let places = steps.iter().map(|(p, _, _)| [p.x, p.z]);
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for p in places.chain(ends.iter().copied()) {
        for k in 0..2 {
            low[k] = low[k].min(p[k]);
            high[k] = high[k].max(p[k]);
        }
    }
    // The sheets of a navmesh have no common border.
    let (least, most) = match ground.layers() {
        Some(_) => ([f64::NEG_INFINITY; 2], [f64::INFINITY; 2]),
        None => ([0.0; 2], [ground.width(), ground.height()].map(|n| f64::from(n) - 1.0)),
    };
    let from = [0, 1].map(|k| (low[k] - AROUND).floor().max(least[k]));
    let to = [0, 1].map(|k| (high[k] + AROUND).ceil().min(most[k]).max(from[k]));
    let side = (to[0] - from[0]).max(to[1] - from[1]) + 1.0;
    Frame { from, to, scale: (SHEET / side).min(TILE) }
}

/// Draws blocked tiles as runs, row by row.
fn walls(out: &mut Svg, ground: &Ground<'_>, sheet: u32, frame: &Frame) {
    let mut row = frame.from[1];
    while row <= frame.to[1] {
        let is_blocked = |column: f64| ground.is_blocked_on(sheet, [column as i32, row as i32]);
        let mut column = frame.from[0];
        while column <= frame.to[0] {
            let first = column;
            while column <= frame.to[0] && is_blocked(column) {
                column += 1.0;
            }
            if column > first {
                out.line(format_args!("<rect class=\"wall\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
                    frame.x(first - 0.5),
                    frame.z(row - 0.5),
                    (column - first) * frame.scale,
                    frame.scale));
            }
            column += 1.0;
        }
        row += 1.0;
    }
}

/// Draws the footprint of a vehicle.
fn shape(out: &mut Svg, class: &str, pose: Pose, vehicle: &Vehicle<'_>, frame: &Frame) {
    let footprint = vehicle.footprint();
    if footprint.corners().is_empty() {
        out.line(format_args!(
            "<circle class=\"{class}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{:.1}\"/>",
            frame.x(pose.x),
            frame.z(pose.z),
            footprint.reach() * frame.scale
        ));
        return;
    }
    let corners = footprint.corners().iter().map(|&[ahead, right]| {
        let p = pose.point(ahead, right);
        format!("{:.1},{:.1}", frame.x(p[0]), frame.z(p[1]))
    });
    let corners: Vec<String> = corners.collect();
    out.line(format_args!("<polygon class=\"{class}\" points=\"{}\"/>", corners.join(" ")));
}

/// Draws the path, fainter where it is on another sheet.
fn line(out: &mut Svg, steps: &[Step], sheet: u32, frame: &Frame) {
    for run in steps.chunk_by(|a, b| (a.1, a.2) == (b.1, b.2)) {
        let points: Vec<String> = run
            .iter()
            .map(|(p, _, _)| format!("{:.1},{:.1}", frame.x(p.x), frame.z(p.z)))
            .collect();
        let class = if run[0].1 { "back" } else { "path" };
        let other = if run[0].2 == sheet { "" } else { " other" };
        out.line(format_args!(
            "<polyline class=\"{class}{other}\" points=\"{}\"/>",
            points.join(" ")
        ));
    }
}
