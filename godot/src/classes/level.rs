//! A baked file as a resource.

use godot::classes::Resource;
use godot::prelude::*;

use super::{NavbakeMesh, key, vector};
use crate::level::Level;

/// A file that `navbake bake` wrote: `load("res://level.navbake")`.
///
/// The index of a world in chunks, `world.navw`, and each of its chunks, `world.chunks/*.nav`, are
/// levels too. The meshes of an index have no ground until `NavbakeMesh.insert_chunk` is called.
///
/// It can be part of a scene and of a `.tres` as well.
#[derive(GodotClass, Debug)]
#[class(tool, init, base = Resource)]
pub struct NavbakeLevel {
    /// The bytes of the file. Setting them checks them.
    #[export(storage)]
    #[var(set)]
    bytes: PackedByteArray,
    level: Level,
    /// Why the bytes are not a level; empty where they are one, or where there are none.
    #[var(no_set)]
    error: GString,
    base: Base<Resource>,
}

#[godot_api]
impl NavbakeLevel {
    /// Checks the bytes of a file and takes them. The reason of a failure is in `error` and in the
    /// output.
    #[func]
    fn set_bytes(&mut self, bytes: PackedByteArray) {
        if let Err(reason) = self.open(bytes) {
            godot_error!("NavbakeLevel: {reason}");
        }
    }

    /// Checks the bytes of a file and takes them.
    pub(super) fn open(&mut self, bytes: PackedByteArray) -> Result<(), String> {
        let opened = match bytes.as_slice() {
            [] => Ok(Level::default()),
            file => Level::open(file),
        };
        let reason = opened.as_ref().err().cloned();
        self.error = reason.as_deref().unwrap_or_default().into();
        self.level = opened.unwrap_or_default();
        self.bytes = bytes;
        self.base_mut().emit_changed();
        reason.map_or(Ok(()), Err)
    }

    /// The checked and decoded file.
    pub(super) fn level(&self) -> &Level {
        &self.level
    }

    /// The navmesh of an agent, or the only one where no agent is named. It has obstacles of its
    /// own, so keep it, and make as many queries on it as there are kinds of units.
    ///
    /// `null` with an error in the output where there is none of this name.
    #[func]
    fn mesh(&self, #[opt(default = "")] agent: GString) -> Option<Gd<NavbakeMesh>> {
        match self.level.ground(&agent.to_string()) {
            Ok(ground) => Some(NavbakeMesh::of(ground)),
            Err(reason) => {
                godot_error!("NavbakeLevel.mesh: {}: {reason}", self.base().get_path());
                None
            }
        }
    }

    /// The names of the agents that it was baked for.
    #[func]
    fn agents(&self) -> PackedStringArray {
        names(self.level.agents())
    }

    /// The names of its areas.
    #[func]
    fn areas(&self) -> PackedStringArray {
        names(self.level.areas())
    }

    /// The names of its switches: doors, bridges, areas that can be closed.
    #[func]
    fn switches(&self) -> PackedStringArray {
        names(self.level.switches())
    }

    /// The chunks of a world, if it is an index: `name` of the file in the folder of the chunks,
    /// `key` (column and row), `bounds` of the ground, `bytes` of the file.
    #[func]
    fn chunks(&self) -> Array<VarDictionary> {
        let chunks = self.level.chunks().into_iter();
        chunks
            .map(|chunk| {
                let [least, greatest] = chunk.bounds.map(vector);
                vdict! {
                    "name" => chunk.name.as_str(),
                    "key" => key(chunk.key),
                    "bounds" => Aabb::from_position_end(least, greatest),
                    "bytes" => chunk.bytes as i64,
                }
            })
            .collect()
    }

    /// Its named places: a `Vector3` for each name.
    #[func]
    fn markers(&self) -> Dictionary<GString, Vector3> {
        let markers = self.level.markers().into_iter();
        markers.map(|marker| (GString::from(&marker.name), vector(marker.at))).collect()
    }
}

fn names(names: Vec<String>) -> PackedStringArray {
    names.iter().map(GString::from).collect()
}
