//! One polygon.

use navbake_grid::{EdgeId, NONE, PolyId, VertexId};
use navbake_navmesh::detail::Detail;
use navbake_navmesh::{Border, PolyMesh, fan};

/// One polygon of a [`NavMesh`](crate::NavMesh). Corners and edges count from 0; edge k runs from
/// corner k to corner k + 1, the last edge back to corner 0.
#[derive(Clone, Copy)]
pub struct Polygon<'m, 'a> {
    polys: &'m PolyMesh<'a>,
    id: PolyId,
    border: Border<'a>,
}

impl<'m, 'a> Polygon<'m, 'a> {
    #[inline]
    pub(crate) fn new(polys: &'m PolyMesh<'a>, id: PolyId) -> Polygon<'m, 'a> {
        Polygon { polys, id, border: polys.border(id.0) }
    }

    /// Its edges.
    #[inline]
    pub fn border(&self) -> Border<'a> {
        self.border
    }

    /// Its height triangles; `None` when its corners define the height.
    #[inline]
    pub fn detail(&self) -> Option<Detail<'a>> {
        self.polys.details.get(self.polys.polygon(self.id.0)?.detail)
    }

    /// Height of the ground at a place `[x, z]` that the polygon contains, grid units: see
    /// [`Detail::height`] and [`fan::height`].
    pub fn height(&self, place: [f64; 2]) -> f64 {
        self.polys.height(self.id.0, place)
    }

    /// Height of edge k at a place `[x, z]` on it, grid units. Portals between polygons without
    /// height triangles have one height from both sides, unless they are steps.
    pub fn edge_height(&self, k: u32, place: [f64; 2]) -> f64 {
        match self.detail() {
            Some(detail) => detail.height(place),
            None => fan::height_on_segment(self.point(k), self.point(self.next(k)), place),
        }
    }

    /// Its id.
    #[inline]
    pub fn id(&self) -> PolyId {
        self.id
    }

    /// Number of corners, which is the number of edges.
    #[inline]
    pub fn len(&self) -> u32 {
        self.border.len() as u32
    }

    /// Only of a polygon that does not exist.
    pub fn is_empty(&self) -> bool {
        self.border.is_empty()
    }

    /// The corner behind corner k.
    #[inline]
    pub fn next(&self, k: u32) -> u32 {
        if k + 1 >= self.len() { 0 } else { k + 1 }
    }

    /// The corner before corner k.
    #[inline]
    pub fn previous(&self, k: u32) -> u32 {
        self.border.previous(k as usize) as u32
    }

    /// Edge k as a number over all polygons; all bits set when there is no edge k.
    #[inline]
    pub fn edge(&self, k: u32) -> EdgeId {
        EdgeId(match k < self.len() {
            true => self.border.number(k as usize),
            false => NONE,
        })
    }

    /// The vertex at corner k.
    #[inline]
    pub fn vertex(&self, k: u32) -> VertexId {
        VertexId(self.border.get(k as usize).map_or(NONE, |e| e.vertex))
    }

    /// Corner k in space, grid units.
    #[inline]
    pub fn point(&self, k: u32) -> [i32; 3] {
        self.border.get(k as usize).map_or([0; 3], |e| e.point())
    }

    /// Corner k in the ground plane, `[x, z]`, grid units.
    #[inline]
    pub fn corner(&self, k: u32) -> [i32; 2] {
        self.border.get(k as usize).map_or([0; 2], |e| e.at)
    }

    /// The polygon beyond edge k, `None` at a wall.
    #[inline]
    pub fn neighbour(&self, k: u32) -> Option<PolyId> {
        let edge = self.border.get(k as usize)?;
        (edge.neighbour != NONE).then_some(PolyId(edge.neighbour))
    }

    /// The corner at a point of the ground plane.
    #[inline]
    pub fn corner_at(&self, p: [i32; 2]) -> Option<u32> {
        self.border.corner_at(p).map(|k| k as u32)
    }

    /// The other side of the portal at edge k: the polygon beyond, and the number of its edge,
    /// which runs in the opposite direction.
    #[inline]
    pub fn across(&self, k: u32) -> Option<(PolyId, u32)> {
        let edge = self.border.get(k as usize)?;
        (edge.neighbour != NONE).then_some((PolyId(edge.neighbour), edge.twin))
    }
}
