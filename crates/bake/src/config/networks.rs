//! Route networks of the config.

use navbake_format::NetworkKind;
use serde::{Deserialize, Serialize};

use super::links::End;

/// A network of points, for searches over points.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkConfig {
    /// What queries call it.
    pub name: String,
    /// How its points are found.
    #[serde(default, with = "KindName")]
    pub kind: NetworkKind,
    /// Agents whose meshes it is made for; all by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agents: Option<Vec<String>>,
    /// Points in a row, each joined to the next in both directions; a name with `*` or `?` is all
    /// markers that match it, in the order of their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chains: Vec<Vec<End>>,
    /// Further edges.
    #[serde(default, rename = "edge", skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<NetworkEdgeConfig>,
    /// Side of a square of the kind `grid`, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<f64>,
    /// Whether squares of the kind `grid` are joined to eight neighbours, not four.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagonals: Option<bool>,
    /// Which points of a leaf of the kind `quadtree` are points of the network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route_points: Option<RoutePoints>,
    /// The widest leaf of the kind `quadtree`, in cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_leaf: Option<u32>,
    /// Starts and goals are joined to this many of the nearest points that they see; 0 for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joined: Option<u32>,
}

impl NetworkConfig {
    /// To how many points starts and goals are joined: 8, and all of those in sight where paths
    /// turn at corners.
    pub(crate) fn joined(&self) -> u32 {
        self.joined.unwrap_or(if self.kind == NetworkKind::Visibility { 0 } else { 8 })
    }

    /// The keys that are given and that only another kind has.
    pub(super) fn misplaced(&self) -> Option<(&'static str, NetworkKind)> {
        let given = [
            ("chains", !self.chains.is_empty(), NetworkKind::Waypoints),
            ("edge", !self.edges.is_empty(), NetworkKind::Waypoints),
            ("cell", self.cell.is_some(), NetworkKind::Grid),
            ("diagonals", self.diagonals.is_some(), NetworkKind::Grid),
            ("route_points", self.route_points.is_some(), NetworkKind::Quadtree),
            ("max_leaf", self.max_leaf.is_some(), NetworkKind::Quadtree),
        ];
        let other = given.into_iter().find(|(_, is_given, of)| *is_given && *of != self.kind);
        other.map(|(key, _, of)| (key, of))
    }
}

/// An edge of a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkEdgeConfig {
    /// Where it begins.
    pub from: End,
    /// Where it ends.
    pub to: End,
    /// Its cost is that of the ground times this.
    #[serde(default = "one")]
    pub factor: f64,
    /// It does not lead back.
    #[serde(default)]
    pub one_way: bool,
}

fn one() -> f64 {
    1.0
}

/// Points of a leaf.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RoutePoints {
    /// Its middle.
    #[default]
    Centres,
    /// Its corners, and those of neighbours on its sides.
    Corners,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "NetworkKind", rename_all = "lowercase")]
enum KindName {
    Waypoints,
    Quadtree,
    Visibility,
    Grid,
}
