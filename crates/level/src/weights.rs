//! The costs of a metre of each kind of ground, by agent and task.

/// The table of weights, with all names resolved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights {
    /// Rows by agent; for each agent the default row first, then its tasks by name.
    ///
    /// Empty if every weight is 1 and heights cost nothing.
    pub rows: Vec<WeightRow>,
}

/// The costs of a metre for one agent and one task.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightRow {
    /// The name of the task in queries; empty for the default row, without a task.
    pub name: String,
    /// The agent, as an index into the list of agents.
    pub agent: u16,
    /// For each of the level's areas the cost of a metre, in metres of plain ground.
    ///
    /// `None` if the area is blocked for the agent.
    pub by_area: Vec<Option<f64>>,
    /// The extra cost of a metre up, in metres of plain ground.
    pub uphill: f64,
    /// The extra cost of a metre down, in metres of plain ground.
    pub downhill: f64,
}

/// Range of weights.
///
/// Within it sums of lengths times weights stay far from the limits of `f64`.
pub const WEIGHT_RANGE: [f64; 2] = [1.0 / 1_048_576.0, 1_048_576.0];
