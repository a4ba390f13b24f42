//! Cost fields: ground around points and areas that costs more the nearer it is.

use navbake_level::Area;
use serde::{Deserialize, Serialize};

use super::falloff::{Falloff, Profile};
use super::seed::Seed;
use super::settings::Config;

/// A cost field. Distances are those to the nearest of its sources, seen from above.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldConfig {
    /// Its name in messages.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Its sources: points, or markers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<Seed>,
    /// Its sources: areas.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub areas: Vec<String>,
    /// Its range around its sources, m.
    pub range: f64,
    /// The factor on the weight of ground at a source.
    #[serde(default = "peak")]
    pub peak: f64,
    /// How the cost falls from there.
    #[serde(default)]
    pub falloff: Falloff,
    /// How many bands the range is cut into, where their costs differ.
    #[serde(default = "bands")]
    pub bands: u32,
    /// How far above and below its sources it reaches, m; grid maps have one height.
    #[serde(default = "height")]
    pub height: f64,
    /// Agents that pay it; all by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agents: Option<Vec<String>>,
}

fn peak() -> f64 {
    3.0
}

fn bands() -> u32 {
    3
}

fn height() -> f64 {
    2.0
}

impl FieldConfig {
    /// Cost by the distance from a source. Bands are numbered as by [`Area::fields`].
    pub(crate) fn profile(&self) -> Profile {
        let FieldConfig { range, peak, falloff, bands, .. } = *self;
        Profile { range, peak, falloff, bands }
    }

    /// Does this agent pay it? Without a name: do all agents?
    fn is_for(&self, agent: Option<&str>) -> bool {
        let Some(agents) = &self.agents else { return true };
        agent.is_some_and(|agent| agents.iter().any(|own| own == agent))
    }
}

impl Config {
    /// Does clearance or a field change the cost of any ground?
    pub(crate) fn has_fields(&self) -> bool {
        self.clearance.profile().is_on() || !self.fields.is_empty()
    }

    /// The factor on the weight of ground of an area for an agent, by the bands of the area; without
    /// a name, the least for any agent. Rounded as in the blob.
    pub(crate) fn factor(&self, area: &Area, agent: Option<&str>) -> f64 {
        let fields = self.fields.iter().zip(area.fields);
        let own = fields.filter(|(field, _)| field.is_for(agent));
        let extra: f64 = own.map(|(field, band)| field.profile().extra_of(band)).sum();
        f64::from((1.0 + self.clearance.profile().extra_of(area.band) + extra) as f32)
    }

    /// The same by distances in m: from a wall, and from the nearest source of each field.
    pub(crate) fn factor_at(&self, wall: f64, fields: &[f64], agent: &str) -> f64 {
        let fields = self.fields.iter().zip(fields);
        let own = fields.filter(|(field, _)| field.is_for(Some(agent)));
        let extra: f64 = own.map(|(field, &distance)| field.profile().extra(distance)).sum();
        1.0 + self.clearance.profile().extra(wall) + extra
    }

    /// The greatest factor that there can be for an agent.
    pub(crate) fn greatest_factor(&self, agent: &str) -> f64 {
        self.factor_at(0.0, &vec![0.0; self.fields.len()], agent)
    }
}
