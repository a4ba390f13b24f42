//! Kinds of ground, and what can be closed.

/// How many areas a level may have at most: a set of them is a 64-bit mask.
pub const MAX_AREAS: usize = 64;

/// A kind of ground. Ground of different areas is told apart wherever it meets: no polygon lies in
/// two.
///
/// Several areas may share a name: ground of one kind that another switch closes, or that carries
/// other tags, is an area of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    /// What weights and queries call it.
    pub name: String,
    /// The switch that closes it, an index into the level's switches.
    pub switch: Option<u16>,
    /// 32 bits of the author's own, 0 for none.
    pub tags: u32,
    /// The same of the edges that it ends at: where ground of another name begins, or none.
    pub edge_tags: u32,
    /// Which band along walls and ledges it is, 1 the outermost; 0 away from them.
    pub band: u8,
}

impl Area {
    /// The name of the first area of every level: ground that nobody said anything about.
    pub const GROUND: &str = "ground";
}

impl Default for Area {
    fn default() -> Self {
        Area {
            name: Area::GROUND.into(),
            switch: None,
            tags: 0,
            edge_tags: 0,
            band: 0,
        }
    }
}

/// Something that a query may say is closed: a gate, a crate that can be destroyed, a ladder that
/// can be drawn up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// What queries call it.
    pub name: String,
    /// Is it closed when the level begins?
    pub closed: bool,
}
