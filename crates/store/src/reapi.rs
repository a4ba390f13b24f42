//! Entries in a cache of the Remote Execution API: an action result for each, with one output file,
//! which is the entry behind a byte of salt.
//!
//! Servers check the digest of a blob when it is new. One that is damaged later may be given out,
//! and not replaced, as the server believes to have it. So an entry that replaces a damaged one has
//! another salt, and with it another digest; a random one, as others may be damaged too.

use std::error::Error as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use bazel_remote_apis::google::bytestream::byte_stream_client::ByteStreamClient;
use bazel_remote_apis::google::bytestream::{ReadRequest, WriteRequest};
use sha2::{Digest as _, Sha256};
use tonic::metadata::{AsciiMetadataKey, AsciiMetadataValue};
use tonic::transport::{Channel, ClientTlsConfig, Endpoint};
use tonic::{Code, Request, Status};

use crate::remote::{Backend, Fault, MOST_BYTES, Name};

use api::action_cache_client::ActionCacheClient;
use api::capabilities_client::CapabilitiesClient;

/// The variable with a header for all calls, as `name=value`.
const HEADER: &str = "NAVBAKE_CACHE_HEADER";

/// Bytes in a message of an upload; servers take at most 4 MiB.
const PIECE: usize = 1 << 20;

/// The name of the output file in an action result.
const FILE: &str = "tile";

/// A server, and the instance on it.
pub(crate) struct Reapi {
    channel: Channel,
    instance: String,
    header: Option<(AsciiMetadataKey, AsciiMetadataValue)>,
}

impl Reapi {
    /// For `host:port/instance`. It is reached with the first call.
    pub(crate) fn new(is_secure: bool, address: &str) -> Result<Reapi, String> {
        let (host, instance) = address.split_once('/').unwrap_or((address, ""));
        let kind = if is_secure { "https" } else { "http" };
        let wrong = |_| "no host and port; write grpc://host:port or grpc://host:port/instance";
        if host.is_empty() {
            return Err(wrong(()).into());
        }
        let endpoint = Endpoint::from_shared(format!("{kind}://{host}"));
        let endpoint = endpoint.map_err(|_| wrong(()))?.connect_timeout(Duration::from_secs(2));
        let endpoint = match is_secure {
            true => endpoint.tls_config(ClientTlsConfig::new().with_native_roots()),
            false => Ok(endpoint),
        };
        let channel = endpoint.map_err(|error| error.to_string())?.connect_lazy();
        let header = std::env::var(HEADER).ok().map(|text| header(&text)).transpose()?;
        Ok(Reapi { channel, instance: instance.trim_matches('/').into(), header })
    }

    /// A call with the header.
    fn request<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        if let Some((name, value)) = &self.header {
            request.metadata_mut().insert(name.clone(), value.clone());
        }
        request
    }

    /// The name of a blob in calls that read or write bytes, behind the part for its kind.
    fn resource(&self, kind: &str, blob: &api::Digest) -> String {
        let part = if self.instance.is_empty() { "" } else { "/" };
        format!("{}{part}{kind}blobs/{}/{}", self.instance, blob.hash, blob.size_bytes)
    }

    fn actions(&self) -> ActionCacheClient<Channel> {
        ActionCacheClient::new(self.channel.clone())
    }

    fn bytes(&self) -> ByteStreamClient<Channel> {
        ByteStreamClient::new(self.channel.clone()).max_decoding_message_size(4 * PIECE)
    }

    /// The blob of an entry.
    async fn blob(&self, name: &Name) -> Result<Option<api::Digest>, Fault> {
        let request = api::GetActionResultRequest {
            instance_name: self.instance.clone(),
            action_digest: Some(action(name)),
            digest_function: api::digest_function::Value::Sha256.into(),
            ..api::GetActionResultRequest::default()
        };
        let result = match self.actions().get_action_result(self.request(request)).await {
            Ok(result) => result.into_inner(),
            Err(status) if status.code() == Code::NotFound => return Ok(None),
            Err(status) => return Err(fault(&status)),
        };
        let file = result.output_files.into_iter().find(|file| file.path == FILE);
        Ok(file.and_then(|file| file.digest))
    }

    /// The bytes of a blob, as far as the server has them.
    async fn read(&self, blob: &api::Digest) -> Result<Option<Vec<u8>>, Fault> {
        let most = MOST_BYTES + 1;
        let size = usize::try_from(blob.size_bytes).ok().filter(|&size| size <= most);
        let Some(size) = size else { return Ok(Some(vec![])) };
        let request =
            ReadRequest { resource_name: self.resource("", blob), ..ReadRequest::default() };
        let read = async {
            let mut pieces = self.bytes().read(self.request(request)).await?.into_inner();
            let mut bytes = Vec::with_capacity(size);
            while let Some(piece) = pieces.message().await? {
                bytes.extend(piece.data);
                if bytes.len() > size {
                    break; // no entry
                }
            }
            Ok(bytes)
        };
        match read.await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(status) => match Status::code(&status) {
                Code::NotFound => Ok(None),
                // The server has noticed that the blob is damaged.
                Code::DataLoss | Code::OutOfRange => Ok(Some(vec![])),
                _ => Err(fault(&status)),
            },
        }
    }

    async fn write(&self, blob: &api::Digest, bytes: &[u8]) -> Result<(), Fault> {
        let name = self.resource(&format!("uploads/{}/", upload()), blob);
        let pieces = bytes.chunks(PIECE).enumerate().map(|(i, piece)| WriteRequest {
            resource_name: if i == 0 { name.clone() } else { String::new() },
            write_offset: (i * PIECE) as i64,
            finish_write: i * PIECE + piece.len() == bytes.len(),
            data: piece.to_vec(),
        });
        let pieces: Vec<WriteRequest> = pieces.collect();
        let request = self.request(tokio_stream::iter(pieces));
        self.bytes().write(request).await.map(|_| ()).map_err(|status| fault(&status))
    }
}

impl Backend for Reapi {
    async fn probe(&self) -> Result<Option<String>, Fault> {
        let request = api::GetCapabilitiesRequest { instance_name: self.instance.clone() };
        let mut server = CapabilitiesClient::new(self.channel.clone());
        let abilities = server.get_capabilities(self.request(request)).await;
        let abilities = abilities.map_err(|status| fault(&status))?.into_inner();
        let Some(cache) = abilities.cache_capabilities else {
            return Err(Fault::Refused("the server has no cache".into()));
        };
        if !cache.digest_functions.contains(&api::digest_function::Value::Sha256.into()) {
            return Err(Fault::Refused("the server does not take SHA-256".into()));
        }
        let update = cache.action_cache_update_capabilities;
        let is_read_only = update.is_some_and(|update| !update.update_enabled);
        Ok(is_read_only.then(|| "the server takes no entries".into()))
    }

    async fn get(&self, name: &Name) -> Result<Option<Vec<u8>>, Fault> {
        let Some(blob) = self.blob(name).await? else { return Ok(None) };
        let bytes = self.read(&blob).await?;
        // An empty blob is no entry, as others that are damaged.
        Ok(bytes.map(|mut bytes| bytes.split_off(bytes.len().min(1))))
    }

    async fn put(&self, name: &Name, entry: &[u8], replace: bool) -> Result<(), Fault> {
        let damaged = if replace { self.blob(name).await? } else { None };
        let salt = if replace { since_1970().subsec_micros() as u8 } else { 0 };
        let mut salted = [&[salt], entry].concat();
        if damaged.is_some_and(|damaged| damaged == digest(&salted)) {
            salted[0] = salt.wrapping_add(1);
        }
        let blob = digest(&salted);
        self.write(&blob, &salted).await?;
        let file = api::OutputFile {
            path: FILE.into(),
            digest: Some(blob.clone()),
            ..api::OutputFile::default()
        };
        let result = api::ActionResult { output_files: vec![file], ..api::ActionResult::default() };
        let request = api::UpdateActionResultRequest {
            instance_name: self.instance.clone(),
            action_digest: Some(action(name)),
            action_result: Some(result),
            digest_function: api::digest_function::Value::Sha256.into(),
            ..api::UpdateActionResultRequest::default()
        };
        match self.actions().update_action_result(self.request(request)).await {
            Ok(_) => Ok(()),
            // There are servers that keep the first result, which another bake has stored then.
            Err(status) => match self.blob(name).await {
                Ok(Some(known)) if known == blob || !replace => Ok(()),
                _ => Err(fault(&status)),
            },
        }
    }
}

/// The digest of an entry's action. Servers do not ask for the action itself.
fn action(name: &Name) -> api::Digest {
    digest(&[b"navbake tile ", &name[..]].concat())
}

fn digest(bytes: &[u8]) -> api::Digest {
    api::Digest { hash: hex(&Sha256::digest(bytes)), size_bytes: bytes.len() as i64 }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The name of an upload, which no other has: a UUID as RFC 9562 has it, of version 8.
fn upload() -> String {
    static UPLOADS: AtomicU64 = AtomicU64::new(0);
    let number = UPLOADS.fetch_add(1, Ordering::Relaxed);
    let seed = format!("{} {} {number}", std::process::id(), since_1970().as_nanos());
    let mut bytes = Sha256::digest(seed);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let text = hex(&bytes);
    let parts = [&text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..32]];
    parts.join("-")
}

fn since_1970() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// A header out of `name=value`.
fn header(text: &str) -> Result<(AsciiMetadataKey, AsciiMetadataValue), String> {
    let wrong = || format!("{HEADER} is no header; write name=value");
    let (name, value) = text.split_once('=').ok_or_else(wrong)?;
    let name = AsciiMetadataKey::from_bytes(name.to_ascii_lowercase().as_bytes());
    Ok((name.map_err(|_| wrong())?, value.parse().map_err(|_| wrong())?))
}

fn fault(status: &Status) -> Fault {
    let mut reason = status.message().to_string();
    // What the system says, below the library's words.
    let mut cause = status.source();
    while let Some(inner) = cause {
        reason = inner.to_string();
        cause = inner.source();
    }
    let line = reason.lines().next().unwrap_or_default();
    let reason = match line {
        "" => status.code().description().to_string(),
        line => line.chars().take(200).collect(),
    };
    match status.code() {
        Code::ResourceExhausted => Fault::Busy(reason),
        Code::Unavailable | Code::DeadlineExceeded | Code::Unknown | Code::Cancelled => {
            Fault::Unanswered(reason)
        }
        Code::Internal | Code::Aborted | Code::DataLoss => Fault::Failed(reason),
        Code::PermissionDenied | Code::Unauthenticated => Fault::Refused(format!(
            "{reason}; check the rights, and the header of {HEADER} if the server needs a key"
        )),
        _ => Fault::Refused(reason),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_header_has_a_name_and_a_value() {
        let (name, value) = header("X-Key=a=b c").unwrap();
        assert_eq!((name.as_str(), value.to_str().unwrap()), ("x-key", "a=b c"));
        for wrong in ["", "x-key", "=value", "x key=value", "x-key=a\nb"] {
            let finding = header(wrong).unwrap_err();
            assert!(finding.contains(HEADER) && finding.contains("name=value"), "{finding}");
        }
    }

    #[test]
    fn uploads_have_names_of_their_own() {
        let names: HashSet<String> = (0..1000).map(|_| upload()).collect();
        assert_eq!(names.len(), 1000);
        for name in names {
            let parts: Vec<usize> = name.split('-').map(str::len).collect();
            assert_eq!(parts, [8, 4, 4, 4, 12], "{name}");
        }
    }
}
