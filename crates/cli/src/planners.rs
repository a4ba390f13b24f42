//! Which planners answer on a blob, and what they look at.

use navbake_format::CheckedBlob;
use navbake_gridpath::{GridHeuristic, GridPlanner};
use navbake_search::{Heuristic, Planner};
use serde::Serialize;

/// A planner that a blob has what it takes for.
#[derive(Debug, Serialize)]
pub(crate) struct Supported {
    name: &'static str,
    /// What may guide it; none where it has bounds of its own.
    heuristics: Vec<&'static str>,
    /// Does it look at the heuristic's weight?
    weight: bool,
    /// Does it lead over links?
    links: bool,
    /// Does it keep out of what is closed?
    closed: bool,
}

/// All of them.
pub(crate) fn supported(blob: &CheckedBlob<'_>) -> Vec<Supported> {
    let mut all = vec![];
    if (0..blob.class_count()).any(|class| blob.mesh(class).is_some()) {
        for planner in [
            Planner::Corridor,
            Planner::Midpoints,
            Planner::Optimal,
            Planner::Weighted,
            Planner::Hierarchical,
        ] {
            let with_rooms = |class| blob.rooms(class).is_some_and(|rooms| rooms.has_ways());
            if planner == Planner::Hierarchical && !(0..blob.class_count()).any(with_rooms) {
                continue;
            }
            let guided = matches!(planner, Planner::Corridor | Planner::Midpoints);
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
    if blob.grid_map().is_some() {
        for planner in [GridPlanner::Grid4, GridPlanner::Grid8] {
            all.push(Supported {
                name: planner.name(),
                heuristics: GridHeuristic::ALL.map(GridHeuristic::name).to_vec(),
                weight: true,
                links: false,
                closed: false,
            });
        }
    }
    if blob.vehicles().next().is_some() {
        all.push(Supported {
            name: "turning",
            heuristics: vec![],
            weight: true,
            links: false,
            closed: false,
        });
    }
    all
}

impl Supported {
    /// A line for people.
    pub(crate) fn text(&self) -> String {
        let guides = match self.heuristics.as_slice() {
            [] => "its own bounds".into(),
            all => all.join(", "),
        };
        let rules = [
            (self.weight, "weight"),
            (self.links, "links"),
            (self.closed, "what is closed"),
        ];
        let honoured: Vec<&str> = rules.iter().filter(|r| r.0).map(|r| r.1).collect();
        let honoured = match honoured.as_slice() {
            [] => "neither weight, links nor what is closed".into(),
            all => all.join(", "),
        };
        format!("{}: {guides}; honours {honoured}", self.name)
    }
}
