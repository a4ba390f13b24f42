//! From the bytes of a file to a navmesh, in one step.

#[cfg(feature = "alloc")]
use crate::NavMeshBuf;
use crate::{Blob, BlobError, NavMesh};

#[cfg(feature = "alloc")]
impl NavMeshBuf {
    /// Opens a file with the navmesh of one class of agents: validates it and decodes the mesh.
    ///
    /// # Errors
    /// When the file is damaged, or has meshes for several classes of agents:
    /// [`NavMeshBuf::open_for`] names one.
    ///
    /// ```
    /// # let bytes = navbake_testkit::level();
    /// let nav = navbake_format::NavMeshBuf::open(&bytes)?; // once, for all threads
    /// assert_eq!(nav.mesh().polygon_count(), 3);
    /// # Ok::<(), navbake_format::BlobError>(())
    /// ```
    pub fn open(bytes: &[u8]) -> Result<NavMeshBuf, BlobError> {
        let blob = Blob::open_checked(bytes)?;
        match blob.class_count() {
            1 => blob.decode(0),
            count => Err(BlobError::SeveralMeshes { count }),
        }
    }

    /// Opens the navmesh of the agent of this name.
    ///
    /// # Errors
    /// When the file is damaged, or has no such agent.
    ///
    /// ```
    /// # let bytes = navbake_testkit::level();
    /// use navbake_format::{BlobError, NavMeshBuf};
    ///
    /// assert!(NavMeshBuf::open_for(&bytes, "default").is_ok());
    /// assert_eq!(NavMeshBuf::open_for(&bytes, "dragon").err(), Some(BlobError::NoAgent));
    /// ```
    pub fn open_for(bytes: &[u8], agent: &str) -> Result<NavMeshBuf, BlobError> {
        let blob = Blob::open_checked(bytes)?;
        let class = blob.agent(agent).ok_or(BlobError::NoAgent)?.class;
        blob.decode(class)
    }
}

impl<'a> NavMesh<'a> {
    /// Opens an unpacked file in place, without an allocator: validates it, and copies nothing.
    ///
    /// # Errors
    /// When the file is damaged or packed, or has meshes for several classes of agents:
    /// [`NavMesh::open_for`] names one.
    ///
    /// ```
    /// # #[cfg(feature = "write")] {
    /// # use navbake_format::write::{BlobParts, MeshParts, encode};
    /// # use navbake_format::{Blob, BlobError};
    /// # let mesh = MeshParts { first_edge: &[0], ..MeshParts::default() };
    /// # let packed = encode(&BlobParts { meshes: &[mesh], ..BlobParts::default() }).unwrap();
    /// let bytes = Blob::open_checked(&packed)?.unpack()?; // `navbake export --to unpacked`
    /// let mesh = navbake_format::NavMesh::open(&bytes)?;
    /// assert_eq!(mesh.polygon_count(), 0);
    /// assert_eq!(navbake_format::NavMesh::open(&packed).err(), Some(BlobError::Packed));
    /// # }
    /// # Ok::<(), navbake_format::BlobError>(())
    /// ```
    pub fn open(bytes: &'a [u8]) -> Result<NavMesh<'a>, BlobError> {
        let blob = Blob::open_checked(bytes)?;
        match blob.class_count() {
            1 => blob.mesh(0),
            count => Err(BlobError::SeveralMeshes { count }),
        }
    }

    /// Opens the navmesh of the agent of this name in place.
    ///
    /// # Errors
    /// When the file is damaged or packed, or has no such agent.
    ///
    /// ```
    /// # #[cfg(feature = "write")] {
    /// # use navbake_format::{Blob, BlobError, NavMesh, write::{BlobParts, MeshParts, encode}};
    /// # let mesh = MeshParts { first_edge: &[0], ..MeshParts::default() };
    /// # let packed = encode(&BlobParts { meshes: &[mesh], ..BlobParts::default() }).unwrap();
    /// let bytes = Blob::open_checked(&packed)?.unpack()?;
    /// assert_eq!(NavMesh::open_for(&bytes, "guard").err(), Some(BlobError::NoAgent));
    /// # }
    /// # Ok::<(), navbake_format::BlobError>(())
    /// ```
    pub fn open_for(bytes: &'a [u8], agent: &str) -> Result<NavMesh<'a>, BlobError> {
        Blob::open_checked(bytes)?.mesh_for(agent)
    }
}
