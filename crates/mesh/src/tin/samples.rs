//! The places that triangles are to meet: which triangle holds them, and which come first.

use std::cmp::Reverse;

use navbake_geom::Point;

/// Where the ground is likely to bend, a point is of more use than elsewhere, even if it is off by
/// this share of the limit only: with the corners of the ground's triangles, their edges come by
/// themselves more often than not.
const SHARE: f64 = 0.02;

/// A place and the ground there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sample {
    /// In steps.
    pub(crate) place: Point,
    /// In steps, as exactly as it is known.
    pub(crate) height: f64,
    /// Is the ground likely to bend there? Other places are looked at once those are met.
    pub(crate) likely: bool,
    /// Else the height is asked for before the place becomes a point.
    pub(crate) known: bool,
}

impl Sample {
    /// The height as it is stored, in whole steps.
    pub(super) fn stored_height(&self) -> f64 {
        self.height.round()
    }
}

/// No sample.
pub(super) const NONE: u32 = u32::MAX;

/// The samples in each triangle, linked: they move from one triangle to another all the time.
#[derive(Default)]
pub(super) struct Lists {
    /// First and last sample of each triangle.
    pub(super) ends: Vec<[u32; 2]>,
    /// The sample after each.
    pub(super) after: Vec<u32>,
}

impl Lists {
    pub(super) fn push(&mut self, t: u32, sample: u32) {
        append(&mut self.ends[t as usize], &mut self.after, sample);
    }
}

/// Puts a sample behind the last one of a list.
#[inline]
pub(super) fn append(ends: &mut [u32; 2], after: &mut [u32], sample: u32) {
    after[sample as usize] = NONE;
    match ends[1] {
        NONE => ends[0] = sample,
        last => after[last as usize] = sample,
    }
    ends[1] = sample;
}

/// Is a sample a likely one, how far is it off, its number: what comes first.
pub(super) type Key = (bool, u64, Reverse<u32>);

/// The samples of a triangle that are farthest off, and how far: of all, and of the likely ones.
#[derive(Clone, Copy, Default)]
pub(super) struct Worst {
    of: [(f64, u32); 2],
}

impl Worst {
    #[inline]
    pub(super) fn take(&mut self, off: f64, sample: u32, likely: bool) {
        if off > self.of[0].0 {
            self.of[0] = (off, sample);
        }
        if likely && off > self.of[1].0 {
            self.of[1] = (off, sample);
        }
    }

    /// What comes next in the triangle, if it has to be met.
    pub(super) fn key(&self, limit: f64) -> Option<Key> {
        let [(off, any), (less, likely)] = self.of;
        let is_likely = less > SHARE * limit;
        let sample = if is_likely { likely } else { any };
        (off > limit).then_some((is_likely, (off * 65_536.0) as u64, Reverse(sample)))
    }
}
