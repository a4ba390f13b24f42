//! Runs the collected levels and the collected bad files, where they are present: in the folder
//! that NAVBAKE_DATA names, else in `../shared/data` beside the workspace. Skips by name where they
//! are not.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use navbake_import::{Import, ImportError, ImportErrorKind, ImportOptions, Nonfinite, read};
use navbake_level::{Scene, Source};
use navbake_testkit::data::data;

/// Files of the four formats below a folder, sorted.
fn levels(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            levels(&path, found);
        } else if path
            .extension()
            .is_some_and(|e| ["obj", "gltf", "glb", "map"].contains(&e.to_str().unwrap_or("")))
        {
            found.push(path);
        }
    }
}

fn scene(import: &Import) -> &Scene {
    match &import.source {
        Source::Scene(scene) => scene,
        Source::Grid(_) => panic!("a grid"),
    }
}

fn check_sound(import: &Import) {
    if let Source::Scene(scene) = &import.source {
        assert_eq!(scene.triangles.len(), scene.triangle_parts.len());
        assert!(scene.triangles.iter().flatten().all(|&i| (i as usize) < scene.vertices.len()));
        assert!(scene.triangle_parts.iter().all(|&p| (p as usize) < scene.parts.len()));
        assert!(scene.vertices.iter().flatten().all(|c| c.is_finite()));
    }
}

fn check_message(error: &ImportError, path: &Path) {
    assert_eq!(error.kind, ImportErrorKind::BadInput, "{error}");
    let text = error.to_string();
    assert!(text.contains(path.to_str().unwrap()), "{text}");
    assert!(!error.place.is_empty(), "no place: {text}");
    assert!(!error.finding.is_empty() && !error.cure.is_empty(), "{text}");
    assert!(!text.contains('\n'), "{text}");
}

#[test]
fn every_bad_file_reads_or_gives_one_message() {
    let Some(data) = data("every_bad_file_reads_or_gives_one_message") else {
        return;
    };
    let mut files = vec![];
    levels(&data.join("bad"), &mut files);
    assert_eq!(files.len(), 203);
    for path in &files {
        let name = path.strip_prefix(&data).unwrap().display().to_string();
        for nonfinite in [Nonfinite::Refuse, Nonfinite::Drop] {
            let options = ImportOptions { nonfinite, ..ImportOptions::default() };
            let start = Instant::now();
            let answer = read(path, &options);
            assert!(start.elapsed() < Duration::from_secs(10), "{name}");
            match &answer {
                Ok(import) => check_sound(import),
                Err(error) => check_message(error, path),
            }
            if nonfinite == Nonfinite::Refuse {
                match &answer {
                    Ok(import) => {
                        let size = match &import.source {
                            Source::Scene(s) => format!("{} triangles", s.triangles.len()),
                            Source::Grid(g) => format!("{} x {} cells", g.width, g.height),
                        };
                        println!("read    {name}: {size}");
                        for w in &import.warnings {
                            println!(
                                "        {}: {} ({})",
                                w.code,
                                w.message,
                                w.place.to_string().rsplit('/').next().unwrap_or("")
                            );
                        }
                    }
                    Err(e) => println!("refused {name}: {}: {}; {}", e.place, e.finding, e.cure),
                }
            }
        }
    }
}

/// Triangle counts as the data's manifest has them.
const LEVELS: [(&str, usize); 23] = [
    ("recast_nav_test.obj", 1612),
    ("recast_dungeon.obj", 10133),
    ("recast_undulating.obj", 5202),
    ("rerecast_dungeon.glb", 10133),
    ("redeclipse_dutility.obj", 8115),
    ("redeclipse_institute.obj", 35376),
    ("tesseract_steelribs.obj", 45904),
    ("sauerbraten_pandora.obj", 60810),
    ("godot_zdm2.glb", 58772),
    ("godot_navigation_level.obj", 138),
    ("navcat_proto_level.glb", 26773),
    ("navcat_bridges.glb", 7158),
    ("castle_engine_castle/castle.gltf", 24614),
    ("dream_apartment_decoded.glb", 177_934),
    ("japanese_bridge_garden_decoded.glb", 21883),
    ("librequake_lqdm5.obj", 21192),
    ("librequake_e1m1.obj", 38373),
    ("gazebo_willowgarage.obj", 13348),
    ("gazebo_parking_garage.obj", 6413),
    ("kaykit_dungeon_instanced.glb", 779_507),
    ("synthetic_tower.obj", 4660),
    ("synthetic_terrain_1m.glb", 1_002_528),
    ("srtm_n57e011_metres_hugecoords.glb", 59202),
];

#[test]
fn levels_have_the_triangles_of_their_manifest() {
    let Some(data) = data("levels_have_the_triangles_of_their_manifest") else {
        return;
    };
    for (name, triangles) in LEVELS {
        let start = Instant::now();
        let import = read(&data.join("meshes").join(name), &ImportOptions::default()).unwrap();
        let seconds = start.elapsed().as_secs_f64();
        check_sound(&import);
        let scene = scene(&import);
        println!(
            "{name}: {seconds:.3} s, {} triangles, {} vertices, {} parts, {} markers, {:?}",
            scene.triangles.len(),
            scene.vertices.len(),
            scene.parts.len(),
            scene.markers.len(),
            import.warnings
        );
        assert_eq!(scene.triangles.len(), triangles, "{name}");
    }
}

#[test]
fn a_level_is_the_same_as_obj_and_as_glb() {
    let Some(data) = data("a_level_is_the_same_as_obj_and_as_glb") else {
        return;
    };
    // The GLB's exporter moved the positions by up to 1.6e-5 m: each is matched to the OBJ's
    // nearest vertex.
    let import =
        |name: &str| read(&data.join("meshes").join(name), &ImportOptions::default()).unwrap();
    let (obj, glb) = (import("recast_dungeon.obj"), import("rerecast_dungeon.glb"));
    let (obj, glb) = (scene(&obj), scene(&glb));
    let nearest = |p: &[f64; 3]| -> usize {
        let off = |q: &[f64; 3]| (0..3).map(|k| (p[k] - q[k]).abs()).fold(0.0, f64::max);
        let best = (0..obj.vertices.len())
            .min_by(|&a, &b| off(&obj.vertices[a]).total_cmp(&off(&obj.vertices[b])))
            .unwrap();
        assert!(off(&obj.vertices[best]) < 2e-5);
        best
    };
    let matched: Vec<usize> = glb.vertices.iter().map(nearest).collect();
    let sorted = |triangles: &mut dyn Iterator<Item = [usize; 3]>| {
        let mut all: Vec<[usize; 3]> = triangles.collect();
        for t in &mut all {
            let least = (0..3).min_by_key(|&k| t[k]).unwrap();
            t.rotate_left(least);
        }
        all.sort_unstable();
        all
    };
    let ours = sorted(&mut obj.triangles.iter().map(|t| t.map(|i| i as usize)));
    let theirs = sorted(&mut glb.triangles.iter().map(|t| t.map(|i| matched[i as usize])));
    assert!(ours == theirs);
}

#[test]
fn all_maps_have_the_free_cells_of_their_manifest() {
    let Some(data) = data("all_maps_have_the_free_cells_of_their_manifest") else {
        return;
    };
    let mut files = vec![];
    levels(&data.join("maps"), &mut files);
    assert_eq!(files.len(), 16);
    let manifest = std::fs::read_to_string(data.join("MANIFEST.md")).unwrap();
    for path in files {
        let import = read(&path, &ImportOptions::default()).unwrap();
        let Source::Grid(map) = &import.source else { panic!("{path:?}") };
        let suite = path.parent().unwrap().file_name().unwrap().to_str().unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let free = map.free.iter().filter(|&&f| f).count();
        let row = format!("| {suite}/{name} | {}x{} | {free} |", map.width, map.height);
        assert!(manifest.contains(&row), "{row}");
    }
}

/// Odd, but sound: these must load, with this many triangles, or cells for maps.
const SOUND: [(&str, usize); 24] = [
    ("gltf_synthetic/syn_ok_reference.glb", 2),
    ("gltf_synthetic/syn_data_uri_ok.gltf", 2),
    ("gltf_synthetic/syn_ext_mesh_gpu_instancing.glb", 6),
    ("gltf_synthetic/syn_matrix_shear.glb", 2),
    ("gltf_synthetic/syn_negative_scale.glb", 2),
    ("gltf_synthetic/syn_no_indices.glb", 1),
    ("gltf_synthetic/syn_no_scene_property.glb", 2),
    ("gltf_synthetic/syn_sparse_no_base.glb", 2),
    ("gltf_synthetic/syn_triangle_strip.glb", 2),
    ("gltf_synthetic/syn_two_scenes_default1.glb", 2),
    ("gltf_synthetic/syn_unlit_and_texture_ext_required.glb", 2),
    ("gltf_rs/box_sparse.glb", 12),
    ("gltf_rs/box_sparse.gltf", 12),
    ("gltf_assimp/simple_skin/simple_skin.gltf", 8),
    ("obj_synthetic/syn_crlf_tabs_bom.obj", 2),
    ("obj_synthetic/syn_line_continuation.obj", 2),
    ("obj_synthetic/syn_negative_indices.obj", 2),
    ("obj_synthetic/syn_ngon_concave.obj", 3),
    ("obj_synthetic/syn_no_final_newline.obj", 2),
    ("obj_assimp/concave_polygon.obj", 64),
    ("tricky_gltf/gltf_transform/ShapeCollection.glb", 3542),
    ("tricky_gltf/gltf_transform/many-cubes.gltf", 6012),
    ("map_synthetic/syn_ok.map", 24),
    ("map_synthetic/syn_crlf.map", 24),
];

/// Unsound: these must be refused, at this place.
const UNSOUND: [(&str, &str); 20] = [
    ("gltf_synthetic/syn_accessor_past_buffer.glb", "/accessors/0"),
    ("gltf_synthetic/syn_data_uri_bad_base64.gltf", "/buffers/0"),
    ("gltf_synthetic/syn_empty.glb", "line 1, column 0"),
    ("gltf_synthetic/syn_external_bin_missing.gltf", "/buffers/0"),
    ("gltf_synthetic/syn_index_out_of_range.glb", "/accessors/1, element 2"),
    ("gltf_synthetic/syn_length_lies_big.glb", "byte 8"),
    ("gltf_synthetic/syn_nan_positions.glb", "/accessors/0, element 2"),
    ("gltf_synthetic/syn_node_cycle.glb", "/nodes/0/children"),
    ("gltf_synthetic/syn_truncated.glb", "byte 8"),
    ("gltf_synthetic/syn_version1.glb", "byte 4"),
    ("gltf_synthetic/syn_wrong_magic.glb", "line 1, column 1"),
    ("obj_synthetic/syn_index_out_of_range.obj", "line 5"),
    ("obj_synthetic/syn_index_zero.obj", "line 5"),
    ("obj_synthetic/syn_nan_inf.obj", "line 2 (vertex 2)"),
    ("obj_synthetic/syn_negative_too_far.obj", "line 5"),
    ("map_synthetic/syn_missing_rows.map", "line 6"),
    ("map_synthetic/syn_no_map_keyword.map", "line 4"),
    ("map_synthetic/syn_short_row.map", "line 6, column 5"),
    ("map_synthetic/syn_unknown_char.map", "line 7, column 3"),
    ("map_synthetic/syn_zero_size.map", "line 2"),
];

#[test]
fn sound_files_load_and_unsound_ones_are_refused_at_their_place() {
    let Some(data) = data("sound_files_load_and_unsound_ones_are_refused_at_their_place") else {
        return;
    };
    let options = ImportOptions::default();
    for (name, size) in SOUND {
        let import = read(&data.join("bad").join(name), &options).unwrap();
        let found = match &import.source {
            Source::Scene(scene) => scene.triangles.len(),
            Source::Grid(map) => map.free.len(),
        };
        assert_eq!(found, size, "{name}");
    }
    for (name, place) in UNSOUND {
        let error = read(&data.join("bad").join(name), &options).unwrap_err();
        assert_eq!(error.place, place, "{name}");
    }
}
