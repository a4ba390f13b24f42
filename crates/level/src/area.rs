//! Areas, which are kinds of ground, and switches that block them.

/// The largest number of areas of a level: a set of them is a 64-bit mask.
pub const MAX_AREAS: usize = 64;

/// The largest number of cost fields of a level.
pub const MAX_FIELDS: usize = 8;

/// A kind of ground.
///
/// The borders between areas are borders of polygons: no polygon is in two areas.
///
/// Several areas can share a name: ground of one kind that another switch blocks, or that has other
/// tags, is a separate area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    /// Its name in weights and queries.
    pub name: String,
    /// The switch that blocks it, an index into the level's switches.
    pub switch: Option<u16>,
    /// 32 bits for the author's own use, 0 for none.
    pub tags: u32,
    /// The author's bits for its outer edges.
    ///
    /// These are the edges where ground of another name or no ground begins.
    pub edge_tags: u32,
    /// The number of the band along walls and ledges; 0 away from them.
    ///
    /// 1 is the outermost band.
    pub band: u8,
    /// The number of the band around the sources of each cost field; 0 beyond its range.
    ///
    /// 1 is the outermost band.
    pub fields: [u8; MAX_FIELDS],
}

impl Area {
    /// The name of the first area of every level, for ground without an assigned area.
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
            fields: [0; MAX_FIELDS],
        }
    }
}

/// Something that a query can block.
///
/// For instance a gate, a destructible crate or a retractable ladder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// Its name in queries.
    pub name: String,
    /// Is it blocked at the start of the level?
    pub closed: bool,
}
