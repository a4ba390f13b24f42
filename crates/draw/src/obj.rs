//! Wavefront OBJ: one face a polygon, several where it has a height mesh, one group an island.

use std::fmt::Write;

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
