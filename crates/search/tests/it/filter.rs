//! Filters: by name as by number, moved between meshes, and in too little memory.

use navbake_search::blob::{AreaId, Blob};
use navbake_search::{Error, NavMesh, NavMeshBuf, NavQuery, PolyId, QueryFilter};
use navbake_testkit::Random;
use navbake_testkit::scene::{Mix, Scene};

fn mix() -> Mix {
    Mix {
        columns: 5,
        rows: 5,
        storeys: 2,
        jitter: 3,
        blocked: 10,
        cut: 5,
        exchanged: 20,
        merged: 40,
    }
}

/// Doors, closures, links and three areas.
fn scene(seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let mut scene = Scene::random(&mut random, mix());
    scene.furnish(&mut random, 40, 10);
    scene.join(&mut random, 8, 50);
    scene.areas = scene.faces.iter().map(|_| random.below(3) as u8).collect();
    scene.bake()
}

fn mesh_of(bytes: &[u8]) -> NavMesh<'_> {
    Blob::open_checked(bytes).unwrap().decode(0).unwrap().leak()
}

/// Do two filters block the same on a mesh?
fn assert_same<A: AsRef<[u64]>, B: AsRef<[u64]>>(
    mesh: &NavMesh<'_>,
    one: &QueryFilter<A>,
    other: &QueryFilter<B>,
) {
    for polygon in (0..mesh.polygon_count()).map(PolyId) {
        assert_eq!(one.is_blocked(polygon), other.is_blocked(polygon));
    }
    for link in 0..mesh.link_count() {
        assert_eq!(one.is_link_blocked(link), other.is_link_blocked(link));
    }
    let queries = (NavQuery::new(*mesh).with_filter(one), NavQuery::new(*mesh).with_filter(other));
    let mut random = Random(1);
    for _ in 0..100 {
        let point = [random.below(100) as f64 / 10.0, 0.0, random.below(100) as f64 / 10.0];
        let to = [random.below(100) as f64 / 10.0, 0.0, random.below(100) as f64 / 10.0];
        if let Some(at) = queries.0.locate(point, 30.0) {
            assert_eq!(queries.0.raycast(&at, to), queries.1.raycast(&at, to));
        }
    }
    assert_eq!(one.forbidden(), other.forbidden());
}

#[test]
fn names_block_what_their_numbers_do() {
    for seed in 0..20 {
        let bytes = scene(seed);
        let mesh = mesh_of(&bytes);
        let names: Vec<&str> = mesh.file().switches().map(|s| s.name).collect();
        let (mut by_name, mut switches) = (QueryFilter::new(), 0u64);
        let mut random = Random(seed);
        for _ in 0..12 {
            let k = random.below(names.len());
            if random.chance(50) {
                by_name = by_name.block(&mesh, names[k]).unwrap();
                switches |= 1 << k;
            } else {
                by_name = by_name.unblock(&mesh, names[k]).unwrap();
                switches &= !(1 << k);
            }
            let mut by_number = QueryFilter::new();
            by_number.set_blocked(&mesh, &[switches], 0).unwrap();
            assert_same(&mesh, &by_name, &by_number);
        }
        // With an area on top, and away again.
        let area = mesh.file().areas_named("mud");
        assert_eq!(area.count_ones(), 1);
        let id = AreaId(area.trailing_zeros() as u8);
        by_name = by_name.cost(&mesh, "mud", f64::INFINITY).unwrap();
        let mut by_number = QueryFilter::new();
        by_number.set_blocked(&mesh, &[switches], area).unwrap();
        by_number.set_cost(id, f64::INFINITY).unwrap();
        assert_same(&mesh, &by_name, &by_number);
        by_name = by_name.cost(&mesh, "mud", 2.5).unwrap();
        assert_eq!(by_name.area_cost(id), 2.5);
        by_number.set_blocked(&mesh, &[switches], 0).unwrap();
        by_number.set_cost(id, 2.5).unwrap();
        assert_same(&mesh, &by_name, &by_number);
    }
}

#[test]
fn a_row_of_weights_sets_costs_and_blocks_what_it_forbids() {
    let mut random = Random(3);
    let mut scene = Scene::random(&mut random, mix());
    scene.areas = scene.faces.iter().map(|_| random.below(3) as u8).collect();
    scene.weights.push(("", None, [1.0, 1.5, 1.0]));
    scene.weights.push(("haste", None, [1.0, 4.0, f64::INFINITY]));
    let bytes = scene.bake();
    let mesh = mesh_of(&bytes);
    let filter = QueryFilter::new().weights(&mesh, "haste").unwrap();
    assert_eq!([1, 2].map(|k| filter.area_cost(AreaId(k))), [4.0, f64::INFINITY]);
    let mut other = QueryFilter::new();
    other.set_weights(&mesh.file().weights_for("haste", 0).unwrap());
    other.set_blocked(&mesh, &[], 1 << 2).unwrap();
    assert_same(&mesh, &filter, &other);
    assert!(mesh.polygons().any(|p| filter.is_blocked(p.id())));
    assert_eq!(filter.weights(&mesh, "leisure"), Err(Error::NoWeights));
}

#[test]
fn an_agent_by_name_takes_its_own_links_only() {
    let bytes = navbake_testkit::level();
    let nav = NavMeshBuf::open(&bytes).unwrap();
    let named = QueryFilter::new().agent(&nav.mesh(), "default").unwrap();
    let mut numbered = QueryFilter::new();
    numbered.set_agents(1);
    assert_eq!(named, numbered);
}

#[test]
fn a_filter_may_be_moved_between_meshes() {
    let files: Vec<Vec<u8>> = (0..5).map(scene).chain([navbake_testkit::level()]).collect();
    let mut random = Random(9);
    let mut filter = QueryFilter::new();
    for _ in 0..200 {
        let [one, two] = [0; 2].map(|_| &files[random.below(files.len())]);
        let (one, two) = (mesh_of(one), mesh_of(two));
        filter.set_blocked(&one, &[random.next()], random.below(8) as u64).unwrap();
        // On the other mesh it blocks something or nothing.
        let query = NavQuery::new(two).with_filter(&filter);
        if let Some(at) = query.locate([1.0, 0.0, 1.0], 30.0) {
            query.raycast(&at, [9.0, 0.0, 9.0]);
        }
        filter.set_blocked(&two, &[5], 0).unwrap();
        let mut fresh = QueryFilter::new();
        fresh.set_blocked(&two, &[5], 0).unwrap();
        assert_same(&two, &filter, &fresh);
    }
}

#[test]
fn memory_that_is_too_short_is_another_meshs() {
    let bytes = scene(1);
    let mesh = mesh_of(&bytes);
    let words = QueryFilter::<[u64; 0]>::words(&mesh);
    assert!(words > 4);
    let mut memory = vec![u64::MAX; words + 3];
    for len in 0..=words + 3 {
        let mut filter = QueryFilter::in_memory(&mut memory[..len]);
        let set = filter.set_blocked(&mesh, &[7], 2);
        if len < words {
            assert_eq!(set, Err(Error::OtherMesh));
            assert!(mesh.polygons().all(|p| !filter.is_blocked(p.id())));
        } else {
            assert_eq!(set, Ok(()));
            let mut fresh = QueryFilter::new();
            fresh.set_blocked(&mesh, &[7], 2).unwrap();
            assert_same(&mesh, &filter, &fresh);
        }
    }
    let short =
        QueryFilter::in_memory([0; 2]).block(&mesh, mesh.file().switches().next().unwrap().name);
    assert_eq!(short.err(), Some(Error::OtherMesh));
}
