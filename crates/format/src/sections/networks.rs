//! Route networks: points on a mesh and edges between them, for searches over points.
//!
//! An edge is a straight line over the ground. What it costs, and whether it is open, follows from
//! the mesh and the filter of a query. The sections are `networks`, `network-points` and
//! `network-edges`.

use core::fmt;

use navbake_grid::{PolyId, orient};
use navbake_navmesh::record::Records;

use crate::packed_mesh::NavMeshView;
use crate::place::{Checked, Place};
use crate::strings::StringRef;
use crate::{Blob, CheckedBlob, Section};

navbake_navmesh::record! {
    /// Section `networks`. Points go up to the first of the next network.
    struct NetworkRecord: 16 {
        name: StringRef, kind: u8, reserved: u8, joined: u32, first_point: u32,
    }
}
navbake_navmesh::record! {
    /// Section `network-points`. Edges go up to the first of the next point.
    struct PointRecord: 16 { polygon: u32, at: [i32; 2], first_edge: u32 }
}
navbake_navmesh::record! {
    /// Section `network-edges`: the number of a point of the same network, and a factor.
    struct EdgeRecord: 8 { to: u32, factor: f32 }
}

/// How the points of a network were found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NetworkKind {
    /// Drawn by a designer.
    #[default]
    Waypoints,
    /// Middles or corners of the leaves of a quadtree.
    Quadtree,
    /// Corners that see each other.
    Visibility,
    /// Middles of squares, on every storey.
    Grid,
}

impl NetworkKind {
    /// All of them.
    pub const ALL: [NetworkKind; 4] =
        [NetworkKind::Waypoints, NetworkKind::Quadtree, NetworkKind::Visibility, NetworkKind::Grid];

    /// The word for it in configs and JSON.
    pub fn name(self) -> &'static str {
        match self {
            NetworkKind::Waypoints => "waypoints",
            NetworkKind::Quadtree => "quadtree",
            NetworkKind::Visibility => "visibility",
            NetworkKind::Grid => "grid",
        }
    }
}

impl fmt::Display for NetworkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A point of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkPoint {
    /// The polygon that it is on.
    pub polygon: PolyId,
    /// `[x, z]`, grid units.
    pub at: [i32; 2],
}

/// An edge of a network, in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NetworkEdge {
    /// The number of the point that it leads to.
    pub to: u32,
    /// Its cost is that of the ground below it times this, at least 1.
    pub factor: f32,
}

/// A network, read in place.
#[derive(Clone, Copy)]
pub struct NetworkView<'a> {
    /// Its name.
    pub name: &'a str,
    /// How its points were found.
    pub kind: NetworkKind,
    /// Start and goal are joined to this many of the nearest points that they see; 0 for all.
    pub joined: u32,
    points: Records<'a, PointRecord>,
    edges: Records<'a, EdgeRecord>,
    /// Where the edges of its last point end.
    end: u32,
}

impl<'a> NetworkView<'a> {
    /// The number of points.
    pub fn point_count(&self) -> u32 {
        self.points.len() as u32 // checked when the file was read
    }

    /// The number of edges, each in one direction.
    pub fn edge_count(&self) -> u32 {
        self.end - self.points.first().map_or(self.end, |point| point.first_edge)
    }

    /// The points by number.
    pub fn points(&self) -> impl ExactSizeIterator<Item = NetworkPoint> + use<'a> {
        self.points.iter().map(|r| NetworkPoint { polygon: PolyId(r.polygon), at: r.at })
    }

    /// The edges that begin at a point; none for a number that no point has.
    pub fn edges_of(&self, point: u32) -> impl ExactSizeIterator<Item = NetworkEdge> + use<'a> {
        let start = |at: usize| self.points.get(at).map_or(self.end, |r| r.first_edge) as usize;
        let at = point as usize;
        let edges = self.edges.slice(start(at)..start(at.saturating_add(1))).unwrap_or_default();
        edges.iter().map(|r| NetworkEdge { to: r.to, factor: r.factor })
    }
}

/// The networks of a class, without checks.
fn read<'a>(blob: &Blob<'a>, class: u16) -> impl Iterator<Item = NetworkView<'a>> + use<'a> {
    let heads = blob.records::<NetworkRecord>(Section::NETWORKS, class);
    let points = blob.records::<PointRecord>(Section::NETWORK_POINTS, class);
    let edges = blob.records::<EdgeRecord>(Section::NETWORK_EDGES, class);
    let blob = *blob;
    (0..heads.len()).map(move |k| {
        let head = heads.at(k);
        let next = heads.get(k + 1).map_or(points.len() as u32, |next| next.first_point);
        let own = points.slice(head.first_point as usize..next as usize);
        let end = points.get(next as usize).map_or(edges.len() as u32, |next| next.first_edge);
        NetworkView {
            name: blob.name(head.name),
            kind: *NetworkKind::ALL.get(usize::from(head.kind)).unwrap_or(&NetworkKind::Waypoints),
            joined: head.joined,
            points: own.unwrap_or_default(),
            edges,
            end,
        }
    })
}

impl<'a> CheckedBlob<'a> {
    /// The route networks on the mesh of an agent class, in the order of the config.
    pub fn networks(&self, class: u16) -> impl Iterator<Item = NetworkView<'a>> + use<'a> {
        read(&self.blob(), class)
    }
}

/// Networks have a name of their own, points on the ground, and edges between their own points.
pub(crate) fn check(blob: &Blob<'_>, mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let (section, points, edges) =
        (Section::NETWORKS, Section::NETWORK_POINTS, Section::NETWORK_EDGES);
    let heads = blob.records::<NetworkRecord>(section, at.class);
    if heads.is_empty() {
        return at.alone(blob, [points, edges], "a section networks, to which this belongs");
    }
    let all_points = blob.records::<PointRecord>(points, at.class);
    let all_edges = blob.records::<EdgeRecord>(edges, at.class);
    let expected = "numbers of first points that begin at 0, do not fall and exist";
    starts(at, section, heads.iter().map(|r| r.first_point), all_points.len(), expected)?;
    for (it, r) in at.each(section, heads.iter()) {
        it.name(blob, r.name)?;
        it.refuse(usize::from(r.kind) >= NetworkKind::ALL.len(), r.kind, "a kind from 0 to 3")?;
        it.reserved(r.reserved)?;
    }
    let expected = "numbers of first edges that begin at 0, do not fall and exist";
    starts(at, points, all_points.iter().map(|r| r.first_edge), all_edges.len(), expected)?;
    for (it, r) in at.each(points, all_points.iter()) {
        it.refuse(r.polygon >= mesh.polygon_count(), r.polygon, "a polygon")?;
        it.coordinates(&r.at)?;
        let polygon = mesh.polygon(PolyId(r.polygon));
        let is_left =
            |k: u32| orient(polygon.corner(k), polygon.corner(polygon.next(k)), r.at) >= 0;
        let expected = "a polygon that holds the point";
        it.refuse(!(0..polygon.len()).all(is_left), r.polygon, expected)?;
    }
    let none = all_points.is_empty() && !all_edges.is_empty();
    at.refuse(none, edges, 0, all_edges.len(), "no edges without points")?;
    let mut number = 0u64;
    for network in read(blob, at.class) {
        for point in 0..network.point_count() {
            for edge in network.edges_of(point) {
                let it = at.element(edges, number);
                let expected = "another point of its network";
                let is_other = edge.to < network.point_count() && edge.to != point;
                it.refuse(!is_other, edge.to, expected)?;
                let sound = (1.0..=1e6).contains(&edge.factor);
                it.refuse(!sound, f64::from(edge.factor), "a factor from 1 to 1,000,000")?;
                number += 1;
            }
        }
    }
    Ok(())
}

/// Numbers where lists begin: the first is 0, none is below the one before or above `count`.
fn starts(
    at: &Place,
    section: Section,
    starts: impl Iterator<Item = u32>,
    count: usize,
    expected: &'static str,
) -> Checked {
    let mut last = None;
    for (it, start) in at.each(section, starts) {
        let sound = start >= last.unwrap_or(0) && (last.is_some() || start == 0);
        it.refuse(!sound || start as usize > count, start, expected)?;
        last = Some(start);
    }
    Ok(())
}

#[cfg(feature = "write")]
pub use encoder::NetworkParts;
#[cfg(feature = "write")]
pub(crate) use encoder::encode;

#[cfg(feature = "write")]
mod encoder {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::{EdgeRecord, NetworkEdge, NetworkKind, NetworkPoint, NetworkRecord, PointRecord};
    use crate::Section;
    use crate::draft::{Draft, Drafts};
    use crate::strings::Strings;
    use crate::write::EncodeError;

    /// A route network of an agent class.
    #[derive(Clone, Debug, Default)]
    pub struct NetworkParts<'a> {
        /// The agent class.
        pub class: u16,
        /// Its name.
        pub name: &'a str,
        /// How its points were found.
        pub kind: NetworkKind,
        /// Start and goal are joined to this many of the nearest points that they see; 0 for all.
        pub joined: u32,
        /// Its points, on polygons by their numbers in the finished mesh.
        pub points: &'a [NetworkPoint],
        /// The edges that begin at each point.
        pub edges: &'a [Vec<NetworkEdge>],
    }

    /// Adds networks; those of a class keep their order.
    pub(crate) fn encode(
        networks: &[NetworkParts<'_>],
        strings: &mut Strings,
        drafts: &mut Drafts<'_>,
    ) -> Result<(), EncodeError> {
        let classes: u16 = networks.iter().map(|n| n.class + 1).max().unwrap_or(0);
        for class in 0..classes {
            let (mut heads, mut points, mut edges) = (vec![], vec![], vec![]);
            for network in networks.iter().filter(|n| n.class == class) {
                if network.edges.len() != network.points.len() {
                    let (found, expected) = (network.edges.len(), network.points.len() as u64);
                    return Err(EncodeError::length("edges of points", class, found, expected));
                }
                heads.push(NetworkRecord {
                    name: strings.add(network.name, "network name")?,
                    kind: network.kind as u8,
                    reserved: 0,
                    joined: network.joined,
                    first_point: points.len() as u32,
                });
                for (point, own) in network.points.iter().zip(network.edges) {
                    points.push(PointRecord {
                        polygon: point.polygon.0,
                        at: point.at,
                        first_edge: edges.len() as u32,
                    });
                    edges.extend(own.iter().map(|e| EdgeRecord { to: e.to, factor: e.factor }));
                }
            }
            let most = u32::MAX as usize;
            if points.len() > most || edges.len() > most {
                let found = points.len().max(edges.len());
                return Err(EncodeError::length("points and edges", class, found, most as u64));
            }
            drafts.push(Draft::optional(Section::NETWORKS, class, heads));
            drafts.push(Draft::optional(Section::NETWORK_POINTS, class, points));
            drafts.push(Draft::optional(Section::NETWORK_EDGES, class, edges));
        }
        Ok(())
    }
}
