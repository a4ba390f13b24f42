//! Entries as objects of an S3 bucket, at `prefix/ab/cdef..`: the name in hexadecimal.
//!
//! An entry is written where there is none yet (`If-None-Match`). Some servers ignore that and
//! write again, which does no harm: it is the same entry, and readers check it.

use std::fmt::Write as _;

use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt, PutMode, PutOptions, RetryConfig};

use crate::remote::{Backend, Fault, MOST_BYTES, Name};

/// A bucket, and the prefix of objects in it.
pub(crate) struct S3 {
    bucket: AmazonS3,
    prefix: String,
}

impl S3 {
    /// For `bucket/prefix`; the rest is read from the environment.
    pub(crate) fn new(address: &str) -> Result<S3, String> {
        let (bucket, prefix) = address.split_once('/').unwrap_or((address, ""));
        if bucket.is_empty() {
            return Err("no bucket; write s3://bucket/prefix".into());
        }
        // Calls are tried again in `remote`.
        let retry = RetryConfig { max_retries: 0, ..RetryConfig::default() };
        let bucket = AmazonS3Builder::from_env()
            .with_bucket_name(bucket)
            .with_retry(retry)
            .with_allow_http(true)
            .build()
            .map_err(|error| format!("{}; check the variables AWS_*", shortened(&error)))?;
        Ok(S3 { bucket, prefix: prefix.trim_matches('/').into() })
    }

    fn path(&self, name: &Name) -> Path {
        let mut path = self.prefix.clone();
        for (i, byte) in name.iter().enumerate() {
            path.push_str(if i < 2 { "/" } else { "" });
            let _ = write!(path, "{byte:02x}");
        }
        Path::from(path)
    }
}

impl Backend for S3 {
    async fn probe(&self) -> Result<Option<String>, Fault> {
        // No entry has this name: a key of the content is never all zeros.
        self.get(&[0; 32]).await.map(|_| None)
    }

    async fn get(&self, name: &Name) -> Result<Option<Vec<u8>>, Fault> {
        let object = match self.bucket.get(&self.path(name)).await {
            Ok(object) => object,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(fault(&error)),
        };
        if object.meta.size > MOST_BYTES as u64 {
            return Ok(Some(vec![])); // no entry, and it is not read
        }
        object.bytes().await.map(|bytes| Some(bytes.into())).map_err(|error| fault(&error))
    }

    async fn put(&self, name: &Name, entry: &[u8], replace: bool) -> Result<(), Fault> {
        let path = self.path(name);
        let put = |mode| {
            let options = PutOptions { mode, ..PutOptions::default() };
            self.bucket.put_opts(&path, entry.to_vec().into(), options)
        };
        let done = match put(if replace { PutMode::Overwrite } else { PutMode::Create }).await {
            // There are servers that do not know `If-None-Match`.
            Err(Error::NotImplemented { .. }) => put(PutMode::Overwrite).await,
            done => done,
        };
        match done {
            Ok(_) | Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => Ok(()),
            Err(error) => Err(fault(&error)),
        }
    }
}

fn fault(error: &Error) -> Fault {
    let reason = shortened(error);
    match error {
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => Fault::Refused(format!(
            "{reason}; check the key, and that it has s3:GetObject, s3:PutObject and s3:ListBucket"
        )),
        Error::NotFound { .. } => Fault::Refused(format!("{reason}; check the bucket's name")),
        _ if !reason.starts_with(ANSWER) => Fault::Unanswered(reason),
        _ if ["429", "503"].iter().any(|status| reason.contains(status)) => Fault::Busy(reason),
        _ => Fault::Failed(reason),
    }
}

/// How texts of errors that the server answered begin.
const ANSWER: &str = "Server returned";

/// The innermost cause of an error: the outer ones repeat the address and settings. Of an answer
/// its status, and its `Code`.
fn shortened(error: &Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let text = cause.to_string();
    let Some((answer, body)) = text.split_once(": ").filter(|_| text.starts_with(ANSWER)) else {
        return text.lines().next().unwrap_or_default().into();
    };
    let status = body.split([':', '<']).next().unwrap_or_default().trim();
    let code = body.split_once("<Code>").and_then(|(_, code)| code.split_once("</Code>"));
    let code = code.map_or(String::new(), |(code, _)| format!(", {code}"));
    format!("{answer} {status}{code}")
}
