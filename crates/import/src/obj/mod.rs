//! Wavefront OBJ.
//!
//! A large file is read on all threads: [`text`] cuts it into chunks at line ends. [`chunk`] reads
//! the vertices of each, then the faces of each; [`face`] triangulates larger ones. A file that is
//! read again takes what it can from [`again`]. Material libraries are not read: only their names
//! matter here.
//!
//! ```text
//! file    ....v v v v f f|f f v v v v f|f f f ..      cut at line ends
//! pass 1      v v v v    |    v v v v  |              in parallel: vertices, lines counted
//! pass 2              f f|f f         f|f f f         in parallel: triangles of all vertices
//! ```

mod again;
mod chunk;
mod face;
mod text;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use navbake_level::{Part, Source, Warning};
use rayon::prelude::*;

use crate::budget::Budget;
use crate::soup::Soup;
use crate::{Format, Import, ImportError, ImportOptions};
use again::{Chunk, same_vertices};
use chunk::{Faces, LeftOut, MOST_LIBRARIES, Run, UNKNOWN, Vertices};

pub use again::Earlier;

/// Wavefront OBJ.
pub(crate) const FORMAT: Format =
    Format { name: "Wavefront OBJ", extensions: &["obj"], is_grid: false, read };

/// Bytes of a chunk: enough that the work on one outweighs its start.
const CHUNK: usize = 1 << 20;

fn read(bytes: Vec<u8>, file: &Path, options: &ImportOptions) -> Result<Import, ImportError> {
    read_chunks(bytes, file, options, CHUNK, None)
}

/// The same with what was read before, which does not change the result.
pub(crate) fn read_again(
    bytes: Vec<u8>,
    file: &Path,
    options: &ImportOptions,
    earlier: &mut Earlier,
) -> Result<Import, ImportError> {
    read_chunks(bytes, file, options, CHUNK, Some(earlier))
}

/// Reads a file in chunks of about `size` bytes: the result does not depend on it.
fn read_chunks(
    bytes: Vec<u8>,
    file: &Path,
    options: &ImportOptions,
    size: usize,
    earlier: Option<&mut Earlier>,
) -> Result<Import, ImportError> {
    let budget = Budget::new(file, options);
    budget.read(bytes.len() as u64)?;
    text::refuse_binary(&bytes, file)?;
    let text = text::without_mark(&bytes);
    let pieces = match &earlier {
        Some(earlier) => earlier.pieces(text, options, size),
        None => Earlier::default().pieces(text, options, size),
    };

    let is_odd = |p: [f64; 3]| !options.place(p).iter().all(|c| c.is_finite());
    let read = pieces.par_iter().map(|piece| match &piece.known {
        Some(chunk) => Arc::clone(&chunk.vertices),
        None => Arc::new(Vertices::read(piece.text, is_odd)),
    });
    let of_chunks: Vec<Arc<Vertices>> = read.collect();
    let mut vertices = Vec::with_capacity(of_chunks.iter().map(|chunk| chunk.places.len()).sum());
    // The lines and vertices above each chunk, lines of vertices that are not finite, and faults.
    let (mut lines, mut above) = (vec![], vec![]);
    let (mut odd, mut faults) = (BTreeMap::new(), vec![]);
    let mut line = 0;
    for chunk in &of_chunks {
        let first = vertices.len();
        lines.push(line);
        above.push(first);
        odd.extend(chunk.odd.iter().map(|&(k, at)| (first as u32 + k, line + at)));
        faults.extend(chunk.fault.iter().map(|(at, finding)| (line + at, finding.clone())));
        vertices.extend_from_slice(&chunk.places);
        line += chunk.lines;
    }
    // What is not kept goes before more memory is taken.
    let of_chunks = earlier.is_some().then_some(of_chunks);

    let same = same_vertices(&pieces, &above);
    let read = pieces.par_iter().zip(&above).map(|(piece, &above)| match &piece.known {
        Some(Chunk { above: before, faces, .. })
            if faces.are_those_behind([*before, above], vertices.len(), &same) =>
        {
            Arc::clone(faces)
        }
        _ => Arc::new(Faces::read(piece.text, above, &vertices)),
    });
    let read: Vec<Arc<Faces>> = read.collect();
    let kept = of_chunks.map(|vertices| again::chunks(&pieces, &above, vertices, &read));
    let kept = kept.map(|chunks| (bytes, chunks));
    let read: Vec<(usize, Arc<Faces>)> = lines.into_iter().zip(read).collect();
    let at_line = |(line, faces): &(usize, Arc<Faces>)| {
        let (at, finding) = faces.fault.as_ref()?;
        Some((line + at, finding.clone()))
    };
    faults.extend(read.iter().filter_map(at_line));
    if let Some((line, (finding, cure))) = faults.into_iter().min_by_key(|fault| fault.0) {
        return Err(ImportError::bad(file, format!("line {line}"), finding, cure));
    }
    let left_out = left_out(&read);
    if let (false, Some(first)) = (read.iter().any(|chunk| chunk.1.known), left_out.get(UNKNOWN)) {
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
    let triangles = read.iter().map(|chunk| chunk.1.triangles.len() as u64).sum();
    soup.ask_for_room(&budget, vertices.len() as u64, triangles)?;
    soup.reserve(triangles as usize);
    soup.take_vertices(vertices, odd.is_empty());
    let place = |i: u32| match odd.get(&i) {
        Some(line) => format!("line {line} (vertex {})", u64::from(i) + 1),
        None => format!("vertex {}", u64::from(i) + 1),
    };
    let mut names = Names::default();
    for (_, faces) in read {
        let Faces { triangles, runs, .. } = &*faces;
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
    if let (Some(earlier), Some((bytes, chunks))) = (earlier, kept) {
        earlier.keep(options, bytes, chunks);
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

/// What all chunks left out, by the code of its warning. Chunks have the line above them.
fn left_out(chunks: &[(usize, Arc<Faces>)]) -> BTreeMap<&'static str, LeftOut> {
    let mut all: BTreeMap<&'static str, LeftOut> = BTreeMap::new();
    for (above, chunk) in chunks {
        for (code, lines) in &chunk.left_out {
            let first = || LeftOut { what: lines.what.clone(), times: 0, line: above + lines.line };
            all.entry(code).or_insert_with(first).times += lines.times;
        }
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
fn unsound(chunks: &[(usize, Arc<Faces>)], file: &Path) -> Option<Warning> {
    let of = |(above, chunk): &(usize, Arc<Faces>)| {
        chunk.unsound.map(|(times, line)| (times, above + line))
    };
    let found = chunks.iter().filter_map(of);
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
fn libraries(chunks: &[(usize, Arc<Faces>)], file: &Path) -> Vec<PathBuf> {
    let mut all = vec![];
    for names in chunks.iter().flat_map(|chunk| &chunk.1.libraries) {
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
    pub(super) fn lines() -> impl Strategy<Value = String> {
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

    /// A file, with vertices at its beginning or not.
    pub(super) fn text() -> impl Strategy<Value = String> {
        let first = "\u{feff}v 0 0 0\nv 3 0 0\nv 0 0 3\nv 9 1 9\n";
        (lines(), any::<bool>())
            .prop_map(move |(text, has)| format!("{}{text}", if has { first } else { "" }))
    }

    pub(super) fn options(drops: bool) -> ImportOptions {
        let nonfinite = if drops { Nonfinite::Drop } else { Nonfinite::Refuse };
        ImportOptions { allow_empty: true, nonfinite, ..Default::default() }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn a_file_reads_the_same_however_it_is_cut_into_chunks(
            text in text(), size in 1..60usize, drops: bool,
        ) {
            let options = options(drops);
            let read = |size: usize| {
                let file = "a.obj".as_ref();
                let import = read_chunks(text.clone().into(), file, &options, size, None);
                format!("{import:?}")
            };
            prop_assert_eq!(read(size), read(usize::MAX));
        }
    }
}
