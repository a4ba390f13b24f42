//! Gateways between the chunks of a world, and the distances between them.
//!
//! Ground goes on over a side between two chunks in stretches. Long ones are divided, so that the
//! way through the middle of a stretch is hardly longer than one through another place of it.

use std::collections::BTreeMap;

use navbake_format::write::record_bytes;
use navbake_format::{Gateway, GatewayDistance, NavMesh, Section};
use navbake_geom::Point3;
use navbake_mesh::{NONE, PolygonMesh};
use navbake_search::{
    AStar, Algorithm, NavPoint, NavQuery, PathRequest, QueryFilter, Scratch, Status,
};
use rayon::prelude::*;

use crate::file::OtherBytes;

/// No stretch is longer than this share of the side of a chunk.
const PARTS: i32 = 4;

/// Gateways and distances of one class of agents.
#[derive(Debug, Default)]
pub(crate) struct Gateways {
    all: Vec<Gateway>,
    distances: Vec<GatewayDistance>,
}

/// An edge between two chunks.
struct Crossing {
    /// The chunks, the island, and whether the side runs along x (0) or z (1).
    what: ([u32; 2], u32, usize),
    /// The ends, as the first chunk has them; the lesser place along the side first.
    ends: [Point3; 2],
    /// For each chunk the polygon, and its vertices at the ends.
    sides: [(u32, [u32; 2]); 2],
}

impl Crossing {
    /// The ends along the side.
    fn along(&self) -> [i32; 2] {
        self.ends.map(|p| [p.x, p.z][self.what.2])
    }

    /// The vertices of both chunks at an end.
    fn vertices(&self, end: usize) -> [u32; 2] {
        self.sides.map(|(_, vertices)| vertices[end])
    }
}

impl Gateways {
    /// Finds those of a navmesh: `chunk_of` has the chunk of each polygon, by its number in the
    /// index, `island_of` its island of the world, and `side` is the side of a chunk. O(n log n) in
    /// the edges between chunks.
    pub(crate) fn of(
        mesh: &PolygonMesh,
        chunk_of: &[u32],
        island_of: &[u32],
        side: i32,
    ) -> Gateways {
        let chunk_of = |polygon: u32| chunk_of[polygon as usize];
        let mut crossings = vec![];
        for polygon in 0..mesh.len() as u32 {
            for e in mesh.edges(polygon as usize).filter(|&e| mesh.neighbours[e] != NONE) {
                let beyond = mesh.neighbours[e];
                let chunks = [polygon, beyond].map(chunk_of);
                if chunks[0] < chunks[1]
                    && let Some(twin) = mesh.twin(polygon as usize, e)
                {
                    let what = (chunks, island_of[polygon as usize]);
                    crossings.push(crossing(mesh, what, [(polygon, e), (beyond, twin)]));
                }
            }
        }
        crossings.sort_unstable_by_key(|own| (own.what, own.along(), own.sides));
        // Each edge goes on where the one before it ends, on both sides.
        let is_fan = |a: &Crossing, b: &Crossing| {
            (0..2).all(|k| {
                let ([p, q], v) = ([a.sides[k].0, b.sides[k].0], a.vertices(1)[k]);
                around(mesh, v, p, |n| chunk_of(n) == chunk_of(p)).contains(&q)
            })
        };
        let mut stretches: Vec<Vec<Crossing>> = vec![];
        let mut ends: BTreeMap<_, usize> = BTreeMap::new();
        for crossing in crossings {
            let before = ends.remove(&(crossing.what, crossing.vertices(0)));
            let before = before.filter(|&number| {
                stretches[number].last().is_some_and(|last| is_fan(last, &crossing))
            });
            let number = before.unwrap_or_else(|| {
                stretches.push(vec![]);
                stretches.len() - 1
            });
            ends.insert((crossing.what, crossing.vertices(1)), number);
            stretches[number].push(crossing);
        }
        let longest = (side / PARTS).max(1);
        let mut all: Vec<Gateway> =
            stretches.iter().flat_map(|edges| divided(edges, longest)).collect();
        all.sort_unstable_by_key(|own| (own.chunks, own.at));
        all.dedup_by_key(|own| (own.chunks, own.at));
        Gateways { all, distances: vec![] }
    }

    /// Finds the distances within a chunk, given by its number in the index, its navmesh, and the
    /// islands of the world that its islands are part of.
    ///
    /// By corridors: the shortest paths take four times as long on dense ground, and routes over
    /// them are hardly shorter.
    pub(crate) fn measure(&mut self, chunk: u32, mesh: NavMesh<'_>, islands: &[u32]) {
        let [_, height] = mesh.agent_size();
        // Without links: a link may have a direction, and these distances have none.
        let mut filter = QueryFilter::new();
        filter.set_agents(0);
        let query = NavQuery::new(mesh).with_filter(&filter);
        let places: Vec<(u32, NavPoint)> = (0..)
            .zip(&self.all)
            .filter(|(_, own)| own.chunks.contains(&chunk))
            .filter_map(|(number, own)| {
                // On the second chunk a step may begin there. Storeys are farther apart.
                let at = query.locate(mesh.grid().metres(own.at.map(f64::from)), height)?;
                let island = islands.get(mesh.island(at.polygon()).0 as usize);
                (island == Some(&own.island)).then_some((number, at))
            })
            .collect();
        let length = |scratch: &mut Scratch, (from, to): (&NavPoint, &NavPoint)| {
            if !mesh.on_one_island(from.polygon(), to.polygon()) {
                return None;
            }
            let request = PathRequest::new(from.position(), to.position())
                .algorithm(Algorithm::Corridor(AStar::default()))
                .polygons(false);
            let path = query.find_path(&request, scratch).ok()?;
            (path.status == Status::Reached).then_some(path.length_xz)
        };
        let row = |scratch: &mut Scratch, i: usize| {
            let (from, start) = &places[i];
            let found = places[i + 1..].iter().filter_map(|(to, goal)| {
                let length = length(scratch, (start, goal))?;
                Some(GatewayDistance { gateways: [*from, *to], length })
            });
            found.collect::<Vec<_>>()
        };
        let rows: Vec<_> = (0..places.len()).into_par_iter().map_init(Scratch::new, row).collect();
        self.distances.extend(rows.into_iter().flatten());
    }

    /// The sections of the index.
    pub(crate) fn sections(mut self, class: u16) -> [OtherBytes; 2] {
        // Two gateways between the same chunks may be connected in both.
        self.distances
            .sort_by(|a, b| a.gateways.cmp(&b.gateways).then(a.length.total_cmp(&b.length)));
        self.distances.dedup_by_key(|own| own.gateways);
        let distances = record_bytes(&self.distances);
        [
            OtherBytes::new(Section::GATEWAYS, class, record_bytes(&self.all), 28),
            OtherBytes::new(Section::GATEWAY_DISTANCES, class, distances, 16),
        ]
    }
}

/// An edge between two chunks, by these and its island, its polygon and number on both sides.
fn crossing(
    mesh: &PolygonMesh,
    (chunks, island): ([u32; 2], u32),
    sides: [(u32, usize); 2],
) -> Crossing {
    let [here, there] =
        sides.map(|(p, e)| [e, mesh.edge_after(p as usize, e)].map(|e| mesh.corners[e]));
    let mut vertices = [here, [there[1], there[0]]];
    let point = |v: u32| mesh.vertices[v as usize];
    let axis = usize::from(point(here[0]).x == point(here[1]).x);
    let [from, to] = here.map(|v| [point(v).x, point(v).z][axis]);
    if to < from {
        vertices.iter_mut().for_each(|ends| ends.reverse());
    }
    Crossing {
        what: (chunks, island, axis),
        ends: vertices[0].map(point),
        sides: [0, 1].map(|k| (sides[k].0, vertices[k])),
    }
}

/// The polygons that can be entered from a polygon over edges at one of its vertices, itself among
/// them.
fn around(mesh: &PolygonMesh, v: u32, polygon: u32, may: impl Fn(u32) -> bool) -> Vec<u32> {
    let mut found = vec![polygon];
    let mut next = 0;
    while next < found.len() {
        let p = found[next] as usize;
        next += 1;
        for e in mesh.edges(p) {
            let is_at = [e, mesh.edge_after(p, e)].iter().any(|&e| mesh.corners[e] == v);
            let beyond = mesh.neighbours[e];
            if is_at && beyond != NONE && may(beyond) && !found.contains(&beyond) {
                found.push(beyond);
            }
        }
    }
    found
}

/// The gateways of a stretch: one for each of equal parts that are not longer than `longest`.
fn divided(edges: &[Crossing], longest: i32) -> Vec<Gateway> {
    let (chunks, island, axis) = edges[0].what;
    let (begin, end) = (edges[0].along()[0], edges[edges.len() - 1].along()[1]);
    let length = i64::from(end) - i64::from(begin);
    let parts = (length + i64::from(longest) - 1) / i64::from(longest);
    let place = |k: i64, of: i64| begin + (length * k / of) as i32;
    let gateway = |k: i64| {
        let (first, last) = (place(k, parts), place(k + 1, parts));
        let middle = place(2 * k + 1, 2 * parts);
        let edge = &edges[edges.partition_point(|edge| edge.along()[1] < middle)];
        let ([low, high], [from, to]) = (edge.ends, edge.along());
        let share = f64::from(middle - from) / f64::from(to - from);
        let y = f64::from(low.y) + (f64::from(high.y) - f64::from(low.y)) * share;
        let at = match axis {
            0 => [middle, y.round() as i32, low.z],
            _ => [low.x, y.round() as i32, middle],
        };
        let reach = (middle - first).max(last - middle) as u32;
        Gateway { chunks, at, island, reach }
    };
    (0..parts).map(gateway).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_has_gateways_in_its_middle_and_all_of_it_in_reach() {
        for (length, longest) in [(1, 8), (7, 8), (8, 8), (9, 8), (100, 7), (1000, 999)] {
            // Two edges, the first of them short.
            let point = |z: i32| Point3::new(40, z / 2, z);
            let cuts = if length > 1 { vec![-5, -4, length - 5] } else { vec![-5, -4] };
            let edge = |ends: &[i32]| Crossing {
                what: ([3, 5], 2, 1),
                ends: [ends[0], ends[1]].map(point),
                sides: [(0, [0; 2]); 2],
            };
            let edges: Vec<Crossing> = cuts.windows(2).map(edge).collect();
            let all = divided(&edges, longest);
            assert_eq!(all.len() as i32, (length + longest - 1) / longest);
            for z in -5..=length - 5 {
                let near = all.iter().any(|own| (own.at[2] - z).unsigned_abs() <= own.reach);
                assert!(near, "{z} of {length}: {all:?}");
            }
            for own in &all {
                assert!(own.reach as i32 <= longest / 2 + 1 && own.at[0] == 40, "{own:?}");
                assert!((-5..=length - 5).contains(&own.at[2]), "{own:?}");
            }
        }
    }
}
