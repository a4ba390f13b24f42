//! Names of rooms and doors, and the switches that close doors.

use navbake_geom::Point3;
use navbake_hierarchy::{Door, Rooms};
use navbake_level::Warning;
use navbake_mesh::NavMesh;

use crate::config::{Config, Seed};
use crate::error::ConfigError;
use crate::job::{Class, Job};
use crate::number::point;
use crate::regions::stood_on;
use crate::seeds;

/// The name of each room.
pub(crate) fn names(
    job: &Job,
    class: &Class,
    mesh: &NavMesh,
    rooms: &Rooms,
    warnings: &mut Vec<Warning>,
) -> Vec<String> {
    let mut names = vec![String::new(); rooms.count];
    for (name, place) in &job.config.rooms.names {
        let markers = || job.ground.markers().iter();
        let places: Vec<[f64; 3]> = match place {
            Seed::Point(p) => vec![*p],
            Seed::Marker(of) => markers()
                .filter(|m| m.name == *of)
                .map(|m| m.position)
                .collect(),
        };
        let found = stood_on(&places, &job.ground.grid(), &class.agent, mesh);
        let Some(polygon) = found.into_iter().flatten().next() else {
            warnings.push(Warning {
                code: "room-off-mesh",
                message: format!(
                    "the room `{name}` has no ground for agent `{}` at its place; it is not named",
                    class.agent.name
                ),
                place: places.first().map_or(String::new(), |p| point(*p)),
            });
            continue;
        };
        let slot = &mut names[rooms.of[polygon as usize] as usize];
        if slot.is_empty() {
            slot.clone_from(name);
            continue;
        }
        warnings.push(Warning {
            code: "room-named-twice",
            message: format!("the room `{slot}` is `{name}` as well; it keeps its first name"),
            place: places.first().map_or(String::new(), |p| point(*p)),
        });
    }
    names
}

/// A door is named by a place no farther from it, m.
const AT_DOOR: f64 = 2.0;

/// The name and the switch of each door.
pub(crate) fn door_names(
    job: &Job,
    class: &Class,
    mesh: &NavMesh,
    rooms: &Rooms,
    warnings: &mut Vec<Warning>,
) -> Vec<(String, Option<u16>)> {
    let mut names = vec![(String::new(), None); rooms.doors.len()];
    let grid = job.ground.grid();
    let high = f64::from(grid.length(class.agent.height));
    for (name, place) in &job.config.rooms.doors {
        let at = match place {
            Seed::Point(p) => Some(*p),
            Seed::Marker(of) => {
                let mut markers = job.ground.markers().iter();
                markers.find(|m| m.name == *of).map(|m| m.position)
            }
        };
        let away = |at: Point3, door: &Door| {
            let [a, b] = door.ends.map(|p| [f64::from(p.x), f64::from(p.z)]);
            let d = [b[0] - a[0], b[1] - a[1]];
            let p = [f64::from(at.x) - a[0], f64::from(at.z) - a[1]];
            let part = ((p[0] * d[0] + p[1] * d[1]) / (d[0] * d[0] + d[1] * d[1])).clamp(0.0, 1.0);
            let off = [p[0] - part * d[0], p[1] - part * d[1]];
            // Doors of other storeys are none.
            let height = |e: &u32| mesh.vertices[mesh.corners[*e as usize] as usize].y;
            let rise = door
                .portals
                .first()
                .map_or(0.0, |e| f64::from(height(e)) - f64::from(at.y));
            (rise.abs() < high).then_some((off[0] * off[0] + off[1] * off[1]).sqrt())
        };
        let nearest = at.and_then(|at| grid.snap_point(at)).and_then(|at| {
            let all = rooms.doors.iter().enumerate();
            let found = all.filter_map(|(i, d)| Some((away(at, d)?, i)));
            found.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
        });
        let near = nearest.filter(|(away, _)| *away <= AT_DOOR * grid.units());
        match near {
            Some((_, door)) if names[door].0.is_empty() => {
                let switch = job.switches().iter().position(|s| s.name == *name);
                names[door] = (name.clone(), switch.and_then(|s| u16::try_from(s).ok()));
            }
            found => warnings.push(Warning {
                code: "door-not-named",
                message: match found {
                    None => format!(
                        "there is no door for agent `{}` within {AT_DOOR} m of the place of `{name}`",
                        class.agent.name
                    ),
                    Some((_, door)) => format!(
                        "the door `{}` is `{name}` as well; it keeps its first name",
                        names[door].0
                    ),
                },
                place: at.map_or(String::new(), point),
            }),
        }
    }
    names
}

/// Does every room or door that is named by a marker have one?
///
/// # Errors
/// When one has none; the message says which markers there are.
pub(crate) fn judge(config: &Config, markers: &[navbake_level::Marker]) -> Result<(), ConfigError> {
    let rooms = &config.rooms;
    for (key, table) in [("names", &rooms.names), ("doors", &rooms.doors)] {
        for (name, place) in table {
            let Seed::Marker(marker) = place else {
                continue;
            };
            if markers.iter().any(|m| m.name == *marker) {
                continue;
            }
            let hint = seeds::hint(marker, markers);
            let path = format!("rooms.{key}.{name}");
            let found = format!("`{path}`: the level has no marker called `{marker}`; {hint}");
            return Err(config.in_its_file(config.fault(&path, found)));
        }
    }
    Ok(())
}
