//! Sums up a bake: sizes, counts, times and warnings.

use navbake_format::NavMeshBuf;
use navbake_hierarchy::ClassMesh;
use navbake_mesh::PolygonMesh;

use crate::cache::Cache;
use crate::clock::peak_memory;
use crate::error::BakeError;
use crate::input::BakeInput;
use crate::quality::MeshQuality;
use crate::recorder::Recorder;
use crate::summary::{Baked, Links, Note, Seconds, Summary, Tabled, Timings};
use crate::tiles::TileReport;

/// The results of a bake's stages that the summary is made of.
pub(crate) struct Outcome<'a> {
    pub(crate) meshes: &'a [ClassMesh],
    pub(crate) tiles: TileReport,
    pub(crate) links: Links,
    pub(crate) tables: Tabled,
    /// As [`Baked::meshes`].
    pub(crate) decoded: Vec<NavMeshBuf>,
}

/// Sums up a bake, once its tiles are in the cache.
pub(crate) fn summed(
    input: &BakeInput,
    bytes: Vec<u8>,
    outcome: Outcome<'_>,
    rec: &Recorder<'_>,
) -> Result<Baked, BakeError> {
    let of_cache = rec.options.cache.map_or(Ok(vec![]), Cache::settle)?;
    let Outcome { meshes, tiles, .. } = outcome;
    let stages = rec.clock.stages().to_vec();
    let wall = |name: &str| -> f64 {
        let named = stages.iter().filter(|s| s.stage == name);
        // Not `sum`, which gives minus zero for nothing.
        named.fold(0.0, |sum, s| sum + s.wall)
    };
    let [walkable, mesh] = tiles.seconds;
    let share = if walkable + mesh > 0.0 { walkable / (walkable + mesh) } else { 0.0 };
    let total: f64 = stages.iter().map(|s| s.wall).sum();
    let seconds = Seconds {
        import: wall("import"),
        walkable: wall("plan") + wall("keys") + wall("cache") + wall("tiles") * share,
        mesh: wall("floor") + wall("tiles") * (1.0 - share) + wall("join") + wall("merge"),
        hierarchy: wall("islands") + wall("rooms") + wall("ways") + wall("links"),
        tables: wall("tables"),
        encode: wall("encode") + wall("decode") + wall("findings"),
        total,
    };
    let serial: f64 = stages.iter().filter(|s| !s.parallel).map(|s| s.wall).sum();
    let units = input.level.grid.units();
    let sum = |of: &dyn Fn(&ClassMesh) -> usize| meshes.iter().map(|m| of(m) as u64).sum();
    let portals = |m: &ClassMesh| {
        let open = m.mesh.neighbours.iter();
        open.filter(|&&n| n != navbake_mesh::NONE).count() / 2
    };
    let doubled: i128 = meshes.iter().map(|m| m.mesh.area_doubled()).sum();
    let agents = input.config.agents.iter();
    let warnings = input.warnings.iter().chain(&rec.warnings);
    let summary = Summary {
        output: String::new(),
        bytes: bytes.len() as u64,
        hash: blake3::hash(&bytes).to_hex().to_string(),
        polygons: sum(&|m| m.mesh.len()),
        vertices: sum(&|m| m.mesh.vertices.len()),
        portals: sum(&portals),
        islands: sum(&|m| m.islands.len()),
        rooms: sum(&|m| m.rooms.as_ref().map_or(0, |r| r.found.count)),
        doors: sum(&|m| m.rooms.as_ref().map_or(0, |r| r.found.doors.len())),
        links: outcome.links,
        tables: outcome.tables,
        area_m2: doubled as f64 / 2.0 / (units * units),
        quality: (0..).zip(meshes).map(|(class, m)| quality(class, units, &m.mesh)).collect(),
        agents: agents.map(|a| a.name.clone()).collect(),
        seconds,
        peak_rss_bytes: peak_memory(),
        tiles: tiles.tiles,
        warnings: warnings
            .map(Note::from)
            .chain(tiles.notes)
            .chain(tiles.unusable.note())
            .chain(of_cache)
            .collect(),
    };
    let timings = Timings {
        serial_share: if total > 0.0 { serial / total } else { 1.0 },
        threads: rayon::current_num_threads(),
        stages,
    };
    Ok(Baked { bytes, meshes: outcome.decoded, summary, timings })
}

/// How compact the polygons of a class are.
fn quality(class: u16, units: f64, mesh: &PolygonMesh) -> MeshQuality {
    let corner = |&v: &u32| {
        let at = mesh.vertices[v as usize];
        [at.x, at.z].map(f64::from)
    };
    let rings = (0..mesh.len()).map(|p| mesh.polygon(p).iter().map(corner));
    MeshQuality::of(class, units, rings)
}
