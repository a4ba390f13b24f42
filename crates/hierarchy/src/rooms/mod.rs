//! Rooms and the doors between them, as a person would draw them.
//!
//! - `flat.rs`: the ground as Delaunay triangles between its walls, and `sample.rs`: corners on long walls;
//! - `grow.rs`: which triangles are one room;
//! - `slide.rs`: doors where they are narrowest, `passage.rs`: in the midst of doorways, and `cut.rs`: polygons cut along them;
//! - `graph.rs`: which rooms and doors everything hangs on.

mod cut;
mod flat;
mod graph;
mod grow;
mod passage;
mod sample;
mod slide;

use navbake_geom::Point;
use navbake_mesh::{NONE, NavMesh};

use crate::union_find::UnionFind;
use cut::{Cut, Cutter};
use flat::Flat;
use grow::{Growth, Regions};

pub use graph::Joints;

/// What counts as a room.
#[derive(Clone, Debug, PartialEq)]
pub struct RoomSettings {
    /// What the ground's border stands off the walls, grid units: the agent's radius, or 0 where the ground was not drawn in by it.
    pub radius: i32,
    /// There is a door where the way is narrower than so much of the rooms on both sides: one number a level, each less than the one before, 0 to 1.
    pub alphas: Vec<f64>,
    /// Rooms have at least this area, grid units squared.
    pub min_area: f64,
    /// Corners put on walls are so far apart at least, grid units.
    pub finest: i32,
}

/// A door: a straight way between two walls that a chain of portals lies on.
#[derive(Clone, Debug, PartialEq)]
pub struct Door {
    /// Its two rooms, the lesser number first.
    pub rooms: [u32; 2],
    /// Its ends.
    pub ends: [Point; 2],
    /// Its portals, one edge of each, in the order of the mesh.
    pub portals: Vec<u32>,
}

/// Rooms of a navmesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rooms {
    /// The room of each polygon. Rooms are numbered by their first polygon.
    pub of: Vec<u32>,
    /// How many there are.
    pub count: usize,
    /// Doors, by the places of their ends.
    pub doors: Vec<Door>,
    /// What rooms are together in, level by level: for each room a number.
    pub wider: Vec<Vec<u32>>,
    /// What hangs on them.
    pub joints: Joints,
    /// Doors that polygons could not be cut along: the ground on both sides is one room.
    pub lost: usize,
}

/// The rooms of a navmesh, and the navmesh with polygons cut where their doors are. O(n log n) but for corners with very many polygons around.
pub fn rooms(mesh: &NavMesh, settings: &RoomSettings) -> (NavMesh, Rooms) {
    let mut flat = Flat::new(mesh);
    sample::sample_walls(&mut flat, mesh, settings.finest.max(1));
    let growth = Growth {
        radius: f64::from(settings.radius),
        min_area: settings.min_area,
    };
    let mut alphas = settings.alphas.iter().copied();
    let mut regions = Regions::new(&flat, &growth);
    regions.grow(&flat, &growth, alphas.next().unwrap_or(0.0));
    let mut of = regions.of();
    let means = regions.means();
    // Wider and wider: of each triangle that stands for a room.
    let wider: Vec<Vec<u32>> = alphas
        .map(|alpha| {
            regions.grow(&flat, &growth, alpha);
            regions.of()
        })
        .collect();
    slide::slide(&flat, &mut of);
    let segments = slide::doors(&flat, mesh, &of, &means, growth.radius);
    let mut cutter = Cutter::new(mesh);
    let mut lost = 0;
    for (d, segment) in (0u32..).zip(&segments) {
        let made = segment.tries().into_iter().flatten().any(|ends| {
            let made = cutter.cut(ends, d);
            if !made {
                cutter.unmark(d);
            }
            made
        });
        lost += usize::from(!made);
    }
    let mut cut = cutter.finish();
    // Rooms are worth no unsound mesh.
    if cut.mesh.check().is_err() {
        lost = segments.len();
        cut = Cutter::new(mesh).finish();
    }
    let (parts, count) = parts(&cut);
    // Which triangles' room each part is, as doors tell it; and the doors that part two rooms.
    let mut region = vec![NONE; count];
    let mut doors: Vec<Option<Door>> = vec![None; segments.len()];
    let mesh = cut.mesh;
    for p in 0..mesh.len() {
        for e in mesh.edges(p) {
            let d = cut.door_of[e];
            if d == NONE || mesh.neighbours[e] == NONE {
                continue;
            }
            let segment = &segments[d as usize];
            let ends = segment.ends.map(|end| end.at);
            let next = if e + 1 == mesh.edges(p).end {
                mesh.edges(p).start
            } else {
                e + 1
            };
            let [a, b] = [e, next].map(|e| mesh.vertices[mesh.corners[e] as usize].flat());
            let along = (i64::from(b.x) - i64::from(a.x))
                * (i64::from(ends[1].x) - i64::from(ends[0].x))
                + (i64::from(b.z) - i64::from(a.z)) * (i64::from(ends[1].z) - i64::from(ends[0].z));
            let triangle = if along > 0 {
                segment.inside
            } else {
                segment.beyond
            };
            let slot = &mut region[parts[p] as usize];
            *slot = (*slot).min(of[triangle as usize]);
            let beyond = parts[mesh.neighbours[e] as usize];
            if parts[p] < beyond {
                let door = doors[d as usize].get_or_insert_with(|| Door {
                    rooms: [parts[p], beyond],
                    ends: [a, b],
                    portals: vec![],
                });
                if door.rooms == [parts[p], beyond] {
                    door.portals.push(e as u32);
                }
            }
        }
    }
    let mut doors: Vec<Door> = doors.into_iter().flatten().collect();
    for door in &mut doors {
        door.ends = far_ends(&mesh, &door.portals);
    }
    doors.sort_by_key(|d| (d.ends, d.rooms));
    let wider = wider.iter().map(|of| number(&region, of)).collect();
    let ends: Vec<[u32; 2]> = doors.iter().map(|d| d.rooms).collect();
    let rooms = Rooms {
        joints: graph::joints(count, &ends),
        of: parts,
        count,
        doors,
        wider,
        lost,
    };
    (mesh, rooms)
}

/// Polygons that hang together over portals that are no doors, numbered by their first one.
fn parts(cut: &Cut) -> (Vec<u32>, usize) {
    let mesh = &cut.mesh;
    let mut sets = UnionFind::new(mesh.len());
    for p in 0..mesh.len() {
        for e in mesh.edges(p) {
            if mesh.neighbours[e] != NONE && cut.door_of[e] == NONE {
                sets.join(p as u32, mesh.neighbours[e]);
            }
        }
    }
    let mut number = vec![NONE; mesh.len()];
    let mut count = 0;
    let of = (0..mesh.len() as u32).map(|p| {
        let slot = &mut number[sets.find(p) as usize];
        if *slot == NONE {
            *slot = count;
            count += 1;
        }
        *slot
    });
    (of.collect(), count as usize)
}

/// The two places farthest apart that a chain of portals on a line ends in.
fn far_ends(mesh: &NavMesh, portals: &[u32]) -> [Point; 2] {
    let mut points: Vec<Point> = portals
        .iter()
        .filter_map(|&e| slide::edge_ends(mesh, e))
        .flatten()
        .collect();
    points.sort_unstable();
    let Some(&first) = points.first() else {
        return [Point::default(); 2];
    };
    let far = |from: Point| {
        let key = |p: &Point| (flat::square(from, *p), *p);
        points.iter().copied().max_by_key(key).unwrap_or(from)
    };
    let a = far(first);
    let b = far(a);
    [a.min(b), a.max(b)]
}

/// The set that each room is in, numbered in the order of rooms; rooms without doors are alone.
fn number(region: &[u32], of: &[u32]) -> Vec<u32> {
    let mut numbers = vec![NONE; of.len()];
    let mut count = 0;
    let mut next = || {
        count += 1;
        count - 1
    };
    let of_room = region.iter().map(|&t| match t {
        NONE => next(),
        t => {
            let slot = &mut numbers[of[t as usize] as usize];
            if *slot == NONE {
                *slot = next();
            }
            *slot
        }
    });
    of_room.collect()
}
