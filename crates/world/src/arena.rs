//! Records in memory that can be written, as searches read them.

use alloc::vec::Vec;

use navbake_navmesh::record::{Record, Records};

/// A list of records.
#[derive(Clone, Debug)]
pub(crate) struct Arena<R: Record> {
    chunks: Vec<R::Bytes>,
}

impl<R: Record> Default for Arena<R> {
    fn default() -> Arena<R> {
        Arena { chunks: Vec::new() }
    }
}

impl<R: Record> FromIterator<R> for Arena<R> {
    fn from_iter<I: IntoIterator<Item = R>>(records: I) -> Arena<R> {
        Arena { chunks: records.into_iter().map(|record| record.to_bytes()).collect() }
    }
}

impl<R: Record> Arena<R> {
    /// A copy of records.
    pub(crate) fn of(records: Records<'_, R>) -> Arena<R> {
        Arena { chunks: R::chunks(records.bytes()).to_vec() }
    }

    /// Makes it as long as that, with records of zeros.
    pub(crate) fn lengthen(&mut self, len: usize) {
        let zeros = alloc::vec![0; R::SIZE];
        if let Some(&zero) = R::chunks(&zeros).first() {
            self.chunks.resize(len.max(self.len()), zero);
        }
    }

    /// Drops all records from there on.
    pub(crate) fn shorten(&mut self, len: usize) {
        self.chunks.truncate(len);
    }

    pub(crate) fn len(&self) -> usize {
        self.chunks.len()
    }

    pub(crate) fn push(&mut self, record: R) {
        self.chunks.push(record.to_bytes());
    }

    #[inline]
    pub(crate) fn at(&self, i: usize) -> R {
        R::from_bytes(&self.chunks[i])
    }

    #[inline]
    pub(crate) fn set(&mut self, i: usize, record: R) {
        self.chunks[i] = record.to_bytes();
    }

    /// Changes a record.
    #[inline]
    pub(crate) fn change(&mut self, i: usize, f: impl FnOnce(&mut R)) {
        let mut record = self.at(i);
        f(&mut record);
        self.set(i, record);
    }

    /// Writes records from a place on, beyond the end too.
    pub(crate) fn write(&mut self, start: usize, records: Records<'_, R>) {
        let from = R::chunks(records.bytes());
        let (own, new) = from.split_at(from.len().min(self.chunks.len() - start));
        self.chunks[start..start + own.len()].copy_from_slice(own);
        self.chunks.extend_from_slice(new);
    }

    pub(crate) fn records(&self) -> Records<'_, R> {
        Records::new(R::flat(&self.chunks)).unwrap_or_default()
    }

    /// Drops the last record.
    pub(crate) fn pop(&mut self) {
        self.chunks.pop();
    }
}
