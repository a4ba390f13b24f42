//! Doors, closures, links and switches in a blob.

use crate::support;
use crate::support::Squares;
use navbake_format::write::{
    BlobParts, ClosureParts, DoorParts, EncodeError, LinkParts, MeshParts, SwitchParts, encode,
};
use navbake_format::{Blob, BlobError, LinkKind, Section};
use proptest::prelude::*;

const SWITCHES: [SwitchParts<'static>; 2] =
    [SwitchParts { name: "gate", closed: false }, SwitchParts { name: "bridge", closed: true }];

fn door(edge: u32) -> DoorParts<'static> {
    DoorParts { edge, switch: Some(1), width: 0.9, name: "oak door" }
}

fn link(from: u32, to: u32) -> LinkParts<'static> {
    // Square k begins at count - 1 - k along x.
    let middle = |k: u32| [1024 * (6 - 1 - k) as i32 + 512, 512];
    LinkParts {
        from: (from, middle(from)),
        to: (to, middle(to)),
        cost: 1.25,
        width: 0.5,
        agents: 0b101,
        switch: Some(0),
        kind: LinkKind::Teleport,
        name: "tunnel",
    }
}

fn blob(
    doors: &[DoorParts<'_>],
    closures: &[ClosureParts],
    links: &[LinkParts<'_>],
) -> Result<Vec<u8>, EncodeError> {
    let strip = Squares::strip(6);
    encode(&BlobParts {
        switches: &SWITCHES,
        meshes: &[MeshParts { doors, closures, links, ..strip.parts() }],
        ..BlobParts::default()
    })
}

fn whole() -> Vec<u8> {
    let closures = [ClosureParts { polygon: 5, switch: 1 }];
    blob(&[door(5), door(1)], &closures, &[link(0, 5), link(4, 1)]).unwrap()
}

#[test]
fn what_goes_in_comes_out_at_the_same_places() {
    let bytes = whole();
    let checked = Blob::open_checked(&bytes).unwrap();
    let switches: Vec<(&str, bool)> = checked.switches().map(|s| (s.name, s.closed)).collect();
    assert_eq!(switches, [("gate", false), ("bridge", true)]);
    let mesh = checked.decode(0).unwrap().leak();
    let place = |p| {
        let polygon = mesh.polygon(p);
        (0..4).map(|k| polygon.corner(k)[0]).min().unwrap()
    };
    // Portals between squares 0 and 1, and between 1 and 2.
    let mut segments: Vec<[[i32; 2]; 2]> = mesh
        .doors()
        .map(|d| {
            assert_eq!((d.switch, d.width, d.name), (Some(1), 0.9, "oak door"));
            let polygon = mesh.polygon(d.polygon);
            assert!(polygon.neighbour(d.edge).unwrap() > d.polygon);
            let mut ends = [polygon.corner(d.edge), polygon.corner(polygon.next(d.edge))];
            ends.sort_unstable();
            ends
        })
        .collect();
    segments.sort_unstable();
    assert_eq!(segments, [4, 5].map(|x| [[1024 * x, 0], [1024 * x, 1024]]));
    let closed: Vec<(i32, u16)> = mesh.closures().map(|c| (place(c.polygon), c.switch)).collect();
    assert_eq!(closed, [(0, 1)]);
    let ends: Vec<(i32, i32)> = (0..mesh.link_count())
        .map(|k| mesh.link(k).unwrap())
        .map(|l| (place(l.polygon), place(l.beyond)))
        .collect();
    let mut sorted = ends.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, [(1024, 4096), (5120, 0)]);
    for p in (0..mesh.polygon_count()).map(navbake_format::PolyId) {
        for k in mesh.links_of(p) {
            let l = mesh.link(k).unwrap();
            assert_eq!((l.polygon, l.kind, l.name), (p, LinkKind::Teleport, "tunnel"));
            assert_eq!((l.cost, l.width, l.agents, l.switch), (1.25, 0.5, 5, Some(0)));
        }
        let plain = (0..mesh.link_count()).filter(|&k| mesh.link(k).unwrap().polygon == p);
        assert_eq!(mesh.links_of(p).collect::<Vec<_>>(), plain.collect::<Vec<_>>());
    }
    assert_eq!(mesh.link(2), None);
}

#[test]
fn the_order_of_the_input_does_not_change_the_bytes() {
    let closures = [ClosureParts { polygon: 5, switch: 1 }];
    // The other side of the same portals as well.
    let other = blob(&[door(1), door(9 - 2)], &closures, &[link(4, 1), link(0, 5)]);
    let ours = blob(&[door(1)], &closures, &[link(0, 5), link(4, 1)]).unwrap();
    let twice = other.unwrap_err();
    assert!(matches!(
        twice,
        EncodeError::Unsound(BlobError::Record { section: Section::DOORS, .. })
    ));
    let other = blob(&[door(7)], &closures, &[link(4, 1), link(0, 5)]).unwrap();
    assert_eq!(other, ours);
}

#[test]
fn a_blob_without_them_has_no_such_sections() {
    let strip = Squares::strip(6);
    let bytes = support::one(strip.parts()).unwrap();
    let blob = Blob::open(&bytes).unwrap();
    let kinds = [Section::SWITCHES, Section::DOORS, Section::CLOSURES, Section::LINKS];
    assert!(blob.sections().all(|s| !kinds.contains(&s.section)));
}

#[test]
fn parts_that_contradict_the_mesh_are_refused_with_their_section() {
    let refused = |result: Result<Vec<u8>, EncodeError>, wanted: Section| match result {
        Err(EncodeError::Unsound(BlobError::Record { section, .. })) => {
            assert_eq!(section, wanted);
        }
        other => panic!("{wanted}: {other:?}"),
    };
    let index = |result: Result<Vec<u8>, EncodeError>| {
        assert!(matches!(result, Err(EncodeError::Index { .. })), "{result:?}");
    };
    let mut no_switch = door(5);
    no_switch.switch = Some(2);
    let mut endless = door(5);
    endless.width = f32::NAN;
    refused(blob(&[door(0)], &[], &[]), Section::DOORS);
    refused(blob(&[no_switch], &[], &[]), Section::DOORS);
    refused(blob(&[endless], &[], &[]), Section::DOORS);
    index(blob(&[door(24)], &[], &[]));
    let closure = |polygon, switch| ClosureParts { polygon, switch };
    refused(blob(&[], &[closure(0, 2)], &[]), Section::CLOSURES);
    refused(blob(&[], &[closure(0, 1); 2], &[]), Section::CLOSURES);
    index(blob(&[], &[closure(6, 0)], &[]));
    let beside = LinkParts { to: (5, [1025, 512]), ..link(0, 5) };
    refused(blob(&[], &[], &[beside]), Section::LINKS);
    for cost in [-1.0, f64::INFINITY, f64::NAN] {
        let link = LinkParts { cost, ..link(0, 5) };
        refused(blob(&[], &[], &[link]), Section::LINKS);
    }
    let far = LinkParts { from: (6, [0, 0]), ..link(0, 5) };
    index(blob(&[], &[], &[far]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// What passes the checks can be read without a panic, and everything in it exists.
    #[test]
    fn damaged_records_are_refused_or_name_things_that_exist(
        damage in prop::collection::vec((0usize..10_000, any::<u8>()), 1..4)
    ) {
        let mut bytes = whole();
        let blob = Blob::open(&bytes).unwrap();
        let kinds = [Section::SWITCHES, Section::DOORS, Section::CLOSURES, Section::LINKS];
        let places: Vec<usize> = blob
            .sections()
            .filter(|s| kinds.contains(&s.section))
            .flat_map(|s| s.offset as usize..(s.offset + s.len()) as usize)
            .collect();
        for (at, value) in damage {
            bytes[places[at % places.len()]] = value;
        }
        let Ok(checked) = Blob::open_checked(&bytes) else { return Ok(()) };
        let mesh = checked.decode(0).unwrap().leak();
        let switches = checked.switches().len();
        let exists = |s: Option<u16>| s.is_none_or(|s| usize::from(s) < switches);
        for d in mesh.doors() {
            prop_assert!(mesh.polygon(d.polygon).neighbour(d.edge).is_some() && exists(d.switch));
        }
        for c in mesh.closures() {
            prop_assert!(c.polygon.0 < mesh.polygon_count() && exists(Some(c.switch)));
        }
        for k in 0..mesh.link_count() {
            let l = mesh.link(k).unwrap();
            prop_assert!(mesh.links_of(l.polygon).contains(&k) && exists(l.switch));
            prop_assert!(l.beyond.0 < mesh.polygon_count() && l.cost >= 0.0);
        }
    }
}
