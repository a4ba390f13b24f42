//! `--closed`: what is closed while a blob is asked.

use clap::Args;
use navbake_search::{CheckedBlob, ClosingsBuffer, NavMesh, Query};

use crate::failure::Failure;

/// Which switches are closed.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Closed {
    /// Close what these switches close and open everything else; an empty list opens all
    /// [default: what is closed as the level begins]
    #[arg(long = "closed", value_name = "SWITCH,..", value_delimiter = ',')]
    switches: Option<Vec<String>>,
}

/// What is closed on a navmesh, if anything.
pub(crate) struct ClosedThings(Option<ClosingsBuffer>);

impl ClosedThings {
    /// The navmesh without what is closed.
    pub(crate) fn query<'a>(&'a self, mesh: NavMesh<'a>) -> Query<'a> {
        let query = Query::new(mesh);
        match &self.0 {
            Some(closings) => query.with_closings(closings.closings()),
            None => query,
        }
    }
}

impl Closed {
    /// What is closed on a navmesh of the blob, together with these areas; `file` names it in errors.
    ///
    /// # Errors
    /// When there is no switch of a name.
    pub(crate) fn on(
        &self,
        blob: &CheckedBlob<'_>,
        mesh: &NavMesh<'_>,
        areas: u64,
        file: &str,
    ) -> Result<ClosedThings, Failure> {
        let switches = self.bits(blob, file)?;
        let any = areas != 0 || switches.iter().any(|&word| word != 0);
        Ok(ClosedThings(any.then(|| {
            let mut closings = ClosingsBuffer::new(mesh);
            closings.close_with_areas(mesh, &switches, areas);
            closings
        })))
    }

    /// # Errors
    /// When something is asked to be closed, for a planner that keeps out of nothing.
    pub(crate) fn refuse(&self, planner: &str) -> Result<(), Failure> {
        match self.switches {
            None => Ok(()),
            Some(_) => Err(Failure::usage(format_args!(
                "--closed is for planners of the navmesh, and the planner is {planner}"
            ))),
        }
    }

    /// The switches that are closed, a bit each: those that were named, else those that the blob says are closed as the level begins.
    fn bits(&self, blob: &CheckedBlob<'_>, file: &str) -> Result<Vec<u64>, Failure> {
        let mut bits = vec![0u64; blob.switches().len().div_ceil(64)];
        let mut close = |number: usize| bits[number / 64] |= 1 << (number % 64);
        let Some(named) = &self.switches else {
            let closed = blob.switches().enumerate().filter(|(_, s)| s.closed);
            closed.for_each(|(number, _)| close(number));
            return Ok(bits);
        };
        // An empty list opens everything.
        for wanted in named.iter().filter(|name| !name.is_empty()) {
            let mut found = false;
            for (number, _) in (blob.switches().enumerate()).filter(|(_, s)| s.name == wanted) {
                close(number);
                found = true;
            }
            if !found {
                let hint = match navbake_bake::nearest_name(wanted, blob.switches().map(|s| s.name))
                {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if blob.switches().len() == 0 => "it has none".into(),
                    None => "`navbake info` lists them".into(),
                };
                return Err(Failure::usage(format_args!(
                    "{file}: there is no switch `{wanted}` in it; {hint}"
                )));
            }
        }
        Ok(bits)
    }
}
