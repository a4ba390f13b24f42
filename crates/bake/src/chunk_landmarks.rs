//! Landmarks of a world, for its chunks: distances over the ground of all of them.

use navbake_format::{LANDMARKS, NavMesh, NavMeshBuf, PolyId};
use navbake_hierarchy::ClassMesh;
use navbake_mesh::PolygonMesh;
use navbake_tables::Landmarks;

use crate::config::{Budget, WantedLandmarks};
use crate::error::BakeError;
use crate::file::{Encoded, FileParts};
use crate::input::BakeInput;
use crate::link_ends::PolygonNumbers;
use crate::recorder::Recorder;

/// The landmarks of a class: a row for each edge of the navmesh, of the vertex where it begins.
pub(crate) struct ChunkLandmarks {
    shift: u8,
    rows: Vec<[u16; LANDMARKS]>,
}

/// Landmarks by class, where the config asks for them; `None` for classes with links.
pub(crate) fn landmarks(
    input: &BakeInput,
    meshes: &[ClassMesh],
    whole: &FileParts<'_>,
    rec: &mut Recorder<'_>,
) -> Result<Vec<Option<ChunkLandmarks>>, BakeError> {
    let tables = &input.config.tables;
    let are_wanted = tables.landmarks == WantedLandmarks::Always && tables.budget() != Budget::None;
    // Only classes without links have any.
    if !are_wanted || whole.links.iter().all(|links| !links.is_empty()) {
        return Ok(meshes.iter().map(|_| None).collect());
    }
    let mut encoded = Encoded::new(whole, rec)?;
    let decoded = encoded.meshes(rec)?;
    let of_class = |(own, nav): (&ClassMesh, &NavMeshBuf)| {
        let view = nav.mesh();
        let found = Landmarks::new(&view)?;
        Some(ChunkLandmarks::of(&own.mesh, &view, &found))
    };
    let all = || meshes.iter().zip(decoded).map(of_class).collect::<Vec<_>>();
    let found = rec.parallel("tables", all)?;
    found.into_iter().map(|own| own.map(|own| own.ok_or_else(lost)).transpose()).collect()
}

fn lost() -> BakeError {
    BakeError::internal("landmarks", "a polygon is not in the file")
}

impl ChunkLandmarks {
    fn of(mesh: &PolygonMesh, view: &NavMesh<'_>, found: &Landmarks) -> Option<ChunkLandmarks> {
        let numbers = PolygonNumbers::of(mesh);
        let mut rows = vec![[0; LANDMARKS]; mesh.corners.len()];
        for it in view.polygons() {
            let own = numbers.of_polygon(view, it.id())?;
            for (e, pivot) in pivots(mesh, own, view, it.id()) {
                rows[e] = *found.rows().get(pivot? as usize)?;
            }
        }
        Some(ChunkLandmarks { shift: found.shift(), rows })
    }

    /// Those of a chunk. `whole` gives the polygon of the world that a polygon of the chunk is.
    pub(crate) fn of_chunk(
        &self,
        mesh: &PolygonMesh,
        view: &NavMesh<'_>,
        whole: impl Fn(PolyId) -> Option<u32>,
    ) -> Option<Landmarks> {
        let mut rows = vec![[0; LANDMARKS]; view.polys().pivots as usize];
        for it in view.polygons() {
            for (e, pivot) in pivots(mesh, whole(it.id())?, view, it.id()) {
                *rows.get_mut(pivot? as usize)? = self.rows[e];
            }
        }
        Some(Landmarks::with_rows(self.shift, rows))
    }

    /// Those of the index, which has no vertices.
    pub(crate) fn of_index(&self) -> Landmarks {
        Landmarks::with_rows(self.shift, vec![])
    }
}

/// The edges of a polygon, each with the pivot of the vertex where it begins in a file. `number`
/// is the polygon, and `id` what it is in the file.
fn pivots<'a>(
    mesh: &'a PolygonMesh,
    number: u32,
    view: &'a NavMesh<'_>,
    id: PolyId,
) -> impl Iterator<Item = (usize, Option<u32>)> + 'a {
    let border = view.polys().border(id.0);
    mesh.edges(number as usize).map(move |e| {
        let at = mesh.vertices[mesh.corners[e] as usize];
        (e, border.iter().find(|edge| edge.at == [at.x, at.z]).map(|edge| edge.pivot_number()))
    })
}
