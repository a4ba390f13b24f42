//! Bytes of a file, with the place in it for errors.

use crate::error::Refused;

/// The cure of damage.
pub(crate) const DAMAGED: &str = "the file is damaged or cut off: export it again";

/// Coordinates beyond this, m, are no place: squares of distances must stay finite.
const LARGE: f32 = 1e7;

/// A run of bytes with their place.
#[derive(Clone, Copy)]
pub(crate) struct Bytes<'a> {
    pub(crate) tile: Option<u32>,
    pub(crate) all: &'a [u8],
}

impl<'a> Bytes<'a> {
    /// An error about a field.
    pub(crate) fn refuse(&self, field: impl Into<String>, found: impl Into<String>) -> Refused {
        Refused { tile: self.tile, field: field.into(), found: found.into(), cure: DAMAGED }
    }

    fn at<const N: usize>(&self, at: usize, field: &str) -> Result<[u8; N], Refused> {
        let found = at.checked_add(N).and_then(|end| self.all.get(at..end));
        found.and_then(|bytes| bytes.try_into().ok()).ok_or_else(|| {
            self.refuse(field, format!("byte {at} is after the last one, {}", self.all.len()))
        })
    }

    pub(crate) fn u8(&self, at: usize, field: &str) -> Result<u8, Refused> {
        self.at::<1>(at, field).map(|[byte]| byte)
    }

    pub(crate) fn u16(&self, at: usize, field: &str) -> Result<u16, Refused> {
        self.at(at, field).map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&self, at: usize, field: &str) -> Result<u32, Refused> {
        self.at(at, field).map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&self, at: usize, field: &str) -> Result<u64, Refused> {
        self.at(at, field).map(u64::from_le_bytes)
    }

    pub(crate) fn i32(&self, at: usize, field: &str) -> Result<i32, Refused> {
        self.at(at, field).map(i32::from_le_bytes)
    }

    /// A finite number that is no larger than a world.
    pub(crate) fn f32(&self, at: usize, field: &str) -> Result<f32, Refused> {
        let value = self.at(at, field).map(f32::from_le_bytes)?;
        match value.abs() <= LARGE {
            true => Ok(value),
            false => Err(self.refuse(field, format!("{value} is no number within 1e7"))),
        }
    }

    pub(crate) fn point(&self, at: usize, field: &str) -> Result<[f32; 3], Refused> {
        Ok([self.f32(at, field)?, self.f32(at + 4, field)?, self.f32(at + 8, field)?])
    }

    /// A number within bounds.
    pub(crate) fn within(
        &self,
        at: usize,
        field: &str,
        bounds: std::ops::RangeInclusive<i32>,
    ) -> Result<i32, Refused> {
        let value = self.i32(at, field)?;
        match bounds.contains(&value) {
            true => Ok(value),
            false => Err(self.refuse(
                field,
                format!("{value} is not within {} and {}", bounds.start(), bounds.end()),
            )),
        }
    }
}
