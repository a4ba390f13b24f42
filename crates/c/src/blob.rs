//! Baked bytes, the agents they were baked for, and the navmesh of an agent.

use std::ffi::c_char;

use navbake_gridpath::{CellFilter, Network};
use navbake_search::blob::{Blob, CheckedBlob};
use navbake_search::{NavMesh, NavMeshBuf, NavQuery, PolyId, QueryFilter};
use navbake_world::{Obstacle, Way, World};

use crate::pointers::{Output, given, row};
use crate::status::NavbakeStatus::{
    self, NavbakeBadArgument, NavbakeBadBlob, NavbakeInternalError, NavbakeOk,
};
use crate::status::{Fault, guard};

/// A baked file's bytes that were checked. Opaque; it points at the bytes and holds none of them.
pub struct NavbakeBlob {
    pub(crate) blob: CheckedBlob<'static>,
}

/// The navmesh of an agent, with its closed switches and the costs of its ground: nothing is closed
/// at first, and all ground costs 1. Opaque; it points at the bytes of its blob, and may outlive
/// the NavbakeBlob but not the bytes.
pub struct NavbakeMesh {
    pub(crate) blob: CheckedBlob<'static>,
    pub(crate) ground: Ground,
    /// The links the agent may take, the closed ground, and costs.
    pub(crate) filter: QueryFilter,
    /// Which mesh it is: its bytes and its class.
    pub(crate) identity: (usize, u16),
    /// The number of its agent.
    pub(crate) agent: u16,
    /// Grows with everything that may change where ground is open.
    pub(crate) changes: u64,
    /// What the cells mean to the unit, and the changes of the mesh then.
    pub(crate) cells: Option<(CellFilter, u64)>,
    /// A network as the unit sees it, and the changes of the mesh then.
    pub(crate) network: Option<(Network, u64)>,
}

/// The navmesh: as baked, or from the first obstacle on, what they leave of it. That of an index
/// changes from the beginning, with its chunks.
pub(crate) enum Ground {
    Baked(NavMeshBuf),
    Changing(Box<World>),
}

impl Ground {
    fn mesh(&self) -> NavMesh<'_> {
        match self {
            Ground::Baked(nav) => nav.mesh(),
            Ground::Changing(world) => world.nav_mesh(),
        }
    }
}

impl NavbakeMesh {
    pub(crate) fn view(&self) -> NavMesh<'_> {
        self.ground.mesh()
    }

    /// The obstacles that were committed, each with a number that no other has now, below 2^31.
    pub(crate) fn obstacles(&self) -> impl Iterator<Item = (u32, &Obstacle)> {
        let world = self.changing().into_iter();
        (0..).zip(world.flat_map(|world| world.obstacles().map(|own| own.1)))
    }

    /// The world of its obstacles and chunks, once there is one.
    pub(crate) fn changing(&self) -> Option<&World> {
        match &self.ground {
            Ground::Baked(_) => None,
            Ground::Changing(world) => Some(world),
        }
    }

    pub(crate) fn query(&self) -> NavQuery<'_> {
        NavQuery::new(self.view()).with_filter(&self.filter)
    }

    /// Is there a path from one polygon to another only with more chunks loaded?
    pub(crate) fn goes_on(&self, from: PolyId, to: PolyId) -> bool {
        self.changing().is_some_and(|world| world.way(from, to) == Way::NotLoaded)
    }

    /// The world of its obstacles and chunks, made at the first call.
    pub(crate) fn world(&mut self) -> Result<&mut World, Fault> {
        if let Ground::Baked(_) = self.ground {
            let nav = self.blob.decode(self.identity.1).map_err(|_| NavbakeInternalError)?;
            self.ground = Ground::Changing(Box::new(World::new(nav)));
        }
        match &mut self.ground {
            Ground::Changing(world) => Ok(world),
            Ground::Baked(_) => Err(NavbakeInternalError),
        }
    }

    /// The mesh, and the filter to be changed.
    pub(crate) fn parts(&mut self) -> (NavMesh<'_>, &mut QueryFilter) {
        (self.ground.mesh(), &mut self.filter)
    }

    /// Blocks on the mesh of now what was blocked before.
    pub(crate) fn refresh(&mut self) -> Result<(), Fault> {
        self.changes += 1;
        let (view, filter) = self.parts();
        filter.refresh(&view).map_err(|_| NavbakeInternalError)
    }
}

/// A kind of unit that the blob was baked for.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeAgent {
    /// Its name in UTF-8, in the blob's own bytes; no zero ends it.
    pub name: *const c_char,
    /// Bytes in the name.
    pub name_length: usize,
    /// Radius of the upright cylinder, m.
    pub radius: f64,
    /// Height of the cylinder, m.
    pub height: f64,
    /// The highest step it takes, m.
    pub climb: f64,
    /// The steepest ground it walks on, degrees from level.
    pub slope: f64,
}

/// The version of this library, as text with a zero at its end.
#[unsafe(no_mangle)]
pub extern "C" fn navbake_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Opens a baked file's bytes and checks all of them, so that no later query can go wrong. The
/// bytes are not copied: they must stay as they are for as long as anything made from them is used.
///
/// `message`, which may be NULL, has room for `message_capacity` bytes; a description of the fault
/// is written there, truncated to that length, with a zero at the end. `blob` gets the blob; free
/// it with navbake_close.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (a length beyond all memory),
/// NAVBAKE_BAD_BLOB or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// Pointers are NULL or point at memory of the lengths given above. Nothing writes to the bytes
/// while anything made from them is used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_open(
    data: *const u8,
    length: usize,
    message: *mut c_char,
    message_capacity: usize,
    blob: *mut *mut NavbakeBlob,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (out, data) = unsafe { (Output::new(blob)?, row(data, length)?) };
        match Blob::open_checked(data) {
            Ok(blob) => {
                out.put(Box::into_raw(Box::new(NavbakeBlob { blob })));
                Ok(NavbakeOk)
            }
            Err(error) => {
                // SAFETY: promised by the caller.
                unsafe { say(&error.to_string(), message, message_capacity) };
                Err(NavbakeBadBlob)
            }
        }
    })
}

/// Writes as much of a text as fits, with a zero at its end, and cuts no character in two.
///
/// # Safety
///
/// A pointer that is not null has room for `capacity` bytes.
pub(crate) unsafe fn say(text: &str, to: *mut c_char, capacity: usize) {
    let Some(room) = capacity.checked_sub(1).filter(|_| !to.is_null()) else {
        return;
    };
    let length = (0..=room.min(text.len())).rev().find(|&n| text.is_char_boundary(n)).unwrap_or(0);
    // SAFETY: `length` is no more than the text has, and one less than the capacity at most.
    unsafe {
        to.copy_from_nonoverlapping(text.as_ptr().cast(), length);
        to.add(length).write(0);
    }
}

/// Frees a blob; NULL is allowed. The bytes stay with the caller, and meshes made from the blob go
/// on working.
///
/// # Safety
///
/// The blob comes from navbake_open and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_close(blob: *mut NavbakeBlob) {
    if !blob.is_null() {
        // SAFETY: from Box::into_raw, and freed once: promised by the caller.
        drop(unsafe { Box::from_raw(blob) });
    }
}

/// How many agents the blob was baked for; 0 for NULL.
///
/// # Safety
///
/// The blob is NULL or comes from navbake_open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_agent_count(blob: *const NavbakeBlob) -> usize {
    // SAFETY: promised by the caller.
    unsafe { given(blob) }.map_or(0, |blob| blob.blob.agents().count())
}

/// Describes the agent with this number, counted from 0.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the agent does not exist) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The blob is NULL or comes from navbake_open; `agent` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_agent(
    blob: *const NavbakeBlob,
    index: usize,
    agent: *mut NavbakeAgent,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (blob, out) = unsafe { (given(blob)?, Output::new(agent)?) };
        let agent = blob.blob.agents().nth(index).ok_or(NavbakeBadArgument)?;
        out.put(NavbakeAgent {
            name: agent.name.as_ptr().cast(),
            name_length: agent.name.len(),
            radius: agent.radius,
            height: agent.height,
            climb: agent.climb,
            slope: agent.slope,
        });
        Ok(NavbakeOk)
    })
}

/// Gives the navmesh of the agent with this number, counted from 0; free it with navbake_mesh_free.
/// That of the index of a world has no ground until chunks are inserted.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the agent does not exist) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The blob is NULL or comes from navbake_open; `mesh` is NULL or has room for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_mesh(
    blob: *const NavbakeBlob,
    agent: usize,
    mesh: *mut *mut NavbakeMesh,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (blob, out) = unsafe { (given(blob)?, Output::new(mesh)?) };
        let number = agent;
        let agent = blob.blob.agents().nth(number).ok_or(NavbakeBadArgument)?;
        let nav = blob.blob.decode(agent.class).map_err(|_| NavbakeBadBlob)?;
        let ground = match blob.blob.is_index() {
            true => Ground::Changing(Box::new(World::new(nav))),
            false => Ground::Baked(nav),
        };
        let mut filter = QueryFilter::new();
        // Agents beyond the bits take no links.
        let bit = u32::try_from(number).ok().and_then(|n| 1u32.checked_shl(n));
        filter.set_agents(bit.unwrap_or(0));
        out.put(Box::into_raw(Box::new(NavbakeMesh {
            blob: blob.blob,
            ground,
            filter,
            identity: (blob.blob.blob().bytes().as_ptr() as usize, agent.class),
            agent: u16::try_from(number).map_err(|_| NavbakeBadArgument)?,
            changes: 0,
            cells: None,
            network: None,
        })));
        Ok(NavbakeOk)
    })
}

/// Frees a mesh; NULL is allowed.
///
/// # Safety
///
/// The mesh comes from navbake_mesh and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_mesh_free(mesh: *mut NavbakeMesh) {
    if !mesh.is_null() {
        // SAFETY: from Box::into_raw, and freed once: promised by the caller.
        drop(unsafe { Box::from_raw(mesh) });
    }
}
