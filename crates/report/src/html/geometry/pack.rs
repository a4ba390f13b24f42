//! Numbers as bytes that deflate well: differences in planes of bytes.

use miniz_oxide::deflate::core::{
    CompressorOxide, TDEFLFlush, compress_to_output, create_comp_flags_from_zip_params,
};
use serde::Serialize;

use super::soup::Soup;
use crate::cell_map::CellMap;

/// The greatest step of a position along each axis of its box.
const STEPS: f64 = 65535.0;

/// The box of a mesh: its least corner, and the length of a step along each axis, m.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Box3 {
    pub(super) least: [f64; 3],
    pub(super) step: [f64; 3],
}

impl Box3 {
    /// The box around points, or one at the origin where there are none.
    pub(super) fn around<'p>(points: impl Iterator<Item = &'p [f64; 3]> + Clone) -> Box3 {
        let side = |k: usize, pick: fn(f64, f64) -> f64| points.clone().map(|p| p[k]).reduce(pick);
        let least = [0, 1, 2].map(|k| side(k, f64::min).unwrap_or(0.0));
        let most = [0, 1, 2].map(|k| side(k, f64::max).unwrap_or(0.0));
        Box3 { least, step: [0, 1, 2].map(|k| ((most[k] - least[k]) / STEPS).max(1e-6)) }
    }

    pub(super) fn steps(&self, p: [f64; 3]) -> [u16; 3] {
        // A cast of a float saturates.
        [0, 1, 2].map(|k| ((p[k] - self.least[k]) / self.step[k]).round() as u16)
    }

    /// The greatest error of a position, m.
    pub(super) fn error(&self) -> f64 {
        self.step.iter().map(|s| s * s).sum::<f64>().sqrt() / 2.0
    }
}

/// The stream.
#[derive(Default)]
pub(super) struct Packer {
    pub(super) bytes: Vec<u8>,
}

impl Packer {
    /// Numbers as their lowest bytes, then the next ones, and so on.
    pub(super) fn planes(&mut self, values: &[u32], bytes: u32) {
        for plane in 0..bytes {
            self.bytes.extend(values.iter().map(|v| (v >> (8 * plane)) as u8));
        }
    }

    /// Positions: for each axis the differences from the position before.
    pub(super) fn positions(&mut self, points: &[[u16; 3]]) {
        for axis in 0..3 {
            let mut before = 0u16;
            let zigzag = points.iter().map(|p| {
                let by = p[axis].wrapping_sub(before) as i16;
                before = p[axis];
                u32::from(((by << 1) ^ (by >> 15)) as u16)
            });
            let values: Vec<u32> = zigzag.collect();
            self.planes(&values, 2);
        }
    }

    /// Triangles whose vertices are in the order of their first use: how far each index is below
    /// the next new one.
    pub(super) fn triangles(&mut self, triangles: &[[u32; 3]]) {
        let mut new = 0;
        let codes = triangles.iter().flatten().map(|&i| {
            let code = new - i;
            new = new.max(i + 1);
            code
        });
        let values: Vec<u32> = codes.collect();
        self.planes(&values, 4);
    }

    /// 32-bit floats.
    pub(super) fn floats(&mut self, values: &[f32]) {
        let bits: Vec<u32> = values.iter().map(|v| v.to_bits()).collect();
        self.planes(&bits, 4);
    }
}

/// A mesh on the steps of its box: equal positions are one, in the order of their first use.
pub(super) struct Quantised {
    pub(super) frame: Box3,
    pub(super) vertices: Vec<[u16; 3]>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// The triangles of the mesh that these are; those without area are left out.
    pub(super) kept: Vec<u32>,
}

impl Quantised {
    pub(super) fn new(soup: &Soup) -> Quantised {
        let frame = Box3::around(soup.vertices.iter());
        let places: Vec<[u16; 3]> = soup.vertices.iter().map(|&p| frame.steps(p)).collect();
        let mut known: CellMap<[u16; 3], u32> = CellMap::default();
        // Of each vertex of the mesh.
        let mut numbers = vec![u32::MAX; places.len()];
        let mut out = Quantised { frame, vertices: vec![], triangles: vec![], kept: vec![] };
        for (number, t) in (0..).zip(&soup.triangles) {
            let [a, b, c] = t.map(|i| places[i as usize]);
            if a == b || b == c || c == a {
                continue;
            }
            let vertices = &mut out.vertices;
            out.triangles.push(t.map(|i| {
                let number = &mut numbers[i as usize];
                if *number == u32::MAX {
                    let place = places[i as usize];
                    *number = *known.entry(place).or_insert_with(|| {
                        vertices.push(place);
                        vertices.len() as u32 - 1
                    });
                }
                *number
            }));
            out.kept.push(number);
        }
        out
    }

    pub(super) fn write(&self, packer: &mut Packer) {
        packer.positions(&self.vertices);
        packer.triangles(&self.triangles);
    }
}

/// Bytes as a part of a raw deflate stream (RFC 1951), made with an effort up to 9. Such parts one
/// after the other and [`END`] are a stream.
pub(super) fn part(bytes: &[u8], effort: u8) -> Vec<u8> {
    let flags = create_comp_flags_from_zip_params(effort.into(), 0, 0);
    let mut part = vec![];
    let take = |bytes: &[u8]| {
        part.extend_from_slice(bytes);
        true
    };
    compress_to_output(&mut CompressorOxide::new(flags), bytes, TDEFLFlush::Sync, take);
    part
}

/// The end of a deflate stream: a last block without bytes.
pub(super) const END: [u8; 2] = [3, 0];

/// A deflate stream of some bytes.
pub(in crate::html) fn compressed(bytes: &[u8], effort: u8) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec(bytes, effort)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads positions as the page does.
    fn positions(bytes: &[u8], count: usize) -> Vec<[u16; 3]> {
        let mut out = vec![[0u16; 3]; count];
        for axis in 0..3 {
            let (low, high) = (2 * axis * count, (2 * axis + 1) * count);
            let mut at = 0u16;
            for (k, point) in out.iter_mut().enumerate() {
                let z = u16::from(bytes[low + k]) | u16::from(bytes[high + k]) << 8;
                at = at.wrapping_add((z >> 1) ^ (z & 1).wrapping_neg());
                point[axis] = at;
            }
        }
        out
    }

    #[test]
    fn positions_come_back_over_the_whole_range() {
        let points = [[0, 65535, 1], [65535, 0, 2], [3, 40000, 65535], [3, 7, 0]];
        let mut packer = Packer::default();
        packer.positions(&points);
        assert_eq!(positions(&packer.bytes, points.len()), points);
    }

    #[test]
    fn parts_and_an_end_are_a_deflate_stream() {
        let long: Vec<u8> = (0..100_000u32).map(|k| (k.wrapping_mul(k) >> 7) as u8).collect();
        for effort in [1, 9] {
            let all = [&b"abcabcabc"[..], &long, b"", b"x"];
            let mut stream: Vec<u8> = all.iter().flat_map(|bytes| part(bytes, effort)).collect();
            stream.extend(END);
            let back = miniz_oxide::inflate::decompress_to_vec(&stream).unwrap();
            assert!(back == all.concat());
        }
    }

    #[test]
    fn quantised_positions_are_within_the_error_of_the_box() {
        let vertices = vec![[0.0, -3.0, 10.0], [354.0, 1.5, 10.0], [12.3456, 0.1, 99.9]];
        let soup = Soup { vertices, triangles: vec![[0, 1, 2], [2, 2, 1]] };
        let made = Quantised::new(&soup);
        assert_eq!((made.triangles.as_slice(), made.kept.as_slice()), (&[[0, 1, 2]][..], &[0][..]));
        for (q, p) in made.vertices.iter().zip(&soup.vertices) {
            let far =
                (0..3).map(|k| made.frame.least[k] + f64::from(q[k]) * made.frame.step[k] - p[k]);
            assert!(far.map(|d| d * d).sum::<f64>().sqrt() <= made.frame.error() + 1e-12);
        }
    }
}
