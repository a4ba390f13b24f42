//! Bytes of a saved world: whole numbers and floats, little-endian.

use alloc::vec::Vec;

use crate::Error;

/// Bytes to be written.
#[derive(Debug, Default)]
pub(crate) struct Writer(pub(crate) Vec<u8>);

impl Writer {
    pub(crate) fn u8(&mut self, number: u8) {
        self.0.push(number);
    }

    pub(crate) fn u32(&mut self, number: u32) {
        self.0.extend(number.to_le_bytes());
    }

    pub(crate) fn u64(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    pub(crate) fn f64(&mut self, number: f64) {
        self.u64(number.to_bits());
    }

    /// Numbers, with how many there are before them.
    pub(crate) fn list(&mut self, numbers: &[u32]) {
        self.u32(numbers.len() as u32);
        numbers.iter().for_each(|&number| self.u32(number));
    }
}

/// Bytes to be read, which may be any.
#[derive(Debug)]
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(Error::Damaged)?;
        self.0 = rest;
        Ok(*bytes)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Error> {
        self.take().map(u8::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Error> {
        self.take().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Error> {
        self.take().map(u64::from_le_bytes)
    }

    pub(crate) fn f64(&mut self) -> Result<f64, Error> {
        self.u64().map(f64::from_bits)
    }

    pub(crate) fn flag(&mut self) -> Result<bool, Error> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Error::Damaged),
        }
    }

    /// How many things follow, each of `size` bytes at least.
    pub(crate) fn count(&mut self, size: usize) -> Result<usize, Error> {
        let count = self.u32()? as usize;
        (count <= self.0.len() / size).then_some(count).ok_or(Error::Damaged)
    }

    /// The numbers of [`Writer::list`].
    pub(crate) fn list(&mut self) -> Result<Vec<u32>, Error> {
        (0..self.count(4)?).map(|_| self.u32()).collect()
    }
}

/// Damaged, unless it holds.
pub(crate) fn sound(holds: bool) -> Result<(), Error> {
    holds.then_some(()).ok_or(Error::Damaged)
}

/// Notes each of some numbers, which must be below `seen.len()` and not noted before.
pub(crate) fn each_once(
    seen: &mut [bool],
    numbers: impl IntoIterator<Item = u32>,
) -> Result<(), Error> {
    for number in numbers {
        let slot = seen.get_mut(number as usize).ok_or(Error::Damaged)?;
        sound(!core::mem::replace(slot, true))?;
    }
    Ok(())
}
