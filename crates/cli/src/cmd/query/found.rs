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
    /// What the planner does not honour though it bears on paths: `slopes`, `links`. Where
    /// there is any, nothing is certified, and bound and gap are null.
    pub(super) left_out: Vec<&'static str>,
}

impl Found {
    /// The number of links in the path.
    pub(super) fn links(&self) -> usize {
        self.legs.iter().filter(|leg| leg.kind == "link").count()
    }

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
    pub(super) kind: &'static str,
    /// The name of the link, or its number where it has none.
    pub(super) link: Option<String>,
    /// The kind of the link.
    pub(super) does: Option<&'static str>,
    /// Index of its first point.
    pub(super) from: usize,
    /// Index of its last point.
    pub(super) to: usize,
}

impl Leg {
    /// The legs of a path over cells with some points: walks, and links by their first points.
    pub(super) fn over_cells(
        mesh: &NavMesh<'_>,
        links: &[(usize, u32)],
        points: usize,
    ) -> Vec<Leg> {
        let mut legs = vec![];
        let mut at = 0;
        for &(from, number) in links {
            if from > at {
                legs.push(Leg { from: at, to: from, ..Leg::default() });
            }
            legs.push(Leg { from, to: from + 1, ..Leg::link(mesh, number) });
            at = from + 1;
        }
        let last = points.saturating_sub(1);
        if last > at || (legs.is_empty() && points > 0) {
            legs.push(Leg { from: at, to: last, ..Leg::default() });
        }
        legs
    }

    /// A link.
    pub(super) fn link(mesh: &NavMesh<'_>, number: u32) -> Leg {
        let link = mesh.link(number);
        Leg {
            kind: "link",
            link: link.map(|link| match link.name {
                "" => number.to_string(),
                name => name.into(),
            }),
            does: link.map(|link| link.kind.name()),
            ..Leg::default()
        }
    }

    /// The legs of a path over polygons.
    pub(super) fn all(mesh: &NavMesh<'_>, path: &NavPath<'_>) -> Vec<Leg> {
        let leg = |leg: navbake_search::path::Leg| Leg {
            from: leg.points.start,
            to: leg.points.end - 1,
            ..leg.link.map_or_else(Leg::default, |number| Leg::link(mesh, number))
        };
        path.legs().map(leg).collect()
    }
}

impl Default for Leg {
    fn default() -> Leg {
        Leg { kind: "walk", link: None, does: None, from: 0, to: 0 }
    }
}
