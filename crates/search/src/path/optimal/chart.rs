//! The borders of all polygons, laid out for the optimal search.
//!
//! In a blob corners and neighbours take a few bits each and are read by decoding; an optimal search reads the same borders over and over.
//! The chart holds them ready: 24 bytes an edge, 12 a polygon, 4 a block. It is made once a mesh (each
//! [`SearchBuffer`](super::super::SearchBuffer) has one) and is only read afterwards.

use navbake_format::NavMeshView;

/// No polygon, no block, no place.
pub(super) const NONE: u32 = u32::MAX;

/// In [`ChartEdge::place`]: a shortest path can turn there.
pub(super) const CORNER: u32 = 1 << 31;

/// In [`ChartEdge::place`]: the ground takes more than one turn there, as around the axis of a helix, so that a path may turn by more than
/// half a turn.
pub(super) const WIDE: u32 = 1 << 30;

/// An edge of a polygon, and the corner where it begins.
#[derive(Clone, Copy, Debug)]
pub struct ChartEdge {
    pub(super) at: [i32; 2],
    /// The polygon beyond, [`NONE`] at a wall.
    pub(super) beyond: u32,
    /// The number of the edge there that runs the other way.
    pub(super) twin: u32,
    /// The number of the corner's place, with the bits [`CORNER`] and [`WIDE`]. All corners around one vertex that are the same ground have one place,
    /// those at other ground on the same spot (beyond a pinch, on another storey) another.
    pub(super) place: u32,
    /// The block of the portal; see [`super::blocks`].
    pub(super) block: u32,
}

impl ChartEdge {
    /// Can a shortest path turn at the corner where the edge begins?
    #[inline]
    pub(super) fn is_corner(&self) -> bool {
        self.place & CORNER != 0
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
}

/// A chart, read only. One without polygons is of no mesh: optimal searches with it end at once, out of nodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chart<'a> {
    /// One more than there are.
    pub(super) polygons: &'a [ChartPolygon],
    pub(super) edges: &'a [ChartEdge],
    /// The polygon that each block hangs on.
    pub(super) tops: &'a [u32],
}

impl<'a> Chart<'a> {
    /// Can it be the mesh's?
    pub(super) fn fits(&self, mesh: &NavMeshView<'_>) -> bool {
        self.polygons.len() == mesh.polygon_count() as usize + 1
            && self.edges.len() == mesh.edge_count() as usize
    }

    /// The edges of a polygon, counter-clockwise; none where there is no such polygon.
    #[inline]
    pub(super) fn border(&self, polygon: u32) -> &'a [ChartEdge] {
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
    tops: alloc::vec::Vec<u32>,
    /// Number of places.
    pub(super) places: usize,
    /// The most corners of one place.
    pub(super) widest: usize,
}

#[cfg(feature = "alloc")]
impl ChartBuffer {
    pub(super) fn new(mesh: &NavMeshView<'_>) -> ChartBuffer {
        let mut polygons = alloc::vec::Vec::with_capacity(mesh.polygon_count() as usize + 1);
        let mut edges = alloc::vec::Vec::with_capacity(mesh.edge_count() as usize);
        let polygon = |edges: usize| ChartPolygon {
            first: edges as u32,
            home: NONE,
            order: NONE,
        };
        for p in mesh.polygons() {
            polygons.push(polygon(edges.len()));
            edges.extend((0..p.len()).map(|k| {
                let across = p.across(k);
                ChartEdge {
                    at: p.corner(k),
                    beyond: across.map_or(NONE, |(beyond, _)| beyond.0),
                    twin: across.map_or(0, |(_, twin)| twin),
                    place: NONE,
                    block: NONE,
                }
            }));
        }
        polygons.push(polygon(edges.len()));
        let (places, widest) = super::corners::number_places(&polygons, &mut edges);
        let tops = super::blocks::find(&mut polygons, &mut edges);
        ChartBuffer {
            polygons,
            edges,
            tops,
            places,
            widest,
        }
    }

    pub(super) fn blocks(&self) -> usize {
        self.tops.len()
    }

    pub(super) fn chart(&self) -> Chart<'_> {
        Chart {
            polygons: &self.polygons,
            edges: &self.edges,
            tops: &self.tops,
        }
    }
}
