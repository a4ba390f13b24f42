//! Vehicles: units that turn, on their ground, with roads and parked units.

use std::ffi::c_char;

use navbake_search::NavMesh;
use navbake_vehicle::{
    Ground, GroundFilter, Roads, TurningBuffer, TurningScratchSize, Vehicle, VehicleBuffer,
    VehicleRules,
};

use crate::blob::{NavbakeBlob, NavbakeMesh};
use crate::pointers::{Output, given, given_mut, row, text, triple};
use crate::status::NavbakeStatus::{
    self, NavbakeBadArgument, NavbakeInternalError, NavbakeOffMesh, NavbakeOk,
};
use crate::status::{Fault, guard};
use crate::vehicle_path::NavbakePiece;

/// The most states of a search where no number is given: 200 MB.
const MOST_NODES: usize = 4_000_000;

/// A vehicle on its ground, with the memory of its searches. Opaque; for one thread at a time. It
/// points at the bytes of its blob, and may outlive the NavbakeBlob but not the bytes.
pub struct NavbakeVehicle {
    pub(crate) search: TurningBuffer,
    pub(crate) filter: GroundFilter,
    pub(crate) roads: Option<Roads<'static>>,
    /// Tiles from a bend without cones, where cones are placed.
    turn: Option<u32>,
    cones: Vec<[i32; 2]>,
    /// Tiles that the caller blocked, in rising order.
    blocked: Vec<[i32; 2]>,
    /// How many obstacles of the mesh are on the ground.
    obstacles: u32,
    pub(crate) pieces: Vec<NavbakePiece>,
    pub(crate) ground: Ground<'static>,
    pub(crate) vehicle: Vehicle<'static>,
    pub(crate) identity: (usize, Option<u16>),
    /// What the fields before point at; freed after them.
    memory: Memory,
}

struct Memory {
    own: *mut VehicleBuffer,
    bits: *mut [u64],
    twins: *mut [u32],
    roads: *mut [u64],
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: from Box::into_raw, freed once; what borrows it was dropped before.
        unsafe {
            drop(Box::from_raw(self.own));
            drop(Box::from_raw(self.bits));
            drop(Box::from_raw(self.twins));
            drop(Box::from_raw(self.roads));
        }
    }
}

/// A vehicle that the blob was baked for.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeVehicleKind {
    /// Its name in UTF-8, in the blob's own bytes; no zero ends it.
    pub name: *const c_char,
    /// Bytes in the name.
    pub name_length: usize,
    /// The least radius of its curves, m.
    pub turn_radius: f64,
    /// Side of the tiles of its ground, m.
    pub tile: f64,
    /// How many headings it has at the middle of a tile.
    pub headings: u32,
    /// 1 when it can be driven backwards, else 0.
    pub reverse: u32,
    /// 1 when the config has it keep to roads, else 0.
    pub roads: u32,
    /// How many directions the config has it drawn in, 8 or 16; 0 for any.
    pub directions: u32,
}

/// How many vehicles the blob was baked for; 0 for NULL.
///
/// # Safety
///
/// The blob is NULL or comes from navbake_open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_vehicle_count(blob: *const NavbakeBlob) -> usize {
    // SAFETY: promised by the caller.
    unsafe { given(blob) }.map_or(0, |blob| blob.blob.vehicles().count())
}

/// Describes the vehicle with this number, counted from 0.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the vehicle does not exist) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The blob is NULL or comes from navbake_open; `kind` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_vehicle_kind(
    blob: *const NavbakeBlob,
    index: usize,
    kind: *mut NavbakeVehicleKind,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (blob, out) = unsafe { (given(blob)?, Output::new(kind)?) };
        let view = blob.blob.vehicles().nth(index).ok_or(NavbakeBadArgument)?;
        out.put(NavbakeVehicleKind {
            name: view.name().as_ptr().cast(),
            name_length: view.name().len(),
            turn_radius: view.turn_radius() * view.tile(),
            tile: view.tile(),
            headings: view.headings(),
            reverse: u32::from(view.reverse().is_some()),
            roads: u32::from(view.rules().areas != 0),
            directions: view.rules().directions.unwrap_or(0).into(),
        });
        Ok(NavbakeOk)
    })
}

/// Makes the vehicle with this number, counted from 0, on its ground, with memory for searches of
/// `nodes` states; 0 for as many as the ground has, up to 4000000. The mesh is that of the agent on
/// whose ground it drives. Links, costs, closed ground and obstacles are those that the mesh has
/// now; call navbake_vehicle_update after changes. It keeps to the roads that the config gives it,
/// until navbake_vehicle_set_roads gives it others. Free it with navbake_vehicle_free.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the vehicle does not exist, or a
/// mesh of other ground) or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The blob is NULL or comes from navbake_open, the mesh is NULL or comes from navbake_mesh;
/// `vehicle` is NULL or has room for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_vehicle_new(
    blob: *const NavbakeBlob,
    index: usize,
    mesh: *const NavbakeMesh,
    nodes: usize,
    vehicle: *mut *mut NavbakeVehicle,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (blob, mesh, out) = unsafe { (given(blob)?, given(mesh)?, Output::new(vehicle)?) };
        let file = blob.blob;
        let view = file.vehicles().nth(index).ok_or(NavbakeBadArgument)?;
        let (tiles, map) = (file.tile_ground(view.name()), file.grid_map());
        let identity = (file.blob().bytes().as_ptr() as usize, tiles.map(|t| t.class()));
        fits(identity, mesh)?;
        let [words, numbers] = match (&tiles, &map) {
            (Some(tiles), _) => Ground::layer_words(tiles),
            (None, Some(map)) => [Ground::words(map), 0],
            (None, None) => return Err(NavbakeInternalError),
        };
        let memory = Memory {
            own: Box::into_raw(Box::new(VehicleBuffer::new(&view))),
            bits: Box::into_raw(vec![0; words].into()),
            twins: Box::into_raw(vec![0; numbers].into()),
            roads: Box::into_raw(vec![0; words].into()),
        };
        // SAFETY: from Box::into_raw, each borrowed once, and freed after what borrows it.
        let (own, bits, twins) =
            unsafe { (&mut *memory.own, &mut *memory.bits, &mut *memory.twins) };
        let vehicle: Vehicle<'static> = own.vehicle(view).ok_or(NavbakeInternalError)?;
        let (ground, free) = match (tiles, map) {
            (Some(tiles), _) => (Ground::of_layers(tiles, bits, twins), tiles.free_count()),
            (None, Some(map)) => (Ground::new(&map, bits), map.free_count()),
            (None, None) => return Err(NavbakeInternalError),
        };
        let mut ground = ground.ok_or(NavbakeInternalError)?;
        let filter = GroundFilter::new(&vehicle, &mut ground, &mesh.view(), &mesh.filter);
        let states = 2 * u64::from(vehicle.headings()) * u64::from(free);
        let usual = usize::try_from(states).unwrap_or(MOST_NODES).min(MOST_NODES);
        let nodes = if nodes == 0 { usual } else { nodes.min(MOST_NODES) };
        let size = TurningScratchSize::with_nodes(&vehicle, &ground, nodes);
        // The parts would end the process where there is no memory.
        if Vec::<u8>::new().try_reserve_exact(size.bytes()).is_err() {
            return Err(NavbakeInternalError);
        }
        let mut own = NavbakeVehicle {
            search: TurningBuffer::new(size),
            filter,
            roads: None,
            turn: None,
            cones: vec![],
            blocked: vec![],
            obstacles: 0,
            pieces: vec![],
            ground,
            vehicle,
            identity,
            memory,
        };
        own.keep_to(&mesh.view(), vehicle.rules())?;
        own.put_obstacles(mesh)?;
        out.put(Box::into_raw(Box::new(own)));
        Ok(NavbakeOk)
    })
}

/// Frees a vehicle; NULL is allowed.
///
/// # Safety
///
/// The vehicle comes from navbake_vehicle_new and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_vehicle_free(vehicle: *mut NavbakeVehicle) {
    if !vehicle.is_null() {
        // SAFETY: from Box::into_raw, and freed once: promised by the caller.
        drop(unsafe { Box::from_raw(vehicle) });
    }
}

/// Takes the links, costs, closed ground and obstacles that the mesh has now. A pass over the
/// tiles.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (a mesh of other ground) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The vehicle is NULL or comes from navbake_vehicle_new, and nothing else uses it now; the mesh is
/// NULL or comes from navbake_mesh.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_vehicle_update(
    vehicle: *mut NavbakeVehicle,
    mesh: *const NavbakeMesh,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (own, mesh) = unsafe { (given_mut(vehicle)?, given(mesh)?) };
        fits(own.identity, mesh)?;
        own.free_tiles();
        own.filter.lift(&mut own.ground);
        let (vehicle, ground) = (&own.vehicle, &mut own.ground);
        own.filter = GroundFilter::new(vehicle, ground, &mesh.view(), &mesh.filter);
        own.block_tiles();
        own.put_obstacles(mesh)?;
        Ok(NavbakeOk)
    })
}

/// Blocks the tile under a point, as for a unit that is parked there, or with 0 frees it again.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_OFF_MESH (no tile is there) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The vehicle is NULL or comes from navbake_vehicle_new, and nothing else uses it now; `point` is
/// NULL or three doubles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_vehicle_block(
    vehicle: *mut NavbakeVehicle,
    point: *const f64,
    blocked: u32,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (own, point) = unsafe { (given_mut(vehicle)?, triple(point)?) };
        let Some(tile) = own.ground.tile_at(point) else {
            return Ok(NavbakeOffMesh);
        };
        own.free_tiles();
        match (own.blocked.binary_search(&tile), blocked != 0) {
            // What is blocked already stays so when the caller frees it.
            (Err(at), true) if !own.ground.is_blocked_but_for_obstacles(tile) => {
                own.blocked.insert(at, tile)
            }
            (Ok(at), false) => drop(own.blocked.remove(at)),
            _ => {}
        }
        own.block_tiles();
        Ok(NavbakeOk)
    })
}

/// Makes the areas of these names road. A move that touches other ground costs `off_road_cost`
/// times as much, 1 or more; INFINITY forbids it. Moves that begin on a road reach `rings` tiles, 0
/// for all. With `cones` not 0, tiles beside the road are blocked, away from its bends. With no
/// areas there are no roads. They replace those of the config.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (no area has that name, a cost
/// below 1, a mesh of other ground, or cones for a vehicle without a move that is a turn) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The vehicle is NULL or comes from navbake_vehicle_new, and nothing else uses it now; the mesh is
/// NULL or comes from navbake_mesh; `areas` is NULL, with a count of 0, or points at `area_count`
/// pointers, each NULL or text in UTF-8 with a zero at its end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_vehicle_set_roads(
    vehicle: *mut NavbakeVehicle,
    mesh: *const NavbakeMesh,
    areas: *const *const c_char,
    area_count: usize,
    off_road_cost: f64,
    rings: u32,
    cones: u32,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (own, mesh, names) =
            unsafe { (given_mut(vehicle)?, given(mesh)?, row(areas, area_count)?) };
        fits(own.identity, mesh)?;
        let mut areas = 0u64;
        for &name in names {
            // SAFETY: promised by the caller.
            let name = unsafe { text(name)? };
            let mut known = mesh.view().file().areas();
            let number = known.position(|area| area.name == name).ok_or(NavbakeBadArgument)?;
            areas |= 1 << (number & 63);
        }
        let cones = match cones {
            0 => None,
            _ => {
                let rings = own.vehicle.rings_for_turn().and_then(|rings| rings.try_into().ok());
                Some(rings.ok_or(NavbakeBadArgument)?)
            }
        };
        if off_road_cost.is_nan() || off_road_cost < 1.0 {
            return Err(NavbakeBadArgument);
        }
        // Moves never reach as far as the most rings.
        let rings = (rings > 0).then(|| rings.try_into().unwrap_or(u16::MAX));
        let rules = VehicleRules { areas, off_road_cost, rings, cones, directions: None };
        own.keep_to(&mesh.view(), rules)?;
        Ok(NavbakeOk)
    })
}

impl NavbakeVehicle {
    /// Marks the roads of rules in place of those before, and places their cones.
    fn keep_to(&mut self, mesh: &NavMesh<'_>, rules: VehicleRules) -> Result<(), Fault> {
        self.free_tiles();
        (self.roads, self.turn) = (None, None);
        if rules.areas != 0 {
            // SAFETY: from Box::into_raw, and the roads that borrowed it are gone.
            let bits: &'static mut [u64] = unsafe { &mut *self.memory.roads };
            let roads = Roads::new(&self.ground, bits, rules.into());
            let mut roads = roads.ok_or(NavbakeInternalError)?;
            roads.mark_areas(&self.ground, mesh, rules.areas);
            (self.roads, self.turn) = (Some(roads), rules.cones.map(u32::from));
        }
        self.block_tiles();
        Ok(())
    }

    /// Puts the obstacles of a mesh on the ground in place of those before.
    fn put_obstacles(&mut self, mesh: &NavbakeMesh) -> Result<(), Fault> {
        let baked = mesh.changing().map_or_else(|| mesh.view(), |world| world.baked());
        let mut set = |number, obstacle| {
            let done = self.ground.set_obstacle(&baked, number, obstacle);
            done.map(drop).map_err(|_| NavbakeInternalError)
        };
        for number in 0..self.obstacles {
            set(number, None)?;
        }
        let mut count = 0;
        for (number, obstacle) in mesh.obstacles() {
            set(number, Some(obstacle))?;
            count = number + 1;
        }
        self.obstacles = count;
        Ok(())
    }

    /// Frees the tiles of cones, and those that the caller blocked.
    fn free_tiles(&mut self) {
        for &tile in &self.blocked {
            self.ground.set_blocked(tile, false);
        }
        Roads::lift_cones(&mut self.ground, &self.cones);
        self.cones.clear();
    }

    /// Blocks them again.
    fn block_tiles(&mut self) {
        if let (Some(turn), Some(roads)) = (self.turn, &self.roads) {
            let tiles = self.ground.width() as usize * self.ground.height() as usize;
            self.cones.resize(tiles, [0; 2]);
            let count = roads.place_cones(&mut self.ground, turn, &mut self.cones);
            self.cones.truncate(count.unwrap_or(0));
        }
        for &tile in &self.blocked {
            self.ground.set_blocked(tile, true);
        }
    }
}

/// Refuses a mesh of another blob, or of other ground than the vehicle's.
pub(crate) fn fits((bytes, class): (usize, Option<u16>), mesh: &NavbakeMesh) -> Result<(), Fault> {
    let (own, other) = mesh.identity;
    match own == bytes && class.is_none_or(|class| class == other) {
        true => Ok(()),
        false => Err(NavbakeBadArgument),
    }
}
