//! Buffer views that meshoptimizer compressed: the extensions `EXT_meshopt_compression` and
//! `KHR_meshopt_compression`.

use meshoptimizer_rs::codec::{
    BufferView, Filter, Mode, decode_filter_exp, decode_filter_oct, decode_filter_quat,
    decode_index_buffer, decode_index_sequence, decode_vertex_buffer,
};
use meshoptimizer_rs::{Error, Limits, Workspace};
use serde::Deserialize;

use crate::ImportError;

use super::buffers::Buffers;
use super::document::{AGAIN, Document};

const NAMES: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// What the extension says of a view.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stream {
    buffer: usize,
    #[serde(default)]
    byte_offset: u64,
    byte_length: u64,
    byte_stride: usize,
    count: usize,
    mode: String,
    filter: Option<String>,
}

/// The extension of a buffer view that has no plain form beside it.
pub(super) fn extension(document: &Document, view: usize) -> Option<&'static str> {
    let source = &document.root.buffer_views[view];
    let others = &source.extensions.as_ref()?.others;
    let name = NAMES.into_iter().find(|&name| others.contains_key(name))?;
    let required = document.root.extensions_required.iter().any(|r| r == name);
    let buffer = &document.root.buffers[source.buffer.value()];
    let no_bytes = buffer.uri.is_none() && (source.buffer.value() > 0 || document.bin.is_none());
    (required || no_bytes).then_some(name)
}

/// Decodes a buffer view with an extension of this name. O(bytes).
///
/// # Errors
/// If the extension or its stream is damaged.
pub(super) fn decode(
    document: &Document,
    buffers: &Buffers<'_>,
    view: usize,
    name: &str,
) -> Result<Vec<u8>, ImportError> {
    let source = &document.root.buffer_views[view];
    let at = format!("/bufferViews/{view}/extensions/{name}");
    let bad = |finding: String| document.bad(&at, finding, AGAIN);
    let others = source.extensions.as_ref().and_then(|own| own.others.get(name));
    let stream = Stream::deserialize(others.unwrap_or(&serde_json::Value::Null));
    let stream = stream.map_err(|error| bad(format!("the extension cannot be read: {error}")))?;
    let mode = Mode::parse(&stream.mode)
        .map_err(|_| bad(format!("the mode `{}` is unknown", stream.mode)))?;
    let filter = stream.filter.as_deref().unwrap_or("NONE");
    let filter =
        Filter::parse(filter).map_err(|_| bad(format!("the filter `{filter}` is unknown")))?;
    let layout = BufferView::new(mode, filter, stream.count, stream.byte_stride);
    let length = usize::try_from(source.byte_length.0).unwrap_or(usize::MAX);
    let stride = source.byte_stride.map(|stride| stride.0);
    layout.and_then(|layout| layout.validate_parent(length, stride)).map_err(|_| {
        bad(format!(
            "{} elements of {} bytes in the mode {} with the filter {filter:?} do not make the \
             {length} bytes of the bufferView",
            stream.count, stream.byte_stride, stream.mode
        ))
    })?;
    document.budget.spend(&at, length as u64)?;
    let bytes = buffers.slice(&at, stream.buffer, stream.byte_offset, stream.byte_length)?;
    stream
        .decode(mode, filter, bytes)
        .map_err(|error| bad(format!("the compressed bytes cannot be decoded: {error}")))
}

impl Stream {
    fn decode(&self, mode: Mode, filter: Filter, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        // The caller has asked the budget.
        let mut workspace = Workspace::new(Limits { max_bytes: usize::MAX, max_work: u64::MAX });
        let (count, stride) = (self.count, self.byte_stride);
        let decode = match mode {
            Mode::Attributes => decode_vertex_buffer,
            Mode::Triangles => decode_index_buffer,
            Mode::Indices => decode_index_sequence,
        };
        let mut decoded = decode(count, stride, bytes, &mut workspace)?;
        let apply = match filter {
            Filter::None => return Ok(decoded),
            Filter::Octahedral => decode_filter_oct,
            Filter::Quaternion => decode_filter_quat,
            Filter::Exponential => decode_filter_exp,
        };
        apply(&mut decoded, count, stride, &mut workspace)?;
        Ok(decoded)
    }
}
