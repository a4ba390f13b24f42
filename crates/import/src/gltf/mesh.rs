//! Triangles of a mesh's primitives.
//!
//! [`open`] finds and checks the accessors of one mesh after the other, and asks the budget.
//! [`decode`] reads the numbers, of all primitives in parallel and of a large one in parts.

use std::collections::BTreeMap;
use std::path::Path;

use gltf_json as json;
use json::mesh::{Mode, Semantic};
use json::validation::Checked;
use navbake_level::{Given, Warning};
use rayon::prelude::*;

use crate::ImportError;

use super::accessor::{Accessor, INDICES, KINDS, POSITIONS};
use super::buffers::Buffers;
use super::document::{AGAIN, Document, KIND_ATTRIBUTE, warning};
use super::draco;

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

/// Elements that a thread decodes at a time: with fewer, its start would outweigh the work.
const PART: usize = 1 << 13;

/// A primitive whose accessors are open. What is left to do knows neither document nor budget, so
/// primitives are decoded on all threads, in any order.
pub(super) struct Opened<'a> {
    /// Its place in the file.
    at: String,
    mode: Mode,
    positions: Accessor<'a>,
    indices: Option<Accessor<'a>>,
    kinds: Option<Accessor<'a>>,
    /// What the accessors are filled from, if they have no views.
    draco: Option<draco::Stream<'a>>,
    material: String,
    double_sided: bool,
    given: Given,
}

/// Opens the primitives of a mesh: each with warnings, and without a primitive where that is no
/// surface.
///
/// # Errors
/// If one cannot be read. Those before it are in `out`.
pub(super) fn open<'a>(
    document: &Document,
    buffers: &'a Buffers<'_>,
    mesh: usize,
    out: &mut Vec<(Option<Opened<'a>>, Vec<Warning>)>,
) -> Result<(), ImportError> {
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
            let left_out = warning(
                &document.file,
                "points-and-lines",
                &at,
                "left out a primitive of points or lines, which is no surface".into(),
            );
            out.push((None, vec![left_out]));
            continue;
        }
        let mut warnings = vec![];
        let mut opened = primitive(document, buffers, source, mode, at, &mut warnings)?;
        let material = source.material.map(|m| m.value());
        opened.given = document.given(mesh, material, p);
        out.push((Some(opened), warnings));
    }
    Ok(())
}

fn primitive<'a>(
    document: &Document,
    buffers: &'a Buffers<'_>,
    source: &json::mesh::Primitive,
    mode: Mode,
    at: String,
    warnings: &mut Vec<Warning>,
) -> Result<Opened<'a>, ImportError> {
    let positions = source.attributes.get(&Checked::Valid(Semantic::Positions));
    let draco = draco::open(document, buffers, source, &at)?;
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
        let known = known.filter(|_| draco.is_none());
        if let Some((i, _)) = known.filter(|(_, a)| a.buffer_view.is_none() && a.sparse.is_none()) {
            warnings.push(warning(
                &document.file,
                "accessor-without-view",
                &format!("/accessors/{i}"),
                format!("{at} uses this accessor, which has no bufferView: all of it is zeros"),
            ));
        }
    }
    let indices = source.indices.map(|i| Accessor::open(document, buffers, i.value(), &INDICES));
    let indices = indices.transpose()?;
    if indices.is_none() && positions.count > u32::MAX as usize {
        return Err(document.bad(at, "has more vertices than can be numbered", "split the mesh"));
    }
    let count = indices.as_ref().map_or(positions.count, |indices| indices.count);
    document.budget.spend(&at, CORNER.saturating_mul(count as u64))?;
    if let Some(stream) = &draco {
        stream.spend(document, positions.count, count)?;
    }
    let left_over = match mode {
        // The stream has whole triangles.
        _ if draco.is_some() => 0,
        Mode::Triangles => count % 3,
        _ if count < 3 => count,
        _ => 0,
    };
    if left_over > 0 {
        warnings.push(warning(
            &document.file,
            "incomplete-triangle",
            &at,
            format!(
                "{count} corners do not make up whole triangles; the last {left_over} were left out"
            ),
        ));
    }
    let kinds = kinds(document, buffers, source, positions.count)?;
    let material = source.material.map(|m| &document.root.materials[m.value()]);
    Ok(Opened {
        at,
        mode,
        positions,
        indices,
        kinds,
        draco,
        material: material.and_then(|m| m.name.clone()).unwrap_or_default(),
        double_sided: material.is_some_and(|m| m.double_sided),
        given: Given::default(),
    })
}

/// Decodes a primitive.
///
/// # Errors
/// If an index is out of range.
pub(super) fn decode(
    opened: Opened<'_>,
    file: &Path,
    warnings: &mut Vec<Warning>,
) -> Result<Primitive, ImportError> {
    let Opened { at, mut mode, mut positions, indices, mut kinds, draco, .. } = opened;
    let corners = match &draco {
        Some(stream) => {
            mode = Mode::Triangles;
            let most = indices.map_or(positions.count, |indices| indices.count);
            stream.decode(file, most, &mut positions, kinds.as_mut())?
        }
        None => corners(&at, &positions, indices.as_ref(), file)?,
    };
    let count = corners.len();
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
        _ => {
            let all = corners.par_chunks_exact(3).with_min_len(PART);
            all.map(|c| [c[0], c[1], c[2]]).collect()
        }
    };
    drop(corners);
    let all = elements.par_iter().with_min_len(PART);
    let vertices: Vec<[f64; 3]> = all.map(|&e| positions.numbers(e as usize)).collect();
    warn_of_unused(file, &positions, &elements, warnings);
    let mut by_kind: BTreeMap<Option<u16>, Vec<[u32; 3]>> = BTreeMap::new();
    match kinds {
        None if triangles.is_empty() => {}
        None => {
            by_kind.insert(None, triangles);
        }
        Some(kinds) => {
            let all = elements.par_iter().with_min_len(PART);
            let kinds: Vec<Option<u16>> = all.map(|&e| kind(&kinds, e)).collect();
            for t in triangles {
                let [a, b, c] = t.map(|v| kinds[v as usize]);
                by_kind.entry(a.filter(|_| a == b && b == c)).or_default().push(t);
            }
        }
    }
    Ok(Primitive {
        vertices,
        triangles: by_kind,
        material: opened.material,
        double_sided: opened.double_sided,
        given: opened.given,
        accessor: positions.index,
        elements,
    })
}

/// The accessor of the ground attribute, if the primitive has it.
fn kinds<'a>(
    document: &Document,
    buffers: &'a Buffers<'_>,
    source: &json::mesh::Primitive,
    count: usize,
) -> Result<Option<Accessor<'a>>, ImportError> {
    let semantic = Semantic::Extras(KIND_ATTRIBUTE[1..].into());
    let Some(index) = source.attributes.get(&Checked::Valid(semantic)) else {
        return Ok(None);
    };
    let accessor = Accessor::open(document, buffers, index.value(), &KINDS)?;
    if accessor.count != count {
        return Err(document.bad(
            format!("/accessors/{}", accessor.index),
            format!(
                "`{KIND_ATTRIBUTE}` has {} elements, and the positions have {count}",
                accessor.count
            ),
            AGAIN,
        ));
    }
    Ok(Some(accessor))
}

/// The kind of ground that an attribute says of an element.
fn kind(accessor: &Accessor<'_>, element: u32) -> Option<u16> {
    let value = accessor.stored(element as usize);
    let whole = value == value.trunc() && (0.0..=f64::from(u16::MAX)).contains(&value);
    whole.then_some(value as u16)
}

/// The element of the positions at each corner.
fn corners(
    at: &str,
    positions: &Accessor<'_>,
    indices: Option<&Accessor<'_>>,
    file: &Path,
) -> Result<Vec<u32>, ImportError> {
    let Some(indices) = indices else {
        return Ok((0..positions.count as u32).collect());
    };
    let all = (0..indices.count).into_par_iter().with_min_len(PART);
    let corners: Vec<u32> = all.map(|i| indices.integer(i)).collect();
    let all = corners.par_iter().with_min_len(PART);
    if let Some(i) = all.position_first(|&c| c as usize >= positions.count) {
        return Err(ImportError::bad(
            file,
            format!("/accessors/{}, element {i}", indices.index),
            format!(
                "the index {} of {at} points past the {} positions of /accessors/{}",
                corners[i], positions.count, positions.index
            ),
            AGAIN,
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
        corners.par_iter_mut().with_min_len(PART).for_each(|c| *c = number[*c as usize]);
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
    file: &Path,
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
            file,
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
