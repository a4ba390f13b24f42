//! The file with its links: those that the config and the level draw, and those that are found.
//!
//! Both stand on the ground that games see, which is that of the blob itself. So it is encoded without links first; then with those that were drawn, so that
//! what is found is weighed against them; then with all.

use navbake_format::write::LinkParts;
use navbake_format::{Blob, BlobError, CheckedBlob, LinkKind};
use navbake_level::{Agent, Warning};
use navbake_search::Query;

use crate::auto_links::{self, Reach, Solids};
use crate::config::Surface;
use crate::error::BakeError;
use crate::findings::Remark;
use crate::job::{Ground, Job};
use crate::link_ends::{self, Numbers};
use crate::run::{ClassMesh, Run, guarded};
use crate::summary::Links;

/// The links of each class.
type OfClasses<'l> = Vec<Vec<LinkParts<'l>>>;

impl<'a> Run<'a> {
    /// The bytes of the file; `encode` makes them with the links of each class.
    pub(crate) fn with_links(
        &mut self,
        navmeshes: &[ClassMesh],
        class_of_agent: &[usize],
        encode: impl Fn(&[Vec<LinkParts<'a>>]) -> Result<Vec<u8>, BakeError>,
    ) -> Result<Vec<u8>, BakeError> {
        let job = self.job;
        let agents = job.config.agent_list();
        let mut links: OfClasses<'a> = vec![vec![]; navmeshes.len()];
        let mut bytes = self.serial("encode", || encode(&links))??;
        let leap = agents.iter().any(|a| a.drop > 0.0 || a.jump > 0.0);
        if job.links().is_empty() && !leap {
            return Ok(bytes);
        }
        let numbers: Vec<Numbers> = self.serial("links", || {
            navmeshes.iter().map(|m| Numbers::of(&m.mesh)).collect()
        })?;
        let classes = Classes {
            job,
            agents: &agents,
            class_of_agent,
            numbers: &numbers,
        };
        let (mut warnings, mut remarks) = (vec![], vec![]);
        if !job.links().is_empty() {
            links = self.serial("links", || {
                classes.drawn(&bytes, &mut warnings, &mut remarks)
            })??;
            bytes = self.serial("encode", || encode(&links))??;
        }
        self.links.drawn = links.iter().map(|l| l.len() as u64).sum();
        if leap {
            self.options.report("links", 0, 1);
            let find = || classes.found(&bytes, &mut warnings);
            let found = guarded(|| "links".into(), find)??;
            self.clock.stage("links", true);
            self.options.report("links", 1, 1);
            self.links.count(found.iter().flatten());
            for (own, found) in links.iter_mut().zip(found) {
                own.extend(found);
            }
            bytes = self.serial("encode", || encode(&links))??;
        }
        self.warnings.extend(warnings);
        self.remarks.extend(remarks);
        Ok(bytes)
    }
}

impl Links {
    fn count<'l>(&mut self, found: impl Iterator<Item = &'l LinkParts<'l>>) {
        for link in found {
            match link.kind {
                LinkKind::Drop => self.drops += 1,
                _ => self.jumps += 1,
            }
        }
    }
}

/// What says which links a class has.
#[derive(Clone, Copy)]
struct Classes<'r, 'a> {
    job: &'a Job,
    agents: &'r [Agent],
    class_of_agent: &'r [usize],
    /// A class an entry.
    numbers: &'r [Numbers],
}

impl<'a> Classes<'_, 'a> {
    /// The agents of a class with their bits; those beyond the 32nd have none.
    fn members(&self, class: usize) -> Vec<(u32, &Agent)> {
        let all = (0u32..).zip(self.agents.iter().zip(self.class_of_agent));
        let own = all.filter(|(_, (_, c))| **c == class);
        own.map(|(k, (agent, _))| (1u32.checked_shl(k).unwrap_or(0), agent))
            .collect()
    }

    /// The links that somebody drew.
    fn drawn(
        &self,
        bytes: &[u8],
        warnings: &mut Vec<Warning>,
        remarks: &mut Vec<Remark>,
    ) -> Result<OfClasses<'a>, BakeError> {
        let blob = checked(bytes)?;
        let of_class = |(class, numbers): (usize, &Numbers)| {
            let members = self.members(class);
            let Some((_, agent)) = members.first() else {
                return vec![];
            };
            let of = link_ends::Of {
                class: class as u16, // as many as agents, whose number is checked
                agent,
                agents: members.iter().fold(0, |all, (bit, _)| all | bit),
                numbers,
            };
            link_ends::place(&of, &blob, self.job.links(), warnings, remarks)
        };
        Ok(self.numbers.iter().enumerate().map(of_class).collect())
    }

    /// The links that are found.
    fn found(&self, bytes: &[u8], warnings: &mut Vec<Warning>) -> Result<OfClasses<'a>, BakeError> {
        let blob = checked(bytes)?;
        let Ground::Level(level) = &self.job.ground else {
            warnings.push(Warning {
                code: "no-auto-links",
                message: "an agent has `drop` or `jump`, and a grid map has neither ledges nor gaps: no links were looked for".into(),
                place: self.job.place.clone(),
            });
            return Ok(vec![vec![]; self.numbers.len()]);
        };
        let solids = Solids::new(level);
        let is_inset = self.job.config.surface == Surface::Voxel;
        let mut all = vec![];
        for (class, numbers) in self.numbers.iter().enumerate() {
            let reach = Reach::of(&self.members(class), &level.grid, is_inset);
            let mut links = vec![];
            if let (Some(reach), Some(view)) = (reach, blob.mesh(class as u16)) {
                let settings = &self.job.config.auto_links;
                let found =
                    auto_links::find(&Query::new(view), &solids, &reach, settings, warnings);
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
        Ok(all)
    }
}

pub(crate) fn checked(bytes: &[u8]) -> Result<CheckedBlob<'_>, BakeError> {
    let blob = || -> Result<CheckedBlob<'_>, BlobError> { Blob::open(bytes)?.validate() };
    blob().map_err(|e| BakeError::internal("the file that was made", e.to_string()))
}
