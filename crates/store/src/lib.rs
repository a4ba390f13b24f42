//! Servers that keep the tiles of [`navbake_bake::Cache`]s, so that all machines of a studio share
//! one.
//!
//! - `s3://bucket/prefix`, feature `s3`: S3, and servers with its interface. The variables
//!   `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION` and `AWS_ENDPOINT_URL` are read
//!   from the environment, as by other programs.
//! - `grpc://host:port/instance`, or `grpcs://` with TLS, feature `reapi`: a cache of the Remote
//!   Execution API, which build systems have. The instance may be left out. The variable
//!   `NAVBAKE_CACHE_HEADER` is `name=value` of a header for all calls, such as a key.
//!
//! Calls run beside the bake, at most 32 at once, and half as many each time the server says that
//! it is busy. One that fails is made three times, and twelve times while the server is busy. After
//! that the server is not used any more, and [`CacheServer::faults`] says why. A server that does
//! not answer takes at most half a minute of a bake.
//!
//! ```no_run
//! # #[cfg(feature = "s3")]
//! # fn main() -> Result<(), navbake_store::OpenError> {
//! use navbake_bake::Cache;
//!
//! let cache = Cache::on_server(navbake_store::open("s3://bakes/navmesh")?, false);
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "s3"))]
//! # fn main() {}
//! ```

use std::fmt;
use std::sync::Arc;

use navbake_bake::CacheServer;

#[cfg(feature = "reapi")]
mod reapi;
#[cfg(feature = "remote")]
mod remote;
#[cfg(feature = "s3")]
mod s3;

/// An address that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenError {
    address: String,
    /// The finding and the cure.
    finding: String,
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.address, self.finding)
    }
}

impl std::error::Error for OpenError {}

/// Whether a text is the address of a server. Other texts are folders.
pub fn is_address(text: &str) -> bool {
    text.contains("://")
}

/// Opens a server, and asks it for its abilities. One that does not answer is no error:
/// [`CacheServer::faults`] has that.
///
/// # Errors
/// An address that is wrong, or of a kind that this program was built without.
pub fn open(address: &str) -> Result<Arc<dyn CacheServer>, OpenError> {
    let (kind, rest) = address.split_once("://").unwrap_or(("", address));
    let server = match kind {
        "s3" => open_s3(address, rest),
        "grpc" | "grpcs" => open_reapi(address, rest),
        _ => Err("no kind of cache; name a folder, s3://bucket/prefix, or grpc://host:port".into()),
    };
    server.map_err(|finding| OpenError { address: address.into(), finding })
}

#[cfg(feature = "s3")]
fn open_s3(address: &str, rest: &str) -> Result<Arc<dyn CacheServer>, String> {
    remote::Remote::open(address, remote::Patience::default(), || s3::S3::new(rest))
}

#[cfg(not(feature = "s3"))]
fn open_s3(_: &str, _: &str) -> Result<Arc<dyn CacheServer>, String> {
    Err(left_out("s3"))
}

#[cfg(feature = "reapi")]
fn open_reapi(address: &str, rest: &str) -> Result<Arc<dyn CacheServer>, String> {
    let is_secure = address.starts_with("grpcs:");
    let server = || reapi::Reapi::new(is_secure, rest);
    remote::Remote::open(address, remote::Patience::default(), server)
}

#[cfg(not(feature = "reapi"))]
fn open_reapi(_: &str, _: &str) -> Result<Arc<dyn CacheServer>, String> {
    Err(left_out("reapi"))
}

#[cfg(not(all(feature = "s3", feature = "reapi")))]
fn left_out(feature: &str) -> String {
    format!(
        "this navbake was built without such caches; build it with `--features {feature}`, \
         or name a folder"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_no_known_kind_is_an_error_that_names_the_kinds() {
        for address in ["http://host/x", "S3://bucket", "://", "file:///tmp"] {
            assert!(is_address(address));
            let error = open(address).unwrap_err().to_string();
            assert!(error.starts_with(address) && error.contains("s3://bucket"), "{error}");
        }
        for folder in ["cache", "a/b", "C:\\cache", "/x:/y"] {
            assert!(!is_address(folder));
        }
    }

    #[cfg(not(feature = "s3"))]
    #[test]
    fn a_kind_that_was_left_out_is_an_error_that_names_the_feature() {
        let error = open("s3://bucket/prefix").unwrap_err().to_string();
        assert!(error.contains("--features s3"), "{error}");
    }

    #[cfg(feature = "remote")]
    #[test]
    fn an_address_without_its_parts_is_an_error() {
        for address in ["s3://", "s3:///prefix", "grpc://", "grpc:///instance", "grpcs://a b:1"] {
            let error = open(address).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{address}: ")), "{error}");
        }
    }
}
