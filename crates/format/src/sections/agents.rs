//! Agents and markers: the sections `agents` and `markers`.

use crate::place::{BLOB, Checked};
use crate::strings::StringRef;
use crate::{Blob, CheckedBlob, NavMesh, Section};

navbake_navmesh::record! {
    /// Section `agents`.
    pub(crate) struct AgentRecord: 40 {
        name: StringRef, class: u16, radius: f64, height: f64, climb: f64, slope: f64,
    }
}
navbake_navmesh::record! {
    /// Section `markers`.
    struct MarkerRecord: 32 { name: StringRef, reserved: u16, position: [f64; 3] }
}

/// A kind of agent that the blob was baked for. Metres and degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agent<'a> {
    /// The name that queries use.
    pub name: &'a str,
    /// Its class: the number of its mesh.
    pub class: u16,
    /// Radius of the upright cylinder, m.
    pub radius: f64,
    /// Height of the cylinder, m.
    pub height: f64,
    /// The highest step it takes, m.
    pub climb: f64,
    /// The steepest ground it walks on, degrees from level.
    pub slope: f64,
}

/// A named point of the level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker<'a> {
    /// Its name.
    pub name: &'a str,
    /// In y-up metres.
    pub position: [f64; 3],
}

impl NavMesh<'_> {
    /// The radius of the widest agent of this mesh and the height of the highest, metres.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// let [radius, height] = mesh.agent_size();
    /// assert!(radius >= 0.0 && height > 0.0);
    /// ```
    pub fn agent_size(&self) -> [f64; 2] {
        let own = self.file().agents().filter(|agent| agent.class == self.class());
        own.fold([0.0; 2], |[radius, height]: [f64; 2], agent| {
            [radius.max(agent.radius), height.max(agent.height)]
        })
    }
}

impl<'a> CheckedBlob<'a> {
    /// The agents that it was baked for.
    pub fn agents(&self) -> impl Iterator<Item = Agent<'a>> + use<'a> {
        let blob = self.blob();
        let records = blob.records::<AgentRecord>(Section::AGENTS, 0);
        records.iter().map(move |r| Agent {
            name: blob.name(r.name),
            class: r.class,
            radius: r.radius,
            height: r.height,
            climb: r.climb,
            slope: r.slope,
        })
    }

    /// The agent of that name.
    pub fn agent(&self, name: &str) -> Option<Agent<'a>> {
        self.agents().find(|a| a.name == name)
    }

    /// Named points, in the order in which they were written.
    pub fn markers(&self) -> impl Iterator<Item = Marker<'a>> + use<'a> {
        let blob = self.blob();
        let records = blob.records::<MarkerRecord>(Section::MARKERS, 0);
        records.iter().map(move |r| Marker { name: blob.name(r.name), position: r.position })
    }
}

/// Agents have a mesh and sizes, markers a place.
pub(crate) fn check(blob: &Blob<'_>) -> Checked {
    let section = Section::AGENTS;
    for (it, r) in BLOB.each(section, blob.records::<AgentRecord>(section, 0).iter()) {
        it.name(blob, r.name)?;
        it.refuse(r.class >= blob.class_count(), r.class, "an agent class with a mesh")?;
        for v in [r.radius, r.height, r.climb, r.slope] {
            let expected = "radius, height, climb and slope finite and not negative";
            it.amount(v, expected)?;
        }
    }
    let section = Section::MARKERS;
    for (it, r) in BLOB.each(section, blob.records::<MarkerRecord>(section, 0).iter()) {
        it.name(blob, r.name)?;
        it.reserved(r.reserved)?;
        if let Some(&c) = r.position.iter().find(|c| !c.is_finite()) {
            return it.fail(c, "a finite position");
        }
    }
    Ok(())
}

#[cfg(feature = "write")]
mod encoder {
    use alloc::vec::Vec;

    use super::{Agent, AgentRecord, Marker, MarkerRecord};
    use crate::Section;
    use crate::draft::{Draft, Drafts};
    use crate::strings::Strings;
    use crate::write::EncodeError;

    pub(crate) fn encode(
        agents: &[Agent<'_>],
        markers: &[Marker<'_>],
        strings: &mut Strings,
        drafts: &mut Drafts<'_>,
    ) -> Result<(), EncodeError> {
        let mut records = Vec::with_capacity(agents.len());
        for a in agents {
            records.push(AgentRecord {
                name: strings.add(a.name, "agent name")?,
                class: a.class,
                radius: a.radius,
                height: a.height,
                climb: a.climb,
                slope: a.slope,
            });
        }
        drafts.push(Draft::required(Section::AGENTS, 0, records));
        let mut records = Vec::with_capacity(markers.len());
        for m in markers {
            records.push(MarkerRecord {
                name: strings.add(m.name, "marker name")?,
                reserved: 0,
                position: m.position,
            });
        }
        drafts.push(Draft::required(Section::MARKERS, 0, records));
        Ok(())
    }
}

#[cfg(feature = "write")]
pub(crate) use encoder::encode;
