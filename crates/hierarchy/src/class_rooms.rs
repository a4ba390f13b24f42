//! Rooms of the navmeshes of all agent classes.
//!
//! Rooms are found on the mesh of the smallest class, and looked for on the meshes of the others,
//! so that a room has one name for all classes.

use navbake_geom::Grid;
use navbake_level::{Class, Warning};
use navbake_mesh::PolygonMesh;

use crate::room_names::{NamedDoor, NamedRoom, door_names, room_names};
use crate::{Door, Islands, ReferenceRooms, RoomSettings, Rooms, canonical_rooms, islands, rooms};

/// The navmesh of an agent class with its islands.
#[derive(Clone, Default)]
pub struct ClassMesh {
    /// Its polygons.
    pub mesh: PolygonMesh,
    /// Its islands.
    pub islands: Islands,
    /// Its rooms, where they were looked for.
    pub rooms: Option<ClassRooms>,
}

impl ClassMesh {
    /// A mesh with its islands, without rooms.
    pub fn new(mesh: PolygonMesh) -> ClassMesh {
        ClassMesh { islands: islands(&mesh), mesh, rooms: None }
    }
}

/// Rooms of a class and their names.
#[derive(Clone)]
pub struct ClassRooms {
    /// The rooms and doors.
    pub found: Rooms,
    /// The name of each room, may be empty.
    pub names: Vec<String>,
    /// The name of each door, may be empty, and the switch that closes it.
    pub door_names: Vec<(String, Option<u16>)>,
    /// How much wider than its portals a door is, m: the mesh keeps off walls.
    pub beside: f64,
    /// Are they the rooms of a smaller class?
    pub is_canonical: bool,
}

/// The settings of rooms and of their names. Lengths are metres.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassRoomSettings {
    /// A door is narrower than this share of the rooms on both sides: one number a level, falling.
    pub alphas: Vec<f64>,
    /// The least area of a room, m2.
    pub min_area: f64,
    /// Larger rooms are divided, m2; 0 divides none.
    pub max_room_area: f64,
    /// Is the mesh an agent's radius off the walls?
    pub is_inset: bool,
    /// Half the narrowest passage, where the mesh is not inset.
    pub finest: f64,
    /// Names of rooms.
    pub names: Vec<NamedRoom>,
    /// Names of doors.
    pub doors: Vec<NamedDoor>,
    /// The level in messages.
    pub place: String,
}

impl ClassRoomSettings {
    /// How far the mesh of a class is off walls, m.
    fn inset(&self, class: &Class) -> f64 {
        if self.is_inset { class.agent.radius } else { 0.0 }
    }

    fn of_class(&self, grid: &Grid, class: &Class) -> RoomSettings {
        let radius = self.inset(class);
        // Half of what is narrow for the smallest agent.
        let finest = if radius > 0.0 { radius / 2.0 } else { self.finest };
        let units = grid.units();
        RoomSettings {
            radius: grid.length(radius),
            alphas: self.alphas.clone(),
            min_area: self.min_area * units * units,
            max_field: self.max_room_area * units * units,
            finest: grid.length(finest).max(1),
        }
    }
}

/// Finds the rooms of each class, and cuts polygons along their doors.
///
/// `meshes` and `classes` go together. Warnings name what could not be cut or named.
pub fn class_rooms(
    mut meshes: Vec<ClassMesh>,
    classes: &[Class],
    grid: &Grid,
    settings: &ClassRoomSettings,
) -> (Vec<ClassMesh>, Vec<Warning>) {
    let Some(first) = smallest(classes) else {
        return (vec![], vec![]);
    };
    let mut finder = Finder { grid, settings, warnings: vec![] };
    let mesh = std::mem::take(&mut meshes[first]);
    let alike: Vec<bool> = meshes.iter().map(|m| m.mesh == mesh.mesh).collect();
    let small = finder.first(&classes[first], &mesh.mesh);
    let mut made = vec![];
    for (c, own) in meshes.into_iter().enumerate() {
        made.push(if c == first {
            ClassMesh::default()
        } else if alike[c] {
            finder.same(&classes[c], &small)
        } else {
            let height = classes[first].agent.height.min(classes[c].agent.height);
            finder.canonical(&classes[c], own, &small, height)
        });
    }
    made[first] = small;
    (made, finder.warnings)
}

/// The class that rooms are found for: the least radius, then the greatest reach.
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

struct Finder<'a> {
    grid: &'a Grid,
    settings: &'a ClassRoomSettings,
    warnings: Vec<Warning>,
}

impl Finder<'_> {
    /// Rooms of the smallest class.
    fn first(&mut self, class: &Class, mesh: &PolygonMesh) -> ClassMesh {
        let (mesh, found) = rooms(mesh, &self.settings.of_class(self.grid, class));
        self.warn_of_left_out(class, &mesh, &found);
        let (settings, grid, agent) = (self.settings, self.grid, &class.agent);
        let warnings = &mut self.warnings;
        let names = room_names(&settings.names, grid, agent, &mesh, &found, warnings);
        let door_names = door_names(&settings.doors, grid, agent, &mesh, &found, warnings);
        let rooms = ClassRooms {
            found,
            names,
            door_names,
            beside: 2.0 * settings.inset(class),
            is_canonical: false,
        };
        with_rooms(mesh, rooms)
    }

    /// Rooms of a class like those of the smallest, on its own mesh, with their names.
    fn canonical(
        &mut self,
        class: &Class,
        own: ClassMesh,
        small: &ClassMesh,
        height: f64,
    ) -> ClassMesh {
        let Some(first) = &small.rooms else {
            return own;
        };
        let reference = ReferenceRooms {
            mesh: &small.mesh,
            rooms: &first.found,
            storey: f64::from(self.grid.length(height)) / 2.0,
        };
        let settings = self.settings;
        let (mesh, found) =
            canonical_rooms(&own.mesh, &settings.of_class(self.grid, class), reference);
        self.warn_of_left_out(class, &mesh, &found);
        // A room that the smallest class lacks may have a name; other names may have no ground
        // here, which is no fault.
        let (grid, agent) = (self.grid, &class.agent);
        let mut names = room_names(&settings.names, grid, agent, &mesh, &found, &mut vec![]);
        for (name, &canonical) in names.iter_mut().zip(&found.canonical) {
            if let Some(first) = first.names.get(canonical as usize) {
                name.clone_from(first);
            }
        }
        let name = |d: &Door| first.door_names.get(d.canonical as usize).cloned();
        let door_names = found.doors.iter().map(|d| name(d).unwrap_or_default());
        let door_names = door_names.collect();
        let rooms = ClassRooms {
            found,
            names,
            door_names,
            beside: 2.0 * settings.inset(class),
            is_canonical: true,
        };
        with_rooms(mesh, rooms)
    }

    /// Rooms of a class that has the same mesh as the smallest.
    fn same(&self, class: &Class, small: &ClassMesh) -> ClassMesh {
        let mut same = small.clone();
        if let Some(rooms) = &mut same.rooms {
            rooms.is_canonical = true;
            rooms.beside = 2.0 * self.settings.inset(class);
            rooms.found.canonical = (0..rooms.found.count as u32).collect();
            for (number, door) in (0u32..).zip(&mut rooms.found.doors) {
                door.canonical = number;
            }
        }
        same
    }

    /// Warns of doors and divisions that could not be cut.
    fn warn_of_left_out(&mut self, class: &Class, mesh: &PolygonMesh, found: &Rooms) {
        let mut warn = |code, message| {
            self.warnings.push(Warning {
                code,
                message,
                place: self.settings.place.clone().into(),
            });
        };
        let agent = &class.agent.name;
        if found.lost > 0 {
            warn(
                "doors-left-out",
                format!(
                    "{} doors for agent `{agent}` could not be cut along grid points: the rooms on both sides are one room",
                    found.lost
                ),
            );
        }
        let most = 2.0 * self.settings.of_class(self.grid, class).max_field;
        if most > 0.0 && largest(mesh, found) > most {
            warn(
                "fields-left-out",
                format!(
                    "a room for agent `{agent}` is larger than `max_room_area`, and no cuts along grid points were found: it stays whole"
                ),
            );
        }
    }
}

fn with_rooms(mesh: PolygonMesh, rooms: ClassRooms) -> ClassMesh {
    ClassMesh { rooms: Some(rooms), ..ClassMesh::new(mesh) }
}

/// The area of the largest room, grid units squared.
fn largest(mesh: &PolygonMesh, rooms: &Rooms) -> f64 {
    let mut area = vec![0i128; rooms.count];
    for p in 0..mesh.len() {
        area[rooms.of[p] as usize] += mesh.polygon_area_doubled(p);
    }
    area.into_iter().max().unwrap_or(0) as f64 / 2.0
}
