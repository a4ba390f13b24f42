//! The sections of a blob, one concept a file: records, view, check and encoder.
//!
//! A module has, in this order: the records as they are in the file; the view, which reads them in
//! place; `check`, which validation calls; and behind the feature `write` the encoder with its
//! input type.

pub(crate) mod agents;
pub(crate) mod areas;
pub(crate) mod clusters;
pub(crate) mod doors_links;
pub(crate) mod findings;
pub(crate) mod grid_map;
pub(crate) mod labels;
pub(crate) mod landmarks;
pub(crate) mod reach;
pub(crate) mod rooms;
pub(crate) mod sources;
pub(crate) mod switches;
pub(crate) mod tile_grounds;
pub(crate) mod vehicles;
