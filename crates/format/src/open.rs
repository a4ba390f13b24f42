//! From the bytes of a file to a navmesh, in one step.

use crate::{Blob, BlobError, NavMeshBuf};

impl NavMeshBuf {
    /// Opens a file with the navmesh of one class of agents: validates it and decodes the mesh.
    ///
    /// # Errors
    /// When the file is damaged, or has meshes for several classes of agents:
    /// [`NavMeshBuf::open_for`] names one.
    ///
    /// ```
    /// # #[cfg(feature = "write")] {
    /// # use navbake_format::write::{BlobParts, MeshParts, encode};
    /// # let bytes = encode(&BlobParts {
    /// #     meshes: &[MeshParts {
    /// #         vertices: &[[0, 0, 0], [0, 0, 10], [10, 0, 0]], first_edge: &[0, 3], corners: &[0, 1, 2],
    /// #         neighbours: &[u32::MAX; 3], islands: &[0], ..MeshParts::default()
    /// #     }],
    /// #     ..BlobParts::default()
    /// # }).unwrap();
    /// let nav = navbake_format::NavMeshBuf::open(&bytes)?; // once, for all threads
    /// assert_eq!(nav.mesh().polygon_count(), 1);
    /// # }
    /// # Ok::<(), navbake_format::BlobError>(())
    /// ```
    pub fn open(bytes: &[u8]) -> Result<NavMeshBuf, BlobError> {
        let blob = Blob::open_checked(bytes)?;
        match blob.class_count() {
            1 => blob.decode(0).ok_or(BlobError::NoAgent),
            count => Err(BlobError::SeveralMeshes { count }),
        }
    }

    /// Opens the navmesh of the agent of this name.
    ///
    /// # Errors
    /// When the file is damaged, or has no such agent.
    ///
    /// ```
    /// # #[cfg(feature = "write")] {
    /// # use navbake_format::{BlobError, NavMeshBuf, write::{BlobParts, MeshParts, encode}};
    /// # let bytes = encode(&BlobParts { meshes: &[MeshParts::default()], ..BlobParts::default() }).unwrap();
    /// let nav = NavMeshBuf::open_for(&bytes, "guard");
    /// assert_eq!(nav.err(), Some(BlobError::NoAgent));
    /// # }
    /// ```
    pub fn open_for(bytes: &[u8], agent: &str) -> Result<NavMeshBuf, BlobError> {
        let blob = Blob::open_checked(bytes)?;
        let class = blob.agent(agent).ok_or(BlobError::NoAgent)?.class;
        blob.decode(class).ok_or(BlobError::NoAgent)
    }
}
