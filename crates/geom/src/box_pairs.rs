//! Pairs of boxes that touch.
//!
//! Space is cut into strips along axis 0, by axis 1. In each strip boxes are sorted by their least
//! coordinate along axis 0 and swept. A pair that shares several strips is reported in the first.

use crate::BoxBounds;

/// Boxes in reach that are looked at, however few boxes there are.
const LEAST_EFFORT: usize = 1 << 22;

/// Calls `pair(i, j)` once for each pair `i < j` of boxes that touch.
///
/// Gives up and returns false after looking at more than 2^22 boxes and `effort` for each box.
/// Near linear time where few boxes touch.
pub fn touching_pairs(
    boxes: &[BoxBounds],
    effort: usize,
    mut pair: impl FnMut(usize, usize),
) -> bool {
    let ends = boxes.iter().map(|b| (b.low[1], b.high[1]));
    let Some((low, high)) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else {
        return true;
    };
    let reach = i64::from(high) - i64::from(low) + 1;
    // As many strips as keep the boxes' entries few.
    let mut strips = (boxes.len() as f64).sqrt().ceil() as i64;
    let strip = |c: i32, strips: i64| (i64::from(c) - i64::from(low)) * strips / reach;
    let rows = |b: &BoxBounds, strips| strip(b.low[1], strips)..=strip(b.high[1], strips);
    let entries = |strips| -> usize {
        boxes.iter().map(|b| (rows(b, strips).end() - rows(b, strips).start() + 1) as usize).sum()
    };
    while strips > 1 && entries(strips) > 4 * boxes.len() {
        strips /= 2;
    }
    let mut members: Vec<(u32, i32, u32)> = Vec::with_capacity(entries(strips));
    for (i, b) in (0u32..).zip(boxes) {
        members.extend(rows(b, strips).map(|row| (row as u32, b.low[0], i)));
    }
    members.sort_unstable();
    let mut effort = LEAST_EFFORT.max(effort.saturating_mul(boxes.len()));
    let mut active: Vec<u32> = vec![];
    for row in members.chunk_by(|a, b| a.0 == b.0) {
        active.clear();
        for &(number, least, i) in row {
            active.retain(|&j| boxes[j as usize].high[0] >= least);
            if active.len() > effort {
                return false;
            }
            effort -= active.len();
            let own = &boxes[i as usize];
            for &j in &active {
                let other = &boxes[j as usize];
                // In the first strip that both are in.
                let first = strip(own.low[1].max(other.low[1]), strips);
                if first == i64::from(number) && own.touches(other) {
                    pair(i.min(j) as usize, i.max(j) as usize);
                }
            }
            active.push(i);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_two_boxes_that_touch_are_reported_once() {
        let mut seed = 9u32;
        let mut next = move |most: i32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as i32 % most
        };
        for (count, sides) in [(600, [5, 50, 400]), (600, [900, 1, 1]), (30, [300; 3]), (2, [1; 3])]
        {
            let boxes: Vec<BoxBounds> = (0..count)
                .map(|number: usize| {
                    let low = [0; 3].map(|_| next(1000) - 500);
                    let side = sides[number % 3];
                    BoxBounds { low, high: low.map(|v| v + next(side)) }
                })
                .collect();
            let mut wanted = BTreeSet::new();
            for (i, a) in boxes.iter().enumerate() {
                wanted
                    .extend((i + 1..boxes.len()).filter(|&j| a.touches(&boxes[j])).map(|j| (i, j)));
            }
            let mut found = BTreeSet::new();
            assert!(touching_pairs(&boxes, 1, |i, j| assert!(found.insert((i, j)))));
            assert_eq!(found, wanted);
        }
        assert!(touching_pairs(&[], 1, |_, _| unreachable!()));
    }

    #[test]
    fn too_many_boxes_at_one_place_are_given_up() {
        let one = BoxBounds { low: [0; 3], high: [1; 3] };
        let mut count = 0usize;
        assert!(!touching_pairs(&[one; 4000], 256, |_, _| count += 1));
        assert!(count > 1 << 20);
    }
}
