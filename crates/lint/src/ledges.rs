//! Borders of the navmesh over a drop.

use navbake_autolink::{Ledge, Ledges, Solids};
use navbake_format::{DiagnosticKind, NavMeshBuf};
use navbake_level::{Agent, Level};

use crate::Diagnostic;

/// Ledges of each class's navmesh with a drop of more than `least` m.
///
/// `agents` are those of each class, `meshes` are theirs, with links. `is_inset` is that of
/// [`Settings`](crate::Settings).
pub fn ledges(
    level: &Level,
    agents: &[&Agent],
    meshes: &[NavMeshBuf],
    least: f64,
    is_inset: bool,
) -> Vec<Diagnostic> {
    let solids = Solids::new(level);
    let mut found = vec![];
    for ((class, agent), nav) in (0u16..).zip(agents).zip(meshes) {
        let ledges = Ledges::new(nav.mesh(), &solids, (agent, &level.grid), is_inset, least);
        let all = ledges.all().into_iter();
        found.extend(all.map(|ledge| diagnostic(level, class, least, &ledge)));
    }
    found
}

fn diagnostic(level: &Level, class: u16, least: f64, ledge: &Ledge) -> Diagnostic {
    let grid = &level.grid;
    Diagnostic {
        class: Some(class),
        value: ledge.fall.map_or(0.0, |fall| fall / grid.units()),
        limit: least,
        count: (ledge.length / grid.units() * 100.0).round() as u32,
        ..Diagnostic::new(DiagnosticKind::Ledge, grid.metres(ledge.at))
    }
}
