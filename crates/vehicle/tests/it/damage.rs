//! Tables with damaged bytes: either refused, or read without a panic and without a search that
//! does not end.

use crate::support::course::{Map, packed};
use navbake_format::{Blob, Section};
use navbake_vehicle::build::{Reverse, VehicleSpec};
use navbake_vehicle::{
    Footprint, Ground, Roads, TurningBuffer, TurningQuery, TurningRequest, TurningScratchSize,
    TurningStatus, VehicleBuffer, VehicleRules,
};

fn blob() -> Vec<u8> {
    let corners = [[0.6, 0.3], [-0.5, 0.3], [-0.5, -0.4], [0.6, -0.3]];
    let vehicle = VehicleSpec {
        rings: 2,
        detour: Some(2.5),
        reverse: Some(Reverse { penalty: 1.5, change: 0.5 }),
        ..VehicleSpec::new(1.0, Footprint::polygon(&corners).unwrap())
    };
    let map = Map::of(&[
        "..........",
        "..........",
        "...##.....",
        "..........",
        ".......#..",
        "..........",
    ]);
    let rules = VehicleRules {
        areas: 1,
        off_road_cost: 4.0,
        rings: Some(2),
        cones: Some(1),
        directions: Some(8),
    };
    map.blob(&[packed(&vehicle, "v").with_rules(rules)])
}

/// Opens the bytes and runs a request if they pass validation.
fn ask(bytes: &[u8]) -> Option<TurningStatus> {
    let blob = Blob::open_checked(bytes).ok()?;
    let (view, map) = (blob.vehicle("v")?, blob.grid_map()?);
    let mut own = VehicleBuffer::new(&view);
    let vehicle = own.vehicle(view)?;
    let mut bits = vec![0; Ground::words(&map)];
    let ground = Ground::new(&map, &mut bits)?;
    let mut road_bits = vec![0; Roads::words(&ground)];
    let mut roads = Roads::new(&ground, &mut road_bits, vehicle.rules().into()).unwrap();
    roads.mark(&ground, |_| true);
    let query = TurningQuery::new(&vehicle, &ground)?.on_roads(&roads);
    let size = TurningScratchSize::with_nodes(&vehicle, &ground, 2000);
    let mut buffer = TurningBuffer::new(size);
    let mut scratch = buffer.scratch();
    let request = TurningRequest {
        smooth: true,
        ..TurningRequest::new([1.7, 0.0, 1.5], 0.3, [8.2, 0.0, 2.2], Some(2.0))
    };
    Some(query.path(&request, &mut scratch).status)
}

#[test]
fn damaged_tables_are_refused_or_searched_without_harm() {
    let good = blob();
    assert_eq!(ask(&good), Some(TurningStatus::Reached));
    let parts: Vec<(usize, usize)> = {
        let blob = Blob::open(&good).unwrap();
        let own = [
            Section::VEHICLES,
            Section::VEHICLE_CORNERS,
            Section::TURN_EDGES,
            Section::TURN_MASKS,
            Section::TURN_DISTANCES,
            Section::VEHICLE_RULES,
        ];
        let rows: Vec<_> = blob.sections().filter(|s| own.contains(&s.section)).collect();
        assert_eq!(rows.len(), own.len());
        rows.iter().map(|s| (s.offset as usize, s.len() as usize)).collect()
    };
    let (mut refused, mut searched) = (0, 0);
    for (first, len) in parts {
        // All bytes of short sections, some of long ones.
        for at in (first..first + len).step_by((len / 100).max(1)) {
            for flip in [1u8, 0x80, 0xFF] {
                let mut bytes = good.clone();
                bytes[at] ^= flip;
                match ask(&bytes) {
                    None => refused += 1,
                    Some(_) => searched += 1,
                }
            }
        }
    }
    assert!(refused > 100 && searched > 100, "{refused} {searched}");
}

#[test]
fn tables_of_another_vehicle_are_refused() {
    let good = blob();
    let row =
        Blob::open(&good).unwrap().sections().find(|s| s.section == Section::VEHICLES).unwrap();
    // The turn radius, a little larger.
    let at = row.offset as usize + 28;
    let mut bytes = good.clone();
    let radius = f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    assert_eq!(radius, 1.0);
    bytes[at..at + 8].copy_from_slice(&1.25f64.to_le_bytes());
    let error = Blob::open(&bytes).unwrap().validate().err().unwrap().to_string();
    assert!(error.contains("made for this vehicle"), "{error}");
}

#[test]
fn rules_that_no_vehicle_can_have_are_refused_with_what_is_expected() {
    let good = blob();
    let row = Blob::open(&good).unwrap().sections().find(|s| s.section == Section::VEHICLE_RULES);
    let first = row.unwrap().offset as usize;
    let half = 0.5f64.to_le_bytes();
    let (seven, two) = (7u16.to_le_bytes(), 2u64.to_le_bytes());
    for (at, value, expected) in [
        (0, &1u16.to_le_bytes()[..], "vehicles that there are"),
        (2, &seven, "8 or 16 directions"),
        (8, &half, "a cost off the road of 1 or more"),
        (16, &two, "areas that there are"),
        (16, &[0; 8], "only where there are roads"),
    ] {
        let mut bytes = good.clone();
        bytes[first + at..][..value.len()].copy_from_slice(value);
        let error = Blob::open(&bytes).unwrap().validate().err().unwrap().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_cut_section_is_refused() {
    let good = blob();
    for cut in 1..200 {
        assert!(Blob::open_checked(&good[..good.len() - cut]).is_err());
    }
}
