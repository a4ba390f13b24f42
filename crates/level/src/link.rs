//! Ways that do not lead over ground.

pub use navbake_grid::LinkKind;

/// A way from one place to another that does not lead over ground. It leads one way; a way back is
/// a link of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Its name, perhaps empty.
    pub name: String,
    /// Where it begins, y-up metres; near ground, not yet on it.
    pub from: [f64; 3],
    /// Where it ends.
    pub to: [f64; 3],
    /// What it costs, in metres of walking; its length in space when nobody said.
    pub cost: f64,
    /// Clear width, m; 0 when it is not known.
    pub width: f64,
    /// What one does on it.
    pub kind: LinkKind,
    /// Who may take it: one bit an agent, in the order of the agents.
    pub agents: u32,
    /// The switch that closes it, an index into the level's switches.
    pub switch: Option<u16>,
    /// 32 bits of the author's own.
    pub tags: u32,
}
