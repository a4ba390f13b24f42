//! A grid map with a vehicle on it, and a plain check of paths that knows nothing of tables.

#![allow(dead_code)] // each test file uses a part

use navbake_format::write::{AgentParts, BlobParts, GridMapParts, MeshParts, encode};
use navbake_format::{Blob, CellShape};
use navbake_vehicle::build::{Packed, VehicleSpec, build};
use navbake_vehicle::{Footprint, TurningAnswer, TurningRequest};

use super::{At, depth};

pub(crate) struct Map {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) free: Vec<bool>,
}

impl Map {
    /// Rows of `.` and anything else.
    pub(crate) fn of(rows: &[&str]) -> Map {
        Map {
            width: rows[0].len(),
            height: rows.len(),
            free: rows.iter().flat_map(|r| r.bytes().map(|b| b == b'.')).collect(),
        }
    }

    pub(crate) fn is_blocked(&self, [x, z]: [i32; 2]) -> bool {
        let inside = (0..self.width as i32).contains(&x) && (0..self.height as i32).contains(&z);
        !inside || !self.free[z as usize * self.width + x as usize]
    }

    /// A blob of it for vehicles, on cells of 1 m.
    pub(crate) fn blob(&self, vehicles: &[Packed]) -> Vec<u8> {
        let (w, h) = (self.width as i32 * 1024, self.height as i32 * 1024);
        let parts: Vec<_> = vehicles.iter().map(Packed::parts).collect();
        encode(&BlobParts {
            agents: &[AgentParts {
                name: "default",
                class: 0,
                radius: 0.0,
                height: 2.0,
                climb: 0.5,
                slope: 45.0,
            }],
            // The navmesh does not matter here.
            meshes: &[MeshParts {
                vertices: &[[0, 0, 0], [0, 0, h], [w, 0, h], [w, 0, 0]],
                first_edge: &[0, 4],
                corners: &[0, 1, 2, 3],
                neighbours: &[u32::MAX; 4],
                islands: &[0],
                ..MeshParts::default()
            }],
            grid_map: Some(GridMapParts {
                shape: CellShape::Square,
                width: self.width as u32,
                height: self.height as u32,
                cell: 1.0,
                corner: [0.0; 3],
                free: &self.free,
                terrain: &[],
                factors: &[],
            }),
            vehicles: &parts,
            ..BlobParts::default()
        })
        .unwrap()
    }
}

pub(crate) fn packed(vehicle: &VehicleSpec, name: &str) -> Packed {
    Packed::new(build(vehicle).unwrap(), name, 1.0)
}

/// A vehicle and a ground of a blob, and memory for searches.
#[allow(unused_macros)] // in the examples
macro_rules! drive {
    ($bytes:expr, $name:expr, $vehicle:ident, $ground:ident, $buffer:ident, $nodes:expr) => {
        let checked = navbake_format::Blob::open_checked(&$bytes).unwrap();
        let view = checked.vehicle($name).unwrap();
        let map = checked.grid_map().unwrap();
        let mut own = navbake_vehicle::VehicleBuffer::new(&view);
        let $vehicle = own.vehicle(view).unwrap();
        let mut bits = vec![0u64; navbake_vehicle::Ground::words(&map)];
        #[allow(unused_mut)]
        let mut $ground = navbake_vehicle::Ground::new(&map, &mut bits).unwrap();
        let size = navbake_vehicle::TurningScratchSize::with_nodes(&$vehicle, &$ground, $nodes);
        #[allow(unused_mut)]
        let mut $buffer = navbake_vehicle::TurningBuffer::new(size);
    };
}
#[allow(unused_imports)]
pub(crate) use drive;

pub(crate) fn opened(bytes: &[u8]) -> bool {
    Blob::open_checked(bytes).is_ok()
}

/// Drives along a path in small steps and looks at the map itself: no overlap, no bend sharper than
/// the radius, no leap in place or heading; begins and ends where requested. Returns the length and
/// the number of changes of gear.
pub(crate) fn drives(
    map: &Map,
    footprint: &Footprint,
    radius: f64,
    request: &TurningRequest,
    answer: &TurningAnswer<'_>,
) -> Result<(f64, u32), String> {
    let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
    let turn = |a: f64, b: f64| {
        let d = (a - b).rem_euclid(std::f64::consts::TAU);
        d.min(std::f64::consts::TAU - d)
    };
    let start = [request.from[0] - 0.5, request.from[2] - 0.5];
    let mut at = At { x: start[0], y: -start[1], heading: request.from_heading };
    let (mut length, mut changes, mut gear) = (0.0, 0, None);
    let step = 0.05;
    for piece in answer.pieces {
        let (from, segment) = (piece.from, piece.segment);
        if !near(from.x, at.x) || !near(from.z, -at.y) || turn(from.heading, at.heading) > 1e-6 {
            return Err(format!("a leap from {at:?} to {from:?}"));
        }
        if gear.is_some_and(|g| g != segment.back) {
            changes += 1;
        }
        gear = Some(segment.back);
        let way = if segment.back { -1.0 } else { 1.0 };
        let bend = f64::from(segment.turn) / radius;
        let steps = (segment.length / step).ceil().max(1.0) as usize;
        let begin = at;
        for i in 1..=steps {
            let along = way * segment.length * i as f64 / steps as f64;
            at.heading = begin.heading + bend * along;
            if bend == 0.0 {
                at.x = begin.x + along * begin.heading.cos();
                at.y = begin.y + along * begin.heading.sin();
            } else {
                at.x = begin.x + (at.heading.sin() - begin.heading.sin()) / bend;
                at.y = begin.y - (at.heading.cos() - begin.heading.cos()) / bend;
            }
            let reach = footprint.reach() + 0.51;
            for z in (-at.y - reach).floor() as i32..=(-at.y + reach).ceil() as i32 {
                for x in (at.x - reach).floor() as i32..=(at.x + reach).ceil() as i32 {
                    if map.is_blocked([x, z]) && depth(footprint, at, [x, z]) > 2e-6 {
                        return Err(format!("hits {x} {z} at {at:?}"));
                    }
                }
            }
        }
        length += segment.length;
    }
    let goal = [request.to[0] - 0.5, request.to[2] - 0.5];
    if !near(at.x, goal[0]) || !near(-at.y, goal[1]) {
        return Err(format!("ends at {at:?} and not at {goal:?}"));
    }
    if request.to_heading.is_some_and(|h| turn(h, at.heading) > 1e-6) {
        return Err(format!("ends at {at:?}, heading {:?}", request.to_heading));
    }
    if !near(length, answer.length) {
        return Err(format!("{length} long, table_distance {}", answer.length));
    }
    Ok((length, changes))
}
