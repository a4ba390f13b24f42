//! Joins outlines on the same line: a wall is mostly two triangles, and each has an outline.

use crate::exact::math::V2;

/// Outlines on the same line differ by less, in grid units.
const SAME: f64 = 1e-3;
/// Each line is compared with this many before it.
const BEFORE: usize = 16;

/// Joins outlines that are on the same line and meet. The result does not depend on their order.
pub(crate) fn join(lines: &mut Vec<(V2, V2)>) {
    if lines.len() < 2 {
        return;
    }
    for line in lines.iter_mut() {
        *line = forwards(*line);
    }
    let key = |&([a, b], [c, d]): &(V2, V2)| [a, b, c, d];
    lines.sort_unstable_by(|p, q| {
        let both = key(p).into_iter().zip(key(q));
        both.map(|(a, b)| a.total_cmp(&b)).find(|o| o.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
    });
    let mut kept = 0_usize;
    for k in 0..lines.len() {
        let line = lines[k];
        let before = &mut lines[kept.saturating_sub(BEFORE)..kept];
        let joined = before.iter_mut().rev().any(|other| {
            let hull = hull(*other, line);
            *other = hull.unwrap_or(*other);
            hull.is_some()
        });
        if !joined {
            lines[kept] = line;
            kept += 1;
        }
    }
    lines.truncate(kept);
}

/// The axis along which a line is longer.
fn axis((a, b): (V2, V2)) -> usize {
    usize::from((b[0] - a[0]).abs() < (b[1] - a[1]).abs())
}

/// The line, directed towards greater coordinates.
fn forwards((a, b): (V2, V2)) -> (V2, V2) {
    let axis = axis((a, b));
    if a[axis] <= b[axis] { (a, b) } else { (b, a) }
}

/// Both lines as one, if they are on the same line and meet.
fn hull(p: (V2, V2), q: (V2, V2)) -> Option<(V2, V2)> {
    let long = |(a, b): (V2, V2)| (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]);
    let square = [long(p), long(q)];
    // Both ends of the shorter one near the longer one's line.
    let ((a, b), other, square) = match square[0] >= square[1] {
        true => (p, q, square[0]),
        false => (q, p, square[1]),
    };
    let off = |c: V2| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let near = |c: V2| off(c) * off(c) <= SAME * SAME * square;
    if !near(other.0) || !near(other.1) {
        return None;
    }
    let axis = axis((a, b));
    let (c, d) = match other.0[axis] <= other.1[axis] {
        true => other,
        false => (other.1, other.0),
    };
    if c[axis] > b[axis] + SAME || d[axis] < a[axis] - SAME {
        return None;
    }
    let least = if c[axis] < a[axis] { c } else { a };
    let most = if d[axis] > b[axis] { d } else { b };
    Some((least, most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_go_on_in_each_other_are_one_whatever_their_order() {
        let mut lines = vec![
            ([0.0, 0.0], [10.0, 5.0]),
            ([16.0, 8.0], [8.0, 4.0]),
            ([16.0, 8.0], [20.0, 10.0]),
            // Parallel, crossing, on the same line but apart, and upwards.
            ([0.0, 0.1], [10.0, 5.1]),
            ([0.0, 5.0], [10.0, 0.0]),
            ([30.0, 15.0], [40.0, 20.0]),
            ([3.0, 9.0], [3.0, 2.0]),
            ([3.0, 1.0], [3.0, 4.0]),
        ];
        let wanted = vec![
            ([0.0, 0.0], [20.0, 10.0]),
            ([0.0, 0.1], [10.0, 5.1]),
            ([0.0, 5.0], [10.0, 0.0]),
            ([3.0, 1.0], [3.0, 9.0]),
            ([30.0, 15.0], [40.0, 20.0]),
        ];
        for turn in 0..lines.len() {
            lines.rotate_left(turn);
            let mut joined = lines.clone();
            join(&mut joined);
            assert_eq!(joined, wanted);
        }
    }
}
