//! Is there a path at all? Look-ups in tables of the baker.

use navbake_format::{Link, PolyId, ReachProfile};

use crate::costs::AreaCosts;
use crate::{NavPoint, NavQuery};

impl NavQuery<'_> {
    /// Is there a path from one location to another? A few table look-ups.
    ///
    /// Links are included, one-way links too. `None` where only a search can decide:
    ///
    /// - switches block something;
    /// - the costs forbid areas that no row of the blob's weights forbids;
    /// - the query is for several agents at once, but not for all;
    /// - both ends are on forbidden ground;
    /// - obstacles of a world take ground away;
    /// - other areas are blocked than the costs forbid;
    /// - the mesh has more reach profiles than the
    ///   [tables](navbake_format::NavMesh::reach_profile_count) hold.
    ///
    /// Even then the answer is `Some(false)` where there is no path with everything open.
    ///
    /// The result agrees with the planners: forbidden ground can be left, but not entered from
    /// other ground.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let at = query.locate([1.0, 0.0, 1.0], 2.0).unwrap();
    /// let there = query.locate([8.0, 0.0, 5.0], 2.0).unwrap();
    /// assert_eq!(query.connected(&at, &there), Some(true));
    /// ```
    #[inline]
    pub fn connected(&self, from: &NavPoint, to: &NavPoint) -> Option<bool> {
        self.leads(from.polygon(), to.polygon())
    }

    /// Can there be a path from one location to another? False is certain.
    ///
    /// [`NavQuery::connected`], with true where that has no answer.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let at = query.locate([1.0, 0.0, 1.0], 2.0).unwrap();
    /// let there = query.locate([8.0, 0.0, 5.0], 2.0).unwrap();
    /// assert!(query.reachable(&at, &there));
    /// ```
    #[inline]
    pub fn reachable(&self, from: &NavPoint, to: &NavPoint) -> bool {
        self.connected(from, to).unwrap_or(true)
    }

    /// [`NavQuery::connected`] for polygons.
    #[inline]
    #[doc(hidden)]
    pub fn leads(&self, from: PolyId, to: PolyId) -> Option<bool> {
        if from == to {
            return Some(true);
        }
        let [leaves, ends] = [from, to].map(|p| self.is_forbidden(p));
        if ends && !leaves {
            return Some(false);
        }
        // Tables know where paths off the ground lead that their own profile forbids. Of more of it
        // only all ground together is sure.
        let whole = || self.mesh.reach_profile(self.agents, 0);
        let profile = match self.profile {
            Some(own) if ends || leaves && !own.exact => {
                whole().map(|all| ReachProfile { exact: false, ..all })
            }
            own => own,
        };
        let Some(profile) = profile else {
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
        let open = self.closings.is_ground_open() && !self.mesh.polys().is_changed();
        (open && self.costs.is_none_or(|c| c.blocked() == 0)).then_some(true)
    }

    /// Does some link leave the one island, and some link lead to the other?
    fn may_link(&self, from: PolyId, to: PolyId) -> bool {
        let [a, b] = [from, to].map(|p| self.mesh.island(p));
        let ends = |pick: fn(&Link<'_>) -> PolyId, island| {
            self.links().any(|(_, link)| self.mesh.island(pick(&link)) == island)
        };
        ends(|link| link.polygon, a) && ends(|link| link.beyond, b)
    }

    /// Finds the reach profile again, after a change of agents, costs or closings.
    pub(crate) fn find_profile(self) -> Self {
        if self.mesh.reach_profile_count() == 0 {
            return self;
        }
        let [kept, closed] = [self.costs.map_or(0, AreaCosts::blocked), self.closings.areas()];
        // Volumes may give other areas to ground that is forbidden as baked.
        let volumes = self.mesh.polys().pieces.areas != 0;
        let forbidden = if volumes { 0 } else { kept | closed };
        let mut profile = self.mesh.reach_profile(self.agents, forbidden);
        // No path leads from ground that is only forbidden onto ground that is only blocked.
        let two = kept != 0 && closed != 0 && kept != closed;
        if (self.closings.is_switched() || two || volumes)
            && let Some(profile) = &mut profile
        {
            profile.exact = false;
        }
        NavQuery { profile, ..self }
    }
}
