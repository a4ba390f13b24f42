//! A cart on two storeys with a ramp of mud, a lift, and ground that it must not touch: costs and
//! sweeps, measured on the navmesh itself.

use std::f64::consts::TAU;

use navbake_bake::{Config, Options, bake_file};
use navbake_format::Blob;
use navbake_search::{NavMeshBuf, NavQuery, QueryFilter};
use navbake_testkit::Random;
use navbake_vehicle::{
    Ground, GroundFilter, Pose, TurningAnswer, TurningBuffer, TurningQuery, TurningRequest,
    TurningScratchSize, TurningStatus, VehicleBuffer,
};

/// Ground, a ramp up to the floor above, and that floor.
const HOUSE: &str = "\
v 0 0 0\nv 0 0 20\nv 40 0 20\nv 40 0 0\nv 4 0 8\nv 4 0 12\nv 20 4 12\nv 20 4 8\nv 20 4 0\n\
v 20 4 20\nv 40 4 20\nv 40 4 0\nf 1 2 3 4\nf 5 6 7 8\nf 9 10 11 12\n";

const CONFIG: &str = "
[[agent]]
name = \"cart\"
radius = 0.1
height = 1.8
climb = 0.3
[[vehicle]]
name = \"cart\"
tile = 1.0
turn_radius = 1.0
rings = 2
footprint = { disc = 0.45 }
reverse = { penalty = 2.0, change = 1.0 }
[[area]]
name = \"mud\"
[[area]]
name = \"lava\"
[[volume]]
box = [[8.3, -1, 6], [15.2, 5, 14]]
area = \"mud\"
[[volume]]
box = [[26.3, -1, 3.1], [28.6, 1, 16.4]]
area = \"lava\"
[[volume]]
box = [[30.4, 3, 8.2], [33.7, 5, 11.9]]
area = \"mud\"
[[link]]
name = \"lift\"
from = [36.5, 0, 10.5]
to = [36.5, 4, 10.5]
cost = 6.0
two_way = true
[weights.units]
cart = { mud = 2.5, lava = inf }
";

/// Follows a path in small steps on the navmesh: its cost, and whether it went up or down by the
/// lift. Forbidden ground is not touched.
fn follow(
    query: &NavQuery<'_>,
    weights: &QueryFilter,
    ground: &Ground<'_>,
    answer: &TurningAnswer<'_>,
    from: f64,
) -> (f64, bool) {
    let mesh = query.mesh();
    let (mut cost, mut y, mut gear, mut lifted) = (0.0, from, None, false);
    for piece in answer.pieces {
        if piece.link.is_some() {
            y = 4.0 - y.round();
            (cost, lifted) = (cost + 6.0, true);
            continue;
        }
        let segment = piece.segment;
        cost += f64::from(u8::from(gear.is_some_and(|g| g != segment.back)));
        gear = Some(segment.back);
        let many = (segment.length / 0.005).ceil();
        for k in 0..many as u32 {
            let along = segment.length * (f64::from(k) + 0.5) / many;
            let pose = segment.pose(piece.from, 1.0, along);
            let at = |x: f64, z: f64| {
                let [x, _, z] = ground.point([x, z]);
                query.locate([x, y, z], f64::INFINITY).unwrap()
            };
            for corner in 0..8 {
                let (sin, cos) = (f64::from(corner) * TAU / 8.0).sin_cos();
                let beside = at(pose.x + 0.449 * cos, pose.z + 0.449 * sin);
                assert!(!query.is_forbidden(beside.polygon()), "{pose:?} {y}");
                assert!((beside.position()[1] - y).abs() < 0.5, "{pose:?} {y}");
            }
            let tile = at(pose.x.round(), pose.z.round());
            let weight = weights.area_cost(mesh.area(tile.polygon()));
            let penalty = if segment.back { 2.0 } else { 1.0 };
            cost += segment.length / many * weight * penalty;
            y = at(pose.x, pose.z).position()[1];
        }
    }
    (cost, lifted)
}

/// The baked house, with more in its config.
pub(crate) fn house(more: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let level = folder.path().join("house.obj");
    std::fs::write(&level, HOUSE).unwrap();
    let config = Config::parse(&format!("{CONFIG}{more}")).unwrap();
    bake_file(&level, &config, &Options::default()).unwrap().bytes
}

#[test]
fn carts_on_storeys_heed_weights_closed_ground_and_lifts() {
    let bytes = house("");
    let blob = Blob::open_checked(&bytes).unwrap();
    let nav = NavMeshBuf::open(&bytes).unwrap();
    let mesh = nav.mesh();
    let (view, sheets) = (blob.vehicle("cart").unwrap(), blob.tile_ground("cart").unwrap());
    let mut own = VehicleBuffer::new(&view);
    let vehicle = own.vehicle(view).unwrap();
    let [words, numbers] = Ground::layer_words(&sheets);
    let (mut bits, mut twins) = (vec![0; words], vec![0; numbers]);
    let mut ground = Ground::of_layers(sheets, &mut bits, &mut twins).unwrap();
    let weights = QueryFilter::new().agent(&mesh, "cart").unwrap().weights(&mesh, "").unwrap();
    let filter = GroundFilter::new(&vehicle, &mut ground, &mesh, &weights);
    assert!(filter.has_links() && !filter.has_lost_links());
    let nav = NavQuery::new(mesh).with_filter(&weights);
    let size = TurningScratchSize::with_nodes(&vehicle, &ground, 100_000);
    let mut buffer = TurningBuffer::new(size);
    let query = TurningQuery::new(&vehicle, &ground).unwrap().with_filter(&filter).unwrap();
    let mut random = Random(3);
    let [mut reached, mut lifts, mut between] = [0; 3];
    for k in 0..400 {
        let mut place = || {
            let y = [0.0, 4.0][random.below(2)];
            let low = if y > 0.0 { 20.0 } else { 0.0 };
            let share = |random: &mut Random| random.below(1000) as f64 / 1000.0;
            let x = low + (40.0 - low) * share(&mut random);
            [x, y, 20.0 * share(&mut random)]
        };
        let (from, to) = (place(), place());
        // Where a tile of the storey is not whole, the point is on the other storey.
        let is_on = |point: [f64; 3]| {
            let middle = ground.tile_at(point).and_then(|tile| ground.tile_middle(tile));
            middle.is_some_and(|middle| (middle[1] - point[1]).abs() < 0.5)
        };
        if !is_on(from) || !is_on(to) {
            continue;
        }
        let request = TurningRequest {
            analytic_expansion: false,
            ..TurningRequest::new(from, f64::from(k), to, (k % 2 == 0).then_some(1.0))
        };
        let mut scratch = buffer.scratch();
        let plain = query.path(&TurningRequest { dijkstra: true, ..request }, &mut scratch);
        let (status, cost) = (plain.status, plain.cost);
        let found = query.path(&request, &mut scratch);
        assert_eq!((found.status, found.cost), (status, cost), "{request:?}");
        if status != TurningStatus::Reached {
            continue;
        }
        reached += 1;
        between += u32::from(from[1] != to[1]);
        for (analytic_expansion, smooth) in [(false, false), (true, false), (true, true)] {
            let request = TurningRequest { analytic_expansion, smooth, ..request };
            let found = query.path(&request, &mut scratch);
            assert!(found.cost <= cost);
            let (followed, lifted) = follow(&nav, &weights, &ground, &found, from[1]);
            lifts += u32::from(lifted);
            let off = (followed - found.cost).abs();
            assert!(off < 0.02 + 0.01 * cost, "{followed} {} {:?}", found.cost, found.pieces);
            let end: Pose = found.end;
            let [x, _, z] = ground.point([end.x, end.z]);
            assert!((x - to[0]).abs() < 1e-6 && (z - to[2]).abs() < 1e-6);
        }
    }
    println!("{reached} reached, {between} between storeys, {lifts} by the lift");
    assert!(reached > 100 && between > 50 && lifts > 50, "{reached} {between} {lifts}");
}
