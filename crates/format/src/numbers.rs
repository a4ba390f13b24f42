//! Unsigned integers, each in as few bytes as the greatest of them needs.

use navbake_navmesh::record::Records;

use crate::{Blob, Section};

/// Whole numbers in 2 or 4 bytes each, read in place.
#[derive(Clone, Copy, Debug)]
pub enum Numbers<'a> {
    /// Of 16 bits.
    Two(Records<'a, u16>),
    /// Of 32 bits.
    Four(Records<'a, u32>),
}

impl<'a> Numbers<'a> {
    pub(crate) fn read(blob: &Blob<'a>, section: Section, class: u16) -> Numbers<'a> {
        match blob.section(section, class) {
            Some((info, _)) if info.element_size == 2 => Numbers::Two(blob.records(section, class)),
            _ => Numbers::Four(blob.records(section, class)),
        }
    }

    /// A number, 0 beyond the end.
    #[inline]
    pub fn get(&self, i: usize) -> u32 {
        match self {
            Numbers::Two(n) => n.get(i).map_or(0, u32::from),
            Numbers::Four(n) => n.get(i).unwrap_or(0),
        }
    }

    /// How many of rising numbers are no greater than `most`.
    #[inline]
    pub(crate) fn up_to(&self, most: u32) -> usize {
        match self {
            Numbers::Two(n) => n.partition_point(|v| u32::from(v) <= most),
            Numbers::Four(n) => n.partition_point(|v| v <= most),
        }
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Numbers::Two(n) => n.len(),
            Numbers::Four(n) => n.len(),
        }
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes that they take.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Numbers::Two(n) => 2 * n.len(),
            Numbers::Four(n) => 4 * n.len(),
        }
    }
}
