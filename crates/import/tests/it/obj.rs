//! The traps of OBJ files, each by its promise.

use crate::document::area_up;
use navbake_import::{
    Format, Import, ImportError, ImportErrorKind, ImportOptions, Nonfinite, Up, read_bytes,
};
use navbake_level::{Scene, Source};
use proptest::prelude::*;

fn obj_with(text: impl Into<Vec<u8>>, options: &ImportOptions) -> Result<Import, ImportError> {
    read_bytes(
        text.into(),
        Format::by_extension("obj").unwrap(),
        "folder/level.obj".as_ref(),
        options,
    )
}

fn obj(text: impl Into<Vec<u8>>) -> Result<Import, ImportError> {
    obj_with(text, &ImportOptions::default())
}

fn scene(import: Import) -> Scene {
    match import.source {
        Source::Scene(scene) => scene,
        Source::Grid(_) => panic!("a grid"),
    }
}

fn read(text: &str) -> Scene {
    scene(obj(text).unwrap())
}

/// The message of a refused file, which must name the line.
fn refused(text: &str, place: &str) -> String {
    let error = obj(text).unwrap_err();
    assert_eq!(error.kind, ImportErrorKind::BadInput);
    assert_eq!(error.place, place, "{error}");
    assert!(!error.cure.is_empty());
    let message = error.to_string();
    assert!(message.starts_with(&format!("folder/level.obj, {place}: ")), "{message}");
    message
}

const SQUARE: &str = "v 0 0 0\nv 10 0 0\nv 10 0 10\nv 0 0 10\n";

#[test]
fn a_concave_face_covers_its_area_exactly_once() {
    let scene = read("v 0 0 0\nv 10 0 0\nv 10 0 10\nv 5 0 2\nv 0 0 10\nf 1 5 4 3 2\n");
    assert_eq!(scene.triangles.len(), 3);
    assert_eq!(area_up(&scene), 60.0);
    for t in &scene.triangles {
        let one = Scene { triangles: vec![*t], ..scene.clone() };
        assert!(area_up(&one) > 0.0, "turned over");
    }
}

#[test]
fn negative_indices_count_back_from_their_own_line() {
    let early = format!("{SQUARE}f -4 -1 -2 -3\nv 99 99 99\n");
    assert_eq!(area_up(&read(&early)), 100.0);
    assert!(refused("v 0 0 0\nv 1 0 0\nf -1 -2 -3\nv 1 1 1\n", "line 3").contains("goes back 3"));
}

#[test]
fn a_face_may_name_vertices_of_a_later_object() {
    let text = "o a\nv 0 0 0\nv 0 0 1\nf 1 2 3\no b\nv 1 0 0\nf 3 2 1\n";
    let scene = read(text);
    assert_eq!(scene.triangles.len(), 2);
    assert_eq!(scene.parts[0].node, "a");
    assert_eq!(scene.parts[1].node, "b");
}

#[test]
fn continued_lines_are_joined_and_keep_their_numbers() {
    assert_eq!(area_up(&read(&format!("{SQUARE}f 1 4 \\\n3 \\\r\n2\n"))), 100.0);
    let bad = format!("{SQUARE}f 1 4 \\\n3 2\nf 1 2 7\n");
    refused(&bad, "line 7");
}

#[test]
fn a_comment_or_name_that_ends_in_a_backslash_swallows_nothing() {
    let text = format!("# from C:\\models\\\nmtllib C:\\lib\\\nusemtl a\\\n{SQUARE}f 1 4 3 2\n");
    let scene = read(&text);
    assert_eq!(area_up(&scene), 100.0);
    assert_eq!(scene.parts[0].material, "a\\");
}

#[test]
fn material_names_survive_a_missing_library() {
    let text =
        format!("mtllib none.mtl\n{SQUARE}usemtl  wet floor \nf 1 4 3\nusemtl wall\nf 1 3 2\n");
    let import = obj(text.clone()).unwrap();
    assert!(import.warnings.is_empty(), "{:?}", import.warnings);
    let scene = scene(import);
    let names: Vec<&str> = scene.parts.iter().map(|p| p.material.as_str()).collect();
    assert_eq!(names, ["wet floor", "wall"]);
    assert_eq!(scene.triangle_parts, [0, 1]);
}

#[test]
fn objects_and_groups_make_the_node_path() {
    let text = format!(
        "g alone\n{SQUARE}f 1 4 3\no house\nf 1 4 3\ng roof top\nf 1 3 2\no hut\nf 1 3 2\ng\nf 1 3 2\n"
    );
    let scene = read(&text);
    let names: Vec<&str> = scene.parts.iter().map(|p| p.node.as_str()).collect();
    assert_eq!(names, ["alone", "house", "house/roof top", "hut"]);
    assert_eq!(scene.triangle_parts, [0, 1, 2, 3, 3]);
}

#[test]
fn names_need_not_be_utf8() {
    let text = [SQUARE.as_bytes(), b"usemtl Stra\xdfe\nf 1 4 3 2\n"].concat();
    assert_eq!(scene(obj(text).unwrap()).parts[0].material, "Stra\u{fffd}e");
}

#[test]
fn byte_order_mark_tabs_and_every_line_end_are_read() {
    for end in ["\n", "\r\n", "\r"] {
        let text =
            format!("\u{feff}{SQUARE}f\t1/1/1 4//2  3/ 2 # floor\n  f 1 2 3").replace('\n', end);
        assert_eq!(read(&text).triangles.len(), 3);
    }
}

#[test]
fn full_precision_is_kept_far_from_the_origin() {
    let text =
        "v 600000.123456 0 6400000.654321\nv 600001 0 6400000\nv 600000 0 6400001\nf 1 3 2\n";
    assert_eq!(read(text).vertices[0], [600000.123456, 0.0, 6400000.654321]);
}

#[test]
fn z_up_and_scale_keep_the_front_of_a_face() {
    let options = ImportOptions { up: Up::Z, scale: 0.5, ..ImportOptions::default() };
    // Counter-clockwise seen from +z.
    let text = "v 0 0 1\nv 2 0 1\nv 2 4 1\nf 1 2 3\n";
    let scene = scene(obj_with(text, &options).unwrap());
    assert_eq!(scene.vertices, [[0.0, 0.5, 0.0], [1.0, 0.5, 0.0], [1.0, 0.5, -2.0]]);
    assert_eq!(area_up(&scene), 1.0);
}

#[test]
fn vertices_that_are_not_finite_are_named_or_dropped() {
    for bad in ["nan", "-inf", "1e400", "1.#QNAN", "-1.#IND", "-nan(ind)"] {
        let text = format!("v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 {bad} 1\nf 1 3 2\nf 1 4 3\n");
        let message = refused(&text, "line 4 (vertex 4)");
        assert!(message.contains("finite"), "{message}");
        let options = ImportOptions { nonfinite: Nonfinite::Drop, ..ImportOptions::default() };
        let import = obj_with(text, &options).unwrap();
        assert_eq!(import.warnings.len(), 1, "{:?}", import.warnings);
        assert_eq!(import.warnings[0].code, "nonfinite-vertices");
        assert!(import.warnings[0].place.to_string().contains("line 4"));
        let scene = scene(import);
        assert_eq!(scene.triangles.len(), 1);
        assert!(scene.vertices.iter().flatten().all(|c| c.is_finite()));
    }
}

#[test]
fn an_unused_vertex_that_is_not_finite_is_a_warning() {
    let import = obj(format!("{SQUARE}v nan 0 0\nf 1 4 3 2\n")).unwrap();
    assert_eq!(import.warnings.len(), 1);
    assert!(import.warnings[0].place.to_string().ends_with("line 5"), "{:?}", import.warnings);
}

#[test]
fn wrong_indices_and_numbers_name_their_line() {
    assert!(
        refused(&format!("{SQUARE}f 1 2 9\n"), "line 5").contains("vertex 9, but the file has 4")
    );
    assert!(refused(&format!("{SQUARE}\n#\nf 0 1 2\n"), "line 7").contains("begin at 1"));
    assert!(refused(&format!("{SQUARE}f 1 2 x\n"), "line 5").contains("`x` is not an index"));
    assert!(
        refused(&format!("{SQUARE}f 1 2 99999999999999999999\n"), "line 5")
            .contains("not an index")
    );
    assert!(refused(&format!("{SQUARE}f 1 2 /3\n"), "line 5").contains("`/3`"));
    assert!(refused("v 1,5 2 3\nv 1 1 1\nv 2 2 2\nf 1 2 3\n", "line 1").contains("with a point"));
    assert!(refused("v 1 2 3\nv 1 2\n", "line 2").contains("2 coordinates"));
    for far in ["-99", "-99999999999", "-99999999999999999999"] {
        refused(&format!("{SQUARE}f 1 2 {far}\n"), "line 5");
    }
}

#[test]
fn text_that_is_no_obj_is_refused_as_such() {
    let wide: Vec<u8> = SQUARE.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [vec![0xff, 0xfe], wide.clone()].concat();
    assert!(obj(marked).unwrap_err().to_string().contains("UTF-16"));
    assert!(obj(wide).unwrap_err().to_string().contains("zero byte"));
    assert!(refused("hello there\nwho are you\n", "line 1").contains("no OBJ statement"));
}

#[test]
fn what_is_no_surface_is_left_out_with_a_warning() {
    let text = format!("{SQUARE}l 1 2 3 4\np 1\nf 1 2\nf\ncurv 0 1 1 2\nwhatever 1\nf 1 4 3 2\n");
    let import = obj(text).unwrap();
    let codes: Vec<&str> = import.warnings.iter().map(|w| w.code).collect();
    assert_eq!(
        codes,
        ["face-without-area", "free-form-geometry", "points-and-lines", "unknown-statement"]
    );
    assert!(import.warnings[0].message.contains('2'));
    assert_eq!(scene(import).triangles.len(), 2);
}

#[test]
fn colours_and_weights_behind_a_vertex_do_not_move_it() {
    let text = "v 0 0 0 2\nv 4 0 0 0.5 0.5 0.5\nv 0 0 4 1 1 1 1 9\nf 1 3 2\n";
    assert_eq!(read(text).vertices, [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 0.0, 4.0]]);
}

#[test]
fn a_file_without_faces_is_refused_unless_it_may_be_empty() {
    for text in ["", "# nothing\n", SQUARE] {
        assert!(refused(text, "the whole file").contains("no triangles"));
        let options = ImportOptions { allow_empty: true, ..ImportOptions::default() };
        let import = obj_with(text, &options).unwrap();
        assert_eq!(import.warnings[0].code, "empty-level");
    }
}

#[test]
fn more_triangles_than_allowed_are_refused() {
    let options = ImportOptions { memory: Some(400), ..ImportOptions::default() };
    let error = obj_with(format!("{SQUARE}f 1 4 3 2\n"), &options).unwrap_err();
    assert_eq!(error.kind, navbake_import::ImportErrorKind::Budget);
    assert!(error.to_string().contains("2 triangles"), "{error}");
}

#[test]
fn a_face_of_very_many_corners_ends_soon() {
    // A comb: every other corner is reflex.
    let corners = 15_000;
    let mut text = String::new();
    let mut face = String::from("f");
    for i in 0..corners {
        let z = if i % 2 == 0 { 100 } else { 1 };
        text += &format!("v {i} 0 {z}\n");
        face += &format!(" {}", i + 1);
    }
    text += &format!("v {corners} 0 0\nv 0 0 0\n{face} {} {}\n", corners + 1, corners + 2);
    assert_eq!(read(&text).triangles.len(), corners);
}

/// An OBJ of one face.
fn face(corners: impl IntoIterator<Item = [f64; 3]>) -> String {
    let (mut text, mut face) = (String::new(), String::from("f"));
    for (i, [x, y, z]) in corners.into_iter().enumerate() {
        text += &format!("v {x} {y} {z}\n");
        face += &format!(" {}", i + 1);
    }
    text + &face + "\n"
}

#[test]
fn faces_of_twenty_thousand_corners_end_soon_sound_or_not() {
    let count = 20_000;
    let round = |i: usize, turns: f64, radius: f64| {
        let angle = turns * std::f64::consts::TAU * i as f64 / count as f64;
        [radius * angle.sin(), 0.0, radius * angle.cos()]
    };
    let scattered = |i: usize, m: usize| ((i * i * 7919 + i * 104_729) >> 4) % m;
    let faces = [
        (true, face((0..count).map(|i| round(i, 1.0, 9.0 + (i * 7919 % 97) as f64)))),
        (false, face((0..count).map(|i| round(i, 7.0, 9.0 + (i * 7919 % 97) as f64)))),
        (
            false,
            face((0..count).map(|i| [scattered(i, 101) as f64, 0.0, scattered(i + 1, 103) as f64])),
        ),
        (
            false,
            face((0..count).map(|i| [scattered(i, 5) as f64, 0.0, scattered(i + 1, 7) as f64])),
        ),
    ];
    for (k, (sound, text)) in faces.into_iter().enumerate() {
        let start = std::time::Instant::now();
        let import = obj(text).unwrap();
        assert!(start.elapsed().as_secs() < 10, "{k}");
        assert_eq!(import.warnings.is_empty(), sound, "{k}: {:?}", import.warnings);
        assert_eq!(scene(import).triangles.len(), count - 2);
    }
}

#[test]
fn a_face_of_too_many_corners_is_refused_unless_it_is_convex() {
    let count = 20_002;
    // On a parabola: exact, and every corner turns.
    let convex = (0..count).map(|i| [f64::from(i * i), 0.0, f64::from(i)]);
    assert_eq!(read(&face(convex.clone())).triangles.len(), 20_000);
    let text = face(convex.chain([[5e7, 0.0, 1e4]]));
    let line = format!("line {}", count + 2);
    assert!(refused(&text, &line).contains("not convex"));
}

#[test]
fn a_bent_convex_face_is_the_fan_of_its_first_corner() {
    let scene = read("v 0 0 0\nv 0 0.1 2\nv 2 0 2\nv 2 0 0\nf 2 3 4 1\n");
    let second = scene.vertices.iter().position(|v| v[1] == 0.1).unwrap() as u32;
    assert!(scene.triangles.iter().all(|t| t[0] == second));
}

#[test]
fn a_concave_face_that_names_its_first_corner_again_keeps_its_notch() {
    let import = obj("v 0 0 0\nv 10 0 0\nv 10 0 10\nv 5 0 2\nv 0 0 10\nf 1 5 4 3 2 1\n").unwrap();
    assert!(import.warnings.is_empty(), "{:?}", import.warnings);
    assert_eq!(area_up(&scene(import)), 60.0);
}

#[test]
fn a_face_without_a_good_cut_is_a_fan_and_a_warning_with_its_line() {
    // A bow tie, corners on a line, and one point many times.
    for bad in ["f 1 3 2 4", "f 1 5 2 5", "f 1 1 1 1 1"] {
        let text = format!("{SQUARE}v 5 0 0\nf 1 4 3 2\n# next\n{bad}\nf 1 2 3\n{bad}\n");
        let import = obj(text).unwrap();
        assert_eq!(import.warnings.len(), 1, "{:?}", import.warnings);
        let warning = &import.warnings[0];
        assert_eq!(warning.code, "unsound-faces");
        assert!(warning.message.starts_with("2 faces"), "{warning:?}");
        assert_eq!(warning.place, "folder/level.obj, line 8".into());
        let corners = bad.split(' ').count() - 1;
        assert_eq!(scene(import).triangles.len(), 3 + 2 * (corners - 2));
    }
}

#[test]
fn a_missing_file_is_an_io_error_and_an_unknown_extension_is_not() {
    let options = ImportOptions::default();
    let error = navbake_import::read("no/such/level.obj".as_ref(), &options).unwrap_err();
    assert_eq!(error.kind, ImportErrorKind::Io);
    let error = navbake_import::read("level.fbx".as_ref(), &options).unwrap_err();
    assert_eq!(error.kind, ImportErrorKind::BadInput);
    let folder = tempfile::Builder::new().suffix(".obj").tempdir().unwrap();
    let error = navbake_import::read(folder.path(), &options).unwrap_err();
    assert_eq!(error.kind, ImportErrorKind::Io);
    assert!(error.to_string().contains("folder"));
}

proptest! {
    #[test]
    fn any_face_at_all_gives_two_triangles_fewer_than_corners(points in prop::collection::vec(prop::array::uniform3(-3i8..3), 3..40)) {
        let scene = read(&face(points.iter().map(|p| p.map(f64::from))));
        prop_assert_eq!(scene.triangles.len(), points.len() - 2);
    }

    #[test]
    fn no_text_at_all_panics(text in "([vflog#] ?[-0-9./\\\\ na]{0,12}\n){0,20}") {
        let _ = obj(text);
    }

    #[test]
    fn no_bytes_at_all_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = obj(bytes);
    }
}
