//! glTF meshes that Draco or meshoptimizer compressed: the same ground as without, and errors for
//! damaged ones.

use draco_core::{
    DataType, EncoderBuffer, EncoderOptions, GeometryAttributeType, Mesh, MeshEncoder,
    PointAttribute, PointIndex,
};
use meshoptimizer_rs::Workspace;
use meshoptimizer_rs::codec::{
    ExpMode, IndexEncoding, VertexEncoding, encode_filter_exp, encode_index_buffer,
    encode_index_sequence, encode_vertex_buffer,
};
use navbake_level::Scene;
use serde_json::{Value, json};

use crate::document::{File, area_up};

/// Vertices along a side of the ground.
const SIDE: u32 = 20;

/// Ground of hills, with a kind for each vertex.
fn hills() -> (Vec<[f32; 3]>, Vec<u8>, Vec<u32>) {
    let all = (0..SIDE * SIDE).map(|i| [i % SIDE, i / SIDE]);
    let height = |[x, z]: [u32; 2]| (x * x + 3 * z) as f32 % 7.0 / 4.0;
    let places = all.clone().map(|at| [at[0] as f32, height(at), at[1] as f32]).collect();
    let kinds = all.map(|[x, _]| if x < SIDE / 2 { 1 } else { 2 }).collect();
    let squares = (0..SIDE * (SIDE - 1)).filter(|i| i % SIDE < SIDE - 1);
    let corners = squares.flat_map(|i| [i, i + SIDE, i + 1, i + 1, i + SIDE, i + SIDE + 1]);
    (places, kinds, corners.collect())
}

/// A file whose accessors have no views: the numbers come from a compressed stream.
fn bare(mode: u32) -> File {
    let (places, kinds, corners) = hills();
    let mut file = File::new();
    for (component, count, shape) in [
        (5126, places.len(), "VEC3"),
        (5121, kinds.len(), "SCALAR"),
        (5125, corners.len(), "SCALAR"),
    ] {
        file.push("accessors", json!({"componentType": component, "count": count, "type": shape}));
    }
    let attributes = json!({"POSITION": 0, "_AREA": 1});
    file.mesh(json!({"attributes": attributes, "indices": 2, "mode": mode}));
    file.node(json!({"mesh": 0, "name": "hills"}));
    file
}

fn plain() -> Scene {
    let (places, kinds, corners) = hills();
    let mut file = bare(4);
    let bytes: [Vec<u8>; 3] = [
        places.iter().flatten().flat_map(|v| v.to_le_bytes()).collect(),
        kinds,
        corners.iter().flat_map(|v| v.to_le_bytes()).collect(),
    ];
    for (accessor, bytes) in bytes.iter().enumerate() {
        file.json["accessors"][accessor]["bufferView"] = file.view(bytes).into();
    }
    file.scene()
}

/// The triangles by kind of ground, in millimetres and in an order of their own.
fn triangles(scene: &Scene) -> Vec<(Option<u16>, [[i64; 3]; 3])> {
    let millimetres = |v: u32| scene.vertices[v as usize].map(|c| (c * 1000.0).round() as i64);
    let parts = scene.triangle_parts.iter().map(|&part| scene.parts[part as usize].attribute);
    let corners = scene.triangles.iter().map(|t| {
        let mut corners = t.map(millimetres);
        let least = (0..3).min_by_key(|&k| corners[k]).unwrap();
        corners.rotate_left(least);
        corners
    });
    let mut all: Vec<_> = parts.zip(corners).collect();
    all.sort_unstable();
    all
}

/// The hills as a Draco stream, whose identifiers are those of the accessors, with more attributes
/// of four numbers a vertex.
fn stream_with(speed: i32, bits: i32, more: usize) -> Vec<u8> {
    let (places, kinds, corners) = hills();
    let mut mesh = Mesh::new();
    let mut add = |of, components, number, bytes: Vec<u8>| {
        let mut attribute = PointAttribute::new();
        attribute.init(of, components, number, false, places.len());
        attribute.buffer_mut().write(0, &bytes);
        mesh.add_attribute(attribute);
    };
    let bytes = places.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
    add(GeometryAttributeType::Position, 3, DataType::Float32, bytes);
    add(GeometryAttributeType::Generic, 1, DataType::Uint8, kinds);
    for _ in 0..more {
        let bytes = places.iter().flat_map(|p| [p[0], p[1], p[2], 1.0]);
        let bytes = bytes.flat_map(f32::to_le_bytes).collect();
        add(GeometryAttributeType::Generic, 4, DataType::Float32, bytes);
    }
    for t in corners.chunks_exact(3) {
        mesh.add_face([t[0], t[1], t[2]].map(PointIndex));
    }
    let mut options = EncoderOptions::new();
    options.set_global_int("encoding_speed", speed);
    options.set_global_int("decoding_speed", speed);
    options.set_attribute_quantization(0, bits);
    let mut encoder = MeshEncoder::new();
    encoder.set_mesh(mesh);
    let mut out = EncoderBuffer::new();
    encoder.encode(&options, &mut out).unwrap();
    out.data().to_vec()
}

fn stream(speed: i32, bits: i32) -> Vec<u8> {
    stream_with(speed, bits, 0)
}

fn draco(mode: u32, stream: &[u8]) -> File {
    let mut file = bare(mode);
    let view = file.view(stream);
    file.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
    file.json["meshes"][0]["primitives"][0]["extensions"] = json!({"KHR_draco_mesh_compression":
        {"bufferView": view, "attributes": {"POSITION": 0, "_AREA": 1}}});
    file
}

const DRACO: &str = "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression";

#[test]
fn draco_gives_the_ground_of_the_plain_file() {
    let plain = triangles(&plain());
    assert!(plain.iter().any(|(kind, _)| *kind == Some(1)), "there are kinds");
    // Sequential, and both ways of EdgeBreaker.
    for speed in [10, 7, 1] {
        // Triangles, and a strip: the stream has triangles for both.
        for mode in [4, 5] {
            let scene = draco(mode, &stream(speed, 0)).scene();
            assert_eq!(triangles(&scene), plain, "speed {speed}, mode {mode}");
        }
    }
    let rounded = draco(4, &stream(5, 14)).scene();
    assert_eq!(rounded.triangles.len(), plain.len());
    assert!((area_up(&rounded) - f64::from((SIDE - 1).pow(2))).abs() < 0.5);
}

#[test]
fn a_draco_stream_may_have_as_many_attributes_as_the_extension_names() {
    let mut file = draco(4, &stream_with(5, 0, 20));
    let message = file.refused(DRACO);
    assert!(message.contains("decoded attribute bytes"), "{message}");
    let own = &mut file.json["meshes"][0]["primitives"][0]["extensions"];
    for k in 0..20 {
        own["KHR_draco_mesh_compression"]["attributes"][format!("_{k}")] = json!(2 + k);
    }
    assert_eq!(triangles(&file.scene()), triangles(&plain()));
}

#[test]
fn a_damaged_draco_stream_is_an_error_at_its_place() {
    let whole = stream(1, 11);
    for cut in 0..whole.len() {
        draco(4, &whole[..cut]).refused(DRACO);
    }
    for byte in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[byte] ^= 0x55;
        // It may decode to other ground.
        if let Err(error) = draco(4, &bytes).read() {
            assert!(!error.cure.is_empty(), "{error}");
        }
    }
}

#[test]
fn a_draco_extension_that_does_not_fit_is_an_error_at_its_place() {
    let whole = stream(5, 11);
    let refused = |change: &dyn Fn(&mut Value), finding: &str| {
        let mut file = draco(4, &whole);
        change(&mut file.json);
        let message = file.refused(DRACO);
        assert!(message.contains(finding), "{message}");
    };
    fn own(json: &mut Value) -> &mut Value {
        &mut json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"]
    }
    refused(&|json| own(json)["bufferView"] = json!(7), "bufferView 7");
    refused(&|json| own(json)["bufferView"] = json!("x"), "cannot be read");
    refused(&|json| own(json)["attributes"] = json!({"_AREA": 1}), "POSITION");
    refused(&|json| own(json)["attributes"]["POSITION"] = json!(9), "no attribute 9");
    refused(&|json| own(json)["attributes"]["POSITION"] = json!(1), "of 3 components");
    refused(&|json| json["accessors"][2]["count"] = json!(300), "faces");
    refused(
        &|json| {
            for accessor in [0, 1] {
                json["accessors"][accessor]["count"] = json!(100);
            }
        },
        "vertices",
    );
}

/// A file whose views are compressed by meshoptimizer.
fn meshopt(name: &str, version: u8, mode: &str, filter: &str) -> File {
    let (places, kinds, corners) = hills();
    let count = places.len();
    let mut work = Workspace::default();
    let vertices = VertexEncoding::new(version, 2).unwrap();
    let indices = IndexEncoding::new(1).unwrap();
    let numbers: Vec<f32> = places.iter().flatten().copied().collect();
    let places = match filter {
        "EXPONENTIAL" => {
            encode_filter_exp(count, 12, 24, &numbers, ExpMode::Separate, &mut work).unwrap()
        }
        _ => numbers.iter().flat_map(|v| v.to_le_bytes()).collect(),
    };
    let kinds: Vec<u8> = kinds.iter().flat_map(|&kind| [kind, 0, 0, 0]).collect();
    let encode = match mode {
        "TRIANGLES" => encode_index_buffer,
        _ => encode_index_sequence,
    };
    let streams = [
        (encode_vertex_buffer(&places, count, 12, vertices, &mut work), count, 12, "ATTRIBUTES"),
        (encode_vertex_buffer(&kinds, count, 4, vertices, &mut work), count, 4, "ATTRIBUTES"),
        (encode(&corners, indices, &mut work), corners.len(), 4, mode),
    ];
    let mut file = bare(4);
    file.json["extensionsRequired"] = json!([name]);
    for (accessor, (bytes, count, stride, mode)) in streams.into_iter().enumerate() {
        let own = file.view(&bytes.unwrap());
        // The view of the stream becomes that of the numbers, in a buffer without bytes.
        let view = &mut file.json["bufferViews"][own];
        let mut stream = view.clone();
        (stream["byteStride"], stream["count"]) = (stride.into(), count.into());
        stream["mode"] = mode.into();
        if accessor == 0 {
            stream["filter"] = filter.into();
        }
        *view = json!({"buffer": 0, "byteLength": count * stride, "extensions": {name: stream}});
        if mode == "ATTRIBUTES" {
            view["byteStride"] = stride.into();
        }
        file.json["accessors"][accessor]["bufferView"] = own.into();
    }
    file
}

#[test]
fn meshopt_gives_the_ground_of_the_plain_file() {
    let plain = triangles(&plain());
    for (name, version) in [("EXT_meshopt_compression", 0), ("KHR_meshopt_compression", 1)] {
        for mode in ["TRIANGLES", "INDICES"] {
            for filter in ["NONE", "EXPONENTIAL"] {
                let scene = meshopt(name, version, mode, filter).scene();
                assert_eq!(triangles(&scene), plain, "{name} {mode} {filter}");
            }
        }
    }
}

#[test]
fn a_damaged_meshopt_view_is_an_error_at_its_place() {
    let name = "EXT_meshopt_compression";
    let refused = |view: usize, change: &dyn Fn(&mut Value), finding: &str| {
        let mut file = meshopt(name, 0, "TRIANGLES", "NONE");
        change(&mut file.json["bufferViews"][view]);
        let message = file.refused(&format!("/bufferViews/{view}/extensions/{name}"));
        assert!(message.contains(finding), "{message}");
    };
    refused(0, &|view| view["extensions"][name]["mode"] = json!("SPHERES"), "`SPHERES`");
    refused(0, &|view| view["extensions"][name]["filter"] = json!("ROUND"), "`ROUND`");
    refused(2, &|view| view["extensions"][name]["filter"] = json!("EXPONENTIAL"), "the filter");
    refused(0, &|view| view["extensions"][name]["count"] = json!(399), "399 elements");
    refused(0, &|view| view["extensions"][name]["byteStride"] = json!(16), "of 16 bytes");
    refused(0, &|view| view["extensions"][name]["buffer"] = json!(5), "the buffer 5");
    refused(
        0,
        &|view| view["extensions"][name]["byteLength"] = json!(1u64 << 40),
        "leave the buffer",
    );
    refused(1, &|view| view["extensions"][name] = json!({}), "cannot be read");
    for view in [0, 1, 2] {
        let shorter = |view: &mut Value| {
            let length = &mut view["extensions"][name]["byteLength"];
            *length = json!(length.as_u64().unwrap() / 2);
        };
        refused(view, &shorter, "cannot be decoded");
    }
}

#[test]
fn compressed_geometry_is_left_aside_where_the_plain_form_is_there() {
    let mut file = File::square();
    file.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
    file.json["meshes"][0]["primitives"][0]["extensions"] =
        json!({"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}});
    assert_eq!(area_up(&file.scene()), 100.0);

    let mut file = File::square();
    file.json["bufferViews"][0]["extensions"] = json!({"EXT_meshopt_compression": {"buffer": 0}});
    assert_eq!(area_up(&file.scene()), 100.0);
}
