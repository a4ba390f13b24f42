//! Fixed-width little-endian records, read in place.
//!
//! A [`Record`] is a struct of whole numbers and floats without padding. [`Records`] is a slice of
//! them over bytes at any address, so a memory map, `include_bytes!` and an odd offset all work,
//! on machines of either byte order. [`record!`](crate::record!) defines one:
//!
//! ```
//! use navbake_navmesh::record::{Record, Records};
//!
//! navbake_navmesh::record! {
//!     /// A portal with a width.
//!     #[derive(PartialEq, Debug)]
//!     pub struct Door: 10 { pub polygon: u32, pub edge: u16, pub width: f32 }
//! }
//!
//! let door = Door { polygon: 7, edge: 2, width: 1.5 };
//! let mut bytes = [0; 2 * Door::SIZE];
//! bytes[..Door::SIZE].copy_from_slice(&door.to_bytes());
//! let doors = Records::<Door>::new(&bytes).expect("two whole records");
//! assert_eq!(doors.len(), 2);
//! assert_eq!(doors.get(0), Some(door));
//! assert_eq!(doors.get(2), None);
//! ```

use core::fmt;
use core::ops::Range;

/// A value with a fixed number of little-endian bytes.
pub trait Record: Copy {
    /// Bytes of one record.
    const SIZE: usize;
    /// An array of [`Record::SIZE`] bytes.
    type Bytes: AsRef<[u8]> + Copy + 'static;

    /// Splits bytes into records; what is left over at the end is left out.
    fn chunks(bytes: &[u8]) -> &[Self::Bytes];
    /// The bytes of records.
    fn flat(chunks: &[Self::Bytes]) -> &[u8];
    /// Decodes one record.
    fn from_bytes(bytes: &Self::Bytes) -> Self;
    /// Encodes one record.
    fn to_bytes(self) -> Self::Bytes;
}

macro_rules! number {
    ($($number:ty)*) => {$(
        impl Record for $number {
            const SIZE: usize = size_of::<$number>();
            type Bytes = [u8; size_of::<$number>()];

            #[inline]
            fn chunks(bytes: &[u8]) -> &[Self::Bytes] {
                bytes.as_chunks().0
            }

            #[inline]
            fn flat(chunks: &[Self::Bytes]) -> &[u8] {
                chunks.as_flattened()
            }

            #[inline]
            fn from_bytes(bytes: &Self::Bytes) -> Self {
                <$number>::from_le_bytes(*bytes)
            }

            #[inline]
            fn to_bytes(self) -> Self::Bytes {
                self.to_le_bytes()
            }
        }
    )*};
}

number!(u8 u16 u32 u64 i8 i32 f32 f64);

macro_rules! array {
    ($($number:ty, $len:literal;)*) => {$(
        impl Record for [$number; $len] {
            const SIZE: usize = size_of::<[$number; $len]>();
            type Bytes = [u8; size_of::<[$number; $len]>()];

            #[inline]
            fn chunks(bytes: &[u8]) -> &[Self::Bytes] {
                bytes.as_chunks().0
            }

            #[inline]
            fn flat(chunks: &[Self::Bytes]) -> &[u8] {
                chunks.as_flattened()
            }

            #[inline]
            fn from_bytes(bytes: &Self::Bytes) -> Self {
                const N: usize = size_of::<$number>();
                let (parts, _) = bytes.as_chunks::<N>();
                core::array::from_fn(|k| <$number>::from_le_bytes(parts[k]))
            }

            #[inline]
            fn to_bytes(self) -> Self::Bytes {
                const N: usize = size_of::<$number>();
                let mut bytes = [0; size_of::<[$number; $len]>()];
                let (parts, _) = bytes.as_chunks_mut::<N>();
                for (part, number) in parts.iter_mut().zip(self) {
                    *part = number.to_le_bytes();
                }
                bytes
            }
        }
    )*};
}

array! {
    i8, 2; i32, 2; i32, 3; u8, 2; u8, 3; u8, 8; u8, 32; u16, 2; u16, 3; u16, 8; u32, 2; u32, 3;
    u32, 5; u64, 8; f64, 2; f64, 3; f64, 4;
}

/// Defines a [`Record`]: its fields in order, without padding. The number after the name is its
/// size in bytes and is checked when it is compiled.
#[macro_export]
macro_rules! record {
    ($(#[$meta:meta])* $vis:vis struct $name:ident: $size:literal {
        $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $ty:ty),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy)]
        $vis struct $name {
            $($(#[$field_meta])* $field_vis $field: $ty,)*
        }

        impl $crate::record::Record for $name {
            const SIZE: usize = {
                let size = 0 $(+ <$ty as $crate::record::Record>::SIZE)*;
                assert!(size == $size, "the size stated is not that of the fields");
                size
            };
            type Bytes = [u8; $size];

            #[inline]
            fn chunks(bytes: &[u8]) -> &[Self::Bytes] {
                bytes.as_chunks().0
            }

            #[inline]
            fn flat(chunks: &[Self::Bytes]) -> &[u8] {
                chunks.as_flattened()
            }

            #[inline]
            fn from_bytes(bytes: &Self::Bytes) -> Self {
                let mut at = 0;
                $(
                    let $field = $crate::record::field::<$ty>(bytes, &mut at);
                )*
                let _ = at;
                $name { $($field),* }
            }

            #[inline]
            fn to_bytes(self) -> Self::Bytes {
                let mut bytes = [0; $size];
                let mut at = 0;
                $(
                    $crate::record::set_field(&mut bytes, &mut at, self.$field);
                )*
                let _ = at;
                bytes
            }
        }
    };
}

/// Decodes the field at a place and moves the place behind it. For [`record!`](crate::record!).
#[doc(hidden)]
#[inline(always)]
pub fn field<T: Record>(bytes: &[u8], at: &mut usize) -> T {
    let field = &T::chunks(&bytes[*at..*at + T::SIZE])[0];
    *at += T::SIZE;
    T::from_bytes(field)
}

/// Encodes a field at a place and moves the place behind it. For [`record!`](crate::record!).
#[doc(hidden)]
#[inline(always)]
pub fn set_field<T: Record>(bytes: &mut [u8], at: &mut usize, value: T) {
    bytes[*at..*at + T::SIZE].copy_from_slice(value.to_bytes().as_ref());
    *at += T::SIZE;
}

/// A slice of records over borrowed bytes. Cheap to copy.
pub struct Records<'a, R: Record> {
    chunks: &'a [R::Bytes],
}

impl<R: Record> Clone for Records<'_, R> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Record> Copy for Records<'_, R> {}

impl<R: Record> Default for Records<'_, R> {
    fn default() -> Self {
        Records { chunks: &[] }
    }
}

impl<R: Record + fmt::Debug> fmt::Debug for Records<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a, R: Record> Records<'a, R> {
    /// The records in these bytes; `None` unless the length is a multiple of [`Record::SIZE`].
    pub fn new(bytes: &'a [u8]) -> Option<Records<'a, R>> {
        let whole = bytes.len().is_multiple_of(R::SIZE);
        whole.then(|| Records { chunks: R::chunks(bytes) })
    }

    /// Number of records.
    #[inline]
    pub fn len(&self) -> usize {
        self.chunks.len()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// A record, `None` beyond the end.
    #[inline]
    pub fn get(&self, i: usize) -> Option<R> {
        self.chunks.get(i).map(R::from_bytes)
    }

    /// A record.
    ///
    /// # Panics
    /// When there is none at this index.
    #[inline]
    pub fn at(&self, i: usize) -> R {
        R::from_bytes(&self.chunks[i])
    }

    /// Their bytes.
    #[inline]
    pub fn bytes(&self) -> &'a [u8] {
        R::flat(self.chunks)
    }

    /// The first record.
    #[inline]
    pub fn first(&self) -> Option<R> {
        self.get(0)
    }

    /// The last record.
    #[inline]
    pub fn last(&self) -> Option<R> {
        self.chunks.last().map(R::from_bytes)
    }

    /// The records from one index up to another, `None` where that is not a part of them.
    #[inline]
    pub fn slice(&self, range: Range<usize>) -> Option<Records<'a, R>> {
        let chunks = self.chunks.get(range)?;
        Some(Records { chunks })
    }

    /// The first `n` records and the rest, `None` where there are fewer.
    #[inline]
    pub fn split_at(&self, n: usize) -> Option<(Records<'a, R>, Records<'a, R>)> {
        let (before, after) = self.chunks.split_at_checked(n)?;
        Some((Records { chunks: before }, Records { chunks: after }))
    }

    /// All records in order.
    #[inline]
    pub fn iter(
        &self,
    ) -> impl DoubleEndedIterator<Item = R> + ExactSizeIterator + Clone + use<'a, R> {
        self.chunks.iter().map(R::from_bytes)
    }

    /// The number of leading records for which `before` holds. They must be sorted so that it
    /// holds for those first and for no other. O(log n).
    #[inline]
    pub fn partition_point(&self, mut before: impl FnMut(R) -> bool) -> usize {
        self.chunks.partition_point(|r| before(R::from_bytes(r)))
    }

    /// The index of the record with this key. They must be sorted by key. O(log n).
    #[inline]
    pub fn find<K: Ord>(&self, key: K, of: impl Fn(R) -> K) -> Option<usize> {
        let found = (self.chunks).binary_search_by(|r| of(R::from_bytes(r)).cmp(&key));
        found.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::record! {
        #[derive(Debug, PartialEq)]
        struct Mixed: 31 { a: u8, b: [i32; 2], c: u16, d: f64, e: u32, f: u64 }
    }

    #[test]
    fn a_record_reads_back_what_was_written_at_any_offset() {
        let all = [1u8, 200].map(|a| Mixed {
            a,
            b: [-7, i32::MAX],
            c: 0xABCD,
            d: -0.125,
            e: 0x0123_4567,
            f: u64::MAX - 5,
        });
        for offset in 0..9 {
            let mut bytes = [0; 80];
            let at = &mut bytes[offset..offset + 62];
            at[..31].copy_from_slice(&all[0].to_bytes());
            at[31..].copy_from_slice(&all[1].to_bytes());
            let records = Records::<Mixed>::new(&bytes[offset..offset + 62]).expect("whole");
            assert!(records.iter().eq(all));
            assert_eq!(records.get(1), Some(all[1]));
            assert_eq!(records.get(2), None);
            assert_eq!(records.bytes(), &bytes[offset..offset + 62]);
        }
    }

    #[test]
    fn numbers_are_little_endian() {
        assert_eq!(0x0102_0304u32.to_bytes(), [4, 3, 2, 1]);
        assert_eq!([1i32, -1].to_bytes(), [1, 0, 0, 0, 255, 255, 255, 255]);
    }

    #[test]
    fn bytes_of_half_a_record_are_refused() {
        assert!(Records::<u32>::new(&[0; 7]).is_none());
        assert!(Records::<u32>::new(&[0; 8]).is_some());
    }
}
