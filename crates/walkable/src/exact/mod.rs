//! Exact borders of the ground of a tile.
//!
//! A coarse lattice (two thirds of the radius) says only which storeys there are and how they hang together; every place on a border is
//! computed from the triangles, of which [`idle`] leaves out those that are in nobody's way:
//!
//! 1. [`borders`]: segments that ground ends at, each lying on the ground it bounds. They are found by interval arithmetic on edges alone:
//!    where a triangle cuts the slab between an agent's knee and head above a ground triangle, and edges of ground that no other
//!    ground within a step goes on from. These edges come first: most walls stand along one of them and need no segment of their own. Segments where nothing ends do no harm as long as nobody can stand there anyway.
//!    [`thin`] leaves out those that others make needless.
//! 2. [`lattice`]: ground under lattice points ([`columns`], run by run of points on the same triangles, and [`cracks`] for points that fall
//!    between ground and ground), linked to squares of four that are a step apart.
//! 3. [`reach`]: every segment spreads over the squares around it, along the ground and so never through a storey. The agent's
//!    centre must keep out of its [`stadium`], the places nearer than the radius. What is left of each lattice edge is a few gaps.
//! 4. [`walk`]: within a square, the border of the free ground is walked from gap to gap along the stadiums.
//! 5. [`sheets`] and [`rings`]: squares joined over gaps form layers, their border pieces rings ([`drawn`] without what rounding put into them).
//!
//! Heights of a layer are asked of its [`storey`], and of the [`ground`] where they bend ([`bends`]).
//!
//! Whatever the triangles are (crossing, doubled, cracked), the steps work on single segments and so cannot fail as a whole; what does not add
//! up in the end is reported, and the tile can be done by [`crate::spans`] instead. Coordinates in here are `f64` in grid units, X = x
//! and Y = -z, so that counter-clockwise is as usual. Only sums, products, quotients and square roots decide: the same on every machine.

mod bends;
mod blocks;
mod borders;
mod columns;
mod cover;
mod cracks;
mod drawn;
mod facet;
mod ground;
mod idle;
mod known;
mod lattice;
mod lines;
mod look;
mod parties;
mod parts;
mod pieces;
mod plumb;
mod reach;
mod rings;
mod sheets;
mod slab;
mod slots;
mod stadium;
mod storey;
mod thin;
#[cfg(test)]
mod trial;
mod walk;

pub use bends::{Bend, BendKind, BendRoom, BendSettings};
pub(crate) use facet::{EdgeKind, edge_kinds};
pub use ground::Ground;
pub(crate) use pieces::Pieces;
pub use pieces::Reuse;
pub use storey::Storey;

use std::sync::Arc;

use navbake_level::Level;

use crate::params::Params;
use crate::{Heights, Layer};
use pieces::Sight;

/// Lengths of the exact way, in grid units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measures {
    pub(crate) radius: f64,
    /// The greatest radius of agents with such tiles.
    widest: f64,
    pub(crate) height: f64,
    pub(crate) climb: f64,
    /// Side of a lattice square.
    pub(crate) cell: f64,
    /// Squares along a tile.
    pub(crate) count: i32,
    /// Ground missing over less than this is stepped over.
    pub(crate) crack: f64,
    /// The same for the greatest radius.
    widest_crack: f64,
    /// Least X and Y of the tile.
    pub(crate) corner: [f64; 2],
}

impl Measures {
    fn new(level: &Level, params: &Params, key: [i32; 2]) -> Measures {
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
            crack: crack(level, radius),
            widest_crack: crack(level, f64::from(params.widest)),
            corner: [f64::from(key[0]) * side, -f64::from(key[1] + 1) * side],
        }
    }

    /// How far from the tile triangles matter.
    fn margin(&self) -> f64 {
        margin(self.radius, self.crack)
    }

    /// The tile with its margin: least X, least Y, greatest X, greatest Y.
    fn area(&self) -> [f64; 4] {
        self.around(self.margin())
    }

    /// The tile with the margin of the greatest radius that has such tiles.
    fn common_area(&self) -> [f64; 4] {
        self.around(margin(self.widest, self.widest_crack))
    }

    fn around(&self, margin: f64) -> [f64; 4] {
        let side = self.cell * f64::from(self.count);
        let [x, y] = self.corner;
        [x - margin, y - margin, x + side + margin, y + side + margin]
    }
}

/// How wide cracks an agent of a radius steps over.
fn crack(level: &Level, radius: f64) -> f64 {
    (0.1 * level.grid.units()).min(0.35 * radius)
}

/// How far from a tile triangles matter to an agent of a radius that steps over so wide cracks.
fn margin(radius: f64, crack: f64) -> f64 {
    radius * stadium::WIDEST + crack + 8.0 + thin::Thin::margin(radius)
}

/// What did not add up in a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{open_rings} border lines do not close")]
pub struct Contradiction {
    /// Border lines that did not close.
    pub open_rings: u32,
}

/// The layers of a tile from the given triangles of the level (ascending), for classes of agents that share tiles: `f` gets the place of each class in
/// the list and its layers. What does not depend on the radius is worked out once for all, and is the same for each class as if it were alone.
///
/// # Errors
/// For a class whose borders do not close.
pub(crate) fn layers(
    level: &Level,
    kinds: &[[EdgeKind; 3]],
    triangles: &[u32],
    key: [i32; 2],
    classes: &[&Params],
    pieces: Option<&Pieces>,
    mut f: impl FnMut(usize, Result<Vec<Layer>, Contradiction>),
) {
    let measures: Vec<Measures> = classes
        .iter()
        .map(|params| Measures::new(level, params, key))
        .collect();
    let (Some(params), Some(common)) = (classes.first(), measures.first()) else {
        return;
    };
    let facets = facet::Facets::new(level, kinds, triangles, params, common.common_area());
    if !facets.has_ground() {
        (0..classes.len()).for_each(|k| f(k, Ok(vec![])));
        return;
    }
    let facets = Arc::new(facets);
    let plumb = Arc::new(plumb::Plumb::new(&facets, common));
    let mut known = known::Known::new(&facets);
    let sight = pieces.map(|pieces| pieces::Sight {
        level,
        kinds,
        params,
        measures: common,
        pieces,
    });
    for (k, (params, measures)) in classes.iter().zip(&measures).enumerate() {
        let ground = Ground::new(facets.clone(), plumb.clone(), measures);
        f(
            k,
            of_class(&mut known, sight.as_ref(), ground, params, measures),
        );
    }
}

/// The layers of a tile for one class.
fn of_class(
    known: &mut known::Known,
    pieces: Option<&Sight>,
    ground: Ground,
    params: &Params,
    measures: &Measures,
) -> Result<Vec<Layer>, Contradiction> {
    let facets = &ground.facets;
    let lattice = lattice::Lattice::new(facets, measures);
    let segments = borders::segments(facets, &lattice, measures, known, pieces);
    let reach = reach::Reach::new(&lattice, &segments, measures);
    let sheets = sheets::Sheets::new(&lattice, &reach);
    let rings = rings::rings(&lattice, &reach, &sheets)?;
    let ground = Arc::new(ground);
    let scaffold = Arc::new(storey::Scaffold::new(lattice, sheets, measures));
    let layer = |(sheet, rings)| Layer {
        rings,
        heights: Heights {
            cell: params.square,
            ..Heights::default()
        },
        ground: Some(Storey::new(&ground, &scaffold, sheet)),
    };
    Ok(rings.into_iter().map(layer).collect())
}
