//! Areas, switches and tags of a level's triangles or a map's cells, from names to numbers.
//!
//! Precedence, lowest first: the level file, the config's rules in their order, its volumes in
//! theirs. The last that sets an area or a switch wins; tags add up. An area's own switch and tags
//! hold for its ground where nothing else sets a switch. Bands of cost fields divide areas.

use std::collections::BTreeSet;

use navbake_geom::Grid;
use navbake_level::{
    Area, GridMap, Level, LinkNote, MAX_FIELDS, Part, Switch, Tag, Volume, Warning, WarningPlace,
};

use crate::config::{Config, TagConfig, VolumeConfig};
use crate::error::BakeError;
use crate::fields::{self, Distances};
use crate::{nearest, rules};

mod kinds;

pub(crate) use kinds::Kinds;

/// The properties set for ground: the number of an area, the number of a switch, tags, and bands
/// along walls and of cost fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Paint {
    area: usize,
    switch: Option<u16>,
    tags: u32,
    edge_tags: u32,
    band: u8,
    fields: [u8; MAX_FIELDS],
}

impl Paint {
    /// Adds the tags of its area, and the area's switch where it has none.
    fn with(self, own: &Paint) -> Paint {
        Paint {
            switch: self.switch.or(own.switch),
            tags: self.tags | own.tags,
            edge_tags: self.edge_tags | own.edge_tags,
            ..self
        }
    }
}

/// The names that a level and its config know.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    areas: Vec<String>,
    switches: Vec<Switch>,
}

impl Names {
    /// The config's names, then those that the level's author used and the config does not have, by
    /// name; each of these is warned of where the config has names at all.
    pub(crate) fn of(
        config: &Config,
        parts: &[Part],
        linked: &[String],
        warnings: &mut Vec<Warning>,
    ) -> Names {
        let mut areas: Vec<String> = config.area_names().into_iter().map(String::from).collect();
        let used: BTreeSet<&String> = parts.iter().filter_map(|p| p.given.area.as_ref()).collect();
        let used: Vec<&String> = used.into_iter().filter(|n| !areas.contains(n)).collect();
        let is_listed = areas.len() > 1;
        for name in used {
            if is_listed {
                let known = config.area_names();
                warnings.push(stranger("area", name, known.into_iter()));
            }
            areas.push(name.clone());
        }

        let mut switches: Vec<Switch> = config
            .switches
            .iter()
            .map(|s| Switch { name: s.name.clone(), closed: s.closed })
            .collect();
        let is_listed = !switches.is_empty();
        let add = |name: &String, switches: &mut Vec<Switch>| {
            let is_new = !switches.iter().any(|s| s.name == *name);
            if is_new {
                switches.push(Switch { name: name.clone(), closed: false });
            }
            is_new
        };
        let in_config = (config.areas.iter().map(|a| &a.switch))
            .chain(config.rules.iter().map(|r| &r.switch))
            .chain(config.volumes.iter().map(|v| &v.switch))
            .chain(config.links.iter().map(|l| &l.switch));
        for name in in_config.flatten().chain(config.rooms.doors.keys()) {
            add(name, &mut switches);
        }
        let in_level: BTreeSet<&String> =
            parts.iter().filter_map(|p| p.given.switch.as_ref()).chain(linked).collect();
        for name in in_level {
            if add(name, &mut switches) && is_listed {
                let known = config.switches.iter().map(|s| s.name.as_str());
                warnings.push(stranger("switch", name, known));
            }
        }
        Names { areas, switches }
    }

    pub(crate) fn switches(&self) -> &[Switch] {
        &self.switches
    }

    pub(crate) fn switch(&self, name: Option<&String>) -> Option<u16> {
        let place = self.switches.iter().position(|s| Some(&s.name) == name)?;
        u16::try_from(place).ok()
    }

    /// The number of an area; every name that is asked for is known.
    fn area(&self, name: &str) -> usize {
        self.areas.iter().position(|a| a == name).unwrap_or(0)
    }

    /// Applies the settings of a rule or a volume on top of earlier ones.
    fn lay_over(&self, paint: &mut Paint, config: &Config, said: Said<'_>) {
        if let Some(name) = said.area {
            paint.area = self.area(name);
        }
        if let Some(switch) = self.switch(said.switch) {
            paint.switch = Some(switch);
        }
        paint.tags |= config.tag_bits(said.tags.iter());
        paint.edge_tags |= config.tag_bits(said.edge_tags.iter());
    }

    /// The properties of a part's ground.
    fn paint(&self, part: &Part, config: &Config) -> Paint {
        let mut paint = Paint::default();
        let given = &part.given;
        let tags: Vec<TagConfig> = given.tags.iter().map(TagConfig::from).collect();
        let said = Said {
            area: given.area.as_ref(),
            switch: given.switch.as_ref(),
            tags: &tags,
            edge_tags: &[],
        };
        self.lay_over(&mut paint, config, said);
        for rule in rules::matching(part, &config.rules) {
            let said = Said {
                area: rule.area.as_ref(),
                switch: rule.switch.as_ref(),
                tags: &rule.tags,
                edge_tags: &rule.edge_tags,
            };
            self.lay_over(&mut paint, config, said);
        }
        paint
    }

    /// The areas by themselves: their own switches and tags.
    fn plain(&self, config: &Config) -> Vec<Paint> {
        let of = |(area, name): (usize, &String)| {
            let own = config.areas.iter().find(|a| a.name == *name);
            Paint {
                area,
                switch: self.switch(own.and_then(|a| a.switch.as_ref())),
                tags: own.map_or(0, |a| config.tag_bits(a.tags.iter())),
                edge_tags: own.map_or(0, |a| config.tag_bits(a.edge_tags.iter())),
                ..Paint::default()
            }
        };
        self.areas.iter().enumerate().map(of).collect()
    }

    fn area_of(&self, paint: &Paint) -> Area {
        Area {
            name: self.areas[paint.area].clone(),
            switch: paint.switch,
            tags: paint.tags,
            edge_tags: paint.edge_tags,
            band: paint.band,
            fields: paint.fields,
        }
    }

    /// The areas of a level that nothing is painted on.
    pub(crate) fn plain_areas(&self, config: &Config) -> Vec<Area> {
        self.plain(config).iter().map(|p| self.area_of(p)).collect()
    }
}

/// Settings for ground from one source.
struct Said<'a> {
    area: Option<&'a String>,
    switch: Option<&'a String>,
    tags: &'a [TagConfig],
    edge_tags: &'a [TagConfig],
}

impl<'a> Said<'a> {
    fn of_volume(volume: &'a VolumeConfig) -> Said<'a> {
        Said {
            area: volume.area.as_ref(),
            switch: volume.switch.as_ref(),
            tags: &volume.tags,
            edge_tags: &volume.edge_tags,
        }
    }
}

fn stranger<'n>(what: &str, name: &str, known: impl Iterator<Item = &'n str>) -> Warning {
    let hint = match nearest::name(name, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("give it a `[[{what}]]` if it is right"),
    };
    Warning {
        code: if what == "area" { "unknown-area" } else { "unknown-switch" },
        message: format!(
            "the level names the {what} `{name}`, which the config does not have; it was taken as a new one; {hint}"
        ),
        place: WarningPlace::None,
    }
}

/// Gives every triangle of a level its area, and cuts its ground along volumes. Only ground has
/// areas other than the first.
///
/// # Errors
/// When a volume has no shape on the level's grid, a tag has no name, or there are too many areas.
pub(crate) fn paint(
    level: &mut Level,
    names: &Names,
    config: &Config,
    place: &str,
    warnings: &mut Vec<Warning>,
) -> Result<(), BakeError> {
    let mut kinds = Kinds::new(names, config);
    let paints = kinds.paint(level, names, config, place)?;
    kinds.warn_of_idle(config, warnings);
    kinds.check(place)?;
    kinds.set(level, &paints, names);
    Ok(())
}

/// What cells of a grid map are, row by row; blocked cells are of the first area.
pub(crate) struct PaintedMap {
    pub(crate) areas: Vec<Area>,
    /// The area of each cell; empty where all are of the first.
    pub(crate) of_cell: Vec<u8>,
    /// Distances of cells from walls and sources of cost fields.
    pub(crate) distances: Distances,
}

/// The areas of a grid map and its cells: what terrain says, then the volumes that hold the middle
/// of a cell, and its bands of cost.
///
/// # Errors
/// When a volume has no shape on the grid, or there are too many areas.
pub(crate) fn paint_map(
    map: &GridMap,
    level: &Level,
    names: &Names,
    config: &Config,
    place: &str,
    warnings: &mut Vec<Warning>,
) -> Result<PaintedMap, BakeError> {
    let mut kinds = Kinds::new(names, config);
    let plain = kinds.plain().to_vec();
    let grid = &level.grid;
    let volumes = volumes(grid, config)?;
    let mut used = vec![false; volumes.len()];
    let paint_of = |cell: usize| {
        if !map.free[cell] {
            return plain[0];
        }
        let terrain = map.terrain.get(cell).copied().unwrap_or(0);
        let name = config.terrain.names.get(usize::from(terrain));
        let mut paint = Paint { area: name.map_or(0, |name| names.area(name)), ..Paint::default() };
        let [x, z] = map.middle(cell);
        let at = grid.snap_point([x, 0.0, z]);
        for (number, volume) in volumes.iter().enumerate() {
            if at.is_some_and(|at| volume.holds(at)) {
                used[number] = true;
                let said = Said::of_volume(&config.volumes[number]);
                names.lay_over(&mut paint, config, said);
            }
        }
        paint.with(&plain[paint.area])
    };
    let mut paints: Vec<Paint> = (0..map.free.len()).map(paint_of).collect();
    warn_of_idle(&used, config, warnings);
    let is_of = |cell: usize, area: &str| map.free[cell] && paints[cell].area == names.area(area);
    let distances = Distances::of_map(map, &level.markers, is_of, config);
    for (cell, paint) in paints.iter_mut().enumerate().filter(|(cell, _)| map.free[*cell]) {
        (paint.band, paint.fields) = distances.bands(cell, config);
    }
    let reached = |field: usize| paints.iter().any(|paint| paint.fields[field] > 0);
    fields::warn_of_idle(reached, config, warnings);
    kinds.extend(&paints);
    kinds.check(place)?;
    let of_cell = kinds.numbers(&paints);
    let areas = kinds.areas(names);
    let differ = of_cell.iter().any(|&area| area != 0);
    let of_cell = if differ { of_cell } else { vec![] };
    Ok(PaintedMap { areas, of_cell, distances })
}

fn validate_tags(parts: &[Part], config: &Config, place: &str) -> Result<(), BakeError> {
    for part in parts {
        tags_are_known(&part.given.tags, config, place)?;
    }
    Ok(())
}

/// Warns of the tags that the level's author named, where the config names none at all: they have
/// no bits.
pub(crate) fn warn_of_unnamed_tags(
    parts: &[Part],
    links: &[LinkNote],
    config: &Config,
    warnings: &mut Vec<Warning>,
) {
    let tags = (parts.iter().flat_map(|p| &p.given.tags)).chain(links.iter().flat_map(|l| &l.tags));
    let names: BTreeSet<&str> = tags
        .filter_map(|tag| match tag {
            Tag::Name(name) => Some(name.as_str()),
            Tag::Bit(_) => None,
        })
        .collect();
    if config.tags.is_empty() && !names.is_empty() {
        let names = Vec::from_iter(names).join("`, `");
        warnings.push(Warning {
            code: "tags-without-bits",
            message: format!(
                "the level has the tags `{names}` and the config no `tags`; they have no effect: list them there to give them bits"
            ),
            place: WarningPlace::None,
        });
    }
}

/// Does the config have a name for each tag that the level's author used, if it names any?
///
/// # Errors
/// When it has not.
pub(crate) fn tags_are_known(tags: &[Tag], config: &Config, place: &str) -> Result<(), BakeError> {
    if config.tags.is_empty() {
        return Ok(());
    }
    for tag in tags {
        if let Tag::Name(name) = tag
            && config.tag_of(name).is_none()
        {
            let mut known = config.tags.iter().map(String::as_str);
            let of = "a name of the list `tags` at the top of the config";
            let found = crate::config::unknown("tag", name, of, &mut known);
            return Err(BakeError::input(place, found));
        }
    }
    Ok(())
}

fn volumes(grid: &Grid, config: &Config) -> Result<Vec<Volume>, BakeError> {
    let mut volumes = vec![];
    for (i, v) in config.volumes.iter().enumerate() {
        let shape = match (&v.corners, &v.polygon, v.y) {
            (Some([a, b]), _, _) => Volume::between(*a, *b, grid),
            (None, Some(polygon), Some(y)) => Volume::prism(polygon, y, grid),
            _ => continue, // validated before
        };
        let volume = shape.map_err(|error| {
            let found = format!("{}: {error}", name_of_volume(i, &v.name));
            let key = if v.corners.is_some() { "box" } else { "polygon" };
            config.fault_at(&format!("volume[{i}].{key}"), found)
        })?;
        volumes.push(volume);
    }
    Ok(volumes)
}

fn name_of_volume(number: usize, name: &str) -> String {
    match name {
        "" => format!("`[[volume]]` {}", number + 1),
        _ => format!("`[[volume]]` {} (`{name}`)", number + 1),
    }
}

fn warn_of_idle(used: &[bool], config: &Config, warnings: &mut Vec<Warning>) {
    for (i, volume) in config.volumes.iter().enumerate().filter(|(i, _)| !used[*i]) {
        warnings.push(Warning {
            code: "volume-holds-no-ground",
            message: format!(
                "{} holds no ground; it has no effect",
                name_of_volume(i, &volume.name)
            ),
            place: format!("[[volume]] {}", i + 1).into(),
        });
    }
}

#[cfg(test)]
mod tests;
