//! Which polygons are drawn on one sheet: storeys, split by height only where floors lie above each other.
//!
//! Every pair of polygons of which one lies over the other wants a cut between their heights. The height that serves most pairs is
//! cut first, and each side is looked at again, until no sheet hides anything of itself or no height would help (a spiral ramp whose
//! polygons reach around).

use crate::surface::Surface;

/// One sheet: its polygons and their range of heights.
#[derive(Clone, Debug)]
pub(crate) struct Storey {
    pub(crate) polygons: Vec<usize>,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// Sheets beyond this number are of no use to anyone.
const MOST_SHEETS: usize = 40;

/// Splits the surface into storeys, lowest first.
pub(crate) fn storeys(surface: &Surface) -> Vec<Storey> {
    let mut cuts = vec![];
    let heights: Vec<f64> = (0..surface.polygons.len())
        .map(|p| surface.height(p))
        .collect();
    let pairs: Vec<(f64, f64)> = overlapping_pairs(surface)
        .into_iter()
        .map(|(a, b)| {
            let (a, b) = (heights[a], heights[b]);
            (a.min(b), a.max(b))
        })
        .collect();
    cut(pairs, &mut cuts);
    cuts.sort_by(f64::total_cmp);
    let mut sheets = vec![vec![]; cuts.len() + 1];
    for (p, &height) in heights.iter().enumerate() {
        sheets[cuts.partition_point(|&c| c <= height)].push(p);
    }
    sheets
        .into_iter()
        .filter(|polygons| !polygons.is_empty())
        .map(|polygons| {
            let mut range = (f64::INFINITY, f64::NEG_INFINITY);
            for &p in &polygons {
                for [_, y, _] in surface.triangles(p).into_iter().flatten() {
                    range = (range.0.min(y), range.1.max(y));
                }
            }
            Storey {
                polygons,
                low: range.0,
                high: range.1,
            }
        })
        .collect()
}

/// Adds the heights that separate the pairs (lower, upper), best first.
fn cut(pairs: Vec<(f64, f64)>, cuts: &mut Vec<f64>) {
    let mut open = vec![pairs];
    while let Some(pairs) = open.pop() {
        if cuts.len() + 1 >= MOST_SHEETS {
            return;
        }
        let Some(height) = best_cut(&pairs) else {
            continue;
        };
        cuts.push(height);
        let (below, rest): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|p| p.1 < height);
        let above = rest.into_iter().filter(|p| p.0 >= height).collect();
        open.push(above);
        open.push(below);
    }
}

/// The middle of the lowest range of heights that lies within the most pairs.
fn best_cut(pairs: &[(f64, f64)]) -> Option<f64> {
    let mut events: Vec<(f64, i32)> = vec![];
    for &(low, high) in pairs {
        if low < high {
            events.push((low, 1));
            events.push((high, -1));
        }
    }
    // Ends before beginnings at one height, or two pairs that only touch would count as one on top of the other.
    events.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (mut count, mut best, mut place) = (0, 0, None);
    for (k, &(height, step)) in events.iter().enumerate() {
        count += step;
        if count > best {
            best = count;
            let end = events.get(k + 1).map_or(height, |e| e.0);
            place = Some(height + (end - height) / 2.0);
        }
    }
    // A cut belongs to the sheet above it, so it must lie above the lower of the pair.
    place.map(|p| {
        if events.iter().any(|e| e.0 == p) {
            p.next_up()
        } else {
            p
        }
    })
}

/// Pairs of polygons whose insides overlap seen from above, found through a grid of buckets.
fn overlapping_pairs(surface: &Surface) -> Vec<(usize, usize)> {
    let rings: Vec<Vec<[f64; 3]>> = (0..surface.polygons.len())
        .map(|p| surface.ring(p))
        .collect();
    let boxes: Vec<Box2> = rings.iter().map(|ring| Box2::of(ring)).collect();
    let Some(whole) = boxes.iter().copied().reduce(Box2::with) else {
        return vec![];
    };
    let side = ((rings.len() as f64).sqrt().ceil() as usize).clamp(1, 512);
    let (width, depth) = (whole.max[0] - whole.min[0], whole.max[1] - whole.min[1]);
    let slot = |value: f64, least: f64, extent: f64| {
        let share = (value - least) / extent.max(f64::MIN_POSITIVE);
        ((share * side as f64) as usize).min(side - 1)
    };
    let mut buckets = vec![vec![]; side * side];
    for (p, b) in boxes.iter().enumerate() {
        for row in slot(b.min[1], whole.min[1], depth)..=slot(b.max[1], whole.min[1], depth) {
            for column in slot(b.min[0], whole.min[0], width)..=slot(b.max[0], whole.min[0], width)
            {
                buckets[row * side + column].push(p);
            }
        }
    }
    let mut pairs = vec![];
    for bucket in &buckets {
        for (k, &a) in bucket.iter().enumerate() {
            for &b in &bucket[k + 1..] {
                if boxes[a].meets(&boxes[b]) && overlap(&rings[a], &rings[b]) {
                    pairs.push((a, b));
                }
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// A box in the ground plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Box2 {
    pub(crate) min: [f64; 2],
    pub(crate) max: [f64; 2],
}

impl Box2 {
    pub(crate) fn of(points: &[[f64; 3]]) -> Box2 {
        let mut b = Box2 {
            min: [f64::INFINITY; 2],
            max: [f64::NEG_INFINITY; 2],
        };
        for &[x, _, z] in points {
            b.min = [b.min[0].min(x), b.min[1].min(z)];
            b.max = [b.max[0].max(x), b.max[1].max(z)];
        }
        b
    }

    fn with(self, other: Box2) -> Box2 {
        Box2 {
            min: [self.min[0].min(other.min[0]), self.min[1].min(other.min[1])],
            max: [self.max[0].max(other.max[0]), self.max[1].max(other.max[1])],
        }
    }

    fn meets(&self, other: &Box2) -> bool {
        (0..2).all(|k| self.min[k] < other.max[k] && other.min[k] < self.max[k])
    }
}

/// Do the insides of two convex rings overlap? By separating axes: no edge of either has the other wholly on its outer side.
fn overlap(a: &[[f64; 3]], b: &[[f64; 3]]) -> bool {
    !separates(a, b) && !separates(b, a)
}

fn separates(a: &[[f64; 3]], b: &[[f64; 3]]) -> bool {
    (0..a.len()).any(|k| {
        let (p, q) = (a[k], a[(k + 1) % a.len()]);
        let (dx, dz) = (q[0] - p[0], q[2] - p[2]);
        // Polygons that share an edge must not count because of rounding: the grid's step is never finer than this.
        let slack = 1e-6 * (dx.abs() + dz.abs());
        b.iter()
            .all(|r| dz * (r[0] - p[0]) - dx * (r[2] - p[2]) <= slack)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::tests::{plus_of_four_squares, two_squares_and_an_island};

    fn stacked(levels: &[f64]) -> Surface {
        let mut all = Surface::default();
        for &level in levels {
            let one = two_squares_and_an_island();
            let first = all.vertices.len() as u32;
            all.vertices
                .extend(one.vertices.iter().map(|&[x, _, z]| [x, level, z]));
            all.polygons.extend(one.polygons.into_iter().map(|mut p| {
                p.corners.iter_mut().for_each(|c| *c += first);
                p
            }));
        }
        all
    }

    #[test]
    fn neighbours_and_steps_share_a_sheet() {
        assert_eq!(storeys(&two_squares_and_an_island()).len(), 1);
        assert_eq!(storeys(&plus_of_four_squares()).len(), 1);
        assert!(storeys(&Surface::default()).is_empty());
    }

    #[test]
    fn floors_above_each_other_come_on_sheets_of_their_own_lowest_first() {
        let found = storeys(&stacked(&[3.0, 0.0, 6.0, 9.0]));
        let lows: Vec<f64> = found.iter().map(|s| s.low).collect();
        assert_eq!(lows, [0.0, 3.0, 6.0, 9.0]);
        assert!(found.iter().all(|s| s.polygons.len() == 3));
    }
}
