//! Rooms of small grid maps.

use navbake_geom::{Grid, Point, orient};
use navbake_hierarchy::{RoomSettings, Rooms};
use navbake_level::{CellShape, GridMap};
use navbake_mesh::{
    JoinSettings, MergeSettings, NONE, Patch, PatchSettings, PolygonMesh, join, merge_polygons,
    patch,
};
use navbake_walkable::grid_map_layers;
use proptest::prelude::*;

/// The polygons of rows of cells a metre wide: `.` is free.
pub(crate) fn mesh_of(rows: &[String]) -> PolygonMesh {
    let map = GridMap {
        shape: CellShape::Square,
        cell: 1.0,
        corner: [0.0; 2],
        width: rows[0].len() as u32,
        height: rows.len() as u32,
        free: rows.iter().flat_map(|r| r.bytes().map(|b| b == b'.')).collect(),
        terrain: vec![],
    };
    let grid = Grid { bits: 10, origin: [0.0; 3] };
    let settings = PatchSettings {
        tolerance: 0,
        height_error: 0,
        seam_error: 0,
        slope_error: 0,
        max_corners: 32,
    };
    let patches: Vec<Patch> =
        grid_map_layers(&map, &grid).iter().map(|l| patch(l, &settings).unwrap()).collect();
    merge_polygons(&join(&patches, &JoinSettings { climb: 1 }), &MergeSettings::default())
}

pub(crate) fn settings() -> RoomSettings {
    RoomSettings {
        radius: 0,
        alphas: vec![0.65, 0.4, 0.2],
        min_area: 4.0 * 1024.0 * 1024.0,
        max_field: 0.0,
        finest: 512,
    }
}

pub(crate) fn text(rows: &[&str]) -> Vec<String> {
    rows.iter().map(|&r| r.into()).collect()
}

/// The room of the polygon at the middle of a cell.
pub(crate) fn room_at(mesh: &PolygonMesh, rooms: &Rooms, x: i32, z: i32) -> u32 {
    room_of(mesh, rooms, Point::new(1024 * x + 500, 1024 * z + 517)).unwrap()
}

/// The room of the first polygon that holds a place.
pub(crate) fn room_of(mesh: &PolygonMesh, rooms: &Rooms, at: Point) -> Option<u32> {
    let corner = |v: u32| mesh.vertices[v as usize].flat();
    let holds = |p: &usize| {
        let ring = mesh.polygon(*p);
        (0..ring.len())
            .all(|k| orient(corner(ring[k]), corner(ring[(k + 1) % ring.len()]), at) >= 0)
    };
    Some(rooms.of[(0..mesh.len()).find(holds)?])
}

/// What holds of rooms of any mesh.
pub(crate) fn hold(before: &PolygonMesh, mesh: &PolygonMesh, rooms: &Rooms) {
    mesh.check().unwrap();
    assert_eq!(
        mesh.area_doubled(),
        before.area_doubled(),
        "no ground is lost where ends are grid points"
    );
    assert_eq!(rooms.of.len(), mesh.len());
    let mut is_door = vec![false; mesh.corners.len()];
    for door in &rooms.doors {
        assert!(door.rooms[0] < door.rooms[1] && !door.portals.is_empty());
        for &e in &door.portals {
            assert!(!std::mem::replace(&mut is_door[e as usize], true), "a portal of two doors");
        }
    }
    for p in 0..mesh.len() {
        for e in mesh.edges(p) {
            let q = mesh.neighbours[e];
            if q == NONE {
                continue;
            }
            let two = rooms.of[p] != rooms.of[q as usize];
            assert!(two || !is_door[e]);
            if two && rooms.of[p] < rooms.of[q as usize] {
                assert!(is_door[e], "a portal between two rooms is a door's");
            }
        }
    }
    // Rooms are connected: as many as components when doors are walls.
    let mut of: Vec<usize> = (0..mesh.len()).collect();
    loop {
        let mut changed = false;
        for p in 0..mesh.len() {
            for e in mesh.edges(p) {
                let q = mesh.neighbours[e];
                if q != NONE && rooms.of[p] == rooms.of[q as usize] && of[p] != of[q as usize] {
                    let least = of[p].min(of[q as usize]);
                    (of[p], of[q as usize]) = (least, least);
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    of.sort_unstable();
    of.dedup();
    assert_eq!(of.len(), rooms.count);
    // Wider rooms hold the narrower ones.
    for levels in rooms.wider.windows(2) {
        for a in 0..rooms.count {
            for b in 0..rooms.count {
                assert!(levels[0][a] != levels[0][b] || levels[1][a] == levels[1][b]);
            }
        }
    }
    assert_eq!(rooms.lost, 0);
}

/// Cells in connected clumps.
pub(crate) fn rows() -> impl Strategy<Value = Vec<String>> {
    let cells = prop::collection::vec(prop_oneof![3 => Just(b'.'), 1 => Just(b'@')], 18 * 14);
    cells.prop_map(|cells| {
        let rows = cells
            .chunks(18)
            .map(|row| row.iter().flat_map(|&b| [b as char; 3]).collect::<String>());
        rows.flat_map(|row| vec![row; 2]).collect()
    })
}
