//! Height maps: samples in rows, as a PNG in grey or as bytes without a header.
//!
//! A sample is a vertex. Columns go along x and rows along z, `spacing` apart, from (0, 0) on; the
//! least value has the first height of `heights`, the greatest one the second. Between four samples
//! are two triangles, cut from the sample with the least x and z to the one with the greatest:
//!
//! ```text
//!  least x, z  o-----o        front faces up
//!              | \   |
//!              |   \ |
//!              o-----o  greatest x, z
//! ```
//!
//! Where [`ImportOptions::simplify`] allows it, larger triangles replace those of gentle ground. A
//! map of rough ground keeps its own triangles, and is exact.

mod settings;
mod simplify;

use std::path::{Path, PathBuf};

use navbake_level::{Part, Scene, Source, Warning};
use rayon::prelude::*;

use crate::budget::{Budget, TRIANGLE, VERTEX};
use crate::{Format, Import, ImportError, ImportOptions, picture, soup};
pub use settings::{ByteOrder, FirstRow, HeightMapSettings};
use simplify::Field;
pub use simplify::Simplify;

/// Height maps.
pub(crate) const FORMAT: Format =
    Format { name: "height map", extensions: &["png", "r16", "raw"], is_grid: false, read };

/// Steps of heights above this are reported, m: agents meet them as stairs.
const LARGE_STEP: f64 = 0.1;

/// A simplified map has fewer triangles than 1 / this of its own. With more it bakes no faster than
/// an exact one, which leaves the whole height error to later stages.
const FEW: usize = 2;

/// The samples of a file, row by row as they are in it.
struct Samples {
    size: [u32; 2],
    greatest: u16,
    values: Vec<u16>,
    /// Samples without ground by their alpha; empty where there is none.
    holes: Vec<bool>,
}

fn read(bytes: Vec<u8>, file: &Path, options: &ImportOptions) -> Result<Import, ImportError> {
    let settings = &options.heightmap;
    let [low, high] = heights(settings, file)?;
    let budget = Budget::new(file, options);
    budget.read(bytes.len() as u64)?;
    let samples = match picture::is_png(&bytes) {
        true => of_png(&bytes, file, &budget)?,
        false => of_raw(&bytes, file, settings, &budget)?,
    };
    drop(bytes);
    let mut warnings = vec![];
    let step = (high - low) / f64::from(samples.greatest);
    if samples.greatest < u16::MAX && step > LARGE_STEP {
        warnings.push(Warning {
            code: "height-steps",
            message: format!(
                "samples of 8 bits make steps of {step:.2} m over {} m; save the height map with 16 bits",
                high - low
            ),
            place: file.display().to_string().into(),
        });
    }
    let scene = scene(&samples, [low, step], file, options, &mut warnings)?;
    let files = vec![PathBuf::from(file)];
    Ok(Import { source: Source::Scene(scene), warnings, files, named: vec![] })
}

/// The heights of the least and the greatest value, and checks of all settings.
fn heights(settings: &HeightMapSettings, file: &Path) -> Result<[f64; 2], ImportError> {
    let bad = |key: &str, finding: String, cure: &str| {
        Err(ImportError::bad(file, format!("the setting `heightmap.{key}`"), finding, cure))
    };
    let Some([low, high]) = settings.heights else {
        let finding = "it is not there, and the file does not say how high its values are";
        let cure = "give the heights of the least and the greatest value in metres, `--heights 0,600` or `[heightmap]` with `heights = [0.0, 600.0]` in the config";
        return bad("heights", finding.into(), cure);
    };
    if !(low.is_finite() && high.is_finite() && low < high) {
        let cure = "give two numbers of metres, the lower one first";
        return bad("heights", format!("it is [{low}, {high}]"), cure);
    }
    if !(settings.spacing.is_finite() && settings.spacing > 0.0) {
        let finding = format!("it is {}", settings.spacing);
        return bad("spacing", finding, "give the metres from sample to sample");
    }
    if !matches!(settings.bits, 8 | 16) {
        return bad("bits", format!("it is {}", settings.bits), "say 8 or 16");
    }
    Ok([low, high])
}

/// Asks for what the samples take, and the triangles between them.
fn ask(size: [u32; 2], file: &Path, budget: &Budget, bytes: u64) -> Result<(), ImportError> {
    let [columns, rows] = size.map(u64::from);
    if columns < 2 || rows < 2 {
        let finding = format!("there are {columns} x {rows} samples");
        let cure = "give it two columns and two rows at least: ground is between samples";
        return Err(ImportError::bad(file, "the header", finding, cure));
    }
    let (vertices, triangles) = (columns * rows, (columns - 1) * (rows - 1) * 2);
    let bytes = bytes.saturating_add(vertices * VERTEX).saturating_add(triangles * TRIANGLE);
    budget.spend(&format!("{columns} x {rows} samples"), bytes)?;
    if triangles > u64::from(u32::MAX) {
        let finding = format!("{columns} x {rows} samples are more than can be numbered");
        let cure = "cut it into several height maps, and place them in a world";
        return Err(ImportError::bad(file, "the header", finding, cure));
    }
    Ok(())
}

fn of_png(bytes: &[u8], file: &Path, budget: &Budget) -> Result<Samples, ImportError> {
    let allow = |size, bytes| ask(size, file, budget, bytes);
    let picture = picture::png(bytes, file, allow)?;
    if picture.channels > 2 {
        let finding = "the picture has colours, and a height map has one value a texel";
        let cure = "save it in grey with 16 bits; heights packed in colours are not read";
        return Err(ImportError::bad(file, "the header", finding, cure));
    }
    let alpha = picture.has_alpha();
    let holes = picture.texels().filter(|_| alpha).map(|t| t[1] <= picture.greatest / 2).collect();
    let (size, greatest, channels) = (picture.size, picture.greatest, picture.channels);
    let values = match channels {
        1 => picture.samples,
        _ => picture.samples.into_iter().step_by(channels).collect(),
    };
    Ok(Samples { size, greatest, values, holes })
}

fn of_raw(
    bytes: &[u8],
    file: &Path,
    settings: &HeightMapSettings,
    budget: &Budget,
) -> Result<Samples, ImportError> {
    let (bits, wide) = (settings.bits, usize::from(settings.bits / 8));
    let whole =
        |finding: String, cure: &str| Err(ImportError::bad(file, "the whole file", finding, cure));
    let has = bytes.len();
    let size = match settings.size {
        Some(size) => size,
        None => {
            let side = (has / wide).isqrt();
            if side * side * wide != has {
                let finding = format!("its {has} bytes are no square of samples of {bits} bits");
                let cure = "give columns and rows: `[heightmap]` with `size = [columns, rows]` (and `bits`) in the config";
                return whole(finding, cure);
            }
            [side as u32; 2] // files have at most 2^32 bytes
        }
    };
    let [columns, rows] = size;
    let takes = u64::from(columns) * u64::from(rows) * wide as u64;
    if takes != has as u64 {
        let finding = format!(
            "{columns} x {rows} samples of {bits} bits take {takes} bytes, and it has {has}"
        );
        return whole(
            finding,
            "correct `heightmap.size` or `heightmap.bits`, or cut the header off",
        );
    }
    ask(size, file, budget, 2 * (takes / wide as u64))?;
    let values: Vec<u16> = match (bits, settings.byte_order) {
        (8, _) => bytes.iter().map(|&b| b.into()).collect(),
        (_, ByteOrder::Little) => {
            bytes.chunks_exact(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect()
        }
        (_, ByteOrder::Big) => {
            bytes.chunks_exact(2).map(|b| u16::from_be_bytes([b[0], b[1]])).collect()
        }
    };
    let greatest = if bits == 8 { 255 } else { u16::MAX };
    Ok(Samples { size, greatest, values, holes: vec![] })
}

/// The triangles between the samples.
fn scene(
    samples: &Samples,
    [low, step]: [f64; 2],
    file: &Path,
    options: &ImportOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Scene, ImportError> {
    let (settings, scale) = (&options.heightmap, options.scale);
    let [columns, rows] = samples.size.map(|n| n as usize);
    // Rows of the file by z.
    let row_of = |z: usize| match settings.first_row {
        FirstRow::LeastZ => z,
        FirstRow::GreatestZ => rows - 1 - z,
    };
    let is_hole = |x: usize, z: usize| {
        let at = row_of(z) * columns + x;
        samples.holes.get(at) == Some(&true) || settings.hole == Some(samples.values[at])
    };
    let across = |k: usize| k as f64 * settings.spacing * scale;
    let mut vertices = vec![[0.0; 3]; columns * rows];
    vertices.par_chunks_mut(columns).enumerate().for_each(|(z, own)| {
        let values = &samples.values[row_of(z) * columns..][..columns];
        for (x, (vertex, value)) in own.iter_mut().zip(values).enumerate() {
            *vertex = [across(x), (low + f64::from(*value) * step) * scale, across(z)];
        }
    });
    let has_holes = settings.hole.is_some() || !samples.holes.is_empty();
    let field = Field {
        vertices: &vertices,
        size: [columns, rows],
        spacing: settings.spacing * scale,
        is_hole: has_holes.then_some(&is_hole),
    };
    let all = (columns - 1) * (rows - 1) * 2;
    let simplified = options.simplify.and_then(|simplify| {
        let few = simplify::triangles(&field, &simplify);
        (few.len() * FEW < all).then_some((few, simplify.error))
    });
    let (triangles, height_error) = simplified.unwrap_or_else(|| (field.triangles(), 0.0));
    if triangles.is_empty() {
        soup::empty(file, "every triangle of the height map has a hole", options, warnings)?;
    }
    let name = file.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into());
    let part = Part { node: name, ..Part::default() };
    let triangle_parts = vec![0; triangles.len()];
    let parts = vec![part];
    Ok(Scene { vertices, triangles, triangle_parts, parts, height_error, ..Scene::default() })
}
