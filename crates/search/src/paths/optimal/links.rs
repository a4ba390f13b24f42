//! Links in optimal searches.
//!
//! The start of a link is an intermediate goal: a cone into a polygon that holds it sees it or does
//! not, as for the goal. From the link's end the search continues as from its own start, with a new
//! root.
//!
//! A path may leave a polygon and return to it by links, so no ground is left out beforehand. Where
//! a link costs less than its length, the rest of the path may be anywhere; see [`Savings`].

use navbake_format::PolyId;
use navbake_navmesh::{LinkStart, NONE};

use super::cone::{Cone, HERE, LINK, Root, end_length, towards};
use super::front::{From, Front};
use super::heap::Open;
use crate::ray::{holders, same_ground};
use navbake_navmesh::math::{float, grid_distance};

impl Front<'_> {
    /// May the agent take a link from a polygon that holds its start?
    fn can_take(&self, polygon: u32, link: &LinkStart) -> bool {
        let query = self.query;
        let changed = self.polys.is_changed();
        let own = match changed {
            true => query.mesh().link(link.number).map_or(NONE, |link| link.polygon.0),
            false => link.polygon,
        };
        link.agents & query.agents != 0
            && !query.closings().is_link_closed(link.number)
            && !self.polys.is_link_gone(link.number)
            && self.leads_within(link.number)
            // A blocked edge, or what a world took away, may separate the polygon from the link's
            // own; pieces of one polygon share its list.
            && (polygon == own
                || (query.closings().is_ground_open() && !changed)
                || (self.polys.holds(polygon, link.from)
                    && same_ground(query, PolyId(polygon), PolyId(own), link.from, |_, _| {})))
    }

    /// Does a link end in the region that the search stays within?
    fn leads_within(&self, number: u32) -> bool {
        let Some(region) = self.within else {
            return true;
        };
        let link = self.query.mesh().link(number);
        link.is_some_and(|link| region.holds(link.beyond.0))
    }

    /// Adds the links that begin on a cone's polygon and are visible from the root.
    /// `away` returns the distance to a place given relative to the root, or `None` if it is
    /// hidden.
    pub(super) fn add_links(
        &mut self,
        number: u32,
        from: &From,
        away: impl Fn([i32; 2]) -> Option<f64>,
    ) {
        let polygon = self.cones[number as usize].polygon;
        for link in self.polys.links.of(self.polys.origin(polygon)).iter() {
            if !self.can_take(polygon, &link) {
                continue;
            }
            let Some(walk) = away(towards(from.root.point, link.from)) else {
                continue;
            };
            let root = Root {
                point: link.to,
                pivot: self.polys.pivots + link.number,
                before: from.number,
                g: from.root.g + walk + link.cost,
            };
            // From an end reached by an equally short path, all is seen already.
            if self.is_known(&root) {
                continue;
            }
            let Root { point, g, .. } = root;
            let Some(root) = self.put_root(root) else {
                continue;
            };
            let ahead = grid_distance(point, self.goal).min(self.saved(point));
            self.put(
                Cone { polygon, edge: link.number | LINK, parent: number, root, rays: [[0; 2]; 2] },
                (g + ahead).max(from.least),
            );
        }
    }

    /// Adds the goal and the links of a cone's polygon that the root sees.
    pub(super) fn add_what_is_there(
        &mut self,
        number: u32,
        from: &From,
        rays: [[i32; 2]; 2],
        portal: [[i32; 2]; 2],
    ) {
        let polygon = self.cones[number as usize].polygon;
        if self.holds_goal(polygon)
            && let Some(rest) = end_length(rays, portal, towards(from.root.point, self.goal))
        {
            self.put_end(number, from, rest);
        }
        self.add_links(number, from, |place| end_length(rays, portal, place));
    }

    /// Adds the goal in a cone's polygon, at distance `rest` from its root.
    fn put_end(&mut self, number: u32, from: &From, rest: f64) {
        let cone = Cone {
            polygon: self.cones[number as usize].polygon,
            edge: HERE,
            parent: number,
            root: from.number,
            rays: [[0; 2]; 2],
        };
        self.put(cone, (from.root.g + rest).max(from.least));
    }

    /// Adds a cone and puts it on the open list.
    #[inline]
    pub(super) fn put(&mut self, cone: Cone, f: f64) {
        let Some(slot) = self.cones.get_mut(self.used) else {
            self.full = true;
            return;
        };
        *slot = cone;
        let open = Open { f, cone: self.used as u32 };
        self.used += 1;
        self.full |= !self.heap.wait(open);
    }

    /// Lower bound on paths from a place that take a shortcut link.
    #[inline]
    pub(super) fn saved(&self, place: [i32; 2]) -> f64 {
        if self.savings.is_none() {
            return f64::INFINITY;
        }
        self.savings.least(float(place), self.cheap)
    }

    /// Takes the link of a cone and looks around from its end.
    #[cold]
    pub(super) fn arrive(&mut self, number: u32, link: u32, f: f64) {
        let Some(link) = self.query.mesh().link(link) else {
            return;
        };
        let root = self.cones[number as usize].root;
        self.begin_at(link.beyond, root, Some(number), f);
    }

    /// Adds a cone for each polygon that holds a root's place, and their successors.
    /// Only polygons on the same ground as `polygon` count. `before` is the cone that led there;
    /// `None` if the search begins there.
    pub(super) fn begin_at(&mut self, polygon: PolyId, root: u32, before: Option<u32>, f: f64) {
        let point = self.roots[root as usize].point;
        let first = self.used as u32;
        let mut put = |polygon: PolyId, edge: u32, parent: u32| match self.cones.get_mut(self.used)
        {
            Some(slot) => {
                *slot = Cone { polygon: polygon.0, edge, parent, root, ..Cone::default() };
                self.used += 1;
            }
            None => self.full = true,
        };
        put(polygon, HERE, before.unwrap_or(first));
        let mut count = first;
        if self.polys.is_on_border(polygon.0, point) {
            holders(self.query, polygon, point, |from, edge| {
                let parent = if from == polygon { first } else { count };
                count += 1;
                put(PolyId(edge.neighbour), edge.twin, parent);
            });
        }
        for number in first..self.used as u32 {
            let from =
                From { root: self.roots[root as usize], number: root, parent: number, least: f };
            // Where a vertex has more ground around it than one turn, the straight line may have
            // looked elsewhere.
            if self.holds_goal(self.cones[number as usize].polygon) {
                self.put_end(number, &from, grid_distance(point, self.goal));
            }
            self.settle_here(number, &from);
            self.look_around(number, &from);
            if self.hops {
                self.add_links(number, &from, |place| Some(grid_distance([0; 2], place)));
            }
        }
    }

    /// Adds the root of the start.
    pub(super) fn start_root(&mut self, point: [i32; 2]) -> Option<u32> {
        self.put_root(Root { point, pivot: NONE, before: NONE, g: 0.0 })
    }
}
