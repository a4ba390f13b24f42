//! Pairs of boxes that touch.
//!
//! Space is divided into bars along axis 0, about as wide as the boxes. Each box is entered in all
//! bars that it meets, and each bar is swept on its own. A pair that shares several bars is
//! reported in the first.

use crate::BoxBounds;

/// Boxes in reach that are looked at, however few boxes there are.
const LEAST_EFFORT: usize = 1 << 22;

/// Entries in bars for each box, on average, at the most.
const ENTRIES: i64 = 8;

/// Calls `pair(i, j)` once for each pair `i < j` of boxes that touch.
///
/// Gives up and returns false after looking at more than 2^22 boxes and `effort` for each box.
/// Near linear time where few boxes touch.
pub fn touching_pairs(
    boxes: &[BoxBounds],
    effort: usize,
    mut pair: impl FnMut(usize, usize),
) -> bool {
    let count = boxes.len() as i64;
    let mut least = [i32::MAX; 2];
    let mut extents = [0; 2];
    for b in boxes {
        for k in 0..2 {
            least[k] = least[k].min(b.low[k + 1]);
            extents[k] += i64::from(b.high[k + 1]) - i64::from(b.low[k + 1]);
        }
    }
    // Bars are powers of two wide.
    let mut shift = extents.map(|e| (e / count.max(1)).checked_ilog2().map_or(0, |bits| bits + 1));
    let bar = |corner: &[i32; 3], shift: [u32; 2]| {
        [0, 1].map(|k| corner[k + 1].wrapping_sub(least[k]) as u32 >> shift[k].min(31))
    };
    let bars = |b: &BoxBounds, shift| [bar(&b.low, shift), bar(&b.high, shift)];
    let entries = |shift| -> i64 {
        let of = |b| {
            let [from, to] = bars(b, shift);
            (i64::from(to[0] - from[0]) + 1) * (i64::from(to[1] - from[1]) + 1)
        };
        boxes.iter().map(of).fold(0, i64::saturating_add)
    };
    while entries(shift) > ENTRIES * count {
        shift = shift.map(|s| s + 1);
    }
    // Bar, least coordinate along axis 0 and number as one.
    let along = |c: i32| u128::from(c.wrapping_sub(i32::MIN) as u32);
    let in_bar = |[a, b]: [u32; 2]| u128::from(a) << 32 | u128::from(b);
    let mut all: Vec<u128> = Vec::with_capacity(entries(shift) as usize);
    for (i, b) in (0u32..).zip(boxes) {
        let [from, to] = bars(b, shift);
        let own = along(b.low[0]) << 32 | u128::from(i);
        for first in from[0]..=to[0] {
            all.extend((from[1]..=to[1]).map(|second| in_bar([first, second]) << 64 | own));
        }
    }
    all.sort_unstable();
    let mut effort = LEAST_EFFORT.max(effort.saturating_mul(boxes.len()));
    for (k, entry) in all.iter().enumerate() {
        let (i, here) = (*entry as u32, entry >> 64);
        let own = &boxes[i as usize];
        let last = (here << 32 | along(own.high[0])) << 32 | u128::from(u32::MAX);
        for j in all[k + 1..].iter().take_while(|e| **e <= last).map(|e| *e as u32) {
            if effort == 0 {
                return false;
            }
            effort -= 1;
            let other = &boxes[j as usize];
            if own.touches(other) {
                // Does the part that they share begin in this bar?
                let begin = [0, 1, 2].map(|axis| own.low[axis].max(other.low[axis]));
                if in_bar(bar(&begin, shift)) == here {
                    pair(i.min(j) as usize, i.max(j) as usize);
                }
            }
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
