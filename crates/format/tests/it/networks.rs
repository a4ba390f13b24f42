//! Route networks: what is written is read, and damage is refused with its place.
#![cfg(feature = "write")]

use navbake_format::write::{BlobParts, NetworkParts, encode};
use navbake_format::{Blob, NetworkEdge, NetworkKind, NetworkPoint, PolyId, Section};

use crate::support::Squares;

/// A file with these networks on a square.
fn file(networks: &[NetworkParts<'_>]) -> Vec<u8> {
    let square = Squares::strip(1);
    encode(&BlobParts { meshes: &[square.parts()], networks, ..BlobParts::default() }).unwrap()
}

fn edge(to: u32) -> NetworkEdge {
    NetworkEdge { to, factor: 1.5 }
}

fn point(x: i32, z: i32) -> NetworkPoint {
    NetworkPoint { polygon: PolyId(0), at: [x, z] }
}

#[test]
fn what_is_written_is_read() {
    let points = [point(100, 100), point(900, 100), point(500, 900)];
    let edges = [vec![edge(1), edge(2)], vec![edge(0)], vec![]];
    let one = NetworkParts {
        class: 0,
        name: "one",
        kind: NetworkKind::Grid,
        joined: 3,
        points: &points,
        edges: &edges,
    };
    let empty = NetworkParts { name: "none", ..NetworkParts::default() };
    let last = [vec![edge(1)], vec![]];
    let two = NetworkParts { name: "two", points: &points[1..], edges: &last, ..one.clone() };
    let bytes = file(&[one, empty, two]);
    let blob = Blob::open_checked(&bytes).unwrap();
    let found: Vec<_> = blob.networks(0).collect();
    let names: Vec<_> = found.iter().map(|n| (n.name, n.kind, n.joined)).collect();
    assert_eq!(
        names,
        [
            ("one", NetworkKind::Grid, 3),
            ("none", NetworkKind::Waypoints, 0),
            ("two", NetworkKind::Grid, 3)
        ]
    );
    assert_eq!(found[0].points().collect::<Vec<_>>(), points);
    assert_eq!(found[0].edges_of(0).collect::<Vec<_>>(), edges[0]);
    assert_eq!((found[0].edge_count(), found[1].edge_count()), (3, 0));
    assert_eq!(found[2].edges_of(0).collect::<Vec<_>>(), last[0]);
    assert_eq!(found[2].edges_of(7).len(), 0);
    // A file in place has them too.
    let unpacked = blob.unpack().unwrap();
    let unpacked = Blob::open_checked(&unpacked).unwrap();
    assert_eq!(unpacked.networks(0).count(), 3);
}

#[test]
fn damage_is_refused_with_its_place() {
    let points = [point(100, 100), point(900, 100)];
    let edges = [vec![edge(1)], vec![edge(0)]];
    let one =
        NetworkParts { name: "one", points: &points, edges: &edges, ..NetworkParts::default() };
    let whole = file(&[one.clone(), one]);
    let cases: [(Section, usize, &[u8], &str); 10] = [
        (Section::NETWORKS, 6, &[9], "a kind"),
        (Section::NETWORKS, 7, &[1], "reserved"),
        (Section::NETWORKS, 12, &[1], "first points"),
        (Section::NETWORKS, 16 + 12, &[9], "first points"),
        (Section::NETWORKS, 0, &[255; 4], "name"),
        (Section::NETWORK_POINTS, 0, &[9], "a polygon"),
        (Section::NETWORK_POINTS, 4, &[255; 3], "a polygon that holds"),
        (Section::NETWORK_POINTS, 16 + 12, &[99], "first edges"),
        (Section::NETWORK_EDGES, 0, &[2], "another point"),
        (Section::NETWORK_EDGES, 4, &[0; 4], "a factor"),
    ];
    for (section, at, bytes, expected) in cases {
        let mut damaged = whole.clone();
        let start = Blob::open(&whole).unwrap().section(section, 0).unwrap().0.offset as usize;
        damaged[start + at..start + at + bytes.len()].copy_from_slice(bytes);
        let error = Blob::open(&damaged).unwrap().validate().err().unwrap().to_string();
        assert!(error.contains(section.name()), "{error}");
        assert!(error.contains(expected), "{error}, not {expected}");
    }
}
