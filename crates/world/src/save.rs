//! A world as bytes, and the world of these bytes.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use navbake_format::{AreaId, NavMeshBuf, crc32c};

use crate::base::Base;
use crate::bytes::{Reader, Writer, each_once, sound};
use crate::chunk::ChunkMesh;
use crate::ground::Ground;
use crate::loaded::Loaded;
use crate::world::{Change, Slot};
use crate::{Error, World, shape};

/// First bytes of a saved world.
const MAGIC: [u8; 8] = *b"\x89NBW\r\n\x1a\n";
/// Raised whenever the bytes of saved worlds change, or the numbers of pieces.
const VERSION: u32 = 4;
/// In place of an area: an obstacle, which takes ground.
const TAKES: u8 = u8::MAX;

/// A chunk that a saved world needs: its column and row, its fingerprint, and whether it is loaded.
/// Else it only waits to be.
type Needed = ([i32; 2], u64, bool);

/// The content of a saved world: bytes whose checksum is right.
fn content(saved: &[u8]) -> Result<Reader<'_>, Error> {
    let rest = saved.strip_prefix(&MAGIC).ok_or(Error::NotSaved)?;
    let mut input = Reader(rest);
    let version = input.u32()?;
    if version != VERSION {
        return Err(Error::SavedVersion(version));
    }
    let sum = input.u32()?;
    sound(sum == crc32c(&[input.0]))?;
    Ok(input)
}

fn needed(input: &mut Reader<'_>) -> Result<Vec<Needed>, Error> {
    let all: Result<Vec<Needed>, Error> = (0..input.count(17)?)
        .map(|_| {
            let key = [input.u32()? as i32, input.u32()? as i32];
            Ok((key, input.u64()?, input.flag()?))
        })
        .collect();
    let all = all?;
    let place = |([column, row], ..): Needed| (row, column);
    sound(all.is_sorted_by(|&a, &b| place(a) < place(b)))?;
    Ok(all)
}

impl World {
    /// The state of the world as bytes: chunks that are loaded, obstacles, and staged changes that
    /// no commit has made yet. [`World::restore`] makes the world of them.
    ///
    /// The navmesh and the chunks are not part of it, and neither are filters. The same changes
    /// give the same bytes on every machine. O(polygons of now that obstacles touch), and a run of
    /// numbers for the rest.
    ///
    /// ```
    /// # let bytes = navbake_testkit::level();
    /// use navbake_world::{NavMeshBuf, Obstacle, World};
    ///
    /// let mut world = World::new(NavMeshBuf::open(&bytes)?);
    /// let barrel = world.add(Obstacle::cylinder([3.0, 2.0], 0.5, [0.0, 1.0])?)?;
    /// let saved = world.save();
    ///
    /// let mut restored = World::restore(NavMeshBuf::open(&bytes)?, &saved, |_| None)?;
    /// assert_eq!(restored.commit(), world.commit());
    /// assert_eq!(restored.obstacle(barrel)?, world.obstacle(barrel)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.u64(self.baked().fingerprint());
        let needed = self.needed();
        out.u32(needed.len() as u32);
        for &([column, row], fingerprint, is_loaded) in &needed {
            out.u32(column as u32);
            out.u32(row as u32);
            out.u64(fingerprint);
            out.u8(u8::from(is_loaded));
        }
        if let Some(loaded) = self.ground.loaded() {
            loaded.save(&mut out);
        }
        out.u32(self.slots.len() as u32);
        for slot in &self.slots {
            out.u32(slot.generation);
            out.u8(slot.area.map_or(TAKES, |area| area.0));
            for obstacle in [&slot.obstacle, &slot.placed] {
                out.u8(u8::from(obstacle.is_some()));
                obstacle.iter().for_each(|obstacle| shape::save(obstacle, &mut out));
            }
        }
        out.list(&self.free);
        out.u32(self.queue.len() as u32);
        for change in &self.queue {
            let (kind, number) = match change {
                Change::Obstacle(number) => (0, *number),
                Change::Insert(number, _) => (1, *number as u32),
                Change::Remove(number) => (2, *number as u32),
            };
            out.u8(kind);
            out.u32(number);
        }
        self.ground.save(&mut out);
        let mut saved = Vec::with_capacity(out.0.len() + 16);
        saved.extend(MAGIC);
        saved.extend(VERSION.to_le_bytes());
        saved.extend(crc32c(&[&out.0]).to_le_bytes());
        saved.extend(out.0);
        saved
    }

    /// The chunks that are loaded, or wait to be, by row and column.
    fn needed(&self) -> Vec<Needed> {
        let Some(loaded) = self.ground.loaded() else {
            return Vec::new();
        };
        let mut all = BTreeMap::new();
        for change in &self.queue {
            if let Change::Insert(number, chunk) = change {
                all.insert(*number, (chunk.key(), chunk.fingerprint, false));
            }
        }
        let placed = loaded.placed.iter().enumerate();
        for (number, placed) in placed.filter_map(|(i, placed)| Some((i, placed.as_ref()?))) {
            all.insert(number, (placed.chunk.key, placed.fingerprint, true));
        }
        all.into_values().collect()
    }

    /// The chunks that [`World::restore`] asks for, by column and row: so that they can be loaded
    /// before, on other threads.
    ///
    /// # Errors
    /// Those of [`World::restore`] for bytes that are no saved world.
    pub fn saved_chunks(saved: &[u8]) -> Result<Vec<[i32; 2]>, Error> {
        let mut input = content(saved)?;
        input.u64()?;
        Ok(needed(&mut input)?.into_iter().map(|(key, ..)| key).collect())
    }

    /// The world of the bytes of [`World::save`].
    ///
    /// It answers as the one that was saved, bit for bit, and the same changes give it the same
    /// ids: ids of obstacles and references to polygons stay valid. `nav` is the navmesh or the
    /// index with which the world was made, and `chunk` gives the chunk of a column and a row.
    /// Takes about as long as inserting the chunks and adding the obstacles.
    ///
    /// # Errors
    /// [`Error::NotSaved`], [`Error::SavedVersion`] and [`Error::Damaged`] for bytes that this
    /// version did not save, [`Error::OtherNavMesh`] for those of another navmesh,
    /// [`Error::NoSavedChunk`] where `chunk` gives none, [`Error::OtherWorld`] and
    /// [`Error::OtherChunk`] where it gives another one.
    pub fn restore(
        nav: NavMeshBuf,
        saved: &[u8],
        mut chunk: impl FnMut([i32; 2]) -> Option<ChunkMesh>,
    ) -> Result<World, Error> {
        let mut input = content(saved)?;
        if input.u64()? != nav.mesh().fingerprint() {
            return Err(Error::OtherNavMesh);
        }
        let needed = needed(&mut input)?;
        let mut world = World::new(nav.clone());
        let mut chunks = BTreeMap::new();
        for &(key, fingerprint, is_loaded) in &needed {
            let given = chunk(key).ok_or(Error::NoSavedChunk(key))?;
            let loaded = world.ground.loaded().ok_or(Error::Damaged)?;
            let number = if given.key() == key { loaded.number_of(&given)? } else { usize::MAX };
            if number == usize::MAX || given.fingerprint != fingerprint {
                return Err(Error::OtherChunk(key));
            }
            chunks.insert(number, (given, is_loaded));
        }
        let base = match world.ground.loaded() {
            None => Base::Blob(nav),
            Some(_) => {
                let loaded = chunks.iter().filter(|(_, (_, is_loaded))| *is_loaded);
                let loaded: Vec<(usize, &ChunkMesh)> =
                    loaded.map(|(&number, (chunk, _))| (number, chunk)).collect();
                Base::Chunks(Loaded::restore(nav, &mut input, &loaded)?)
            }
        };
        world.restore_obstacles(&mut input)?;
        world.restore_queue(&mut input, &chunks)?;
        let none = Default::default;
        let shapes = world.slots.iter().map(|slot| match &slot.placed {
            Some(obstacle) => world.shape(obstacle, slot.area).map_err(|_| Error::Damaged),
            None => Ok(none()),
        });
        let shapes = shapes.collect::<Result<Vec<_>, Error>>()?;
        world.ground = Ground::restored(base, &mut input, shapes)?;
        sound(input.0.is_empty())?;
        Ok(world)
    }

    fn restore_obstacles(&mut self, input: &mut Reader<'_>) -> Result<(), Error> {
        for _ in 0..input.count(7)? {
            let generation = input.u32()?;
            let area = Some(input.u8()?).filter(|&area| area != TAKES).map(AreaId);
            sound(area.is_none_or(|area| area.index() < AreaId::LIMIT))?;
            let mut one = || match input.flag()? {
                true => shape::restore(input).map(Some),
                false => Ok(None),
            };
            let (obstacle, placed) = (one()?, one()?);
            sound(area.is_none() || obstacle.is_some() || placed.is_some())?;
            self.slots.push(Slot { generation, obstacle, placed, area, ..Slot::default() });
        }
        self.free = input.list()?;
        Ok(())
    }

    fn restore_queue(
        &mut self,
        input: &mut Reader<'_>,
        chunks: &BTreeMap<usize, (ChunkMesh, bool)>,
    ) -> Result<(), Error> {
        for (&number, (_, is_loaded)) in chunks {
            self.wanted[number] = *is_loaded;
        }
        for _ in 0..input.count(5)? {
            let (kind, number) = (input.u8()?, input.u32()?);
            let i = number as usize;
            if kind == 0 {
                let slot = self.slots.get(i).ok_or(Error::Damaged)?;
                sound(!slot.waits)?;
                let next = slot.obstacle.as_ref().map(|obstacle| self.shape(obstacle, slot.area));
                let next = next.transpose().map_err(|_| Error::Damaged)?;
                (self.slots[i].waits, self.slots[i].next) = (true, next);
                self.queue.push_back(Change::Obstacle(number));
                continue;
            }
            sound(kind <= 2 && self.wanted.get(i) == Some(&(kind == 2)))?;
            self.wanted[i] = kind == 1;
            self.queue.push_back(match kind {
                1 => {
                    let (chunk, _) = chunks.get(&i).ok_or(Error::Damaged)?;
                    Change::Insert(i, Box::new(chunk.clone()))
                }
                _ => Change::Remove(i),
            });
        }
        // Without a staged change an obstacle takes its ground, and a slot without one is free.
        let is_free = |slot: &Slot| !slot.waits && slot.obstacle.is_none();
        sound(self.slots.iter().all(|slot| slot.waits || slot.obstacle == slot.placed))?;
        let mut seen: Vec<bool> = self.slots.iter().map(|slot| !is_free(slot)).collect();
        each_once(&mut seen, self.free.iter().copied())?;
        sound(seen.iter().all(|&seen| seen))
    }
}
