//! Intervals of a segment: unions, intersections and differences.

use crate::exact::math::{max, min};

/// Intervals of a segment, as parameters along it.
pub(crate) type Intervals = Vec<(f64, f64)>;

/// The part of `from..to` where a linear function is between `low` and `high`. It has the values
/// `f0` at 0 and `f1` at 1. The part is empty if it ends before it begins.
pub(crate) fn between(f0: f64, f1: f64, low: f64, high: f64, from: f64, to: f64) -> (f64, f64) {
    if (f0 < low && f1 < low) || (f0 > high && f1 > high) {
        return (1.0, 0.0);
    }
    let slope = f1 - f0;
    if slope.abs() < 1e-9 {
        return if f0 >= low && f0 <= high { (from, to) } else { (1.0, 0.0) };
    }
    let (p, q) = ((low - f0) / slope, (high - f0) / slope);
    (max(min(p, q), from), min(max(p, q), to))
}

/// Calls `f` for the parts of `from..to` outside the holes.
pub(crate) fn without(from: f64, to: f64, holes: &mut Intervals, mut f: impl FnMut(f64, f64)) {
    holes.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.total_cmp(&q.1)));
    let mut at = from;
    for &(begin, end) in holes.iter() {
        if begin >= to {
            break;
        }
        if begin > at {
            f(at, begin);
        }
        at = max(at, end);
    }
    if at < to {
        f(at, to);
    }
}

/// From the first begin of some parts to the last end; `None` without parts.
pub(crate) fn hull(parts: &Intervals) -> Option<(f64, f64)> {
    let all = parts.iter().copied();
    all.reduce(|p, q| (min(p.0, q.0), max(p.1, q.1)))
}

/// Do some parts leave next to nothing of another one?
pub(crate) fn is_all(parts: &mut Intervals, on: (f64, f64), least: f64) -> bool {
    let mut is_all = !parts.is_empty();
    if is_all {
        without(on.0, on.1, parts, |u, v| is_all &= v - u < least);
    }
    is_all
}

/// The intersection of two intervals, if any.
pub(crate) fn overlap(p: (f64, f64), q: (f64, f64)) -> Option<(f64, f64)> {
    let (from, to) = (max(p.0, q.0), min(p.1, q.1));
    (from < to).then_some((from, to))
}

/// Adds the intersection of two lists.
pub(crate) fn both(
    first: &Intervals,
    second: &mut Intervals,
    scratch: &mut Intervals,
    out: &mut Intervals,
) {
    for &(u0, u1) in first {
        scratch.clear();
        without(u0, u1, second, |v0, v1| scratch.push((v0, v1)));
        without(u0, u1, scratch, |v0, v1| out.push((v0, v1)));
    }
}
