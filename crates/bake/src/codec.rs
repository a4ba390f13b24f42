//! Results of tiles' jobs, and the tiles of chunks, as bytes: the only module that names bincode.
//!
//! An entry is read by the version that wrote it or not at all, so that this is no format and has
//! no documents. A head of fixed size (magic, version, content key, length, checksum) precedes the
//! payload. Reading trusts none of it: a wrong bit anywhere is noticed, and what a payload with a
//! right checksum holds is looked at before the stages get it.

use navbake_geom::{LIMIT, Point3};
use navbake_level::{Warning, WarningPlace};
#[cfg(test)]
use navbake_mesh::NONE;
use navbake_mesh::{HeightMesh, Patch, PolygonMesh};
use navbake_walkable::NarrowPassage;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::hash::ContentKey;
use crate::tile_list::{ChunkTiles, LevelTile};
use crate::tile_result::{TileNote, TileResult};

const MAGIC: [u8; 8] = *b"navtile\0";

/// Goes up whenever the bytes of the same result change.
const VERSION: u32 = 4;

const HEAD: usize = 8 + 4 + 32 + 8 + 32;

/// The most bytes of an entry. A result that takes more is not kept.
pub(crate) const MOST_BYTES: u64 = 1 << 30;

/// Mirrors [`TileResult`], so that the stages' types need not know of serde.
///
/// Texts are lists of bytes: serde reserves little for a list whatever length it says it has, and
/// reads on while there are bytes, so that no more memory is taken than a small multiple of the
/// payload.
#[derive(Serialize, Deserialize)]
struct Entry {
    patches: Vec<EntryPatch>,
    /// Code and message of each.
    notes: Vec<[Vec<u8>; 2]>,
    /// Ends and width of each.
    narrow: Vec<([[i32; 3]; 2], i32)>,
}

/// Mirrors [`ChunkTiles`].
#[derive(Serialize, Deserialize)]
struct EntryChunk {
    tiles: Vec<([i32; 2], u64, Vec<[u8; 32]>)>,
    /// The place of the code in [`NOTES`], the message and the point of each.
    notes: Vec<(u32, Vec<u8>, Option<[f64; 3]>)>,
}

/// The codes of what is noticed in chunks.
const NOTES: [&str; 2] = ["degenerate-triangles", "duplicate-triangles"];

#[derive(Serialize, Deserialize)]
struct EntryPatch {
    vertices: Vec<[i32; 3]>,
    first_edge: Vec<u32>,
    corners: Vec<u32>,
    neighbours: Vec<u32>,
    height_mesh_of: Vec<u32>,
    height_meshes: Vec<EntryHeightMesh>,
    areas: Vec<u8>,
    open: Vec<bool>,
}

#[derive(Serialize, Deserialize)]
struct EntryHeightMesh {
    least: [i32; 2],
    size: [u16; 2],
    shift: u32,
    base: i32,
    up: u32,
    corners: [u16; 4],
    points: Vec<[u16; 3]>,
}

impl EntryHeightMesh {
    fn of(height_mesh: &HeightMesh) -> EntryHeightMesh {
        EntryHeightMesh {
            least: height_mesh.least,
            size: height_mesh.size,
            shift: height_mesh.shift,
            base: height_mesh.base,
            up: height_mesh.up,
            corners: height_mesh.corners,
            points: height_mesh.points.clone(),
        }
    }

    fn into_height_mesh(self) -> HeightMesh {
        HeightMesh {
            least: self.least,
            size: self.size,
            shift: self.shift,
            base: self.base,
            up: self.up,
            corners: self.corners,
            points: self.points,
        }
    }
}

fn settings() -> impl bincode::config::Config {
    // Numbers of fixed size: coordinates seldom are small, and it is faster.
    bincode::config::standard()
        .with_little_endian()
        .with_fixed_int_encoding()
        .with_limit::<{ MOST_BYTES as usize }>()
}

/// The entry of a result, `None` when it would be too large.
pub(crate) fn encode(key: &ContentKey, result: &TileResult) -> Option<Vec<u8>> {
    entry(key, Entry::of(result))
}

/// The entry of a chunk's tiles, `None` when it would be too large.
pub(crate) fn encode_chunk(key: &ContentKey, chunk: &ChunkTiles) -> Option<Vec<u8>> {
    entry(key, EntryChunk::of(chunk)?)
}

fn entry(key: &ContentKey, payload: impl Serialize) -> Option<Vec<u8>> {
    let payload = bincode::serde::encode_to_vec(payload, settings()).ok()?;
    let most = MOST_BYTES as usize - HEAD;
    (payload.len() <= most).then(|| seal(key, &payload))
}

/// Puts the head before a payload.
fn seal(key: &ContentKey, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEAD + payload.len());
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(key.0);
    bytes.extend((payload.len() as u64).to_le_bytes());
    bytes.extend(blake3::hash(payload).as_bytes());
    bytes.extend(payload);
    bytes
}

/// The result that an entry for this key holds; otherwise what is wrong with it, as the rest of a
/// sentence.
pub(crate) fn decode(bytes: &[u8], key: &ContentKey) -> Result<TileResult, &'static str> {
    let entry = open::<Entry>(unsealed(bytes, key)?);
    entry.and_then(Entry::into_result).ok_or("holds no sound polygons")
}

/// The tiles of a chunk that an entry for this key holds; otherwise as [`decode`].
pub(crate) fn decode_chunk(bytes: &[u8], key: &ContentKey) -> Result<ChunkTiles, &'static str> {
    let entry = open::<EntryChunk>(unsealed(bytes, key)?);
    entry.and_then(EntryChunk::into_tiles).ok_or("holds no list of tiles")
}

/// The payload of an entry for this key.
fn unsealed<'a>(bytes: &'a [u8], key: &ContentKey) -> Result<&'a [u8], &'static str> {
    const CUT: &str = "is cut short";
    let rest = bytes.strip_prefix(&MAGIC).ok_or("is no entry of a cache")?;
    let (version, rest) = rest.split_first_chunk::<4>().ok_or(CUT)?;
    if *version != VERSION.to_le_bytes() {
        return Err("is of another version");
    }
    let (named, rest) = rest.split_first_chunk::<32>().ok_or(CUT)?;
    if *named != key.0 {
        return Err("is the entry of another tile");
    }
    let (length, rest) = rest.split_first_chunk::<8>().ok_or(CUT)?;
    let (checksum, payload) = rest.split_first_chunk::<32>().ok_or(CUT)?;
    if u64::from_le_bytes(*length) != payload.len() as u64 {
        return Err("has another length than it says");
    }
    if blake3::hash(payload) != *checksum {
        return Err("is damaged: its checksum differs");
    }
    Ok(payload)
}

/// The payload of an entry read and written again, if it holds a sound result: for fuzzing, where
/// the checksum of the head is right.
pub fn cache_entry_again(payload: &[u8]) -> Option<Vec<u8>> {
    let key = ContentKey([0; 32]);
    let result = decode(&seal(&key, payload), &key).ok()?;
    Some(encode(&key, &result)?.split_off(HEAD))
}

/// The value in a payload, if it is one.
fn open<T: DeserializeOwned>(payload: &[u8]) -> Option<T> {
    let (entry, read): (T, usize) = bincode::serde::decode_from_slice(payload, settings()).ok()?;
    (read == payload.len()).then_some(entry)
}

impl EntryChunk {
    /// Nothing where a note cannot be kept whole.
    fn of(chunk: &ChunkTiles) -> Option<EntryChunk> {
        let tile = |tile: &LevelTile| {
            let content = tile.content.iter().map(|key| key.0).collect();
            (tile.key, tile.triangles, content)
        };
        let note = |note: &Warning| {
            let code = NOTES.iter().position(|code| *code == note.code)?;
            let place = match note.place {
                WarningPlace::None => None,
                WarningPlace::Point(at) => Some(at),
                WarningPlace::Source(_) => return None,
            };
            Some((code as u32, note.message.clone().into_bytes(), place))
        };
        Some(EntryChunk {
            tiles: chunk.tiles.iter().map(tile).collect(),
            notes: chunk.notes.iter().map(note).collect::<Option<_>>()?,
        })
    }

    fn into_tiles(self) -> Option<ChunkTiles> {
        let tiles = self.tiles.into_iter().map(|(key, triangles, content)| LevelTile {
            key,
            triangles,
            content: content.into_iter().map(ContentKey).collect(),
        });
        let note = |(code, message, place): (u32, Vec<u8>, Option<[f64; 3]>)| {
            Some(Warning {
                code: NOTES.get(code as usize)?,
                message: String::from_utf8(message).ok()?,
                place: place.into(),
            })
        };
        Some(ChunkTiles {
            tiles: tiles.collect(),
            notes: self.notes.into_iter().map(note).collect::<Option<_>>()?,
        })
    }
}

impl Entry {
    fn of(result: &TileResult) -> Entry {
        let plain = |points: &[Point3]| points.iter().map(|p| [p.x, p.y, p.z]).collect();
        let patches = result.patches.iter().map(|patch| EntryPatch {
            vertices: plain(&patch.mesh.vertices),
            first_edge: patch.mesh.first_edge.clone(),
            corners: patch.mesh.corners.clone(),
            neighbours: patch.mesh.neighbours.clone(),
            height_mesh_of: patch.mesh.height_mesh_of.clone(),
            height_meshes: patch.mesh.height_meshes.iter().map(EntryHeightMesh::of).collect(),
            areas: patch.mesh.areas.clone(),
            open: patch.open.clone(),
        });
        let bytes = |text: &String| text.clone().into_bytes();
        let notes = result.notes.iter().map(|note| [bytes(&note.code), bytes(&note.message)]);
        let narrow = result.narrow.iter().map(|passage| (passage.ends, passage.width));
        Entry { patches: patches.collect(), notes: notes.collect(), narrow: narrow.collect() }
    }

    fn into_result(self) -> Option<TileResult> {
        let patches: Option<Vec<Patch>> =
            self.patches.into_iter().map(EntryPatch::into_patch).collect();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).ok();
        let note = |[code, message]: [Vec<u8>; 2]| {
            Some(TileNote { code: text(code)?, message: text(message)? })
        };
        let narrow = self.narrow.into_iter();
        Some(TileResult {
            narrow: narrow.map(|(ends, width)| NarrowPassage { ends, width }).collect(),
            patches: patches?,
            notes: self.notes.into_iter().map(note).collect::<Option<_>>()?,
        })
    }
}

impl EntryPatch {
    /// The patch, if it keeps what [`Patch`] promises: places on the grid, indices in range, convex
    /// polygons, mirrored neighbours.
    fn into_patch(self) -> Option<Patch> {
        let on_grid = |c: &i32| (-LIMIT..=LIMIT).contains(c);
        let points = |list: Vec<[i32; 3]>| {
            let sound = list.iter().flatten().all(on_grid);
            let points = list.iter().map(|&[x, y, z]| Point3::new(x, y, z));
            sound.then(|| points.collect::<Vec<Point3>>())
        };
        let mesh = PolygonMesh {
            vertices: points(self.vertices)?,
            first_edge: self.first_edge,
            corners: self.corners,
            neighbours: self.neighbours,
            height_mesh_of: self.height_mesh_of,
            height_meshes: (self.height_meshes.into_iter())
                .map(EntryHeightMesh::into_height_mesh)
                .collect(),
            areas: self.areas,
        };
        let whole = self.open.len() == mesh.corners.len() && mesh.check().is_ok();
        whole.then_some(Patch { mesh, open: self.open })
    }
}

/// A small result for tests.
#[cfg(test)]
pub(crate) fn sample() -> TileResult {
    let corner = |x, y, z| Point3::new(x, y, z);
    // Counter-clockwise seen from above, where z points down the page.
    let mesh = PolygonMesh {
        vertices: vec![
            corner(0, 1, 0),
            corner(0, 3, 8),
            corner(8, -2, 0),
            corner(8, 4, 8),
            corner(9, 0, 4),
        ],
        first_edge: vec![0, 4, 7],
        corners: vec![0, 1, 3, 2, 2, 3, 4],
        neighbours: vec![NONE, NONE, 1, NONE, 0, NONE, NONE],
        height_mesh_of: vec![0, NONE],
        height_meshes: vec![HeightMesh {
            least: [0, 0],
            size: [8, 8],
            shift: 0,
            base: -2,
            up: 1,
            corners: [0, 1, 2, 3],
            points: vec![[4, 7, 4]],
        }],
        areas: vec![0, 5],
    };
    let open = vec![true, false, false, true, false, false, false];
    TileResult {
        patches: vec![
            Patch {
                mesh: PolygonMesh { first_edge: vec![0], ..PolygonMesh::default() },
                open: vec![],
            },
            Patch { mesh, open },
        ],
        notes: vec![TileNote { code: "code".into(), message: "what \u{e9}".into() }],
        narrow: vec![NarrowPassage { ends: [[1, -2, 3], [4, 5, -6]], width: 1229 }],
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KEY: ContentKey = ContentKey([7; 32]);

    fn whole() -> Vec<u8> {
        encode(&KEY, &sample()).unwrap()
    }

    #[test]
    fn a_result_comes_back_as_it_was() {
        for result in [sample(), TileResult::default()] {
            let bytes = encode(&KEY, &result).unwrap();
            assert_eq!(decode(&bytes, &KEY), Ok(result));
        }
    }

    #[test]
    fn every_truncation_and_every_addition_is_a_miss() {
        let whole = whole();
        for length in 0..whole.len() {
            assert!(decode(&whole[..length], &KEY).is_err(), "{length}");
        }
        assert!(decode(&[&whole[..], &[0]].concat(), &KEY).is_err());
    }

    #[test]
    fn every_flipped_bit_is_a_miss() {
        let mut bytes = whole();
        for at in 0..8 * bytes.len() {
            bytes[at / 8] ^= 1 << (at % 8);
            assert!(decode(&bytes, &KEY).is_err(), "bit {at}");
            bytes[at / 8] ^= 1 << (at % 8);
        }
    }

    #[test]
    fn an_entry_of_another_key_is_a_miss() {
        let error = decode(&whole(), &ContentKey([8; 32])).unwrap_err();
        assert!(error.contains("another tile"), "{error}");
    }

    /// What decoding makes of a result that was written although it is not sound.
    fn forged(change: impl Fn(&mut Patch)) -> Result<TileResult, &'static str> {
        let mut result = sample();
        change(&mut result.patches[1]);
        decode(&encode(&KEY, &result).unwrap(), &KEY)
    }

    #[test]
    fn unsound_polygons_are_a_miss_though_the_checksum_is_right() {
        assert!(forged(|_| {}).is_ok());
        assert!(forged(|p| p.mesh.corners[1] = 5).is_err(), "index");
        assert!(forged(|p| p.mesh.corners.swap(0, 1)).is_err(), "clockwise");
        assert!(forged(|p| p.mesh.corners[4] = 4).is_err(), "no area");
        assert!(forged(|p| p.mesh.neighbours[2] = 7).is_err(), "no such polygon");
        assert!(forged(|p| p.mesh.height_mesh_of[1] = 2).is_err(), "height mesh");
        assert!(forged(|p| p.mesh.areas.push(0)).is_err(), "too many areas");
        assert!(forged(|p| p.open.push(false)).is_err(), "too many");
        assert!(forged(|p| p.mesh.vertices[0].y = i32::MIN).is_err(), "off the grid");
        let of = |change: fn(&mut HeightMesh)| forged(|p| change(&mut p.mesh.height_meshes[0]));
        assert!(of(|h| h.base = i32::MIN).is_err(), "heights off the grid");
        assert!(of(|h| h.least[0] = i32::MIN).is_err(), "a height mesh off the grid");
    }

    #[test]
    fn a_length_that_lies_reserves_little() {
        // A list of 2^40 patches, and one of as many as the limit would let pass.
        for length in [1u64 << 40, MOST_BYTES / 8, u64::MAX] {
            let payload = length.to_le_bytes();
            assert!(open::<Entry>(&payload).is_none() && open::<EntryChunk>(&payload).is_none());
            let one_patch = [1u64.to_le_bytes(), payload].concat();
            assert!(open::<Entry>(&one_patch).is_none());
        }
    }

    proptest! {
        #[test]
        fn random_payloads_never_panic(payload in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode(&payload, &KEY);
            let _ = decode(&seal(&KEY, &payload), &KEY);
        }

        #[test]
        fn a_changed_payload_with_a_right_checksum_is_sound_or_a_miss(
            changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        ) {
            let mut payload = whole().split_off(HEAD);
            for (at, byte) in changes {
                let at = at.index(payload.len());
                payload[at] = byte;
            }
            if let Ok(result) = decode(&seal(&KEY, &payload), &KEY) {
                for patch in &result.patches {
                    prop_assert_eq!(patch.mesh.corners.len(), patch.open.len());
                    prop_assert_eq!(patch.mesh.check(), Ok(()));
                }
                // Every accepted entry is written again with the same bytes.
                prop_assert_eq!(encode(&KEY, &result).unwrap().split_off(HEAD), payload);
            }
        }
    }
}
