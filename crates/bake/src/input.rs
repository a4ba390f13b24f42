//! A level and its config, validated and hashed: what a bake starts from.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use navbake_format::DiagnosticKind;
use navbake_format::write::SourcePart;
use navbake_geom::Grid;
use navbake_import::{Import, ImportError, ImportOptions, Simplify, WorldImport, is_world};
use navbake_level::number::{LARGE, point};
use navbake_level::{
    Agent, GridMap, Level, LevelError, LevelSettings, LinkNote, MAX_AREAS, Marker, Scene, Source,
    SourceTriangle, UP_ONE, WEIGHT_RANGE, Warning, Weights, source_triangles,
};
use navbake_lint::Diagnostic;
use navbake_mesh::GivenPolygon;

use crate::areas::{self, Names};
use crate::clock::Clock;
use crate::config::{Config, Nonfinite, UnknownCells, Up};
use crate::error::BakeError;
use crate::hash::{self, Hashes};
use crate::map_input::{MapCells, cells_are_not_too_dear, factors, map_on_grid};
use crate::read::{Drawn, EarlierInput, Read};
use crate::world::{self, ChunkedWorld};
use crate::{idle, links, rules, seeds};

/// A level that is ready to be baked: read, on its grid, with roles, and hashed.
#[derive(Debug)]
pub struct BakeInput {
    pub(crate) config: Config,
    /// The input in messages.
    pub(crate) place: String,
    /// The level on its grid; of a grid map it has areas, switches and links, and no triangles.
    pub(crate) level: Level,
    pub(crate) map: Option<MapCells>,
    /// The triangles of a world that is baked chunk by chunk; the level has none then.
    pub(crate) chunked: Option<ChunkedWorld>,
    /// Polygons of another baker, where they are the navmesh.
    pub(crate) given: Option<Vec<GivenPolygon>>,
    pub(crate) weights: Weights,
    /// Triangles of the level's file, where the config asks for those behind polygons.
    pub(crate) sources: Vec<SourceTriangle>,
    /// The level as its file has it, where it was asked to be kept.
    scene: Option<Arc<Scene>>,
    pub(crate) files: Vec<PathBuf>,
    /// Files that the level names and that are not read.
    pub(crate) named: Vec<PathBuf>,
    pub(crate) warnings: Vec<Warning>,
    /// Oddities of the triangles as they were read, for reports.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Oddities of the triangles on the grid, once they were looked for.
    pub(crate) oddities: OnceLock<Oddities>,
    pub(crate) hashes: Hashes,
    pub(crate) clock: Clock,
}

/// The kinds of oddities that are looked for, and what was found in a level.
pub(crate) type Oddities = (Vec<DiagnosticKind>, Vec<Diagnostic>);

impl BakeInput {
    /// Reads a level from a file.
    ///
    /// # Errors
    /// When the config is at fault, the file cannot be read, or it is not a sound level.
    pub fn open(input: &Path, config: &Config) -> Result<BakeInput, BakeError> {
        BakeInput::open_file(input, config, navbake_import::read, Drawn::No)
    }

    /// Reads a level that is drawn as well: it keeps what [`BakeInput::scene`] gives, so that the
    /// file is read once, and what is drawn is what is baked though the file changes meanwhile.
    ///
    /// A level that is opened again after changes has what was made of it `earlier`, which saves
    /// time. It has no warning about units, for which nothing can be taken from there.
    ///
    /// # Errors
    /// As [`BakeInput::open`].
    pub fn open_to_draw(
        input: &Path,
        config: &Config,
        earlier: Option<&mut EarlierInput>,
    ) -> Result<BakeInput, BakeError> {
        let (file, level) = earlier.map(|known| (&mut known.file, &mut known.level)).unzip();
        let read = |path: &Path, options: &ImportOptions| match file {
            Some(file) => navbake_import::read_again(path, options, file),
            None => navbake_import::read(path, options),
        };
        let drawn = level.map_or(Drawn::Once, Drawn::Again);
        BakeInput::open_file(input, config, read, drawn)
    }

    fn open_file(
        input: &Path,
        config: &Config,
        read: impl FnOnce(&Path, &ImportOptions) -> Result<Import, ImportError>,
        drawn: Drawn<'_>,
    ) -> Result<BakeInput, BakeError> {
        let clock = Clock::start();
        let is_map = navbake_import::Format::of(input).is_some_and(|format| format.is_grid);
        // Faults of the config come before a long import.
        let resolved = config.resolved(is_map)?;
        let options = import_options(&resolved, input);
        let Import { source, warnings, files, named } = read(input, &options)?;
        let place = input.display().to_string();
        let read = Read::Source(source, drawn);
        let mut input = BakeInput::prepare(read, resolved, place, files, warnings, clock)?;
        input.named = named;
        Ok(input)
    }

    /// Reads a level to bake it: a world chunk by chunk, so that its triangles are never held at
    /// once. [`BakeInput::level`] has none of a world then.
    ///
    /// Some settings need the whole level. With them a world is read as one level, with a warning.
    ///
    /// # Errors
    /// As [`BakeInput::open`].
    pub fn open_to_bake(input: &Path, config: &Config) -> Result<BakeInput, BakeError> {
        if !is_world(input) {
            return BakeInput::open(input, config);
        }
        if let Some(setting) = world::needs_whole_level(config) {
            let mut whole = BakeInput::open(input, config)?;
            whole.warnings.push(Warning {
                code: "world-as-one-level",
                message: format!(
                    "{setting} needs the triangles of the whole world at once: it is baked as one level, which takes more memory"
                ),
                place: whole.place.as_str().into(),
            });
            return Ok(whole);
        }
        let clock = Clock::start();
        let resolved = config.resolved(false)?;
        let import = navbake_import::read_world(input, &import_options(&resolved, input))?;
        let WorldImport { world, warnings, files, named } = import;
        let place = input.display().to_string();
        let read = Read::World(world);
        let mut input = BakeInput::prepare(read, resolved, place, files, warnings, clock)?;
        input.named = named;
        Ok(input)
    }

    /// Takes a level that was made in memory.
    ///
    /// # Errors
    /// As [`BakeInput::open`].
    pub fn new(source: Source, config: &Config) -> Result<BakeInput, BakeError> {
        let clock = Clock::start();
        let resolved = config.resolved(matches!(source, Source::Grid(_)))?;
        let read = Read::Source(source, Drawn::No);
        BakeInput::prepare(read, resolved, "level".into(), vec![], vec![], clock)
    }

    pub(crate) fn prepare(
        read: Read<'_>,
        config: Config,
        place: String,
        mut files: Vec<PathBuf>,
        mut warnings: Vec<Warning>,
        mut clock: Clock,
    ) -> Result<BakeInput, BakeError> {
        let smallest = config.agent_list().iter().map(|a| a.radius).fold(f64::INFINITY, f64::min);
        warnings.extend(idle::warnings(&config));
        let mut sources = vec![];
        let mut diagnostics = vec![];
        let mut chunked = None;
        let mut kept = None;
        let (mut level, map, names, notes) = match read {
            Read::Source(Source::Grid(map), _) => {
                if config.sources {
                    let found = "`sources` is for levels of triangles: a grid map has none";
                    return Err(config.fault_at("sources", found).into());
                }
                let (map, grid) = map_on_grid(map, &config, smallest, &place, &mut files)?;
                let names = Names::of(&config, &[], &[], &mut vec![]);
                let markers = config.markers.iter().map(Marker::from).collect();
                (Level { markers, ..Level::empty(grid) }, Some(map), names, vec![])
            }
            Read::World(mut world) => {
                refuse_terrain_image(&config)?;
                let notes = world.take_links();
                world.add_markers(config.markers.iter().map(Marker::from));
                areas::warn_of_unnamed_tags(world.parts(), &notes, &config, &mut warnings);
                let bits = Grid::for_radius(smallest, [0.0; 3]).bits;
                let (world, level) =
                    ChunkedWorld::new(world, &notes, &config, bits, &place, &mut warnings)?;
                let names = world.names().clone();
                chunked = Some(world);
                (level, None, names, notes)
            }
            Read::Source(Source::Scene(mut scene), drawn) => {
                let notes = std::mem::take(&mut scene.links);
                scene.markers.extend(config.markers.iter().map(Marker::from));
                areas::warn_of_unnamed_tags(&scene.parts, &notes, &config, &mut warnings);
                let bits = Grid::for_radius(smallest, [0.0; 3]).bits;
                let scene = Arc::new(scene);
                kept = (!matches!(drawn, Drawn::No)).then(|| Arc::clone(&scene));
                let (level, names) = scene_on_grid(
                    (&scene, drawn),
                    &notes,
                    &config,
                    bits,
                    &place,
                    (&mut warnings, &mut diagnostics),
                )?;
                if config.sources {
                    sources = source_triangles(&scene, &level, &level_settings(&config, bits));
                }
                (level, None, names, notes)
            }
        };
        seeds::validate(&config, &level.markers)?;
        let links = links::links(&config, &names, &level.markers, &notes, &place)?;
        level.switches = names.switches().to_vec();
        level.links = links;
        let map = match map {
            Some(map) => {
                let painted =
                    areas::paint_map(&map, &level, &names, &config, &place, &mut warnings)?;
                let factors = factors(&map, &painted, &config);
                level.areas = painted.areas;
                Some(MapCells { map, areas: painted.of_cell, factors })
            }
            None => None,
        };
        let hashes = Hashes {
            level: match (&map, &chunked) {
                (Some(cells), _) => hash::grid_map(&cells.map, &level.grid),
                (None, Some(own)) => hash::world(own.placements().to_vec(), hash::level(&level)),
                (None, None) => hash::level(&level),
            },
            config: hash::config(&config, &sources),
        };
        clock.stage("import", false);
        if config.clearance.profile().is_on() && map.is_none() {
            split_areas_in_bands(&mut level, &config)?;
        }
        let names: Vec<&str> = level.areas.iter().map(|a| a.name.as_str()).collect();
        let mut weights = config.weights(&names);
        for row in &mut weights.rows {
            let agent = config.agents[usize::from(row.agent)].name.as_str();
            if map.is_some() {
                cells_are_not_too_dear(row, agent, &config)?;
            }
            for (weight, area) in row.by_area.iter_mut().zip(&level.areas) {
                let factor = config.factor(area, Some(agent));
                *weight = weight.map(|w| (w * factor).min(WEIGHT_RANGE[1]));
            }
        }
        Ok(BakeInput {
            config,
            place,
            level,
            map,
            chunked,
            given: None,
            weights,
            sources,
            scene: kept,
            files,
            named: vec![],
            warnings,
            diagnostics,
            oddities: OnceLock::new(),
            hashes,
            clock,
        })
    }

    /// The level on its grid. Of a grid map it has areas, switches and links, and no triangles.
    pub fn level(&self) -> &Level {
        &self.level
    }

    /// The triangles of a level as its file has them: in the order of the file, before the grid.
    ///
    /// There are none unless [`BakeInput::open_to_draw`] read the level, and none of a grid map.
    pub fn scene(&self) -> Option<&Scene> {
        self.scene.as_deref()
    }

    /// The grid map, where the level is one.
    pub fn grid_map(&self) -> Option<&GridMap> {
        self.map.as_ref().map(|cells| &cells.map)
    }

    /// The area of each cell of a grid map; empty where all are of the first.
    pub fn areas_of_cells(&self) -> &[u8] {
        self.map.as_ref().map_or(&[], |cells| &cells.areas)
    }

    /// What a metre of each area costs each agent.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Objects of the level's file, where triangles behind polygons are asked for.
    pub(crate) fn source_parts(&self) -> Vec<SourcePart<'_>> {
        if self.sources.is_empty() {
            return vec![];
        }
        let parts = self.level.parts.iter().map(|p| SourcePart {
            node: &p.node,
            mesh: &p.mesh,
            material: &p.material,
        });
        parts.collect()
    }

    /// The config with every default filled in.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Every file that was read, the named one first.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The same with the files that the level names and that nothing here reads, such as textures:
    /// what no output may overwrite.
    pub fn all_files(&self) -> Vec<&Path> {
        self.files.iter().chain(&self.named).map(PathBuf::as_path).collect()
    }

    /// What was noticed while reading.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Hashes of all that decides the result.
    pub fn hashes(&self) -> Hashes {
        self.hashes
    }
}

/// The part of a mesh's height error that simplifying a height map may take: 1 / this.
const SIMPLIFIED: f64 = 3.0;

/// How a height map may be simplified; not where its triangles meet other things.
fn simplify(config: &Config, input: &Path) -> Option<Simplify> {
    let is_alone = !is_world(input) && config.volumes.is_empty() && config.bounds.is_none();
    let least_up = config.agent_list().iter().map(Agent::least_up).max()?;
    (is_alone && !config.sources).then(|| Simplify {
        error: config.height_error.min(1000.0) / SIMPLIFIED,
        least_up: f64::from(least_up) / f64::from(UP_ONE),
    })
}

/// How the config says that a file is read.
fn import_options(config: &Config, input: &Path) -> ImportOptions {
    ImportOptions {
        up: match config.up {
            Up::Y => navbake_import::Up::Y,
            Up::Z => navbake_import::Up::Z,
        },
        scale: config.scale,
        nonfinite: match config.nonfinite {
            Nonfinite::Refuse => navbake_import::Nonfinite::Refuse,
            Nonfinite::Drop => navbake_import::Nonfinite::Drop,
        },
        allow_empty: config.allow_empty,
        memory: config.memory,
        outside: config.outside,
        // A picture says what the terrain is, and no letter does.
        terrains: match config.terrain.image {
            Some(_) => 0,
            None => config.terrain.names.len(),
        },
        heightmap: config.heightmap.clone(),
        simplify: simplify(config, input),
        unknown_is_free: config.map_server.unknown == UnknownCells::Free,
    }
}

/// Makes each area several: one for each band along walls.
fn split_areas_in_bands(level: &mut Level, config: &Config) -> Result<(), BakeError> {
    let clearance = &config.clearance;
    let areas = clearance.areas(&level.areas);
    if areas.len() > MAX_AREAS {
        let found = format!(
            "{} areas in {} bands and away from walls make {} kinds of ground; at most {MAX_AREAS} are possible: use fewer bands",
            level.areas.len(),
            clearance.profile().distances().len(),
            areas.len()
        );
        return Err(config.fault_at("clearance.bands", found).into());
    }
    level.areas = areas;
    Ok(())
}

/// A scene on its grid, with the areas of its triangles.
fn scene_on_grid(
    (scene, drawn): (&Arc<Scene>, Drawn<'_>),
    links: &[LinkNote],
    config: &Config,
    bits: u8,
    place: &str,
    (warnings, diagnostics): (&mut Vec<Warning>, &mut Vec<Diagnostic>),
) -> Result<(Level, Names), BakeError> {
    refuse_terrain_image(config)?;
    let (roles, notes) = rules::roles(&scene.parts, &config.rules);
    warnings.extend(notes);
    let linked: Vec<String> = links.iter().filter_map(|l| l.switch.clone()).collect();
    let names = Names::of(config, &scene.parts, &linked, warnings);
    let up = if config.up == Up::Z { "z" } else { "y" };
    let mut settings = level_settings(config, bits);
    let grid = Level::grid_of(scene, &roles, &settings);
    settings.origin = Some(grid.origin);
    let earlier = match drawn {
        Drawn::Again(earlier) => Some(earlier),
        Drawn::No | Drawn::Once => None,
    };
    let is_new = earlier.is_none();
    let lint = || {
        let units = || navbake_lint::units(scene, &roles, up, config.scale);
        let odd = || navbake_lint::scene(scene, &roles, &grid, &config.area_names());
        (is_new.then(units).flatten(), config.findings.then(odd))
    };
    let level = || match earlier {
        Some(earlier) => Level::again(scene, &roles, &settings, earlier),
        None => Level::new(scene, &roles, &settings),
    };
    let ((units, odd), level) = rayon::join(lint, level);
    warnings.extend(units);
    match level {
        Ok((mut level, notes)) => {
            warnings.extend(notes);
            diagnostics.extend(odd.into_iter().flatten());
            areas::paint(&mut level, &names, config, place, warnings)?;
            Ok((level, names))
        }
        Err(error @ LevelError::Empty(_)) if config.allow_empty => {
            warnings.push(Warning {
                code: "empty-level",
                message: format!("{error}; the navmesh is empty, as `allow_empty` says"),
                place: place.into(),
            });
            let grid = Grid { bits, origin: config.origin.unwrap_or_default() };
            let level = Level {
                markers: scene.markers.clone(),
                areas: names.plain_areas(config),
                ..Level::empty(grid)
            };
            Ok((level, names))
        }
        Err(error) => Err(BakeError::input(place, level_fault(&error))),
    }
}

fn refuse_terrain_image(config: &Config) -> Result<(), BakeError> {
    if config.terrain.image.is_none() {
        return Ok(());
    }
    let found = "`terrain.image` is for grid maps: it has a texel for each of their cells";
    Err(config.fault_at("terrain.image", found).into())
}

fn level_settings(config: &Config, bits: u8) -> LevelSettings {
    LevelSettings { bits, origin: config.origin, winding: config.winding, bounds: config.bounds }
}

/// Why a level is refused, without hundreds of digits for coordinates far out of range.
pub(crate) fn level_fault(error: &LevelError) -> String {
    match *error {
        LevelError::OutOfRange { point: p, range, origin, .. }
            if p.iter().chain(&origin).any(|v| v.abs() >= LARGE) =>
        {
            format!(
                "the point {} m is more than {range} m from the origin {}; check `scale` and `origin`, or leave the stray geometry out (role \
             `ignored`, or `bounds`)",
                point(p),
                point(origin)
            )
        }
        _ => error.to_string(),
    }
}
