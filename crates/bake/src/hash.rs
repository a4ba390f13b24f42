//! Hashes of what a bake depends on: the level as the stages see it, and the effective config. File bytes, names of files, threads
//! and verbosity are not part of them.

use navbake_geom::Grid;
use navbake_level::{GridMap, Level, Role};

use crate::config::Config;

/// What a navmesh file was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hashes {
    /// BLAKE3 of the canonical level.
    pub level: [u8; 32],
    /// BLAKE3 of the effective config and of the version of the baker.
    pub config: [u8; 32],
}

/// Goes up whenever the same level and config give other bytes than before, so that old outputs count as out of date.
const BAKE_VERSION: u32 = 1;

/// Hash of the effective config. The baker's version takes part: a newer baker makes another file.
pub(crate) fn config(resolved: &Config) -> [u8; 32] {
    let mut hash = Hash::new("config");
    hash.u32(BAKE_VERSION);
    hash.text(env!("CARGO_PKG_VERSION"));
    hash.text(&resolved.effective());
    hash.done()
}

/// Hash of a level on its grid. [`Level::new`] has sorted it, so that the order of the input does not matter.
pub(crate) fn level(level: &Level) -> [u8; 32] {
    let mut hash = Hash::new("level");
    hash.grid(&level.grid);
    hash.u32(level.vertices.len() as u32);
    for p in &level.vertices {
        for c in [p.x, p.y, p.z] {
            hash.i32(c);
        }
    }
    hash.u32(level.triangles.len() as u32);
    for t in &level.triangles {
        for v in t.v {
            hash.u32(v);
        }
        hash.i32(t.up);
        hash.u32(t.part);
    }
    hash.u32(level.parts.len() as u32);
    for (part, role) in level.parts.iter().zip(&level.roles) {
        hash.text(&part.node);
        hash.text(&part.mesh);
        hash.text(&part.material);
        hash.u32(u32::from(part.double_sided));
        hash.u32(match role {
            Role::Ground => 0,
            Role::Obstacle => 1,
            Role::Ignored => 2,
            Role::Floor => 3,
        });
    }
    hash.u32(level.markers.len() as u32);
    for marker in &level.markers {
        hash.text(&marker.name);
        for c in marker.position {
            hash.f64(c);
        }
    }
    hash.done()
}

/// Hash of a grid map.
pub(crate) fn grid_map(map: &GridMap, grid: &Grid) -> [u8; 32] {
    let mut hash = Hash::new("grid map");
    hash.grid(grid);
    hash.f64(map.cell);
    hash.u32(map.width);
    hash.u32(map.height);
    for row in map.free.chunks(map.width.max(1) as usize) {
        let row: Vec<u8> = row.iter().map(|&f| u8::from(f)).collect();
        hash.0.update(&row);
    }
    hash.done()
}

/// Every item has its length or a fixed size, so that no two levels give one stream.
struct Hash(blake3::Hasher);

impl Hash {
    fn new(kind: &str) -> Hash {
        let mut hash = Hash(blake3::Hasher::new());
        hash.text(kind);
        hash
    }

    fn u32(&mut self, v: u32) {
        self.0.update(&v.to_le_bytes());
    }

    fn i32(&mut self, v: i32) {
        self.0.update(&v.to_le_bytes());
    }

    fn f64(&mut self, v: f64) {
        // Minus zero is zero.
        self.0.update(&(v + 0.0).to_bits().to_le_bytes());
    }

    fn text(&mut self, s: &str) {
        self.u32(s.len() as u32);
        self.0.update(s.as_bytes());
    }

    fn grid(&mut self, grid: &Grid) {
        self.u32(u32::from(grid.bits));
        for c in grid.origin {
            self.f64(c);
        }
    }

    fn done(self) -> [u8; 32] {
        *self.0.finalize().as_bytes()
    }
}
