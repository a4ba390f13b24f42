//! Detour's TileCache over its C++ functions.

use std::ffi::{c_int, c_uint};
use std::ptr::NonNull;

use navbake_level::Scene;
use navbake_peer_bench::levels::Agent;
// Brings the C++ of Recast and Detour.
use recastnavigation_rs as _;

#[repr(C)]
struct Cache {
    _opaque: [u8; 0],
}

unsafe extern "C" {
    fn tile_cache_new(
        vertices: *const f32,
        vertex_count: c_int,
        triangles: *const c_int,
        triangle_count: c_int,
        agent: *const f32,
        cell: f32,
        obstacles: c_int,
    ) -> *mut Cache;
    fn tile_cache_free(cache: *mut Cache);
    fn tile_cache_cylinder(cache: *mut Cache, at: *const f32, radius: f32, height: f32) -> c_uint;
    fn tile_cache_box(cache: *mut Cache, low: *const f32, high: *const f32) -> c_uint;
    fn tile_cache_remove(cache: *mut Cache, id: c_uint) -> bool;
    fn tile_cache_update(cache: *mut Cache) -> c_int;
    fn tile_cache_ground(cache: *const Cache, area: *mut f64) -> c_int;
}

/// A tile cache and its navmesh.
pub(crate) struct TileCache(NonNull<Cache>);

impl TileCache {
    /// Of a level, with room for obstacles.
    pub(crate) fn new(
        scene: &Scene,
        agent: &Agent,
        cell: f64,
        obstacles: usize,
    ) -> Result<TileCache, String> {
        let vertices: Vec<f32> = scene.vertices.iter().flatten().map(|&c| c as f32).collect();
        let triangles: Vec<c_int> = scene.triangles.iter().flatten().map(|&v| v as c_int).collect();
        let agent = [agent.radius, agent.height, agent.climb, agent.slope].map(|v| v as f32);
        // SAFETY: the arrays have the lengths that are given, and the function keeps none of them.
        let cache = unsafe {
            tile_cache_new(
                vertices.as_ptr(),
                (vertices.len() / 3) as c_int,
                triangles.as_ptr(),
                (triangles.len() / 3) as c_int,
                agent.as_ptr(),
                cell as f32,
                obstacles as c_int,
            )
        };
        NonNull::new(cache).map(TileCache).ok_or("TileCache cannot be built".into())
    }

    pub(crate) fn cylinder(
        &mut self,
        at: [f64; 3],
        radius: f64,
        height: f64,
    ) -> Result<c_uint, String> {
        let at = at.map(|c| c as f32);
        // SAFETY: the cache lives, and `at` has three numbers.
        let id = unsafe {
            tile_cache_cylinder(self.0.as_ptr(), at.as_ptr(), radius as f32, height as f32)
        };
        sound(id)
    }

    pub(crate) fn box_along_axes(
        &mut self,
        low: [f64; 3],
        high: [f64; 3],
    ) -> Result<c_uint, String> {
        let [low, high] = [low, high].map(|p| p.map(|c| c as f32));
        // SAFETY: the cache lives, and both places have three numbers.
        sound(unsafe { tile_cache_box(self.0.as_ptr(), low.as_ptr(), high.as_ptr()) })
    }

    pub(crate) fn remove(&mut self, id: c_uint) -> Result<(), String> {
        // SAFETY: the cache lives.
        let removed = unsafe { tile_cache_remove(self.0.as_ptr(), id) };
        removed.then_some(()).ok_or("TileCache removes no obstacle".into())
    }

    /// Makes all changes.
    pub(crate) fn update(&mut self) -> Result<(), String> {
        // SAFETY: the cache lives.
        let steps = unsafe { tile_cache_update(self.0.as_ptr()) };
        if steps < 0 { Err("TileCache builds no tile".into()) } else { Ok(()) }
    }

    /// Polygons and their area, m2.
    pub(crate) fn ground(&self) -> (usize, f64) {
        let mut area = 0.0;
        // SAFETY: the cache lives, and `area` has room for one number.
        let polygons = unsafe { tile_cache_ground(self.0.as_ptr(), &mut area) };
        (polygons as usize, area)
    }
}

impl Drop for TileCache {
    fn drop(&mut self) {
        // SAFETY: it was made by `tile_cache_new`, and nothing uses it after this.
        unsafe { tile_cache_free(self.0.as_ptr()) };
    }
}

fn sound(id: c_uint) -> Result<c_uint, String> {
    if id == 0 { Err("TileCache adds no obstacle".into()) } else { Ok(id) }
}
