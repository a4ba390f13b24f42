//! Opening a blob: its bytes, its checked contents, the navmesh of an agent.

use std::io::{self, Read};
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;
use navbake_bake::names::ENDING;
use navbake_draw::Axes;
use navbake_format::{Blob, BlobError, CheckedBlob, NavMesh, NavMeshBuf};
use navbake_import::{Format, open_file, read_file};

use crate::args::BlobPath;
use crate::failure::Failure;
use crate::mapped;
use crate::output::is_dash;
use crate::place::{Coords, Place, PointOrMarker};

/// Blobs have no more bytes: their offsets are 32-bit numbers.
pub(crate) const LARGEST: u64 = u32::MAX as u64;

/// The bytes of a blob.
#[derive(Debug)]
pub(crate) enum Bytes {
    /// Read into memory.
    Owned(Vec<u8>),
    /// Mapped from the file.
    Mapped(Mmap),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Owned(bytes) => bytes,
            Bytes::Mapped(map) => map,
        }
    }
}

/// A blob as read, and its name in messages.
#[derive(Debug)]
pub(crate) struct BlobFile {
    pub(crate) bytes: Bytes,
    pub(crate) name: String,
}

impl BlobFile {
    /// Loads a blob, or the index of a world in chunks; see [`BlobFile::whole`].
    ///
    /// # Errors
    /// If it cannot be read or mapped.
    pub(crate) fn load(blob: &BlobPath) -> Result<BlobFile, Failure> {
        if is_dash(&blob.path) {
            if blob.mmap {
                return Err(Failure::usage("--mmap does not apply to stdin"));
            }
            let mut bytes = vec![];
            io::stdin()
                .lock()
                .take(LARGEST)
                .read_to_end(&mut bytes)
                .map_err(|error| Failure::io("stdin".as_ref(), "read", &error))?;
            return Ok(BlobFile { bytes: Bytes::Owned(bytes), name: "stdin".into() });
        }
        let bytes = if blob.mmap {
            open_file(&blob.path).and_then(|file| mapped::map(&file)).map(Bytes::Mapped)
        } else {
            read_file(&blob.path, LARGEST).map(Bytes::Owned)
        };
        let bytes = bytes.map_err(|error| Failure::io(&blob.path, "read", &error))?;
        Ok(BlobFile { bytes, name: blob.path.display().to_string() })
    }

    /// Its contents, all checked.
    pub(crate) fn checked(&self) -> Result<CheckedBlob<'_>, Failure> {
        checked(&self.bytes, &self.name)
    }
}

/// Checks a blob: its checksum and every record.
///
/// # Errors
/// If anything in it is invalid.
pub(crate) fn checked<'a>(bytes: &'a [u8], name: &str) -> Result<CheckedBlob<'a>, Failure> {
    let checked = Blob::open(bytes).and_then(|blob| {
        blob.verify_checksum()?;
        blob.validate()
    });
    checked.map_err(|error| no_blob(&error, name))
}

/// Why a file is not read as a blob. Levels and other files are named as such.
pub(crate) fn no_blob(error: &BlobError, name: &str) -> Failure {
    let is_other = matches!(error, BlobError::Magic { .. } | BlobError::TooShort { .. });
    let path = Path::new(name);
    if is_other && Format::of(path).is_some() {
        let blob = path.with_extension(ENDING);
        return Failure::input(format_args!(
            "{name}: a level, not a blob; bake it first: navbake bake {name} -o {}",
            blob.display()
        ));
    }
    if matches!(error, BlobError::Magic { .. }) {
        return Failure::input(format_args!(
            "{name}: not a baked navmesh; name the file that `navbake bake` wrote, and copy it as binary"
        ));
    }
    Failure::input(format_args!("{name}: {error}"))
}

/// The navmesh of an agent, by default of the first.
pub(crate) struct AgentMesh {
    nav: NavMeshBuf,
    /// The number of the agent in the blob.
    pub(crate) number: u16,
}

impl AgentMesh {
    /// Decodes it.
    ///
    /// # Errors
    /// If the blob has no agent of that name, or no navmesh for it.
    pub(crate) fn of(
        blob: &CheckedBlob<'_>,
        agent: Option<&str>,
        name: &str,
    ) -> Result<AgentMesh, Failure> {
        let mut agents = (0..).zip(blob.agents());
        let (number, class) = match agent {
            None => agents.next().map_or((0, 0), |(_, a)| (0, a.class)),
            Some(wanted) => match agents.find(|(_, a)| a.name == wanted) {
                Some((number, a)) => (number, a.class),
                None if blob.vehicles().any(|vehicle| vehicle.name() == wanted) => {
                    return Err(Failure::usage(format_args!(
                        "{name}: `{wanted}` is a vehicle; ask `query path` with --planner turning"
                    )));
                }
                None => {
                    let known: Vec<&str> = blob.agents().map(|a| a.name).collect();
                    return Err(Failure::usage(format_args!(
                        "{name}: no agent `{wanted}`; its agents: {}",
                        known.join(", ")
                    )));
                }
            },
        };
        let nav = blob.decode(class);
        let nav = nav.map_err(|error| Failure::input(format_args!("{name}: {error}")))?;
        Ok(AgentMesh { nav, number })
    }

    /// Decodes that of a vehicle on the ground of a class, by default the first agent's.
    ///
    /// Its agent is the one of its name, else the first on that ground.
    ///
    /// # Errors
    /// If the blob has no such navmesh.
    pub(crate) fn of_vehicle(
        blob: &CheckedBlob<'_>,
        vehicle: &str,
        class: Option<u16>,
        name: &str,
    ) -> Result<AgentMesh, Failure> {
        let agents = || (0u16..).zip(blob.agents());
        let class = class.or(agents().next().map(|(_, a)| a.class)).unwrap_or(0);
        let own = agents().find(|(_, a)| a.name == vehicle);
        let number = own.or_else(|| agents().find(|(_, a)| a.class == class));
        let nav = blob.decode(class);
        let nav = nav.map_err(|error| Failure::input(format_args!("{name}: {error}")))?;
        Ok(AgentMesh { nav, number: number.map_or(0, |(number, _)| number) })
    }

    /// The navmesh.
    pub(crate) fn mesh(&self) -> NavMesh<'_> {
        self.nav.mesh()
    }

    /// The agent's bit in the masks of links; agents beyond the bits of a mask take no links.
    pub(crate) fn bit(&self) -> u32 {
        1u32.checked_shl(self.number.into()).unwrap_or(0)
    }
}

/// The point that was named, in the axes and units of the command line.
///
/// # Errors
/// If it is a marker that the blob, named `file`, does not have.
pub(crate) fn place(
    spot: &PointOrMarker,
    blob: &CheckedBlob<'_>,
    axes: Axes,
    file: &str,
) -> Result<Place, Failure> {
    spot.resolve(blob.markers().map(|m| (m.name, axes.outward(m.position))), file)
}

/// The axes and units of coordinates on the command line.
pub(crate) fn axes(blob: &CheckedBlob<'_>, coords: Coords) -> Axes {
    match coords {
        Coords::Metres => Axes::METRES,
        Coords::Input => Axes::of_level(blob),
    }
}
