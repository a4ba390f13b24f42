//! What a unit may use during a query, and what it costs: `--closed`, and the weights of the agent
//! and `--task`.

use std::collections::BTreeSet;

use clap::Args;
use navbake_search::blob::{CheckedBlob, WeightRow};
use navbake_search::{NavMesh, QueryFilter};

use crate::blob_file::AgentMesh;
use crate::failure::Failure;

/// The closed switches.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Closed {
    /// Close these switches and open all others; an empty list opens all [default: as baked]
    #[arg(long = "closed", value_name = "SWITCH,..", value_delimiter = ',')]
    switches: Option<Vec<String>>,
}

impl Closed {
    /// The filter of an agent and a task, by which every verb asks: the agent's links, its terrain
    /// costs, closed switches and forbidden areas.
    ///
    /// # Errors
    /// If the blob, named `file`, has no such switch or task.
    pub(crate) fn filter(
        &self,
        blob: &CheckedBlob<'_>,
        agent: &AgentMesh,
        task: Option<&str>,
        file: &str,
    ) -> Result<QueryFilter, Failure> {
        let mut filter = QueryFilter::new();
        filter.set_agents(agent.bit());
        if let Some(row) = costs(blob, task, agent.number, file)? {
            filter.set_weights(&row);
        }
        let impassable = filter.forbidden();
        self.block(&mut filter, blob, &agent.mesh(), impassable, file)?;
        Ok(filter)
    }

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

    /// Is the option given?
    pub(crate) fn is_given(&self) -> bool {
        self.switches.is_some()
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

/// Terrain costs of the agent: those of the task, else those without a name, if there are any.
pub(crate) fn costs<'a>(
    blob: &CheckedBlob<'a>,
    task: Option<&str>,
    agent: u16,
    file: &str,
) -> Result<Option<WeightRow<'a>>, Failure> {
    let Some(wanted) = task else {
        return Ok(blob.weights_for("", agent));
    };
    if let Some(row) = blob.weights_for(wanted, agent) {
        return Ok(Some(row));
    }
    let agents: Vec<&str> = (0u16..)
        .zip(blob.agents())
        .filter(|(number, _)| blob.weights_for(wanted, *number).is_some())
        .map(|(_, agent)| agent.name)
        .collect();
    if !agents.is_empty() {
        return Err(Failure::usage(format_args!(
            "{file}: task `{wanted}` has no weights for this agent; name one that has them with --agent: {}",
            agents.join(", ")
        )));
    }
    let names: BTreeSet<&str> = blob.weights().map(|row| row.name).collect();
    let known = names.iter().filter(|name| !name.is_empty());
    let known: Vec<String> = known.map(|name| format!("`{name}`")).collect();
    let hint = match known.as_slice() {
        [] => "it has no tasks".into(),
        known => format!("its tasks: {}", known.join(", ")),
    };
    Err(Failure::usage(format_args!("{file}: no task `{wanted}`; {hint}")))
}
