//! Everything that goes into a blob, as plain slices.

use alloc::vec::Vec;

use super::mesh_parts::MeshParts;
use crate::header::UpAxis;
use crate::section::Section;
use crate::sections::agents::{Agent, Marker};
use crate::sections::areas::{Area, WeightParts};
use crate::sections::findings::FindingsParts;
use crate::sections::grid_map::GridMapParts;
use crate::sections::labels::encode::LabelParts;
use crate::sections::landmarks::LandmarkParts;
use crate::sections::networks::NetworkParts;
use crate::sections::sources::{ClassSources, SourcePart};
use crate::sections::switches::Switch;
use crate::sections::tile_grounds::TileGroundParts;
use crate::sections::vehicles::VehicleParts;

/// Everything that goes into a blob.
#[derive(Clone, Copy, Debug)]
pub struct BlobParts<'a> {
    /// A metre is `2^grid_bits` grid units; 4 to 14.
    pub grid_bits: u8,
    /// The origin of the grid, y-up metres.
    pub origin: [f64; 3],
    /// The axis that pointed up in the input.
    pub up: UpAxis,
    /// Input units to metres.
    pub scale: f64,
    /// Hash of the canonical level.
    pub level_hash: [u8; 32],
    /// Hash of the settings that decide the result.
    pub config_hash: [u8; 32],
    /// Agents that the meshes are for.
    pub agents: &'a [Agent<'a>],
    /// Named points, kept in this order.
    pub markers: &'a [Marker<'a>],
    /// Switches; a switch's number is its place here.
    pub switches: &'a [Switch<'a>],
    /// Area types; an area's id is its place here. None when all ground is the same.
    pub areas: &'a [Area<'a>],
    /// Costs of areas, by name and agent, in any order.
    pub weights: &'a [WeightParts<'a>],
    /// Objects of the level's file that triangles came from.
    pub source_parts: &'a [SourcePart<'a>],
    /// The effective config without its defaults, TOML.
    pub config: &'a str,
    /// A summary of the bake.
    pub summary: &'a str,
    /// One navmesh an agent class.
    pub meshes: &'a [MeshParts<'a>],
    /// The grid map, when the level is one.
    pub grid_map: Option<GridMapParts<'a>>,
    /// Vehicles, with their tables.
    pub vehicles: &'a [VehicleParts<'a>],
    /// Tiles that vehicles drive on; none when the level is a grid map.
    pub tile_grounds: &'a [TileGroundParts<'a>],
    /// The number of each vehicle's among these.
    pub ground_of_vehicle: &'a [u16],
    /// Distances of links within rooms, a class an entry, in the order of
    /// [`Rooms::link_way`](crate::Rooms::link_way).
    pub link_ways: &'a [Vec<f32>],
    /// Route networks, on polygons of the finished meshes.
    pub networks: &'a [NetworkParts<'a>],
    /// Triangles of the level file behind polygons.
    pub sources: &'a [ClassSources<'a>],
    /// Labels of corners, made for the same meshes; see [`replace_labels`](super::replace_labels).
    pub labels: &'a [LabelParts<'a>],
    /// Landmarks, made for the same meshes; see [`replace_landmarks`](super::replace_landmarks).
    pub landmarks: &'a [LandmarkParts<'a>],
    /// Diagnostics of the bake, where it looked for any.
    pub findings: Option<FindingsParts<'a>>,
    /// Sections without an encoder, in any order; their bytes are written as they are.
    pub others: &'a [OtherSection<'a>],
}

impl Default for BlobParts<'_> {
    fn default() -> Self {
        BlobParts {
            grid_bits: 10,
            origin: [0.0; 3],
            up: UpAxis::Y,
            scale: 1.0,
            level_hash: [0; 32],
            config_hash: [0; 32],
            agents: &[],
            markers: &[],
            switches: &[],
            areas: &[],
            weights: &[],
            source_parts: &[],
            config: "",
            summary: "",
            meshes: &[],
            grid_map: None,
            vehicles: &[],
            tile_grounds: &[],
            ground_of_vehicle: &[],
            link_ways: &[],
            networks: &[],
            sources: &[],
            labels: &[],
            landmarks: &[],
            findings: None,
            others: &[],
        }
    }
}

/// A section whose bytes are written unchanged.
#[derive(Clone, Copy, Debug)]
pub struct OtherSection<'a> {
    /// Its kind.
    pub section: Section,
    /// The agent class that it belongs to, 0 for sections of the whole blob.
    pub class: u16,
    /// A reader that does not know it must refuse the blob.
    pub required: bool,
    /// Bytes of a record, above 0.
    pub element_size: u16,
    /// All records.
    pub bytes: &'a [u8],
}
