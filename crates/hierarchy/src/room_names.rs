//! Names of rooms and doors, and the switches that close doors.

use navbake_geom::{Grid, Point3};
use navbake_level::{Agent, Warning};
use navbake_mesh::PolygonMesh;

use crate::points::polygons_under;
use crate::{Door, Rooms};

/// A name for the room at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedRoom {
    /// The name.
    pub name: String,
    /// Y-up metres; the first that has ground is used.
    pub points: Vec<[f64; 3]>,
}

/// A name for the door nearest to a point.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedDoor {
    /// The name.
    pub name: String,
    /// Y-up metres; `None` where its marker is missing.
    pub point: Option<[f64; 3]>,
    /// The number of the switch that closes it.
    pub switch: Option<u16>,
}

/// The name of each room.
pub(crate) fn room_names(
    named: &[NamedRoom],
    grid: &Grid,
    agent: &Agent,
    mesh: &PolygonMesh,
    rooms: &Rooms,
    warnings: &mut Vec<Warning>,
) -> Vec<String> {
    let mut names = vec![String::new(); rooms.count];
    for NamedRoom { name, points } in named {
        let found = polygons_under(points, grid, agent, mesh);
        let Some(polygon) = found.into_iter().flatten().next() else {
            warnings.push(Warning {
                code: "room-off-mesh",
                message: format!(
                    "the room `{name}` has no ground for agent `{}` at its point; it is not named",
                    agent.name
                ),
                place: points.first().copied().into(),
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
            place: points.first().copied().into(),
        });
    }
    names
}

/// The greatest distance from a door to the point that names it, m.
const AT_DOOR: f64 = 2.0;

/// The name and the switch of each door.
pub(crate) fn door_names(
    named: &[NamedDoor],
    grid: &Grid,
    agent: &Agent,
    mesh: &PolygonMesh,
    rooms: &Rooms,
    warnings: &mut Vec<Warning>,
) -> Vec<(String, Option<u16>)> {
    let mut names = vec![(String::new(), None); rooms.doors.len()];
    let high = f64::from(grid.length(agent.height));
    for named in named {
        let (name, at) = (&named.name, named.point);
        let away = |at: Point3, door: &Door| {
            let [a, b] = door.ends.map(|p| [f64::from(p.x), f64::from(p.z)]);
            let d = [b[0] - a[0], b[1] - a[1]];
            let p = [f64::from(at.x) - a[0], f64::from(at.z) - a[1]];
            let part = ((p[0] * d[0] + p[1] * d[1]) / (d[0] * d[0] + d[1] * d[1])).clamp(0.0, 1.0);
            let off = [p[0] - part * d[0], p[1] - part * d[1]];
            // Doors of other storeys are none.
            let height = |e: &u32| mesh.vertices[mesh.corners[*e as usize] as usize].y;
            let rise = door.portals.first().map_or(0.0, |e| f64::from(height(e)) - f64::from(at.y));
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
                names[door] = (name.clone(), named.switch);
            }
            found => warnings.push(Warning {
                code: "door-not-named",
                message: match found {
                    None => format!(
                        "there is no door for agent `{}` within {AT_DOOR} m of the place of `{name}`",
                        agent.name
                    ),
                    Some((_, door)) => format!(
                        "the door `{}` is `{name}` as well; it keeps its first name",
                        names[door].0
                    ),
                },
                place: at.into(),
            }),
        }
    }
    names
}
