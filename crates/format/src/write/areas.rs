//! Areas and weights to their sections.

use alloc::vec;
use alloc::vec::Vec;

use zerocopy::IntoBytes;
use zerocopy::little_endian::{F32, F64, U16, U32};

use super::things::Places;
use super::{Draft, EncodeError, MeshParts, Strings};
use crate::Section;
use crate::areas::ANY_AGENT;
use crate::records::{AreaRecord, NO_SWITCH, WeightHead};

/// A kind of ground.
#[derive(Clone, Copy, Debug)]
pub struct AreaParts<'a> {
    /// Its name; several may share it.
    pub name: &'a str,
    /// 32 bits of the level author's own.
    pub tags: u32,
    /// The same of the edges that it ends at.
    pub edge_tags: u32,
    /// What its weights are multiplied by, already.
    pub factor: f32,
    /// The switch that closes it.
    pub switch: Option<u16>,
}

/// A row of the table of weights.
#[derive(Clone, Copy, Debug)]
pub struct WeightParts<'a> {
    /// Its name; the empty name holds where a query names none.
    pub name: &'a str,
    /// The agent that it is for, an index into [`super::BlobParts::agents`]; `None`: for all that have none of their own.
    pub agent: Option<u16>,
    /// What a metre costs, one for each of [`super::BlobParts::areas`]; infinite where it is not walked on.
    pub weights: &'a [f64],
    /// What a metre up and a metre down cost beside that.
    pub slopes: (f64, f64),
}

/// Both sections of the blob. A reader that does not know weights would let units over ground that is closed to them: they are marked as
/// required. What areas close is told by closures as well.
pub(super) fn of_blob(
    areas: &[AreaParts<'_>],
    weights: &[WeightParts<'_>],
    strings: &mut Strings,
    drafts: &mut Vec<Draft>,
) -> Result<(), EncodeError> {
    let mut records = Vec::with_capacity(areas.len());
    for a in areas {
        records.push(AreaRecord {
            name: strings.add(a.name, "area name")?,
            switch: U16::new(a.switch.unwrap_or(NO_SWITCH)),
            tags: U32::new(a.tags),
            edge_tags: U32::new(a.edge_tags),
            factor: F32::new(a.factor),
        });
    }
    drafts.push(Draft {
        required: false,
        ..Draft::of(Section::AREAS, 0, &records)
    });
    let agent = |row: &WeightParts<'_>| row.agent.unwrap_or(ANY_AGENT);
    let mut rows: Vec<&WeightParts<'_>> = weights.iter().collect();
    rows.sort_by_key(|row| (row.name, agent(row)));
    let mut bytes = vec![];
    for row in rows {
        if row.weights.len() != areas.len() {
            return Err(EncodeError::Length {
                what: "weights of a row",
                class: 0,
                found: row.weights.len() as u64,
                expected: areas.len() as u64,
            });
        }
        let head = WeightHead {
            name: strings.add(row.name, "name of a row of weights")?,
            agent: U16::new(agent(row)),
            uphill: F64::new(row.slopes.0),
            downhill: F64::new(row.slopes.1),
        };
        bytes.extend_from_slice(head.as_bytes());
        for &w in row.weights {
            bytes.extend_from_slice(F64::new(w).as_bytes());
        }
    }
    drafts.push(Draft {
        section: Section::WEIGHTS,
        class: 0,
        required: true,
        element_size: (size_of::<WeightHead>() + size_of::<F64>() * areas.len()) as u16, // the check of the blob counts areas
        bytes,
    });
    Ok(())
}

/// The polygons that switches of areas close, by their numbers in the blob.
pub(super) fn closures<'a>(
    areas: &'a [AreaParts<'_>],
    parts: &'a MeshParts<'_>,
    places: &'a Places,
) -> impl Iterator<Item = (u32, u16)> + use<'a> {
    let polygons = places.polygons.iter().zip(parts.areas);
    polygons.filter_map(|(&new, &area)| Some((new, areas.get(usize::from(area))?.switch?)))
}

/// The areas of a mesh's polygons; nothing when all are the first.
pub(super) fn of_mesh(
    parts: &MeshParts<'_>,
    places: &Places,
    class: u16,
    drafts: &mut Vec<Draft>,
) -> Result<(), EncodeError> {
    if parts.areas.iter().all(|&a| a == 0) {
        return Ok(());
    }
    let polygons = places.polygons.len();
    if parts.areas.len() != polygons {
        return Err(EncodeError::Length {
            what: "areas of polygons",
            class,
            found: parts.areas.len() as u64,
            expected: polygons as u64,
        });
    }
    let mut stored = vec![0u8; polygons];
    for (&new, &area) in places.polygons.iter().zip(parts.areas) {
        stored[new as usize] = area;
    }
    drafts.push(Draft {
        required: false,
        ..Draft::of(Section::POLYGON_AREAS, class, &stored)
    });
    Ok(())
}
