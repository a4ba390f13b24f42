//! How the page searches: lines of `key=value`, as the page writes them.
//!
//! Keys and values are those of `navbake query path`. `cost` and `paint` are the page's own: the
//! cost of an area, and a cell that is tried with another area or blocked.

use std::str::FromStr;

use navbake_gridpath::GridPlanner;
use navbake_search::path::{Ahead, Order};
use navbake_search::{AStar, Algorithm, Heuristic};

/// A planner by its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Planner {
    Polygons(Algorithm),
    Rooms,
    Cells(GridPlanner),
    Network,
}

impl FromStr for Planner {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Planner, &'static str> {
        match name {
            "network" => Ok(Planner::Network),
            navbake_rooms::NAME => Ok(Planner::Rooms),
            name => match name.parse() {
                Ok(planner) => Ok(Planner::Cells(planner)),
                Err(_) => name.parse().map(Planner::Polygons),
            },
        }
    }
}

/// A cell that is tried with another area, or blocked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Paint {
    pub(crate) cell: [i64; 2],
    /// `None`: blocked.
    pub(crate) area: Option<u8>,
}

/// Everything that a search is asked with but its ends.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    /// The number of the agent.
    pub(crate) agent: u16,
    pub(crate) task: String,
    pub(crate) planner: Planner,
    pub(crate) network: String,
    pub(crate) order: Order,
    /// `None`: the usual one of the planner.
    pub(crate) heuristic: Option<Heuristic>,
    pub(crate) weight: f64,
    pub(crate) ahead: Ahead,
    pub(crate) reverse: bool,
    pub(crate) partial: bool,
    pub(crate) corner_cutting: bool,
    pub(crate) turn_penalty: f64,
    pub(crate) unit_cells: u32,
    /// The numbers of the closed switches; `None`: as baked.
    pub(crate) closed: Option<Vec<usize>>,
    /// Costs of areas by name; infinite ones are blocked.
    pub(crate) costs: Vec<(String, f64)>,
    pub(crate) paints: Vec<Paint>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            agent: 0,
            task: String::new(),
            planner: Planner::Polygons(Algorithm::Optimal),
            network: String::new(),
            order: Order::default(),
            heuristic: None,
            weight: 1.0,
            ahead: Ahead::Least,
            reverse: false,
            partial: false,
            corner_cutting: false,
            turn_penalty: 0.0,
            unit_cells: 1,
            closed: None,
            costs: vec![],
            paints: vec![],
        }
    }
}

impl Settings {
    /// Reads the page's lines.
    ///
    /// # Errors
    /// Names the first line that it does not know.
    pub(crate) fn read(text: &str) -> Result<Settings, String> {
        let mut own = Settings::default();
        for line in text.lines() {
            let (key, value) = line.split_once('=').ok_or_else(|| format!("{line}: no value"))?;
            own.take(key, value).map_err(|expected| format!("{key} {value}: {expected}"))?;
        }
        Ok(own)
    }

    fn take(&mut self, key: &str, value: &str) -> Result<(), &'static str> {
        match key {
            "agent" => self.agent = number(value)?,
            "task" => self.task = value.into(),
            "planner" => self.planner = value.parse()?,
            "network" => self.network = value.into(),
            "order" => self.order = value.parse()?,
            "heuristic" => self.heuristic = Some(value.parse()?),
            "weight" => self.weight = at_least(value, 0.0)?,
            "cost-estimate" => self.ahead = value.parse()?,
            "reverse" => self.reverse = true,
            "partial" => self.partial = true,
            "corner-cutting" => self.corner_cutting = true,
            "turn-penalty" => self.turn_penalty = at_least(value, 0.0)?,
            "unit-cells" => self.unit_cells = number::<u32>(value)?.clamp(1, 64),
            "closed" => {
                let numbers = value.split(',').filter(|n| !n.is_empty());
                self.closed = Some(numbers.map(number).collect::<Result<_, _>>()?);
            }
            "cost" => {
                let (cost, area) = value.split_once(' ').ok_or("expected a cost and an area")?;
                // Weights of the file are above 0.
                self.costs.push((area.into(), at_least(cost, f64::from(f32::MIN_POSITIVE))?));
            }
            "paint" => {
                let mut parts = value.split(' ');
                let mut next = || parts.next().ok_or("expected column, row and area");
                let cell = [number(next()?)?, number(next()?)?];
                let area = next()?;
                let area = if area == "x" { None } else { Some(number(area)?) };
                self.paints.push(Paint { cell, area });
            }
            _ => return Err("not a setting"),
        }
        Ok(())
    }

    pub(crate) fn a_star(&self) -> AStar {
        AStar {
            order: self.order,
            heuristic: self.heuristic.unwrap_or_default(),
            weight: self.weight,
            ahead: self.ahead,
            reverse: self.reverse,
            max_open: None,
        }
    }

    /// The algorithm with its options; `auto` with options is `corridor`, as on the command line.
    pub(crate) fn algorithm(&self, planner: Algorithm) -> Algorithm {
        let a_star = self.a_star();
        match planner {
            Algorithm::Auto if a_star == AStar::default() => Algorithm::Auto,
            Algorithm::Auto | Algorithm::Corridor(_) => Algorithm::Corridor(a_star),
            Algorithm::Midpoints(_) => Algorithm::Midpoints(a_star),
            Algorithm::Weighted { .. } => self.weighted(),
            other => other,
        }
    }

    pub(crate) fn weighted(&self) -> Algorithm {
        let landmarks = self.heuristic == Some(Heuristic::Table);
        Algorithm::Weighted { gap: Algorithm::GAP, landmarks }
    }
}

fn number<T: FromStr>(text: &str) -> Result<T, &'static str> {
    text.parse().map_err(|_| "expected a whole number")
}

fn at_least(text: &str, least: f64) -> Result<f64, &'static str> {
    let value = text.parse::<f64>().ok().filter(|&v| v >= least);
    value.ok_or("expected a number, 0 or above")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_page_are_read_and_others_are_refused_by_name() {
        let text = "agent=2\nplanner=grid8\nheuristic=zero\nweight=1.5\nclosed=0,3\n\
                    cost=inf Deep Water\npaint=4 5 x\npaint=6 7 2";
        let own = Settings::read(text).unwrap();
        assert_eq!(own.planner, Planner::Cells(GridPlanner::Grid8));
        assert_eq!((own.agent, own.weight), (2, 1.5));
        assert_eq!(own.closed, Some(vec![0, 3]));
        assert_eq!(own.costs, [("Deep Water".into(), f64::INFINITY)]);
        assert_eq!(own.paints[0], Paint { cell: [4, 5], area: None });
        assert_eq!(own.paints[1].area, Some(2));
        for (wrong, named) in [("planner=best", "best"), ("weight=NaN", "NaN"), ("x=1", "x")] {
            let error = Settings::read(wrong).unwrap_err();
            assert!(error.contains(named), "{wrong}: {error}");
        }
    }
}
