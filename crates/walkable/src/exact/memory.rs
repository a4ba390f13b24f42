//! An estimate of the memory that the work on a tile takes, from the sizes of what it holds.

use navbake_geom::{PackedBox, orient};
use navbake_level::Level;

use super::heights::VerticalRays;
use super::input::{self, Triangle};
use super::math::V2;
use super::measures::Measures;
use super::sampling::SamplingGrid;
use super::segments::cache::SegmentCache;
use crate::params::Params;

/// Bytes for each triangle that may matter to a tile's ground: itself, two trees, its rise over a
/// square, and about four cells of vertical rays over it.
const TRIANGLE: usize =
    size_of::<Triangle>() + 2 * size_of::<PackedBox>() + size_of::<V2>() + VerticalRays::BYTES;
/// Bytes for each square of ground: its node, and what is known of its edges, capsules and layer.
const SQUARE: usize = SamplingGrid::NODE + 4 * size_of::<u64>();
/// Bytes of any tile: a thread's stack and what its allocator keeps.
const TILE: usize = 1 << 20;

/// Estimates the bytes that a tile takes at its peak, for some classes of agents at a time.
///
/// Triangles are those that [`super::layers`] keeps; squares are the area of all ground over that
/// of a square. Takes linear time.
pub(crate) fn bytes(
    level: &Level,
    triangles: &[u32],
    key: [i32; 2],
    params: &Params,
    classes: usize,
) -> u64 {
    let measures = Measures::new(level, params, key);
    let area = measures.common_area();
    let kept = input::cull(level, triangles, params, area);
    let mut squares = 0.0;
    for (t, bounds, _) in kept.iter().filter(|k| k.2) {
        let [a, b, c] = level.corners(&level.triangles[*t as usize]).map(|p| p.flat());
        let whole = orient(a, b, c).abs() as f64 / 2.0;
        let share = |axis: usize| {
            let [from, to] = [bounds.low[axis], bounds.high[axis]].map(f64::from);
            let within = to.min(area[axis + 2]) - from.max(area[axis]);
            (within / (to - from).max(1.0)).clamp(0.0, 1.0)
        };
        squares += whole * share(0) * share(1);
    }
    squares /= measures.cell * measures.cell;
    // Segments of a class that is alone are not kept.
    let segments = if classes > 1 { SegmentCache::SHARED } else { SegmentCache::ALONE };
    (TILE + kept.len() * (TRIANGLE + segments)) as u64 + (squares * SQUARE as f64) as u64
}
