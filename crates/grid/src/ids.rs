//! Typed numbers: each is an index into one array.

/// "None" where an id is stored as a bare `u32`.
pub const NONE: u32 = u32::MAX;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A convex polygon of a navmesh.
    PolyId
);
id!(
    /// A vertex of a navmesh.
    VertexId
);
id!(
    /// An edge of a polygon; the edges of all polygons have one numbering.
    EdgeId
);
id!(
    /// A connectivity island: the polygons that can be reached from each other.
    IslandId
);
id!(
    /// A room: polygons between the same doors.
    RoomId
);

/// An area type of the ground, such as mud or road.
///
/// Ids are dense from 0. There are at most [`AreaId::LIMIT`], so a set of them fits into 64 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct AreaId(pub u8);

impl AreaId {
    /// The greatest number of areas.
    pub const LIMIT: usize = 64;
    /// The area of all ground that has no other.
    pub const GROUND: AreaId = AreaId(0);

    /// The id as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
