//! `--closed`: the switches that block parts of a navmesh during a query.

use clap::Args;
use navbake_search::blob::CheckedBlob;
use navbake_search::{NavMesh, QueryFilter};

use crate::failure::Failure;

/// The closed switches.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Closed {
    /// Close these switches and open all others; an empty list opens all [default: as baked]
    #[arg(long = "closed", value_name = "SWITCH,..", value_delimiter = ',')]
    switches: Option<Vec<String>>,
}

impl Closed {
    /// Blocks the parts of a navmesh that the closed switches and blocked areas block.
    ///
    /// # Errors
    /// If the blob, named `file`, has no such switch.
    pub(crate) fn block(
        &self,
        filter: &mut QueryFilter,
        blob: &CheckedBlob<'_>,
        mesh: &NavMesh<'_>,
        areas: u64,
        file: &str,
    ) -> Result<(), Failure> {
        let switches = self.bits(blob, file)?;
        if areas == 0 && switches.iter().all(|&word| word == 0) {
            return Ok(());
        }
        filter.set_blocked(mesh, &switches, areas).map_err(Failure::internal)
    }

    /// Refuses the option for a planner without switches.
    ///
    /// # Errors
    /// If it is given.
    pub(crate) fn refuse(&self, planner: &str) -> Result<(), Failure> {
        match self.switches {
            None => Ok(()),
            Some(_) => Err(Failure::usage(format_args!(
                "--closed applies to planners on the navmesh, not to {planner}"
            ))),
        }
    }

    /// The closed switches, one bit each: those given, else those that are closed in the blob.
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
                    None if blob.switches().len() == 0 => "it has no switches".into(),
                    None => "`navbake info` lists them".into(),
                };
                return Err(Failure::usage(format_args!("{file}: no switch `{wanted}`; {hint}")));
            }
        }
        Ok(bits)
    }
}
