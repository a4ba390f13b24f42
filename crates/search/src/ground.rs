//! What the ground of a query costs.

use navbake_format::PolyId;

use crate::NavQuery;
use crate::costs::{AreaCosts, Slopes};

impl NavQuery<'_> {
    /// Cost of a metre on a polygon. Forbidden ground costs the least weight.
    ///
    /// So a unit that is on forbidden ground can leave it.
    #[inline]
    pub(crate) fn weight(&self, polygon: PolyId) -> f64 {
        let Some(costs) = self.costs else {
            return 1.0;
        };
        let weight = costs.get(self.mesh().area(polygon));
        if weight.is_finite() { weight } else { costs.least() }
    }

    /// Is a polygon allowed?
    #[inline]
    pub(crate) fn walks_on(&self, polygon: PolyId) -> bool {
        (self.costs).is_none_or(|costs| costs.get(self.mesh().area(polygon)).is_finite())
    }

    /// The cost of height.
    #[inline]
    pub(crate) fn slopes(&self) -> Slopes {
        self.costs.map_or(Slopes::default(), |costs| costs.slopes)
    }

    /// The least cost of a metre.
    pub(crate) fn least_weight(&self) -> f64 {
        self.costs.map_or(1.0, AreaCosts::least)
    }

    /// Does walking cost 1 wherever there is no wall?
    #[doc(hidden)]
    pub fn is_plain(&self) -> bool {
        let walled = |costs: &AreaCosts| costs.blocked() & !self.closings().areas() == 0;
        (self.costs).is_none_or(|costs| costs.is_plain() && walled(costs))
    }
}
