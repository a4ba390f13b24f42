//! The height meshes of a navmesh, cut along its polygons.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use navbake_format::{NavMesh, PolyId};
use rayon::prelude::*;

use crate::height_triangles::HeightTriangles;

/// The part of a height mesh in a polygon.
#[derive(Debug, Default)]
pub(crate) struct Part {
    /// Distinct, grid units, in the order of their first use.
    pub(crate) points: Vec<[f64; 3]>,
    /// Convex faces as indices of points.
    pub(crate) faces: Vec<Vec<u32>>,
}

impl Part {
    /// Of faces with the positions of their corners.
    fn new(faces: Vec<Vec<[f64; 3]>>) -> Part {
        let (mut points, mut known) = (vec![], BTreeMap::new());
        let mut number = |at: [f64; 3]| {
            *known.entry(at.map(f64::to_bits)).or_insert_with(|| {
                points.push(at);
                points.len() as u32 - 1
            })
        };
        let faces = faces.into_iter();
        let faces = faces.map(|face| face.into_iter().map(&mut number).collect()).collect();
        Part { points, faces }
    }
}

/// The points and the triangles of a height mesh.
type Content = (Vec<[i32; 3]>, Vec<[u16; 3]>);
/// The corners of a polygon, seen from above.
type Ring = Vec<[i32; 2]>;
/// A height mesh, and its part in each of its polygons.
type Cut = (Content, Vec<(Ring, Arc<Part>)>);

/// The parts of the last surface, for [`Surface::again`](crate::Surface::again) to reuse.
#[derive(Debug, Default)]
pub struct EarlierSurface(HashMap<Content, HashMap<Ring, Arc<Part>>>);

/// The part of its height mesh in each polygon; empty where it is flat. Reuses those with the
/// same content as before, and keeps all.
pub(crate) fn parts(mesh: &NavMesh<'_>, earlier: &mut EarlierSurface) -> Vec<Arc<Part>> {
    let mut of_detail: Vec<Vec<PolyId>> = vec![vec![]; mesh.detail_count() as usize];
    for p in (0..mesh.polygon_count()).map(PolyId) {
        if let Some(detail) = mesh.detail_number(p) {
            of_detail[detail as usize].push(p);
        }
    }
    let cut = |(number, polygons): (usize, &Vec<PolyId>)| {
        let detail = mesh.detail(number as u32)?;
        let content: Content = (detail.points().collect(), detail.triangles().collect());
        let known = earlier.0.get(&content);
        let mut triangles = None;
        let mut part = |p: &PolyId| {
            let polygon = mesh.polygon(*p);
            let ring: Ring = (0..polygon.len()).map(|k| polygon.corner(k)).collect();
            let same = known.and_then(|known| known.get(&ring)).cloned();
            let parts = same.unwrap_or_else(|| {
                let triangles = triangles.get_or_insert_with(|| HeightTriangles::new(&detail));
                let corners: Vec<[f64; 2]> = ring.iter().map(|c| c.map(f64::from)).collect();
                Arc::new(Part::new(triangles.parts(&corners)))
            });
            (ring, parts)
        };
        Some((content, polygons.iter().map(&mut part).collect()))
    };
    let made: Vec<Option<Cut>> = of_detail.par_iter().enumerate().map(cut).collect();
    let mut all = vec![Arc::default(); mesh.polygon_count() as usize];
    earlier.0.clear();
    for (polygons, made) in of_detail.iter().zip(made) {
        let Some((content, parts)) = made else { continue };
        for (p, (_, parts)) in polygons.iter().zip(&parts) {
            all[p.index()] = Arc::clone(parts);
        }
        earlier.0.insert(content, parts.into_iter().collect());
    }
    all
}
