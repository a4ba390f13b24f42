//! The cost of going up and down between the entries of nodes.

use navbake_format::PolyId;

use super::nodes::{Node, Step};
use super::portal::{Portal, between};
use crate::costs::Slopes;
use crate::{NavQuery, surface};
use navbake_navmesh::math::round;

/// From the entry of a node to other places of its polygon.
#[derive(Clone, Copy)]
pub(super) struct Climb {
    slopes: Slopes,
    /// The height of the entry, grid units.
    from: f64,
}

impl Climb {
    /// Makes the climb of a node; `None` where heights cost nothing.
    ///
    /// `parent` is given for nodes that were entered through one of its edges or over one of its
    /// links.
    pub(super) fn of(query: &NavQuery<'_>, node: &Node, parent: Option<&Node>) -> Option<Climb> {
        let slopes = query.slopes();
        if slopes.are_free() {
            return None;
        }
        let portal = parent.map(|parent| Step { polygon: parent.polygon, edge: node.edge });
        let from = match portal.filter(|step| step.link().is_none()) {
            Some(step) => on_portal(query, step, node.entry),
            None => in_polygon(query, node.polygon, node.entry.map(round)),
        };
        Some(Climb { slopes, from })
    }

    /// The cost of reaching the height of a place on a portal.
    pub(super) fn up_to_portal(&self, query: &NavQuery<'_>, step: Step, at: [f64; 2]) -> f64 {
        self.up_to(on_portal(query, step, at))
    }

    /// The cost of reaching the height of a place in a polygon.
    pub(super) fn up_to_place(&self, query: &NavQuery<'_>, polygon: u32, at: [i32; 2]) -> f64 {
        self.up_to(in_polygon(query, polygon, at))
    }

    /// The cost of reaching a height, grid units.
    pub(super) fn up_to(&self, height: f64) -> f64 {
        self.slopes.cost(height - self.from)
    }
}

fn on_portal(query: &NavQuery<'_>, step: Step, at: [f64; 2]) -> f64 {
    let portal = Portal::of(query.mesh(), step);
    between(portal.heights(), portal.foot(at).0)
}

fn in_polygon(query: &NavQuery<'_>, polygon: u32, at: [i32; 2]) -> f64 {
    surface::height(&query.mesh().polygon(PolyId(polygon)), at)
}
