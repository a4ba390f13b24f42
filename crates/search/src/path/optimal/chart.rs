//! The borders of all polygons, laid out for searches.
//!
//! In a blob corners and neighbours take a few bits each and are read by decoding; a search reads the same borders over and over.
//! The chart holds them ready: 28 bytes an edge, 16 a polygon, 4 a block, at most 160 a polygon to find where a point is, and about 50 a height point; where there are
//! links, 4 a polygon and 40 a link besides. It is made once a mesh (each [`SearchBuffer`](super::super::SearchBuffer) has one) and is only read afterwards.

use navbake_format::NavMeshView;
use navbake_format::relief::Triangles;
#[cfg(feature = "alloc")]
use navbake_format::relief::TrianglesBuffer;

use crate::Closings;

use super::super::portal::Portal;
use super::cells::Cells;
use super::links::Links;

/// No polygon, no block, no pivot.
pub(in super::super) const NONE: u32 = u32::MAX;

/// In [`ChartEdge::pivot`]: a shortest path can turn there.
pub(super) const CORNER: u32 = 1 << 31;

/// In [`ChartEdge::pivot`]: the ground takes more than one turn there, as around the axis of a helix, so that a path may turn by more than
/// half a turn.
pub(super) const WIDE: u32 = 1 << 30;

/// In [`Root::pivot`](super::Root): the number is that of a corner, not of a pivot. Where the ground takes more than one turn, shut edges
/// may leave several sectors in which paths turn, and the shortest way to one says nothing of another.
pub(super) const OWN: u32 = 1 << 29;

/// The most edges of a chart: their numbers leave room for the bits.
const MOST: usize = OWN as usize;

/// An edge of a polygon, and the corner where it begins.
#[derive(Clone, Copy, Debug)]
pub struct ChartEdge {
    pub(in super::super) at: [i32; 2],
    /// The polygon beyond, [`NONE`] at a wall.
    pub(in super::super) beyond: u32,
    /// The number of the edge there that runs the other way.
    pub(in super::super) twin: u32,
    /// The number of the corner's pivot, with the bits [`CORNER`] and [`WIDE`]. All corners around a vertex that are the same ground have one
    /// pivot; other ground there, as beyond a pinch or on another storey, has another.
    pub(super) pivot: u32,
    /// The block of the portal; see [`super::blocks`].
    pub(in super::super) block: u32,
}

impl ChartEdge {
    /// Can a shortest path turn at the corner where the edge begins?
    #[inline]
    pub(super) fn is_corner(&self) -> bool {
        self.pivot & CORNER != 0
    }

    /// The number of the corner where the edge begins, if a shortest path can turn there.
    #[inline]
    pub(in super::super) fn corner(&self) -> Option<u32> {
        self.is_corner().then_some(self.pivot_number())
    }

    /// The number of the pivot of the corner where the edge begins.
    #[inline]
    pub(in super::super) fn pivot_number(&self) -> u32 {
        self.pivot & !(CORNER | WIDE)
    }

    /// Does the ground there take more than one turn?
    #[cfg(feature = "alloc")]
    pub(in super::super) fn is_wide(&self) -> bool {
        self.pivot & WIDE != 0
    }
}

impl ChartEdge {
    /// The polygon beyond; `None` where the edge cannot be crossed: at a wall, and where it is shut.
    #[inline]
    pub(in super::super) fn leads_to(
        &self,
        chart: &Chart<'_>,
        closings: &Closings<'_>,
    ) -> Option<u32> {
        let open = || closings.is_ground_open() || !closings.is_shut(chart.number(self));
        (self.beyond != NONE && open()).then_some(self.beyond)
    }
}

/// A polygon of the chart.
#[derive(Clone, Copy, Debug)]
pub struct ChartPolygon {
    /// Its first edge; they end where those of the next polygon begin.
    pub(super) first: u32,
    /// Its block; see [`super::blocks`].
    pub(super) home: u32,
    /// When the walk that found the blocks came by.
    pub(super) order: u32,
    /// Its relief, [`NONE`] where its corners tell the height.
    pub(super) relief: u32,
}

/// A chart, read only. One without polygons is of no mesh: optimal searches with it end at once, out of nodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chart<'a> {
    /// One more than there are.
    pub(super) polygons: &'a [ChartPolygon],
    pub(in super::super) edges: &'a [ChartEdge],
    /// The height of the corner where each edge begins.
    pub(super) heights: &'a [i32],
    /// The triangles of all reliefs.
    pub(super) triangles: Triangles<'a>,
    /// The polygon that each block hangs on.
    pub(in super::super) tops: &'a [u32],
    /// Which polygons lie where.
    pub(super) cells: Cells<'a>,
    /// Links, by where they begin.
    pub(super) links: Links<'a>,
    /// Number of pivots.
    pub(in super::super) pivots: u32,
    /// The first so many of them are corners that paths can turn at.
    pub(in super::super) corners: u32,
    /// From this one on no wall touches them, and paths turn there only when ground is left out.
    pub(super) inner: u32,
}

impl<'a> Chart<'a> {
    /// This, or nothing where it cannot be the mesh's.
    pub(in super::super) fn of(&self, mesh: &NavMeshView<'_>) -> Chart<'a> {
        if self.fits(mesh) {
            *self
        } else {
            Chart::default()
        }
    }

    /// Left and right end of a polygon's edge, seen from within.
    pub(in super::super) fn ends(&self, polygon: u32, edge: u32) -> Option<[[i32; 2]; 2]> {
        let border = self.border(polygon);
        let right = border.get(edge as usize)?;
        let left = border.get(edge as usize + 1).unwrap_or(&border[0]);
        Some([left.at, right.at])
    }

    /// A portal with its heights.
    pub(in super::super) fn portal(&self, polygon: u32, edge: u32) -> Option<Portal> {
        let beyond = self.border(polygon).get(edge as usize)?;
        let other = [beyond.beyond, beyond.twin];
        let corner = |p: u32, k: u32| {
            let border = self.border(p);
            let k = if (k as usize) < border.len() { k } else { 0 };
            let [x, z] = border.get(k as usize)?.at;
            Some([x, self.up(p, k as usize)?, z])
        };
        let relief = |p: u32| Some(self.polygons.get(p as usize)?.relief);
        Some(Portal {
            here: [corner(polygon, edge)?, corner(polygon, edge + 1)?],
            there: [corner(other[0], other[1] + 1)?, corner(other[0], other[1])?],
            reliefs: [relief(polygon)?, relief(other[0])?],
        })
    }

    /// How high a corner of a polygon is, grid units.
    pub(in super::super) fn up(&self, polygon: u32, corner: usize) -> Option<i32> {
        let first = self.polygons.get(polygon as usize)?.first as usize;
        self.heights.get(first + corner).copied()
    }

    /// Height of a relief at a place, grid units.
    pub(in super::super) fn relief_height(
        &self,
        mesh: &NavMeshView<'_>,
        relief: u32,
        place: [f64; 2],
    ) -> f64 {
        let laid = self.triangles.relief(relief);
        let height = laid.and_then(|laid| laid.height(place));
        height.unwrap_or_else(|| mesh.relief(relief).height(place))
    }

    /// Least and greatest height of a relief, grid units.
    #[inline]
    pub(super) fn relief_heights(&self, mesh: &NavMeshView<'_>, relief: u32) -> [i32; 2] {
        match self.triangles.relief(relief) {
            Some(laid) => laid.heights(),
            None => mesh.relief(relief).heights(),
        }
    }

    /// How many polygons there are.
    #[cfg(feature = "alloc")]
    pub(in super::super) fn polygon_count(&self) -> u32 {
        self.polygons.len().saturating_sub(1) as u32
    }

    /// Can it be the mesh's?
    pub(in super::super) fn fits(&self, mesh: &NavMeshView<'_>) -> bool {
        self.polygons.len() == mesh.polygon_count() as usize + 1
            && self.edges.len() <= MOST
            && self.edges.len() == mesh.edge_count() as usize
            && self.links.count == mesh.link_count()
    }

    /// The number of one of its edges among all, by where it lies; without meaning for an edge that is not the chart's.
    pub(in super::super) fn number(&self, edge: &ChartEdge) -> u32 {
        let offset = |edge: *const ChartEdge| edge.addr();
        let before = offset(edge).wrapping_sub(offset(self.edges.as_ptr()));
        (before / size_of::<ChartEdge>()) as u32
    }

    /// The polygons on both sides of an edge, by its number among all; its own first.
    pub(in super::super) fn sides(&self, edge: u32) -> Option<[u32; 2]> {
        let beyond = self.edges.get(edge as usize)?.beyond;
        let after = self.polygons.partition_point(|p| p.first <= edge);
        Some([(after as u32).checked_sub(1)?, beyond])
    }

    /// Which edge of its polygon an edge is, by its number among all.
    pub(in super::super) fn place(&self, edge: u32) -> Option<u32> {
        let [polygon, _] = self.sides(edge)?;
        edge.checked_sub(self.polygons.get(polygon as usize)?.first)
    }

    /// An edge of a polygon.
    #[inline]
    pub(in super::super) fn edge(&self, (polygon, edge): (u32, u32)) -> Option<&'a ChartEdge> {
        self.border(polygon).get(edge as usize)
    }

    /// The edges of a polygon, counter-clockwise; none where there is no such polygon.
    #[inline]
    pub(in super::super) fn border(&self, polygon: u32) -> &'a [ChartEdge] {
        let Some([one, next]) = (self.polygons.get(polygon as usize..))
            .and_then(|rest| rest.first_chunk())
            .copied()
        else {
            return &[];
        };
        (self.edges.get(one.first as usize..next.first as usize)).unwrap_or(&[])
    }
}

/// A chart that owns its memory.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub(in super::super) struct ChartBuffer {
    polygons: alloc::vec::Vec<ChartPolygon>,
    edges: alloc::vec::Vec<ChartEdge>,
    heights: alloc::vec::Vec<i32>,
    triangles: TrianglesBuffer,
    tops: alloc::vec::Vec<u32>,
    cells: super::cells::CellsBuffer,
    links: super::links::LinksBuffer,
    /// Number of pivots.
    pub(super) pivots: usize,
    /// The first so many of them are corners that paths can turn at.
    turning: usize,
    /// From this one on no wall touches them.
    inner: usize,
    /// The most corners of one pivot.
    pub(super) widest: usize,
}

#[cfg(feature = "alloc")]
impl ChartBuffer {
    /// Of a mesh; `triangles` are those of its reliefs, or none where heights are read from the blob.
    pub(in super::super) fn new(mesh: &NavMeshView<'_>, triangles: TrianglesBuffer) -> ChartBuffer {
        let mut polygons = alloc::vec::Vec::with_capacity(mesh.polygon_count() as usize + 1);
        let mut edges = alloc::vec::Vec::with_capacity(mesh.edge_count() as usize);
        let mut heights = alloc::vec::Vec::with_capacity(mesh.edge_count() as usize);
        let polygon = |edges: usize, relief: Option<u32>| ChartPolygon {
            first: edges as u32,
            home: NONE,
            order: NONE,
            relief: relief.unwrap_or(NONE),
        };
        for p in mesh.polygons() {
            polygons.push(polygon(edges.len(), mesh.relief_number(p.id())));
            heights.extend((0..p.len()).map(|k| p.point(k)[1]));
            edges.extend((0..p.len()).map(|k| {
                let across = p.across(k);
                ChartEdge {
                    at: p.corner(k),
                    beyond: across.map_or(NONE, |(beyond, _)| beyond.0),
                    twin: across.map_or(0, |(_, twin)| twin),
                    pivot: NONE,
                    block: NONE,
                }
            }));
        }
        polygons.push(polygon(edges.len(), None));
        let pivots = super::corners::number_pivots(&polygons, &mut edges);
        let tops = super::blocks::find(&mut polygons, &mut edges);
        let cells = super::cells::CellsBuffer::new(&polygons, &edges);
        ChartBuffer {
            polygons,
            edges,
            heights,
            triangles,
            tops,
            cells,
            links: super::links::LinksBuffer::new(mesh),
            pivots: pivots.count,
            turning: pivots.turning,
            inner: pivots.inner,
            widest: pivots.widest,
        }
    }

    /// Places that paths can turn at: pivots, and ends of links.
    pub(super) fn bends(&self) -> usize {
        self.pivots + self.links.count()
    }

    pub(super) fn blocks(&self) -> usize {
        self.tops.len()
    }

    pub(in super::super) fn chart(&self) -> Chart<'_> {
        Chart {
            polygons: &self.polygons,
            edges: &self.edges,
            heights: &self.heights,
            triangles: self.triangles.triangles(),
            tops: &self.tops,
            cells: self.cells.cells(),
            links: self.links.links(),
            pivots: self.pivots as u32,
            corners: self.turning as u32,
            inner: self.inner as u32,
        }
    }
}
