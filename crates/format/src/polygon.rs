//! One polygon, read in place.

use navbake_ids::{EdgeId, NONE, PolyId, VertexId};

use crate::mesh::{Edges, Near};
use crate::packed::Numbers;
use crate::records::{FAR, WALL};
use crate::{NavMeshView, Relief, fan};

/// One polygon of a [`NavMeshView`]. Corners and edges are counted from 0; edge k runs from corner k to corner k + 1, the last edge back
/// to corner 0.
#[derive(Clone, Copy)]
pub struct Polygon<'m, 'a> {
    mesh: &'m NavMeshView<'a>,
    id: PolyId,
    first: u32,
    len: u32,
    near: Near,
}

impl<'m, 'a> Polygon<'m, 'a> {
    #[inline]
    pub(crate) fn new(
        mesh: &'m NavMeshView<'a>,
        id: PolyId,
        first: u32,
        len: u32,
        near: Near,
    ) -> Polygon<'m, 'a> {
        Polygon {
            mesh,
            id,
            first,
            len,
            near,
        }
    }

    /// The relief that tells its height; `None` when its corners do.
    #[inline]
    pub fn relief(&self) -> Option<Relief<'a>> {
        self.mesh.relief_of(self.id)
    }

    /// Height of the ground at a place `[x, z]` that the polygon holds, grid units: see [`Relief::height`] and [`fan::height`].
    pub fn height(&self, place: [f64; 2]) -> f64 {
        match self.relief() {
            Some(relief) => relief.height(place),
            None => fan::height(self.len as usize, |i| self.point(i as u32), place),
        }
    }

    /// Height of edge k at a place `[x, z]` on it, grid units. Portals between polygons without reliefs have one height from both sides,
    /// unless they are steps.
    pub fn edge_height(&self, k: u32, place: [f64; 2]) -> f64 {
        match self.relief() {
            Some(relief) => relief.height(place),
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
        self.len
    }

    /// Only of a polygon that is not there.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The corner behind corner k.
    #[inline]
    pub fn next(&self, k: u32) -> u32 {
        if k + 1 >= self.len { 0 } else { k + 1 }
    }

    /// The corner before corner k.
    #[inline]
    pub fn previous(&self, k: u32) -> u32 {
        if k == 0 {
            self.len.saturating_sub(1)
        } else {
            k - 1
        }
    }

    /// Edge k as a number over all polygons; all bits set when there is no edge k.
    #[inline]
    pub fn edge(&self, k: u32) -> EdgeId {
        EdgeId(if k < self.len {
            self.first.saturating_add(k)
        } else {
            NONE
        })
    }

    /// The vertex at corner k.
    #[inline]
    pub fn vertex(&self, k: u32) -> VertexId {
        let e = self.edge(k).index();
        VertexId(match self.mesh.edges() {
            Edges::Short(_, all, far) => match all.get(e).map_or(0, |r| r.vertex) {
                v if v & FAR != 0 => self.far(far, v),
                v => self.near.vertex.wrapping_add(v.into()),
            },
            Edges::Narrow(_, all) => all.get(e).map_or(0, |r| r.vertex.get().into()),
            Edges::Wide(_, all) => all.get(e).map_or(0, |r| r.vertex.get()),
        })
    }

    #[cold]
    fn far(&self, far: &Numbers<'_>, code: u8) -> u32 {
        far.get(self.near.far.wrapping_add((code & !FAR).into()) as usize)
    }

    /// Corner k in space, grid units.
    #[inline]
    pub fn point(&self, k: u32) -> [i32; 3] {
        self.mesh.vertex(self.vertex(k))
    }

    /// Corner k in the ground plane, `[x, z]`, grid units.
    #[inline]
    pub fn corner(&self, k: u32) -> [i32; 2] {
        self.mesh.flat(self.vertex(k))
    }

    /// The polygon beyond edge k, `None` at a wall.
    #[inline]
    pub fn neighbour(&self, k: u32) -> Option<PolyId> {
        let e = self.edge(k).index();
        let n = match self.mesh.edges() {
            Edges::Short(_, all, far) => match all.get(e).map_or(WALL, |r| r.neighbour) {
                WALL => NONE,
                n if n & FAR != 0 => self.far(far, n),
                n => self.near.polygon.wrapping_add(n.into()),
            },
            Edges::Narrow(_, all) => match all.get(e).map_or(u16::MAX, |r| r.neighbour.get()) {
                u16::MAX => NONE,
                n => n.into(),
            },
            Edges::Wide(_, all) => all.get(e).map_or(NONE, |r| r.neighbour.get()),
        };
        (n != NONE).then_some(PolyId(n))
    }

    /// The corner that lies at a point of the ground plane. Corners increase in (x, z) from the first to the greatest and decrease from
    /// there, which is what makes this a binary search.
    pub fn corner_at(&self, p: [i32; 2]) -> Option<u32> {
        const FEW: u32 = 8;
        if self.len <= FEW {
            return (0..self.len).find(|&k| self.corner(k) == p);
        }
        let (mut low, mut high) = (0, self.len - 1);
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
        search(0, peak + 1, true).or_else(|| search(peak + 1, self.len, false))
    }

    /// The other side of the portal at edge k: the polygon beyond, and the number of its edge that runs the other way.
    pub fn across(&self, k: u32) -> Option<(PolyId, u32)> {
        let beyond = self.mesh.polygon(self.neighbour(k)?);
        let twin = beyond.corner_at(self.corner(self.next(k)))?;
        Some((beyond.id, twin))
    }
}
