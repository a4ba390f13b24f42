//! Wavefront OBJ.
//!
//! A large file is read on all threads: [`text`] cuts it into chunks at line ends. [`chunk`] reads
//! the vertices of each, then the faces of each; [`face`] triangulates larger ones. Material
//! libraries are not read: only their names matter here.
//!
//! ```text
//! file    ....v v v v f f|f f v v v v f|f f f ..      cut at line ends
//! pass 1      v v v v    |    v v v v  |              in parallel: vertices, lines counted
//! pass 2              f f|f f         f|f f f         in parallel: triangles of all vertices
//! ```

mod chunk;
mod face;
mod text;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use navbake_level::{Part, Source, Warning};
use rayon::prelude::*;

use crate::budget::Budget;
use crate::soup::Soup;
use crate::{Format, Import, ImportError, ImportOptions};
use chunk::{Faces, LeftOut, MOST_LIBRARIES, Run, UNKNOWN, Vertices};

/// Wavefront OBJ.
pub(crate) const FORMAT: Format =
    Format { name: "Wavefront OBJ", extensions: &["obj"], is_grid: false, read };

/// Bytes of a chunk: enough that the work on one outweighs its start.
const CHUNK: usize = 1 << 20;

fn read(bytes: Vec<u8>, file: &Path, options: &ImportOptions) -> Result<Import, ImportError> {
    read_chunks(bytes, file, options, CHUNK)
}

/// Reads a file in chunks of about `size` bytes: the result does not depend on it.
fn read_chunks(
    bytes: Vec<u8>,
    file: &Path,
    options: &ImportOptions,
    size: usize,
) -> Result<Import, ImportError> {
    let budget = Budget::new(file, options);
    budget.read(bytes.len() as u64)?;
    text::refuse_binary(&bytes, file)?;
    let chunks = text::chunks(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes), size);

    let is_odd = |p: [f64; 3]| !options.place(p).iter().all(|c| c.is_finite());
    let read: Vec<Vertices> =
        chunks.par_iter().map(|chunk| Vertices::read(chunk, is_odd)).collect();
    let mut vertices = Vec::with_capacity(read.iter().map(|chunk| chunk.places.len()).sum());
    // The lines and vertices above each chunk, lines of vertices that are not finite, and faults.
    let (mut above, mut odd, mut faults) = (vec![], BTreeMap::new(), vec![]);
    let mut line = 0;
    for chunk in read {
        let first = vertices.len();
        above.push((line, first));
        odd.extend(chunk.odd.iter().map(|&(k, at)| (first as u32 + k, line + at)));
        faults.extend(chunk.fault.map(|(at, finding)| (line + at, finding)));
        vertices.extend(chunk.places);
        line += chunk.lines;
    }

    let read = chunks.par_iter().zip(&above);
    let read = read.map(|(chunk, &(line, above))| Faces::read(chunk, line, above, &vertices));
    let mut read: Vec<Faces> = read.collect();
    drop(bytes);
    faults.extend(read.iter_mut().filter_map(|chunk| chunk.fault.take()));
    if let Some((line, (finding, cure))) = faults.into_iter().min_by_key(|fault| fault.0) {
        return Err(ImportError::bad(file, format!("line {line}"), finding, cure));
    }
    let left_out = left_out(&read);
    if let (false, Some(first)) = (read.iter().any(|chunk| chunk.known), left_out.get(UNKNOWN)) {
        return Err(ImportError::bad(
            file,
            format!("line {}", first.line),
            format!("found `{}`, and no OBJ statement in the whole file", first.what),
            "check that the file is an OBJ; its name says so",
        ));
    }
    let mut warnings: Vec<Warning> =
        left_out.iter().map(|(code, lines)| lines.warning(code, file)).collect();
    warnings.extend(unsound(&read, file));
    let named = libraries(&read, file);

    let mut soup = Soup::new(file, options);
    let triangles = read.iter().map(|chunk| chunk.triangles.len() as u64).sum();
    soup.ask_for_room(&budget, vertices.len() as u64, triangles)?;
    soup.reserve(triangles as usize);
    soup.take_vertices(vertices, odd.is_empty());
    let place = |i: u32| match odd.get(&i) {
        Some(line) => format!("line {line} (vertex {})", u64::from(i) + 1),
        None => format!("vertex {}", u64::from(i) + 1),
    };
    let mut names = Names::default();
    for Faces { triangles, runs, .. } in read {
        let ends = runs.iter().skip(1).map(|run| run.first).chain([triangles.len()]);
        for (run, end) in runs.iter().zip(ends) {
            names.take(run);
            if run.has_faces {
                let part = names.part(&mut soup);
                soup.add_triangles(part, &triangles[run.first..end], &place)?;
            }
        }
    }
    let scene = soup.finish(&mut warnings)?;
    if let Some(line) = odd.values().next()
        && !warnings.iter().any(|w| w.code == "nonfinite-vertices")
    {
        warnings.push(Warning {
            code: "nonfinite-vertices",
            message: format!(
                "{} vertices are not finite numbers; no triangle uses them",
                odd.len()
            ),
            place: format!("{}, line {line}", file.display()).into(),
        });
    }
    let files = vec![PathBuf::from(file)];
    Ok(Import { source: Source::Scene(scene), warnings, files, named })
}

/// The names that hold for the next faces, and their part if it is known.
#[derive(Default)]
struct Names {
    object: String,
    group: String,
    material: String,
    part: Option<u32>,
}

impl Names {
    fn take(&mut self, run: &Run) {
        let names = [
            (&run.object, &mut self.object),
            (&run.group, &mut self.group),
            (&run.material, &mut self.material),
        ];
        for (new, name) in names {
            if let Some(new) = new {
                name.clone_from(new);
                self.part = None;
            }
        }
    }

    fn part(&mut self, soup: &mut Soup) -> u32 {
        *self.part.get_or_insert_with(|| {
            let node = match (&*self.object, &*self.group) {
                ("", name) | (name, "") => name.to_owned(),
                (object, group) => format!("{object}/{group}"),
            };
            soup.part(Part { node, material: self.material.clone(), ..Part::default() })
        })
    }
}

/// What all chunks left out, by the code of its warning.
fn left_out(chunks: &[Faces]) -> BTreeMap<&'static str, LeftOut> {
    let mut all: BTreeMap<&'static str, LeftOut> = BTreeMap::new();
    for (code, lines) in chunks.iter().flat_map(|chunk| &chunk.left_out) {
        let first = || LeftOut { what: lines.what.clone(), times: 0, line: lines.line };
        all.entry(code).or_insert_with(first).times += lines.times;
    }
    all
}

impl LeftOut {
    fn warning(&self, code: &'static str, file: &Path) -> Warning {
        let LeftOut { what, times, line } = self;
        let message = match code {
            UNKNOWN => format!("`{what}` is no OBJ statement; {times} such lines were left out"),
            _ => format!("left out {times} {what}"),
        };
        Warning { code, message, place: format!("{}, line {line}", file.display()).into() }
    }
}

/// The warning of faces that are only fans now.
fn unsound(chunks: &[Faces], file: &Path) -> Option<Warning> {
    let found = chunks.iter().filter_map(|chunk| chunk.unsound);
    let (times, line) = found.reduce(|first, next| (first.0 + next.0, first.1))?;
    Some(Warning {
        code: "unsound-faces",
        message: format!(
            "{times} faces have no area or cross themselves; each was cut as the fan of its first \
             corner"
        ),
        place: format!("{}, line {line}", file.display()).into(),
    })
}

/// Material libraries: the names of each statement, and all of it, as names can have spaces.
fn libraries(chunks: &[Faces], file: &Path) -> Vec<PathBuf> {
    let mut all = vec![];
    for names in chunks.iter().flat_map(|chunk| &chunk.libraries) {
        if all.len() < MOST_LIBRARIES {
            all.extend(names.split_whitespace().chain([&**names]).map(|n| file.with_file_name(n)));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Nonfinite;

    /// Lines of all kinds; each is taken as it is, so that lines may be continued.
    fn lines() -> impl Strategy<Value = String> {
        let line = prop_oneof![
            4 => "v [0-3] [0-3] [0-3]",
            1 => Just("v 1 nan 0".to_owned()),
            4 => "f [1-5] [1-5]/[1-5] -[1-3]( [1-6])?( -1)?",
            1 => "f [1-9]{0,2} [12]",
            1 => "f [0-3] [0-3] [0-9x]",
            1 => "v [0-3] [0-3]( 1[,.]5)?",
            1 => "(o|g|usemtl|mtllib)( [ab]| [ab]\\\\)?",
            1 => "(#|l 1 2|vt 0 0|curv|what|who) ?",
        ];
        let end = prop_oneof![
            6 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\r"), 1 => Just("\\\n"),
            1 => Just(" \\\r\n 1"), 1 => Just("\n\n")
        ];
        prop::collection::vec((line, end), 0..24)
            .prop_map(|lines| lines.into_iter().map(|(line, end)| line + end).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn a_file_reads_the_same_however_it_is_cut_into_chunks(
            text in lines(), size in 1..60usize, has_vertices: bool, drops: bool,
        ) {
            let first = "\u{feff}v 0 0 0\nv 3 0 0\nv 0 0 3\nv 9 1 9\n";
            let text = format!("{}{text}", if has_vertices { first } else { "" });
            let nonfinite = if drops { Nonfinite::Drop } else { Nonfinite::Refuse };
            let options = ImportOptions { allow_empty: true, nonfinite, ..Default::default() };
            let read = |size: usize| {
                let import = read_chunks(text.clone().into(), "a.obj".as_ref(), &options, size);
                format!("{import:?}")
            };
            prop_assert_eq!(read(size), read(usize::MAX));
        }
    }
}
