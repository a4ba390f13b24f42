//! What a search needs to know of a space: steps, estimates and goals.
//!
//! A space numbers its states. A state is a place, or a place and the direction it was entered in.
//! The search in `search.rs` knows nothing else, so a further kind of grid is one more
//! implementation of [`Space`].

use crate::scratch::GridNode;

/// A step out of a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// The state that it leads to.
    pub(crate) to: u32,
    /// Its cost.
    pub(crate) cost: u64,
    /// Its direction, for the node that it makes.
    pub(crate) direction: u8,
}

/// Numbered states, steps between them, and the goals of a search.
pub(crate) trait Space {
    /// Calls `each` with every step out of the state of a node.
    fn each_step(&self, node: &GridNode, each: impl FnMut(Step));

    /// The estimate of the cost from a state to the nearest goal.
    fn estimate(&self, state: u32) -> u64;

    /// Is it a goal?
    fn is_goal(&self, state: u32) -> bool;

    /// Parts of runs that its steps looked along since it was made.
    fn looked(&self) -> u32 {
        0
    }
}
