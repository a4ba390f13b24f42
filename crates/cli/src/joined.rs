//! A world in chunks as one blob: what verbs read in place of its index.
//!
//! All chunks are inserted in a [`World`], which joins them, and its ground is encoded as a bake in
//! one piece encodes its own. No polygon reaches over the side of a chunk. It is a blob rather than
//! a world so that every verb reads it, and pages of reports, which search it in the browser.

use std::collections::HashMap;

use navbake_bake::world_files::{chunk_folder, chunk_path};
use navbake_format::detail::DetailHead;
use navbake_format::write::{
    BlobParts, ClosureParts, DoorParts, EncodeError, Encoder, FindingsParts, HeightMeshParts,
    LinkParts, MeshParts, WeightParts,
};
use navbake_format::{Blob, CheckedBlob, Chunk, DiagnosticKind, NavMesh, PolyId, Section};
use navbake_world::{ChunkMesh, World};
use rayon::prelude::*;

use crate::args::BlobPath;
use crate::blob_file::{BlobFile, Bytes, LARGEST};
use crate::failure::Failure;
use crate::joined_rooms::GroundRooms;
use crate::output::is_dash;

/// In place of a polygon or a height mesh.
const NONE: u32 = u32::MAX;

impl BlobFile {
    /// Loads a blob; of a world in chunks, whose index it is, all chunks as one blob.
    ///
    /// # Errors
    /// If it or a chunk cannot be read or mapped, or is invalid.
    pub(crate) fn whole(blob: &BlobPath) -> Result<BlobFile, Failure> {
        let file = BlobFile::load(blob)?;
        let of_chunks = |blob: Blob<'_>| blob.section(Section::CHUNKS, 0).is_some();
        if !Blob::open(&file.bytes).is_ok_and(of_chunks) {
            return Ok(file);
        }
        let index = Some(file.checked()?).filter(CheckedBlob::is_index);
        let Some(joined) = index.map(|index| join(&index, blob)).transpose()? else {
            return Ok(file);
        };
        match joined.faults.into_iter().next() {
            Some(fault) => Err(fault),
            None => Ok(BlobFile { bytes: Bytes::Owned(joined.bytes), name: file.name }),
        }
    }
}

/// A world in chunks as one blob.
pub(crate) struct Joined {
    /// The blob, which is not checked.
    pub(crate) bytes: Vec<u8>,
    /// Why chunks are not in it, in the order of the index.
    pub(crate) faults: Vec<Failure>,
}

/// Joins the chunks of a world whose index is `blob`, without those that are missing or are not
/// those of the index.
///
/// # Errors
/// If the index is stdin, or if all chunks are too much for one blob.
pub(crate) fn join(index: &CheckedBlob<'_>, blob: &BlobPath) -> Result<Joined, Failure> {
    if is_dash(&blob.path) {
        return Err(Failure::usage(
            "stdin: the index of a world in chunks, which are files beside it; name the file of the index instead of -",
        ));
    }
    let name = blob.path.display();
    let bytes = index.chunks().iter().fold(0, |sum: u64, chunk| sum.saturating_add(chunk.bytes));
    if bytes > LARGEST {
        return Err(Failure::input(format_args!(
            "{name}: its chunks have {bytes} bytes, more than a blob can have; name the file of a chunk instead"
        )));
    }
    let (worlds, faults) = worlds(index, blob)?;
    let grounds: Vec<Ground<'_>> =
        worlds.iter().map(|world| Ground::of(world.nav_mesh())).collect();
    let heights: Vec<Vec<HeightMeshParts<'_>>> =
        grounds.iter().map(|ground| ground.heights.iter().map(Heights::parts).collect()).collect();
    let doors: Vec<_> = grounds
        .iter()
        .map(|ground| ground.rooms.as_ref().map_or_else(Vec::new, GroundRooms::doors))
        .collect();
    let meshes: Vec<MeshParts<'_>> = (grounds.iter().zip(heights.iter().zip(&doors)))
        .map(|(ground, (heights, doors))| MeshParts {
            rooms: ground.rooms.as_ref().map(|rooms| rooms.parts(doors)),
            ..ground.parts(heights)
        })
        .collect();
    let bytes = encoded(index, &meshes).map_err(|error| {
        Failure::input(format_args!(
            "{name}: its chunks do not make one navmesh ({error}); bake again, or name the file of a chunk"
        ))
    })?;
    Ok(Joined { bytes, faults })
}

/// The ground of each agent class with all chunks, and why chunks are not in it.
fn worlds(index: &CheckedBlob<'_>, blob: &BlobPath) -> Result<(Vec<World>, Vec<Failure>), Failure> {
    let name = blob.path.display();
    let classes = 0..index.class_count();
    let ground = classes.clone().map(|class| index.decode(class).map(World::new));
    let mut worlds: Vec<World> = ground
        .collect::<Result<_, _>>()
        .map_err(|error| Failure::input(format_args!("{name}: {error}")))?;
    let table: Vec<Chunk> = index.chunks().iter().collect();
    let opened: Vec<_> =
        table.par_iter().map(|chunk| open_chunk(blob, chunk, classes.clone())).collect();
    let mut faults = vec![];
    for (chunk, opened) in table.iter().zip(opened) {
        let inserted = opened.and_then(|own| {
            let mut all = worlds.iter_mut().zip(own);
            all.try_for_each(|(world, own)| world.insert_chunk(own)).map_err(|error| {
                let path = chunk_path(&blob.path, chunk);
                Failure::input(format_args!("{}: {error}", path.display()))
            })
        });
        faults.extend(inserted.err());
    }
    for world in &mut worlds {
        world.commit();
    }
    Ok((worlds, faults))
}

/// Reads a chunk, checks that it is the one of the index, and decodes it for each class.
///
/// # Errors
/// If it is missing, cannot be read, or is another file than the one that was baked.
fn open_chunk(
    index: &BlobPath,
    chunk: &Chunk,
    classes: impl Iterator<Item = u16>,
) -> Result<Vec<ChunkMesh>, Failure> {
    let path = chunk_path(&index.path, chunk);
    let (name, folder) = (index.path.display(), chunk_folder(&index.path));
    let cure =
        format!("copy the whole folder {} beside the index, or bake again", folder.display());
    if !path.exists() {
        let path = path.display();
        return Err(Failure::input(format_args!("{path}: missing, but {name} names it; {cure}")));
    }
    let file = BlobFile::load(&BlobPath { path, mmap: index.mmap })?;
    if *blake3::hash(&file.bytes).as_bytes() != chunk.hash {
        return Err(Failure::input(format_args!(
            "{}: not the chunk that {name} names, as its bytes were changed; {cure}",
            file.name
        )));
    }
    let checked = file.checked()?;
    let bad = |error: String| Failure::input(format_args!("{}: {error}", file.name));
    classes
        .map(|class| {
            let nav = checked.decode(class).map_err(|error| bad(error.to_string()))?;
            ChunkMesh::new(nav).map_err(|error| bad(error.to_string()))
        })
        .collect()
}

/// The blob of these meshes, with all else that the index has.
fn encoded(index: &CheckedBlob<'_>, meshes: &[MeshParts<'_>]) -> Result<Vec<u8>, EncodeError> {
    let header = index.header();
    let rows: Vec<(_, Vec<f64>)> =
        index.weights().map(|row| (row, row.weights().iter().collect())).collect();
    let weights: Vec<WeightParts<'_>> = (rows.iter())
        .map(|(row, weights)| WeightParts {
            name: row.name,
            agent: row.agent,
            weights,
            slopes: row.slopes(),
        })
        .collect();
    let findings = index.findings();
    let looked: Vec<DiagnosticKind> = (DiagnosticKind::ALL.into_iter())
        .filter(|&kind| findings.is_some_and(|own| own.looked_for(kind)))
        .collect();
    let found: Vec<_> = findings.iter().flat_map(|own| own.iter()).collect();
    let (agents, markers): (Vec<_>, Vec<_>) = (index.agents().collect(), index.markers().collect());
    let (switches, areas): (Vec<_>, Vec<_>) = (index.switches().collect(), index.areas().collect());
    let parts = BlobParts {
        grid_bits: header.grid.bits,
        origin: header.grid.origin,
        up: header.up,
        scale: header.scale,
        level_hash: header.level_hash,
        config_hash: header.config_hash,
        agents: &agents,
        markers: &markers,
        switches: &switches,
        areas: &areas,
        weights: &weights,
        config: index.config(),
        summary: index.summary(),
        meshes,
        findings: findings.map(|own| FindingsParts {
            looked: &looked,
            found: &found,
            left_out: own.left_out(),
        }),
        ..BlobParts::default()
    };
    Encoder::new(&parts)?.finish(&parts)
}

/// The ground of a class as the encoder takes it: without the gaps between chunks.
#[derive(Default)]
struct Ground<'w> {
    vertices: Vec<[i32; 3]>,
    first_edge: Vec<u32>,
    corners: Vec<u32>,
    neighbours: Vec<u32>,
    islands: Vec<u32>,
    areas: Vec<u8>,
    height_mesh_of: Vec<u32>,
    heights: Vec<Heights>,
    doors: Vec<DoorParts<'w>>,
    closures: Vec<ClosureParts>,
    links: Vec<LinkParts<'w>>,
    rooms: Option<GroundRooms<'w>>,
}

/// A height mesh: its box, and its points in steps.
struct Heights {
    head: DetailHead,
    /// Heights at the corners of the box.
    corners: [u16; 4],
    points: Vec<[u16; 3]>,
}

impl Heights {
    fn of(mesh: &NavMesh<'_>, head: DetailHead) -> Heights {
        let first = head.first_point as usize;
        let all = mesh.polys().details.points.slice(first..first + head.points as usize);
        // Heights of files take 16 bits.
        let mut all = all.unwrap_or_default().iter().map(|at| [at.x, at.y as u16, at.z]);
        let corners = std::array::from_fn(|_| all.next().unwrap_or_default()[1]);
        Heights { head, corners, points: all.collect() }
    }

    fn parts(&self) -> HeightMeshParts<'_> {
        HeightMeshParts {
            least: self.head.least,
            size: self.head.size.map(|side| side as u16), // at most `MOST_STEPS`
            shift: self.head.flat.into(),
            base: self.head.base,
            up: self.head.up.into(),
            corners: self.corners,
            points: &self.points,
        }
    }
}

impl<'w> Ground<'w> {
    fn of(mesh: NavMesh<'w>) -> Ground<'w> {
        let mut all = Ground { first_edge: vec![0], ..Ground::default() };
        let (mut numbers, mut count) = (vec![NONE; mesh.polygon_count() as usize], 0);
        for polygon in mesh.polygons().filter(|polygon| !polygon.is_empty()) {
            numbers[polygon.id().index()] = count;
            count += 1;
        }
        let number = |p: PolyId| numbers.get(p.index()).copied().unwrap_or(NONE);
        // Two chunks have each corner between them twice.
        let (mut vertices, mut details) = (HashMap::new(), HashMap::new());
        for polygon in mesh.polygons().filter(|polygon| !polygon.is_empty()) {
            for k in 0..polygon.len() {
                let place = polygon.point(k);
                all.corners.push(*vertices.entry(place).or_insert_with(|| {
                    all.vertices.push(place);
                    all.vertices.len() as u32 - 1
                }));
                all.neighbours.push(polygon.neighbour(k).map_or(NONE, number));
            }
            all.first_edge.push(all.corners.len() as u32);
            all.islands.push(mesh.island(polygon.id()).0);
            all.areas.push(mesh.area(polygon.id()).0);
            let detail = mesh.detail_number(polygon.id()).and_then(|n| Some((n, mesh.detail(n)?)));
            all.height_mesh_of.push(detail.map_or(NONE, |(number, detail)| {
                *details.entry(number).or_insert_with(|| {
                    all.heights.push(Heights::of(&mesh, *detail.head()));
                    all.heights.len() as u32 - 1
                })
            }));
        }
        let edge = |p: PolyId, k: u32| all.first_edge[number(p) as usize] + k;
        let there = mesh.polygons().filter(|polygon| !polygon.is_empty());
        all.rooms = GroundRooms::of(&mesh, there.map(|polygon| polygon.id()), edge);
        all.doors = (mesh.doors().filter(|door| number(door.polygon) != NONE))
            .map(|door| DoorParts {
                edge: edge(door.polygon, door.edge),
                switch: door.switch,
                width: door.width,
                name: door.name,
            })
            .collect();
        all.closures = (mesh.closures())
            .map(|own| ClosureParts { polygon: number(own.polygon), switch: own.switch })
            .collect();
        all.links = (0..mesh.link_count())
            .filter_map(|i| mesh.link(i))
            .map(|link| LinkParts {
                from: (number(link.polygon), link.from),
                to: (number(link.beyond), link.to),
                cost: link.cost,
                width: link.width,
                agents: link.agents,
                switch: link.switch,
                kind: link.kind,
                name: link.name,
            })
            .collect();
        all
    }

    fn parts<'p>(&'p self, height_meshes: &'p [HeightMeshParts<'p>]) -> MeshParts<'p> {
        MeshParts {
            vertices: &self.vertices,
            first_edge: &self.first_edge,
            corners: &self.corners,
            neighbours: &self.neighbours,
            islands: &self.islands,
            height_mesh_of: &self.height_mesh_of,
            height_meshes,
            areas: &self.areas,
            doors: &self.doors,
            closures: &self.closures,
            links: &self.links,
            ..MeshParts::default()
        }
    }
}
