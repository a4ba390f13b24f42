//! The triangles of an OBJ file against the crate `tobj`, which parses it by its own code.

use navbake_import::{Format, ImportOptions, read_bytes};
use navbake_level::Source;
use proptest::prelude::*;

type Corners = [[f64; 3]; 3];

/// The triangles as read by `tobj`, in the order of the file.
fn theirs(text: &str) -> Vec<Corners> {
    let load = |_: &std::path::Path| Err(tobj::LoadError::GenericFailure);
    let options = tobj::LoadOptions::default();
    let (models, _) =
        tobj::load_obj_buf(&mut text.as_bytes(), &options, load).expect("a sound file");
    let of_model = |model: &tobj::Model| -> Vec<Corners> {
        let place = |i: u32| [0, 1, 2].map(|k| model.mesh.positions[3 * i as usize + k]);
        model.mesh.indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]].map(place)).collect()
    };
    models.iter().flat_map(of_model).collect()
}

fn ours(text: &str) -> Vec<Corners> {
    let obj = Format::by_extension("obj").expect("a format");
    let import = read_bytes(text.into(), obj, "a.obj".as_ref(), &ImportOptions::default());
    let Source::Scene(scene) = import.expect("a level").source else { panic!("triangles") };
    scene.triangles.iter().map(|t| t.map(|v| scene.vertices[v as usize])).collect()
}

#[test]
fn both_readers_find_the_same_triangles_of_a_file_of_many_chunks() {
    let mut text = String::new();
    for k in 0..100_000u32 {
        let (x, z) = (f64::from(k % 317) / 7.0, f64::from(k / 317) / 3.0);
        text += &format!("v {x} {:e} {z:.9}\n", f64::from(k) / 11.0);
        match k % 3 {
            _ if k < 320 => {}
            0 => text += "f -1 -2 -318\n",
            1 => text += &format!("o {}\nf {}//1 {}/2/3 {}\n", k % 7, k - 1, k, k + 1),
            _ => text += &format!("g a\nf {} {} {}\n", k, k - 317, k - 3),
        }
    }
    assert!(text.len() > 4 << 20, "{}", text.len());
    let theirs = theirs(&text);
    assert_eq!(theirs.len(), 99_680);
    assert!(ours(&text) == theirs);
}

proptest! {
    #[test]
    fn both_readers_find_the_same_coordinates(
        places in prop::collection::vec(prop::array::uniform3(prop::num::f64::NORMAL), 3..20),
        short in prop::array::uniform3("[-+]?[0-9]{1,20}([.][0-9]{0,20})?([eE]-?[0-9]{1,2})?"),
    ) {
        let mut text = format!("v {}\n", short.join(" "));
        for [x, y, z] in &places {
            text += &format!("v {x} {y:e} {z}\n");
        }
        for k in 3..=places.len() {
            text += &format!("f {} {} {}\n", k - 2, k - 1, k);
        }
        let bits = |all: Vec<Corners>| -> Vec<u64> {
            all.iter().flatten().flatten().map(|c| c.to_bits()).collect()
        };
        prop_assert_eq!(bits(ours(&text)), bits(theirs(&text)));
    }
}
