//! A navmesh in chunks: an index, and a file for each chunk.
//!
//! The ground is that of one navmesh: tiles, seams, islands and what is left out are found for the
//! whole. No polygon is merged over the side of a chunk. Then each chunk's polygons become a file
//! of their own, and edges between two chunks become walls with a seam. Rooms, links and landmarks
//! are found before the split. The index has all rooms and doors, and each chunk has the parts of
//! these on its polygons, the rows of landmarks of its vertices, the links within it, and one end
//! of each link to another chunk.

use std::borrow::Cow;
use std::collections::BTreeMap;

use navbake_format::exact::LIMIT;
use navbake_format::write::{LinkParts, record_bytes};
use navbake_format::{Chunk, NavMesh, Seam, Section};
use navbake_geom::Point3;
use navbake_hierarchy::{ClassMesh, RoomSplit, part};
use navbake_level::{Class, Level, Warning};
use navbake_mesh::{NONE, PolygonMesh};
use navbake_walkable::{Plan, WalkableSettings};

use crate::chunk_landmarks::{self, ChunkLandmarks};
use crate::chunk_links::{self, ChunkLinks};
use crate::chunk_rooms;
use crate::config::{Budget, Config, Surface};
use crate::error::BakeError;
use crate::file::{Encoded, FileParts, OtherBytes};
use crate::gateways::Gateways;
use crate::input::BakeInput;
use crate::link_ends::PolygonNumbers;
use crate::progress::Options;
use crate::recorder::{self, Recorder};
use crate::summary::{Baked, Links, Tabled};
use crate::summing::{Outcome, summed};
use crate::tables::Tables;
use crate::world::CHUNK;
use crate::{island_filter, linking, narrow, navmeshes, rooms};

/// The file of a chunk.
#[derive(Clone, Debug)]
pub struct ChunkFile {
    /// Its name, in the folder of the chunks.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Takes the files of chunks, one after the other.
pub type TakeChunk<'t> = dyn FnMut(ChunkFile) -> Result<(), BakeError> + Send + 't;

/// Column and row of a chunk.
pub(crate) type Key = [i32; 2];

impl BakeInput {
    /// Bakes the level as a world in chunks: hands over the file of each chunk, and gives the index
    /// with the summary of all. Chunks are squares of about [`Options::chunk`] m, whole tiles.
    ///
    /// # Errors
    /// As [`BakeInput::bake`]; for settings that chunks cannot have; and those of `take`.
    pub fn bake_chunks(
        &self,
        options: &Options,
        take: &mut TakeChunk<'_>,
    ) -> Result<Baked, BakeError> {
        self.check_chunks()?;
        let (threads, warning) = self.threads_within_memory(options)?;
        recorder::on_threads(threads, || self.bake_chunks_here(options, warning, take))
    }

    /// Refuses what chunks cannot have.
    ///
    /// # Errors
    /// Names the setting and what to do.
    pub fn check_chunks(&self) -> Result<(), BakeError> {
        let Some(what) = self.no_part_of_chunks() else {
            return Ok(());
        };
        let found = format!(
            "{what}: a world in chunks (.navw) cannot have this; leave it out, or bake one blob (.nav)"
        );
        Err(BakeError::input(&self.place, found))
    }

    fn no_part_of_chunks(&self) -> Option<&'static str> {
        let config = &self.config;
        let budget = config.tables.budget();
        let refused = [
            (self.map.is_some(), "a grid map"),
            (self.given.is_some(), "polygons of another baker"),
            (config.surface == Surface::Floor, "`surface = \"floor\"`"),
            (!config.vehicles.is_empty(), "vehicles"),
            (!config.networks.is_empty(), "route networks"),
            (config.sources, "`sources`"),
            (!matches!(budget, Budget::Auto | Budget::None), "tables"),
        ];
        refused.into_iter().find_map(|(is_there, what)| is_there.then_some(what))
    }

    /// The side of the chunks of a bake with these options, grid units.
    pub(crate) fn side_of_chunks(&self, options: &Options) -> Result<i32, BakeError> {
        let (classes, _) = navbake_level::classes(&self.config.agent_list());
        self.chunk_side(&classes, options)
    }

    /// The side of a chunk, grid units: whole tiles of every class.
    fn chunk_side(&self, classes: &[Class], options: &Options) -> Result<i32, BakeError> {
        let fault = |error: String| BakeError::input(&self.place, error);
        let empty = Level::empty(self.level.grid);
        let settings = WalkableSettings { cell: self.config.cell };
        let mut whole: i64 = 1;
        for class in classes {
            let plan = Plan::new(&empty, &class.agent, &settings);
            let side = i64::from(plan.map_err(|e| fault(e.to_string()))?.tile_side());
            whole = whole / gcd(whole, side) * side;
        }
        let wanted = options.chunk.unwrap_or(CHUNK);
        let tiles = (wanted * self.level.grid.units() / whole as f64).ceil().max(1.0);
        let side = tiles * whole as f64;
        if side >= f64::from(LIMIT) {
            return Err(fault(format!(
                "chunks of {wanted} m are wider than the grid; give a lesser --chunk, or a `cell` that gives all agents tiles of one size"
            )));
        }
        Ok(side as i32)
    }

    fn bake_chunks_here(
        &self,
        options: &Options,
        warning: Option<Warning>,
        take: &mut TakeChunk<'_>,
    ) -> Result<Baked, BakeError> {
        let mut rec = Recorder::new(self.clock.resumed(), options);
        let rec = &mut rec;
        rec.warnings.extend(warning);
        let (classes, class_of_agent) = navbake_level::classes(&self.config.agent_list());
        let side = self.chunk_side(&classes, options)?;
        let (meshes, tiles) = navmeshes::navmeshes(self, &classes, side, rec)?;
        let of_agent = &class_of_agent;
        let filtered = island_filter::filter_islands(self, &classes, of_agent, meshes, rec)?;
        filtered.check_walkable(self, &classes, rec)?;
        let of_classes = filtered.meshes.iter().map(|class| &class.mesh);
        narrow::report(self, &classes, of_classes, &tiles.narrow, rec);
        let meshes = rooms::rooms(self, filtered.meshes, &classes, rec)?;
        let mut whole = FileParts::new(self, &meshes, of_agent);
        let mut links = Links::default();
        if linking::has_links(self) {
            let mut encoded = Encoded::new(&whole, rec)?;
            links = linking::add_links(self, &meshes, of_agent, &mut encoded, &mut whole, rec)?;
        }
        let landmarks = chunk_landmarks::landmarks(self, &meshes, &whole, rec)?;
        // Chunks leave the links out of the config; the index keeps them.
        let config = Config { links: vec![], ..self.config.clone() }.brief();
        let links_of = &whole.links;
        let world =
            rec.serial("chunks", || Chunks::of(&meshes, links_of, landmarks, config, side))??;
        let mut chunks = vec![];
        let mut bytes = 0;
        let mut gateways = rec.serial("gateways", || world.gateways())?;
        for (number, (&(row, column), polygons)) in (0..).zip(&world.polygons) {
            let own = Numbered { number, key: [column, row], polygons };
            let (chunk, file) = world.encode(self, of_agent, &own, &mut gateways, rec)?;
            bytes += chunk.bytes;
            chunks.push(chunk);
            take(file)?;
        }
        let mut index = vec![];
        for (class, own) in (0..).zip(gateways) {
            index.extend(own.sections(class));
        }
        index.push(OtherBytes::new(Section::CHUNKS, 0, record_bytes(&chunks), 84));
        let index = self.index(&classes, &meshes, of_agent, world.tables_of_index(), index, rec)?;
        let tables = Tabled::default();
        let outcome = Outcome { meshes: &meshes, tiles, links, tables, decoded: vec![] };
        let mut baked = summed(self, index, outcome, rec)?;
        baked.summary.bytes += bytes;
        Ok(baked)
    }

    /// The index: a file without polygons, with all rooms, and sections about all chunks.
    fn index(
        &self,
        classes: &[Class],
        meshes: &[ClassMesh],
        class_of_agent: &[usize],
        tables: Tables,
        sections: Vec<OtherBytes>,
        rec: &mut Recorder<'_>,
    ) -> Result<Vec<u8>, BakeError> {
        let mut parts = FileParts::of_index(self, meshes, class_of_agent);
        let mut encoded = Encoded::new(&parts, rec)?;
        if self.config.findings {
            parts.findings = Some(self.findings(&mut encoded, classes, rec)?);
        }
        parts.others.extend(sections);
        parts.tables = tables;
        let bytes = encoded.finish(&parts, rec)?;
        encoded.read_back(&bytes)?;
        Ok(bytes)
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// All polygons by chunk.
struct Chunks<'a> {
    meshes: &'a [ClassMesh],
    /// The config in each file, as TOML text.
    config: String,
    side: i32,
    /// The chunk of each polygon, by class.
    of: Vec<Vec<Key>>,
    /// The polygons of each chunk, by class. Sorted by row, then column.
    polygons: BTreeMap<RowFirst, Vec<Vec<u32>>>,
    /// Most islands of a class.
    islands: u32,
    /// The island of the world of each polygon, by class: those that links connect are one.
    island_of: Vec<Vec<u32>>,
    /// By class; `None` without rooms.
    rooms: Vec<Option<RoomSplit<'a>>>,
    /// By class.
    links: Vec<ChunkLinks<'a>>,
    /// By class; `None` without landmarks.
    landmarks: Vec<Option<ChunkLandmarks>>,
}

/// The seams, islands and rooms of a class in a chunk, in the order of its file.
#[derive(Default)]
struct Placed {
    seams: Vec<Seam>,
    /// The island of the world that each island is part of.
    islands: Vec<u32>,
    /// The rooms and doors of the world that the rooms, doors and seams are parts of.
    rooms: Vec<u32>,
}

/// A chunk in the order of the index: row and column.
type RowFirst = (i32, i32);

/// A chunk that becomes a file.
struct Numbered<'a> {
    /// Its number in the index.
    number: u32,
    key: Key,
    /// By class.
    polygons: &'a [Vec<u32>],
}

impl<'a> Chunks<'a> {
    /// The polygons, links and landmarks of all classes.
    fn of(
        meshes: &'a [ClassMesh],
        links: &[Vec<LinkParts<'a>>],
        landmarks: Vec<Option<ChunkLandmarks>>,
        config: String,
        side: i32,
    ) -> Result<Chunks<'a>, BakeError> {
        let islands = meshes.iter().map(|class| class.islands.len() as u32).max().unwrap_or(0);
        let island_of = meshes.iter().zip(links).map(|(own, links)| {
            let of = &own.islands.of;
            let ends = |l: &LinkParts<'_>| [l.from.0, l.to.0].map(|polygon| of[polygon as usize]);
            let world = chunk_links::joined(own.islands.len(), links.iter().map(ends));
            of.iter().map(|&island| world[island as usize]).collect()
        });
        let mut all = Chunks {
            meshes,
            config,
            side,
            of: vec![],
            polygons: BTreeMap::new(),
            islands,
            island_of: island_of.collect(),
            rooms: meshes.iter().map(RoomSplit::new).collect(),
            links: vec![],
            landmarks,
        };
        for (class, own) in meshes.iter().enumerate() {
            let mut of = Vec::with_capacity(own.mesh.len());
            let mut numbers = Vec::with_capacity(own.mesh.len());
            for polygon in 0..own.mesh.len() {
                let [least, greatest] = bounds(&own.mesh, polygon as u32);
                let key = [least.x, least.z].map(|c| c.div_euclid(side));
                let ends = [greatest.x, greatest.z];
                if (0..2).any(|k| i64::from(ends[k]) > (i64::from(key[k]) + 1) * i64::from(side)) {
                    let found = format!("a polygon at {least:?} is in two chunks");
                    return Err(BakeError::internal("chunks", found));
                }
                of.push(key);
                let by_class = all.polygons.entry((key[1], key[0]));
                let by_class = by_class.or_insert_with(|| vec![vec![]; meshes.len()]);
                numbers.push(by_class[class].len() as u32);
                by_class[class].push(polygon as u32);
            }
            let place = |polygon: u32| (of[polygon as usize], numbers[polygon as usize]);
            all.links.push(ChunkLinks::of(&links[class], place));
            all.of.push(of);
        }
        Ok(all)
    }

    /// Which classes have landmarks, and in which steps.
    fn tables_of_index(&self) -> Tables {
        let of_class = (0u16..).zip(&self.landmarks);
        let of_index = |(class, own): (u16, &Option<ChunkLandmarks>)| {
            own.as_ref().map(|own| (class, own.of_index()))
        };
        Tables::of_landmarks(of_class.filter_map(of_index).collect())
    }

    /// The gateways between chunks, by class.
    fn gateways(&self) -> Vec<Gateways> {
        let numbers: BTreeMap<RowFirst, u32> = self.polygons.keys().copied().zip(0..).collect();
        let of_class = |((own, of), islands): ((&ClassMesh, &Vec<Key>), &Vec<u32>)| {
            let chunk = |&[column, row]: &Key| numbers[&(row, column)];
            let chunks: Vec<u32> = of.iter().map(chunk).collect();
            Gateways::of(&own.mesh, &chunks, islands, self.side)
        };
        self.meshes.iter().zip(&self.of).zip(&self.island_of).map(of_class).collect()
    }

    /// The file of a chunk, and its row of the index. Measures between its gateways.
    fn encode(
        &self,
        input: &BakeInput,
        class_of_agent: &[usize],
        &Numbered { number, key, polygons }: &Numbered<'_>,
        gateways: &mut [Gateways],
        rec: &mut Recorder<'_>,
    ) -> Result<(Chunk, ChunkFile), BakeError> {
        let of_class = |class: usize| match &self.rooms[class] {
            Some(rooms) => rooms.part(&polygons[class]),
            None => ClassMesh::new(part(&self.meshes[class].mesh, &polygons[class])),
        };
        let meshes: Vec<ClassMesh> =
            rec.serial("chunks", || (0..self.meshes.len()).map(of_class).collect())?;
        let config = Cow::Borrowed(self.config.as_str());
        let mut parts = FileParts::with_config(input, &meshes, class_of_agent, config);
        for (class, links) in self.links.iter().enumerate() {
            (parts.links[class], parts.far_links[class]) = links.of_chunk(key);
        }
        let mut encoded = Encoded::new(&parts, rec)?;
        let mut bounds_of = [[i32::MAX; 3], [i32::MIN; 3]];
        let mut landmarks = vec![];
        for (class, (decoded, mesh)) in (0u16..).zip(encoded.meshes(rec)?.iter().zip(&meshes)) {
            let polygons = &polygons[usize::from(class)];
            let numbers = PolygonNumbers::of(&mesh.mesh);
            let place = self.place(usize::from(class), key, &decoded.mesh(), polygons, &numbers);
            let Placed { seams, islands, rooms } = place.ok_or_else(|| lost(key))?;
            if let Some(own) = &self.landmarks[usize::from(class)] {
                let view = decoded.mesh();
                let whole = |p| Some(polygons[numbers.of_polygon(&view, p)? as usize]);
                let found = own.of_chunk(&self.meshes[usize::from(class)].mesh, &view, whole);
                landmarks.push((class, found.ok_or_else(|| lost(key))?));
            }
            let own = &mut gateways[usize::from(class)];
            rec.parallel("gateways", || own.measure(number, decoded.mesh(), &islands))?;
            let numbers = |section, numbers: &[u32]| {
                OtherBytes::new(section, class, record_bytes(numbers), 4)
            };
            parts.others.extend([
                OtherBytes::new(Section::SEAMS, class, record_bytes(&seams), 48),
                numbers(Section::WORLD_ISLANDS, &islands),
                numbers(Section::WORLD_ROOMS, &rooms),
            ]);
            if !polygons.is_empty() {
                let [least, greatest] = decoded.mesh().bounds();
                let [low, high] = bounds_of;
                bounds_of = [
                    std::array::from_fn(|k| low[k].min(least[k])),
                    std::array::from_fn(|k| high[k].max(greatest[k])),
                ];
            }
        }
        // Boxes of height meshes may reach over the side.
        for (k, axis) in [(0, 0), (1, 2)] {
            let low = key[k] * self.side;
            bounds_of[0][axis] = bounds_of[0][axis].max(low);
            bounds_of[1][axis] = bounds_of[1][axis].min(low + self.side);
        }
        let mut chunk = Chunk {
            key,
            side: self.side as u32,
            least: bounds_of[0],
            greatest: bounds_of[1],
            polygons: polygons.iter().map(|of| of.len() as u32).sum(),
            islands: self.islands,
            bytes: 0,
            hash: [0; 32],
        };
        parts.others.push(OtherBytes::new(Section::CHUNKS, 0, record_bytes(&[chunk]), 84));
        parts.tables = Tables::of_landmarks(landmarks);
        let bytes = encoded.finish(&parts, rec)?;
        encoded.read_back(&bytes)?;
        chunk.bytes = bytes.len() as u64;
        chunk.hash = blake3::hash(&bytes).into();
        Ok((chunk, ChunkFile { name: chunk.file_name(), bytes }))
    }

    /// Finds the seams of a class's polygons in a chunk, and their islands and rooms in the world.
    fn place(
        &self,
        class: usize,
        key: Key,
        view: &NavMesh<'_>,
        polygons: &[u32],
        numbers_of: &PolygonNumbers,
    ) -> Option<Placed> {
        let (own, of) = (&self.meshes[class], &self.of[class]);
        let mesh = &own.mesh;
        let point = |e: usize| mesh.vertices[mesh.corners[e] as usize];
        let rooms = self.rooms[class].as_ref();
        let mut seams = vec![];
        let mut islands = vec![NONE; view.island_count() as usize];
        for it in view.polygons() {
            let whole = polygons[numbers_of.of_polygon(view, it.id())? as usize] as usize;
            islands[view.island(it.id()).0 as usize] = self.island_of[class][whole];
            for e in mesh.edges(whole) {
                let beyond = mesh.neighbours[e];
                if beyond == NONE || of[beyond as usize] == key {
                    continue;
                }
                let end = mesh.edge_after(whole, e);
                let twin = mesh.twin(whole, e)?;
                // The twin begins where this one ends.
                let there = [mesh.edge_after(beyond as usize, twin), twin].map(|e| point(e).y);
                let from = array(point(e));
                let edge = (0..it.len()).find(|&k| it.point(k) == from)?;
                let seam = Seam {
                    polygon: it.id().0,
                    edge,
                    beyond: of[beyond as usize],
                    from,
                    to: array(point(end)),
                    heights: there,
                };
                seams.push((seam, rooms.and_then(|rooms| rooms.door(e as u32))));
            }
        }
        seams.sort_unstable_by_key(|(seam, _)| (seam.polygon, seam.edge));
        let mut numbers = vec![];
        if let (Some(split), Some(found)) = (rooms, view.rooms()) {
            let whole = |polygon| Some(polygons[numbers_of.of_polygon(view, polygon)? as usize]);
            numbers = chunk_rooms::numbers(split, mesh, view, found, whole)?;
            numbers.extend(seams.iter().map(|(_, door)| door.unwrap_or(NONE)));
        }
        let seams = seams.into_iter().map(|(seam, _)| seam).collect();
        Some(Placed { seams, islands, rooms: numbers })
    }
}

fn lost(key: Key) -> BakeError {
    let found = format!("a polygon of chunk {key:?} is not in its file");
    BakeError::internal("chunks", found)
}

/// The bounds of a polygon.
fn bounds(mesh: &PolygonMesh, polygon: u32) -> [Point3; 2] {
    let all = mesh.polygon(polygon as usize).iter().map(|&v| mesh.vertices[v as usize]);
    let start =
        [Point3::new(i32::MAX, i32::MAX, i32::MAX), Point3::new(i32::MIN, i32::MIN, i32::MIN)];
    all.fold(start, |[low, high], p| {
        [
            Point3::new(low.x.min(p.x), low.y.min(p.y), low.z.min(p.z)),
            Point3::new(high.x.max(p.x), high.y.max(p.y), high.z.max(p.z)),
        ]
    })
}

fn array(p: Point3) -> [i32; 3] {
    [p.x, p.y, p.z]
}
