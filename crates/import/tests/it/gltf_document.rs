//! Containers, JSON, references, buffers and limits of glTF files, each trap by its promise.

use crate::document::{File, area_up, chunk, codes, container, scene};
use navbake_import::{Format, ImportErrorKind, ImportOptions, read, read_bytes};
use serde_json::json;

#[test]
fn json_and_binary_give_the_same() {
    let file = File::square();
    let text = file.scene();
    let glb = scene(
        read_bytes(
            file.glb(),
            Format::by_extension("gltf").unwrap(),
            "level.glb".as_ref(),
            &ImportOptions::default(),
        )
        .unwrap(),
    );
    assert_eq!(text, glb);
    assert_eq!(area_up(&glb), 100.0);
    assert_eq!((glb.parts[0].node.as_str(), glb.parts[0].mesh.as_str()), ("floor", "slab"));
}

#[test]
fn every_truncation_of_a_glb_is_an_error_and_no_changed_byte_panics() {
    let glb = File::square().glb();
    let read = |bytes: Vec<u8>| {
        read_bytes(
            bytes,
            Format::by_extension("gltf").unwrap(),
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
    // Valid: all but one are zeros, and the primitive uses four of them.
    assert_eq!(file.scene().vertices.len(), 4);
}

#[test]
fn unknown_chunks_and_bytes_behind_the_end_are_skipped_with_a_warning() {
    let file = File::square();
    let glb = file.glb();
    let mut longer = container(&[&glb[12..], &chunk(b"XTRA", b"1234")].concat());
    longer.extend_from_slice(b"tail");
    let import = read_bytes(
        longer,
        Format::by_extension("gltf").unwrap(),
        "level.glb".as_ref(),
        &ImportOptions::default(),
    )
    .unwrap();
    assert_eq!(codes(&import), ["glb-extra-bytes", "glb-unknown-chunk"]);
    assert_eq!(scene(import), file.scene());
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
    bad("/meshes/0/primitives/0/indices", "/meshes/0/primitives/0/indices");
    bad("/meshes/0/primitives/0/attributes/POSITION", "/meshes/0/primitives/0/attributes/POSITION");
    bad("/accessors/0/bufferView", "/accessors/0/bufferView");
    bad("/bufferViews/0/buffer", "/bufferViews/0/buffer");
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
    assert!(file.refused("/extensionsRequired/0").contains("ACME_voxels"));
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
    for uri in ["../a.bin", "%2e%2e/a.bin", "/etc/hostname", "http://localhost/a.bin", "file:a.bin"]
    {
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
    assert!(read(&path, &options).unwrap_err().to_string().contains("cut short"));
}

#[test]
fn versions_and_json_that_are_not_gltf_2_are_named() {
    let read = |text: &str| {
        read_bytes(
            text.into(),
            Format::by_extension("gltf").unwrap(),
            "level.gltf".as_ref(),
            &ImportOptions::default(),
        )
        .unwrap_err()
    };
    assert_eq!(read(r#"{"asset": {"version": "1.0"}}"#).place, "/asset/version");
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
    let options = ImportOptions { memory: Some(80 << 20), ..ImportOptions::default() };
    let error = file.read_with(&options).unwrap_err();
    assert_eq!(error.kind, ImportErrorKind::Budget);
    assert!(error.to_string().contains("100000 triangles"), "{error}");
    assert!(error.cure.contains("--memory"), "{error}");
}

#[test]
fn a_small_file_that_asks_for_endless_work_is_refused_soon() {
    // Ten thousand primitives over the same indices.
    let mut file = File::square();
    let long = file.indices(&[0; 30_000]);
    file.json["meshes"][0]["primitives"] =
        (0..10_000).map(|_| json!({"attributes": {"POSITION": 0}, "indices": long})).collect();
    let error = file.read_with(&ImportOptions::default()).unwrap_err();
    assert_eq!(error.kind, ImportErrorKind::Budget);
    assert!(error.place.starts_with("/meshes/0/primitives/"), "{error}");
    // Thousands of nodes with thousands of instances each.
    let mut file = File::square();
    let places = file.floats("VEC3", &[0.0; 30_000]);
    let attributes = json!({"TRANSLATION": places});
    let extensions = json!({"EXT_mesh_gpu_instancing": {"attributes": attributes}});
    let instanced = json!({"mesh": 0, "extensions": extensions});
    file.json["nodes"] = (0..10_000).map(|_| instanced.clone()).collect();
    file.json["scenes"][0]["nodes"] = (0..10_000).collect();
    let error = file.read_with(&ImportOptions::default()).unwrap_err();
    assert_eq!(error.kind, ImportErrorKind::Budget);
    assert!(error.place.starts_with("/nodes/"), "{error}");
}

#[test]
fn many_warnings_of_one_kind_are_counted() {
    let mut file = File::square();
    let points = json!({"attributes": {"POSITION": 0}, "mode": 0});
    let primitives = &mut file.json["meshes"][0]["primitives"];
    primitives.as_array_mut().unwrap().extend(vec![points; 1000]);
    let import = file.read().unwrap();
    assert_eq!(import.warnings.len(), 6);
    assert_eq!(import.warnings[5].message, "and 995 more like these");
}

#[test]
fn a_few_hundred_bytes_that_ask_for_gigabytes_are_refused_before_they_are_taken() {
    // One sparse accessor of 16 million elements that no view holds.
    let long = |file: &mut File, shape: &str| {
        let [indices, values] = [file.view(&[0, 0, 0, 0]), file.view(&[0; 12])];
        let sparse = json!({
            "count": 1, "indices": {"bufferView": indices, "componentType": 5125},
            "values": {"bufferView": values},
        });
        let accessor =
            json!({"componentType": 5126, "count": 1 << 24, "type": shape, "sparse": sparse});
        file.push("accessors", accessor)
    };
    let mut shared = File::new();
    let positions = long(&mut shared, "VEC3");
    let primitive = json!({"attributes": {"POSITION": positions}});
    shared.mesh(json!(primitive.clone()));
    shared.json["meshes"][0]["primitives"] = json!(vec![primitive; 8]);
    shared.node(json!({"mesh": 0}));
    let mut instanced = File::square();
    let places = long(&mut instanced, "VEC3");
    let attributes = json!({"TRANSLATION": places});
    instanced.json["nodes"][0]["extensions"] =
        json!({"EXT_mesh_gpu_instancing": {"attributes": attributes}});
    // No triangle at all is work as well.
    let mut empty = instanced.clone();
    empty.json["meshes"][0]["primitives"] = json!([]);
    empty.json["accessors"][places]["count"] = json!(1u64 << 40);
    let mut fan = File::new();
    let positions = fan.floats("VEC3", &[0.0; 9]);
    let indices = fan.indices(&[0; 50_000]);
    let primitive = json!({"attributes": {"POSITION": positions}, "indices": indices, "mode": 6});
    fan.mesh(primitive.clone());
    fan.json["meshes"][0]["primitives"] = json!(vec![primitive; 2000]);
    fan.node(json!({"mesh": 0}));
    for (name, file) in
        [("shared", shared), ("instanced", instanced), ("empty", empty), ("fan", fan)]
    {
        let error = file.read_with(&ImportOptions::default()).unwrap_err();
        assert_eq!(error.kind, ImportErrorKind::Budget, "{name}: {error}");
        assert!(error.cure.contains("--memory"), "{name}: {error}");
    }
}

#[test]
fn settings_that_add_up_along_a_chain_of_nodes_are_counted() {
    let mut file = File::square();
    let count = 3000;
    file.json["nodes"] = (0..count)
        .map(|n| match n + 1 < count {
            true => json!({"children": [n + 1], "extras": {"navbake_tags": format!("t{n}")}}),
            false => json!({"mesh": 0}),
        })
        .collect();
    let options = ImportOptions { memory: Some(32 << 20), ..ImportOptions::default() };
    let error = file.read_with(&options).unwrap_err();
    assert_eq!(error.kind, ImportErrorKind::Budget, "{error}");
    assert!(file.read_with(&ImportOptions::default()).is_ok());
}

#[test]
fn whole_numbers_may_be_written_with_a_point() {
    let file = File::square();
    let text = serde_json::to_string(&file.json).unwrap();
    let mut pointed = file.clone();
    pointed.json = serde_json::from_str(&text.replace("5126", "5126.0")).unwrap();
    pointed.json["nodes"][0]["mesh"] = json!(0.0);
    pointed.json["accessors"][0]["count"] = json!(4.0);
    pointed.json["scene"] = json!(0.0);
    assert_eq!(pointed.scene(), file.scene());
    pointed.json["scene"] = json!(0.5);
    assert!(pointed.read_with(&ImportOptions::default()).is_err());
}

#[test]
fn an_accessor_without_a_view_is_zeros() {
    let mut file = File::square();
    let zeros = json!({"componentType": 5126, "count": 2, "type": "VEC3"});
    let places = file.push("accessors", zeros);
    let extensions = json!({"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": places}}});
    file.json["nodes"][0]["extensions"] = extensions;
    let (one, two) = (File::square().scene(), file.scene());
    assert_eq!(two.triangles.len(), 2 * one.triangles.len());
    assert_eq!(two.vertices[..4], one.vertices[..]);
    assert_eq!(two.vertices[4..], one.vertices[..]);
}
