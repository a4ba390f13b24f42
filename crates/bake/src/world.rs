//! Worlds that are baked chunk by chunk: no more than the triangles of one chunk are on the grid
//! at a time, however many there are.
//!
//! A tile depends on the triangles in and around it alone ([`navbake_walkable::Plan`]), so the
//! tiles of a chunk come from the triangles that touch the chunk and its surroundings. What is
//! known of the whole world at all times is its names, its grid and its kinds of ground. The stages
//! after the tiles see the whole navmesh, as they do of any level.

use std::collections::BTreeSet;

use navbake_geom::Grid;
use navbake_import::World;
use navbake_level::{
    Level, LevelError, LevelSettings, LinkNote, Role, Warning, default_origin, in_range,
    sort_markers, touches_box,
};

use crate::areas::{Kinds, Names};
use crate::config::{Config, Surface};
use crate::error::BakeError;
use crate::hash;
use crate::input::level_fault;
use crate::rules;

/// Side of a chunk, m, where none is asked for.
pub(crate) const CHUNK: f64 = 300.0;

/// What the tiles of a world are made from.
#[derive(Debug)]
pub(crate) struct ChunkedWorld {
    world: World,
    /// One for each of the world's parts.
    roles: Vec<Role>,
    names: Names,
    kinds: Kinds,
    settings: LevelSettings,
    /// The hash of each placement.
    placements: Vec<[u8; 32]>,
    /// Least and greatest corner of the triangles that matter, m.
    bounds: [[f64; 3]; 2],
    /// The world in messages.
    place: String,
}

/// The tiles of a chunk: from the first column and row up to, but not, the second.
pub(crate) type TileRange = [[i32; 2]; 2];

/// Why a world with this config is baked as one level, if it is.
pub(crate) fn needs_whole_level(config: &Config) -> Option<&'static str> {
    if config.surface == Surface::Floor {
        return Some("`surface = \"floor\"`");
    }
    if config.sources {
        return Some("`sources`");
    }
    let leaps = config.agents.iter().any(|a| a.drop > 0.0 || a.jump > 0.0);
    leaps.then_some("`drop` or `jump` of an agent")
}

impl ChunkedWorld {
    /// A world on its grid, and a level with all of its names and without triangles.
    ///
    /// O(n) in the triangles of the world; with volumes or fields, each chunk is read once.
    ///
    /// # Errors
    /// When nothing is left of the world, or the config does not fit it.
    pub(crate) fn new(
        world: World,
        links: &[LinkNote],
        config: &Config,
        bits: u8,
        place: &str,
        warnings: &mut Vec<Warning>,
    ) -> Result<(ChunkedWorld, Level), BakeError> {
        let (roles, notes) = rules::roles(world.parts(), &config.rules);
        warnings.extend(notes);
        let linked: Vec<String> = links.iter().filter_map(|l| l.switch.clone()).collect();
        let names = Names::of(config, world.parts(), &linked, warnings);
        let kinds = Kinds::new(&names, config);
        let settings = LevelSettings {
            bits,
            origin: config.origin,
            winding: config.winding,
            bounds: config.bounds,
        };
        let placements = hash::placements(&world, &roles);
        let place = place.to_owned();
        let bounds = [[0.0; 3]; 2];
        let mut own =
            ChunkedWorld { world, roles, names, kinds, settings, placements, bounds, place };
        let level = own.empty_level(config, warnings)?;
        if config.volumes.is_empty() && config.fields.is_empty() {
            for (part, role) in own.world.parts().iter().zip(&own.roles) {
                if matches!(role, Role::Ground | Role::Floor) {
                    own.kinds.add_part(part, &own.names, config);
                }
            }
        } else {
            // Which volumes and bands overlap on ground is seen on the ground.
            let side = level.grid.length(CHUNK);
            for range in own.chunks(&level, side, CHUNK) {
                let Some((mut part, _)) = own.triangles(&level, range, side, 0)? else { continue };
                own.kinds.paint(&mut part, &own.names, config, &own.place)?;
            }
            own.kinds.warn_of_idle(config, warnings);
        }
        own.kinds.check(&own.place)?;
        let level = Level { areas: own.kinds.areas(&own.names), ..level };
        Ok((own, level))
    }

    /// A level on the world's grid with its markers.
    fn empty_level(
        &mut self,
        config: &Config,
        warnings: &mut Vec<Warning>,
    ) -> Result<Level, BakeError> {
        let found = self.find_bounds();
        let bounds = found.unwrap_or(self.bounds);
        self.bounds = bounds;
        if found.is_none() {
            let found =
                "the world has no triangles left: all are ignored by rules or outside `bounds`";
            if !config.allow_empty {
                return Err(BakeError::input(&self.place, found));
            }
            warnings.push(Warning {
                code: "empty-level",
                message: format!("{found}; the navmesh is empty, as `allow_empty` says"),
                place: self.place.as_str().into(),
            });
        }
        let origin = config.origin.unwrap_or_else(|| default_origin(bounds));
        self.settings.origin = Some(origin);
        let grid = Grid { bits: self.settings.bits, origin };
        for corner in bounds {
            in_range(&grid, corner).map_err(|error| self.fault(&error))?;
        }
        let mut markers = self.world.markers().to_vec();
        sort_markers(&mut markers);
        Ok(Level { markers, ..Level::empty(grid) })
    }

    fn fault(&self, error: &LevelError) -> BakeError {
        BakeError::input(&self.place, level_fault(error))
    }

    /// Is a triangle of a part, with its corners in metres, not left out?
    fn matters(&self, part: u32, corners: [[f64; 3]; 3]) -> bool {
        let is_inside = self.settings.bounds.is_none_or(|bounds| touches_box(corners, bounds));
        is_inside && self.roles[part as usize] != Role::Ignored
    }

    /// Least and greatest corner of the triangles that matter, m.
    fn find_bounds(&self) -> Option<[[f64; 3]; 2]> {
        if self.settings.bounds.is_none() {
            return self.world.bounds(|part| self.roles[part as usize] != Role::Ignored);
        }
        let mut bounds: Option<[[f64; 3]; 2]> = None;
        self.world.each_triangle(|part, corners| {
            if self.matters(part, corners) {
                let [low, high] = bounds.get_or_insert([corners[0]; 2]);
                for (k, c) in corners.iter().flat_map(|corner| (0..3).zip(corner)) {
                    (low[k], high[k]) = (low[k].min(*c), high[k].max(*c));
                }
            }
        });
        bounds
    }

    /// The names that the world and its config know.
    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// The files and their placements.
    pub(crate) fn world(&self) -> &World {
        &self.world
    }

    /// The hash of each placement.
    pub(crate) fn placements(&self) -> &[[u8; 32]] {
        &self.placements
    }

    /// The hash of each placement that the tiles of a range may depend on. Arguments are those of
    /// [`ChunkedWorld::level`].
    pub(crate) fn placements_near(
        &self,
        level: &Level,
        range: TileRange,
        side: i32,
        reach: i32,
    ) -> Vec<[u8; 32]> {
        let bounds = bounds_around(level, range, side, reach);
        self.world.placements_near(bounds).map(|k| self.placements[k]).collect()
    }

    /// The chunks of about `chunk` m that may have triangles, in order, for tiles of a side in grid
    /// units.
    ///
    /// Placements no larger than a chunk count with their bounds: to look at each triangle would
    /// take longer than to find a chunk empty.
    pub(crate) fn chunks(&self, level: &Level, tile: i32, chunk: f64) -> Vec<TileRange> {
        let (units, origin) = (level.grid.units(), level.grid.origin);
        let tiles = (chunk * units / f64::from(tile)).ceil().max(1.0) as i32;
        let side = f64::from(tile) * f64::from(tiles);
        let mut keys = BTreeSet::new();
        // A grid unit more, for what rounding does.
        let key =
            |v: f64, k: usize, by: f64| (((v - origin[2 * k]) * units + by) / side).floor() as i32;
        let range_of = |[low, high]: [[f64; 2]; 2]| {
            [0, 1].map(|k| [key(low[k], k, -1.0), key(high[k], k, 1.0)])
        };
        let all = range_of(self.bounds.map(|[x, _, z]| [x, z]));
        let mut add = |[[x0, x1], [z0, z1]]: [[i32; 2]; 2]| {
            keys.extend((x0..=x1).flat_map(|x| (z0..=z1).map(move |z| [x, z])));
        };
        let mut large = vec![];
        for (number, bounds) in self.world.placement_bounds().enumerate() {
            let range = range_of(bounds);
            match range.iter().all(|[from, to]| to.saturating_sub(*from) <= 1) {
                // What is left out may be anywhere.
                true => {
                    add([0, 1].map(|k| [range[k][0].max(all[k][0]), range[k][1].min(all[k][1])]))
                }
                false => large.push(number),
            }
        }
        let mut last = None;
        self.world.each_triangle_of(large, |part, corners| {
            if !self.matters(part, corners) {
                return;
            }
            let [low, high] = [f64::min, f64::max].map(|of: fn(f64, f64) -> f64| {
                [0, 2].map(|axis| corners.map(|c| c[axis]).into_iter().reduce(of).unwrap_or(0.0))
            });
            let range = range_of([low, high]);
            if last.replace(range) != Some(range) {
                add(range);
            }
        });
        let range = |key: [i32; 2]| [key.map(|k| k * tiles), key.map(|k| (k + 1) * tiles)];
        keys.into_iter().map(range).collect()
    }

    /// The triangles in and around some tiles of a side, with no areas yet. Around is as far as
    /// `reach`, both in grid units. Nothing where no triangle is.
    fn triangles(
        &self,
        level: &Level,
        range: TileRange,
        side: i32,
        reach: i32,
    ) -> Result<Option<(Level, Vec<Warning>)>, BakeError> {
        let scene = self.world.near(bounds_around(level, range, side, reach));
        match Level::new(&scene, &self.roles, &self.settings) {
            Ok((own, notes)) => {
                let own = Level { markers: level.markers.clone(), ..own };
                Ok(Some((own, notes)))
            }
            Err(LevelError::Empty(_)) => Ok(None),
            Err(error) => Err(self.fault(&error)),
        }
    }

    /// The level of a chunk: the triangles that its tiles, of a side in grid units, depend on, and
    /// what was noticed of them. `reach` is that of their plan.
    ///
    /// # Errors
    /// As [`ChunkedWorld::new`].
    pub(crate) fn level(
        &self,
        level: &Level,
        range: TileRange,
        side: i32,
        reach: i32,
        config: &Config,
    ) -> Result<Option<(Level, Vec<Warning>)>, BakeError> {
        let Some((mut own, notes)) = self.triangles(level, range, side, reach)? else {
            return Ok(None);
        };
        let paints = self.kinds.clone().paint(&mut own, &self.names, config, &self.place)?;
        self.kinds.set(&mut own, &paints, &self.names);
        // With clearance, each area is several.
        own.areas.clone_from(&level.areas);
        Ok(Some((own, notes)))
    }
}

/// The rectangle of some tiles of a side and as far as `reach` around them, both in grid units:
/// least and greatest `[x, z]`, m.
fn bounds_around(level: &Level, [low, high]: TileRange, side: i32, reach: i32) -> [[f64; 2]; 2] {
    let (units, origin) = (level.grid.units(), level.grid.origin);
    // A grid unit more, for what rounding does.
    let at = |key: i32, axis: usize, by: f64| {
        let units_from_origin = f64::from(key) * f64::from(side) + by * (f64::from(reach) + 1.0);
        units_from_origin / units + origin[2 * axis]
    };
    [[0, 1].map(|k| at(low[k], k, -1.0)), [0, 1].map(|k| at(high[k], k, 1.0))]
}

/// Does a tile belong to a chunk?
pub(crate) fn is_within([low, high]: TileRange, key: [i32; 2]) -> bool {
    (0..2).all(|k| low[k] <= key[k] && key[k] < high[k])
}
