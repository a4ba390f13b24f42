//! Primitives that Draco compressed: the extension `KHR_draco_mesh_compression`.

use std::collections::BTreeMap;
use std::path::Path;

use draco_core::{DecodeLimits, DecoderBuffer, Mesh, MeshDecoder};
use gltf_json as json;
use json::mesh::Semantic;
use json::validation::Checked;
use serde::Deserialize;

use crate::ImportError;

use super::accessor::Accessor;
use super::buffers::Buffers;
use super::document::{AGAIN, Document, KIND_ATTRIBUTE};

const NAME: &str = "KHR_draco_mesh_compression";

/// Bytes that an attribute of a vertex takes at most: four numbers, as they are and as integers.
const ATTRIBUTE: u64 = 32;

/// Bytes that a corner takes while it is decoded.
const CORNER: u64 = 32;

/// What the extension says of a primitive.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Extension {
    buffer_view: usize,
    /// Identifiers in the stream by names of attributes.
    attributes: BTreeMap<String, u32>,
}

/// The stream of a primitive.
pub(super) struct Stream<'a> {
    /// The primitive's place in the file.
    at: String,
    bytes: &'a [u8],
    positions: u32,
    kinds: Option<u32>,
    /// Bytes that all attributes of a vertex take at most.
    vertex: u64,
}

/// Finds the stream of a primitive that has no plain form beside it.
///
/// # Errors
/// If the extension is damaged.
pub(super) fn open<'a>(
    document: &Document,
    buffers: &'a Buffers<'_>,
    source: &json::mesh::Primitive,
    at: &str,
) -> Result<Option<Stream<'a>>, ImportError> {
    let Some(value) = source.extensions.as_ref().and_then(|own| own.others.get(NAME)) else {
        return Ok(None);
    };
    let is_plain = |i: usize| {
        let accessor = &document.root.accessors[i];
        accessor.buffer_view.is_some() || accessor.sparse.is_some()
    };
    let positions = source.attributes.get(&Checked::Valid(Semantic::Positions));
    if positions.is_some_and(|p| is_plain(p.value()))
        && source.indices.is_none_or(|i| is_plain(i.value()))
    {
        return Ok(None);
    }
    let at_extension = format!("{at}/extensions/{NAME}");
    let bad = |finding: String| document.bad(&at_extension, finding, AGAIN);
    let own = Extension::deserialize(value)
        .map_err(|error| bad(format!("the extension cannot be read: {error}")))?;
    let positions = own.attributes.get("POSITION").copied();
    let positions = positions.ok_or_else(|| bad("has no POSITION".into()))?;
    let views = document.root.buffer_views.len();
    if own.buffer_view >= views {
        return Err(bad(format!("the bufferView {} is not among the {views}", own.buffer_view)));
    }
    Ok(Some(Stream {
        at: at.into(),
        bytes: buffers.view(own.buffer_view)?,
        positions,
        kinds: own.attributes.get(KIND_ATTRIBUTE).copied(),
        vertex: ATTRIBUTE * own.attributes.len() as u64,
    }))
}

impl Stream<'_> {
    /// Spends the memory of decoding as many vertices and corners.
    pub(super) fn spend(
        &self,
        document: &Document,
        vertices: usize,
        corners: usize,
    ) -> Result<(), ImportError> {
        let bytes = self.vertex.saturating_mul(vertices as u64);
        let bytes = bytes.saturating_add(CORNER.saturating_mul(corners as u64));
        document.budget.spend(&self.at, bytes)
    }

    /// Decodes the stream: gives the vertex at each corner of the triangles, and fills the
    /// accessors. The accessors, `corners` and the attributes that the extension names say how much
    /// there is at most.
    ///
    /// # Errors
    /// If the stream is damaged, or has more than that.
    pub(super) fn decode(
        &self,
        file: &Path,
        corners: usize,
        positions: &mut Accessor<'_>,
        kinds: Option<&mut Accessor<'_>>,
    ) -> Result<Vec<u32>, ImportError> {
        let at = format!("{}/extensions/{NAME}", self.at);
        let bad = |finding: String| ImportError::bad(file, &at, finding, AGAIN);
        let limits = DecodeLimits::default()
            .with_max_points(positions.count as u64)
            .with_max_faces(corners as u64)
            .with_max_decoded_bytes(self.vertex.saturating_mul(positions.count as u64));
        let mut mesh = Mesh::new();
        MeshDecoder::new()
            .decode(&mut DecoderBuffer::new(self.bytes).with_limits(limits), &mut mesh)
            .map_err(|error| bad(format!("the stream cannot be decoded: {error}")))?;
        let vertices = mesh.num_points();
        if vertices > positions.count {
            return Err(bad(format!(
                "the stream has {vertices} vertices, and the accessor of the positions {}",
                positions.count
            )));
        }
        let numbers = |id: u32, components: u8| {
            let found = mesh.attribute_by_unique_id(id);
            let found = found.filter(|own| own.num_components() == components);
            let found = found.ok_or_else(|| {
                bad(format!("the stream has no attribute {id} of {components} components"))
            })?;
            Ok(found.read_f32s(vertices, usize::from(components)))
        };
        positions.fill(vertices, &numbers(self.positions, 3)?);
        if let (Some(kinds), Some(id)) = (kinds, self.kinds) {
            kinds.fill(vertices, &numbers(id, 1)?);
        }
        let found: Vec<u32> = mesh.faces().iter().flatten().map(|vertex| vertex.0).collect();
        match found.iter().find(|&&vertex| vertex as usize >= vertices) {
            None => Ok(found),
            Some(vertex) => {
                Err(bad(format!("a triangle has the vertex {vertex}, and there are {vertices}")))
            }
        }
    }
}
