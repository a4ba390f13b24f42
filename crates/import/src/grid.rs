//! Grid maps: MovingAI's octile format and the tile grid.
//!
//! MovingAI (Sturtevant, *Benchmarks for Grid-Based Pathfinding*, 2012): `type octile`, `height H`,
//! `width W`, `map`, then H rows of W letters. With `type hexagonal` the same letters are hexagons,
//! odd rows half a cell further along x. A tile grid begins with the node size, the width and
//! the height, then rows of `x` (blocked) and `.` (free); digits are free nodes of terrain 0 to 9,
//! capital letters up to W of 10 to 32. What follows `//` is a comment.

use std::path::{Path, PathBuf};

use navbake_level::{CellShape, GridMap, Source, Warning};

use crate::budget::Budget;
use crate::{Format, Import, ImportError, ImportOptions, soup};

/// MovingAI octile maps.
pub(crate) const MAP: Format =
    Format { name: "MovingAI map", extensions: &["map"], is_grid: true, read: read_map };

/// Tile grids: node size, width, height, then rows of `x` (blocked), `.` (free), and digits and the
/// letters A to W (free, of a terrain).
pub(crate) const TILES: Format =
    Format { name: "tile grid", extensions: &["txt"], is_grid: true, read: read_tiles };

/// The lines of a text file, numbered from 1, without line ends.
struct Lines<'a> {
    file: &'a Path,
    rest: &'a [u8],
    read: usize,
    /// Is what follows `//` a comment?
    comments: bool,
}

impl<'a> Lines<'a> {
    fn new(bytes: &'a [u8], file: &'a Path) -> Result<Self, ImportError> {
        if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            return Err(ImportError::bad(
                file,
                "byte 0",
                "the text is UTF-16",
                "save the file as UTF-8 or ASCII",
            ));
        }
        let rest = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Ok(Lines { file, rest, read: 0, comments: false })
    }

    /// The next line, without its comment; lines of a comment alone are left out.
    fn next(&mut self) -> Option<(usize, &'a [u8])> {
        while !self.rest.is_empty() {
            let end = self.rest.iter().position(|&b| b == b'\n');
            let (line, behind) = self.rest.split_at(end.unwrap_or(self.rest.len()));
            self.rest = behind.get(1..).unwrap_or_default();
            self.read += 1;
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let comment = match self.comments {
                true => line.windows(2).position(|two| two == b"//"),
                false => None,
            };
            match comment.map(|at| line[..at].trim_ascii_end()) {
                None => return Some((self.read, line)),
                Some([]) => {}
                Some(text) => return Some((self.read, text)),
            }
        }
        None
    }

    /// The next line with anything in it, as words.
    fn next_words(&mut self) -> Option<(usize, Vec<String>)> {
        loop {
            let (number, line) = self.next()?;
            let text = String::from_utf8_lossy(line);
            let words: Vec<String> = text.split_whitespace().map(shorten).collect();
            if !words.is_empty() {
                return Some((number, words));
            }
        }
    }

    fn bad(&self, line: usize, finding: impl Into<String>, cure: &str) -> ImportError {
        ImportError::bad(self.file, format!("line {line}"), finding, cure)
    }

    fn ended(&self, expected: &str, cure: &str) -> ImportError {
        self.bad(self.read + 1, format!("the file ends where {expected} was expected"), cure)
    }
}

/// A word of the file for a message.
fn shorten(word: &str) -> String {
    if word.chars().count() <= 40 {
        word.to_owned()
    } else {
        word.chars().take(40).chain(['…']).collect()
    }
}

const MAP_HEAD: &str =
    "a MovingAI map begins with the lines `type octile`, `height H`, `width W` and `map`";

/// Reads a MovingAI map; the cells are `scale` metres wide.
fn read_map(bytes: Vec<u8>, file: &Path, options: &ImportOptions) -> Result<Import, ImportError> {
    Budget::new(file, options).read(2 * bytes.len() as u64)?; // the cells are as long as the text
    let mut lines = Lines::new(&bytes, file)?;
    let (mut shape, mut height, mut width) = (None, None, None);
    loop {
        let Some((number, words)) = lines.next_words() else {
            return Err(lines.ended("the keyword `map`", MAP_HEAD));
        };
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words[..] {
            ["type", "octile"] => shape = Some(CellShape::Square),
            ["type", "hexagonal"] => shape = Some(CellShape::Hexagon),
            ["type", ..] => {
                return Err(lines.bad(
                    number,
                    format!("the map is of the type `{}`", words[1..].join(" ")),
                    "only `type octile` and `type hexagonal` are read",
                ));
            }
            ["height", value] => height = Some(size(value, "height", number, &lines)?),
            ["width", value] => width = Some(size(value, "width", number, &lines)?),
            ["map"] => break,
            _ => {
                return Err(lines.bad(number, format!("found `{}`", words[0]), MAP_HEAD));
            }
        }
    }
    let here = lines.read;
    let missing =
        |what: &str| lines.bad(here, format!("`{what}` is missing above `map`"), MAP_HEAD);
    let shape = shape.ok_or_else(|| missing("type octile"))?;
    let height = height.ok_or_else(|| missing("height"))?;
    let width = width.ok_or_else(|| missing("width"))?;
    let named = |terrain| (usize::from(terrain) < options.terrains).then_some(terrain);
    let cells = rows(&mut lines, bytes.len(), width, height, |letter| match letter {
        b'.' | b'G' => Ok(Some(0)),
        b'S' => Ok(Some(SWAMP)),
        b'T' => Ok(named(TREES)),
        b'W' => Ok(named(WATER)),
        b'@' | b'O' => Ok(None),
        _ => Err("a cell is one of . G S (free), T W (blocked unless named) and @ O (blocked)"),
    })?;
    finish(file, options, (shape, options.scale), [width, height], cells)
}

const TILE_HEAD: &str =
    "a tile grid begins with three numbers: the node size, the width and the height";

/// Reads a tile grid; its node size is multiplied by `scale`.
fn read_tiles(bytes: Vec<u8>, file: &Path, options: &ImportOptions) -> Result<Import, ImportError> {
    Budget::new(file, options).read(2 * bytes.len() as u64)?; // the cells are as long as the text
    let mut lines = Lines { comments: true, ..Lines::new(&bytes, file)? };
    let mut numbers: Vec<(usize, String)> = vec![];
    while numbers.len() < 3 {
        let Some((number, words)) = lines.next_words() else {
            return Err(lines.ended("the head of a tile grid", TILE_HEAD));
        };
        numbers.extend(words.into_iter().map(|w| (number, w)));
        if numbers.len() > 3 {
            let (line, word) = &numbers[3];
            return Err(lines.bad(*line, format!("found `{word}` after the height"), TILE_HEAD));
        }
    }
    let (line, word) = &numbers[0];
    let node: f64 = word.parse().unwrap_or(f64::NAN);
    let cell = node * options.scale;
    if !(node > 0.0 && cell > 0.0 && cell.is_finite()) {
        return Err(lines.bad(
            *line,
            format!("the node size `{word}` is not a positive number"),
            TILE_HEAD,
        ));
    }
    let width = size(&numbers[1].1, "width", numbers[1].0, &lines)?;
    let height = size(&numbers[2].1, "height", numbers[2].0, &lines)?;
    let cells = rows(&mut lines, bytes.len(), width, height, |letter| match letter {
        b'.' => Ok(Some(0)),
        b'0'..=b'9' => Ok(Some(letter - b'0')),
        // Not up to X, which is more likely a slip for x.
        b'A'..=b'W' => Ok(Some(letter - b'A' + 10)),
        b'x' => Ok(None),
        _ => Err(
            "a node is `x` (blocked), `.` (free), or a digit or a letter A to W (free, of that terrain)",
        ),
    })?;
    finish(file, options, (CellShape::Square, cell), [width, height], cells)
}

fn size(value: &str, what: &str, line: usize, lines: &Lines<'_>) -> Result<u32, ImportError> {
    match value.parse::<u32>() {
        Ok(n) if n > 0 && n < 1 << 24 => Ok(n),
        _ => Err(lines.bad(
            line,
            format!("the {what} is `{value}`"),
            "give a whole number from 1 to 16777215",
        )),
    }
}

/// The terrain of a swamp, `S`; open ground is of terrain 0.
const SWAMP: u8 = 1;
/// That of trees, `T`.
const TREES: u8 = 2;
/// That of water, `W`.
const WATER: u8 = 3;

/// The cells of a map, row by row.
struct Cells {
    free: Vec<bool>,
    /// Empty as long as all ground is of terrain 0.
    terrain: Vec<u8>,
}

impl Cells {
    /// A free cell of a terrain, or a blocked one.
    fn push(&mut self, ground: Option<u8>) {
        let terrain = ground.unwrap_or(0);
        if terrain != 0 && self.terrain.is_empty() {
            self.terrain.resize(self.free.len(), 0);
        }
        if terrain != 0 || !self.terrain.is_empty() {
            self.terrain.push(terrain);
        }
        self.free.push(ground.is_some());
    }
}

fn rows(
    lines: &mut Lines<'_>,
    file_size: usize,
    width: u32,
    height: u32,
    cell: impl Fn(u8) -> Result<Option<u8>, &'static str>,
) -> Result<Cells, ImportError> {
    let cure = "make every row as long as the width, and as many rows as the height";
    let cells = u64::from(width) * u64::from(height);
    if cells > file_size as u64 {
        return Err(lines.bad(
            lines.read,
            format!(
                "{width} x {height} cells are announced, but the whole file has {file_size} bytes"
            ),
            cure,
        ));
    }
    let mut read = Cells { free: Vec::with_capacity(cells as usize), terrain: vec![] };
    for row in 0..height {
        let Some((number, line)) = lines.next() else {
            return Err(lines.ended(&format!("row {} of {height}", row + 1), cure));
        };
        let line = line.trim_ascii_end();
        for (column, &letter) in line.iter().take(width as usize).enumerate() {
            let ground = cell(letter).map_err(|expected| {
                let shown = if letter.is_ascii_graphic() || letter == b' ' {
                    format!("`{}`", letter as char)
                } else {
                    format!("the byte 0x{letter:02x}")
                };
                ImportError::bad(
                    lines.file,
                    format!("line {number}, column {}", column + 1),
                    format!("found {shown} in the map"),
                    expected,
                )
            })?;
            read.push(ground);
        }
        if line.len() != width as usize {
            let place = format!("line {number}, column {}", line.len().min(width as usize) + 1);
            let finding = format!(
                "row {} of {height} has {} cells, the width is {width}",
                row + 1,
                line.len()
            );
            return Err(ImportError::bad(lines.file, place, finding, cure));
        }
    }
    if let Some((number, words)) = lines.next_words() {
        return Err(lines.bad(
            number,
            format!("found `{}` after the last of {height} rows", words[0]),
            cure,
        ));
    }
    Ok(read)
}

fn finish(
    file: &Path,
    options: &ImportOptions,
    (shape, cell): (CellShape, f64),
    [width, height]: [u32; 2],
    cells: Cells,
) -> Result<Import, ImportError> {
    let mut warnings: Vec<Warning> = vec![];
    if !cells.free.contains(&true) {
        soup::empty(file, "no cell of the map is free", options, &mut warnings)?;
    }
    Ok(Import {
        source: Source::Grid(GridMap {
            shape,
            cell,
            corner: [0.0; 2],
            width,
            height,
            free: cells.free,
            terrain: cells.terrain,
        }),
        warnings,
        files: vec![PathBuf::from(file)],
        named: vec![],
    })
}
