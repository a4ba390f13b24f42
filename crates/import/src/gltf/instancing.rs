//! EXT_mesh_gpu_instancing: one node, many places.

use gltf::json::accessor::{ComponentType, Type};
use serde_json::Value;

use crate::ImportError;

use super::accessor::{Accessor, Expected};
use super::buffers::Buffers;
use super::document::{Document, extension};
use super::transform::Affine;

const VECTOR: Expected = Expected {
    shape: Type::Vec3,
    kinds: &[ComponentType::F32],
    what: "VEC3 of floats",
};

const ROTATION: Expected = Expected {
    shape: Type::Vec4,
    kinds: &[ComponentType::F32, ComponentType::I8, ComponentType::I16],
    what: "VEC4 of floats or normalized 8 or 16 bit integers",
};

#[derive(serde::Deserialize)]
#[serde(rename_all = "UPPERCASE")]
struct Attributes {
    translation: Option<usize>,
    rotation: Option<usize>,
    scale: Option<usize>,
}

/// Where the mesh of a node stands: once, or as often as the extension says.
pub(super) fn transforms(
    document: &Document,
    buffers: &Buffers<'_>,
    node: usize,
    world: Affine,
) -> Result<Vec<Affine>, ImportError> {
    let extensions = document.root.nodes[node].extensions.as_ref();
    let Some(value) = extensions.and_then(|e| e.others.get("EXT_mesh_gpu_instancing")) else {
        return Ok(vec![world]);
    };
    let at = format!("/nodes/{node}/extensions/EXT_mesh_gpu_instancing/attributes");
    let cure = "correct the extension, or export the file without it";
    let attributes: Attributes = extension(value.get("attributes").unwrap_or(&Value::Null))
        .map_err(|e| document.bad(&at, format!("cannot be read: {e}"), cure))?;

    let mut count = None;
    let mut open =
        |index: Option<usize>, expected: &Expected| -> Result<Option<Accessor<'_>>, ImportError> {
            let Some(index) = index else { return Ok(None) };
            if index >= document.root.accessors.len() {
                return Err(document.bad(&at, format!("accessor {index} is not there"), cure));
            }
            let accessor = Accessor::open(document, buffers, index, expected)?;
            if *count.get_or_insert(accessor.count) != accessor.count {
                return Err(document.bad(&at, "the accessors are not of one length", cure));
            }
            Ok(Some(accessor))
        };
    let translation = open(attributes.translation, &VECTOR)?;
    let rotation = open(attributes.rotation, &ROTATION)?;
    let scale = open(attributes.scale, &VECTOR)?;
    let Some(count) = count else {
        return Err(document.bad(
            &at,
            "has none of TRANSLATION, ROTATION and SCALE: how many instances there are is not said",
            cure,
        ));
    };
    (0..count)
        .map(|i| {
            let local = Affine::from_parts(
                translation.as_ref().map_or([0.0; 3], |a| a.numbers(i)),
                rotation
                    .as_ref()
                    .map_or([0.0, 0.0, 0.0, 1.0], |a| a.numbers(i)),
                scale.as_ref().map_or([1.0; 3], |a| a.numbers(i)),
            );
            match local {
                Some(local) => Ok(world.after(&local)),
                None => Err(document.bad(
                    &at,
                    format!("the rotation of instance {i} is not a quaternion"),
                    cure,
                )),
            }
        })
        .collect()
}
