//! What every path is told by, whoever planned it.

use serde::Serialize;

use super::path::Leg;

/// The part of the JSON object of `query path` that all planners have. What a status does not have is null or empty.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Found {
    pub(super) status: &'static str,
    pub(super) length_xz: Option<f64>,
    /// Along the ground.
    pub(super) length_3d: Option<f64>,
    pub(super) cost: Option<f64>,
    /// No path costs less: shown by the search, or the straight distance.
    pub(super) bound: Option<f64>,
    /// How much more than the cheapest it may cost, as a share; null where nothing is known.
    pub(super) gap: Option<f64>,
    /// Start, corners and end; over cells the middles of those where the path begins, turns and ends.
    pub(super) points: Vec<[f64; 3]>,
    pub(super) legs: Vec<Leg>,
    /// Empty where the way leads over cells.
    pub(super) polygons: Vec<u32>,
    pub(super) expanded: u32,
    /// Of these, how many were closed at the end.
    pub(super) closed: u32,
    pub(super) max_open: u32,
    /// Time of the whole query: both ends, islands, path and points.
    pub(super) micros: f64,
    pub(super) planner: &'static str,
    pub(super) certified_optimal: bool,
}
