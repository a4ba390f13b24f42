//! Bands along walls and ledges: ground too narrow for wider agents, by their radius.

use navbake_geom::Point;
use navbake_walkable::Layer;

use super::creases::Border;
use super::ground_triangles::AreaMap;
use crate::layer_heights::LayerHeights;
use crate::simplify::simplify;

/// The bands of a tile along its borders: ground that agents of some greater radii lack.
pub struct Bands<'a> {
    /// For each radius, ascending, the ground for agents of it.
    inner: Vec<Vec<Inner<'a>>>,
    /// The areas of the ground, before bands divide them.
    areas: u8,
    /// The highest step, grid units.
    climb: f64,
}

/// A layer of ground for a greater radius.
struct Inner<'a> {
    border: Border,
    /// Parts of its border that are no seams.
    edges: Vec<[Point; 2]>,
    heights: LayerHeights<'a>,
}

impl<'a> Bands<'a> {
    /// From the layers of a tile for greater radii, ascending, and the number of areas.
    ///
    /// An area of ground that `n` of the radii keep off is numbered as the area, and `n` times
    /// `areas` more. Borders are drawn into the layers by up to `tolerance` grid units, to save
    /// corners; nothing in a layer whose heights make no sense counts.
    pub fn new(layers: &'a [Vec<Layer>], areas: u8, climb: i32, tolerance: i32) -> Bands<'a> {
        let inner = |layer: &'a Layer| {
            let heights = LayerHeights::new(layer)?;
            let rings = simplify(&layer.rings, tolerance);
            let mut edges = vec![];
            for ring in &rings {
                let n = ring.points.len();
                let closed = (0..n).filter(|&i| !ring.open[i]);
                edges.extend(closed.map(|i| {
                    let (a, b) = (ring.points[i], ring.points[(i + 1) % n]);
                    [a.min(b), a.max(b)]
                }));
            }
            Some(Inner { border: Border::new(&rings), edges, heights })
        };
        let of = |layers: &'a Vec<Layer>| layers.iter().filter_map(inner).collect();
        Bands { inner: layers.iter().map(of).collect(), areas, climb: f64::from(climb) }
    }

    /// Lines along which bands meet, lesser end first.
    pub(super) fn lines(&self) -> impl Iterator<Item = [Point; 2]> {
        let inner = self.inner.iter().flatten();
        inner.flat_map(|inner| inner.edges.iter().copied())
    }

    /// The number of the area of ground in a place of that height.
    pub(super) fn of(&self, area: u8, p: Point, height: f64) -> u8 {
        let at = [f64::from(p.x), f64::from(p.z)];
        let holds = |inner: &Inner<'_>| {
            let holds = inner.border.holds(at);
            holds && (f64::from(inner.heights.height(p, [0; 2])) - height).abs() <= self.climb
        };
        let outside = self.inner.iter().filter(|all| !all.iter().any(holds));
        area + self.areas * outside.count() as u8 // fewer than 64 in all
    }
}

/// What decides the area of ground.
pub(super) struct Kinds<'a> {
    pub(super) map: &'a AreaMap,
    pub(super) bands: Option<&'a Bands<'a>>,
}

impl Kinds<'_> {
    /// The area of the ground at a place of the layer, whose height is asked for where it matters.
    pub(super) fn at(&self, p: Point, mut height: impl FnMut() -> f64) -> Option<u8> {
        let area = self.map.area_near(p, &mut height)?;
        Some(self.bands.map_or(area, |bands| bands.of(area, p, height())))
    }
}
