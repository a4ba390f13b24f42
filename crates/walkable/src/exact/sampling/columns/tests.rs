use navbake_level::Level;

use super::*;
use crate::exact::test_levels::{self, random};

/// Triangles in all directions, many with corners exactly under points of the sampling grid, and
/// some places with many above each other.
pub(crate) fn level() -> Level {
    let mut next = random(7);
    let mut triangles: Vec<[[f64; 3]; 3]> = (0..160)
        .map(|k| {
            let step = if k % 2 == 0 { 0.25 } else { 0.013 };
            let side = [9.0, 3.0, 1.0][k % 3];
            let corner = [next(36) * 0.25, next(9) * 0.8, next(36) * 0.25];
            [0, 1, 2].map(|_| {
                let [x, z] = [0, 1].map(|_| (next(1000) * side / 1000.0 / step).round() * step);
                let y = if k % 4 == 0 { 0.0 } else { next(100) * 0.02 };
                [corner[0] + x, corner[1] + y, corner[2] + z]
            })
        })
        .collect();
    // One with an edge that hardly rises over most of the grid.
    triangles.push([[-3e4, 50.0, -3e4], [3e4, 50.0, -29999.999], [4.5, 50.0, 3.0]]);
    test_levels::level(triangles)
}

#[test]
fn rows_give_the_places_to_stand_that_all_triangles_tried_at_each_point_give() {
    let level = level();
    let (measures, triangles) = test_levels::tile(&level);
    let (across, corner) = (50, [-512.0, -12.0 * 1024.0]);
    let mut rows = Rows::new(&triangles, corner, measures.cell, [across; 2], &[]);
    let (mut places, mut deepest) = (0, 0);
    for row in 0..across {
        rows.advance();
        let mut found: Vec<Vec<(f64, u32)>> = vec![vec![]; across as usize];
        while let Some(run) = rows.next(&measures) {
            for point in run {
                assert_eq!(found[point], []);
                let standing = rows.standing().iter();
                found[point] = standing.map(|s| (s.at(point), s.triangle())).collect();
            }
        }
        for point in 0..across {
            let p = [point, row].map(|k| f64::from(k) * measures.cell);
            let p = [corner[0] + p[0], corner[1] + p[1]];
            let mut column: Vec<(f64, bool, u32)> = vec![];
            for (i, triangle) in triangles.all.iter().enumerate() {
                if !triangle.upright && (0..3).all(|k| triangle.inside_of(k, p) >= 0.0) {
                    column.push((triangle.at(p), triangle.ground, i as u32));
                }
            }
            deepest = deepest.max(column.len());
            column.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
            let mut wanted: Vec<(f64, u32)> = vec![];
            for &(y, ground, triangle) in column.iter().rev() {
                let lid = |c: &&(f64, bool, u32)| is_lid(c.0, y, &measures);
                let on_step = wanted.last().is_some_and(|w| w.0 - y <= measures.climb);
                if ground && !on_step && column.iter().find(lid).is_none() {
                    wanted.push((y, triangle));
                }
            }
            wanted.reverse();
            assert_eq!(found[point as usize], wanted, "{p:?}");
            places += wanted.len();
        }
    }
    assert!(places > 1000 && deepest > MANY + 2, "{places}, {deepest}");
}
