//! Shortest curves to a point at any heading: an arc and a line, or two arcs where the point is
//! within a turning circle.

use crate::curve::{Curve, Pose, Segment};
use crate::trig::{PI, atan2, sin_cos, wrapped};
use navbake_navmesh::math::sqrt;

/// How many forms there are.
pub(crate) const FORMS: u8 = 6;

/// The curve of a form to a point, where there is one: 0 left and straight, 1 right and straight, 2
/// and 3 right and left, 4 and 5 left and right.
pub(crate) fn curve(from: Pose, to: [f64; 2], radius: f64, form: u8) -> Option<Curve> {
    // The first turn; its centre is to that side.
    let turn: i8 = match form {
        0 | 4 | 5 => 1,
        _ => -1,
    };
    let t = f64::from(turn);
    let (s, c) = sin_cos(from.heading);
    let about = [from.x - t * radius * s, from.z - t * radius * c];
    let (dx, dy) = (to[0] - about[0], about[1] - to[1]);
    let d = sqrt(dx * dx + dy * dy);
    let arc = |turn: i8, angle: f64| Segment {
        turn,
        back: false,
        length: radius * wrapped(f64::from(turn) * angle),
    };
    if form < 2 {
        if d < radius {
            return None;
        }
        let straight = sqrt((d - radius) * (d + radius));
        let heading = atan2(dy, dx) + t * atan2(radius, straight);
        let line = Segment { turn: 0, back: false, length: straight };
        return Some(Curve::new(&[arc(turn, heading - from.heading), line]));
    }
    // The second circle goes through the point and touches the first: its middle is 2 radii from
    // the one and 1 from the other.
    if d > 3.0 * radius || d < radius {
        return None;
    }
    let along = (d * d + 3.0 * radius * radius) / (2.0 * d);
    let square = 4.0 * radius * radius - along * along;
    let side = if form.is_multiple_of(2) { 1.0 } else { -1.0 };
    let tip = atan2(dy, dx) + side * atan2(sqrt(square.max(0.0)), along);
    let (ts, tc) = sin_cos(tip);
    let middle = [about[0] + 2.0 * radius * tc, about[1] - 2.0 * radius * ts];
    // The heading where one circle becomes the other, and the one at the point.
    let first = tip + t * PI / 2.0;
    let out = atan2(middle[1] - to[1], to[0] - middle[0]);
    let last = out - t * PI / 2.0;
    Some(Curve::new(&[arc(turn, first - from.heading), arc(-turn, last - first)]))
}
