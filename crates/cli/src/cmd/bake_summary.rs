//! The figures of outputs that are up to date.

use std::collections::BTreeSet;
use std::path::Path;

use navbake_bake::world_files::{chunk_path, is_index};
use navbake_bake::{BakeInput, MeshQuality, Note, Summary};
use navbake_format::CheckedBlob;
use navbake_report::{Meshes, Sizes};
use navbake_search::NavMesh;

use crate::args::BlobPath;
use crate::blob_file::{self, BlobFile};
use crate::failure::Failure;

/// The summary of a blob that is up to date.
pub(super) fn summary_of(target: &Path, job: &BakeInput) -> Result<Summary, Failure> {
    let name = target.display().to_string();
    let BlobFile { bytes, .. } = BlobFile::load(&BlobPath::read(target))?;
    let blob = blob_file::checked(&bytes, &name)?;
    if is_index(target) {
        return summary_of_world(target, &bytes, &blob, job);
    }
    let meshes = Meshes::of(&blob);
    let counts = Sizes::new(&meshes);
    Ok(Summary {
        output: name,
        bytes: bytes.len() as u64,
        hash: blake3::hash(&bytes).to_hex().to_string(),
        polygons: counts.polygons,
        vertices: counts.vertices,
        portals: counts.portals,
        islands: counts.islands,
        area_m2: counts.area_m2,
        quality: meshes.iter().map(|mesh| quality(&mesh)).collect(),
        agents: blob.agents().map(|a| a.name.into()).collect(),
        warnings: job.warnings().iter().map(Note::from).collect(),
        ..Summary::default()
    })
}

/// The summary of a world that is up to date: the sums of its chunks. Vertices on the sides of
/// chunks count in each; how compact polygons are is left out.
fn summary_of_world(
    target: &Path,
    index: &[u8],
    blob: &CheckedBlob<'_>,
    job: &BakeInput,
) -> Result<Summary, Failure> {
    let mut all = Summary {
        output: target.display().to_string(),
        bytes: index.len() as u64,
        hash: blake3::hash(index).to_hex().to_string(),
        agents: blob.agents().map(|a| a.name.into()).collect(),
        warnings: job.warnings().iter().map(Note::from).collect(),
        ..Summary::default()
    };
    let (mut seams, mut islands) = (0, BTreeSet::new());
    for chunk in blob.chunks().iter() {
        let path = chunk_path(target, &chunk);
        let BlobFile { bytes, .. } = BlobFile::load(&BlobPath::read(&path))?;
        let blob = blob_file::checked(&bytes, &path.display().to_string())?;
        let meshes = Meshes::of(&blob);
        let counts = Sizes::new(&meshes);
        for mesh in meshes.iter() {
            seams += mesh.seams().len() as u64;
            islands.extend(mesh.world_islands().iter().map(|island| (mesh.class(), island)));
        }
        all.bytes += bytes.len() as u64;
        all.polygons += counts.polygons;
        all.vertices += counts.vertices;
        all.portals += counts.portals;
        all.area_m2 += counts.area_m2;
    }
    all.islands = islands.len() as u64;
    all.portals += seams / 2;
    Ok(all)
}

/// How compact the polygons of a blob's navmesh are.
fn quality(mesh: &NavMesh<'_>) -> MeshQuality {
    let rings = mesh.polygons().map(|p| {
        let corners: Vec<[f64; 2]> = (0..p.len()).map(|k| p.corner(k).map(f64::from)).collect();
        corners
    });
    MeshQuality::of(mesh.class(), mesh.grid().units(), rings)
}
