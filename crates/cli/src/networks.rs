//! The route network that an option names.

use navbake_format::{CheckedBlob, NetworkView};
use navbake_search::NavMesh;

use crate::failure::Failure;

/// The network of a name on a mesh, or its first.
///
/// # Errors
/// If the blob has none, or none of this name for the agent.
pub(crate) fn network<'a>(
    blob: &CheckedBlob<'a>,
    mesh: &NavMesh<'_>,
    wanted: Option<&str>,
    name: &str,
) -> Result<NetworkView<'a>, Failure> {
    let all: Vec<NetworkView<'a>> = blob.networks(mesh.class()).collect();
    let names: Vec<&str> = all.iter().map(|network| network.name).collect();
    let found = match wanted {
        None => all.first(),
        Some(wanted) => all.iter().find(|network| network.name == wanted),
    };
    found.copied().ok_or_else(|| match (wanted, names.as_slice()) {
        (_, []) => Failure::usage(format_args!(
            "{name}: no route network for this agent in it; bake with a [[network]] in the config"
        )),
        (Some(wanted), _) => Failure::usage(format_args!(
            "{name}: no network `{wanted}` for this agent; it has {}",
            names.join(", ")
        )),
        (None, _) => Failure::usage(format_args!("{name}: no network")),
    })
}
