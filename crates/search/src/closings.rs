//! What is blocked: portals, polygons and links that switches or areas close.
//!
//! The blob stores what each switch closes; the game says which switches are closed now. The two
//! give a few bits per edge and link, and queries read nothing else.
//!
//! Blocked edges create corners, and remove others. Around the end of a blocked edge the ground
//! splits into sectors. A path can turn there within a sector of more than half a turn, and there
//! is at most one such sector.
//!
//! ```text
//!   door open                    door blocked
//!
//!        ground                       sector A
//!   #####o - - - o#####          #####o=======o#####
//!        ground                       sector B
//!
//!   Around each end o the        Two sectors of half a turn:
//!   ground takes a full turn:    no path turns there.
//!   paths can turn there.
//! ```

use navbake_format::exact::{cross, direction, dot};
use navbake_format::{NavMesh, PolyId};
use navbake_navmesh::{HalfEdge, NONE};

/// What is blocked, as queries read it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Closings<'a> {
    /// One bit per edge: it cannot be crossed from its polygon.
    pub(crate) shut: &'a [u64],
    /// One bit per corner, numbered as the edge that begins there.
    ///
    /// Where it is set, `corners` says whether a path can turn there, not the mesh.
    pub(crate) touched: &'a [u64],
    pub(crate) corners: &'a [u64],
    /// One bit per link: blocked, as it is closed or leads onto blocked ground from other ground.
    pub(crate) links: &'a [u64],
    /// One bit per polygon: it cannot be entered from ground that is not blocked.
    pub(crate) polygons: &'a [u64],
    /// Areas whose polygons are all blocked, one bit per area.
    pub(crate) areas: u64,
    /// Does a switch block anything?
    pub(crate) switched: bool,
}

fn bit(bits: &[u64], at: u32) -> bool {
    (bits.get(at as usize / 64)).is_some_and(|word| word >> (at % 64) & 1 == 1)
}

fn set(bits: &mut [u64], at: u32) {
    if let Some(word) = bits.get_mut(at as usize / 64) {
        *word |= 1 << (at % 64);
    }
}

impl<'a> Closings<'a> {
    /// Computes what the closed switches and areas block.
    ///
    /// Bit k of `switches` is switch k of the blob; switches beyond its end are open. Bit k of
    /// `areas` blocks all polygons of area k. The memory holds `links` words for links, `polygons`
    /// for polygons and three times `words` for edges; `None` when it is too short.
    ///
    /// Costs one pass over the memory and over the mesh's doors, closures and links, and with areas
    /// one over its polygons.
    pub(crate) fn new(
        mesh: &NavMesh<'_>,
        switches: &[u64],
        areas: u64,
        [_, words, links, polygons]: [usize; 4],
        memory: &'a mut [u64],
    ) -> Option<Closings<'a>> {
        let (links, memory) = memory.split_at_mut_checked(links)?;
        let (polygons, memory) = memory.split_at_mut_checked(polygons)?;
        let edges = memory.get_mut(..3 * words)?;
        edges.fill(0);
        links.fill(0);
        polygons.fill(0);
        let is_closed = |s: u16| bit(switches, s.into());
        let mut switched = false;
        for closure in mesh.closures().filter(|c| is_closed(c.switch)) {
            mesh.polys().each_piece(closure.polygon.0, |piece| set(polygons, piece));
            switched = true;
        }
        switched |= mesh.doors().any(|d| d.switch.is_some_and(is_closed));
        if areas != 0 {
            for id in (0..mesh.polygon_count()).map(PolyId) {
                if areas >> (mesh.area(id).0 & 63) & 1 == 1 {
                    set(polygons, id.0);
                }
            }
        }
        let polygons = &*polygons;
        let (shut, corners) = edges.split_at_mut(words);
        let (touched, corners) = corners.split_at_mut(words);
        let mut any = false;
        each_shut(mesh, switches, polygons, |id, k| {
            set(shut, mesh.polygon(id).edge(k).0);
            any = true;
        });
        let shut = &*shut;
        each_shut(mesh, switches, polygons, |id, k| {
            let begin = (id, k);
            sector(mesh, shut, begin, touched, corners);
            // The other end is the left side of its sector: turn clockwise to where that sector
            // begins.
            let end = (id, mesh.polygon(id).next(k));
            let begin = clockwise(mesh, shut, end);
            sector(mesh, shut, begin, touched, corners);
        });
        for number in 0..mesh.link_count() {
            let Some(link) = mesh.link(number) else {
                continue;
            };
            let by_switch = link.switch.is_some_and(is_closed);
            switched |= by_switch;
            let enters = bit(polygons, link.beyond.0) && !bit(polygons, link.polygon.0);
            if by_switch || enters {
                set(links, number);
            }
        }
        let mut closings = Closings { links, polygons, areas, switched, ..Closings::default() };
        if any {
            (closings.shut, closings.touched, closings.corners) = (shut, touched, corners);
        }
        Some(closings)
    }

    /// The blocked areas, bit k for area k.
    pub(crate) fn areas(&self) -> u64 {
        self.areas
    }

    /// Does a switch block anything?
    pub(crate) fn is_switched(&self) -> bool {
        self.switched
    }

    /// The number of blocked edges; a portal blocked in both directions counts two.
    pub fn shut_edges(&self) -> usize {
        self.shut.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Calls `f` with the number of each blocked edge, in rising order.
    pub fn each_shut(&self, f: impl FnMut(u32)) {
        each_set(self.shut, f);
    }

    /// Is all ground open? Links may be blocked.
    #[inline]
    pub fn is_ground_open(&self) -> bool {
        self.shut.is_empty()
    }

    /// Is an edge blocked, by its number among all edges?
    #[inline]
    pub fn is_shut(&self, edge: u32) -> bool {
        bit(self.shut, edge)
    }

    /// The polygon beyond an edge; `None` at walls and blocked edges.
    #[inline]
    pub(crate) fn beyond(&self, edge: &HalfEdge) -> Option<u32> {
        let open = || self.is_ground_open() || !self.is_shut(edge.number());
        (edge.neighbour != NONE && open()).then_some(edge.neighbour)
    }

    /// Can a path turn where this edge begins? `on_mesh` is the answer with all open.
    ///
    /// `edge` is its number among all edges.
    #[inline]
    pub fn is_corner(&self, edge: u32, on_mesh: bool) -> bool {
        if bit(self.touched, edge) { bit(self.corners, edge) } else { on_mesh }
    }

    /// Does a blocked edge bound the ground of the corner where this edge begins?
    #[inline]
    pub fn is_touched(&self, edge: u32) -> bool {
        bit(self.touched, edge)
    }

    /// Is a link blocked?
    #[inline]
    pub(crate) fn is_link_closed(&self, link: u32) -> bool {
        bit(self.links, link)
    }

    /// Is a polygon blocked: it can be left, but not entered from other ground?
    pub fn is_closed(&self, polygon: PolyId) -> bool {
        bit(self.polygons, polygon.0)
    }
}

/// Calls `f` for each blocked edge: at closed doors, and into blocked ground from other ground.
fn each_shut(
    mesh: &NavMesh<'_>,
    switches: &[u64],
    polygons: &[u64],
    mut f: impl FnMut(PolyId, u32),
) {
    let is_closed = |s: u16| bit(switches, s.into());
    for door in mesh.doors().filter(|d| d.switch.is_some_and(is_closed)) {
        mesh.polys().each_part((door.polygon.0, door.edge), |polygon, edge| {
            f(PolyId(polygon), edge);
            if let Some((beyond, twin)) = mesh.polygon(PolyId(polygon)).across(edge) {
                f(beyond, twin);
            }
        });
    }
    each_set(polygons, |number| {
        let polygon = mesh.polygon(PolyId(number));
        for k in 0..polygon.len() {
            if let Some((beyond, twin)) = polygon.across(k)
                && !bit(polygons, beyond.0)
            {
                f(beyond, twin);
            }
        }
    });
}

/// Calls `f` with the number of each bit that is set, in rising order.
fn each_set(words: &[u64], mut f: impl FnMut(u32)) {
    for (word, &bits) in (0u32..).zip(words) {
        let mut bits = bits;
        while bits != 0 {
            f(64 * word + bits.trailing_zeros());
            bits &= bits - 1;
        }
    }
}

/// A corner of a polygon.
type Corner = (PolyId, u32);

/// Turns clockwise around a corner to where its sector begins.
///
/// A sector begins at a wall or a blocked edge.
fn clockwise(mesh: &NavMesh<'_>, shut: &[u64], mut at: Corner) -> Corner {
    let start = at;
    for _ in 0..=mesh.polygon_count() {
        let polygon = mesh.polygon(at.0);
        if bit(shut, polygon.edge(at.1).0) {
            break;
        }
        let Some((beyond, twin)) = polygon.across(at.1) else {
            break;
        };
        let next = (beyond, mesh.polygon(beyond).next(twin));
        if next == start {
            break;
        }
        at = next;
    }
    at
}

/// Decides whether paths can turn in a sector of ground around a corner.
///
/// They can when the sector, counter-clockwise from `begin`, takes more than half a turn.
fn sector(
    mesh: &NavMesh<'_>,
    shut: &[u64],
    begin: Corner,
    touched: &mut [u64],
    corners: &mut [u64],
) {
    let polygon = mesh.polygon(begin.0);
    let centre = polygon.corner(begin.1);
    let first = direction(centre, polygon.corner(polygon.next(begin.1)));
    let (mut half, mut reflex) = (false, false);
    turn(mesh, shut, begin, |corner, end| {
        set(touched, corner);
        // A convex polygon takes at most half a turn, so no step passes it unnoticed.
        let d = direction(centre, end);
        let side = cross(first, d);
        reflex |= half || side < 0;
        half |= side == 0 && dot(first, d) < 0;
    });
    if reflex {
        turn(mesh, shut, begin, |corner, _| set(corners, corner));
    }
}

/// Calls `f` for each corner of a sector, with the start of the edge before it.
fn turn(mesh: &NavMesh<'_>, shut: &[u64], begin: Corner, mut f: impl FnMut(u32, [i32; 2])) {
    let mut at = begin;
    for _ in 0..=mesh.polygon_count() {
        let polygon = mesh.polygon(at.0);
        let back = polygon.previous(at.1);
        f(polygon.edge(at.1).0, polygon.corner(back));
        if bit(shut, polygon.edge(back).0) {
            break;
        }
        match polygon.across(back) {
            Some(next) if next != begin => at = next,
            _ => break,
        }
    }
}
