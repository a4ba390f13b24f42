//! Nodes, accessors and primitives of glTF files, each trap by its promise.

use crate::document;
use crate::document::{File, area_up, bounds, codes, scene};
use navbake_import::{ImportOptions, Nonfinite, Up};
use serde_json::{Value, json};

#[test]
fn a_mirroring_node_keeps_the_floor_facing_up() {
    for (scale, facing) in [
        ([-1., 1., 1.], 1.0),
        ([1., -1., 1.], -1.0),
        ([-1., 1., -1.], 1.0),
        ([-1., -1., -1.], -1.0),
    ] {
        let mut file = File::square();
        file.json["nodes"][0]["scale"] = json!(scale);
        assert_eq!(area_up(&file.scene()), 100.0 * facing, "{scale:?}");
    }
}

#[test]
fn nested_nodes_compose_and_name_their_path() {
    let mut file = File::square();
    file.json["nodes"] = json!([
        {"name": "level", "translation": [100, 0, 0], "children": [1]},
        {"scale": [2, 2, 2], "children": [2]},
        {"name": "hall", "rotation": [0, 1, 0, 0], "children": [3]},
        {"name": "floor", "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,5,0,1], "mesh": 0},
    ]);
    let scene = file.scene();
    assert_eq!(scene.parts[0].node, "level/hall/floor");
    assert_eq!(bounds(&scene), [[80.0, 10.0, -20.0], [100.0, 10.0, 0.0]]);
    assert_eq!(area_up(&scene), 400.0);
}

#[test]
fn a_mesh_is_placed_as_often_as_nodes_use_it() {
    let mut file = File::square();
    file.json["scenes"][0]["nodes"] = json!([0, 1, 2]);
    file.node(json!({"mesh": 0, "translation": [20, 0, 0], "name": "b"}));
    file.node(json!({"mesh": 0, "translation": [40, 0, 0], "name": "b"}));
    let scene = file.scene();
    assert_eq!(area_up(&scene), 300.0);
    assert_eq!(scene.parts.len(), 2);
    assert_eq!(scene.vertices.len(), 12);
}

#[test]
fn a_chain_of_fifty_thousand_nodes_is_read_without_overflow() {
    let mut file = File::square();
    let deep = 50_000;
    let mut nodes: Vec<Value> = (1..=deep)
        .map(|i| json!({"children": [i], "name": "n", "translation": [1, 0, 0]}))
        .collect();
    nodes.push(json!({"mesh": 0}));
    file.json["nodes"] = Value::Array(nodes);
    let scene = file.scene();
    assert_eq!(bounds(&scene)[0][0], f64::from(deep));
    assert!(scene.parts[0].node.len() < 5000);
    // And all of them a circle.
    file.json["nodes"][deep as usize] = json!({"children": [0]});
    assert!(file.refused("/nodes/0/children").contains("circle"));
}

#[test]
fn node_circles_and_second_parents_are_errors() {
    let mut file = File::square();
    file.json["nodes"] = json!([{"mesh": 0}, {"children": [2]}, {"children": [1]}]);
    assert!(file.refused("/nodes/1/children").contains("1, 2"));
    file.json["nodes"] = json!([{"mesh": 0, "children": [0]}]);
    file.refused("/nodes/0/children");
    file.json["nodes"] = json!([{"children": [1, 2]}, {"children": [2]}, {"mesh": 0}]);
    file.refused("/nodes/1/children/0");
}

#[test]
fn an_index_past_the_positions_is_an_error() {
    let mut file = File::square();
    let indices = file.indices(&[0, 1, 4]);
    file.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    assert!(file.refused(&format!("/accessors/{indices}, element 2")).contains("4 positions"));
}

#[test]
fn geometry_that_cannot_be_read_is_never_left_out_silently() {
    let mut file = File::square();
    file.json["meshes"][0]["primitives"][0]["attributes"] = json!({});
    file.refused("/meshes/0/primitives/0/attributes");
    let mut file = File::square();
    file.json["accessors"][0]["componentType"] = json!(5125);
    file.refused("/accessors/0");
    let mut file = File::square();
    file.json["accessors"][0]["type"] = json!("VEC2");
    file.refused("/accessors/0");
    let mut file = File::square();
    file.json["accessors"][1]["componentType"] = json!(5126);
    file.refused("/accessors/1");
    let mut file = File::square();
    file.json["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    let import = file.read().unwrap();
    assert_eq!(codes(&import), ["accessor-without-view"]);
    assert!(document::scene(import).vertices.iter().flatten().all(|c| *c == 0.0));
}

#[test]
fn strips_fans_and_plain_corners_are_triangles() {
    let corners = [0., 0., 0., 0., 0., 10., 10., 0., 0., 10., 0., 10.];
    let mut file = File::new();
    let positions = file.floats("VEC3", &corners);
    file.mesh(json!({"attributes": {"POSITION": positions}, "mode": 5}));
    file.node(json!({"mesh": 0}));
    assert_eq!(area_up(&file.scene()), 100.0);
    // Strips are joined by repeated corners.
    let indices = file.indices(&[0, 1, 2, 3, 3, 0, 0, 1, 2, 3]);
    file.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    let scene = file.scene();
    assert_eq!((area_up(&scene), scene.triangles.len()), (200.0, 4));

    let fan = file.indices(&[0, 1, 3, 2]);
    file.json["meshes"][0]["primitives"][0] =
        json!({"attributes": {"POSITION": positions}, "mode": 6, "indices": fan});
    assert_eq!(area_up(&file.scene()), 100.0);
    file.json["meshes"][0]["primitives"][0] = json!({"attributes": {"POSITION": positions}});
    let import = file.read().unwrap();
    assert_eq!(codes(&import), ["incomplete-triangle"]);
    assert_eq!(area_up(&document::scene(import)), 50.0);
}

#[test]
fn points_and_lines_are_left_out_with_a_warning() {
    let mut file = File::square();
    let points = json!({"attributes": {"POSITION": 0}, "mode": 0});
    file.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(points);
    let import = file.read().unwrap();
    assert_eq!(codes(&import), ["points-and-lines"]);
    assert_eq!(area_up(&scene(import)), 100.0);
}

#[test]
fn sparse_accessors_are_read_with_and_without_a_base() {
    let mut file = File::square();
    let places = file.view(&[0u16, 3].map(u16::to_le_bytes).concat());
    let values = file.view(&[-10f32, 0., 0., 10., 0., 5.].map(f32::to_le_bytes).concat());
    let sparse = json!({"count": 2, "indices": {"bufferView": places, "componentType": 5123}, "values": {"bufferView": values}});
    file.json["accessors"][0]["sparse"] = sparse.clone();
    let scene = file.scene();
    assert_eq!(scene.vertices, [[-10., 0., 0.], [0., 0., 10.], [10., 0., 10.], [10., 0., 5.]]);

    file.json["accessors"][0] =
        json!({"componentType": 5126, "count": 4, "type": "VEC3", "sparse": sparse});
    let scene = file.scene();
    assert_eq!(scene.vertices, [[-10., 0., 0.], [0.; 3], [0.; 3], [10., 0., 5.]]);

    file.json["accessors"][0]["sparse"]["count"] = json!(5);
    file.refused("/accessors/0/sparse/count");
    file.json["accessors"][0]["sparse"]["count"] = json!(3);
    file.refused("/accessors/0/sparse/indices");
    let falling = file.view(&[3u16, 0].map(u16::to_le_bytes).concat());
    file.json["accessors"][0]["sparse"]["count"] = json!(2);
    file.json["accessors"][0]["sparse"]["indices"]["bufferView"] = json!(falling);
    file.refused("/accessors/0/sparse/indices");
}

#[test]
fn interleaved_attributes_are_read_by_their_stride() {
    let mut file = File::new();
    let mut bytes = vec![];
    for p in [[0f32, 0., 0.], [0., 0., 10.], [10., 0., 0.]] {
        bytes.extend(p.iter().chain(&[9., 9., 9.]).flat_map(|v| v.to_le_bytes()));
    }
    let view = file.view(&bytes);
    file.json["bufferViews"][view]["byteStride"] = json!(24);
    file.push(
        "accessors",
        json!({"bufferView": view, "componentType": 5126, "count": 3, "type": "VEC3"}),
    );
    file.mesh(json!({"attributes": {"POSITION": 0}}));
    file.node(json!({"mesh": 0}));
    assert_eq!(area_up(&file.scene()), 50.0);
    file.json["bufferViews"][view]["byteStride"] = json!(8);
    file.refused("/bufferViews/0/byteStride");
    file.json["bufferViews"][view]["byteStride"] = json!(32);
    file.refused("/accessors/0");
}

#[test]
fn quantized_positions_are_read_normalized_or_not() {
    let cases: [(u32, bool, Vec<u8>, f64); 4] = [
        (
            5122,
            false,
            [0i16, 0, 0, 0, 0, 0, 100, 0, 100, 0, 0, 0].map(i16::to_le_bytes).concat(),
            100.0,
        ),
        (
            5122,
            true,
            [0i16, 0, 0, 0, 0, 0, 32767, 0, 32767, 0, 0, 0].map(i16::to_le_bytes).concat(),
            1.0,
        ),
        (5121, true, vec![0, 0, 0, 0, 0, 0, 255, 0, 255, 0, 0, 0], 1.0),
        (5120, true, [0i8, 0, 0, 0, 0, 0, -127i8, 0, -127, 0, 0, 0].map(|v| v as u8).to_vec(), 1.0),
    ];
    for (kind, normalized, bytes, size) in cases {
        let mut file = File::new();
        let view = file.view(&bytes);
        let stride = bytes.len() / 3;
        file.json["bufferViews"][view]["byteStride"] = json!(stride);
        file.push("accessors", json!({"bufferView": view, "componentType": kind, "count": 3, "type": "VEC3", "normalized": normalized}));
        file.mesh(json!({"attributes": {"POSITION": 0}}));
        file.node(json!({"mesh": 0}));
        file.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
        let scene = file.scene();
        let [least, greatest] = bounds(&scene);
        assert_eq!(greatest[2] - least[2], size, "{kind}");
        assert_eq!(area_up(&scene).abs(), size * size / 2.0, "{kind}");
    }
}

#[test]
fn gpu_instances_are_placed_below_their_node() {
    let mut file = File::square();
    let translation = file.floats("VEC3", &[0., 0., 0., 20., 0., 0., 40., 0., 0.]);
    let scale = file.floats("VEC3", &[1., 1., 1., 2., 1., 1., -1., 1., 1.]);
    let attributes = json!({"TRANSLATION": translation, "SCALE": scale});
    file.json["nodes"][0]["extensions"] =
        json!({"EXT_mesh_gpu_instancing": {"attributes": attributes}});
    file.json["nodes"][0]["translation"] = json!([0, 7, 0]);
    file.json["extensionsRequired"] = json!(["EXT_mesh_gpu_instancing"]);
    let scene = file.scene();
    assert_eq!(area_up(&scene), 400.0);
    assert_eq!(bounds(&scene), [[0.0, 7.0, 0.0], [40.0, 7.0, 10.0]]);

    let at = "/nodes/0/extensions/EXT_mesh_gpu_instancing/attributes";
    let short = file.floats("VEC3", &[1., 1., 1.]);
    file.json.pointer_mut(at).unwrap()["SCALE"] = json!(short);
    assert!(file.refused(at).contains("one length"));
    *file.json.pointer_mut(at).unwrap() = json!({"TRANSLATION": 99});
    file.refused(at);
    *file.json.pointer_mut(at).unwrap() = json!({});
    file.refused(at);
}

#[test]
fn the_default_scene_is_read_or_the_first_or_all_roots() {
    let mut file = File::square();
    file.node(json!({"mesh": 0, "translation": [50, 0, 0]}));
    file.json["scenes"] = json!([{"nodes": [0]}, {"nodes": [1]}]);
    let left = |file: &File| bounds(&file.scene())[0][0];
    file.json["scene"] = json!(1);
    assert_eq!(left(&file), 50.0);
    file.json.as_object_mut().unwrap().remove("scene");
    assert_eq!(left(&file), 0.0);
    assert_eq!(area_up(&file.scene()), 100.0);
    file.json.as_object_mut().unwrap().remove("scenes");
    assert_eq!(area_up(&file.scene()), 200.0);
}

#[test]
fn a_scene_that_lists_a_child_reads_it_once() {
    let mut file = File::square();
    file.json["nodes"] = json!([{"mesh": 0, "translation": [5, 0, 0]}, {"children": [0], "translation": [100, 0, 0]}]);
    file.json["scenes"][0]["nodes"] = json!([0, 1, 1]);
    let import = file.read().unwrap();
    assert_eq!(codes(&import), ["scene-lists-child"]);
    let both = scene(import);
    assert_eq!((area_up(&both), bounds(&both)[0][0]), (100.0, 105.0));
    file.json["scenes"][0]["nodes"] = json!([0]);
    assert_eq!(bounds(&file.scene())[0][0], 5.0);
}

#[test]
fn named_empty_leaves_are_markers_in_world_metres() {
    let mut file = File::square();
    file.json["nodes"] = json!([
        {"mesh": 0, "name": "floor"},
        {"name": "spawns", "translation": [1, 2, 3], "children": [2, 3]},
        {"name": "spawn_red", "translation": [10, 0, 0]},
        {},
        {"name": "eye", "camera": 0},
        {"name": "bone"},
        {"name": "lamp", "extensions": {"KHR_lights_punctual": {"light": 0}}},
        {"name": "elsewhere"},
    ]);
    file.json["skins"] = json!([{"joints": [5]}]);
    file.json["scenes"][0]["nodes"] = json!([0, 1, 4, 5, 6]);
    let options = ImportOptions { up: Up::Z, scale: 2.0, ..ImportOptions::default() };
    let scene = scene(file.read_with(&options).unwrap());
    assert_eq!(scene.markers.len(), 1);
    assert_eq!(scene.markers[0].name, "spawn_red");
    assert_eq!(scene.markers[0].position, [22.0, 6.0, -4.0]);
}

#[test]
fn node_positions_keep_64_bits() {
    let mut file = File::square();
    file.json["nodes"][0]["translation"] = json!([600000.123456789, 0, 6400000.987654321]);
    assert_eq!(bounds(&file.scene())[0], [600000.123456789, 0.0, 6400000.987654321]);
}

#[test]
fn positions_that_are_not_finite_are_named_or_dropped() {
    let mut file = File::square();
    let positions = file.floats(
        "VEC3",
        &[0., 0., 0., 0., 0., 10., 10., 0., 10., 10., f32::NAN, 0., f32::INFINITY, 0., 0.],
    );
    file.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(positions);
    file.refused(&format!("/accessors/{positions}, element 3"));
    let options = ImportOptions { nonfinite: Nonfinite::Drop, ..ImportOptions::default() };
    let import = file.read_with(&options).unwrap();
    assert_eq!(codes(&import), ["nonfinite-vertices", "nonfinite-vertices"]);
    assert!(import.warnings[0].message.contains("no triangle"));
    assert!(import.warnings[1].place.to_string().contains("element 3"));
    let scene = scene(import);
    assert_eq!(area_up(&scene), 50.0);
    assert!(scene.vertices.iter().flatten().all(|c| c.is_finite()));
    // Finite in the file, but not where it is placed.
    let mut file = File::square();
    file.json["nodes"] = json!([{"scale": [1e300, 1e300, 1e300], "children": [1]}, {"scale": [1e300, 1, 1], "mesh": 0}]);
    assert!(file.refused("/accessors/0, element 0").contains("too large once placed"));
}

#[test]
fn skins_and_morphs_are_read_as_modelled_with_a_warning() {
    let mut file = File::square();
    file.json["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": 0}]);
    file.json["nodes"][0]["skin"] = json!(0);
    file.json["skins"] = json!([{"joints": [0]}]);
    let import = file.read().unwrap();
    assert_eq!(codes(&import), ["skin-ignored", "morph-ignored"]);
    assert_eq!(area_up(&scene(import)), 100.0);
}

/// A document with as many meshes, of a triangle each, and nodes that place each of them often.
fn many_meshes(count: usize, times: usize) -> File {
    let mut file = File::new();
    let mut nodes = vec![];
    for k in 0..count {
        let far = k as f32 + 1.0;
        let positions = file.floats("VEC3", &[0., 0., 0., 0., 0., far, far, 0., 0.]);
        let indices = file.indices(&[0, 1, 2]);
        let mesh = file.mesh(json!({"attributes": {"POSITION": positions}, "indices": indices}));
        for at in 0..times {
            let shift = [100 * k, 0, 100 * at];
            nodes.push(
                file.node(json!({"mesh": mesh, "name": format!("{k}"), "translation": shift})),
            );
        }
    }
    file.json["scenes"][0]["nodes"] = json!(nodes);
    file
}

/// What reading gives on a pool of some threads.
fn read_on(threads: usize, file: &File, options: &ImportOptions) -> String {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    format!("{:?}", pool.install(|| file.read_with(options)))
}

#[test]
fn the_first_fault_of_a_file_is_reported_whatever_the_threads() {
    let mut file = many_meshes(64, 1);
    let faulty = file.indices(&[0, 1, 9]);
    for mesh in [60, 41, 40, 63] {
        file.json["meshes"][mesh]["primitives"][0]["indices"] = json!(faulty);
    }
    // A fault that is found earlier, as accessors are opened first, is of a later mesh.
    file.json["meshes"][50]["primitives"][0]["attributes"] = json!({});
    for threads in [1, 2, 5] {
        let found = read_on(threads, &file, &ImportOptions::default());
        assert!(found.contains("of /meshes/40/primitives/0 points past"), "{found}");
    }
    for mesh in [40, 41] {
        file.json["meshes"][mesh]["primitives"][0]["indices"] = json!(1);
    }
    let found = read_on(2, &file, &ImportOptions::default());
    assert!(found.contains("/meshes/50/primitives/0/attributes"), "{found}");
}

#[test]
fn pieces_are_placed_in_the_order_of_nodes_whatever_the_threads() {
    // More than are placed at a time.
    let mut file = many_meshes(20, 300);
    let scene = file.scene();
    assert_eq!(scene.triangles.len(), 6000);
    for (k, t) in scene.triangles.iter().enumerate() {
        let corner = scene.vertices[t[0] as usize];
        assert_eq!(corner, [(100 * (k / 300)) as f64, 0.0, (100 * (k % 300)) as f64]);
        assert_eq!(scene.parts[scene.triangle_parts[k] as usize].node, format!("{}", k / 300));
    }
    // A mesh that is not finite is dropped, wherever it is placed.
    let odd = file.floats("VEC3", &[0., 0., 0., 0., f32::NAN, 1., 1., 0., 0.]);
    file.json["meshes"][7]["primitives"][0]["attributes"]["POSITION"] = json!(odd);
    let options = ImportOptions { nonfinite: Nonfinite::Drop, ..ImportOptions::default() };
    let one = read_on(1, &file, &options);
    assert!(one.contains("300 triangles use vertices that are not finite"), "{}", &one[..300]);
    for threads in [2, 3] {
        assert!(read_on(threads, &file, &options) == one);
    }
}
