//! EXT_mesh_gpu_instancing: one node, many places.

use gltf_json::accessor::{ComponentType, Type};
use serde_json::Value;

use crate::ImportError;

use super::accessor::{Accessor, Expected};
use super::buffers::Buffers;
use super::document::{Document, extension};
use crate::transform::Affine;

const VECTOR: Expected =
    Expected { shape: Type::Vec3, kinds: &[ComponentType::F32], what: "VEC3 of floats" };

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

/// Placements of a node's mesh: one, or those of the instancing extension.
pub(super) struct Instances<'a> {
    world: Affine,
    count: usize,
    translation: Option<Accessor<'a>>,
    rotation: Option<Accessor<'a>>,
    scale: Option<Accessor<'a>>,
}

/// Bytes an instance spends, even of a mesh that has no triangles: each is work.
const INSTANCE: u64 = 64;

const CURE: &str = "correct the extension, or export the file without it";

impl<'a> Instances<'a> {
    /// The places of a node's mesh; `world` is that of the node.
    pub(super) fn of_node(
        document: &Document,
        buffers: &'a Buffers<'_>,
        node: usize,
        world: Affine,
    ) -> Result<Instances<'a>, ImportError> {
        let mut instances =
            Instances { world, count: 1, translation: None, rotation: None, scale: None };
        let extensions = document.root.nodes[node].extensions.as_ref();
        let Some(value) = extensions.and_then(|e| e.others.get("EXT_mesh_gpu_instancing")) else {
            return Ok(instances);
        };
        let at = format!("/nodes/{node}/extensions/EXT_mesh_gpu_instancing/attributes");
        let attributes: Attributes = extension(value.get("attributes").unwrap_or(&Value::Null))
            .map_err(|e| document.bad(&at, format!("cannot be read: {e}"), CURE))?;

        let mut count = None;
        let mut open = |index: Option<usize>, expected: &Expected| {
            let Some(index) = index else { return Ok(None) };
            if index >= document.root.accessors.len() {
                return Err(document.bad(&at, format!("accessor {index} is not there"), CURE));
            }
            let accessor = Accessor::open(document, buffers, index, expected)?;
            if *count.get_or_insert(accessor.count) != accessor.count {
                return Err(document.bad(&at, "the accessors are not of one length", CURE));
            }
            Ok(Some(accessor))
        };
        instances.translation = open(attributes.translation, &VECTOR)?;
        instances.rotation = open(attributes.rotation, &ROTATION)?;
        instances.scale = open(attributes.scale, &VECTOR)?;
        instances.count = count.ok_or_else(|| {
            document.bad(
                &at,
                "has none of TRANSLATION, ROTATION and SCALE: how many instances there are is not said",
                CURE,
            )
        })?;
        document.budget.spend(&at, INSTANCE.saturating_mul(instances.count as u64))?;
        Ok(instances)
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// One placement.
    pub(super) fn place(&self, document: &Document, i: usize) -> Result<Affine, ImportError> {
        if self.translation.is_none() && self.rotation.is_none() && self.scale.is_none() {
            return Ok(self.world);
        }
        let local = Affine::from_parts(
            self.translation.as_ref().map_or([0.0; 3], |a| a.numbers(i)),
            self.rotation.as_ref().map_or([0.0, 0.0, 0.0, 1.0], |a| a.numbers(i)),
            self.scale.as_ref().map_or([1.0; 3], |a| a.numbers(i)),
        );
        match (local, &self.rotation) {
            (Some(local), _) => Ok(self.world.after(&local)),
            (None, rotation) => Err(document.bad(
                format!("/accessors/{}, element {i}", rotation.as_ref().map_or(0, |r| r.index)),
                "the rotation of this instance is no quaternion",
                CURE,
            )),
        }
    }
}
