//! Findings.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};

/// The severity of a finding. Greater is worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Probably not intended.
    Warning,
    /// The level violates its config.
    Error,
}

impl Severity {
    /// All of them, the worst first.
    pub const ALL: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Note];

    /// Their names, which [`FromStr`] reads.
    pub const NAMES: [&'static str; 3] = ["error", "warning", "note"];

    /// Its name in configs and reports.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl FromStr for Severity {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Severity, &'static str> {
        let mut all = Severity::ALL.into_iter();
        all.find(|severity| severity.name() == name).ok_or("expected error, warning or note")
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A number of a finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Its name in lower case with its unit: `width_m`, `slope_degrees`.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
}

/// An object of the level: its names, empty where the level has none.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Object {
    /// The path of node names from the scene's root; for OBJ the object or group.
    pub node: String,
    /// The mesh.
    pub mesh: String,
    /// The material.
    pub material: String,
}

impl Object {
    /// The name to call it by: the node, else the mesh, else the material.
    pub fn name(&self) -> &str {
        let names = [&self.node, &self.mesh, &self.material];
        names.into_iter().find(|n| !n.is_empty()).map_or("", |n| n)
    }
}

/// A problem or a change.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The code of its rule.
    pub rule: &'static str,
    /// Its severity.
    pub severity: Severity,
    /// The finding, in one sentence with its numbers; the remedy is in its rule.
    pub message: String,
    /// Its place, y-up metres with the origin added; `None` for the whole level.
    pub place: Option<[f64; 3]>,
    /// Its agent; `None` if it does not depend on one.
    pub agent: Option<String>,
    /// Names, such as those of two markers.
    ///
    /// With rule, agent and place they identify a finding.
    pub names: Vec<String>,
    /// The objects of the level to change, the most likely first.
    ///
    /// Empty where the level is not known, or no object is guilty.
    pub objects: Vec<Object>,
    /// Its numbers; JSON has them as an object.
    #[serde(serialize_with = "as_object")]
    pub figures: Vec<Figure>,
    /// A line or an outline to draw, y-up metres; may be empty.
    pub shape: Vec<[f64; 3]>,
}

/// Figures as an object from names to values.
pub(crate) fn as_object<S: Serializer>(figures: &[Figure], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(figures.iter().map(|figure| (figure.name, figure.value)))
}

impl Finding {
    /// Sets the place, y-up metres.
    pub fn at(mut self, place: [f64; 3]) -> Finding {
        self.place = Some(place);
        self
    }

    /// Sets the agent.
    pub fn of_agent(mut self, agent: impl Into<String>) -> Finding {
        self.agent = Some(agent.into());
        self
    }

    /// Adds a name.
    pub fn named(mut self, name: impl Into<String>) -> Finding {
        self.names.push(name.into());
        self
    }

    /// Adds a number.
    pub fn figure(mut self, name: &'static str, value: f64) -> Finding {
        self.figures.push(Figure { name, value });
        self
    }

    /// Adds objects that have a name, each once.
    pub fn with_objects(mut self, objects: impl IntoIterator<Item = Object>) -> Finding {
        for object in objects {
            if !object.name().is_empty() && !self.objects.contains(&object) {
                self.objects.push(object);
            }
        }
        self
    }

    /// Its area, m2; 0 without one.
    fn ground(&self) -> f64 {
        let area = self.figures.iter().find(|f| f.name == "area_m2");
        area.map_or(0.0, |f| f.value)
    }

    /// Sets a line or an outline to draw.
    pub fn shaped(mut self, shape: Vec<[f64; 3]>) -> Finding {
        self.shape = shape;
        self
    }
}

/// Sorts findings, the most severe first.
///
/// The further keys are rule, agent and names, then `area_m2` (largest first), then place and
/// message.
pub fn sort(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        let key = |f: &Finding| (std::cmp::Reverse(f.severity), f.rule);
        key(a)
            .cmp(&key(b))
            .then_with(|| a.agent.cmp(&b.agent))
            .then_with(|| a.names.cmp(&b.names))
            .then_with(|| b.ground().total_cmp(&a.ground()))
            .then_with(|| by_place(a.place, b.place))
            .then_with(|| a.message.cmp(&b.message))
    });
}

fn by_place(a: Option<[f64; 3]>, b: Option<[f64; 3]>) -> Ordering {
    match (a, b) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Less,
        (Some(_), None) => Ordering::Greater,
        (Some(a), Some(b)) => {
            let mut axes = a.iter().zip(&b).map(|(a, b)| a.total_cmp(b));
            axes.find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_depends_on_nothing_but_the_findings() {
        let one = |severity, x: f64| Finding {
            severity,
            ..Finding::new("marker-off-mesh", "m").at([x, 0.0, 0.0])
        };
        let mut found = vec![
            one(Severity::Note, 1.0),
            one(Severity::Error, 2.0),
            one(Severity::Error, -3.0),
            one(Severity::Warning, 0.0),
        ];
        sort(&mut found);
        let x: Vec<f64> = found.iter().filter_map(|f| Some(f.place?[0])).collect();
        assert_eq!(x, [-3.0, 2.0, 0.0, 1.0]);
        let once = found.clone();
        found.reverse();
        sort(&mut found);
        assert_eq!(found, once);
    }
}
