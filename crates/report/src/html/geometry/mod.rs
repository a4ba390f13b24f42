//! The geometry of the page's view in three dimensions: the level and its navmeshes.
//!
//! Positions are 16-bit steps in a box of their mesh, written as differences; meshes that the level
//! repeats are written once, with their places. All of it is one deflate stream, which browsers
//! read without a decoder of our own.

mod ground;
mod instances;
mod level;
mod pack;
mod simplify;
mod soup;

use navbake_bake::BakeInput;
use serde::Serialize;

use crate::{Subject, Walker};
use ground::GroundHeader;
use level::LevelHeader;
use pack::Packer;

pub(super) use pack::compressed;

/// The sizes that the page needs to read the stream, and what it writes about the level.
#[derive(Serialize)]
pub(super) struct Header<'a> {
    /// None where the page was made from a navmesh file alone.
    level: Option<LevelHeader>,
    grounds: Vec<GroundHeader>,
    agents: Vec<AgentSize<'a>>,
}

/// The body of an agent, m.
#[derive(Serialize)]
struct AgentSize<'a> {
    name: &'a str,
    radius: f64,
    height: f64,
    climb: f64,
    slope: f64,
}

/// The header and the stream of bytes, which is not compressed yet.
///
/// O(n log n) in the triangles of the level.
pub(super) fn geometry<'a>(
    subject: &Subject<'a>,
    job: Option<&BakeInput>,
) -> (Header<'a>, Vec<u8>) {
    let all: Vec<&Walker<'_>> = subject.of_meshes().collect();
    let budget = ground::BUDGET / all.len().max(1);
    let mut of_level = Packer::default();
    let mut of_grounds = Packer::default();
    let (level, grounds) = rayon::join(
        || job.and_then(|job| level::write(job, &mut of_level)),
        || all.iter().map(|w| ground::write(w, budget, &mut of_grounds)).collect(),
    );
    let agent = |w: &Walker<'a>| {
        let a = &w.agent;
        let (name, radius, height) = (a.name, a.radius, a.height);
        AgentSize { name, radius, height, climb: a.climb, slope: a.slope }
    };
    let agents = subject.walkers.iter().map(agent).collect();
    (Header { level, grounds, agents }, [of_level.bytes, of_grounds.bytes].concat())
}
