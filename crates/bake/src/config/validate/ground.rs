//! Areas, tags, switches, terrain, rules and volumes.

use navbake_level::number::exact;
use navbake_level::{Area, MAX_AREAS};

use super::{TAGS, Validity, unknown};
use crate::config::{Config, Terrain, colour};

impl Config {
    pub(super) fn validate_tags(&self) -> Validity {
        if self.tags.len() > TAGS {
            let found = format!("`tags` has {} names; there are {TAGS} tags", self.tags.len());
            return Err(self.fault("tags", found));
        }
        for (i, name) in self.tags.iter().enumerate() {
            if name.is_empty() || self.tags[..i].contains(name) {
                let found = format!("`tags[{i}]` is `{name}`; each needs a name of its own");
                return Err(self.fault(&format!("tags[{i}]"), found));
            }
        }
        let cure = ": name each once, and the same switch wherever it closes something";
        for i in 0..self.switches.len() {
            self.name_is_own(["switch", "switches"], i, |k| &self.switches[k].name, cure)?;
        }
        Ok(())
    }

    pub(super) fn validate_areas(&self) -> Validity {
        for (i, area) in self.areas.iter().enumerate() {
            let path = |key: &str| format!("area[{i}].{key}");
            if area.name == Area::GROUND {
                let found = format!(
                    "`{}` is an area already: all ground without another area; give this one another name",
                    Area::GROUND
                );
                return Err(self.fault(&path("name"), found));
            }
            self.name_is_own(["area", "areas"], i, |k| &self.areas[k].name, "; name each once")?;
            self.switch_is_known(&path("switch"), &area.switch)?;
            self.tags_are_known(&path("tags"), &area.tags)?;
            self.tags_are_known(&path("edge_tags"), &area.edge_tags)?;
        }
        let names = self.area_names();
        if names.len() > MAX_AREAS {
            let path = match self.terrain.names.is_empty() {
                true => format!("area[{}]", MAX_AREAS - 1),
                false => "terrain.names".into(),
            };
            let found = format!(
                "there are {} areas, `ground` counted; at most {MAX_AREAS} are possible",
                names.len()
            );
            return Err(self.fault(&path, found));
        }
        Ok(())
    }

    pub(super) fn validate_terrain(&self) -> Validity {
        let terrain = &self.terrain;
        for (i, name) in terrain.names.iter().enumerate() {
            if name.is_empty() || name == Terrain::BLOCKED {
                let found = format!("`terrain.names[{i}]` is `{name}`; give it another name");
                return Err(self.fault(&format!("terrain.names[{i}]"), found));
            }
        }
        if terrain.names.len() > 256 {
            let found = format!(
                "`terrain.names` has {} names; a map has at most 256 terrains",
                terrain.names.len()
            );
            return Err(self.fault("terrain.names", found));
        }
        if terrain.image.is_some() == terrain.colours.is_empty() {
            let found = "`terrain.image` and `terrain.colours` belong together: the one says the colours of cells, the other what they are";
            return Err(self.fault("terrain", found));
        }
        let mut known: Vec<([u8; 3], &str)> = vec![];
        for (key, name) in &terrain.colours {
            let path = format!("terrain.colours.{key}");
            let Some(rgb) = colour(key) else {
                let found = format!(
                    "`{key}` is no colour; write it as \"#rrggbb\", red, green and blue in two hexadecimal digits each"
                );
                return Err(self.fault(&path, found));
            };
            if let Some((_, other)) = known.iter().find(|(c, _)| *c == rgb) {
                let found = format!("`{key}` and `{other}` are the same colour");
                return Err(self.fault(&path, found));
            }
            known.push((rgb, key));
            let names = terrain.names.iter().map(String::as_str);
            let mut names = names.chain([Terrain::BLOCKED]);
            if !names.clone().any(|n| n == name) {
                let of = "a terrain of `terrain.names`, or `blocked`";
                return Err(self.fault(&path, unknown("terrain", name, of, &mut names)));
            }
        }
        Ok(())
    }

    pub(super) fn validate_heightmap(&self) -> Validity {
        let own = &self.heightmap;
        if let Some([low, high]) = own.heights.filter(|[low, high]| low >= high) {
            let (low, high) = (exact(low), exact(high));
            let found = format!(
                "`heightmap.heights` is [{low}, {high}]; give two numbers of metres, the lower one first"
            );
            return Err(self.fault("heightmap.heights", found));
        }
        if !matches!(own.bits, 8 | 16) {
            let found = format!("`heightmap.bits` is {}; it must be 8 or 16", own.bits);
            return Err(self.fault("heightmap.bits", found));
        }
        Ok(())
    }

    pub(super) fn validate_rules(&self) -> Validity {
        for (i, rule) in self.rules.iter().enumerate() {
            let path = |key: &str| format!("rule[{i}].{key}");
            let named = rule.node.is_some() || rule.mesh.is_some() || rule.material.is_some();
            if !named && rule.attribute.is_none() {
                let found = format!(
                    "`[[rule]]` {} has no pattern: give it `node`, `mesh`, `material` or `attribute`",
                    i + 1
                );
                return Err(self.fault(&path(""), found));
            }
            let says = rule.role.is_some() || rule.area.is_some() || rule.switch.is_some();
            if !says && rule.tags.is_empty() && rule.edge_tags.is_empty() {
                let found = format!(
                    "`[[rule]]` {} says nothing: give it `role`, `area`, `switch`, `tags` or `edge_tags`",
                    i + 1
                );
                return Err(self.fault(&path(""), found));
            }
            self.area_is_known(&path("area"), rule.area.as_deref())?;
            self.switch_is_known(&path("switch"), &rule.switch)?;
            self.tags_are_known(&path("tags"), &rule.tags)?;
            self.tags_are_known(&path("edge_tags"), &rule.edge_tags)?;
        }
        Ok(())
    }

    pub(super) fn validate_volumes(&self) -> Validity {
        for (i, volume) in self.volumes.iter().enumerate() {
            let path = |key: &str| format!("volume[{i}].{key}");
            let fault = |key: &str, what: &str| {
                Err(self.fault(&path(key), format!("`[[volume]]` {} {what}", i + 1)))
            };
            match (&volume.corners, &volume.polygon, &volume.y) {
                (Some(corners), None, None) => {
                    if corners.iter().flatten().any(|v| v.is_nan()) {
                        return fault("box", "has a corner that is not a number");
                    }
                }
                (None, Some(polygon), Some(y)) => {
                    if polygon.iter().flatten().any(|v| !v.is_finite()) {
                        return fault("polygon", "has a corner that is not a finite number");
                    }
                    if y.iter().any(|v| v.is_nan()) || y[0] > y[1] {
                        return fault("y", "must have two heights, the lower one first");
                    }
                }
                (Some(_), Some(_), _) => {
                    return fault("polygon", "has both `box` and `polygon`; it needs one of them");
                }
                (Some(_), None, Some(_)) => {
                    return fault("y", "has heights in `box` already; leave `y` out");
                }
                (None, Some(_), None) => {
                    return fault("polygon", "has no heights: give it `y`, as in y = [0.0, 3.0]");
                }
                (None, None, _) => {
                    return fault("", "has no shape: give it `box`, or `polygon` and `y`");
                }
            }
            let tagged = !(volume.tags.is_empty() && volume.edge_tags.is_empty());
            if volume.area.is_none() && volume.switch.is_none() && !tagged {
                let what = "says nothing: give it `area`, `switch`, `tags` or `edge_tags`";
                return fault("", what);
            }
            self.area_is_known(&path("area"), volume.area.as_deref())?;
            self.switch_is_known(&path("switch"), &volume.switch)?;
            self.tags_are_known(&path("tags"), &volume.tags)?;
            self.tags_are_known(&path("edge_tags"), &volume.edge_tags)?;
        }
        Ok(())
    }
}

impl Config {
    /// Areas of Detour's files have 6 bits.
    pub(super) fn validate_detour(&self) -> Validity {
        let links = self.detour.links.iter().map(|area| ("detour.links".to_owned(), area));
        let areas = self.detour.areas.iter();
        let areas = areas.map(|(name, area)| (format!("detour.areas.{name}"), area));
        for (path, area) in links.chain(areas) {
            if area.number > 63 {
                let found = format!("`{path}.number` is {}; Detour has areas 0 to 63", area.number);
                return Err(self.fault(&path, found));
            }
        }
        Ok(())
    }
}
