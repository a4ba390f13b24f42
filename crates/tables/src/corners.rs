//! Corners of a mesh and what they see, to compute labels.

use navbake_navmesh::record::{Record, Records};
use navbake_navmesh::{Corner, PolyMesh};

use navbake_search::NavMesh;
use navbake_search::parts::{Look, SeenCorner as Seen, Window, reversed, windows};

/// The corners of a mesh where shortest paths turn, numbered as in labels.
#[derive(Debug)]
pub struct Corners {
    polygons: Vec<u8>,
    edges: Vec<u8>,
    pivots: u32,
    /// The corners, as records.
    corners: Vec<u8>,
    /// Pairs of a corner and a polygon that has it, in ascending order.
    around: Vec<(u32, u32)>,
    /// Positions of the corners, sorted, with their numbers.
    places: Vec<([i32; 2], u32)>,
}

/// Encodes records as bytes.
fn bytes<R: Record>(records: impl Iterator<Item = R>) -> Vec<u8> {
    let mut bytes = Vec::new();
    records.for_each(|record| bytes.extend_from_slice(record.to_bytes().as_ref()));
    bytes
}

/// Memory for looks around from corners. One for each thread.
#[derive(Clone, Debug)]
pub struct CornerLook {
    stamps: Vec<u32>,
    stamp: u32,
    windows: Vec<Window>,
    pub(crate) seen: Vec<Seen>,
}

impl Corners {
    /// Collects the corners of a mesh.
    pub fn new(mesh: &NavMesh<'_>) -> Corners {
        let polys = mesh.polys();
        let corners = navbake_navmesh::corners(polys);
        let mut around = Vec::with_capacity(2 * corners.len());
        for polygon in 0..polys.len() {
            let corners = polys.border(polygon).iter().filter_map(|e| e.corner());
            around.extend(corners.map(|corner| (corner, polygon)));
        }
        around.sort_unstable();
        around.dedup();
        let mut places: Vec<_> = (0..).zip(&corners).map(|(i, c)| (c.at, i)).collect();
        places.sort_unstable();
        Corners {
            polygons: bytes(polys.polygons.iter()),
            edges: bytes(polys.edges.iter()),
            pivots: polys.pivots,
            corners: bytes(corners.into_iter()),
            around,
            places,
        }
    }

    /// The number of corners.
    pub fn count(&self) -> usize {
        self.corners.len() / Corner::SIZE
    }

    /// The position of a corner, grid units.
    pub fn point(&self, corner: u32) -> [i32; 2] {
        self.records().at(corner as usize).at
    }

    /// A polygon that has the corner.
    pub fn polygon(&self, corner: u32) -> u32 {
        self.around(corner).first().map_or(0, |a| a.1)
    }

    /// The polygons that have a corner, each with the corner's number, ascending.
    pub(crate) fn around(&self, corner: u32) -> &[(u32, u32)] {
        let begin = self.around.partition_point(|a| a.0 < corner);
        let rest = &self.around[begin..];
        &rest[..rest.partition_point(|a| a.0 == corner)]
    }

    /// A corner at a place.
    pub(crate) fn at(&self, place: [i32; 2]) -> Option<u32> {
        let i = self.places.partition_point(|p| p.0 < place);
        (self.places.get(i)).and_then(|p| (p.0 == place).then_some(p.1))
    }

    /// The part of a corner's label for paths that leave it in a direction.
    /// 0 or 1, by the side on which they go around the corner. `None` where no shortest path turns
    /// there.
    pub fn side(&self, corner: u32, direction: [i32; 2]) -> Option<u8> {
        self.records().at(corner as usize).side(direction)
    }

    /// The polygons, without the data that corners do not need.
    pub(crate) fn polys(&self) -> PolyMesh<'_> {
        PolyMesh {
            polygons: Records::new(&self.polygons).unwrap_or_default(),
            edges: Records::new(&self.edges).unwrap_or_default(),
            pivots: self.pivots,
            corners: self.count() as u32,
            ..PolyMesh::default()
        }
    }

    /// The corners, as records.
    pub(crate) fn records(&self) -> Records<'_, Corner> {
        Records::new(&self.corners).unwrap_or_default()
    }

    /// Calls `f` with every corner seen from a place where a shortest path may turn.
    /// `polygon` holds the place. Returns false when there was no room for all of them.
    pub(crate) fn seen_from(
        &self,
        polygon: u32,
        place: [i32; 2],
        look: &mut CornerLook,
        mut f: impl FnMut(u32),
    ) -> bool {
        let polys = &self.polys();
        let count = look.from(polys, self.records(), place).run(polygon);
        let seen = count.map(|count| &look.seen[..count]);
        seen.unwrap_or(&[]).iter().for_each(|s| f(s.corner));
        seen.is_some()
    }

    /// Allocates memory for looks around.
    pub fn look(&self) -> CornerLook {
        CornerLook {
            stamps: vec![0; self.count()],
            stamp: 0,
            windows: vec![Window::default(); windows(&self.polys())],
            seen: vec![Seen::default(); self.count()],
        }
    }

    /// Calls `f` with every corner seen from one, if a shortest path may turn at both.
    /// These are the edges of the taut visibility graph. Each corner is reported once, in an order
    /// that depends on the mesh alone. Returns false when there was no room for all of them.
    pub fn neighbours(&self, corner: u32, look: &mut CornerLook, mut f: impl FnMut(u32)) -> bool {
        let own = &self.records().at(corner as usize);
        let polys = &self.polys();
        let count = (look.from(polys, self.records(), own.at)).run(self.polygon(corner));
        let Some(count) = count else {
            return false;
        };
        for seen in &look.seen[..count] {
            // A path from there must be able to turn here.
            if own.side(reversed(seen.direction)).is_some() {
                f(seen.corner);
            }
        }
        true
    }
}

impl CornerLook {
    /// Prepares a look around from a place.
    pub(crate) fn from<'l>(
        &'l mut self,
        polys: &'l PolyMesh<'l>,
        corners: Records<'l, Corner>,
        origin: [i32; 2],
    ) -> Look<'l> {
        self.stamp += 1;
        Look {
            polys,
            corners,
            stamps: &mut self.stamps,
            stamp: self.stamp,
            windows: &mut self.windows,
            seen: &mut self.seen,
            origin,
            goal: None,
            count: 0,
            open: 0,
            left: 0,
            full: false,
        }
    }
}
