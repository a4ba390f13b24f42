//! The planners that support a blob, and their options.

use navbake_format::CheckedBlob;
use navbake_gridpath::GridPlanner;
use navbake_search::{AStar, Algorithm, Heuristic};
use serde::Serialize;

/// A planner that supports a blob.
#[derive(Debug, Serialize)]
pub(super) struct Supported {
    name: &'static str,
    /// Its heuristics; empty if it computes its own bounds.
    heuristics: Vec<&'static str>,
    /// Whether it uses the weight of the heuristic.
    weight: bool,
    /// Whether it uses links.
    links: bool,
    /// Whether it avoids blocked polygons.
    closed: bool,
}

/// All of them.
pub(super) fn supported(blob: &CheckedBlob<'_>) -> Vec<Supported> {
    let mut all = vec![];
    if blob.class_count() > 0 {
        let a_star = AStar::default();
        for planner in [
            Algorithm::Corridor(a_star),
            Algorithm::Midpoints(a_star),
            Algorithm::Optimal,
            Algorithm::weighted(Algorithm::GAP),
        ] {
            let guided = matches!(planner, Algorithm::Corridor(_) | Algorithm::Midpoints(_));
            let heuristics = Heuristic::ALL.into_iter().filter(|_| guided);
            all.push(Supported {
                name: planner.name(),
                heuristics: heuristics.map(Heuristic::name).collect(),
                weight: guided,
                links: true,
                closed: true,
            });
        }
    }
    let with_rooms = |class| blob.rooms(class).is_some_and(|rooms| rooms.has_ways());
    if (0..blob.class_count()).any(with_rooms) {
        all.push(Supported {
            name: navbake_rooms::NAME,
            heuristics: vec![],
            weight: false,
            links: true,
            closed: true,
        });
    }
    if let Some(map) = blob.grid_map() {
        for planner in GridPlanner::ALL.into_iter().filter(|p| p.shape() == map.shape()) {
            all.push(Supported {
                name: planner.name(),
                heuristics: planner.heuristics().iter().map(|h| h.name()).collect(),
                weight: true,
                links: true,
                closed: true,
            });
        }
    }
    if (0..blob.class_count()).any(|class| blob.networks(class).next().is_some()) {
        all.push(Supported {
            name: "network",
            heuristics: Heuristic::ALL.into_iter().map(Heuristic::name).collect(),
            weight: true,
            links: true,
            closed: true,
        });
    }
    if blob.vehicles().next().is_some() {
        all.push(Supported {
            name: "turning",
            heuristics: vec![],
            weight: true,
            links: true,
            closed: true,
        });
    }
    all
}

impl Supported {
    /// A line for people.
    pub(super) fn text(&self) -> String {
        let guides = match self.heuristics.as_slice() {
            [] => "its own bounds".into(),
            all => all.join(", "),
        };
        let rules =
            [(self.weight, "weight"), (self.links, "links"), (self.closed, "closed switches")];
        let supported: Vec<&str> = rules.iter().filter(|r| r.0).map(|r| r.1).collect();
        let supported = match supported.as_slice() {
            [] => "no weight, links or closed switches".into(),
            all => all.join(", "),
        };
        format!("{}: {guides}; supports {supported}", self.name)
    }
}
