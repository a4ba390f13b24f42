//! The in-memory layout of a navigation mesh.
//!
//! - [`record`]: fixed-width little-endian records, read in place from bytes at any address.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

pub mod record;
