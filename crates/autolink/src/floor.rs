//! An index of a navmesh's polygons by grid cells of the ground plane.
//!
//! It finds the ground above or below many points.

use navbake_format::{NavMesh, PolyId};
use navbake_geom::{Point, Whole, orient};

/// A place on the ground.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) polygon: PolyId,
    pub(crate) at: [i32; 2],
    /// Grid units.
    pub(crate) height: f64,
}

impl Place {
    /// Its position, grid units.
    pub(crate) fn point(&self) -> [f64; 3] {
        let [x, z] = self.at.map(f64::from);
        [x, self.height, z]
    }
}

/// All polygons of a mesh by cell.
pub(crate) struct Floor<'a> {
    mesh: &'a NavMesh<'a>,
    least: [i32; 2],
    /// A cell has sides of `2^shift` grid units.
    shift: u32,
    /// Numbers of cells along x and z.
    size: [usize; 2],
    /// The index of each cell's first polygon; one more entry than cells.
    first: Vec<u32>,
    polygons: Vec<u32>,
    /// The index of each polygon's first corner; one more entry than polygons.
    first_corner: Vec<u32>,
    corners: Vec<Point>,
    /// Least and greatest height of each polygon.
    heights: Vec<[i32; 2]>,
}

impl<'a> Floor<'a> {
    pub(crate) fn new(mesh: &'a NavMesh<'a>) -> Floor<'a> {
        let [least, greatest] = mesh.bounds().map(|[x, _, z]| [x, z]);
        let sides = [0, 1].map(|k| (i64::from(greatest[k]) - i64::from(least[k])).max(0));
        let size = |shift: u32| sides.map(|s| (s >> shift) as usize + 1);
        let most = 4 * mesh.polygon_count() as usize + 64;
        // Takes few steps: at 2^27 grid units there is one cell.
        let fits = |shift: &u32| size(*shift).iter().product::<usize>() <= most;
        let shift = (6..27).find(fits).unwrap_or(27);
        let mut floor = Floor {
            mesh,
            least,
            shift,
            size: size(shift),
            first: vec![],
            polygons: vec![],
            first_corner: vec![0],
            corners: vec![],
            heights: vec![],
        };
        floor.read();
        floor.sort();
        floor
    }

    /// Copies the polygons.
    fn read(&mut self) {
        for polygon in self.mesh.polygons() {
            let points = || (0..polygon.len()).map(|k| polygon.point(k));
            self.corners.extend(points().map(|[x, _, z]| Point::new(x, z)));
            self.first_corner.push(self.corners.len() as u32);
            let mut range = points()
                .fold([i32::MAX, i32::MIN], |[low, high], [_, y, _]| [low.min(y), high.max(y)]);
            if let Some(height_mesh) = polygon.detail() {
                let [low, high] = height_mesh.heights();
                range = [range[0].min(low), range[1].max(high)];
            }
            self.heights.push(range);
        }
    }

    /// Puts the polygons into the cells of their boxes: counts first, then fills.
    fn sort(&mut self) {
        let count = self.size[0] * self.size[1];
        let mut ends = vec![0u32; count + 1];
        for polygon in 0..self.heights.len() {
            for square in self.squares(polygon) {
                ends[square + 1] += 1;
            }
        }
        for k in 0..count {
            ends[k + 1] += ends[k];
        }
        self.first = ends.clone();
        self.polygons = vec![0; ends.last().map_or(0, |&n| n as usize)];
        for polygon in 0..self.heights.len() {
            for square in self.squares(polygon).collect::<Vec<_>>() {
                self.polygons[ends[square] as usize] = polygon as u32;
                ends[square] += 1;
            }
        }
    }

    fn ring(&self, polygon: usize) -> &[Point] {
        let [from, to] = [polygon, polygon + 1].map(|p| self.first_corner[p] as usize);
        &self.corners[from..to]
    }

    /// The cells of a polygon's box.
    fn squares(&self, polygon: usize) -> impl Iterator<Item = usize> + use<> {
        let ring = self.ring(polygon);
        let range = |of: fn(&Point) -> i32, least: i32| {
            let low = ring.iter().map(of).min().unwrap_or(least);
            let high = ring.iter().map(of).max().unwrap_or(least);
            [low, high].map(|c| ((i64::from(c) - i64::from(least)) >> self.shift) as usize)
        };
        let [x0, x1] = range(|p| p.x, self.least[0]);
        let [z0, z1] = range(|p| p.z, self.least[1]);
        let width = self.size[0];
        (z0..=z1).flat_map(move |z| (x0..=x1).map(move |x| z * width + x))
    }

    /// The ground nearest in height above or below a point, at most `most` away.
    ///
    /// Of several the first polygon. All in grid units.
    pub(crate) fn nearest(&self, [x, y, z]: [f64; 3], most: f64) -> Option<Place> {
        let p = Point::new(x.to_nearest(), z.to_nearest());
        let square = [(p.x, 0), (p.z, 1)].map(|(c, k)| {
            let along = (i64::from(c) - i64::from(self.least[k])) >> self.shift;
            usize::try_from(along).ok().filter(|s| *s < self.size[k])
        });
        let [Some(column), Some(row)] = square else {
            return None;
        };
        let square = row * self.size[0] + column;
        let [from, to] = [square, square + 1].map(|s| self.first[s] as usize);
        let mut best: Option<(f64, Place)> = None;
        for &polygon in &self.polygons[from..to] {
            let [low, high] = self.heights[polygon as usize].map(f64::from);
            let nearer = best.map_or(most, |(away, _)| away);
            // Heights within triangles may have rounding errors.
            if low - y > nearer + 1.0 || y - high > nearer + 1.0 || !self.holds(polygon, p) {
                continue;
            }
            let id = PolyId(polygon);
            let at = [p.x, p.z];
            let height = self.mesh.polygon(id).height(at.map(f64::from));
            let away = (height - y).abs();
            if away <= most && best.is_none_or(|(b, _)| away < b) {
                let place = Place { polygon: id, at, height };
                best = Some((away, place));
            }
        }
        best.map(|(_, place)| place)
    }

    fn holds(&self, polygon: u32, p: Point) -> bool {
        let ring = self.ring(polygon as usize);
        let last = ring.last().copied().unwrap_or(p);
        let mut before = last;
        ring.iter().all(|&corner| {
            let side = orient(before, corner, p);
            before = corner;
            side >= 0
        })
    }

    /// The place on a polygon at a point that it contains.
    pub(crate) fn on(&self, polygon: PolyId, at: [i32; 2]) -> Option<Place> {
        self.holds(polygon.0, Point::new(at[0], at[1])).then(|| Place {
            polygon,
            at,
            height: self.mesh.polygon(polygon).height(at.map(f64::from)),
        })
    }
}

#[cfg(test)]
mod tests {
    use navbake_format::Blob;
    use navbake_level::{Part, Scene, Source};
    use navbake_search::NavQuery;

    use super::*;
    use navbake_bake::{Config, Options, bake};

    /// Hilly ground with a sloped roof over a part of it.
    fn hills() -> Source {
        let mut scene = Scene { parts: vec![Part::default()], ..Scene::default() };
        let mut sheet = |count: u32, at: &dyn Fn(u32, u32) -> [f64; 3]| {
            let first = scene.vertices.len() as u32;
            for row in 0..=count {
                scene.vertices.extend((0..=count).map(|column| at(column, row)));
            }
            for row in 0..count {
                for column in 0..count {
                    let [a, b] = [row, row + 1].map(|r| first + r * (count + 1) + column);
                    scene.triangles.extend([[a, b, b + 1], [a, b + 1, a + 1]]);
                    scene.triangle_parts.extend([0, 0]);
                }
            }
        };
        sheet(20, &|x, z| {
            let hill = f64::from((x * 7 + z * 13 + x * z) % 5) * 0.2;
            [2.0 * f64::from(x), hill, 2.0 * f64::from(z)]
        });
        sheet(1, &|x, z| {
            [10.0 + 20.0 * f64::from(x), 4.0 + f64::from(z), 15.0 + 9.0 * f64::from(z)]
        });
        Source::Scene(scene)
    }

    #[test]
    fn the_nearest_ground_is_what_queries_find() {
        let baked = bake(hills(), &Config::default(), &Options::default()).unwrap();
        let blob = Blob::open_checked(&baked.bytes).unwrap();
        let nav = blob.decode(0).unwrap();
        let mesh = nav.mesh();
        let (floor, query, grid) = (Floor::new(&mesh), NavQuery::new(mesh), mesh.grid());
        let mut state = 5u64;
        let mut random = |low: i32, high: i32| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            low + ((state >> 33) as i32).rem_euclid(high - low)
        };
        let (mut found, mut upper) = (0, 0);
        for _ in 0..5000 {
            let [x, y, z] = [[-3, 44], [-2, 9], [-3, 44]].map(|[low, high]| {
                let [low, high] = [low, high].map(|m| m << grid.bits);
                f64::from(random(low, high))
            });
            let origin = grid.origin;
            let [x, z] = [x - origin[0] * grid.units(), z - origin[2] * grid.units()];
            let most = f64::from(random(0, 5 << grid.bits));
            let mine = floor.nearest([x, y, z], most);
            let theirs = query.locate(grid.metres([x, y, z]), most / grid.units());
            assert_eq!(mine.is_some(), theirs.is_some());
            if let (Some(mine), Some(theirs)) = (mine, theirs) {
                let height = (theirs.position()[1] - origin[1]) * grid.units();
                assert!((mine.height - height).abs() < 1e-3);
                assert_eq!(mine.at, theirs.point());
                found += 1;
                upper += u32::from(height > 3.0 * grid.units());
            }
        }
        assert!(found > 1000 && upper > 100, "{found} {upper}");
    }
}
