//! What searches read of a [`GroundFilter`](crate::GroundFilter): slices.

use crate::curve::{Curve, Pose};
use crate::flood_steps::NOWHERE;
use crate::ground::Ground;
use crate::shares::{QUARTERS, each_share};
use crate::tables::Vehicle;

/// The weight of plain ground: weights are whole numbers of such parts.
pub(crate) const ONE: u64 = 1 << 20;
/// Areas of a blob.
pub(crate) const AREAS: usize = 64;

/// A tile on the middle line of a move, from the move's first one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crossed {
    pub(crate) offset: [i8; 2],
    /// The length in it, quarters of a part.
    pub(crate) quarters: u32,
}

/// A link from tile to tile: homes of images.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileLink {
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// Parts of a tile.
    pub(crate) cost: u64,
    /// Its number in the navmesh.
    pub(crate) number: u32,
}

/// What ground costs, and the links over it, for one vehicle.
#[derive(Clone, Copy)]
pub(crate) struct FilterParts<'f> {
    /// The area of each tile, by slot; empty where all tiles cost `least`.
    pub(crate) areas: &'f [u8],
    /// By area; greater than all others where it is forbidden.
    pub(crate) weights: [u64; AREAS],
    pub(crate) least: u64,
    /// For each move, where its tiles begin, and the end of all.
    pub(crate) starts: &'f [u32],
    pub(crate) crossed: &'f [Crossed],
    /// Links by the tiles where they begin, and by those where they end.
    pub(crate) links: &'f [TileLink],
    pub(crate) links_back: &'f [TileLink],
}

impl Default for FilterParts<'_> {
    fn default() -> Self {
        FilterParts {
            areas: &[],
            weights: [ONE; AREAS],
            least: ONE,
            starts: &[],
            crossed: &[],
            links: &[],
            links_back: &[],
        }
    }
}

impl FilterParts<'_> {
    /// The cost of a move from a tile, forwards; `None` where it is beyond all numbers.
    #[inline]
    pub(crate) fn move_cost(
        &self,
        ground: &Ground<'_>,
        tile: u32,
        number: usize,
        length: u32,
    ) -> Option<u32> {
        if self.areas.is_empty() {
            return self.least_cost_of(length);
        }
        let (&first, &end) = (self.starts.get(number)?, self.starts.get(number + 1)?);
        let stride = ground.stride() as i32;
        let mut sum = 0u64;
        for crossed in self.crossed.get(first as usize..end as usize)? {
            let [x, z] = crossed.offset.map(i32::from);
            let at = tile.wrapping_add_signed(z.wrapping_mul(stride).wrapping_add(x));
            let share = u64::from(crossed.quarters);
            sum = sum.saturating_add(share.saturating_mul(self.weight(ground, at)));
        }
        whole(sum)
    }

    /// The cost of a curve of that many parts and a turn radius, forwards.
    pub(crate) fn curve_cost(
        &self,
        ground: &Ground<'_>,
        from: Pose,
        curve: &Curve,
        radius: f64,
        length: u32,
    ) -> Option<u32> {
        if self.areas.is_empty() {
            return self.least_cost_of(length);
        }
        let mut sum = 0u64;
        each_share(from, curve, radius, length, |tile, share| {
            let weight = self.weight(ground, ground.id(tile));
            sum = sum.saturating_add(share.saturating_mul(weight));
        });
        whole(sum)
    }

    /// The cost of a length on the cheapest ground.
    #[inline]
    fn least_cost_of(&self, length: u32) -> Option<u32> {
        if self.least == ONE {
            return Some(length);
        }
        whole((u64::from(QUARTERS) * u64::from(length)).saturating_mul(self.least))
    }

    #[inline]
    fn weight(&self, ground: &Ground<'_>, tile: u32) -> u64 {
        let area = self.areas.get(ground.slot(tile) as usize).copied().unwrap_or(0);
        self.weights.get(usize::from(area)).copied().unwrap_or(u64::MAX)
    }

    /// Does plain ground alone count, without links?
    pub(crate) fn is_plain(&self) -> bool {
        self.areas.is_empty() && self.least == ONE && self.links.is_empty()
    }

    /// A lower bound of the cost of a length.
    #[inline]
    pub(crate) fn at_least(&self, length: u32) -> u32 {
        scaled(length, self.least)
    }

    /// A lower bound of a cost from the vehicle's table, which has changes of gear in it: no ground
    /// makes those dearer.
    #[inline]
    pub(crate) fn table_at_least(&self, vehicle: &Vehicle<'_>, cost: u32) -> u32 {
        scaled(cost, if vehicle.change > 0 { self.least.min(ONE) } else { self.least })
    }

    /// The greatest length that can cost no more than that, or a greater one.
    #[inline]
    pub(crate) fn length_for(&self, cost: u32) -> u32 {
        if self.least == ONE || cost == NOWHERE {
            return cost;
        }
        u32::try_from(u64::from(cost) * ONE / self.least + 1).unwrap_or(NOWHERE)
    }

    /// The cost of a length in tiles on the cheapest ground.
    pub(crate) fn cost_of_tiles(&self, length: f64) -> f64 {
        length * self.least as f64 / ONE as f64
    }

    /// The length that a cost in tiles is enough for, on the cheapest ground.
    pub(crate) fn tiles_for(&self, cost: f64) -> f64 {
        cost * ONE as f64 / self.least as f64
    }

    /// The length whose bound is no more than a cost.
    #[inline]
    pub(crate) fn length_below(&self, cost: u64) -> u32 {
        let length = u128::from(cost) * u128::from(ONE) / u128::from(self.least.max(1));
        u32::try_from(length).unwrap_or(NOWHERE - 1).min(NOWHERE - 1)
    }

    /// The numbers of the links that begin on a tile.
    #[inline]
    pub(crate) fn links_from(&self, home: u32) -> core::ops::Range<usize> {
        if self.links.is_empty() {
            return 0..0;
        }
        let first = self.links.partition_point(|link| link.from < home);
        let end = self.links.partition_point(|link| link.from <= home);
        first..end
    }

    /// The links that end on a tile.
    #[inline]
    pub(crate) fn links_to(&self, home: u32) -> &[TileLink] {
        if self.links_back.is_empty() {
            return &[];
        }
        let first = self.links_back.partition_point(|link| link.to < home);
        let end = self.links_back.partition_point(|link| link.to <= home);
        self.links_back.get(first..end).unwrap_or_default()
    }
}

/// A sum of quarters of parts by weights as a cost, rounded up.
fn whole(sum: u64) -> Option<u32> {
    let one = ONE * u64::from(QUARTERS);
    u32::try_from(sum.div_ceil(one)).ok().filter(|&cost| cost < NOWHERE)
}

/// A cost by a weight, rounded down; saturates below [`NOWHERE`].
#[inline]
fn scaled(cost: u32, weight: u64) -> u32 {
    if weight == ONE {
        return cost;
    }
    let exact = u128::from(cost) * u128::from(weight) / u128::from(ONE);
    u32::try_from(exact).unwrap_or(NOWHERE - 1).min(NOWHERE - 1)
}
