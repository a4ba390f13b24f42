//! glTF 2.0, by the document types of the gltf crate.
//!
//! The crate's own readers answer `None` for what they cannot read, follow node cycles forever,
//! panic in their validation on an unresolved accessor and round positions of nodes to 32 bits. So
//! only its document types are used: [`document`] checks the JSON and every reference that geometry
//! goes through, [`nodes`] walks the scene in 64 bits, [`accessor`] reads numbers, [`buffers`]
//! finds the bytes, [`meshopt`] and [`draco`] decompress them, [`mesh`] makes triangles, [`extras`]
//! reads authors' settings, [`links`] off-mesh links.

mod accessor;
mod buffers;
mod document;
mod draco;
mod extras;
mod instancing;
mod links;
mod mesh;
mod meshopt;
mod nodes;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;

use navbake_level::{Part, Source, Warning};
use rayon::prelude::*;

use crate::soup::{Piece, Soup};
use crate::transform::Affine;
use crate::{Format, Import, ImportError, ImportOptions};
use buffers::Buffers;
use document::Document;
use instancing::Instances;
use mesh::Primitive;

/// glTF 2.0; the content says whether it is JSON or binary.
pub(crate) const FORMAT: Format =
    Format { name: "glTF 2.0", extensions: &["gltf", "glb"], is_grid: false, read };

/// A primitive and where it goes.
type Placed<'a> = (&'a Primitive, Affine);

/// Pieces that are placed at a time: many enough for all threads, and few enough to hold.
const PIECES: usize = 4096;

fn read(bytes: Vec<u8>, file: &Path, options: &ImportOptions) -> Result<Import, ImportError> {
    let mut warnings = vec![];
    let document = Document::parse(&bytes, file, options, &mut warnings)?;
    let walk = nodes::walk(&document, &mut warnings)?;
    let buffers = Buffers::new(&document, &bytes);

    // Every mesh is decoded once, however often it is placed.
    let mut opened = vec![];
    let mut meshes = BTreeMap::new();
    let mut placed: Vec<(usize, usize, Instances<'_>)> = vec![];
    let mut open = || {
        for at in &walk.meshes {
            let index = document.root.nodes[at.node].mesh.map_or(0, |m| m.value());
            if let Entry::Vacant(entry) = meshes.entry(index) {
                let first = opened.len();
                mesh::open(&document, &buffers, index, &mut opened)?;
                entry.insert(first..opened.len());
            }
            let instances = Instances::of_node(&document, &buffers, at.node, at.world)?;
            placed.push((at.node, at.given, instances));
        }
        Ok(())
    };
    let fault = open().err();
    // The first fault in the file's order, whichever thread finds one first.
    let decode = |(opened, mut warnings): (Option<mesh::Opened<'_>>, Vec<Warning>)| {
        let read = opened.map(|opened| mesh::decode(opened, file, &mut warnings));
        (read.transpose(), warnings)
    };
    let decoded: Vec<_> = opened.into_par_iter().map(decode).collect();
    let mut primitives = Vec::with_capacity(decoded.len());
    for (primitive, notes) in decoded {
        warnings.extend(notes);
        primitives.push(primitive?);
    }
    if let Some(fault) = fault {
        return Err(fault);
    }
    let of_mesh = |node: usize| {
        let index = document.root.nodes[node].mesh.map_or(0, |m| m.value());
        let range = meshes.get(&index).cloned().unwrap_or_default();
        (index, primitives[range].iter().flatten())
    };
    let (mut vertices, mut triangles) = (0u64, 0u64);
    for (node, _, instances) in &placed {
        let times = instances.count() as u64;
        for p in of_mesh(*node).1 {
            let kinds = p.triangles.len() as u64;
            vertices =
                times.saturating_mul(kinds * p.vertices.len() as u64).saturating_add(vertices);
            let count: usize = p.triangles.values().map(Vec::len).sum();
            triangles = times.saturating_mul(count as u64).saturating_add(triangles);
        }
    }

    let mut soup = Soup::new(file, options);
    soup.make_room(&document.budget, vertices, triangles)?;
    let place = |(primitive, _): &Placed<'_>, vertex: u32| primitive.place(vertex);
    let mut pieces: Vec<Piece<'_, Placed<'_>>> = vec![];
    for (node, given, instances) in placed {
        let (index, primitives) = of_mesh(node);
        let mut parts = vec![];
        for primitive in primitives {
            for (&attribute, triangles) in &primitive.triangles {
                let part = Part {
                    node: walk.path(&document, node),
                    mesh: document.root.meshes[index].name.clone().unwrap_or_default(),
                    material: primitive.material.clone(),
                    attribute,
                    double_sided: primitive.double_sided,
                    // The more specific setting wins: a material's faces within a node.
                    given: extras::within(&walk.givens[given], &primitive.given),
                };
                let names = part.node.len() + part.mesh.len() + part.material.len();
                // The scene and its index each keep the part.
                let bytes = 2 * (names as u64 + extras::bytes(&part.given));
                document.budget.spend(&format!("/nodes/{node}"), bytes)?;
                let part = soup.part(part);
                parts.push((part, primitive, triangles));
            }
        }
        for i in 0..instances.count() {
            let world = instances.place(&document, i)?;
            for &(part, primitive, triangles) in &parts {
                pieces.push(Piece {
                    part,
                    vertices: &primitive.vertices,
                    triangles,
                    flip: world.mirrors(),
                    source: (primitive, world),
                });
            }
            if pieces.len() >= PIECES {
                soup.add_pieces(&pieces, |(_, world), p| world.apply(p), place)?;
                pieces.clear();
            }
        }
    }
    soup.add_pieces(&pieces, |(_, world), p| world.apply(p), place)?;
    for (name, position) in &walk.markers {
        soup.marker(name, *position, &mut warnings);
    }
    soup.links(links::links(&document, &walk, options, &mut warnings)?);
    walk.warn_of_rest_poses(&document, &mut warnings);
    let scene = soup.finish(&mut warnings)?;
    let (files, named) = buffers.into_files();
    Ok(Import { source: Source::Scene(scene), warnings, files, named })
}
