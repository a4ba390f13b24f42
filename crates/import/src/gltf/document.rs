//! The JSON of a glTF file: parsed, stripped of all but geometry, checked.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use gltf_json as json;
use json::mesh::Semantic;
use json::validation::{Checked, Error as Fault, Validate};
use navbake_level::{Given, Warning};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::budget::Budget;
use crate::{ImportError, ImportOptions, glb};

use super::extras::{self, Note};
use crate::transform::Affine;

/// A checked document: every reference from scenes through nodes, meshes and accessors to buffers
/// leads somewhere.
pub(super) struct Document {
    pub(super) file: PathBuf,
    pub(super) budget: Budget,
    /// Whether buffers may be outside of the file's folder.
    pub(super) outside: bool,
    /// The geometry part of the JSON. Nodes have no transform, skin or camera in here, primitives
    /// only their positions.
    pub(super) root: json::Root,
    /// The BIN chunk, for a GLB.
    pub(super) bin: Option<Range<usize>>,
    /// Names of images, which are not read.
    pub(super) images: Vec<String>,
    /// One a node.
    pub(super) transforms: Vec<Affine>,
    /// Nodes that are no markers: cameras, lights, joints of skins.
    pub(super) purposes: BTreeSet<usize>,
    /// `navbake` extras of nodes.
    pub(super) notes: BTreeMap<usize, Note>,
    /// `navbake` extras of meshes, materials and primitives (by mesh and number).
    of_meshes: BTreeMap<usize, Given>,
    of_materials: BTreeMap<usize, Given>,
    of_primitives: BTreeMap<(usize, usize), Given>,
    /// Nodes with a skin.
    pub(super) skinned: BTreeSet<usize>,
    /// Meshes with morph targets.
    pub(super) morphed: BTreeSet<usize>,
}

/// The cure of what no exporter should write.
pub(super) const AGAIN: &str = "the file is damaged or its exporter is at fault: export it again";

/// The vertex attribute that holds the ground's kind.
pub(super) const KIND_ATTRIBUTE: &str = "_AREA";

/// Required extensions that are read, or seen where they matter.
const READ: [&str; 5] = [
    "KHR_mesh_quantization",
    "EXT_mesh_gpu_instancing",
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
];

/// Required extensions that begin so change no geometry: materials, textures, lights, animation,
/// metadata.
const HARMLESS: [&str; 22] = [
    "KHR_materials_",
    "EXT_materials_",
    "ADOBE_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "MSFT_texture_",
    "MSFT_packing_",
    "KHR_techniques_webgl",
    "KHR_lights_",
    "EXT_lights_",
    "KHR_animation_",
    "KHR_xmp",
    "KHR_audio",
    "KHR_interactivity",
    "KHR_node_selectability",
    "KHR_node_hoverability",
    "KHR_physics_",
    "KHR_collision_shapes",
    "OMI_",
    "EXT_mesh_features",
    "EXT_structural_metadata",
    "VRM",
];

/// Bytes an object and an item of a list take while the JSON is parsed.
const OBJECT: u64 = 1300;
const ITEM: u64 = 40;

impl Document {
    /// Parses and checks a `.gltf` or `.glb`.
    pub(super) fn parse(
        bytes: &[u8],
        file: &Path,
        options: &ImportOptions,
        warnings: &mut Vec<Warning>,
    ) -> Result<Document, ImportError> {
        let (text, bin) = if glb::is_glb(bytes) {
            let chunks = glb::split(bytes, file, warnings)?;
            (chunks.json, chunks.bin)
        } else {
            (0..bytes.len(), None)
        };
        let in_chunk = if text.start > 0 { "JSON chunk, " } else { "" };
        let mut text = &bytes[text];
        if let Some(rest) = text.strip_prefix(b"\xef\xbb\xbf") {
            text = rest;
            warnings.push(Warning {
                code: "json-byte-order-mark",
                message: "the JSON begins with a byte order mark, which glTF forbids".into(),
                place: file.display().to_string().into(),
            });
        }
        let budget = Budget::new(file, options);
        budget.read(bytes.len() as u64)?;
        let count = |marks: &[u8]| text.iter().filter(|b| marks.contains(b)).count() as u64;
        budget.spend("the JSON", OBJECT * count(b"{") + ITEM * count(b",["))?;
        let mut value: Value = serde_json::from_slice(text).map_err(|e| {
            let (finding, cure) = match text.first() {
                None => ("the JSON is empty".into(), "export the file again"),
                Some(b'{' | b'[' | b' ' | b'\t' | b'\r' | b'\n') => (
                    format!("the JSON cannot be parsed: {e}"),
                    "repair it, or export the file again: it may be cut short",
                ),
                Some(_) => (
                    "this is neither a GLB (it does not begin with `glTF`) nor JSON".to_string(),
                    "check that the file is glTF 2.0; export it again",
                ),
            };
            ImportError::bad(
                file,
                format!("{in_chunk}line {}, column {}", e.line(), e.column()),
                finding,
                cure,
            )
        })?;
        let mut document = Document {
            file: file.to_owned(),
            budget,
            outside: options.outside,
            root: json::Root::default(),
            bin,
            images: vec![],
            transforms: vec![],
            purposes: BTreeSet::new(),
            notes: BTreeMap::new(),
            of_meshes: BTreeMap::new(),
            of_materials: BTreeMap::new(),
            of_primitives: BTreeMap::new(),
            skinned: BTreeSet::new(),
            morphed: BTreeSet::new(),
        };
        whole_numbers(&mut value);
        document.check_version(&value)?;
        document.set_aside(&mut value)?;
        document.root = serde_path_to_error::deserialize(value).map_err(|e| {
            document.bad(
                pointer(&e.path().to_string()),
                format!("not glTF 2.0: {}", e.inner()),
                "correct the JSON, or export the file again",
            )
        })?;
        document.check_extensions()?;
        document.check_references()?;
        Ok(document)
    }

    /// An error at a JSON pointer.
    pub(super) fn bad(
        &self,
        pointer: impl Into<String>,
        finding: impl Into<String>,
        cure: impl Into<String>,
    ) -> ImportError {
        ImportError::bad(&self.file, pointer, finding, cure)
    }

    fn check_version(&self, value: &Value) -> Result<(), ImportError> {
        let version = |key: &str| -> Option<(u32, u32)> {
            let (major, minor) = value.get("asset")?.get(key)?.as_str()?.split_once('.')?;
            Some((major.parse().ok()?, minor.parse().ok()?))
        };
        let shown = |key: &str| value["asset"][key].to_string();
        match version("version") {
            _ if value.get("asset").is_none() => Err(self.bad(
                "/asset",
                "`asset` is missing: this is no glTF 2.0 document",
                "check that the file is glTF 2.0; export it again",
            )),
            Some((2, _)) => match version("minVersion") {
                Some(least) if least > (2, 0) => Err(self.bad(
                    "/asset/minVersion",
                    format!("the file asks for a reader of version {}", shown("minVersion")),
                    "export it as glTF 2.0",
                )),
                _ => Ok(()),
            },
            _ => Err(self.bad(
                "/asset/version",
                format!("the version is {}, not \"2.0\"", shown("version")),
                "convert the file to glTF 2.0, for instance with `gltf-pipeline -i in.gltf -o out.gltf`",
            )),
        }
    }

    /// Removes everything but geometry from the JSON, so that faults elsewhere do not matter, and
    /// reads node transforms in full precision.
    fn set_aside(&mut self, value: &mut Value) -> Result<(), ImportError> {
        let Some(root) = value.as_object_mut() else {
            return Err(self.bad(
                "the whole file",
                "the JSON is no object",
                "export the file again",
            ));
        };
        for (i, skin) in items(root, "skins").enumerate() {
            let joints = skin.get("joints").and_then(Value::as_array);
            if joints.is_none() {
                return Err(self.bad(
                    format!("/skins/{i}/joints"),
                    "the skin has no joints",
                    "export the file again",
                ));
            }
            let joints = joints.into_iter().flatten().filter_map(Value::as_u64);
            self.purposes.extend(joints.map(|j| j as usize));
        }
        let uris = items(root, "images").filter_map(|image| image.remove("uri"));
        let uris = uris.filter_map(|uri| uri.as_str().map(String::from));
        self.images = uris.filter(|uri| !uri.starts_with("data:")).collect();
        for key in [
            "animations",
            "skins",
            "cameras",
            "textures",
            "images",
            "samplers",
            "extensions",
            "extras",
        ] {
            root.remove(key);
        }
        for scene in items(root, "scenes") {
            scene.entry("nodes").or_insert_with(|| Value::Array(vec![]));
        }
        for (i, material) in items(root, "materials").enumerate() {
            if let Some(note) = self.note(material, &format!("/materials/{i}"), false)? {
                self.of_materials.insert(i, note.given);
            }
            material.retain(|key, _| key == "name" || key == "doubleSided");
        }
        for view in items(root, "bufferViews") {
            view.remove("target");
        }
        for (i, mesh) in items(root, "meshes").enumerate() {
            mesh.remove("weights");
            if let Some(note) = self.note(mesh, &format!("/meshes/{i}"), false)? {
                self.of_meshes.insert(i, note.given);
            }
            for (p, primitive) in items(mesh, "primitives").enumerate() {
                let at = format!("/meshes/{i}/primitives/{p}");
                if let Some(note) = self.note(primitive, &at, false)? {
                    self.of_primitives.insert((i, p), note.given);
                }
                if primitive.remove("targets").is_some() {
                    self.morphed.insert(i);
                }
                if let Some(attributes) =
                    primitive.get_mut("attributes").and_then(Value::as_object_mut)
                {
                    attributes.retain(|key, _| key == "POSITION" || key == KIND_ATTRIBUTE);
                }
            }
        }
        let mut transforms = vec![];
        for (i, node) in items(root, "nodes").enumerate() {
            transforms.push(self.transform(i, node)?);
            if let Some(note) = self.note(node, &format!("/nodes/{i}"), true)? {
                self.notes.insert(i, note);
            }
            if node.remove("skin").is_some() {
                self.skinned.insert(i);
            }
            let lamp =
                node.get("extensions").is_some_and(|e| e.get("KHR_lights_punctual").is_some());
            if node.remove("camera").is_some() || lamp {
                self.purposes.insert(i);
            }
            node.remove("weights");
        }
        self.transforms = transforms;
        Ok(())
    }

    /// Takes the `navbake` extras out of an object, if it has any.
    fn note(
        &self,
        object: &mut Map<String, Value>,
        at: &str,
        is_node: bool,
    ) -> Result<Option<Note>, ImportError> {
        let Some(extras) = object.remove("extras") else {
            return Ok(None);
        };
        match extras::read(&extras, is_node) {
            Ok(note) => Ok(Some(note).filter(|n| *n != Note::default())),
            Err(fault) => {
                let at = format!("{at}/extras{}", fault.place);
                Err(self.bad(at, fault.finding, fault.cure))
            }
        }
    }

    /// The extras for a primitive's ground: primitive over material over mesh.
    pub(super) fn given(&self, mesh: usize, material: Option<usize>, primitive: usize) -> Given {
        let said = [
            self.of_meshes.get(&mesh),
            material.and_then(|m| self.of_materials.get(&m)),
            self.of_primitives.get(&(mesh, primitive)),
        ];
        let said = said.into_iter().flatten();
        said.fold(Given::default(), |outer, inner| extras::within(&outer, inner))
    }

    fn transform(&self, node: usize, json: &mut Map<String, Value>) -> Result<Affine, ImportError> {
        let matrix = self.numbers::<16>(node, json.remove("matrix"), "matrix")?;
        let translation = self.numbers::<3>(node, json.remove("translation"), "translation")?;
        let rotation = self.numbers::<4>(node, json.remove("rotation"), "rotation")?;
        let scale = self.numbers::<3>(node, json.remove("scale"), "scale")?;
        if let Some(matrix) = matrix {
            return Ok(Affine::from_columns(&matrix));
        }
        Affine::from_parts(
            translation.unwrap_or_default(),
            rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]),
            scale.unwrap_or([1.0; 3]),
        )
        .ok_or_else(|| {
            self.bad(
                format!("/nodes/{node}/rotation"),
                "the quaternion has no length",
                "write a unit quaternion, [0, 0, 0, 1] for no rotation",
            )
        })
    }

    fn numbers<const N: usize>(
        &self,
        node: usize,
        value: Option<Value>,
        key: &str,
    ) -> Result<Option<[f64; N]>, ImportError> {
        let Some(value) = value else { return Ok(None) };
        let numbers: Option<Vec<f64>> =
            value.as_array().and_then(|list| list.iter().map(Value::as_f64).collect());
        match numbers.and_then(|n| <[f64; N]>::try_from(n).ok()) {
            Some(numbers) => Ok(Some(numbers)),
            None => Err(self.bad(
                format!("/nodes/{node}/{key}"),
                format!("the {key} is not an array of {N} numbers"),
                "correct the JSON, or export the file again",
            )),
        }
    }

    fn check_extensions(&self) -> Result<(), ImportError> {
        for (i, name) in self.root.extensions_required.iter().enumerate() {
            if READ.contains(&name.as_str()) || HARMLESS.iter().any(|h| name.starts_with(h)) {
                continue;
            }
            return Err(self.bad(
                format!("/extensionsRequired/{i}"),
                format!("the file requires the extension `{name}`, which is not read: its geometry would not be what its author saw"),
                "export the file without this extension",
            ));
        }
        Ok(())
    }

    /// The crate's validation, after the check without which it panics, and without the complaints
    /// that do not matter here.
    fn check_references(&self) -> Result<(), ImportError> {
        let dangling = "an index points to something that is not there";
        let cure = "correct the index, or export the file again";
        for (m, mesh) in self.root.meshes.iter().enumerate() {
            for (p, primitive) in mesh.primitives.iter().enumerate() {
                for (semantic, accessor) in &primitive.attributes {
                    if accessor.value() >= self.root.accessors.len() {
                        let name = match semantic {
                            Checked::Valid(Semantic::Extras(_)) => KIND_ATTRIBUTE,
                            _ => "POSITION",
                        };
                        let at = format!("/meshes/{m}/primitives/{p}/attributes/{name}");
                        return Err(self.bad(at, dangling, cure));
                    }
                }
            }
        }
        let mut first: Option<(String, String)> = None;
        let checked = catch_unwind(AssertUnwindSafe(|| {
            self.root.validate(&self.root, json::Path::new, &mut |path, fault| {
                // Missing bounds and views are seen when the accessor is read, extensions were
                // looked at above.
                let matters = match fault {
                    Fault::Missing | Fault::Unsupported | Fault::Oversize => false,
                    Fault::Invalid => {
                        let path = path().to_string();
                        !path.ends_with(".min") && !path.ends_with(".max")
                    }
                    _ => true,
                };
                if matters && first.is_none() {
                    let what = match fault {
                        Fault::IndexOutOfBounds => dangling.to_owned(),
                        Fault::Invalid => "the value is none of those that glTF allows".to_owned(),
                        other => other.to_string(),
                    };
                    first = Some((pointer(&path().to_string()), what));
                }
            });
        }));
        match (checked, first) {
            (Ok(()), None) => Ok(()),
            (_, Some((at, what))) => Err(self.bad(at, what, cure)),
            (Err(_), None) => Err(self.bad(
                "the whole file",
                "the glTF validation gave up on this file",
                "export the file again",
            )),
        }
    }
}

/// Writes numbers such as `1.0` as integers, which JSON and glTF 2.0 (2.3) do not tell apart.
fn whole_numbers(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(whole_numbers),
        Value::Object(map) => map.values_mut().for_each(whole_numbers),
        Value::Number(n) if n.is_f64() => {
            let whole = n.as_f64().filter(|v| v.fract() == 0.0 && (0.0..9e15).contains(v));
            if let Some(v) = whole {
                *value = Value::from(v as u64);
            }
        }
        _ => {}
    }
}

/// A warning with a place in the JSON.
pub(super) fn warning(file: &Path, code: &'static str, pointer: &str, message: String) -> Warning {
    Warning { code, message, place: format!("{}, {pointer}", file.display()).into() }
}

/// The objects of an array in the JSON; others are left for the typed parse to complain of.
fn items<'a>(
    object: &'a mut Map<String, Value>,
    key: &str,
) -> impl Iterator<Item = &'a mut Map<String, Value>> + use<'a> {
    let list = object.get_mut(key).and_then(Value::as_array_mut);
    list.into_iter().flatten().filter_map(Value::as_object_mut)
}

/// A path as the crates write it, `meshes[0].primitives[1]`, as a JSON pointer.
fn pointer(path: &str) -> String {
    let mut pointer = String::from("/");
    for letter in path.chars() {
        match letter {
            '.' | '[' => pointer.push('/'),
            ']' | '"' => {}
            other => pointer.push(other),
        }
    }
    if pointer == "/" { String::new() } else { pointer }
}

/// Reads an object of an extension from its JSON.
pub(super) fn extension<T: for<'de> Deserialize<'de>>(value: &Value) -> Result<T, String> {
    T::deserialize(value).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::pointer;

    #[test]
    fn paths_become_json_pointers() {
        assert_eq!(
            pointer("meshes[0].primitives[1].attributes[\"POSITION\"]"),
            "/meshes/0/primitives/1/attributes/POSITION"
        );
        assert_eq!(pointer(""), "");
    }
}
