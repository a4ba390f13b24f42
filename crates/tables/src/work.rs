//! The work of a look-up, counted: a bake compares it with the work of a search.

use std::collections::HashMap;

use navbake_navmesh::math::{float, grid_distance, length};
use navbake_search::blob::Link;
use navbake_search::parts::{Look, towards};
use navbake_search::{NavMesh, NavPath, NavQuery};

use crate::corners::{CornerLook, Corners};
use crate::packed::Packed;

/// Counts the work of look-ups in labels without visibility lists. It follows the steps of
/// `Algorithm::Optimal`, which itself has no counters.
#[derive(Debug)]
pub struct LookUps<'l> {
    corners: Corners,
    packed: &'l Packed,
    look: CornerLook,
}

impl<'l> LookUps<'l> {
    /// Counts look-ups in these labels of the mesh.
    pub fn new(mesh: &NavMesh<'_>, packed: &'l Packed) -> LookUps<'l> {
        let corners = Corners::new(mesh);
        let look = corners.look();
        LookUps { corners, packed, look }
    }

    /// The polygons that the look-up of a shortest path looks through, the labels that it reads, and
    /// their entries. `None` where the runtime would search instead.
    ///
    /// Each walked leg that turns is looked up. So is a way to each link that, alone on a path, may
    /// make it shorter: it counts as another look-up of the same work.
    pub fn count(&mut self, query: &NavQuery<'_>, path: &NavPath<'_>) -> Option<[u64; 3]> {
        let grid = query.mesh().grid();
        let point = |p: &[f64; 3]| grid.snap(*p).map(|[x, _, z]| [x, z]);
        let mut sum = [0; 3];
        for leg in path.legs().filter(|leg| leg.link.is_none() && leg.points.len() > 2) {
            let walk = path.walk(&leg);
            let points: Option<Vec<_>> = walk.points.iter().map(point).collect();
            let points = points?;
            let length = points.windows(2).map(|p| grid_distance(p[0], p[1])).sum();
            let ends = [
                (walk.polygons.first()?.0, *points.first()?),
                (walk.polygons.last()?.0, *points.last()?),
            ];
            let counted = self.count_leg(ends, length)?;
            sum = [0, 1, 2].map(|i| sum[i] + counted[i]);
        }
        let [from, to] = [path.points.first(), path.points.last()].map(|p| point(p?));
        let ([from, to], units) = ([from?, to?], grid.units());
        let straight = |link: &Link<'_>| {
            grid_distance(from, link.from) + link.cost * units + grid_distance(link.to, to)
        };
        let links = query.links().filter(|(_, link)| straight(link) < path.cost * units).count();
        Some(sum.map(|work| work * (1 + links as u64)))
    }

    /// The same for a walked leg. `ends` are a polygon and a point in it, in grid units; the
    /// shortest path between them is `shortest` grid units long.
    fn count_leg(&mut self, ends: [(u32, [i32; 2]); 2], shortest: f64) -> Option<[u64; 3]> {
        let (most, read) = self.bound(ends);
        let (mut windows, mut labels, mut entries) = (0, 0, read);
        let (polys, records) = (&self.corners.polys(), self.corners.records());
        for [(polygon, here), (_, there)] in [ends, [ends[1], ends[0]]] {
            let goal = most.map(|most| (towards(here, there), most));
            let mut look = Look { goal, ..self.look.from(polys, records, here) };
            look.start(polygon);
            while let Some(window) = look.next_window() {
                windows += 1;
                look.through(&window);
            }
            if look.full {
                return None;
            }
            let count = look.count;
            for seen in &self.look.seen[..count] {
                let [dx, dz] = float(seen.direction);
                let around = length(dx, dz) + grid_distance(self.corners.point(seen.corner), there);
                // Labels of other corners are not read. A grid unit is more than they round.
                if around <= shortest + 1.0 {
                    labels += 1;
                    entries += self.packed.part(seen.corner, seen.side).len() as u64 + 1;
                }
            }
        }
        Some([windows, labels, entries])
    }

    /// The upper bound of the length that limits the view, grid units, and the entries read for it.
    fn bound(&self, ends: [(u32, [i32; 2]); 2]) -> (Option<f64>, u64) {
        let polys = &self.corners.polys();
        let near = |(polygon, here): (u32, [i32; 2]), there: [i32; 2]| {
            let border = polys.border(polygon).iter();
            let corners = border.filter_map(|edge| {
                let away = grid_distance(here, edge.at);
                Some((edge.corner()?, away, away + grid_distance(edge.at, there)))
            });
            corners.reduce(|a, b| if b.2 < a.2 { b } else { a })
        };
        let (Some(a), Some(b)) = (near(ends[0], ends[1].1), near(ends[1], ends[0].1)) else {
            return (None, 0);
        };
        let hubs = |corner: u32| {
            let part = self.packed.part(corner, 2);
            let entries = part.map(|i| (self.packed.hubs[i], self.packed.distances[i]));
            entries.chain([(self.packed.ranks[corner as usize], 0)])
        };
        let mut known: HashMap<u32, u32> = HashMap::new();
        for (hub, distance) in hubs(a.0) {
            let least = known.entry(hub).or_insert(distance);
            *least = distance.min(*least);
        }
        let both = hubs(b.0).filter_map(|(hub, d)| Some(known.get(&hub)? + d));
        let scale = f64::from(1u32 << self.packed.shift);
        let most = both.min().map(|between| a.1 + f64::from(between) / scale + b.1);
        (most, (hubs(a.0).count() + hubs(b.0).count()) as u64)
    }
}
