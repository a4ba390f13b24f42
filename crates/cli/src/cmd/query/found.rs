//! The answer of `query path` with every planner.

use navbake_search::{NavMesh, NavPath};
use serde::Serialize;

/// The part of the JSON object that all planners share. Values that do not apply are null or empty.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Found {
    pub(super) status: &'static str,
    pub(super) length_xz: Option<f64>,
    /// Along the ground.
    pub(super) length_3d: Option<f64>,
    pub(super) cost: Option<f64>,
    /// A lower bound of the cost of any path.
    pub(super) bound: Option<f64>,
    /// How much the cost can exceed that of the cheapest path, as a share; null if unknown.
    pub(super) gap: Option<f64>,
    /// Start, corners and end; over cells the centres of the cells of start, turns and end.
    pub(super) points: Vec<[f64; 3]>,
    pub(super) legs: Vec<Leg>,
    /// Empty over cells.
    pub(super) polygons: Vec<u32>,
    pub(super) expanded: u32,
    /// Entries that were closed at the end.
    pub(super) closed: u32,
    pub(super) max_open: u32,
    /// Time of the whole query: both ends, islands, path and points.
    pub(super) micros: f64,
    pub(super) planner: &'static str,
    pub(super) certified_optimal: bool,
    /// What the planner does not honour though it bears on paths: `weights`, `slopes`, `links`,
    /// `closed-doors`. Where there is any, nothing is certified, and bound and gap are null.
    pub(super) left_out: Vec<&'static str>,
}

impl Found {
    /// Takes back claims that only hold for what the planner honours.
    pub(super) fn leaving_out(self, left_out: Vec<&'static str>) -> Found {
        if left_out.is_empty() {
            return self;
        }
        Found { bound: None, gap: None, certified_optimal: false, left_out, ..self }
    }
}

/// A part of a path: a walk or a link.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Leg {
    kind: &'static str,
    /// The name of the link, or its number where it has none.
    link: Option<String>,
    /// The kind of the link.
    does: Option<&'static str>,
    /// Index of its first point.
    from: usize,
    /// Index of its last point.
    to: usize,
}

impl Leg {
    /// The legs of a path without links.
    pub(super) fn walk(points: usize) -> Vec<Leg> {
        let walk = |last| Leg { kind: "walk", link: None, does: None, from: 0, to: last };
        points.checked_sub(1).map(walk).into_iter().collect()
    }

    /// The legs of a path over polygons.
    pub(super) fn all(mesh: &NavMesh<'_>, path: &NavPath<'_>) -> Vec<Leg> {
        let leg = |leg: navbake_search::path::Leg| {
            let link = leg.link.and_then(|number| Some((number, mesh.link(number)?)));
            Leg {
                kind: if leg.link.is_some() { "link" } else { "walk" },
                link: link.map(|(number, link)| match link.name {
                    "" => number.to_string(),
                    name => name.into(),
                }),
                does: link.map(|(_, link)| link.kind.name()),
                from: leg.points.start,
                to: leg.points.end - 1,
            }
        };
        path.legs().map(leg).collect()
    }
}
