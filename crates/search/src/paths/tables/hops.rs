//! What a search over links keeps of links and of the ways between them.

use navbake_format::PolyId;

use crate::locate::PolyPoint;

/// The most links that are compared, and the most ways over ground between them.
pub(super) const HOPS: usize = 256;
pub(super) const WAYS: usize = 1024;

/// A link that may be on the path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hop {
    pub(super) link: u32,
    /// Where it begins and where it ends, on the mesh as baked.
    pub(super) ends: [PolyPoint; 2],
    /// Its cost, grid units.
    pub(super) cost: f64,
    /// Lower bound of the cost from its end to a goal.
    pub(super) rest: f64,
    /// The least cost up to its end, once it is known.
    pub(super) g: Option<f64>,
    /// The hop before it on that path.
    pub(super) before: Option<u16>,
}

/// A way over ground from the start, or from the end of a hop, to the next hop or to a goal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroundWay {
    /// Lower bound of the cost of a path with this way, grid units.
    pub(super) f: f64,
    /// Lower bound of its cost up to the end of that hop, or up to the goal.
    pub(super) g: f64,
    pub(super) from: Option<u16>,
    pub(super) to: To,
    /// Are both the cost itself?
    pub(super) looked_up: bool,
}

/// The number of a hop or of a goal.
#[derive(Clone, Copy, Debug)]
pub(super) enum To {
    Hop(u16),
    Goal(u16),
}

impl Hop {
    pub(super) const NONE: Hop = Hop {
        link: 0,
        ends: [PolyPoint::new(PolyId(0), [0; 2]); 2],
        cost: 0.0,
        rest: 0.0,
        g: None,
        before: None,
    };
}

impl GroundWay {
    pub(super) const NONE: GroundWay =
        GroundWay { f: 0.0, g: 0.0, from: None, to: To::Goal(0), looked_up: false };
}
