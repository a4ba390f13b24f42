//! Lines skip only triangles that they do not cut.

use proptest::prelude::*;

use super::{Near, Slice, sectors};

/// Small numbers give corners at the place, and edges on lines through it.
fn corners() -> impl Strategy<Value = [[f64; 3]; 3]> {
    prop_oneof![Just(3), Just(50), Just(2000)]
        .prop_flat_map(|size| [(); 9].map(|_| -size..=size))
        .prop_map(|all| [0, 3, 6].map(|k| [all[k], all[k + 1], all[k + 2]].map(f64::from)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn lines_miss_no_triangle_for_its_sectors(
        [x, z, y] in corners(),
        way in [-9..=9, -9..=9].prop_filter("a direction", |way| *way != [0, 0]),
        of_corner in 0..6_usize,
    ) {
        // In half of the cases straight to a corner.
        let way = match of_corner {
            k @ 0..3 if [x[k], z[k]] != [0.0; 2] => [x[k], z[k]],
            _ => way.map(f64::from),
        };
        let to = way.map(|c| c / way[0].hypot(way[1]));
        let near = |sectors| Near { x, z, y, sectors, solid: 0, ground: true, upright: false };
        let (mut some, mut all) = (Slice::default(), Slice::default());
        some.cut(&[near(sectors(x, z))], to, 1000.0);
        all.cut(&[near(u64::MAX)], to, 1000.0);
        prop_assert_eq!(&some.stops, &all.stops);
        prop_assert_eq!(some.cuts.len(), all.cuts.len());
        prop_assert_eq!(some.strokes.len(), all.strokes.len());
    }
}

#[test]
fn a_triangle_beside_a_place_is_in_few_sectors() {
    let own = sectors([10.0, 11.0, 11.0], [0.0, 0.0, 1.0]);
    assert!(own.count_ones() <= 5, "{own:b}");
}
