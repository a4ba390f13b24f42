//! The bytes of buffers: the BIN chunk, data URIs, files beside the document.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::engine::{DecodePaddingMode, general_purpose};
use percent_encoding::percent_decode_str;

use crate::ImportError;
use crate::files::{OUTSIDE, OUTSIDE_CURE, check_beside, read_file};

use super::document::{AGAIN, Document};
use super::meshopt;

/// Buffers, read when first asked for.
pub(super) struct Buffers<'a> {
    document: &'a Document,
    bin: Option<&'a [u8]>,
    loaded: Vec<OnceCell<Cow<'a, [u8]>>>,
    /// Compressed views, decoded.
    decoded: Vec<OnceCell<Vec<u8>>>,
    files: RefCell<Vec<PathBuf>>,
}

impl<'a> Buffers<'a> {
    pub(super) fn new(document: &'a Document, bytes: &'a [u8]) -> Self {
        Buffers {
            document,
            bin: document.bin.clone().map(|range| &bytes[range]),
            loaded: document.root.buffers.iter().map(|_| OnceCell::new()).collect(),
            decoded: document.root.buffer_views.iter().map(|_| OnceCell::new()).collect(),
            files: RefCell::new(vec![document.file.clone()]),
        }
    }

    /// Every file that was read, and the others that buffers and images name.
    pub(super) fn into_files(self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let files = self.files.into_inner();
        let folder = self.document.file.parent().unwrap_or(Path::new(""));
        let buffers = self.document.root.buffers.iter().filter_map(|b| b.uri.as_ref());
        let uris = buffers.chain(&self.document.images);
        let paths = uris.filter_map(|uri| Some(folder.join(local_name(uri, true).ok()?)));
        let named = paths.filter(|path| !files.contains(path)).collect();
        (files, named)
    }

    /// The bytes of a buffer, as many as it says it has.
    pub(super) fn get(&self, index: usize) -> Result<&[u8], ImportError> {
        let buffer = &self.document.root.buffers[index];
        if self.loaded[index].get().is_none() {
            let bytes = self.load(index)?;
            let _ = self.loaded[index].set(bytes);
        }
        let bytes = self.loaded[index].get().map_or(&[][..], |b| b);
        let length = buffer.byte_length.0;
        if length > bytes.len() as u64 {
            return Err(self.document.bad(
                format!("/buffers/{index}"),
                format!("the buffer says it has {length} bytes, but {} were found", bytes.len()),
                "the data is cut short: copy or export the file again",
            ));
        }
        Ok(&bytes[..length as usize])
    }

    /// The bytes of a buffer view. Those that are compressed are decoded when first asked for.
    pub(super) fn view(&self, index: usize) -> Result<&[u8], ImportError> {
        let source = &self.document.root.buffer_views[index];
        let Some(name) = meshopt::extension(self.document, index) else {
            let start = source.byte_offset.map_or(0, |o| o.0);
            let at = format!("/bufferViews/{index}");
            return self.slice(&at, source.buffer.value(), start, source.byte_length.0);
        };
        if self.decoded[index].get().is_none() {
            let bytes = meshopt::decode(self.document, self, index, name)?;
            let _ = self.decoded[index].set(bytes);
        }
        Ok(self.decoded[index].get().map_or(&[][..], |bytes| bytes))
    }

    /// Bytes of a buffer, which `at` in the document names.
    pub(super) fn slice(
        &self,
        at: &str,
        index: usize,
        start: u64,
        length: u64,
    ) -> Result<&[u8], ImportError> {
        let bad = |finding: String| self.document.bad(at, finding, AGAIN);
        let count = self.loaded.len();
        if index >= count {
            return Err(bad(format!("the buffer {index} is not among the {count}")));
        }
        let buffer = self.get(index)?;
        let end = start.checked_add(length).filter(|&end| end <= buffer.len() as u64);
        end.map(|end| &buffer[start as usize..end as usize]).ok_or_else(|| {
            bad(format!(
                "{length} bytes from byte {start} leave the buffer {index}, which has {} bytes",
                buffer.len()
            ))
        })
    }

    fn load(&self, index: usize) -> Result<Cow<'a, [u8]>, ImportError> {
        let at = format!("/buffers/{index}");
        let bad = |finding: String, cure: &str| Err(self.document.bad(&at, finding, cure));
        let uri: Option<&'a str> = self.document.root.buffers[index].uri.as_deref();
        match (uri, self.bin) {
            (None, Some(bin)) if index == 0 => Ok(Cow::Borrowed(bin)),
            (None, _) => bad(
                "the buffer has no uri, and there is no BIN chunk for it".into(),
                "export the file again with its buffers, as one .glb for instance",
            ),
            (Some(uri), _) if scheme(uri).is_some_and(|s| s.eq_ignore_ascii_case("data")) => {
                match data(&uri[5..]) {
                    Ok(bytes) => {
                        self.document.budget.spend(&at, bytes.len() as u64)?;
                        Ok(Cow::Owned(bytes))
                    }
                    Err(finding) => bad(finding, "embed the buffer again, or export a .glb"),
                }
            }
            (Some(uri), _) => {
                let name = match local_name(uri, self.document.outside) {
                    Ok(name) => name,
                    Err(finding) => {
                        let cure = match finding.contains(OUTSIDE) {
                            true => OUTSIDE_CURE,
                            false => "name a file in the folder of this one, relative to that",
                        };
                        return bad(format!("the uri `{}` {finding}", shorten(uri)), cure);
                    }
                };
                let folder = self.document.file.parent().unwrap_or(Path::new(""));
                let mut path = folder.join(&name);
                // Some exporters do not encode: a name with a literal %20 in it.
                if !path.exists()
                    && local_name_as_is(uri, self.document.outside)
                    && folder.join(uri).exists()
                {
                    path = folder.join(uri);
                }
                // A pipe or a device would be waited for.
                if path.exists() && !path.is_file() {
                    return bad(
                        format!("the buffer `{}` is not a file", shorten(&name)),
                        "name the file that holds the buffer's bytes",
                    );
                }
                if !self.document.outside && check_beside(&self.document.file, &path).is_err() {
                    let finding = format!(
                        "the buffer `{}` is a link that leads out, and {OUTSIDE} of the file",
                        shorten(&name)
                    );
                    return bad(finding, OUTSIDE_CURE);
                }
                let mut files = self.files.borrow_mut();
                let is_new = !files.contains(&path);
                let budget = &self.document.budget;
                let length = path.metadata().map_or(0, |about| about.len());
                match is_new {
                    true => budget.read(length)?,
                    // Many buffers can name one file.
                    false => budget.spend(&at, length)?,
                }
                // Files that have no length of their own are small.
                match read_file(&path, length.max(1 << 20)) {
                    Ok(bytes) => {
                        if is_new {
                            files.push(path);
                        }
                        Ok(Cow::Owned(bytes))
                    }
                    Err(error) => bad(
                        format!(
                            "the buffer `{}` cannot be read: {}",
                            shorten(&name),
                            crate::reason(&error)
                        ),
                        "copy it beside the file, or export again as one .glb",
                    )
                    .map_err(|error| error.about(&path)),
                }
            }
        }
    }
}

fn shorten(text: &str) -> String {
    if text.chars().count() <= 80 {
        return text.to_owned();
    }
    text.chars().take(80).chain(['…']).collect()
}

/// The scheme of a URI, when it has one (RFC 3986, 3.1).
fn scheme(uri: &str) -> Option<&str> {
    let (head, _) = uri.split_once(':')?;
    let mut letters = head.bytes();
    let ok = letters.next()?.is_ascii_alphabetic()
        && letters.all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    ok.then_some(head)
}

/// Resolves a relative URI within the document's folder; an error says why it is forbidden.
fn local_name(uri: &str, outside: bool) -> Result<String, String> {
    if let Some(scheme) = scheme(uri) {
        return Err(format!(
            "has the scheme `{}`; navbake reads only data URIs and files",
            shorten(scheme)
        ));
    }
    let name = percent_decode_str(uri)
        .decode_utf8()
        .map_err(|_| "is not UTF-8 once decoded".to_owned())?;
    check_local(&name, outside)?;
    Ok(name.into_owned())
}

fn local_name_as_is(uri: &str, outside: bool) -> bool {
    scheme(uri).is_none() && check_local(uri, outside).is_ok()
}

fn check_local(name: &str, outside: bool) -> Result<(), String> {
    if name.is_empty() {
        return Err("is empty".into());
    }
    if name.contains('\0') {
        return Err("has a zero byte in it".into());
    }
    if outside {
        return Ok(());
    }
    // Both slashes on every system: what bakes here shall bake there.
    if name.starts_with(['/', '\\']) || scheme(name).is_some() {
        return Err(format!("is absolute, and {OUTSIDE} of the file"));
    }
    if name.split(['/', '\\']).any(|part| part == "..") {
        return Err(format!("leads out, and {OUTSIDE} of the file"));
    }
    Ok(())
}

/// The bytes of a data URI, given without its `data:`.
fn data(rest: &str) -> Result<Vec<u8>, String> {
    let Some((head, body)) = rest.split_once(',') else {
        return Err("the data uri has no comma between its type and its data".into());
    };
    if !head.to_ascii_lowercase().ends_with(";base64") {
        return Ok(percent_decode_str(body).collect());
    }
    const ENGINE: GeneralPurpose = GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        GeneralPurposeConfig::new()
            .with_decode_padding_mode(DecodePaddingMode::Indifferent)
            .with_decode_allow_trailing_bits(true),
    );
    let plain = match body.contains('%') {
        true => Cow::Owned(percent_decode_str(body).decode_utf8_lossy().into_owned()),
        false => Cow::Borrowed(body),
    };
    ENGINE
        .decode(plain.as_bytes())
        .or_else(|first| general_purpose::URL_SAFE.decode(plain.as_bytes()).map_err(|_| first))
        .map_err(|e| format!("the data uri is not base64: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_that_leave_the_folder_are_refused() {
        for uri in [
            "/etc/passwd",
            "../a.bin",
            "a/../../b.bin",
            "a\\..\\..\\b",
            "%2e%2e/a.bin",
            "..%2fa.bin",
            "%2Fetc/passwd",
            "\\\\host\\share",
            "C:\\a.bin",
            "c%3A/a.bin",
            "http://example.com/a.bin",
            "file:///a.bin",
            "a%00.bin",
            "",
        ] {
            assert!(local_name(uri, false).is_err(), "{uri}");
        }
        for (uri, name) in [
            ("a.bin", "a.bin"),
            ("a%20b.bin", "a b.bin"),
            ("sub/a..b.bin", "sub/a..b.bin"),
            ("./a.bin", "./a.bin"),
            ("100%.bin", "100%.bin"),
        ] {
            assert_eq!(local_name(uri, false).as_deref(), Ok(name));
        }
    }

    #[test]
    fn data_uris_are_decoded_in_all_their_spellings() {
        for uri in [
            "application/octet-stream;base64,AAECAw==",
            "application/gltf-buffer;base64,AAECAw",
            ";base64,AAECAw%3D%3D",
            ",%00%01%02%03",
            "text/plain;BASE64,AAECAw==",
        ] {
            assert_eq!(data(uri).as_deref(), Ok(&[0, 1, 2, 3][..]), "{uri}");
        }
        for uri in ["application/octet-stream;base64;AAECAw==", ";base64,@@@@", ";base64,A"] {
            assert!(data(uri).is_err(), "{uri}");
        }
    }
}
