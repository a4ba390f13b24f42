//! Opening a blob: its bytes, its checked view, the navmesh of an agent.

use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::Deref;

use memmap2::Mmap;
use navbake_draw::Axes;
use navbake_format::{Blob, CheckedBlob, NavMesh};

use crate::args::BlobPath;
use crate::failure::Failure;
use crate::mapped;
use crate::output::is_dash;
use crate::place::Coords;

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

/// Loads the bytes of a blob.
///
/// # Errors
/// If it cannot be read or mapped.
pub(crate) fn load(blob: &BlobPath) -> Result<Bytes, Failure> {
    if is_dash(&blob.path) {
        if blob.mmap {
            return Err(Failure::usage("--mmap does not apply to stdin"));
        }
        let mut bytes = vec![];
        io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .map_err(|error| Failure::io("stdin".as_ref(), "read", &error))?;
        return Ok(Bytes::Owned(bytes));
    }
    let bytes = if blob.mmap {
        File::open(&blob.path).and_then(|file| mapped::map(&file)).map(Bytes::Mapped)
    } else {
        fs::read(&blob.path).map(Bytes::Owned)
    };
    bytes.map_err(|error| Failure::io(&blob.path, "read", &error))
}

/// The name of a blob in messages.
pub(crate) fn name(blob: &BlobPath) -> String {
    if is_dash(&blob.path) { "stdin".into() } else { blob.path.display().to_string() }
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
    checked.map_err(|error| Failure::input(format_args!("{name}: {error}")))
}

/// The navmesh of an agent, by default the first.
///
/// # Errors
/// If the blob has no agent of that name.
pub(crate) fn mesh_of<'a>(
    blob: &CheckedBlob<'a>,
    agent: Option<&str>,
    name: &str,
) -> Result<NavMesh<'a>, Failure> {
    let class = match agent {
        None => blob.agents().next().map_or(0, |a| a.class),
        Some(wanted) => {
            blob.agent(wanted)
                .ok_or_else(|| {
                    let known: Vec<&str> = blob.agents().map(|a| a.name).collect();
                    Failure::usage(format_args!(
                        "{name}: no agent `{wanted}`; its agents: {}",
                        known.join(", ")
                    ))
                })?
                .class
        }
    };
    let nav = blob.decode(class).map(|nav| nav.leak());
    nav.map_err(|error| Failure::input(format_args!("{name}: {error}")))
}

/// The navmesh of an agent, and the agent's bit in the masks of links.
pub(crate) fn mesh_and_bit<'a>(
    blob: &CheckedBlob<'a>,
    agent: Option<&str>,
    name: &str,
) -> Result<(NavMesh<'a>, u32), Failure> {
    let mesh = mesh_of(blob, agent, name)?;
    let number = match agent {
        None => Some(0),
        Some(wanted) => blob.agents().position(|a| a.name == wanted),
    };
    // Agents beyond the bits of a mask take no links.
    let bit = number.and_then(|n| 1u32.checked_shl(n as u32));
    Ok((mesh, bit.unwrap_or(0)))
}

/// The axes and units of coordinates on the command line.
pub(crate) fn axes(blob: &CheckedBlob<'_>, coords: Coords) -> Axes {
    match coords {
        Coords::Metres => Axes::METRES,
        Coords::Input => Axes::of_level(blob),
    }
}
