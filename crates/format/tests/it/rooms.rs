//! Rooms and their doors in a blob.

use navbake_format::write::{
    BlobParts, ClusterParts, EncodeError, LinkParts, MeshParts, PlanParts, RoomDoorParts,
    RoomParts, RoomsParts, encode,
};
use navbake_format::{Blob, BlobError, CheckedBlob, LinkKind, PolyId, RoomId, Section};
use proptest::prelude::*;

use crate::support::Squares;

const NONE: u32 = u32::MAX;

/// Six squares, the last of which are the first in the blob: rooms of one, two and three.
const OF: [u32; 6] = [2, 2, 2, 1, 1, 0];

fn rooms() -> [RoomParts<'static>; 3] {
    let room = |name, area, is_choke| RoomParts { name, at: [512, 0, 512], area, is_choke };
    [room("cell", 1.0, false), room("", 2.0, true), room("hall", 3.0, false)]
}

/// The door between hall and middle is given from the hall's side, the other one from the middle's.
fn doors() -> [RoomDoorParts<'static>; 2] {
    let door = |rooms, x, portals, width| RoomDoorParts {
        rooms,
        ends: [[x, 0], [x, 1024]],
        width,
        portals,
        is_bridge: true,
        is_divide: width == 1.0,
        name: "",
    };
    [door([2, 1], 3072, &[9], 1.5), door([0, 1], 1024, &[17], 1.0)]
}

fn made(rooms: &RoomsParts<'_>) -> Result<Vec<u8>, EncodeError> {
    made_with_ways(rooms, &[])
}

fn made_with_ways(rooms: &RoomsParts<'_>, link_ways: &[Vec<f32>]) -> Result<Vec<u8>, EncodeError> {
    let row = Squares::strip(6);
    encode(&BlobParts {
        meshes: &[MeshParts { rooms: Some(*rooms), ..row.parts() }],
        link_ways,
        ..BlobParts::default()
    })
}

/// Ways, stops at the middles of both doors, two clusters of rooms and one of both, all as the file
/// numbers things.
fn plan() -> PlanParts {
    let cluster = |parent, level, doors: &[u32]| ClusterParts {
        parent,
        level,
        doors: doors.to_vec(),
        ways: vec![],
    };
    PlanParts {
        stops: vec![(0, [1024, 512]), (2, [3072, 512])],
        ways: vec![2.0],
        cluster_of: vec![0, 0, 1],
        clusters: vec![cluster(2, 1, &[1]), cluster(2, 1, &[1]), cluster(NONE, 2, &[])],
    }
}

fn parts<'a>(
    rooms: &'a [RoomParts<'a>],
    doors: &'a [RoomDoorParts<'a>],
    wider: &'a [Vec<u32>],
    plan: &'a PlanParts,
) -> RoomsParts<'a> {
    RoomsParts { of: &OF, rooms, doors, plan: Some(plan), wider, like: None }
}

fn blob() -> Vec<u8> {
    let wider = [vec![7, 7, 3]];
    made(&parts(&rooms(), &doors(), &wider, &plan())).unwrap()
}

#[test]
fn rooms_come_back_as_they_were_given() {
    let bytes = blob();
    let blob = Blob::open_checked(&bytes).unwrap();
    let rooms = blob.rooms(0).unwrap();
    let mesh = blob.decode(0).unwrap().leak();
    let mut of: Vec<(i32, u32)> =
        (0..6).map(|p| (mesh.polygon(PolyId(p)).corner(0)[0], rooms.of(PolyId(p)).0)).collect();
    of.sort_unstable();
    assert_eq!(of.iter().map(|o| o.1).collect::<Vec<_>>(), [0, 1, 1, 2, 2, 2]);
    let room = |r| rooms.get(RoomId(r)).unwrap();
    assert_eq!([0, 1, 2].map(|r| room(r).name), ["cell", "", "hall"]);
    assert_eq!([0, 1, 2].map(|r| room(r).area), [1.0, 2.0, 3.0]);
    assert_eq!([0, 1, 2].map(|r| room(r).is_dead_end), [true, false, true]);
    assert_eq!([0, 1, 2].map(|r| room(r).is_choke), [false, true, false]);
    assert_eq!((rooms.named("hall"), rooms.named("attic")), (Some(RoomId(2)), None));
    let doors_of = |r| rooms.doors_of(RoomId(r)).collect::<Vec<u32>>();
    assert_eq!([0, 1, 2, 3].map(doors_of), [vec![0], vec![0, 1], vec![1], vec![]]);
    let door = rooms.door(1).unwrap();
    assert_eq!((door.rooms, door.width, door.is_bridge), ([RoomId(1), RoomId(2)], 1.5, true));
    assert_eq!((door.is_divide, rooms.door(0).unwrap().is_divide), (false, true));
    assert_eq!((door.beyond(RoomId(2)), door.beyond(RoomId(0))), (Some(RoomId(1)), None));
    let portals: Vec<(PolyId, u32)> = rooms.portals(1).collect();
    let [(polygon, edge)] = portals[..] else { panic!("one portal") };
    let beyond = mesh.polygon(polygon).neighbour(edge).unwrap();
    let mut two = [polygon, beyond].map(|p| rooms.of(p).0);
    two.sort_unstable();
    assert!(polygon < beyond && two == [1, 2]);
    assert_eq!(rooms.way(RoomId(1), 1, 0), Some(2.0));
    assert_eq!((rooms.way(RoomId(1), 0, 2), rooms.way(RoomId(0), 0, 1)), (None, None));
    let ways = rooms.cell(1);
    assert_eq!(ways.doors().collect::<Vec<u32>>(), [0, 1]);
    assert_eq!((ways.way(0, 1), ways.way(1, 1), ways.way(0, 2)), (Some(2.0), Some(0.0), None));
    assert_eq!(rooms.stop(1), Some((PolyId(2), [3072, 512])));
    assert_eq!(rooms.stop(2), None);
    assert!(rooms.has_ways() && rooms.cluster_count() == 3);
    assert_eq!([0, 2, 3, 5, 6].map(|c| rooms.parent(c)), [Some(3), Some(4), Some(5), None, None]);
    assert_eq!([0, 3, 5, 9].map(|c| rooms.cell_level(c)), [0, 1, 2, 0]);
    assert_eq!(rooms.cell(4).place(1), Some(0));
    assert_eq!(rooms.cell(5).doors().len(), 0);
    assert_eq!(rooms.levels(), 1);
    assert_eq!([0, 1, 2].map(|r| rooms.wider(0, RoomId(r))), [Some(0), Some(0), Some(1)]);
    assert_eq!(
        (rooms.get(RoomId(3)), rooms.door(2), rooms.wider(1, RoomId(0))),
        (None, None, None)
    );
}

#[test]
fn a_reader_may_skip_rooms() {
    let bytes = blob();
    let blob = Blob::open(&bytes).unwrap();
    let all: Vec<_> = blob.sections().filter(|s| (0x0120..0x0130).contains(&s.section.0)).collect();
    assert_eq!(all.len(), 11);
    assert!(all.iter().all(|s| !s.required));
}

#[test]
fn parts_that_do_not_belong_together_are_refused() {
    let (rooms, doors) = (rooms(), doors());
    let wider = [vec![0, 0, 1]];
    let plan = plan();
    let good = parts(&rooms, &doors, &wider, &plan);
    let refused = |parts: RoomsParts<'_>| made(&parts).unwrap_err();
    let length = |e| matches!(e, EncodeError::Length { .. });
    let index = |e| matches!(e, EncodeError::Index { .. });
    assert!(length(refused(RoomsParts { of: &OF[1..], ..good })));
    assert!(length(refused(RoomsParts { of: &[2, 2, 2, 1, 1, 1], ..good })));
    assert!(index(refused(RoomsParts { of: &[2, 2, 2, 1, 1, 3], ..good })));
    assert!(length(refused(RoomsParts { wider: &[vec![0, 0]], ..good })));
    let with = |change: fn(&mut PlanParts)| {
        let mut plan = plan.clone();
        change(&mut plan);
        refused(RoomsParts { plan: Some(&plan), ..good })
    };
    assert!(length(with(|plan| plan.ways = vec![1.0, 1.0])));
    let section = |e| match e {
        EncodeError::Unsound(BlobError::Record { section, .. }) => section,
        other => panic!("{other}"),
    };
    // A portal between two rooms that is no door, and a door that is none.
    assert_eq!(
        section(refused(RoomsParts { doors: &doors[..1], plan: None, ..good })),
        Section::ROOM_PORTALS
    );
    let mut askew = doors;
    askew[0].portals = &[5];
    assert_eq!(section(refused(RoomsParts { doors: &askew, ..good })), Section::ROOM_DOORS);
    let mut wide = doors;
    wide[1].width = f32::NAN;
    assert_eq!(section(refused(RoomsParts { doors: &wide, ..good })), Section::ROOM_DOORS);
    let wrong = [
        (with(|plan| plan.ways = vec![-1.0]), Section::ROOM_WAYS),
        (with(|plan| plan.stops[0].0 = 4), Section::DOOR_STOPS),
        (with(|plan| plan.stops[0].1 = [1024, -1]), Section::DOOR_STOPS),
        (with(|plan| plan.stops.truncate(1)), Section::DOOR_STOPS),
        (with(|plan| plan.cluster_of[0] = 2), Section::CLUSTER_OF),
        (with(|plan| plan.clusters[0].parent = 1), Section::CLUSTERS),
        (with(|plan| plan.clusters[0].doors = vec![2]), Section::DOORS_OF_CLUSTERS),
        (with(|plan| plan.clusters[0].ways = vec![1.0]), Section::CLUSTERS),
    ];
    for (fault, expected) in wrong {
        assert_eq!(section(fault), expected);
    }
}

/// The same mesh for a larger class, whose rooms and doors refer to those of the first one, and a
/// link from the first polygon to the last.
fn with_likes(like: [&[u32]; 2]) -> Result<Vec<u8>, EncodeError> {
    with_likes_and_ways(like, &[])
}

fn with_likes_and_ways(like: [&[u32]; 2], link_ways: &[Vec<f32>]) -> Result<Vec<u8>, EncodeError> {
    let (row, rooms, doors, plan) = (Squares::strip(6), rooms(), doors(), plan());
    let small = parts(&rooms, &doors, &[], &plan);
    let large = RoomsParts { like: Some(like), ..small };
    let links = [LinkParts {
        from: (0, [5632, 512]),
        to: (5, [512, 512]),
        cost: 1.0,
        agents: u32::MAX,
        width: 0.0,
        switch: None,
        kind: LinkKind::Walk,
        name: "",
    }];
    let mesh = MeshParts { links: &links, ..row.parts() };
    encode(&BlobParts {
        meshes: &[
            MeshParts { rooms: Some(large), ..mesh },
            MeshParts { rooms: Some(small), ..mesh },
        ],
        link_ways,
        ..BlobParts::default()
    })
}

#[test]
fn rooms_of_larger_classes_come_back_by_the_numbers_of_the_smallest() {
    let bytes = with_likes([&[2, NONE, 0], &[NONE, 0]]).unwrap();
    let blob = Blob::open_checked(&bytes).unwrap();
    assert_eq!(blob.smallest_rooms(), Some(1));
    let [large, small] = [0, 1].map(|class| blob.rooms(class).unwrap());
    // Rooms are numbered as they were given, doors in reverse.
    let like = |r| large.canonical_room(RoomId(r));
    assert_eq!([0, 1, 2, 3].map(like), [Some(RoomId(2)), None, Some(RoomId(0)), None]);
    assert_eq!([0, 1, 2].map(|d| large.canonical_door(d)), [Some(1), None, None]);
    assert!(large.is_canonical() && !small.is_canonical());
    assert_eq!((small.canonical_room(RoomId(0)), small.canonical_door(0)), (None, None));
}

#[test]
fn likes_that_are_none_are_refused() {
    let error = |like| with_likes(like).unwrap_err();
    assert!(matches!(
        error([&[0, 1], &[0, 1]]),
        EncodeError::Length { what: "rooms.like", found: 2, expected: 3, .. }
    ));
    assert!(matches!(
        error([&[0, 1, 2], &[0, 2]]),
        EncodeError::Index { what: "doors.like", found: 2, limit: 2, .. }
    ));
    // A number that no room has, and one too few.
    let bytes = with_likes([&[2, NONE, 0], &[NONE, 0]]).unwrap();
    let blob = Blob::open(&bytes).unwrap();
    let place = blob.section(Section::LIKE_ROOMS, 0).unwrap().0.offset as usize;
    let mut wrong = bytes.clone();
    wrong[place] = 3;
    let error = Blob::open(&wrong).unwrap().validate().err().unwrap();
    assert!(error.to_string().contains("like-rooms"), "{error}");
}

#[test]
fn ways_of_links_come_back_and_need_links() {
    let with = |ways: &[Vec<f32>]| with_likes_and_ways([&[2, NONE, 0], &[NONE, 0]], ways);
    let made = with(&[vec![], vec![1.5, 0.25]]).unwrap();
    let blob = Blob::open_checked(&made).unwrap();
    let rooms = blob.rooms(1).unwrap();
    assert_eq!([0, 1, 2].map(|i| rooms.link_way(i)), [Some(1.5), Some(0.25), None]);
    assert_eq!((rooms.link_way_count(), blob.rooms(0).unwrap().link_way_count()), (2, 0));
    let again = with(&[vec![2.0], vec![]]).unwrap();
    let blob = Blob::open_checked(&again).unwrap();
    assert_eq!(blob.rooms(0).unwrap().link_way(0), Some(2.0));
    assert_eq!(blob.rooms(1).unwrap().link_way_count(), 0);
    for wrong in [f32::NAN, -1.0, f32::INFINITY] {
        assert!(with(&[vec![], vec![wrong]]).is_err());
    }
    // Without links there is nothing to measure.
    let wider = [vec![7, 7, 3]];
    let (rooms, doors, plan) = (self::rooms(), doors(), plan());
    let bare = parts(&rooms, &doors, &wider, &plan);
    assert!(made_with_ways(&bare, &[vec![1.0]]).is_err());
}

/// Asks everything there is to ask.
fn ask_all(blob: &CheckedBlob<'_>) {
    let (Some(rooms), Ok(mesh)) = (blob.rooms(0), blob.decode(0).map(|nav| nav.leak())) else {
        return;
    };
    for p in 0..mesh.polygon_count() + 2 {
        assert!(rooms.of(PolyId(p)).0 < rooms.count());
    }
    for r in 0..rooms.count() + 2 {
        let id = RoomId(r);
        let _ = rooms.get(id);
        let own: Vec<u32> = rooms.doors_of(id).collect();
        assert!(own.iter().all(|&d| rooms.door(d).unwrap().beyond(id).is_some()));
        for a in 0..own.len() as u32 + 1 {
            for b in 0..own.len() as u32 + 1 {
                assert!(rooms.way(id, a, b).is_none_or(f32::is_finite));
            }
        }
        for level in 0..rooms.levels() + 1 {
            assert!(rooms.wider(level, id).is_none_or(|w| w < rooms.count()));
        }
    }
    for cell in 0..rooms.count() + rooms.cluster_count() + 2 {
        let (mut at, mut level) = (cell, rooms.cell_level(cell));
        while let Some(parent) = rooms.parent(at) {
            assert_eq!(rooms.cell_level(parent), level + 1);
            (at, level) = (parent, level + 1);
        }
        let own = rooms.cell(cell);
        for (place, door) in (0u32..).zip(own.doors()) {
            assert_eq!(own.place(door), Some(place));
            assert!(rooms.door(door).is_some());
            assert!(own.way(place, 0).is_none_or(f32::is_finite));
            let others = (0u32..).zip(own.doors()).filter(|o| o.0 != place);
            let ways = others.filter_map(|(to, door)| Some((door, own.way(place, to)?)));
            assert!(own.ways_from(place).eq(ways));
        }
        assert_eq!(own.ways_from(own.doors().len() as u32).count(), 0);
    }
    for d in 0..rooms.door_count() + 2 {
        if let Some((p, at)) = rooms.stop(d) {
            assert!(!mesh.polygon(p).is_empty() && at.iter().all(|c| c.abs() < 1 << 25));
        }
        for (p, k) in rooms.portals(d) {
            assert!(mesh.polygon(p).neighbour(k).is_some());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn damaged_rooms_are_refused_or_make_sense(
        section in 0x0120u16..0x012B,
        at in any::<prop::sample::Index>(),
        value in prop_oneof![any::<u8>(), 0u8..4],
        cut in any::<bool>(),
    ) {
        let mut bytes = blob();
        let place = {
            let blob = Blob::open(&bytes).unwrap();
            let (info, own) = blob.section(Section(section), 0).unwrap();
            info.offset as usize + at.index(own.len())
        };
        bytes[place] = value;
        if cut {
            // A row of the table says that the section is another one.
            let row = bytes.windows(2).position(|w| w == section.to_le_bytes()).unwrap();
            bytes[row] = bytes[row].wrapping_add(value);
        }
        if let Ok(checked) = Blob::open(&bytes).and_then(|blob| blob.validate()) {
            ask_all(&checked);
        }
    }
}

#[test]
fn each_section_alone_is_missed_or_not_needed() {
    // What is left out of parts is left out of the file: rooms without doors, distances and wider
    // rooms.
    let all = [RoomParts::default()];
    let bytes = made(&RoomsParts { of: &[0; 6], rooms: &all, ..RoomsParts::default() }).unwrap();
    let blob = Blob::open_checked(&bytes).unwrap();
    ask_all(&blob);
    let rooms = blob.rooms(0).unwrap();
    assert_eq!((rooms.count(), rooms.door_count(), rooms.levels()), (1, 0, 0));
    // A blob baked without them has none.
    let row = Squares::strip(1);
    let bare =
        encode(&BlobParts { meshes: &[MeshParts { ..row.parts() }], ..BlobParts::default() })
            .unwrap();
    assert!(Blob::open_checked(&bare).unwrap().rooms(0).is_none());
}
