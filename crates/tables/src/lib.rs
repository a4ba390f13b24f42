//! Hub labels over the corners of a navmesh, computed once by the baker.
//!
//! With them the runtime finds shortest paths without a search. The label of a corner
//! lists hubs, which are corners too, and the distances to them. For any two connected corners,
//! some hub in both labels is on a shortest path between them:
//!
//! ```text
//!   label of a:  h1 4.0   h3 2.5   a 0
//!   label of b:  h1 3.0   h2 1.0   b 0
//!                 |
//!                 +-- common hub: 4.0 + 3.0 = 7.0 is the distance from a to b
//! ```
//!
//! - [`Graph`]: the taut visibility graph, built with the runtime's own visibility code
//!   ([`Corners`]).
//! - [`order`]: the order of the hubs, by rank.
//! - [`labels`]: pruned labelling, many hubs at once.
//! - [`Packed`]: labels in the form that a blob stores.
//! - [`Views`]: visibility lists of polygons, for as many polygons as there is room, and labels of
//!   grid cells in polygons.
//! - [`LookUps`]: the work of look-ups, counted.
//! - [`networks`]: route networks, for searches over points.
//! - [`Landmarks`]: distances of all vertices from a few, for searches that labels cannot replace.
//!
//! `docs/tables.md` says what is optimal, and in which sense. All results depend on the mesh alone:
//! the number of threads changes no byte.
#![forbid(unsafe_code)]

mod corners;
pub mod graph;
pub mod labels;
mod landmarks;
pub mod networks;
pub mod order;
mod packed;
mod places;
mod search;
mod sight;
mod trim;
mod views;
mod work;

pub use corners::{CornerLook, Corners};
pub use graph::{Edge, Graph};
pub use landmarks::{Landmarks, landmark_bytes};
pub use packed::{Packed, Squares};
pub use places::Places;
pub use sight::View;
pub use views::Views;
pub use work::LookUps;

use std::sync::atomic::{AtomicUsize, Ordering};

use navbake_format::PolyId;
use navbake_format::write::labels_bytes;
use navbake_search::NavMesh;

/// Estimated size of the labels of a mesh in bytes, from the number of corners of its islands.
///
/// On an island of n corners, a label has 0.5 √n to √n hubs on most maps.
pub fn predicted_bytes(mesh: &NavMesh<'_>) -> u64 {
    let corners = Corners::new(mesh);
    let mut of_islands = vec![0_u32; mesh.island_count() as usize];
    for corner in 0..corners.count() as u32 {
        let island = mesh.island(PolyId(corners.polygon(corner)));
        if let Some(count) = of_islands.get_mut(island.0 as usize) {
            *count += 1;
        }
    }
    let hubs = |&count: &u32| 0.8 * f64::from(count).powf(1.5);
    labels_bytes(corners.count() as u64, of_islands.iter().map(hubs).sum::<f64>() as u64)
}

/// Computes the labels of a mesh.
///
/// `None` where paths turn at no corner of it, and where the numbers do not fit into labels.
pub fn labels_of(mesh: &NavMesh<'_>) -> Option<Packed> {
    labels_watched(mesh, &|_| ())
}

/// The same as [`labels_of`]; `progress` gets the share that is done, 0 to 1, from any thread.
///
/// Half of it is visibility between corners, half the labels.
pub fn labels_watched(mesh: &NavMesh<'_>, progress: &(dyn Fn(f64) + Sync)) -> Option<Packed> {
    let corners = Corners::new(mesh);
    if corners.count() == 0 {
        return None;
    }
    let all = 2.0 * corners.count() as f64;
    let seen = AtomicUsize::new(0);
    let tick = || progress(seen.fetch_add(1, Ordering::Relaxed) as f64 / all);
    let graph = Graph::watched(&corners, &tick)?;
    let order = order::by_coverage(&graph, order::trees_for(graph.count()));
    let labels = labels::watched(&graph, &order, &|done| progress(0.5 + done as f64 / all));
    let [low, high] = mesh.bounds();
    let [dx, dz] = [0, 2].map(|k| f64::from(high[k]) - f64::from(low[k]));
    Packed::new(&corners, &order, &labels, (dx * dx + dz * dz).sqrt())
}
