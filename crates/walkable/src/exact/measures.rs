//! The lengths that all steps need, and how far around a tile triangles matter.

use navbake_level::Level;

use crate::params::Params;

/// Greatest distance of a corner of the polygon from its segment, in radii: `TANGENT / cos 15`,
/// rounded up.
pub(crate) const WIDEST: f64 = 1.03;

/// The longest segment that may be dropped for being near others, as a share of the radius.
pub(crate) const SHORT: f64 = 1.0 / 32.0;

/// Lengths that the steps need, in grid units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measures {
    pub(crate) radius: f64,
    /// The greatest radius of agents that may share this tile.
    pub(super) widest: f64,
    pub(crate) height: f64,
    pub(crate) climb: f64,
    /// Side of a sampling grid square.
    pub(crate) cell: f64,
    /// Squares along a tile.
    pub(crate) count: i32,
    /// Ground missing over less than this is stepped over.
    pub(crate) gap: f64,
    /// `gap` for the greatest radius.
    pub(super) widest_gap: f64,
    /// Least X and Y of the tile.
    pub(crate) corner: [f64; 2],
}

impl Measures {
    pub(super) fn new(level: &Level, params: &Params, key: [i32; 2]) -> Measures {
        let (cell, count) = (params.square, params.tile / params.square);
        let side = f64::from(params.tile);
        let radius = f64::from(params.radius);
        Measures {
            radius,
            widest: f64::from(params.widest),
            height: f64::from(params.height),
            climb: f64::from(params.climb),
            cell: f64::from(cell),
            count,
            gap: gap(level, radius),
            widest_gap: gap(level, f64::from(params.widest)),
            corner: [f64::from(key[0]) * side, -f64::from(key[1] + 1) * side],
        }
    }

    /// How far from the tile triangles matter.
    pub(super) fn margin(&self) -> f64 {
        margin(self.radius, self.gap)
    }

    /// The tile with its margin: least X, least Y, greatest X, greatest Y.
    pub(super) fn area(&self) -> [f64; 4] {
        self.around(self.margin())
    }

    /// The tile with the margin of the greatest radius that has such tiles.
    pub(super) fn common_area(&self) -> [f64; 4] {
        self.around(margin(self.widest, self.widest_gap))
    }

    fn around(&self, margin: f64) -> [f64; 4] {
        let side = self.cell * f64::from(self.count);
        let [x, y] = self.corner;
        [x - margin, y - margin, x + side + margin, y + side + margin]
    }
}

/// The widest gap in the ground that an agent of this radius steps over.
fn gap(level: &Level, radius: f64) -> f64 {
    (0.1 * level.grid.units()).min(0.35 * radius)
}

/// How far from a tile triangles matter to an agent of this radius that steps over such gaps.
fn margin(radius: f64, gap: f64) -> f64 {
    radius * WIDEST + gap + 8.0 + 2.0 * radius * SHORT
}
