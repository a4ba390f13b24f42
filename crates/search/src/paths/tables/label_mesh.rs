//! A mesh with labels, and lengths in their units.

use navbake_format::Labels;
use navbake_navmesh::record::Records;
use navbake_navmesh::{Corner, PolyMesh};

/// A mesh with labels, and the corners that they belong to.
#[derive(Clone, Copy)]
pub(super) struct LabelMesh<'m> {
    pub(super) labels: &'m Labels<'m>,
    pub(super) corners: Records<'m, Corner>,
    pub(super) polys: &'m PolyMesh<'m>,
}

/// A path by labels: its length, grid units, and its number of corners.
/// The corners are in the chain.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Way {
    pub(in super::super) length: f64,
    pub(in super::super) count: usize,
}

/// A length in label units, rounded to the nearest; `None` where it is too long.
pub(super) fn fixed(length: f64, scale: f64) -> Option<u32> {
    whole(length * scale)
}

/// Rounds a length that is in label units already.
pub(super) fn whole(scaled: f64) -> Option<u32> {
    let rounded = scaled + 0.5;
    (rounded < f64::from(1u32 << 30)).then_some(rounded as u32)
}
