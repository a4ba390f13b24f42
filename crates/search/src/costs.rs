//! What walking costs on each kind of ground, and uphill and downhill.

use navbake_format::{AreaId, PolyId, WeightRow};

use crate::Query;

/// What going up and down costs, beside what the ground costs: in metres of plain ground, a metre of height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slopes {
    /// What a metre up costs.
    pub uphill: f64,
    /// What a metre down costs.
    pub downhill: f64,
}

impl Slopes {
    /// Costs of a metre of height lie in here.
    pub const RANGE: core::ops::RangeInclusive<f64> = 0.0..=1_048_576.0;

    /// Do they lie in [`Slopes::RANGE`]?
    fn are_sound(&self) -> bool {
        Self::RANGE.contains(&self.uphill) && Self::RANGE.contains(&self.downhill)
    }

    /// What a piece of a path costs that leads up by so much, down where that is negative.
    #[inline]
    pub(crate) fn cost(&self, up: f64) -> f64 {
        if up > 0.0 {
            self.uphill * up
        } else {
            self.downhill * -up
        }
    }

    /// Do up and down cost nothing?
    pub(crate) fn are_free(&self) -> bool {
        *self == Slopes::default()
    }

    /// The dearer of the two.
    pub(crate) fn most(&self) -> f64 {
        self.uphill.max(self.downhill)
    }

    /// So many times dearer.
    pub(crate) fn times(&self, factor: f64) -> Slopes {
        Slopes {
            uphill: self.uphill * factor,
            downhill: self.downhill * factor,
        }
    }
}

/// What a metre on each area costs, in metres of plain ground, and what heights cost; see [`Query::with_costs`].
#[derive(Clone, Debug, PartialEq)]
pub struct AreaCosts {
    weights: [f64; AreaId::LIMIT],
    slopes: Slopes,
}

impl Default for AreaCosts {
    /// Everything costs 1, and heights nothing.
    fn default() -> AreaCosts {
        AreaCosts {
            weights: [1.0; AreaId::LIMIT],
            slopes: Slopes::default(),
        }
    }
}

impl From<&WeightRow<'_>> for AreaCosts {
    fn from(row: &WeightRow<'_>) -> AreaCosts {
        let mut costs = AreaCosts::default();
        for (slot, weight) in costs.weights.iter_mut().zip(row.weights().iter()) {
            *slot = weight;
        }
        let (uphill, downhill) = row.slopes();
        costs.slopes = Slopes { uphill, downhill };
        costs
    }
}

impl AreaCosts {
    /// Weights lie in here, or are infinite.
    pub const RANGE: core::ops::RangeInclusive<f64> = 1.0 / 1_048_576.0..=1_048_576.0;

    /// Sets the weight of an area; infinity where it must not be walked on. False, and nothing is changed, for weights out of [`AreaCosts::RANGE`].
    pub fn set(&mut self, area: AreaId, weight: f64) -> bool {
        let sound = Self::RANGE.contains(&weight) || weight == f64::INFINITY;
        match self.weights.get_mut(area.index()) {
            Some(slot) if sound => {
                *slot = weight;
                true
            }
            _ => false,
        }
    }

    /// Sets what heights cost. False, and nothing is changed, for costs out of [`Slopes::RANGE`].
    pub fn set_slopes(&mut self, slopes: Slopes) -> bool {
        if slopes.are_sound() {
            self.slopes = slopes;
        }
        slopes.are_sound()
    }

    /// What heights cost.
    pub fn slopes(&self) -> Slopes {
        self.slopes
    }

    /// The weight of an area.
    #[inline]
    pub fn get(&self, area: AreaId) -> f64 {
        self.weights.get(area.index()).copied().unwrap_or(1.0)
    }

    /// The areas that must not be walked on, bit k for area k: for [`Closings`](crate::Closings).
    pub fn blocked(&self) -> u64 {
        let blocked = (0u32..).zip(&self.weights).filter(|(_, w)| !w.is_finite());
        blocked.fold(0, |set, (k, _)| set | 1 << (k & 63))
    }

    /// The least weight of ground that is walked on.
    pub(crate) fn least(&self) -> f64 {
        let finite = self.weights.iter().copied().filter(|w| w.is_finite());
        finite.reduce(f64::min).unwrap_or(1.0)
    }

    /// The greatest weight of ground that is walked on.
    pub(crate) fn most(&self) -> f64 {
        let finite = self.weights.iter().copied().filter(|w| w.is_finite());
        finite.reduce(f64::max).unwrap_or(1.0)
    }

    /// Does walking cost 1 wherever it is allowed?
    fn is_plain(&self) -> bool {
        self.slopes.are_free() && self.weights.iter().all(|&w| w == 1.0 || !w.is_finite())
    }
}

impl<'a> Query<'a> {
    /// The same for a unit to which ground costs something. Planners enter no area of infinite weight, and leave one at the least weight;
    /// whatever else is asked sees walls around them only when they are among the closings: [`AreaCosts::blocked`] tells which to close.
    #[must_use]
    pub fn with_costs(self, costs: &'a AreaCosts) -> Query<'a> {
        Query {
            costs: (*costs != AreaCosts::default()).then_some(costs),
            ..self
        }
        .find_profile()
    }

    /// What a metre on a polygon costs. Whoever stands where one must not walk leaves it at the least weight.
    #[inline]
    pub(crate) fn weight(&self, polygon: PolyId) -> f64 {
        let Some(costs) = self.costs else {
            return 1.0;
        };
        let weight = costs.get(self.mesh().area(polygon));
        if weight.is_finite() {
            weight
        } else {
            costs.least()
        }
    }

    /// May a polygon be walked on at all?
    #[inline]
    pub(crate) fn walks_on(&self, polygon: PolyId) -> bool {
        (self.costs).is_none_or(|costs| costs.get(self.mesh().area(polygon)).is_finite())
    }

    /// What heights cost.
    #[inline]
    pub(crate) fn slopes(&self) -> Slopes {
        self.costs.map_or(Slopes::default(), |costs| costs.slopes)
    }

    /// What a metre costs at least.
    pub(crate) fn least_weight(&self) -> f64 {
        self.costs.map_or(1.0, AreaCosts::least)
    }

    /// Does walking cost 1 wherever there is no wall?
    pub(crate) fn is_plain(&self) -> bool {
        let walled = |costs: &AreaCosts| costs.blocked() & !self.closings().areas() == 0;
        (self.costs).is_none_or(|costs| costs.is_plain() && walled(costs))
    }
}
