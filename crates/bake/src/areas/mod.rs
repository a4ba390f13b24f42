//! Names of areas, switches and tags become numbers: what each triangle of a level, or each terrain of a map, is.
//!
//! Least to last: what the author wrote into the level, the rules of the config in their order, its volumes in theirs. The last that tells an area, or
//! a switch, decides; tags add up. An area that has a switch or tags of its own gives them to its ground, where nothing else tells a switch.

use std::collections::{BTreeMap, BTreeSet};

use navbake_level::{Area, Level, MAX_AREAS, Part, Piece, Role, Switch, Volume, Warning};

use crate::config::{Config, TagConfig};
use crate::error::BakeError;
use crate::{nearest, rules};

/// What was said of ground: the number of an area, the number of a switch, and tags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Paint {
    area: usize,
    switch: Option<u16>,
    tags: u32,
}

/// The names that a level and its config know.
#[derive(Debug)]
pub(crate) struct Names {
    areas: Vec<String>,
    switches: Vec<Switch>,
}

impl Names {
    /// The config's names, then those that the level's author used and the config does not have, by name; each of these is warned of where the config
    /// has names at all.
    pub(crate) fn of(
        config: &Config,
        parts: &[Part],
        linked: &[String],
        warnings: &mut Vec<Warning>,
    ) -> Names {
        let mut areas: Vec<String> = config.area_names().into_iter().map(String::from).collect();
        let used: BTreeSet<&String> = parts.iter().filter_map(|p| p.given.area.as_ref()).collect();
        let used: Vec<&String> = used.into_iter().filter(|n| !areas.contains(n)).collect();
        let is_told = areas.len() > 1;
        for name in used {
            if is_told {
                let known = config.area_names();
                warnings.push(stranger("area", name, known.into_iter()));
            }
            areas.push(name.clone());
        }

        let mut switches: Vec<Switch> = config
            .switches
            .iter()
            .map(|s| Switch {
                name: s.name.clone(),
                closed: s.closed,
            })
            .collect();
        let is_told = !switches.is_empty();
        let add = |name: &String, switches: &mut Vec<Switch>| {
            let is_new = !switches.iter().any(|s| s.name == *name);
            if is_new {
                switches.push(Switch {
                    name: name.clone(),
                    closed: false,
                });
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
        let in_level: BTreeSet<&String> = parts
            .iter()
            .filter_map(|p| p.given.switch.as_ref())
            .chain(linked)
            .collect();
        for name in in_level {
            if add(name, &mut switches) && is_told {
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

    /// Lays what a rule or a volume says over what was said before.
    fn lay_over(&self, paint: &mut Paint, config: &Config, said: Said<'_>) {
        if let Some(name) = said.area {
            paint.area = self.area(name);
        }
        if let Some(switch) = self.switch(said.switch) {
            paint.switch = Some(switch);
        }
        paint.tags |= config.tag_bits(said.tags.iter());
    }

    /// What a part's ground is.
    fn paint(&self, part: &Part, config: &Config) -> Paint {
        let mut paint = Paint::default();
        let given = &part.given;
        let tags: Vec<TagConfig> = given.tags.iter().map(TagConfig::from).collect();
        let said = Said {
            area: given.area.as_ref(),
            switch: given.switch.as_ref(),
            tags: &tags,
        };
        self.lay_over(&mut paint, config, said);
        for rule in rules::matching(part, &config.rules) {
            let said = Said {
                area: rule.area.as_ref(),
                switch: rule.switch.as_ref(),
                tags: &rule.tags,
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
            }
        };
        self.areas.iter().enumerate().map(of).collect()
    }

    fn area_of(&self, paint: &Paint) -> Area {
        Area {
            name: self.areas[paint.area].clone(),
            switch: paint.switch,
            tags: paint.tags,
        }
    }

    /// The areas of a level that nothing is painted on, and of grid maps.
    pub(crate) fn plain_areas(&self, config: &Config) -> Vec<Area> {
        self.plain(config).iter().map(|p| self.area_of(p)).collect()
    }
}

/// What somebody says of ground.
struct Said<'a> {
    area: Option<&'a String>,
    switch: Option<&'a String>,
    tags: &'a [TagConfig],
}

fn stranger<'n>(what: &str, name: &str, known: impl Iterator<Item = &'n str>) -> Warning {
    let hint = match nearest::name(name, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("give it a `[[{what}]]` if it is right"),
    };
    Warning {
        code: if what == "area" {
            "unknown-area"
        } else {
            "unknown-switch"
        },
        message: format!(
            "the level names the {what} `{name}`, which the config does not have; it was taken as a new one; {hint}"
        ),
        place: String::new(),
    }
}

/// Gives every triangle of a level its area, and cuts its ground along volumes. Only ground has areas other than the first.
///
/// # Errors
/// When a volume has no shape on the level's grid, a tag has no name, or there are more areas than can be told apart.
pub(crate) fn paint(
    level: &mut Level,
    names: &Names,
    config: &Config,
    place: &str,
    warnings: &mut Vec<Warning>,
) -> Result<(), BakeError> {
    judge_tags(&level.parts, config, place)?;
    let volumes = volumes(level, config)?;
    let (mut before, mut pieces) = (vec![], vec![]);
    if !volumes.is_empty() {
        before.extend(level.triangles.iter().map(|t| t.part));
        pieces = level.cut(&volumes);
    }
    warn_of_idle(&pieces, config, warnings);

    let of_part: Vec<Paint> = (level.parts.iter())
        .map(|p| names.paint(p, config))
        .collect();
    let plain = names.plain(config);
    let effective = |paint: Paint| {
        let own = plain[paint.area];
        Paint {
            switch: paint.switch.or(own.switch),
            tags: paint.tags | own.tags,
            ..paint
        }
    };
    let paint_of = |i: usize| {
        let t = &level.triangles[i];
        let role = level.roles[t.part as usize];
        if t.up <= 0 || !matches!(role, Role::Ground | Role::Floor) {
            return plain[0];
        }
        let Some(piece) = pieces.get(i) else {
            return effective(of_part[t.part as usize]);
        };
        let mut paint = of_part[before[piece.of as usize] as usize];
        for &number in &piece.within {
            let volume = &config.volumes[number as usize];
            let said = Said {
                area: volume.area.as_ref(),
                switch: volume.switch.as_ref(),
                tags: &volume.tags,
            };
            names.lay_over(&mut paint, config, said);
        }
        effective(paint)
    };
    // Each kind by a number as it comes, then by its place among all: plain areas first, the others in an order of their own.
    let mut numbers: BTreeMap<Paint, u32> = plain.iter().copied().zip(0..).collect();
    let of_triangle: Vec<u32> = (0..level.triangles.len())
        .map(|i| {
            let next = numbers.len() as u32;
            *numbers.entry(paint_of(i)).or_insert(next)
        })
        .collect();
    if numbers.len() > MAX_AREAS {
        return Err(BakeError::input(
            place,
            format!(
                "the level has {} kinds of ground, by area, switch and tags; at most {MAX_AREAS} can be told apart: use fewer switches and tags on ground",
                numbers.len()
            ),
        ));
    }
    let mut kinds = plain.clone();
    kinds.extend(numbers.keys().filter(|paint| !plain.contains(paint)));
    let mut places = vec![0u8; kinds.len()];
    for (place, paint) in kinds.iter().enumerate() {
        places[numbers[paint] as usize] = place as u8; // fewer than 64
    }
    for (t, number) in level.triangles.iter_mut().zip(of_triangle) {
        t.area = places[number as usize];
    }
    level.areas = kinds.iter().map(|p| names.area_of(p)).collect();
    Ok(())
}

fn judge_tags(parts: &[Part], config: &Config, place: &str) -> Result<(), BakeError> {
    for part in parts {
        tags_are_known(&part.given.tags, config, place)?;
    }
    Ok(())
}

/// Does the config have a name for each tag that the level's author used?
///
/// # Errors
/// When it has not.
pub(crate) fn tags_are_known(
    tags: &[navbake_level::Tag],
    config: &Config,
    place: &str,
) -> Result<(), BakeError> {
    for tag in tags {
        if let navbake_level::Tag::Name(name) = tag
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

fn volumes(level: &Level, config: &Config) -> Result<Vec<Volume>, BakeError> {
    let mut volumes = vec![];
    for (i, v) in config.volumes.iter().enumerate() {
        let shape = match (&v.corners, &v.polygon, v.y) {
            (Some([a, b]), _, _) => Volume::between(*a, *b, &level.grid),
            (None, Some(polygon), Some(y)) => Volume::prism(polygon, y, &level.grid),
            _ => continue, // the judge leaves none
        };
        let volume = shape.map_err(|error| {
            let found = format!("{}: {error}", name_of_volume(i, &v.name));
            let key = if v.corners.is_some() {
                "box"
            } else {
                "polygon"
            };
            config.in_its_file(config.fault(&format!("volume[{i}].{key}"), found))
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

fn warn_of_idle(pieces: &[Piece], config: &Config, warnings: &mut Vec<Warning>) {
    let mut used = vec![false; config.volumes.len()];
    for number in pieces.iter().flat_map(|p| &p.within) {
        used[*number as usize] = true;
    }
    for (i, volume) in config.volumes.iter().enumerate().filter(|(i, _)| !used[*i]) {
        warnings.push(Warning {
            code: "volume-holds-no-ground",
            message: format!(
                "no ground lies in {}; it has no effect",
                name_of_volume(i, &volume.name)
            ),
            place: format!("[[volume]] {}", i + 1),
        });
    }
}

/// The area of each terrain of a grid map, by the number of the terrain; those beyond are ground.
pub(crate) fn of_terrains(names: &Names, config: &Config) -> Vec<u8> {
    let areas = config.terrain.names.iter();
    areas.map(|name| names.area(name) as u8).collect() // fewer than 64
}

#[cfg(test)]
mod tests;
