//! A polygon that a query reached.

use navbake_format::PolyId;

/// A polygon that a query reached.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reached {
    pub(crate) polygon: u32,
    /// The polygon it was entered from; itself for the first.
    pub(crate) from: u32,
    /// Its index in the open list; once settled, its settling number and [`DONE`].
    pub(crate) place: u32,
    /// Where it was entered, grid units.
    pub(crate) entry: [f64; 2],
    /// The sort key, least first; metres at the end.
    pub(crate) distance: f64,
}

/// In [`Reached::place`]: settled.
pub(crate) const DONE: u32 = 1 << 31;

impl Reached {
    pub(crate) const NONE: Reached =
        Reached { polygon: 0, from: 0, place: 0, entry: [0.0; 2], distance: 0.0 };

    /// The polygon.
    #[inline]
    pub fn polygon(&self) -> PolyId {
        PolyId(self.polygon)
    }

    /// The polygon from which it was entered, over a portal; `None` for the first.
    #[inline]
    pub fn from(&self) -> Option<PolyId> {
        (self.from != self.polygon).then_some(PolyId(self.from))
    }

    /// Path length to where it was entered, m.
    ///
    /// The path crosses each portal at its nearest point, so it may be longer than the shortest
    /// path.
    #[inline]
    pub fn distance(&self) -> f64 {
        self.distance
    }

    /// When it was settled.
    #[inline]
    pub(crate) fn turn(&self) -> u32 {
        self.place
    }

    #[inline]
    pub(crate) fn entry(&self) -> [f64; 2] {
        self.entry
    }

    #[inline]
    pub(crate) fn scale(&mut self, by: f64) {
        self.distance *= by;
    }
}
