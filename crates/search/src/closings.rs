//! What is closed: portals that cannot be crossed, polygons that cannot be entered, links that cannot be taken.
//!
//! The blob says what each switch closes; the game says which switches are closed now. From both come one bit an edge, a corner and a link,
//! and queries look at nothing else. A closed thing makes corners: a path may turn at the ends of a shut edge, where no wall was.

use navbake_format::{NavMeshView, PolyId};

use crate::ray::holders;

/// What is closed, as queries read it: `Query::with_closings`. One may serve any number of queries and threads.
#[derive(Clone, Copy, Debug, Default)]
pub struct Closings<'a> {
    /// One bit an edge: it cannot be crossed from its polygon on.
    shut: &'a [u64],
    /// One bit a corner, numbered as the edges that begin there: a path may turn there because of what is closed.
    corners: &'a [u64],
    /// One bit a link: it cannot be taken.
    links: &'a [u64],
}

fn bit(bits: &[u64], at: u32) -> bool {
    (bits.get(at as usize / 64)).is_some_and(|word| word >> (at % 64) & 1 == 1)
}

fn set(bits: &mut [u64], at: u32) {
    if let Some(word) = bits.get_mut(at as usize / 64) {
        *word |= 1 << (at % 64);
    }
}

/// How long the slices for [`Closings::new`] should be, in words of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClosingsSize {
    /// For edges.
    pub shut: usize,
    /// For corners.
    pub corners: usize,
    /// For links.
    pub links: usize,
}

impl<'a> Closings<'a> {
    /// How long slices must be for a mesh.
    pub fn required(mesh: &NavMeshView<'_>) -> ClosingsSize {
        let words = |bits: u32| (bits as usize).div_ceil(64);
        ClosingsSize {
            shut: words(mesh.edge_count()),
            corners: words(mesh.edge_count()),
            links: words(mesh.link_count()),
        }
    }

    /// Prepares what the closed switches close, in slices of the caller's: bit k of `switches` is switch k of the blob, and those
    /// beyond its end are open. What is in the slices does not matter; what has no room in shorter ones stays open.
    ///
    /// Costs a pass over the slices, and over the blob's doors, closures and links.
    pub fn new(
        mesh: &NavMeshView<'_>,
        switches: &[u64],
        shut: &'a mut [u64],
        corners: &'a mut [u64],
        links: &'a mut [u64],
    ) -> Closings<'a> {
        shut.fill(0);
        corners.fill(0);
        links.fill(0);
        let mut shut_edge = |id: PolyId, k: u32| {
            set(shut, mesh.polygon(id).edge(k).0);
            mark_ends(mesh, id, k, corners);
        };
        let is_closed = |s: u16| bit(switches, s.into());
        for door in mesh.doors().filter(|d| d.switch.is_some_and(is_closed)) {
            shut_edge(door.polygon, door.edge);
            if let Some((beyond, twin)) = mesh.polygon(door.polygon).across(door.edge) {
                shut_edge(beyond, twin);
            }
        }
        for closure in mesh.closures().filter(|c| is_closed(c.switch)) {
            let polygon = mesh.polygon(closure.polygon);
            for k in 0..polygon.len() {
                if let Some((beyond, twin)) = polygon.across(k) {
                    shut_edge(beyond, twin);
                }
            }
        }
        for number in 0..mesh.link_count() {
            let switch = mesh.link(number).and_then(|l| l.switch);
            if switch.is_some_and(is_closed) {
                set(links, number);
            }
        }
        Closings {
            shut,
            corners,
            links,
        }
    }

    /// Is an edge shut, by its number among all edges?
    #[inline]
    pub(crate) fn is_shut(&self, edge: u32) -> bool {
        bit(self.shut, edge)
    }

    /// May a path turn for what is closed where an edge begins, by its number among all edges?
    #[inline]
    pub(crate) fn is_corner(&self, edge: u32) -> bool {
        bit(self.corners, edge)
    }

    /// Can a link not be taken?
    #[inline]
    pub(crate) fn is_link_closed(&self, link: u32) -> bool {
        bit(self.links, link)
    }
}

/// Marks the corners of all polygons that meet in an end of an edge.
fn mark_ends(mesh: &NavMeshView<'_>, id: PolyId, k: u32, corners: &mut [u64]) {
    let polygon = mesh.polygon(id);
    for end in [k, polygon.next(k)] {
        let at = polygon.corner(end);
        set(corners, polygon.edge(end).0);
        holders(mesh, id, at, |_, _, beyond| {
            let other = mesh.polygon(beyond);
            if let Some(corner) = other.corner_at(at) {
                set(corners, other.edge(corner).0);
            }
        });
    }
}

/// Closings that own their memory; changing them allocates nothing.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct ClosingsBuffer {
    shut: alloc::vec::Vec<u64>,
    corners: alloc::vec::Vec<u64>,
    links: alloc::vec::Vec<u64>,
}

#[cfg(feature = "alloc")]
impl ClosingsBuffer {
    /// Nothing is closed yet.
    pub fn new(mesh: &NavMeshView<'_>) -> ClosingsBuffer {
        let size = Closings::required(mesh);
        ClosingsBuffer {
            shut: alloc::vec![0; size.shut],
            corners: alloc::vec![0; size.corners],
            links: alloc::vec![0; size.links],
        }
    }

    /// Closes what these switches close and opens everything else; see [`Closings::new`].
    pub fn close(&mut self, mesh: &NavMeshView<'_>, switches: &[u64]) {
        Closings::new(
            mesh,
            switches,
            &mut self.shut,
            &mut self.corners,
            &mut self.links,
        );
    }

    /// For queries.
    pub fn closings(&self) -> Closings<'_> {
        Closings {
            shut: &self.shut,
            corners: &self.corners,
            links: &self.links,
        }
    }
}
