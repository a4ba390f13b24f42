//! The room that units take on a grid map.

use alloc::vec;
use alloc::vec::Vec;

use navbake_format::{CellShape, GridMapView};
use navbake_navmesh::math;

/// The room that a unit takes on a grid map.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum UnitShape {
    /// The cell it is on.
    #[default]
    Cell,
    /// A disc around the middle of its cell, its radius in metres: it may touch blocked cells.
    Disc(f64),
    /// A block of this many cells along both axes, 1 to 64.
    ///
    /// Its cell is in the middle, or with an even number before the middle. Of hexagons, all that
    /// are fewer than this many steps away.
    Block(u32),
}

/// The cells that a unit covers, by columns and rows from its own, in a row of this parity.
pub(crate) fn covers(map: &GridMapView<'_>, unit: UnitShape, parity: i64) -> Vec<[i32; 2]> {
    let shape = map.shape();
    let within = |most: i64, is_covered: &dyn Fn([i64; 2]) -> bool| {
        let all = (-most..=most).flat_map(|dz| (-most..=most).map(move |dx| [dx, dz]));
        all.filter(|&by| is_covered(by)).map(|by| by.map(|v| v as i32)).collect()
    };
    // Columns and rows from a cell in such a row.
    let from_own = |[dx, dz]: [i64; 2]| [dx, parity + dz];
    match unit {
        UnitShape::Cell => vec![[0, 0]],
        UnitShape::Block(side) => {
            let side = i64::from(side.clamp(1, 64));
            let reach = -(side - 1) / 2..=side / 2;
            within(side, &|[dx, dz]| match shape {
                CellShape::Square => reach.contains(&dx) && reach.contains(&dz),
                CellShape::Hexagon => shape.steps([0, parity], from_own([dx, dz])) < side as u64,
            })
        }
        UnitShape::Disc(radius) => {
            let radius = radius / map.cell();
            let radius = if radius.is_nan() { 0.0 } else { radius.clamp(0.0, 64.0) };
            let middle = shape.middle([0, parity]);
            within(radius as i64 + 2, &|by| {
                by == [0, 0] || math::sqrt(shape.square_apart(middle, from_own(by))) < radius
            })
        }
    }
}
