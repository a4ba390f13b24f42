//! The ground of a world: one blob, or chunks.

use navbake_format::{NavMesh, NavMeshBuf};

use crate::loaded::Loaded;

/// The navmesh without obstacles.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // there is one
pub(crate) enum Base {
    Blob(NavMeshBuf),
    Chunks(Loaded),
}

impl Base {
    pub(crate) fn mesh(&self) -> NavMesh<'_> {
        match self {
            Base::Blob(nav) => nav.mesh(),
            Base::Chunks(loaded) => loaded.mesh(0),
        }
    }
}
