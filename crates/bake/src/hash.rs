//! Hashes of the inputs of a bake: the level as the stages see it, the effective config, and each
//! tile's part of them. File bytes, names of files, threads, the cache and verbosity are
//! not part of them.

use navbake_geom::Grid;
use navbake_import::World;
use navbake_level::{Agent, Area, Given, GridMap, Level, Part, Role, Scene, SourceTriangle, Tag};
use navbake_mesh::{GivenPolygon, PatchSettings};
use navbake_walkable::Plan;
use rayon::prelude::*;

use crate::config::Config;
use crate::tile_result::Place;
use crate::world::TileRange;

/// The inputs of a navmesh file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hashes {
    /// BLAKE3 of the canonical level.
    pub level: [u8; 32],
    /// BLAKE3 of the effective config and of the version of the baker.
    pub config: [u8; 32],
}

/// Goes up whenever the same level and config give other bytes than before, so that old outputs
/// count as out of date.
const BAKE_VERSION: u32 = 21;

/// The same for configs with costs of height alone.
const SLOPES_VERSION: u32 = 3;

/// Goes up whenever a tile's job gives another result than before for the same triangles and
/// settings, so that entries of older caches are not found. The test below notices a change that
/// shows on one fixture, and no other.
const CACHE_VERSION: u32 = 21;

/// Names the result of a tile's job by all that decides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ContentKey(pub(crate) [u8; 32]);

/// Hash of the effective config. The baker's version takes part: a newer baker makes another file.
/// So do triangles of the level's file, where they are asked for: unlike the level they have the
/// file's order.
pub(crate) fn config(resolved: &Config, sources: &[SourceTriangle]) -> [u8; 32] {
    let mut hash = Hash::new("config");
    hash.u32(BAKE_VERSION);
    hash.text(env!("CARGO_PKG_VERSION"));
    hash.text(&resolved.effective());
    if resolved.agents.iter().any(|a| a.uphill > 0.0 || a.downhill > 0.0) {
        hash.u32(SLOPES_VERSION);
    }
    for t in sources {
        for p in t.corners {
            for c in [p.x, p.y, p.z] {
                hash.i32(c);
            }
        }
        hash.u32(t.part);
        hash.u32(t.number);
    }
    hash.done()
}

/// Hash of a level whose navmesh is given, and of its polygons.
pub(crate) fn given(level: [u8; 32], polygons: &[GivenPolygon]) -> [u8; 32] {
    let mut hash = Hash::new("given");
    for word in level.as_chunks().0 {
        hash.u32(u32::from_le_bytes(*word));
    }
    for polygon in polygons {
        hash.u32(polygon.ring.len() as u32);
        for (corner, portal) in polygon.ring.iter().zip(&polygon.portals) {
            for c in corner.map(f64::to_bits) {
                hash.u32(c as u32);
                hash.u32((c >> 32) as u32);
            }
            hash.u32(*portal);
        }
        hash.u32(polygon.area.into());
    }
    hash.done()
}

/// Hash of a level on its grid. [`Level::new`] has sorted it, so that the order of the input does
/// not matter.
pub(crate) fn level(level: &Level) -> [u8; 32] {
    let mut hash = Hash::new("level");
    hash.grid(&level.grid);
    hash.u32(level.vertices.len() as u32);
    for p in &level.vertices {
        hash.all([p.x, p.y, p.z].map(i32::cast_unsigned));
    }
    hash.u32(level.triangles.len() as u32);
    for t in &level.triangles {
        let [a, b, c] = t.v;
        hash.all([a, b, c, t.up.cast_unsigned(), t.part, t.area.into()]);
    }
    hash.u32(level.parts.len() as u32);
    for (part, role) in level.parts.iter().zip(&level.roles) {
        hash.part(part, *role);
    }
    hash.u32(level.markers.len() as u32);
    for marker in &level.markers {
        hash.text(&marker.name);
        for c in marker.position {
            hash.f64(c);
        }
    }
    hash.areas(&level.areas);
    hash.u32(level.switches.len() as u32);
    for s in &level.switches {
        hash.text(&s.name);
        hash.u32(s.closed.into());
    }
    hash.u32(level.links.len() as u32);
    for link in &level.links {
        hash.text(&link.name);
        for c in [link.from, link.to].as_flattened() {
            hash.f64(*c);
        }
        hash.f64(link.cost);
        hash.f64(link.width);
        for n in [link.kind as u32, link.agents, switch_number(link.switch), link.tags] {
            hash.u32(n);
        }
    }
    hash.done()
}

/// Hash of each placement of a world: of its file as it was read, where it is, and what its parts
/// are.
pub(crate) fn placements(world: &World, roles: &[Role]) -> Vec<[u8; 32]> {
    let of_file = |scene: &Scene| {
        let mut hash = Hash::new("file of a world");
        hash.u32(scene.vertices.len() as u32);
        for c in scene.vertices.as_flattened() {
            hash.f64(*c);
        }
        for (t, part) in scene.triangles.iter().zip(&scene.triangle_parts) {
            for v in t {
                hash.u32(*v);
            }
            hash.u32(*part);
        }
        hash.done()
    };
    let files: Vec<[u8; 32]> = world.files().par_iter().map(of_file).collect();
    let of_placement = |(k, (file, map)): (usize, (usize, [f64; 12]))| {
        let mut hash = Hash::new("placement");
        hash.bytes(&files[file]);
        for number in map {
            hash.f64(number);
        }
        for part in world.parts_of(k) {
            let (part, role) = (&world.parts()[*part as usize], roles[*part as usize]);
            hash.part(part, role);
            hash.given(&part.given);
        }
        hash.done()
    };
    world.placements().enumerate().map(of_placement).collect()
}

/// Hash of a world that is baked chunk by chunk: of its placements in any order, and the hash of
/// the level that has all else.
pub(crate) fn world(mut placements: Vec<[u8; 32]>, level: [u8; 32]) -> [u8; 32] {
    placements.sort_unstable();
    let mut hash = Hash::new("world");
    hash.bytes(&level);
    hash.bytes(placements.as_flattened());
    hash.done()
}

/// Names the list of a chunk's tiles by all that decides it: the config with the baker's version,
/// the grid and the areas of the world, the agents, the tiles, and the placements around them in
/// any order.
pub(crate) fn chunk(
    config: [u8; 32],
    level: &Level,
    agents: &[&Agent],
    tiles: TileRange,
    mut placements: Vec<[u8; 32]>,
) -> ContentKey {
    placements.sort_unstable();
    let mut hash = Hash::new("chunk");
    hash.u32(CACHE_VERSION);
    hash.bytes(&config);
    hash.grid(&level.grid);
    hash.areas(&level.areas);
    hash.u32(agents.len() as u32);
    for agent in agents {
        for v in [agent.radius, agent.height, agent.climb, agent.slope] {
            hash.f64(v);
        }
    }
    for v in tiles.as_flattened() {
        hash.i32(*v);
    }
    hash.bytes(placements.as_flattened());
    ContentKey(hash.done())
}

/// Hash of a grid map.
pub(crate) fn grid_map(map: &GridMap, grid: &Grid) -> [u8; 32] {
    let mut hash = Hash::new("grid map");
    hash.grid(grid);
    hash.u32(map.shape.number().into());
    hash.f64(map.cell);
    // Of maps from zero hashes stay what they were.
    if map.corner != [0.0; 2] {
        map.corner.iter().for_each(|&v| hash.f64(v));
    }
    hash.u32(map.width);
    hash.u32(map.height);
    for row in map.free.chunks(map.width.max(1) as usize) {
        let row: Vec<u8> = row.iter().map(|&f| u8::from(f)).collect();
        hash.bytes(&row);
    }
    hash.u32(map.terrain.len() as u32);
    hash.bytes(&map.terrain);
    hash.done()
}

/// The content key of a tile: versions, agent, settings, place, and the triangles that the job
/// reads, at their places on the grid. Indices, names and the grid's origin are not part of it, so
/// that geometry which is added far away changes no key.
pub(crate) fn tile(
    plan: &Plan,
    at: Place,
    agent: &Agent,
    shape: &PatchSettings,
    bits: u8,
) -> ContentKey {
    let mut hash = Hash::new("tile");
    hash.u32(CACHE_VERSION);
    hash.u32(BAKE_VERSION);
    hash.text(env!("CARGO_PKG_VERSION"));
    for v in [agent.radius, agent.height, agent.climb, agent.slope] {
        hash.f64(v);
    }
    let PatchSettings { tolerance, height_error, seam_error, slope_error, max_corners } = *shape;
    hash.u32(u32::from(bits));
    let [x, z] = plan.key(at.tile);
    let triangles = plan.triangles(at.tile);
    hash.u32(triangles.len() as u32);
    for v in plan.numbers(at.class).into_iter().chain([
        tolerance,
        height_error,
        seam_error,
        slope_error,
        max_corners as i32,
        x,
        z,
    ]) {
        hash.i32(v);
    }
    for triangle in triangles {
        let [a, b, c] = triangle.corners;
        let numbers = [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, triangle.up];
        hash.all(numbers.map(i32::cast_unsigned));
        hash.bytes(&[number_of(triangle.role) as u8, triangle.edges, triangle.area]);
    }
    ContentKey(hash.done())
}

/// The content key of a tile that depends on several plans: on the keys for each.
pub(crate) fn tiles(keys: impl Iterator<Item = ContentKey>) -> ContentKey {
    let mut hash = Hash::new("tiles");
    for key in keys {
        hash.bytes(&key.0);
    }
    ContentKey(hash.done())
}

fn switch_number(switch: Option<u16>) -> u32 {
    switch.map_or(u32::MAX, u32::from)
}

fn number_of(role: Role) -> u32 {
    match role {
        Role::Ground => 0,
        Role::Obstacle => 1,
        Role::Ignored => 2,
        Role::Floor => 3,
    }
}

/// Every item has its length or a fixed size, so that no two levels give one stream.
struct Hash {
    hasher: blake3::Hasher,
    /// What is to be hashed next: many bytes at once take a fraction of the time that a number at a
    /// time would.
    waiting: Vec<u8>,
}

/// How many bytes are hashed at once.
const MANY: usize = 1 << 16;

impl Hash {
    fn new(kind: &str) -> Hash {
        let mut hash = Hash { hasher: blake3::Hasher::new(), waiting: vec![] };
        hash.text(kind);
        hash
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= MANY {
            self.hasher.update(&self.waiting);
            self.waiting.clear();
        }
    }

    fn u32(&mut self, v: u32) {
        self.bytes(&v.to_le_bytes());
    }

    /// Several numbers, which is faster than one after the other.
    fn all<const N: usize>(&mut self, numbers: [u32; N]) {
        self.bytes(numbers.map(u32::to_le_bytes).as_flattened());
    }

    fn i32(&mut self, v: i32) {
        self.bytes(&v.to_le_bytes());
    }

    fn f64(&mut self, v: f64) {
        // Minus zero is zero.
        self.bytes(&(v + 0.0).to_bits().to_le_bytes());
    }

    fn text(&mut self, s: &str) {
        self.u32(s.len() as u32);
        self.bytes(s.as_bytes());
    }

    fn part(&mut self, part: &Part, role: Role) {
        self.text(&part.node);
        self.text(&part.mesh);
        self.text(&part.material);
        self.u32(part.attribute.map_or(u32::MAX, u32::from));
        self.u32(u32::from(part.double_sided));
        self.u32(number_of(role));
    }

    fn given(&mut self, given: &Given) {
        for name in [&given.area, &given.switch] {
            self.u32(name.is_some().into());
            self.text(name.as_deref().unwrap_or(""));
        }
        self.u32(given.tags.len() as u32);
        for tag in &given.tags {
            match tag {
                Tag::Bit(bit) => self.u32((*bit).into()),
                Tag::Name(name) => {
                    self.u32(u32::MAX);
                    self.text(name);
                }
            }
        }
    }

    fn areas(&mut self, areas: &[Area]) {
        self.u32(areas.len() as u32);
        for area in areas {
            self.text(&area.name);
            self.u32(switch_number(area.switch));
            self.u32(area.tags);
            self.u32(area.edge_tags);
            self.u32(area.band.into());
        }
    }

    fn grid(&mut self, grid: &Grid) {
        self.u32(u32::from(grid.bits));
        for c in grid.origin {
            self.f64(c);
        }
    }

    fn done(mut self) -> [u8; 32] {
        self.hasher.update(&self.waiting);
        *self.hasher.finalize().as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use navbake_mesh::patch;
    use navbake_walkable::WalkableSettings;

    use super::*;
    use crate::codec;
    use crate::input::BakeInput;
    use crate::tile_result::TileResult;

    #[test]
    fn numbers_are_hashed_in_their_order_however_many_there_are() {
        for count in [0u32, 1, 1000, 50_000] {
            let (mut hash, mut plain) = (Hash::new("numbers"), blake3::Hasher::new());
            plain.update(&7u32.to_le_bytes()).update(b"numbers");
            for n in 0..count {
                hash.u32(n.wrapping_mul(0x9E37_79B9));
                plain.update(&n.wrapping_mul(0x9E37_79B9).to_le_bytes());
            }
            assert_eq!(hash.done(), *plain.finalize().as_bytes(), "{count}");
        }
    }

    #[test]
    fn results_of_tiles_change_with_the_cache_version_only() {
        let courtyard = "../../fixtures/courtyard/courtyard.obj";
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(courtyard);
        let input = BakeInput::open(&path, &Config::default()).unwrap();
        let level = &input.level;
        let mut hash = blake3::Hasher::new();
        // With a radius and without.
        for radius in [Agent::default().radius, 0.0] {
            let agent = Agent { radius, ..Agent::default() };
            let plan = Plan::new(level, &agent, &WalkableSettings::default()).unwrap();
            let shape = |slope_error| PatchSettings {
                tolerance: 8,
                height_error: 51,
                seam_error: 230,
                slope_error,
                max_corners: 32,
            };
            let jobs = (0..plan.tile_count()).flat_map(|tile| [(tile, 0), (tile, 64)]);
            for (tile, slope_error) in jobs {
                let shape = shape(slope_error);
                let layers = plan.tile(tile, 0).layers;
                let patches = layers.iter().map(|layer| patch(layer, &shape).unwrap());
                let result = TileResult { patches: patches.collect(), ..TileResult::default() };
                hash.update(&codec::encode(&ContentKey([0; 32]), &result).unwrap());
            }
        }
        let hash = hash.finalize().to_hex();
        assert_eq!(
            (CACHE_VERSION, hash.as_str()),
            (21, "ce3fcc9afe08eefce0f2caeaaa67c8e210f12d9a22857ede679c16be3895a548"),
            "tiles come out otherwise than before: raise CACHE_VERSION and put it here with the new hash, or bakes would \
             take tiles of the old kind from the caches that people have"
        );
    }
}
