//! A level and its config, judged and hashed: what a bake starts from.

use std::path::{Path, PathBuf};

use navbake_format::write::SourcePart;
use navbake_geom::Grid;
use navbake_import::{Import, ImportErrorKind, ImportOptions};
pub(crate) use navbake_level::Class;
use navbake_level::{
    Area, Copies, GridMap, Level, LevelError, LevelSettings, Link, LinkNote, MAX_AREAS, Scene,
    Source, SourceTriangle, Switch, WEIGHT_RANGE, Warning, Weights, source_triangles,
};

use crate::areas::{self, Names};
use crate::clock::Clock;
use crate::config::{Config, Nonfinite, Up};
use crate::error::BakeError;
use crate::findings::{self, Remark};
use crate::hash::{self, Hashes};
use crate::number::{LARGE, exact, point};
use crate::{links, rules, seeds, terrain};

/// A level that is ready to be baked: read, on its grid, with roles, and with hashes of all that decides the result.
#[derive(Debug)]
pub struct Job {
    pub(crate) config: Config,
    /// The input in messages.
    pub(crate) place: String,
    pub(crate) ground: Ground,
    pub(crate) of_map: MapThings,
    pub(crate) weights: Weights,
    /// Triangles of the level's file, where the config asks for those behind polygons.
    pub(crate) sources: Vec<SourceTriangle>,
    pub(crate) files: Vec<PathBuf>,
    pub(crate) warnings: Vec<Warning>,
    /// What was noticed while reading, for reports.
    pub(crate) remarks: Vec<Remark>,
    pub(crate) hashes: Hashes,
    pub(crate) clock: Clock,
}

/// What the walkable stage reads.
#[derive(Debug)]
pub(crate) enum Ground {
    Level(Level),
    Map(GridMap, Grid),
}

/// What a grid map has beside its cells; a level has it in itself.
#[derive(Debug, Default)]
pub(crate) struct MapThings {
    areas: Vec<Area>,
    switches: Vec<Switch>,
    links: Vec<Link>,
    /// The area of each cell; none where all are of the first.
    pub(crate) of_cell: Vec<u8>,
}

impl Job {
    /// Reads a level from a file.
    ///
    /// # Errors
    /// When the config is at fault, the file cannot be read, or it is not a sound level.
    pub fn open(input: &Path, config: &Config) -> Result<Job, BakeError> {
        let clock = Clock::start();
        let is_map = navbake_import::Format::of(input).is_some_and(|format| format.is_grid);
        // A fault of the config is told before a long import.
        let resolved = config.resolved(is_map)?;
        let options = ImportOptions {
            up: match resolved.up {
                Up::Y => navbake_import::Up::Y,
                Up::Z => navbake_import::Up::Z,
            },
            scale: resolved.scale,
            nonfinite: match resolved.nonfinite {
                Nonfinite::Refuse => navbake_import::Nonfinite::Refuse,
                Nonfinite::Drop => navbake_import::Nonfinite::Drop,
            },
            allow_empty: resolved.allow_empty,
            ..ImportOptions::default()
        };
        let Import {
            source,
            warnings,
            files,
        } = navbake_import::read(input, &options).map_err(|error| match error.kind {
            ImportErrorKind::Io => BakeError::Read(error.to_string()),
            ImportErrorKind::BadInput => BakeError::Refused(error.to_string()),
        })?;
        Job::prepare(
            source,
            resolved,
            input.display().to_string(),
            files,
            warnings,
            clock,
        )
    }

    /// Takes a level that was made in memory.
    ///
    /// # Errors
    /// As [`Job::open`].
    pub fn new(source: Source, config: &Config) -> Result<Job, BakeError> {
        let clock = Clock::start();
        let resolved = config.resolved(matches!(source, Source::Grid(_)))?;
        Job::prepare(source, resolved, "level".into(), vec![], vec![], clock)
    }

    fn prepare(
        source: Source,
        config: Config,
        place: String,
        mut files: Vec<PathBuf>,
        mut warnings: Vec<Warning>,
        mut clock: Clock,
    ) -> Result<Job, BakeError> {
        let smallest = config
            .agent_list()
            .iter()
            .map(|a| a.radius)
            .fold(f64::INFINITY, f64::min);
        let mut sources = vec![];
        let mut remarks = vec![];
        let (mut ground, names, notes) = match source {
            Source::Grid(map) => {
                if config.sources {
                    let found = "`sources` is for levels of triangles: a grid map has none";
                    let fault = config.fault("sources", found);
                    return Err(config.in_its_file(fault).into());
                }
                let (map, grid, names) = settle_map(map, &config, smallest, &place, &mut files)?;
                (Ground::Map(map, grid), names, vec![])
            }
            Source::Scene(mut scene) => {
                let notes = std::mem::take(&mut scene.links);
                let bits = Grid::for_radius(smallest, [0.0; 3]).bits;
                let (level, names) = settle_scene(
                    &scene,
                    &notes,
                    &config,
                    bits,
                    &place,
                    (&mut warnings, &mut remarks),
                )?;
                if config.sources {
                    sources = source_triangles(&scene, &level, &level_settings(&config, bits));
                }
                (Ground::Level(level), names, notes)
            }
        };
        seeds::judge(&config, ground.markers())?;
        crate::room_names::judge(&config, ground.markers())?;
        let links = links::links(&config, &names, ground.markers(), &notes, &place)?;
        let switches = names.switches().to_vec();
        let mut of_map = MapThings::default();
        match &mut ground {
            Ground::Level(level) => (level.switches, level.links) = (switches, links),
            Ground::Map(map, grid) => {
                let (areas, of_cell) =
                    areas::paint_map(map, grid, &names, &config, &place, &mut warnings)?;
                of_map = MapThings {
                    areas,
                    switches,
                    links,
                    of_cell,
                }
            }
        }
        let hashes = Hashes {
            level: ground.hash(),
            config: hash::config(&config, &sources),
        };
        clock.stage("import", false);
        let mut job = Job {
            config,
            place,
            ground,
            of_map,
            weights: Weights::default(),
            sources,
            files,
            warnings,
            remarks,
            hashes,
            clock,
        };
        if job.config.clearance.is_on() {
            job.tell_bands_apart()?;
        }
        let names: Vec<&str> = job.areas().iter().map(|a| a.name.as_str()).collect();
        let mut weights = job.config.weights(&names);
        for row in &mut weights.rows {
            for (weight, area) in row.by_area.iter_mut().zip(job.areas()) {
                let factor = job.config.clearance.factor(area.band);
                *weight = weight.map(|w| (w * factor).min(WEIGHT_RANGE[1]));
            }
        }
        job.weights = weights;
        Ok(job)
    }

    /// Makes each area several: one for each band along walls.
    fn tell_bands_apart(&mut self) -> Result<(), BakeError> {
        let clearance = &self.config.clearance;
        let fault = |key: &str, found: String| {
            let fault = self.config.fault(&format!("clearance.{key}"), found);
            BakeError::from(self.config.in_its_file(fault))
        };
        let Ground::Level(level) = &mut self.ground else {
            let found = "`clearance` is for levels of triangles: grid maps are baked for points, which have no distance to keep";
            return Err(fault("range", found.into()));
        };
        let areas = clearance.areas(&level.areas);
        if areas.len() > MAX_AREAS {
            let found = format!(
                "{} areas in {} bands and away from walls make {} kinds of ground; at most {MAX_AREAS} can be told apart: use fewer bands",
                level.areas.len(),
                clearance.bands,
                areas.len()
            );
            return Err(fault("bands", found));
        }
        level.areas = areas;
        Ok(())
    }

    /// The level on its grid; `None` of a grid map.
    pub fn level(&self) -> Option<&Level> {
        match &self.ground {
            Ground::Level(level) => Some(level),
            Ground::Map(..) => None,
        }
    }

    /// The grid map; `None` of triangles.
    pub fn grid_map(&self) -> Option<&GridMap> {
        match &self.ground {
            Ground::Level(_) => None,
            Ground::Map(map, _) => Some(map),
        }
    }

    /// The area of each cell of a grid map; none where all are of the first.
    pub fn areas_of_cells(&self) -> &[u8] {
        &self.of_map.of_cell
    }

    /// Kinds of ground; a triangle's or a cell's area is a place in here.
    pub fn areas(&self) -> &[Area] {
        match &self.ground {
            Ground::Level(level) => &level.areas,
            Ground::Map(..) => &self.of_map.areas,
        }
    }

    /// What can be closed.
    pub fn switches(&self) -> &[Switch] {
        match &self.ground {
            Ground::Level(level) => &level.switches,
            Ground::Map(..) => &self.of_map.switches,
        }
    }

    /// Ways without ground.
    pub fn links(&self) -> &[Link] {
        match &self.ground {
            Ground::Level(level) => &level.links,
            Ground::Map(..) => &self.of_map.links,
        }
    }

    /// What a metre of each area costs whom.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Objects of the level's file, where triangles behind polygons are asked for.
    pub(crate) fn source_parts(&self) -> Vec<SourcePart<'_>> {
        match &self.ground {
            Ground::Level(level) if !self.sources.is_empty() => {
                let parts = level.parts.iter().map(|p| SourcePart {
                    node: &p.node,
                    mesh: &p.mesh,
                    material: &p.material,
                });
                parts.collect()
            }
            _ => vec![],
        }
    }

    /// The config with every default filled in.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Every file that was read, the named one first.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// What was noticed while reading.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Hashes of all that decides the result.
    pub fn hashes(&self) -> Hashes {
        self.hashes
    }

    /// Groups of agents that share a navmesh, in the order of their first agents, and the group of each agent.
    pub(crate) fn classes(&self) -> (Vec<Class>, Vec<usize>) {
        navbake_level::classes(&self.config.agent_list())
    }
}

/// A grid map with its terrain, on its grid.
fn settle_map(
    mut map: GridMap,
    config: &Config,
    smallest: f64,
    place: &str,
    files: &mut Vec<PathBuf>,
) -> Result<(GridMap, Grid, Names), BakeError> {
    let origin = config.origin.unwrap_or_else(|| map_origin(&map));
    let grid = Grid::for_radius(smallest, origin);
    judge_map(&map, &grid, config, place)?;
    files.extend(terrain::settle(&mut map, config, place)?);
    let names = Names::of(config, &[], &[], &mut vec![]);
    Ok((map, grid, names))
}

/// A scene on its grid, with the areas of its triangles.
fn settle_scene(
    scene: &Scene,
    links: &[LinkNote],
    config: &Config,
    bits: u8,
    place: &str,
    (warnings, remarks): (&mut Vec<Warning>, &mut Vec<Remark>),
) -> Result<(Level, Names), BakeError> {
    if config.terrain.image.is_some() {
        let found = "`terrain.image` is for grid maps: it has a texel for each of their cells";
        let fault = config.fault("terrain.image", found);
        return Err(config.in_its_file(fault).into());
    }
    let (roles, notes) = rules::roles(&scene.parts, &config.rules);
    warnings.extend(notes);
    let linked: Vec<String> = links.iter().filter_map(|l| l.switch.clone()).collect();
    let names = Names::of(config, &scene.parts, &linked, warnings);
    match Level::new(scene, &roles, &level_settings(config, bits)) {
        Ok((mut level, notes)) => {
            warnings.extend(notes);
            if config.findings {
                remarks.extend(findings::of_scene(scene, &roles, &level, config));
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
            let level = Level {
                grid: Grid {
                    bits,
                    origin: config.origin.unwrap_or_default(),
                },
                vertices: vec![],
                triangles: vec![],
                copies: Copies::default(),
                parts: vec![],
                roles: vec![],
                markers: scene.markers.clone(),
                areas: names.plain_areas(config),
                switches: vec![],
                links: vec![],
            };
            Ok((level, names))
        }
        Err(error) => Err(BakeError::input(place, level_fault(&error))),
    }
}

fn level_settings(config: &Config, bits: u8) -> LevelSettings {
    LevelSettings {
        bits,
        origin: config.origin,
        winding: config.winding,
        bounds: config.bounds,
    }
}

impl Ground {
    pub(crate) fn grid(&self) -> Grid {
        match self {
            Ground::Level(level) => level.grid,
            Ground::Map(_, grid) => *grid,
        }
    }

    pub(crate) fn markers(&self) -> &[navbake_level::Marker] {
        match self {
            Ground::Level(level) => &level.markers,
            Ground::Map(..) => &[],
        }
    }

    fn hash(&self) -> [u8; 32] {
        match self {
            Ground::Level(level) => hash::level(level),
            Ground::Map(map, grid) => hash::grid_map(map, grid),
        }
    }
}

/// What a level is refused for, without hundreds of digits where it lies absurdly far out.
fn level_fault(error: &LevelError) -> String {
    match *error {
        LevelError::OutOfRange {
            x,
            y,
            z,
            range,
            ox,
            oy,
            oz,
            ..
        } if [x, y, z, ox, oy, oz].iter().any(|v| v.abs() >= LARGE) => format!(
            "the point {} m lies more than {range} m from the origin {}; check `scale` and `origin`, or leave the stray geometry out (role \
             `ignored`, or `bounds`)",
            point([x, y, z]),
            point([ox, oy, oz])
        ),
        _ => error.to_string(),
    }
}

/// The centre of a map, rounded as for a level.
fn map_origin(map: &GridMap) -> [f64; 3] {
    let middle = |cells: u32| {
        let centre = f64::from(cells) * map.cell / 2.0;
        (centre / 1024.0).round_ties_even() * 1024.0
    };
    [middle(map.width), 0.0, middle(map.height)]
}

/// Can the map be baked for these agents, on this grid?
fn judge_map(map: &GridMap, grid: &Grid, config: &Config, place: &str) -> Result<(), BakeError> {
    let agents = config.agent_list();
    if let Some((i, agent)) = agents.iter().enumerate().find(|(_, a)| a.radius > 0.0) {
        let found = format!(
            "agent `{}`: radius {} m: navbake {} bakes grid maps for points only; set `radius = 0` or leave it out",
            agent.name,
            agent.radius,
            env!("CARGO_PKG_VERSION")
        );
        let fault = config.fault(&format!("agent[{i}].radius"), found);
        return Err(config.in_its_file(fault).into());
    }
    let far = [
        f64::from(map.width) * map.cell,
        0.0,
        f64::from(map.height) * map.cell,
    ];
    let fine = map.cell * grid.units() >= 1.0;
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
