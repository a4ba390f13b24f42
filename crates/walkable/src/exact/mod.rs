//! The ground of a tile and its borders, computed from the triangles themselves.
//!
//! The agent's centre must stay its radius away from every place where ground ends. No polygon is
//! built from triangles: ground ends at *segments*, found one by one, and a segment keeps the
//! centre out of its *capsule*, the places nearer than the radius. What no capsule covers is
//! walkable. A coarse grid says which layers there are and how they connect; no border follows it.
//!
//! ```text
//! segment    a----------------b
//!           .------------------.            o = node of the sampling grid
//! capsule  (   a------------b   )     o-----+~~~~~o     + = where a capsule cuts an edge
//!           '------------------'      |    /      |     ~ = opening, what is left of the edge
//!                                     |   / free  |     / = border, a side of a capsule
//!                                     +--'~~~~~~~~o
//! ```
//!
//! The folders are the steps, in this order:
//!
//! 1. [`input`]: the triangles near the tile, without those that are neither ground nor near it.
//! 2. [`sampling`]: ground under the points of a grid of squares two thirds of the radius wide,
//!    each point linked to its neighbours a step away.
//! 3. [`segments`]: the segments that ground ends at. [`occlusion`] drops parts that no agent can
//!    be beside, and a cache keeps what does not depend on the radius for the next class of agents.
//! 4. [`capsules`]: each segment spreads along the ground over the squares around it, so never to
//!    another layer. Its capsule cuts their edges; what is left of an edge are its openings.
//! 5. [`layer_map`]: squares connected over openings form layers.
//! 6. [`rings`]: within a square the border is walked along capsules, from opening to opening. The
//!    pieces of a layer join to rings.
//! 7. [`heights`]: the height of a layer at a place, and where its ground may bend.
//!
//! Most of a terrain is [`plain`] ground: one surface that goes on everywhere. Step 3 passes over
//! its triangles, and a tile that has no other ground needs steps 1 and 7 only.
//!
//! A step involves two triangles at a time, so crossing, doubled and cracked triangles do no harm.
//! Where rounding makes borders that do not close, nodes are closed until they do. Coordinates are
//! `f64` in grid units, X = x and Y = -z, so that counter-clockwise is as usual. Only sums,
//! products, quotients and square roots decide: the same on every machine.

mod capsules;
mod heights;
mod input;
mod layer_map;
mod math;
mod measures;
mod memory;
mod occlusion;
mod plain;
mod rings;
mod sampling;
mod segment;
mod segments;
#[cfg(test)]
mod test_levels;

use std::cell::OnceCell;
use std::sync::Arc;

use navbake_level::Level;

use crate::layers::{Heights, Layer, Ring};
use crate::params::Params;
use capsules::Clearance;
pub use capsules::NarrowPassage;
pub use heights::{
    BreaklineKind, BreaklineSample, BreaklineScratch, BreaklineSettings, Ground, LayerGround,
};
use heights::{LayerSquares, VerticalRays};
use input::Triangles;
pub(crate) use input::{EdgeKind, edge_kinds};
use layer_map::LayerMap;
use measures::Measures;
pub(crate) use memory::bytes;
use plain::Plain;
use sampling::SamplingGrid;
use segments::cache::SegmentCache;

/// The layers of a tile, for classes of agents that share tiles.
///
/// `triangles` are those of the level that matter to the tile, ascending. `f` gets the index of
/// each class and its layers. What does not depend on the radius is computed once for all classes;
/// a class gets the same layers as if it were alone.
pub(crate) fn layers(
    level: &Level,
    kinds: &[[EdgeKind; 3]],
    triangles: &[u32],
    key: [i32; 2],
    classes: &[&Params],
    mut f: impl FnMut(usize, Vec<Layer>, Vec<NarrowPassage>),
) {
    let measures: Vec<Measures> =
        classes.iter().map(|params| Measures::new(level, params, key)).collect();
    let (Some(params), Some(common)) = (classes.first(), measures.first()) else {
        return;
    };
    let triangles = Triangles::new(level, kinds, triangles, params, common.common_area());
    if !triangles.has_ground() {
        (0..classes.len()).for_each(|k| f(k, vec![], vec![]));
        return;
    }
    let triangles = Arc::new(triangles);
    let plain = Plain::new(&triangles, common);
    // Not before they are needed: segments take as much memory.
    let rays = OnceCell::new();
    let mut cache = SegmentCache::new(&triangles, classes.len());
    for (k, (params, measures)) in classes.iter().zip(&measures).enumerate() {
        let ground = || {
            let rays = rays.get_or_init(|| Arc::new(VerticalRays::new(&triangles, common)));
            Ground::new(triangles.clone(), rays.clone(), measures)
        };
        let (layers, narrow) = of_class(&triangles, &plain, &mut cache, ground, params, measures);
        f(k, layers, narrow);
    }
}

/// The layers of a tile for one class, and its passages about as wide as the agent.
fn of_class(
    triangles: &Triangles,
    plain: &Plain,
    cache: &mut SegmentCache,
    ground: impl FnOnce() -> Ground,
    params: &Params,
    measures: &Measures,
) -> (Vec<Layer>, Vec<NarrowPassage>) {
    let to_layers = |sampled, all: Vec<(u32, Vec<Ring>)>| {
        let ground = Arc::new(ground());
        let squares = Arc::new(LayerSquares::new(sampled, measures));
        let to_layer = |(layer, rings)| Layer {
            rings,
            heights: Heights { cell: params.square, ..Heights::default() },
            ground: Some(LayerGround::new(&ground, &squares, layer)),
        };
        all.into_iter().map(to_layer).collect()
    };
    if plain.is_whole(measures) {
        return (to_layers(None, vec![(0, vec![plain::whole_ring(measures)])]), vec![]);
    }
    let grid = SamplingGrid::new(triangles, measures);
    let segments = segments::segments(triangles, &grid, measures, cache, plain);
    let (mut clearance, plugs) = Clearance::new(&grid, &segments, measures);
    drop(segments);
    let mut layers = LayerMap::new(&grid, &clearance);
    let (mut rings, unclosed) = rings::rings(&grid, &clearance, &layers);
    if unclosed > 0 {
        clearance.agree(&grid);
        layers = LayerMap::new(&grid, &clearance);
        rings = rings::rings(&grid, &clearance, &layers).0;
    }
    drop(clearance);
    let narrow = plugs.iter().filter_map(|plug| plug.passage(measures)).collect();
    (to_layers(Some((grid, layers)), rings), narrow)
}
