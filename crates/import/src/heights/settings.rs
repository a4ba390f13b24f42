//! What the values of a height map mean.

use serde::{Deserialize, Serialize};

/// What the values of a height map mean, where its file does not say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HeightMapSettings {
    /// From sample to sample, m.
    pub spacing: f64,
    /// The heights of the least and the greatest value that a sample can have, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heights: Option<[f64; 2]>,
    /// Columns and rows of a file without a header; by default it is a square.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<[u32; 2]>,
    /// Bits of a sample of a file without a header: 8 or 16.
    pub bits: u8,
    /// The order of the bytes of a sample of 16 bits in a file without a header.
    pub byte_order: ByteOrder,
    /// Where the first row of the file is.
    pub first_row: FirstRow,
    /// The value of samples without ground; triangles at them are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hole: Option<u16>,
}

impl Default for HeightMapSettings {
    fn default() -> Self {
        HeightMapSettings {
            spacing: 1.0,
            heights: None,
            size: None,
            bits: 16,
            byte_order: ByteOrder::Little,
            first_row: FirstRow::LeastZ,
            hole: None,
        }
    }
}

/// The order of the bytes of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ByteOrder {
    /// The lower one first, as Unity and Unreal write them on PCs.
    #[default]
    Little,
    /// The higher one first, as on old Macs.
    Big,
}

/// Where the first row of a file is. The first column always has the least x.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstRow {
    /// At the least z, as pictures of Unreal have it.
    #[default]
    LeastZ,
    /// At the greatest z.
    GreatestZ,
}
