//! From a layer's rings and heights to the polygons of a tile.

use navbake_geom::{
    Delaunay, LIMIT, MarkedRing, NO_TRIANGLE, Point, Point3, TriangulateError, noded,
};
use navbake_walkable::{Layer, Ring};

use crate::cell_heights::towards;
use crate::connect::connect;
use crate::convex::convex_patch;
use crate::height_fit::fit_heights;
use crate::layer_heights::LayerHeights;
use crate::merge::{merge_flat, merge_sloped};
use crate::seams;
use crate::simplify::simplify;
use crate::slope_refinement;
use crate::{MergeSettings, NONE, Patch, PolygonMesh};

/// The share of the slope error that triangles use; merging them uses the rest.
const SLOPES: f64 = 0.6;

/// How closely polygons follow a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatchSettings {
    /// How far simplification may move the border into the ground, in grid units.
    ///
    /// It never moves out of the ground. Zero leaves it as it is.
    pub tolerance: i32,
    /// The greatest height error of polygons at breaklines, in grid units.
    pub height_error: i32,
    /// The greatest height error along open edges, in grid units: layers are joined where their
    /// edges' heights agree.
    pub seam_error: i32,
    /// How far the surface between the corners of a polygon may be off the ground, in grid units:
    /// polygons and edges of rings are cut until it is no further. Zero where that does not matter,
    /// and heights come from height meshes alone.
    pub slope_error: i32,
    /// The greatest number of corners of a polygon; at least 3.
    pub max_corners: u32,
}

/// Why a layer gives no polygons. Places are in grid units.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatchError {
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
    #[error(
        "tolerance {}, height error {}, seam error {} and slope error {} must not be negative",
        .0.tolerance, .0.height_error, .0.seam_error, .0.slope_error
    )]
    BadSettings(PatchSettings),
    /// The rings bound no ground.
    #[error("the layer's rings bound no ground: {0}")]
    Rings(#[from] TriangulateError),
}

/// Polygons for a layer: its border simplified into the ground, constrained Delaunay triangles,
/// merged to convex polygons as large as can be, and a height mesh where the ground inside of
/// polygons is not what their corners say.
///
/// Rings may run along each other or themselves in opposite directions: that is a wall of no width
/// with ground on both sides. No polygon crosses it, and it is no portal; where its sides are
/// marked as open, [`crate::join`] may make it one.
///
/// Vertices and polygons come in ascending order, so that the result depends on the layer's places
/// alone.
///
/// Rings that cross or overlap are noded ([`noded`]): they bound what they wind around at least
/// once.
///
/// # Errors
/// Rings of one corner, or with corners beyond the grid; heights that do not fit their lattice;
/// negative settings.
pub fn patch(layer: &Layer, settings: &PatchSettings) -> Result<Patch, PatchError> {
    patch_cut(layer, settings, |_, _| None).map(|made| made.0)
}

/// The same with creases, which `cut` puts into the simplified rings, and whether triangles between
/// these were found.
pub(crate) fn patch_cut(
    layer: &Layer,
    settings: &PatchSettings,
    mut cut: impl FnMut(&[Ring], &LayerHeights<'_>) -> Option<Vec<Ring>>,
) -> Result<(Patch, bool), PatchError> {
    use TriangulateError::{Cross, Open, Overlap};
    match patch_rings(layer, settings, &mut cut) {
        Err(PatchError::Rings(Cross { .. } | Overlap { .. } | Open { .. })) => {
            let marked = |r: &Ring| r.points.iter().copied().zip(r.open.iter().copied()).collect();
            let marked: Vec<MarkedRing> = layer.rings.iter().map(marked).collect();
            let ring = |r: MarkedRing| {
                let (points, open) = r.into_iter().unzip();
                Ring { points, open }
            };
            let rings = noded(&marked).into_iter().map(ring).collect();
            patch_rings(&Layer { rings, ..layer.clone() }, settings, &mut cut)
        }
        made => made,
    }
}

/// The same for rings that meet in corners only.
fn patch_rings(
    layer: &Layer,
    settings: &PatchSettings,
    cut: impl FnOnce(&[Ring], &LayerHeights<'_>) -> Option<Vec<Ring>>,
) -> Result<(Patch, bool), PatchError> {
    if [settings.tolerance, settings.height_error, settings.seam_error, settings.slope_error]
        .iter()
        .any(|&v| v < 0)
    {
        return Err(PatchError::BadSettings(*settings));
    }
    for (i, ring) in layer.rings.iter().enumerate() {
        let (points, edges) = (ring.points.len(), ring.open.len());
        if points < 2 || points != edges {
            return Err(PatchError::BadRing { ring: i, points, edges });
        }
        let beyond = |p: &&Point| p.x.abs() >= LIMIT || p.z.abs() >= LIMIT;
        if let Some(&point) = ring.points.iter().find(beyond) {
            return Err(TriangulateError::OutOfRange { point }.into());
        }
    }
    let heights = &layer.heights;
    let ground = LayerHeights::new(layer).ok_or(PatchError::BadHeights {
        cells: heights.cells.len(),
        cell: heights.cell,
        size: heights.size,
    })?;
    let ground = if settings.slope_error > 0 { ground.with_risers() } else { ground };
    let mut simple = simplify(&layer.rings, settings.tolerance);
    for ring in &mut simple {
        seams::follow(ring, &ground, settings.seam_error);
    }
    let cut = cut(&simple, &ground).and_then(|rings| {
        let connected = connect(&rings, &[]).ok()?;
        Some((rings, connected))
    });
    let is_cut = cut.is_some();
    let mut patch = match &cut {
        Some((_, (mesh, open))) => merged_triangles(mesh, open, &ground, settings),
        None => match convex_patch(&simple, &ground, settings.max_corners) {
            Some(patch) => patch,
            None => merged(&simple, &layer.rings, &ground, settings)?,
        },
    };
    if settings.slope_error > 0 {
        let rings = cut.as_ref().map_or(&simple, |(rings, _)| rings);
        // Rings that touch in other places than vertices stay as they are. What the triangles leave
        // of the error is for merging.
        let error = f64::from(settings.slope_error);
        if let Ok((mesh, open)) = slope_refinement::refine(rings, &ground, SLOPES * error) {
            let (triangles, open) = raise(&mesh, &open, &ground);
            let settings = MergeSettings {
                height_error: ((1.0 - SLOPES) * error) as i32,
                max_corners: settings.max_corners,
            };
            patch = merge_sloped(&triangles, open, &settings);
        }
    }
    fit_heights(&mut patch.mesh, &ground, f64::from(settings.height_error));
    Ok((patch, is_cut))
}

/// The triangles between rings, merged. Rings that must not change get no corners.
fn merged_triangles(
    mesh: &Delaunay,
    open: &[bool],
    ground: &LayerHeights<'_>,
    settings: &PatchSettings,
) -> Patch {
    let (triangles, open) = raise(mesh, open, ground);
    let height = |p: Point, side: [i64; 2]| ground.height(p, side);
    let height = (settings.tolerance > 0).then_some(&height);
    merge_flat(&triangles, open, settings.max_corners, height)
}

/// The triangles between simplified rings, merged.
pub(crate) fn merged(
    simple: &[Ring],
    rings: &[Ring],
    ground: &LayerHeights<'_>,
    settings: &PatchSettings,
) -> Result<Patch, PatchError> {
    // Rings that touch in other places than vertices are no rings for simplification, but may still
    // bound ground as they are.
    let (mesh, open) = connect(simple, &[]).or_else(|_| connect(rings, &[]))?;
    Ok(merged_triangles(&mesh, &open, ground, settings))
}

/// The triangles with heights, and which of their edges are open.
///
/// Vertices (by x, then z, then height) and triangles are in ascending order, each triangle from
/// its least vertex on: the order of rings and their points is forgotten. Where triangles around a
/// place see different heights, it becomes several vertices.
fn raise(mesh: &Delaunay, open: &[bool], ground: &LayerHeights<'_>) -> (PolygonMesh, Vec<bool>) {
    let points = mesh.points();
    let only = points.iter().map(|&p| ground.only_height(p));
    let only: Vec<Option<i32>> = only.collect();
    // Where there is more than one height, each corner has its own: they come behind the points.
    let mut own: Vec<Point3> = vec![];
    let mut is_used = vec![false; points.len()];
    let corners: Vec<[usize; 3]> = (mesh.triangles().iter())
        .map(|t| {
            t.map(|v| {
                let (v, p) = (v as usize, points[v as usize]);
                if only[v].is_some() {
                    is_used[v] = true;
                    return v;
                }
                let flat = t.map(|v| points[v as usize]);
                own.push(p.at(ground.height(p, towards(&flat, p))));
                points.len() + own.len() - 1
            })
        })
        .collect();
    let known = points.iter().zip(&only).map(|(p, y)| p.at(y.unwrap_or(0)));
    let is_used = is_used.into_iter().chain(own.iter().map(|_| true));
    let all = known.chain(own.iter().copied()).zip(0u32..).zip(is_used);
    let mut ranks: Vec<(u128, Point3)> = all
        .filter(|(_, is_used)| *is_used)
        .map(|((p, k), _)| (p.rank_from_above() << 32 | u128::from(k), p))
        .collect();
    ranks.sort_unstable_by_key(|r| r.0);
    let mut vertices: Vec<Point3> = Vec::with_capacity(ranks.len());
    let mut index = vec![NONE; points.len() + own.len()];
    for (rank, p) in ranks {
        if vertices.last() != Some(&p) {
            vertices.push(p);
        }
        index[rank as u32 as usize] = vertices.len() as u32 - 1;
    }
    // Corners, turn and number.
    let mut order: Vec<([u32; 3], usize, usize)> = (corners.iter().enumerate())
        .map(|(t, corners)| {
            let v = corners.map(|k| index[k]);
            let turn = (0..3).min_by_key(|&k| v[k]).unwrap_or(0);
            ([v[turn], v[(turn + 1) % 3], v[(turn + 2) % 3]], turn, t)
        })
        .collect();
    order.sort_unstable();
    let mut number = vec![NONE; order.len()];
    for (new, entry) in order.iter().enumerate() {
        number[entry.2] = new as u32;
    }
    let mut triangles = PolygonMesh {
        vertices,
        first_edge: (0..=order.len() as u32).map(|t| 3 * t).collect(),
        ..PolygonMesh::default()
    };
    let mut marks = Vec::with_capacity(3 * order.len());
    for (corners, turn, t) in order {
        triangles.corners.extend(corners);
        for k in 0..3 {
            let side = (turn + k) % 3;
            let (edge, beyond) = (mesh.edges()[t][side], mesh.neighbours()[t][side]);
            // Across a ring's edge there is a wall, whatever is beyond.
            let wall = open.get(edge as usize);
            let within = wall.is_none() && beyond != NO_TRIANGLE;
            let beyond = if within { number[beyond as usize] } else { NONE };
            triangles.neighbours.push(beyond);
            marks.push(wall == Some(&true));
        }
    }
    (triangles, marks)
}
