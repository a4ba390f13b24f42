//! The stage `rooms`, and distances within rooms.

use navbake_format::NavMeshBuf;
use navbake_format::write::PlanParts;
use navbake_hierarchy::{
    ClassMesh, ClassRoomSettings, DoorDistances, NamedDoor, NamedRoom, class_rooms, door_distances,
    link_distances,
};
use navbake_level::Class;
use navbake_search::NavQuery;

use crate::config::{Seed, Surface};
use crate::error::BakeError;
use crate::input::BakeInput;
use crate::recorder::Recorder;

/// Finds rooms where the config asks for them, and cuts polygons along their doors.
pub(crate) fn rooms(
    input: &BakeInput,
    meshes: Vec<ClassMesh>,
    classes: &[Class],
    rec: &mut Recorder<'_>,
) -> Result<Vec<ClassMesh>, BakeError> {
    if !input.config.rooms.enabled {
        return Ok(meshes);
    }
    let settings = settings(input);
    let grid = &input.level.grid;
    let (made, warnings) = rec.serial("rooms", || class_rooms(meshes, classes, grid, &settings))?;
    rec.warnings.extend(warnings);
    Ok(made)
}

fn settings(input: &BakeInput) -> ClassRoomSettings {
    let BakeInput { level, config, .. } = input;
    let rooms = &config.rooms;
    let points = |place: &Seed| match place {
        Seed::Point(p) => vec![*p],
        Seed::Marker(name) => {
            let named = level.markers.iter().filter(|m| m.name == *name);
            named.map(|m| m.position).collect()
        }
    };
    let switch = |name: &str| {
        let place = level.switches.iter().position(|s| s.name == name)?;
        u16::try_from(place).ok()
    };
    ClassRoomSettings {
        alphas: rooms.alpha.clone(),
        min_area: rooms.min_area.unwrap_or(1.0),
        max_room_area: rooms.max_room_area,
        is_inset: config.surface == Surface::Generate && input.map.is_none(),
        finest: input.grid_map().map_or(0.25, |map| map.cell / 2.0),
        names: (rooms.names.iter())
            .map(|(name, place)| NamedRoom { name: name.clone(), points: points(place) })
            .collect(),
        doors: (rooms.doors.iter())
            .map(|(name, place)| NamedDoor {
                name: name.clone(),
                point: points(place).first().copied(),
                switch: switch(name),
            })
            .collect(),
        place: input.place.clone(),
    }
}

/// Distances between the doors of each class's rooms, for the planner `hierarchical`.
pub(crate) fn distances_of_doors(
    meshes: &[NavMeshBuf],
    place: &str,
    rec: &mut Recorder<'_>,
) -> Result<Vec<Option<PlanParts>>, BakeError> {
    let of_class = |nav: &NavMeshBuf| {
        let query = NavQuery::new(nav.mesh());
        let rooms = query.mesh().rooms()?;
        Some(door_distances(&query, rooms))
    };
    let found: Vec<Option<Result<DoorDistances, &str>>> =
        rec.parallel("ways", || meshes.iter().map(of_class).collect())?;
    if let Some(reason) = found.iter().flatten().find_map(|d| d.as_ref().err()) {
        let message = format!(
            "distances between doors were not measured, and the planner `hierarchical` is \
             unavailable: {reason}"
        );
        rec.warn("ways-left-out", place, message);
    }
    Ok(found.into_iter().map(|d| d.map(|d| PlanParts::from(d.unwrap_or_default()))).collect())
}

/// Distances from links to the doors and links of their rooms, by class.
pub(crate) fn distances_of_links(
    meshes: &[NavMeshBuf],
    rec: &mut Recorder<'_>,
) -> Result<Vec<Vec<f32>>, BakeError> {
    let has_any = |nav: &NavMeshBuf| {
        let mesh = nav.mesh();
        mesh.link_count() > 0 && mesh.rooms().is_some_and(|rooms| rooms.has_ways())
    };
    if !meshes.iter().any(has_any) {
        return Ok(vec![]);
    }
    let of_mesh = |nav: &NavMeshBuf| {
        let query = NavQuery::new(nav.mesh());
        link_distances(&query, query.mesh().rooms()?)
    };
    rec.parallel("ways", || meshes.iter().map(|nav| of_mesh(nav).unwrap_or_default()).collect())
}
