//! Rooms of the ground: settings from the config, names, and parts for the file.

use navbake_format::Blob;
use navbake_format::write::{RoomDoorParts, RoomParts};
use navbake_geom::{Point3, orient};
use navbake_hierarchy::{RoomSettings, Rooms, islands, rooms};
use navbake_level::Warning;
use navbake_mesh::NavMesh;

use crate::config::{Config, Seed, Surface};
use crate::error::{BakeError, ConfigError};
use crate::job::{Class, Ground, Job};
use crate::number::point;
use crate::regions::stood_on;
use crate::run::{ClassMesh, Run, guarded};
use crate::seeds;
use crate::ways::ways;

/// Rooms of a class and their names.
pub(crate) struct ClassRooms {
    pub(crate) found: Rooms,
    /// The name of each room, perhaps empty.
    pub(crate) names: Vec<String>,
    /// What widths of doors have beyond their portals, m.
    pub(crate) beside: f64,
}

impl Run<'_> {
    /// Cuts the ground of a class where its doors are.
    pub(crate) fn rooms(
        &mut self,
        ground: ClassMesh,
        class: &Class,
    ) -> Result<ClassMesh, BakeError> {
        let job = self.job;
        if !job.config.rooms.find {
            return Ok(ground);
        }
        let (cut, warnings) = self.serial("rooms", || {
            let grid = job.ground.grid();
            let config = &job.config.rooms;
            let is_drawn_in =
                job.config.surface == Surface::Voxel && matches!(job.ground, Ground::Level(_));
            let radius = if is_drawn_in { class.agent.radius } else { 0.0 };
            // Half of what is narrow for the smallest thing there is.
            let finest = match &job.ground {
                Ground::Map(map, _) => map.cell / 2.0,
                Ground::Level(_) if radius > 0.0 => radius / 2.0,
                Ground::Level(_) => 0.25,
            };
            let units = grid.units();
            let settings = RoomSettings {
                radius: grid.length(radius),
                alphas: config.alpha.clone(),
                min_area: config.min_area.unwrap_or(1.0) * units * units,
                finest: grid.length(finest).max(1),
            };
            let (mesh, found) = rooms(&ground.mesh, &settings);
            let mut warnings = vec![];
            if found.lost > 0 {
                warnings.push(Warning {
                    code: "doors-left-out",
                    message: format!(
                        "{} doors for agent `{}` could not be cut along grid points: what they part is one room",
                        found.lost, class.agent.name
                    ),
                    place: job.place.clone(),
                });
            }
            let names = names(job, class, &mesh, &found, &mut warnings);
            let rooms = Some(ClassRooms {
                found,
                names,
                beside: 2.0 * radius,
            });
            let islands = islands(&mesh);
            (
                ClassMesh {
                    mesh,
                    islands,
                    rooms,
                },
                warnings,
            )
        })?;
        self.warnings.extend(warnings);
        Ok(cut)
    }

    /// How far it is from door to door, for each class; `bare` is the file without rooms.
    pub(crate) fn ways(
        &mut self,
        navmeshes: &[ClassMesh],
        bare: &[u8],
    ) -> Result<Vec<Vec<([u32; 2], f32)>>, BakeError> {
        let lost = |what: String| BakeError::internal("the ways between doors", what);
        let blob = Blob::open_checked(bare).map_err(|e| lost(e.to_string()))?;
        self.options.report("ways", 0, 1);
        let measure = || {
            let of_class = |(class, m): (usize, &ClassMesh)| match &m.rooms {
                Some(rooms) => ways(&blob, class as u16, &m.mesh, &rooms.found),
                None => Some(vec![]),
            };
            navmeshes.iter().enumerate().map(of_class).collect()
        };
        let found: Vec<Option<_>> = guarded(|| "ways".into(), || self.pool.install(measure))?;
        self.clock.stage("ways", true);
        self.options.report("ways", 1, 1);
        if found.iter().any(Option::is_none) {
            self.warnings.push(Warning {
                code: "ways-left-out",
                message: "how far it is from door to door was not measured: there are too many doors in a room, or one is not found on the ground again".into(),
                place: self.job.place.clone(),
            });
        }
        Ok(found.into_iter().map(Option::unwrap_or_default).collect())
    }
}

/// The name of each room.
fn names(
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
/// Does every room that is named by a marker have one?
///
/// # Errors
/// When one has none; the message says which markers there are.
pub(crate) fn judge(config: &Config, markers: &[navbake_level::Marker]) -> Result<(), ConfigError> {
    for (name, place) in &config.rooms.names {
        let Seed::Marker(marker) = place else {
            continue;
        };
        if markers.iter().any(|m| m.name == *marker) {
            continue;
        }
        let hint = seeds::hint(marker, markers);
        let path = format!("rooms.names.{name}");
        let found = format!("`{path}`: the level has no marker called `{marker}`; {hint}");
        return Err(config.in_its_file(config.fault(&path, found)));
    }
    Ok(())
}

impl ClassRooms {
    /// Rooms as the file has them.
    pub(crate) fn parts<'a>(&'a self, mesh: &NavMesh, units: f64) -> Vec<RoomParts<'a>> {
        let mut area = vec![0i128; self.found.count];
        let mut largest = vec![(-1i128, 0usize); self.found.count];
        for p in 0..mesh.len() {
            let own = mesh.polygon_area_doubled(p);
            let room = self.found.of[p] as usize;
            area[room] += own;
            if own > largest[room].0 {
                largest[room] = (own, p);
            }
        }
        let room = |r: usize| RoomParts {
            name: &self.names[r],
            at: middle(mesh, largest[r].1),
            area: (area[r] as f64 / 2.0 / (units * units)) as f32,
            is_choke: self.found.joints.is_choke[r],
        };
        (0..self.found.count).map(room).collect()
    }

    /// Doors as the file has them.
    pub(crate) fn doors(&self, units: f64) -> Vec<RoomDoorParts<'_>> {
        let doors = self.found.doors.iter().zip(&self.found.joints.is_bridge);
        let door = |(door, &is_bridge): (&'_ navbake_hierarchy::Door, &bool)| {
            let [a, b] = door.ends;
            let square = |from: i32, to: i32| {
                let d = (f64::from(to) - f64::from(from)) / units;
                d * d
            };
            let long = (square(a.x, b.x) + square(a.z, b.z)).sqrt();
            (
                door.rooms,
                [[a.x, a.z], [b.x, b.z]],
                (long + self.beside) as f32,
                is_bridge,
            )
        };
        doors
            .map(|pair| {
                let (rooms, ends, width, is_bridge) = door(pair);
                RoomDoorParts {
                    rooms,
                    ends,
                    width,
                    portals: &pair.0.portals,
                    is_bridge,
                    name: "",
                }
            })
            .collect()
    }
}

/// The middle of a polygon's widest triangle.
fn middle(mesh: &NavMesh, polygon: usize) -> [i32; 3] {
    let ring = mesh.polygon(polygon);
    let at = |k: usize| mesh.vertices[ring[k] as usize];
    let size = |k: usize| orient(at(0).flat(), at(k).flat(), at(k + 1).flat());
    let k = (1..ring.len() - 1).max_by_key(|&k| size(k)).unwrap_or(1);
    let corners = [at(0), at(k), at(k + 1)];
    let mean = |of: fn(&Point3) -> i32| {
        let sum: i64 = corners.iter().map(|c| i64::from(of(c))).sum();
        sum.div_euclid(3) as i32
    };
    [mean(|p| p.x), mean(|p| p.y), mean(|p| p.z)]
}
