//! Unpacked files: they have all that the packed ones have, and damage never gets past the checks.

use std::panic::catch_unwind;

use navbake_format::write::{BlobParts, MeshParts, ReliefParts, encode};
use navbake_format::{Blob, BlobError, PolyId};
use navbake_testkit::Random;
use navbake_testkit::scene::{Mix, Scene};

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

/// One rectangle with height points.
fn hilly() -> Vec<u8> {
    let mut random = Random(5);
    let mut points: Vec<[u16; 3]> =
        (0..60).map(|_| [0; 3].map(|_: u16| 1 + random.below(98) as u16)).collect();
    points.sort_unstable_by_key(|p| [p[0], p[2]]);
    points.dedup_by_key(|p| [p[0], p[2]]);
    let relief = ReliefParts { size: [100, 100], points: &points, ..ReliefParts::default() };
    encode(&BlobParts {
        meshes: &[MeshParts {
            vertices: &[[0, 0, 0], [0, 0, 100], [100, 0, 100], [100, 0, 0]],
            first_edge: &[0, 4],
            corners: &[0, 1, 2, 3],
            neighbours: &[u32::MAX; 4],
            islands: &[0],
            relief_of: &[0],
            reliefs: &[relief],
            ..MeshParts::default()
        }],
        config: "seed = 1",
        ..BlobParts::default()
    })
    .unwrap()
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

#[test]
fn damaged_files_are_refused_or_harmless() {
    let mut random = Random(11);
    let (mut passed, mut tried) = (0, 0);
    for packed in [scene(1), scene(2), hilly()] {
        let bytes = unpacked(&packed);
        for _ in 0..6000 {
            let mut damaged = bytes.clone();
            for _ in 0..=random.below(2) {
                let at = random.below(damaged.len());
                damaged[at] ^= 1 << random.below(8);
            }
            tried += 1;
            let read = catch_unwind(|| read_all(&damaged)).expect("no panic");
            passed += usize::from(read);
        }
    }
    println!("{passed} of {tried} passed");
    assert!(passed > 0 && passed < tried / 2);
}
