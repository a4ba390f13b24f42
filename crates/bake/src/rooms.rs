//! Rooms of the ground: settings from the config, those of the smallest agent and those like them, and parts for the file.

use navbake_format::Blob;
use navbake_format::write::{DoorParts, PlanParts, RoomDoorParts, RoomParts};
use navbake_geom::{Point3, orient};
use navbake_hierarchy::{Door, RoomSettings, Rooms, Smallest, islands, rooms, rooms_like};
use navbake_level::Warning;
use navbake_mesh::NavMesh;
use navbake_search::Query;

use crate::config::Surface;
use crate::error::BakeError;
use crate::job::{Class, Ground, Job};
use crate::room_names::{door_names, names};
use crate::run::{ClassMesh, Run, guarded};
use crate::ways::plan;

/// Rooms of a class and their names.
#[derive(Clone)]
pub(crate) struct ClassRooms {
    pub(crate) found: Rooms,
    /// The name of each room, perhaps empty.
    pub(crate) names: Vec<String>,
    /// The name of each door, perhaps empty, and the switch that closes it.
    pub(crate) door_names: Vec<(String, Option<u16>)>,
    /// What widths of doors have beyond their portals, m.
    pub(crate) beside: f64,
    /// Were those of a smaller class put on its ground?
    pub(crate) is_like: bool,
}

impl Run<'_> {
    /// Cuts the ground of each class where its doors are: they are found for the one of the least radius, and looked for on the ground of the others.
    pub(crate) fn rooms(
        &mut self,
        mut grounds: Vec<ClassMesh>,
        classes: &[Class],
    ) -> Result<Vec<ClassMesh>, BakeError> {
        let job = self.job;
        if !job.config.rooms.find {
            return Ok(grounds);
        }
        let (made, warnings) = self.serial("rooms", || {
            let mut warnings = vec![];
            let Some(first) = smallest(classes) else {
                return (vec![], warnings);
            };
            let ground = std::mem::take(&mut grounds[first]);
            let alike: Vec<bool> = grounds.iter().map(|g| g.mesh == ground.mesh).collect();
            let small = found_alone(job, &classes[first], ground, &mut warnings);
            let mut made = vec![];
            let mut small = Some(small);
            for (c, ground) in grounds.into_iter().enumerate() {
                made.push(match &small {
                    Some(small) if c != first && alike[c] => the_same(job, &classes[c], small),
                    Some(small) if c != first => {
                        let height = classes[first].agent.height.min(classes[c].agent.height);
                        found_like(job, &classes[c], ground, small, height, &mut warnings)
                    }
                    _ => ClassMesh::default(),
                });
            }
            if let (Some(slot), Some(small)) = (made.get_mut(first), small.take()) {
                *slot = small;
            }
            (made, warnings)
        })?;
        self.warnings.extend(warnings);
        Ok(made)
    }

    /// What long ways over rooms are searched by, for each class; `bare` is the file without it.
    pub(crate) fn plans(&mut self, bare: &[u8]) -> Result<Vec<Option<PlanParts>>, BakeError> {
        let lost = |what: String| BakeError::internal("the ways between doors", what);
        let blob = Blob::open_checked(bare).map_err(|e| lost(e.to_string()))?;
        self.options.report("ways", 0, 1);
        let measure = || {
            let of_class = |class: u16| {
                let nav = blob.decode(class)?;
                let query = Query::new(nav.mesh());
                query.mesh().rooms().map(|rooms| plan(&query, rooms))
            };
            (0..blob.class_count()).map(of_class).collect()
        };
        let found: Vec<Option<_>> = guarded(|| "ways".into(), measure)?;
        self.clock.stage("ways", true);
        self.options.report("ways", 1, 1);
        if found
            .iter()
            .flatten()
            .any(|plan: &PlanParts| plan.stops.is_empty())
        {
            self.warnings.push(Warning {
                code: "ways-left-out",
                message: "how far it is from door to door was not measured: there are too many doors in a room; the planner `hierarchical` has nothing to go by".into(),
                place: self.job.place.clone(),
            });
        }
        Ok(found)
    }
}

/// The class that rooms are found for: of the least radius, and of several such the one that comes to the most places.
fn smallest(classes: &[Class]) -> Option<usize> {
    let key = |c: &Class| {
        let a = &c.agent;
        [a.radius, a.height, -a.climb, -a.slope]
    };
    let less = |a: &usize, b: &usize| {
        let pairs = key(&classes[*a]).into_iter().zip(key(&classes[*b]));
        let order = |(a, b): (f64, f64)| a.total_cmp(&b);
        pairs.map(order).find(|o| o.is_ne()).unwrap_or(a.cmp(b))
    };
    (0..classes.len()).min_by(less)
}

/// What the ground of a class stands off walls, m.
fn drawn_in(job: &Job, class: &Class) -> f64 {
    let is_drawn_in =
        job.config.surface == Surface::Voxel && matches!(job.ground, Ground::Level(_));
    if is_drawn_in { class.agent.radius } else { 0.0 }
}

fn settings(job: &Job, class: &Class) -> RoomSettings {
    let grid = job.ground.grid();
    let config = &job.config.rooms;
    let radius = drawn_in(job, class);
    // Half of what is narrow for the smallest thing there is.
    let finest = match &job.ground {
        Ground::Map(map, _) => map.cell / 2.0,
        Ground::Level(_) if radius > 0.0 => radius / 2.0,
        Ground::Level(_) => 0.25,
    };
    let units = grid.units();
    RoomSettings {
        radius: grid.length(radius),
        alphas: config.alpha.clone(),
        min_area: config.min_area.unwrap_or(1.0) * units * units,
        max_field: config.max_field * units * units,
        finest: grid.length(finest).max(1),
    }
}

/// Rooms of a class as its ground has them.
fn found_alone(
    job: &Job,
    class: &Class,
    ground: ClassMesh,
    warnings: &mut Vec<Warning>,
) -> ClassMesh {
    let (mesh, found) = rooms(&ground.mesh, &settings(job, class));
    tell_left_out(job, class, &mesh, &found, warnings);
    let names = names(job, class, &mesh, &found, warnings);
    let door_names = door_names(job, class, &mesh, &found, warnings);
    let rooms = ClassRooms {
        found,
        names,
        door_names,
        beside: 2.0 * drawn_in(job, class),
        is_like: false,
    };
    with_rooms(mesh, rooms)
}

fn with_rooms(mesh: NavMesh, rooms: ClassRooms) -> ClassMesh {
    ClassMesh {
        islands: islands(&mesh),
        mesh,
        rooms: Some(rooms),
    }
}

/// Rooms of a class like those of the smallest, on its own ground, with their names.
fn found_like(
    job: &Job,
    class: &Class,
    ground: ClassMesh,
    small: &ClassMesh,
    height: f64,
    warnings: &mut Vec<Warning>,
) -> ClassMesh {
    let Some(first) = &small.rooms else {
        return ground;
    };
    let smallest = Smallest {
        mesh: &small.mesh,
        rooms: &first.found,
        storey: f64::from(job.ground.grid().length(height)) / 2.0,
    };
    let (mesh, found) = rooms_like(&ground.mesh, &settings(job, class), smallest);
    tell_left_out(job, class, &mesh, &found, warnings);
    // What is no room of the smallest may be named for itself; that other names have no ground here is no fault.
    let mut names = names(job, class, &mesh, &found, &mut vec![]);
    for (name, &like) in names.iter_mut().zip(&found.like) {
        if let Some(first) = first.names.get(like as usize) {
            name.clone_from(first);
        }
    }
    let name = |d: &Door| first.door_names.get(d.like as usize).cloned();
    let door_names = found.doors.iter().map(|d| name(d).unwrap_or_default());
    let door_names = door_names.collect();
    let rooms = ClassRooms {
        found,
        names,
        door_names,
        beside: 2.0 * drawn_in(job, class),
        is_like: true,
    };
    with_rooms(mesh, rooms)
}

/// Rooms of a class that has the same ground as the smallest.
fn the_same(job: &Job, class: &Class, small: &ClassMesh) -> ClassMesh {
    let mut same = small.clone();
    if let Some(rooms) = &mut same.rooms {
        rooms.is_like = true;
        rooms.beside = 2.0 * drawn_in(job, class);
        rooms.found.like = (0..rooms.found.count as u32).collect();
        for (number, door) in (0u32..).zip(&mut rooms.found.doors) {
            door.like = number;
        }
    }
    same
}

/// Doors and fields that could not be cut.
fn tell_left_out(
    job: &Job,
    class: &Class,
    mesh: &NavMesh,
    found: &Rooms,
    warnings: &mut Vec<Warning>,
) {
    let mut tell = |code, message| {
        warnings.push(Warning {
            code,
            message,
            place: job.place.clone(),
        });
    };
    let agent = &class.agent.name;
    if found.lost > 0 {
        tell(
            "doors-left-out",
            format!(
                "{} doors for agent `{agent}` could not be cut along grid points: what they part is one room",
                found.lost
            ),
        );
    }
    let most = 2.0 * settings(job, class).max_field;
    if most > 0.0 && largest(mesh, found) > most {
        tell(
            "fields-left-out",
            format!(
                "a room for agent `{agent}` is larger than `max_field`, and no cuts along grid points were found: it stays whole"
            ),
        );
    }
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
        let bridges = self.found.joints.is_bridge.iter();
        let doors = self.found.doors.iter().zip(bridges).zip(&self.door_names);
        let width = |door: &Door| {
            let [a, b] = door.ends;
            let square = |from: i32, to: i32| {
                let d = (f64::from(to) - f64::from(from)) / units;
                d * d
            };
            let beside = if door.is_divide { 0.0 } else { self.beside };
            (square(a.x, b.x) + square(a.z, b.z)).sqrt() + beside
        };
        doors
            .map(|((own, &is_bridge), (name, _))| {
                let [a, b] = own.ends;
                RoomDoorParts {
                    rooms: own.rooms,
                    ends: [[a.x, a.z], [b.x, b.z]],
                    width: width(own) as f32,
                    portals: &own.portals,
                    is_bridge,
                    is_divide: own.is_divide,
                    name,
                }
            })
            .collect()
    }

    /// The door of the smallest class that each is.
    pub(crate) fn door_likes(&self) -> Vec<u32> {
        self.found.doors.iter().map(|d| d.like).collect()
    }

    /// The portals of doors with names, each a door by itself to those who close them.
    pub(crate) fn portals(&self, units: f64) -> Vec<DoorParts<'_>> {
        let doors = self.doors(units);
        let named = doors
            .into_iter()
            .zip(&self.door_names)
            .filter(|d| !d.1.0.is_empty());
        named
            .flat_map(|(door, (name, switch))| {
                let part = move |&edge: &u32| DoorParts {
                    edge,
                    switch: *switch,
                    width: door.width,
                    name: name.as_str(),
                };
                door.portals.iter().map(part)
            })
            .collect()
    }
}

/// The area of the largest room, grid units squared.
fn largest(mesh: &NavMesh, rooms: &Rooms) -> f64 {
    let mut area = vec![0i128; rooms.count];
    for p in 0..mesh.len() {
        area[rooms.of[p] as usize] += mesh.polygon_area_doubled(p);
    }
    area.into_iter().max().unwrap_or(0) as f64 / 2.0
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
