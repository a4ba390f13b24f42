//! Worlds in chunks: an index, and a file a chunk.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use navbake_bake::world_files::{chunk_folder, chunk_path};
use navbake_bake::{BakeInput, Config, Options};
use navbake_format::{Blob, FarLink, Link, LinkKind, NavMeshBuf};

use crate::worlds::world;

const CONFIG: &str = "cell = 0.06\n";

fn options(chunk: f64, threads: usize) -> Options<'static> {
    Options { chunk: Some(chunk), threads, ..Options::default() }
}

fn input(path: &Path, config: &str) -> BakeInput {
    BakeInput::open_to_bake(path, &Config::parse(config).unwrap()).unwrap()
}

/// The files of a world by name.
fn files(index: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::from([("index".to_owned(), fs::read(index).unwrap())]);
    for entry in fs::read_dir(chunk_folder(index)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        all.insert(name, fs::read(entry.path()).unwrap());
    }
    all
}

#[test]
fn a_world_in_chunks_has_the_same_bytes_for_any_threads() {
    let (folder, path) = world(15);
    let mut before = None;
    for threads in [1, 2, 7] {
        let index = folder.path().join(format!("{threads}/world.navw"));
        input(&path, CONFIG).bake_world(&index, &options(1.0, threads)).unwrap();
        let found = files(&index);
        assert!(found.len() > 9, "{} files", found.len());
        assert_eq!(*before.get_or_insert_with(|| found.clone()), found);
    }
}

#[test]
fn each_chunk_is_a_blob_of_its_own_within_its_sides() {
    let (folder, path) = world(15);
    let index = folder.path().join("world.navw");
    let agents = "[[agent]]\nradius = 0.4\n[[agent]]\nname = \"wide\"\nradius = 0.9\n";
    let config = format!("cell = 0.06\n{agents}");
    let baked = input(&path, &config).bake_world(&index, &options(40.0, 0)).unwrap();
    let bytes = fs::read(&index).unwrap();
    assert_eq!(bytes, baked.bytes);
    let blob = Blob::open_checked(&bytes).unwrap();
    assert_eq!(blob.agents().map(|a| a.name.to_owned()).collect::<Vec<_>>(), ["default", "wide"]);
    let chunks: Vec<_> = blob.chunks().iter().collect();
    assert!(chunks.len() > 3);
    let (mut polygons, mut area) = (0, 0.0);
    for chunk in &chunks {
        let bytes = fs::read(chunk_path(&index, chunk)).unwrap();
        assert_eq!(
            (bytes.len() as u64, *blake3::hash(&bytes).as_bytes()),
            (chunk.bytes, chunk.hash)
        );
        let own = Blob::open_checked(&bytes).unwrap();
        assert!(own.chunks().len() == 1 && chunk.is_of(&own.chunks().at(0)));
        for class in 0..own.class_count() {
            let nav = own.decode(class).unwrap();
            let mesh = nav.mesh();
            polygons += u64::from(mesh.polygon_count());
            for polygon in mesh.polygons() {
                for k in 0..polygon.len() {
                    let [x, z] = polygon.corner(k);
                    for (c, key) in [(x, chunk.key[0]), (z, chunk.key[1])] {
                        let side = chunk.side as i32;
                        assert!(key * side <= c && c <= (key + 1) * side);
                    }
                }
                area += (1..polygon.len() - 1)
                    .map(|k| {
                        let [a, b, c] = [0, k, k + 1].map(|k| polygon.corner(k));
                        navbake_format::exact::orient(a, b, c) as f64
                    })
                    .sum::<f64>();
            }
        }
    }
    assert_eq!(polygons, baked.summary.polygons);
    let units = blob.header().grid.units();
    assert!((area / 2.0 / units / units - baked.summary.area_m2).abs() < 1e-6);
}

#[test]
fn every_seam_has_the_same_integers_on_both_sides() {
    let (folder, path) = world(15);
    let index = folder.path().join("world.navw");
    input(&path, CONFIG).bake_world(&index, &options(1.0, 0)).unwrap();
    let bytes = fs::read(&index).unwrap();
    let mut seams = BTreeMap::new();
    for chunk in Blob::open_checked(&bytes).unwrap().chunks().iter() {
        let nav = NavMeshBuf::open(&fs::read(chunk_path(&index, &chunk)).unwrap()).unwrap();
        for seam in nav.mesh().seams().iter() {
            let place = (chunk.key, seam.beyond, seam.from, seam.to, seam.heights);
            assert!(seams.insert(place, seam.twin()).is_none(), "two seams at {place:?}");
        }
    }
    assert!(seams.len() > 100);
    for ((own, beyond, ..), (from, to, heights)) in &seams {
        assert!(seams.contains_key(&(*beyond, *own, *from, *to, *heights)));
    }
}

#[test]
fn a_world_is_up_to_date_until_a_file_a_setting_or_a_side_changes() {
    let (folder, path) = world(6);
    let index = folder.path().join("world.navw");
    let own = input(&path, CONFIG);
    assert!(!own.world_up_to_date(&index, &options(15.0, 0)));
    own.bake_world(&index, &options(15.0, 0)).unwrap();
    assert!(own.world_up_to_date(&index, &options(15.0, 0)));
    assert!(!own.world_up_to_date(&index, &options(40.0, 0)));
    let other = input(&path, "cell = 0.06\nheight_error = 0.2\n");
    assert!(!other.world_up_to_date(&index, &options(15.0, 0)));
    let bytes = fs::read(&index).unwrap();
    let chunk = Blob::open_checked(&bytes).unwrap().chunks().at(0);
    let damaged = chunk_path(&index, &chunk);
    let mut bytes = fs::read(&damaged).unwrap();
    bytes[50] ^= 1;
    fs::write(&damaged, &bytes).unwrap();
    assert!(!own.world_up_to_date(&index, &options(15.0, 0)));
    fs::remove_file(&damaged).unwrap();
    assert!(!own.world_up_to_date(&index, &options(15.0, 0)));
    own.bake_world(&index, &options(15.0, 0)).unwrap();
    assert!(own.world_up_to_date(&index, &options(15.0, 0)));
}

#[test]
fn a_second_bake_removes_what_is_old_and_leaves_files_of_others() {
    let (folder, path) = world(6);
    let index = folder.path().join("world.navw");
    input(&path, CONFIG).bake_world(&index, &options(1.0, 0)).unwrap();
    let before = files(&index);
    let mine = chunk_folder(&index).join("mine.nav");
    fs::write(&mine, "mine").unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let moved = text.replacen("translate = [0, 0, 0]", "translate = [-0.7, 0, 0]", 1);
    assert_ne!(text, moved);
    fs::write(&path, moved).unwrap();
    let config = "cell = 0.06\norigin = [0, 0, 0]\n";
    input(&path, config).bake_world(&index, &options(1.0, 0)).unwrap();
    let mut after = files(&index);
    assert_eq!(after.remove("mine.nav").as_deref(), Some(&b"mine"[..]));
    let blob = Blob::open_checked(&after["index"]).unwrap();
    let named: Vec<String> = blob.chunks().iter().map(|chunk| chunk.file_name()).collect();
    assert_eq!(named.len(), after.len() - 1);
    assert!(named.iter().all(|name| after.contains_key(name)));
    assert!(before.keys().any(|name| !after.contains_key(name)));
}

#[test]
fn a_failed_bake_leaves_the_world_as_it_was() {
    let (folder, path) = world(6);
    let index = folder.path().join("world.navw");
    input(&path, CONFIG).bake_world(&index, &options(15.0, 0)).unwrap();
    let before = files(&index);
    let other = input(&path, "cell = 0.06\nheight_error = 0.2\n");
    let mut count = 0;
    let mut take = |_| {
        count += 1;
        match count {
            3 => Err(navbake_bake::BakeError::Stopped),
            _ => Ok(()),
        }
    };
    let error = other.bake_chunks(&options(15.0, 0), &mut take).unwrap_err();
    assert!(matches!(error, navbake_bake::BakeError::Stopped));
    // An index that cannot be written.
    fs::rename(&index, folder.path().join("kept")).unwrap();
    fs::create_dir(&index).unwrap();
    assert_eq!(other.bake_world(&index, &options(15.0, 0)).unwrap_err().exit_code(), 4);
    fs::remove_dir(&index).unwrap();
    fs::rename(folder.path().join("kept"), &index).unwrap();
    assert_eq!(files(&index), before);
}

/// What a link is, whatever its polygons have as numbers.
type Terms = (LinkKind, [i32; 2], [i32; 2], u32, u64);

#[test]
fn a_world_in_chunks_has_the_links_of_one_blob() {
    let path = navbake_testkit::data::fixture("terraces").join("terraces.obj");
    let config = fs::read_to_string(path.with_file_name("bake.toml")).unwrap();
    let drawn = "[[link]]\nfrom = [40.0, 0.0, 20.0]\nto = [43.0, 3.0, 6.0]\n";
    let config = format!("cell = 0.06\n{config}{drawn}[tables]\nbudget = \"none\"\n");
    let folder = tempfile::tempdir().unwrap();
    let index = folder.path().join("world.navw");
    let level = input(&path, &config);
    level.bake_world(&index, &options(15.0, 0)).unwrap();
    let whole = level.bake(&Options::default()).unwrap();
    let whole = Blob::open_checked(&whole.bytes).unwrap();
    for class in 0..whole.class_count() {
        let mesh = whole.decode(class).unwrap();
        let wanted: Vec<Terms> = terms(&mesh).collect();
        let (mut found, mut ends) = (vec![], BTreeMap::<u32, Vec<FarLink<'_>>>::new());
        let mut files = files(&index);
        let config_of = |bytes: &[u8]| {
            let blob = Blob::open_checked(bytes).unwrap();
            Config::from_brief(blob.config()).unwrap()
        };
        let of_index = config_of(&files.remove("index").unwrap());
        assert_eq!(of_index.links.len(), 1);
        let without = Config { links: vec![], ..of_index };
        assert!(files.values().all(|bytes| config_of(bytes) == without));
        let files: Vec<Vec<u8>> = files.into_values().collect();
        let chunks: Vec<NavMeshBuf> = files
            .iter()
            .map(|bytes| Blob::open_checked(bytes).unwrap().decode(class).unwrap())
            .collect();
        for chunk in &chunks {
            found.extend(terms(chunk));
            for far in chunk.mesh().far_links() {
                ends.entry(far.number).or_default().push(far);
            }
        }
        for mut both in ends.into_values() {
            both.sort_by_key(|far| far.ends_here);
            let [from, to] = both[..] else { panic!("{} ends of one link", both.len()) };
            assert!(!from.ends_here && to.ends_here);
            let link = Link { to: to.link.to, ..from.link };
            found.push((link.kind, link.from, link.to, link.agents, link.cost.to_bits()));
        }
        // A side of a chunk cuts edges of the border in two, each with drops of its own: they may
        // begin elsewhere along such an edge, at most 6 m away, and lead as far.
        let is_like = |a: &Terms, b: &Terms| {
            let by = |[x, z]: [i32; 2], [to_x, to_z]: [i32; 2]| [to_x - x, to_z - z];
            let ([x, z], off) = (by(a.1, b.1), by(a.1, a.2));
            let along = x * off[0] + z * off[1] == 0 && x.abs() + z.abs() <= 6 * 1024;
            a.0 == b.0 && off == by(b.1, b.2) && along && (a.3, a.4) == (b.3, b.4)
        };
        for (own, others) in [(&found, &wanted), (&wanted, &found)] {
            for link in own {
                assert!(others.iter().any(|other| is_like(link, other)), "{link:?}");
            }
        }
        let same = found.iter().filter(|link| wanted.contains(link)).count();
        assert!(10 * same >= 8 * wanted.len(), "{same} of {} are the same", wanted.len());
    }
    assert!(whole.decode(0).unwrap().mesh().link_count() > 20);
}

fn terms(mesh: &NavMeshBuf) -> impl Iterator<Item = Terms> {
    let mesh = mesh.mesh();
    let all = (0..mesh.link_count()).filter_map(move |number| mesh.link(number));
    all.map(|link| (link.kind, link.from, link.to, link.agents, link.cost.to_bits()))
}

#[test]
fn what_chunks_cannot_have_is_refused_with_its_name() {
    let (folder, path) = world(3);
    let index = folder.path().join("world.navw");
    for (config, what) in [
        ("tables.budget = \"labels\"\n", "tables"),
        ("tables.budget = \"4MiB\"\n", "tables"),
        ("surface = \"floor\"\n", "`surface"),
        ("sources = true\n", "`sources`"),
    ] {
        let error = input(&path, config).bake_world(&index, &options(15.0, 0)).unwrap_err();
        let text = error.to_string();
        assert!(text.contains(what) && text.contains(".navw"), "{text}");
        assert_eq!(error.exit_code(), 3);
    }
    assert!(!index.exists() && !chunk_folder(&index).exists());
}
