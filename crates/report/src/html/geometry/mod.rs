//! The geometry of the page's view in three dimensions: the level and its navmeshes.
//!
//! Positions are 16-bit steps in a box of their mesh, written as differences; meshes that the level
//! repeats are written once, with their places. All of it is one deflate stream, which browsers
//! read without a decoder of our own.

mod cells;
mod ground;
mod instances;
mod level;
mod pack;
mod pieces;
mod simplify;
mod soup;

use navbake_bake::BakeInput;
use navbake_draw::EarlierSurface;
use serde::Serialize;

use super::{QUICK, SMALL};
use crate::{Subject, Walker};
use ground::GroundHeader;
use level::LevelHeader;
use pack::{END, Packer, part};
use pieces::Pieces;

pub(super) use pack::compressed;

/// The triangles of a level as pages draw them.
///
/// They do not depend on the bake, and can be made beside it.
#[derive(Debug, Default)]
pub struct LevelDrawing {
    header: Option<LevelHeader>,
    /// Parts of a deflate stream.
    stream: Vec<u8>,
}

/// What was drawn of a level and its navmeshes, to draw them again soon: [`LevelDrawing::again`] and
/// [`Live::new`](crate::Live::new).
///
/// It holds about as much as the level.
#[derive(Debug, Default)]
pub struct EarlierDrawing {
    level: Pieces,
    /// By class.
    grounds: Vec<EarlierSurface>,
}

impl LevelDrawing {
    /// Draws a level for a page that is kept and sent. O(n log n) in its triangles.
    pub(super) fn small(job: &BakeInput) -> LevelDrawing {
        LevelDrawing::new(job, &mut EarlierDrawing::default(), SMALL)
    }

    /// Draws a level for [`Live`](crate::Live). Copies what did not change since the last drawing.
    pub fn again(job: &BakeInput, earlier: &mut EarlierDrawing) -> LevelDrawing {
        LevelDrawing::new(job, earlier, QUICK)
    }

    fn new(job: &BakeInput, earlier: &mut EarlierDrawing, effort: u8) -> LevelDrawing {
        let (header, stream) = level::draw(job, &mut earlier.level, effort);
        LevelDrawing { header, stream }
    }
}

/// The sizes that the page needs to read the stream, and what it writes about the level.
#[derive(Serialize)]
pub(super) struct Header<'a> {
    /// None where the page was made from a navmesh file alone.
    level: Option<&'a LevelHeader>,
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

/// The header and the deflate stream, which is compressed with an effort up to 9.
pub(super) fn geometry<'a>(
    subject: &Subject<'a>,
    level: Option<&'a LevelDrawing>,
    earlier: &mut EarlierDrawing,
    effort: u8,
) -> (Header<'a>, Vec<u8>) {
    let all: Vec<&Walker<'_>> = subject.of_meshes().collect();
    let budget = ground::BUDGET / all.len().max(1);
    let mut packer = Packer::default();
    earlier.grounds.resize_with(all.len(), EarlierSurface::default);
    let pairs = all.iter().zip(&mut earlier.grounds);
    let write = |(w, earlier): (&&Walker<'_>, _)| ground::write(w, budget, earlier, &mut packer);
    let grounds = pairs.map(write).collect();
    let agent = |w: &Walker<'a>| {
        let a = &w.agent;
        let (name, radius, height) = (a.name, a.radius, a.height);
        AgentSize { name, radius, height, climb: a.climb, slope: a.slope }
    };
    let agents = subject.walkers.iter().map(agent).collect();
    let drawn = level.map_or(&[][..], |level| &level.stream);
    let stream = [drawn, &part(&packer.bytes, effort), &END].concat();
    (Header { level: level.and_then(|level| level.header.as_ref()), grounds, agents }, stream)
}
