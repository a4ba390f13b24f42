//! Finds oddities of a level and its navmesh during the bake, for reports.
//!
//! [`scene`] checks the triangles as read. [`level`] checks the triangles on the grid: `edges`
//! (cracks, T-junctions, edges of many triangles), `columns` (floors too close above each other,
//! head room) and `slopes`. [`ledges()`] checks the finished navmesh. The baker writes the
//! [`Diagnostic`]s into separate sections, which games do not read, so that a file can be checked
//! without its level.
#![forbid(unsafe_code)]

mod columns;
mod diagnostic;
mod edges;
mod ground;
mod ledges;
mod scene;
mod slopes;
mod spans;
mod units;

use navbake_format::DiagnosticKind;
use navbake_level::{Agent, Level};

use ground::ground;

pub use diagnostic::{Diagnostic, greatest};
pub use edges::EarlierEdges;
pub use ledges::ledges;
pub use scene::scene;
pub use units::units;

/// Limits of what is reported about a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Ground too steep by at most this is reported, degrees.
    pub slope_margin: f64,
    /// Ground whose head room is short by at most this is reported, m.
    pub height_margin: f64,
    /// Borders over a deeper drop than this are reported, m.
    ///
    /// `None` turns the search off.
    pub ledge_drop: Option<f64>,
    /// Are the navmesh's borders at least an agent's radius from the walls?
    pub is_inset: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { slope_margin: 2.0, height_margin: 0.1, ledge_drop: None, is_inset: true }
    }
}

/// The kinds that exist for grid maps, which have no triangles.
pub const KINDS_OF_MAPS: [DiagnosticKind; 4] = [
    DiagnosticKind::SmallIsland,
    DiagnosticKind::UnseededIsland,
    DiagnosticKind::LinkOffMesh,
    DiagnosticKind::SeedOffMesh,
];

/// Checks a level, and returns the kinds that are searched for in it and in its navmesh.
///
/// `agents` are those of each class. `earlier` is empty, or from an earlier level; the call
/// replaces it by the edges of this one.
pub fn level(
    level: &Level,
    agents: &[&Agent],
    settings: &Settings,
    earlier: &mut EarlierEdges,
) -> (Vec<DiagnosticKind>, Vec<Diagnostic>) {
    let (((edges, is_whole), columns), slopes) = rayon::join(
        || {
            rayon::join(
                || edges::edges(level, &ground(level, agents), earlier),
                || columns::columns(level, agents, settings.height_margin),
            )
        },
        || slopes::slopes(level, agents, settings.slope_margin),
    );
    let mut kinds = DiagnosticKind::ALL.to_vec();
    if columns.is_none() {
        let by_columns = [DiagnosticKind::OverlappingGround, DiagnosticKind::HeadRoomMargin];
        kinds.retain(|kind| !by_columns.contains(kind));
    }
    if !is_whole {
        let by_pairs = [DiagnosticKind::TJunction, DiagnosticKind::Crack];
        kinds.retain(|kind| !by_pairs.contains(kind));
    }
    if settings.ledge_drop.is_none() {
        kinds.retain(|kind| *kind != DiagnosticKind::Ledge);
    }
    (kinds, [edges, columns.unwrap_or_default(), slopes].concat())
}
