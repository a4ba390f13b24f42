//! The table of weights, from its rows.

use std::collections::BTreeMap;

use navbake_level::{WeightRow, Weights};

use super::agents::{ANYONE, Cell, Row};
use super::settings::Config;

impl Config {
    /// The table of weights over areas of these names, in their order: for every agent its plain
    /// row and one for each task that has one for it. No rows at all when the config has none. Of a
    /// config that came from [`Config::resolved`].
    pub fn weights(&self, areas: &[&str]) -> Weights {
        let table = &self.weights;
        let mut rows = vec![];
        let are_level = self.agents.iter().all(|a| a.uphill == 0.0 && a.downhill == 0.0);
        let is_plain = table.units.is_empty() && table.tasks.is_empty();
        if is_plain && are_level && !self.has_fields() {
            return Weights { rows };
        }
        for (number, agent) in self.agents.iter().enumerate() {
            let row_of = |rows: &BTreeMap<String, Row>, by_area: &mut [Option<f64>]| {
                let Some(row) = rows.get(&agent.name).or_else(|| rows.get(ANYONE)) else {
                    return false;
                };
                for (area, cell, _) in row.cells(&table.columns) {
                    let weight = match cell {
                        Cell::Number(w) if *w < table.limit => Some(*w),
                        _ => None,
                    };
                    let same = areas.iter().zip(&mut *by_area).filter(|(a, _)| **a == area);
                    same.for_each(|(_, to)| *to = weight);
                }
                true
            };
            let mut plain = vec![Some(1.0); areas.len()];
            row_of(&table.units, &mut plain);
            let row = |name: &str, by_area| WeightRow {
                name: name.into(),
                agent: number as u16, // their number is validated
                by_area,
                uphill: agent.uphill,
                downhill: agent.downhill,
            };
            rows.push(row("", plain.clone()));
            for (task, units) in &table.tasks {
                let mut by_area = plain.clone();
                if row_of(units, &mut by_area) {
                    rows.push(row(task, by_area));
                }
            }
        }
        Weights { rows }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_both_forms_give_the_same_and_tasks_stand_on_plain_rows() {
        let head = "[[agent]]\nname = \"elf\"\n[[agent]]\nname = \"orc\"\n[[area]]\nname = \"mud\"\n[[area]]\nname = \"road\"\n[[area]]\nname = \"sea\"\n";
        let list = "[weights]\ncolumns = [\"road\", \"mud\", \"sea\"]\n[weights.units]\nelf = [1, 2.5, \"x\"]\n";
        let table = "[weights.units]\nelf = { mud = 2.5, sea = 100 }\n";
        let rest = "[weights.tasks.stealth]\nelf = { road = 4 }\n[weights.tasks.haste]\n\"*\" = { mud = 1.5 }\n";
        let areas = ["ground", "mud", "road", "sea", "mud"];
        let rows = |table: &str| {
            let config = Config::parse(&format!("{head}{table}{rest}")).unwrap();
            config.resolved(false).unwrap().weights(&areas).rows
        };
        let found = rows(list);
        assert_eq!(found, rows(table));
        let listed: Vec<(&str, u16, &[Option<f64>])> =
            found.iter().map(|r| (r.name.as_str(), r.agent, &r.by_area[..])).collect();
        let (one, mud) = (Some(1.0), Some(2.5));
        assert_eq!(
            listed,
            [
                ("", 0, &[one, mud, one, None, mud][..]),
                ("haste", 0, &[one, Some(1.5), one, None, Some(1.5)]),
                ("stealth", 0, &[one, mud, Some(4.0), None, mud]),
                ("", 1, &[one; 5]),
                ("haste", 1, &[one, Some(1.5), one, one, Some(1.5)]),
            ]
        );
        assert!(Config::parse(head).unwrap().weights(&areas).rows.is_empty());
    }
}
