//! A baked file, checked and decoded.

use std::sync::Arc;

use navbake_format::{Blob, CheckedBlob, NavMeshBuf};
use navbake_world::{ChunkMesh, Error};

use crate::ground::Ground;

/// A baked file: a navmesh for each class of agents.
#[derive(Clone, Debug, Default)]
pub struct Level {
    meshes: Vec<Arc<NavMeshBuf>>,
    /// The same as chunks, where it is the file of a chunk.
    chunks: Vec<ChunkMesh>,
}

/// A chunk of a world and its file, as the index lists it.
#[derive(Clone, Debug, PartialEq)]
pub struct ChunkFile {
    /// The name of its file, in the folder of the chunks.
    pub name: String,
    /// Its column and row.
    pub key: [i32; 2],
    /// Least and greatest x, y, z of its ground, y-up metres.
    pub bounds: [[f64; 3]; 2],
    /// Length of its file, bytes.
    pub bytes: u64,
}

/// A named place of a level, y-up metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub at: [f64; 3],
}

impl Level {
    /// Checks and decodes the bytes of a file. O(n log n).
    ///
    /// # Errors
    /// When they are not a file of navbake, or damaged; the message names the place.
    pub fn open(bytes: &[u8]) -> Result<Level, String> {
        let blob = Blob::open_checked(bytes).map_err(|error| error.to_string())?;
        let meshes = (0..blob.class_count()).map(|class| blob.decode(class).map(Arc::new));
        let meshes: Vec<Arc<NavMeshBuf>> =
            meshes.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        let chunks = match blob.chunks().is_empty() || blob.is_index() {
            true => Vec::new(),
            // Opening may be on a thread of its own, and inserting is not.
            false => {
                blob.blob().verify_checksum().map_err(|error| error.to_string())?;
                let chunks = meshes.iter().map(|nav| ChunkMesh::new(NavMeshBuf::clone(nav)));
                chunks.collect::<Result<_, _>>().map_err(|error| error.to_string())?
            }
        };
        Ok(Level { meshes, chunks })
    }

    fn file(&self) -> Option<CheckedBlob<'_>> {
        self.meshes.first().map(|nav| nav.mesh().file())
    }

    /// The names of the agents that it was baked for.
    pub fn agents(&self) -> Vec<String> {
        let agents = self.file().into_iter().flat_map(|file| file.agents());
        agents.map(|agent| agent.name.to_owned()).collect()
    }

    /// The names of its areas.
    pub fn areas(&self) -> Vec<String> {
        self.file().map(area_names).unwrap_or_default()
    }

    /// The names of its switches: doors, bridges, areas that can be closed.
    pub fn switches(&self) -> Vec<String> {
        self.file().map(switch_names).unwrap_or_default()
    }

    /// Its named places.
    pub fn markers(&self) -> Vec<Marker> {
        let markers = self.file().into_iter().flat_map(|file| file.markers());
        markers.map(|m| Marker { name: m.name.to_owned(), at: m.position }).collect()
    }

    /// The chunks of a world, by row and column; none in other files.
    pub fn chunks(&self) -> Vec<ChunkFile> {
        let Some(mesh) = self.meshes.first().map(|nav| nav.mesh()) else {
            return Vec::new();
        };
        let (file, grid) = (mesh.file(), mesh.grid());
        let chunks = file.chunks().iter().filter(|_| file.is_index());
        let place = |at: [i32; 3]| grid.metres(at.map(f64::from));
        chunks
            .map(|chunk| ChunkFile {
                name: chunk.file_name(),
                key: chunk.key,
                bounds: [chunk.least, chunk.greatest].map(place),
                bytes: chunk.bytes,
            })
            .collect()
    }

    /// The chunk for a class of agents, where it is the file of a chunk.
    ///
    /// # Errors
    /// Where it is another file, or has no such class.
    pub(crate) fn chunk(&self, class: u16) -> Result<ChunkMesh, Error> {
        let key = self.chunks.first().ok_or(Error::NoChunk)?.key();
        self.chunks.get(usize::from(class)).cloned().ok_or(Error::OtherWorld(key))
    }

    /// The ground of an agent, or the only one where the name is empty. Copies the navmesh.
    ///
    /// # Errors
    /// When no agent has this name, or none is named and there are several navmeshes.
    pub fn ground(&self, agent: &str) -> Result<Ground, String> {
        let Some(file) = self.file() else {
            return Err("the level is empty: load a file of `navbake bake`".to_owned());
        };
        let class = match agent {
            "" if self.meshes.len() > 1 => {
                let agents = self.agents().join(", ");
                return Err(format!("several navmeshes: name the agent, one of {agents}"));
            }
            "" => 0,
            name => file.agent(name).ok_or_else(|| unknown("agent", name, &self.agents()))?.class,
        };
        // The file is sound, so each of its agents has a navmesh.
        let nav = self.meshes.get(usize::from(class)).ok_or("no navmesh for this agent")?;
        Ok(Ground::new(Arc::clone(nav), agent))
    }
}

/// The names of the areas of a file. Several areas in a row can have one name.
pub(crate) fn area_names(file: CheckedBlob<'_>) -> Vec<String> {
    let mut names: Vec<String> = file.areas().map(|area| area.name.to_owned()).collect();
    names.dedup();
    names
}

/// The names of the switches of a file.
pub(crate) fn switch_names(file: CheckedBlob<'_>) -> Vec<String> {
    file.switches().map(|switch| switch.name.to_owned()).collect()
}

/// The message for a name that is none of these.
pub(crate) fn unknown(kind: &str, name: &str, known: &[String]) -> String {
    match known {
        [] => format!("no {kind} `{name}` in the file, which has none"),
        known => format!("no {kind} `{name}` in the file, which has: {}", known.join(", ")),
    }
}
