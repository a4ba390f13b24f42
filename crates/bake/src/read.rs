//! What was read of a level, now and before.

use navbake_import::{Earlier, World};
use navbake_level::{EarlierLevel, Source};
use navbake_lint::EarlierEdges;

/// What was read.
pub(crate) enum Read<'a> {
    Source(Source, Drawn<'a>),
    World(World),
}

/// Whether [`BakeInput::scene`](crate::BakeInput::scene) gives what was read.
pub(crate) enum Drawn<'a> {
    No,
    Once,
    /// Now, and soon again.
    Again(&'a mut EarlierLevel),
}

/// What was read of a level's file and made of it, to open the file again soon:
/// [`BakeInput::open_to_draw`](crate::BakeInput::open_to_draw) and
/// [`BakeInput::look_for_oddities`](crate::BakeInput::look_for_oddities).
///
/// It holds the file's bytes and about three times as much again.
#[derive(Debug, Default)]
pub struct EarlierInput {
    pub(crate) file: Earlier,
    pub(crate) level: EarlierLevel,
    pub(crate) edges: EarlierEdges,
}
