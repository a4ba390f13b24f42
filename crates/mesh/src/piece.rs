//! From a layer's rings and heights to triangles.

use navbake_geom::{Delaunay, LIMIT, NO_EDGE, Point, Point3, TriangulateError};
use navbake_walkable::{Layer, Ring};

use crate::Piece;
use crate::heights::Field;
use crate::refine::Surface;
use crate::simplify::simplify;

/// How closely triangles follow a layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PieceSettings {
    /// How far the border may be drawn into the ground, in grid units. It is never drawn out of it. Zero leaves it where it is.
    pub tolerance: i32,
    /// How far triangles may lie above or below the ground at the centres of its cells and along its border, in grid units.
    pub height_error: i32,
}

/// Why a layer gives no triangles. Places are in grid units.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PieceError {
    /// A ring is none.
    #[error(
        "ring {ring} of the layer has {points} corners and {edges} edges; a ring has at least two corners (two for a wall with ground on both sides) and as many edges"
    )]
    BadRing {
        /// Index of the ring.
        ring: usize,
        /// Its corners.
        points: usize,
        /// Its entries that say which edges are open.
        edges: usize,
    },
    /// The heights do not fit their lattice.
    #[error(
        "the layer's heights are {cells} cells of side {cell} for a lattice of {size:?}; a side is even and positive, there is one cell for each place of the lattice, and places and heights lie within +-{LIMIT}"
    )]
    BadHeights {
        /// Cells given.
        cells: usize,
        /// Side of a cell.
        cell: i32,
        /// Cells along x and z.
        size: [u32; 2],
    },
    /// A setting is negative.
    #[error("tolerance {} and height error {} must not be negative", .0.tolerance, .0.height_error)]
    BadSettings(PieceSettings),
    /// The rings bound no ground.
    #[error("the layer's rings bound no ground: {0}")]
    Rings(#[from] TriangulateError),
}

/// Triangles for a layer: its border simplified into the ground, constrained Delaunay, with heights and, where the
/// ground is not flat, further corners inside.
///
/// Rings may run along each other or themselves in opposite directions: that is a wall of no width with ground on both
/// sides, and no triangle crosses it. Its sides are not open, though two triangles have them.
///
/// A corner whose triangles see different heights becomes several vertices at one place. Vertices and triangles come in ascending
/// order, so that the result depends on the layer's places alone.
///
/// # Errors
/// Rings that are not closed, cross or overlap; heights that do not fit their lattice; negative settings.
pub fn piece(layer: &Layer, settings: &PieceSettings) -> Result<Piece, PieceError> {
    if settings.tolerance < 0 || settings.height_error < 0 {
        return Err(PieceError::BadSettings(*settings));
    }
    for (i, ring) in layer.rings.iter().enumerate() {
        let (points, edges) = (ring.points.len(), ring.open.len());
        if points < 2 || points != edges {
            return Err(PieceError::BadRing {
                ring: i,
                points,
                edges,
            });
        }
        let beyond = |p: &&Point| p.x.abs() >= LIMIT || p.z.abs() >= LIMIT;
        if let Some(&point) = ring.points.iter().find(beyond) {
            return Err(TriangulateError::OutOfRange { point }.into());
        }
    }
    let heights = &layer.heights;
    let field = Field::new(heights).ok_or(PieceError::BadHeights {
        cells: heights.cells.len(),
        cell: heights.cell,
        size: heights.size,
    })?;
    let simple = simplify(&layer.rings, settings.tolerance);
    // Rings that touch in other places than vertices are no rings for simplification, but may still bound ground as they are.
    let (mesh, open) = connect(&simple).or_else(|_| connect(&layer.rings))?;
    let mut surface = Surface::new(mesh, &field);
    surface.refine(settings.height_error);
    Ok(assemble(&surface, &open))
}

/// The triangles between rings, and for each ring edge whether it is open.
fn connect(rings: &[Ring]) -> Result<(Delaunay, Vec<bool>), TriangulateError> {
    let count = rings.iter().map(|r| r.points.len()).sum();
    let mut points = Vec::with_capacity(count);
    let mut edges = Vec::with_capacity(count);
    let mut open = Vec::with_capacity(count);
    for ring in rings {
        let (base, n) = (points.len() as u32, ring.points.len() as u32);
        points.extend(&ring.points);
        edges.extend((0..n).map(|i| [base + i, base + (i + 1) % n]));
        open.extend(&ring.open);
    }
    Ok((Delaunay::new(&points, &edges)?, open))
}

fn assemble(surface: &Surface<'_>, open: &[bool]) -> Piece {
    let mesh = &surface.mesh;
    let corners: Vec<[Point3; 3]> = (0..mesh.triangles().len() as u32)
        .map(|t| {
            let (places, heights) = (mesh.corners(t), surface.heights(t));
            [0, 1, 2].map(|k| places[k].at(heights[k]))
        })
        .collect();
    let mut vertices: Vec<Point3> = corners.iter().flatten().copied().collect();
    vertices.sort_unstable_by_key(|p| (p.z, p.x, p.y));
    vertices.dedup();
    let index = |p: &Point3| {
        let key = (p.z, p.x, p.y);
        vertices.partition_point(|q| (q.z, q.x, q.y) < key) as u32
    };
    let mut triangles: Vec<([u32; 3], u8)> = corners
        .iter()
        .zip(mesh.edges())
        .map(|(corners, edges)| {
            let t = [0, 1, 2].map(|k| index(&corners[k]));
            let least = (0..3).min_by_key(|&k| t[k]).unwrap_or(0);
            let bit = |k: usize| {
                let edge = edges[(least + k) % 3];
                u8::from(edge != NO_EDGE && open[edge as usize]) << k
            };
            let t = [0, 1, 2].map(|k| t[(least + k) % 3]);
            (t, bit(0) | bit(1) | bit(2))
        })
        .collect();
    triangles.sort_unstable();
    Piece {
        triangles: triangles.iter().map(|t| t.0).collect(),
        open: triangles.iter().map(|t| t.1).collect(),
        vertices,
    }
}
