//! Numbers out of buffers: accessors of every component type, strided, normalized, sparse, with or
//! without a view below.

use std::borrow::Cow;

use gltf_json as json;
use json::accessor::{ComponentType, Type};
use json::validation::Checked;

use crate::ImportError;

use super::buffers::Buffers;
use super::document::{AGAIN, Document};

/// An accessor with every element inside its buffer.
pub(super) struct Accessor<'a> {
    pub(super) count: usize,
    pub(super) kind: ComponentType,
    pub(super) index: usize,
    normalized: bool,
    base: Option<Strided<'a>>,
    sparse: Option<Sparse<'a>>,
}

struct Strided<'a> {
    bytes: Cow<'a, [u8]>,
    stride: usize,
}

struct Sparse<'a> {
    /// Strictly increasing.
    indices: Vec<u32>,
    values: Strided<'a>,
}

/// The element type that is expected of an accessor.
pub(super) struct Expected {
    pub(super) shape: Type,
    pub(super) kinds: &'static [ComponentType],
    /// In words, for messages.
    pub(super) what: &'static str,
}

/// Positions: plain, or as KHR_mesh_quantization allows.
pub(super) const POSITIONS: Expected = Expected {
    shape: Type::Vec3,
    kinds: &[
        ComponentType::F32,
        ComponentType::I8,
        ComponentType::U8,
        ComponentType::I16,
        ComponentType::U16,
    ],
    what: "VEC3 of floats (or of 8 or 16 bit integers, KHR_mesh_quantization)",
};

/// Indices of a primitive.
pub(super) const INDICES: Expected = Expected {
    shape: Type::Scalar,
    kinds: &[ComponentType::U8, ComponentType::U16, ComponentType::U32],
    what: "SCALAR of unsigned 8, 16 or 32 bit integers",
};

/// A vertex's kind of ground: [`navbake_level::Part::attribute`].
pub(super) const KINDS: Expected = Expected {
    shape: Type::Scalar,
    kinds: &[
        ComponentType::F32,
        ComponentType::I8,
        ComponentType::U8,
        ComponentType::I16,
        ComponentType::U16,
        ComponentType::U32,
    ],
    what: "SCALAR of floats or integers, a whole number from 0 to 65535 a vertex",
};

impl<'a> Accessor<'a> {
    /// Finds the bytes of an accessor and checks that they are all there.
    pub(super) fn open(
        document: &Document,
        buffers: &'a Buffers<'_>,
        index: usize,
        expected: &Expected,
    ) -> Result<Accessor<'a>, ImportError> {
        let at = format!("/accessors/{index}");
        let source = &document.root.accessors[index];
        let (Checked::Valid(kind), Checked::Valid(shape)) = (&source.component_type, &source.type_)
        else {
            return Err(document.bad(at, "the type or component type is unknown", AGAIN));
        };
        let kind = kind.0;
        if *shape != expected.shape || !expected.kinds.contains(&kind) {
            return Err(document.bad(
                at,
                format!("holds {shape:?} of {kind:?} where {} is expected", expected.what),
                AGAIN,
            ));
        }
        let size = shape.multiplicity() * kind.size();
        let count = source.count.0;
        let base = match source.buffer_view {
            Some(view) => {
                let offset = source.byte_offset.map_or(0, |o| o.0);
                Some(strided(document, buffers, &at, view.value(), offset, count, size)?)
            }
            // Zeros (glTF 2.0, 5.1.1). No bytes bound their number: whatever follows it spends
            // from the budget.
            None => None,
        };
        let sparse = match &source.sparse {
            Some(sparse) => Some(Sparse::open(document, buffers, &at, sparse, count, size)?),
            None => None,
        };
        Ok(Accessor {
            count: count as usize,
            kind,
            index,
            normalized: source.normalized,
            base,
            sparse,
        })
    }

    fn element(&self, i: usize, size: usize) -> Option<&[u8]> {
        if let Some(sparse) = &self.sparse
            && let Ok(k) = sparse.indices.binary_search(&(i as u32))
        {
            return sparse.values.element(k, size);
        }
        self.base.as_ref()?.element(i, size)
    }

    /// Takes numbers in place of those of a buffer view: all components of `count` elements, as
    /// they are stored.
    pub(super) fn fill(&mut self, count: usize, numbers: &[f32]) {
        let mut bytes = Vec::with_capacity(numbers.len() * self.kind.size());
        for &number in numbers {
            match self.kind {
                ComponentType::I8 => bytes.extend((number as i8).to_le_bytes()),
                ComponentType::U8 => bytes.push(number as u8),
                ComponentType::I16 => bytes.extend((number as i16).to_le_bytes()),
                ComponentType::U16 => bytes.extend((number as u16).to_le_bytes()),
                ComponentType::U32 => bytes.extend((number as u32).to_le_bytes()),
                ComponentType::F32 => bytes.extend(number.to_le_bytes()),
            }
        }
        let stride = bytes.len() / count.max(1);
        self.count = count;
        self.base = Some(Strided { bytes: Cow::Owned(bytes), stride });
    }

    /// An element of `N` components as numbers.
    pub(super) fn numbers<const N: usize>(&self, i: usize) -> [f64; N] {
        let size = self.kind.size();
        match self.element(i, N * size) {
            Some(bytes) => std::array::from_fn(|k| self.number(&bytes[k * size..])),
            None => [0.0; N],
        }
    }

    /// A scalar as it is stored: an integer stays one, whatever it is normalized to.
    pub(super) fn stored(&self, i: usize) -> f64 {
        let bytes = self.element(i, self.kind.size());
        bytes.map_or(0.0, |bytes| self.value(bytes).0)
    }

    fn number(&self, b: &[u8]) -> f64 {
        let (value, scale) = self.value(b);
        if self.normalized && scale != 1.0 { (value / scale).max(-1.0) } else { value }
    }

    /// A number, and its divisor if it is normalized.
    fn value(&self, b: &[u8]) -> (f64, f64) {
        // The scales are those of glTF 2.0, 3.11 and KHR_mesh_quantization.
        match self.kind {
            ComponentType::I8 => (f64::from(b[0] as i8), 127.0),
            ComponentType::U8 => (f64::from(b[0]), 255.0),
            ComponentType::I16 => (f64::from(i16::from_le_bytes([b[0], b[1]])), 32767.0),
            ComponentType::U16 => (f64::from(u16::from_le_bytes([b[0], b[1]])), 65535.0),
            ComponentType::U32 => (u32::from_le_bytes([b[0], b[1], b[2], b[3]]).into(), 1.0),
            ComponentType::F32 => (f32::from_le_bytes([b[0], b[1], b[2], b[3]]).into(), 1.0),
        }
    }

    /// A scalar as an index.
    pub(super) fn integer(&self, i: usize) -> u32 {
        match self.element(i, self.kind.size()) {
            Some(bytes) => integer(bytes, self.kind.size()),
            None => 0,
        }
    }
}

fn integer(b: &[u8], size: usize) -> u32 {
    match size {
        1 => u32::from(b[0]),
        2 => u32::from(u16::from_le_bytes([b[0], b[1]])),
        _ => u32::from_le_bytes([b[0], b[1], b[2], b[3]]),
    }
}

/// The bytes of `count` elements of a buffer view, the first byte that of the first element.
fn strided<'a>(
    document: &Document,
    buffers: &'a Buffers<'_>,
    at: &str,
    view: usize,
    offset: u64,
    count: u64,
    size: usize,
) -> Result<Strided<'a>, ImportError> {
    let source = &document.root.buffer_views[view];
    let here = format!("/bufferViews/{view}");
    let bytes = buffers.view(view)?;
    let stride = source.byte_stride.map_or(size, |s| s.0);
    if stride < size {
        return Err(document.bad(
            format!("{here}/byteStride"),
            format!("is {stride}, less than the {size} bytes of an element of {at}"),
            AGAIN,
        ));
    }
    let last = count.saturating_sub(1).checked_mul(stride as u64);
    let needed = last.and_then(|l| l.checked_add(offset)?.checked_add(size as u64));
    if count > 0 && needed.is_none_or(|n| n > bytes.len() as u64) {
        return Err(document.bad(
            at,
            format!(
                "{count} elements of {size} bytes, {stride} apart, from byte {offset} leave the bufferView {view}, which has {} bytes",
                bytes.len()
            ),
            AGAIN,
        ));
    }
    Ok(Strided { bytes: bytes.get(offset as usize..).unwrap_or_default().into(), stride })
}

impl Strided<'_> {
    /// The bytes of an element of this size.
    fn element(&self, i: usize, size: usize) -> Option<&[u8]> {
        self.bytes.get(i * self.stride..)?.get(..size)
    }
}

impl<'a> Sparse<'a> {
    fn open(
        document: &Document,
        buffers: &'a Buffers<'_>,
        at: &str,
        source: &json::accessor::sparse::Sparse,
        whole: u64,
        size: usize,
    ) -> Result<Sparse<'a>, ImportError> {
        let at = format!("{at}/sparse");
        let count = source.count.0;
        if count > whole {
            return Err(document.bad(
                format!("{at}/count"),
                format!("replaces {count} of {whole} elements"),
                AGAIN,
            ));
        }
        let places = &source.indices;
        let Checked::Valid(kind) = &places.component_type else {
            return Err(document.bad(
                format!("{at}/indices"),
                "the component type is unknown",
                AGAIN,
            ));
        };
        let width = kind.0.size();
        // Many primitives can share the accessor: then a small file is much work.
        document.budget.spend(&at, count.saturating_mul(4))?;
        let view = places.buffer_view.value();
        let packed = strided(
            document,
            buffers,
            &format!("{at}/indices"),
            view,
            places.byte_offset.0,
            count,
            width,
        )?;
        let indices: Vec<u32> = (0..count as usize)
            .filter_map(|i| Some(integer(packed.element(i, width)?, width)))
            .collect();
        let sorted = indices.windows(2).all(|w| w[0] < w[1]);
        if !sorted || indices.last().is_some_and(|&i| u64::from(i) >= whole) {
            return Err(document.bad(
                format!("{at}/indices"),
                format!("the indices do not rise strictly, or do not stay below {whole}"),
                AGAIN,
            ));
        }
        let view = source.values.buffer_view.value();
        let offset = source.values.byte_offset.0;
        let values =
            strided(document, buffers, &format!("{at}/values"), view, offset, count, size)?;
        Ok(Sparse { indices, values })
    }
}
