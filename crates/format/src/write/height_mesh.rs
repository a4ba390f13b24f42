//! Encodes the sections of height meshes.

use alloc::vec;
use alloc::vec::Vec;

use super::EncodeError;
use crate::Section;
use crate::draft::{Draft, Drafts};
use crate::height_mesh::{Head, LEAST_BUCKET, MANY};
use crate::records::{LongRun, ShortRun};

/// The heights of some ground, in steps; see [`Detail`](crate::Detail).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeightMeshParts<'a> {
    /// Least corner of its box `[x, z]`, grid units.
    pub least: [i32; 2],
    /// The box's sides in steps, 1 to [`crate::MOST_STEPS`].
    pub size: [u16; 2],
    /// A step along x and z is `2^shift` grid units.
    pub shift: u32,
    /// The base of heights, grid units.
    pub base: i32,
    /// A step upwards is `2^up` grid units.
    pub up: u32,
    /// Heights of the box's corners, counter-clockwise seen from above from the least one on.
    pub corners: [u16; 4],
    /// Height points `[x, y, z]` from the least corner and the base: in the box, not at its
    /// corners, no two at one place, at most [`crate::detail::MOST_POINTS`].
    pub points: &'a [[u16; 3]],
}

/// The most points that buckets hold on average, if they can be so small.
const POINTS_A_BUCKET: usize = 14;

impl HeightMeshParts<'_> {
    /// The words of the height mesh: a head, where buckets end, points.
    fn words(&self) -> Vec<u32> {
        let ups = || (self.corners.iter().copied()).chain(self.points.iter().map(|p| p[1]));
        let lowest = ups().min().unwrap_or(0);
        let top = ups().max().unwrap_or(0) - lowest;
        let mut head = Head {
            least: self.least,
            // Wraps for heights far outside the grid only, which are refused then.
            base: self.base.wrapping_add(i32::from(lowest).wrapping_shl(self.up)),
            size: self.size.map(i32::from),
            corners: self.corners.map(|y| y - lowest),
            top,
            shifts: [self.shift & 31, LEAST_BUCKET, self.up & 31],
            wide: self.points.len() >= MANY,
            spare: 0,
        };
        // Bucket sizes that take the fewest bytes, among those that are small enough and whose bits
        // leave room for heights.
        let sizes = (LEAST_BUCKET..LEAST_BUCKET + 8)
            .map(|k| Head { shifts: [head.shifts[0], k, head.shifts[2]], ..head });
        let bytes = |h: &Head| h.end_bytes() + (self.points.len() * h.width()).div_ceil(8);
        let good = |h: &Head| {
            let few = h.bucket_count() * POINTS_A_BUCKET >= self.points.len();
            h.width() <= 32 && (few || h.shifts[1] == LEAST_BUCKET)
        };
        head = sizes.filter(good).min_by_key(bytes).unwrap_or(head);
        let k = head.shifts[1];
        let across = head.buckets()[0] as usize;
        let mut points: Vec<(usize, u32)> = (self.points.iter())
            .map(|&[x, y, z]| {
                let [x, z, y] = [x, z, y - lowest].map(u32::from);
                let bucket = (z >> k) as usize * across + (x >> k) as usize;
                let mask = (1 << k) - 1;
                (bucket, x & mask | (z & mask) << k | y << (2 * k))
            })
            .collect();
        let place = |code: u32| code & ((1 << (2 * k)) - 1);
        points.sort_unstable_by_key(|&(bucket, code)| (bucket, place(code), code));
        let mut bytes = vec![];
        for b in 0..head.bucket_count() {
            let end = points.partition_point(|p| p.0 <= b) as u32;
            bytes.extend(&end.to_le_bytes()[..if head.wide { 2 } else { 1 }]);
        }
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let mut words: Vec<u32> = head.words().to_vec();
        let word = |b: &[u8]| b.iter().rev().fold(0, |w, &b| w << 8 | u32::from(b));
        words.extend(bytes.chunks(4).map(word));
        // Points one after the other, without gaps.
        let (mut held, mut count) = (0u64, 0);
        for (_, code) in &points {
            held |= u64::from(*code) << count;
            count += head.width().min(32);
            if count >= 32 {
                words.push(held as u32);
                held >>= 32;
                count -= 32;
            }
        }
        if count > 0 {
            words.push(held as u32);
        }
        words
    }
}

/// The height meshes that polygons name, numbered in the order in which they are first named.
#[derive(Default)]
pub(super) struct HeightMeshes {
    /// Of each polygon, from 1; 0 for none.
    of: Vec<u32>,
    /// The words of each.
    all: Vec<Vec<u32>>,
    /// Of each, its least and greatest height.
    heights: Vec<[i32; 2]>,
    /// Their numbers, by those of the caller.
    known: Vec<u32>,
}

impl HeightMeshes {
    /// The polygon behind the last one has this height mesh.
    pub(super) fn push(&mut self, height_mesh: u32, parts: &[HeightMeshParts<'_>]) {
        let Some(part) = parts.get(height_mesh as usize) else {
            self.of.push(0);
            return;
        };
        self.known.resize(parts.len(), 0);
        let number = &mut self.known[height_mesh as usize];
        if *number == 0 {
            let words = part.words();
            let base = words[2] as i32;
            let top = (words[6] as u16 as i32).wrapping_shl(part.up);
            self.heights.push([base, base.wrapping_add(top)]);
            self.all.push(words);
            *number = self.all.len() as u32;
        }
        let number = *number;
        self.of.push(number);
    }

    /// Least and greatest height of a polygon's height mesh.
    pub(super) fn heights(&self, polygon: usize) -> Option<[i32; 2]> {
        let number = self.of[polygon] as usize;
        number.checked_sub(1).map(|i| self.heights[i])
    }

    /// Sections that are there when any polygon has a height mesh.
    pub(super) fn write(&self, class: u16, drafts: &mut Drafts<'_>) -> Result<(), EncodeError> {
        if self.all.is_empty() {
            return Ok(());
        }
        let section = Section::HEIGHT_MESH_OF;
        let polygons = self.of.len();
        let runs: Vec<(u32, u32)> = (0..polygons)
            .filter(|&p| p.checked_sub(1).map_or(0, |q| self.of[q]) != self.of[p])
            .map(|p| (p as u32, self.of[p]))
            .collect();
        let byte = self.all.len() <= usize::from(u8::MAX);
        let short = polygons <= 1 << 16 && self.all.len() <= usize::from(u16::MAX);
        let run = if short { 4 } else { 8 };
        let one = if byte { 1 } else { 2 };
        drafts.push(if short && one * polygons <= run * runs.len() && byte {
            Draft::required(section, class, self.of.iter().map(|&r| r as u8))
        } else if short && one * polygons <= run * runs.len() {
            Draft::required(section, class, self.of.iter().map(|&r| r as u16))
        } else if short {
            let all = runs.iter().map(|&(first, height_mesh)| ShortRun {
                first: first as u16,
                height_mesh: height_mesh as u16,
            });
            Draft::required(section, class, all)
        } else {
            let all = (runs.iter()).map(|&(first, height_mesh)| LongRun { first, height_mesh });
            Draft::required(section, class, all)
        });
        let mut words = vec![self.all.len() as u32];
        let mut end = 1 + self.all.len();
        for height_mesh in &self.all {
            end += height_mesh.len();
            words.push(end as u32);
        }
        words.extend(self.all.iter().flatten());
        if words.len() >= u32::MAX as usize {
            return Err(EncodeError::Length {
                what: "words of height meshes",
                class,
                found: words.len() as u64,
                expected: u32::MAX.into(),
            });
        }
        drafts.push(Draft::required(Section::HEIGHT_MESHES, class, words));
        Ok(())
    }
}
