//! Splits a surface into storeys, by height, only where floors overlap.
//!
//! Each pair of overlapping floors asks for a cut between their heights. The height that separates
//! the most pairs is cut first, then each side again, until no storey hides a part of itself or
//! until no height helps, as with a spiral ramp whose polygons reach all around.

use crate::surface::Surface;

/// The storeys after which splitting stops.
const MOST: usize = 40;

/// The polygons of one storey and their range of heights.
#[derive(Clone, Debug)]
pub struct Storey {
    /// Indices of polygons, rising.
    pub polygons: Vec<usize>,
    /// The lowest height of its ground.
    pub low: f64,
    /// The highest.
    pub high: f64,
}

impl Storey {
    /// Whether a polygon is part of the storey.
    pub fn has(&self, polygon: usize) -> bool {
        self.polygons.binary_search(&polygon).is_ok()
    }
}

/// The heights between storeys, rising.
///
/// `pairs` holds the lower and the upper height of overlapping floors. A cut that separates no more
/// than `few` pairs is left out.
pub fn cuts(pairs: Vec<(f64, f64)>, few: usize) -> Vec<f64> {
    let mut cuts = vec![];
    let mut open = vec![pairs];
    while let Some(pairs) = open.pop() {
        if cuts.len() + 1 >= MOST {
            break;
        }
        let Some((height, _)) = best(&pairs).filter(|&(_, count)| count > few) else {
            continue;
        };
        cuts.push(height);
        let (below, rest): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|p| p.1 < height);
        open.push(rest.into_iter().filter(|p| p.0 >= height).collect());
        open.push(below);
    }
    cuts.sort_by(f64::total_cmp);
    cuts
}

/// The middle of the lowest range of heights that separates the most pairs, and their number.
fn best(pairs: &[(f64, f64)]) -> Option<(f64, usize)> {
    let mut events: Vec<(f64, i32)> = vec![];
    for &(low, high) in pairs.iter().filter(|(low, high)| low < high) {
        events.extend([(low, 1), (high, -1)]);
    }
    // At one height ends come first, so that pairs that only touch do not count as overlapping.
    events.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (mut count, mut most, mut place) = (0i32, 0, None);
    for (k, &(height, step)) in events.iter().enumerate() {
        count += step;
        if count > most {
            most = count;
            let end = events.get(k + 1).map_or(height, |e| e.0);
            // A cut belongs to the storey above it, so it is above the lower of the pair.
            place = Some((height + (end - height) / 2.0).max(height.next_up()));
        }
    }
    place.map(|height| (height, most as usize))
}

/// Splits a surface into storeys, lowest first.
pub fn storeys(surface: &Surface) -> Vec<Storey> {
    let count = surface.polygons.len();
    let heights: Vec<f64> = (0..count).map(|p| surface.height(p)).collect();
    let pairs = overlapping_pairs(surface).into_iter().map(|(a, b)| {
        let (a, b) = (heights[a], heights[b]);
        (a.min(b), a.max(b))
    });
    let cuts = cuts(pairs.collect(), 0);
    let mut storeys = vec![vec![]; cuts.len() + 1];
    for (p, &height) in heights.iter().enumerate() {
        storeys[cuts.partition_point(|&c| c <= height)].push(p);
    }
    let storey = |polygons: Vec<usize>| {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for &p in &polygons {
            for [_, y, _] in surface.triangles(p).into_iter().flatten() {
                (low, high) = (low.min(y), high.max(y));
            }
        }
        Storey { polygons, low, high }
    };
    let used = storeys.into_iter().filter(|s| !s.is_empty());
    used.map(storey).collect()
}

/// Pairs of polygons that overlap seen from above, found through a grid of buckets.
fn overlapping_pairs(surface: &Surface) -> Vec<(usize, usize)> {
    let rings: Vec<Vec<[f64; 3]>> = (0..surface.polygons.len()).map(|p| surface.ring(p)).collect();
    let boxes: Vec<Box2> = rings.iter().map(Box2::around).collect();
    let Some(whole) = boxes.iter().copied().reduce(Box2::with) else {
        return vec![];
    };
    let side = ((rings.len() as f64).sqrt().ceil() as usize).clamp(1, 512);
    let size = [0, 1].map(|k| whole.max[k] - whole.min[k]);
    let slot = |value: f64, k: usize| {
        let share = (value - whole.min[k]) / size[k].max(f64::MIN_POSITIVE);
        ((share * side as f64) as usize).min(side - 1)
    };
    let mut buckets = vec![vec![]; side * side];
    for (p, b) in boxes.iter().enumerate() {
        for row in slot(b.min[1], 1)..=slot(b.max[1], 1) {
            for column in slot(b.min[0], 0)..=slot(b.max[0], 0) {
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
    /// The box of some points; the unit square if there are none.
    pub(crate) fn around<'p>(points: impl IntoIterator<Item = &'p [f64; 3]>) -> Box2 {
        let mut b = Box2 { min: [f64::INFINITY; 2], max: [f64::NEG_INFINITY; 2] };
        for &[x, _, z] in points {
            b.min = [b.min[0].min(x), b.min[1].min(z)];
            b.max = [b.max[0].max(x), b.max[1].max(z)];
        }
        if b.min[0] <= b.max[0] { b } else { Box2 { min: [0.0; 2], max: [1.0; 2] } }
    }

    fn with(self, other: Box2) -> Box2 {
        Box2 {
            min: [0, 1].map(|k| self.min[k].min(other.min[k])),
            max: [0, 1].map(|k| self.max[k].max(other.max[k])),
        }
    }

    fn meets(&self, other: &Box2) -> bool {
        (0..2).all(|k| self.min[k] < other.max[k] && other.min[k] < self.max[k])
    }
}

/// Whether two convex rings overlap: by separating axes, no edge has the other ring outside of it.
fn overlap(a: &[[f64; 3]], b: &[[f64; 3]]) -> bool {
    !separates(a, b) && !separates(b, a)
}

fn separates(a: &[[f64; 3]], b: &[[f64; 3]]) -> bool {
    (0..a.len()).any(|k| {
        let (p, q) = (a[k], a[(k + 1) % a.len()]);
        let (dx, dz) = (q[0] - p[0], q[2] - p[2]);
        // Rounding must not make neighbours overlap; the grid's step is never finer than this.
        let slack = 1e-6 * (dx.abs() + dz.abs());
        b.iter().all(|r| dz * (r[0] - p[0]) - dx * (r[2] - p[2]) <= slack)
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
            all.vertices.extend(one.vertices.iter().map(|&[x, _, z]| [x, level, z]));
            all.polygons.extend(one.polygons.into_iter().map(|mut p| {
                p.corners.iter_mut().for_each(|c| *c += first);
                p
            }));
        }
        all
    }

    #[test]
    fn neighbours_and_steps_share_a_storey() {
        assert_eq!(storeys(&two_squares_and_an_island()).len(), 1);
        assert_eq!(storeys(&plus_of_four_squares()).len(), 1);
        assert!(storeys(&Surface::default()).is_empty());
    }

    #[test]
    fn overlapping_floors_get_storeys_of_their_own_lowest_first() {
        let found = storeys(&stacked(&[3.0, 0.0, 6.0, 9.0]));
        let lows: Vec<f64> = found.iter().map(|s| s.low).collect();
        assert_eq!(lows, [0.0, 3.0, 6.0, 9.0]);
        assert!(found.iter().all(|s| s.polygons.len() == 3));
    }

    #[test]
    fn a_cut_is_between_the_floors_it_separates() {
        assert_eq!(best(&[(0.0, 3.0), (0.0, 4.0)]), Some((1.5, 2)));
        assert_eq!(best(&[(0.0, 3.0), (3.0, 6.0)]), Some((1.5, 1)));
        assert_eq!(best(&[(1.0, 1.0)]), None);
        assert_eq!(best(&[]), None);
        assert_eq!(cuts(vec![(0.0, 3.0), (0.0, 4.0)], 2), [0.0; 0]);
    }
}
