//! The lines of an OBJ file, its statements, and its cut into chunks.

use std::borrow::Cow;
use std::path::Path;

use rayon::prelude::*;

use crate::ImportError;

/// The logical lines of an OBJ file with the number of their first line: continued lines joined,
/// white space around them taken off.
pub(super) struct Lines<'a> {
    bytes: &'a [u8],
    /// The number of the last line.
    pub(super) number: usize,
}

impl<'a> Lines<'a> {
    /// The lines of a chunk, after this many others.
    pub(super) fn new(bytes: &'a [u8], number: usize) -> Self {
        Lines { bytes, number }
    }

    fn physical(&mut self) -> Option<&'a [u8]> {
        if self.bytes.is_empty() {
            return None;
        }
        self.number += 1;
        let (line, behind) = split_line(self.bytes);
        self.bytes = behind;
        Some(line.trim_ascii())
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, Cow<'a, [u8]>);

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.physical()?;
        let number = self.number;
        // A comment or a name may end in the backslash of a path: joining would swallow the next
        // statement.
        if !line.ends_with(b"\\") || names_or_comment(line) {
            return Some((number, Cow::Borrowed(line)));
        }
        let mut joined = line[..line.len() - 1].to_vec();
        while let Some(line) = self.physical() {
            joined.push(b' ');
            let more = line.ends_with(b"\\");
            joined.extend_from_slice(&line[..line.len() - usize::from(more)]);
            if !more {
                break;
            }
        }
        Some((number, Cow::Owned(joined)))
    }
}

/// The first line without its end, and what is behind that.
fn split_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    let end = bytes.iter().position(ends_line).unwrap_or(bytes.len());
    let (line, behind) = bytes.split_at(end);
    let end = if behind.starts_with(b"\r\n") { 2 } else { behind.len().min(1) };
    (line, &behind[end..])
}

fn ends_line(byte: &u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Cuts a text into chunks of at least `size` bytes, but for the last. No line is cut, and none is
/// continued in the next chunk.
pub(super) fn chunks(mut bytes: &[u8], size: usize) -> Vec<&[u8]> {
    let mut all = vec![];
    while bytes.len() > size {
        let begin = match bytes[..size].iter().rposition(ends_line) {
            Some(end) => bytes.len() - split_line(&bytes[end..]).1.len(),
            None => 0,
        };
        let mut behind = &bytes[begin..];
        loop {
            let (line, rest) = split_line(behind);
            behind = rest;
            if rest.is_empty() || !line.trim_ascii_end().ends_with(b"\\") {
                break;
            }
        }
        let (chunk, rest) = bytes.split_at(bytes.len() - behind.len());
        all.push(chunk);
        bytes = rest;
    }
    all.push(bytes);
    all
}

/// Does a text end with a line's end, so that nothing behind it changes how it is read? It may say
/// no where the end is another than `\n`.
pub(super) fn ends_lines(text: &[u8]) -> bool {
    text.is_empty() || text.ends_with(b"\n") && !text.trim_ascii_end().ends_with(b"\\")
}

/// A text without the mark of its encoding.
pub(super) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

fn names_or_comment(line: &[u8]) -> bool {
    line.starts_with(b"#")
        || ["o", "g", "usemtl", "mtllib"].contains(&&*String::from_utf8_lossy(split_word(line).0))
}

/// The first word and the rest of the line.
fn split_word(line: &[u8]) -> (&[u8], &[u8]) {
    let end = line.iter().position(u8::is_ascii_whitespace);
    let (word, rest) = line.split_at(end.unwrap_or(line.len()));
    (word, rest.trim_ascii())
}

/// The words of a statement up to a comment.
pub(super) fn words(rest: &[u8]) -> impl Iterator<Item = &[u8]> {
    rest.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty()).take_while(|w| w[0] != b'#')
}

/// The geometry statements of a line: its keyword and the rest.
pub(super) enum Statement<'a> {
    Vertex(&'a [u8]),
    Face(&'a [u8]),
    Other(&'a [u8], &'a [u8]),
}

pub(super) fn statement(line: &[u8]) -> Statement<'_> {
    let (keyword, rest) = split_word(line);
    match keyword {
        b"v" => Statement::Vertex(rest),
        b"f" | b"fo" => Statement::Face(rest),
        _ => Statement::Other(keyword, rest),
    }
}

pub(super) fn refuse_binary(bytes: &[u8], file: &Path) -> Result<(), ImportError> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(ImportError::bad(
            file,
            "byte 0",
            "the text is UTF-16",
            "save the file as UTF-8 or ASCII",
        ));
    }
    const BLOCK: usize = 1 << 16;
    let block = bytes.par_chunks(BLOCK).position_first(|block| block.contains(&0));
    let at = block.and_then(|k| {
        let first = k * BLOCK;
        Some(first + bytes[first..].iter().position(|&b| b == 0)?)
    });
    if let Some(at) = at {
        return Err(ImportError::bad(
            file,
            format!("byte {at}"),
            "found a zero byte: this is no text, and OBJ is",
            "check that the file is an OBJ and was not cut short on a full disk; export it again",
        ));
    }
    Ok(())
}
