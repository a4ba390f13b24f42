//! The in-memory layout of a navigation mesh.
//!
//! - [`record`]: fixed-width little-endian records, read in place from bytes at any address.
//! - [`math`]: square roots, lengths and rounding, the same on every machine.
//!
//! Features: `std` (default) takes square roots from the standard library, `libm` from the crate
//! libm on bare targets; without either there is no [`math`]. `alloc` (part of `std`) brings
//! buffers that own their memory.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(any(feature = "std", feature = "libm"))]
pub mod math;
pub mod record;
