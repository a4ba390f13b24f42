//! Paths that are processed further, and paths over more than one map: fixed directions, polylines,
//! roads, sheets, obstacles.

mod along;
mod doors;
mod headings;
mod layers;
mod obstacles;
mod roads;

use crate::support::chance::{random, scattered, unit};
use crate::support::{At, depth};
use navbake_vehicle::Footprint;

/// The tiles that a footprint reaches into where it is.
fn touched(footprint: &Footprint, at: At) -> Vec<[i32; 2]> {
    let reach = footprint.reach() + 0.51;
    let columns = (at.x - reach).floor() as i32..=(at.x + reach).ceil() as i32;
    let rows = (-at.y - reach).floor() as i32..=(-at.y + reach).ceil() as i32;
    rows.flat_map(|z| columns.clone().map(move |x| [x, z]))
        .filter(|&tile| depth(footprint, at, tile) > 2e-6)
        .collect()
}
