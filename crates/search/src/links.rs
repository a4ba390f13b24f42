//! Which links a query may take.

use navbake_format::{IslandId, Link, PolyId};

use crate::locate::PolyPoint;
use crate::{NavPoint, NavQuery};
use navbake_navmesh::math::float;

impl<'a> NavQuery<'a> {
    /// May a link be taken: is it for this unit, and open?
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let mesh = nav.mesh();
    /// let links = (0..mesh.link_count()).filter_map(|k| Some((k, mesh.link(k)?)));
    /// let open = links.filter(|(k, link)| query.is_link_open(*k, link)).count();
    /// assert_eq!(open, 0); // this level has none
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    #[inline]
    pub fn is_link_open(&self, number: u32, link: &Link<'_>) -> bool {
        link.agents & self.agents != 0
            && !self.closings().is_link_closed(number)
            && !self.mesh().polys().is_link_gone(number)
    }

    /// The links that begin on a polygon and may be taken, with their numbers.
    pub(crate) fn links_from(
        &self,
        polygon: PolyId,
    ) -> impl Iterator<Item = (u32, Link<'a>)> + use<'a, '_> {
        let mesh = self.mesh();
        let numbers = match mesh.link_count() {
            0 => 0..0,
            _ => mesh.links_of(polygon),
        };
        numbers.filter_map(|number| Some((number, mesh.link(number)?))).filter(
            move |(number, link)| {
                // Pieces of one polygon share its list.
                link.polygon == polygon && self.is_link_open(*number, link)
            },
        )
    }

    /// An end of a link, on its polygon.
    #[doc(hidden)]
    pub fn link_end(&self, polygon: PolyId, point: [i32; 2]) -> NavPoint {
        let height = self.mesh().polygon(polygon).height(float(point));
        self.location(polygon, point, height)
    }

    /// The start and the end of a link of the mesh.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// if let Some(link) = nav.mesh().link(0) {
    ///     let [from, to] = query.ends_of_link(&link);
    ///     assert_eq!(from.point(), link.from);
    ///     # let _ = to;
    /// }
    /// ```
    pub fn ends_of_link(&self, link: &Link<'_>) -> [PolyPoint; 2] {
        [PolyPoint::new(link.polygon, link.from), PolyPoint::new(link.beyond, link.to)]
    }

    /// All links that may be taken, with their numbers.
    #[doc(hidden)]
    pub fn links(&self) -> impl Iterator<Item = (u32, Link<'a>)> + use<'a, '_> {
        let mesh = self.mesh();
        (0..mesh.link_count())
            .filter_map(|number| Some((number, mesh.link(number)?)))
            .filter(|(number, link)| self.is_link_open(*number, link))
    }
}

impl NavQuery<'_> {
    /// Marks all islands that links reach from one island; see [`is_marked`].
    ///
    /// Returns false when there are too few marks. Costs a pass over all links for each round that
    /// finds an island.
    pub(crate) fn spread_over_links(&self, from: IslandId, marks: &mut [u32]) -> bool {
        let mesh = self.mesh();
        let Some(marks) = marks.get_mut(..mesh.island_count() as usize) else {
            return false;
        };
        marks.fill(0);
        let at = |polygon: PolyId| mesh.island(polygon).0 as usize;
        if let Some(first) = marks.get_mut(from.0 as usize) {
            *first = 1;
        }
        // At most one round per island.
        for _ in 0..=marks.len() {
            let mut found = false;
            for (_, link) in self.links() {
                let [here, there] = [link.polygon, link.beyond].map(at);
                if marks.get(here) == Some(&1)
                    && let Some(mark @ 0) = marks.get_mut(there)
                {
                    *mark = 1;
                    found = true;
                }
            }
            if !found {
                break;
            }
        }
        true
    }
}

/// Was an island marked?
pub(crate) fn is_marked(marks: &[u32], island: IslandId) -> bool {
    marks.get(island.0 as usize) == Some(&1)
}
