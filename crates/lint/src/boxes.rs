//! Pairs of boxes that meet, found by sweeps along X.
//!
//! Space is divided into bars along X. Each box is entered in all bars that it meets, and each bar
//! is swept on its own.

/// A numbered box in grid units.
#[derive(Clone, Copy)]
pub(crate) struct Boxed {
    pub(crate) low: [i32; 3],
    pub(crate) high: [i32; 3],
    pub(crate) number: u32,
}

impl Boxed {
    fn meets(&self, other: &Boxed) -> bool {
        (0..3).all(|k| self.low[k] <= other.high[k] && other.low[k] <= self.high[k])
    }
}

/// A box in one of its bars.
struct Entry {
    /// Number of the bar along Y and Z.
    bar: [i32; 2],
    /// The least bar that the box meets.
    first: [i32; 2],
    boxed: Boxed,
}

/// Calls `f` once for each pair of boxes that meet, with their numbers.
///
/// `bars` are the widths of the bars along Y and Z.
pub(crate) fn meeting(
    boxes: impl Iterator<Item = Boxed>,
    bars: [i32; 2],
    mut f: impl FnMut(u32, u32),
) {
    let mut entries = vec![];
    for boxed in boxes {
        let bar = |corner: [i32; 3]| [0, 1].map(|k| corner[k + 1].div_euclid(bars[k]));
        let (first, last) = (bar(boxed.low), bar(boxed.high));
        for y in first[0]..=last[0] {
            for z in first[1]..=last[1] {
                let bar = [y, z];
                entries.push(Entry { bar, first, boxed });
            }
        }
    }
    entries.sort_unstable_by_key(|e| (e.bar, e.boxed.low[0], e.boxed.number));
    for (k, entry) in entries.iter().enumerate() {
        let near = entries[k + 1..]
            .iter()
            .take_while(|o| o.bar == entry.bar && o.boxed.low[0] <= entry.boxed.high[0]);
        for other in near.filter(|o| o.boxed.meets(&entry.boxed)) {
            // A pair that shares several bars counts in the first of them.
            let first = [0, 1].map(|k| entry.first[k].max(other.first[k]));
            if first == entry.bar {
                f(entry.boxed.number, other.boxed.number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_two_boxes_that_meet_are_reported_once() {
        let mut seed = 9u32;
        let mut next = move |most: i32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as i32 % most
        };
        let boxes: Vec<Boxed> = (0..600)
            .map(|number| {
                let low = [0; 3].map(|_| next(1000) - 500);
                let side = [5, 50, 400][number as usize % 3];
                let high = low.map(|v| v + next(side));
                Boxed { low, high, number }
            })
            .collect();
        let mut wanted = BTreeSet::new();
        for a in &boxes {
            let met = boxes.iter().filter(|b| b.number > a.number && a.meets(b));
            wanted.extend(met.map(|b| (a.number, b.number)));
        }
        for bars in [[40, 70], [3000, 25], [1, 900]] {
            let mut found = BTreeSet::new();
            meeting(boxes.iter().copied(), bars, |a, b| {
                assert!(found.insert((a.min(b), a.max(b))));
            });
            assert!(found.len() > 1000 && found == wanted);
        }
    }
}
