//! Agents, vehicles, weights and links.

use navbake_level::WEIGHT_RANGE;

use super::{Validity, unknown};
use crate::config::agents::ANYONE;
use crate::config::{Cell, Config, End, RoadRings, Row, VehicleConfig};
use crate::error::ConfigError;
use navbake_level::number::{LARGE, exact};

/// Links name agents by 32 bits.
const LINKED_AGENTS: usize = 32;
/// What to do about two agents or vehicles of one name.
const RENAME: &str = "; rename one, as queries use the name";

impl Config {
    pub(super) fn validate_agents(&self) -> Validity {
        if self.agents.len() > usize::from(u16::MAX) {
            return Err(ConfigError::new(format!(
                "there are {} agents; at most {} are possible",
                self.agents.len(),
                u16::MAX
            )));
        }
        for (i, agent) in self.agent_list().iter().enumerate() {
            let path = |key: &str| format!("agent[{i}].{key}");
            self.name_is_own(["agent", "agents"], i, |k| &self.agents[k].name, RENAME)?;
            // Here, with a power of ten: the general message would have all digits.
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
                let found =
                    format!("agent `{}`: {key} {} is far out of range", agent.name, exact(value));
                return Err(self.fault_of(&path(key), value, found));
            }
            if let Some((key, message)) = agent.fault_at() {
                let value = numbers.iter().find(|(k, _)| *k == key);
                let value = value.map_or(0.0, |(_, v)| *v);
                return Err(self.fault_of(&path(key), value, message));
            }
        }
        Ok(())
    }

    pub(super) fn validate_vehicles(&self) -> Validity {
        for (i, vehicle) in self.vehicles.iter().enumerate() {
            self.name_is_own(["vehicle", "vehicles"], i, |k| &self.vehicles[k].name, RENAME)?;
            let known = |name: &String| self.agents.iter().any(|a| a.name == *name);
            if let Some(agent) = vehicle.agent.as_ref().filter(|name| !known(name)) {
                let names: Vec<&str> = self.agents.iter().map(|a| a.name.as_str()).collect();
                let found = format!(
                    "vehicle `{}`: there is no agent `{agent}`; the agents are: {}",
                    vehicle.name,
                    names.join(", ")
                );
                return Err(self.fault(&format!("vehicle[{i}].agent"), found));
            }
            if let Some(tile) = vehicle.tile.filter(|t| !(1e-3..=1e4).contains(t)) {
                let found = format!(
                    "vehicle `{}`: a tile of {tile} m: expected 0.001 to 10000",
                    vehicle.name
                );
                return Err(self.fault(&format!("vehicle[{i}].tile"), found));
            }
            self.validate_driving(&format!("vehicle[{i}]"), vehicle)?;
        }
        Ok(())
    }

    /// Roads of a vehicle, and its directions.
    fn validate_driving(&self, path: &str, vehicle: &VehicleConfig) -> Validity {
        let fault = |key: &str, found: &str| {
            let found = format!("vehicle `{}`: {found}", vehicle.name);
            Err(self.fault(&format!("{path}.{key}"), found))
        };
        match vehicle.directions {
            Some(count) if ![8, 16].contains(&count) => {
                return fault("directions", &format!("{count} directions: expected 8 or 16"));
            }
            Some(_) if !vehicle.speeds.is_empty() => {
                let found = "`directions` do not go with `speeds`: leave one of them out";
                return fault("directions", found);
            }
            _ => {}
        }
        let Some(roads) = &vehicle.roads else {
            return Ok(());
        };
        if roads.areas.is_empty() {
            return fault("roads", "`areas` of its roads is empty: name one, or leave `roads` out");
        }
        for (k, name) in roads.areas.iter().enumerate() {
            self.area_is_known(&format!("{path}.roads.areas[{k}]"), Some(name))?;
        }
        if let Some(cost) = roads.off_road.filter(|cost| cost.is_nan() || *cost < 1.0) {
            let found = format!("`off_road` of {}: expected 1 or more, or inf", exact(cost));
            return fault("roads.off_road", &found);
        }
        match &roads.rings {
            Some(RoadRings::Tiles(0)) => {
                fault("roads.rings", "0 `rings`: expected 1 or more, or \"turn\"")
            }
            Some(RoadRings::Word(word)) if word != "turn" => {
                let found = format!("`rings` of \"{word}\": expected a number, or \"turn\"");
                fault("roads.rings", &found)
            }
            _ => Ok(()),
        }
    }

    pub(super) fn validate_weights(&self) -> Validity {
        let table = &self.weights;
        for (i, name) in table.columns.iter().enumerate() {
            let path = format!("weights.columns[{i}]");
            self.area_is_known(&path, Some(name))?;
            if table.columns[..i].contains(name) {
                let found = format!("`{name}` is twice in `weights.columns`");
                return Err(self.fault(&path, found));
            }
        }
        for (unit, row) in &table.units {
            self.validate_row(&format!("weights.units.{unit}"), unit, row)?;
        }
        for (task, units) in &table.tasks {
            if task.is_empty() {
                let found = "a task in `weights.tasks` has an empty name";
                return Err(self.fault("weights.tasks.", found));
            }
            for (unit, row) in units {
                self.validate_row(&format!("weights.tasks.{task}.{unit}"), unit, row)?;
            }
        }
        Ok(())
    }

    fn validate_row(&self, path: &str, unit: &str, row: &Row) -> Validity {
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

    pub(super) fn validate_links(&self) -> Validity {
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
            for (k, name) in link.agents.iter().flatten().enumerate() {
                self.agent_is_known(&path(&format!("agents[{k}]")), name)?;
            }
            if link.agents.as_ref().is_some_and(Vec::is_empty) {
                let found = format!(
                    "`{}` is empty: no agent could take the link; leave it out for all agents",
                    path("agents")
                );
                return Err(self.fault(&path("agents"), found));
            }
            if link.agents.is_some() && self.agents.len() > LINKED_AGENTS {
                let found = format!(
                    "links can name the first {LINKED_AGENTS} agents, and there are {}; leave `agents` out",
                    self.agents.len()
                );
                return Err(self.fault(&path("agents"), found));
            }
            self.switch_is_known(&path("switch"), &link.switch)?;
            self.tags_are_known(&path("tags"), &link.tags)?;
        }
        Ok(())
    }

    pub(super) fn validate_auto_links(&self) -> Validity {
        let settings = &self.auto_links;
        let counts = [
            ("max_links", settings.max_links),
            ("max_links_per_cube", settings.max_links_per_cube),
        ];
        for (key, count) in counts {
            if count == 0 {
                let path = format!("auto_links.{key}");
                let found = format!(
                    "`{path}` is 0; for no such links at all leave `drop` and `jump` of the agents at 0"
                );
                return Err(self.fault(&path, found));
            }
        }
        Ok(())
    }
}
