//! A navmesh as plain polygons, from any baker.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use navbake_bake::MeshQuality;
use navbake_format::{NavMesh, VertexId};

/// Polygons in y-up metres.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Positions.
    pub vertices: Vec<[f64; 3]>,
    /// Corners of each polygon.
    pub polygons: Vec<Vec<u32>>,
}

impl Mesh {
    /// The navmesh of a view.
    pub fn of(view: &NavMesh<'_>) -> Mesh {
        let grid = view.grid();
        let position = |v: u32| grid.metres(view.vertex(VertexId(v)).map(f64::from));
        Mesh {
            vertices: (0..view.vertex_count()).map(position).collect(),
            polygons: view
                .polygons()
                .map(|p| (0..p.len()).map(|k| p.vertex(k).0).collect())
                .collect(),
        }
    }

    /// Area seen from above of one polygon, m2.
    pub fn polygon_area(&self, polygon: &[u32]) -> f64 {
        let at = |k: usize| self.vertices[polygon[k] as usize];
        let [ox, _, oz] = at(0);
        let doubled: f64 = (1..polygon.len().saturating_sub(1))
            .map(|k| {
                let ([bx, _, bz], [cx, _, cz]) = (at(k), at(k + 1));
                (bx - ox) * (cz - oz) - (bz - oz) * (cx - ox)
            })
            .sum();
        doubled.abs() / 2.0
    }

    /// Area seen from above, m2.
    pub fn area(&self) -> f64 {
        self.polygons.iter().map(|p| self.polygon_area(p)).sum()
    }

    /// How compact the polygons are.
    pub fn quality(&self) -> MeshQuality {
        let corner = |&v: &u32| {
            let [x, _, z] = self.vertices[v as usize];
            [x, z]
        };
        MeshQuality::of(0, 1.0, self.polygons.iter().map(|p| p.iter().map(corner)))
    }

    /// Writes the mesh as OBJ, one face a polygon.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_obj(&self, path: &Path) -> Result<(), String> {
        let mut out = String::new();
        for [x, y, z] in &self.vertices {
            let _ = writeln!(out, "v {x} {y} {z}");
        }
        for polygon in &self.polygons {
            out.push('f');
            for corner in polygon {
                let _ = write!(out, " {}", corner + 1);
            }
            out.push('\n');
        }
        fs::write(path, out).map_err(|e| format!("cannot write {}: {e}", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn area_and_quality_do_not_depend_on_the_winding() {
        let square = |corners: &[u32]| Mesh {
            vertices: vec![[0.0; 3], [2.0, 5.0, 0.0], [2.0, 0.0, 2.0], [0.0, 1.0, 2.0]],
            polygons: vec![corners.to_vec()],
        };
        assert_eq!(square(&[0, 1, 2, 3]).area(), 4.0);
        assert_eq!(square(&[3, 2, 1, 0]).area(), 4.0);
        let quality = square(&[0, 1, 2, 3]).quality();
        assert_eq!(quality.polygons_per_100_m2, 25.0);
        assert_eq!(square(&[3, 2, 1, 0]).quality(), quality);
    }
}
