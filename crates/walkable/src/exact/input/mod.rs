//! The triangles near a tile that matter to its ground, and an index of them by place.

mod culling;
mod edges;
mod triangle;

use navbake_geom::{BoxBounds, BoxFrame, Bvh, PackedBox, Whole, morton_order};
use navbake_level::Level;

use super::math::V2;
use crate::params::Params;
pub(crate) use culling::cull;
pub(crate) use edges::{EdgeKind, edge_kinds};
pub(crate) use triangle::{GROUND, Triangle, UPRIGHT};

/// The triangles near a tile that matter to its ground, by place; none if there is no ground.
#[derive(Debug, Default)]
pub(crate) struct Triangles {
    pub(crate) all: Vec<Triangle>,
    has_ground: bool,
    frame: BoxFrame,
    /// By place, with their [`Triangle::mark`].
    tree: Bvh,
    /// A tree of the ground alone, if that is less than three quarters of all triangles.
    grounds: Option<Bvh>,
}

impl Triangles {
    /// Those triangles that meet an area and are ground or may affect it. The area is least X,
    /// least Y, greatest X, greatest Y.
    pub(crate) fn new(
        level: &Level,
        kinds: &[[EdgeKind; 3]],
        triangles: &[u32],
        params: &Params,
        area: [f64; 4],
    ) -> Triangles {
        let all = culling::cull(level, triangles, params, area);
        let triangle = |(t, b, _): (u32, BoxBounds, bool)| {
            let [[x0, y0, _], [x1, y1, _]] = [b.low, b.high].map(|c| c.map(f64::from));
            Triangle::new(level, kinds, t, [x0, y0, x1, y1], params)
        };
        Triangles::of(all.into_iter().map(triangle).collect(), area)
    }

    /// Of some triangles about an area; none where no ground is among them.
    fn of(all: Vec<Triangle>, area: [f64; 4]) -> Triangles {
        if !all.iter().any(|f| f.ground) {
            return Triangles::default();
        }
        let area = area.map(|v| v.to_floor());
        let frame = BoxFrame::new(all.iter().map(Triangle::to_box), area);
        let entries = (0u32..).zip(&all);
        let entries: Vec<PackedBox> =
            entries.map(|(k, f)| frame.entry(&f.to_box(), k, f.mark())).collect();
        let mut order = morton_order(&entries);
        let tree = Bvh::new(&entries, &order);
        order.retain(|&key| entries[key as u32 as usize].mark() == GROUND);
        let are_few = order.len() < all.len() / 4 * 3;
        let grounds = are_few.then(|| Bvh::new(&entries, &order));
        Triangles { all, has_ground: true, frame, tree, grounds }
    }

    pub(crate) fn has_ground(&self) -> bool {
        self.has_ground
    }

    /// Calls `f` for each triangle above or below a place of the grid, borders included, that is
    /// not upright and has heights from `low` to `high`.
    pub(crate) fn at(&self, p: V2, low: f64, high: f64, mut f: impl FnMut(&Triangle)) {
        let wanted = self.wanted([p[0], p[1], p[0], p[1]], low, high);
        self.tree.near(&wanted, |entry| {
            let triangle = &self.all[entry.index() as usize];
            if entry.mark() != UPRIGHT && (0..3).all(|k| triangle.inside_of(k, p) >= 0.0) {
                f(triangle);
            }
        });
    }

    /// Calls `f` once for each triangle that meets `wanted`.
    pub(crate) fn near(&self, wanted: &PackedBox, f: impl FnMut(&PackedBox)) {
        self.tree.near(wanted, f);
    }

    /// Collects the indices of ground triangles that meet a box and have heights from `low` to
    /// `high`.
    pub(crate) fn collect(&self, bounds: [f64; 4], low: f64, high: f64, out: &mut Vec<u32>) {
        out.clear();
        let wanted = self.wanted(bounds, low, high);
        self.ground_near(&wanted, |e| out.push(e.index()));
    }

    /// Calls `f` once for each ground triangle that meets `wanted`.
    pub(crate) fn ground_near(&self, wanted: &PackedBox, mut f: impl FnMut(&PackedBox)) {
        let tree = self.grounds.as_ref().unwrap_or(&self.tree);
        tree.near(wanted, |e| {
            if e.mark() == GROUND {
                f(e);
            }
        });
    }

    /// The packed box of a triangle, with a mark.
    #[inline]
    pub(crate) fn packed(&self, triangle: u32, mark: u32) -> PackedBox {
        self.frame.entry(&self.all[triangle as usize].to_box(), triangle, mark)
    }

    /// The packed box to search for triangles that meet a box and have heights from `low` to
    /// `high`.
    pub(crate) fn wanted(&self, bounds: [f64; 4], low: f64, high: f64) -> PackedBox {
        self.frame.entry(&whole(bounds, low, high), 0, 0)
    }
}

/// The box of the whole numbers inside a box of floats.
fn whole([x0, y0, x1, y1]: [f64; 4], low: f64, high: f64) -> BoxBounds {
    BoxBounds { low: [x0, y0, low].map(Whole::to_ceil), high: [x1, y1, high].map(Whole::to_floor) }
}
