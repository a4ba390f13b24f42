//! Records as they lie in the file. Little endian, alignment 1, no padding.

use zerocopy::little_endian::{I32, U16, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// Vertices in a block.
pub(crate) const BLOCK: usize = 64;
/// Polygons in a group.
pub(crate) const GROUP: usize = 16;
/// How far before a group's first polygon the neighbours begin that codes of a byte name.
pub(crate) const BEFORE: u32 = 56;
/// In a code of a byte: an element of `far`, its number in the low bits.
pub(crate) const FAR: u8 = 0x80;
/// A polygon has so many corners at least.
pub(crate) const LEAST_CORNERS: u32 = 3;
/// Corners over the least for which `far` tells how many there are.
pub(crate) const LARGE: u32 = 15;

macro_rules! record {
    ($(#[$doc:meta])* $name:ident $size:literal { $($field:ident: $ty:ty),* $(,)? }) => {
        $(#[$doc])*
        #[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy)]
        #[repr(C)]
        pub(crate) struct $name {
            $(pub(crate) $field: $ty,)*
        }
        const _: () = assert!(size_of::<$name>() == $size);
    };
}

record!(
    /// Section `mesh`: bounds, number of polygons and vertices.
    MeshRecord 32 { least: [I32; 3], greatest: [I32; 3], polygons: U32, vertices: U32 }
);
record!(
    /// Section `vertices`, element size 12.
    WideVertex 12 { at: [I32; 3] }
);
record!(
    /// Section `vertex-blocks`.
    VertexBlock 14 { base: [U16; 3], split: U32, first: U32 }
);
record!(
    /// Section `index`: how far a box's sides lie inside of those of the box above, in 1/256 of that one's sides, rounded outwards.
    BoxRecord 6 { least: [u8; 3], greatest: [u8; 3] }
);
record!(
    /// Section `relief-of`, element size 4: a run of polygons up to the next one's first, and 1 + their relief, 0 for none.
    ShortRun 4 { first: U16, relief: U16 }
);
record!(
    /// Section `relief-of`, element size 8.
    LongRun 8 { first: U32, relief: U32 }
);
