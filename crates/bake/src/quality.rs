//! How compact the polygons of a navmesh are.
//!
//! ```text
//!    ____________________        least angle: the least interior angle of a corner
//!   /                    \  |    width: the least distance between two parallel lines that
//!  /______________________\ |           the polygon lies between; one of them holds an edge
//!                         width
//! ```

use serde::Serialize;

/// A polygon below this width is narrow, m.
const NARROW: f64 = 0.1;

/// How compact the polygons of the navmesh of an agent class are, seen from above. All 0 where
/// there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MeshQuality {
    /// The agent class.
    pub class: u16,
    /// Polygons per 100 m2.
    pub polygons_per_100_m2: f64,
    /// The share of polygons that are less than 0.1 m wide, 0 to 1.
    pub narrow_share: f64,
    /// The median over polygons of their least interior angle, degrees.
    pub median_least_angle_degrees: f64,
}

impl MeshQuality {
    /// The figures of convex polygons, each given by the corners of its ring; either winding.
    /// `units` is how many units of the corners are a metre.
    pub fn of<R: IntoIterator<Item = [f64; 2]>>(
        class: u16,
        units: f64,
        polygons: impl IntoIterator<Item = R>,
    ) -> MeshQuality {
        let (mut ring, mut edges, mut cosines) = (vec![], vec![], vec![]);
        let (mut doubled, mut narrow) = (0.0, 0u64);
        for polygon in polygons {
            ring.clear();
            ring.extend(polygon);
            edges_of(&ring, &mut edges);
            doubled += area_doubled(&ring);
            narrow += u64::from(is_narrower(&ring, &edges, NARROW * units));
            cosines.push(greatest_cosine(&edges));
        }
        if cosines.is_empty() || doubled <= 0.0 {
            return MeshQuality { class, ..MeshQuality::default() };
        }
        let count = cosines.len() as f64;
        MeshQuality {
            class,
            polygons_per_100_m2: count * 100.0 / (doubled / 2.0 / (units * units)),
            narrow_share: narrow as f64 / count,
            median_least_angle_degrees: median_angle(&mut cosines),
        }
    }
}

/// An edge: the corner where it begins, its direction of length 1.
type Edge = ([f64; 2], [f64; 2]);

/// The edges of a ring; those of no length are left out.
fn edges_of(ring: &[[f64; 2]], edges: &mut Vec<Edge>) {
    edges.clear();
    let ends = ring.iter().zip(ring.iter().cycle().skip(1));
    edges.extend(ends.filter(|(a, b)| a != b).map(|(&a, b)| {
        let [x, z] = [b[0] - a[0], b[1] - a[1]];
        let length = (x * x + z * z).sqrt();
        (a, [x / length, z / length])
    }));
}

/// Twice the area.
fn area_doubled(ring: &[[f64; 2]]) -> f64 {
    let Some(&[x, z]) = ring.first() else {
        return 0.0;
    };
    let ends = ring.iter().zip(ring.iter().skip(1));
    let sum: f64 = ends.map(|(a, b)| (a[0] - x) * (b[1] - z) - (a[1] - z) * (b[0] - x)).sum();
    sum.abs()
}

/// Whether a convex ring is between two parallel lines that are less than `most` apart. It is if it
/// is with one of them along an edge.
fn is_narrower(ring: &[[f64; 2]], edges: &[Edge], most: f64) -> bool {
    edges.iter().any(|&(a, [x, z])| {
        // Ends at the first corner beyond, which is mostly near.
        ring.iter().all(|p| (x * (p[1] - a[1]) - z * (p[0] - a[0])).abs() < most)
    })
}

/// The cosine of the least interior angle of a convex ring.
fn greatest_cosine(edges: &[Edge]) -> f64 {
    let pairs = edges.iter().zip(edges.iter().cycle().skip(1));
    let cosines = pairs.map(|((_, d), (_, e))| -(d[0] * e[0] + d[1] * e[1]));
    cosines.fold(-1.0, f64::max).min(1.0)
}

/// The median of the angles with these cosines, degrees; there is at least one.
fn median_angle(cosines: &mut [f64]) -> f64 {
    cosines.sort_unstable_by(f64::total_cmp);
    let count = cosines.len();
    let middle = [(count - 1) / 2, count / 2].map(|k| libm::acos(cosines[k]));
    ((middle[0] + middle[1]) / 2.0).to_degrees()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: &[[f64; 2]] = &[[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]];
    const SLIVER: &[[f64; 2]] = &[[0.0, 0.0], [4.0, 0.0], [4.0, 0.05], [0.0, 0.05]];

    fn quality(rings: &[&[[f64; 2]]]) -> MeshQuality {
        let of = |units: f64| {
            let scaled =
                |p: &&[[f64; 2]]| p.iter().map(|c| c.map(|v| v * units)).collect::<Vec<_>>();
            MeshQuality::of(3, units, rings.iter().map(scaled))
        };
        let [metres, units] = [of(1.0), of(1024.0)];
        assert_eq!(metres, units, "figures do not depend on the unit");
        metres
    }

    /// Is this the width, to a millionth of a metre?
    fn has_width(ring: &[[f64; 2]], width: f64) -> bool {
        let mut edges = vec![];
        edges_of(ring, &mut edges);
        let [below, above] = [-1e-6, 1e-6].map(|by| is_narrower(ring, &edges, width + by));
        !below && above
    }

    #[test]
    fn a_square_of_10_m_is_one_polygon_per_100_m2_with_right_angles() {
        let square = quality(&[SQUARE]);
        assert_eq!((square.class, square.polygons_per_100_m2), (3, 1.0));
        assert_eq!(square.narrow_share, 0.0);
        assert!((square.median_least_angle_degrees - 90.0).abs() < 1e-9, "{square:?}");
    }

    #[test]
    fn a_strip_of_5_cm_is_narrow_and_one_of_20_cm_is_not() {
        assert!(has_width(SLIVER, 0.05));
        let wide: &[[f64; 2]] = &[[0.0, 0.0], [4.0, 0.0], [4.0, 0.2], [0.0, 0.2]];
        assert_eq!(quality(&[SLIVER]).narrow_share, 1.0);
        assert_eq!(quality(&[wide]).narrow_share, 0.0);
        let three = quality(&[SQUARE, SLIVER, wide, SQUARE]);
        assert_eq!(three.narrow_share, 0.25);
        assert!((three.polygons_per_100_m2 - 400.0 / 201.0).abs() < 1e-9, "{three:?}");
    }

    #[test]
    fn width_is_measured_along_the_direction_in_which_it_is_least() {
        // A strip turned by the angle of the triangle with sides 3, 4, 5.
        let (along, across) = ([3.2, 2.4], [-0.03, 0.04]);
        let turned = [[0.0; 2], along, [along[0] + across[0], along[1] + across[1]], across];
        assert!(has_width(&turned, 0.05));
        // The least height of the triangle with sides 3, 4, 5 is that on its longest side.
        assert!(has_width(&[[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]], 2.4));
    }

    #[test]
    fn the_least_angle_of_a_triangle_does_not_depend_on_its_winding_or_corners_on_edges() {
        let angle = |ring: &[[f64; 2]]| quality(&[ring]).median_least_angle_degrees;
        let height = 3f64.sqrt();
        let half: &mut [[f64; 2]] = &mut [[0.0, 0.0], [1.0, 0.0], [0.0, height]];
        assert!((angle(half) - 30.0).abs() < 1e-9);
        half.reverse();
        assert!((angle(half) - 30.0).abs() < 1e-9);
        let on_edge = [[0.0, 0.0], [0.5, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, height]];
        assert!((angle(&on_edge) - 30.0).abs() < 1e-9);
        // An angle above 90 degrees counts where all are.
        let hexagon = [[2.0, 0.0], [1.0, height], [-1.0, height], [-2.0, 0.0], [-1.0, -height]];
        let all: Vec<[f64; 2]> = hexagon.into_iter().chain([[1.0, -height]]).collect();
        assert!((angle(&all) - 120.0).abs() < 1e-9);
    }

    #[test]
    fn the_median_of_an_even_number_is_between_both_middle_angles() {
        let half: &[[f64; 2]] = &[[0.0, 0.0], [1.0, 0.0], [0.0, 3f64.sqrt()]];
        let same: &[[f64; 2]] = &[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
        let median = |rings: &[&[[f64; 2]]]| quality(rings).median_least_angle_degrees;
        assert!((median(&[SQUARE, half]) - 60.0).abs() < 1e-9);
        assert!((median(&[SQUARE, half, same]) - 45.0).abs() < 1e-9);
    }

    #[test]
    fn no_polygons_have_no_figures() {
        assert_eq!(quality(&[]), MeshQuality { class: 3, ..MeshQuality::default() });
    }
}
