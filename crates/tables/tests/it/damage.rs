//! Labels that are damaged, or of another mesh, are refused or harmless.

use navbake_format::write::{
    LabelParts, labels_bytes, replace_labels, squares_bytes, view_cells_bytes, views_bytes,
};
use navbake_format::{BlobError, Numbers, Section};
use navbake_search::blob::Blob;
use navbake_search::{Algorithm, NavQuery, PathRequest, Scratch};
use navbake_tables::{Packed, Views, labels_of};
use navbake_testkit::Random;
use navbake_testkit::scene::{Mix, Scene};

fn scene(seed: u64) -> Scene {
    let mix = Mix {
        columns: 7,
        rows: 7,
        storeys: 2,
        jitter: 5,
        blocked: 20,
        cut: 10,
        exchanged: 20,
        merged: 60,
    };
    Scene::random(&mut Random(seed), mix)
}

fn packed(bytes: &[u8]) -> Packed {
    let blob = Blob::open_checked(bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let mesh = nav.mesh();
    let mut packed = labels_of(&mesh).unwrap();
    let views = Views::new(&mesh).unwrap();
    views.fill(&mut packed, views.bytes());
    packed
}

/// The same with views of squares of 8 grid units.
fn in_squares(bytes: &[u8]) -> Packed {
    let blob = Blob::open_checked(bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let mesh = nav.mesh();
    let mut packed = labels_of(&mesh).unwrap();
    let views = Views::new(&mesh).unwrap();
    views.fill_squares(&mut packed, 3, u64::MAX).unwrap();
    packed
}

/// The same with labels of squares of 8 grid units.
fn with_squares(bytes: &[u8]) -> Packed {
    let blob = Blob::open_checked(bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let mesh = nav.mesh();
    let mut packed = labels_of(&mesh).unwrap();
    let views = Views::new(&mesh).unwrap();
    views.fill_labels(&mut packed, 3, u64::MAX).unwrap();
    packed
}

const SQUARE_SECTIONS: [Section; 3] =
    [Section::VIEW_CELLS, Section::SQUARE_STARTS, Section::SQUARE_LABELS];

const SECTIONS: [Section; 9] = [
    Section::LABELS,
    Section::LABEL_ENDS,
    Section::LABEL_HUBS,
    Section::LABEL_DISTANCES,
    Section::LABEL_HOPS,
    Section::LABEL_RANKS,
    Section::VIEW_ENDS,
    Section::VIEWS,
    Section::VIEW_CELLS,
];

#[test]
fn labels_come_and_go_without_a_trace() {
    let bare = scene(1).bake();
    let packed = in_squares(&bare);
    let whole = replace_labels(&bare, &[packed.parts(0)]).unwrap();
    assert_eq!(whole.len() as u64, bare.len() as u64 + packed.parts(0).bytes());
    let (corners, entries) = (packed.ranks.len() as u64, packed.hubs.len() as u64);
    let rows = packed.view_ends.len() as u64 / 4;
    let views = views_bytes(corners, rows, packed.views.len() as u64);
    let cells = view_cells_bytes(packed.view_cells.len() as u64);
    assert!(views > 0 && cells > 0 && rows > packed.view_cells.len() as u64);
    let labels = labels_bytes(corners, entries);
    assert_eq!(packed.parts(0).bytes(), labels + views + cells);
    assert_eq!(replace_labels(&whole, &[packed.parts(0)]).unwrap(), whole);
    assert_eq!(replace_labels(&whole, &[]).unwrap(), bare);
    let blob = Blob::open(&whole).unwrap();
    blob.verify_checksum().unwrap();
    for section in SECTIONS {
        assert!(!blob.section(section, 0).unwrap().0.required, "{section}");
    }
}

#[test]
fn labels_of_squares_come_and_go_without_a_trace() {
    let bare = scene(1).bake();
    let packed = with_squares(&bare);
    let whole = replace_labels(&bare, &[packed.parts(0)]).unwrap();
    let added = whole.len() as u64 - bare.len() as u64;
    assert_eq!(added, packed.parts(0).bytes());
    assert_eq!(replace_labels(&whole, &[packed.parts(0)]).unwrap(), whole);
    assert_eq!(replace_labels(&whole, &[]).unwrap(), bare);
    let blob = Blob::open(&whole).unwrap();
    for section in SQUARE_SECTIONS {
        assert!(!blob.section(section, 0).unwrap().0.required, "{section}");
    }
    // One reads what the other wrote.
    let blob = Blob::open_checked(&whole).unwrap();
    let nav = blob.decode(0).unwrap();
    let mesh = nav.mesh();
    let labels = mesh.labels().unwrap();
    let squares = &packed.squares;
    let counts = packed.parts(0).squares.counts();
    let [count, views, own, entries] = counts;
    let numbers = 3 * count + 4 * views + own + 4 * entries;
    let cells = 16 * packed.view_cells.len() as u64;
    assert_eq!(labels.view_bytes(), 4 * count + 2 * numbers + cells);
    let corners = packed.ranks.len() as u64;
    let rows = 2 * 12; // in the table of sections
    assert_eq!(squares_bytes(corners, counts), 4 * count + 2 * numbers + rows);
    assert!(own > 0 && own < views, "{own} of {views}");
    let mut seen = 0;
    for (polygon, cells) in (0u32..).zip(&packed.view_cells) {
        let place = cells.least.map(|c| c << 3);
        let Some(label) = labels.square(polygon, place) else {
            continue;
        };
        let row = cells.first as usize;
        let begin = row.checked_sub(1).map_or([0; 2], |before| squares.ends[before]);
        let [views, entries] = [0, 1].map(|k| begin[k] as usize..squares.ends[row][k] as usize);
        let own: Vec<_> = (0..label.view_count()).map(|n| label.view(n).unwrap()).collect();
        assert_eq!(own, squares.views[views]);
        assert_eq!(label.view(own.len()), None);
        let hubs: Vec<u32> = match label.hubs() {
            Numbers::Two(n) => n.iter().map(|n| n.into()).collect(),
            Numbers::Four(n) => n.iter().collect(),
        };
        let own_count = squares.own[row] as usize;
        assert_eq!(label.own_count(), own_count);
        for n in 0..own_count {
            assert_eq!(label.entry(n), Some((n, 0)));
            assert_eq!(hubs[n], packed.ranks[own[n].corner as usize]);
            assert!(!hubs[own_count..].contains(&hubs[n]));
        }
        for (n, entry) in (own_count..).zip(entries) {
            let entry_read = (squares.vias[entry].into(), squares.distances[entry]);
            assert_eq!((label.entry(n), hubs[n]), (Some(entry_read), squares.hubs[entry]));
            seen += 1;
        }
        assert_eq!(label.entry(hubs.len()), None);
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn labels_of_another_mesh_are_refused() {
    let [a, b] = [1, 2].map(|seed| scene(seed).bake());
    let whole = replace_labels(&a, &[packed(&a).parts(0)]).unwrap();
    let labels = Blob::open(&whole).unwrap();
    // The same sections on the other mesh.
    let other = replace_labels(&b, &[packed(&b).parts(0)]).unwrap();
    let blob = Blob::open(&other).unwrap();
    let (info, _) = blob.section(Section::LABELS, 0).unwrap();
    let (_, head) = labels.section(Section::LABELS, 0).unwrap();
    let mut bytes = other.clone();
    bytes[info.offset as usize..][..8].copy_from_slice(&head[..8]);
    let error = Blob::open(&bytes).unwrap().validate().err().unwrap();
    assert!(error.to_string().contains("bake the level again"), "{error}");
    // A vertex moved: the labels are another mesh's.
    let (info, _) = blob.section(Section::INDEX, 0).unwrap();
    let (vertices, _) = blob.section(Section::VERTICES, 0).unwrap();
    assert!(vertices.offset < info.offset);
    let mut bytes = other;
    bytes[vertices.offset as usize] ^= 1;
    assert!(Blob::open(&bytes).unwrap().validate().is_err());
}

type Change = (&'static str, fn(&mut Packed));

/// Each change is found, and reported as such.
fn refuses(bare: &[u8], sound: &Packed, changes: &[Change]) {
    for (expected, change) in changes {
        let mut packed = sound.clone();
        change(&mut packed);
        let Err(error) = replace_labels(bare, &[packed.parts(0)]) else {
            panic!("nothing is found, but should be: {expected}");
        };
        assert!(error.to_string().contains(expected), "{expected}: {error}");
    }
}

#[test]
fn numbers_out_of_range_are_refused() {
    let bare = scene(1).bake();
    let sound = packed(&bare);
    let changes: [Change; 15] = [
        ("ends that do not fall", |p| p.ends[0] = u32::MAX),
        ("ends up to the last", |p| {
            let most = *p.ends.last().unwrap() - 1;
            p.ends.iter_mut().for_each(|e| *e = most.min(*e));
        }),
        ("hubs that rise", |p| p.hubs.iter_mut().for_each(|h| *h = 0)),
        ("each a corner's rank", |p| {
            let last = *p.ends.iter().find(|&&e| e > 0).unwrap() as usize - 1;
            p.hubs[last] = p.ranks.len() as u32;
        }),
        ("below 2^30", |p| p.distances[0] = 1 << 30),
        ("numbers of corners", |p| p.hops[0] = p.ranks.len() as u32),
        ("numbers of corners", |p| p.ranks[0] = p.ranks.len() as u32),
        ("a hub, a distance and a hop", |p| {
            p.hops.pop();
        }),
        ("at most 31", |p| p.shift = 32),
        ("at most 31", |p| p.view_shift = 32),
        ("numbers of corners", |p| p.views[0] = p.ranks.len() as u32),
        ("behind whole ones", |p| {
            // The first view of a kind that takes several numbers ends within.
            let of =
                (0..p.view_ends.len()).find(|&i| i % 4 > 0 && p.view_ends[i] > p.view_ends[i - 1]);
            p.view_ends[of.unwrap()] -= 1;
        }),
        ("do not fall", |p| p.view_ends[0] = u32::MAX),
        ("up to the last view", |p| p.views.push(0)),
        ("four ends for each polygon", |p| {
            p.view_ends.pop();
        }),
    ];
    refuses(&bare, &sound, &changes);
    let sound = in_squares(&bare);
    let changes: [Change; 6] = [
        ("squares of each polygon", |p| {
            p.view_cells.pop();
        }),
        ("four ends for each polygon", |p| p.view_cells = vec![]),
        ("squares in whole rows", |p| p.view_cells[0].first = 1),
        ("squares in whole rows", |p| p.view_cells[1].first = u32::MAX),
        ("squares in whole rows", |p| p.view_cells.iter_mut().for_each(|c| c.across = 0)),
        ("squares in whole rows", |p| p.view_cells.iter_mut().for_each(|c| c.across = 1 << 20)),
    ];
    refuses(&bare, &sound, &changes);
    let sound = with_squares(&bare);
    let changes: [Change; 10] = [
        ("squares of each polygon", |p| {
            p.view_cells.pop();
        }),
        ("a start for each square", |p| p.view_cells = vec![]),
        ("no views where squares have labels", |p| {
            (p.view_ends, p.views) = (vec![1; 4], vec![0]);
        }),
        ("squares in whole rows", |p| p.squares.ends = vec![]),
        ("no more hubs that are views than views", |p| {
            p.squares.own[0] = p.squares.ends[0][0] + 1;
        }),
        ("hubs do not fall", |p| p.squares.hubs[0] = p.ranks.len() as u32),
        ("hubs do not fall", |p| {
            let ends = &p.squares.ends;
            let many = ends.windows(2).find(|w| w[1][1] - w[0][1] > 1);
            let last = many.unwrap()[1][1] as usize - 1;
            (p.squares.hubs[last - 1], p.squares.hubs[last]) = (1, 0);
        }),
        ("name views of the square", |p| p.squares.vias[0] = u16::MAX),
        ("below 2^30", |p| p.squares.distances[0] = 1 << 30),
        ("three numbers of corners", |p| {
            p.squares.views[0].between[1] = p.ranks.len() as u32;
        }),
    ];
    refuses(&bare, &sound, &changes);
    // Without their head the other sections mean nothing.
    let whole = replace_labels(&bare, &[sound.parts(0)]).unwrap();
    let blob = Blob::open(&whole).unwrap();
    let row = blob.sections().position(|s| s.section == Section::LABELS);
    let mut bytes = whole.clone();
    // Rows of 12 bytes, behind the header.
    let row = 136 + 12 * row.unwrap();
    assert_eq!(bytes[row..row + 2], [0x00, 0x03]);
    bytes[row] = 0xFF;
    assert!(matches!(
        Blob::open(&bytes).and_then(|b| b.validate().map(|_| ())),
        Err(BlobError::Table { .. } | BlobError::Record { .. } | BlobError::Length { .. })
    ));
}

#[test]
fn labels_of_squares_that_are_not_where_they_should_be_are_refused() {
    let bare = scene(1).bake();
    let packed = with_squares(&bare);
    let whole = replace_labels(&bare, &[packed.parts(0)]).unwrap();
    let blob = Blob::open(&whole).unwrap();
    let at = |section| blob.section(section, 0).unwrap().0.offset as usize;
    let (starts, labels) = (at(Section::SQUARE_STARTS), at(Section::SQUARE_LABELS));
    for byte in [starts, starts + 4, starts + 7, labels, labels + 2, labels + 4] {
        for change in [1, 0x80] {
            let mut bytes = whole.clone();
            bytes[byte] ^= change;
            let error = Blob::open(&bytes).unwrap().validate().err();
            let error = error.expect("a label is not where it should be").to_string();
            assert!(error.contains("square-"), "{error}");
        }
    }
    // A view that is a hub, but another than its corner.
    let row = packed.squares.own.iter().position(|&n| n > 0).unwrap();
    let start = *whole[starts + 4 * row..].first_chunk().unwrap();
    let mut bytes = whole.clone();
    bytes[labels + 2 * u32::from_le_bytes(start) as usize + 6] ^= 1;
    let error = Blob::open(&bytes).unwrap().validate().err();
    let error = error.expect("a hub is not the corner's").to_string();
    assert!(error.contains("the ranks of their corners"), "{error}");
    // Labels without their starts.
    let row = blob.sections().position(|s| s.section == Section::SQUARE_STARTS);
    let mut bytes = whole.clone();
    bytes[136 + 12 * row.unwrap()] = 0x09;
    let error = Blob::open(&bytes).and_then(|b| b.validate().map(|_| ())).err();
    let error = error.expect("starts are missing").to_string();
    assert!(error.contains("starts of the labels of squares"), "{error}");
}

#[test]
fn what_passes_the_checks_can_be_asked() {
    let mut random = Random(9);
    let (mut passed, mut asked) = (0, 0);
    for seed in 1..10 {
        let scene = scene(seed.min(3));
        let bare = scene.bake();
        let sound = match seed {
            ..4 => packed(&bare),
            4..7 => in_squares(&bare),
            _ => with_squares(&bare),
        };
        for _ in 0..40 {
            let mut packed = sound.clone();
            for _ in 0..1 + random.below(20) {
                let corners = packed.ranks.len();
                let i = random.below(packed.hubs.len());
                match random.below(5) {
                    0 => packed.distances[i] = random.below(1 << 30) as u32,
                    1 => packed.hops[i] = random.below(corners) as u32,
                    3 if packed.views.is_empty() => {
                        let views = &mut packed.squares.views;
                        let at = random.below(views.len());
                        let mut corner = || random.below(corners) as u32;
                        let [a, b, c] = core::array::from_fn(|_| corner());
                        (views[at].corner, views[at].between) = (a, [b, c]);
                    }
                    3 => {
                        let at = random.below(packed.views.len());
                        packed.views[at] = random.below(corners) as u32;
                    }
                    2 => packed.ranks[random.below(corners)] = random.below(corners) as u32,
                    _ => packed.hubs[i] = random.below(corners) as u32,
                }
            }
            if let Some(via) = packed.squares.vias.first_mut() {
                *via = 0;
                let i = random.below(packed.squares.distances.len());
                packed.squares.distances[i] = random.below(1 << 30) as u32;
            }
            packed.shift = random.below(32) as u8;
            packed.view_shift = random.below(32) as u8;
            for cells in &mut packed.view_cells {
                match random.below(8) {
                    0 => cells.least = [0; 2].map(|_| random.below(1 << 20) as i32 - (1 << 19)),
                    1 => cells.least = [i32::MIN, i32::MAX],
                    _ => {}
                }
            }
            let Ok(bytes) = replace_labels(&bare, &[packed.parts(0)]) else {
                continue;
            };
            passed += 1;
            let blob = Blob::open_checked(&bytes).unwrap();
            let nav = blob.decode(0).unwrap();
            let query = NavQuery::new(nav.mesh());
            let mut scratch = Scratch::new();
            for _ in 0..10 {
                let [from, to] = [0; 2].map(|_| random.below(scene.faces.len()));
                let (a, b) = (scene.point_in(&mut random, from), scene.point_in(&mut random, to));
                let (a, b) = (scene.place(&query, from, a), scene.place(&query, to, b));
                let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(Algorithm::Optimal);
                let request = request.polygons(random.below(2) == 0);
                let answer = query.find_path_between(&a, &b, &request, &mut scratch).unwrap();
                assert!(answer.points.iter().flatten().all(|c| c.is_finite()));
                asked += usize::from(!answer.points.is_empty());
            }
        }
    }
    assert!(passed > 20 && asked > 100, "{passed} {asked}");
    let none = LabelParts::default();
    assert_eq!(none.bytes(), 0);
}

#[test]
fn squares_of_any_side_pass_the_checks() {
    let bare = scene(1).bake();
    let blob = Blob::open_checked(&bare).unwrap();
    let nav = blob.decode(0).unwrap();
    let mesh = nav.mesh();
    let mut packed = labels_of(&mesh).unwrap();
    let views = Views::new(&mesh).unwrap();
    for shift in 2..=31 {
        views.fill_labels(&mut packed, shift, u64::MAX).unwrap();
        replace_labels(&bare, &[packed.parts(0)]).unwrap();
        views.fill_squares(&mut packed, shift, u64::MAX).unwrap();
        replace_labels(&bare, &[packed.parts(0)]).unwrap();
    }
    // Around the origin of the grid at most four squares meet.
    assert!(packed.view_ends.len() <= 4 * 4 * packed.view_cells.len());
}
