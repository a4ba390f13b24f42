//! Builds glTF documents for tests, and looks at what was read.

use base64::Engine;
use navbake_import::{Format, Import, ImportError, ImportErrorKind, ImportOptions, read_bytes};
use navbake_level::{Scene, Source};
use serde_json::{Value, json};

/// A document under construction: its JSON and its one buffer.
#[derive(Clone)]
pub(crate) struct File {
    pub json: Value,
    pub bytes: Vec<u8>,
}

impl File {
    pub(crate) fn new() -> File {
        File {
            json: json!({
                "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
                "bufferViews": [], "accessors": [], "meshes": [], "nodes": [],
            }),
            bytes: vec![],
        }
    }

    /// One node with one mesh: a square of 10 x 10 that faces up, in two triangles.
    pub(crate) fn square() -> File {
        let mut file = File::new();
        let positions = file.floats("VEC3", &[0., 0., 0., 0., 0., 10., 10., 0., 10., 10., 0., 0.]);
        let indices = file.indices(&[0, 1, 2, 0, 2, 3]);
        file.mesh(json!({"attributes": {"POSITION": positions}, "indices": indices}));
        file.node(json!({"mesh": 0, "name": "floor"}));
        file
    }

    pub(crate) fn push(&mut self, list: &str, item: Value) -> usize {
        let list = self.json[list].as_array_mut().unwrap();
        list.push(item);
        list.len() - 1
    }

    pub(crate) fn view(&mut self, bytes: &[u8]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.push(
            "bufferViews",
            json!({"buffer": 0, "byteOffset": offset, "byteLength": bytes.len()}),
        )
    }

    pub(crate) fn floats(&mut self, shape: &str, values: &[f32]) -> usize {
        let width = match shape {
            "SCALAR" => 1,
            "VEC4" => 4,
            _ => 3,
        };
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        let view = self.view(&bytes);
        let count = values.len() / width;
        self.push(
            "accessors",
            json!({"bufferView": view, "componentType": 5126, "count": count, "type": shape}),
        )
    }

    pub(crate) fn indices(&mut self, values: &[u16]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        let view = self.view(&bytes);
        self.push("accessors", json!({"bufferView": view, "componentType": 5123, "count": values.len(), "type": "SCALAR"}))
    }

    pub(crate) fn mesh(&mut self, primitive: Value) -> usize {
        self.push("meshes", json!({"name": "slab", "primitives": [primitive]}))
    }

    pub(crate) fn node(&mut self, node: Value) -> usize {
        self.push("nodes", node)
    }

    pub(crate) fn text(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        if json.get("buffers").is_none() {
            let data = base64::engine::general_purpose::STANDARD.encode(&self.bytes);
            json["buffers"] = json!([{"byteLength": self.bytes.len(), "uri": format!("data:application/octet-stream;base64,{data}")}]);
        }
        json.to_string().into_bytes()
    }

    pub(crate) fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"] = json!([{"byteLength": self.bytes.len()}]);
        let mut text = json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut bin = self.bytes.clone();
        bin.resize(bin.len().next_multiple_of(4), 0);
        let chunks = [chunk(b"JSON", &text), chunk(b"BIN\0", &bin)].concat();
        container(&chunks)
    }

    pub(crate) fn read(&self) -> Result<Import, ImportError> {
        self.read_with(&ImportOptions::default())
    }

    pub(crate) fn read_with(&self, options: &ImportOptions) -> Result<Import, ImportError> {
        read_bytes(
            self.text(),
            Format::by_extension("gltf").unwrap(),
            "level.gltf".as_ref(),
            options,
        )
    }

    pub(crate) fn scene(&self) -> Scene {
        scene(self.read().unwrap())
    }

    /// The message of a refused file, which must give the place.
    pub(crate) fn refused(&self, place: &str) -> String {
        let error = self.read().unwrap_err();
        assert_eq!(error.place, place, "{error}");
        assert_eq!(error.kind, ImportErrorKind::BadInput);
        assert!(!error.cure.is_empty());
        error.to_string()
    }
}

pub(crate) fn chunk(kind: &[u8; 4], bytes: &[u8]) -> Vec<u8> {
    [&(bytes.len() as u32).to_le_bytes()[..], kind, bytes].concat()
}

pub(crate) fn container(chunks: &[u8]) -> Vec<u8> {
    let length = 12 + chunks.len() as u32;
    [b"glTF", &2u32.to_le_bytes()[..], &length.to_le_bytes(), chunks].concat()
}

pub(crate) fn scene(import: Import) -> Scene {
    match import.source {
        Source::Scene(scene) => scene,
        Source::Grid(_) => panic!("a grid"),
    }
}

pub(crate) fn codes(import: &Import) -> Vec<&'static str> {
    import.warnings.iter().map(|w| w.code).collect()
}

pub(crate) fn area_up(scene: &Scene) -> f64 {
    let triangles = scene.triangles.iter();
    triangles
        .map(|t| {
            let [a, b, c] = t.map(|i| scene.vertices[i as usize]);
            ((b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2])) / 2.0
        })
        .sum()
}

pub(crate) fn bounds(scene: &Scene) -> [[f64; 3]; 2] {
    let used: Vec<[f64; 3]> =
        scene.triangles.iter().flatten().map(|&i| scene.vertices[i as usize]).collect();
    let fold = |f: fn(f64, f64) -> f64| {
        std::array::from_fn(|k| used.iter().map(|p| p[k]).reduce(f).unwrap())
    };
    [fold(f64::min), fold(f64::max)]
}
