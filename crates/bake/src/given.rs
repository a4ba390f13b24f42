//! A level whose navmesh is there: the polygons of another baker, for the later stages.

use std::path::PathBuf;

use navbake_level::{Scene, Source, Warning};
use navbake_mesh::{GivenPolygon, PolygonMesh, given};

use crate::clock::Clock;
use crate::config::{Config, Surface};
use crate::error::BakeError;
use crate::hash;
use crate::input::BakeInput;
use crate::read::{Drawn, Read};
use crate::recorder::Recorder;

/// A level with its navmesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GivenLevel {
    /// The ground as triangles, for reports, and the links. A part is a kind of ground.
    pub scene: Scene,
    /// The polygons; their `area` is the number of a part of the scene.
    pub polygons: Vec<GivenPolygon>,
    /// The file that it came from.
    pub file: PathBuf,
    /// What was noticed while reading.
    pub warnings: Vec<Warning>,
}

impl BakeInput {
    /// Takes a level with the polygons of another baker.
    ///
    /// They are the navmesh of every agent. All stages after the walkable one are those of any
    /// level: islands, rooms, links, tables, findings. Without `min_region` in the config, every
    /// island is kept.
    ///
    /// # Errors
    /// As [`BakeInput::open`], and for volumes and cost fields, which would have to cut polygons.
    pub fn given(level: GivenLevel, config: &Config) -> Result<BakeInput, BakeError> {
        let clock = Clock::start();
        let mut config = config.clone();
        config.surface = Surface::Floor;
        config.min_region.get_or_insert(0.0);
        let resolved = config.resolved(false)?;
        let cuts = [("volume", resolved.volumes.is_empty()), ("field", resolved.fields.is_empty())];
        if let Some((key, _)) = cuts.into_iter().find(|(_, is_empty)| !is_empty) {
            let found = format!(
                "`{key}` cuts ground that is generated: the polygons of a given navmesh stay as they are; leave it out"
            );
            return Err(resolved.fault_at(&format!("{key}[0]"), found).into());
        }
        let GivenLevel { scene, mut polygons, file, warnings } = level;
        let parts = scene.parts.clone();
        let place = file.display().to_string();
        let read = Read::Source(Source::Scene(scene), Drawn::No);
        let mut input = BakeInput::prepare(read, resolved, place, vec![file], warnings, clock)?;
        // Rules and given names decided the area of each part.
        let area_of = |part: u8| {
            let part = parts.get(usize::from(part))?;
            let number = input.level.parts.iter().position(|p| p == part)? as u32;
            let triangle = input.level.triangles.iter().find(|t| t.part == number)?;
            Some(triangle.area)
        };
        let areas: Vec<u8> = (0..=u8::MAX).map(|part| area_of(part).unwrap_or(0)).collect();
        for polygon in &mut polygons {
            polygon.area = areas[usize::from(polygon.area)];
        }
        input.hashes.level = hash::given(input.hashes.level, &polygons);
        input.given = Some(polygons);
        Ok(input)
    }
}

/// The given polygons on the grid, for each class the same.
pub(crate) fn meshes(
    input: &BakeInput,
    polygons: &[GivenPolygon],
    classes: usize,
    rec: &mut Recorder<'_>,
) -> Result<Vec<PolygonMesh>, BakeError> {
    let (mesh, rounded) = rec.serial("floor", || given(polygons, &input.level.grid))?;
    let notes = [
        (rounded.lost, "given-lost", "polygons have no area on the grid and are left out"),
        (rounded.cut, "given-cut", "polygons are not convex on the grid and are cut"),
        (rounded.walls, "given-walls", "portals do not meet on the grid and are walls"),
    ];
    for (count, code, message) in notes.into_iter().filter(|(count, _, _)| *count > 0) {
        let message = format!("{count} {message}");
        rec.warnings.push(Warning { code, message, place: input.place.as_str().into() });
    }
    Ok(vec![mesh; classes])
}
