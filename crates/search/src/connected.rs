//! Is there a way at all? What the baker found out of it, looked up.

use navbake_format::{Link, PolyId};

use crate::{AreaCosts, Location, Query};

impl Query<'_> {
    /// Is there a way from one location to another? A few looks into tables, links that lead one way included; `None` where only a search can
    /// tell: with things closed by switches, with areas kept off that no row of the blob's weights forbids, for several agents at
    /// once that are not all, and on meshes with more ways than [tables](navbake_format::NavMesh::reach_profile_count) hold. Even then
    /// *no* is the answer where everything open would not help.
    ///
    /// What planners say agrees with it. Where one must not walk one can leave, and not enter.
    #[inline]
    pub fn connected(&self, from: &Location, to: &Location) -> Option<bool> {
        self.leads(from.polygon(), to.polygon())
    }

    /// Can there be a way from one location to another? [`Query::connected`], *yes* where that does not know. *No* is certain.
    #[inline]
    pub fn reachable(&self, from: &Location, to: &Location) -> bool {
        self.connected(from, to).unwrap_or(true)
    }

    /// [`Query::connected`] for polygons.
    #[inline]
    pub(crate) fn leads(&self, from: PolyId, to: PolyId) -> Option<bool> {
        if from == to {
            return Some(true);
        }
        if self.closings.is_closed(to) || !self.walks_on(to) {
            return Some(false);
        }
        let Some(profile) = self.profile else {
            return self.by_islands(from, to);
        };
        match self.mesh.leads(profile.number, from, to) {
            Some(true) if !profile.exact => None,
            known => known,
        }
    }

    /// The same on a mesh without tables.
    fn by_islands(&self, from: PolyId, to: PolyId) -> Option<bool> {
        if !self.mesh.on_one_island(from, to) {
            let linked = self.mesh.link_count() > 0 && self.may_link(from, to);
            return if linked { None } else { Some(false) };
        }
        let open = self.closings.is_ground_open();
        (open && self.costs.is_none_or(|c| c.blocked() == 0)).then_some(true)
    }

    /// Does some link lead away from the one island and some link to the other?
    fn may_link(&self, from: PolyId, to: PolyId) -> bool {
        let [a, b] = [from, to].map(|p| self.mesh.island(p));
        let ends = |pick: fn(&Link<'_>) -> PolyId, island| {
            self.links()
                .any(|(_, link)| self.mesh.island(pick(&link)) == island)
        };
        ends(|link| link.polygon, a) && ends(|link| link.beyond, b)
    }

    /// The same query after a change of who asks, or of what is closed.
    pub(crate) fn find_profile(self) -> Self {
        if self.mesh.reach_profile_count() == 0 {
            return self;
        }
        let areas = self.costs.map_or(0, AreaCosts::blocked) | self.closings.areas();
        let mut profile = self.mesh.reach_profile(self.agents, areas);
        if self.closings.is_switched()
            && let Some(profile) = &mut profile
        {
            profile.exact = false;
        }
        Query { profile, ..self }
    }
}
