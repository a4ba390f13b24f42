//! Reachability: the tables that are written, and the input that is refused.

use navbake_format::write::{
    AgentParts, AreaParts, BlobParts, LinkParts, MeshParts, WeightParts, encode,
};
use navbake_format::{Blob, BlobError, LinkKind, NavMesh, PolyId, Section};

const NO: f64 = f64::INFINITY;
const NONE: u32 = u32::MAX;

/// Squares of 1024 units in a row along x, from 0 on, with portals after those that are named.
fn row(
    count: u32,
    portals: &[u32],
    areas: &[u8],
    links: &[(u32, u32, u32)],
    weights: bool,
) -> Vec<u8> {
    let mut vertices = vec![];
    let (mut corners, mut neighbours, mut islands) = (vec![], vec![], vec![]);
    for k in 0..count {
        let x = 1024 * k as i32;
        vertices.extend([[x, 0, 0], [x, 0, 1024], [x + 1024, 0, 1024], [x + 1024, 0, 0]]);
        corners.extend([4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 3]);
        let before = k > 0 && portals.contains(&(k - 1));
        let after = portals.contains(&k);
        neighbours.extend([
            if before { k - 1 } else { NONE },
            NONE,
            if after { k + 1 } else { NONE },
            NONE,
        ]);
        islands.push(if before { islands[k as usize - 1] } else { k });
    }
    let middle = |k: u32| (k, [1024 * k as i32 + 512, 512]);
    let link = |&(from, to, agents): &(u32, u32, u32)| LinkParts {
        from: middle(from),
        to: middle(to),
        cost: 1.0,
        width: 0.0,
        agents,
        switch: None,
        kind: LinkKind::Drop,
        name: "",
    };
    let links: Vec<LinkParts<'_>> = links.iter().map(link).collect();
    let agent =
        |name| AgentParts { name, class: 0, radius: 0.0, height: 2.0, climb: 0.5, slope: 45.0 };
    let area = |name| AreaParts { name, tags: 0, edge_tags: 0, factor: 1.0, switch: None };
    let weigh =
        |agent, weights| WeightParts { name: "", agent: Some(agent), weights, slopes: (0.0, 0.0) };
    let rows = [weigh(0, &[1.0, NO]), weigh(1, &[1.0, 2.0])];
    let first_edge: Vec<u32> = (0..=count).map(|k| 4 * k).collect();
    encode(&BlobParts {
        agents: &["a", "b"].map(agent),
        areas: &["ground", "water"].map(area),
        weights: if weights { &rows } else { &[] },
        meshes: &[MeshParts {
            vertices: &vertices,
            first_edge: &first_edge,
            corners: &corners,
            neighbours: &neighbours,
            islands: &islands,
            areas,
            links: &links,
            ..MeshParts::default()
        }],
        ..BlobParts::default()
    })
    .unwrap()
}

/// What a profile reaches, square by square.
fn ways(mesh: &NavMesh<'_>, agents: u32, areas: u64, count: usize) -> Vec<Vec<bool>> {
    let profile = mesh.reach_profile(agents, areas).unwrap();
    assert!(profile.exact);
    let square = |x: usize| {
        let at = |p: &PolyId| mesh.polygon(*p).corner(0)[0] == 1024 * x as i32;
        (0..mesh.polygon_count()).map(PolyId).find(at).unwrap()
    };
    let leads = |a, b| mesh.leads(profile.number, square(a), square(b)).unwrap();
    let row = |a| (0..count).map(|b| leads(a, b)).collect();
    (0..count).map(row).collect()
}

/// Zeros and ones to a row.
fn bits(rows: &[&str]) -> Vec<Vec<bool>> {
    let row = |r: &&str| r.chars().map(|c| c == '1').collect();
    rows.iter().map(row).collect()
}

/// Ground, water, ground; then a ledge, to which agent b alone can climb, and from which both can
/// drop.
fn ledge() -> Vec<u8> {
    row(4, &[0, 1], &[0, 1, 0, 0], &[(3, 0, 3), (2, 3, 2)], true)
}

#[test]
fn links_lead_one_way_and_water_is_left_but_not_entered() {
    let bytes = ledge();
    let blob = Blob::open_checked(&bytes).unwrap();
    let mesh = blob.decode(0).unwrap().leak();
    let all = ["1111"; 4];
    assert_eq!(ways(&mesh, 1, 0, 4), bits(&["1110", "1110", "1110", "1111"]));
    assert_eq!(ways(&mesh, 2, 0, 4), bits(&all));
    assert_eq!(ways(&mesh, 3, 0, 4), bits(&all));
    // Agent a does not swim; a unit that fell into the water gets out on both sides.
    assert_eq!(ways(&mesh, 1, 2, 4), bits(&["1000", "1110", "0010", "1001"]));
    // Bits of agents that no link distinguishes do not matter.
    assert_eq!(mesh.reach_profile(u32::MAX, 0), mesh.reach_profile(3, 0));
    // For a profile that was not baked, a wider one is used.
    let wider = mesh.reach_profile(1, 3).unwrap();
    assert!(!wider.exact && Some(wider.number) == mesh.reach_profile(1, 2).map(|a| a.number));
}

#[test]
fn where_islands_say_all_there_are_no_such_sections() {
    let faults_of = |bytes: &[u8]| {
        let blob = Blob::open(bytes).unwrap();
        let kinds = [Section::ZONES, Section::REACH, Section::REACH_LISTS];
        blob.sections().filter(|s| kinds.contains(&s.section)).count()
    };
    assert_eq!(faults_of(&row(3, &[0], &[0, 1, 0], &[], false)), 0);
    assert_eq!(faults_of(&row(3, &[0], &[0, 1, 0], &[], true)), 3);
    assert_eq!(faults_of(&row(3, &[0], &[0, 1, 0], &[(0, 2, 1)], false)), 3);
    let required =
        Blob::open(&ledge()).unwrap().sections().any(|s| s.section == Section::REACH && s.required);
    assert!(!required, "a reader that does not know them may go without");
}

#[test]
fn the_order_of_links_does_not_change_the_bytes() {
    let links = [(0, 4, 1), (4, 2, 3), (6, 0, 2), (2, 6, 1), (1, 5, 3)];
    let mut turned = links;
    turned.reverse();
    let areas = [0, 0, 1, 0, 0, 1, 0];
    assert_eq!(row(7, &[0, 3], &areas, &links, true), row(7, &[0, 3], &areas, &turned, true));
}

/// The blob with other bytes somewhere in a section, its checksum as it was.
fn patched(bytes: &[u8], section: Section, at: usize, with: &[u8]) -> Vec<u8> {
    let blob = Blob::open(bytes).unwrap();
    let begin = blob.section(section, 0).unwrap().0.offset as usize + at;
    let mut out = bytes.to_vec();
    out[begin..begin + with.len()].copy_from_slice(with);
    out
}

#[test]
fn tables_that_do_not_know_a_step_or_lead_out_of_bounds_are_refused() {
    let bytes = ledge();
    let refused = |section: Section, at: usize, with: &[u8]| {
        let wrong = patched(&bytes, section, at, with);
        assert_ne!(wrong, bytes, "{section} {at}");
        match Blob::open_checked(&wrong).map(|_| ()) {
            Err(BlobError::Record { .. }) => {}
            other => panic!("{section}, byte {at}: {other:?}"),
        }
    };
    let lists = Blob::open(&bytes).unwrap().section(Section::REACH_LISTS, 0).unwrap();
    let count = lists.0.count as usize;
    let most = u16::MAX.to_le_bytes();
    // Every number of the lists means something.
    for i in 0..count {
        refused(Section::REACH_LISTS, 2 * i, &most);
    }
    let profiles = Blob::open(&bytes).unwrap().section(Section::REACH, 0).unwrap().0.count as usize;
    for i in 0..profiles {
        refused(Section::REACH, 20 * i + 12, &u32::MAX.to_le_bytes());
        refused(Section::REACH, 20 * i + 16, &most);
        refused(Section::REACH, 20 * i + 18, &most);
        // It keeps off other ground than its table says.
        refused(Section::REACH, 20 * i + 4, &[3]);
    }
    refused(Section::REACH, 0, &[9, 0, 0, 0]);
    let zones = Blob::open(&bytes).unwrap().section(Section::ZONES, 0).unwrap().0.len() as usize;
    for i in 0..zones {
        refused(Section::ZONES, i, &[0xFF]);
    }
}

/// Older files, of a time when a path off forbidden ground ended at the next forbidden polygon.
#[test]
fn tables_that_end_at_the_next_forbidden_polygon_are_refused() {
    // Ground, water beside it, water that drops there, and water that leads nowhere.
    let bytes = row(4, &[0], &[0, 1, 1, 1], &[(2, 1, 3)], true);
    let off = |bytes: &[u8]| {
        let mesh = Blob::open_checked(bytes).ok()?.decode(0).unwrap().leak();
        Some(ways(&mesh, 1, 2, 4)[2][0])
    };
    assert_eq!(off(&bytes), Some(true));
    let lists = Blob::open(&bytes).unwrap().section(Section::REACH_LISTS, 0).unwrap();
    let mut opened = 0;
    for (at, rank) in (0..lists.0.count as usize).flat_map(|i| (0..6).map(move |v| (2 * i, v))) {
        let other = patched(&bytes, Section::REACH_LISTS, at, &[rank, 0]);
        let answer = off(&other);
        assert_ne!(answer, Some(false), "byte {at}: {rank}");
        opened += u32::from(answer.is_some());
    }
    assert!(opened > 0);
}

#[test]
fn damaged_tables_that_pass_can_be_asked() {
    let bytes = ledge();
    let mut state = 1u64;
    let mut next = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    let sections = [Section::ZONES, Section::REACH, Section::REACH_LISTS];
    let mut passed = 0;
    for _ in 0..20_000 {
        let section = sections[next(3)];
        let len = Blob::open(&bytes).unwrap().section(section, 0).unwrap().0.len() as usize;
        let mut wrong = patched(&bytes, section, next(len), &[next(256) as u8]);
        if next(2) == 0 {
            let byte = [next(8) as u8];
            wrong = patched(&wrong, section, next(len), &byte);
        }
        let Ok(blob) = Blob::open_checked(&wrong) else {
            continue;
        };
        passed += 1;
        let mesh = blob.decode(0).unwrap().leak();
        for profile in 0..=mesh.reach_profile_count() {
            for p in 0..=4 {
                for q in 0..=4 {
                    mesh.leads(profile, PolyId(p), PolyId(q));
                }
            }
        }
    }
    assert!(passed > 100, "{passed}");
}
