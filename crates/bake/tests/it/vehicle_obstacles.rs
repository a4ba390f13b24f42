//! A cart on two storeys with obstacles on both: followed over the navmesh itself, it keeps its
//! agent's distance from all that is at the height of its ground.

use navbake_format::Blob;
use navbake_search::{Error, NavMeshBuf, NavQuery};
use navbake_testkit::Random;
use navbake_testkit::solids::Solid;
use navbake_vehicle::{
    Ground, Obstacle, TurningAnswer, TurningBuffer, TurningQuery, TurningRequest,
    TurningScratchSize, TurningStatus, VehicleBuffer,
};

use crate::vehicle_storeys::house;

/// Of the cart's agent, metres.
const RADIUS: f64 = 0.1;
const HEIGHT: f64 = 1.8;
/// The cart's disc.
const DISC: f64 = 0.45;

/// Something on the ground, on the ramp or on the floor above, or hanging over them.
fn solid(random: &mut Random) -> Solid {
    let at = [40.0 * random.unit(), 20.0 * random.unit()];
    let low = [0.0, 1.5, 1.0, 2.0, 4.0, 5.5][random.below(6)];
    let heights = [low, low + 0.2 + 1.5 * random.unit()];
    if random.chance(30) {
        return Solid { corners: vec![at], radius: 0.2 + random.unit(), heights };
    }
    let near = |random: &mut Random| 3.0 * random.unit() - 1.5;
    let corners = (0..2 + random.below(6)).map(|_| [at[0] + near(random), at[1] + near(random)]);
    Solid { corners: corners.collect(), radius: 0.0, heights }
}

/// The obstacle of a solid.
fn obstacle(solid: &Solid) -> Obstacle {
    let put = match solid.corners[..] {
        [centre] => Obstacle::cylinder(centre, solid.radius, solid.heights),
        _ => Obstacle::prism(&solid.corners, solid.heights),
    };
    put.expect("an obstacle")
}

/// Follows a path in small steps: how near it came to an obstacle beside it, metres.
fn follow(
    query: &NavQuery<'_>,
    ground: &Ground<'_>,
    solids: &[Solid],
    answer: &TurningAnswer<'_>,
    from: f64,
) -> f64 {
    let (mut y, mut nearest) = (from, f64::INFINITY);
    for piece in answer.pieces {
        let segment = piece.segment;
        let many = (segment.length / 0.01).ceil();
        for k in 0..=many as u32 {
            let pose = segment.pose(piece.from, 1.0, segment.length * f64::from(k) / many);
            let [x, _, z] = ground.point([pose.x, pose.z]);
            let height = |x: f64, z: f64| {
                query.locate([x, y, z], f64::INFINITY).expect("on the ground").position()[1]
            };
            let own = height(x, z);
            for solid in solids {
                let gap = solid.gap(&[[x, z]]);
                if gap > DISC + RADIUS + 0.5 {
                    continue;
                }
                // Where the disc is within the radius of it, in all directions.
                for turn in 0..32 {
                    let (sin, cos) = (f64::from(turn) * std::f64::consts::TAU / 32.0).sin_cos();
                    for far in [0.0, DISC / 2.0, DISC] {
                        let [px, pz] = [x + far * cos, z + far * sin];
                        let under = height(px, pz);
                        let is_there = solid.heights[0] - HEIGHT < under - 1e-3
                            && under + 1e-3 < solid.heights[1];
                        let apart = solid.gap(&[[px, pz]]);
                        if is_there {
                            nearest = nearest.min(apart);
                            assert!(apart > RADIUS - 1e-5, "{apart} from {solid:?} at {pose:?}");
                        }
                    }
                }
            }
            y = own;
        }
    }
    nearest
}

#[test]
fn carts_on_storeys_keep_off_obstacles_at_the_height_of_their_ground() {
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
    let size = TurningScratchSize::with_nodes(&vehicle, &ground, 100_000);
    let mut buffer = TurningBuffer::new(size);
    let query = NavQuery::new(mesh);
    let mut random = Random(6);
    let mut solids: Vec<Solid> = vec![];
    let [mut reached, mut near, mut between, mut alone] = [0; 4];
    let mut ask = |ground: &Ground<'_>, request: &TurningRequest| {
        let query = TurningQuery::new(&vehicle, ground).unwrap();
        format!("{:?}", query.path(request, &mut buffer.scratch()))
    };
    let some = |random: &mut Random| {
        let mut place = || {
            let y = [0.0, 4.0][random.below(2)];
            let low = if y > 0.0 { 20.0 } else { 0.0 };
            [low + (40.0 - low) * random.unit(), y, 20.0 * random.unit()]
        };
        TurningRequest::new(place(), 1.0, place(), None)
    };
    let first: Vec<TurningRequest> = (0..30).map(|_| some(&mut random)).collect();
    let before: Vec<String> = first.iter().map(|request| ask(&ground, request)).collect();
    let mut searches =
        TurningBuffer::new(TurningScratchSize::with_nodes(&vehicle, &ground, 100_000));
    for k in 0..600 {
        let (number, own) = (k % 20, solid(&mut random));
        ground.set_obstacle(&mesh, number as u32, Some(&obstacle(&own))).unwrap();
        match solids.get_mut(number) {
            Some(place) => *place = own,
            None => solids.push(own),
        }
        let request = some(&mut random);
        // Where a tile of the storey is not whole, the point is on the other storey.
        let tile = ground.tile_at(request.from).and_then(|tile| ground.tile_middle(tile));
        if tile.is_none_or(|middle| (middle[1] - request.from[1]).abs() > 0.5) {
            continue;
        }
        if k % 10 == 0 {
            // A unit is no obstacle to itself.
            let aside = random.below(solids.len());
            let with = ask(&ground, &request);
            let found = ground.without(aside as u32, |ground| ask(ground, &request));
            assert_eq!(ask(&ground, &request), with);
            ground.set_obstacle(&mesh, aside as u32, None).unwrap();
            assert_eq!(ask(&ground, &request), found);
            let again = obstacle(&solids[aside]);
            ground.set_obstacle(&mesh, aside as u32, Some(&again)).unwrap();
            assert_eq!(ask(&ground, &request), with);
            alone += u32::from(found != with);
        }
        let turning = TurningQuery::new(&vehicle, &ground).unwrap();
        let mut scratch = searches.scratch();
        let answer = turning.path(&request, &mut scratch);
        if answer.status == TurningStatus::Reached {
            reached += 1;
            between += u32::from(request.from[1] != request.to[1]);
            let apart = follow(&query, &ground, &solids, &answer, request.from[1]);
            near += u32::from(apart < 1.0);
        }
    }
    println!("{reached} reached, {between} between storeys, {near} within a metre of an obstacle");
    assert!(reached > 150 && between > 40 && near > 40, "{reached} {between} {near}");
    assert!(alone > 0);
    for number in 0..20 {
        ground.set_obstacle(&mesh, number, None).unwrap();
    }
    let after: Vec<String> = first.iter().map(|request| ask(&ground, request)).collect();
    assert_eq!(after, before);
}

/// What is under a floor is not on it.
#[test]
fn an_obstacle_takes_tiles_of_its_own_storey_alone() {
    let bytes = house("[[agent]]\nname = \"bird\"\nradius = 0.5\nheight = 2.0\n");
    let blob = Blob::open_checked(&bytes).unwrap();
    let open = |agent| NavMeshBuf::open_for(&bytes, agent).unwrap();
    let (nav, other) = (open("cart"), open("bird"));
    let sheets = blob.tile_ground("cart").unwrap();
    let [words, numbers] = Ground::layer_words(&sheets);
    let (mut bits, mut twins) = (vec![0; words], vec![0; numbers]);
    let mut ground = Ground::of_layers(sheets, &mut bits, &mut twins).unwrap();
    let square = [[30.0, 5.0], [32.0, 5.0], [32.0, 7.0], [30.0, 7.0]];
    let mut blocked = |heights| {
        let own = Obstacle::prism(&square, heights).unwrap();
        ground.set_obstacle(&nav.mesh(), 1, Some(&own)).unwrap();
        let storeys = [0.0, 4.0].map(|y| {
            let at = |x: f64| {
                let tile = ground.tile_at([x, y, 6.5]).unwrap();
                ground.is_blocked(tile)
            };
            // Inside, beside it within the radius, and one tile further.
            [at(31.5), at(32.5), at(33.5)]
        });
        ground.set_obstacle(&nav.mesh(), 1, None).unwrap();
        storeys
    };
    let (taken, free) = ([true, true, false], [false; 3]);
    assert_eq!(blocked([0.0, 1.0]), [taken, free]);
    assert_eq!(blocked([0.0, 3.9]), [taken, free]);
    assert_eq!(blocked([4.0, 5.0]), [free, taken]);
    assert_eq!(blocked([1.7, 2.0]), [taken, free], "head room");
    assert_eq!(blocked([1.9, 2.0]), [free, free]);
    assert_eq!(blocked([0.0, 5.0]), [taken, taken]);
    let own = Obstacle::prism(&square, [0.0, 1.0]).unwrap();
    let refused = ground.set_obstacle(&other.mesh(), 1, Some(&own));
    assert_eq!(refused, Err(Error::OtherGround));
}
