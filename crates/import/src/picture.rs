//! Pictures as numbers: PNG and PGM.

use std::io::Cursor;
use std::path::Path;

use png::{ColorType, Decoder, DecodingError, Limits, Transformations};

use crate::ImportError;

/// The samples of a picture, row by row from the top, one or more to a texel.
#[derive(Debug)]
pub(crate) struct Picture {
    /// Columns and rows.
    pub(crate) size: [u32; 2],
    /// Samples to a texel: grey, grey and alpha, RGB, or RGB and alpha.
    pub(crate) channels: usize,
    /// The greatest value a sample can have.
    pub(crate) greatest: u16,
    pub(crate) samples: Vec<u16>,
}

impl Picture {
    /// Is the last sample of a texel its alpha?
    pub(crate) fn has_alpha(&self) -> bool {
        self.channels == 2 || self.channels == 4
    }

    /// The texels, row by row.
    pub(crate) fn texels(&self) -> impl ExactSizeIterator<Item = &[u16]> {
        self.samples.chunks_exact(self.channels)
    }
}

/// Is it a PNG, by its first bytes?
pub(crate) fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x89PNG\r\n\x1a\n")
}

const AGAIN: &str = "save the picture as PNG again";

/// Reads a PNG. Palettes become RGB, and fewer than 8 bits become 8.
///
/// `allow` gets columns, rows and bytes that decoding takes, before any are taken: the header may
/// say anything.
pub(crate) fn png(
    bytes: &[u8],
    file: &Path,
    allow: impl FnOnce([u32; 2], u64) -> Result<(), ImportError>,
) -> Result<Picture, ImportError> {
    let damaged = |error: DecodingError| {
        let finding = format!("it cannot be read as a PNG: {error}");
        ImportError::bad(file, "the whole file", finding, AGAIN)
    };
    let short = || {
        let finding = "it has fewer texels than its header says";
        ImportError::bad(file, "the whole file", finding, AGAIN)
    };
    // For a row, and what is no texel, such as texts; room for texels is asked for below.
    let limits = Limits { bytes: (1 << 20) + bytes.len() };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(damaged)?;
    let size: [u32; 2] = reader.info().size().into();
    let bytes = reader.output_buffer_size().unwrap_or(usize::MAX);
    // As it is decoded, and its samples of 2 bytes.
    allow(size, (bytes as u64).saturating_mul(3))?;
    let mut texels = vec![0; bytes];
    let frame = reader.next_frame(&mut texels).map_err(damaged)?;
    let channels = match frame.color_type {
        ColorType::Grayscale => 1,
        ColorType::GrayscaleAlpha => 2,
        ColorType::Rgba => 4,
        // Palettes have been expanded.
        ColorType::Rgb | ColorType::Indexed => 3,
    };
    let deep = frame.bit_depth == png::BitDepth::Sixteen;
    let count = size[0] as usize * size[1] as usize * channels;
    let texels = texels.get(..count * (1 + usize::from(deep))).ok_or_else(short)?;
    let samples = match deep {
        true => texels.chunks_exact(2).map(|b| u16::from_be_bytes([b[0], b[1]])).collect(),
        false => texels.iter().map(|&b| b.into()).collect(),
    };
    let greatest = if deep { u16::MAX } else { u8::MAX.into() };
    Ok(Picture { size, channels, greatest, samples })
}

/// The words of a PGM's text: what follows `#` is a comment up to the end of the line.
struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Words<'_> {
    /// The next number, up to `most`, and the byte where its word begins.
    fn number(&mut self, most: u32) -> Result<u32, usize> {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'#' => {
                    let rest = &self.bytes[self.at..];
                    self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                }
                b if b.is_ascii_whitespace() => self.at += 1,
                _ => break,
            }
        }
        let from = self.at;
        let mut number = None;
        while let Some(digit) = self.bytes.get(self.at).filter(|b| b.is_ascii_digit()) {
            let more = number.unwrap_or(0u64) * 10 + u64::from(digit - b'0');
            number = Some(more).filter(|&n| n <= u64::from(most));
            if number.is_none() {
                return Err(from);
            }
            self.at += 1;
        }
        number.map(|n| n as u32).ok_or(from)
    }
}

/// Reads a PGM of the kinds P2 (text) and P5 (bytes). `allow` is as for [`png`].
pub(crate) fn pgm(
    bytes: &[u8],
    file: &Path,
    allow: impl FnOnce([u32; 2], u64) -> Result<(), ImportError>,
) -> Result<Picture, ImportError> {
    const CURE: &str = "save the picture as PGM again";
    let is_text = match bytes {
        [b'P', b'2', ..] => true,
        [b'P', b'5', ..] => false,
        _ => {
            let finding = "it is neither a PGM (P2 or P5) nor a PNG";
            let cure = "convert it: `magick map.bmp map.png`";
            return Err(ImportError::bad(file, "byte 0", finding, cure));
        }
    };
    let mut words = Words { bytes, at: 2 };
    let mut head = [0; 3];
    let parts = [("width", 1 << 24), ("height", 1 << 24), ("greatest value", 65_535)];
    for (own, (what, most)) in head.iter_mut().zip(parts) {
        let bad = |at: usize| {
            let finding = format!("the {what} is not a whole number from 1 to {most}");
            ImportError::bad(file, format!("byte {at}"), finding, CURE)
        };
        *own = words.number(most).map_err(bad)?;
        if *own == 0 {
            return Err(bad(words.at - 1));
        }
    }
    let [width, height, greatest] = head;
    let count = u64::from(width) * u64::from(height);
    // One space ends the header. In a text a sample takes a digit and a space.
    let start = words.at + 1;
    let wide = if is_text || greatest > 255 { 2 } else { 1 };
    let left = (bytes.len() + usize::from(is_text)).saturating_sub(start) as u64;
    if count * wide > left {
        let finding = format!(
            "{width} x {height} samples take {} bytes at least, and {left} are left",
            count * wide
        );
        return Err(ImportError::bad(file, format!("byte {start}"), finding, CURE));
    }
    allow([width, height], count * 2)?;
    let mut samples: Vec<u16> = Vec::with_capacity(count as usize);
    if is_text {
        while samples.len() < count as usize {
            let sample = words.number(greatest).map_err(|at| {
                let [x, y] = [samples.len() as u32 % width, samples.len() as u32 / width];
                let place = format!("byte {at}, column {}, row {}", x + 1, y + 1);
                let finding = format!("the sample is not a whole number from 0 to {greatest}");
                ImportError::bad(file, place, finding, CURE)
            })?;
            samples.push(sample as u16);
        }
    } else {
        let raw = bytes[start..].chunks_exact(wide as usize).take(count as usize);
        samples.extend(raw.map(|b| match *b {
            [one] => one.into(),
            _ => u16::from_be_bytes([b[0], b[1]]),
        }));
        if let Some(at) = samples.iter().position(|&s| u32::from(s) > greatest) {
            let place = format!("byte {}", start + at * wide as usize);
            let finding =
                format!("the sample {} is above the greatest value, {greatest}", samples[at]);
            return Err(ImportError::bad(file, place, finding, CURE));
        }
    }
    Ok(Picture { size: [width, height], channels: 1, greatest: greatest as u16, samples })
}
