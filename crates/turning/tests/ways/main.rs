//! What is made of paths, and ways over more than one map: fixed directions, polylines, roads, sheets.

#[path = "../support/mod.rs"]
mod support;

mod along;
mod art;
mod roads;
mod sheets;

use navbake_search::turning::Footprint;
use support::course::Map;
use support::{At, depth};

fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

fn unit(seed: &mut u64) -> f64 {
    random(seed) as f64 / 2f64.powi(64)
}

fn scattered(width: usize, height: usize, percent: u64, seed: &mut u64) -> Map {
    Map {
        width,
        height,
        free: (0..width * height)
            .map(|_| random(seed) % 100 >= percent)
            .collect(),
    }
}

/// The tiles that a footprint reaches into where it stands.
fn touched(footprint: &Footprint, at: At) -> Vec<[i32; 2]> {
    let reach = footprint.reach() + 0.51;
    let columns = (at.x - reach).floor() as i32..=(at.x + reach).ceil() as i32;
    let rows = (-at.y - reach).floor() as i32..=(-at.y + reach).ceil() as i32;
    rows.flat_map(|z| columns.clone().map(move |x| [x, z]))
        .filter(|&tile| depth(footprint, at, tile) > 2e-6)
        .collect()
}
