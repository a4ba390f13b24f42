//! Chunks of a world: what their sections may state.
#![cfg(feature = "write")]

use navbake_format::write::{
    BlobParts, EncodeError, FarLinkParts, LinkParts, MeshParts, OtherSection, RoomDoorParts,
    RoomParts, RoomsParts, encode, record_bytes,
};
use navbake_format::{
    Blob, BlobError, Chunk, FarLink, Gateway, GatewayDistance, Link, LinkKind, NavMeshBuf, RoomId,
    Seam, Section,
};

/// A square of 100 units in a chunk of 100, and a seam on its side with the greatest x.
#[derive(Clone)]
struct Parts {
    chunks: Vec<Chunk>,
    seams: Vec<Seam>,
    islands: Vec<u32>,
    far_links: Vec<FarLinkParts<'static>>,
    rooms: Option<RoomsParts<'static>>,
    world_rooms: Vec<u32>,
}

/// The room of one polygon.
const HALL: RoomsParts<'static> = RoomsParts {
    of: &[0],
    rooms: &[RoomParts { name: "hall", at: [0; 3], area: 1.0, is_choke: false }],
    doors: &[],
    plan: None,
    wider: &[],
    like: None,
};

impl Parts {
    fn new() -> Parts {
        let chunk = Chunk {
            key: [0, -1],
            side: 100,
            least: [0, 5, -100],
            greatest: [100, 5, 0],
            polygons: 1,
            islands: 4,
            bytes: 0,
            hash: [0; 32],
        };
        let seam = Seam {
            polygon: 0,
            edge: 2,
            beyond: [1, -1],
            from: [100, 5, 0],
            to: [100, 5, -100],
            heights: [5, 9],
        };
        let far = |number, ends_here, at| {
            let link = LinkParts {
                from: (0, at),
                to: (0, at),
                cost: 7.5,
                width: 0.5,
                agents: 1,
                switch: None,
                kind: LinkKind::Climb,
                name: "rope",
            };
            FarLinkParts { number, ends_here, chunk: [1, -1], link }
        };
        let (begins, ends) = (far(2, false, [40, -60]), far(5, true, [100, 0]));
        let far_links = vec![begins, ends];
        Parts {
            chunks: vec![chunk],
            seams: vec![seam],
            islands: vec![3],
            far_links,
            rooms: Some(HALL),
            world_rooms: vec![5, 8],
        }
    }

    fn bytes(&self) -> Result<Vec<u8>, EncodeError> {
        let all = [
            (Section::CHUNKS, 84, record_bytes(&self.chunks)),
            (Section::SEAMS, 48, record_bytes(&self.seams)),
            (Section::WORLD_ISLANDS, 4, record_bytes(&self.islands)),
            (Section::WORLD_ROOMS, 4, record_bytes(&self.world_rooms)),
        ];
        let mesh = MeshParts {
            vertices: &[[0, 5, -100], [0, 5, 0], [100, 5, 0], [100, 5, -100]],
            first_edge: &[0, 4],
            corners: &[0, 1, 2, 3],
            neighbours: &[u32::MAX; 4],
            islands: &[0],
            far_links: &self.far_links,
            rooms: self.rooms,
            ..MeshParts::default()
        };
        encoded(mesh, &all)
    }

    /// The section that is refused.
    fn refused(&self) -> Section {
        refused(self.bytes())
    }
}

/// A file with sections of records, each with the size of one.
fn encoded(mesh: MeshParts<'_>, all: &[(Section, u16, Vec<u8>)]) -> Result<Vec<u8>, EncodeError> {
    let others: Vec<OtherSection<'_>> = all
        .iter()
        .map(|(section, element_size, bytes)| OtherSection {
            section: *section,
            class: 0,
            required: false,
            element_size: *element_size,
            bytes,
        })
        .collect();
    encode(&BlobParts { meshes: &[mesh], others: &others, ..BlobParts::default() })
}

/// The section that is refused.
fn refused(bytes: Result<Vec<u8>, EncodeError>) -> Section {
    match bytes {
        Err(EncodeError::Unsound(BlobError::Record { section, .. })) => section,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_chunk_is_read_as_it_was_written_packed_and_unpacked() {
    let parts = Parts::new();
    let bytes = parts.bytes().unwrap();
    let unpacked = Blob::open_checked(&bytes).unwrap().unpack().unwrap();
    for bytes in [bytes, unpacked] {
        let nav = NavMeshBuf::open(&bytes).unwrap();
        let mesh = nav.mesh();
        assert_eq!(mesh.file().chunks().iter().collect::<Vec<_>>(), parts.chunks);
        assert_eq!(mesh.seams().iter().collect::<Vec<_>>(), parts.seams);
        assert_eq!(mesh.world_islands().iter().collect::<Vec<_>>(), parts.islands);
        let rooms = mesh.world_rooms().unwrap();
        assert_eq!((rooms.room(RoomId(0)), rooms.room(RoomId(1))), (Some(RoomId(5)), None));
        assert_eq!((rooms.door(0), rooms.seam(0), rooms.seam(1)), (None, Some(8), None));
        let far_links: Vec<FarLink<'_>> = mesh.far_links().collect();
        assert_eq!(far_links.len(), parts.far_links.len());
        for (found, wanted) in far_links.iter().zip(&parts.far_links) {
            let own = (wanted.number, wanted.ends_here, wanted.chunk);
            assert_eq!((found.number, found.ends_here, found.chunk), own);
            let Link { polygon, from, cost, width, agents, switch, kind, name, .. } = found.link;
            let link = &wanted.link;
            assert_eq!((polygon.0, from), link.from);
            assert_eq!((cost, width, agents), (link.cost, link.width, link.agents));
            assert_eq!((switch, kind, name), (link.switch, link.kind, link.name));
        }
    }
}

#[test]
fn ends_of_links_to_other_chunks_that_are_not_on_their_ground_are_refused() {
    for f in [
        (|far| far.number = 5) as fn(&mut FarLinkParts<'static>),
        |far| far.link.from.1 = [101, -60],
        |far| far.link.from.1 = [1 << 25, -60],
        |far| far.chunk = [0, -1],
        |far| far.link.cost = -1.0,
        |far| far.link.cost = f64::NAN,
        |far| far.link.width = f32::INFINITY,
        |far| far.link.switch = Some(0),
    ] {
        let mut parts = Parts::new();
        f(&mut parts.far_links[0]);
        assert_eq!(parts.refused(), Section::FAR_LINKS, "{:?}", parts.far_links[0]);
    }
    // A file that is no chunk has no such links.
    let alone = Parts {
        chunks: vec![],
        seams: vec![],
        islands: vec![],
        world_rooms: vec![],
        ..Parts::new()
    };
    assert_eq!(alone.refused(), Section::FAR_LINKS);
}

#[test]
fn each_room_door_and_seam_of_a_chunk_has_a_number_of_the_world() {
    // A seam may be no door; a room is always part of one.
    assert!(Parts { world_rooms: vec![5, u32::MAX], ..Parts::new() }.bytes().is_ok());
    for world_rooms in [vec![], vec![5], vec![5, 8, 8], vec![u32::MAX, 8]] {
        assert_eq!(Parts { world_rooms, ..Parts::new() }.refused(), Section::WORLD_ROOMS);
    }
    let without = Parts { rooms: None, ..Parts::new() };
    assert_eq!(without.refused(), Section::WORLD_ROOMS);
    assert!(Parts { world_rooms: vec![], ..without }.bytes().is_ok());
}

#[test]
fn a_seam_and_its_twin_are_each_others() {
    let seam = Parts::new().seams[0];
    let (from, to, heights) = seam.twin();
    assert_eq!((from, to, heights), ([100, 9, -100], [100, 5, 0], [5, 5]));
    assert_eq!(Seam { from, to, heights, ..seam }.twin(), (seam.from, seam.to, seam.heights));
}

#[test]
fn seams_that_are_not_walls_of_their_polygons_are_refused() {
    let change = |f: fn(&mut Seam)| {
        let mut parts = Parts::new();
        f(&mut parts.seams[0]);
        parts.refused()
    };
    for f in [
        (|seam| seam.polygon = 1) as fn(&mut Seam),
        |seam| seam.edge = 4,
        |seam| seam.edge = 1,
        |seam| seam.from[1] += 1,
        |seam| seam.to[2] += 1,
        |seam| seam.beyond = [0, -1],
        |seam| seam.heights[0] = 1 << 25,
    ] {
        assert_eq!(change(f), Section::SEAMS);
    }
    let mut twice = Parts::new();
    twice.seams.push(twice.seams[0]);
    assert_eq!(twice.refused(), Section::SEAMS);
}

#[test]
fn islands_that_the_world_does_not_have_are_refused() {
    for islands in [vec![4], vec![0, 1]] {
        assert_eq!(Parts { islands, ..Parts::new() }.refused(), Section::WORLD_ISLANDS);
    }
    // Without its islands a file is no chunk, and has no seams.
    assert_eq!(Parts { islands: vec![], ..Parts::new() }.refused(), Section::SEAMS);
    assert_eq!(Parts { chunks: vec![], ..Parts::new() }.refused(), Section::SEAMS);
}

#[test]
fn chunks_out_of_order_or_beyond_their_sides_are_refused() {
    let own = Parts::new().chunks[0];
    let next = Chunk { key: [1, -1], least: [100, 0, -50], greatest: [100, 0, -50], ..own };
    let above = Chunk { key: [0, 0], least: [0; 3], greatest: [0; 3], ..own };
    let table = |chunks: &[Chunk]| Parts {
        chunks: chunks.to_vec(),
        seams: vec![],
        islands: vec![],
        far_links: vec![],
        rooms: None,
        world_rooms: vec![],
    };
    assert!(table(&[own, next, above]).bytes().is_ok());
    for chunks in [
        vec![own, own],
        vec![next, own],
        vec![above, own],
        vec![own, Chunk { side: 101, ..next }],
        vec![Chunk { side: 0, ..own }],
        vec![Chunk { least: [-1, 5, -100], ..own }],
        vec![Chunk { greatest: [100, 5, 1], ..own }],
        vec![Chunk { least: [0, 6, -100], ..own }],
        vec![Chunk { least: [50, 5, -100], greatest: [49, 5, 0], ..own }],
        vec![Chunk { greatest: [100, 1 << 25, 0], ..own }],
    ] {
        assert_eq!(table(&chunks).refused(), Section::CHUNKS, "{chunks:?}");
    }
}

/// The index of four chunks in a square, with two gateways of the first one.
#[derive(Clone)]
struct Index {
    gateways: Vec<Gateway>,
    distances: Vec<GatewayDistance>,
    chunk_bytes: u64,
}

impl Index {
    fn new() -> Index {
        let gateways = vec![
            Gateway { chunks: [0, 1], at: [100, 5, -40], island: 3, reach: 8 },
            Gateway { chunks: [0, 2], at: [20, 5, 0], island: 3, reach: 4 },
            Gateway { chunks: [1, 3], at: [120, 5, 0], island: 2, reach: 4 },
        ];
        let distances = vec![GatewayDistance { gateways: [0, 1], length: 0.1 }];
        Index { gateways, distances, chunk_bytes: 9 }
    }

    fn bytes(&self) -> Result<Vec<u8>, EncodeError> {
        let own = Chunk { bytes: self.chunk_bytes, ..Parts::new().chunks[0] };
        let chunk = |key: [i32; 2]| {
            let least = [key[0] * 100, 5, key[1] * 100];
            Chunk { key, least, greatest: least, ..own }
        };
        let chunks = [[0, -1], [1, -1], [0, 0], [1, 0]].map(chunk);
        let all = [
            (Section::CHUNKS, 84, record_bytes(&chunks)),
            (Section::GATEWAYS, 28, record_bytes(&self.gateways)),
            (Section::GATEWAY_DISTANCES, 16, record_bytes(&self.distances)),
        ];
        encoded(MeshParts { first_edge: &[0], ..MeshParts::default() }, &all)
    }

    fn refused(&self) -> Section {
        refused(self.bytes())
    }
}

/// An index with these rooms, and a file of the same rooms that is none.
fn with_rooms(rooms: RoomsParts<'_>) -> [Result<Vec<u8>, EncodeError>; 2] {
    let own = Chunk { bytes: 9, ..Parts::new().chunks[0] };
    [own, Chunk { bytes: 0, ..own }].map(|own| {
        let mesh = MeshParts { first_edge: &[0], rooms: Some(rooms), ..MeshParts::default() };
        encoded(mesh, &[(Section::CHUNKS, 84, record_bytes(&[own]))])
    })
}

#[test]
fn an_index_has_rooms_and_doors_without_polygons() {
    let room = |name| RoomParts { name, area: 2.5, ..RoomParts::default() };
    let door = |rooms, name| RoomDoorParts { rooms, width: 1.5, name, ..RoomDoorParts::default() };
    let rooms = [room("hall"), room("yard"), room("")];
    let doors = [door([1, 2], "back"), door([0, 1], "gate")];
    let all = RoomsParts { rooms: &rooms, doors: &doors, ..RoomsParts::default() };
    let [bytes, other] = with_rooms(all);
    let bytes = bytes.unwrap();
    let unpacked = Blob::open_checked(&bytes).unwrap().unpack().unwrap();
    for bytes in [bytes, unpacked] {
        let blob = Blob::open_checked(&bytes).unwrap();
        assert_eq!(blob.smallest_rooms(), Some(0));
        let nav = NavMeshBuf::open(&bytes).unwrap();
        let rooms = *nav.mesh().rooms().unwrap();
        assert_eq!((rooms.count(), rooms.named("yard")), (3, Some(RoomId(1))));
        let names = (0..2).map(|d| (rooms.door(d).unwrap().name, rooms.portals(d).len()));
        assert_eq!(names.collect::<Vec<_>>(), [("gate", 0), ("back", 0)]);
        assert_eq!(rooms.doors_of(RoomId(1)).collect::<Vec<_>>(), [0, 1]);
        assert!(rooms.get(RoomId(0)).unwrap().is_dead_end);
    }
    // In other files a room has polygons, and a door has portals.
    assert_eq!(refused(other), Section::ROOMS);
}

#[test]
fn gateways_are_read_as_they_were_written_packed_and_unpacked() {
    let index = Index::new();
    let bytes = index.bytes().unwrap();
    let unpacked = Blob::open_checked(&bytes).unwrap().unpack().unwrap();
    for bytes in [bytes, unpacked] {
        let nav = NavMeshBuf::open(&bytes).unwrap();
        assert_eq!(nav.mesh().gateways().iter().collect::<Vec<_>>(), index.gateways);
        assert_eq!(nav.mesh().gateway_distances().iter().collect::<Vec<_>>(), index.distances);
    }
}

#[test]
fn gateways_of_no_two_chunks_and_distances_over_several_are_refused() {
    let change = |f: fn(&mut Index)| {
        let mut index = Index::new();
        f(&mut index);
        index.refused()
    };
    for f in [
        (|own| own.gateways[0].chunks = [1, 0]) as fn(&mut Index),
        |own| own.gateways[0].chunks = [1, 1],
        |own| own.gateways[2].chunks[1] = 4,
        |own| own.gateways[0].island = 4,
        |own| own.gateways[0].at[1] = 1 << 25,
        |own| own.gateways.swap(0, 1),
        |own| own.gateways[1] = own.gateways[0],
        |own| own.chunk_bytes = 0,
    ] {
        assert_eq!(change(f), Section::GATEWAYS);
    }
    for f in [
        (|own| own.distances[0].gateways = [1, 0]) as fn(&mut Index),
        |own| own.distances[0].gateways = [0, 3],
        // Of other islands, or without a chunk in common.
        |own| own.distances[0].gateways = [0, 2],
        |own| own.distances[0].gateways = [1, 2],
        |own| own.distances[0].length = -1.0,
        |own| own.distances[0].length = f64::NAN,
        |own| own.distances.push(own.distances[0]),
    ] {
        assert_eq!(change(f), Section::GATEWAY_DISTANCES);
    }
}
