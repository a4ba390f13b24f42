//! One level measured: both bakers in turn, so that other load on the machine affects both alike.

use std::path::{Path, PathBuf};

use navbake_bake::{Baked, MeshQuality};
use navbake_format::Blob;
use serde::Serialize;

use crate::clock::{Spent, timed};
use crate::levels::Loaded;
use crate::mesh::Mesh;
use crate::{detour, ours, peer};

/// The time and the result of navbake.
#[derive(Clone, Debug, Serialize)]
pub struct Ours {
    /// CPU time of a bake on one thread, from a level in memory to bytes that passed validation, s.
    pub cpu_seconds: f64,
    /// CPU time from triangles in memory to the level (grid, welding, order, hash), s; not part of
    /// the above.
    pub level_seconds: f64,
    /// Wall time on two threads over wall time on one.
    pub two_threads_wall_ratio: f64,
    /// Share of the CPU time of the bake on one thread that several threads cannot share.
    pub serial_share: f64,
    /// Polygons.
    pub polygons: u64,
    /// Islands.
    pub islands: u64,
    /// Area seen from above, m2.
    pub area_m2: f64,
    /// How compact the polygons are.
    pub quality: MeshQuality,
    /// Size of the file.
    pub bytes: u64,
    /// Tiles.
    pub tiles: u64,
}

/// The time and the result of `rerecast`.
#[derive(Clone, Debug, Serialize)]
pub struct Theirs {
    /// CPU time from triangles in memory to the detail mesh, s.
    pub cpu_seconds: f64,
    /// Polygons.
    pub polygons: usize,
    /// Area of the polygons seen from above, m2.
    pub area_m2: f64,
    /// How compact the polygons are.
    pub quality: MeshQuality,
    /// Size of Detour's data for it.
    pub detour_bytes: usize,
    /// Triangles that `rerecast` panics on; the bake is without them.
    pub triangles_left_out: usize,
    /// Contours that it cannot triangulate; the bake is without them.
    pub contours_left_out: usize,
}

/// A row of the table.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The level.
    pub level: String,
    /// Triangles.
    pub triangles: usize,
    /// navbake.
    pub navbake: Ours,
    /// `rerecast`, or why there is nothing.
    pub rerecast: Result<Theirs, String>,
}

/// Navmeshes of a level on disk, for the oracle.
#[derive(Clone, Debug)]
pub struct Meshes {
    /// navbake's, as OBJ.
    pub ours: PathBuf,
    /// `rerecast`'s, as OBJ.
    pub theirs: Option<PathBuf>,
    /// navbake's file.
    pub blob: Vec<u8>,
}

/// Measures a level and writes both meshes into a folder.
///
/// # Errors
/// When navbake cannot bake the level.
pub fn measure(level: &Loaded, runs: usize, folder: &Path) -> Result<(Row, Meshes), String> {
    let config = ours::config(&level.agent, level.entry.border_error);
    let mut input = peer::Input::new(&level.scene, &level.agent, level.entry.cells());
    let (mut theirs, mut making) = (Spent::MOST, Spent::MOST);
    let (mut one, mut two) = (Spent::MOST, Spent::MOST);
    let (mut serial_share, mut last) = (1.0, None);
    for run in 0..runs.max(1) {
        let (found, spent) = timed(|| match &mut input {
            Ok(input) => input.bake(),
            Err(why) => Err(why.clone()),
        });
        theirs = theirs.least(spent);

        let scene = level.scene.clone();
        let (job, spent) = timed(|| ours::job(scene, &config));
        let job = job?;
        making = making.least(spent);

        let (baked, spent) = timed(|| ours::bake(&job, 1));
        let baked = baked?;
        if spent.cpu < one.cpu {
            serial_share = 1.0 - ours::shared_seconds(&baked) / spent.cpu;
        }
        one = one.least(spent);

        let (again, spent) = timed(|| ours::bake(&job, 2));
        two = two.least(spent);
        if again?.bytes != baked.bytes {
            return Err("one thread and two gave different bytes".into());
        }
        if run + 1 == runs.max(1) {
            last = Some((found, baked));
        }
    }
    let (found, baked) = last.ok_or("no run")?;
    let navbake = Ours {
        cpu_seconds: one.cpu,
        level_seconds: making.cpu,
        two_threads_wall_ratio: two.wall / one.wall,
        serial_share,
        polygons: baked.summary.polygons,
        islands: baked.summary.islands,
        area_m2: baked.summary.area_m2,
        quality: baked.summary.quality[0],
        bytes: baked.bytes.len() as u64,
        tiles: baked.summary.tiles.total,
    };
    let meshes = write(level, &baked, &found, folder)?;
    let left_out = input.map_or((0, 0), |i| (i.triangles_left_out, i.contours_left_out()));
    let rerecast = found.map(|found| Theirs {
        cpu_seconds: theirs.cpu,
        polygons: found.polygons.polygon_count(),
        area_m2: peer::mesh(&found).area(),
        quality: peer::mesh(&found).quality(),
        detour_bytes: detour::bytes(&found.polygons, &found.detail),
        triangles_left_out: left_out.0,
        contours_left_out: left_out.1,
    });
    let row = Row {
        level: level.name.clone(),
        triangles: level.scene.triangles.len(),
        navbake,
        rerecast,
    };
    Ok((row, meshes))
}

fn write(
    level: &Loaded,
    baked: &Baked,
    found: &Result<peer::Baked, String>,
    folder: &Path,
) -> Result<Meshes, String> {
    let blob = Blob::open_checked(&baked.bytes).map_err(|e| e.to_string())?;
    let view = blob.decode(0).map_err(|e| e.to_string())?.leak();
    let ours = folder.join(format!("{}.navbake.obj", level.name));
    Mesh::of(&view).write_obj(&ours)?;
    let theirs = match found {
        Ok(found) => {
            let path = folder.join(format!("{}.rerecast.obj", level.name));
            peer::mesh(found).write_obj(&path)?;
            Some(path)
        }
        Err(_) => None,
    };
    Ok(Meshes { ours, theirs, blob: baked.bytes.clone() })
}
