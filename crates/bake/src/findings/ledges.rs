//! Borders of the navmesh over a drop, as remarks.

use navbake_format::DiagnosticKind;
use navbake_level::{Agent, Level};

use super::Remark;
use crate::auto_links::{Ledge, Ledges, Solids};
use crate::config::Surface;
use crate::error::BakeError;
use crate::linked::checked;
use crate::run::Run;

impl Run<'_> {
    /// Ledges of each class's navmesh with a drop of more than `least` m.
    pub(super) fn ledges(
        &self,
        level: &Level,
        agents: &[&Agent],
        least: f64,
        bytes: &[u8],
    ) -> Result<Vec<Remark>, BakeError> {
        let blob = checked(bytes)?;
        let solids = Solids::new(level);
        let is_inset = self.job.config.surface == Surface::Voxel;
        let mut remarks = vec![];
        for (class, agent) in (0u16..).zip(agents) {
            if let Some(mesh) = blob.mesh(class) {
                let ledges = Ledges::new(mesh, &solids, (agent, &level.grid), is_inset, least);
                let told = ledges.all().into_iter();
                remarks.extend(told.map(|ledge| remark(level, class, least, &ledge)));
            }
        }
        Ok(remarks)
    }
}

fn remark(level: &Level, class: u16, least: f64, ledge: &Ledge) -> Remark {
    let grid = &level.grid;
    let at = [0, 1, 2].map(|k| ledge.at[k] / grid.units() + grid.origin[k]);
    Remark {
        class: Some(class),
        value: ledge.fall.map_or(0.0, |fall| fall / grid.units()),
        limit: least,
        count: (ledge.length / grid.units() * 100.0).round() as u32,
        ..Remark::new(DiagnosticKind::Ledge, at)
    }
}
