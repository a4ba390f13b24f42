//! The work of obstacles that move on a grid map: `moving_cells BLOB SIDE CHANGES`.
//!
//! 200 crates of SIDE by SIDE metres, a quarter of them cylinders, are put on the map and move up
//! to 0.3 m along each axis, CHANGES times in all. Prints the time of a change and the cells that
//! it closed or freed. Instructions: `valgrind --tool=callgrind --collect-atstart=no
//! --toggle-collect='moving_cells::change*' target/release/examples/moving_cells ..`.
#![allow(missing_docs)]

use std::time::Instant;

use navbake_format::GridMapView;
use navbake_gridpath::{CellFilter, Obstacle};
use navbake_search::around::Random;
use navbake_search::{NavMeshBuf, QueryFilter};

const CRATES: u32 = 200;

/// A change: what callgrind counts.
#[inline(never)]
fn change(map: &GridMapView<'_>, filter: &mut CellFilter, number: u32, put: &Obstacle) -> usize {
    let changed = filter.set_obstacle(map, number, Some(put)).expect("the filter's map");
    // Not the last call, which would be a jump.
    std::hint::black_box(changed)
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, blob, side, changes] = &arguments[..] else {
        panic!("moving_cells BLOB SIDE CHANGES");
    };
    let side: f64 = side.parse().expect("metres");
    let changes: u32 = changes.parse().expect("a number");
    let bytes = std::fs::read(blob).expect("a blob");
    let nav = NavMeshBuf::open(&bytes).expect("a navmesh");
    let file = navbake_format::Blob::open_checked(&bytes).expect("a blob");
    let map = file.grid_map().expect("a grid map");
    let mut filter = CellFilter::new(&map, &nav.mesh(), &QueryFilter::new());
    let mut random = Random::new(3);
    let size = [map.width(), map.height()].map(|v| f64::from(v) * map.cell());
    let [left, y, top] = map.corner();
    let mut crates: Vec<Obstacle> = (0..CRATES)
        .map(|k| {
            let at = [left + size[0] * random.unit(), top + size[1] * random.unit()];
            let far = [at[0] + side, at[1] + side];
            let made = match k % 4 {
                0 => Obstacle::cylinder(at, side / 2.0, [y, y + 1.0]),
                _ => {
                    let corners = [at, [far[0], at[1]], far, [at[0], far[1]]];
                    Obstacle::prism(&corners, [y, y + 1.0])
                }
            };
            made.expect("finite")
        })
        .collect();
    for (number, own) in (0..).zip(&crates) {
        change(&map, &mut filter, number, own);
    }
    let (mut cells, begin) = (0, Instant::now());
    for k in 0..changes {
        let number = k % CRATES;
        let own = &mut crates[number as usize];
        let mut by = || 0.6 * random.unit() - 0.3;
        *own = own.moved([by(), 0.0, by()]).expect("finite");
        cells += change(&map, &mut filter, number, own);
    }
    let each = begin.elapsed().as_secs_f64() / f64::from(changes);
    println!(
        "{changes} changes, {:.2} us and {:.2} cells each",
        each * 1e6,
        cells as f64 / f64::from(changes)
    );
}
