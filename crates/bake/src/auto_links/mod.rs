//! Links that nobody drew: down from ledges and over gaps, within the reach of the agents.
//!
//! 1. [`border`]: places along the borders of the finished navmesh, where these cross a lattice that lies fixed in the level, each with the direction in
//!    which the ground ends.
//! 2. [`landing`]: straight ahead of each, the nearest ground ([`floor`]) that is a drop lower or a jump away; [`reach`] says how far who gets.
//! 3. [`leap`]: the way through the air, as [`prism`]s that the agent's cylinder stays in; [`solids`] has the level's triangles. A leap that cannot be
//!    shown free is none.
//! 4. [`stretch`]: leaps side by side along a ledge become one link in their middle, with the width that they keep free together.
//! 5. [`choose`]: what is a short walk anyway is left out, and the best of the rest are taken up to the limits.
//!
//! That is how Unity makes its links too, whose drops land just beyond a ledge and whose jumps go straight over an edge (manual, "Building Off-Mesh Links
//! Automatically"), and Recast's author his ("Automatic Annotations in Killzone 3 and Beyond", M. Mononen, 2011), who samples along edges.
//!
//! [`ledges`] asks the same borders for falls that nobody means to take: for reports, no links come of it.
//!
//! Ends lie on the ground of the blob, as games see it. What comes out depends on neither threads nor the order of triangles.

mod border;
mod choose;
mod floor;
mod landing;
mod leap;
mod ledges;
mod prism;
mod reach;
mod solids;
mod stretch;

use navbake_format::{LinkKind, PolyId};
use navbake_level::Warning;
use navbake_search::Query;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::config::AutoLinks;
use crate::number::point;
use floor::Floor;
use landing::{Finder, Found};
use stretch::Candidate;

pub(crate) use ledges::{Ledge, Ledges};
pub(crate) use reach::Reach;
pub(crate) use solids::Solids;

/// A way that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FoundLink {
    /// The blob's polygon that it begins on, and where, `[x, z]`.
    pub(crate) from: (PolyId, [i32; 2]),
    /// The blob's polygon that it ends on, and where.
    pub(crate) to: (PolyId, [i32; 2]),
    /// Metres of walking.
    pub(crate) cost: f64,
    /// Clear width, m.
    pub(crate) width: f64,
    pub(crate) kind: LinkKind,
    /// Who takes it: one bit an agent.
    pub(crate) agents: u32,
}

/// The links of a class, one way each, those of greatest use first.
pub(crate) fn find(
    query: &Query<'_>,
    solids: &Solids<'_>,
    reach: &Reach,
    settings: &AutoLinks,
    warnings: &mut Vec<Warning>,
) -> Vec<FoundLink> {
    let mesh = query.mesh();
    let floor = Floor::new(mesh);
    let brinks = border::brinks(mesh, &floor, reach.pace() as i64);
    let finder = Finder {
        floor: &floor,
        solids,
        reach,
    };
    let leaps: Vec<[Option<Found>; 2]> = brinks.par_iter().map(|b| finder.from(b)).collect();
    let spacing = settings.spacing * mesh.grid().units();
    let mut candidates = vec![];
    for way in 0..2 {
        let leaps: Vec<Option<Found>> = leaps.iter().map(|both| both[way]).collect();
        candidates.extend(stretch::candidates(mesh, reach, &leaps, spacing));
    }
    let (kept, over) = choose::choose(query, &candidates, settings);
    if let Some(first) = over.first() {
        warnings.push(Warning {
            code: "auto-links-left-out",
            message: format!(
                "{} drops and jumps that are worth a link were left out, those of least use: `auto_links.most` is {}, `auto_links.most_in_cube` {} for those that \
                 begin in a cube of {} m; the best of them begins here",
                over.len(),
                settings.most,
                settings.most_in_cube,
                choose::CUBE * settings.spacing,
            ),
            place: point(mesh.grid().metres(first.leap.brink.at.point())),
        });
    }
    kept.iter()
        .flat_map(|c| links(query, c, settings))
        .collect()
}

/// One link, or two for a way there and back.
fn links(query: &Query<'_>, candidate: &Candidate, settings: &AutoLinks) -> Vec<FoundLink> {
    let Candidate { leap, width } = candidate;
    let units = query.mesh().grid().units();
    let [from, to] = [&leap.brink.at, &leap.to].map(|at| (at.polygon, at.at));
    let there = FoundLink {
        from,
        to,
        cost: settings.cost * stretch::away(&leap.brink.at, &leap.to) / units,
        width: width / units,
        kind: match leap.way {
            leap::Way::Drop => LinkKind::Drop,
            leap::Way::Jump => LinkKind::Jump,
        },
        agents: leap.agents,
    };
    let back = FoundLink {
        from: to,
        to: from,
        ..there
    };
    match leap.both_ways {
        true => vec![there, back],
        false => vec![there],
    }
}
