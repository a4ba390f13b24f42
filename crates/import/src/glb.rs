//! The binary container of glTF 2.0: a header, a JSON chunk, at most one BIN chunk.
//!
//! Own code, because the errors shall name the byte and because the gltf crate refuses chunks of
//! unknown kinds, which the format requires readers to skip.

use std::ops::Range;
use std::path::Path;

use navbake_level::Warning;

use crate::ImportError;

/// Byte ranges of the chunks in the file.
#[derive(Debug, PartialEq)]
pub(crate) struct Chunks {
    pub(crate) json: Range<usize>,
    pub(crate) bin: Option<Range<usize>>,
}

const AGAIN: &str = "copy or export the file again";

/// Does the file begin like a GLB?
pub(crate) fn is_glb(bytes: &[u8]) -> bool {
    bytes.starts_with(b"glTF")
}

/// Finds the chunks of a GLB.
pub(crate) fn split(
    bytes: &[u8],
    file: &Path,
    warnings: &mut Vec<Warning>,
) -> Result<Chunks, ImportError> {
    let bad = |at: usize, finding: String, cure: &str| {
        Err(ImportError::bad(file, format!("byte {at}"), finding, cure))
    };
    let word = |at: usize| -> Option<u32> {
        let four = bytes.get(at..at.checked_add(4)?)?;
        Some(u32::from_le_bytes(four.try_into().ok()?))
    };
    let (Some(version), Some(length)) = (word(4), word(8)) else {
        return bad(
            bytes.len(),
            "the file ends within the 12 bytes of the GLB header".into(),
            AGAIN,
        );
    };
    if version != 2 {
        return bad(
            4,
            format!("the container is of version {version}, not 2"),
            "convert the file to glTF 2.0, for instance with `gltf-pipeline -i in.glb -o out.glb`",
        );
    }
    let length = length as usize;
    if length > bytes.len() || length < 12 {
        return bad(
            8,
            format!("the header says the file has {length} bytes, but it has {}", bytes.len()),
            "the file is cut short or damaged: copy or export it again",
        );
    }
    if length < bytes.len() {
        warnings.push(Warning {
            code: "glb-extra-bytes",
            message: format!(
                "{} bytes behind the end of the GLB were not looked at",
                bytes.len() - length
            ),
            place: format!("{}, byte {length}", file.display()).into(),
        });
    }

    let (mut at, mut json, mut bin) = (12, None, None);
    while at < length {
        let (Some(size), Some(kind)) = (word(at), word(at + 4)) else {
            return bad(at, "the header of a chunk is cut off".into(), AGAIN);
        };
        let start = at + 8;
        let end = start.saturating_add(size as usize);
        if end > length {
            return bad(
                at,
                format!(
                    "the chunk says it has {size} bytes, but only {} are left",
                    length.saturating_sub(start)
                ),
                "the file is cut short or damaged: copy or export it again",
            );
        }
        match (&kind.to_le_bytes(), &json) {
            (b"JSON", None) => json = Some(start..end),
            (b"JSON", Some(_)) => {
                return bad(at, "this is a second JSON chunk".into(), AGAIN);
            }
            (_, None) => {
                return bad(at, "the first chunk is not the JSON".into(), AGAIN);
            }
            (b"BIN\0", _) => {
                if bin.is_some() {
                    return bad(at, "this is a second BIN chunk".into(), AGAIN);
                }
                bin = Some(start..end);
            }
            _ => warnings.push(Warning {
                code: "glb-unknown-chunk",
                message: format!("a chunk of the unknown kind 0x{kind:08x} was skipped"),
                place: format!("{}, byte {at}", file.display()).into(),
            }),
        }
        at = end;
    }
    match json {
        Some(json) => Ok(Chunks { json, bin }),
        None => bad(12, "there is no JSON chunk".into(), AGAIN),
    }
}
