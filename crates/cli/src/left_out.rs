//! What a vehicle's planner leaves out of a blob: it does not bound its paths then.

use navbake_search::{NavMesh, QueryFilter};

/// What bears on paths, is in the blob, and is not honoured: the cost of height, and links that
/// begin or end on no free tile.
pub(crate) fn left_out(
    mesh: &NavMesh<'_>,
    filter: &QueryFilter,
    has_lost_links: bool,
) -> Vec<&'static str> {
    let [[_, low, _], [_, high, _]] = mesh.bounds();
    let slopes = filter.slopes() != [0.0; 2] && low < high;
    let all = [(slopes, "slopes"), (has_lost_links, "links")];
    all.into_iter().filter(|(is_left_out, _)| *is_left_out).map(|(_, name)| name).collect()
}

/// The end of a line about a path: what was left out.
pub(crate) fn text(left_out: &[&str]) -> String {
    match left_out {
        [] => String::new(),
        some => format!(", not proved the cheapest: this planner ignores {}", some.join(", ")),
    }
}
