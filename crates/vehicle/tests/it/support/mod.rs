//! Slow, plain computations that share no code with the library under test.

#![allow(dead_code)] // each test file uses a part

use navbake_vehicle::{Footprint, Word};
pub(crate) mod chance;
pub(crate) mod clock;
pub(crate) mod course;
pub(crate) mod lattice;
pub(crate) mod poses;
pub(crate) mod scenarios;
pub(crate) mod timed;

use navbake_vehicle::build::edges::Edge;

/// A step of a plain drive: x along columns, y upwards (against rows), heading counter-clockwise.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) heading: f64,
}

pub(crate) fn heading_of(heading: u32, headings: u32) -> f64 {
    f64::from(heading) * std::f64::consts::TAU / f64::from(headings)
}

/// Lengths of a word's three segments, by geometry: centres of circles and their tangents, no
/// formulas.
pub(crate) fn plain_word(from: At, to: At, radius: f64, word: Word) -> Option<[f64; 3]> {
    let turns = word.turns().map(f64::from);
    let centre = |at: At, turn: f64| {
        [at.x - turn * radius * at.heading.sin(), at.y + turn * radius * at.heading.cos()]
    };
    let (c0, c1) = (centre(from, turns[0]), centre(to, turns[2]));
    let (dx, dy) = (c1[0] - c0[0], c1[1] - c0[1]);
    let d = dx.hypot(dy);
    let line = dy.atan2(dx);
    let round = |angle: f64| {
        let a = angle.rem_euclid(std::f64::consts::TAU);
        if std::f64::consts::TAU - a < 1e-9 { 0.0 } else { a }
    };
    if turns[1] == 0.0 {
        let (straight, heading) = if turns[0] == turns[2] {
            if d < 1e-12 { (0.0, from.heading) } else { (d, line) }
        } else {
            if d < 2.0 * radius - 1e-12 {
                return None;
            }
            let along = {
                let s = d * d - 4.0 * radius * radius;
                if s < 1e-12 { 0.0 } else { s.sqrt() }
            };
            (along, line + turns[0] * (2.0 * radius).atan2(along))
        };
        return Some([
            radius * round(turns[0] * (heading - from.heading)),
            straight,
            radius * round(turns[2] * (to.heading - heading)),
        ]);
    }
    if d < 1e-9 || d > 4.0 * radius + 1e-11 {
        return None;
    }
    // The middle circle touches both: its centre is the tip of a triangle with sides of two radii,
    // on the side where the middle arc is the long one.
    let share = d / (4.0 * radius);
    let lift = if share > 1.0 - 1e-13 { 0.0 } else { share.acos() };
    let quarter = std::f64::consts::FRAC_PI_2;
    [line - lift, line + lift]
        .into_iter()
        .map(|tip| {
            let m = [c0[0] + 2.0 * radius * tip.cos(), c0[1] + 2.0 * radius * tip.sin()];
            let back = (m[1] - c1[1]).atan2(m[0] - c1[0]);
            // Where a circle is left in a direction from its centre, the heading is a quarter turn
            // on in the sense of the turn.
            let h1 = tip + turns[0] * quarter;
            let h2 = back + turns[2] * quarter;
            [
                radius * round(turns[0] * (h1 - from.heading)),
                radius * round(turns[1] * (h2 - h1)),
                radius * round(turns[2] * (to.heading - h2)),
            ]
        })
        .find(|parts| parts[1] > (std::f64::consts::PI - 1e-6) * radius)
}

/// The pose after a distance along a word.
pub(crate) fn drive(from: At, radius: f64, word: Word, parts: [f64; 3], mut along: f64) -> At {
    let mut at = from;
    for (turn, part) in word.turns().into_iter().zip(parts) {
        let way = along.min(part);
        along -= way;
        if turn == 0 {
            at.x += way * at.heading.cos();
            at.y += way * at.heading.sin();
        } else {
            let turn = f64::from(turn);
            let next = at.heading + turn * way / radius;
            at.x += turn * radius * (next.sin() - at.heading.sin());
            at.y -= turn * radius * (next.cos() - at.heading.cos());
            at.heading = next;
        }
    }
    at
}

/// How deep a footprint reaches into a tile; 0 or less where it does not.
pub(crate) fn depth(footprint: &Footprint, at: At, tile: [i32; 2]) -> f64 {
    let (tx, ty) = (f64::from(tile[0]), -f64::from(tile[1]));
    let corners = footprint.corners();
    if corners.is_empty() {
        let dx = ((at.x - tx).abs() - 0.5).max(0.0);
        let dy = ((at.y - ty).abs() - 0.5).max(0.0);
        return footprint.reach() - dx.hypot(dy);
    }
    let (sin, cos) = at.heading.sin_cos();
    // Right of the vehicle is against the counter-clockwise sense.
    let own: Vec<[f64; 2]> = corners
        .iter()
        .map(|&[ahead, right]| [at.x + ahead * cos + right * sin, at.y + ahead * sin - right * cos])
        .collect();
    let square: Vec<[f64; 2]> = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]
        .iter()
        .map(|c| [tx + c[0], ty + c[1]])
        .collect();
    let mut least = f64::INFINITY;
    for shape in [&own, &square] {
        for i in 0..shape.len() {
            let (a, b) = (shape[i], shape[(i + 1) % shape.len()]);
            let n = [b[1] - a[1], a[0] - b[0]];
            let length = n[0].hypot(n[1]);
            let range = |points: &[[f64; 2]]| {
                let d = points.iter().map(|p| (p[0] * n[0] + p[1] * n[1]) / length);
                d.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)))
            };
            let ((l0, h0), (l1, h1)) = (range(&own), range(&square));
            least = least.min((h0 - l1).min(h1 - l0));
        }
    }
    least
}

/// An edge's ends as plain poses.
pub(crate) fn ends(edge: &Edge, headings: u32) -> [At; 2] {
    let from = At { x: 0.0, y: 0.0, heading: heading_of(edge.from, headings) };
    let to = At {
        x: f64::from(edge.offset[0]),
        y: -f64::from(edge.offset[1]),
        heading: heading_of(edge.to, headings),
    };
    [from, to]
}
