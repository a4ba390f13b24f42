//! Closed doors and closed ground on the tiles of a vehicle.

use navbake_format::write::{
    AgentParts, AreaParts, BlobParts, ClosureParts, DoorParts, GridMapParts, LinkParts, MeshParts,
    SwitchParts, encode,
};
use navbake_format::{Blob, CellShape, LinkKind};
use navbake_search::{NavMeshBuf, QueryFilter};
use navbake_vehicle::build::VehicleSpec;
use navbake_vehicle::{
    Footprint, Ground, GroundFilter, TurningBuffer, TurningQuery, TurningRequest,
    TurningScratchSize, TurningStatus, VehicleBuffer,
};

use crate::support::course::packed;

/// Columns and rows.
const SIZE: [i32; 2] = [12, 5];

/// A floor of two rectangles with a door between them, a lid over the second that a switch of its
/// own closes, and a link from the first to the second.
fn blob(door_at: i32) -> Vec<u8> {
    let vehicle = packed(&VehicleSpec::new(1.0, Footprint::disc(0.45)), "v");
    let (w, h) = (SIZE[0] * 1024, SIZE[1] * 1024);
    let free = vec![true; (SIZE[0] * SIZE[1]) as usize];
    let switch = |name| SwitchParts { name, closed: false };
    let middle = |column: i32| [column * 1024 + 512, 2 * 1024 + 512];
    let link = LinkParts {
        from: (0, middle(1)),
        to: (1, middle(10)),
        cost: 2.0,
        width: 0.0,
        agents: 2,
        switch: None,
        kind: LinkKind::Ride,
        name: "ferry",
    };
    let area = |name| AreaParts { name, tags: 0, edge_tags: 0, factor: 1.0, switch: None };
    let agent =
        |name| AgentParts { name, class: 0, radius: 0.0, height: 2.0, climb: 0.5, slope: 45.0 };
    encode(&BlobParts {
        agents: &[agent("car"), agent("passenger")],
        areas: &[area("ground"), area("mud")],
        switches: &[switch("door"), switch("lid")],
        meshes: &[MeshParts {
            vertices: &[
                [0, 0, 0],
                [0, 0, h],
                [door_at, 0, h],
                [door_at, 0, 0],
                [w, 0, h],
                [w, 0, 0],
            ],
            first_edge: &[0, 4, 8],
            corners: &[0, 1, 2, 3, 3, 2, 4, 5],
            neighbours: &[u32::MAX, u32::MAX, 1, u32::MAX, 0, u32::MAX, u32::MAX, u32::MAX],
            islands: &[0, 0],
            areas: &[0, 1],
            doors: &[DoorParts { edge: 2, switch: Some(0), width: 5.0, name: "door" }],
            closures: &[ClosureParts { polygon: 1, switch: 1 }],
            links: &[link],
            ..MeshParts::default()
        }],
        grid_map: Some(GridMapParts {
            shape: CellShape::Square,
            width: SIZE[0] as u32,
            height: SIZE[1] as u32,
            cell: 1.0,
            corner: [0.0; 3],
            free: &free,
            terrain: &[],
            factors: &[],
        }),
        vehicles: &[vehicle.parts()],
        ..BlobParts::default()
    })
    .unwrap()
}

#[test]
fn a_closed_door_stops_a_vehicle_and_closed_ground_is_not_touched() {
    // Along a border of tiles, and through their middles.
    for (door_at, column) in [(6 * 1024, 6), (6 * 1024 + 512, 6), (7 * 1024 + 8, 7)] {
        let bytes = blob(door_at);
        let checked = Blob::open_checked(&bytes).unwrap();
        let nav = NavMeshBuf::open(&bytes).unwrap();
        let mesh = nav.mesh();
        let (view, map) = (checked.vehicle("v").unwrap(), checked.grid_map().unwrap());
        let mut own = VehicleBuffer::new(&view);
        let vehicle = own.vehicle(view).unwrap();
        let mut bits = vec![0u64; Ground::words(&map)];
        let mut ground = Ground::new(&map, &mut bits).unwrap();
        let size = TurningScratchSize::with_nodes(&vehicle, &ground, 20_000);
        let mut buffer = TurningBuffer::new(size);
        let car = || QueryFilter::new().agent(&mesh, "car").unwrap();
        let passenger = || QueryFilter::new().agent(&mesh, "passenger").unwrap();
        let block = |filter: QueryFilter, switch: &str| filter.block(&mesh, switch).unwrap();
        let request = TurningRequest::new([1.5, 0.0, 2.5], 0.0, [10.5, 0.0, 2.5], None);
        let first = if door_at % 1024 == 0 { column } else { door_at / 1024 };
        for (filter, closed, status, link) in [
            (car(), vec![], TurningStatus::Reached, false),
            (block(car(), "door"), vec![column], TurningStatus::Unreachable, false),
            (block(car(), "lid"), (first..12).collect(), TurningStatus::GoalBlocked, false),
            (passenger(), vec![], TurningStatus::Reached, true),
            (block(passenger(), "door"), vec![column], TurningStatus::Reached, true),
        ] {
            let tiles = GroundFilter::new(&vehicle, &mut ground, &mesh, &filter);
            for x in 0..SIZE[0] {
                let blocked = (0..SIZE[1]).map(|z| ground.is_blocked([x, z]));
                assert!(blocked.into_iter().all(|b| b == closed.contains(&x)), "{door_at} {x}");
            }
            let query = TurningQuery::new(&vehicle, &ground).unwrap().with_filter(&tiles).unwrap();
            let mut scratch = buffer.scratch();
            let request = TurningRequest { analytic_expansion: !link, ..request };
            let answer = query.path(&request, &mut scratch);
            assert_eq!(answer.status, status, "{door_at} {closed:?}");
            let links = answer.pieces.iter().filter_map(|p| p.link);
            assert_eq!(links.collect::<Vec<_>>(), if link { vec![0] } else { vec![] });
            if link {
                // Nothing is driven: the ends are those of the link.
                assert_eq!((answer.cost, answer.length, answer.pieces.len()), (2.0, 0.0, 1));
                assert_eq!([answer.end.x, answer.end.z, answer.end.heading], [10.0, 2.0, 0.0]);
            }
            tiles.lift(&mut ground);
        }
    }
}

#[test]
fn searches_over_mud_and_by_ferry_allocate_nothing() {
    let bytes = blob(6 * 1024);
    let checked = Blob::open_checked(&bytes).unwrap();
    let nav = NavMeshBuf::open(&bytes).unwrap();
    let mesh = nav.mesh();
    let (view, map) = (checked.vehicle("v").unwrap(), checked.grid_map().unwrap());
    let mut own = VehicleBuffer::new(&view);
    let vehicle = own.vehicle(view).unwrap();
    let mut bits = vec![0u64; Ground::words(&map)];
    let mut ground = Ground::new(&map, &mut bits).unwrap();
    let size = TurningScratchSize::with_nodes(&vehicle, &ground, 20_000);
    let mut buffer = TurningBuffer::new(size);
    // From the middle of column 1 to the mud at 6, and on to the middle of column 10.
    for (agent, expected) in [("car", 4.5 + 4.5 * 3.0), ("passenger", 2.0)] {
        let filter = QueryFilter::new().agent(&mesh, agent).unwrap();
        let filter = filter.cost(&mesh, "mud", 3.0).unwrap();
        let tiles = GroundFilter::new(&vehicle, &mut ground, &mesh, &filter);
        let query = TurningQuery::new(&vehicle, &ground).unwrap().with_filter(&tiles).unwrap();
        for smooth in [false, true] {
            let request = TurningRequest {
                smooth,
                ..TurningRequest::new([1.5, 0.0, 2.5], 0.0, [10.5, 0.0, 2.5], None)
            };
            let mut scratch = buffer.scratch();
            let before = navbake_testkit::allocations::count();
            let answer = query.path(&request, &mut scratch);
            assert_eq!(navbake_testkit::allocations::count(), before);
            assert_eq!(answer.cost, expected);
        }
        tiles.lift(&mut ground);
    }
}

#[test]
fn a_filter_of_another_ground_is_refused() {
    let bytes = blob(6 * 1024);
    let checked = Blob::open_checked(&bytes).unwrap();
    let nav = NavMeshBuf::open(&bytes).unwrap();
    let (view, map) = (checked.vehicle("v").unwrap(), checked.grid_map().unwrap());
    let mut own = VehicleBuffer::new(&view);
    let vehicle = own.vehicle(view).unwrap();
    let mut bits = vec![0u64; Ground::words(&map)];
    let mut ground = Ground::new(&map, &mut bits).unwrap();
    let tiles = GroundFilter::new(&vehicle, &mut ground, &nav.mesh(), &QueryFilter::new());
    let larger = crate::support::chance::scattered(40, 40, 0, &mut 1);
    let bytes = larger.blob(&[packed(&VehicleSpec::new(1.0, Footprint::disc(0.45)), "v")]);
    let checked = Blob::open_checked(&bytes).unwrap();
    let map = checked.grid_map().unwrap();
    let mut bits = vec![0u64; Ground::words(&map)];
    let other = Ground::new(&map, &mut bits).unwrap();
    assert!(TurningQuery::new(&vehicle, &other).unwrap().with_filter(&tiles).is_none());
}
