//! Reads a file again: of what did not change, the chunks are taken as they were read before.
//!
//! A chunk's vertices follow from its bytes alone. Its faces also follow from the vertices that
//! they name: [`Faces::are_those_behind`] says whether these are the same.

use std::ops::Range;
use std::sync::Arc;

use super::chunk::{Faces, Vertices};
use super::text;
use crate::ImportOptions;

/// What was read of a level's file, to read the file again soon: [`read_again`](crate::read_again).
///
/// It holds the file's bytes and about as much again.
#[derive(Debug, Default)]
pub struct Earlier(Option<Kept>);

#[derive(Debug)]
struct Kept {
    options: ImportOptions,
    bytes: Vec<u8>,
    chunks: Vec<Chunk>,
}

/// A chunk that was read.
#[derive(Clone, Debug)]
pub(super) struct Chunk {
    /// Its bytes.
    pub(super) length: usize,
    /// Vertices above it.
    pub(super) above: usize,
    pub(super) vertices: Arc<Vertices>,
    pub(super) faces: Arc<Faces>,
}

/// A chunk of the text that is read now.
pub(super) struct Piece<'a> {
    pub(super) text: &'a [u8],
    /// The same bytes as they were read before.
    pub(super) known: Option<Chunk>,
}

impl Earlier {
    /// Keeps a file that was read without a fault.
    pub(super) fn keep(&mut self, options: &ImportOptions, bytes: Vec<u8>, chunks: Vec<Chunk>) {
        self.0 = Some(Kept { options: options.clone(), bytes, chunks });
    }

    /// Cuts a text into chunks of at least `size` bytes, at the same places as before as far as
    /// nothing changed: seen from the beginning, then from the end.
    pub(super) fn pieces<'a>(
        &self,
        text: &'a [u8],
        options: &ImportOptions,
        size: usize,
    ) -> Vec<Piece<'a>> {
        let kept = self.0.as_ref().filter(|kept| kept.options == *options);
        let (before, chunks) = match kept {
            Some(kept) => (text::without_mark(&kept.bytes), &kept.chunks[..]),
            None => (&[][..], &[][..]),
        };
        let known = |text: &'a [u8], chunk: &Chunk| Piece { text, known: Some(chunk.clone()) };
        let mut all = vec![];
        let mut from = 0;
        for chunk in chunks {
            let end = from + chunk.length;
            let is_same = text.get(from..end) == Some(&before[from..end]);
            if !is_same || !text::ends_lines(&text[..end]) {
                break;
            }
            all.push(known(&text[from..end], chunk));
            from = end;
        }
        // Small ones beside the change are cut anew with it, so that no two follow each other.
        let is_small = |piece: &mut Piece<'_>| piece.text.len() < size;
        while let Some(last) = all.pop_if(is_small) {
            from -= last.text.len();
        }
        let (mut to, mut old_to) = (text.len(), before.len());
        let mut behind = vec![];
        for chunk in chunks[all.len()..].iter().rev() {
            let (Some(begin), old) = (to.checked_sub(chunk.length), old_to - chunk.length) else {
                break;
            };
            let is_same = begin >= from && text[begin..to] == before[old..old_to];
            if !is_same || !text::ends_lines(&text[..begin]) {
                break;
            }
            behind.push(known(&text[begin..to], chunk));
            (to, old_to) = (begin, old);
        }
        while from < to
            && let Some(first) = behind.pop_if(is_small)
        {
            to += first.text.len();
        }
        let new = text::chunks(&text[from..to], size).into_iter();
        all.extend(new.map(|text| Piece { text, known: None }));
        all.extend(behind.into_iter().rev());
        all
    }
}

/// The chunks of the pieces, to be kept. `above` counts the vertices above each.
pub(super) fn chunks(
    pieces: &[Piece<'_>],
    above: &[usize],
    vertices: Vec<Arc<Vertices>>,
    faces: &[Arc<Faces>],
) -> Vec<Chunk> {
    let all = pieces.iter().zip(above).zip(vertices).zip(faces);
    let chunk = |(((piece, above), vertices), faces): (((&Piece<'_>, &usize), _), _)| Chunk {
        length: piece.text.len(),
        above: *above,
        vertices,
        faces: Arc::clone(faces),
    };
    all.map(chunk).collect()
}

/// The numbers of vertices that are the same as before. `above` counts those above each piece.
pub(super) fn same_vertices(pieces: &[Piece<'_>], above: &[usize]) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = vec![];
    for (piece, &first) in pieces.iter().zip(above) {
        let Some(chunk) = piece.known.as_ref().filter(|chunk| chunk.above == first) else {
            continue;
        };
        let end = first + chunk.vertices.places.len();
        match all.last_mut() {
            Some(last) if last.end == first => last.end = end,
            _ => all.push(first..end),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::{read_chunks, tests};
    use super::*;

    #[test]
    fn a_change_is_read_and_the_rest_is_kept() {
        let line = |k: usize| format!("v {k} 0 0\nv {k} 0 1\nv {k} 1 1\nf -3 -2 -1\n");
        let all: Vec<String> = (0..1000).map(line).collect();
        let options = ImportOptions::default();
        let mut earlier = Earlier::default();
        let size = 1000;
        let mut new = |text: &str| {
            let pieces = earlier.pieces(text.as_bytes(), &options, size);
            let (new, count) = (pieces.iter().filter(|p| p.known.is_none()).count(), pieces.len());
            assert!(count <= 2 * (text.len() / size) + 1, "{count} chunks");
            let bytes = text.into();
            read_chunks(bytes, "a.obj".as_ref(), &options, size, Some(&mut earlier)).unwrap();
            (new, count)
        };
        let (first, count) = new(&all.concat());
        assert!(first == count && count > 20, "{first} of {count}");
        for (at, text) in [(500, "v 7.25 0 0\n"), (0, "# a\n"), (999, "v 1 1 1\nf 1 2 -1\n")] {
            let mut changed = all.clone();
            changed[at] += text;
            assert!(new(&changed.concat()).0 <= 3, "{text}");
            assert!(new(&all.concat()).0 <= 3, "{text}");
        }
        // Many changes, each of which stays.
        let mut changed = all.clone();
        for k in 0..500 {
            changed[k * 37 % 1000] += "v 7.25 0 0\n";
            assert!(new(&changed.concat()).0 <= 3, "{k}");
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(2000))]

        #[test]
        fn a_file_that_is_read_again_reads_the_same_whatever_changed(
            mut text in tests::text(), size in 1..60usize, drops: bool,
            changes in proptest::collection::vec(
                (proptest::prelude::any::<[proptest::sample::Index; 2]>(), tests::lines()), 1..6,
            ),
        ) {
            let options = tests::options(drops);
            let mut earlier = Earlier::default();
            for ([a, b], new) in changes {
                let read = |earlier: Option<&mut Earlier>| {
                    let file = "a.obj".as_ref();
                    format!("{:?}", read_chunks(text.clone().into(), file, &options, size, earlier))
                };
                proptest::prop_assert_eq!(read(Some(&mut earlier)), read(None));
                let place = |at: proptest::sample::Index| {
                    let at = at.index(text.len() + 1);
                    (at..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(0)
                };
                let (a, b) = (place(a), place(b));
                // Of a change a few bytes go at most, so that most stays.
                let end = b.clamp(a, (a + 9).min(text.len()));
                let end = (end..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(a);
                text.replace_range(a..end, &new);
            }
        }
    }
}
