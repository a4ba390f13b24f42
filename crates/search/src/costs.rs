//! What walking costs on each kind of ground, and uphill and downhill.

use navbake_format::{AreaId, NavMesh, PolyId, WeightRow};

/// The cost of height, added to the cost of ground.
///
/// In metres of plain ground per metre of height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Slopes {
    /// Cost of a metre up.
    pub(crate) uphill: f64,
    /// Cost of a metre down.
    pub(crate) downhill: f64,
}

impl Slopes {
    /// The range of costs of a metre of height.
    pub(crate) const RANGE: core::ops::RangeInclusive<f64> = 0.0..=1_048_576.0;

    /// Are both in [`Slopes::RANGE`]?
    fn are_sound(&self) -> bool {
        Self::RANGE.contains(&self.uphill) && Self::RANGE.contains(&self.downhill)
    }

    /// The cost of a piece of a path that rises by `up`; negative means down.
    #[inline]
    pub(crate) fn cost(&self, up: f64) -> f64 {
        if up > 0.0 { self.uphill * up } else { self.downhill * -up }
    }

    /// Do up and down cost nothing?
    pub(crate) fn are_free(&self) -> bool {
        *self == Slopes::default()
    }

    /// The larger of the two.
    pub(crate) fn most(&self) -> f64 {
        self.uphill.max(self.downhill)
    }

    /// Both costs multiplied by a factor.
    pub(crate) fn times(&self, factor: f64) -> Slopes {
        Slopes { uphill: self.uphill * factor, downhill: self.downhill * factor }
    }
}

/// Cost of a metre on each area, in metres of plain ground, and of height.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AreaCosts {
    weights: [f64; AreaId::LIMIT],
    pub(crate) slopes: Slopes,
}

impl Default for AreaCosts {
    /// Every area costs 1, height nothing.
    fn default() -> AreaCosts {
        AreaCosts::PLAIN
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
    /// Every area costs 1, height nothing.
    pub(crate) const PLAIN: AreaCosts =
        AreaCosts { weights: [1.0; AreaId::LIMIT], slopes: Slopes { uphill: 0.0, downhill: 0.0 } };

    /// The range of weights; infinity is allowed as well.
    pub(crate) const RANGE: core::ops::RangeInclusive<f64> = 1.0 / 1_048_576.0..=1_048_576.0;

    /// Sets the weight of an area; infinity forbids it.
    ///
    /// Returns false and changes nothing for weights out of [`AreaCosts::RANGE`].
    pub(crate) fn set(&mut self, area: AreaId, weight: f64) -> bool {
        let sound = Self::RANGE.contains(&weight) || weight == f64::INFINITY;
        match self.weights.get_mut(area.index()) {
            Some(slot) if sound => {
                *slot = weight;
                true
            }
            _ => false,
        }
    }

    /// Sets the cost of height.
    ///
    /// Returns false and changes nothing for costs out of [`Slopes::RANGE`].
    pub(crate) fn set_slopes(&mut self, slopes: Slopes) -> bool {
        if slopes.are_sound() {
            self.slopes = slopes;
        }
        slopes.are_sound()
    }

    /// The cost of height.
    pub(crate) fn slopes(&self) -> Slopes {
        self.slopes
    }

    /// The weight of an area.
    #[inline]
    pub(crate) fn get(&self, area: AreaId) -> f64 {
        self.weights.get(area.index()).copied().unwrap_or(1.0)
    }

    /// The forbidden areas, bit k for area k.
    pub(crate) fn blocked(&self) -> u64 {
        let blocked = (0u32..).zip(&self.weights).filter(|(_, w)| !w.is_finite());
        blocked.fold(0, |set, (k, _)| set | 1 << (k & 63))
    }

    /// The least weight of allowed ground on a mesh.
    ///
    /// Looks at polygons until one of the cheapest area of the file is found: at all of them where
    /// the mesh has none.
    pub(crate) fn least_on(&self, mesh: &NavMesh<'_>) -> f64 {
        let areas = mesh.file().areas().len().max(1);
        let known = self.weights.iter().take(areas).copied().filter(|w| w.is_finite());
        let lowest = known.fold(f64::INFINITY, f64::min);
        let volumes = mesh.polys().pieces.areas;
        let given =
            (0u32..).zip(&self.weights).filter(|(k, w)| volumes >> k & 1 == 1 && w.is_finite());
        let mut least = given.map(|(_, &w)| w).fold(f64::INFINITY, f64::min);
        for polygon in (0..mesh.polys().baked_len()).map(PolyId) {
            least = least.min(self.get(mesh.area(polygon)));
            if least <= lowest {
                break;
            }
        }
        if least.is_finite() { least } else { 1.0 }
    }

    /// The greatest weight of allowed ground.
    pub(crate) fn most(&self) -> f64 {
        let finite = self.weights.iter().copied().filter(|w| w.is_finite());
        finite.reduce(f64::max).unwrap_or(1.0)
    }

    /// Does walking cost 1 wherever it is allowed?
    pub(crate) fn is_plain(&self) -> bool {
        self.slopes.are_free() && self.weights.iter().all(|&w| w == 1.0 || !w.is_finite())
    }
}
