//! What a chunk of an OBJ file holds. Vertices are read first: faces may name those of any chunk.

use std::collections::BTreeMap;
use std::ops::Range;

use super::face;
use super::text::{Lines, Statement, statement, words};

/// A fault, and how to fix it.
pub(super) type Finding = (String, &'static str);

/// The first fault of a chunk, with its line there.
pub(super) type Fault = (usize, Finding);

/// The vertices of a chunk.
#[derive(Debug, Default)]
pub(super) struct Vertices {
    /// As in the file.
    pub(super) places: Vec<[f64; 3]>,
    /// Vertices that are not finite once placed: their number and line in the chunk.
    pub(super) odd: Vec<(u32, usize)>,
    /// The lines of the chunk.
    pub(super) lines: usize,
    pub(super) fault: Option<Fault>,
}

impl Vertices {
    /// Reads the vertices; `is_odd` says which are not finite.
    pub(super) fn read(chunk: &[u8], is_odd: impl Fn([f64; 3]) -> bool) -> Vertices {
        let mut all = Vertices::default();
        let mut lines = Lines::new(chunk, 0);
        for (number, line) in &mut lines {
            let Statement::Vertex(rest) = statement(&line) else {
                continue;
            };
            let place = vertex(rest).unwrap_or_else(|finding| {
                all.fault.get_or_insert((number, finding));
                [f64::NAN; 3]
            });
            if is_odd(place) {
                all.odd.push((all.places.len() as u32, number));
            }
            all.places.push(place);
        }
        all.lines = lines.number;
        all
    }
}

fn vertex(rest: &[u8]) -> Result<[f64; 3], Finding> {
    let mut coordinates = words(rest);
    let mut place = [0.0; 3];
    for (found, value) in place.iter_mut().enumerate() {
        let Some(word) = coordinates.next() else {
            return Err((
                format!("the vertex has {found} coordinates instead of three"),
                "repair the line, or export the file again: it may be cut short",
            ));
        };
        *value = coordinate(word)?;
    }
    Ok(place)
}

fn coordinate(word: &[u8]) -> Result<f64, Finding> {
    if let Some(Ok(value)) = std::str::from_utf8(word).ok().map(str::parse) {
        return Ok(value);
    }
    // Old Microsoft libraries write 1.#QNAN and 1.#INF, newer ones -nan(ind).
    if word.contains(&b'#') || word.ends_with(b"(ind)") || word.ends_with(b"(snan)") {
        return Ok(f64::NAN);
    }
    let cure = if word.contains(&b',') {
        "write decimals with a point: export the file with an English locale"
    } else {
        "repair the line, or export the file again"
    };
    Err((format!("the coordinate `{}` is not a number", shown(word)), cure))
}

fn shown(word: &[u8]) -> String {
    String::from_utf8_lossy(word).chars().take(40).collect()
}

/// Faces with the same names.
#[derive(Debug, Default)]
pub(super) struct Run {
    /// Names that are set before its faces.
    pub(super) object: Option<String>,
    pub(super) group: Option<String>,
    pub(super) material: Option<String>,
    pub(super) has_faces: bool,
    /// Its first triangle in the chunk.
    pub(super) first: usize,
}

/// Lines left out: what they are, how many, and the first of the chunk or file.
#[derive(Debug)]
pub(super) struct LeftOut {
    pub(super) what: String,
    pub(super) times: usize,
    pub(super) line: usize,
}

/// The faces of a chunk, and everything else but vertices.
#[derive(Debug, Default)]
pub(super) struct Faces {
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) runs: Vec<Run>,
    /// Faces that are only fans now, and the line of the first in the chunk.
    pub(super) unsound: Option<(usize, usize)>,
    /// By the code of their warning.
    pub(super) left_out: BTreeMap<&'static str, LeftOut>,
    /// The names of material libraries, a statement each.
    pub(super) libraries: Vec<String>,
    /// The least and the greatest vertex that faces of more than three corners have.
    looked: Option<[u32; 2]>,
    /// One more than the greatest vertex that is named.
    named: u32,
    /// Is a vertex named by how far it is above?
    goes_back: bool,
    /// Is there any OBJ statement?
    pub(super) known: bool,
    pub(super) fault: Option<Fault>,
}

impl Faces {
    /// Reads the faces of a chunk that begins behind this many of the vertices.
    pub(super) fn read(chunk: &[u8], mut above: usize, vertices: &[[f64; 3]]) -> Faces {
        let mut all = Faces::default();
        let mut corners = vec![];
        for (number, line) in Lines::new(chunk, 0) {
            match statement(&line) {
                Statement::Vertex(_) => (above, all.known) = (above + 1, true),
                Statement::Face(rest) => {
                    all.known = true;
                    if all.runs.is_empty() {
                        all.runs.push(Run::default());
                    }
                    if let Some(run) = all.runs.last_mut() {
                        run.has_faces = true;
                    }
                    if words(rest).nth(2).is_none() {
                        let what = "faces of fewer than three corners";
                        all.leave_out("face-without-area", what, number);
                    } else if let Err(finding) =
                        all.face(rest, above, vertices, number, &mut corners)
                    {
                        all.fault.get_or_insert((number, finding));
                    }
                }
                Statement::Other(keyword, rest) => all.other(keyword, rest, number),
            }
        }
        all
    }

    /// Would the same bytes be these faces, without a fault, behind other vertices? They were
    /// behind `before` and are now behind `above` of `total`, of which some are the `same`.
    pub(super) fn are_those_behind(
        &self,
        [before, above]: [usize; 2],
        total: usize,
        same: &[Range<usize>],
    ) -> bool {
        let is_same = |[least, most]: [u32; 2]| {
            let holds = |r: &Range<usize>| r.start <= least as usize && (most as usize) < r.end;
            same.iter().any(holds)
        };
        (before == above || !self.goes_back)
            && self.named as usize <= total
            && self.looked.is_none_or(is_same)
    }

    /// The run that gets its names next.
    fn renamed(&mut self) -> &mut Run {
        let first = self.triangles.len();
        match self.runs.last() {
            Some(run) if !run.has_faces => {}
            _ => self.runs.push(Run { first, ..Run::default() }),
        }
        let last = self.runs.len() - 1;
        &mut self.runs[last]
    }

    fn face(
        &mut self,
        rest: &[u8],
        above: usize,
        vertices: &[[f64; 3]],
        number: usize,
        corners: &mut Vec<u32>,
    ) -> Result<(), Finding> {
        corners.clear();
        for word in words(rest) {
            let corner = corner(word, above, vertices.len())?;
            self.named = self.named.max(corner + 1);
            self.goes_back |= word[0] == b'-';
            corners.push(corner);
        }
        if let &[a, b, c] = &corners[..] {
            self.triangles.push([a, b, c]);
            return Ok(());
        }
        let [mut least, mut most] = self.looked.unwrap_or([u32::MAX, 0]);
        for &corner in corners.iter() {
            (least, most) = (least.min(corner), most.max(corner));
        }
        self.looked = Some([least, most]);
        let places: Vec<[f64; 3]> = corners.iter().map(|&i| vertices[i as usize]).collect();
        let (triangles, is_sound) = face::cut(&places)?;
        self.triangles.extend(triangles.iter().map(|t| t.map(|k| corners[k])));
        if !is_sound {
            self.unsound.get_or_insert((0, number)).0 += 1;
        }
        Ok(())
    }

    /// Takes a statement that is no geometry.
    fn other(&mut self, keyword: &[u8], rest: &[u8], number: usize) {
        let name = || String::from_utf8_lossy(rest).into_owned();
        match keyword {
            b"o" => {
                let run = self.renamed();
                (run.object, run.group) = (Some(name()), Some(String::new()));
            }
            b"g" => self.renamed().group = Some(name()),
            b"usemtl" => self.renamed().material = Some(name()),
            b"mtllib" => {
                if self.libraries.len() < MOST_LIBRARIES {
                    self.libraries.push(name());
                }
            }
            b"" | [b'#', ..] => return,
            b"vt" | b"vn" | b"s" | b"usemap" | b"maplib" | b"lod" | b"mg" | b"bevel"
            | b"c_interp" | b"d_interp" | b"shadow_obj" | b"trace_obj" => {}
            b"p" | b"l" => {
                let what = "points and lines, which are no surface";
                self.leave_out("points-and-lines", what, number);
            }
            b"vp" | b"cstype" | b"deg" | b"bmat" | b"step" | b"curv" | b"curv2" | b"surf"
            | b"parm" | b"trim" | b"hole" | b"scrv" | b"sp" | b"end" | b"con" | b"ctech"
            | b"stech" => {
                let what = "statements of free-form curves and surfaces; export them as triangles";
                self.leave_out("free-form-geometry", what, number);
            }
            _ => {
                self.leave_out(UNKNOWN, &shown(keyword), number);
                return;
            }
        }
        self.known = true;
    }

    fn leave_out(&mut self, code: &'static str, what: &str, line: usize) {
        let entry = || LeftOut { what: what.to_owned(), times: 0, line };
        self.left_out.entry(code).or_insert_with(entry).times += 1;
    }
}

/// Names of libraries beyond this are not kept.
pub(super) const MOST_LIBRARIES: usize = 1024;
/// The code of a warning of lines that are no OBJ statement.
pub(super) const UNKNOWN: &str = "unknown-statement";

/// The vertex, from 0, that a corner of a face names. `above` of all `total` are above the face.
fn corner(word: &[u8], above: usize, total: usize) -> Result<u32, Finding> {
    let index = word.split(|&b| b == b'/').next().unwrap_or(word);
    let parsed = std::str::from_utf8(index).ok().map(str::parse::<i64>);
    let cure = "export the file again: a vertex is missing, or the index is wrong";
    match parsed {
        Some(Ok(0)) => {
            Err(("the face refers to vertex 0".into(), "indices begin at 1: correct the exporter"))
        }
        Some(Ok(i)) if i > 0 && i as u64 <= total as u64 => Ok((i - 1) as u32),
        Some(Ok(i)) if i > 0 => {
            Err((format!("the face refers to vertex {i}, but the file has {total}"), cure))
        }
        Some(Ok(i)) if i.unsigned_abs() <= above as u64 => Ok((above as i64 + i) as u32),
        Some(Ok(i)) => Err((
            format!(
                "the face goes back {} vertices, but only {above} stand above it",
                i.unsigned_abs()
            ),
            cure,
        )),
        _ => Err((
            format!("the face's corner `{}` is not an index", shown(word)),
            "write a corner as `v`, `v/vt`, `v//vn` or `v/vt/vn`",
        )),
    }
}
