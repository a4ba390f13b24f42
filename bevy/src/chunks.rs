//! Chunks of a world: which are wanted, their files, and how they come and go.

use std::collections::BTreeMap;

use bevy_asset::io::Reader;
use bevy_asset::{
    Asset, AssetEvent, AssetId, AssetLoader, AssetPath, AssetServer, Assets, Handle, LoadContext,
    LoadState,
};
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::Vec3;
use bevy_reflect::TypePath;
use bevy_transform::components::Transform;
use bevy_transform::helper::TransformHelper;
use navbake_format::Blob;
use navbake_search::path::Route;
use navbake_search::{Scratch, Status};
use navbake_world::{ChunkMesh, Error, World};

use crate::asset::{modified, read};
use crate::{LevelError, LevelFailed, NavWorld, Navmesh, NavmeshError, NoPath};

/// Wants chunks of worlds: their files are loaded, and their ground is on the navmesh while they
/// are wanted.
///
/// It wants them of every level that is a world in chunks. A chunk goes when no loader wants it any
/// more.
#[derive(Component, Clone, Debug, PartialEq)]
#[require(Transform)]
pub enum NavLoader {
    /// The chunks whose ground is at most this far from the entity's `Transform`, metres, seen from
    /// above. Infinity wants all. A chunk that is there stays a fourth of its side longer, so that
    /// an entity at its border does not load it again and again.
    Within(f32),
    /// These chunks, by column and row, wherever the entity is.
    Chunks(Vec<[i32; 2]>),
}

/// A loader, and where it is.
struct Wish<'a> {
    loader: &'a NavLoader,
    /// `None` where an entity above it has no transform: then nothing is near it.
    at: Option<Vec3>,
}

/// The file of a chunk of a world, an asset: the chunk for each class of agents.
///
/// [`NavLoader`]s load it themselves. [`NavWorld::saved_chunks`] gives handles.
#[derive(Asset, TypePath, Debug)]
pub struct NavChunk(Vec<ChunkMesh>);

/// Loads the files of chunks. It has no ending of its own: `.nav` alone is a [`crate::Navmesh`].
#[derive(Debug, Default, TypePath)]
pub(crate) struct ChunkLoader;

impl AssetLoader for ChunkLoader {
    type Asset = NavChunk;
    type Settings = ();
    type Error = NavmeshError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _: &(),
        _: &mut LoadContext<'_>,
    ) -> Result<NavChunk, NavmeshError> {
        let bytes = read(reader).await?;
        let blob = Blob::open_checked(&bytes).map_err(NavmeshError::Blob)?;
        blob.blob().verify_checksum().map_err(NavmeshError::Blob)?;
        let classes = (0..blob.class_count()).map(|class| {
            let nav = blob.decode(class).map_err(NavmeshError::Blob)?;
            ChunkMesh::new(nav).map_err(NavmeshError::Chunk)
        });
        Ok(NavChunk(classes.collect::<Result<_, _>>()?))
    }
}

/// The chunks of a level.
#[derive(Debug)]
pub(crate) struct Chunks {
    /// The folder of their files.
    folder: AssetPath<'static>,
    class: usize,
    /// By row and column, as in the index.
    all: Vec<Row>,
    /// Why chunks that are wanted are not there.
    errors: BTreeMap<[i32; 2], LevelError>,
}

/// A chunk of a level.
#[derive(Debug)]
struct Row {
    key: [i32; 2],
    /// The name of its file.
    name: String,
    /// Least and greatest x and z of its ground, metres.
    bounds: [[f64; 2]; 2],
    /// How much farther than a radius a chunk that is there may be, metres.
    stay: f64,
    held: Held,
}

#[derive(Debug)]
enum Held {
    /// It is not wanted.
    No,
    Loading(Handle<NavChunk>),
    /// Its file was refused; it is tried again when the file changes.
    Failed(Handle<NavChunk>),
    /// The world has it, or gets it at a commit. It has a copy, so no handle is kept.
    There,
}

impl Row {
    /// Where its file is.
    fn path(&self, folder: &AssetPath<'static>) -> AssetPath<'static> {
        folder.resolve(&AssetPath::from_path(self.name.as_ref()))
    }

    /// How far its ground is from a place, seen from above, metres.
    fn distance(&self, at: Vec3) -> f64 {
        let [least, greatest] = self.bounds;
        let at = [at.x, at.z].map(f64::from);
        let [x, z] = [0, 1].map(|k| (least[k] - at[k]).max(at[k] - greatest[k]).max(0.0));
        x.hypot(z)
    }
}

impl Chunks {
    /// Those of a world whose index is this file; none is there.
    pub(crate) fn new(world: &World, index: &AssetPath<'_>) -> Chunks {
        let mesh = world.baked();
        let grid = mesh.grid();
        let all = mesh.file().chunks();
        let corner = |at: [i32; 3]| {
            let [x, _, z] = grid.metres(at.map(f64::from));
            [x, z]
        };
        let folder = AssetPath::from_path_buf(index.path().with_extension("chunks"));
        Chunks {
            folder: folder.with_source(index.source().clone_owned()),
            class: usize::from(mesh.class()),
            all: all
                .iter()
                .map(|chunk| Row {
                    key: chunk.key,
                    name: chunk.file_name(),
                    bounds: [chunk.least, chunk.greatest].map(corner),
                    stay: f64::from(chunk.side) / grid.units() / 4.0,
                    held: Held::No,
                })
                .collect(),
            errors: BTreeMap::new(),
        }
    }

    /// Why a chunk that is wanted is not there: the first one.
    pub(crate) fn error(&self) -> Option<&LevelError> {
        self.errors.values().next()
    }

    fn number(&self, [column, row]: [i32; 2]) -> Option<usize> {
        let place = |own: &Row| [own.key[1], own.key[0]];
        self.all.binary_search_by_key(&[row, column], place).ok()
    }

    /// Where the file of a chunk is; `None` for a key that no chunk has.
    pub(crate) fn path(&self, key: [i32; 2]) -> Option<AssetPath<'static>> {
        Some(self.all[self.number(key)?].path(&self.folder))
    }

    /// A copy of a chunk whose file is loaded.
    pub(crate) fn copy(&self, key: [i32; 2], files: &NavFiles<'_>) -> Option<ChunkMesh> {
        let NavChunk(classes) = files.chunks.get(&files.server.get_handle(self.path(key)?)?)?;
        // A file without the class is of another bake, as a world says of any chunk of it.
        classes.get(self.class).or(classes.first()).cloned()
    }

    /// Follows a world that was restored: the chunks that are there once all its changes are made.
    pub(crate) fn restored(&mut self, world: &World) {
        for row in &mut self.all {
            if world.is_wanted(row.key) {
                self.errors.remove(&row.key);
                row.held = Held::There;
            } else if matches!(row.held, Held::There) {
                row.held = Held::No;
            }
        }
    }

    /// By number: is it wanted? And columns and rows that no chunk has.
    fn wanted(&self, wishes: &[Wish<'_>]) -> (Vec<bool>, Vec<[i32; 2]>) {
        let (mut wanted, mut unknown) = (vec![false; self.all.len()], Vec::new());
        for wish in wishes {
            match (wish.loader, wish.at) {
                (NavLoader::Within(radius), Some(at)) => {
                    for (row, wanted) in self.all.iter().zip(&mut wanted) {
                        let longer = if matches!(row.held, Held::No) { 0.0 } else { row.stay };
                        *wanted |= row.distance(at) <= f64::from(*radius) + longer;
                    }
                }
                (NavLoader::Within(_), None) => {}
                (NavLoader::Chunks(keys), _) => {
                    for &key in keys {
                        match self.number(key) {
                            Some(number) => wanted[number] = true,
                            None => unknown.push(key),
                        }
                    }
                }
            }
        }
        (wanted, unknown)
    }

    /// Loads what is wanted, gives the world what was loaded, and takes from it what is not wanted.
    /// Gives the errors that are new.
    fn update(
        &mut self,
        world: &mut World,
        wishes: &[Wish<'_>],
        files: &NavFiles<'_>,
        changed: &[AssetId<NavChunk>],
    ) -> Vec<LevelError> {
        let (wanted, unknown) = self.wanted(wishes);
        let mut failed: Vec<([i32; 2], LevelError)> =
            unknown.iter().map(|&key| (key, LevelError::NoChunk(key))).collect();
        let errors = &mut self.errors;
        errors.retain(|key, error| match error {
            LevelError::NoChunk(_) => unknown.contains(key),
            _ => true,
        });
        for (row, wanted) in self.all.iter_mut().zip(wanted) {
            let held = std::mem::replace(&mut row.held, Held::No);
            row.held = match (wanted, held) {
                (true, Held::No) => Held::Loading(files.server.load(row.path(&self.folder))),
                (true, Held::Loading(handle)) => {
                    match files.insert(world, &handle, row.key, self.class) {
                        None => Held::Loading(handle),
                        Some(Ok(())) => {
                            errors.remove(&row.key);
                            Held::There
                        }
                        Some(Err(error)) => {
                            failed.push((row.key, error));
                            Held::Failed(handle)
                        }
                    }
                }
                (true, Held::Failed(handle)) => {
                    let is_new = match errors.get(&row.key) {
                        Some(LevelError::ChunkFile(_)) => files.chunks.contains(&handle),
                        _ => changed.contains(&handle.id()),
                    };
                    if is_new {
                        errors.remove(&row.key);
                        Held::Loading(handle)
                    } else {
                        Held::Failed(handle)
                    }
                }
                (true, Held::There) => Held::There,
                (false, Held::There) => {
                    // The world got it, and nothing else removes it.
                    let _ = world.remove_chunk(row.key);
                    Held::No
                }
                (false, _) => {
                    errors.remove(&row.key);
                    Held::No
                }
            };
        }
        failed
            .into_iter()
            .filter(|(key, error)| errors.insert(*key, error.clone()).is_none())
            .map(|(_, error)| error)
            .collect()
    }
}

/// The files of levels, for systems that restore worlds.
#[derive(SystemParam)]
pub struct NavFiles<'w> {
    pub(crate) server: Res<'w, AssetServer>,
    pub(crate) navmeshes: Res<'w, Assets<Navmesh>>,
    chunks: Res<'w, Assets<NavChunk>>,
}

impl NavFiles<'_> {
    /// Why the file of a chunk could not be loaded.
    pub(crate) fn failure(&self, handle: &Handle<NavChunk>) -> Option<LevelError> {
        match self.server.get_load_state(handle) {
            Some(LoadState::Failed(error)) => Some(LevelError::ChunkFile(error)),
            _ => None,
        }
    }

    /// Gives a world a chunk; `None` while its file is being loaded.
    fn insert(
        &self,
        world: &mut World,
        handle: &Handle<NavChunk>,
        key: [i32; 2],
        class: usize,
    ) -> Option<Result<(), LevelError>> {
        let Some(NavChunk(classes)) = self.chunks.get(handle) else {
            return self.failure(handle).map(Err);
        };
        // A file of another name may be a chunk of this world in another place.
        let own = classes.get(class).filter(|own| own.key() == key);
        let done = own.cloned().ok_or(Error::OtherWorld(key));
        Some(done.and_then(|own| world.insert_chunk(own)).map_err(|error| {
            let file = handle.path().cloned().unwrap_or_default();
            LevelError::Chunk { file, error }
        }))
    }
}

/// Loads the chunks that are wanted, and brings worlds to them.
pub(crate) fn load(
    mut commands: Commands,
    loaders: Query<(Entity, &NavLoader)>,
    transforms: TransformHelper,
    files: NavFiles<'_>,
    mut events: MessageReader<AssetEvent<NavChunk>>,
    mut levels: Query<(Entity, &mut NavWorld)>,
) {
    let changed = modified(&mut events);
    let place = |entity| transforms.compute_global_transform(entity).ok();
    let wishes: Vec<Wish<'_>> = loaders
        .iter()
        .map(|(entity, loader)| Wish { loader, at: place(entity).map(|at| at.translation()) })
        .collect();
    for (entity, mut nav) in &mut levels {
        let Some(ready) = nav.bypass_change_detection().ready.as_mut() else {
            continue;
        };
        if let Some(chunks) = &mut ready.chunks {
            for error in chunks.update(&mut ready.world, &wishes, &files, &changed) {
                commands.trigger(LevelFailed { entity, error });
            }
        }
    }
}

/// Worlds in chunks.
impl NavWorld {
    /// How many chunks are on their way: their files are being loaded, or a commit will put them on
    /// the navmesh.
    pub fn loading(&self) -> usize {
        let Some((ready, chunks)) = self.ready.as_ref().and_then(|r| Some((r, r.chunks.as_ref()?)))
        else {
            return 0;
        };
        let is_coming = |row: &&Row| match row.held {
            Held::Loading(_) => true,
            Held::There => !ready.world.is_loaded(row.key),
            Held::No | Held::Failed(_) => false,
        };
        chunks.all.iter().filter(is_coming).count()
    }

    /// A route to a goal over chunks that are loaded or not: `passages` has the chunks that it
    /// enters, for [`NavLoader::Chunks`]. Once they are there, agents find a path over them.
    ///
    /// The ground at the start, and at a goal whose chunk is loaded, is at most `vertical` metres
    /// above or below them. [`NavQuery::route`](navbake_search::NavQuery::route) has the rules. It
    /// takes up to 30 ms where chunks have a hundred gateways.
    ///
    /// # Errors
    /// [`NoPath::Level`] when the level has failed. [`NoPath::Answer`] with `NotLoaded` when the
    /// level is being loaded, or the start is in a chunk that is not loaded; with `OffMesh` when no
    /// ground is at the start; with `Unreachable` when there is no route: not in chunks, or none
    /// whatever is loaded, or only one that needs links to ground that is not loaded.
    pub fn route(&self, start: Vec3, goal: Vec3, vertical: f32) -> Result<Route, NoPath> {
        let Some(query) = self.query() else {
            let waits = || NoPath::Answer(Status::NotLoaded);
            return Err(self.error().map_or_else(waits, |error| NoPath::Level(error.clone())));
        };
        let (mesh, vertical) = (query.mesh(), f64::from(vertical));
        let Some(from) = query.locate(start.to_array(), vertical) else {
            let place = mesh.grid().snap(start.to_array().map(f64::from));
            let is_missing = place.is_some_and(|[x, _, z]| mesh.is_missing([x, z]));
            let status = if is_missing { Status::NotLoaded } else { Status::OffMesh };
            return Err(NoPath::Answer(status));
        };
        query
            .route(&from, goal.to_array(), vertical, &mut Scratch::new())
            .ok_or(NoPath::Answer(Status::Unreachable))
    }
}
