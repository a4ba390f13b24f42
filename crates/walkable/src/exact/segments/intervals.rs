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

/// Is an interval within one of some parts?
pub(crate) fn is_in(parts: &[(f64, f64)], on: (f64, f64)) -> bool {
    parts.iter().any(|part| part.0 <= on.0 && part.1 >= on.1)
}

/// Adds the intersection of two lists.
pub(crate) fn both(
    first: &Intervals,
    second: &mut Intervals,
    scratch: &mut Intervals,
    out: &mut Intervals,
) {
    let begin = out.len();
    for &(u0, u1) in first {
        if is_in(second, (u0, u1)) {
            out.push((u0, u1));
        } else if !is_in(&out[begin..], (u0, u1)) {
            scratch.clear();
            without(u0, u1, second, |v0, v1| scratch.push((v0, v1)));
            without(u0, u1, scratch, |v0, v1| out.push((v0, v1)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::test_levels::random;

    #[test]
    fn an_intersection_is_the_same_whatever_order_and_overlap_its_lists_have() {
        let mut next = random(7);
        for _ in 0..300 {
            let lists: [Intervals; 2] = std::array::from_fn(|_| {
                let count = next(6) as usize;
                let part = |_| {
                    let begin = next(20);
                    (begin, begin + 1.0 + next(8))
                };
                (0..count).map(part).collect()
            });
            let (mut second, mut out) = (lists[1].clone(), vec![]);
            both(&lists[0], &mut second, &mut vec![], &mut out);
            // Ends are whole numbers: the middles between them tell all.
            for at in (0..30).map(|k| f64::from(k) + 0.5) {
                let holds = |list: &Intervals| list.iter().any(|p| p.0 < at && at < p.1);
                assert_eq!(holds(&out), lists.iter().all(holds), "{at} {lists:?}");
            }
        }
    }
}
