//! Ways that go on in chunks of a world that are not loaded.

use navbake_format::PolyId;
use navbake_navmesh::NONE;
use navbake_navmesh::math::{float, round};

use super::nodes::Goal;
use super::steps::Search;
use super::{NavPath, Status};
use crate::NavQuery;
use crate::surface::nearest_on_segment;

impl NavQuery<'_> {
    /// Is a place in a chunk that is not loaded?
    pub(super) fn is_missing(&self, place: [f64; 3]) -> bool {
        let mesh = self.mesh();
        mesh.is_in_chunks()
            && mesh.grid().snap(place).is_some_and(|[x, _, z]| mesh.is_missing([x, z]))
    }

    /// Can there be a way to one of some goals, none of which loaded ground leads to, once more
    /// chunks are loaded?
    pub(super) fn goes_beyond(&self, start: &Goal, goals: &[Goal]) -> bool {
        let (mesh, start) = (self.mesh(), PolyId(start.polygon));
        mesh.is_in_chunks()
            && goals.iter().any(|goal| match goal.polygon {
                u32::MAX => mesh.is_missing(goal.point) && mesh.exits(start).next().is_some(),
                polygon => mesh.goes_on(start, PolyId(polygon)),
            })
    }

    /// The place nearest to a goal, in the ground plane, where the ground of the start goes on in a
    /// chunk that is not loaded: as the goal of a search. `leads` says whether loaded ground leads
    /// to a polygon.
    pub(super) fn exit_towards(
        &self,
        start: &Goal,
        goals: &[Goal],
        leads: impl Fn(u32) -> bool,
    ) -> Option<Goal> {
        let (mesh, mut best) = (self.mesh(), None);
        let polys = mesh.polys();
        let mut offer = |polygon: u32, [a, b]: [[i32; 2]; 2]| {
            for goal in goals {
                let (p, far) = nearest_on_segment(float(a), float(b), float(goal.point));
                let p = p.map(round);
                // The grid point may be beside the edge.
                let point = [p, a, b].into_iter().find(|&p| polys.holds(polygon, p));
                let Some(point) = point else { continue };
                let height = mesh.polygon(PolyId(polygon)).height(float(point));
                let key = (far, point, height, goal.number);
                if best.is_none_or(|(least, _)| key < least) {
                    best = Some((key, Goal { polygon, point, height, ..*goal }));
                }
            }
        };
        for exit in mesh.exits(PolyId(start.polygon)).filter(|exit| leads(exit.polygon)) {
            if exit.edge == NONE {
                polys.each_piece(exit.polygon, |polygon| offer(polygon, [exit.at; 2]));
                continue;
            }
            polys.each_part((exit.polygon, exit.edge), |polygon, edge| {
                let border = polys.border(polygon);
                if let Some(from) = border.get(edge as usize) {
                    offer(polygon, [from.at, border.after(edge as usize).at]);
                }
            });
        }
        best.map(|(_, goal)| goal)
    }
}

impl Search {
    /// Asks, once a search of all ground has found no way, whether the ground goes on.
    pub(super) fn ask_beyond(&mut self, query: &NavQuery<'_>) {
        let mesh = query.mesh();
        if self.beyond.is_none()
            && mesh.is_in_chunks()
            && matches!(self.found(), Status::Unreachable | Status::Partial)
        {
            self.beyond = Some(mesh.exits(PolyId(self.start.polygon)).next().is_some());
        }
    }

    /// The status that callers see.
    pub(super) fn named(&self, found: Status) -> Status {
        match found {
            Status::Reached | Status::Partial | Status::Unreachable
                if self.beyond == Some(true) =>
            {
                Status::NotLoaded
            }
            found => found,
        }
    }

    /// The answer that callers see.
    pub(super) fn answer<'s>(&self, path: NavPath<'s>) -> NavPath<'s> {
        match self.named(path.status) {
            // What is proved holds up to the exit.
            status @ Status::NotLoaded => {
                NavPath { status, bound: 0.0, certified_optimal: false, ..path }
            }
            _ => path,
        }
    }
}
