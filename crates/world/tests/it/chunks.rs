//! Worlds in chunks, beside the same level as one blob.

use std::collections::BTreeSet;
use std::path::Path;

use navbake_bake::{BakeInput, Config, Options, bake_file};
use navbake_format::Blob;
use navbake_search::around::{Areas, Random as Draw};
use navbake_search::{
    Algorithm, NavMesh, NavMeshBuf, NavQuery, PathRequest, PolyId, Scratch, Status,
};
use navbake_testkit::Random;
use navbake_testkit::plain_walk::walk;
use navbake_world::{ChunkMesh, Error, Obstacle, PolyRef, World};

use crate::kit::check;

/// A level as one blob, and as an index with chunks.
pub(crate) struct Baked {
    pub(crate) whole: NavMeshBuf,
    pub(crate) index: NavMeshBuf,
    /// The file of the index.
    pub(crate) file: Vec<u8>,
    pub(crate) chunks: Vec<ChunkMesh>,
}

pub(crate) fn baked(places: usize, config: &str, chunk: f64) -> Baked {
    let folder = tempfile::tempdir().expect("a folder");
    let path = navbake_testkit::data::world(folder.path(), places);
    baked_file(&path, config, chunk)
}

pub(crate) fn baked_file(path: &Path, config: &str, chunk: f64) -> Baked {
    let config = Config::parse(config).expect("a config");
    let whole = bake_file(path, &config, &Options::default()).expect("a level");
    let input = BakeInput::open_to_bake(path, &config).expect("a world");
    let mut chunks = vec![];
    let mut take = |file: navbake_bake::ChunkFile| {
        chunks.push(ChunkMesh::new(first_class(&file.bytes)).expect("a chunk"));
        Ok(())
    };
    let options = Options { chunk: Some(chunk), ..Options::default() };
    let index = input.bake_chunks(&options, &mut take).expect("chunks");
    Baked {
        whole: first_class(&whole.bytes),
        index: first_class(&index.bytes),
        file: index.bytes,
        chunks,
    }
}

fn first_class(bytes: &[u8]) -> NavMeshBuf {
    Blob::open_checked(bytes).and_then(|blob| blob.decode(0)).expect("a sound file")
}

/// Tiles of 15 m.
pub(crate) const SMALL: &str = "cell = 0.06\nfindings = false\ntables.budget = \"none\"\n";

impl Baked {
    pub(crate) fn world(&self) -> World {
        World::new(self.index.clone())
    }

    pub(crate) fn loaded(&self) -> World {
        let mut world = self.world();
        self.chunks.iter().for_each(|chunk| world.insert_chunk(chunk.clone()).expect("a chunk"));
        assert_eq!(world.commit().chunks, self.chunks.len());
        world
    }

    /// With a share of the chunks, percent, drawn at random.
    pub(crate) fn with_some(&self, random: &mut Random, percent: u64) -> World {
        let mut world = self.world();
        for chunk in self.chunks.iter().filter(|_| random.chance(percent)) {
            world.insert_chunk(chunk.clone()).expect("a chunk");
        }
        world.commit();
        world
    }

    /// Random places on the ground.
    pub(crate) fn places(&self, count: usize) -> Vec<[f64; 3]> {
        let query = NavQuery::new(self.whole.mesh());
        let mut sums = vec![0; self.whole.mesh().polygon_count() as usize];
        let areas = query.areas(&mut sums).expect("room");
        let mut draw = Draw::new(1);
        let place = |_| query.random_place(&areas, &mut draw).expect("ground").position();
        (0..count).map(place).collect()
    }
}

fn area(mesh: NavMesh<'_>) -> f64 {
    let mut sums = vec![0; mesh.polygon_count() as usize];
    NavQuery::new(mesh).areas(&mut sums).as_ref().map_or(0.0, Areas::total)
}

/// A place in the ground plane, grid units.
pub(crate) fn flat(query: &NavQuery<'_>, place: [f64; 3]) -> [i32; 2] {
    let [x, _, z] = query.mesh().grid().snap(place).expect("on the grid");
    [x, z]
}

pub(crate) fn shortest([from, to]: [[f64; 3]; 2]) -> PathRequest {
    PathRequest::new(from, to).algorithm(Algorithm::Optimal)
}

/// The length of the shortest path, `None` where there is none.
pub(crate) fn length(
    mesh: NavMesh<'_>,
    [from, to]: [[f64; 3]; 2],
    scratch: &mut Scratch,
) -> Option<f64> {
    let query = NavQuery::new(mesh);
    let path = query.find_path(&shortest([from, to]), scratch).expect("an answer");
    match path.status {
        Status::Reached => Some(path.length_xz),
        Status::Unreachable | Status::NotLoaded => None,
        other => panic!("{other:?} from {from:?} to {to:?}"),
    }
}

#[test]
fn a_world_in_chunks_has_the_ground_and_the_shortest_paths_of_one_blob() {
    let areas = "[[area]]\nname = \"mud\"\n[[rule]]\nnode = \"p3/*\"\narea = \"mud\"\n";
    for (config, chunk) in [(SMALL, 1.0), (SMALL, 40.0), (&format!("{SMALL}{areas}"), 20.0)] {
        let baked = baked(15, config, chunk);
        assert!(baked.chunks.len() > 3, "{} chunks", baked.chunks.len());
        let world = baked.loaded();
        let (mesh, whole) = (world.nav_mesh(), baked.whole.mesh());
        check(&mesh);
        let [found, wanted] = [area(mesh), area(whole)];
        assert!((found / wanted - 1.0).abs() < 1e-4, "{found} m2 of {wanted}");
        let (mut scratch, mut reached) = (Scratch::new(), 0);
        for pair in baked.places(2000).chunks_exact(2) {
            let pair = [pair[0], pair[1]];
            let [found, wanted] = [mesh, whole].map(|mesh| length(mesh, pair, &mut scratch));
            assert_eq!(found.is_some(), wanted.is_some(), "{pair:?}");
            if let Some((found, wanted)) = found.zip(wanted) {
                assert!((found - wanted).abs() <= 1e-6 * wanted, "{found} of {wanted} m: {pair:?}");
                reached += 1;
            }
        }
        assert!(reached > 100, "{reached} paths");
    }
}

#[test]
fn answers_do_not_depend_on_the_order_in_which_chunks_come_and_go() {
    let baked = baked(6, SMALL, 15.0);
    let all = baked.loaded();
    let places = baked.places(60);
    let mut scratch = Scratch::new();
    let mut answers = |world: &World| -> Vec<Option<u64>> {
        let pairs = places.chunks_exact(2);
        let one = |pair: &[[f64; 3]]| length(world.nav_mesh(), [pair[0], pair[1]], &mut scratch);
        pairs.map(one).map(|length| length.map(|l| (l * 1e6).round() as u64)).collect()
    };
    let wanted = answers(&all);
    assert!(wanted.iter().flatten().count() > 4);
    let mut random = Random(5);
    let mut world = baked.world();
    let mut there = BTreeSet::new();
    for round in 0..1000 {
        // Some go, then all come in any order.
        for i in 0..baked.chunks.len() {
            if there.contains(&i) && random.chance(50) {
                there.remove(&i);
                world.remove_chunk(baked.chunks[i].key()).expect("a chunk that is there");
            }
        }
        if random.chance(50) {
            world.commit();
        }
        while there.len() < baked.chunks.len() {
            let i = random.below(baked.chunks.len());
            if there.insert(i) {
                world.insert_chunk(baked.chunks[i].clone()).expect("a chunk that is not there");
            }
        }
        world.commit_some(1 + random.below(100));
        world.commit();
        assert_eq!(answers(&world), wanted, "round {round}");
        if round % 100 == 0 {
            check(&world.nav_mesh());
        }
    }
}

#[test]
fn a_part_of_the_chunks_is_the_ground_of_these_chunks() {
    let baked = baked(15, SMALL, 1.0);
    let mut random = Random(9);
    let mut world = baked.world();
    for _ in 0..40 {
        for chunk in &baked.chunks {
            let there = world.is_loaded(chunk.key());
            match random.below(4) {
                0 if there => world.remove_chunk(chunk.key()).expect("a chunk that is there"),
                1 if !there => world.insert_chunk(chunk.clone()).expect("a new chunk"),
                _ => {}
            }
        }
        world.commit();
        let mesh = world.nav_mesh();
        check(&mesh);
        let loaded = || baked.chunks.iter().filter(|chunk| world.is_loaded(chunk.key()));
        let wanted: f64 = loaded().map(|chunk| area(chunk.nav_mesh())).sum();
        assert!((area(mesh) - wanted).abs() < 1e-6);
        // Edges are joined where both chunks are there, and nowhere else.
        let twins = loaded().flat_map(|chunk| chunk.nav_mesh().seams().iter());
        let joined = twins.filter(|seam| world.is_loaded(seam.beyond)).count();
        let portals = |mesh: NavMesh<'_>| -> usize {
            mesh.polygons().map(|p| (0..p.len()).filter(|&k| p.across(k).is_some()).count()).sum()
        };
        let within: usize = loaded().map(|chunk| portals(chunk.nav_mesh())).sum();
        assert_eq!(portals(mesh), within + joined);
    }
}

#[test]
fn a_stale_reference_is_an_error_and_never_another_polygon() {
    let baked = baked(6, SMALL, 15.0);
    let mut random = Random(3);
    let mut world = baked.world();
    // How often each chunk came or went.
    let mut changes = vec![0; baked.chunks.len()];
    type Corners = Vec<[i32; 3]>;
    let mut kept: Vec<(PolyRef, usize, i32, Corners)> = vec![];
    let corners = |mesh: &NavMesh<'_>, p: PolyId| -> Corners {
        let polygon = mesh.polygon(p);
        (0..polygon.len()).map(|k| polygon.point(k)).collect()
    };
    let (mut stale, mut sound) = (0, 0);
    for _ in 0..300 {
        let i = random.below(baked.chunks.len());
        let key = baked.chunks[i].key();
        match world.is_loaded(key) {
            true => world.remove_chunk(key).expect("a chunk that is there"),
            false => world.insert_chunk(baked.chunks[i].clone()).expect("a new chunk"),
        }
        changes[i] += 1;
        world.commit();
        let mesh = world.nav_mesh();
        for (reference, chunk, at, wanted) in &kept {
            match world.polygon(*reference) {
                Ok(polygon) => {
                    assert_eq!(changes[*chunk], *at);
                    assert_eq!(corners(&mesh, polygon), *wanted);
                    sound += 1;
                }
                Err(error) => {
                    assert_eq!(error, Error::Stale);
                    assert_ne!(changes[*chunk], *at);
                    stale += 1;
                }
            }
        }
        for polygon in mesh.polygons().filter(|p| !p.is_empty()) {
            if !random.chance(2) {
                continue;
            }
            let own = corners(&mesh, polygon.id());
            let of = |chunk: &ChunkMesh| {
                let mesh = chunk.nav_mesh();
                mesh.polygons().any(|p| corners(&mesh, p.id()) == own)
            };
            let chunk = baked.chunks.iter().position(of).expect("a polygon of a chunk");
            kept.push((world.polygon_ref(polygon.id()), chunk, changes[chunk], own));
        }
        let drop = kept.len().saturating_sub(300);
        kept.drain(..drop);
    }
    assert!(stale > 1000 && sound > 1000, "{stale} and {sound}");
}

#[test]
fn obstacles_take_the_same_ground_before_and_after_chunks_come() {
    let baked = baked(6, SMALL, 15.0);
    let mut random = Random(4);
    let mut scratch = Scratch::new();
    let places = baked.places(40);
    let prisms: Vec<Obstacle> = baked
        .places(25)
        .into_iter()
        .map(|[x, y, z]| Obstacle::cylinder([x, z], 0.4, [y - 0.5, y + 1.5]).expect("a cylinder"))
        .collect();
    let mut wanted = baked.loaded();
    for obstacle in &prisms {
        wanted.add(*obstacle).expect("on the grid");
    }
    assert_eq!(wanted.commit().left, 0);
    check(&wanted.nav_mesh());
    let whole = area(baked.loaded().nav_mesh());
    let free = area(wanted.nav_mesh());
    assert!(whole - free > 20.0, "{free} of {whole} m2");
    for _ in 0..10 {
        let mut world = baked.world();
        let mut ids = vec![];
        let mut order: Vec<usize> = (0..baked.chunks.len()).collect();
        for i in 0..order.len() {
            let other = random.below(order.len());
            order.swap(i, other);
        }
        for (k, &i) in order.iter().enumerate() {
            world.insert_chunk(baked.chunks[i].clone()).expect("a chunk");
            if k == order.len() / 2 {
                world.commit();
                ids.extend(prisms.iter().map(|prism| world.add(*prism).expect("on the grid")));
                world.commit();
                check(&world.nav_mesh());
                let gone = baked.chunks[order[0]].key();
                world.remove_chunk(gone).expect("a chunk that is there");
                world.commit();
                check(&world.nav_mesh());
                world.insert_chunk(baked.chunks[order[0]].clone()).expect("a chunk");
            }
            world.commit_some(1);
        }
        world.commit();
        check(&world.nav_mesh());
        assert!((area(world.nav_mesh()) - free).abs() < 1e-6);
        for pair in places.chunks_exact(2) {
            let pair = [pair[0], pair[1]];
            let query = NavQuery::new(world.nav_mesh());
            let [a, b] = pair.map(|place| query.locate(place, 1.0));
            let (Some(a), Some(b)) = (a, b) else { continue };
            let [found, wanted] =
                [&world, &wanted].map(|world| length(world.nav_mesh(), pair, &mut scratch));
            assert_eq!(found.is_some(), wanted.is_some());
            if let Some((found, wanted)) = found.zip(wanted) {
                assert!((found - wanted).abs() < 1e-9 * wanted, "{found} of {wanted}");
                let path = query.find_path(&shortest(pair), &mut scratch).expect("an answer");
                let corners: Vec<[i32; 2]> = path.points.iter().map(|&p| flat(&query, p)).collect();
                let mut at = BTreeSet::from([a.polygon()]);
                for line in corners.windows(2) {
                    at = walk(query.mesh(), &at, line[0], line[1]);
                }
                let ends = walk(query.mesh(), &at, b.point(), b.point());
                assert!(ends.contains(&b.polygon()), "{:?} leaves the mesh", path.points);
            }
        }
        ids.into_iter().for_each(|id| world.remove(id).expect("an obstacle"));
        world.commit();
        assert!((area(world.nav_mesh()) - whole).abs() < 1e-6);
    }
}

#[test]
fn chunks_that_do_not_fit_are_refused() {
    let (one, other) = (baked(3, SMALL, 15.0), baked(6, SMALL, 15.0));
    let mut world = one.world();
    let (chunk, key) = (one.chunks[0].clone(), one.chunks[0].key());
    assert_eq!(world.remove_chunk(key), Err(Error::NotLoaded(key)));
    assert_eq!(world.insert_chunk(chunk.clone()), Ok(()));
    assert_eq!(world.insert_chunk(chunk), Err(Error::Loaded(key)));
    for chunk in &other.chunks {
        let error = world.insert_chunk(chunk.clone());
        assert_eq!(error, Err(Error::OtherWorld(chunk.key())));
    }
    let mut blob = World::new(one.whole.clone());
    assert_eq!(blob.insert_chunk(one.chunks[0].clone()), Err(Error::OtherWorld(key)));
    assert_eq!(blob.remove_chunk(key), Err(Error::NotLoaded(key)));
    assert_eq!(ChunkMesh::new(one.whole.clone()).err(), Some(Error::NoChunk));
    assert_eq!(ChunkMesh::new(one.index.clone()).err(), Some(Error::NoChunk));
    // Another side of chunks is another world.
    let wider = baked(3, SMALL, 40.0);
    let chunk = wider.chunks[0].clone();
    let key = chunk.key();
    assert_eq!(world.insert_chunk(chunk), Err(Error::OtherWorld(key)));
}
