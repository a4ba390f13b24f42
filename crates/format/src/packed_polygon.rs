//! One polygon of a packed mesh, read in place.

use navbake_grid::{EdgeId, NONE, PolyId, VertexId};
use navbake_navmesh::Edge;

use crate::edges::Run;
use crate::packed_mesh::NavMeshView;

/// One polygon of a [`NavMeshView`]. Corners and edges are counted from 0; edge k runs from corner
/// k to corner k + 1, the last edge back to corner 0.
#[derive(Clone, Copy)]
pub(crate) struct PackedPolygon<'m, 'a> {
    mesh: &'m NavMeshView<'a>,
    id: PolyId,
    run: Run,
}

impl<'m, 'a> PackedPolygon<'m, 'a> {
    #[inline]
    pub(crate) fn new(mesh: &'m NavMeshView<'a>, id: PolyId, run: Run) -> PackedPolygon<'m, 'a> {
        PackedPolygon { mesh, id, run }
    }

    /// Where its edges are stored.
    pub(crate) fn run(&self) -> &Run {
        &self.run
    }

    /// Its id.
    #[inline]
    pub(crate) fn id(&self) -> PolyId {
        self.id
    }

    /// Number of corners, which is the number of edges.
    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.run.len
    }

    /// The corner behind corner k.
    #[inline]
    pub(crate) fn next(&self, k: u32) -> u32 {
        if k + 1 >= self.run.len { 0 } else { k + 1 }
    }

    /// Edge k as a number over all polygons; all bits set when there is no edge k.
    #[inline]
    pub(crate) fn edge(&self, k: u32) -> EdgeId {
        EdgeId(if k < self.run.len { self.run.first.saturating_add(k) } else { NONE })
    }

    /// Edge k of an unpacked file.
    #[inline]
    fn plain(&self, k: u32) -> Option<Edge> {
        let plain = self.mesh.plain()?;
        match k < self.run.len {
            true => plain.edges.get(self.run.first as usize + k as usize),
            false => None,
        }
    }

    /// The vertex at corner k.
    #[inline]
    pub(crate) fn vertex(&self, k: u32) -> VertexId {
        if let Some(edge) = self.plain(k) {
            return VertexId(edge.vertex);
        }
        VertexId(match k < self.run.len {
            true => self.mesh.edges().vertex(&self.run, k),
            false => NONE,
        })
    }

    /// Corner k in space, grid units.
    #[inline]
    pub(crate) fn point(&self, k: u32) -> [i32; 3] {
        self.mesh.vertex(self.vertex(k))
    }

    /// Corner k in the ground plane, `[x, z]`, grid units.
    #[inline]
    pub(crate) fn corner(&self, k: u32) -> [i32; 2] {
        self.mesh.flat(self.vertex(k))
    }

    /// The polygon beyond edge k, `None` at a wall.
    #[inline]
    pub(crate) fn neighbour(&self, k: u32) -> Option<PolyId> {
        if let Some(edge) = self.plain(k) {
            return (edge.neighbour != NONE).then_some(PolyId(edge.neighbour));
        }
        let n = match k < self.run.len {
            true => self.mesh.edges().neighbour(&self.run, k),
            false => None,
        };
        n.map(PolyId)
    }

    /// The corner at a point of the ground plane. Corners increase in (x, z) from the first to the
    /// greatest and decrease from there, so this is a binary search.
    pub(crate) fn corner_at(&self, p: [i32; 2]) -> Option<u32> {
        const FEW: u32 = 8;
        if self.run.len <= FEW {
            return (0..self.run.len).find(|&k| self.corner(k) == p);
        }
        let (mut low, mut high) = (0, self.run.len - 1);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.corner(middle) < self.corner(middle + 1) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let peak = low;
        let search = |mut low: u32, mut high: u32, rising: bool| {
            while low < high {
                let middle = low + (high - low) / 2;
                let c = self.corner(middle);
                if c == p {
                    return Some(middle);
                }
                if (c < p) == rising {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            None
        };
        search(0, peak + 1, true).or_else(|| search(peak + 1, self.run.len, false))
    }

    /// The other side of the portal at edge k: the polygon beyond, and the number of its edge,
    /// which runs in the opposite direction.
    pub(crate) fn across(&self, k: u32) -> Option<(PolyId, u32)> {
        let beyond = self.mesh.polygon(self.neighbour(k)?);
        let twin = beyond.corner_at(self.corner(self.next(k)))?;
        Some((beyond.id, twin))
    }
}
