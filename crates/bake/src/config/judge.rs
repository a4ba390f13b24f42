//! Refuses what cannot be: every fault names its line, its key, what was expected, and the nearest known name where a name is wrong.

use navbake_level::{Area, MAX_AREAS, WEIGHT_RANGE};

use super::agents::ANYONE;
use super::{Cell, Config, End, Row, Seed, TagConfig, Terrain, colour};
use crate::error::ConfigError;
use crate::nearest;
use crate::number::{LARGE, exact, point};

type Verdict = Result<(), ConfigError>;

/// Links name agents by 32 bits.
const LINKED_AGENTS: usize = 32;
/// Tags are 32 bits.
const TAGS: usize = 32;

impl Config {
    pub(super) fn judge(&self) -> Verdict {
        self.judge_numbers()?;
        self.judge_agents()?;
        self.judge_tags()?;
        self.judge_areas()?;
        self.judge_terrain()?;
        self.judge_rules()?;
        self.judge_volumes()?;
        self.judge_weights()?;
        self.judge_links()
    }

    /// A fault of the value at a path.
    pub(crate) fn fault(&self, path: &str, message: impl Into<String>) -> ConfigError {
        let fault = ConfigError::new(message);
        match self.lines.at(path) {
            Some(line) => fault.at_line(line),
            None => fault,
        }
    }

    /// The same for a number, which an option on the command line may have overridden.
    fn fault_of(&self, path: &str, number: f64, message: impl Into<String>) -> ConfigError {
        let fault = ConfigError::new(message);
        match self.lines.of_number(path, number) {
            Some(line) => fault.at_line(line),
            None => fault,
        }
    }

    fn judge_numbers(&self) -> Verdict {
        let above_zero = |key: &str, v: f64, unit: &str| {
            if v.is_finite() && v > 0.0 {
                return Ok(());
            }
            let found = format!(
                "`{key}` is {}{unit}; it must be a finite number above 0",
                exact(v)
            );
            Err(self.fault_of(key, v, found))
        };
        above_zero("scale", self.scale, "")?;
        above_zero("height_error", self.height_error, " m")?;
        if let Some(cell) = self.cell {
            above_zero("cell", cell, " m")?;
        }
        let min_region = self.min_region.unwrap_or(0.0);
        if !min_region.is_finite() || min_region < 0.0 {
            let found = format!(
                "`min_region` is {} m2; it must be a finite number, 0 or above",
                exact(min_region)
            );
            return Err(self.fault_of("min_region", min_region, found));
        }
        if let Some([least, greatest]) = self.bounds {
            for k in 0..3 {
                let (a, b) = (least[k], greatest[k]);
                if !a.is_finite() || !b.is_finite() || a >= b {
                    return Err(self.fault(
                        "bounds",
                        format!(
                            "`bounds`: along {} it goes from {} to {} m; the first corner must be the least one, and both finite",
                            ["x", "y", "z"][k],
                            exact(a),
                            exact(b)
                        ),
                    ));
                }
            }
        }
        if let Some(origin) = self.origin {
            self.finite("origin", origin)?;
        }
        for (i, seed) in self.seeds.iter().enumerate() {
            if let Seed::Point(p) = seed {
                self.finite(&format!("seeds[{i}]"), *p)?;
            }
        }
        if self.tables.budget != "none" {
            let found = format!(
                "`tables.budget` is `{}`: navbake {} bakes no tables yet; use \"none\"",
                self.tables.budget,
                env!("CARGO_PKG_VERSION")
            );
            return Err(self.fault("tables.budget", found));
        }
        Ok(())
    }

    fn finite(&self, path: &str, p: [f64; 3]) -> Verdict {
        if p.iter().all(|v| v.is_finite()) {
            return Ok(());
        }
        let found = format!("`{path}` is {}; it must be three finite numbers", point(p));
        Err(self.fault(path, found))
    }

    fn judge_agents(&self) -> Verdict {
        for (i, agent) in self.agent_list().iter().enumerate() {
            let path = |key: &str| format!("agent[{i}].{key}");
            if agent.name.is_empty() {
                let found = format!("`[[agent]]` {} has an empty `name`", i + 1);
                return Err(self.fault(&path("name"), found));
            }
            if self.agents[..i].iter().any(|a| a.name == agent.name) {
                let found = format!(
                    "two agents are called `{}`; queries could not tell them apart, so rename one",
                    agent.name
                );
                return Err(self.fault(&path("name"), found));
            }
            // Said here, with a power of ten: no such number is ever sound, and the general message has all its digits.
            let numbers = [
                ("radius", agent.radius),
                ("height", agent.height),
                ("climb", agent.climb),
                ("slope", agent.slope),
                ("drop", agent.drop),
                ("jump", agent.jump),
            ];
            let is_huge = |v: f64| v.is_finite() && v.abs() >= LARGE;
            if let Some((key, value)) = numbers.into_iter().find(|(_, v)| is_huge(*v)) {
                let found = format!(
                    "agent `{}`: {key} {} is far out of range",
                    agent.name,
                    exact(value)
                );
                return Err(self.fault_of(&path(key), value, found));
            }
            if let Some((key, message)) = agent.fault_at() {
                let value = numbers.iter().find(|(k, _)| *k == key);
                let value = value.map_or(0.0, |(_, v)| *v);
                return Err(self.fault_of(&path(key), value, message));
            }
        }
        if self.agents.len() > usize::from(u16::MAX) {
            return Err(ConfigError::new(format!(
                "there are {} agents; at most {} can be told apart",
                self.agents.len(),
                u16::MAX
            )));
        }
        Ok(())
    }

    fn judge_tags(&self) -> Verdict {
        if self.tags.len() > TAGS {
            let found = format!(
                "`tags` has {} names; there are {TAGS} tags",
                self.tags.len()
            );
            return Err(self.fault("tags", found));
        }
        for (i, name) in self.tags.iter().enumerate() {
            if name.is_empty() || self.tags[..i].contains(name) {
                let found = format!("`tags[{i}]` is `{name}`; each needs a name of its own");
                return Err(self.fault(&format!("tags[{i}]"), found));
            }
        }
        for (i, switch) in self.switches.iter().enumerate() {
            let path = format!("switch[{i}].name");
            if switch.name.is_empty() {
                let found = format!("`[[switch]]` {} has an empty `name`", i + 1);
                return Err(self.fault(&path, found));
            }
            if self.switches[..i].iter().any(|s| s.name == switch.name) {
                let found = format!(
                    "two switches are called `{}`: name each once, and the same switch wherever it closes something",
                    switch.name
                );
                return Err(self.fault(&path, found));
            }
        }
        Ok(())
    }

    fn judge_areas(&self) -> Verdict {
        for (i, area) in self.areas.iter().enumerate() {
            let path = |key: &str| format!("area[{i}].{key}");
            if area.name.is_empty() {
                let found = format!("`[[area]]` {} has an empty `name`", i + 1);
                return Err(self.fault(&path("name"), found));
            }
            if area.name == Area::GROUND {
                let found = format!(
                    "`{}` is an area already: ground that nobody says anything about; give this one another name",
                    Area::GROUND
                );
                return Err(self.fault(&path("name"), found));
            }
            if self.areas[..i].iter().any(|a| a.name == area.name) {
                let found = format!("two areas are called `{}`; name each once", area.name);
                return Err(self.fault(&path("name"), found));
            }
            self.switch_is_known(&path("switch"), &area.switch)?;
            self.tags_are_known(&path("tags"), &area.tags)?;
        }
        let names = self.area_names();
        if names.len() > MAX_AREAS {
            let path = match self.terrain.names.is_empty() {
                true => format!("area[{}]", MAX_AREAS - 1),
                false => "terrain.names".into(),
            };
            let found = format!(
                "there are {} areas, `ground` counted; at most {MAX_AREAS} can be told apart",
                names.len()
            );
            return Err(self.fault(&path, found));
        }
        Ok(())
    }

    fn judge_terrain(&self) -> Verdict {
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
        if terrain.image.is_some() != !terrain.colours.is_empty() {
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

    fn judge_rules(&self) -> Verdict {
        for (i, rule) in self.rules.iter().enumerate() {
            let path = |key: &str| format!("rule[{i}].{key}");
            if rule.node.is_none() && rule.mesh.is_none() && rule.material.is_none() {
                let found = format!(
                    "`[[rule]]` {} has no pattern: give it `node`, `mesh` or `material`",
                    i + 1
                );
                return Err(self.fault(&path(""), found));
            }
            let says = rule.role.is_some() || rule.area.is_some() || rule.switch.is_some();
            if !says && rule.tags.is_empty() {
                let found = format!(
                    "`[[rule]]` {} says nothing: give it `role`, `area`, `switch` or `tags`",
                    i + 1
                );
                return Err(self.fault(&path(""), found));
            }
            self.area_is_known(&path("area"), rule.area.as_deref())?;
            self.switch_is_known(&path("switch"), &rule.switch)?;
            self.tags_are_known(&path("tags"), &rule.tags)?;
        }
        Ok(())
    }

    fn judge_volumes(&self) -> Verdict {
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
                    return fault(
                        "polygon",
                        "has both `box` and `polygon`; it needs one of them",
                    );
                }
                (Some(_), None, Some(_)) => {
                    return fault("y", "has heights in `box` already; leave `y` out");
                }
                (None, Some(_), None) => {
                    return fault(
                        "polygon",
                        "has no heights: give it `y`, as in y = [0.0, 3.0]",
                    );
                }
                (None, None, _) => {
                    return fault("", "has no shape: give it `box`, or `polygon` and `y`");
                }
            }
            if volume.area.is_none() && volume.switch.is_none() && volume.tags.is_empty() {
                return fault("", "says nothing: give it `area`, `switch` or `tags`");
            }
            self.area_is_known(&path("area"), volume.area.as_deref())?;
            self.switch_is_known(&path("switch"), &volume.switch)?;
            self.tags_are_known(&path("tags"), &volume.tags)?;
        }
        Ok(())
    }

    fn judge_weights(&self) -> Verdict {
        let table = &self.weights;
        let greatest = WEIGHT_RANGE[1];
        if !(table.limit > 0.0 && table.limit <= greatest) {
            let found = format!(
                "`weights.limit` is {}; it must be a number above 0, {greatest} at most",
                exact(table.limit)
            );
            return Err(self.fault("weights.limit", found));
        }
        for (i, name) in table.columns.iter().enumerate() {
            let path = format!("weights.columns[{i}]");
            self.area_is_known(&path, Some(name))?;
            if table.columns[..i].contains(name) {
                let found = format!("`{name}` stands twice in `weights.columns`");
                return Err(self.fault(&path, found));
            }
        }
        for (unit, row) in &table.units {
            self.judge_row(&format!("weights.units.{unit}"), unit, row)?;
        }
        for (task, units) in &table.tasks {
            if task.is_empty() {
                let found = "a task in `weights.tasks` has an empty name";
                return Err(self.fault("weights.tasks.", found));
            }
            for (unit, row) in units {
                self.judge_row(&format!("weights.tasks.{task}.{unit}"), unit, row)?;
            }
        }
        Ok(())
    }

    fn judge_row(&self, path: &str, unit: &str, row: &Row) -> Verdict {
        let known = self.agents.iter().map(|a| a.name.as_str());
        if unit != ANYONE && !known.clone().any(|name| name == unit) {
            let of = "the name of an `[[agent]]`, or `*` for all others";
            return Err(self.fault(path, unknown("agent", unit, of, &mut known.clone())));
        }
        let columns = &self.weights.columns;
        if let Row::List(cells) = row
            && cells.len() != columns.len()
        {
            let found = format!(
                "the row of `{unit}` has {} weights, and `weights.columns` has {} areas: they must be as many",
                cells.len(),
                columns.len()
            );
            return Err(self.fault(path, found));
        }
        for (area, cell, place) in row.cells(columns) {
            let path = format!("{path}{place}");
            self.area_is_known(&path, Some(area))?;
            let least = WEIGHT_RANGE[0];
            let found = match cell {
                Cell::Number(w) if *w >= least => continue,
                Cell::Number(w) => exact(*w),
                Cell::Word(word) if word == "x" => continue,
                Cell::Word(word) => format!("\"{word}\""),
            };
            let found = format!(
                "the weight of `{area}` for `{unit}` is {found}; it must be a number above 0 ({least} at least), or \"x\" for blocked"
            );
            return Err(self.fault(&path, found));
        }
        Ok(())
    }

    fn judge_links(&self) -> Verdict {
        for (i, link) in self.links.iter().enumerate() {
            let path = |key: &str| format!("link[{i}].{key}");
            for (key, end) in [("from", &link.from), ("to", &link.to)] {
                if let End::Point(p) = end {
                    self.finite(&path(key), *p)?;
                }
            }
            if link.from == link.to {
                let found = format!("`[[link]]` {} ends where it begins", i + 1);
                return Err(self.fault(&path("to"), found));
            }
            let sizes = [("cost", link.cost.unwrap_or(0.0)), ("width", link.width)];
            for (key, value) in sizes {
                if !(0.0..LARGE).contains(&value) {
                    let found = format!(
                        "`{}` is {}; it must be a finite number, 0 or above",
                        path(key),
                        exact(value)
                    );
                    return Err(self.fault(&path(key), found));
                }
            }
            for (k, name) in link.agents.iter().flatten().enumerate() {
                self.agent_is_known(&path(&format!("agents[{k}]")), name)?;
            }
            if link.agents.as_ref().is_some_and(Vec::is_empty) {
                let found = format!(
                    "`{}` is empty: nobody could take the link; leave it out for all agents",
                    path("agents")
                );
                return Err(self.fault(&path("agents"), found));
            }
            if link.agents.is_some() && self.agents.len() > LINKED_AGENTS {
                let found = format!(
                    "links can tell {LINKED_AGENTS} agents apart, and there are {}; leave `agents` out",
                    self.agents.len()
                );
                return Err(self.fault(&path("agents"), found));
            }
            self.switch_is_known(&path("switch"), &link.switch)?;
            self.tags_are_known(&path("tags"), &link.tags)?;
        }
        Ok(())
    }

    fn agent_is_known(&self, path: &str, name: &str) -> Verdict {
        let mut known = self.agents.iter().map(|a| a.name.as_str());
        if known.clone().any(|k| k == name) {
            return Ok(());
        }
        let of = "the name of an `[[agent]]`";
        Err(self.fault(path, unknown("agent", name, of, &mut known)))
    }

    fn area_is_known(&self, path: &str, name: Option<&str>) -> Verdict {
        let Some(name) = name else { return Ok(()) };
        let names = self.area_names();
        if names.contains(&name) {
            return Ok(());
        }
        let of = "`ground`, or the name of an `[[area]]` or of a terrain";
        Err(self.fault(path, unknown("area", name, of, &mut names.into_iter())))
    }

    fn switch_is_known(&self, path: &str, name: &Option<String>) -> Verdict {
        let Some(name) = name else { return Ok(()) };
        if name.is_empty() {
            let found = format!("`{path}` is empty; give the switch a name");
            return Err(self.fault(path, found));
        }
        let mut known = self.switches.iter().map(|s| s.name.as_str());
        if self.switches.is_empty() || known.clone().any(|k| k == name) {
            return Ok(());
        }
        let of = "the name of a `[[switch]]`";
        Err(self.fault(path, unknown("switch", name, of, &mut known)))
    }

    fn tags_are_known(&self, path: &str, tags: &[TagConfig]) -> Verdict {
        for (i, tag) in tags.iter().enumerate() {
            let path = format!("{path}[{i}]");
            let found = match tag {
                TagConfig::Bit(bit) if (0..TAGS as i64).contains(bit) => continue,
                TagConfig::Name(name) if self.tags.contains(name) => continue,
                TagConfig::Bit(bit) => {
                    format!(
                        "`{path}` is {bit}; a tag is the number of a bit, 0 to {}",
                        TAGS - 1
                    )
                }
                TagConfig::Name(name) => {
                    let mut known = self.tags.iter().map(String::as_str);
                    let of = "a name of the list `tags` at the top";
                    unknown("tag", name, of, &mut known)
                }
            };
            return Err(self.fault(&path, found));
        }
        Ok(())
    }
}

/// What is said of a name that is not known.
pub(crate) fn unknown<'n>(
    what: &str,
    name: &str,
    expected: &str,
    known: &mut dyn Iterator<Item = &'n str>,
) -> String {
    let known: Vec<&str> = known.collect();
    let hint = match nearest::name(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? "),
        None => String::new(),
    };
    /// More names than this are not listed in a message.
    const LISTED: usize = 12;
    let listed: Vec<&str> = known.iter().copied().take(LISTED).collect();
    let more = match known.len().saturating_sub(LISTED) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let list = match listed.is_empty() {
        true => "there are none".into(),
        false => format!("known are: {}{more}", listed.join(", ")),
    };
    format!("there is no {what} `{name}`; {hint}expected {expected}; {list}")
}
