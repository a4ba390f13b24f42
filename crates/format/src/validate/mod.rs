//! What must hold of every record, so that no query can panic, loop for ever, read out of bounds or contradict another.
//!
//! The order matters: each check relies on those before it. Text, agents and markers first; then, mesh by mesh, the lengths of sections
//! against each other, vertices, how edges are told, corners and neighbours, convexity, reliefs and bounds, and only then portals
//! (their search relies on convexity), islands and boxes.

mod areas;
mod districts;
mod edges;
mod findings;
mod grid_map;
mod labels;
mod landmarks;
mod places;
mod polygons;
mod reach;
mod reliefs;
mod rooms;
mod sources;
mod things;
mod tile_grounds;
mod vehicles;
mod words;

use navbake_grid::PolyId;

use crate::{Blob, BlobError, Found, NavMeshView, Section};
use areas::{areas, of_polygons, weights};
use edges::groups;
use grid_map::grid_map;
use places::{bounds, boxes, vertices};
use polygons::{islands, polygon, portals};
use things::{switches, things};
use words::{agents, markers};

type Checked = Result<(), BlobError>;

pub(crate) fn validate(blob: &Blob<'_>) -> Checked {
    for section in [Section::STRINGS, Section::CONFIG, Section::SUMMARY] {
        blob.text(section)?;
    }
    agents(blob)?;
    markers(blob)?;
    switches(blob)?;
    areas(blob)?;
    weights(blob)?;
    sources::parts(blob)?;
    grid_map(blob)?;
    vehicles::vehicles(blob)?;
    tile_grounds::tile_grounds(blob)?;
    findings::findings(blob)?;
    for class in 0..blob.class_count() {
        let mesh = NavMeshView::read(blob, class)?;
        let at = Place { class };
        vertices(&mesh, &at)?;
        groups(&mesh, &at)?;
        islands(&mesh, &at)?;
        for p in 0..mesh.polygon_count() {
            polygon(&mesh, &at, PolyId(p))?;
        }
        reliefs::reliefs(&mesh).or_else(|(section, index, found, expected)| {
            at.fail(section, index, Found::Int(found), expected)
        })?;
        bounds(blob, &mesh, &at)?;
        for p in 0..mesh.polygon_count() {
            portals(&mesh, &at, PolyId(p))?;
        }
        boxes(&mesh, &at)?;
        things(blob, &mesh, class)?;
        of_polygons(blob, &mesh, &at)?;
        reach::reach(blob, &mesh, &at)?;
        rooms::rooms(blob, &mesh, &at)?;
        labels::labels(blob, &mesh, &at)?;
        landmarks::landmarks(blob, &mesh, &at)?;
        sources::sources(blob, &mesh, &at)?;
    }
    Ok(())
}

struct Place {
    class: u16,
}

impl Place {
    fn fail<T>(
        &self,
        section: Section,
        index: u64,
        found: Found,
        expected: &'static str,
    ) -> Result<T, BlobError> {
        Err(BlobError::Record {
            section,
            class: self.class,
            index,
            found,
            expected,
        })
    }

    fn int<T>(
        &self,
        section: Section,
        index: u32,
        found: impl Into<i64>,
        expected: &'static str,
    ) -> Result<T, BlobError> {
        self.fail(section, index.into(), Found::Int(found.into()), expected)
    }
}

/// A fault of a section that stands once in a blob.
fn fail<T>(
    section: Section,
    index: usize,
    found: Found,
    expected: &'static str,
) -> Result<T, BlobError> {
    Err(BlobError::Record {
        section,
        class: 0,
        index: index as u64,
        found,
        expected,
    })
}

/// The same, of a whole number.
fn int<T>(
    section: Section,
    index: usize,
    found: impl Into<i64>,
    expected: &'static str,
) -> Result<T, BlobError> {
    fail(section, index, Found::Int(found.into()), expected)
}
