//! A path of a unit that turns, on its tiles, with the ground that it sweeps.

use std::fmt::Write;

use navbake_search::turning::{Ground, Pose, TurningAnswer, Vehicle};

use super::svg::escape;

/// Pixels of a tile at most, and of the picture.
const TILE: f64 = 24.0;
const SHEET: f64 = 1400.0;
/// Tiles around the path that are drawn.
const AROUND: f64 = 6.0;

/// Draws it.
pub(crate) fn write(
    title: &str,
    vehicle: &Vehicle<'_>,
    ground: &Ground<'_>,
    answer: &TurningAnswer<'_>,
    ends: &[[f64; 2]],
) -> String {
    let radius = vehicle.turn_radius();
    let mut poses = vec![];
    for piece in answer.pieces {
        let steps = (piece.segment.length / 0.2).ceil().max(1.0) as u32;
        let at = |i: u32| piece.segment.length * f64::from(i) / f64::from(steps);
        poses.extend((0..=steps).map(|i| {
            let pose = piece.segment.pose(piece.from, radius, at(i));
            (pose, piece.segment.back)
        }));
    }
    let places = poses.iter().map(|(p, _)| [p.x, p.z]);
    let (low, high) = places.chain(ends.iter().copied()).fold(
        ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]),
        |(low, high), p| {
            (
                [low[0].min(p[0]), low[1].min(p[1])],
                [high[0].max(p[0]), high[1].max(p[1])],
            )
        },
    );
    let most = [ground.width(), ground.height()].map(|n| f64::from(n) - 1.0);
    let from = low.map(|v| (v - AROUND).floor().max(0.0));
    let to = [0, 1].map(|k| (high[k] + AROUND).ceil().min(most[k]).max(from[k]));
    let (columns, rows) = (to[0] - from[0] + 1.0, to[1] - from[1] + 1.0);
    let scale = (SHEET / columns.max(rows)).min(TILE);
    let x = |v: f64| (v - from[0] + 0.5) * scale;
    let z = |v: f64| (v - from[1] + 0.5) * scale;
    let (width, height) = (columns * scale, rows * scale);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" width=\"{width:.0}\" height=\"{height:.0}\">\n\
         <title>{}</title>\n<style>.wall{{fill:#3a3a3a}}.swept{{fill:#1b6ca8;fill-opacity:.16;stroke:none}}.path{{fill:none;stroke:#1b6ca8;stroke-width:1.6}}\
         .back{{fill:none;stroke:#c2541b;stroke-width:1.6}}.end{{fill:none;stroke:#2f8f4e;stroke-width:2}}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#f7f6f2\"/>\n",
        escape(title)
    );
    // Runs of blocked tiles, a row at a time.
    let mut row = from[1];
    while row <= to[1] {
        let mut column = from[0];
        while column <= to[0] {
            let first = column;
            while column <= to[0] && ground.is_blocked([column as i32, row as i32]) {
                column += 1.0;
            }
            if column > first {
                let _ = writeln!(
                    out,
                    "<rect class=\"wall\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{scale:.1}\"/>",
                    x(first - 0.5),
                    z(row - 0.5),
                    (column - first) * scale
                );
            }
            column += 1.0;
        }
        row += 1.0;
    }
    let shape = |out: &mut String, class: &str, pose: Pose| {
        let footprint = vehicle.footprint();
        if footprint.corners().is_empty() {
            let _ = writeln!(
                out,
                "<circle class=\"{class}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{:.1}\"/>",
                x(pose.x),
                z(pose.z),
                footprint.reach() * scale
            );
            return;
        }
        let corners = footprint.corners().iter().map(|&[ahead, right]| {
            let p = pose.point(ahead, right);
            format!("{:.1},{:.1}", x(p[0]), z(p[1]))
        });
        let corners: Vec<String> = corners.collect();
        let _ = writeln!(
            out,
            "<polygon class=\"{class}\" points=\"{}\"/>",
            corners.join(" ")
        );
    };
    for (pose, _) in &poses {
        shape(&mut out, "swept", *pose);
    }
    for run in poses.chunk_by(|a, b| a.1 == b.1) {
        let points: Vec<String> = run
            .iter()
            .map(|(p, _)| format!("{:.1},{:.1}", x(p.x), z(p.z)))
            .collect();
        let class = if run[0].1 { "back" } else { "path" };
        let _ = writeln!(
            out,
            "<polyline class=\"{class}\" points=\"{}\"/>",
            points.join(" ")
        );
    }
    for (pose, _) in poses.first().into_iter().chain(poses.last()) {
        shape(&mut out, "end", *pose);
    }
    for end in ends {
        let _ = writeln!(
            out,
            "<circle class=\"end\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\"/>",
            x(end[0]),
            z(end[1])
        );
    }
    out.push_str("</svg>\n");
    out
}
