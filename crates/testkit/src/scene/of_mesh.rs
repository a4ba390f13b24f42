//! A baked navmesh as a scene, for its oracles.

use std::collections::BTreeSet;

use navbake_search::{NavMesh, PolyId};

use super::links::SceneLink;
use super::{Face, Mix, Scene};
use crate::Random;

const EMPTY: Mix =
    Mix { columns: 0, rows: 0, storeys: 0, jitter: 0, blocked: 0, cut: 0, exchanged: 0, merged: 0 };

impl Scene {
    /// The polygons of a navmesh that are there, on its grid, and the polygon of each face.
    pub fn of(mesh: &NavMesh<'_>) -> (Scene, Vec<PolyId>) {
        let there: Vec<PolyId> =
            mesh.polygons().filter(|p| !p.is_empty()).map(|p| p.id()).collect();
        let face = |id: PolyId| there.binary_search(&id).ok();
        let corners =
            |&id: &PolyId| (0..mesh.polygon(id).len()).map(move |k| mesh.polygon(id).corner(k));
        let points: BTreeSet<[i32; 2]> = there.iter().flat_map(corners).collect();
        let points: Vec<[i32; 2]> = points.into_iter().collect();
        let mut faces = vec![];
        for id in &there {
            let polygon = mesh.polygon(*id);
            faces.push(Face {
                corners: corners(id).map(|p| points.binary_search(&p).expect("a corner")).collect(),
                beyond: (0..polygon.len())
                    .map(|k| {
                        polygon.neighbour(k).map(|n| face(n).expect("a neighbour that is there"))
                    })
                    .collect(),
                storey: 0,
            });
        }
        let mut scene = Scene::random(&mut Random(1), EMPTY);
        (scene.points, scene.faces) = (points, faces);
        scene.areas = there.iter().map(|&id| mesh.area(id).0).collect();
        for door in mesh.doors() {
            let Some(switch) = door.switch else { continue };
            mesh.polys().each_part((door.polygon.0, door.edge), |p, k| {
                let face = face(PolyId(p)).expect("a part that is there");
                // A part may be a wall now.
                if scene.faces[face].beyond[k as usize].is_some() {
                    scene.doors.push((face, k as usize, switch));
                }
            });
        }
        for closure in mesh.closures() {
            mesh.polys().each_piece(closure.polygon.0, |p| {
                scene.closures.push((face(PolyId(p)).expect("a piece"), closure.switch));
            });
        }
        for link in (0..mesh.link_count()).filter_map(|number| mesh.link(number)) {
            if let (Some(own), Some(beyond)) = (face(link.polygon), face(link.beyond)) {
                scene.links.push(SceneLink {
                    face: own,
                    from: link.from,
                    beyond,
                    to: link.to,
                    cost: link.cost,
                    agents: link.agents,
                    switch: link.switch,
                });
            }
        }
        (scene, there)
    }
}
