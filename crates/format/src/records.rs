//! Records as they lie in the file. Little endian, alignment 1, no padding.

use zerocopy::little_endian::{F64, I32, U16, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// Vertices in a block.
pub(crate) const BLOCK: usize = 64;

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
    /// A run of bytes in the string pool.
    StringRef 6 { offset: U32, len: U16 }
);
record!(
    /// Section `agents`.
    AgentRecord 40 { name: StringRef, class: U16, radius: F64, height: F64, climb: F64, slope: F64 }
);
record!(
    /// Section `markers`.
    MarkerRecord 32 { name: StringRef, reserved: U16, position: [F64; 3] }
);
record!(
    /// Section `mesh`: bounds of the vertices, number of islands.
    MeshRecord 28 { least: [I32; 3], greatest: [I32; 3], islands: U32 }
);
record!(
    /// Section `vertices`, element size 12.
    WideVertex 12 { at: [I32; 3] }
);
record!(
    /// Section `vertices`, element size 6: each coordinate is shifted left and added to the block's.
    LocalVertex 6 { at: [U16; 3] }
);
record!(
    /// Section `vertex-blocks`.
    VertexBlock 16 { base: [I32; 3], shift: [u8; 3], reserved: u8 }
);
record!(
    /// Section `edges`, element size 4; neighbour 0xFFFF is none.
    NarrowEdge 4 { vertex: U16, neighbour: U16 }
);
record!(
    /// Section `edges`, element size 8; neighbour 0xFFFFFFFF is none.
    WideEdge 8 { vertex: U32, neighbour: U32 }
);
record!(
    /// Section `index`: a box in units of `1 << shift` from the mesh's least corner, rounded outwards.
    BoxRecord 12 { least: [U16; 3], greatest: [U16; 3] }
);
