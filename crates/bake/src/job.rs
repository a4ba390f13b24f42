//! A level and its config, judged and hashed: what a bake starts from.

use std::path::{Path, PathBuf};

use navbake_geom::Grid;
use navbake_import::{Import, ImportErrorKind, ImportOptions};
use navbake_level::{
    Agent, Area, GridMap, Level, LevelError, LevelSettings, Source, Switch, Warning,
};

use crate::clock::Clock;
use crate::config::{Config, Nonfinite, Up};
use crate::error::{BakeError, ConfigError};
use crate::hash::{self, Hashes};
use crate::number::{LARGE, exact, point};
use crate::{rules, seeds};

/// A level that is ready to be baked: read, on its grid, with roles, and with hashes of all that decides the result.
#[derive(Debug)]
pub struct Job {
    pub(crate) config: Config,
    /// The input in messages.
    pub(crate) place: String,
    pub(crate) ground: Ground,
    pub(crate) files: Vec<PathBuf>,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) hashes: Hashes,
    pub(crate) clock: Clock,
}

/// What the walkable stage reads.
#[derive(Debug)]
pub(crate) enum Ground {
    Level(Level),
    Map(GridMap, Grid),
}

/// Agents that walk alike share a navmesh.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    /// The first agent of the class.
    pub(crate) agent: Agent,
}

impl Job {
    /// Reads a level from a file.
    ///
    /// # Errors
    /// When the config is at fault, the file cannot be read, or it is not a sound level.
    pub fn open(input: &Path, config: &Config) -> Result<Job, BakeError> {
        let clock = Clock::start();
        let is_map = matches!(
            navbake_import::Format::of(input),
            Some(navbake_import::Format::Map | navbake_import::Format::TileGrid)
        );
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
        files: Vec<PathBuf>,
        mut warnings: Vec<Warning>,
        mut clock: Clock,
    ) -> Result<Job, BakeError> {
        let smallest = config
            .agent_list()
            .iter()
            .map(|a| a.radius)
            .fold(f64::INFINITY, f64::min);
        let ground = match source {
            Source::Grid(map) => {
                let origin = config.origin.unwrap_or_else(|| map_origin(&map));
                let grid = Grid::for_radius(smallest, origin);
                judge_map(&map, &grid, &config, &place)?;
                Ground::Map(map, grid)
            }
            Source::Scene(scene) => {
                let (roles, notes) = rules::roles(&scene.parts, &config.rules);
                warnings.extend(notes);
                let settings = LevelSettings {
                    bits: Grid::for_radius(smallest, [0.0; 3]).bits,
                    origin: config.origin,
                    winding: config.winding,
                    bounds: config.bounds,
                };
                match Level::new(&scene, &roles, &settings) {
                    Ok((level, notes)) => {
                        warnings.extend(notes);
                        Ground::Level(level)
                    }
                    Err(error @ LevelError::Empty(_)) if config.allow_empty => {
                        warnings.push(Warning {
                            code: "empty-level",
                            message: format!(
                                "{error}; the navmesh is empty, as `allow_empty` says"
                            ),
                            place: place.clone(),
                        });
                        Ground::Level(Level {
                            grid: Grid {
                                bits: settings.bits,
                                origin: config.origin.unwrap_or_default(),
                            },
                            vertices: vec![],
                            triangles: vec![],
                            parts: vec![],
                            roles: vec![],
                            markers: scene.markers,
                            areas: vec![Area::default()],
                            switches: vec![],
                            links: vec![],
                        })
                    }
                    Err(error) => return Err(BakeError::input(place, level_fault(&error))),
                }
            }
        };
        seeds::judge(&config, ground.markers())?;
        let hashes = Hashes {
            level: ground.hash(),
            config: hash::config(&config),
        };
        clock.stage("import", false);
        Ok(Job {
            config,
            place,
            ground,
            files,
            warnings,
            hashes,
            clock,
        })
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
        let mut classes: Vec<Class> = vec![];
        let class_of = |agent: Agent| {
            let alike = |c: &Class| {
                let (a, b) = (&c.agent, &agent);
                (a.radius, a.height, a.climb, a.slope) == (b.radius, b.height, b.climb, b.slope)
            };
            classes.iter().position(alike).unwrap_or_else(|| {
                classes.push(Class { agent });
                classes.len() - 1
            })
        };
        let of_agent = self.config.agent_list().into_iter().map(class_of).collect();
        (classes, of_agent)
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

    /// Kinds of ground, and what can be closed.
    pub(crate) fn areas(&self) -> (&[Area], &[Switch]) {
        match self {
            Ground::Level(level) => (&level.areas, &level.switches),
            Ground::Map(..) => (&[], &[]),
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
    if let Some(agent) = config.agent_list().iter().find(|a| a.radius > 0.0) {
        return Err(BakeError::from(config.in_its_file(ConfigError::new(format!(
            "agent `{}`: radius {} m: navbake {} bakes grid maps for points only; set `radius = 0` or leave it out",
            agent.name,
            agent.radius,
            env!("CARGO_PKG_VERSION")
        )))));
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
