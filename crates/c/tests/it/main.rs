//! Tests of the C interface: the header, programs in C, refusals.

mod abi;
mod c_program;
mod chunks;
mod header;
mod planners;
mod refusals;
mod vehicles;
mod worlds;
