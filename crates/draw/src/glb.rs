//! Binary glTF 2.0: one mesh, one primitive an island.

use std::fmt::Write;

use crate::surface::Surface;

/// The chunk types of a GLB file.
const JSON: &[u8; 4] = b"JSON";
const BIN: &[u8; 4] = b"BIN\0";

/// Writes the surface as GLB: positions as 32-bit floats, triangles by island.
pub fn write(surface: &Surface) -> Vec<u8> {
    let positions: Vec<[f32; 3]> =
        (surface.vertices.iter().chain(&surface.points)).map(|p| p.map(|c| c as f32)).collect();
    let mut bin: Vec<u8> = vec![];
    for c in positions.as_flattened() {
        bin.extend(c.to_le_bytes());
    }
    let (mut views, mut accessors, mut primitives) = (String::new(), String::new(), String::new());
    let vertex_bytes = bin.len();
    for (k, (_, polygons)) in surface.polygons_of_islands().into_iter().enumerate() {
        let start = bin.len();
        for polygon in polygons {
            for i in surface.triangle_indices(polygon).into_iter().flatten() {
                bin.extend(i.to_le_bytes());
            }
        }
        let bytes = bin.len() - start;
        let _ = write!(
            views,
            ",{{\"buffer\":0,\"byteOffset\":{start},\"byteLength\":{bytes},\"target\":34963}}"
        );
        let _ = write!(
            accessors,
            ",{{\"bufferView\":{0},\"componentType\":5125,\"count\":{1},\"type\":\"SCALAR\"}}",
            k + 1,
            bytes / 4
        );
        let _ = write!(
            primitives,
            "{}{{\"attributes\":{{\"POSITION\":0}},\"indices\":{}}}",
            if k == 0 { "" } else { "," },
            k + 1
        );
    }
    let asset = "\"asset\":{\"version\":\"2.0\",\"generator\":\"navbake\"}";
    // glTF has no empty buffers, accessors or meshes.
    let json = if primitives.is_empty() {
        format!("{{{asset},\"scene\":0,\"scenes\":[{{}}]}}")
    } else {
        let side = |pick: fn(f32, f32) -> f32, k: usize| {
            let values = positions.iter().map(|p| p[k]);
            values.reduce(pick).unwrap_or_default()
        };
        let [least, most] = [f32::min, f32::max].map(|pick| [0, 1, 2].map(|k| side(pick, k)));
        format!(
            "{{{asset},\"scene\":0,\"scenes\":[{{\"nodes\":[0]}}],\
             \"nodes\":[{{\"name\":\"navmesh\",\"mesh\":0}}],\
             \"meshes\":[{{\"primitives\":[{primitives}]}}],\
             \"buffers\":[{{\"byteLength\":{}}}],\
             \"bufferViews\":[{{\"buffer\":0,\"byteOffset\":0,\"byteLength\":{vertex_bytes},\
             \"target\":34962}}{views}],\
             \"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\"count\":{},\
             \"type\":\"VEC3\",\"min\":{least:?},\"max\":{most:?}}}{accessors}]}}",
            bin.len(),
            positions.len()
        )
    };
    file(json.into_bytes(), bin)
}

/// The file of both chunks, each padded to four bytes.
fn file(mut json: Vec<u8>, bin: Vec<u8>) -> Vec<u8> {
    json.resize(json.len().next_multiple_of(4), b' ');
    let chunk = |kind: &[u8; 4], data: &[u8]| {
        let length = (data.len() as u32).to_le_bytes();
        [&length[..], kind, data].concat()
    };
    let mut chunks = chunk(JSON, &json);
    if !bin.is_empty() {
        chunks.extend(chunk(BIN, &bin));
    }
    let length = (12 + chunks.len() as u32).to_le_bytes();
    [b"glTF", &2u32.to_le_bytes()[..], &length, &chunks].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::tests::two_squares_and_an_island;

    fn word(bytes: &[u8], at: usize) -> usize {
        u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
    }

    #[test]
    fn islands_are_primitives_and_lengths_are_right() {
        let bytes = write(&two_squares_and_an_island());
        assert_eq!(&bytes[..4], b"glTF");
        assert_eq!(word(&bytes, 8), bytes.len());
        let json = &bytes[20..20 + word(&bytes, 12)];
        let json = std::str::from_utf8(json).unwrap();
        assert_eq!(json.matches("\"POSITION\"").count(), 2);
        assert!(json.contains("\"min\":[0.0, 0.0, 0.0],\"max\":[6.0, 0.0, 1.0]"));
        // 9 positions of 12 bytes, 4 triangles and 1 triangle of 12 bytes.
        assert_eq!(word(&bytes, 20 + json.len()), 9 * 12 + 5 * 12);
        let empty = write(&Surface::default());
        assert_eq!(word(&empty, 8), empty.len());
    }
}
