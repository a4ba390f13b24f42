//! glTF 2.0, by the document types of the gltf crate.
//!
//! The crate's own readers answer `None` for what they cannot read, follow node cycles forever,
//! panic in their validation on an unresolved accessor and round positions of nodes to 32 bits. So
//! only its document types are used: [`document`] checks the JSON and every reference that geometry
//! goes through, [`nodes`] walks the scene in 64 bits, [`accessor`] reads numbers, [`buffers`]
//! finds the bytes, [`mesh`] makes triangles, [`extras`] reads authors' settings, [`links`]
//! off-mesh links.

mod accessor;
mod buffers;
mod document;
mod extras;
mod instancing;
mod links;
mod mesh;
mod nodes;
mod transform;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;

use navbake_level::{Part, Source};

use crate::soup::Soup;
use crate::{Format, Import, ImportError, ImportOptions};
use buffers::Buffers;
use document::Document;
use instancing::Instances;

/// glTF 2.0; the content says whether it is JSON or binary.
pub(crate) const FORMAT: Format =
    Format { name: "glTF 2.0", extensions: &["gltf", "glb"], is_grid: false, read };

fn read(bytes: Vec<u8>, file: &Path, options: &ImportOptions) -> Result<Import, ImportError> {
    let mut warnings = vec![];
    let document = Document::parse(&bytes, file, options, &mut warnings)?;
    let walk = nodes::walk(&document, &mut warnings)?;
    let buffers = Buffers::new(&document, &bytes);

    // Every mesh is decoded once, however often it is placed.
    let mut meshes = BTreeMap::new();
    let mut placed: Vec<(usize, usize, Instances<'_>)> = vec![];
    let (mut vertices, mut triangles) = (0u64, 0u64);
    for at in &walk.meshes {
        let index = document.root.nodes[at.node].mesh.map_or(0, |m| m.value());
        if let Entry::Vacant(entry) = meshes.entry(index) {
            entry.insert(mesh::decode(&document, &buffers, index, &mut warnings)?);
        }
        let instances = Instances::of_node(&document, &buffers, at.node, at.world)?;
        let times = instances.count() as u64;
        for p in &meshes[&index] {
            let kinds = p.triangles.len() as u64;
            vertices =
                times.saturating_mul(kinds * p.vertices.len() as u64).saturating_add(vertices);
            let count: usize = p.triangles.values().map(Vec::len).sum();
            triangles = times.saturating_mul(count as u64).saturating_add(triangles);
        }
        placed.push((at.node, at.given, instances));
    }

    let mut soup = Soup::new(file, options);
    soup.reserve(&document.budget, vertices, triangles)?;
    for (node, given, instances) in placed {
        let source = &document.root.nodes[node];
        let index = source.mesh.map_or(0, |m| m.value());
        let primitives = meshes.get(&index).map(Vec::as_slice).unwrap_or_default();
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
            for (part, primitive, triangles) in &parts {
                soup.add(
                    *part,
                    primitive.vertices.iter().map(|&p| world.apply(p)),
                    triangles,
                    world.mirrors(),
                    &|i| primitive.place(i),
                )?;
            }
        }
    }
    for (name, position) in &walk.markers {
        soup.marker(name, *position, &mut warnings);
    }
    soup.links(links::links(&document, &walk, options, &mut warnings)?);
    walk.warn_of_rest_poses(&document, &mut warnings);
    let scene = soup.finish(&mut warnings)?;
    let (files, named) = buffers.into_files();
    Ok(Import { source: Source::Scene(scene), warnings, files, named })
}
