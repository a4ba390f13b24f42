//! Wavefront OBJ: one face a polygon, several where it has a height mesh, one group an island.

use std::fmt::Write;

use navbake_format::{NavMesh, NetworkView};

use crate::Axes;
use crate::surface::Surface;

/// Writes the surface as OBJ, islands in the order of their numbers.
pub fn write(surface: &Surface) -> String {
    let mut out = String::from(
        "# navmesh, y up, one face a polygon (several where it has a height mesh), a group an island\n",
    );
    for [x, y, z] in surface.vertices.iter().chain(&surface.points) {
        let _ = writeln!(out, "v {x} {y} {z}");
    }
    for (island, polygons) in surface.polygons_of_islands() {
        let _ = writeln!(out, "g island_{island}");
        for polygon in polygons {
            let polygon = &surface.polygons[polygon];
            if polygon.faces.is_empty() {
                face(&mut out, &polygon.corners);
            }
            for part in &polygon.faces {
                face(&mut out, part);
            }
        }
    }
    out
}

/// Writes a route network on a mesh as OBJ: a vertex a point, a line an edge.
///
/// An edge that leads both ways is one line.
pub fn network(network: &NetworkView<'_>, mesh: &NavMesh<'_>, axes: Axes) -> String {
    let mut out = format!("# network {}, {}\n", network.name.escape_default(), network.kind);
    for point in network.points() {
        let height = mesh.polygon(point.polygon).height(point.at.map(f64::from));
        let [x, z] = point.at.map(f64::from);
        let [x, y, z] = axes.outward(mesh.grid().metres([x, height, z]));
        let _ = writeln!(out, "v {x} {y} {z}");
    }
    let leads = |from, to| network.edges_of(from).any(|edge| edge.to == to);
    for from in 0..network.point_count() {
        for to in network.edges_of(from).map(|edge| edge.to) {
            if from < to || !leads(to, from) {
                let _ = writeln!(out, "l {} {}", from + 1, to + 1);
            }
        }
    }
    out
}

fn face(out: &mut String, corners: &[u32]) {
    out.push('f');
    for corner in corners {
        let _ = write!(out, " {}", corner + 1);
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::tests::two_squares_and_an_island;

    #[test]
    fn faces_are_polygons_and_groups_are_islands() {
        let text = write(&two_squares_and_an_island());
        assert_eq!(text.lines().filter(|l| l.starts_with("v ")).count(), 9);
        let rest: Vec<&str> =
            text.lines().filter(|l| l.starts_with('g') || l.starts_with('f')).collect();
        assert_eq!(rest, ["g island_0", "f 1 3 4 2", "f 2 4 6 5", "g island_1", "f 7 8 9"]);
    }
}
