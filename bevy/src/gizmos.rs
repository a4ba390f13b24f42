//! Drawings of levels and paths.

use bevy_app::{App, Last, Plugin};
use bevy_asset::Assets;
use bevy_color::Color;
use bevy_ecs::prelude::*;
use bevy_gizmos::AppGizmoBuilder;
use bevy_gizmos::config::{GizmoConfigGroup, GizmoConfigStore};
use bevy_gizmos::gizmos::{GizmoBuffer, Gizmos};
use bevy_math::{Isometry3d, Vec3};
use bevy_reflect::Reflect;
use navbake_format::RoomId;
use navbake_search::{NavMesh, PolyId};
use navbake_world::World;

use crate::asset::vec3;
use crate::{Finding, Found, NavLevel, NavPath, NavWorld, Navmesh};

/// What is drawn. A gizmo group: Bevy's `GizmoConfigStore` has line widths, depth and layers.
#[derive(Reflect, GizmoConfigGroup, Clone, Copy, Debug, PartialEq)]
pub struct NavbakeGizmos {
    /// The polygons of now: walls bright, edges between polygons faint.
    pub mesh: bool,
    /// The doors between rooms, and a cross in each room whose place is loaded.
    pub rooms: bool,
    /// Links, as arrows.
    pub links: bool,
    /// What the baker noticed, as crosses.
    pub findings: bool,
    /// The paths of agents; stale ones in another colour.
    pub paths: bool,
    /// How far above the ground, metres.
    pub lift: f32,
}

impl Default for NavbakeGizmos {
    fn default() -> NavbakeGizmos {
        NavbakeGizmos {
            mesh: true,
            rooms: true,
            links: true,
            findings: true,
            paths: true,
            lift: 0.05,
        }
    }
}

/// Draws levels and paths with Bevy's gizmos. Add it after `GizmoPlugin`, or `DefaultPlugins`.
#[derive(Clone, Copy, Debug, Default)]
pub struct NavbakeGizmosPlugin;

impl Plugin for NavbakeGizmosPlugin {
    fn build(&self, app: &mut App) {
        app.init_gizmo_group::<NavbakeGizmos>().add_systems(Last, draw_levels);
    }
}

const WALL: Color = Color::srgb(0.2, 0.7, 1.0);
const EDGE: Color = Color::srgba(0.2, 0.7, 1.0, 0.2);
const ROOM: Color = Color::srgb(1.0, 0.7, 0.1);
const LINK: Color = Color::srgb(0.9, 0.3, 0.9);
const FINDING: Color = Color::srgb(1.0, 0.2, 0.2);
const PATH: Color = Color::srgb(0.3, 1.0, 0.3);
const STALE: Color = Color::srgb(0.6, 0.6, 0.3);
/// Half the size of a cross, metres.
const CROSS: f32 = 0.3;

fn draw_levels(
    mut gizmos: Gizmos<'_, '_, NavbakeGizmos>,
    store: Res<GizmoConfigStore>,
    assets: Res<Assets<Navmesh>>,
    levels: Query<(&NavLevel, &NavWorld)>,
    paths: Query<&NavPath>,
) {
    let (_, options) = store.config::<NavbakeGizmos>();
    for (level, world) in &levels {
        if let Some(world) = world.world() {
            options.draw_world(world, &mut gizmos);
        }
        if let Some(asset) = assets.get(&level.navmesh) {
            options.draw_findings(asset.findings(), &mut gizmos);
        }
    }
    for path in paths.iter().filter_map(NavPath::found) {
        options.draw_path(path, &mut gizmos);
    }
}

/// Drawing with other gizmos, such as those of a `GizmoAsset`.
impl NavbakeGizmos {
    /// Draws the mesh, rooms and links of a level, where it is loaded.
    pub fn draw_world<C: GizmoConfigGroup, K: Send + Sync + 'static>(
        &self,
        world: &World,
        gizmos: &mut GizmoBuffer<C, K>,
    ) {
        if self.mesh {
            self.edges(&world.nav_mesh(), gizmos);
        }
        if self.rooms {
            // Portals of doors are edges of the mesh as baked.
            self.rooms(&world.baked(), gizmos);
        }
        if self.links {
            self.links(&world.nav_mesh(), gizmos);
        }
    }

    /// Draws what the baker noticed.
    pub fn draw_findings<C: GizmoConfigGroup, K: Send + Sync + 'static>(
        &self,
        findings: &[Finding],
        gizmos: &mut GizmoBuffer<C, K>,
    ) {
        for finding in findings.iter().filter(|_| self.findings) {
            self.cross(finding.at, FINDING, gizmos);
        }
    }

    /// Draws a path, twice as far above the ground as all else.
    pub fn draw_path<C: GizmoConfigGroup, K: Send + Sync + 'static>(
        &self,
        path: &Found,
        gizmos: &mut GizmoBuffer<C, K>,
    ) {
        if self.paths {
            let lift = 2.0 * self.lift * Vec3::Y;
            let colour = if path.stale { STALE } else { PATH };
            gizmos.linestrip(path.points.iter().map(|&point| point + lift), colour);
        }
    }

    fn cross<C: GizmoConfigGroup, K: Send + Sync + 'static>(
        &self,
        at: Vec3,
        colour: Color,
        gizmos: &mut GizmoBuffer<C, K>,
    ) {
        let lifted = at + self.lift * Vec3::Y;
        gizmos.cross(Isometry3d::from_translation(lifted), CROSS, colour);
    }

    /// A place of the mesh's grid, above the ground.
    fn lifted(&self, mesh: &NavMesh<'_>, at: [f64; 3]) -> Vec3 {
        vec3(mesh.grid().metres(at)) + self.lift * Vec3::Y
    }

    /// An edge of a polygon.
    fn edge(&self, mesh: &NavMesh<'_>, polygon: PolyId, k: u32) -> [Vec3; 2] {
        let polygon = mesh.polygon(polygon);
        [k, polygon.next(k)].map(|k| self.lifted(mesh, polygon.point(k).map(f64::from)))
    }

    fn edges<C: GizmoConfigGroup, K: Send + Sync + 'static>(
        &self,
        mesh: &NavMesh<'_>,
        gizmos: &mut GizmoBuffer<C, K>,
    ) {
        for polygon in mesh.polygons() {
            for k in 0..polygon.len() {
                let colour = match polygon.neighbour(k) {
                    None => WALL,
                    Some(beyond) if polygon.id() < beyond => EDGE,
                    // The neighbour draws it.
                    Some(_) => continue,
                };
                let [a, b] = self.edge(mesh, polygon.id(), k);
                gizmos.line(a, b, colour);
            }
        }
    }

    fn rooms<C: GizmoConfigGroup, K: Send + Sync + 'static>(
        &self,
        mesh: &NavMesh<'_>,
        gizmos: &mut GizmoBuffer<C, K>,
    ) {
        let Some(rooms) = mesh.rooms() else {
            return;
        };
        for room in (0..rooms.count()).filter_map(|k| rooms.get(RoomId(k))) {
            let [x, _, z] = room.at;
            if !mesh.is_missing([x, z]) {
                let at = vec3(mesh.grid().metres(room.at.map(f64::from)));
                self.cross(at, ROOM, gizmos);
            }
        }
        for (polygon, k) in (0..rooms.door_count()).flat_map(|door| rooms.portals(door)) {
            let [a, b] = self.edge(mesh, polygon, k);
            gizmos.line(a, b, ROOM);
        }
    }

    fn links<C: GizmoConfigGroup, K: Send + Sync + 'static>(
        &self,
        mesh: &NavMesh<'_>,
        gizmos: &mut GizmoBuffer<C, K>,
    ) {
        for link in (0..mesh.link_count()).filter_map(|k| mesh.link(k)) {
            let ends = [(link.polygon, link.from), (link.beyond, link.to)];
            let [a, b] = ends.map(|(polygon, at)| {
                let [x, z] = at.map(f64::from);
                self.lifted(mesh, [x, mesh.polygon(polygon).height([x, z]), z])
            });
            gizmos.arrow(a, b, LINK);
        }
    }
}
