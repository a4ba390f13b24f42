//! Triangles of a mesh's primitives.

use std::collections::BTreeMap;

use gltf_json as json;
use json::mesh::{Mode, Semantic};
use json::validation::Checked;
use navbake_level::{Given, Warning};

use crate::ImportError;

use super::accessor::{Accessor, INDICES, KINDS, POSITIONS};
use super::buffers::Buffers;
use super::document::{Document, KIND_ATTRIBUTE, warning};

/// A primitive as triangles over the vertices that they use.
pub(super) struct Primitive {
    pub(super) vertices: Vec<[f64; 3]>,
    /// Triangles by what [`KIND_ATTRIBUTE`] says of all their corners; `None` where it says
    /// nothing, or different things.
    pub(super) triangles: BTreeMap<Option<u16>, Vec<[u32; 3]>>,
    pub(super) material: String,
    pub(super) double_sided: bool,
    /// The combined extras of mesh, material and primitive.
    pub(super) given: Given,
    /// The accessor of the positions, and the element each vertex came from.
    accessor: usize,
    elements: Vec<u32>,
}

impl Primitive {
    /// A vertex's place in the file.
    pub(super) fn place(&self, vertex: u32) -> String {
        let element = self.elements.get(vertex as usize).copied().unwrap_or_default();
        format!("/accessors/{}, element {element}", self.accessor)
    }
}

/// Bytes a corner takes while a primitive is decoded, at most: its index, number and element, its
/// own vertex, and a triangle in a strip or fan.
const CORNER: u64 = 96;

/// Decodes the primitives of a mesh.
pub(super) fn decode(
    document: &Document,
    buffers: &Buffers<'_>,
    mesh: usize,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Primitive>, ImportError> {
    let mut primitives = vec![];
    for (p, source) in document.root.meshes[mesh].primitives.iter().enumerate() {
        let at = format!("/meshes/{mesh}/primitives/{p}");
        let Checked::Valid(mode) = source.mode else {
            return Err(document.bad(
                format!("{at}/mode"),
                "the mode is unknown",
                "export the file again",
            ));
        };
        if matches!(mode, Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip) {
            warnings.push(warning(
                &document.file,
                "points-and-lines",
                &at,
                "left out a primitive of points or lines, which is no surface".into(),
            ));
            continue;
        }
        let mut read = primitive(document, buffers, source, mode, &at, warnings)?;
        let material = source.material.map(|m| m.value());
        read.given = document.given(mesh, material, p);
        primitives.push(read);
    }
    Ok(primitives)
}

fn primitive(
    document: &Document,
    buffers: &Buffers<'_>,
    source: &json::mesh::Primitive,
    mode: Mode,
    at: &str,
    warnings: &mut Vec<Warning>,
) -> Result<Primitive, ImportError> {
    let positions = source.attributes.get(&Checked::Valid(Semantic::Positions));
    let draco = source
        .extensions
        .as_ref()
        .is_some_and(|e| e.others.contains_key("KHR_draco_mesh_compression"));
    if draco {
        let plain = |i: usize| {
            let accessor = &document.root.accessors[i];
            accessor.buffer_view.is_some() || accessor.sparse.is_some()
        };
        let readable = positions.is_some_and(|p| plain(p.value()))
            && source.indices.is_none_or(|i| plain(i.value()));
        if !readable {
            return Err(document.bad(
                at,
                "is compressed with `KHR_draco_mesh_compression`, which is not decoded",
                "decompress the file: `gltf-transform cp in.glb out.glb`",
            ));
        }
    }
    let Some(positions) = positions else {
        return Err(document.bad(
            format!("{at}/attributes"),
            "the primitive has no POSITION: its surface cannot be known",
            "export the file again, or take the primitive out",
        ));
    };
    let positions = Accessor::open(document, buffers, positions.value(), &POSITIONS)?;
    for accessor in [Some(positions.index), source.indices.map(|i| i.value())] {
        let known = accessor.and_then(|i| Some((i, document.root.accessors.get(i)?)));
        if let Some((i, _)) = known.filter(|(_, a)| a.buffer_view.is_none() && a.sparse.is_none()) {
            warnings.push(warning(
                &document.file,
                "accessor-without-view",
                &format!("/accessors/{i}"),
                format!("{at} uses this accessor, which has no bufferView: all of it is zeros"),
            ));
        }
    }
    let corners = corners(document, buffers, source, &positions, at)?;

    let count = corners.len();
    let left_over = match mode {
        Mode::Triangles => count % 3,
        _ if count < 3 => count,
        _ => 0,
    };
    if left_over > 0 {
        warnings.push(warning(
            &document.file,
            "incomplete-triangle",
            at,
            format!(
                "{count} corners do not make up whole triangles; the last {left_over} were left out"
            ),
        ));
    }
    let (corners, elements) = compact(corners, positions.count);
    let triangles: Vec<[u32; 3]> = match mode {
        Mode::TriangleStrip => corners
            .windows(3)
            .enumerate()
            .map(|(i, w)| if i % 2 == 0 { [w[0], w[1], w[2]] } else { [w[1], w[0], w[2]] })
            // Strips are joined by triangles that repeat a corner.
            .filter(|t| t[0] != t[1] && t[1] != t[2] && t[2] != t[0])
            .collect(),
        Mode::TriangleFan => (2..count).map(|i| [corners[0], corners[i - 1], corners[i]]).collect(),
        _ => corners.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect(),
    };
    let vertices: Vec<[f64; 3]> = elements.iter().map(|&e| positions.numbers(e as usize)).collect();
    warn_of_unused(document, &positions, &elements, warnings);
    let kinds = kinds(document, buffers, source, positions.count, &elements)?;
    let mut by_kind: BTreeMap<Option<u16>, Vec<[u32; 3]>> = BTreeMap::new();
    for t in triangles {
        let [a, b, c] = t.map(|v| kinds.get(v as usize).copied().flatten());
        let kind = a.filter(|_| a == b && b == c);
        by_kind.entry(kind).or_default().push(t);
    }
    let material = source.material.map(|m| &document.root.materials[m.value()]);
    Ok(Primitive {
        vertices,
        triangles: by_kind,
        material: material.and_then(|m| m.name.clone()).unwrap_or_default(),
        double_sided: material.is_some_and(|m| m.double_sided),
        given: Given::default(),
        accessor: positions.index,
        elements,
    })
}

/// The ground attribute of some elements; `None` if the primitive has no such attribute.
fn kinds(
    document: &Document,
    buffers: &Buffers<'_>,
    source: &json::mesh::Primitive,
    count: usize,
    elements: &[u32],
) -> Result<Vec<Option<u16>>, ImportError> {
    let semantic = Semantic::Extras(KIND_ATTRIBUTE[1..].into());
    let Some(index) = source.attributes.get(&Checked::Valid(semantic)) else {
        return Ok(vec![]);
    };
    let accessor = Accessor::open(document, buffers, index.value(), &KINDS)?;
    if accessor.count != count {
        return Err(document.bad(
            format!("/accessors/{}", accessor.index),
            format!(
                "`{KIND_ATTRIBUTE}` has {} elements, and the positions have {count}",
                accessor.count
            ),
            "the file is damaged or its exporter is at fault: export it again",
        ));
    }
    let kind = |&element: &u32| {
        let value = accessor.stored(element as usize);
        let whole = value == value.trunc() && (0.0..=f64::from(u16::MAX)).contains(&value);
        whole.then_some(value as u16)
    };
    Ok(elements.iter().map(kind).collect())
}

/// The element of the positions at each corner.
fn corners(
    document: &Document,
    buffers: &Buffers<'_>,
    source: &json::mesh::Primitive,
    positions: &Accessor<'_>,
    at: &str,
) -> Result<Vec<u32>, ImportError> {
    let Some(indices) = source.indices else {
        if positions.count > u32::MAX as usize {
            return Err(document.bad(
                at,
                "has more vertices than can be numbered",
                "split the mesh",
            ));
        }
        document.budget.spend(at, CORNER * positions.count as u64)?;
        return Ok((0..positions.count as u32).collect());
    };
    let indices = Accessor::open(document, buffers, indices.value(), &INDICES)?;
    document.budget.spend(at, CORNER.saturating_mul(indices.count as u64))?;
    let corners: Vec<u32> = (0..indices.count).map(|i| indices.integer(i)).collect();
    if let Some(i) = corners.iter().position(|&c| c as usize >= positions.count) {
        return Err(document.bad(
            format!("/accessors/{}, element {i}", indices.index),
            format!(
                "the index {} of {at} points past the {} positions of /accessors/{}",
                corners[i], positions.count, positions.index
            ),
            "the file is damaged or its exporter is at fault: export it again",
        ));
    }
    Ok(corners)
}

/// Numbers the elements that are used anew, in their order: the new corners, and the element of
/// each new number. Several primitives often share one long accessor, so the work must not follow
/// its length.
fn compact(mut corners: Vec<u32>, count: usize) -> (Vec<u32>, Vec<u32>) {
    if count <= 8 * corners.len() {
        let mut number = vec![u32::MAX; count];
        for &c in &corners {
            number[c as usize] = 0;
        }
        let mut elements = vec![];
        for (element, n) in number.iter_mut().enumerate() {
            if *n == 0 {
                *n = elements.len() as u32;
                elements.push(element as u32);
            }
        }
        for c in &mut corners {
            *c = number[*c as usize];
        }
        return (corners, elements);
    }
    let mut elements = corners.clone();
    elements.sort_unstable();
    elements.dedup();
    for c in &mut corners {
        *c = elements.partition_point(|e| e < c) as u32;
    }
    (corners, elements)
}

/// Warns of elements that no triangle here uses and that are not finite.
fn warn_of_unused(
    document: &Document,
    positions: &Accessor<'_>,
    used: &[u32],
    warnings: &mut Vec<Warning>,
) {
    if used.len() == positions.count || positions.count > 8 * used.len() {
        return;
    }
    let unused = (0..positions.count).filter(|&i| used.binary_search(&(i as u32)).is_err());
    let mut bad = unused.filter(|&i| positions.numbers::<3>(i).iter().any(|c| !c.is_finite()));
    if let Some(first) = bad.next() {
        warnings.push(warning(
            &document.file,
            "nonfinite-vertices",
            &format!("/accessors/{}, element {first}", positions.index),
            format!(
                "{} vertices are not finite numbers; no triangle of this primitive uses them",
                1 + bad.count()
            ),
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::compact;

    #[test]
    fn compact_is_the_same_both_ways() {
        let corners = vec![7, 3, 9, 3, 7, 1];
        let both = (vec![2, 1, 3, 1, 2, 0], vec![1, 3, 7, 9]);
        assert_eq!(compact(corners.clone(), 10), both);
        assert_eq!(compact(corners, 1000), both);
    }
}
