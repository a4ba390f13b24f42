//! Prunes segments that change no border.
//!
//! Half of all segments are found twice (a wall's foot and the ledge of the floor there) or are
//! only as long as a wall leans. A segment is dropped if longer ones cover it so closely that the
//! border moves by no more than [`SHARE`] of the radius. Both sides of a seam between tiles drop
//! the same ones: only short segments may be dropped for being *near* others, so everything that
//! decides is within a few of their lengths, and the margin around a tile includes it
//! (`measures.rs`).

use crate::exact::math::V2;
use crate::exact::measures::SHORT;
use crate::exact::segment::Segment;

/// How near a segment must be to others to be covered, as a share of the radius.
const SHARE: f64 = 1.0 / 200.0;
/// Segments on the same line differ by less, in grid units.
const SAME: f64 = 1e-3;
/// Bins along a side.
const BINS: usize = 64;

/// How segments are pruned out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prune {
    near: f64,
    short: f64,
    /// Segments whose heights differ by more bound different ground.
    rise: f64,
}

impl Prune {
    pub(crate) fn new(radius: f64, climb: f64) -> Prune {
        Prune { near: radius * SHARE, short: radius * SHORT, rise: climb / 4.0 + 1.0 }
    }

    /// The length up to which a segment may be dropped for being near others.
    pub(crate) fn short(&self) -> f64 {
        self.short
    }

    /// May a segment be dropped for being near others?
    pub(crate) fn is_short(&self, segment: &Segment) -> bool {
        square(segment) <= self.short * self.short
    }

    /// Nothing kept yet, of segments about these places.
    pub(crate) fn begin(&self, places: impl Iterator<Item = V2>) -> Pruned {
        Pruned { prune: *self, kept: Kept::new(places, self.near) }
    }

    /// Does a segment cover a place of a short one?
    fn is_near(&self, other: &Segment, p: V2, height: f64) -> bool {
        let (far, at) = other.apart(p);
        far <= self.near * self.near && (at - height).abs() <= self.rise
    }

    fn is_covered(&self, segment: &Segment, square: f64, kept: &Kept) -> bool {
        let ends = [(segment.a, segment.heights[0]), (segment.b, segment.heights[1])];
        let short = square <= self.short * self.short;
        let near = if short { self.near } else { SAME };
        let covers = |other: &Segment, end: usize| {
            let (far, height) = other.apart(ends[end].0);
            far <= near * near && (height - ends[end].1).abs() <= self.rise
        };
        // A convex shape covers a segment if it covers both ends. A short segment may be between
        // two much longer ones, whose capsules leave next to nothing free between them.
        let mut covered = [false; 2];
        for other in kept.at(ends[0].0) {
            if covers(other, 0) {
                covered[0] |= short && self::square(other) >= 4.0 * square;
                if covers(other, 1) {
                    return true;
                }
            }
        }
        covered[0]
            && kept
                .at(ends[1].0)
                .any(|other| self::square(other) >= 4.0 * square && covers(other, 1))
    }
}

/// The segments to keep. They are found in batches, none of a batch longer than those before it.
pub(crate) struct Pruned {
    prune: Prune,
    kept: Kept,
}

impl Pruned {
    /// Takes those of a batch that are needed, the longest first; in an order that is their own.
    pub(crate) fn take(&mut self, segments: impl Iterator<Item = Segment>) {
        let mut ranked: Vec<(f64, Segment)> = segments.map(|s| (square(&s), s.upwards())).collect();
        let key = |s: &Segment| [s.a[0], s.a[1], s.b[0], s.b[1], s.heights[0], s.heights[1]];
        ranked.sort_unstable_by(|(p, s), (q, t)| {
            q.total_cmp(p).then_with(|| {
                let both = key(s).into_iter().zip(key(t));
                both.map(|(a, b)| a.total_cmp(&b))
                    .find(|o| o.is_ne())
                    .unwrap_or(std::cmp::Ordering::Equal)
            })
        });
        for (square, segment) in ranked {
            if !self.prune.is_covered(&segment, square, &self.kept) {
                self.kept.add(segment);
            }
        }
    }

    /// Is a short segment, and any part of it, covered by one that is kept?
    pub(crate) fn covers(&self, short: &Segment) -> bool {
        let covers = |other: &Segment, p: V2, height: f64| self.prune.is_near(other, p, height);
        (self.kept.at(short.a)).any(|other| {
            covers(other, short.a, short.heights[0]) && covers(other, short.b, short.heights[1])
        })
    }

    /// The segments that are needed.
    pub(crate) fn into_segments(self) -> Vec<Segment> {
        self.kept.segments
    }
}

/// The segments kept up to now, by place.
struct Kept {
    segments: Vec<Segment>,
    corner: V2,
    scale: V2,
    /// How far around a segment it is listed.
    near: f64,
    /// First entry of each bin, plus one.
    bins: Vec<u32>,
    /// Segment and next entry, plus one.
    entries: Vec<(u32, u32)>,
}

impl Kept {
    fn new(places: impl Iterator<Item = V2>, near: f64) -> Kept {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for p in places {
            for axis in 0..2 {
                low[axis] = low[axis].min(p[axis]);
                high[axis] = high[axis].max(p[axis]);
            }
        }
        Kept {
            segments: vec![],
            corner: low,
            scale: [0, 1].map(|axis| BINS as f64 / (high[axis] - low[axis]).max(1.0)),
            near,
            bins: vec![0; BINS * BINS],
            entries: vec![],
        }
    }

    fn bin(&self, axis: usize, v: f64) -> usize {
        (((v - self.corner[axis]) * self.scale[axis]) as usize).min(BINS - 1)
    }

    fn add(&mut self, segment: Segment) {
        let index = self.segments.len() as u32;
        let (a, b) = (segment.a, segment.b);
        self.segments.push(segment);
        let rows = |v: f64| self.bin(1, v);
        let (low, high) = (a[1].min(b[1]) - self.near, a[1].max(b[1]) + self.near);
        let (r0, r1) = (rows(low), rows(high));
        // X per Y along the segment; ends are taken where it is level.
        let slope = (b[0] - a[0]) / (b[1] - a[1]);
        for row in r0..=r1 {
            let (mut x0, mut x1) = (a[0], b[0]);
            if r1 > r0 + 1 && slope.is_finite() {
                let at = |k: usize, by: f64| {
                    let y = self.corner[1] + k as f64 / self.scale[1] + by;
                    a[0] + (y - a[1]) * slope
                };
                let (p, q) = (at(row, -self.near), at(row + 1, self.near));
                x0 = p.min(q).max(a[0]);
                x1 = p.max(q).min(b[0]);
            }
            let (c0, c1) = (self.bin(0, x0 - self.near), self.bin(0, x1 + self.near));
            for column in c0..=c1 {
                let bin = &mut self.bins[row * BINS + column];
                self.entries.push((index, *bin));
                *bin = self.entries.len() as u32;
            }
        }
    }

    /// The segments that may be near a place.
    fn at(&self, p: V2) -> impl Iterator<Item = &Segment> {
        let mut entry = self.bins[self.bin(1, p[1]) * BINS + self.bin(0, p[0])];
        std::iter::from_fn(move || {
            let (segment, next) = *self.entries.get((entry as usize).checked_sub(1)?)?;
            entry = next;
            Some(&self.segments[segment as usize])
        })
    }
}

/// The length squared.
fn square(s: &Segment) -> f64 {
    let (x, y) = (s.b[0] - s.a[0], s.b[1] - s.a[1]);
    x * x + y * y
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(a: V2, b: V2, height: f64) -> Segment {
        Segment { a, b, heights: [height; 2] }
    }

    #[test]
    fn what_longer_segments_cover_is_left_out_whatever_the_order() {
        let long = segment([0.0, 0.0], [1000.0, 0.0], 0.0);
        let all = [
            long,
            // The same from the other side, a part of it, a short one beside it, a link between
            // two.
            segment([1000.0, 0.0], [0.0, 0.0], 0.0),
            segment([100.0, 0.0], [700.0, 0.0], 0.0),
            segment([500.0, 2.0], [510.0, 2.0], 10.0),
            segment([1000.0, 0.0], [1010.0, 10.0], 0.0),
            segment([1010.0, 10.0], [1010.0, 900.0], 0.0),
            // Another layer, too far away, too long to be only near.
            segment([100.0, 0.0], [700.0, 0.0], 3000.0),
            segment([500.0, 9.0], [510.0, 9.0], 0.0),
            segment([100.0, 1.0], [600.0, 1.0], 0.0),
        ];
        let wanted = [0, 5, 6, 8, 7].map(|k| all[k]);
        let prune = Prune::new(600.0, 900.0);
        for turn in 0..all.len() {
            let mut turned = all;
            turned.rotate_left(turn);
            let mut pruned = prune.begin(turned.iter().flat_map(|s| [s.a, s.b]));
            pruned.take(turned.iter().copied());
            assert_eq!(pruned.into_segments(), wanted);
        }
    }
}
