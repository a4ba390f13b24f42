//! A baked file as an asset.

use std::fmt;

use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetEvent, AssetId, AssetLoader, LoadContext};
use bevy_ecs::message::MessageReader;
use bevy_math::Vec3;
use bevy_reflect::TypePath;
use navbake_format::{Blob, BlobError, Chunk, DiagnosticKind, NavMeshBuf};

/// What the baker noticed about the level, at one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What it noticed.
    pub kind: DiagnosticKind,
    /// Where, in metres.
    pub at: Vec3,
    /// The name of the area or link that it concerns, perhaps empty.
    pub name: String,
    /// The class of agents that it concerns; `None` where it concerns all.
    pub class: Option<u16>,
}

/// A baked file, checked and decoded: a navmesh for each class of agents.
///
/// Those of the index of a world in chunks have no ground until a [`NavLoader`](crate::NavLoader)
/// wants chunks.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct Navmesh {
    meshes: Vec<NavMeshBuf>,
    findings: Vec<Finding>,
}

impl Navmesh {
    /// Checks and decodes the bytes of a file. O(n log n).
    ///
    /// # Errors
    /// When they are not a file of navbake, or damaged; the message names the place.
    pub fn new(bytes: &[u8]) -> Result<Navmesh, NavmeshError> {
        let blob = Blob::open_checked(bytes).map_err(NavmeshError::Blob)?;
        let meshes = (0..blob.class_count()).map(|class| blob.decode(class));
        let findings = blob.findings().into_iter().flat_map(|all| all.iter());
        Ok(Navmesh {
            meshes: meshes.collect::<Result<_, _>>().map_err(NavmeshError::Blob)?,
            findings: findings
                .map(|found| Finding {
                    kind: found.kind,
                    at: vec3(found.at),
                    name: found.name.to_owned(),
                    class: found.class,
                })
                .collect(),
        })
    }

    /// The names of the agents that it was baked for.
    pub fn agents(&self) -> impl Iterator<Item = &str> {
        let file = self.meshes.first().map(|nav| nav.mesh().file());
        file.into_iter().flat_map(|file| file.agents().map(|agent| agent.name))
    }

    /// The navmesh of an agent, or the only one where no agent is named.
    ///
    /// # Errors
    /// When no agent has this name, or none is named and there are several navmeshes.
    pub fn mesh(&self, agent: Option<&str>) -> Result<&NavMeshBuf, BlobError> {
        let count = self.meshes.len() as u16;
        let class = match (agent, self.meshes.first()) {
            (Some(name), Some(nav)) => {
                nav.mesh().file().agent(name).ok_or(BlobError::NoAgent)?.class
            }
            (None, Some(_)) if count > 1 => return Err(BlobError::SeveralMeshes { count }),
            _ => 0,
        };
        self.meshes.get(usize::from(class)).ok_or(BlobError::NoClass { class, classes: count })
    }

    /// The chunks of a world, by row and column; none in other files. The grid of a navmesh turns
    /// their bounds to metres.
    pub fn chunks(&self) -> impl Iterator<Item = Chunk> {
        let file = self.meshes.first().map(|nav| nav.mesh().file());
        let index = file.filter(|file| file.is_index());
        index.into_iter().flat_map(|file| file.chunks().iter())
    }

    /// What the baker noticed about the level. `navbake check` has rules, limits and cures.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

/// A point of navbake as Bevy has it: rounded to single precision.
pub(crate) fn vec3(point: [f64; 3]) -> Vec3 {
    Vec3::from(point.map(|c| c as f32))
}

/// Why a file is no [`Navmesh`]. Bevy's own errors around it name the file.
#[derive(Debug)]
#[non_exhaustive]
pub enum NavmeshError {
    /// It could not be read.
    Read(std::io::Error),
    /// It is not a file of navbake, or damaged.
    Blob(BlobError),
    /// It is not a chunk of a world.
    Chunk(navbake_world::Error),
}

impl fmt::Display for NavmeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NavmeshError::Read(error) => write!(f, "cannot read the navmesh: {error}"),
            NavmeshError::Blob(error) => error.fmt(f),
            NavmeshError::Chunk(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NavmeshError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            NavmeshError::Read(error) => Some(error),
            NavmeshError::Blob(error) => Some(error),
            NavmeshError::Chunk(error) => Some(error),
        }
    }
}

/// The files that were loaded again.
pub(crate) fn modified<A: Asset>(
    events: &mut MessageReader<'_, '_, AssetEvent<A>>,
) -> Vec<AssetId<A>> {
    let modified = events.read().filter_map(|event| match event {
        AssetEvent::Modified { id } => Some(*id),
        _ => None,
    });
    modified.collect()
}

/// The bytes of a file.
pub(crate) async fn read(reader: &mut dyn Reader) -> Result<Vec<u8>, NavmeshError> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).await.map_err(NavmeshError::Read)?;
    Ok(bytes)
}

/// Loads [`Navmesh`]es from files that end in `.navbake` or `.nav`, and from the indices of worlds
/// in chunks, which end in `.navw`.
///
/// `bevy_rerecast` has a loader for `.nav` too. Both work in one app where handles have types:
/// `Handle<Navmesh>` is loaded by this one.
#[derive(Debug, Default, TypePath)]
pub struct NavmeshLoader;

impl AssetLoader for NavmeshLoader {
    type Asset = Navmesh;
    type Settings = ();
    type Error = NavmeshError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _: &(),
        _: &mut LoadContext<'_>,
    ) -> Result<Navmesh, NavmeshError> {
        Navmesh::new(&read(reader).await?)
    }

    fn extensions(&self) -> &[&str] {
        &["navbake", "nav", "navw"]
    }
}
