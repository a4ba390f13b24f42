//! What a metre of each kind of ground costs whom.

/// The table of weights, resolved: nothing in it has to be looked up by name any more.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights {
    /// Rows by agent, for each agent the plain row first and then its tasks by name. Empty when
    /// every weight is 1, and heights cost nothing.
    pub rows: Vec<WeightRow>,
}

/// What a metre costs one agent at one task.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightRow {
    /// The task that a query names; empty for the row that holds when it names none.
    pub name: String,
    /// The agent, by its place in the list of agents.
    pub agent: u16,
    /// One for each of the level's areas: what a metre of it costs, in metres of plain ground;
    /// `None` where the agent does not walk.
    pub by_area: Vec<Option<f64>>,
    /// What a metre up costs beside that, in metres of plain ground.
    pub uphill: f64,
    /// What a metre down costs beside that.
    pub downhill: f64,
}

/// Weights lie between these: sums of lengths times weights stay far from the ends of `f64`.
pub const WEIGHT_RANGE: [f64; 2] = [1.0 / 1_048_576.0, 1_048_576.0];
