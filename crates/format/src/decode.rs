//! Decodes a packed mesh into the layout that searches read.

use alloc::vec;
use alloc::vec::Vec;

use navbake_navmesh::cells::CellsBuffer;
use navbake_navmesh::detail::DetailsBuffer;
use navbake_navmesh::record::{Record, Records};
use navbake_navmesh::{Edge, LinkStart, MOST_EDGES, NONE, PolyMesh, Polygon, blocks, pivots};

use crate::header::{CHECKSUM_AT, HEADER_LEN};
use crate::layout::LayoutRecord;
use crate::packed_mesh::NavMeshView;
use crate::section::{REQUIRED, ROW_LEN};
use crate::sections::labels::mesh_hash;
use crate::{Blob, NavMesh, Rooms, Section};

/// The navmesh of one agent class in memory: decoded once, in one allocation that all threads
/// share. It borrows nothing, so it may be kept in an `Arc` or a static.
///
/// ```
/// # #[cfg(feature = "write")] {
/// # use navbake_format::write::{BlobParts, MeshParts, encode};
/// # let bytes = encode(&BlobParts {
/// #     meshes: &[MeshParts {
/// #         vertices: &[[0, 0, 0], [0, 0, 10], [10, 0, 0]], first_edge: &[0, 3], corners: &[0, 1, 2],
/// #         neighbours: &[u32::MAX; 3], islands: &[0], ..MeshParts::default()
/// #     }],
/// #     ..BlobParts::default()
/// # }).unwrap();
/// let blob = navbake_format::Blob::open_checked(&bytes)?;
/// let buffer = blob.decode(0).expect("the first agent class");
/// assert_eq!(buffer.mesh().polygon_count(), 1);
/// # }
/// # Ok::<(), navbake_format::BlobError>(())
/// ```
#[derive(Clone, Debug)]
pub struct NavMeshBuf {
    /// An unpacked file with one mesh.
    bytes: Vec<u8>,
    class: u16,
}

impl NavMeshBuf {
    /// Of a blob that is known to be sound.
    pub(crate) fn new(blob: &Blob<'_>, class: u16) -> Option<NavMeshBuf> {
        let mut sections = Sections::default();
        sections.copy(blob, |info| {
            is_named(info.section) || (info.class == class && is_for_search(info.section))
        });
        sections.class(blob, class)?;
        Some(NavMeshBuf { bytes: sections.assemble(blob), class })
    }

    /// The navmesh, to search on. Takes about a microsecond.
    pub fn mesh(&self) -> NavMesh<'_> {
        // The header was copied from a blob that was opened.
        let blob = Blob::trusted(&self.bytes).expect("a header of this crate's own");
        NavMesh::of(&blob, self.class)
    }

    /// The navmesh for the rest of the program; its memory is never freed. For a mesh in a static,
    /// and for short programs.
    pub fn leak(self) -> NavMesh<'static> {
        let bytes: &'static [u8] = self.bytes.leak();
        let blob = Blob::trusted(bytes).expect("a header of this crate's own");
        NavMesh::of(&blob, self.class)
    }

    /// Bytes that it takes.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }
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
    ]
    .contains(&section)
}

/// Sections of one class that searches read beside the layout.
fn is_for_search(section: Section) -> bool {
    (Section::DOORS..=Section::REACH_LISTS).contains(&section)
        || (Section::ROOMS..=Section::LINK_WAYS).contains(&section)
        || (Section::LABELS..=Section::LANDMARK_ROWS).contains(&section)
        || section == Section::INDEX
        || section == Section::MESH
}

/// Sections that the layout replaces.
pub(crate) fn is_packed_only(section: Section) -> bool {
    [
        Section::VERTICES,
        Section::VERTEX_BLOCKS,
        Section::POLYGONS,
        Section::EDGES,
        Section::FAR,
        Section::ISLANDS,
        Section::RELIEF_OF,
        Section::RELIEFS,
        Section::POLYGON_AREAS,
    ]
    .contains(&section)
}

/// Sections of an unpacked file on their way into it.
#[derive(Default)]
pub(crate) struct Sections {
    rows: Vec<Row>,
}

struct Row {
    section: Section,
    class: u16,
    flags: u16,
    element_size: u16,
    bytes: Vec<u8>,
}

impl Sections {
    /// Takes over sections of a blob.
    pub(crate) fn copy(&mut self, blob: &Blob<'_>, wanted: impl Fn(&crate::SectionInfo) -> bool) {
        for info in blob.sections().filter(wanted) {
            if let Some((_, bytes)) = blob.section(info.section, info.class) {
                self.rows.push(Row {
                    section: info.section,
                    class: info.class,
                    flags: if info.required { REQUIRED } else { 0 },
                    element_size: info.element_size,
                    bytes: bytes.to_vec(),
                });
            }
        }
        self.rows.retain(|row| !is_packed_only(row.section));
    }

    fn put<R: Record>(&mut self, section: Section, class: u16, records: &[R]) {
        let mut bytes = Vec::with_capacity(records.len() * R::SIZE);
        for record in records {
            bytes.extend_from_slice(record.to_bytes().as_ref());
        }
        if !bytes.is_empty() {
            self.rows.push(Row {
                section,
                class,
                flags: REQUIRED,
                element_size: R::SIZE as u16,
                bytes,
            });
        }
    }

    /// Adds the layout of a class. `None` when there is no such class, or no triangles are found
    /// for its height points.
    ///
    /// A layout in the file itself is ignored: nothing has checked it.
    pub(crate) fn class(&mut self, blob: &Blob<'_>, class: u16) -> Option<()> {
        let mesh = NavMeshView::read(blob, class).ok()?;
        let (mut polygons, mut edges) = plain(&mesh)?;
        let details = details(&mesh)?;
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
        let vertices: Vec<[i32; 3]> =
            (0..mesh.vertex_count()).map(|v| mesh.vertex(navbake_grid::VertexId(v))).collect();
        let islands: Vec<u32> = (0..mesh.island_count()).map(|i| mesh.island_first(i)).collect();
        let own = Bytes::of(&polygons, &edges);
        let polys = PolyMesh {
            polygons: own.polygons(),
            edges: own.edges(),
            pivots: head.pivots,
            corners: head.corners,
            inner: head.inner,
            widest: head.widest,
            ..PolyMesh::default()
        };
        let (link_starts, links) = links(&mesh, &polys);
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
        if let Some(labels) = mesh.labels() {
            let mut corners = navbake_navmesh::corners(&polys);
            for (number, corner) in (0..).zip(&mut corners) {
                corner.rank = labels.rank(number);
            }
            self.put(Section::LAYOUT_CORNERS, class, &corners);
        }
        if let Some(rooms) = mesh.rooms().filter(|rooms| rooms.has_ways()) {
            self.rooms(&mesh, &polys, rooms, class);
        }
        self.raw(Section::LAYOUT_POLYGONS, class, Polygon::SIZE, own.polygons);
        self.raw(Section::LAYOUT_EDGES, class, Edge::SIZE, own.edges);
        Some(())
    }

    fn raw(&mut self, section: Section, class: u16, size: usize, bytes: Vec<u8>) {
        if !bytes.is_empty() {
            self.rows.push(Row {
                section,
                class,
                flags: REQUIRED,
                element_size: size as u16,
                bytes,
            });
        }
    }

    /// Blocks of doors, and the links of rooms.
    fn rooms(
        &mut self,
        mesh: &NavMeshView<'_>,
        polys: &PolyMesh<'_>,
        rooms: &Rooms<'_>,
        class: u16,
    ) {
        let block = |door: u32| {
            let mut portals = rooms.portals(door);
            let mut block = || {
                let edge = portals.next().and_then(|(p, k)| polys.edge((p.0, k)));
                edge.map(|edge| edge.block)
            };
            // Where both rooms are connected the portals of a door are all of one block.
            let first = block();
            let same = core::iter::from_fn(block).all(|other| Some(other) == first);
            first.filter(|_| same).unwrap_or(u32::MAX)
        };
        let blocks: Vec<u32> = (0..rooms.door_count()).map(block).collect();
        let (starts, links) = links_of_rooms(mesh, rooms);
        let places = link_places(mesh, rooms, &starts, &links);
        self.put(Section::LAYOUT_DOOR_BLOCKS, class, &blocks);
        self.put(Section::LAYOUT_ROOM_LINK_STARTS, class, &starts);
        self.put(Section::LAYOUT_ROOM_LINKS, class, &links);
        self.put(Section::LAYOUT_ROOM_LINK_PLACES, class, &places);
    }

    /// A file of these sections with the header of a blob, without its checksum.
    pub(crate) fn assemble(mut self, blob: &Blob<'_>) -> Vec<u8> {
        self.rows.sort_by_key(|row| (row.section, row.class));
        let begin = HEADER_LEN + ROW_LEN * self.rows.len();
        let total = begin + self.rows.iter().map(|row| row.bytes.len()).sum::<usize>();
        let mut bytes = Vec::with_capacity(total);
        bytes.extend_from_slice(blob.bytes().get(..HEADER_LEN).unwrap_or(&[]));
        bytes[SECTIONS_AT..SECTIONS_AT + 4]
            .copy_from_slice(&(self.rows.len() as u32).to_le_bytes());
        bytes[LENGTH_AT..LENGTH_AT + 8].copy_from_slice(&(total as u64).to_le_bytes());
        bytes[CHECKSUM_AT..CHECKSUM_AT + 4].fill(0);
        for row in &self.rows {
            let count = row.bytes.len() / usize::from(row.element_size);
            for part in [row.section.0, row.class, row.flags, row.element_size] {
                bytes.extend_from_slice(&part.to_le_bytes());
            }
            bytes.extend_from_slice(&(count as u32).to_le_bytes());
        }
        for row in self.rows {
            bytes.extend_from_slice(&row.bytes);
        }
        bytes
    }
}

/// Where the header states the number of sections, and the length of the file.
const SECTIONS_AT: usize = 20;
const LENGTH_AT: usize = 24;

/// Polygons and edges as bytes, to be read while more is derived from them.
struct Bytes {
    polygons: Vec<u8>,
    edges: Vec<u8>,
}

impl Bytes {
    fn of(polygons: &[Polygon], edges: &[Edge]) -> Bytes {
        let mut own = Bytes {
            polygons: Vec::with_capacity(polygons.len() * Polygon::SIZE),
            edges: Vec::with_capacity(edges.len() * Edge::SIZE),
        };
        for polygon in polygons {
            own.polygons.extend_from_slice(&polygon.to_bytes());
        }
        for edge in edges {
            own.edges.extend_from_slice(&edge.to_bytes());
        }
        own
    }

    fn polygons(&self) -> Records<'_, Polygon> {
        Records::new(&self.polygons).unwrap_or_default()
    }

    fn edges(&self) -> Records<'_, Edge> {
        Records::new(&self.edges).unwrap_or_default()
    }
}

/// Polygons, one more than there are, and edges, without what is derived from them.
fn plain(mesh: &NavMeshView<'_>) -> Option<(Vec<Polygon>, Vec<Edge>)> {
    let mut polygons = Vec::with_capacity(mesh.polygon_count() as usize + 1);
    let mut edges = Vec::with_capacity(mesh.edge_count() as usize);
    if mesh.edge_count() as usize > MOST_EDGES {
        return None;
    }
    let (mut island, mut next) = (0, mesh.island_first(1));
    for p in mesh.polygons() {
        while p.id().0 >= next && island + 1 < mesh.island_count() {
            island += 1;
            next = mesh.island_first(island + 1);
        }
        polygons.push(Polygon {
            detail: mesh.relief_number(p.id()).unwrap_or(NONE),
            island,
            area: mesh.area(p.id()).0.into(),
            ..Polygon::new(edges.len() as u32)
        });
        edges.extend((0..p.len()).map(|k| {
            let across = p.across(k);
            let [x, height, z] = p.point(k);
            Edge {
                at: [x, z],
                height,
                vertex: p.vertex(k).0,
                neighbour: across.map_or(NONE, |(beyond, _)| beyond.0),
                twin: across.map_or(0, |(_, twin)| twin),
                pivot: NONE,
                block: NONE,
            }
        }));
    }
    polygons.push(Polygon::new(edges.len() as u32));
    Some((polygons, edges))
}

/// The triangles of all height points.
fn details(mesh: &NavMeshView<'_>) -> Option<DetailsBuffer> {
    let mut buffer = DetailsBuffer::default();
    for i in 0..mesh.relief_count() {
        if !buffer.add(&mesh.relief(i).points()) {
            return None;
        }
    }
    Some(buffer)
}

/// Links by the polygons that they can be taken from: where the list of each polygon begins, and
/// the lists.
fn links(mesh: &NavMeshView<'_>, polys: &PolyMesh<'_>) -> (Vec<u32>, Vec<LinkStart>) {
    let units = mesh.grid().units();
    let mut held: Vec<(u32, LinkStart)> = Vec::new();
    for number in 0..mesh.link_count() {
        let Some(link) = mesh.link(number) else {
            continue;
        };
        let it = LinkStart {
            number,
            polygon: link.polygon.0,
            agents: link.agents,
            from: link.from,
            to: link.to,
            cost: link.cost * units,
        };
        let first = held.len();
        held.push((it.polygon, it));
        polys.each_holder(
            it.polygon,
            it.from,
            |_| true,
            |_, _, edge| {
                let beyond = edge.neighbour;
                if held[first..].iter().all(|(p, _)| *p != beyond) {
                    held.push((beyond, it));
                }
            },
        );
    }
    held.sort_by_key(|(polygon, link)| (*polygon, link.number));
    let mut starts = Vec::new();
    if !held.is_empty() {
        let before = |p: u32| held.partition_point(|(q, _)| *q < p) as u32;
        starts.extend((0..=mesh.polygon_count()).map(before));
    }
    (starts, held.into_iter().map(|(_, link)| link).collect())
}

/// Where the lists of links of each room begin, and these lists.
fn links_of_rooms(mesh: &NavMeshView<'_>, rooms: &Rooms<'_>) -> (Vec<u32>, Vec<u32>) {
    if mesh.link_count() == 0 {
        return Default::default();
    }
    let mut all: Vec<(u32, u32)> = (0..mesh.link_count())
        .filter_map(|number| {
            let room = rooms.of(mesh.link(number)?.polygon);
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
    mesh: &NavMeshView<'_>,
    rooms: &Rooms<'_>,
    from: &[u32],
    links: &[u32],
) -> Vec<[u32; 2]> {
    if rooms.link_way_count() == 0 || links.len() != mesh.link_count() as usize {
        return Default::default();
    }
    let mut found = vec![[0; 2]; links.len()];
    for room in from.windows(2) {
        let own = links.get(room[0] as usize..room[1] as usize).unwrap_or(&[]);
        for (place, &node) in (0u32..).zip(own) {
            found[(node - rooms.door_count() - 1) as usize][0] = place;
        }
    }
    let mut next = 0;
    for (number, slot) in (0u32..).zip(&mut found) {
        slot[1] = next as u32;
        let Some(link) = mesh.link(number) else {
            continue;
        };
        let [first, last] = [link.polygon, link.beyond].map(|p| rooms.of(p));
        let there =
            [last.index(), last.index() + 1].map(|r| from.get(r).map_or(0, |&i| i as usize));
        next += rooms.doors_of(first).len() + rooms.doors_of(last).len() + there[1] - there[0];
    }
    if next != rooms.link_way_count() || next >= u32::MAX as usize {
        found.clear();
    }
    found
}
