//! Ground triangles by place.

use navbake_geom::{Point, Point3, orient};

/// Surfaces no further apart than this, in grid units, lie at the same place: the grid has rounded them.
pub(super) const SAME: f64 = 1.5;
/// How far heights of a layer may be off by their own rounding.
const ROUNDED: f64 = 2.0;
/// Ground goes on over cracks between triangles; so far from a place without any triangle its area is looked for, the nearest first.
const AROUND: [i32; 2] = [4, 32];
/// Bins along a side.
const MOST_BINS: usize = 64;

/// A triangle of ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facet {
    /// In the ground plane, counter-clockwise seen from above.
    pub(super) flat: [Point; 3],
    /// In space, in the same order.
    pub(super) corners: [Point3; 3],
    /// Height over the first corner, and how it changes along x and z.
    slope: [f64; 2],
    pub(super) area: u8,
}

impl Facet {
    fn new(corners: [Point3; 3], area: u8) -> Option<Facet> {
        let [a, b, c] = corners;
        let corners = match orient(a.flat(), b.flat(), c.flat()) {
            0 => return None,
            turn if turn > 0 => [a, b, c],
            _ => [a, c, b],
        };
        let [a, b, c] = corners.map(|p| [p.x, p.y, p.z].map(f64::from));
        let (u, v) = (
            [0, 1, 2].map(|k| b[k] - a[k]),
            [0, 1, 2].map(|k| c[k] - a[k]),
        );
        let area_doubled = u[2] * v[0] - u[0] * v[2];
        let slope = [
            (u[2] * v[1] - u[1] * v[2]) / area_doubled,
            (u[1] * v[0] - u[0] * v[1]) / area_doubled,
        ];
        Some(Facet {
            flat: corners.map(Point3::flat),
            corners,
            slope,
            area,
        })
    }

    fn holds(&self, p: Point) -> bool {
        let [a, b, c] = self.flat;
        orient(a, b, p) >= 0 && orient(b, c, p) >= 0 && orient(c, a, p) >= 0
    }

    /// Height of its plane.
    pub(super) fn at(&self, [x, z]: [f64; 2]) -> f64 {
        let a = self.corners[0];
        f64::from(a.y) + self.slope[0] * (x - f64::from(a.x)) + self.slope[1] * (z - f64::from(a.z))
    }

    pub(super) fn slope(&self) -> [f64; 2] {
        self.slope
    }

    /// Least and greatest x, z and y.
    pub(super) fn bounds(&self) -> [[i32; 2]; 3] {
        let span = |of: fn(&Point3) -> i32| {
            let [a, b, c] = [0, 1, 2].map(|k| of(&self.corners[k]));
            [a.min(b).min(c), a.max(b).max(c)]
        };
        [span(|p| p.x), span(|p| p.z), span(|p| p.y)]
    }
}

/// Which kind of ground lies where: the triangles of ground in and around a tile, with their areas.
#[derive(Debug)]
pub struct AreaMap {
    pub(super) facets: Vec<Facet>,
    /// The highest step, grid units.
    climb: f64,
    least: [i32; 2],
    side: i64,
    size: [usize; 2],
    /// Facets by bin, and all areas in it.
    bins: Vec<(Vec<u32>, u64)>,
}

impl AreaMap {
    /// From corners and area (below 64) of triangles that an agent can stand on, whose highest step is `climb`. Their order does not matter.
    pub fn new(triangles: impl IntoIterator<Item = ([Point3; 3], u8)>, climb: i32) -> AreaMap {
        let all = triangles.into_iter();
        let facets: Vec<Facet> = all.filter_map(|(c, area)| Facet::new(c, area)).collect();
        let span = |k: usize| {
            let bounds = || facets.iter().map(|f| f.bounds()[k]);
            let least = bounds().map(|b| b[0]).min().unwrap_or(0);
            [least, bounds().map(|b| b[1]).max().unwrap_or(0)]
        };
        let (x, z) = (span(0), span(1));
        let bins = ((facets.len() as f64).sqrt() as i64).clamp(1, MOST_BINS as i64);
        let wide = |[a, b]: [i32; 2]| i64::from(b) - i64::from(a) + 1;
        let side = (wide(x).max(wide(z)) + bins - 1) / bins;
        let size = [x, z].map(|s| ((wide(s) + side - 1) / side) as usize);
        let mut map = AreaMap {
            facets,
            climb: f64::from(climb),
            least: [x[0], z[0]],
            side,
            size,
            bins: vec![(vec![], 0); size[0] * size[1]],
        };
        for (number, facet) in (0u32..).zip(map.facets.clone()) {
            let [x, z, _] = facet.bounds();
            for bin in map.bins_of(x, z) {
                map.bins[bin].0.push(number);
                map.bins[bin].1 |= 1 << (facet.area & 63);
            }
        }
        map
    }

    /// The area of all ground, when there is one only; `Some(0)` without any ground.
    pub fn only(&self) -> Option<u8> {
        let first = self.facets.first().map_or(0, |f| f.area);
        self.facets.iter().all(|f| f.area == first).then_some(first)
    }

    fn bin(&self, axis: usize, v: i32) -> usize {
        let at = (i64::from(v) - i64::from(self.least[axis])).div_euclid(self.side);
        at.clamp(0, self.size[axis] as i64 - 1) as usize
    }

    fn bins_of(&self, x: [i32; 2], z: [i32; 2]) -> impl Iterator<Item = usize> + use<> {
        let [x0, x1] = x.map(|v| self.bin(0, v));
        let [z0, z1] = z.map(|v| self.bin(1, v));
        let width = self.size[0];
        (z0..=z1).flat_map(move |j| (x0..=x1).map(move |i| j * width + i))
    }

    /// Is there ground of different areas in the bins around a box?
    pub(super) fn is_mixed(&self, x: [i32; 2], z: [i32; 2]) -> bool {
        let areas = self
            .bins_of(x, z)
            .fold(0, |set, bin| set | self.bins[bin].1);
        areas & areas.wrapping_sub(1) != 0
    }

    /// Facets that may meet a box, ascending.
    pub(super) fn among(&self, x: [i32; 2], z: [i32; 2]) -> Vec<u32> {
        let mut all: Vec<u32> = (self.bins_of(x, z))
            .flat_map(|bin| self.bins[bin].0.iter().copied())
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The area of the ground at a place: of the highest surface that is no higher than the layer there, which is `height()`. Of surfaces at one height the
    /// greatest area.
    fn area_at(&self, p: Point, height: &mut impl FnMut() -> f64) -> Option<u8> {
        let [x, z] = [p.x, p.z];
        let bin = self.bins_of([x, x], [z, z]).next()?;
        let here = || {
            let all = self.bins[bin].0.iter().map(|&f| &self.facets[f as usize]);
            all.filter(|f| f.holds(p))
        };
        let first = here().next()?;
        if here().all(|f| f.area == first.area) {
            return Some(first.area);
        }
        let y = height();
        let at = |f: &Facet| f.at([f64::from(x), f64::from(z)]);
        let highest = |low: f64, high: f64| {
            let all = here().map(at).filter(|h| (low..=high).contains(h));
            all.fold(None, |top: Option<f64>, h| {
                Some(top.map_or(h, |t| t.max(h)))
            })
        };
        // Where heights come from cells, they are less exact.
        let top = highest(y - ROUNDED, y + ROUNDED)
            .or_else(|| highest(y - self.climb, y + self.climb))?;
        let same = here().filter(|f| (top - SAME..=top).contains(&at(f)));
        same.map(|f| f.area).max()
    }

    /// The area of the ground at a place, or, in a crack between triangles, the greatest of those around.
    pub(super) fn area_near(&self, p: Point, mut height: impl FnMut() -> f64) -> Option<u8> {
        if let Some(area) = self.area_at(p, &mut height) {
            return Some(area);
        }
        AROUND.into_iter().find_map(|d| {
            let ways = [
                [d, 0],
                [d, d],
                [0, d],
                [-d, d],
                [-d, 0],
                [-d, -d],
                [0, -d],
                [d, -d],
            ];
            let beside = |[dx, dz]: [i32; 2]| Point::new(p.x + dx, p.z + dz);
            let found = ways
                .into_iter()
                .filter_map(|w| self.area_at(beside(w), &mut height));
            found.max()
        })
    }
}
