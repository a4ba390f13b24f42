//! Random places, uniform by area over the mesh, an island, or a path distance.
//!
//! All decisions use whole numbers, or floats that are the same on every machine. So one seed gives
//! one sequence everywhere.

use core::ops::SubAssign;

use navbake_format::exact::orient;
use navbake_format::{IslandId, PolyId, Polygon};

use crate::locate::extent;
use crate::shapes::Shape;
use crate::{Memory, NavPoint, NavQuery, surface};
use navbake_navmesh::math::{distance, float, round};

/// Random numbers by SplitMix64. Not for secrets.
///
/// Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random(u64);

impl Random {
    /// One seed, one sequence.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform from 0 to below `n`; 0 for an `n` of 0.
    ///
    /// The bias is less than `n` in 2^64.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u64
    }

    /// Uniform from 0 to below 1.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Prefix sums of the polygons' areas, in memory of the caller.
///
/// Made once per mesh by [`NavQuery::areas`].
#[derive(Clone, Copy, Debug)]
pub struct Areas<'s> {
    /// The sum up to and including each polygon: twice the area in square grid units.
    sums: &'s [u64],
    square: f64,
}

impl<'s> Areas<'s> {
    /// Wraps sums that [`NavQuery::areas`] filled before.
    ///
    /// Sums of another mesh do no harm, but the results are meaningless.
    pub fn from_sums(query: &NavQuery<'_>, sums: &'s [u64]) -> Areas<'s> {
        let units = query.mesh().grid().units();
        Areas { sums, square: 2.0 * units * units }
    }

    /// The area of all polygons seen from above, m². Each storey counts.
    pub fn total(&self) -> f64 {
        self.before(self.sums.len()) as f64 / self.square
    }

    fn before(&self, polygon: usize) -> u64 {
        polygon.checked_sub(1).map_or(0, |last| self.sums[last])
    }

    /// A random polygon of a range, by area.
    fn pick(&self, first: usize, end: usize, random: &mut Random) -> Option<PolyId> {
        let (low, high) = (self.before(first), self.before(end));
        if low >= high {
            return None;
        }
        let target = low.saturating_add(random.below(high - low));
        let i = self.sums.partition_point(|&sum| sum <= target);
        Some(PolyId(u32::try_from(i).ok()?))
    }
}

/// The largest number of draws for one place.
///
/// A place is drawn again when rounding moved it off its polygon, or when it is out of reach.
const TRIES: usize = 64;

impl NavQuery<'_> {
    /// Fills prefix sums of areas for random places.
    ///
    /// `None` when the slice is shorter than the number of polygons.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let mut sums = vec![0; nav.mesh().polygon_count() as usize];
    /// let areas = query.areas(&mut sums).unwrap();
    /// assert_eq!(areas.total(), 90.0); // m²
    /// ```
    pub fn areas<'s>(&self, sums: &'s mut [u64]) -> Option<Areas<'s>> {
        let sums = sums.get_mut(..self.mesh().polygon_count() as usize)?;
        let (mut sum, mesh) = (0u64, self.mesh());
        for (number, slot) in (0..).zip(&mut *sums) {
            // Pieces of a polygon count for it: the polygons of an island have consecutive numbers.
            if number < mesh.polys().baked_len() {
                mesh.polys().each_piece(number, |piece| {
                    sum = sum.wrapping_add(self.open_area(PolyId(piece)));
                });
            }
            *slot = sum;
        }
        Some(Areas::from_sums(self, sums))
    }

    /// A random place, uniform by area over the whole mesh.
    ///
    /// `None` when the mesh is empty or the areas are those of another mesh.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// use navbake_search::around::Random;
    ///
    /// let mut sums = vec![0; nav.mesh().polygon_count() as usize];
    /// let areas = query.areas(&mut sums).unwrap();
    /// let mut random = Random::new(7);
    /// assert!(query.random_place(&areas, &mut random).is_some());
    /// ```
    pub fn random_place(&self, areas: &Areas<'_>, random: &mut Random) -> Option<NavPoint> {
        self.random_of(areas, 0, areas.sums.len(), random)
    }

    /// A random place of an island, uniform by area. `None` without such an island.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let at = query.locate([1.0, 0.0, 1.0], 2.0).unwrap();
    /// use navbake_search::around::Random;
    ///
    /// let mut sums = vec![0; nav.mesh().polygon_count() as usize];
    /// let areas = query.areas(&mut sums).unwrap();
    /// let island = nav.mesh().island(at.polygon());
    /// assert!(query.random_on_island(&areas, island, &mut Random::new(7)).is_some());
    /// ```
    pub fn random_on_island(
        &self,
        areas: &Areas<'_>,
        island: IslandId,
        random: &mut Random,
    ) -> Option<NavPoint> {
        if !self.mesh().polys().islands.is_empty() {
            return self.random_on_joined(areas, island, random);
        }
        // The polygons of an island have consecutive numbers.
        let start = |island: u32| {
            let (mut low, mut high) = (0, self.mesh().polys().baked_len());
            while low < high {
                let middle = low + (high - low) / 2;
                if self.mesh().island(PolyId(middle)).0 < island {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            low as usize
        };
        let end = island.0.checked_add(1).map(start)?;
        self.random_of(areas, start(island.0), end, random)
    }

    /// The same where islands are joined from several, whose polygons have any numbers. O(n).
    fn random_on_joined(
        &self,
        areas: &Areas<'_>,
        island: IslandId,
        random: &mut Random,
    ) -> Option<NavPoint> {
        if areas.sums.len() != self.mesh().polygon_count() as usize {
            return None;
        }
        let own = |polygon: usize| match self.mesh().island(PolyId(polygon as u32)) == island {
            true => areas.before(polygon + 1).saturating_sub(areas.before(polygon)),
            false => 0,
        };
        let polygons = 0..self.mesh().polys().baked_len() as usize;
        let total = polygons.clone().map(own).fold(0, u64::saturating_add);
        let chosen = drawn(random.below(total), polygons.map(|polygon| (polygon, own(polygon))));
        self.random_of(areas, chosen?, chosen? + 1, random)
    }

    /// Twice the area of a polygon; 0 if it is blocked, as such ground holds no place.
    fn open_area(&self, polygon: PolyId) -> u64 {
        match self.closings().is_closed(polygon) {
            true => 0,
            false => doubled_area(&self.mesh().polygon(polygon)),
        }
    }

    fn random_of(
        &self,
        areas: &Areas<'_>,
        first: usize,
        end: usize,
        random: &mut Random,
    ) -> Option<NavPoint> {
        if areas.sums.len() != self.mesh().polygon_count() as usize {
            return None;
        }
        let mut id = areas.pick(first, end, random)?;
        let polys = self.mesh().polys();
        if polys.is_gone(id.0) {
            let pieces = || polys.pieces_of(id.0).map(|p| (PolyId(p), self.open_area(PolyId(p))));
            let target = random.below(pieces().map(|(_, area)| area).sum());
            id = drawn(target, pieces())?;
        }
        let point = inside(&self.mesh().polygon(id), random)?;
        self.on_polygon_grid(id, point)
    }

    /// A random place within `most` metres of path from a place.
    ///
    /// Uniform by area over all that [`NavQuery::around`] reaches with [`Shape::Walk`]. The path
    /// that counts crosses portals at their nearest points and then goes straight on. Returns the
    /// place itself when no draw succeeds.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let at = query.locate([1.0, 0.0, 1.0], 2.0).unwrap();
    /// use navbake_search::around::Random;
    ///
    /// let there = query.random_within(&at, 3.0, &mut Random::new(7), &mut scratch);
    /// let [x, _, z] = there.position();
    /// assert!((x - 1.0).hypot(z - 1.0) <= 3.0);
    /// ```
    pub fn random_within(
        &self,
        from: &NavPoint,
        most: f64,
        random: &mut Random,
        scratch: &mut dyn Memory,
    ) -> NavPoint {
        let reached = self.around(from, Shape::Walk(most), scratch).polygons;
        let grid = self.mesh().grid();
        let most = extent(grid, most);
        // Each polygon counts only inside the square around the circle of the remaining distance.
        // At least half of that part is in the circle: shrinking it towards the entry by the square
        // root of two puts it there.
        let pieces = |reached: &crate::flood::Reached| {
            let polygon = self.mesh().polygon(reached.polygon());
            Square {
                polygon,
                centre: reached.entry,
                half: (most - reached.distance() * grid.units()).max(0.0),
            }
        };
        let total: f64 = reached.iter().map(|r| pieces(r).area()).sum();
        for _ in 0..TRIES {
            let areas = reached.iter().map(|r| (r, pieces(r).area()));
            let Some(chosen) = drawn(random.unit() * total, areas) else {
                continue;
            };
            let square = pieces(chosen);
            let Some(place) = square.pick(random) else {
                continue;
            };
            if distance(float(place), square.centre) <= square.half
                && let Some(place) = self.on_polygon_grid(chosen.polygon(), place)
            {
                return place;
            }
        }
        *from
    }
}

/// Twice the area of a polygon, exact.
fn doubled_area(polygon: &Polygon<'_, '_>) -> u64 {
    let fan = (1..polygon.len().saturating_sub(1)).map(|k| fan_area(polygon, k));
    fan.fold(0, u64::wrapping_add)
}

/// Twice the area of triangle `k` of a polygon's fan.
fn fan_area(polygon: &Polygon<'_, '_>, k: u32) -> u64 {
    orient(polygon.corner(0), polygon.corner(k), polygon.corner(k + 1)).max(0) as u64
}

/// The first item whose area, with those of the items before it, exceeds the target.
fn drawn<T, A>(mut target: A, items: impl Iterator<Item = (T, A)>) -> Option<T>
where
    A: Copy + PartialOrd + SubAssign,
{
    for (item, area) in items {
        if target < area {
            return Some(item);
        }
        target -= area;
    }
    None
}

/// A random grid point of a polygon: in a triangle of its fan, chosen by area.
fn inside(polygon: &Polygon<'_, '_>, random: &mut Random) -> Option<[i32; 2]> {
    let o = polygon.corner(0);
    for _ in 0..TRIES {
        let target = random.below(doubled_area(polygon));
        let last = polygon.len().checked_sub(2)?;
        let k = drawn(target, (1..last).map(|k| (k, fan_area(polygon, k)))).unwrap_or(last);
        let (a, b) = (polygon.corner(k), polygon.corner(k + 1));
        let (mut s, mut t) = (random.below(1 << 32) as i64, random.below(1 << 32) as i64);
        if s + t > 1 << 32 {
            (s, t) = ((1 << 32) - s, (1 << 32) - t);
        }
        let p = [0, 1].map(|i| {
            let [da, db] = [a[i], b[i]].map(|c| i64::from(c) - i64::from(o[i]));
            o[i].wrapping_add(((da * s + db * t + (1 << 31)) >> 32) as i32)
        });
        if surface::holds(polygon, p) {
            return Some(p);
        }
    }
    Some(o)
}

/// A polygon clipped to an axis-parallel square.
struct Square<'m, 'a> {
    polygon: Polygon<'m, 'a>,
    centre: [f64; 2],
    half: f64,
}

/// A triangle clipped by four lines has at most seven corners.
type Piece = ([[f64; 2]; 8], usize);

impl Square<'_, '_> {
    /// The triangles of the polygon's fan, clipped.
    fn pieces(&self) -> impl Iterator<Item = Piece> {
        let at = |k: u32| float(self.polygon.corner(k));
        let o = at(0);
        (1..self.polygon.len().saturating_sub(1)).map(move |k| self.clip([o, at(k), at(k + 1)]))
    }

    /// Clips a triangle, by Sutherland and Hodgman.
    ///
    /// "Reentrant polygon clipping", 1974.
    fn clip(&self, triangle: [[f64; 2]; 3]) -> Piece {
        let mut from = ([[0.0; 2]; 8], 3);
        from.0[..3].copy_from_slice(&triangle);
        for (axis, sign) in [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)] {
            // Positive inside.
            let depth = |p: [f64; 2]| self.half - sign * (p[axis] - self.centre[axis]);
            let mut to = ([[0.0; 2]; 8], 0);
            let mut put = |p| {
                if to.1 < 8 {
                    to.0[to.1] = p;
                    to.1 += 1;
                }
            };
            for i in 0..from.1 {
                let (a, b) = (from.0[i], from.0[(i + 1) % from.1]);
                let (da, db) = (depth(a), depth(b));
                if da >= 0.0 {
                    put(a);
                }
                if (da >= 0.0) != (db >= 0.0) {
                    let t = da / (da - db);
                    put([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]);
                }
            }
            from = to;
        }
        from
    }

    fn area(&self) -> f64 {
        let area = |piece| triangles(piece).map(|(_, area)| area).sum::<f64>();
        self.pieces().map(area).sum()
    }

    /// A random grid point near a random place of the clipped polygon.
    fn pick(&self, random: &mut Random) -> Option<[i32; 2]> {
        let target = random.unit() * self.area();
        let chosen = drawn(target, self.pieces().flat_map(triangles));
        // Rounding may leave a small rest of the target.
        let triangle = chosen.or_else(|| Some(self.pieces().flat_map(triangles).last()?.0))?;
        Some(in_triangle(triangle, random))
    }
}

/// The triangles of a clipped one, with their areas.
fn triangles((corners, count): Piece) -> impl Iterator<Item = ([[f64; 2]; 3], f64)> {
    (1..count.saturating_sub(1)).map(move |k| {
        let [o, a, b] = [0, k, k + 1].map(|k| corners[k]);
        let doubled = (a[1] - o[1]) * (b[0] - o[0]) - (a[0] - o[0]) * (b[1] - o[1]);
        ([o, a, b], (0.5 * doubled).max(0.0))
    })
}

fn in_triangle([o, a, b]: [[f64; 2]; 3], random: &mut Random) -> [i32; 2] {
    let (mut s, mut t) = (random.unit(), random.unit());
    if s + t > 1.0 {
        (s, t) = (1.0 - s, 1.0 - t);
    }
    [0, 1].map(|i| round(o[i] + s * (a[i] - o[i]) + t * (b[i] - o[i])))
}
