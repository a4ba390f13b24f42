//! Typed numbers shared by the builder, the bytes on disk and the runtime.
//!
//! Every id is an index into one array and nothing else. The crate has no dependencies and needs no standard library.
#![no_std]
#![forbid(unsafe_code)]

/// Marks "no such thing" wherever an id is stored as a bare `u32`.
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
    /// An edge of a polygon: the edges of all polygons are numbered through.
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

/// A kind of ground. Ids are dense from 0; there are at most [`AreaId::LIMIT`], so that a set of them fits into 64 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct AreaId(pub u8);

impl AreaId {
    /// So many areas at most.
    pub const LIMIT: usize = 64;
    /// What all ground is unless something says otherwise.
    pub const GROUND: AreaId = AreaId(0);

    /// The id as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
