//! The navmesh of an agent in metres, for drawing and export.

use std::collections::BTreeMap;

use navbake_format::{LinkKind, NavMesh, PolyId, RoomId, VertexId};

use crate::Axes;
use crate::parts::{EarlierSurface, parts};

/// A navmesh in y-up metres, with the origin added, unless [`Surface::in_axes`] changed that.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// Positions of the corners of polygons.
    pub vertices: Vec<[f64; 3]>,
    /// Positions of the height mesh inside polygons.
    pub points: Vec<[f64; 3]>,
    /// Convex, counter-clockwise seen from above.
    pub polygons: Vec<Polygon>,
    /// Links; two opposite ones of a kind are one.
    pub links: Vec<Link>,
    /// Rooms, where the blob has them.
    pub rooms: Option<Rooms>,
}

/// The rooms of a surface.
#[derive(Clone, Debug, Default)]
pub struct Rooms {
    /// The room of each polygon.
    pub of_polygon: Vec<u32>,
    /// The name of each room, empty where it has none.
    pub names: Vec<String>,
    /// The number of each room for the smallest agent, or its own where that agent has no such
    /// room.
    pub numbers: Vec<u32>,
    /// Doors and the lines between fields of a large room.
    pub doors: Vec<Door>,
}

/// A door between two rooms.
#[derive(Clone, Debug)]
pub struct Door {
    /// The rooms it connects.
    pub rooms: [u32; 2],
    /// A polygon that borders on it.
    pub polygon: usize,
    /// Its ends.
    pub ends: [[f64; 3]; 2],
    /// Its width.
    pub width: f64,
    /// The portals along a line between two fields of a room; empty for a door.
    pub divide: Vec<[[f64; 3]; 2]>,
}

impl Rooms {
    fn new(rooms: &navbake_format::Rooms<'_>, mesh: &NavMesh<'_>) -> Rooms {
        let grid = mesh.grid();
        let portal = |(p, k): (PolyId, u32)| {
            let polygon = mesh.polygon(p);
            [k, polygon.next(k)].map(|k| {
                let [x, z] = polygon.corner(k).map(f64::from);
                grid.metres([x, 0.0, z])
            })
        };
        let door = |d: u32| {
            let door = rooms.door(d)?;
            let polygon = rooms.portals(d).next()?.0;
            Some(Door {
                rooms: door.rooms.map(|r| r.0),
                polygon: polygon.index(),
                ends: (door.ends).map(|[x, z]| grid.metres([f64::from(x), 0.0, f64::from(z)])),
                width: door.width.into(),
                divide: match door.is_divide {
                    true => rooms.portals(d).map(portal).collect(),
                    false => vec![],
                },
            })
        };
        let name = |r| rooms.get(RoomId(r)).map_or("", |room| room.name).into();
        Rooms {
            of_polygon: (0..mesh.polygon_count()).map(|p| rooms.of(PolyId(p)).0).collect(),
            names: (0..rooms.count()).map(name).collect(),
            numbers: (0..rooms.count())
                .map(|r| rooms.canonical_room(RoomId(r)).map_or(r, |like| like.0))
                .collect(),
            doors: (0..rooms.door_count()).filter_map(door).collect(),
        }
    }

    /// The name of a room, or its number.
    pub(crate) fn title(&self, room: u32) -> String {
        match self.names[room as usize].as_str() {
            "" => format!("room {}", self.numbers[room as usize]),
            name => name.into(),
        }
    }
}

/// A link, or two opposite links of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Its kind.
    pub kind: LinkKind,
    /// Its name, empty where it has none.
    pub name: String,
    /// The polygons of its ends.
    pub polygons: [usize; 2],
    /// Its start and its end.
    pub ends: [[f64; 3]; 2],
    /// Whether there is a link back.
    pub both_ways: bool,
}

/// A polygon of a surface.
#[derive(Clone, Debug)]
pub struct Polygon {
    /// Indices of vertices.
    pub corners: Vec<u32>,
    /// The polygon beyond the edge from each corner to the next.
    pub neighbours: Vec<Option<u32>>,
    /// The number of its island.
    pub island: u32,
    /// The convex faces of its height mesh: indices of vertices, then of points; empty where flat.
    pub faces: Vec<Vec<u32>>,
}

/// An edge as the polygon beyond it has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeBack {
    /// The polygon beyond.
    pub(crate) polygon: u32,
    /// The vertex where its edge starts: above or below the end of ours.
    pub(crate) start: u32,
    /// The vertex where its edge ends: above or below the start of ours.
    pub(crate) end: u32,
    /// The corner of `end` in the polygon beyond.
    pub(crate) end_corner: u32,
}

/// The links of a mesh; two opposite links of one kind become one.
fn links(mesh: &NavMesh<'_>) -> Vec<Link> {
    let all: Vec<_> = (0..mesh.link_count()).filter_map(|n| mesh.link(n)).collect();
    let back: BTreeMap<_, usize> = (all.iter().enumerate())
        .map(|(n, l)| ((l.to, l.from, l.beyond, l.polygon, l.kind as u8), n))
        .collect();
    let twin = |l: &navbake_format::Link<'_>| {
        let key = (l.from, l.to, l.polygon, l.beyond, l.kind as u8);
        back.get(&key).copied()
    };
    let end = |polygon, at: [i32; 2]| {
        let [x, z] = at.map(f64::from);
        let y = mesh.polygon(polygon).height([x, z]);
        mesh.grid().metres([x, y, z])
    };
    let once = all.iter().enumerate().filter(|(n, l)| twin(l).is_none_or(|twin| *n <= twin));
    once.map(|(_, l)| Link {
        kind: l.kind,
        name: l.name.into(),
        polygons: [l.polygon, l.beyond].map(|p| p.0 as usize),
        ends: [end(l.polygon, l.from), end(l.beyond, l.to)],
        both_ways: twin(l).is_some(),
    })
    .collect()
}

impl Surface {
    /// The navmesh of an agent.
    pub fn new(mesh: &NavMesh<'_>) -> Surface {
        Surface::again(mesh, &mut EarlierSurface::default())
    }

    /// The same, faster where much is unchanged since `earlier`.
    pub fn again(mesh: &NavMesh<'_>, earlier: &mut EarlierSurface) -> Surface {
        let grid = mesh.grid();
        let parts = parts(mesh, earlier);
        let mut points = vec![];
        let mut polygon = |p: navbake_format::Polygon<'_, '_>| {
            let corners: Vec<u32> = (0..p.len()).map(|k| p.vertex(k).0).collect();
            let part = &parts[p.id().index()];
            let first = mesh.vertex_count() + points.len() as u32;
            points.extend(part.points.iter().map(|at| grid.metres(*at)));
            let faces = part.faces.iter();
            let faces = faces.map(|face| face.iter().map(|i| first + i).collect()).collect();
            Polygon {
                corners,
                neighbours: (0..p.len()).map(|k| p.neighbour(k).map(|n| n.0)).collect(),
                island: mesh.island(p.id()).0,
                faces,
            }
        };
        let polygons = mesh.polygons().map(&mut polygon).collect();
        Surface {
            vertices: (0..mesh.vertex_count())
                .map(|v| grid.metres(mesh.vertex(VertexId(v)).map(f64::from)))
                .collect(),
            points,
            polygons,
            links: links(mesh),
            rooms: None,
        }
    }

    /// Adds the rooms of the navmesh.
    pub fn with_rooms(mut self, mesh: &NavMesh<'_>) -> Surface {
        self.rooms = mesh.rooms().map(|rooms| Rooms::new(rooms, mesh));
        self
    }

    /// Converts to the axes and units of the level's file.
    pub fn in_axes(mut self, axes: Axes) -> Surface {
        for vertex in self.vertices.iter_mut().chain(&mut self.points) {
            *vertex = axes.outward(*vertex);
        }
        for end in self.links.iter_mut().flat_map(|link| &mut link.ends) {
            *end = axes.outward(*end);
        }
        for door in self.rooms.iter_mut().flat_map(|rooms| &mut rooms.doors) {
            door.ends = door.ends.map(|end| axes.outward(end));
            door.width /= axes.scale;
            for end in door.divide.as_flattened_mut() {
                *end = axes.outward(*end);
            }
        }
        self
    }

    /// The edge that mirrors edge `k` of polygon `p`, if there is a polygon beyond it.
    pub(crate) fn edge_back(&self, p: usize, k: usize) -> Option<EdgeBack> {
        let polygon = &self.polygons[p];
        let n = polygon.corners.len();
        let beyond = polygon.neighbours[k]?;
        let flat = |vertex: u32| {
            let [x, _, z] = self.vertices[vertex as usize];
            (x, z)
        };
        let (a, b) = (polygon.corners[k], polygon.corners[(k + 1) % n]);
        let other = self.polygons.get(beyond as usize)?;
        let m = other.corners.len();
        (0..m)
            .find(|&j| {
                other.neighbours[j] == Some(p as u32)
                    && flat(other.corners[j]) == flat(b)
                    && flat(other.corners[(j + 1) % m]) == flat(a)
            })
            .map(|j| EdgeBack {
                polygon: beyond,
                start: other.corners[j],
                end: other.corners[(j + 1) % m],
                end_corner: ((j + 1) % m) as u32,
            })
    }

    /// The direction of the edge that ends in corner `k`, backwards: an angle from x towards z.
    pub(crate) fn direction_before(&self, p: usize, k: usize) -> f64 {
        let corners = &self.polygons[p].corners;
        let here = self.vertices[corners[k] as usize];
        let before = self.vertices[corners[(k + corners.len() - 1) % corners.len()] as usize];
        (before[2] - here[2]).atan2(before[0] - here[0])
    }

    /// The polygons of each island.
    pub(crate) fn polygons_of_islands(&self) -> BTreeMap<u32, Vec<usize>> {
        let mut islands: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (index, polygon) in self.polygons.iter().enumerate() {
            islands.entry(polygon.island).or_default().push(index);
        }
        islands
    }

    /// The corners of a polygon.
    pub fn ring(&self, p: usize) -> Vec<[f64; 3]> {
        self.polygons[p].corners.iter().map(|&c| self.vertices[c as usize]).collect()
    }

    /// A polygon as triangles: its height mesh, or the fan from its first corner.
    pub fn triangles(&self, p: usize) -> Vec<[[f64; 3]; 3]> {
        let triangles = self.triangle_indices(p).into_iter();
        triangles.map(|t| t.map(|i| self.position(i))).collect()
    }

    /// The position of a vertex, or of a point, whose indices begin behind those of vertices.
    pub fn position(&self, i: u32) -> [f64; 3] {
        let i = i as usize;
        let point = || self.points[i - self.vertices.len()];
        self.vertices.get(i).copied().unwrap_or_else(point)
    }

    /// The triangles of a polygon as indices of vertices, then of points.
    pub fn triangle_indices(&self, p: usize) -> Vec<[u32; 3]> {
        let polygon = &self.polygons[p];
        let fan = |face: &Vec<u32>| -> Vec<[u32; 3]> {
            let pairs = face.windows(2).skip(1);
            pairs.map(|w| [face[0], w[0], w[1]]).collect()
        };
        match polygon.faces.as_slice() {
            [] => fan(&polygon.corners),
            faces => faces.iter().flat_map(fan).collect(),
        }
    }

    /// The area of a polygon in the ground plane.
    pub fn area(&self, p: usize) -> f64 {
        let ring = self.ring(p);
        let o = ring[0];
        ring.windows(2)
            .map(|w| {
                let (bx, bz) = (w[0][0] - o[0], w[0][2] - o[2]);
                let (cx, cz) = (w[1][0] - o[0], w[1][2] - o[2]);
                (bz * cx - bx * cz) / 2.0
            })
            .sum()
    }

    /// The mean height of a polygon's corners.
    pub fn height(&self, p: usize) -> f64 {
        let ring = self.ring(p);
        ring.iter().map(|c| c[1]).sum::<f64>() / ring.len() as f64
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    fn polygon(corners: &[u32], neighbours: &[i64], island: u32) -> Polygon {
        Polygon {
            corners: corners.to_vec(),
            neighbours: neighbours.iter().map(|&n| u32::try_from(n).ok()).collect(),
            island,
            faces: vec![],
        }
    }

    /// Two unit squares side by side along x, and a triangle far away.
    pub(crate) fn two_squares_and_an_island() -> Surface {
        let vertices = [
            [0.0, 0.0],
            [1.0, 0.0],
            [0.0, 1.0],
            [1.0, 1.0],
            [2.0, 0.0],
            [2.0, 1.0],
            [5.0, 0.0],
            [5.0, 1.0],
            [6.0, 0.0],
        ]
        .map(|[x, z]| [x, 0.0, z])
        .to_vec();
        Surface {
            vertices,
            points: vec![],
            links: vec![],
            rooms: None,
            polygons: vec![
                polygon(&[0, 2, 3, 1], &[-1, -1, 1, -1], 0),
                polygon(&[1, 3, 5, 4], &[0, -1, -1, -1], 0),
                polygon(&[6, 7, 8], &[-1, -1, -1], 1),
            ],
        }
    }

    /// Four unit squares around (1, 1); the two with greater z are a step higher, with own
    /// vertices.
    pub(crate) fn plus_of_four_squares() -> Surface {
        let mut vertices: Vec<[f64; 3]> = vec![];
        for (y, zs) in [(0.0, [0.0, 1.0]), (0.5, [1.0, 2.0])] {
            for z in zs {
                for x in [0.0, 1.0, 2.0] {
                    vertices.push([x, y, z]);
                }
            }
        }
        // Rows of three: 0-2 and 3-5 below, 6-8 and 9-11 above; 6-8 are above 3-5.
        Surface {
            vertices,
            points: vec![],
            links: vec![],
            rooms: None,
            polygons: vec![
                polygon(&[0, 3, 4, 1], &[-1, 2, 1, -1], 0),
                polygon(&[1, 4, 5, 2], &[0, 3, -1, -1], 0),
                polygon(&[6, 9, 10, 7], &[-1, -1, 3, 0], 0),
                polygon(&[7, 10, 11, 8], &[2, -1, -1, 1], 0),
            ],
        }
    }

    #[test]
    fn an_edge_knows_the_other_side_of_a_step() {
        let surface = plus_of_four_squares();
        let back = surface.edge_back(0, 1).unwrap();
        assert_eq!((back.polygon, back.start, back.end), (2, 7, 6));
        assert!(surface.edge_back(0, 0).is_none());
        assert_eq!(surface.area(0), 1.0);
        assert_eq!(surface.height(2), 0.5);
    }
}
