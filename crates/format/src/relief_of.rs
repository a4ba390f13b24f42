//! The relief of each polygon, and the position of each relief's words.

use navbake_grid::PolyId;
use navbake_navmesh::record::Records;

use crate::blob::Blob;
use crate::error::{BlobError, wrong};
use crate::records::{LongRun, ShortRun};
use crate::relief::Relief;
use crate::section::Section;

/// For each polygon 1 + its relief, or 0 for none: one by one, or in runs of polygons that have the
/// same.
#[derive(Clone, Copy)]
pub(crate) enum ReliefOf<'a> {
    None,
    One(&'a [u8]),
    Two(Records<'a, u16>),
    Short(Records<'a, ShortRun>),
    Long(Records<'a, LongRun>),
}

impl<'a> ReliefOf<'a> {
    pub(crate) fn read(
        blob: &Blob<'a>,
        class: u16,
        polygons: u32,
    ) -> Result<ReliefOf<'a>, BlobError> {
        let section = Section::RELIEF_OF;
        if blob.section(section, class).is_none() {
            if blob.section(Section::RELIEFS, class).is_some() {
                return Err(wrong(
                    section,
                    class,
                    0,
                    "the sections relief-of and reliefs, or none of them",
                ));
            }
            return Ok(ReliefOf::None);
        }
        if blob.section(Section::RELIEFS, class).is_none() {
            return Err(wrong(
                Section::RELIEFS,
                class,
                0,
                "the sections relief-of and reliefs, or none of them",
            ));
        }
        let of = ReliefOf::of(blob, section, class);
        if of.is_each() && of.len() != polygons as usize {
            return Err(wrong(
                section,
                class,
                of.len(),
                "one record for each polygon that the section mesh states",
            ));
        }
        Ok(of)
    }

    /// A section that is laid out like relief-of.
    pub(crate) fn of(blob: &Blob<'a>, section: Section, class: u16) -> ReliefOf<'a> {
        match blob.section(section, class) {
            None => ReliefOf::None,
            Some((info, bytes)) => match info.element_size {
                1 => ReliefOf::One(bytes),
                2 => ReliefOf::Two(blob.records(section, class)),
                4 => ReliefOf::Short(blob.records(section, class)),
                _ => ReliefOf::Long(blob.records(section, class)),
            },
        }
    }

    /// Has each polygon an element of its own?
    pub(crate) fn is_each(&self) -> bool {
        matches!(self, ReliefOf::One(_) | ReliefOf::Two(_))
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            ReliefOf::None => 0,
            ReliefOf::One(all) => all.len(),
            ReliefOf::Two(all) => all.len(),
            ReliefOf::Short(all) => all.len(),
            ReliefOf::Long(all) => all.len(),
        }
    }

    /// The first polygon of record i, and the value of the record.
    pub(crate) fn record(&self, i: usize) -> (u32, u32) {
        match self {
            ReliefOf::None => (0, 0),
            ReliefOf::One(all) => (i as u32, all.get(i).map_or(0, |&r| r.into())),
            ReliefOf::Two(all) => (i as u32, all.get(i).map_or(0, u32::from)),
            ReliefOf::Short(all) => {
                (all.get(i)).map_or((0, 0), |r| (r.first.into(), r.relief.into()))
            }
            ReliefOf::Long(all) => all.get(i).map_or((0, 0), |r| (r.first, r.relief)),
        }
    }

    #[inline]
    pub(crate) fn get(&self, p: PolyId) -> Option<u32> {
        let record = match self {
            ReliefOf::None => return None,
            ReliefOf::One(_) | ReliefOf::Two(_) => p.index(),
            // The last run that begins no later; before the first there is none.
            ReliefOf::Short(all) => {
                let first = |r: ShortRun| u32::from(r.first) <= p.0;
                all.partition_point(first).checked_sub(1)?
            }
            ReliefOf::Long(all) => {
                let first = |r: LongRun| r.first <= p.0;
                all.partition_point(first).checked_sub(1)?
            }
        };
        self.record(record).1.checked_sub(1)
    }
}

/// The words of all reliefs: how many there are, where each ends, then they.
#[derive(Clone, Copy)]
pub(crate) struct Reliefs<'a> {
    words: Records<'a, u32>,
}

impl<'a> Reliefs<'a> {
    pub(crate) fn new(words: Records<'a, u32>) -> Reliefs<'a> {
        Reliefs { words }
    }

    pub(crate) fn words(&self) -> usize {
        self.words.len()
    }

    pub(crate) fn len(&self) -> u32 {
        self.words.first().unwrap_or(0)
    }

    /// Where relief i ends; where the first begins for the one before it.
    pub(crate) fn end(&self, i: u32) -> usize {
        let at = i.wrapping_add(1) as usize;
        match at {
            0 => self.len() as usize + 1,
            _ => self.words.get(at).map_or(0, |w| w as usize),
        }
    }

    #[inline]
    pub(crate) fn get(&self, i: u32) -> Relief<'a> {
        let (begin, end) = (self.end(i.wrapping_sub(1)), self.end(i));
        let words = self.words.slice(begin..self.words()).unwrap_or_default();
        Relief::read(words, end.saturating_sub(begin))
    }
}
