//! Pictures that say the terrain of a grid map's cells: PNG, a texel a cell.

use std::path::Path;

use crate::{ImportError, files, picture};

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
    // Before room is made for the texels: the header may say anything.
    let fits = |[width, height]: [u32; 2], _| {
        if [width, height] == [image.width, image.height] {
            return Ok(());
        }
        let finding = format!(
            "the picture has {width} x {height} texels, and the map {} x {} cells",
            image.width, image.height
        );
        Err(ImportError::bad(path, "the header", finding, "give it a texel a cell"))
    };
    let picture = picture::png(&bytes, path, fits)?;
    let width = image.width;
    // Of 16 bits the upper 8 count.
    let shift = if picture.greatest > 255 { 8 } else { 0 };
    let byte = |sample: u16| (sample >> shift) as u8;
    let mut cells = Vec::with_capacity(picture.texels().len());
    let mut last: Option<Colour> = None;
    for texel in picture.texels() {
        let at = cells.len();
        let bad = |finding: String, cure: String| {
            let (column, row) = (at % width as usize, at / width as usize);
            let place = format!("column {}, row {}", column + 1, row + 1);
            Err(ImportError::bad(path, place, finding, cure))
        };
        let rgb = match texel {
            [r, g, b, ..] => [*r, *g, *b],
            _ => [texel[0]; 3],
        };
        let rgb = rgb.map(byte);
        if picture.has_alpha() && byte(texel[texel.len() - 1]) != 255 {
            let finding = "the texel is transparent, at least in part".into();
            return bad(finding, "fill the picture, and save it without alpha".into());
        }
        let known = last.filter(|c| c.rgb == rgb);
        let known = known.or_else(|| image.colours.iter().copied().find(|c| c.rgb == rgb));
        let Some(colour) = known else {
            let finding = format!("the texel is {}, a colour without a name", hex(rgb));
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
