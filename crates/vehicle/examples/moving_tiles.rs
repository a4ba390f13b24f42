//! The work of obstacles that move on the tiles of a vehicle: `moving_tiles BLOB VEHICLE SIDE
//! CHANGES`.
//!
//! 200 crates of SIDE by SIDE metres are put on the ground and move up to 0.3 m along each axis,
//! CHANGES times in all. Prints the time of a change and the tiles that it blocked or freed.
//! Instructions: `valgrind --tool=callgrind --collect-atstart=no
//! --toggle-collect='moving_tiles::change*' target/release/examples/moving_tiles ..`.
#![allow(missing_docs)]

use std::time::Instant;

use navbake_format::Blob;
use navbake_search::around::Random;
use navbake_search::{NavMesh, NavMeshBuf, NavQuery};
use navbake_vehicle::{Ground, Obstacle};

const CRATES: u32 = 200;

/// A change: what callgrind counts.
#[inline(never)]
fn change(mesh: &NavMesh<'_>, ground: &mut Ground<'_>, number: u32, put: &Obstacle) -> usize {
    let changed = ground.set_obstacle(mesh, number, Some(put)).expect("the vehicle's mesh");
    // Not the last call, which would be a jump.
    std::hint::black_box(changed)
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, blob, vehicle, side, changes] = &arguments[..] else {
        panic!("moving_tiles BLOB VEHICLE SIDE CHANGES");
    };
    let side: f64 = side.parse().expect("metres");
    let changes: u32 = changes.parse().expect("a number");
    let bytes = std::fs::read(blob).expect("a blob");
    let file = Blob::open_checked(&bytes).expect("a blob");
    let tiles = file.tile_ground(vehicle);
    let class = tiles.map_or(0, |tiles| tiles.class());
    let nav: NavMeshBuf = file.decode(class).expect("a navmesh");
    let mesh = nav.mesh();
    let [words, numbers] = match (&tiles, file.grid_map()) {
        (Some(tiles), _) => Ground::layer_words(tiles),
        (None, map) => [Ground::words(&map.expect("a grid map")), 0],
    };
    let (mut bits, mut twins) = (vec![0; words], vec![0; numbers]);
    let ground = match (tiles, file.grid_map()) {
        (Some(tiles), _) => Ground::of_layers(tiles, &mut bits, &mut twins),
        (None, map) => map.and_then(|map| Ground::new(&map, &mut bits)),
    };
    let mut ground = ground.expect("memory of its own size");
    let query = NavQuery::new(mesh);
    let mut sums = vec![0; mesh.polygon_count() as usize];
    let areas = query.areas(&mut sums).expect("ground");
    let mut random = Random::new(3);
    let mut crates: Vec<Obstacle> = (0..CRATES)
        .map(|_| {
            let place = query.random_place(&areas, &mut random).expect("ground");
            let [x, y, z] = place.position();
            let corners = [[x, z], [x + side, z], [x + side, z + side], [x, z + side]];
            Obstacle::prism(&corners, [y, y + 1.0]).expect("finite")
        })
        .collect();
    for (number, own) in (0..).zip(&crates) {
        change(&mesh, &mut ground, number, own);
    }
    let (mut tiles, begin) = (0, Instant::now());
    for k in 0..changes {
        let number = k % CRATES;
        let own = &mut crates[number as usize];
        let mut by = || 0.6 * random.unit() - 0.3;
        *own = own.moved([by(), 0.0, by()]).expect("finite");
        tiles += change(&mesh, &mut ground, number, own);
    }
    let each = begin.elapsed().as_secs_f64() / f64::from(changes);
    println!(
        "{changes} changes, {:.2} us and {:.2} tiles each",
        each * 1e6,
        tiles as f64 / f64::from(changes)
    );
}
