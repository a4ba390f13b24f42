//! Which cells an obstacle takes: against distances, and at the edge of what there is.

use navbake_format::{Blob, CellId, CellShape};
use navbake_gridpath::{CellFilter, Obstacle};
use navbake_search::{NavMeshBuf, QueryFilter};
use navbake_testkit::Random;
use navbake_testkit::solids::Solid;

use crate::common::floor_of_cells;

/// Prisms of 2 to 12 corners and cylinders, widened or not.
#[test]
fn an_outline_takes_the_cells_within_its_radius() {
    let mut random = Random(12);
    let [mut taken, mut near] = [0; 2];
    for k in 0..20_000 {
        let mut at = |most: f64| [0; 2].map(|_| 4.0 + most * (random.unit() - 0.5));
        let corners: Vec<[f64; 2]> = (0..1 + k % 12).map(|_| at(3.0)).collect();
        let (radius, widened) = (if k % 12 == 0 { 0.8 } else { 0.0 }, [0.0, 0.3][k % 2]);
        let put = match corners[..] {
            [centre] => Obstacle::cylinder(centre, radius, [0.0, 1.0]),
            _ => Obstacle::prism(&corners, [0.0, 1.0]),
        };
        let outline = put.unwrap().outline(widened, 1e-6);
        let solid = Solid { corners, radius, heights: [0.0, 1.0] };
        let [low, high] = outline.bounds();
        for shape in [CellShape::Square, CellShape::Hexagon] {
            let cell = [2 + random.below(5) as i64, 2 + random.below(5) as i64];
            let ring: Vec<[f64; 2]> = (0..shape.sides()).map(|k| shape.corner(cell, k)).collect();
            let gap = solid.gap(&ring) - widened;
            if gap.abs() < 1e-4 {
                continue;
            }
            let takes = outline.takes(&ring);
            assert_eq!(takes, gap < 0.0, "{solid:?} {widened} {ring:?} {gap}");
            let apart = (0..2)
                .any(|k| ring.iter().all(|p| p[k] > high[k]) || ring.iter().all(|p| p[k] < low[k]));
            assert!(!(takes && apart), "bounds hold all that is taken");
            taken += usize::from(takes);
            near += usize::from(gap.abs() < 0.1);
        }
    }
    assert!(taken > 8_000 && near > 2_000, "{taken} {near}");
}

/// Walls without width: along the side of cells they take one side, through cells these, and none
/// is lost between cells.
#[test]
fn walls_without_width_take_cells_on_one_side() {
    let bytes = floor_of_cells();
    let nav = NavMeshBuf::open(&bytes).unwrap();
    let map = Blob::open_checked(&bytes).unwrap().grid_map().unwrap();
    let mut filter = CellFilter::new(&map, &nav.mesh(), &QueryFilter::new());
    let mut taken = |corners: &[[f64; 2]]| {
        let wall = match corners {
            [centre] => Obstacle::cylinder(*centre, 0.0, [0.0, 1.0]).unwrap(),
            _ => Obstacle::prism(corners, [0.0, 1.0]).unwrap(),
        };
        filter.set_obstacle(&map, 1, Some(&wall)).unwrap();
        let all = (0..map.id_count()).map(CellId);
        let own = all.filter(|&id| map.is_free(id) && !filter.is_open(id));
        own.map(|id| map.column_row(id)).collect::<Vec<_>>()
    };
    let column = |c: u32, rows: std::ops::Range<u32>| rows.map(|r| [c, r]).collect::<Vec<_>>();
    // Along x = 5 from z = 2 to 5, either way round; and a hair to both sides.
    assert_eq!(taken(&[[5.0, 2.0], [5.0, 5.0]]), column(5, 2..5));
    assert_eq!(taken(&[[5.0, 5.0], [5.0, 2.0]]), column(5, 2..5));
    for off in [-1e-6, -1e-9, 1e-9, 1e-6] {
        assert_eq!(taken(&[[5.0 + off, 2.0], [5.0 + off, 5.0]]), column(5, 2..5));
    }
    let hair = [[5.0 - 1e-7, 2.0], [5.0 + 1e-7, 2.0], [5.0 + 1e-7, 5.0], [5.0 - 1e-7, 5.0]];
    assert_eq!(taken(&hair), column(5, 2..5));
    assert_eq!(taken(&[[2.0, 5.0], [4.0, 5.0]]), [[2, 5], [3, 5]]);
    // Through the middle, from corner to corner, and points.
    assert_eq!(taken(&[[5.5, 2.0], [5.5, 5.0]]), column(5, 2..5));
    assert_eq!(taken(&[[3.0, 3.0], [6.0, 6.0]]), [[3, 3], [4, 4], [5, 5]]);
    assert_eq!(taken(&[[5.0, 5.0]]), [[5, 5]]);
    assert_eq!(taken(&[[5.0, 5.5], [5.0, 5.5]]), [[5, 5]]);
    assert_eq!(taken(&[[0.0, 0.0], [12.0, 0.0]]).len(), 12, "along the rim");
    // Any wall across the floor parts it.
    let mut random = Random(9);
    for _ in 0..200 {
        let ends = [12.0 * random.unit(), 12.0 * random.unit()];
        let ends = match random.below(3) {
            0 => ends,
            1 => ends.map(f64::round),
            // Hardly aslant.
            _ => [ends[0].round(), ends[0].round() + 1e-4 * random.unit().powi(4)],
        };
        let wall = taken(&[[ends[0], -1.0], [ends[1], 13.0]]);
        let at = |c: i32, r: i32| wall.contains(&[c as u32, r as u32]);
        let mut seen = vec![[0i32, 0i32]; usize::from(!at(0, 0))];
        let mut next = 0;
        while let Some(&[c, r]) = seen.get(next) {
            next += 1;
            for [x, z] in [[c + 1, r], [c - 1, r], [c, r + 1], [c, r - 1]] {
                let inside = (0..12).contains(&x) && (0..12).contains(&z);
                if inside && !at(x, z) && !seen.contains(&[x, z]) {
                    seen.push([x, z]);
                }
            }
        }
        let crossed = seen.iter().any(|&[c, r]| {
            let along = ends[0] + (ends[1] - ends[0]) * (f64::from(r) + 1.5) / 14.0;
            f64::from(c) > along
        });
        assert!(!crossed, "{ends:?}");
    }
}
