//! Decodes a packed mesh into the layout that searches read.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use navbake_navmesh::cells::CellsBuffer;
use navbake_navmesh::detail::DetailsBuffer;
use navbake_navmesh::record::{Record, Records};
use navbake_navmesh::{
    Edge, LinkStart, MOST_EDGES, NONE, PolyMesh, Polygon, blocks, link_starts, pivots,
};

use crate::blob::{Blob, SectionInfo};
use crate::draft::{Draft, Drafts, assemble, seal};
use crate::error::BlobError;
use crate::header::{Header, RawHeader};
use crate::held::Held;
use crate::layout::{LayoutRecord, is_layout, is_packed_only};
use crate::mesh::NavMesh;
use crate::packed_mesh::NavMeshView;
use crate::room_links::{distance_starts, door_blocks};
use crate::rows::Rows;
use crate::section::Section;
use crate::sections::doors_links::DoorsLinks;
use crate::sections::labels::{Labels, mesh_hash};
use crate::sections::rooms::Rooms;

/// The navmesh of one agent class in memory: decoded once, in one allocation that all threads
/// share. It borrows nothing, so it may be kept in an `Arc` or a static.
///
/// ```
/// # #[cfg(feature = "write")] {
/// # use navbake_format::write::{BlobParts, MeshParts, encode};
/// # let bytes = encode(&BlobParts {
/// #     meshes: &[MeshParts {
/// #         vertices: &[[0, 0, 0], [0, 0, 10], [10, 0, 0]],
/// #         first_edge: &[0, 3], corners: &[0, 1, 2],
/// #         neighbours: &[u32::MAX; 3], islands: &[0], ..MeshParts::default()
/// #     }],
/// #     ..BlobParts::default()
/// # }).unwrap();
/// let blob = navbake_format::Blob::open_checked(&bytes)?;
/// let buffer = blob.decode(0)?;
/// assert_eq!(buffer.mesh().polygon_count(), 1);
/// # }
/// # Ok::<(), navbake_format::BlobError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NavMeshBuf {
    held: Held,
    class: u16,
    rows: Option<Box<Rows>>,
}

impl NavMeshBuf {
    /// Of a class of a blob that is known to be sound.
    pub(crate) fn new(blob: &Blob<'_>, class: u16) -> Result<NavMeshBuf, BlobError> {
        let mut sections = Sections::default();
        sections.copy(blob, |info| is_kept(info, class));
        if !blob.is_unpacked() {
            sections.class(blob, class)?;
        }
        Ok(NavMeshBuf::of(Held::Decoded(sections.assemble(blob)), class))
    }

    /// Of an unpacked file that is known to be sound.
    pub(crate) fn of(held: Held, class: u16) -> NavMeshBuf {
        let mut own = NavMeshBuf { held, class, rows: None };
        own.rows = Rows::new(&own.blob(), class).map(Box::new);
        own
    }

    fn blob(&self) -> Blob<'_> {
        // It was opened, or its header was copied from a blob that was.
        let blob = Blob::trusted(self.held.bytes()).expect("a header of this crate's own");
        Blob { rows: self.rows.as_deref(), ..blob }
    }

    /// The navmesh, to search on. Takes a fifth of a microsecond.
    pub fn mesh(&self) -> NavMesh<'_> {
        NavMesh::of(&self.blob(), self.class)
    }

    /// The navmesh for the rest of the program; its memory is never freed. For a mesh in a static,
    /// and for short programs.
    pub fn leak(self) -> NavMesh<'static> {
        Box::leak(Box::new(self)).mesh()
    }

    /// Is it equal to its class of a packed blob, decoded? The blob must have the polygons that
    /// this was decoded from.
    #[doc(hidden)]
    pub fn is_of(&self, blob: &Blob<'_>) -> bool {
        let own = self.blob();
        let header = Header {
            checksum: own.header().checksum,
            total_len: own.header().total_len,
            ..*blob.header()
        };
        header == *own.header() && self.kept(blob).eq(self.kept(&own))
    }

    /// The sections of a blob that decoding its class copies.
    fn kept<'a>(&self, of: &Blob<'a>) -> impl Iterator<Item = (Section, u16, &'a [u8])> {
        let (of, class) = (*of, self.class);
        let is_copied = move |info: &SectionInfo| {
            is_kept(info, class) && !is_packed_only(info.section) && !is_layout(info.section)
        };
        let bytes = move |info: SectionInfo| {
            let (_, bytes) = of.section(info.section, info.class)?;
            Some((info.section, info.class, bytes))
        };
        of.sections().filter(is_copied).filter_map(bytes)
    }

    /// Bytes that it takes.
    pub fn size(&self) -> usize {
        self.held.bytes().len()
    }
}

/// Does a navmesh in memory of a class have a section?
fn is_kept(info: &SectionInfo, class: u16) -> bool {
    is_named(info.section) || (info.class == class && is_for_search(info.section))
}

/// Sections of the whole blob that give numbers their names.
fn is_named(section: Section) -> bool {
    [
        Section::AGENTS,
        Section::MARKERS,
        Section::STRINGS,
        Section::SWITCHES,
        Section::AREAS,
        Section::WEIGHTS,
        Section::CHUNKS,
    ]
    .contains(&section)
}

/// Sections of one class that searches read beside the layout.
fn is_for_search(section: Section) -> bool {
    (Section::DOORS..=Section::REACH_LISTS).contains(&section)
        || (Section::ROOMS..=Section::LINK_WAYS).contains(&section)
        || (Section::NETWORKS..=Section::NETWORK_EDGES).contains(&section)
        || (Section::LABELS..=Section::LANDMARK_ROWS).contains(&section)
        || (Section::SEAMS..=Section::WORLD_ROOMS).contains(&section)
        || section == Section::INDEX
        || section == Section::MESH
        || is_layout(section)
}

/// An unpacked file with all that a blob has, which is known to be sound.
pub(crate) fn unpack(blob: &Blob<'_>) -> Result<Vec<u8>, BlobError> {
    if blob.is_unpacked() {
        return Ok(blob.bytes().to_vec());
    }
    let mut sections = Sections::default();
    sections.copy(blob, |_| true);
    for class in 0..blob.class_count() {
        sections.class(blob, class)?;
    }
    let mut bytes = sections.assemble(blob);
    seal(&mut bytes);
    Ok(bytes)
}

/// Sections to be written to an unpacked file.
#[derive(Default)]
struct Sections<'a> {
    drafts: Drafts<'a>,
}

impl<'a> Sections<'a> {
    /// Copies sections of a blob, except those that the layout replaces.
    fn copy(&mut self, blob: &Blob<'a>, wanted: impl Fn(&SectionInfo) -> bool) {
        let all = blob.sections().filter(|info| wanted(info) && !is_packed_only(info.section));
        self.drafts.extend(all.filter_map(|info| Draft::copy(blob, info)));
    }

    fn put<R: Record>(&mut self, section: Section, class: u16, records: &[R]) {
        self.raw(section, class, R::SIZE, bytes_of(records));
    }

    /// Adds the layout of a class of a packed file.
    fn class(&mut self, blob: &Blob<'_>, class: u16) -> Result<(), BlobError> {
        let mesh = NavMeshView::read(blob, class)?;
        if mesh.edge_count() as usize > MOST_EDGES {
            return Err(BlobError::TooManyEdges { class, found: mesh.edge_count() });
        }
        let vertices: Vec<[i32; 3]> =
            (0..mesh.vertex_count()).map(|v| mesh.vertex(navbake_grid::VertexId(v))).collect();
        let (mut polygons, mut edges) = plain(&mesh, &vertices);
        let details = details(&mesh);
        let pivots = pivots::number_pivots(&polygons, &mut edges);
        let tops = blocks::find(&mut polygons, &mut edges);
        let cells = CellsBuffer::new(&polygons, &edges);
        let [least, greatest] = mesh.bounds();
        let head = LayoutRecord {
            ground: mesh_hash(blob, class),
            least,
            greatest,
            cells_least: cells.least,
            cells_shift: cells.shift,
            cells_across: cells.across,
            pivots: pivots.count as u32,
            corners: pivots.turning as u32,
            inner: pivots.inner as u32,
            widest: pivots.widest as u32,
            reserved: 0,
        };
        let islands: Vec<u32> = (0..mesh.island_count()).map(|i| mesh.island_first(i)).collect();
        let (polygons, edges) = (bytes_of(&polygons), bytes_of(&edges));
        let polys = PolyMesh {
            polygons: Records::new(&polygons).unwrap_or_default(),
            edges: Records::new(&edges).unwrap_or_default(),
            pivots: head.pivots,
            corners: head.corners,
            inner: head.inner,
            widest: head.widest,
            ..PolyMesh::default()
        };
        let held = DoorsLinks::read(blob, class);
        let (link_starts, links) = links_of_polygons(&held, &polys, mesh.grid().units());
        self.put(Section::LAYOUT, class, &[head]);
        self.put(Section::LAYOUT_VERTICES, class, &vertices);
        self.put(Section::LAYOUT_ISLANDS, class, &islands);
        self.put(Section::LAYOUT_BLOCKS, class, &tops);
        self.put(Section::LAYOUT_CELL_STARTS, class, &cells.starts);
        self.put(Section::LAYOUT_CELLS, class, &cells.items);
        self.put(Section::LAYOUT_LINK_STARTS, class, &link_starts);
        self.put(Section::LAYOUT_LINKS, class, &links);
        self.put(Section::LAYOUT_DETAILS, class, &details.heads);
        self.put(Section::LAYOUT_DETAIL_POINTS, class, &details.points);
        self.put(Section::LAYOUT_DETAIL_STARTS, class, &details.starts);
        self.put(Section::LAYOUT_TRIANGLES, class, &details.triangles);
        self.put(Section::LAYOUT_DETAIL_LISTS, class, &details.lists);
        if let Some(labels) = Labels::read(blob, class) {
            let mut corners = navbake_navmesh::corners(&polys);
            for (number, corner) in (0..).zip(&mut corners) {
                corner.rank = labels.rank(number);
            }
            self.put(Section::LAYOUT_CORNERS, class, &corners);
        }
        if let Some(rooms) = Rooms::read(blob, class).filter(Rooms::has_ways) {
            self.rooms(&held, &polys, &rooms, class);
        }
        self.raw(Section::LAYOUT_POLYGONS, class, Polygon::SIZE, polygons);
        self.raw(Section::LAYOUT_EDGES, class, Edge::SIZE, edges);
        Ok(())
    }

    fn raw(&mut self, section: Section, class: u16, size: usize, bytes: Vec<u8>) {
        if !bytes.is_empty() {
            let draft = Draft::bytes(section, class, size, bytes);
            self.drafts.push(Draft { required: true, ..draft });
        }
    }

    /// Blocks of doors, and the links of rooms.
    fn rooms(
        &mut self,
        held: &DoorsLinks<'_>,
        polys: &PolyMesh<'_>,
        rooms: &Rooms<'_>,
        class: u16,
    ) {
        let blocks: Vec<u32> = door_blocks(rooms, polys).collect();
        let (starts, links) = links_of_rooms(held, rooms);
        let places = link_places(held, rooms, &starts, &links);
        self.put(Section::LAYOUT_DOOR_BLOCKS, class, &blocks);
        self.put(Section::LAYOUT_ROOM_LINK_STARTS, class, &starts);
        self.put(Section::LAYOUT_ROOM_LINKS, class, &links);
        self.put(Section::LAYOUT_ROOM_LINK_PLACES, class, &places);
    }

    /// A file of these sections with the header of a blob, without its checksum.
    fn assemble(mut self, blob: &Blob<'_>) -> Vec<u8> {
        let (header, _) = RawHeader::split(blob.bytes()).expect("a blob that was opened");
        assemble(header, &mut self.drafts)
    }
}

/// The bytes of records.
pub(crate) fn bytes_of<R: Record>(records: &[R]) -> Vec<u8> {
    let mut bytes = vec![0; records.len() * R::SIZE];
    for (slot, record) in bytes.chunks_exact_mut(R::SIZE).zip(records) {
        slot.copy_from_slice(record.to_bytes().as_ref());
    }
    bytes
}

/// Polygons, with one extra at the end, and edges, without the data derived from them.
fn plain(mesh: &NavMeshView<'_>, vertices: &[[i32; 3]]) -> (Vec<Polygon>, Vec<Edge>) {
    let mut polygons = Vec::with_capacity(mesh.polygon_count() as usize + 1);
    let mut edges = Vec::with_capacity(mesh.edge_count() as usize);
    let (height_mesh_of, _) = mesh.height_meshes();
    let (mut island, mut next) = (0, mesh.island_first(1));
    for p in mesh.polygons() {
        while p.id().0 >= next && island + 1 < mesh.island_count() {
            island += 1;
            next = mesh.island_first(island + 1);
        }
        polygons.push(Polygon {
            detail: height_mesh_of.get(p.id()).unwrap_or(NONE),
            island,
            area: mesh.area(p.id()).0.into(),
            ..Polygon::new(edges.len() as u32)
        });
        mesh.edges().each(p.run(), |_, vertex, neighbour| {
            let [x, height, z] = vertices.get(vertex as usize).copied().unwrap_or_default();
            edges.push(Edge {
                at: [x, z],
                height,
                vertex,
                neighbour: neighbour.unwrap_or(NONE),
                twin: 0,
                pivot: NONE,
                block: NONE,
            });
        });
    }
    polygons.push(Polygon::new(edges.len() as u32));
    // The twin begins where the edge ends. Each pair is found from the lesser polygon.
    for (p, pair) in (0u32..).zip(polygons.windows(2)) {
        let [first, end] = [pair[0].first as usize, pair[1].first as usize];
        for e in first..end {
            let beyond = edges[e].neighbour;
            if beyond == NONE || beyond < p {
                continue;
            }
            let to = edges[if e + 1 < end { e + 1 } else { first }].at;
            let [there, there_end] = [0, 1].map(|k| polygons[beyond as usize + k].first as usize);
            if let Some(twin) = edges[there..there_end].iter().position(|edge| edge.at == to) {
                edges[e].twin = twin as u32;
                edges[there + twin].twin = (e - first) as u32;
            }
        }
    }
    (polygons, edges)
}

/// The triangles of all height points.
fn details(mesh: &NavMeshView<'_>) -> DetailsBuffer {
    let mut buffer = DetailsBuffer::default();
    let (_, height_meshes) = mesh.height_meshes();
    for height_mesh in (0..height_meshes.len()).map(|i| height_meshes.get(i)) {
        buffer.add(&height_mesh.detail(), height_mesh.points());
    }
    buffer
}

/// Where the list of links of each polygon begins, and these lists. `units` is a metre in grid
/// units.
fn links_of_polygons(
    all: &DoorsLinks<'_>,
    polys: &PolyMesh<'_>,
    units: f64,
) -> (Vec<u32>, Vec<LinkStart>) {
    let mut holders = Vec::with_capacity(2 * all.link_count() as usize);
    for link in (0..all.link_count()).filter_map(|number| all.start(number, units)) {
        polys.add_holders(link.number, (link.polygon, link.from), &mut holders);
    }
    link_starts(polys.len(), holders, |number| all.start(number, units))
}

/// Where the lists of links of each room begin, and these lists.
fn links_of_rooms(held: &DoorsLinks<'_>, rooms: &Rooms<'_>) -> (Vec<u32>, Vec<u32>) {
    if held.link_count() == 0 {
        return Default::default();
    }
    let mut all: Vec<(u32, u32)> = (0..held.link_count())
        .filter_map(|number| {
            let room = rooms.of(held.link(number)?.polygon);
            Some((room.0, rooms.door_count() + 1 + number))
        })
        .collect();
    all.sort_unstable();
    let begin = |room: u32| all.partition_point(|l| l.0 < room) as u32;
    let from = (0..=rooms.count()).map(begin).collect();
    (from, all.into_iter().map(|l| l.1).collect())
}

/// For each link its place in the list of its room, and where its distances begin; none where the
/// file does not have the number of distances that there should be.
fn link_places(
    held: &DoorsLinks<'_>,
    rooms: &Rooms<'_>,
    from: &[u32],
    links: &[u32],
) -> Vec<[u32; 2]> {
    if rooms.link_way_count() == 0 || links.len() != held.link_count() as usize {
        return Default::default();
    }
    let mut found = vec![[0; 2]; links.len()];
    for room in from.windows(2) {
        let own = links.get(room[0] as usize..room[1] as usize).unwrap_or(&[]);
        for (place, &node) in (0u32..).zip(own) {
            found[(node - rooms.door_count() - 1) as usize][0] = place;
        }
    }
    let of_room = |room: u32| {
        let at = |r: u32| from.get(r as usize).map_or(0, |&i| i as usize);
        at(room + 1) - at(room)
    };
    let mut starts = distance_starts(rooms, held, of_room);
    for (slot, start) in found.iter_mut().zip(&mut starts) {
        slot[1] = start as u32;
    }
    let all = starts.next().unwrap_or(0);
    if all != rooms.link_way_count() || all >= u32::MAX as usize {
        found.clear();
    }
    found
}
