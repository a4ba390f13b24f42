//! Kinds of ground, and what walking on them costs whom.

use navbake_grid::{AreaId, PolyId};
use zerocopy::little_endian::F64;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::records::{AreaRecord, NO_SWITCH, StringRef, WeightHead};
use crate::{Blob, CheckedBlob, NavMeshView, Section};

/// The agent of a weight row that is for all.
pub(crate) const ANY_AGENT: u16 = u16::MAX;
/// Weights that are no infinity lie in here: sums of lengths times weights stay far from the ends of `f64`.
pub(crate) const WEIGHTS: core::ops::RangeInclusive<f64> = 1.0 / 1_048_576.0..=1_048_576.0;

/// Costs of a metre of height lie in here.
pub(crate) const SLOPES: core::ops::RangeInclusive<f64> = 0.0..=1_048_576.0;

/// Element sizes of the section `weights`: a head, and 8 bytes for each of 1 to 64 areas.
pub(crate) const ROW_SIZES: [u16; AreaId::LIMIT] = {
    let mut sizes = [0; AreaId::LIMIT];
    let mut k = 0;
    while k < sizes.len() {
        sizes[k] = (size_of::<WeightHead>() + size_of::<F64>() * (k + 1)) as u16; // at most 536
        k += 1;
    }
    sizes
};

/// A kind of ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area<'a> {
    /// Its name. Others may have the same: ground of one kind that another switch closes, or with other tags, is an area of its own.
    pub name: &'a str,
    /// 32 bits of the level author's own.
    pub tags: u32,
    /// The same of the edges that it ends at: where ground of another name begins, or none. See [`CheckedBlob::edge_tags`].
    pub edge_tags: u32,
    /// What its weights are multiplied by, in the table of weights already: above 1 near walls where the level's author wants units to keep away.
    pub factor: f32,
    /// The switch that closes all polygons of the area: they can be left then, and not entered. They stand among the closures.
    pub switch: Option<u16>,
}

/// What a metre of each area costs: a row of the table of weights.
#[derive(Clone, Copy, Debug)]
pub struct WeightRow<'a> {
    /// Its name: a task, a mood. The empty name is what holds when a query names none.
    pub name: &'a str,
    /// The agent that it is for, by its place among the agents; `None` when it is for all that have none of their own of that name.
    pub agent: Option<u16>,
    weights: Weights<'a>,
    slopes: (f64, f64),
}

impl<'a> WeightRow<'a> {
    /// The weights, by area.
    pub fn weights(&self) -> Weights<'a> {
        self.weights
    }

    /// What a metre up and a metre down cost beside what the ground costs, in metres of plain ground.
    pub fn slopes(&self) -> (f64, f64) {
        self.slopes
    }
}

/// A weight an area, read in place. Cheap to copy.
#[derive(Clone, Copy, Debug, Default)]
pub struct Weights<'a> {
    by_area: &'a [F64],
}

impl Weights<'_> {
    /// What a metre on that ground costs, in metres of plain ground: above 0; infinite where it is not walked on. 1 for an area that the
    /// blob does not have.
    #[inline]
    pub fn get(&self, area: AreaId) -> f64 {
        self.by_area.get(area.index()).map_or(1.0, |w| w.get())
    }

    /// One for each area, in the order of their ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = f64> + use<'_> {
        self.by_area.iter().map(|w| w.get())
    }
}

/// A row of the section `weights` as it lies in the file.
#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
pub(crate) struct RawRow {
    pub(crate) head: WeightHead,
    pub(crate) weights: [F64],
}

/// The rows of the section `weights`; a row is as long as the section's elements are.
pub(crate) fn raw_rows<'a>(blob: &Blob<'a>) -> impl ExactSizeIterator<Item = &'a [u8]> + use<'a> {
    let (size, bytes) = blob
        .section(Section::WEIGHTS, 0)
        .map_or((1, &[][..]), |(info, bytes)| {
            (usize::from(info.element_size), bytes)
        });
    bytes.chunks_exact(size.max(1))
}

fn switch(number: u16) -> Option<u16> {
    (number != NO_SWITCH).then_some(number)
}

fn name<'a>(blob: Blob<'a>, at: StringRef) -> &'a str {
    blob.string(at).unwrap_or("")
}

impl<'a> CheckedBlob<'a> {
    /// Kinds of ground, by id. None when the level does not tell any apart: then all ground is area 0.
    pub fn areas(&self) -> impl ExactSizeIterator<Item = Area<'a>> + use<'a> {
        let blob = self.blob();
        let records = blob.records::<AreaRecord>(Section::AREAS, 0);
        records.iter().map(move |r| Area {
            name: name(blob, r.name),
            tags: r.tags.get(),
            edge_tags: r.edge_tags.get(),
            factor: r.factor.get(),
            switch: switch(r.switch.get()),
        })
    }

    /// The area of a polygon, with its name and tags; `None` when the level does not tell any apart.
    pub fn area_of(&self, mesh: &NavMeshView<'_>, p: PolyId) -> Option<Area<'a>> {
        self.areas().nth(mesh.area(p).index())
    }

    /// The tags of an edge of a polygon: those of the edges of both areas that meet there, where they have different names or one of them ends at a wall.
    pub fn edge_tags(&self, mesh: &NavMeshView<'_>, p: PolyId, edge: u32) -> u32 {
        let polygon = mesh.polygon(p);
        if edge >= polygon.len() {
            return 0;
        }
        let here = self.area_of(mesh, p);
        let beyond = polygon
            .across(edge)
            .map(|(beyond, _)| self.area_of(mesh, beyond));
        let tags = |area: Option<Area<'_>>| area.map_or(0, |a| a.edge_tags);
        match beyond {
            None => tags(here),
            Some(there) if there.map(|a| a.name) == here.map(|a| a.name) => 0,
            Some(there) => tags(here) | tags(there),
        }
    }

    /// The areas of that name, as a set: bit k is area k.
    pub fn areas_named(&self, name: &str) -> u64 {
        let named = (0u32..).zip(self.areas()).filter(|(_, a)| a.name == name);
        named.fold(0, |set, (k, _)| set | 1 << (k & 63))
    }

    /// The table of weights, row by row.
    pub fn weights(&self) -> impl Iterator<Item = WeightRow<'a>> + use<'a> {
        let blob = self.blob();
        raw_rows(&blob).filter_map(move |bytes| {
            let row = RawRow::ref_from_bytes(bytes).ok()?;
            let agent = row.head.agent.get();
            Some(WeightRow {
                name: name(blob, row.head.name),
                agent: (agent != ANY_AGENT).then_some(agent),
                weights: Weights {
                    by_area: &row.weights,
                },
                slopes: (row.head.uphill.get(), row.head.downhill.get()),
            })
        })
    }

    /// The row of that name for an agent (its place among the agents): its own, or else the one for all.
    pub fn weights_for(&self, name: &str, agent: u16) -> Option<WeightRow<'a>> {
        let named = || self.weights().filter(|row| row.name == name);
        named()
            .find(|row| row.agent == Some(agent))
            .or_else(|| named().find(|row| row.agent.is_none()))
    }
}

impl<'a> NavMeshView<'a> {
    /// The kind of ground that a polygon is.
    #[inline]
    pub fn area(&self, p: PolyId) -> AreaId {
        AreaId(self.polygon_areas().get(p.index()).copied().unwrap_or(0))
    }
}
