//! Terrain areas, weights, and the navmesh of each class of agents.

use std::collections::BTreeSet;

use navbake_format::CheckedBlob;
use navbake_level::number::count;
use serde::Serialize;

use crate::Meshes;
use crate::subject::square_metres;

/// A terrain area.
#[derive(Debug, Serialize)]
pub(super) struct AreaInfo {
    pub(super) name: String,
    /// The switch that blocks it.
    pub(super) switch: Option<String>,
    pub(super) tags: u32,
    pub(super) edge_tags: u32,
    /// The factor of its weights, which include it.
    pub(super) factor: f32,
    /// Polygons and area in the navmesh of each class.
    pub(super) polygons: Vec<u64>,
    pub(super) area_m2: Vec<f64>,
}

/// A row of the table of weights.
#[derive(Debug, Serialize)]
pub(super) struct WeightInfo {
    /// Empty for the default.
    pub(super) name: String,
    /// Null for all agents.
    pub(super) agent: Option<String>,
    /// One for each area; null if the area is impassable.
    pub(super) weights: Vec<Option<f64>>,
    /// The extra cost of a metre up and of a metre down.
    pub(super) uphill: f64,
    pub(super) downhill: f64,
}

/// The navmesh of the agents of one class.
#[derive(Debug, Serialize)]
pub(super) struct ClassInfo {
    pub(super) class: u16,
    pub(super) agents: Vec<String>,
    pub(super) polygons: u32,
    pub(super) vertices: u32,
    pub(super) islands: u32,
    pub(super) area_m2: f64,
    pub(super) rooms: u32,
    pub(super) room_doors: u32,
    /// Doors of the smallest class that this class lacks: too narrow, or unreachable.
    pub(super) missing_doors: u32,
    /// The size of its sections.
    pub(super) bytes: u64,
}

/// The number of doors of the smallest class that a class lacks.
fn missing_doors(blob: &CheckedBlob<'_>, class: u16) -> u32 {
    let own = blob.rooms(class).filter(|rooms| rooms.is_canonical());
    let small = blob.smallest_rooms().and_then(|class| blob.rooms(class));
    let (Some(own), Some(small)) = (own, small) else {
        return 0;
    };
    let like: BTreeSet<u32> = (0..own.door_count()).filter_map(|d| own.canonical_door(d)).collect();
    small.door_count() - like.len() as u32
}

pub(super) fn areas(blob: &CheckedBlob<'_>, meshes: &Meshes) -> Vec<AreaInfo> {
    let switches: Vec<&str> = blob.switches().map(|s| s.name).collect();
    let classes = usize::from(blob.class_count());
    let mut areas: Vec<AreaInfo> = blob
        .areas()
        .map(|a| AreaInfo {
            name: a.name.into(),
            switch: a.switch.map(|s| switches[usize::from(s)].into()),
            tags: a.tags,
            edge_tags: a.edge_tags,
            factor: a.factor,
            polygons: vec![0; classes],
            area_m2: vec![0.0; classes],
        })
        .collect();
    for (class, mesh) in meshes.iter().enumerate() {
        for polygon in mesh.polygons() {
            if let Some(area) = areas.get_mut(mesh.area(polygon.id()).index()) {
                area.polygons[class] += 1;
                area.area_m2[class] += square_metres(&mesh, [polygon]);
            }
        }
    }
    areas
}

pub(super) fn weights(blob: &CheckedBlob<'_>) -> Vec<WeightInfo> {
    let agents: Vec<&str> = blob.agents().map(|a| a.name).collect();
    let row = |row: navbake_format::WeightRow<'_>| WeightInfo {
        name: row.name.into(),
        agent: row.agent.map(|a| agents[usize::from(a)].into()),
        weights: (row.weights().iter()).map(|w| w.is_finite().then_some(w)).collect(),
        uphill: row.slopes().0,
        downhill: row.slopes().1,
    };
    blob.weights().map(row).collect()
}

pub(super) fn classes(blob: &CheckedBlob<'_>, meshes: &Meshes) -> Vec<ClassInfo> {
    let bytes = |class: u16| {
        let own = blob.blob().sections();
        let own = own.filter(|s| s.class == class && (0x0100..0x0200).contains(&s.section.0));
        own.map(|s| s.len()).sum()
    };
    meshes
        .iter()
        .map(|mesh| ClassInfo {
            class: mesh.class(),
            agents: (blob.agents())
                .filter(|a| a.class == mesh.class())
                .map(|a| a.name.into())
                .collect(),
            polygons: mesh.polygon_count(),
            vertices: mesh.vertex_count(),
            islands: mesh.island_count(),
            area_m2: square_metres(&mesh, mesh.polygons()),
            rooms: mesh.rooms().map_or(0, |rooms| rooms.count()),
            room_doors: mesh.rooms().map_or(0, |rooms| rooms.door_count()),
            missing_doors: missing_doors(blob, mesh.class()),
            bytes: bytes(mesh.class()),
        })
        .collect()
}

impl AreaInfo {
    /// The line of the text output.
    pub(super) fn text(&self) -> String {
        let classes = self.polygons.iter().zip(&self.area_m2);
        let sizes: Vec<String> = classes
            .map(|(polygons, m2)| format!("{}, {m2:.1} m2", count(*polygons, "polygon")))
            .collect();
        let mut text = format!("{}: {}", self.name, sizes.join("; "));
        if let Some(switch) = &self.switch {
            text += &format!("; switch {switch}");
        }
        if self.tags != 0 {
            text += &format!("; tags {:#x}", self.tags);
        }
        if self.edge_tags != 0 {
            text += &format!("; edge tags {:#x}", self.edge_tags);
        }
        if self.factor != 1.0 {
            text += &format!("; in a band of cost, factor {:.3}", self.factor);
        }
        text
    }
}

impl WeightInfo {
    /// The line of the text output.
    pub(super) fn text(&self, areas: &[AreaInfo]) -> String {
        let mut cells: Vec<String> = (areas.iter().zip(&self.weights))
            .map(|(area, weight)| match weight {
                Some(w) => format!("{} {w}", area.name),
                None => format!("{} x", area.name),
            })
            .collect();
        if (self.uphill, self.downhill) != (0.0, 0.0) {
            cells.push(format!("uphill {} per metre, downhill {}", self.uphill, self.downhill));
        }
        let agent = self.agent.as_deref().unwrap_or("all agents");
        let name = match self.name.as_str() {
            "" => String::new(),
            name => format!(" ({name})"),
        };
        format!("{agent}{name}: {}", cells.join(", "))
    }
}

impl ClassInfo {
    /// The line of the text output.
    pub(super) fn text(&self) -> String {
        let rooms = match (self.rooms, self.missing_doors) {
            (0, _) => String::new(),
            (rooms, 0) => format!(", {}, {}", count(rooms, "room"), count(self.room_doors, "door")),
            (rooms, missing) => format!(
                ", {}, {}, {} of the smallest agent missing",
                count(rooms, "room"),
                count(self.room_doors, "door"),
                count(missing, "door")
            ),
        };
        format!(
            "{} ({}): {}, {}, {}, {:.1} m2{rooms}, {} bytes",
            self.class,
            self.agents.join(", "),
            count(self.polygons, "polygon"),
            count(self.vertices, "vertex"),
            count(self.islands, "island"),
            self.area_m2,
            self.bytes
        )
    }
}
