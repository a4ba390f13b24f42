//! What a planner beside the navmesh leaves out of a blob: it neither certifies its paths then nor
//! bounds them.

use navbake_format::CheckedBlob;
use navbake_search::{NavMesh, PolyId, QueryFilter};

/// What bears on paths, is in the blob, and is not honoured by a planner over cells or tiles.
///
/// `bit` is the agent's in the masks of links, `cost` the cost of a metre that the planner charges
/// at a point, y-up metres. Costs one pass over polygons and links.
pub(crate) fn left_out(
    blob: &CheckedBlob<'_>,
    mesh: &NavMesh<'_>,
    filter: &QueryFilter,
    bit: u32,
    cost: impl Fn([f64; 3]) -> f64,
) -> Vec<&'static str> {
    let middle = |p: PolyId| {
        let polygon = mesh.polygon(p);
        let corners =
            (0..polygon.len()).map(|k| mesh.grid().metres(polygon.point(k).map(f64::from)));
        let sum = corners.fold([0.0; 3], |sum: [f64; 3], c| [0, 1, 2].map(|k| sum[k] + c[k]));
        sum.map(|s| s / f64::from(polygon.len().max(1)))
    };
    let mut polygons = (0..mesh.polygon_count()).map(PolyId);
    let weights = polygons.any(|p| filter.area_cost(mesh.area(p)) != cost(middle(p)));
    let [[_, low, _], [_, high, _]] = mesh.bounds();
    let slopes = filter.slopes() != [0.0; 2] && low < high;
    let links = (0..mesh.link_count()).any(|number| {
        mesh.link(number).is_some_and(|link| link.agents & bit != 0)
            && !filter.is_link_blocked(number)
    });
    let doors = blob.switches().any(|switch| switch.closed);
    let all = [(weights, "weights"), (slopes, "slopes"), (links, "links"), (doors, "closed-doors")];
    all.into_iter().filter(|(is_left_out, _)| *is_left_out).map(|(_, name)| name).collect()
}

/// The end of a line about a path: what was left out.
pub(crate) fn text(left_out: &[&str]) -> String {
    match left_out {
        [] => String::new(),
        some => format!(", not proved the cheapest: this planner ignores {}", some.join(", ")),
    }
}
