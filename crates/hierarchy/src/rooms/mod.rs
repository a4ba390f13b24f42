//! Rooms and the doors between them, as a person would draw them.
//!
//! ```text
//!   +-----------+---------+
//!   |           |         |      rooms: 1, 2, 3
//!   |     1     d    2    |      d: doors, where a passage is narrower than `alpha`
//!   |           |         |         times the rooms on both sides
//!   +-----d-----+---------+
//!         |  3  |
//! ```
//!
//! - `flat.rs`: the ground as Delaunay triangles between its walls, and `sample.rs`: sample points
//!   on long walls, so that triangles measure clearance;
//! - `grow.rs`: which triangles are one room;
//! - `slide.rs`: doors at their narrowest place, `passage.rs`: in the middle of doorways;
//!   `walls.rs` moves their ends;
//! - `cut.rs`: polygons cut along doors, `pieces.rs`: polygons that need more than one cut;
//! - `subdivide.rs`: large rooms cut into squares, by `grid_cuts.rs`;
//! - `articulation.rs`: rooms and doors whose loss disconnects others;
//! - `canonical.rs`: the rooms and doors of the smallest agent on the ground of a larger one;
//!   `crossings.rs` finds its doors there, `polygon_index.rs` its rooms.

mod articulation;
mod canonical;
mod crossings;
mod cut;
mod flat;
mod grid_cuts;
mod grow;
mod passage;
mod pieces;
mod polygon_index;
mod sample;
mod slide;
mod subdivide;
mod walls;

use std::collections::BTreeMap;

use navbake_geom::{Point, UnionFind};
use navbake_mesh::{NONE, PolygonMesh};

use cut::{Cut, Cutter};
use flat::Flat;
use grow::{Growth, Regions};
use slide::Segment;

pub use articulation::Joints;
pub use canonical::{ReferenceRooms, canonical_rooms};

/// The settings of rooms.
#[derive(Clone, Debug, PartialEq)]
pub struct RoomSettings {
    /// The distance of the ground's border from the walls, grid units: the agent's radius, or 0
    /// where the ground was not eroded by it.
    pub radius: i32,
    /// A door is a passage narrower than this share of the rooms on both sides.
    ///
    /// One number a level, each less than the one before, 0 to 1.
    pub alphas: Vec<f64>,
    /// Rooms have at least this area, grid units squared.
    pub min_area: f64,
    /// Rooms with more area are cut into fields no larger, grid units squared; 0 for none.
    pub max_field: f64,
    /// The least distance of sample points on walls, grid units.
    pub finest: i32,
}

/// A door: a chain of portals on a segment between two walls, or the whole border between two parts
/// of a subdivided room.
#[derive(Clone, Debug, PartialEq)]
pub struct Door {
    /// Its two rooms, the lesser number first.
    pub rooms: [u32; 2],
    /// Its ends.
    pub ends: [Point; 2],
    /// Its portals, one edge of each, in the order of the mesh.
    pub portals: Vec<u32>,
    /// Is it a divide between fields?
    pub is_divide: bool,
    /// The number of its line; doors that fields on both sides fall into have one in common.
    ///
    /// [`NONE`] for divides.
    pub line: u32,
    /// The door of the smallest agent that it is, or [`NONE`].
    pub canonical: u32,
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
    /// Rooms and doors whose loss disconnects others.
    pub joints: Joints,
    /// The smallest agent's room that holds most of each room's ground, or [`NONE`]; empty where
    /// rooms were found on the ground itself.
    pub canonical: Vec<u32>,
    /// Doors that polygons could not be cut along: the ground on both sides is one room.
    pub lost: usize,
}

/// The rooms of a navmesh, and the navmesh with polygons cut where their doors are.
///
/// O(n log n) but for corners with very many polygons around.
pub fn rooms(mesh: &PolygonMesh, settings: &RoomSettings) -> (PolygonMesh, Rooms) {
    let mut flat = Flat::new(mesh);
    let Found { of, wider, segments } = find(&mut flat, mesh, settings);
    let mut cutter = Cutter::new(mesh);
    let mut lost = cut_along(&mut cutter, &segments, 0);
    let mut cut = cutter.finish();
    // Rooms are worth no unsound mesh.
    if cut.mesh.check().is_err() {
        lost = segments.len();
        cut = Cutter::new(mesh).finish();
    }
    let (mut room, mut count) = parts(&cut, |_, _| true);
    let region = regions_of(&cut, &room, count, &segments, &of);
    let mut part: Vec<u32> = (0..count as u32).collect();
    let most = settings.max_field;
    if most > 0.0
        && let Some(found) =
            subdivide::subdivide(&cut, &room, count, most, &subdivide::Squares::Fixed)
    {
        (cut, room, count, part) = (found.cut, found.of, found.count, found.room);
    }
    let doors = doors(&cut, &room);
    let region: Vec<u32> = part.iter().map(|&p| region[p as usize]).collect();
    let wider = (wider.iter()).map(|of| number(&region, &part, of)).collect();
    let ends: Vec<[u32; 2]> = doors.iter().map(|d| d.rooms).collect();
    let rooms = Rooms {
        joints: articulation::joints(count, &ends),
        of: room,
        count,
        doors,
        wider,
        canonical: vec![],
        lost,
    };
    (cut.mesh, rooms)
}

/// The rooms found on triangles.
struct Found {
    /// The room of each triangle: the least one of it.
    of: Vec<u32>,
    /// The same for wider and wider rooms.
    wider: Vec<Vec<u32>>,
    segments: Vec<Segment>,
}

/// Grows rooms of triangles and finds their doors.
fn find(flat: &mut Flat, mesh: &PolygonMesh, settings: &RoomSettings) -> Found {
    sample::sample_walls(flat, mesh, settings.finest.max(1));
    let growth = Growth { radius: f64::from(settings.radius), min_area: settings.min_area };
    let mut alphas = settings.alphas.iter().copied();
    let mut regions = Regions::new(flat, &growth);
    regions.grow(flat, &growth, alphas.next().unwrap_or(0.0));
    let mut of = regions.of();
    let means = regions.means();
    let wider = alphas
        .map(|alpha| {
            regions.grow(flat, &growth, alpha);
            regions.of()
        })
        .collect();
    slide::slide(flat, &mut of);
    let segments = slide::doors(flat, mesh, &of, &means, [settings.radius, settings.finest]);
    Found { of, wider, segments }
}

/// Cuts along doors, which have numbers from one on; gives how many could not be cut.
fn cut_along(cutter: &mut Cutter<'_>, segments: &[Segment], first: u32) -> usize {
    let mut lost = 0;
    for (d, segment) in (first..).zip(segments) {
        lost += usize::from(!cutter.cut_first(segment.tries().into_iter().flatten(), d));
    }
    lost
}

/// Which triangles' room each part of a cut mesh is, by the doors: the least triangle, or [`NONE`]
/// for parts without doors.
fn regions_of(
    cut: &Cut,
    parts: &[u32],
    count: usize,
    segments: &[Segment],
    of: &[u32],
) -> Vec<u32> {
    let mesh = &cut.mesh;
    let mut region = vec![NONE; count];
    for p in 0..mesh.len() {
        for e in mesh.edges(p).filter(|&e| cut.door_of[e] != NONE) {
            let segment = &segments[cut.door_of[e] as usize];
            let [from, to] = segment.ends.map(|end| end.at);
            let Some([a, b]) = walls::edge_ends(mesh, e as u32) else {
                continue;
            };
            let d = |from: i32, to: i32| i64::from(to) - i64::from(from);
            let along = d(a.x, b.x) * d(from.x, to.x) + d(a.z, b.z) * d(from.z, to.z);
            let inside = along > 0;
            let triangle = if inside { segment.inside } else { segment.beyond };
            let slot = &mut region[parts[p] as usize];
            *slot = (*slot).min(of[triangle as usize]);
        }
    }
    region
}

/// The doors that part two rooms, by the places of their ends.
fn doors(cut: &Cut, room: &[u32]) -> Vec<Door> {
    let mesh = &cut.mesh;
    // A door at which fields meet is one for each two of these.
    let mut doors: BTreeMap<(u32, [u32; 2]), Vec<u32>> = BTreeMap::new();
    for p in 0..mesh.len() {
        for e in mesh.edges(p).filter(|&e| mesh.neighbours[e] != NONE) {
            let pair = [room[p], room[mesh.neighbours[e] as usize]];
            if pair[0] < pair[1] {
                doors.entry((cut.door_of[e], pair)).or_default().push(e as u32);
            }
        }
    }
    let door = |((number, rooms), portals): ((u32, [u32; 2]), Vec<u32>)| Door {
        rooms,
        ends: far_ends(mesh, &portals),
        portals,
        is_divide: number == NONE,
        line: number,
        canonical: NONE,
    };
    let mut doors: Vec<Door> = doors.into_iter().map(door).collect();
    doors.sort_by_key(|d| (d.ends, d.rooms));
    doors
}

/// Polygons connected over portals that are no doors, where both sides are one, numbered by their
/// first one.
fn parts(cut: &Cut, are_one: impl Fn(usize, usize) -> bool) -> (Vec<u32>, usize) {
    let mesh = &cut.mesh;
    let mut sets = UnionFind::new(mesh.len());
    for p in 0..mesh.len() {
        for e in mesh.edges(p) {
            let q = mesh.neighbours[e];
            if q != NONE && cut.door_of[e] == NONE && are_one(p, q as usize) {
                sets.join(p as u32, q);
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
fn far_ends(mesh: &PolygonMesh, portals: &[u32]) -> [Point; 2] {
    let mut points: Vec<Point> =
        portals.iter().filter_map(|&e| walls::edge_ends(mesh, e)).flatten().collect();
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

/// The set that each room is in, numbered in the order of rooms.
///
/// `region` is the triangle that represents a room; rooms without one, which have no doors, are
/// distinguished by `part`.
fn number(region: &[u32], part: &[u32], of: &[u32]) -> Vec<u32> {
    let mut numbers: BTreeMap<(bool, u32), u32> = BTreeMap::new();
    let key = |(&t, &part): (&u32, &u32)| match t {
        NONE => (true, part),
        t => (false, of[t as usize]),
    };
    let of_room = region.iter().zip(part).map(|pair| {
        let next = numbers.len() as u32;
        *numbers.entry(key(pair)).or_insert(next)
    });
    of_room.collect()
}
