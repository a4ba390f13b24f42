//! The navmesh of one agent class, laid out for searches.

use navbake_grid::{AreaId, Grid, IslandId, PolyId, VertexId};
use navbake_navmesh::detail::Detail;
use navbake_navmesh::record::Records;
use navbake_navmesh::{Corner, NONE, PolyMesh};

use crate::blob::{Blob, CheckedBlob};
use crate::index::SpatialIndex;
use crate::layout::LayoutRecord;
use crate::polygon::Polygon;
use crate::records::BoxRecord;
use crate::room_links::RoomLinks;
use crate::section::Section;
use crate::sections::doors_links::{Closure, Door, DoorsLinks, Link};
use crate::sections::labels::Labels;
use crate::sections::landmarks::Landmarks;
use crate::sections::reach::{Reach, ReachProfile};
use crate::sections::rooms::Rooms;

/// Convex polygons over a flat or many-storeyed level, with portals where they meet, and all that
/// searches use of them. Cheap to copy, `Send` and `Sync`.
///
/// It borrows the bytes of an unpacked file, or of a [`NavMeshBuf`](crate::NavMeshBuf) that was
/// decoded from a packed one. All threads share it.
///
/// Polygons are counter-clockwise seen from above, with a positive area. Their first corner is the
/// one with the least (x, z); collinear corners are allowed, two corners at one (x, z) are not. A
/// portal has the same (x, z) segment on both sides; its heights may differ: a step.
///
/// Ids that are out of range give empty polygons and meaningless places, never a panic.
#[derive(Clone, Copy)]
pub struct NavMesh<'a> {
    pub(crate) blob: Blob<'a>,
    grid: Grid,
    pub(crate) class: u16,
    pub(crate) least: [i32; 3],
    pub(crate) greatest: [i32; 3],
    pub(crate) polys: PolyMesh<'a>,
    pub(crate) vertices: Records<'a, [i32; 3]>,
    /// The first polygon of each.
    pub(crate) islands: Records<'a, u32>,
    pub(crate) index: SpatialIndex<'a>,
    pub(crate) doors_links: DoorsLinks<'a>,
    reach: Reach<'a>,
    labels: Option<Labels<'a>>,
    pub(crate) landmarks: Option<Landmarks<'a>>,
    pub(crate) rooms: Option<Rooms<'a>>,
    label_corners: Records<'a, Corner>,
    room_links: RoomLinks<'a>,
    pub(crate) beyond: crate::changed::Beyond<'a>,
}

impl<'a> NavMesh<'a> {
    /// The layout in an unpacked blob; missing sections are empty.
    pub(crate) fn of(blob: &Blob<'a>, class: u16) -> NavMesh<'a> {
        let head = blob.records::<LayoutRecord>(Section::LAYOUT, class).get(0);
        let head = head.unwrap_or_default();
        let polys = head.poly_mesh(blob, class);
        NavMesh {
            blob: *blob,
            grid: blob.header().grid,
            class,
            least: head.least,
            greatest: head.greatest,
            polys,
            vertices: blob.records(Section::LAYOUT_VERTICES, class),
            islands: blob.records(Section::LAYOUT_ISLANDS, class),
            index: SpatialIndex::new(
                blob.records::<BoxRecord>(Section::INDEX, class),
                polys.len() as usize,
                head.least,
                head.greatest,
            ),
            doors_links: DoorsLinks::read(blob, class),
            reach: Reach::read(blob, class),
            labels: Labels::read(blob, class),
            landmarks: Landmarks::read(blob, class),
            rooms: Rooms::read(blob, class),
            label_corners: blob.records(Section::LAYOUT_CORNERS, class),
            room_links: RoomLinks::of(blob, class),
            beyond: Default::default(),
        }
    }

    /// The file that it belongs to: names, agents, areas, switches, markers.
    ///
    /// For a [`NavMeshBuf`](crate::NavMeshBuf), this is the file in memory, with the sections that
    /// searches use.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// let areas: Vec<&str> = mesh.file().areas().map(|area| area.name).collect();
    /// assert_eq!(areas, ["ground", "mud"]);
    /// ```
    pub fn file(&self) -> CheckedBlob<'a> {
        CheckedBlob::trusted(self.blob)
    }

    /// Polygons, edges and the data derived from them.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// assert_eq!(mesh.polys().len(), mesh.polygon_count());
    /// ```
    #[inline]
    pub fn polys(&self) -> &PolyMesh<'a> {
        &self.polys
    }

    /// The corners that paths by labels turn at, by number; none without labels.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// assert_eq!(mesh.label_corners().len(), 0); // baked without labels
    /// ```
    #[inline]
    pub fn label_corners(&self) -> Records<'a, Corner> {
        self.label_corners
    }

    /// The links of rooms, and the blocks of doors; empty without rooms.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// assert_eq!(mesh.room_links().len(), 0); // baked without rooms
    /// ```
    #[inline]
    pub fn room_links(&self) -> &RoomLinks<'a> {
        &self.room_links
    }

    /// How far it is between corners that paths turn at, where the blob has tables of it.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// assert!(mesh.labels().is_none()); // baked without
    /// ```
    #[inline]
    pub fn labels(&self) -> Option<&Labels<'a>> {
        self.labels.as_ref()
    }

    /// The same mesh without labels, so that paths are searched for: to watch or to compare
    /// searches.
    #[must_use]
    pub fn without_labels(self) -> NavMesh<'a> {
        NavMesh { labels: None, ..self }
    }

    /// How far vertices are from landmarks, where the blob has tables of it.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// assert!(mesh.landmarks().is_none()); // baked without
    /// ```
    #[inline]
    pub fn landmarks(&self) -> Option<&Landmarks<'a>> {
        self.landmarks.as_ref()
    }

    /// Its rooms, where they were baked.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// assert!(mesh.rooms().is_none()); // baked without
    /// ```
    #[inline]
    pub fn rooms(&self) -> Option<&Rooms<'a>> {
        self.rooms.as_ref()
    }

    /// The grid of all coordinates.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// assert_eq!(mesh.grid().units(), 1024.0); // a metre
    /// ```
    #[inline]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The agent class that it was baked for.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// assert_eq!(mesh.class(), 0);
    /// ```
    pub fn class(&self) -> u16 {
        self.class
    }

    /// Least and greatest coordinates of vertices and height points, in grid units; zeros when
    /// there are none.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// assert_eq!(mesh.bounds(), [[0, 0, 0], [10 * 1024, 0, 9 * 1024]]);
    /// ```
    #[inline]
    pub fn bounds(&self) -> [[i32; 3]; 2] {
        [self.least, self.greatest]
    }

    /// Number of polygons.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// assert_eq!(mesh.polygon_count(), 3);
    /// ```
    #[inline]
    pub fn polygon_count(&self) -> u32 {
        self.polys.len()
    }

    /// Number of vertices.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// assert_eq!(mesh.vertex_count(), 8);
    /// ```
    #[inline]
    pub fn vertex_count(&self) -> u32 {
        self.vertices.len() as u32
    }

    /// Number of polygon edges: a portal counts twice.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// assert_eq!(mesh.edge_count(), 12); // four a polygon
    /// ```
    #[inline]
    pub fn edge_count(&self) -> u32 {
        self.polys.edges.len() as u32
    }

    /// Number of islands.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// assert_eq!(mesh.island_count(), 1);
    /// ```
    #[inline]
    pub fn island_count(&self) -> u32 {
        self.islands.len() as u32
    }

    /// The polygons' boxes, for searches around a place.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// let index = mesh.index();
    /// # let _ = index;
    /// ```
    #[inline]
    pub fn index(&self) -> &SpatialIndex<'a> {
        &self.index
    }

    /// A vertex in grid units.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// use navbake_format::VertexId;
    ///
    /// assert_eq!(mesh.vertex(VertexId(0))[1], 0); // level ground
    /// ```
    #[inline]
    pub fn vertex(&self, v: VertexId) -> [i32; 3] {
        self.vertices.get(v.index()).unwrap_or_default()
    }

    /// A vertex in the ground plane, `[x, z]`, grid units.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// use navbake_format::VertexId;
    ///
    /// let [x, _, z] = mesh.vertex(VertexId(3));
    /// assert_eq!(mesh.flat(VertexId(3)), [x, z]);
    /// ```
    #[inline]
    pub fn flat(&self, v: VertexId) -> [i32; 2] {
        let [x, _, z] = self.vertex(v);
        [x, z]
    }

    /// The numbers of a polygon's edges. Edge k runs from corner k to the next.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// use navbake_format::PolyId;
    ///
    /// assert_eq!(mesh.edges_of(PolyId(1)), 4..8);
    /// ```
    #[inline]
    pub fn edges_of(&self, p: PolyId) -> core::ops::Range<u32> {
        let border = self.polys.border(p.0);
        border.number(0)..border.number(border.len())
    }

    /// Number of detail meshes.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// assert_eq!(mesh.detail_count(), 0); // level ground
    /// ```
    #[inline]
    pub fn detail_count(&self) -> u32 {
        self.polys.details.heads.len() as u32
    }

    /// A detail mesh: the height triangles of some polygons.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// assert!(mesh.detail(0).is_none()); // level ground
    /// ```
    #[inline]
    pub fn detail(&self, i: u32) -> Option<Detail<'a>> {
        self.polys.details.get(i)
    }

    /// The number of a polygon's detail mesh; `None` when its corners define the height.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// use navbake_format::PolyId;
    /// assert_eq!(mesh.detail_number(PolyId(0)), None);
    /// ```
    #[inline]
    pub fn detail_number(&self, p: PolyId) -> Option<u32> {
        let number = self.polys.polygon(p.0)?.detail;
        (number != NONE).then_some(number)
    }

    /// A polygon, with its corners and neighbours.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// use navbake_format::PolyId;
    /// assert_eq!(mesh.polygon(PolyId(0)).len(), 4); // corners
    /// ```
    #[inline]
    pub fn polygon(&self, p: PolyId) -> Polygon<'_, 'a> {
        Polygon::new(&self.polys, p)
    }

    /// All polygons, by id.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// assert_eq!(mesh.polygons().count(), 3);
    /// ```
    pub fn polygons(&self) -> impl Iterator<Item = Polygon<'_, 'a>> {
        (0..self.polygon_count()).map(|p| self.polygon(PolyId(p)))
    }

    /// The island of a polygon: two points can reach each other when their polygons have the same.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// use navbake_format::{IslandId, PolyId};
    ///
    /// assert_eq!(mesh.island(PolyId(2)), IslandId(0));
    /// ```
    #[inline]
    pub fn island(&self, p: PolyId) -> IslandId {
        IslandId(self.polys.island(p.0))
    }

    /// Are two polygons of one island?
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// # use navbake_format::PolyId;
    /// assert!(mesh.on_one_island(PolyId(0), PolyId(2)));
    /// ```
    #[inline]
    pub fn on_one_island(&self, a: PolyId, b: PolyId) -> bool {
        self.island(a) == self.island(b)
    }

    /// The kind of ground that a polygon is.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// let mud = mesh.file().areas_named("mud"); // bit k for area k
    /// let muddy = mesh.polygons().filter(|p| mud >> mesh.area(p.id()).0 & 1 == 1);
    /// assert_eq!(muddy.count(), 1);
    /// ```
    #[inline]
    pub fn area(&self, p: PolyId) -> AreaId {
        let area = self.polys.polygon(p.0).map_or(0, |own| own.area);
        AreaId(area as u8)
    }

    /// Doors, by polygon and edge.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// let names: Vec<&str> = mesh.doors().map(|door| door.name).collect();
    /// assert_eq!(names, ["gate"]);
    /// ```
    pub fn doors(&self) -> impl ExactSizeIterator<Item = Door<'a>> + use<'a> {
        self.doors_links.doors()
    }

    /// Polygons that switches close, by polygon.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// assert_eq!(mesh.closures().len(), 0);
    /// ```
    pub fn closures(&self) -> impl ExactSizeIterator<Item = Closure> + use<'a> {
        self.doors_links.closures()
    }

    /// Number of links.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// assert_eq!(mesh.link_count(), 0);
    /// ```
    #[inline]
    pub fn link_count(&self) -> u32 {
        self.doors_links.link_count()
    }

    /// A link by its number; `None` when there is none.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// assert!(mesh.link(0).is_none());
    /// ```
    pub fn link(&self, number: u32) -> Option<Link<'a>> {
        let mut link = self.doors_links.link(number)?;
        if let Some(ends) = self.polys.pieces.links.get(number as usize) {
            [link.polygon, link.beyond] = ends.map(PolyId);
        }
        Some(link)
    }

    /// The numbers of the links that begin on a polygon: a binary search.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// use navbake_format::PolyId;
    ///
    /// assert!(mesh.links_of(PolyId(0)).is_empty());
    /// ```
    pub fn links_of(&self, polygon: PolyId) -> core::ops::Range<u32> {
        self.doors_links.links_of(PolyId(self.polys.origin(polygon.0)))
    }

    /// Number of reach profiles. Without any, islands answer every question of reachability, or
    /// there are too many answers to store.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// let profiles = mesh.reach_profile_count();
    /// # let _ = profiles;
    /// ```
    pub fn reach_profile_count(&self) -> u32 {
        self.reach.profile_count()
    }

    /// The reach profile of a unit that takes the links of these agents (a bit each) and enters no
    /// polygon of these areas (a bit each); otherwise the narrowest profile that reaches everything
    /// this unit reaches.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// let profile = mesh.reach_profile(0b1, 0); // the first agent, on all ground
    /// # let _ = profile;
    /// ```
    pub fn reach_profile(&self, agents: u32, areas: u64) -> Option<ReachProfile> {
        self.reach.profile(agents, areas)
    }

    /// Can a unit of a profile get from a polygon to another one? It can leave ground that it must
    /// not enter. `None` when the profile does not exist.
    ///
    /// ```
    /// # let mesh = navbake_testkit::level_mesh();
    /// # use navbake_format::PolyId;
    /// assert_eq!(mesh.leads(99, PolyId(0), PolyId(1)), None); // no such profile
    /// ```
    #[inline]
    pub fn leads(&self, profile: u32, from: PolyId, to: PolyId) -> Option<bool> {
        let [from, to] = [from, to].map(|p| PolyId(self.polys.origin(p.0)));
        let leads = self.reach.leads(profile, from, to)?;
        // What was taken out may be on the only path.
        (!leads || !self.polys.is_changed()).then_some(leads)
    }
}
