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
use navbake_geom::Grid;
use navbake_level::Warning;
use navbake_search::NavQuery;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use border::Brink;
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

impl Settings {
    /// The most candidates that are compared.
    fn most_candidates(&self) -> usize {
        CANDIDATES.saturating_mul(self.max_links.max(1024) as usize)
    }

    /// The most bytes that [`find`] holds for a class whose borders are `long` in metres.
    pub fn most_bytes(&self, reach: &Reach, grid: &Grid, long: f64) -> u64 {
        let samples = long * grid.units() / reach.pace();
        let explored = samples.min(9.0 * BATCH as f64) as u64;
        let kept = samples.min(3.0 * self.most_candidates() as f64) as u64;
        let sample = size_of::<Brink>() + 2 * size_of::<[Option<Found>; 2]>();
        explored * sample as u64 + kept * size_of::<Candidate>() as u64
    }
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

/// Candidates that are kept for each link that a class may have.
const CANDIDATES: usize = 8;

/// Samples that are explored together, in parallel; eight times as many where one border has more.
const BATCH: usize = 1 << 15;

/// Finds the links of a class of agents, one direction each, the most useful first.
///
/// Borders are sampled a batch at a time, and of the stretches only the widest `CANDIDATES` for
/// each link of `max_links` are kept, so memory has a bound that no level raises. Warnings say what
/// the limits left out.
pub fn find(
    query: &NavQuery<'_>,
    solids: &Solids<'_>,
    reach: &Reach,
    settings: &Settings,
) -> (Vec<FoundLink>, Vec<Warning>) {
    let mesh = query.mesh();
    let floor = Floor::new(mesh);
    let units = mesh.grid().units();
    let finder = Finder { floor: &floor, solids, reach };
    let most = settings.most_candidates();
    let (mut candidates, mut narrow) = (vec![], 0);
    let mut explore = |brinks: &[Brink]| {
        let leaps: Vec<[Option<Found>; 2]> = brinks.par_iter().map(|b| finder.from(b)).collect();
        for way in 0..2 {
            let leaps: Vec<Option<Found>> = leaps.iter().map(|both| both[way]).collect();
            candidates.extend(stretch::candidates(mesh, reach, &leaps, settings.spacing * units));
        }
        if candidates.len() > 2 * most {
            narrow += choose::keep_widest(&mut candidates, most);
        }
    };
    let pace = border::pace_within(mesh, reach.pace() as i64);
    let mut batch: Vec<Brink> = vec![];
    border::brinks(mesh, &floor, pace, |line| {
        batch.extend(line);
        if batch.len() >= BATCH {
            batch.chunks(8 * BATCH).for_each(&mut explore);
            batch.clear();
        }
    });
    batch.chunks(8 * BATCH).for_each(&mut explore);
    narrow += choose::keep_widest(&mut candidates, most);
    let mut warnings = vec![];
    if pace > reach.pace() as i64 {
        warnings.push(Warning {
            code: "auto-links-coarse",
            message: format!(
                "the borders are so long that drops and jumps were looked for every {:.2} m instead of every {:.2} m; split the level, or check `scale`",
                pace as f64 / units,
                reach.pace() / units
            ),
            place: navbake_level::WarningPlace::None,
        });
    }
    if narrow > 0 {
        warnings.push(Warning {
            code: "auto-links-left-out",
            message: format!(
                "{narrow} possible drops and jumps, the narrowest ones, were not compared: there are more than {CANDIDATES} for each link of `auto_links.max_links`, {}",
                settings.max_links
            ),
            place: navbake_level::WarningPlace::None,
        });
    }
    let (kept, over) = choose::choose(query, &candidates, settings);
    warnings.extend(over.first().map(|first| Warning {
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
    }));
    let links = kept.iter().flat_map(|c| links(query, c, settings));
    (links.collect(), warnings)
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
