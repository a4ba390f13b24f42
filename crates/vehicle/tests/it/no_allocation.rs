//! Searches for units that turn allocate nothing once their memory exists.

use crate::support::course::drive;
use crate::support::course::{Map, packed};
use navbake_testkit::allocations::count as allocations;
use navbake_vehicle::build::{Reverse, VehicleSpec};
use navbake_vehicle::{Footprint, TurningQuery, TurningRequest, TurningStatus};

#[test]
fn searches_for_units_that_turn_allocate_nothing() {
    // The room below has no entrance.
    let rows = [
        "....................",
        "..###......##.......",
        "....................",
        "......#.............",
        "...............##...",
        "....................",
        "####################",
        "....................",
        "....................",
    ];
    let vehicle = VehicleSpec {
        rings: 2,
        detour: Some(3.0),
        reverse: Some(Reverse { penalty: 1.5, change: 0.5 }),
        ..VehicleSpec::new(1.0, Footprint::disc(0.45))
    };
    let bytes = Map::of(&rows).blob(&[packed(&vehicle, "v")]);
    drive!(bytes, "v", unit, ground, buffer, 20_000);
    let before = allocations();
    let [mut reached, mut others] = [0; 2];
    ground.set_blocked([10, 2], true);
    let query = TurningQuery::new(&unit, &ground).unwrap();
    for (to, end, weight) in [
        ([18.5, 0.0, 5.5], None, 1.0),
        ([18.3, 0.0, 4.2], Some(2.0), 1.0),
        ([17.5, 0.0, 3.5], Some(0.0), 1.5),
        ([10.5, 0.0, 8.0], None, 1.0),
        ([3.5, 0.0, 1.5], None, 1.0),
    ] {
        for smooth in [false, true] {
            let request = TurningRequest {
                smooth,
                weight,
                ..TurningRequest::new([0.9, 0.0, 2.8], 0.3, to, end)
            };
            let mut scratch = buffer.scratch();
            match query.path(&request, &mut scratch).status {
                TurningStatus::Reached => reached += 1,
                _ => others += 1,
            }
        }
    }
    assert_eq!(allocations(), before);
    assert_eq!([reached, others], [6, 4]);
}
