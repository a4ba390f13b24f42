//! Kinds of ground and their weights in a blob.

use crate::support;
use crate::support::{NONE, Squares};
use navbake_format::write::{
    AgentParts, AreaParts, BlobParts, ClosureParts, EncodeError, MeshParts, SwitchParts,
    WeightParts, encode,
};
use navbake_format::{AreaId, Blob, BlobError, PolyId, Section};
use proptest::prelude::*;

fn area(name: &str) -> AreaParts<'_> {
    AreaParts { name, switch: None, tags: 0, edge_tags: 0, factor: 1.0 }
}

fn agent(name: &str) -> AgentParts<'_> {
    AgentParts { name, class: 0, radius: 0.6, height: 2.0, climb: 0.9, slope: 45.0 }
}

const GATE: SwitchParts<'static> = SwitchParts { name: "gate", closed: false };

const AREAS: [AreaParts<'static>; 4] = [
    AreaParts { name: "ground", switch: None, tags: 0, edge_tags: 0, factor: 1.0 },
    AreaParts { name: "road", switch: None, tags: 0x8000_0001, edge_tags: 0, factor: 1.0 },
    AreaParts { name: "bridge", switch: Some(0), tags: 7, edge_tags: 0, factor: 1.0 },
    AreaParts { name: "road", switch: None, tags: 0, edge_tags: 0, factor: 1.0 },
];

fn row<'a>(name: &'a str, agent: Option<u16>, weights: &'a [f64]) -> WeightParts<'a> {
    WeightParts { name, agent, weights, slopes: (0.0, 0.0) }
}

fn with(
    areas: &[AreaParts<'_>],
    weights: &[WeightParts<'_>],
    mesh: MeshParts<'_>,
) -> Result<Vec<u8>, EncodeError> {
    encode(&BlobParts {
        agents: &[agent("scout"), agent("tank")],
        switches: &[GATE],
        areas,
        weights,
        meshes: &[mesh],
        ..BlobParts::default()
    })
}

fn whole() -> Vec<u8> {
    let squares = Squares::apart(6);
    let weights = [
        row("haste", None, &[1.0, 0.4, 1.0, 7.5]),
        row("", Some(1), &[1.0, 1.0, f64::INFINITY, f64::INFINITY]),
        row("", None, &[1.0, 0.5, 2.0, 10.0]),
        row("haste", Some(0), &[1.0; 4]),
    ];
    with(&AREAS, &weights, MeshParts { areas: &[0, 1, 2, 3, 2, 0], ..squares.parts() }).unwrap()
}

/// Polygon ids from the left to the right.
fn from_left(blob: &[u8]) -> Vec<PolyId> {
    let mesh = Blob::open_checked(blob).unwrap().decode(0).unwrap().leak();
    let mut polygons: Vec<_> = mesh.polygons().map(|p| (p.corner(0), p.id())).collect();
    polygons.sort_unstable();
    polygons.into_iter().map(|(_, id)| id).collect()
}

#[test]
fn what_goes_in_comes_out_at_the_same_places() {
    let bytes = whole();
    let checked = Blob::open_checked(&bytes).unwrap();
    let areas: Vec<_> = (checked.areas()).map(|a| (a.name, a.switch, a.tags)).collect();
    assert_eq!(
        areas,
        [
            ("ground", None, 0),
            ("road", None, 0x8000_0001),
            ("bridge", Some(0), 7),
            ("road", None, 0)
        ]
    );
    assert_eq!(checked.areas_named("road"), 0b1010);
    assert_eq!(checked.areas_named("Road"), 0);
    let mesh = checked.decode(0).unwrap().leak();
    let polygons = from_left(&bytes);
    let found: Vec<u8> = polygons.iter().map(|&p| mesh.area(p).0).collect();
    assert_eq!(found, [0, 2, 3, 2, 1, 0]);
    assert_eq!(mesh.area(PolyId(NONE)), AreaId::GROUND);

    // Sorted by name, then agent, those for all last.
    let rows: Vec<_> = checked.weights().map(|r| (r.name, r.agent)).collect();
    assert_eq!(rows, [("", Some(1)), ("", None), ("haste", Some(0)), ("haste", None)]);
    let weights = |name: &str, agent| {
        let row = checked.weights_for(name, agent)?;
        Some(row.weights().iter().collect::<Vec<f64>>())
    };
    assert_eq!(weights("", 0).unwrap(), [1.0, 0.5, 2.0, 10.0]);
    assert_eq!(weights("", 1).unwrap(), [1.0, 1.0, f64::INFINITY, f64::INFINITY]);
    assert_eq!(weights("haste", 0).unwrap(), [1.0; 4]);
    assert_eq!(weights("haste", 1).unwrap(), [1.0, 0.4, 1.0, 7.5]);
    assert_eq!(weights("stealth", 0), None);
    let all = checked.weights_for("haste", 1).unwrap().weights();
    assert_eq!((all.get(AreaId(1)), all.get(AreaId(4))), (0.4, 1.0));
}

#[test]
fn the_switch_of_an_area_closes_its_polygons() {
    let bytes = whole();
    let mesh = Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak();
    let polygons = from_left(&bytes);
    let mut expected = [(polygons[1], 0), (polygons[3], 0)];
    expected.sort_unstable();
    let closures: Vec<_> = mesh.closures().map(|c| (c.polygon, c.switch)).collect();
    assert_eq!(closures, expected);

    // One that the caller gives as well is stored once.
    let squares = Squares::apart(6);
    let closures = [ClosureParts { polygon: 2, switch: 0 }];
    let parts = MeshParts { closures: &closures, areas: &[0, 1, 2, 3, 2, 0], ..squares.parts() };
    let bytes = with(&AREAS, &[], parts).unwrap();
    let mesh = Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak();
    assert_eq!(mesh.closures().len(), 2);
}

#[test]
fn a_blob_without_them_has_no_such_sections() {
    let squares = Squares::apart(3);
    let without = support::one(MeshParts { areas: &[], ..squares.parts() }).unwrap();
    let blob = Blob::open(&without).unwrap();
    let kinds = [Section::AREAS, Section::WEIGHTS, Section::POLYGON_AREAS];
    assert!(blob.sections().all(|s| !kinds.contains(&s.section)));
    let checked = blob.validate().unwrap();
    assert_eq!((checked.areas().len(), checked.weights().count()), (0, 0));
    assert_eq!(checked.decode(0).unwrap().leak().area(PolyId(0)), AreaId(0));
    // All zeros are the same as none.
    assert_eq!(support::one(MeshParts { areas: &[0; 3], ..squares.parts() }).unwrap(), without);
}

#[test]
fn readers_that_do_not_know_weights_must_refuse_them() {
    let bytes = whole();
    let blob = Blob::open(&bytes).unwrap();
    let required: Vec<(Section, bool)> = blob
        .sections()
        .filter(|s| [Section::AREAS, Section::WEIGHTS, Section::POLYGON_AREAS].contains(&s.section))
        .map(|s| (s.section, s.required))
        .collect();
    assert_eq!(
        required,
        [(Section::AREAS, false), (Section::WEIGHTS, true), (Section::POLYGON_AREAS, false)]
    );
}

#[test]
fn the_order_of_rows_does_not_change_the_bytes() {
    let squares = Squares::apart(2);
    let [a, b] = [row("", None, &[1.0, 2.0]), row("", Some(0), &[3.0, 4.0])];
    let areas = [area("ground"), area("mud")];
    let bytes = |rows: &[WeightParts<'_>]| {
        with(&areas, rows, MeshParts { areas: &[0, 1], ..squares.parts() }).unwrap()
    };
    assert_eq!(bytes(&[a, b]), bytes(&[b, a]));
}

#[test]
fn parts_that_contradict_each_other_are_refused_with_their_section() {
    let squares = Squares::apart(2);
    let two = [area("ground"), area("mud")];
    let refused = |result: Result<Vec<u8>, EncodeError>, wanted: Section| match result {
        Err(EncodeError::Unsound(BlobError::Record { section, .. })) => {
            assert_eq!(section, wanted);
        }
        Err(EncodeError::Unsound(BlobError::Table { section, .. })) => {
            assert_eq!(section, wanted);
        }
        other => panic!("{wanted}: {other:?}"),
    };
    let length = |result: Result<Vec<u8>, EncodeError>| {
        assert!(matches!(result, Err(EncodeError::Length { .. })), "{result:?}");
    };
    let mesh = || MeshParts { areas: &[0, 1], ..squares.parts() };
    refused(
        with(&two, &[], MeshParts { areas: &[0, 2], ..squares.parts() }),
        Section::POLYGON_AREAS,
    );
    refused(with(&[], &[], mesh()), Section::POLYGON_AREAS);
    length(with(&two, &[], MeshParts { areas: &[0, 1, 1], ..squares.parts() }));
    let closed = AreaParts { name: "far", switch: Some(1), tags: 0, edge_tags: 0, factor: 1.0 };
    refused(with(&[area("ground"), closed], &[], mesh()), Section::AREAS);
    let names: Vec<String> = (0..65).map(|k| k.to_string()).collect();
    let many: Vec<AreaParts<'_>> = names.iter().map(|name| area(name)).collect();
    refused(with(&many, &[], mesh()), Section::AREAS);
    assert!(with(&many[..64], &[row("", None, &[1.0; 64])], mesh()).is_ok());

    length(with(&two, &[row("", None, &[1.0])], mesh()));
    refused(with(&two, &[row("", Some(2), &[1.0; 2])], mesh()), Section::WEIGHTS);
    refused(with(&two, &[row("", None, &[1.0; 2]); 2], mesh()), Section::WEIGHTS);
    refused(
        with(&[], &[row("", None, &[])], MeshParts { areas: &[], ..squares.parts() }),
        Section::WEIGHTS,
    );
    for w in [0.0, -1.0, f64::NAN, f64::NEG_INFINITY, 1e-9, 1e9] {
        let weights = [1.0, w];
        refused(with(&two, &[row("", None, &weights)], mesh()), Section::WEIGHTS);
    }
}

#[test]
fn every_truncation_is_an_error() {
    let bytes = whole();
    for len in 0..bytes.len() {
        assert!(Blob::open(&bytes[..len]).is_err(), "{len}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// What passes the checks can be read without a panic, and everything in it makes sense.
    #[test]
    fn damaged_records_are_refused_or_make_sense(
        damage in prop::collection::vec((0usize..10_000, any::<u8>()), 1..4)
    ) {
        let mut bytes = whole();
        let blob = Blob::open(&bytes).unwrap();
        let kinds = [
            Section::AREAS, Section::WEIGHTS, Section::POLYGON_AREAS, Section::CLOSURES, Section::STRINGS,
        ];
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
        let areas: Vec<_> = checked.areas().collect();
        for p in (0..mesh.polygon_count()).map(PolyId) {
            let area = areas[mesh.area(p).index()];
            let closed = |s| mesh.closures().any(|c| (c.polygon, c.switch) == (p, s));
            prop_assert!(area.switch.is_none_or(|s| s == 0 && closed(s)));
            prop_assert!(checked.areas_named(area.name) >> mesh.area(p).0 & 1 == 1);
        }
        for row in checked.weights() {
            prop_assert_eq!(row.weights().iter().len(), areas.len());
            prop_assert!(row.weights().iter().all(|w| w > 0.0));
            prop_assert!(row.agent.is_none_or(|a| usize::from(a) < checked.agents().count()));
        }
    }
}
