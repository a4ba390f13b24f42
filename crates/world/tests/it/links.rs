//! Links in worlds in chunks, within chunks and between them, beside the same level as one blob.

use navbake_navmesh::LinkStart;
use navbake_search::blob::Link;
use navbake_search::{Algorithm, NavMesh, NavQuery, PolyId, Scratch, Status};
use navbake_testkit::Random;
use navbake_world::{Obstacle, Way, World};

use crate::chunks::{Baked, SMALL, baked, length, shortest};
use crate::kit::check;

/// A world of which random links connect places: some both ways, some cheap.
fn linked(count: usize, seed: u64) -> Baked {
    let bare = baked(15, SMALL, 1.0);
    let places = bare.places(400);
    let mut random = Random(seed);
    let mut config = SMALL.to_owned();
    for k in 0..count {
        let from = places[random.below(places.len())];
        let away = |to: &[f64; 3]| (to[0] - from[0]).hypot(to[2] - from[2]);
        let mut others: Vec<&[f64; 3]> = places.iter().filter(|to| **to != from).collect();
        others.sort_by(|a, b| away(a).total_cmp(&away(b)));
        // Half of them are short.
        let most = if random.chance(50) { 8 } else { others.len() };
        let to = others[random.below(most)];
        let (two_way, length) = (random.chance(30), away(to));
        let cost = length * [0.2, 1.0, 2.5][random.below(3)];
        config += &format!(
            "[[link]]\nname = \"link {k}\"\nfrom = {from:?}\nto = {to:?}\ntwo_way = {two_way}\n\
             cost = {cost}\n"
        );
    }
    let linked = baked(15, &config, 20.0);
    let within: u32 = linked.chunks.iter().map(|chunk| chunk.nav_mesh().link_count()).sum();
    let far: usize = linked.chunks.iter().map(|chunk| chunk.nav_mesh().far_links().len()).sum();
    assert_eq!(within as usize + far / 2, linked.whole.mesh().link_count() as usize);
    assert!(within > 0 && far > 0, "{within} links within chunks, {far} ends of others");
    linked
}

/// The names and places of all links, sorted.
fn names(mesh: NavMesh<'_>) -> Vec<(String, [i32; 2], [i32; 2])> {
    let links = (0..mesh.link_count()).filter_map(|number| mesh.link(number));
    let mut all: Vec<_> = links.map(|link| (link.name.to_owned(), link.from, link.to)).collect();
    all.sort();
    all
}

#[test]
fn a_world_in_chunks_has_the_links_and_the_paths_over_them_of_one_blob() {
    let baked = linked(60, 1);
    let mut random = Random(7);
    let (mut scratch, mut over_links) = (Scratch::new(), 0);
    let wanted = names(baked.whole.mesh());
    for _ in 0..4 {
        let mut world = baked.world();
        let mut chunks: Vec<_> = baked.chunks.iter().collect();
        while !chunks.is_empty() {
            let chunk = chunks.swap_remove(random.below(chunks.len()));
            world.insert_chunk(chunk.clone()).expect("a chunk");
            world.commit();
        }
        let (mesh, whole) = (world.nav_mesh(), baked.whole.mesh());
        check(&mesh);
        check_starts(&mesh);
        assert_eq!(names(mesh), wanted);
        for pair in baked.places(400).chunks_exact(2) {
            let pair = [pair[0], pair[1]];
            for algorithm in [Algorithm::Optimal, Algorithm::weighted(0.0)] {
                let request = shortest(pair).algorithm(algorithm);
                let [found, wanted] = [mesh, whole].map(|mesh| {
                    let path = NavQuery::new(mesh).find_path(&request, &mut scratch);
                    let path = path.expect("an answer");
                    let links = path.legs().filter_map(|leg| mesh.link(leg.link?));
                    (path.status, path.cost, links.count())
                });
                assert_eq!(found.0, wanted.0, "{pair:?}");
                assert!((found.1 - wanted.1).abs() <= 1e-6 * wanted.1, "{found:?} {wanted:?}");
                over_links += usize::from(found.2 > 0);
            }
        }
    }
    assert!(over_links > 100, "{over_links} paths over links");
}

/// Can each link be taken from exactly the polygons that contain the place it begins at?
fn check_starts(mesh: &NavMesh<'_>) {
    let units = mesh.grid().units();
    let link = |number| {
        let Link { polygon, agents, from, to, cost, .. } = mesh.link(number)?;
        Some(LinkStart { number, polygon: polygon.0, agents, from, to, cost: cost * units })
    };
    assert!(mesh.polys().has_sound_links(mesh.link_count(), link));
}

#[test]
fn a_link_at_the_side_of_a_chunk_can_be_taken_from_all_polygons_there() {
    let bare = baked(15, SMALL, 20.0);
    let places = bare.places(100);
    let mut config = SMALL.to_owned();
    for chunk in &bare.chunks {
        let mesh = chunk.nav_mesh();
        for (seam, to) in mesh.seams().iter().step_by(3).zip(&places) {
            let polygon = mesh.polygon(PolyId(seam.polygon));
            let from = mesh.grid().metres(polygon.point(seam.edge).map(f64::from));
            config += &format!("[[link]]\nfrom = {from:?}\nto = {to:?}\n");
        }
    }
    let baked = baked(15, &config, 20.0);
    let mut random = Random(6);
    let mut world = baked.world();
    for _ in 0..200 {
        let chunk = &baked.chunks[random.below(baked.chunks.len())];
        match world.is_loaded(chunk.key()) {
            true => world.remove_chunk(chunk.key()),
            false => world.insert_chunk(chunk.clone()),
        }
        .expect("a chunk");
        world.commit();
        check_starts(&world.nav_mesh());
    }
    let all = baked.loaded();
    let mesh = all.nav_mesh();
    let holders = mesh.polys().links.items.len();
    let within: usize =
        baked.chunks.iter().map(|chunk| chunk.nav_mesh().polys().links.items.len()).sum();
    assert!(holders > within + 50, "{holders} polygons, {within} of chunks alone");
}

#[test]
fn an_answer_over_some_chunks_with_links_holds_for_all_of_them() {
    let baked = linked(12, 3);
    let all = baked.loaded();
    let mut random = Random(2);
    let mut scratch = Scratch::new();
    let places = baked.places(80);
    let (mut missing, mut apart, mut ways) = (0, 0, [0; 3]);
    for _ in 0..40 {
        let world = baked.with_some(&mut random, 60);
        let mesh = world.nav_mesh();
        let query = NavQuery::new(mesh);
        let at = |place| query.locate(place, 1.0).map(|at| at.polygon());
        for pair in places.chunks_exact(2) {
            let pair = [pair[0], pair[1]];
            let (Some(from), Some(to)) = (at(pair[0]), at(pair[1])) else { continue };
            let [now, then] =
                [&world, &all].map(|world| length(world.nav_mesh(), pair, &mut scratch).is_some());
            assert!(then || !now, "{pair:?}");
            let way = world.way(from, to);
            ways[way as usize] += 1;
            let found = query.find_path(&shortest(pair), &mut scratch).expect("an answer");
            match found.status {
                Status::Reached => assert_eq!(way, Way::Loaded),
                Status::NotLoaded => {
                    assert_eq!(way, Way::NotLoaded, "{pair:?}");
                    let goes_on = baked.chunks.len() > loaded(&world, &baked);
                    assert!(goes_on, "{pair:?}");
                    missing += 1;
                }
                Status::Unreachable => {
                    assert_eq!(way, Way::None, "{pair:?}");
                    assert!(!then, "{pair:?}");
                    apart += 1;
                }
                other => panic!("{other:?}"),
            }
            // What can be reached from here goes on, or is all there is.
            if then && !now {
                assert!(!world.not_loaded(from).is_empty(), "{pair:?}");
                let request = shortest(pair).partial(true);
                let path = query.find_path(&request, &mut scratch).expect("an answer");
                let end = *path.points.last().expect("a path");
                let end = query.locate(end, 1.0).expect("ground").polygon();
                assert!(is_exit(&baked, &world, mesh, end), "{pair:?}: {end:?}");
            }
        }
    }
    assert!(missing > 20 && apart > 20 && ways.iter().all(|&count| count > 20), "{ways:?}");
    // With all chunks there is nothing more to load.
    let query = NavQuery::new(all.nav_mesh());
    for pair in places.chunks_exact(2) {
        let found = query.find_path(&shortest([pair[0], pair[1]]), &mut scratch);
        assert_ne!(found.expect("an answer").status, Status::NotLoaded);
    }
}

fn loaded(world: &World, baked: &Baked) -> usize {
    baked.chunks.iter().filter(|chunk| world.is_loaded(chunk.key())).count()
}

/// Does the ground go on from a polygon, over a seam or a link, in a chunk that is not loaded?
fn is_exit(baked: &Baked, world: &World, mesh: NavMesh<'_>, polygon: PolyId) -> bool {
    let own = mesh.polygon(polygon);
    let corners: Vec<[i32; 3]> = (0..own.len()).map(|k| own.point(k)).collect();
    let there = |chunk: &&navbake_world::ChunkMesh| world.is_loaded(chunk.key());
    baked.chunks.iter().filter(there).any(|chunk| {
        let chunk = chunk.nav_mesh();
        let goes_on = |key| !world.is_loaded(key);
        let same = |p: PolyId| {
            let p = chunk.polygon(p);
            p.len() as usize == corners.len() && (0..p.len()).all(|k| corners.contains(&p.point(k)))
        };
        let seam = chunk.seams().iter().any(|s| goes_on(s.beyond) && same(PolyId(s.polygon)));
        let mut links = chunk.far_links();
        seam || links.any(|l| !l.ends_here && goes_on(l.chunk) && same(l.link.polygon))
    })
}

#[test]
fn obstacles_take_links_of_chunks_as_those_of_one_blob() {
    let baked = linked(60, 5);
    let mut random = Random(4);
    let mut scratch = Scratch::new();
    let places = baked.places(120);
    let mut world = baked.loaded();
    let mut whole = World::new(baked.whole.clone());
    let mut gone = 0;
    for round in 0..12 {
        // Obstacles at ends of links, then a chunk that goes and comes.
        for _ in 0..4 {
            let mesh = baked.whole.mesh();
            let link = mesh.link(random.below(mesh.link_count() as usize) as u32).expect("a link");
            let (polygon, at) =
                if random.chance(50) { (link.polygon, link.from) } else { (link.beyond, link.to) };
            let at = at.map(f64::from);
            let height = mesh.polygon(polygon).height(at);
            let [x, y, z] = mesh.grid().metres([at[0], height, at[1]]);
            let disc = Obstacle::cylinder([x, z], 0.3, [y - 0.5, y + 1.0]).expect("a cylinder");
            for world in [&mut world, &mut whole] {
                world.add(disc).expect("an obstacle");
            }
        }
        world.commit();
        whole.commit();
        let chunk = &baked.chunks[random.below(baked.chunks.len())];
        if round % 2 == 0 {
            world.remove_chunk(chunk.key()).expect("a chunk that is there");
            world.commit();
            world.insert_chunk(chunk.clone()).expect("a chunk that is not");
            world.commit();
        }
        let [now, wanted] = [&world, &whole].map(World::nav_mesh);
        let of = |mesh: &NavMesh<'_>| {
            (0..mesh.link_count()).filter(|&number| mesh.polys().is_link_gone(number)).count()
        };
        assert_eq!(of(&now), of(&wanted), "round {round}");
        gone += of(&now);
        for pair in places.chunks_exact(2) {
            let [found, wanted] = [now, wanted].map(|mesh| {
                let request = shortest([pair[0], pair[1]]);
                let path = NavQuery::new(mesh).find_path(&request, &mut scratch);
                let path = path.expect("an answer");
                (path.status, path.cost)
            });
            assert_eq!(found.0, wanted.0, "{pair:?} in round {round}");
            assert!((found.1 - wanted.1).abs() <= 1e-6 * wanted.1, "{found:?} {wanted:?}");
        }
    }
    assert!(gone > 20, "{gone} links gone");
}

#[test]
fn a_saved_world_has_its_links_again() {
    let baked = linked(30, 6);
    let mut random = Random(8);
    let world = baked.with_some(&mut random, 70);
    let load = |key: [i32; 2]| baked.chunks.iter().find(|chunk| chunk.key() == key).cloned();
    let again = World::restore(baked.index.clone(), &world.save(), load).expect("a saved world");
    let [own, other] = [&world, &again].map(World::nav_mesh);
    assert!(own.link_count() > 5);
    assert_eq!(names(own), names(other));
    assert_eq!(own.polys().links.items.bytes(), other.polys().links.items.bytes());
    assert_eq!(own.polys().links.starts.bytes(), other.polys().links.starts.bytes());
}

#[test]
fn a_way_over_links_is_loaded_in_chunks_and_in_one_blob() {
    let baked = linked(20, 9);
    let worlds = [baked.loaded(), World::new(baked.whole.clone())];
    let (mut scratch, mut over_links) = (Scratch::new(), 0);
    for pair in baked.places(200).chunks_exact(2) {
        let pair = [pair[0], pair[1]];
        for world in &worlds {
            let mesh = world.nav_mesh();
            let query = NavQuery::new(mesh);
            let [from, to] = pair.map(|place| query.locate(place, 1.0).expect("ground").polygon());
            let leads = length(mesh, pair, &mut scratch).is_some();
            let wanted = if leads { Way::Loaded } else { Way::None };
            assert_eq!(world.way(from, to), wanted, "{pair:?}");
            if mesh.is_in_chunks() {
                let start = query.locate(pair[0], 1.0).expect("ground");
                let route = query.route(&start, pair[1], 1.0, &mut scratch);
                assert_eq!(route.is_some(), leads, "{pair:?}");
            }
            assert!(world.not_loaded(from).is_empty());
            over_links += usize::from(leads && !mesh.on_one_island(from, to));
        }
    }
    assert!(over_links > 20, "{over_links}");
}
