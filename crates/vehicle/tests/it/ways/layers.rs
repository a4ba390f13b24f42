//! Two storeys that share some tiles: paths change sheet there and nowhere else, have the cost that
//! Dijkstra's algorithm finds, and damaged bytes do no harm.

use navbake_format::write::{
    AgentParts, BlobParts, MeshParts, SheetParts, TileGroundParts, encode,
};
use navbake_format::{Blob, Section};
use navbake_vehicle::build::{Packed, Reverse, VehicleSpec};
use navbake_vehicle::{
    Footprint, Ground, TurningAnswer, TurningBuffer, TurningQuery, TurningRequest,
    TurningScratchSize, TurningStatus, VehicleBuffer,
};

use super::{random, touched, unit};
use crate::support::At;
use crate::support::course::packed;

const WIDTH: i32 = 26;
const HEIGHT: i32 = 14;
/// Columns of the plan that both storeys share; the lower one begins at 0, the upper one at the
/// first of these.
const SHARED: std::ops::Range<i32> = 8..16;

/// The vehicle covers more than the tile that it is on, so that its place has to be free on each
/// sheet that it goes on from.
const RADIUS: f64 = 0.7;

/// Free tiles of two storeys, on the plan: the lower one has columns 0 to 25, the upper one 8 to
/// 33.
struct House {
    free: [Vec<bool>; 2],
}

impl House {
    fn new(percent: u64, seed: &mut u64) -> House {
        let mut storey = || -> Vec<bool> {
            let tiles = 0..WIDTH * HEIGHT;
            tiles.map(|_| random(seed) % 100 >= percent).collect()
        };
        let mut house = House { free: [storey(), storey()] };
        for z in 0..HEIGHT {
            for x in SHARED {
                let free = house.is_free(0, [x, z]);
                house.free[1][(z * WIDTH + x - SHARED.start) as usize] = free;
            }
            // No tile goes on to both storeys: beyond the shared tiles, one storey continues in
            // some rows and the other in other rows.
            for storey in [0, 1] {
                let x = if storey == 0 { 16 } else { 16 - SHARED.start };
                house.free[storey][(z * WIDTH + x) as usize] &=
                    if storey == 0 { z > 8 } else { z < 5 };
            }
        }
        house
    }

    fn is_free(&self, storey: usize, [x, z]: [i32; 2]) -> bool {
        let x = if storey == 0 { x } else { x - SHARED.start };
        let inside = (0..WIDTH).contains(&x) && (0..HEIGHT).contains(&z);
        inside && self.free[storey][(z * WIDTH + x) as usize]
    }

    /// A blob of it: storeys 3 m above one another, the first tile of the plan at (-4, 7).
    fn blob(&self, vehicle: &Packed) -> Vec<u8> {
        let tiles: Vec<Vec<Option<i32>>> = [0, 1]
            .map(|s| {
                let level = |(i, free): (usize, &bool)| {
                    let x = i as i32 % WIDTH + if s == 0 { 0 } else { SHARED.start };
                    let height = if SHARED.contains(&x) || s == 0 { 0 } else { 3072 };
                    free.then_some(height)
                };
                self.free[s].iter().enumerate().map(level).collect()
            })
            .into();
        let twins: Vec<(u32, u32)> = (0..WIDTH * HEIGHT)
            .filter(|i| i % WIDTH < SHARED.end - SHARED.start && self.free[1][*i as usize])
            .map(|i| (i as u32, 0))
            .collect();
        let sheet = |s: usize| SheetParts {
            least: [-4 + if s == 0 { 0 } else { SHARED.start }, 7],
            width: WIDTH as u32,
            height: HEIGHT as u32,
            tiles: &tiles[s],
            twins: if s == 0 { &[] } else { &twins },
        };
        blob_of(vehicle, &[sheet(0), sheet(1)])
    }

    /// A point of a storey at a place of the plan.
    fn point(&self, storey: usize, [x, z]: [f64; 2]) -> [f64; 3] {
        let y = if storey == 0 || x < f64::from(SHARED.end) { 0.0 } else { 3.0 };
        [x - 4.0 + 0.5, y, z + 7.0 + 0.5]
    }
}

/// A blob of some sheets, on which the vehicle drives.
fn blob_of(vehicle: &Packed, sheets: &[SheetParts<'_>]) -> Vec<u8> {
    encode(&BlobParts {
        agents: &[AgentParts {
            name: "walker",
            class: 0,
            radius: 0.0,
            height: 2.0,
            climb: 0.5,
            slope: 45.0,
        }],
        // The navmesh does not matter here.
        meshes: &[MeshParts {
            vertices: &[[0, 0, 0], [0, 0, 1024], [1024, 0, 1024], [1024, 0, 0]],
            first_edge: &[0, 4],
            corners: &[0, 1, 2, 3],
            neighbours: &[u32::MAX; 4],
            islands: &[0],
            ..MeshParts::default()
        }],
        vehicles: &[vehicle.parts()],
        tile_grounds: &[TileGroundParts { class: 0, tile: 1.0, sheets }],
        ground_of_vehicle: &[0],
        ..BlobParts::default()
    })
    .unwrap()
}

fn vehicle() -> VehicleSpec {
    VehicleSpec {
        reverse: Some(Reverse { penalty: 1.5, change: 0.5 }),
        rings: 2,
        ..VehicleSpec::new(1.0, Footprint::disc(RADIUS))
    }
}

/// Opens a blob and, if it passes validation, runs a request and passes the answer on.
fn ask<T>(
    bytes: &[u8],
    requests: &[TurningRequest],
    mut table_distance: impl FnMut(&TurningQuery<'_>, &TurningRequest, &TurningAnswer<'_>) -> T,
) -> Option<Vec<T>> {
    let blob = Blob::open_checked(bytes).ok()?;
    let (view, tiles) = (blob.vehicle("v")?, blob.tile_ground("v")?);
    let mut own = VehicleBuffer::new(&view);
    let vehicle = own.vehicle(view)?;
    let [words, many] = Ground::layer_words(&tiles);
    let (mut bits, mut twins) = (vec![0; words], vec![0; many]);
    let ground = Ground::of_layers(tiles, &mut bits, &mut twins)?;
    let query = TurningQuery::new(&vehicle, &ground)?;
    let size = TurningScratchSize::with_nodes(&vehicle, &ground, 20_000);
    let mut buffer = TurningBuffer::new(size);
    let answers = requests.iter().map(|request| {
        let mut scratch = buffer.scratch();
        let answer = query.path(request, &mut scratch);
        table_distance(&query, request, &answer)
    });
    Some(answers.collect())
}

/// Drives along a path: on the sheet of each piece nothing blocked is touched, and a change of
/// sheet between pieces happens only on tiles that both share.
fn drives(house: &House, request: &TurningRequest, answer: &TurningAnswer<'_>) -> u32 {
    let (footprint, radius) = (Footprint::disc(RADIUS), 1.0);
    let plan = |p: [f64; 3]| [p[0] - 0.5, p[2] - 0.5];
    let (mut at, mut heading) = (plan(request.from), request.from_heading);
    let (mut sheet, mut changes) = (None, 0);
    for piece in answer.pieces {
        let from = piece.from;
        let turned = (from.heading - heading).rem_euclid(std::f64::consts::TAU);
        assert!((from.x - at[0]).hypot(from.z - at[1]) < 1e-6, "{piece:?} {at:?}");
        assert!(turned.min(std::f64::consts::TAU - turned) < 1e-6);
        let steps = (piece.segment.length / 0.05).ceil().max(1.0) as u32;
        for i in 0..=steps {
            let along = piece.segment.length * f64::from(i) / f64::from(steps);
            let pose = piece.segment.pose(from, radius, along);
            let own = At { x: pose.x, y: -pose.z, heading: pose.heading };
            for [x, z] in touched(&footprint, own) {
                let tile = [x + 4, z - 7];
                assert!(house.is_free(piece.layer as usize, tile), "{tile:?} {piece:?}");
                if i == 0 && sheet.is_some_and(|s| s != piece.layer) {
                    assert!(SHARED.contains(&tile[0]), "{tile:?} {:#?}", answer.pieces);
                }
            }
        }
        changes += u32::from(sheet.is_some_and(|s| s != piece.layer));
        sheet = Some(piece.layer);
        let end = piece.segment.end(from, radius);
        (at, heading) = ([end.x, end.z], end.heading);
    }
    let to = plan(request.to);
    assert!((to[0] - at[0]).hypot(to[1] - at[1]) < 1e-6, "{at:?} {to:?}");
    changes
}

#[test]
fn a_path_changes_storey_where_sheets_share_tiles() {
    let tables = packed(&vehicle(), "v");
    let mut seed = 3;
    let house = House::new(0, &mut seed);
    let bytes = house.blob(&tables);
    // From below a place to that place.
    let (below, above) = (house.point(0, [22.0, 3.0]), house.point(1, [22.0, 3.0]));
    let request = TurningRequest::new(below, 0.0, above, Some(0.0));
    let smooth = TurningRequest { smooth: true, ..request };
    let changes = ask(&bytes, &[request, smooth], |_, request, answer| {
        assert_eq!(answer.status, TurningStatus::Reached);
        // Around the wall and back.
        assert!(answer.length > 14.0, "{}", answer.length);
        drives(&house, request, answer)
    });
    let changes = changes.unwrap();
    assert!(changes.iter().all(|c| *c % 2 == 1), "{changes:?}");
}

#[test]
fn costs_over_sheets_are_those_of_dijkstra() {
    let tables = packed(&vehicle(), "v");
    let mut seed = 8;
    let mut changed = 0;
    for _ in 0..4 {
        let house = House::new(5, &mut seed);
        let bytes = house.blob(&tables);
        let mut requests = vec![];
        for i in 0..24 {
            let mut place = |storey: i32, off: f64| {
                let x = f64::from(SHARED.start * storey) + (unit(&mut seed) * 25.0).floor() + off;
                [x, (unit(&mut seed) * 13.0).floor() + off]
            };
            let off = if i % 3 == 0 { 0.3 } else { 0.0 };
            let (from, to) = (place(i % 2, 0.0), place(1 - i % 2, off));
            let request = TurningRequest {
                analytic_expansion: false,
                ..TurningRequest::new(
                    house.point((i % 2) as usize, from),
                    0.0,
                    house.point((1 - i % 2) as usize, to),
                    (i % 4 > 1).then_some(0.7),
                )
            };
            let plain = TurningRequest { dijkstra: true, ..request };
            let final_curve = TurningRequest { analytic_expansion: true, smooth: true, ..request };
            requests.extend([request, plain, final_curve]);
        }
        let table_distance = ask(&bytes, &requests, |_, request, answer| {
            let reached = answer.status == TurningStatus::Reached;
            let changes = if reached { drives(&house, request, answer) } else { 0 };
            (answer.status, answer.cost, changes)
        });
        for three in table_distance.unwrap().chunks(3) {
            assert_eq!((three[0].0, three[0].1), (three[1].0, three[1].1));
            assert!(three[2].0 == three[0].0 && three[2].1 <= three[0].1 + 1e-9);
            changed += three[0].2;
        }
    }
    assert!(changed > 10, "{changed}");
}

#[test]
fn a_tile_of_several_sheets_is_blocked_on_all_and_freed_no_more_than_ground_allows() {
    let tables = packed(&vehicle(), "v");
    let house = House::new(0, &mut 3);
    let bytes = house.blob(&tables);
    let blob = Blob::open_checked(&bytes).unwrap();
    let tiles = blob.tile_ground("v").unwrap();
    assert_eq!(tiles.twin_count(), (8 * HEIGHT) as usize);
    let [words, many] = Ground::layer_words(&tiles);
    let (mut bits, mut twins) = (vec![0; words], vec![0; many]);
    let mut ground = Ground::of_layers(tiles, &mut bits, &mut twins).unwrap();
    let shared = house.point(0, [10.0, 4.0]);
    let tile = ground.tile_at(shared).unwrap();
    let on_plan = [10 - 4, 4 + 7];
    for blocked in [true, false] {
        ground.set_blocked(tile, blocked);
        assert_eq!([0, 1].map(|s| ground.is_blocked_on(s, on_plan)), [blocked; 2]);
    }
    // A wall, and the gap between the sheets.
    let wall = ground.tile_at(house.point(0, [16.0, 6.0])).unwrap();
    for tile in [wall, [3, HEIGHT + 5]] {
        ground.set_blocked(tile, false);
        assert!(ground.is_blocked(tile));
    }
    // Heights distinguish storeys; beside all sheets there is nothing.
    let [low, high] = [0, 1].map(|s| ground.tile_at(house.point(s, [20.0, 4.0])).unwrap());
    assert!(low != high && high[1] > HEIGHT);
    for x in [-40.0, f64::NAN, -1e300, 1e300, f64::NEG_INFINITY] {
        assert_eq!(ground.tile_at([x, 0.0, 9.0]), None, "{x}");
    }
}

#[test]
fn damaged_sheets_are_refused_or_searched_without_harm() {
    let tables = packed(&vehicle(), "v");
    let house = House::new(10, &mut 5);
    let good = house.blob(&tables);
    let (from, to) = (house.point(0, [20.0, 9.0]), house.point(1, [20.0, 9.0]));
    let request = [TurningRequest::new(from, 0.0, to, None)];
    let rows: Vec<(usize, usize)> = {
        let blob = Blob::open(&good).unwrap();
        let own = [
            Section::TILE_GROUNDS,
            Section::GROUND_OF_VEHICLE,
            Section::SHEETS,
            Section::SHEET_BITS,
            Section::TILE_HEIGHTS,
            Section::TILE_TWINS,
        ];
        let rows = blob.sections().filter(|s| own.contains(&s.section));
        rows.map(|s| (s.offset as usize, s.len() as usize)).collect()
    };
    assert_eq!(rows.len(), 6);
    let (mut refused, mut searched) = (0, 0);
    for (first, len) in rows {
        for at in (first..first + len).step_by((len / 60).max(1)) {
            for flip in [1u8, 0x80, 0xFF] {
                let mut bytes = good.clone();
                bytes[at] ^= flip;
                match ask(&bytes, &request, |_, _, answer| answer.status) {
                    None => refused += 1,
                    Some(_) => searched += 1,
                }
            }
        }
    }
    assert!(refused > 200 && searched > 50, "{refused} {searched}");
}

#[test]
fn the_memory_of_a_search_follows_the_ground_and_not_the_box_around_it() {
    // Two strips along the sides of a wide box, from corner to corner.
    let (width, height, strip) = (2000, 900, 5);
    let tiles: Vec<Option<i32>> = (0..width * height)
        .map(|i| (i % width < strip || i / width < strip).then_some(0))
        .collect();
    let sheet = SheetParts { least: [0, 0], width, height, tiles: &tiles, twins: &[] };
    let tables = packed(&vehicle(), "v");
    let bytes = blob_of(&tables, &[sheet]);
    let blob = Blob::open_checked(&bytes).unwrap();
    let (view, tiles) = (blob.vehicle("v").unwrap(), blob.tile_ground("v").unwrap());
    let mut own = VehicleBuffer::new(&view);
    let vehicle = own.vehicle(view).unwrap();
    let [words, many] = Ground::layer_words(&tiles);
    let (mut bits, mut twins) = (vec![0; words], vec![0; many]);
    let ground = Ground::of_layers(tiles, &mut bits, &mut twins).unwrap();
    let size = TurningScratchSize::with_nodes(&vehicle, &ground, 400_000);
    let free = tiles.free_count() as usize;
    assert!(free > 14_000 && size.tiles < 6 * free, "{free} {size:?}");
    let query = TurningQuery::new(&vehicle, &ground).unwrap();
    let mut buffer = TurningBuffer::new(size);
    let mut scratch = buffer.scratch();
    let [near, far] = [[2.5, 0.0, 898.5], [1998.5, 0.0, 2.5]];
    let answer = query.path(&TurningRequest::new(near, 0.0, far, None), &mut scratch);
    assert_eq!(answer.status, TurningStatus::Reached);
    assert!((2880.0..2900.0).contains(&answer.length), "{}", answer.length);
}
