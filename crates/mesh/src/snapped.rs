//! Samples of height meshes, snapped to whole steps inside their polygon.

use navbake_geom::{Point, orient};
use navbake_walkable::BreaklineSample;

/// Does a convex polygon contain the place, its border included?
pub(crate) fn holds(polygon: &[Point], p: Point) -> bool {
    let Some(&(mut from)) = polygon.last() else {
        return true;
    };
    polygon.iter().all(|&to| {
        let is_inside = orient(from, to, p) >= 0;
        from = to;
        is_inside
    })
}

/// Snaps a point of a breakline as [`snap_within`] does.
///
/// Beside a step along an axis it stays on its side of the step, as near to it as possible: between
/// the two sides heights are wrong.
pub(crate) fn snap_sample(
    sample: &BreaklineSample,
    shift: u32,
    polygon: &[Point],
) -> Option<Point> {
    if sample.deep {
        return Some(snap_nearest(sample.place, shift));
    }
    if sample.away != [0; 2] {
        let first = snap_away(sample.place, sample.away, shift);
        let others = others(sample.place, first, shift);
        let second = match sample.away {
            [0, _] => others[0],
            [_, 0] => others[1],
            _ => first,
        };
        if let Some(p) = [first, second].into_iter().find(|&p| holds(polygon, p)) {
            return Some(p);
        }
    }
    snap_within(sample.place, shift, polygon)
}

/// Snaps a point onto a step along an axis, if the step is at a whole step of the height mesh.
///
/// Then one side gets the exact border, and less ground is between the two sides.
pub(crate) fn snap_on_step(
    sample: &BreaklineSample,
    shift: u32,
    polygon: &[Point],
) -> Option<Point> {
    if sample.away == [0; 2] {
        return None;
    }
    let near = snap_nearest(sample.place, shift);
    let along = |c: i32, near: i32, way: i8| {
        let c = c - i32::from(way);
        match way {
            0 => Some(near),
            _ => (c >> shift << shift == c).then_some(c),
        }
    };
    let x = along(sample.place.x, near.x, sample.away[0])?;
    let z = along(sample.place.z, near.z, sample.away[1])?;
    let p = Point::new(x, z);
    holds(polygon, p).then_some(p)
}

/// The nearest place with coordinates that are multiples of `2^shift`, not back along `away`.
pub(crate) fn snap_away(p: Point, away: [i8; 2], shift: u32) -> Point {
    let near = snap_nearest(p, shift);
    let along = |c: i32, near: i32, way: i8| match way {
        1 => (c + (1 << shift) - 1) >> shift << shift,
        -1 => c >> shift << shift,
        _ => near,
    };
    Point::new(along(p.x, near.x, away[0]), along(p.z, near.z, away[1]))
}

/// The nearest place with coordinates that are multiples of `2^shift`, the lesser one of two.
pub(crate) fn snap_nearest(p: Point, shift: u32) -> Point {
    let half = (1 << shift >> 1) - i32::from(shift > 0);
    let [x, z] = [p.x, p.z].map(|c| (c + half) >> shift << shift);
    Point::new(x, z)
}

/// The other three of the four places around with coordinates that are multiples of `2^shift`: the
/// one along x, along z, and along both.
fn others(p: Point, first: Point, shift: u32) -> [Point; 3] {
    let step = 1 << shift;
    let [x, z] = [(p.x, first.x), (p.z, first.z)].map(|(c, near)| match near > c {
        true => near - step,
        false => near + step,
    });
    [Point::new(x, first.z), Point::new(first.x, z), Point::new(x, z)]
}

/// The nearest place with coordinates that are multiples of `2^shift`, of the four around, that a
/// convex polygon holds.
pub(crate) fn snap_within(p: Point, shift: u32, polygon: &[Point]) -> Option<Point> {
    let first = snap_nearest(p, shift);
    if holds(polygon, first) {
        return Some(first);
    }
    let others = others(p, first, shift);
    let away = |q: &Point| {
        let d = [q.x - p.x, q.z - p.z].map(i64::from);
        (d[0] * d[0] + d[1] * d[1], *q)
    };
    let held = others.into_iter().filter(|&q| holds(polygon, q));
    held.min_by_key(away)
}
