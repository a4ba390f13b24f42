//! Working memory of searches over rooms.

// Only this crate can call the sealed trait that lends the lists.
#![allow(private_interfaces)]

use navbake_search::{FixedScratch, Memory, NavMesh};

#[cfg(feature = "alloc")]
use crate::memory::DoorsVectors;
use crate::memory::{Doors, DoorsArrays};

/// Memory of searches over rooms: a [`RoomScratch`] or a [`FixedRoomScratch`].
///
/// It cannot be implemented outside of this crate.
pub trait RoomMemory: sealed::Lend {
    /// The memory for queries of [`navbake_search`].
    fn ground(&mut self) -> &mut dyn Memory {
        self.split().0
    }
}

pub(crate) mod sealed {
    use navbake_search::{Memory, NavMesh};

    use crate::memory::{Doors, Lists};

    pub trait Lend {
        /// Makes room for a search over rooms, as far as it can.
        fn prepare(&mut self, mesh: &NavMesh<'_>);

        /// The memory of searches over the ground, and the lists of doors.
        fn split(&mut self) -> (&mut dyn Memory, Doors<'_>);

        /// Lends all lists.
        fn lend(&mut self) -> Lists<'_> {
            let (ground, doors) = self.split();
            Lists { ground: ground.lend(), doors }
        }
    }
}

/// Memory that begins empty and grows: a [`Scratch`](navbake_search::Scratch), and lists of doors.
///
/// Keep one per thread. The lists of doors take about 100 bytes a door.
///
/// ```
/// use navbake_rooms::RoomScratch;
/// use navbake_search::Scratch;
///
/// let bounded = RoomScratch::with(Scratch::bounded(1000));
/// # let _ = bounded;
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, Default)]
pub struct RoomScratch {
    ground: navbake_search::Scratch,
    doors: DoorsVectors,
}

#[cfg(feature = "alloc")]
impl RoomScratch {
    /// Makes one. Allocates nothing.
    pub const fn new() -> RoomScratch {
        RoomScratch::with(navbake_search::Scratch::new())
    }

    /// Makes one of a scratch, which may be bounded.
    pub const fn with(ground: navbake_search::Scratch) -> RoomScratch {
        RoomScratch { ground, doors: DoorsVectors::NEW }
    }

    /// Bytes that it takes now.
    pub fn size(&self) -> usize {
        self.ground.size() + self.doors.bytes()
    }
}

#[cfg(feature = "alloc")]
impl RoomMemory for RoomScratch {}

#[cfg(feature = "alloc")]
impl sealed::Lend for RoomScratch {
    fn prepare(&mut self, mesh: &NavMesh<'_>) {
        use navbake_search::parts::{Memory as _, Need};
        self.ground.prepare(mesh, Need::Cones);
        self.doors.extend(mesh);
    }

    fn split(&mut self) -> (&mut dyn Memory, Doors<'_>) {
        (&mut self.ground, self.doors.lend())
    }
}

/// Memory of a fixed size, for targets without an allocator.
///
/// Every list has `N` entries; see [`FixedScratch`].
#[derive(Clone, Debug)]
pub struct FixedRoomScratch<const N: usize> {
    ground: FixedScratch<N>,
    doors: DoorsArrays<N>,
}

impl<const N: usize> FixedRoomScratch<N> {
    /// Makes one.
    pub const fn new() -> FixedRoomScratch<N> {
        FixedRoomScratch { ground: FixedScratch::new(), doors: DoorsArrays::NEW }
    }
}

impl<const N: usize> Default for FixedRoomScratch<N> {
    fn default() -> FixedRoomScratch<N> {
        FixedRoomScratch::new()
    }
}

impl<const N: usize> RoomMemory for FixedRoomScratch<N> {}

impl<const N: usize> sealed::Lend for FixedRoomScratch<N> {
    fn prepare(&mut self, _: &NavMesh<'_>) {}

    fn split(&mut self) -> (&mut dyn Memory, Doors<'_>) {
        (&mut self.ground, self.doors.lend())
    }
}
