//! Rewrites an OBJ file into plain statements: lines joined, names kept aside, all that is not
//! geometry left out.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use navbake_level::{Part, Warning};

use crate::ImportError;

/// The rewritten text for the parser, and the oddities found in it.
pub(super) struct Text {
    /// One `v` statement a vertex, with three numbers.
    pub(super) vertices: Vec<u8>,
    /// `o N` for each run of faces of part N, `f` with positive indices.
    pub(super) faces: Vec<u8>,
    /// Vertices that are spelt like no finite number.
    pub(super) suspicious: usize,
    /// The line of the first of them.
    pub(super) first_suspicious: usize,
    /// The lines of the faces with more than three corners.
    pub(super) polygons: Vec<usize>,
    /// Material libraries: the names of each statement, and all of it, as names can have spaces.
    pub(super) libraries: Vec<String>,
    /// Statements left out: how often, and the first line.
    left_out: BTreeMap<(&'static str, String), (usize, usize)>,
}

/// The logical lines of an OBJ file with the number of their first line: continued lines joined,
/// comments and line ends taken off.
pub(super) struct Lines<'a> {
    bytes: &'a [u8],
    number: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Lines { bytes: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), number: 0 }
    }

    fn physical(&mut self) -> Option<&'a [u8]> {
        if self.bytes.is_empty() {
            return None;
        }
        self.number += 1;
        let end = self.bytes.iter().position(|&b| b == b'\n' || b == b'\r');
        let end = end.unwrap_or(self.bytes.len());
        let line = &self.bytes[..end];
        let behind = &self.bytes[end..];
        self.bytes =
            if behind.starts_with(b"\r\n") { &behind[2..] } else { &behind[behind.len().min(1)..] };
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

/// Names of libraries beyond this are not kept.
const MOST_LIBRARIES: usize = 1024;

impl Text {
    /// Rewrites a file. `part` gives the number of a part.
    pub(super) fn rewrite(
        bytes: &[u8],
        file: &Path,
        mut part: impl FnMut(Part) -> u32,
    ) -> Result<Text, ImportError> {
        refuse_binary(bytes, file)?;
        let mut text = Text {
            vertices: Vec::with_capacity(bytes.len() / 2),
            faces: Vec::with_capacity(bytes.len() / 2),
            suspicious: 0,
            first_suspicious: 0,
            polygons: vec![],
            libraries: vec![],
            left_out: BTreeMap::new(),
        };
        let (mut object, mut group, mut material) = (String::new(), String::new(), String::new());
        let (mut count, mut run, mut known) = (0i64, None, false);
        let mut current = None; // the part of the names above
        for (number, line) in Lines::new(bytes) {
            match statement(&line) {
                Statement::Vertex(rest) => {
                    count += 1;
                    text.vertex(rest, number, file)?;
                }
                Statement::Face(rest) => {
                    let part = *current.get_or_insert_with(|| {
                        part(Part {
                            node: join(&object, &group),
                            material: material.clone(),
                            ..Part::default()
                        })
                    });
                    text.face(rest, number, file, count, &mut run, part)?;
                }
                Statement::Other(keyword, rest) => {
                    let name = || String::from_utf8_lossy(rest).into_owned();
                    match keyword {
                        b"o" => {
                            (object, group) = (name(), String::new());
                            current = None;
                        }
                        b"g" => {
                            group = name();
                            current = None;
                        }
                        b"usemtl" => {
                            material = name();
                            current = None;
                        }
                        b"mtllib" if text.libraries.len() < MOST_LIBRARIES => {
                            let names = name();
                            text.libraries.extend(names.split_whitespace().map(String::from));
                            text.libraries.push(names);
                        }
                        _ => {
                            known |= text.other(keyword, number);
                            continue;
                        }
                    }
                }
            }
            known = true;
        }
        if let (false, Some(((_, what), &(_, line)))) = (known, text.left_out.iter().next()) {
            return Err(ImportError::bad(
                file,
                format!("line {line}"),
                format!("found `{what}`, and no OBJ statement in the whole file"),
                "check that the file is an OBJ; its name says so",
            ));
        }
        Ok(text)
    }

    fn vertex(&mut self, rest: &[u8], number: usize, file: &Path) -> Result<(), ImportError> {
        let mut coordinates = words(rest);
        self.vertices.push(b'v');
        let mut odd = false;
        for found in 0..3 {
            let Some(word) = coordinates.next() else {
                return Err(ImportError::bad(
                    file,
                    format!("line {number}"),
                    format!("the vertex has {found} coordinates instead of three"),
                    "repair the line, or export the file again: it may be cut short",
                ));
            };
            self.vertices.push(b' ');
            // Old Microsoft libraries write 1.#QNAN and 1.#INF, newer ones -nan(ind).
            if word.contains(&b'#') || word.ends_with(b"(ind)") || word.ends_with(b"(snan)") {
                self.vertices.extend_from_slice(b"nan");
                odd = true;
            } else {
                self.vertices.extend_from_slice(word);
                odd |= word.iter().any(|b| b"nNiI".contains(b));
            }
        }
        self.vertices.push(b'\n');
        if odd {
            if self.suspicious == 0 {
                self.first_suspicious = number;
            }
            self.suspicious += 1;
        }
        Ok(())
    }

    fn face(
        &mut self,
        rest: &[u8],
        number: usize,
        file: &Path,
        vertices: i64,
        run: &mut Option<u32>,
        part: u32,
    ) -> Result<(), ImportError> {
        let start = self.faces.len();
        if *run != Some(part) {
            let _ = writeln!(self.faces, "o {part}");
        }
        self.faces.push(b'f');
        let mut corners = 0;
        for word in words(rest) {
            corners += 1;
            self.faces.push(b' ');
            let index = word.split(|&b| b == b'/').next().unwrap_or(word);
            match relative(index) {
                Some(back) if back <= vertices => {
                    let _ = write!(self.faces, "{}", vertices - back + 1);
                }
                Some(back) => {
                    return Err(ImportError::bad(
                        file,
                        format!("line {number}"),
                        format!(
                            "the face goes back {back} vertices, but only {vertices} stand above it"
                        ),
                        "export the file again: a vertex is missing, or the index is wrong",
                    ));
                }
                // Without a vertex the parser shall see the whole corner, and refuse it.
                None if index.is_empty() => self.faces.extend_from_slice(word),
                None => self.faces.extend_from_slice(index),
            }
        }
        if corners < 3 {
            self.faces.truncate(start);
            self.leave_out("face-without-area", "faces of fewer than three corners", number);
            return Ok(());
        }
        if corners > 3 {
            self.polygons.push(number);
        }
        self.faces.push(b'\n');
        *run = Some(part);
        Ok(())
    }

    /// Records a statement that is left out. False if it is no statement at all.
    fn other(&mut self, keyword: &[u8], number: usize) -> bool {
        match keyword {
            b"" | b"vt" | b"vn" | b"s" | b"mtllib" | b"usemap" | b"maplib" | b"lod" | b"mg"
            | b"bevel" | b"c_interp" | b"d_interp" | b"shadow_obj" | b"trace_obj" => {
                !keyword.is_empty()
            }
            [b'#', ..] => false,
            b"p" | b"l" => {
                self.leave_out(
                    "points-and-lines",
                    "points and lines, which are no surface",
                    number,
                );
                true
            }
            b"vp" | b"cstype" | b"deg" | b"bmat" | b"step" | b"curv" | b"curv2" | b"surf"
            | b"parm" | b"trim" | b"hole" | b"scrv" | b"sp" | b"end" | b"con" | b"ctech"
            | b"stech" => {
                self.leave_out(
                    "free-form-geometry",
                    "statements of free-form curves and surfaces; export them as triangles",
                    number,
                );
                true
            }
            _ => {
                let shown: String = String::from_utf8_lossy(keyword).chars().take(40).collect();
                // A binary file must not fill the memory with its words.
                if self.left_out.len() < 100 {
                    self.leave_out("unknown-statement", &shown, number);
                }
                false
            }
        }
    }

    fn leave_out(&mut self, code: &'static str, what: &str, number: usize) {
        let entry = self.left_out.entry((code, what.to_owned())).or_insert((0, number));
        entry.0 += 1;
    }

    pub(super) fn warnings(&self, file: &Path) -> Vec<Warning> {
        let mut warnings: Vec<Warning> = vec![];
        for ((code, what), (times, line)) in &self.left_out {
            let message = match *code {
                "unknown-statement" => {
                    if warnings.iter().any(|w| w.code == *code) {
                        continue;
                    }
                    format!("`{what}` is no OBJ statement; {times} such lines were left out")
                }
                _ => format!("left out {times} {what}"),
            };
            warnings.push(Warning {
                code,
                message,
                place: format!("{}, line {line}", file.display()).into(),
            });
        }
        warnings
    }
}

fn join(object: &str, group: &str) -> String {
    match (object, group) {
        ("", name) | (name, "") => name.to_owned(),
        _ => format!("{object}/{group}"),
    }
}

/// How far a relative index goes back, from 1 for the last vertex.
fn relative(index: &[u8]) -> Option<i64> {
    let digits = index.strip_prefix(b"-")?;
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let back = std::str::from_utf8(digits).ok()?.parse().unwrap_or(i64::MAX);
    Some(back).filter(|&n| n > 0)
}

fn refuse_binary(bytes: &[u8], file: &Path) -> Result<(), ImportError> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(ImportError::bad(
            file,
            "byte 0",
            "the text is UTF-16",
            "save the file as UTF-8 or ASCII",
        ));
    }
    if let Some(at) = bytes.iter().position(|&b| b == 0) {
        return Err(ImportError::bad(
            file,
            format!("byte {at}"),
            "found a zero byte: this is no text, and OBJ is",
            "check that the file is an OBJ and was not cut short on a full disk; export it again",
        ));
    }
    Ok(())
}
