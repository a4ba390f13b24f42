//! Opens a navmesh from the bytes of a file in one step.

#[cfg(feature = "alloc")]
use alloc::sync::Arc;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::blob::{Blob, CheckedBlob};
#[cfg(feature = "alloc")]
use crate::decode::{NavMeshBuf, unpack};
use crate::error::BlobError;
#[cfg(feature = "alloc")]
use crate::held::Held;
use crate::mesh::NavMesh;
use crate::validate::validate;

impl<'a> Blob<'a> {
    /// [`Blob::open`] and [`Blob::validate`] in one.
    ///
    /// # Errors
    /// Those of both.
    pub fn open_checked(bytes: &'a [u8]) -> Result<CheckedBlob<'a>, BlobError> {
        Blob::open(bytes)?.validate()
    }

    /// Checks every record: O(bytes log c), where c is the most corners of a polygon.
    ///
    /// After it no query can panic, loop for ever or read out of bounds.
    ///
    /// # Errors
    /// The first record that is wrong.
    pub fn validate(&self) -> Result<CheckedBlob<'a>, BlobError> {
        validate(self)?;
        Ok(CheckedBlob { blob: *self })
    }
}

impl<'a> CheckedBlob<'a> {
    /// The navmesh of an agent class in place. O(sections), and nothing is allocated.
    ///
    /// # Errors
    /// When the file is packed, or the class does not exist.
    pub fn mesh(&self, class: u16) -> Result<NavMesh<'a>, BlobError> {
        self.check_class(class)?;
        match self.is_unpacked() {
            true => Ok(NavMesh::of(&self.blob, class)),
            false => Err(BlobError::Packed),
        }
    }

    /// The navmesh of the agent of that name, in place.
    ///
    /// # Errors
    /// When the file is packed, or the agent does not exist.
    pub fn mesh_for(&self, agent: &str) -> Result<NavMesh<'a>, BlobError> {
        self.mesh(self.class_of(agent)?)
    }

    /// Decodes the navmesh of an agent class once, for all threads. For an unpacked file, this is a
    /// copy. O(n log n).
    ///
    /// # Errors
    /// When the class does not exist, or it has more than 2^29 edges.
    #[cfg(feature = "alloc")]
    pub fn decode(&self, class: u16) -> Result<NavMeshBuf, BlobError> {
        self.check_class(class)?;
        NavMeshBuf::new(&self.blob, class)
    }

    /// Decodes the navmesh of the agent of that name.
    ///
    /// # Errors
    /// When the agent does not exist, or its class has more than 2^29 edges.
    #[cfg(feature = "alloc")]
    pub fn decode_for(&self, agent: &str) -> Result<NavMeshBuf, BlobError> {
        self.decode(self.class_of(agent)?)
    }

    /// The bytes of an unpacked file with all that this one has: for targets without an allocator.
    /// A copy if it is unpacked already. O(n log n).
    ///
    /// # Errors
    /// When a mesh has more than 2^29 edges.
    #[cfg(feature = "alloc")]
    pub fn unpack(&self) -> Result<Vec<u8>, BlobError> {
        unpack(&self.blob)
    }

    fn check_class(&self, class: u16) -> Result<(), BlobError> {
        let classes = self.class_count();
        match class < classes {
            true => Ok(()),
            false => Err(BlobError::NoClass { class, classes }),
        }
    }

    fn only_class(&self) -> Result<u16, BlobError> {
        match self.class_count() {
            1 => Ok(0),
            count => Err(BlobError::SeveralMeshes { count }),
        }
    }

    fn class_of(&self, agent: &str) -> Result<u16, BlobError> {
        self.agent(agent).map(|agent| agent.class).ok_or(BlobError::NoAgent)
    }
}

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
        blob.decode(blob.only_class()?)
    }

    /// Opens the navmesh of the agent of this name.
    ///
    /// # Errors
    /// When the file is damaged, or the agent does not exist.
    ///
    /// ```
    /// # let bytes = navbake_testkit::level();
    /// use navbake_format::{BlobError, NavMeshBuf};
    ///
    /// assert!(NavMeshBuf::open_for(&bytes, "default").is_ok());
    /// assert_eq!(NavMeshBuf::open_for(&bytes, "dragon").err(), Some(BlobError::NoAgent));
    /// ```
    pub fn open_for(bytes: &[u8], agent: &str) -> Result<NavMeshBuf, BlobError> {
        Blob::open_checked(bytes)?.decode_for(agent)
    }

    /// As [`NavMeshBuf::open`], and keeps the bytes of an unpacked file in place of a copy: those
    /// of a vector, a memory map, or any other owner. The owner must give the same bytes each time:
    /// the file of a memory map must not change meanwhile.
    ///
    /// A packed file is decoded, and its owner dropped.
    ///
    /// # Errors
    /// Those of [`NavMeshBuf::open`].
    ///
    /// ```
    /// # use navbake_format::{Blob, NavMeshBuf};
    /// # let packed = navbake_testkit::level();
    /// # let file = Blob::open_checked(&packed)?.unpack()?;
    /// // `file` is what `navbake export --to unpacked` wrote: a `Vec<u8>`, or a `memmap2::Mmap`.
    /// let nav = NavMeshBuf::from_owner(file)?;
    /// assert_eq!(nav.mesh().polygon_count(), 3);
    /// # Ok::<(), navbake_format::BlobError>(())
    /// ```
    pub fn from_owner<T>(owner: T) -> Result<NavMeshBuf, BlobError>
    where
        T: AsRef<[u8]> + Send + Sync + 'static,
    {
        let blob = Blob::open_checked(owner.as_ref())?;
        let class = blob.only_class()?;
        match blob.is_unpacked() {
            true => Ok(NavMeshBuf::of(Held::Owned(Arc::new(owner)), class)),
            false => blob.decode(class),
        }
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
        blob.mesh(blob.only_class()?)
    }

    /// Opens the navmesh of the agent of this name in place.
    ///
    /// # Errors
    /// When the file is damaged or packed, or the agent does not exist.
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
