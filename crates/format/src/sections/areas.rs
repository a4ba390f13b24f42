//! Areas and the costs of walking on them: `areas`, `weights` and `polygon-areas`.

use core::ops::RangeInclusive;

use navbake_grid::{AreaId, PolyId};
use navbake_navmesh::record::{Record, Records};

use super::agents::AgentRecord;
use super::doors_links::ClosureRecord;
use super::switches::{NO_SWITCH, switch};
use crate::packed_mesh::NavMeshView;
use crate::place::{BLOB, Checked, Place};
use crate::strings::StringRef;
use crate::{Blob, CheckedBlob, NavMesh, Section};

navbake_navmesh::record! {
    /// Section `areas`.
    struct AreaRecord: 20 { name: StringRef, switch: u16, tags: u32, edge_tags: u32, factor: f32 }
}
navbake_navmesh::record! {
    /// Section `weights`: the start of a row, before its weights.
    struct WeightHead: 24 { name: StringRef, agent: u16, uphill: f64, downhill: f64 }
}

/// The agent of a weight row that is for all.
const ANY_AGENT: u16 = u16::MAX;

/// Finite weights: sums of lengths times weights stay far from the ends of `f64`.
const WEIGHTS: RangeInclusive<f64> = 1.0 / 1_048_576.0..=1_048_576.0;

/// Costs of a metre of height.
const SLOPES: RangeInclusive<f64> = 0.0..=1_048_576.0;

/// Element sizes of the section `weights`: a head, and 8 bytes for each of 1 to 64 areas.
pub(crate) const ROW_SIZES: [u16; AreaId::LIMIT] = {
    let mut sizes = [0; AreaId::LIMIT];
    let mut k = 0;
    while k < sizes.len() {
        sizes[k] = (WeightHead::SIZE + f64::SIZE * (k + 1)) as u16; // at most 536
        k += 1;
    }
    sizes
};

/// A kind of ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area<'a> {
    /// Its name. Several areas may share it: ground of one kind with another switch or other tags
    /// is an area of its own.
    pub name: &'a str,
    /// 32 bits for the level author.
    pub tags: u32,
    /// 32 bits for the edges that it ends at: where ground of another name begins, or none. See
    /// [`CheckedBlob::edge_tags`].
    pub edge_tags: u32,
    /// The factor by which its weights were multiplied already: above 1 in bands along walls and of
    /// cost fields. Fields for some agents are in their weights alone.
    pub factor: f32,
    /// The switch that closes all polygons of the area: they can be left then, and not entered.
    /// They are among the closures.
    pub switch: Option<u16>,
}

/// The cost per metre of each area: a row of the table of weights.
#[derive(Clone, Copy, Debug)]
pub struct WeightRow<'a> {
    /// Its name: a task, a mood. The row without a name serves queries that name none.
    pub name: &'a str,
    /// The number of the agent that it is for; `None` for all that have no row of that name.
    pub agent: Option<u16>,
    weights: Weights<'a>,
    slopes: (f64, f64),
}

impl<'a> WeightRow<'a> {
    /// The weights, by area.
    pub fn weights(&self) -> Weights<'a> {
        self.weights
    }

    /// Costs of a metre up and of a metre down besides the ground's, in metres of plain ground.
    pub fn slopes(&self) -> (f64, f64) {
        self.slopes
    }
}

/// A weight an area, read in place. Cheap to copy.
#[derive(Clone, Copy, Debug, Default)]
pub struct Weights<'a> {
    by_area: Records<'a, f64>,
}

impl<'a> Weights<'a> {
    /// The cost of a metre on that ground, in metres of plain ground: above 0.
    ///
    /// Infinite where it is not walkable, 1 for an area that the blob does not have.
    #[inline]
    pub fn get(&self, area: AreaId) -> f64 {
        self.by_area.get(area.index()).unwrap_or(1.0)
    }

    /// One for each area, in the order of their ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = f64> + use<'a> {
        self.by_area.iter()
    }
}

/// The rows of the section `weights`, each as long as the section's elements.
fn rows<'a>(blob: &Blob<'a>) -> impl ExactSizeIterator<Item = &'a [u8]> + use<'a> {
    let section = blob.section(Section::WEIGHTS, 0);
    let (size, bytes) =
        section.map_or((1, &[][..]), |(info, bytes)| (usize::from(info.element_size), bytes));
    bytes.chunks_exact(size.max(1))
}

/// Head and weights of a row.
fn row(bytes: &[u8]) -> Option<(WeightHead, Records<'_, f64>)> {
    let (head, weights) = bytes.split_first_chunk()?;
    Some((WeightHead::from_bytes(head), Records::new(weights)?))
}

impl<'a> CheckedBlob<'a> {
    /// Areas by id. None when all ground is area 0.
    pub fn areas(&self) -> impl ExactSizeIterator<Item = Area<'a>> + use<'a> {
        let blob = self.blob();
        let records = blob.records::<AreaRecord>(Section::AREAS, 0);
        records.iter().map(move |r| Area {
            name: blob.name(r.name),
            tags: r.tags,
            edge_tags: r.edge_tags,
            factor: r.factor,
            switch: switch(r.switch),
        })
    }

    /// The area of a polygon, with its name and tags; `None` when the blob has no areas.
    pub fn area_of(&self, mesh: &NavMesh<'_>, p: PolyId) -> Option<Area<'a>> {
        self.areas().nth(mesh.area(p).index())
    }

    /// The tags of an edge of a polygon.
    ///
    /// They are those of the edges of both areas that meet there, where these have different names
    /// or the edge is a wall.
    pub fn edge_tags(&self, mesh: &NavMesh<'_>, p: PolyId, edge: u32) -> u32 {
        let polygon = mesh.polygon(p);
        if edge >= polygon.len() {
            return 0;
        }
        let here = self.area_of(mesh, p);
        let beyond = polygon.across(edge).map(|(beyond, _)| self.area_of(mesh, beyond));
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
        rows(&blob).filter_map(move |bytes| {
            let (head, by_area) = row(bytes)?;
            Some(WeightRow {
                name: blob.name(head.name),
                agent: (head.agent != ANY_AGENT).then_some(head.agent),
                weights: Weights { by_area },
                slopes: (head.uphill, head.downhill),
            })
        })
    }

    /// The row of that name for the agent of that number, or else the one for all.
    pub fn weights_for(&self, name: &str, agent: u16) -> Option<WeightRow<'a>> {
        let named = || self.weights().filter(|row| row.name == name);
        named()
            .find(|row| row.agent == Some(agent))
            .or_else(|| named().find(|row| row.agent.is_none()))
    }
}

/// Areas are at most 64 and have a switch that exists; rows of weights have one for each area.
pub(crate) fn check(blob: &Blob<'_>) -> Checked {
    let section = Section::AREAS;
    let areas = blob.records::<AreaRecord>(section, 0);
    BLOB.refuse(areas.len() > AreaId::LIMIT, section, 0, areas.len(), "at most 64 areas")?;
    for (it, r) in BLOB.each(section, areas.iter()) {
        it.name(blob, r.name)?;
        it.switch(blob, r.switch)?;
        let expected = "a factor from 2^-20 to 2^20";
        it.refuse(!WEIGHTS.contains(&f64::from(r.factor)), r.factor, expected)?;
    }
    check_weights(blob, areas.len())
}

fn check_weights(blob: &Blob<'_>, areas: usize) -> Checked {
    let agents = blob.records::<AgentRecord>(Section::AGENTS, 0).len();
    let mut before: Option<(&str, u16)> = None;
    for (i, bytes) in (0u32..).zip(rows(blob)) {
        let it = BLOB.element(Section::WEIGHTS, i);
        let Some((head, weights)) = row(bytes).filter(|(_, weights)| weights.len() == areas) else {
            let expected = "24 bytes, and 8 for each element of areas";
            return it.fail(bytes.len(), expected);
        };
        it.name(blob, head.name)?;
        let agent = head.agent;
        let expected = "an agent, or 65535 for all";
        it.refuse(agent != ANY_AGENT && usize::from(agent) >= agents, agent, expected)?;
        let key = Some((blob.name(head.name), agent));
        it.refuse(before >= key, agent, "rows sorted by name and agent, each once")?;
        before = key;
        for slope in [head.uphill, head.downhill] {
            let expected = "a cost of a metre of height from 0 to 2^20";
            it.refuse(!SLOPES.contains(&slope), slope, expected)?;
        }
        for w in weights.iter() {
            let expected = "weights from 2^-20 to 2^20, or infinity";
            it.refuse(!(w == f64::INFINITY || WEIGHTS.contains(&w)), w, expected)?;
        }
    }
    Ok(())
}

/// Checks that the areas of a mesh's polygons exist, and that the closures include the polygons
/// that their switches close.
pub(crate) fn check_polygons(blob: &Blob<'_>, mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let areas = blob.records::<AreaRecord>(Section::AREAS, 0);
    let closures = blob.records::<ClosureRecord>(Section::CLOSURES, at.class);
    let switches = areas.iter().any(|a| a.switch != NO_SWITCH);
    if mesh.is_one_area() && !switches {
        return Ok(());
    }
    for i in 0..mesh.polygon_count() {
        let area = mesh.area(PolyId(i));
        let record = areas.get(area.index());
        let section = match mesh.plain() {
            Some(_) => Section::LAYOUT_POLYGONS,
            None => Section::POLYGON_AREAS,
        };
        let fail = |expected| at.fail(section, i, area.0, expected);
        if record.is_none() && area != AreaId::GROUND {
            return fail("an area");
        }
        // Closures are sorted, as was checked before.
        let switch = record.map_or(NO_SWITCH, |r| r.switch);
        let is_closed = || closures.find((i, switch), |c| (c.polygon, c.switch)).is_some();
        if switch != NO_SWITCH && !is_closed() {
            return fail("an area without a switch, or a closure with it for the polygon");
        }
    }
    Ok(())
}

#[cfg(feature = "write")]
pub use encoder::WeightParts;
#[cfg(feature = "write")]
pub(crate) use encoder::{closures, encode, encode_polygons};

#[cfg(feature = "write")]
mod encoder {
    use alloc::vec;
    use alloc::vec::Vec;

    use navbake_navmesh::record::Record;

    use super::super::switches::NO_SWITCH;
    use super::{ANY_AGENT, Area, AreaRecord, WeightHead};
    use crate::Section;
    use crate::draft::{Draft, Drafts};
    use crate::strings::Strings;
    use crate::write::{EncodeError, MeshParts, Places};

    /// A row of the table of weights.
    #[derive(Clone, Copy, Debug)]
    pub struct WeightParts<'a> {
        /// Its name; the row without a name serves queries that name none.
        pub name: &'a str,
        /// The agent that it is for, an index into [`agents`](crate::write::BlobParts::agents);
        /// `None` for all that have no row of that name.
        pub agent: Option<u16>,
        /// The cost per metre, one for each of [`areas`](crate::write::BlobParts::areas); infinite
        /// where it is not walkable.
        pub weights: &'a [f64],
        /// Costs of a metre up and of a metre down besides that.
        pub slopes: (f64, f64),
    }

    /// Areas and weights.
    ///
    /// A reader that does not know weights would let units walk on ground that is closed to them,
    /// so weights are marked as required. The closures include the polygons that areas close.
    pub(crate) fn encode(
        areas: &[Area<'_>],
        weights: &[WeightParts<'_>],
        strings: &mut Strings,
        drafts: &mut Drafts<'_>,
    ) -> Result<(), EncodeError> {
        let mut records = Vec::with_capacity(areas.len());
        for a in areas {
            records.push(AreaRecord {
                name: strings.add(a.name, "area name")?,
                switch: a.switch.unwrap_or(NO_SWITCH),
                tags: a.tags,
                edge_tags: a.edge_tags,
                factor: a.factor,
            });
        }
        drafts.push(Draft::optional(Section::AREAS, 0, records));
        let agent = |row: &WeightParts<'_>| row.agent.unwrap_or(ANY_AGENT);
        let mut rows: Vec<&WeightParts<'_>> = weights.iter().collect();
        rows.sort_by_key(|row| (row.name, agent(row)));
        let mut bytes = vec![];
        for row in rows {
            if row.weights.len() != areas.len() {
                let (what, expected) = ("weights of a row", areas.len() as u64);
                return Err(EncodeError::length(what, 0, row.weights.len(), expected));
            }
            let head = WeightHead {
                name: strings.add(row.name, "name of a row of weights")?,
                agent: agent(row),
                uphill: row.slopes.0,
                downhill: row.slopes.1,
            };
            bytes.extend_from_slice(&head.to_bytes());
            bytes.extend(row.weights.iter().flat_map(|w| w.to_le_bytes()));
        }
        // Validation counts areas.
        let size = WeightHead::SIZE + f64::SIZE * areas.len();
        let mut rows = Draft::bytes(Section::WEIGHTS, 0, size, bytes);
        rows.required = true;
        drafts.push(rows);
        Ok(())
    }

    /// The polygons that switches of areas close, by their numbers in the blob.
    pub(crate) fn closures<'a>(
        areas: &'a [Area<'_>],
        parts: &'a MeshParts<'_>,
        places: &'a Places,
    ) -> impl Iterator<Item = (u32, u16)> + use<'a> {
        let polygons = places.polygons.iter().zip(parts.areas);
        polygons.filter_map(|(&new, &area)| Some((new, areas.get(usize::from(area))?.switch?)))
    }

    /// The areas of a mesh's polygons; nothing when all are the first.
    pub(crate) fn encode_polygons(
        parts: &MeshParts<'_>,
        places: &Places,
        class: u16,
        drafts: &mut Drafts<'_>,
    ) -> Result<(), EncodeError> {
        if parts.areas.iter().all(|&a| a == 0) {
            return Ok(());
        }
        let (found, expected) = (parts.areas.len(), places.polygons.len());
        if found != expected {
            let what = "areas of polygons";
            return Err(EncodeError::length(what, class, found, expected as u64));
        }
        let mut stored = vec![0u8; expected];
        for (&new, &area) in places.polygons.iter().zip(parts.areas) {
            stored[new as usize] = area;
        }
        drafts.push(Draft::optional(Section::POLYGON_AREAS, class, stored));
        Ok(())
    }
}
