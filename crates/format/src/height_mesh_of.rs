//! The height mesh of each polygon, and the position of each height mesh's words.

use navbake_grid::PolyId;
use navbake_navmesh::record::Records;

use crate::blob::Blob;
use crate::error::BlobError;
use crate::height_mesh::HeightMesh;
use crate::place::Place;
use crate::records::{LongRun, ShortRun};
use crate::section::Section;

/// For each polygon 1 + its height mesh, or 0 for none: one by one, or in runs of polygons that have the
/// same.
#[derive(Clone, Copy)]
pub(crate) enum HeightMeshOf<'a> {
    None,
    One(&'a [u8]),
    Two(Records<'a, u16>),
    Short(Records<'a, ShortRun>),
    Long(Records<'a, LongRun>),
}

impl<'a> HeightMeshOf<'a> {
    pub(crate) fn read(
        blob: &Blob<'a>,
        class: u16,
        polygons: u32,
    ) -> Result<HeightMeshOf<'a>, BlobError> {
        let (at, section) = (Place { class }, Section::HEIGHT_MESH_OF);
        let there = [section, Section::HEIGHT_MESHES].map(|s| blob.has(s, class));
        let missing = if there[0] { Section::HEIGHT_MESHES } else { section };
        let expected = "the sections height-mesh-of and height meshes, or none of them";
        at.refuse(there[0] != there[1], missing, 0, 0, expected)?;
        if !there[0] {
            return Ok(HeightMeshOf::None);
        }
        let of = HeightMeshOf::of(blob, section, class);
        let expected = "one record for each polygon that the section mesh states";
        at.refuse(of.is_each() && of.len() != polygons as usize, section, 0, of.len(), expected)?;
        Ok(of)
    }

    /// A section that is laid out like height-mesh-of.
    pub(crate) fn of(blob: &Blob<'a>, section: Section, class: u16) -> HeightMeshOf<'a> {
        match blob.section(section, class) {
            None => HeightMeshOf::None,
            Some((info, bytes)) => match info.element_size {
                1 => HeightMeshOf::One(bytes),
                2 => HeightMeshOf::Two(blob.records(section, class)),
                4 => HeightMeshOf::Short(blob.records(section, class)),
                _ => HeightMeshOf::Long(blob.records(section, class)),
            },
        }
    }

    /// Has each polygon an element of its own?
    pub(crate) fn is_each(&self) -> bool {
        matches!(self, HeightMeshOf::One(_) | HeightMeshOf::Two(_))
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            HeightMeshOf::None => 0,
            HeightMeshOf::One(all) => all.len(),
            HeightMeshOf::Two(all) => all.len(),
            HeightMeshOf::Short(all) => all.len(),
            HeightMeshOf::Long(all) => all.len(),
        }
    }

    /// The first polygon of record i, and the value of the record.
    pub(crate) fn record(&self, i: usize) -> (u32, u32) {
        match self {
            HeightMeshOf::None => (0, 0),
            HeightMeshOf::One(all) => (i as u32, all.get(i).map_or(0, |&r| r.into())),
            HeightMeshOf::Two(all) => (i as u32, all.get(i).map_or(0, u32::from)),
            HeightMeshOf::Short(all) => {
                (all.get(i)).map_or((0, 0), |r| (r.first.into(), r.height_mesh.into()))
            }
            HeightMeshOf::Long(all) => all.get(i).map_or((0, 0), |r| (r.first, r.height_mesh)),
        }
    }

    #[inline]
    pub(crate) fn get(&self, p: PolyId) -> Option<u32> {
        let record = match self {
            HeightMeshOf::None => return None,
            HeightMeshOf::One(_) | HeightMeshOf::Two(_) => p.index(),
            // The last run that begins no later; before the first there is none.
            HeightMeshOf::Short(all) => {
                let first = |r: ShortRun| u32::from(r.first) <= p.0;
                all.partition_point(first).checked_sub(1)?
            }
            HeightMeshOf::Long(all) => {
                let first = |r: LongRun| r.first <= p.0;
                all.partition_point(first).checked_sub(1)?
            }
        };
        self.record(record).1.checked_sub(1)
    }
}

/// The words of all height meshes: how many there are, where each ends, then they.
#[derive(Clone, Copy)]
pub(crate) struct HeightMeshes<'a> {
    words: Records<'a, u32>,
}

impl<'a> HeightMeshes<'a> {
    pub(crate) fn new(words: Records<'a, u32>) -> HeightMeshes<'a> {
        HeightMeshes { words }
    }

    pub(crate) fn words(&self) -> usize {
        self.words.len()
    }

    pub(crate) fn len(&self) -> u32 {
        self.words.first().unwrap_or(0)
    }

    /// Where height mesh i ends; where the first begins for the one before it.
    pub(crate) fn end(&self, i: u32) -> usize {
        let at = i.wrapping_add(1) as usize;
        match at {
            0 => self.len() as usize + 1,
            _ => self.words.get(at).map_or(0, |w| w as usize),
        }
    }

    #[inline]
    pub(crate) fn get(&self, i: u32) -> HeightMesh<'a> {
        let (begin, end) = (self.end(i.wrapping_sub(1)), self.end(i));
        let words = self.words.slice(begin..self.words()).unwrap_or_default();
        HeightMesh::read(words, end.saturating_sub(begin))
    }
}
