//! Routes over chunks that are not loaded, beside the shortest paths with all of them.

use std::collections::BTreeSet;

use navbake_search::path::Route;
use navbake_search::{NavPoint, NavQuery, Scratch};
use navbake_testkit::Random;
use navbake_world::{Obstacle, World};

use crate::chunks::{Baked, SMALL, baked, flat, length};

/// A route, if its start is on ground that is loaded.
fn route(world: &World, [from, to]: [[f64; 3]; 2]) -> Option<Option<Route>> {
    let query = NavQuery::new(world.nav_mesh());
    let from = query.locate(from, 1.0)?;
    Some(query.route(&from, to, 1.0, &mut Scratch::new()))
}

/// Random pairs with a path over all chunks, and as many without.
fn pairs(baked: &Baked, all: &World, count: usize) -> Vec<[[f64; 3]; 2]> {
    let mut scratch = Scratch::new();
    let (mut with, mut without) = (vec![], vec![]);
    for pair in baked.places(100 * count).chunks_exact(2) {
        let pair = [pair[0], pair[1]];
        let list = match length(all.nav_mesh(), pair, &mut scratch) {
            Some(_) => &mut with,
            None => &mut without,
        };
        if list.len() < count {
            list.push(pair);
        }
    }
    assert_eq!([with.len(), without.len()], [count; 2]);
    with.into_iter().zip(without).flat_map(|(a, b)| [a, b]).collect()
}

fn is_there(world: &World, place: [f64; 3]) -> bool {
    NavQuery::new(world.nav_mesh()).locate(place, 1.0).is_some()
}

#[test]
fn there_is_a_route_where_there_is_a_path_and_it_is_hardly_longer() {
    let mut random = Random(3);
    let mut scratch = Scratch::new();
    let (mut over, mut open, mut none, mut sums) = (0, 0, 0, [0.0; 2]);
    for chunk in [1.0, 20.0] {
        let baked = baked(15, SMALL, chunk);
        let all = baked.loaded();
        let pairs = pairs(&baked, &all, 40);
        for _ in 0..30 {
            let world = baked.with_some(&mut random, 50);
            for &pair in &pairs {
                let Some(found) = route(&world, pair) else { continue };
                let truth = length(all.nav_mesh(), pair, &mut scratch);
                if !is_there(&world, pair[1]) {
                    assert!(truth.is_none() || found.is_some(), "{pair:?}");
                    open += usize::from(truth.is_some());
                    continue;
                }
                assert_eq!(found.is_some(), truth.is_some(), "{pair:?}");
                let Some((found, truth)) = found.zip(truth) else {
                    none += 1;
                    continue;
                };
                assert!(found.length >= truth - 1e-6, "{found:?}, {truth} m: {pair:?}");
                assert!(found.length <= 2.0 * truth + 20.0, "{found:?}, {truth} m: {pair:?}");
                over += usize::from(!found.passages.is_empty());
                sums[0] += truth;
                sums[1] += found.length;
            }
        }
    }
    println!(
        "{over} over gateways, {open} to chunks that are not loaded, {none} without: {sums:?}"
    );
    assert!(over > 100 && open > 100 && none > 100, "{over}, {open}, {none}");
    assert!(sums[1] < 1.02 * sums[0], "{sums:?}");
}

/// Loads what the route enters next, until there is nothing left to load.
fn follow(baked: &Baked, world: &mut World, pair: [[f64; 3]; 2]) -> Option<f64> {
    let mut asked = BTreeSet::new();
    loop {
        let found = route(world, pair)??;
        let missing = found.passages.iter().find(|passage| !world.is_loaded(passage.into));
        let Some(missing) = missing else {
            return Some(found.length);
        };
        assert!(asked.insert(missing.into), "{:?} twice", missing.into);
        let chunk = baked.chunks.iter().find(|chunk| chunk.key() == missing.into);
        world.insert_chunk(chunk.expect("a chunk of the index").clone()).expect("a chunk");
        world.commit();
    }
}

/// Loads the chunk at a place.
fn load_at(baked: &Baked, all: &World, world: &mut World, place: [f64; 3]) {
    let at = all.baked().chunk_at(flat(&NavQuery::new(all.nav_mesh()), place)).expect("a chunk");
    let key = all.baked().file().chunks().get(at).expect("a chunk").key;
    let chunk = baked.chunks.iter().find(|chunk| chunk.key() == key).expect("a chunk");
    world.insert_chunk(chunk.clone()).expect("a chunk");
    world.commit();
}

/// Puts barrels on some places.
fn barrels(world: &mut World, pairs: &[[[f64; 3]; 2]], percent: u64) {
    let mut random = Random(8);
    for [x, y, z] in pairs.as_flattened().iter().filter(|_| random.chance(percent)) {
        let barrel = Obstacle::cylinder([*x, *z], 0.7, [y - 1.0, y + 1.0]).expect("a barrel");
        world.add(barrel).expect("on the grid");
    }
    world.commit();
}

#[test]
fn the_chunks_of_a_route_have_a_path() {
    let baked = baked(15, SMALL, 1.0);
    let plain = baked.loaded();
    let pairs = pairs(&baked, &plain, 100);
    let mut scratch = Scratch::new();
    for percent in [0, 30] {
        let mut all = baked.loaded();
        barrels(&mut all, &pairs, percent);
        let (mut reached, mut shut, mut lengths) = (0, 0, [0.0; 2]);
        for &pair in &pairs {
            let mut world = baked.world();
            load_at(&baked, &plain, &mut world, pair[0]);
            barrels(&mut world, &pairs, percent);
            let ends = pair.map(|place| is_there(&all, place));
            if ends != [true; 2] {
                continue;
            }
            let found = follow(&baked, &mut world, pair);
            let Some(truth) = length(all.nav_mesh(), pair, &mut scratch) else {
                assert_eq!(found, None, "{pair:?}");
                shut += 1;
                continue;
            };
            let found = found.expect("a route");
            let path = length(world.nav_mesh(), pair, &mut scratch).expect("a path");
            assert!(found >= path - 1e-6 && found <= 1.5 * path, "{found} of {path} m: {pair:?}");
            reached += 1;
            lengths[0] += path;
            lengths[1] += truth;
        }
        println!("{reached} reached, {shut} shut: {lengths:?}");
        assert!(reached > 30 && shut > 30 && lengths[0] < 1.01 * lengths[1], "{lengths:?}");
    }
}

#[test]
fn routes_go_around_obstacles() {
    let baked = baked(15, SMALL, 1.0);
    let all = baked.loaded();
    let (mut random, mut scratch) = (Random(8), Scratch::new());
    let pairs = pairs(&baked, &all, 50);
    let (mut compared, mut longer) = (0, 0);
    for _ in 0..20 {
        let mut world = baked.with_some(&mut random, 60);
        let plain = baked_with(&baked, &world);
        barrels(&mut world, &pairs, 30);
        for &pair in &pairs {
            let Some(Some(found)) = route(&world, pair) else { continue };
            let Some(truth) = length(all.nav_mesh(), pair, &mut scratch) else { continue };
            assert!(found.length >= truth - 1e-6 || !is_there(&world, pair[1]));
            if is_there(&world, pair[1]) {
                compared += 1;
                let before = route(&plain, pair).flatten().expect("a route");
                longer += usize::from(found.length > before.length + 1e-3);
            }
        }
    }
    assert!(compared > 50 && longer > 5, "{compared}, {longer}");
}

/// A world with the chunks of another one, without its obstacles.
fn baked_with(baked: &Baked, other: &World) -> World {
    let mut world = baked.world();
    for chunk in baked.chunks.iter().filter(|chunk| other.is_loaded(chunk.key())) {
        world.insert_chunk(chunk.clone()).expect("a chunk");
    }
    world.commit();
    world
}

#[test]
fn a_navmesh_that_is_not_in_chunks_has_no_routes() {
    let baked = baked(2, SMALL, 1.0);
    let world = World::new(baked.whole.clone());
    let [from, to] = [baked.places(2)[0], baked.places(2)[1]];
    assert_eq!(route(&world, [from, to]), Some(None));
    // Nor has a place where no chunk is.
    let all = baked.loaded();
    assert_eq!(route(&all, [from, [1e3, 0.0, 1e3]]), Some(None));
    let query = NavQuery::new(all.nav_mesh());
    let start: NavPoint = query.locate(from, 1.0).expect("ground");
    let same = query.route(&start, from, 1.0, &mut Scratch::new()).expect("a route");
    assert_eq!((same.length, same.passages.len()), (0.0, 0));
}
