//! Agents, and what walking costs them.

use std::collections::BTreeMap;

use navbake_level::Agent;
use serde::{Deserialize, Serialize};

/// A kind of unit, as the config names it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AgentConfig {
    /// The name that queries use.
    pub name: String,
    /// Radius, m; by default 0.6, and 0 for grid maps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Height, m.
    pub height: f64,
    /// The highest step, m.
    pub climb: f64,
    /// The steepest ground, degrees.
    pub slope: f64,
    /// The deepest drop it takes from a ledge, m.
    pub drop: f64,
    /// The widest gap it jumps over, m.
    pub jump: f64,
    /// What a metre up costs it beside what the ground costs, in metres of plain ground.
    #[serde(skip_serializing_if = "is_nothing")]
    pub uphill: f64,
    /// What a metre down costs it so.
    #[serde(skip_serializing_if = "is_nothing")]
    pub downhill: f64,
}

fn is_nothing(cost: &f64) -> bool {
    *cost == 0.0
}

impl Default for AgentConfig {
    fn default() -> Self {
        let agent = Agent::default();
        AgentConfig {
            name: agent.name,
            radius: None,
            height: agent.height,
            climb: agent.climb,
            slope: agent.slope,
            drop: agent.drop,
            jump: agent.jump,
            uphill: 0.0,
            downhill: 0.0,
        }
    }
}

impl AgentConfig {
    pub(super) fn agent(&self) -> Agent {
        Agent {
            name: self.name.clone(),
            radius: self.radius.unwrap_or(Agent::default().radius),
            height: self.height,
            climb: self.climb,
            slope: self.slope,
            drop: self.drop,
            jump: self.jump,
        }
    }
}

/// What a metre of each area costs each agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WeightTable {
    /// Ground with this weight or more is not walked on.
    pub limit: f64,
    /// The areas that rows written as lists of numbers are about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// A row an agent; `*` is for agents without one. Areas without a weight have 1.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub units: BTreeMap<String, Row>,
    /// Rows that queries select by the name of a task. Weights that such a row does not set are
    /// those of the agent's plain row.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tasks: BTreeMap<String, BTreeMap<String, Row>>,
}

impl Default for WeightTable {
    fn default() -> Self {
        WeightTable {
            limit: 100.0,
            columns: vec![],
            units: BTreeMap::new(),
            tasks: BTreeMap::new(),
        }
    }
}

/// A row of weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "a row of weights must be a list with a number (or \"x\", blocked) for each of `columns`, or a table like { Road = 1, Mud = 2.5, Water = \"x\" }"
)]
pub enum Row {
    /// One for each of [`WeightTable::columns`].
    List(Vec<Cell>),
    /// By area.
    Table(BTreeMap<String, Cell>),
}

/// A weight as it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a weight must be a number, or \"x\" for blocked")]
pub enum Cell {
    /// A number.
    Number(f64),
    /// `x`: not walked on.
    Word(String),
}

impl Row {
    /// Its cells with their areas and how they are reached from the row: `[3]` or `.Road`.
    pub(super) fn cells<'r>(&'r self, columns: &'r [String]) -> Vec<(&'r str, &'r Cell, String)> {
        match self {
            Row::List(cells) => {
                let cells = columns.iter().zip(cells).enumerate();
                cells.map(|(i, (area, cell))| (area.as_str(), cell, format!("[{i}]"))).collect()
            }
            Row::Table(cells) => {
                let cells = cells.iter();
                cells.map(|(area, cell)| (area.as_str(), cell, format!(".{area}"))).collect()
            }
        }
    }
}

/// The row for all that have none of their own.
pub(super) const ANYONE: &str = "*";
