//! A small level with names, for examples.

use navbake_format::write::{
    AgentParts, AreaParts, BlobParts, DoorParts, MarkerParts, MeshParts, SwitchParts, encode,
};
use navbake_format::{NavMesh, NavMeshBuf};

/// A file with a floor of 10 m by 9 m: a strip of mud from x = 4 m to 7 m, a door with the switch
/// "gate" behind it, the agent "default" and the marker "camp".
pub fn level() -> Vec<u8> {
    let at = |x: i32, z: i32| [1024 * x, 0, 1024 * z];
    let area = |name| AreaParts { name, tags: 0, edge_tags: 0, factor: 1.0, switch: None };
    let none = u32::MAX;
    let mesh = MeshParts {
        vertices: &[
            at(0, 0),
            at(0, 9),
            at(4, 9),
            at(4, 0),
            at(7, 9),
            at(7, 0),
            at(10, 9),
            at(10, 0),
        ],
        first_edge: &[0, 4, 8, 12],
        corners: &[0, 1, 2, 3, 3, 2, 4, 5, 5, 4, 6, 7],
        neighbours: &[none, none, 1, none, 0, none, 2, none, 1, none, none, none],
        islands: &[0; 3],
        areas: &[0, 1, 0],
        doors: &[DoorParts { edge: 6, switch: Some(0), width: 9.0, name: "gate" }],
        ..MeshParts::default()
    };
    let parts = BlobParts {
        agents: &[AgentParts {
            name: "default",
            class: 0,
            radius: 0.6,
            height: 2.0,
            climb: 0.9,
            slope: 45.0,
        }],
        areas: &[area("ground"), area("mud")],
        switches: &[SwitchParts { name: "gate", closed: false }],
        markers: &[MarkerParts { name: "camp", position: [1.0, 0.0, 1.0] }],
        meshes: &[mesh],
        ..BlobParts::default()
    };
    encode(&parts).expect("a sound level")
}

/// The navmesh of [`level`], decoded.
pub fn level_mesh() -> NavMesh<'static> {
    NavMeshBuf::open(&level()).expect("a sound level").leak()
}
