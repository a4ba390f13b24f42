//! Off-mesh links.

pub use navbake_grid::LinkKind;

/// A connection between two places that does not run over ground.
///
/// It has one direction; the opposite direction is a separate link.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Its name, possibly empty.
    pub name: String,
    /// Its start, y-up metres; near ground, not yet on it.
    pub from: [f64; 3],
    /// Its end, y-up metres.
    pub to: [f64; 3],
    /// Its cost, in metres of walking; by default its length in space.
    pub cost: f64,
    /// Clear width, m; 0 if unknown.
    pub width: f64,
    /// The kind of movement on it.
    pub kind: LinkKind,
    /// The agents that can use it: one bit for each, in the order of the agents.
    pub agents: u32,
    /// The switch that blocks it, an index into the level's switches.
    pub switch: Option<u16>,
    /// 32 bits for the author's own use.
    pub tags: u32,
}
