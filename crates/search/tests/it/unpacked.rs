//! Unpacked files: they have all that the packed ones have, and damage never gets past the checks.

use std::panic::catch_unwind;
use std::sync::Arc;

use navbake_search::around::Random as Seeded;
use navbake_search::blob::{Blob, BlobError};
use navbake_search::{
    Algorithm, FixedScratch, Memory, NavMesh, NavMeshBuf, NavQuery, PathRequest, PolyId,
    QueryFilter, Scratch,
};
use navbake_testkit::Random;
use navbake_testkit::allocations::count as allocations;
use navbake_testkit::asking::Asking;
use navbake_testkit::scene::{Mix, Scene};
use navbake_testkit::squares::World;

/// A random scene on two storeys with links, doors and areas.
fn scene(seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let mix = Mix {
        columns: 5,
        rows: 5,
        storeys: 2,
        jitter: 5,
        blocked: 15,
        cut: 10,
        exchanged: 10,
        merged: 40,
    };
    let mut scene = Scene::random(&mut random, mix);
    scene.join(&mut random, 12, 30);
    scene.furnish(&mut random, 20, 10);
    scene.bake()
}

/// Squares with height points.
fn hilly() -> Vec<u8> {
    bumpy(5)
}

/// The same with that many points in a rectangle.
fn bumpy(points: usize) -> Vec<u8> {
    World::random(&mut Random(3), 8, 8, 2, 25, 5, 20).bake_with_points(true, true, points)
}

fn unpacked(packed: &[u8]) -> Vec<u8> {
    Blob::open_checked(packed).unwrap().unpack().unwrap()
}

#[test]
fn an_unpacked_file_decodes_to_the_same_bytes() {
    for packed in (0..40).map(scene).chain([hilly()]) {
        let bytes = unpacked(&packed);
        let (packed, plain) =
            (Blob::open_checked(&packed).unwrap(), Blob::open_checked(&bytes).unwrap());
        plain.blob().verify_checksum().unwrap();
        assert!(plain.is_unpacked() && !packed.is_unpacked());
        assert_eq!(plain.decode(0), packed.decode(0));
        assert_eq!(plain.unpack().unwrap(), bytes);
        assert_eq!(plain.config(), packed.config());
        assert!(packed.agents().map(|a| a.name).eq(plain.agents().map(|a| a.name)));
        assert!(packed.switches().map(|s| s.name).eq(plain.switches().map(|s| s.name)));
        let mesh = plain.mesh(0).unwrap();
        assert!(mesh.polygon_count() > 0);
        assert_eq!(packed.mesh(0).err(), Some(BlobError::Packed));
        let none = Some(BlobError::NoClass { class: 1, classes: 1 });
        assert_eq!([packed.mesh(1).err(), plain.mesh(1).err()], [none, none]);
        assert_eq!(plain.mesh_for("nobody").err(), Some(BlobError::NoAgent));
    }
}

#[test]
fn an_unpacked_file_of_an_owner_is_kept_and_not_copied() {
    for packed in [scene(4), hilly()] {
        let decoded = NavMeshBuf::open(&packed).unwrap();
        let [packed, plain]: [Arc<[u8]>; 2] = [packed.clone(), unpacked(&packed)].map(Arc::from);
        let kept = NavMeshBuf::from_owner(plain.clone()).unwrap();
        assert_eq!((Arc::strong_count(&plain), kept.size()), (2, plain.len()));
        let copy = kept.clone();
        assert_eq!((Arc::strong_count(&plain), &copy), (2, &kept));
        assert_eq!(kept.mesh().polys().polygons.bytes(), decoded.mesh().polys().polygons.bytes());
        assert_eq!(kept.mesh().fingerprint(), decoded.mesh().fingerprint());
        drop((kept, copy));
        assert_eq!(Arc::strong_count(&plain), 1);
        assert_eq!(NavMeshBuf::from_owner(packed.clone()).unwrap(), decoded);
        assert_eq!(Arc::strong_count(&packed), 1);
        let damaged = plain[..plain.len() - 1].to_vec();
        assert!(NavMeshBuf::from_owner(damaged).is_err());
    }
}

#[test]
fn lists_of_height_triangles_that_are_unsound_are_refused() {
    let bytes = unpacked(&bumpy(60));
    let blob = Blob::open(&bytes).unwrap();
    let find = |name: &str| blob.sections().find(|s| s.section.name() == name).unwrap();
    let lists = find("layout-detail-lists");
    let (at, count) = (lists.offset as usize, lists.count as usize);
    let number = |i: usize| [0, 1, 2].map(|k| bytes[at + 3 * i + k]);
    let refused = |entries: &[(usize, [u8; 3])]| {
        let mut forged = bytes.clone();
        for (i, number) in entries {
            forged[at + 3 * i..][..3].copy_from_slice(number);
        }
        let error = Blob::open_checked(&forged).err();
        match error {
            Some(BlobError::Record { section, .. }) => section.name(),
            other => panic!("{other:?}"),
        }
    };
    // Two neighbours of one list.
    let i = (1..count).find(|&i| number(i) > number(i - 1)).unwrap();
    assert_eq!(refused(&[(i, number(i - 1)), (i - 1, number(i))]), "layout-detail-lists");
    assert_eq!(refused(&[(i, number(i - 1))]), "layout-detail-lists");
    assert_eq!(refused(&[(i, [255; 3])]), "layout-detail-lists");
    // The next triangle in place of one: where its box meets the square, a square lacks the one
    // whose least corner it has, or has one twice.
    let next = |i: usize| u32::from_le_bytes([number(i)[0], number(i)[1], number(i)[2], 0]) + 1;
    let exchanged = (0..count - 1).filter(|&i| {
        let mut forged = bytes.clone();
        forged[at + 3 * i..][..3].copy_from_slice(&next(i).to_le_bytes()[..3]);
        let error = Blob::open_checked(&forged).err().map(|error| error.to_string());
        error.is_some_and(|error| error.contains("the square that has its least corner"))
    });
    assert!(exchanged.take(3).count() == 3);
    // A list that does not begin where the one before ends.
    let starts = find("layout-detail-starts");
    let mut forged = bytes.clone();
    forged[starts.offset as usize] = 1;
    let error = Blob::open_checked(&forged).err().unwrap().to_string();
    assert!(error.contains("layout-detail-starts"), "{error}");
}

#[test]
fn every_truncation_is_an_error() {
    let bytes = unpacked(&scene(3));
    let ends =
        Blob::open(&bytes).unwrap().sections().map(|s| s.offset as usize).collect::<Vec<_>>();
    for end in (0..200).chain(ends.iter().flat_map(|&e| [e - 1, e, e + 1])) {
        assert!(Blob::open_checked(&bytes[..end.min(bytes.len() - 1)]).is_err(), "{end}");
    }
}

/// Asks for all that a mesh has.
fn read_all(bytes: &[u8]) -> bool {
    let Ok(checked) = Blob::open_checked(bytes) else {
        return false;
    };
    for class in 0..checked.class_count() {
        let mesh = checked.mesh(class).unwrap();
        for p in (0..mesh.polygon_count()).map(PolyId) {
            let polygon = mesh.polygon(p);
            for k in 0..polygon.len() {
                let [x, _, z] = polygon.point(k).map(f64::from);
                assert!(polygon.height([x, z]).is_finite());
                mesh.polys().each_holder(p.0, polygon.corner(k), |_| true, |_, _, _| {});
                mesh.polys().cells.at(polygon.corner(k)).count();
            }
        }
    }
    true
}

/// Sections of packed meshes only, which errors of an unpacked file do not name.
const PACKED: [&str; 9] = [
    "vertices",
    "vertex-blocks",
    "polygons",
    "edges",
    "islands",
    "height-mesh-of",
    "height_meshes",
    "far",
    "polygon-areas",
];

/// Asks every query, with everything open and with a few switches closed.
fn ask_all(bytes: &[u8], asking: &mut Asking, seed: u64) {
    let Ok(checked) = Blob::open_checked(bytes) else {
        return;
    };
    let mut random = Seeded::new(seed);
    let mut filter = QueryFilter::new();
    for class in 0..checked.class_count() {
        let mesh = checked.mesh(class).unwrap();
        let closed = if seed.is_multiple_of(2) { 0 } else { random.bits() };
        filter.set_blocked(&mesh, &[closed], 0).unwrap();
        let query = NavQuery::new(mesh).with_filter(&filter);
        asking.all(&query, 3, &mut random, &mut |_| {});
    }
}

#[test]
fn damaged_files_are_refused_or_harmless() {
    let mut random = Random(11);
    let (mut passed, mut tried) = (0, 0);
    let mut asking = Asking::bounded(2000);
    for packed in [scene(1), scene(2), hilly()] {
        let bytes = unpacked(&packed);
        let sections: Vec<_> = Blob::open(&bytes).unwrap().sections().collect();
        for n in 0..12_000 {
            let mut damaged = bytes.clone();
            for _ in 0..=random.below(2) {
                // Half of them anywhere, half in any section, small or large.
                let section = &sections[random.below(sections.len())];
                let at = match n % 2 {
                    0 => random.below(damaged.len()),
                    _ => section.offset as usize + random.below(section.len() as usize),
                };
                damaged[at] ^= 1 << random.below(8);
            }
            tried += 1;
            if let Err(BlobError::Record { section, class, .. }) = Blob::open_checked(&damaged) {
                let is_there = Blob::open(&damaged).unwrap().section(section, class).is_some();
                assert!(is_there || !PACKED.contains(&section.name()), "{section} is not there");
            }
            let read = catch_unwind(|| read_all(&damaged)).expect("no panic");
            passed += usize::from(read);
            if read {
                ask_all(&damaged, &mut asking, tried as u64);
            }
        }
    }
    println!("{passed} of {tried} passed, reached {:?}", asking.reached);
    assert!(passed > 500 && passed < tried / 2);
}

#[test]
fn opening_and_asking_in_place_allocates_nothing_and_answers_as_decoded() {
    let packed = hilly();
    let bytes = unpacked(&packed);
    let nav = Blob::open_checked(&packed).unwrap().decode(0).unwrap();
    let decoded = NavQuery::new(nav.mesh());
    let mut random = Random(2);
    let points: Vec<[f64; 3]> = (0..400)
        .map(|_| {
            [
                random.below(80) as f64 / 10.0,
                10.0 * random.below(2) as f64,
                random.below(80) as f64 / 10.0,
            ]
        })
        .collect();
    let before = allocations();
    let checked = Blob::open_checked(&bytes).unwrap();
    let query = NavQuery::new(checked.mesh(0).unwrap());
    let mut found = 0;
    for pair in points.windows(2) {
        let at = query.nearest(pair[0], [1.0; 3]);
        assert!(at == decoded.nearest(pair[0], [1.0; 3]));
        if let Some(at) = at {
            let [a, b] =
                [&query, &decoded].map(|q| q.raycast_through(&at, pair[1], &mut [PolyId(0); 4]));
            assert!(a.point == b.point && a.polygon == b.polygon);
            found += 1;
        }
    }
    assert_eq!(allocations(), before);
    assert!(found > 100, "{found}");

    // Every algorithm that needs no rooms, in place and without an allocator too.
    let mut fixed: Box<FixedScratch<1024>> = Box::new(FixedScratch::new());
    let mut scratches = [(); 2].map(|()| Scratch::new());
    for name in ["corridor", "midpoints", "optimal", "weighted"] {
        let algorithm: Algorithm = name.parse().unwrap();
        for pair in points.windows(2).take(100) {
            let request = PathRequest::new(pair[0], pair[1]).algorithm(algorithm).partial(true);
            let [first, second] = &mut scratches;
            let a = query.find_path(&request, first).unwrap();
            let b = decoded.find_path(&request, second).unwrap();
            assert!(a == b, "{name} {pair:?}");
            if name != "weighted" {
                let before = allocations();
                let memory: &mut dyn Memory = &mut *fixed;
                let c = query.find_path(&request, memory).unwrap();
                assert_eq!(allocations(), before);
                assert!(a.status == c.status && a.points == c.points, "{name} {pair:?}");
            }
        }
    }
    assert!(NavMesh::open(&bytes).is_ok() && NavMesh::open(&packed).is_err());
}
