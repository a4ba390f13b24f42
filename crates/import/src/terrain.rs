//! Pictures that say the terrain of a grid map's cells: PNG, a texel a cell.

use std::io::Cursor;
use std::path::Path;

use png::{ColorType, Decoder, Limits, Transformations};

use crate::{ImportError, files};

/// The terrain that a colour means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    /// Red, green, blue.
    pub rgb: [u8; 3],
    /// The cell's terrain; `None` when it is blocked.
    pub ground: Option<u8>,
}

/// Requirements on an image.
#[derive(Clone, Copy, Debug)]
pub struct TerrainImage<'a> {
    /// Columns of the map.
    pub width: u32,
    /// Rows of the map.
    pub height: u32,
    /// The file that names the picture, which must be in its folder; `None` where it may be
    /// anywhere.
    pub beside: Option<&'a Path>,
    /// Every colour it may have.
    pub colours: &'a [Colour],
}

/// Reads the terrain of each cell, row by row: a texel's column is the cell's, and the first row of
/// texels is the map's first. Depths of other than 8 bits, palettes and shades of grey are
/// converted to RGB.
///
/// # Errors
/// [`crate::ImportErrorKind::Io`] when the file cannot be read; otherwise when it is in another
/// folder than `beside`, is no PNG, has another size, or a texel is transparent or of a colour that
/// is not known.
pub fn read_terrain(path: &Path, image: &TerrainImage<'_>) -> Result<Vec<Option<u8>>, ImportError> {
    if let Some(of) = image.beside {
        files::check_beside(of, path)?;
    }
    let bytes = files::read_named(path)?;
    let damaged = |error: png::DecodingError| {
        ImportError::bad(
            path,
            "the whole file",
            format!("it cannot be read as a PNG: {error}"),
            "save the picture as PNG again",
        )
    };
    let limit = 64 + 8 * u64::from(image.width) * u64::from(image.height);
    let limits = Limits { bytes: usize::try_from(limit.max(1 << 20)).unwrap_or(usize::MAX) };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(damaged)?;
    let (width, height) = reader.info().size();
    // Before room is made for the texels: the header may say anything.
    if (width, height) != (image.width, image.height) {
        return Err(ImportError::bad(
            path,
            "the header",
            format!(
                "the picture has {width} x {height} texels, and the map {} x {} cells",
                image.width, image.height
            ),
            "give it a texel a cell",
        ));
    }
    let mut texels = vec![0; reader.output_buffer_size().unwrap_or(0)];
    let frame = reader.next_frame(&mut texels).map_err(damaged)?;
    let (channels, grey) = match frame.color_type {
        ColorType::Grayscale => (1, true),
        ColorType::GrayscaleAlpha => (2, true),
        ColorType::Rgba => (4, false),
        // Palettes have been expanded.
        ColorType::Rgb | ColorType::Indexed => (3, false),
    };
    let mut cells = Vec::with_capacity(width as usize * height as usize);
    let mut last: Option<Colour> = None;
    for row in texels.chunks_exact(frame.line_size.max(1)).take(height as usize) {
        for texel in row.chunks_exact(channels).take(width as usize) {
            let at = cells.len();
            let bad = |finding: String, cure: String| {
                let (column, row) = (at % width as usize, at / width as usize);
                let place = format!("column {}, row {}", column + 1, row + 1);
                Err(ImportError::bad(path, place, finding, cure))
            };
            let rgb = if grey { [texel[0]; 3] } else { [texel[0], texel[1], texel[2]] };
            if (channels == 2 || channels == 4) && texel[channels - 1] != 255 {
                let finding = "the texel is transparent, at least in part".into();
                return bad(finding, "fill the picture, and save it without alpha".into());
            }
            let known = last.filter(|c| c.rgb == rgb);
            let known = known.or_else(|| image.colours.iter().copied().find(|c| c.rgb == rgb));
            let Some(colour) = known else {
                let finding = format!("the texel is {}, a colour that nobody named", hex(rgb));
                let cure = match nearest(rgb, image.colours) {
                    Some(near) => format!(
                        "name it in `terrain.colours`, or paint it over; the nearest that is known is {}",
                        hex(near)
                    ),
                    None => "name it in `terrain.colours`".into(),
                };
                return bad(finding, cure);
            };
            last = Some(colour);
            cells.push(colour.ground);
        }
    }
    if cells.len() != width as usize * height as usize {
        return Err(ImportError::bad(
            path,
            "the whole file",
            "it has fewer texels than its header says",
            "save the picture as PNG again",
        ));
    }
    Ok(cells)
}

fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The known colour with the least sum of squared differences; the first on a tie.
fn nearest(rgb: [u8; 3], colours: &[Colour]) -> Option<[u8; 3]> {
    let away = |c: &&Colour| -> i32 {
        let square = |k: usize| (i32::from(c.rgb[k]) - i32::from(rgb[k])).pow(2);
        (0..3).map(square).sum()
    };
    colours.iter().min_by_key(away).map(|c| c.rgb)
}
