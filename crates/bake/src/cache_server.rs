//! Servers that keep the entries of a cache.

use std::fmt;

use crate::summary::Note;

/// A server that keeps the entries of a [`Cache`](crate::Cache) for many machines. The crate
/// `navbake-store` has servers of S3 and of the Remote Execution API.
///
/// Entries are checked when they come back. So a server may lose, exchange and damage them, and a
/// bake gets the same bytes.
pub trait CacheServer: fmt::Debug + Send + Sync {
    /// The address, for messages.
    fn address(&self) -> &str;

    /// The entries of these names, in the same order; none where the server has none, or does not
    /// answer.
    fn get(&self, names: &[[u8; 32]]) -> Vec<Option<Vec<u8>>>;

    /// Sends an entry; with `replace`, in place of one that cannot be used. It may return before
    /// the entry has arrived. An entry that cannot be kept is a [`ServerFault`].
    fn put(&self, name: [u8; 32], entry: Vec<u8>, replace: bool);

    /// Waits until the entries that were sent have arrived, or cannot.
    fn flush(&self);

    /// What went wrong since the server was opened.
    fn faults(&self) -> Vec<ServerFault>;
}

/// A reason why a server is not used any more, or is only read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerFault {
    /// It does not answer, or refuses to.
    Unreachable(String),
    /// It does not keep entries. Those that it has are still read.
    NotWritten(String),
}

impl ServerFault {
    /// The reason, as the server or the system gave it.
    pub fn reason(&self) -> &str {
        let (ServerFault::Unreachable(reason) | ServerFault::NotWritten(reason)) = self;
        reason
    }

    /// The warning of a bake that goes on.
    pub(crate) fn note(&self, address: &str) -> Note {
        let (code, message) = match self {
            ServerFault::Unreachable(reason) => (
                "cache-unreachable",
                format!("the cache cannot be used ({reason}): tiles were baked without it"),
            ),
            ServerFault::NotWritten(reason) => (
                "cache-not-written",
                format!("the cache keeps no more entries ({reason}): it was only read"),
            ),
        };
        Note { code: code.into(), message, place: None, source: address.into() }
    }
}
