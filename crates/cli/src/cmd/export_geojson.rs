//! `navbake export --to geojson`: a route network as Nav2's route server loads it.
//!
//! The shape is that of `nav2_route`'s GeoJSON loader: points are nodes with `id` and `frame`,
//! lines are edges with `id`, `startid`, `endid` and `cost`. Ids are those of no other feature.

use navbake_format::{CheckedBlob, NetworkView};
use navbake_gridpath::{Network, NetworkStep};
use navbake_search::{NavMesh, NavQuery};
use serde::Serialize;
use serde_json::{Value, json};

use crate::blob_file::AgentMesh;
use crate::closed::Closed;
use crate::failure::Failure;

/// What an export for Nav2 has of its own.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct GeoJsonCounts {
    /// Points of the network, and ends of links.
    pub(super) nodes: u32,
    /// Edges in one direction.
    pub(super) edges: usize,
}

/// The least cost of an edge: Nav2 takes 0 for none.
const LEAST_COST: f64 = 0.001;

/// The network for an agent, with its weights, links and the doors that are open as baked.
///
/// # Errors
/// If the network has no edge that the agent can take: Nav2 refuses such a file.
pub(super) fn write(
    blob: &CheckedBlob<'_>,
    agent: &AgentMesh,
    view: &NetworkView<'_>,
    name: &str,
) -> Result<(String, GeoJsonCounts), Failure> {
    let filter = Closed::default().filter(blob, agent, None, name)?;
    let mesh = agent.mesh();
    let query = NavQuery::new(mesh).with_filter(&filter);
    let network = Network::new(view, &query);
    let (nodes, edges) = (network.point_count(), network.edge_count());
    if edges == 0 {
        return Err(Failure::usage(format_args!(
            "{name}: no edge of the network `{}` is open to the agent, and Nav2 loads no graph without edges; see `navbake query path --planner network`",
            view.name
        )));
    }
    let mut lines = vec![];
    for number in 0..nodes {
        let geometry = json!({ "type": "Point", "coordinates": ros(&network, number) });
        lines.push(feature(&json!({ "id": number + 1, "frame": "map" }), &geometry));
    }
    let mut id = nodes;
    for from in 0..nodes {
        for step in network.steps(from) {
            id += 1;
            let [a, b] = [from, step.to].map(|number| ros(&network, number));
            let properties = json!({
                "id": id,
                "startid": from + 1,
                "endid": step.to + 1,
                "cost": step.cost.max(LEAST_COST),
                "metadata": metadata(&step, [a, b], &mesh),
            });
            let geometry = json!({ "type": "MultiLineString", "coordinates": [[a, b]] });
            lines.push(feature(&properties, &geometry));
        }
    }
    // Metres: without a system GIS programs take coordinates for degrees.
    let system = json!({ "type": "name", "properties": { "name": "urn:ogc:def:crs:EPSG::3857" } });
    let text = format!(
        "{{\n\"type\": \"FeatureCollection\",\n\"name\": {},\n\"crs\": {system},\n\"features\": [\n{}\n]\n}}\n",
        json!(view.name),
        lines.join(",\n")
    );
    Ok((text, GeoJsonCounts { nodes, edges }))
}

fn feature(properties: &Value, geometry: &Value) -> String {
    json!({ "type": "Feature", "properties": properties, "geometry": geometry }).to_string()
}

/// A point in the axes of ROS: x, y on the plan, z up, m.
fn ros(network: &Network, number: u32) -> [f64; 3] {
    let [x, y, z] = network.point(number).unwrap_or_default();
    [x, 0.0 - z, y]
}

/// What edge scorers of Nav2 read: `penalty` is what the edge costs beside the straight line on the
/// plan. Links are named.
fn metadata(step: &NetworkStep, [a, b]: [[f64; 3]; 2], mesh: &NavMesh<'_>) -> Value {
    let [x, y] = [b[0] - a[0], b[1] - a[1]];
    let straight = (x * x + y * y).sqrt();
    let mut all = json!({ "penalty": (step.cost - straight).max(0.0) });
    if let Some(link) = step.link.and_then(|number| mesh.link(number)) {
        all["link"] = json!(link.name);
    }
    all
}
