//! Places links on the navmeshes: those that config and level draw, and drops and jumps found.
//!
//! Both are placed on the navmesh that games search. Links are found on the mesh that has the drawn
//! ones, so that a drop beside a ladder is not worth a link of its own.

use navbake_autolink::{Reach, Solids};
use navbake_format::write::LinkParts;
use navbake_format::{LinkKind, NavMeshBuf};
use navbake_hierarchy::ClassMesh;
use navbake_level::{Agent, Warning};
use navbake_search::NavQuery;

use crate::config::Surface;
use crate::error::BakeError;
use crate::file::{Encoded, FileParts};
use crate::input::BakeInput;
use crate::link_ends::{self, LinkedClass, PolygonNumbers};
use crate::recorder::Recorder;
use crate::summary::Links;

/// The links of each class.
type LinksByClass<'l> = Vec<Vec<LinkParts<'l>>>;

/// Adds the links of all classes to the file, and counts them.
///
/// `encoded` has the meshes without links. [`Encoded::update`] adds those that it lacks afterwards.
pub(crate) fn add_links<'a>(
    input: &'a BakeInput,
    meshes: &[ClassMesh],
    class_of_agent: &[usize],
    encoded: &mut Encoded,
    parts: &mut FileParts<'a>,
    rec: &mut Recorder<'_>,
) -> Result<Links, BakeError> {
    let mut counts = Links::default();
    let agents = input.config.agent_list();
    let are_found = agents.iter().any(|a| a.drop > 0.0 || a.jump > 0.0);
    let are_drawn = !input.level.links.is_empty();
    if !are_drawn && !are_found {
        return Ok(counts);
    }
    let numbers: Vec<PolygonNumbers> =
        rec.serial("links", || meshes.iter().map(|m| PolygonNumbers::of(&m.mesh)).collect())?;
    let linker = Linker { input, agents: &agents, class_of_agent, numbers: &numbers };
    if are_drawn {
        let (mut warnings, mut diagnostics) = (vec![], vec![]);
        let nav = encoded.meshes(rec)?;
        let drawn = || linker.drawn(nav, &mut warnings, &mut diagnostics);
        parts.links = rec.serial("links", drawn)?;
        rec.warnings.extend(warnings);
        rec.diagnostics.extend(diagnostics);
    }
    counts.drawn = parts.links.iter().map(|l| l.len() as u64).sum();
    if !are_found {
        return Ok(counts);
    }
    if input.map.is_some() {
        let message = "an agent has `drop` or `jump`, and a grid map has neither ledges nor gaps: no links were looked for";
        rec.warn("no-auto-links", &input.place, message.into());
        return Ok(counts);
    }
    encoded.update(parts, rec)?;
    let nav = encoded.meshes(rec)?;
    let (found, warnings) = rec.parallel("links", || linker.found(nav))?;
    rec.warnings.extend(warnings);
    for link in found.iter().flatten() {
        match link.kind {
            LinkKind::Drop => counts.drops += 1,
            _ => counts.jumps += 1,
        }
    }
    for (own, found) in parts.links.iter_mut().zip(found) {
        own.extend(found);
    }
    Ok(counts)
}

/// Does the config or the level have links, or an agent any that are looked for?
pub(crate) fn has_links(input: &BakeInput) -> bool {
    let mut agents = input.config.agents.iter();
    !input.level.links.is_empty() || agents.any(|a| a.drop > 0.0 || a.jump > 0.0)
}

/// A link from one polygon to another, for some agents, one bit each.
pub(crate) struct WayAcross {
    pub(crate) polygons: [u32; 2],
    pub(crate) agents: u32,
}

/// The links of each class on meshes that still have islands which no seed reaches. What there is
/// to report of links is reported on the final meshes.
pub(crate) fn ways(
    input: &BakeInput,
    meshes: &[ClassMesh],
    class_of_agent: &[usize],
    rec: &mut Recorder<'_>,
) -> Result<Vec<Vec<WayAcross>>, BakeError> {
    let mut parts = FileParts::new(input, meshes, class_of_agent);
    let mut encoded = Encoded::new(&parts, rec)?;
    let reports = (rec.warnings.len(), rec.diagnostics.len());
    add_links(input, meshes, class_of_agent, &mut encoded, &mut parts, rec)?;
    rec.warnings.truncate(reports.0);
    rec.diagnostics.truncate(reports.1);
    let way = |l: &LinkParts<'_>| WayAcross { polygons: [l.from.0, l.to.0], agents: l.agents };
    Ok(parts.links.iter().map(|links| links.iter().map(way).collect()).collect())
}

/// What decides the links of a class.
struct Linker<'r, 'a> {
    input: &'a BakeInput,
    agents: &'r [Agent],
    class_of_agent: &'r [usize],
    /// A class an entry.
    numbers: &'r [PolygonNumbers],
}

impl<'a> Linker<'_, 'a> {
    /// The agents of a class with their bits; those beyond the 32nd have none.
    fn members(&self, class: usize) -> Vec<(u32, &Agent)> {
        let all = (0u32..).zip(self.agents.iter().zip(self.class_of_agent));
        let own = all.filter(|(_, (_, c))| **c == class);
        own.map(|(k, (agent, _))| (1u32.checked_shl(k).unwrap_or(0), agent)).collect()
    }

    /// Links of the config and the level.
    fn drawn(
        &self,
        meshes: &[NavMeshBuf],
        warnings: &mut Vec<Warning>,
        diagnostics: &mut Vec<navbake_lint::Diagnostic>,
    ) -> LinksByClass<'a> {
        let of_class = |(class, (numbers, nav)): (usize, (&PolygonNumbers, &NavMeshBuf))| {
            let members = self.members(class);
            let Some((_, agent)) = members.first() else {
                return vec![];
            };
            let of = LinkedClass {
                class: class as u16, // as many as agents, whose number is checked
                agent,
                agents: members.iter().fold(0, |all, (bit, _)| all | bit),
                numbers,
            };
            let links = &self.input.level.links;
            link_ends::place(&of, nav.mesh(), links, warnings, diagnostics)
        };
        self.numbers.iter().zip(meshes).enumerate().map(of_class).collect()
    }

    /// Drops and jumps along borders.
    fn found(&self, meshes: &[NavMeshBuf]) -> (LinksByClass<'a>, Vec<Warning>) {
        let BakeInput { level, config, .. } = self.input;
        let solids = Solids::new(level);
        let is_inset = config.surface == Surface::Generate;
        let settings = config.auto_links.settings();
        let (mut all, mut warnings) = (vec![], vec![]);
        for (class, (numbers, nav)) in self.numbers.iter().zip(meshes).enumerate() {
            let reach = Reach::of(&self.members(class), &level.grid, is_inset);
            let mut links = vec![];
            if let Some(reach) = reach {
                let view = nav.mesh();
                let (found, left_out) =
                    navbake_autolink::find(&NavQuery::new(view), &solids, &reach, &settings);
                warnings.extend(left_out);
                let number = |(polygon, at)| Some((numbers.of_polygon(&view, polygon)?, at));
                links.extend(found.iter().filter_map(|link| {
                    Some(LinkParts {
                        from: number(link.from)?,
                        to: number(link.to)?,
                        cost: link.cost,
                        width: link.width as f32,
                        agents: link.agents,
                        switch: None,
                        kind: link.kind,
                        name: "",
                    })
                }));
            }
            all.push(links);
        }
        (all, warnings)
    }
}
