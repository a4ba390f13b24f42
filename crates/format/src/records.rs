//! Records as they lie in the file. Little endian, alignment 1, no padding.

use core::str;

use zerocopy::little_endian::{F32, F64, I32, U16, U32, U64};
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
/// No switch.
pub(crate) const NO_SWITCH: u16 = u16::MAX;

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
    /// Section `switches`: closed is 0 or 1.
    SwitchRecord 8 { name: StringRef, closed: u8, reserved: u8 }
);
record!(
    /// Section `findings`: a bit a kind that was looked for.
    FindingsRecord 8 { looked: U32, left_out: U32 }
);
record!(
    /// Section `found`: the name in `found-names`.
    FindingRecord 48 { kind: U16, class: U16, name: StringRef, reserved: U16, at: [F64; 3], value: F32, limit: F32, count: U32 }
);
record!(
    /// Section `areas`.
    AreaRecord 20 { name: StringRef, switch: U16, tags: U32, edge_tags: U32, factor: F32 }
);
record!(
    /// Section `weights`: what stands before a row's weights.
    WeightHead 24 { name: StringRef, agent: U16, uphill: F64, downhill: F64 }
);
record!(
    /// Section `source-parts`.
    SourcePartRecord 18 { node: StringRef, mesh: StringRef, material: StringRef }
);
record!(
    /// Section `sources`.
    SourceRecord 8 { part: U32, triangle: U32 }
);
record!(
    /// Section `doors`.
    DoorRecord 20 { polygon: U32, edge: U16, switch: U16, width: F32, name: StringRef, reserved: U16 }
);
record!(
    /// Section `closures`.
    ClosureRecord 8 { polygon: U32, switch: U16, reserved: U16 }
);
record!(
    /// Section `links`.
    LinkRecord 50 {
        polygon: U32, beyond: U32, from: [I32; 2], to: [I32; 2], cost: F64, width: F32, agents: U32, switch: U16, kind: u8, reserved: u8,
        name: StringRef,
    }
);
record!(
    /// Section `reach`: who asks, and where the numbers of its table begin.
    ReachRecord 20 { agents: U32, areas: U64, first: U32, ranks: U16, entered: U16 }
);
record!(
    /// Section `rooms`: where its doors begin in `doors-of-rooms` and its ways in `room-ways`.
    RoomRecord 36 { name: StringRef, flags: U16, at: [I32; 3], area: F32, first_door: U32, first_way: U32, reserved: U32 }
);
record!(
    /// Section `room-doors`: where its portals begin in `room-portals`.
    RoomDoorRecord 40 { rooms: [U32; 2], ends: [[I32; 2]; 2], width: F32, first_portal: U32, flags: U16, name: StringRef }
);
record!(
    /// Section `room-portals`.
    RoomPortalRecord 8 { polygon: U32, edge: U16, reserved: U16 }
);
record!(
    /// Section `door-stops`.
    DoorStopRecord 12 { polygon: U32, at: [I32; 2] }
);
record!(
    /// Section `districts`: where its doors begin in `doors-of-districts` and its ways in `district-ways`.
    DistrictRecord 16 { parent: U32, level: U32, first_door: U32, first_way: U32 }
);
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

record!(
    /// Section `vehicles`: reverse is the penalty and the cost of a change, penalty 0 where there is no reverse.
    VehicleRecord 172 {
        name: StringRef, headings: U16, rings: U16, window: U16, range: U16, corners: U16, reserved: U32, tile: F64, turn_radius: F64, disc: F64,
        reverse: [F64; 2], flood_costs: [U32; 5], flood_needs: [U64; 8], first_corner: U32, first_edge: U32, edges: U32, first_mask: U32, first_distance: U32, hash: U64,
    }
);
record!(
    /// Section `vehicle-corners`.
    CornerRecord 16 { at: [F64; 2] }
);
record!(
    /// Section `turn-edges`.
    TurnEdgeRecord 12 { offset: [i8; 2], from: u8, to: u8, word: u8, flags: u8, reserved: U16, length: U32 }
);
record!(
    /// Section `tile-grounds`.
    TileGroundRecord 20 { class: U16, reserved: U16, first_sheet: U32, sheets: U32, tile: F64 }
);
record!(
    /// Section `sheets`.
    SheetRecord 32 { column: I32, row: I32, width: U32, height: U32, first_row: U32, first_word: U32, base: I32, shift: u8, reserved: [u8; 3] }
);
record!(
    /// Section `sheet-bits`: 64 tiles of a row, and the number of free tiles of all sheets before.
    SheetWordRecord 12 { free: U64, before: U32 }
);
record!(
    /// Section `tile-twins`: a free tile by its number among all, and the first sheet that it lies on as well.
    TileTwinRecord 8 { tile: U32, sheet: U32 }
);

/// The text that a reference names in the string pool.
pub(crate) fn text(pool: &[u8], at: StringRef) -> Option<&str> {
    let start = usize::try_from(at.offset.get()).ok()?;
    let end = start.checked_add(usize::from(at.len.get()))?;
    str::from_utf8(pool.get(start..end)?).ok()
}
record!(
    /// Section `grid-map`.
    GridMapRecord 48 { width: U32, height: U32, cell: F64, corner: [F64; 3], free: U32, terrains: U16, reserved: U16 }
);
record!(
    /// Section `labels`: the mesh that they belong to, how many corners it has, the length that a distance of 1 stands for, and the side of
    /// squares with views of their own, as powers of two.
    LabelsRecord 16 { mesh: U64, corners: U32, shift: u8, view_shift: u8, reserved: [u8; 2] }
);
record!(
    /// Section `landmarks`: the mesh that they belong to, how many rows there are, and the step of distances as a power of two.
    LandmarksRecord 16 { mesh: U64, rows: U32, shift: u8, reserved: [u8; 3] }
);
record!(
    /// Section `landmark-rows`: how far a vertex is from the landmarks of its island.
    LandmarkRow 16 { steps: [U16; 8] }
);
record!(
    /// Section `view-cells`: the first row of views of a polygon, and how the squares of its box lie.
    ViewCellsRecord 16 { first: U32, column: I32, row: I32, across: U32 }
);
