//! Maps of ROS: the `.yaml` of map_server and the picture that it names.
//!
//! ROS counts x to the right, y up the picture and z up; here (x, y, z) is (x, z, -y), as for every
//! input with z up. So the picture's first row has the least z, and its columns go along x. Which
//! texels are occupied, free or unknown is decided as by `nav2_map_server`; cells that are occupied
//! or unknown are blocked.
//!
//! Of YAML this reads what such files have: `key: value` a line, one list, comments.

use std::path::{Path, PathBuf};

use navbake_level::{CellShape, GridMap, Source, Warning};

use crate::budget::Budget;
use crate::files::{check_beside, read_named};
use crate::picture::{self, Picture};
use crate::{Format, Import, ImportError, ImportErrorKind, ImportOptions, soup};

/// Maps of ROS.
pub(crate) const FORMAT: Format =
    Format { name: "map_server map", extensions: &["yaml", "yml"], is_grid: true, read };

/// How shades become cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Free, occupied or unknown.
    Trinary,
    /// The same with costs in between, which count as free, and transparent ones as unknown.
    Scale,
    /// The shade itself is the cost: 0 to 99 free, 100 occupied, others unknown.
    Raw,
}

/// What the text says.
#[derive(Debug)]
struct Head {
    image: String,
    resolution: f64,
    /// Of the lower left corner of the picture: x, y.
    origin: [f64; 2],
    negate: bool,
    occupied: f64,
    free: f64,
    mode: Mode,
}

/// A key with its values and its line.
struct Entry {
    line: usize,
    key: String,
    values: Vec<String>,
    is_list: bool,
}

const SHAPE: &str = "a map of map_server is a text of lines `key: value`, with `origin: [x, y, yaw]` as its only list";

/// The lines of the text as keys with values.
fn entries(text: &str, file: &Path) -> Result<Vec<Entry>, ImportError> {
    let mut all: Vec<Entry> = vec![];
    for (line, written) in (1..).zip(text.lines()) {
        let bad =
            |finding: &str| Err(ImportError::bad(file, format!("line {line}"), finding, SHAPE));
        let content = without_comment(written).trim_end();
        if content.is_empty() || (all.is_empty() && matches!(content, "---" | "%YAML 1.2")) {
            continue;
        }
        if let Some(item) = content.trim_start().strip_prefix("- ") {
            match all.last_mut() {
                Some(last) if last.is_list || last.values.is_empty() => {
                    last.is_list = true;
                    last.values.push(plain(item).to_owned());
                    continue;
                }
                _ => return bad("an item of a list that no key begins"),
            }
        }
        if content.starts_with([' ', '\t']) {
            return bad("the line is indented: tables within tables are not read");
        }
        let Some((key, value)) = content.split_once(':') else {
            return bad("there is no `key: value` in this line");
        };
        let (key, value) = (plain(key).to_owned(), value.trim());
        if all.iter().any(|entry| entry.key == key) {
            return bad("the key was there before");
        }
        let inner = value.strip_prefix('[').map(|rest| rest.strip_suffix(']'));
        let (values, is_list) = match inner {
            None if value.is_empty() => (vec![], false),
            None => (vec![plain(value).to_owned()], false),
            Some(None) => return bad("the list does not end in this line"),
            Some(Some(items)) => (items.split(',').map(|v| plain(v).to_owned()).collect(), true),
        };
        all.push(Entry { line, key, values, is_list });
    }
    Ok(all)
}

/// A line up to a comment: `#` at its start or behind a space, and not in quotes.
fn without_comment(line: &str) -> &str {
    let (mut quote, mut before) = (None, ' ');
    for (at, letter) in line.char_indices() {
        match (quote, letter) {
            (None, '#') if before.is_whitespace() => return &line[..at],
            (None, '"' | '\'') if before.is_whitespace() => quote = Some(letter),
            (Some(open), _) if letter == open => quote = None,
            _ => {}
        }
        before = letter;
    }
    line
}

/// A value without spaces and quotes around it.
fn plain(value: &str) -> &str {
    let value = value.trim();
    let in_quotes = |quote| value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    in_quotes('"').or_else(|| in_quotes('\'')).unwrap_or(value)
}

/// The keys that are read.
const KEYS: [&str; 7] =
    ["image", "resolution", "origin", "negate", "occupied_thresh", "free_thresh", "mode"];

/// The keys of the text.
struct Keys<'a> {
    file: &'a Path,
    entries: Vec<Entry>,
}

impl Keys<'_> {
    fn bad(&self, entry: &Entry, finding: impl Into<String>, cure: &str) -> ImportError {
        ImportError::bad(self.file, format!("line {}, `{}`", entry.line, entry.key), finding, cure)
    }

    fn find(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    fn needed(&self, key: &str, cure: &str) -> Result<&Entry, ImportError> {
        let missing = || format!("`{key}` is missing");
        let bad = || ImportError::bad(self.file, "the whole file", missing(), cure);
        self.find(key).ok_or_else(bad)
    }

    /// The only value of a key.
    fn value(&self, key: &str, cure: &str) -> Result<&str, ImportError> {
        let entry = self.needed(key, cure)?;
        match &entry.values[..] {
            [value] if !entry.is_list && !value.is_empty() => Ok(value),
            _ => Err(self.bad(entry, "it has no single value", cure)),
        }
    }

    /// A number that fits.
    fn number(
        &self,
        key: &str,
        fits: impl Fn(f64) -> bool,
        cure: &str,
    ) -> Result<f64, ImportError> {
        let text = self.value(key, cure)?;
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() && fits(number) => Ok(number),
            _ => Err(self.bad(self.needed(key, cure)?, format!("it is `{text}`"), cure)),
        }
    }

    fn origin(&self) -> Result<[f64; 2], ImportError> {
        let cure =
            "give the place of the picture's lower left corner: `origin: [x, y, 0.0]`, in metres";
        let entry = self.needed("origin", cure)?;
        let number = |v: &String| v.parse().ok().filter(|v: &f64| v.is_finite());
        let numbers: Option<Vec<f64>> = entry.values.iter().map(number).collect();
        let Some([x, y, yaw]) = numbers.and_then(|all| <[f64; 3]>::try_from(all).ok()) else {
            return Err(self.bad(entry, "it is not a list of three numbers", cure));
        };
        if yaw != 0.0 {
            let finding =
                format!("the map is turned by {yaw}, and map_server ignores that as well");
            return Err(self.bad(entry, finding, "turn the picture, and set the yaw to 0"));
        }
        Ok([x, y])
    }
}

fn head(keys: &Keys<'_>) -> Result<Head, ImportError> {
    let image = keys.value("image", "name the picture, `image: map.pgm`")?.to_owned();
    let cure = "give the side of a cell in metres, such as 0.05";
    let resolution = keys.number("resolution", |v| v > 0.0, cure)?;
    let origin = keys.origin()?;
    let cure = "say 0 (dark is occupied) or 1 (light is occupied)";
    let negate = match keys.value("negate", cure)? {
        "0" | "false" | "False" => false,
        "1" | "true" | "True" => true,
        _ => keys.number("negate", |v| v == 0.0 || v == 1.0, cure)? == 1.0,
    };
    let share = |v: f64| (0.0..=1.0).contains(&v);
    let occupied =
        keys.number("occupied_thresh", share, "give a share from 0 to 1; 0.65 is usual")?;
    let free = keys.number("free_thresh", share, "give a share from 0 to 1; 0.25 is usual")?;
    let mode = match keys.find("mode").map(|entry| (entry, entry.values.concat())) {
        None => Mode::Trinary,
        Some((entry, name)) => match name.as_str() {
            "trinary" => Mode::Trinary,
            "scale" => Mode::Scale,
            "raw" => Mode::Raw,
            _ => {
                let finding = format!("it is `{name}`");
                return Err(keys.bad(entry, finding, "say trinary, scale or raw"));
            }
        },
    };
    if mode != Mode::Raw && free > occupied {
        let finding = format!("`free_thresh` {free} is above `occupied_thresh` {occupied}");
        let cure = "lower it: what is less occupied than that is free";
        return Err(ImportError::bad(keys.file, "the whole file", finding, cure));
    }
    Ok(Head { image, resolution, origin, negate, occupied, free, mode })
}

/// What is in a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Free,
    Occupied,
    Unknown,
}

fn cell(texel: &[u16], picture: &Picture, head: &Head) -> Cell {
    let greatest = f64::from(picture.greatest);
    let alpha = picture.has_alpha().then(|| texel[texel.len() - 1]);
    // Of trinary maps alpha is a channel as the others; so it was in ROS from the start.
    let shades = match head.mode {
        Mode::Trinary => texel,
        _ => &texel[..texel.len() - usize::from(alpha.is_some())],
    };
    // Grey is three equal colours.
    let times = |k: usize| if picture.channels <= 2 && k == 0 { 3.0 } else { 1.0 };
    let (mut sum, mut count) = (0.0, 0.0);
    for (k, &shade) in shades.iter().enumerate() {
        sum += f64::from(shade) * times(k);
        count += times(k);
    }
    let shade = sum / count / greatest;
    let occupied = if head.negate { shade } else { 1.0 - shade };
    match head.mode {
        Mode::Raw => match (shade * 255.0).round() {
            100.0 => Cell::Occupied,
            cost if cost < 100.0 => Cell::Free,
            _ => Cell::Unknown,
        },
        Mode::Scale if alpha.is_some_and(|alpha| alpha != picture.greatest) => Cell::Unknown,
        _ if head.occupied < occupied => Cell::Occupied,
        _ if occupied < head.free || head.mode == Mode::Scale => Cell::Free,
        _ => Cell::Unknown,
    }
}

fn read(bytes: Vec<u8>, file: &Path, options: &ImportOptions) -> Result<Import, ImportError> {
    let budget = Budget::new(file, options);
    budget.read(bytes.len() as u64)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = format!("byte {}", error.utf8_error().valid_up_to());
        ImportError::bad(file, at, "the text is not UTF-8", "save the file as UTF-8")
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let keys = Keys { file, entries: entries(text, file)? };
    let head = head(&keys)?;
    let mut warnings = vec![];
    for entry in keys.entries.iter().filter(|entry| !KEYS.contains(&entry.key.as_str())) {
        warnings.push(Warning {
            code: "map-key-unread",
            message: format!("the key `{}` is not read", entry.key),
            place: format!("{}, line {}", file.display(), entry.line).into(),
        });
    }
    let path = file.parent().unwrap_or(Path::new("")).join(&head.image);
    if !options.outside {
        check_beside(file, &path)?;
    }
    let bytes = read_named(&path).map_err(|error| match error.kind {
        ImportErrorKind::Io => {
            let finding = format!("`{}` {}", head.image, error.finding);
            let cure = "check the path, which begins at the folder of the map";
            ImportError::bad(file, "`image`", finding, cure).about(&path)
        }
        _ => error,
    })?;
    budget.read(bytes.len() as u64)?;
    // The cells take a byte more each.
    let allow = |[width, height]: [u32; 2], bytes: u64| {
        let cells = u64::from(width) * u64::from(height);
        budget.spend("the picture", bytes.saturating_add(cells))
    };
    let picture = match picture::is_png(&bytes) {
        true => picture::png(&bytes, &path, allow)?,
        false => picture::pgm(&bytes, &path, allow)?,
    };
    let cells = picture.texels().map(|texel| cell(texel, &picture, &head));
    let free: Vec<bool> = cells
        .map(|cell| cell == Cell::Free || (cell == Cell::Unknown && options.unknown_is_free))
        .collect();
    if !free.contains(&true) {
        let finding = "no cell of the map is free: check the thresholds and `negate`";
        soup::empty(file, finding, options, &mut warnings)?;
    }
    let [width, height] = picture.size;
    let (cell, [x, y]) = (head.resolution * options.scale, head.origin);
    let top = y + f64::from(height) * head.resolution;
    Ok(Import {
        source: Source::Grid(GridMap {
            shape: CellShape::Square,
            cell,
            corner: [x * options.scale, 0.0 - top * options.scale],
            width,
            height,
            free,
            terrain: vec![],
        }),
        warnings,
        files: vec![PathBuf::from(file), path],
        named: vec![],
    })
}
