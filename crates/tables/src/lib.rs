//! Hub labels over the corners of a navmesh: made once, so that shortest paths need no search.
//!
//! - [`Graph`]: the taut visibility graph, looked at with the runtime's own eyes ([`Corners`]);
//! - [`order`]: which corners are hubs first;
//! - [`labels`]: pruned labelling, many hubs at once;
//! - [`Packed`]: labels as a blob holds them;
//! - [`Views`]: what is seen from each polygon, for as many of them as there is room, and labels of their squares.
//! - [`Landmarks`]: how far all vertices are from a few, for searches that labels cannot spare.
//!
//! `docs/tables.md` tells what is optimal in which sense. Everything is a function of the mesh alone: threads change no byte.
#![forbid(unsafe_code)]

pub mod graph;
pub mod labels;
mod landmarks;
pub mod order;
mod packed;
mod search;
mod trim;
mod views;

pub use graph::{Edge, Graph};
pub use landmarks::{Landmarks, landmark_bytes};
pub use packed::{Packed, Squares};
pub use views::Views;

use navbake_format::write::labels_bytes;
use navbake_search::{Corners, NavMesh};

/// How many bytes the labels of a mesh are likely to take, told from the number of its corners alone: a label has 0.5 to 1 hubs for each of the square
/// root of it on most maps.
pub fn predicted_bytes(mesh: &NavMesh<'_>) -> u64 {
    let corners = Corners::new(mesh).count() as f64;
    let hubs = corners * 0.8 * corners.sqrt();
    labels_bytes(corners as u64, hubs as u64)
}

/// The labels of a mesh. `None` where it has no corners that paths turn at, and where what there is to tell does not fit into labels.
pub fn labels_of(mesh: &NavMesh<'_>) -> Option<Packed> {
    let corners = Corners::new(mesh);
    if corners.count() == 0 {
        return None;
    }
    let graph = Graph::new(&corners)?;
    let order = order::by_coverage(&graph, order::trees_for(graph.count()));
    let labels = labels::label(&graph, &order);
    let [low, high] = mesh.bounds();
    let [dx, dz] = [0, 2].map(|k| f64::from(high[k]) - f64::from(low[k]));
    Packed::new(&corners, &order, &labels, (dx * dx + dz * dz).sqrt())
}
