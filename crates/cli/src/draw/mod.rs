//! Writers of a baked surface for people and for other programs, one format a file.

mod links;
pub(crate) mod obj;
pub(crate) mod plot;
pub(crate) mod polyanya;
mod rooms;
mod storeys;
pub(crate) mod svg;
pub(crate) mod trace;
pub(crate) mod turning;
