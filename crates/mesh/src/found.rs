//! Problems of a designer's floor, counted for the report.

use navbake_geom::Point3;

/// Boxes looked at for each box, on average, before a search for pairs gives up.
pub(crate) const EFFORT: usize = 256;

/// How often something was found, and first where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) count: usize,
    /// The least place.
    pub(crate) first: Option<Point3>,
}

impl Found {
    pub(crate) fn note(&mut self, place: Point3) {
        self.count += 1;
        self.first = self.first.into_iter().chain([place]).min();
    }
}
