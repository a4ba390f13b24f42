//! What the baker noticed, in a blob.

use crate::support::NONE;
use navbake_format::write::{BlobParts, FindingsParts, MeshParts, encode};
use navbake_format::{Blob, BlobError, Diagnostic, DiagnosticKind, Section};
use navbake_testkit::Random;

fn with(findings: Option<FindingsParts<'_>>) -> Vec<u8> {
    let mesh = MeshParts {
        vertices: &[[0, 0, 0], [0, 0, 10], [10, 0, 0]],
        first_edge: &[0, 3],
        corners: &[0, 1, 2],
        neighbours: &[NONE; 3],
        islands: &[0],
        ..MeshParts::default()
    };
    encode(&BlobParts { meshes: &[mesh], findings, ..BlobParts::default() }).unwrap()
}

const SMALL: Diagnostic<'static> = Diagnostic {
    kind: DiagnosticKind::SmallIsland,
    class: Some(0),
    at: [1.5, -2.0, 1e6],
    value: 0.8,
    limit: 2.0,
    count: 1,
    name: "",
};

const LINK: Diagnostic<'static> = Diagnostic {
    kind: DiagnosticKind::LinkOffMesh,
    class: None,
    at: [0.25; 3],
    value: 0.0,
    limit: 0.0,
    count: 1,
    name: "Brücke",
};

fn full() -> Vec<u8> {
    let looked = [DiagnosticKind::SmallIsland, DiagnosticKind::LinkOffMesh];
    with(Some(FindingsParts { looked: &looked, found: &[SMALL, LINK], left_out: 7 }))
}

#[test]
fn what_was_noticed_is_read_as_it_was_written() {
    let bytes = full();
    let blob = Blob::open_checked(&bytes).unwrap();
    let findings = blob.findings().unwrap();
    assert_eq!(findings.iter().collect::<Vec<_>>(), [SMALL, LINK]);
    assert_eq!(findings.left_out(), 7);
    assert!(findings.looked_for(DiagnosticKind::SmallIsland));
    assert!(!findings.looked_for(DiagnosticKind::Crack));
    let sections = blob.blob().sections();
    let mut own = sections.filter(|s| s.section >= Section::FINDINGS);
    assert!(own.all(|s| !s.required), "older readers skip them");
}

#[test]
fn nothing_noticed_is_something_else_than_nobody_looked() {
    let none = with(None);
    assert!(Blob::open_checked(&none).unwrap().findings().is_none());
    let all = FindingsParts { looked: &DiagnosticKind::ALL, found: &[], left_out: 0 };
    let looked = with(Some(all));
    let blob = Blob::open_checked(&looked).unwrap();
    let findings = blob.findings().unwrap();
    assert_eq!(findings.iter().count(), 0);
    assert!(DiagnosticKind::ALL.iter().all(|&k| findings.looked_for(k)));
}

#[test]
fn places_keep_whole_grid_units_however_far_off_they_are() {
    let place = |at| Diagnostic { at, ..SMALL };
    let found = [[0.1, 1e300, -1e300], [0.000_48, 0.000_49, -2_097_152.0]].map(place);
    let bytes = with(Some(FindingsParts { looked: &[], found: &found, left_out: 0 }));
    let blob = Blob::open_checked(&bytes).unwrap();
    let read: Vec<_> = blob.findings().unwrap().iter().map(|f| f.at.map(|c| c * 1024.0)).collect();
    let (least, most) = (f64::from(i32::MIN), f64::from(i32::MAX));
    assert_eq!(read, [[102.0, most, least], [0.0, 1.0, least]]);
}

#[test]
fn findings_change_nothing_else() {
    let rest = |bytes: &[u8]| -> Vec<(Section, Vec<u8>)> {
        let blob = Blob::open_checked(bytes).unwrap().blob();
        let others = blob.sections().filter(|s| s.section < Section::FINDINGS);
        let bytes = |section| blob.section(section, 0).unwrap().1.to_vec();
        others.map(|s| (s.section, bytes(s.section))).collect()
    };
    assert_eq!(rest(&full()), rest(&with(None)));
    let bytes = full();
    let blob = Blob::open_checked(&bytes).unwrap();
    assert_eq!(blob.decode(0).unwrap().leak().polygon_count(), 1);
}

#[test]
fn every_broken_rule_is_named() {
    let bytes = full();
    let start = |section| {
        let blob = Blob::open(&bytes).unwrap();
        let info = blob.sections().find(|s| s.section == section).unwrap();
        info.offset as usize
    };
    // Fields, kind, class, 2 + 3 + 5 bytes of the place, value, limit, count; then another's
    // fields, kind, class, name.
    for (section, at, new, says) in [
        (Section::FOUND, 0, &[64][..], "whole record"),
        (Section::FOUND, 2, &[9, 0], "an agent class with a mesh"),
        (Section::FOUND, 4, &[255; 5], "whole record"),
        (Section::FOUND, 13, &f32::INFINITY.to_le_bytes(), "finite numbers"),
        (Section::FOUND, 17, &f32::NAN.to_le_bytes(), "finite numbers"),
        (Section::FOUND, 25 + 4, &[3], "found-names"),
        (Section::FOUND_NAMES, 2, b"x", "UTF-8"),
    ] {
        let mut bytes = bytes.clone();
        let from = start(section) + at;
        bytes[from..from + new.len()].copy_from_slice(new);
        let text = match Blob::open_checked(&bytes).err() {
            Some(BlobError::Record { expected, .. }) => expected,
            other => panic!("{other:?}"),
        };
        assert!(text.contains(says), "{text}, not {says}");
    }
    // A kind from later is left out, and no fault.
    let mut later = bytes.clone();
    later[start(Section::FOUND) + 1] = 200;
    let blob = Blob::open_checked(&later).unwrap();
    assert_eq!(blob.findings().unwrap().iter().collect::<Vec<_>>(), [LINK]);
}

#[test]
fn alike_findings_beside_each_other_take_a_few_bytes() {
    let count = 64u16;
    let place = |i| Diagnostic { at: [3.0, 1.0, 78.25 * f64::from(i)], ..SMALL };
    let found: Vec<_> = (0..count).map(place).collect();
    let bytes = with(Some(FindingsParts { looked: &[], found: &found, left_out: 0 }));
    let blob = Blob::open_checked(&bytes).unwrap();
    assert_eq!(blob.findings().unwrap().iter().collect::<Vec<_>>(), found);
    let own = blob.blob().sections().find(|s| s.section == Section::FOUND).unwrap();
    // Fields and three differences: 1 + 1 + 1 + 3 bytes.
    assert!(own.count <= 24 + 6 * u64::from(count), "{} bytes", own.count);
}

#[test]
fn findings_are_read_as_written_whatever_differs() {
    let mut random = Random(7);
    let mut pick = |n: u32| random.below(n as usize) as u32;
    for _ in 0..300 {
        let names = ["", "a", "ledge"];
        let one = |pick: &mut dyn FnMut(u32) -> u32| Diagnostic {
            kind: DiagnosticKind::ALL[pick(15) as usize],
            class: (pick(2) == 0).then_some(0),
            // Whole grid units as far as 32 bits reach, whose differences do not fit 32 bits.
            at: [0; 3].map(|_| {
                let whole = (pick(u32::MAX) as i32) >> pick(32);
                f64::from(whole) / 1024.0
            }),
            value: [0.0, 1.5, -3.0][pick(3) as usize],
            limit: [0.0, 0.25][pick(2) as usize],
            count: [1, 2, u32::MAX][pick(3) as usize],
            name: names[pick(3) as usize],
        };
        let found: Vec<_> = (0..pick(20)).map(|_| one(&mut pick)).collect();
        let bytes = with(Some(FindingsParts { looked: &[], found: &found, left_out: 0 }));
        let blob = Blob::open_checked(&bytes).unwrap();
        assert_eq!(blob.findings().unwrap().iter().collect::<Vec<_>>(), found);
        // Damaged, it is refused or read, never a panic.
        let own = blob.blob().sections().find(|s| s.section == Section::FOUND);
        let Some(own) = own else { continue };
        let mut damaged = bytes.clone();
        damaged[own.offset as usize + pick(own.count as u32) as usize] ^= 1 << pick(8);
        if let Ok(blob) = Blob::open_checked(&damaged) {
            blob.findings().map(|f| f.iter().count());
        }
    }
}
