//! Reached ground beside ground that is not.

use navbake_format::PolyId;

use crate::Walker;
use crate::cell_map::CellMap;
use crate::rules::islands::Piece;

/// Ground this near to what is reached is beside it, m.
const BESIDE: f64 = 3.0;

/// The corners of the polygons that are reached, by squares of the ground plane.
#[derive(Default)]
pub(super) struct Reached(CellMap<[i32; 2], Vec<[f64; 3]>>);

impl Reached {
    /// Adds polygons.
    pub(super) fn add(&mut self, walker: &Walker<'_>, polygons: impl Iterator<Item = u32>) {
        for at in polygons.flat_map(|p| corners(walker, p)) {
            self.0.entry(square(at)).or_default().push(at);
        }
    }

    /// How far the corners of a piece are above those that are reached beside them, m.
    pub(super) fn rises(&self, walker: &Walker<'_>, piece: &Piece) -> impl Iterator<Item = f64> {
        let own = piece.polygons.iter().flat_map(|&p| corners(walker, p));
        own.flat_map(|own| self.near(own).map(move |at| own[1] - at[1]))
    }

    fn near(&self, at: [f64; 3]) -> impl Iterator<Item = [f64; 3]> {
        let [x, z] = square(at);
        let squares = (-1..=1).flat_map(move |dx| (-1..=1).map(move |dz| [x + dx, z + dz]));
        let all = squares.filter_map(|square| self.0.get(&square)).flatten().copied();
        all.filter(move |p| (p[0] - at[0]).hypot(p[2] - at[2]) <= BESIDE)
    }
}

fn square(at: [f64; 3]) -> [i32; 2] {
    [at[0], at[2]].map(|c| (c / BESIDE).floor() as i32) // of a level of some kilometres
}

/// The corners of a polygon on its ground, y-up metres.
fn corners(walker: &Walker<'_>, polygon: u32) -> Vec<[f64; 3]> {
    let polygon = walker.mesh.polygon(PolyId(polygon));
    let corner = |k| {
        let [x, z] = polygon.corner(k).map(f64::from);
        walker.mesh.grid().metres([x, polygon.height([x, z]), z])
    };
    (0..polygon.len()).map(corner).collect()
}
