//! A level and its config, validated and hashed: what a bake starts from.

use std::path::{Path, PathBuf};

use navbake_format::write::SourcePart;
use navbake_geom::Grid;
use navbake_import::{Import, ImportOptions};
use navbake_level::number::{LARGE, exact, point};
use navbake_level::{
    CellShape, GridMap, Level, LevelError, LevelSettings, LinkNote, MAX_AREAS, Marker, Scene,
    Source, SourceTriangle, WEIGHT_RANGE, Warning, WeightRow, Weights, source_triangles,
};
use navbake_lint::Diagnostic;
use navbake_mesh::GivenPolygon;

use crate::areas::{self, Names, PaintedMap};
use crate::clock::Clock;
use crate::config::{Config, Nonfinite, Up};
use crate::error::BakeError;
use crate::hash::{self, Hashes};
use crate::{links, rules, seeds, terrain};

/// A level that is ready to be baked: read, on its grid, with roles, and hashed.
#[derive(Debug)]
pub struct BakeInput {
    pub(crate) config: Config,
    /// The input in messages.
    pub(crate) place: String,
    /// The level on its grid; of a grid map it has areas, switches and links, and no triangles.
    pub(crate) level: Level,
    pub(crate) map: Option<MapCells>,
    /// Polygons of another baker, where they are the navmesh.
    pub(crate) given: Option<Vec<GivenPolygon>>,
    pub(crate) weights: Weights,
    /// Triangles of the level's file, where the config asks for those behind polygons.
    pub(crate) sources: Vec<SourceTriangle>,
    pub(crate) files: Vec<PathBuf>,
    /// Files that the level names and that are not read.
    pub(crate) named: Vec<PathBuf>,
    pub(crate) warnings: Vec<Warning>,
    /// Oddities of the triangles as they were read, for reports.
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) hashes: Hashes,
    pub(crate) clock: Clock,
}

/// The cells of a grid map.
#[derive(Debug)]
pub(crate) struct MapCells {
    pub(crate) map: GridMap,
    /// The area of each cell; empty where all are of the first.
    pub(crate) areas: Vec<u8>,
    /// Factors on the costs of cells' areas, a row for all agents or one for each; empty without
    /// clearance and cost fields.
    pub(crate) factors: Vec<f32>,
}

impl BakeInput {
    /// Reads a level from a file.
    ///
    /// # Errors
    /// When the config is at fault, the file cannot be read, or it is not a sound level.
    pub fn open(input: &Path, config: &Config) -> Result<BakeInput, BakeError> {
        let clock = Clock::start();
        let is_map = navbake_import::Format::of(input).is_some_and(|format| format.is_grid);
        // Faults of the config come before a long import.
        let resolved = config.resolved(is_map)?;
        let options = import_options(&resolved);
        let Import { source, warnings, files, named } = navbake_import::read(input, &options)?;
        let place = input.display().to_string();
        let mut input = BakeInput::prepare(source, resolved, place, files, warnings, clock)?;
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
        BakeInput::prepare(source, resolved, "level".into(), vec![], vec![], clock)
    }

    pub(crate) fn prepare(
        source: Source,
        config: Config,
        place: String,
        mut files: Vec<PathBuf>,
        mut warnings: Vec<Warning>,
        mut clock: Clock,
    ) -> Result<BakeInput, BakeError> {
        let smallest = config.agent_list().iter().map(|a| a.radius).fold(f64::INFINITY, f64::min);
        let mut sources = vec![];
        let mut diagnostics = vec![];
        let (mut level, map, names, notes) = match source {
            Source::Grid(map) => {
                if config.sources {
                    let found = "`sources` is for levels of triangles: a grid map has none";
                    return Err(config.fault_at("sources", found).into());
                }
                let (map, grid) = map_on_grid(map, &config, smallest, &place, &mut files)?;
                let names = Names::of(&config, &[], &[], &mut vec![]);
                let markers = config.markers.iter().map(Marker::from).collect();
                (Level { markers, ..Level::empty(grid) }, Some(map), names, vec![])
            }
            Source::Scene(mut scene) => {
                let notes = std::mem::take(&mut scene.links);
                scene.markers.extend(config.markers.iter().map(Marker::from));
                areas::warn_of_unnamed_tags(&scene.parts, &notes, &config, &mut warnings);
                let bits = Grid::for_radius(smallest, [0.0; 3]).bits;
                let (level, names) = scene_on_grid(
                    &scene,
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
            level: match &map {
                Some(cells) => hash::grid_map(&cells.map, &level.grid),
                None => hash::level(&level),
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
            given: None,
            weights,
            sources,
            files,
            named: vec![],
            warnings,
            diagnostics,
            hashes,
            clock,
        })
    }

    /// The level on its grid. Of a grid map it has areas, switches and links, and no triangles.
    pub fn level(&self) -> &Level {
        &self.level
    }

    /// The level as its file has it, read again: in the order of the file, before the grid.
    ///
    /// None of a level that was made in memory, of a grid map, and if the file cannot be read any
    /// more. O(size of the file).
    pub fn scene(&self) -> Option<Scene> {
        let file = self.files.first().filter(|_| self.map.is_none())?;
        match navbake_import::read(file, &import_options(&self.config)).ok()?.source {
            Source::Scene(scene) => Some(scene),
            Source::Grid(_) => None,
        }
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

/// How the config says that files are read.
fn import_options(config: &Config) -> ImportOptions {
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
    }
}

/// Factors of clearance and cost fields on the costs of cells' areas: a row for all agents, or one
/// for each where some fields name agents.
fn factors(map: &GridMap, painted: &PaintedMap, config: &Config) -> Vec<f32> {
    if !config.has_fields() {
        return vec![];
    }
    let differ = config.fields.iter().any(|field| field.agents.is_some());
    let agents = &config.agents[..if differ { config.agents.len() } else { 1 }];
    let rows = agents.iter().flat_map(|agent| {
        (0..map.free.len()).map(|cell| {
            if !map.free[cell] {
                return 1.0;
            }
            let area = painted.of_cell.get(cell).map_or(0, |&area| usize::from(area));
            let in_bands = config.factor(&painted.areas[area], Some(&agent.name));
            (painted.distances.factor(cell, config, &agent.name) / in_bands) as f32
        })
    });
    rows.collect()
}

/// The most that a cell may cost, times plain ground.
const MOST_OF_A_CELL: f64 = 1024.0;

/// Checks that no cell costs more than searches over cells can represent.
///
/// # Errors
/// When clearance and cost fields may make one cost more.
fn cells_are_not_too_dear(row: &WeightRow, agent: &str, config: &Config) -> Result<(), BakeError> {
    if !config.has_fields() {
        return Ok(());
    }
    let known = row.by_area.iter().flatten().copied().filter(|&w| w <= MOST_OF_A_CELL);
    let dearest = known.fold(0.0, f64::max) * config.greatest_factor(agent);
    if dearest <= MOST_OF_A_CELL {
        return Ok(());
    }
    let found = format!(
        "weights of agent `{agent}` times clearance and cost fields reach {}; on a grid map a cell costs {MOST_OF_A_CELL} at most: lower `peak` or the weight",
        exact(dearest)
    );
    let path = if config.fields.is_empty() { "clearance.peak" } else { "field[0].peak" };
    Err(config.fault_at(path, found).into())
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

/// A grid map with its terrain, and its grid.
fn map_on_grid(
    mut map: GridMap,
    config: &Config,
    smallest: f64,
    place: &str,
    files: &mut Vec<PathBuf>,
) -> Result<(GridMap, Grid), BakeError> {
    let origin = config.origin.unwrap_or_else(|| map_origin(&map));
    let grid = Grid::for_radius(smallest, origin);
    validate_map(&map, &grid, config, place)?;
    files.extend(terrain::read(&mut map, config, place)?);
    Ok((map, grid))
}

/// A scene on its grid, with the areas of its triangles.
fn scene_on_grid(
    scene: &Scene,
    links: &[LinkNote],
    config: &Config,
    bits: u8,
    place: &str,
    (warnings, diagnostics): (&mut Vec<Warning>, &mut Vec<Diagnostic>),
) -> Result<(Level, Names), BakeError> {
    if config.terrain.image.is_some() {
        let found = "`terrain.image` is for grid maps: it has a texel for each of their cells";
        return Err(config.fault_at("terrain.image", found).into());
    }
    let (roles, notes) = rules::roles(&scene.parts, &config.rules);
    warnings.extend(notes);
    let linked: Vec<String> = links.iter().filter_map(|l| l.switch.clone()).collect();
    let names = Names::of(config, &scene.parts, &linked, warnings);
    let up = if config.up == Up::Z { "z" } else { "y" };
    warnings.extend(navbake_lint::units(scene, &roles, up, config.scale));
    match Level::new(scene, &roles, &level_settings(config, bits)) {
        Ok((mut level, notes)) => {
            warnings.extend(notes);
            if config.findings {
                let known = config.area_names();
                diagnostics.extend(navbake_lint::scene(scene, &roles, &level, &known));
            }
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

fn level_settings(config: &Config, bits: u8) -> LevelSettings {
    LevelSettings { bits, origin: config.origin, winding: config.winding, bounds: config.bounds }
}

/// Why a level is refused, without hundreds of digits for coordinates far out of range.
fn level_fault(error: &LevelError) -> String {
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

/// The centre of a map, rounded as for a level.
fn map_origin(map: &GridMap) -> [f64; 3] {
    let [x, z] = map.size().map(|v| (v / 2.0 / 1024.0).round_ties_even() * 1024.0);
    [x, 0.0, z]
}

/// Can the map be baked for these agents, on this grid?
fn validate_map(map: &GridMap, grid: &Grid, config: &Config, place: &str) -> Result<(), BakeError> {
    let agents = config.agent_list();
    if let Some((i, agent)) = agents.iter().enumerate().find(|(_, a)| a.radius > 0.0) {
        let found = format!(
            "agent `{}`: radius {} m: navbake {} bakes grid maps for points only; set `radius = 0` or leave it out",
            agent.name,
            agent.radius,
            env!("CARGO_PKG_VERSION")
        );
        return Err(config.fault_at(&format!("agent[{i}].radius"), found).into());
    }
    let [wide, deep] = map.size();
    let far = [wide, 0.0, deep];
    // The shortest side of a hexagon is more than half of its width.
    let least = if map.shape == CellShape::Square { 1.0 } else { 2.0 };
    let fine = map.cell * grid.units() >= least;
    if !fine || grid.snap([0.0; 3]).is_none() || grid.snap(far).is_none() {
        return Err(BakeError::input(
            place,
            format!(
                "the map of {} x {} cells of {} m does not fit the grid of 1/{} m around {}; check `scale` and `origin`",
                map.width,
                map.height,
                exact(map.cell),
                grid.units(),
                point(grid.origin)
            ),
        ));
    }
    Ok(())
}
