//! The traps of glTF files, each by its promise. Documents are built here, by [`File`].

use base64::Engine;
use navbake_import::{
    Format, Import, ImportError, ImportErrorKind, ImportOptions, Nonfinite, Up, read, read_bytes,
};
use navbake_level::{Scene, Source};
use serde_json::{Value, json};

/// A document under construction: its JSON and its one buffer.
#[derive(Clone)]
struct File {
    json: Value,
    bytes: Vec<u8>,
}

impl File {
    fn new() -> File {
        File {
            json: json!({
                "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
                "bufferViews": [], "accessors": [], "meshes": [], "nodes": [],
            }),
            bytes: vec![],
        }
    }

    /// One node with one mesh: a square of 10 x 10 that faces up, in two triangles.
    fn square() -> File {
        let mut file = File::new();
        let positions = file.floats(
            "VEC3",
            &[0., 0., 0., 0., 0., 10., 10., 0., 10., 10., 0., 0.],
        );
        let indices = file.indices(&[0, 1, 2, 0, 2, 3]);
        file.mesh(json!({"attributes": {"POSITION": positions}, "indices": indices}));
        file.node(json!({"mesh": 0, "name": "floor"}));
        file
    }

    fn push(&mut self, list: &str, item: Value) -> usize {
        let list = self.json[list].as_array_mut().unwrap();
        list.push(item);
        list.len() - 1
    }

    fn view(&mut self, bytes: &[u8]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.push(
            "bufferViews",
            json!({"buffer": 0, "byteOffset": offset, "byteLength": bytes.len()}),
        )
    }

    fn floats(&mut self, shape: &str, values: &[f32]) -> usize {
        let width = if shape == "VEC4" { 4 } else { 3 };
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        let view = self.view(&bytes);
        let count = values.len() / width;
        self.push(
            "accessors",
            json!({"bufferView": view, "componentType": 5126, "count": count, "type": shape}),
        )
    }

    fn indices(&mut self, values: &[u16]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        let view = self.view(&bytes);
        self.push("accessors", json!({"bufferView": view, "componentType": 5123, "count": values.len(), "type": "SCALAR"}))
    }

    fn mesh(&mut self, primitive: Value) -> usize {
        self.push("meshes", json!({"name": "slab", "primitives": [primitive]}))
    }

    fn node(&mut self, node: Value) -> usize {
        self.push("nodes", node)
    }

    fn text(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        if json.get("buffers").is_none() {
            let data = base64::engine::general_purpose::STANDARD.encode(&self.bytes);
            json["buffers"] = json!([{"byteLength": self.bytes.len(), "uri": format!("data:application/octet-stream;base64,{data}")}]);
        }
        json.to_string().into_bytes()
    }

    fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"] = json!([{"byteLength": self.bytes.len()}]);
        let mut text = json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut bin = self.bytes.clone();
        bin.resize(bin.len().next_multiple_of(4), 0);
        let chunks = [chunk(b"JSON", &text), chunk(b"BIN\0", &bin)].concat();
        container(&chunks)
    }

    fn read(&self) -> Result<Import, ImportError> {
        self.read_with(&ImportOptions::default())
    }

    fn read_with(&self, options: &ImportOptions) -> Result<Import, ImportError> {
        read_bytes(self.text(), Format::Gltf, "level.gltf".as_ref(), options)
    }

    fn scene(&self) -> Scene {
        scene(self.read().unwrap())
    }

    /// The message of a refused file, which must give the place.
    fn refused(&self, place: &str) -> String {
        let error = self.read().unwrap_err();
        assert_eq!(error.place, place, "{error}");
        assert_eq!(error.kind, ImportErrorKind::BadInput);
        assert!(!error.cure.is_empty());
        error.to_string()
    }
}

fn chunk(kind: &[u8; 4], bytes: &[u8]) -> Vec<u8> {
    [&(bytes.len() as u32).to_le_bytes()[..], kind, bytes].concat()
}

fn container(chunks: &[u8]) -> Vec<u8> {
    let length = 12 + chunks.len() as u32;
    [
        b"glTF",
        &2u32.to_le_bytes()[..],
        &length.to_le_bytes(),
        chunks,
    ]
    .concat()
}

fn scene(import: Import) -> Scene {
    match import.source {
        Source::Scene(scene) => scene,
        Source::Grid(_) => panic!("a grid"),
    }
}

fn codes(import: &Import) -> Vec<&'static str> {
    import.warnings.iter().map(|w| w.code).collect()
}

fn area_up(scene: &Scene) -> f64 {
    let triangles = scene.triangles.iter();
    triangles
        .map(|t| {
            let [a, b, c] = t.map(|i| scene.vertices[i as usize]);
            ((b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2])) / 2.0
        })
        .sum()
}

fn bounds(scene: &Scene) -> [[f64; 3]; 2] {
    let used: Vec<[f64; 3]> = scene
        .triangles
        .iter()
        .flatten()
        .map(|&i| scene.vertices[i as usize])
        .collect();
    let fold = |f: fn(f64, f64) -> f64| {
        std::array::from_fn(|k| used.iter().map(|p| p[k]).reduce(f).unwrap())
    };
    [fold(f64::min), fold(f64::max)]
}

#[test]
fn json_and_binary_give_the_same() {
    let file = File::square();
    let text = file.scene();
    let glb = scene(
        read_bytes(
            file.glb(),
            Format::Gltf,
            "level.glb".as_ref(),
            &ImportOptions::default(),
        )
        .unwrap(),
    );
    assert_eq!(text, glb);
    assert_eq!(area_up(&glb), 100.0);
    assert_eq!(
        (glb.parts[0].node.as_str(), glb.parts[0].mesh.as_str()),
        ("floor", "slab")
    );
}

#[test]
fn every_truncation_of_a_glb_is_an_error_and_no_changed_byte_panics() {
    let glb = File::square().glb();
    let read = |bytes: Vec<u8>| {
        read_bytes(
            bytes,
            Format::Gltf,
            "level.glb".as_ref(),
            &ImportOptions::default(),
        )
    };
    for length in 0..glb.len() {
        let error = read(glb[..length].to_vec()).unwrap_err();
        assert!(!error.place.is_empty(), "{error}");
    }
    for at in 0..glb.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut changed = glb.clone();
            changed[at] ^= flip;
            let _ = read(changed);
        }
    }
}

#[test]
fn a_length_that_lies_allocates_nothing() {
    let mut file = File::square();
    file.json["accessors"][0]["count"] = json!(u64::MAX);
    file.refused("/accessors/0");
    file.json["accessors"][0]["count"] = json!(4_000_000_000u64);
    file.refused("/accessors/0");
    let mut file = File::square();
    file.json["bufferViews"][0]["byteLength"] = json!(u64::MAX);
    file.refused("/bufferViews/0");
    let mut file = File::square();
    file.json["bufferViews"][0]["byteOffset"] = json!(u64::MAX);
    file.refused("/bufferViews/0");
    let mut file = File::square();
    file.json["accessors"][0]["byteOffset"] = json!(u64::MAX);
    file.refused("/accessors/0");
    let mut file = File::square();
    file.json["buffers"] = json!([{"byteLength": u64::MAX, "uri": "data:;base64,AAAA"}]);
    file.refused("/buffers/0");
    let mut file = File::square();
    file.json["accessors"][0] = json!({"componentType": 5126, "count": 4_000_000_000u64, "type": "VEC3",
        "sparse": {"count": 1, "indices": {"bufferView": 1, "componentType": 5123}, "values": {"bufferView": 0}}});
    file.refused("/accessors/0");
}

#[test]
fn unknown_chunks_and_bytes_behind_the_end_are_skipped_with_a_warning() {
    let file = File::square();
    let glb = file.glb();
    let mut longer = container(&[&glb[12..], &chunk(b"XTRA", b"1234")].concat());
    longer.extend_from_slice(b"tail");
    let import = read_bytes(
        longer,
        Format::Gltf,
        "level.glb".as_ref(),
        &ImportOptions::default(),
    )
    .unwrap();
    assert_eq!(codes(&import), ["glb-extra-bytes", "glb-unknown-chunk"]);
    assert_eq!(scene(import), file.scene());
}

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
fn dangling_references_are_errors_with_their_pointer() {
    let bad = |pointer: &str, place: &str| {
        let mut file = File::square();
        *file.json.pointer_mut(pointer).unwrap() = json!(77);
        assert!(file.refused(place).contains("not there"), "{pointer}");
    };
    bad("/scene", "/scene");
    bad("/scenes/0/nodes/0", "/scenes/0/nodes/0");
    bad("/nodes/0/mesh", "/nodes/0/mesh");
    bad(
        "/meshes/0/primitives/0/indices",
        "/meshes/0/primitives/0/indices",
    );
    bad(
        "/meshes/0/primitives/0/attributes/POSITION",
        "/meshes/0/primitives/0/attributes/POSITION",
    );
    bad("/accessors/0/bufferView", "/accessors/0/bufferView");
    bad("/bufferViews/0/buffer", "/bufferViews/0/buffer");
}

#[test]
fn an_index_past_the_positions_is_an_error() {
    let mut file = File::square();
    let indices = file.indices(&[0, 1, 4]);
    file.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    assert!(
        file.refused(&format!("/accessors/{indices}, element 2"))
            .contains("4 positions")
    );
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
    file.json["accessors"][0]
        .as_object_mut()
        .unwrap()
        .remove("bufferView");
    file.refused("/accessors/0");
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
    assert_eq!(area_up(&self::scene(import)), 50.0);
}

#[test]
fn points_and_lines_are_left_out_with_a_warning() {
    let mut file = File::square();
    let points = json!({"attributes": {"POSITION": 0}, "mode": 0});
    file.json["meshes"][0]["primitives"]
        .as_array_mut()
        .unwrap()
        .push(points);
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
    assert_eq!(
        scene.vertices,
        [[-10., 0., 0.], [0., 0., 10.], [10., 0., 10.], [10., 0., 5.]]
    );

    file.json["accessors"][0] =
        json!({"componentType": 5126, "count": 4, "type": "VEC3", "sparse": sparse});
    let scene = file.scene();
    assert_eq!(
        scene.vertices,
        [[-10., 0., 0.], [0.; 3], [0.; 3], [10., 0., 5.]]
    );

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
            [0i16, 0, 0, 0, 0, 0, 100, 0, 100, 0, 0, 0]
                .map(i16::to_le_bytes)
                .concat(),
            100.0,
        ),
        (
            5122,
            true,
            [0i16, 0, 0, 0, 0, 0, 32767, 0, 32767, 0, 0, 0]
                .map(i16::to_le_bytes)
                .concat(),
            1.0,
        ),
        (
            5121,
            true,
            vec![0, 0, 0, 0, 0, 0, 255, 0, 255, 0, 0, 0],
            1.0,
        ),
        (
            5120,
            true,
            [0i8, 0, 0, 0, 0, 0, -127i8, 0, -127, 0, 0, 0]
                .map(|v| v as u8)
                .to_vec(),
            1.0,
        ),
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
fn extensions_of_textures_do_not_hide_geometry() {
    let mut file = File::square();
    file.json["extensionsRequired"] = json!([
        "KHR_texture_basisu",
        "EXT_texture_webp",
        "KHR_texture_transform",
        "KHR_materials_unlit"
    ]);
    file.json["textures"] = json!([{"extensions": {"KHR_texture_basisu": {"source": 99}}}]);
    file.json["images"] = json!([{"uri": "../../secret.png"}]);
    file.json["materials"] = json!([{"name": "moss", "doubleSided": true, "pbrMetallicRoughness": {"baseColorTexture": {"index": 7}}}]);
    file.json["animations"] = json!([{"channels": "nonsense"}]);
    file.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    file.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = json!(123);
    let import = file.read().unwrap();
    assert!(import.warnings.is_empty());
    let scene = scene(import);
    assert_eq!(area_up(&scene), 100.0);
    assert_eq!(scene.parts[0].material, "moss");
    assert!(scene.parts[0].double_sided);
}

#[test]
fn unknown_required_extensions_are_refused_and_merely_used_ones_are_not() {
    let mut file = File::square();
    file.json["extensionsUsed"] = json!(["ACME_voxels"]);
    assert_eq!(area_up(&file.scene()), 100.0);
    file.json["extensionsRequired"] = json!(["ACME_voxels"]);
    assert!(
        file.refused("/extensionsRequired/0")
            .contains("ACME_voxels")
    );
}

#[test]
fn compressed_geometry_without_a_plain_form_is_refused_with_the_cure() {
    let mut file = File::square();
    file.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
    file.json["meshes"][0]["primitives"][0]["extensions"] =
        json!({"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}});
    assert_eq!(area_up(&file.scene()), 100.0, "the plain form is there");
    file.json["accessors"][0]
        .as_object_mut()
        .unwrap()
        .remove("bufferView");
    assert!(
        file.refused("/meshes/0/primitives/0")
            .contains("gltf-transform cp")
    );

    let mut file = File::square();
    file.json["bufferViews"][0]["extensions"] = json!({"EXT_meshopt_compression": {"buffer": 0}});
    assert_eq!(area_up(&file.scene()), 100.0, "the plain form is there");
    file.json["extensionsRequired"] = json!(["EXT_meshopt_compression"]);
    assert!(file.refused("/bufferViews/0").contains("gltf-transform cp"));
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
    let options = ImportOptions {
        up: Up::Z,
        scale: 2.0,
        ..ImportOptions::default()
    };
    let scene = scene(file.read_with(&options).unwrap());
    assert_eq!(scene.markers.len(), 1);
    assert_eq!(scene.markers[0].name, "spawn_red");
    assert_eq!(scene.markers[0].position, [22.0, 6.0, -4.0]);
}

#[test]
fn node_positions_keep_64_bits() {
    let mut file = File::square();
    file.json["nodes"][0]["translation"] = json!([600000.123456789, 0, 6400000.987654321]);
    assert_eq!(
        bounds(&file.scene())[0],
        [600000.123456789, 0.0, 6400000.987654321]
    );
}

#[test]
fn positions_that_are_not_finite_are_named_or_dropped() {
    let mut file = File::square();
    let positions = file.floats(
        "VEC3",
        &[
            0.,
            0.,
            0.,
            0.,
            0.,
            10.,
            10.,
            0.,
            10.,
            10.,
            f32::NAN,
            0.,
            f32::INFINITY,
            0.,
            0.,
        ],
    );
    file.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(positions);
    file.refused(&format!("/accessors/{positions}, element 3"));
    let options = ImportOptions {
        nonfinite: Nonfinite::Drop,
        ..ImportOptions::default()
    };
    let import = file.read_with(&options).unwrap();
    assert_eq!(codes(&import), ["nonfinite-vertices", "nonfinite-vertices"]);
    assert!(import.warnings[0].message.contains("no triangle"));
    assert!(import.warnings[1].place.contains("element 3"));
    let scene = scene(import);
    assert_eq!(area_up(&scene), 50.0);
    assert!(scene.vertices.iter().flatten().all(|c| c.is_finite()));
    // Finite in the file, but not where it is placed.
    let mut file = File::square();
    file.json["nodes"] = json!([{"scale": [1e300, 1e300, 1e300], "children": [1]}, {"scale": [1e300, 1, 1], "mesh": 0}]);
    assert!(
        file.refused("/accessors/0, element 0")
            .contains("too large once placed")
    );
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

#[test]
fn external_buffers_are_read_beside_the_file_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.gltf");
    let mut file = File::square();
    let write = |file: &File| std::fs::write(&path, file.text()).unwrap();
    let options = ImportOptions::default();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    for (name, uri) in [
        ("a.bin", "a.bin"),
        ("a b.bin", "a%20b.bin"),
        ("a%20c.bin", "a%20c.bin"),
        ("sub/d.bin", "sub/d.bin"),
    ] {
        std::fs::write(folder.path().join(name), &file.bytes).unwrap();
        file.json["buffers"] = json!([{"byteLength": file.bytes.len(), "uri": uri}]);
        write(&file);
        let import = read(&path, &options).unwrap();
        assert_eq!(import.files, [path.clone(), folder.path().join(name)]);
        assert_eq!(area_up(&scene(import)), 100.0);
    }
    // One above the folder, which is there: still refused.
    std::fs::write(folder.path().join("sub/level.gltf"), b"").unwrap();
    let below = folder.path().join("sub/level.gltf");
    for uri in [
        "../a.bin",
        "%2e%2e/a.bin",
        "/etc/hostname",
        "http://localhost/a.bin",
        "file:a.bin",
    ] {
        file.json["buffers"][0]["uri"] = json!(uri);
        std::fs::write(&below, file.text()).unwrap();
        let error = read(&below, &options).unwrap_err();
        assert_eq!(
            (error.kind, error.place.as_str()),
            (ImportErrorKind::BadInput, "/buffers/0"),
            "{error}"
        );
    }
    for uri in ["missing.bin", "sub", "."] {
        file.json["buffers"][0]["uri"] = json!(uri);
        write(&file);
        let error = read(&path, &options).unwrap_err();
        assert_eq!(
            (error.kind, error.place.as_str()),
            (ImportErrorKind::BadInput, "/buffers/0"),
            "{error}"
        );
    }
    std::fs::write(folder.path().join("a.bin"), &file.bytes[1..]).unwrap();
    file.json["buffers"][0]["uri"] = json!("a.bin");
    write(&file);
    assert!(
        read(&path, &options)
            .unwrap_err()
            .to_string()
            .contains("cut short")
    );
}

#[test]
fn versions_and_json_that_are_not_gltf_2_are_named() {
    let read = |text: &str| {
        read_bytes(
            text.into(),
            Format::Gltf,
            "level.gltf".as_ref(),
            &ImportOptions::default(),
        )
        .unwrap_err()
    };
    assert_eq!(
        read(r#"{"asset": {"version": "1.0"}}"#).place,
        "/asset/version"
    );
    assert_eq!(
        read(r#"{"asset": {"version": "2.1", "minVersion": "2.1"}}"#).place,
        "/asset/minVersion"
    );
    assert_eq!(read("{}").place, "/asset");
    assert_eq!(read("[]").place, "/asset");
    assert_eq!(read("{\n \"asset\": oops").place, "line 2, column 11");
    assert!(read("solid stl").finding.contains("neither a GLB"));
    let nodes = read(r#"{"asset": {"version": "2.0"}, "nodes": [{}, {"mesh": "a"}]}"#);
    assert_eq!(nodes.place, "/nodes/1/mesh");
    let deep = "[".repeat(100_000);
    assert!(read(&deep).to_string().contains("recursion"));
}

#[test]
fn more_triangles_than_allowed_are_refused_before_they_are_made() {
    let mut file = File::square();
    let count = 50_000;
    file.json["nodes"] = (0..count).map(|_| json!({"mesh": 0})).collect();
    file.json["scenes"][0]["nodes"] = (0..count).collect();
    assert_eq!(file.scene().triangles.len(), 2 * count);
    let options = ImportOptions {
        max_triangles: 2 * count as u64 - 1,
        ..ImportOptions::default()
    };
    assert!(
        file.read_with(&options)
            .unwrap_err()
            .to_string()
            .contains("100000 triangles")
    );
}
