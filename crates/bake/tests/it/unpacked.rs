//! Unpacked files of whole bakes answer as the packed ones: rooms, links, labels, several agents.

use std::fmt::Debug;
use std::path::Path;

use navbake_bake::{Config, Options, bake, bake_file};
use navbake_format::write::{EncodeError, replace_labels, replace_landmarks};
use navbake_format::{Blob, NavMesh};
use navbake_import::ImportOptions;
use navbake_search::around::Random;
use navbake_search::{NavQuery, QueryFilter};
use navbake_testkit::asking::Asking;
use navbake_testkit::data::{data, fixture};

/// More nodes than any of these levels needs.
const NODES: usize = 1 << 20;

fn baked(level: &Path, config: &str) -> Vec<u8> {
    let source = navbake_import::read(level, &ImportOptions::default()).unwrap().source;
    bake(source, &Config::parse(config).unwrap(), &Options::default()).unwrap().bytes
}

/// A castle with three agents, and links with and without a switch between random places.
fn castle() -> Vec<u8> {
    let level = fixture("rooms/castle.obj");
    let mut config = String::from(
        "seeds = [[5.0, 0.0, 5.0]]\n[rooms]\nenabled = true\n[rooms.doors]\ngate = [13, 0, 18]\n",
    );
    config += "[tables]\nbudget = \"labels\"\n";
    for radius in [0.4, 0.3, 0.52] {
        config += &format!(
            "[[agent]]\nname = \"r{radius}\"\nradius = {radius}\nheight = 1.8\nclimb = 0.4\n"
        );
    }
    let bytes = baked(&level, &config);
    let blob = Blob::open_checked(&bytes).unwrap();
    // Of the widest agent: the others have ground there too.
    let nav = blob.decode(2).unwrap();
    let query = NavQuery::new(nav.mesh());
    let mut sums = vec![0; query.mesh().polygon_count() as usize];
    let areas = query.areas(&mut sums).unwrap();
    let mut random = Random::new(4);
    for number in 0..12 {
        let [from, to] = [(); 2]
            .map(|()| query.random_place(&areas, &mut random).unwrap())
            .map(|place| place.position());
        config += &format!("[[link]]\nname = \"l{number}\"\nfrom = {from:?}\nto = {to:?}\n");
        config += ["cost = 2.0\n", "switch = \"s\"\n", "two_way = true\n"][number % 3];
    }
    baked(&level, &config)
}

/// All answers of a mesh, with everything open and with the first switch closed.
fn answers(mesh: NavMesh<'_>, rounds: usize, asking: &mut Asking) -> Vec<String> {
    let mut all = Vec::new();
    let mut filter = QueryFilter::new();
    for closed in [0, 1] {
        filter.set_blocked(&mesh, &[closed], 0).unwrap();
        let query = NavQuery::new(mesh).with_filter(&filter);
        let mut note = |answer: &dyn Debug| all.push(format!("{answer:?}"));
        asking.all(&query, rounds, &mut Random::new(8), &mut note);
    }
    all
}

/// Asks the same of a packed file, decoded, and of the unpacked one, in place.
fn compare(name: &str, packed: &[u8], rounds: usize) -> Asking {
    let packed = Blob::open_checked(packed).unwrap();
    let bytes = packed.unpack().unwrap();
    let plain = Blob::open_checked(&bytes).unwrap();
    plain.blob().verify_checksum().unwrap();
    let mut asking = Asking::bounded(NODES);
    for class in 0..packed.class_count() {
        let nav = packed.decode(class).unwrap();
        assert_eq!(plain.decode(class).unwrap(), nav, "{name}");
        let decoded = answers(nav.mesh(), rounds, &mut asking);
        let in_place = answers(plain.mesh(class).unwrap(), rounds, &mut asking);
        assert_eq!(decoded.len(), in_place.len(), "{name}");
        for (decoded, in_place) in decoded.iter().zip(&in_place) {
            assert_eq!(decoded, in_place, "{name}, class {class}");
        }
    }
    println!("{name}: reached {:?}, {} over links", asking.reached, asking.linked);
    asking
}

#[test]
fn an_unpacked_file_with_rooms_links_and_labels_answers_as_the_packed_one() {
    let bytes = castle();
    let blob = Blob::open_checked(&bytes).unwrap();
    for class in 0..3 {
        let nav = blob.decode(class).unwrap();
        let mesh = nav.mesh();
        assert!(mesh.labels().is_some() && mesh.rooms().is_some_and(|rooms| rooms.has_ways()));
        assert!(mesh.link_count() > 12 && !mesh.room_links().is_empty());
    }
    let asking = compare("castle", &bytes, 20);
    assert!(asking.reached.iter().all(|&n| n > 40) && asking.linked > 20);
}

#[test]
fn damaged_unpacked_files_with_rooms_links_and_labels_are_refused_or_harmless() {
    let bytes = castle();
    let bytes = Blob::open_checked(&bytes).unwrap().unpack().unwrap();
    let sections: Vec<_> = Blob::open(&bytes).unwrap().sections().collect();
    let mut random = Random::new(21);
    let (mut asking, mut passed, mut tried) = (Asking::bounded(2000), 0, 0);
    for section in sections.iter().cycle().take(30 * sections.len()) {
        let mut damaged = bytes.clone();
        for _ in 0..=random.below(2) {
            // Small sections are damaged as often as large ones.
            let at = section.offset + random.below(section.len());
            damaged[at as usize] ^= 1 << random.below(8);
        }
        tried += 1;
        let Ok(checked) = Blob::open_checked(&damaged) else {
            continue;
        };
        passed += 1;
        let mesh = checked.mesh(section.class).unwrap();
        asking.all(&NavQuery::new(mesh), 1, &mut random, &mut |_| {});
    }
    println!("{passed} of {tried} passed, reached {:?}", asking.reached);
    assert!(passed > 50 && passed < tried);
}

#[test]
fn labels_and_landmarks_of_an_unpacked_file_are_not_replaced() {
    let config = "[[agent]]\nradius = 0.4\n[tables]\nbudget = \"labels\"\nlandmarks = \"always\"\n";
    let packed = baked(&fixture("rooms/office.obj"), config);
    let bytes = Blob::open_checked(&packed).unwrap().unpack().unwrap();
    for bare in [replace_labels(&bytes, &[]), replace_landmarks(&bytes, &[])] {
        assert_eq!(bare, Err(EncodeError::Unpacked));
    }
    assert!(replace_labels(&packed, &[]).is_ok() && replace_landmarks(&packed, &[]).is_ok());
}

#[test]
fn unpacked_files_of_real_levels_answer_as_the_packed_ones() {
    let Some(data) = data("unpacked_files_of_real_levels_answer_as_the_packed_ones") else {
        return;
    };
    for (name, config) in [
        ("meshes/recast_dungeon.obj", "[rooms]\nenabled = true\n[tables]\nbudget = \"labels\"\n"),
        ("maps/dao/lak110d.map", "[rooms]\nenabled = true\n[tables]\nbudget = \"labels\"\n"),
    ] {
        let path = data.join(name);
        if !path.is_file() {
            eprintln!("unpacked_files_of_real_levels_answer_as_the_packed_ones: {name} skipped");
            continue;
        }
        let config = Config::parse(config).unwrap();
        let baked = bake_file(&path, &config, &Options::default()).unwrap();
        let asking = compare(name, &baked.bytes, 60);
        assert!(asking.reached.iter().all(|&n| n > 100), "{name}: {:?}", asking.reached);
    }
}
