//! Landmarks: a few vertices per island, and their distances to all its vertices.
//!
//! With everything open. By Goldberg and Harrelson, Computing the shortest path: A* search meets
//! graph theory, 2005.
//!
//! The first landmark of an island is the vertex farthest from its first plain vertex. Each further
//! one is the vertex farthest from those before. So landmarks are at the far ends of the ground,
//! where they give the best bounds for paths that pass by.
//!
//! The distance of a vertex is the straight line where that is free. Otherwise it is the least over
//! the corners that the vertex sees, to which paths from the landmark lead in the taut visibility
//! graph. Visibility is computed once per vertex.

use crate::{Corners, Places};
use navbake_format::LANDMARKS;
use navbake_format::write::{LandmarkParts, landmarks_bytes};
use navbake_search::{NavMesh, NavQuery};
use rayon::prelude::*;

use crate::graph::{BITS_OF_UNIT, Graph, length};
use crate::search::{FAR, Search};

/// The landmarks of a mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Landmarks {
    shift: u8,
    rows: Vec<[u16; LANDMARKS]>,
}

impl Landmarks {
    /// Computes them, on the threads of the current pool.
    ///
    /// `None` for a mesh with links, over which paths may be shorter than the bounds, and where the
    /// numbers do not fit.
    pub fn new(mesh: &NavMesh<'_>) -> Option<Landmarks> {
        if mesh.link_count() > 0 || mesh.polygon_count() == 0 {
            return None;
        }
        let corners = Corners::new(mesh);
        let places = Places::new(&corners);
        let mut far = vec![[FAR; LANDMARKS]; places.count()];
        let islands = islands(mesh, &places);
        let maker = Maker {
            query: NavQuery::new(*mesh),
            graph: Graph::new(&corners)?,
            seen: seen(&corners, &places)?,
            corners,
            places,
        };
        let mut search = Search::new(maker.graph.count());
        for island in &islands {
            maker.measure(island, &mut search, &mut far);
        }
        packed(&far, maker.graph.count())
    }

    /// With these rows: steps of 2^`shift` grid units, by the number of the vertex.
    pub fn with_rows(shift: u8, rows: Vec<[u16; LANDMARKS]>) -> Landmarks {
        Landmarks { shift, rows }
    }

    /// A step is 2^this grid units.
    pub fn shift(&self) -> u8 {
        self.shift
    }

    /// The distances of each vertex from the landmarks of its island, steps, rounded down.
    pub fn rows(&self) -> &[[u16; LANDMARKS]] {
        &self.rows
    }

    /// The number of rows.
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// Their size in a blob, bytes.
    pub fn bytes(&self) -> u64 {
        landmarks_bytes(self.rows.len() as u64)
    }

    /// In the form that the encoder takes.
    pub fn parts(&self, class: u16) -> LandmarkParts<'_> {
        LandmarkParts { class, shift: self.shift, rows: &self.rows }
    }
}

/// The size of the landmarks of a mesh in bytes; 0 where it has none.
pub fn landmark_bytes(mesh: &NavMesh<'_>) -> u64 {
    match mesh.link_count() {
        0 => landmarks_bytes(Places::new(&Corners::new(mesh)).count() as u64),
        _ => 0,
    }
}

/// The vertices of each island.
fn islands(mesh: &NavMesh<'_>, places: &Places) -> Vec<Vec<u32>> {
    let mut islands = vec![vec![]; mesh.island_count() as usize];
    for place in 0..places.count() as u32 {
        let island = mesh.island(places.polygon(place));
        islands[island.0 as usize].push(place);
    }
    islands
}

/// The corners that each vertex sees; `None` where memory was too small.
fn seen(corners: &Corners, places: &Places) -> Option<Vec<Vec<u32>>> {
    (0..places.count() as u32)
        .into_par_iter()
        .map_init(
            || corners.look(),
            |look, place| {
                let mut seen = vec![];
                places
                    .corners_seen(place, corners, look, |corner| seen.push(corner))
                    .then_some(seen)
            },
        )
        .collect()
}

/// The inputs for measuring distances.
struct Maker<'m> {
    query: NavQuery<'m>,
    corners: Corners,
    places: Places,
    graph: Graph,
    seen: Vec<Vec<u32>>,
}

impl Maker<'_> {
    /// Chooses the landmarks of an island and computes their distances to its vertices.
    fn measure(&self, island: &[u32], search: &mut Search, far: &mut [[u64; LANDMARKS]]) {
        // Where the ground takes more than one turn, a direction does not determine a straight
        // line.
        let plain = |&i: &usize| self.places.is_plain(island[i]);
        let Some(first) = (0..island.len()).find(plain) else {
            return;
        };
        let mut least = self.distances(island, island[first], search);
        let mut columns: Vec<Vec<u64>> = vec![];
        while columns.len() < LANDMARKS {
            // Of equally far vertices, the one with the least number.
            let farthest =
                (0..island.len()).filter(plain).max_by_key(|&i| (least[i], std::cmp::Reverse(i)));
            let landmark = island[farthest.unwrap_or(first)];
            let distances = self.distances(island, landmark, search);
            if columns.is_empty() {
                least.fill(FAR);
            }
            for (least, &distance) in least.iter_mut().zip(&distances) {
                *least = distance.min(*least);
            }
            columns.push(distances);
        }
        for (i, &place) in island.iter().enumerate() {
            far[place as usize] = core::array::from_fn(|k| columns[k][i]);
        }
    }

    /// Distances of the vertices of an island from one of them, which is plain.
    fn distances(&self, island: &[u32], from: u32, search: &mut Search) -> Vec<u64> {
        let point = self.places.point(from);
        let straight = |to: [i32; 2]| length(point, to);
        // Along both sides of a wall without thickness, paths continue straight from its end.
        let itself = ((from as usize) < self.corners.count()).then_some(&from);
        let first: Vec<(u32, u64)> = (self.seen[from as usize].iter().chain(itself))
            .map(|&corner| (corner, straight(self.corners.point(corner))))
            .collect();
        search.run_from(&self.graph, &first, |_, _, _| true);
        let known = &search.distance;
        (island.par_iter())
            .map(|&place| {
                let here = self.places.point(place);
                let over = |&corner: &u32| {
                    let rest = length(self.corners.point(corner), here);
                    known[corner as usize].saturating_add(rest)
                };
                let around = self.seen[place as usize].iter().map(over).min();
                let around = around.unwrap_or(FAR);
                let straight = straight(here);
                let is_free = straight <= around
                    && (place == from || self.places.sees(&self.query, &self.corners, from, place));
                if is_free { straight } else { around }
            })
            .collect()
    }
}

/// Rows in the finest step that fits.
///
/// The greatest distance has at most 16 bits in that step, and the roundings of as many lengths as
/// there are corners stay below a 128th. `None` where a vertex has no path to a landmark.
fn packed(far: &[[u64; LANDMARKS]], corners: usize) -> Option<Landmarks> {
    let most = far.iter().flatten().copied().max()?;
    if most == FAR {
        return None;
    }
    let drop = (64 - most.leading_zeros()).saturating_sub(16 + BITS_OF_UNIT);
    let exact = (corners as u64 + 2).next_power_of_two().ilog2();
    let shift = drop.max(exact.saturating_sub(14));
    let step = |distance: u64| (distance >> (shift + BITS_OF_UNIT)) as u16;
    Some(Landmarks {
        shift: u8::try_from(shift).ok().filter(|&s| s <= 31)?,
        rows: far.iter().map(|row| row.map(step)).collect(),
    })
}
