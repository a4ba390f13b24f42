//! Finds links along borders of a navmesh: drops from ledges and jumps over gaps.
//!
//! 1. `border`: samples of the navmesh's borders on a lattice fixed in the level, each with the
//!    direction in which the ground ends.
//! 2. `landing`: for each sample the nearest ground straight ahead (`floor`) that a drop or a jump
//!    can reach; [`Reach`] has the limits of the agents.
//! 3. `leap`: the path through the air, as `prism`s that contain the agent's cylinder; [`Solids`]
//!    has the level's triangles. A leap is kept only if it is proved free.
//! 4. `stretch`: neighbouring leaps along a ledge become one link in their middle, as wide as their
//!    common free space.
//! 5. `choose`: removes links that save little distance, and keeps the best up to the limits.
//!
//! Unity makes its links similarly: its drops land just beyond a ledge and its jumps go
//! straight over an edge (manual, "Building Off-Mesh Links Automatically"). M. Mononen ("Automatic
//! Annotations in Killzone 3 and Beyond", 2011) also samples along edges.
//!
//! [`Ledges`] searches the same borders for unprotected falls, for reports.
//!
//! Ends are on the ground of the encoded navmesh, which is what queries use. The result depends
//! neither on threads nor on the order of triangles.
#![forbid(unsafe_code)]

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
use navbake_search::NavQuery;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use floor::Floor;
use landing::{Finder, Found};
use stretch::Candidate;

pub use ledges::{Ledge, Ledges};
pub use reach::Reach;
pub use solids::Solids;

/// Limits of the links to make. Lengths are metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The greatest length of a ledge or gap that one link serves.
    pub spacing: f64,
    /// A link is made if the path without it costs at least this many times as much.
    pub detour: f64,
    /// Cost of a metre of a link, from end to end in space, in metres of walking.
    pub cost: f64,
    /// The largest number of links of a class; a link in both directions counts once.
    pub max_links: u32,
    /// The largest number of them that begin in one cube of four spacings.
    pub max_links_per_cube: u32,
}

/// A link that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundLink {
    /// The polygon it starts on, and the point, `[x, z]`.
    pub from: (PolyId, [i32; 2]),
    /// The polygon it ends on, and the point.
    pub to: (PolyId, [i32; 2]),
    /// Cost, metres of walking.
    pub cost: f64,
    /// Clear width, m.
    pub width: f64,
    /// A drop or a jump.
    pub kind: LinkKind,
    /// Agents that can use it, one bit each.
    pub agents: u32,
}

/// Finds the links of a class of agents, one direction each, the most useful first.
///
/// A warning reports the number of links dropped by the limits of `settings`.
pub fn find(
    query: &NavQuery<'_>,
    solids: &Solids<'_>,
    reach: &Reach,
    settings: &Settings,
) -> (Vec<FoundLink>, Option<Warning>) {
    let mesh = query.mesh();
    let floor = Floor::new(mesh);
    let brinks = border::brinks(mesh, &floor, reach.pace() as i64);
    let finder = Finder { floor: &floor, solids, reach };
    let leaps: Vec<[Option<Found>; 2]> = brinks.par_iter().map(|b| finder.from(b)).collect();
    let spacing = settings.spacing * mesh.grid().units();
    let mut candidates = vec![];
    for way in 0..2 {
        let leaps: Vec<Option<Found>> = leaps.iter().map(|both| both[way]).collect();
        candidates.extend(stretch::candidates(mesh, reach, &leaps, spacing));
    }
    let (kept, over) = choose::choose(query, &candidates, settings);
    let left_out = over.first().map(|first| Warning {
        code: "auto-links-left-out",
        message: format!(
            "{} drops and jumps worth a link were left out, the least useful ones: \
             `auto_links.max_links` is {}, and `auto_links.max_links_per_cube` is {} for links \
             that begin in one cube of {} m; the best of them begins here",
            over.len(),
            settings.max_links,
            settings.max_links_per_cube,
            choose::CUBE * settings.spacing,
        ),
        place: mesh.grid().metres(first.leap.brink.at.point()).into(),
    });
    let links = kept.iter().flat_map(|c| links(query, c, settings));
    (links.collect(), left_out)
}

/// One link, or two for a link in both directions.
fn links(query: &NavQuery<'_>, candidate: &Candidate, settings: &Settings) -> Vec<FoundLink> {
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
    let back = FoundLink { from: to, to: from, ..there };
    match leap.both_ways {
        true => vec![there, back],
        false => vec![there],
    }
}
