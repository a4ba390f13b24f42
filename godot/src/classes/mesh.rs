//! The navmesh of an agent, with obstacles and chunks.

use godot::classes::{BoxShape3D, CapsuleShape3D, CylinderShape3D, Shape3D, SphereShape3D};
use godot::global::Error;
use godot::prelude::*;

use navbake_world::{Solid, World};

use super::{NavbakeLevel, NavbakeQuery, done, key, point};
use crate::ground::{Ground, Shared};

/// The navmesh of one agent of a level, the obstacles on it, and the chunks of a world that are
/// loaded. `NavbakeLevel.mesh` makes it.
///
/// Queries of several threads search at a time; a commit waits for them, and they for it.
#[derive(GodotClass, Debug)]
#[class(tool, no_init)]
pub struct NavbakeMesh {
    shared: Shared,
}

impl NavbakeMesh {
    pub(super) fn of(ground: Ground) -> Gd<NavbakeMesh> {
        Gd::from_object(NavbakeMesh { shared: Shared::new(ground) })
    }

    /// The ground that it shares with its queries.
    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }

    fn try_restore(&mut self, saved: &[u8], chunks: &AnyArray) -> Result<(), String> {
        let own = chunks.iter_shared().enumerate().map(|(i, item)| {
            let level: Gd<NavbakeLevel> = item.try_to().map_err(|_| {
                format!("chunk {i} is no NavbakeLevel: load the files that saved_chunks names")
            })?;
            let chunk = self.shared.read().chunk(level.bind().level());
            chunk.map_err(|error| format!("{}: {error}", level.get_path()))
        });
        let own = own.collect::<Result<_, String>>()?;
        self.shared.write().restore(saved, own).map_err(|error| error.to_string())
    }
}

#[godot_api]
impl NavbakeMesh {
    /// A query for one kind of units. It searches on this mesh, and copies nothing of it.
    #[func]
    fn query(&self) -> Option<Gd<NavbakeQuery>> {
        NavbakeQuery::of(self.shared.clone())
            .inspect_err(|reason| godot_error!("NavbakeMesh.query: {reason}"))
            .ok()
    }

    /// Takes the ground where a shape is at the next `commit`; gives the number of the obstacle,
    /// or -1 with an error in the output.
    ///
    /// The ground is taken within the agent's radius of the shape's outline seen from above, where
    /// its heights are. Shapes: box, cylinder, capsule, sphere.
    #[func]
    fn add_obstacle(&mut self, shape: Gd<Shape3D>, transform: Transform3D) -> i64 {
        let added = solid(&shape, transform)
            .and_then(|solid| self.shared.write().add(&solid).map_err(|e| e.to_string()));
        match added {
            Ok(number) => number as i64,
            Err(reason) => {
                godot_error!("NavbakeMesh.add_obstacle: {reason}");
                -1
            }
        }
    }

    /// Puts an obstacle elsewhere, perhaps in another shape, at the next `commit`.
    #[func]
    fn move_obstacle(&mut self, id: i64, shape: Gd<Shape3D>, transform: Transform3D) -> Error {
        let moved = solid(&shape, transform).and_then(|solid| {
            self.shared.write().move_to(id as u64, &solid).map_err(|e| e.to_string())
        });
        done("NavbakeMesh.move_obstacle", moved)
    }

    /// Gives the ground back at the next `commit`.
    #[func]
    fn remove_obstacle(&mut self, id: i64) -> Error {
        let removed = self.shared.write().remove(id as u64).map_err(|error| error.to_string());
        done("NavbakeMesh.remove_obstacle", removed)
    }

    /// Puts a chunk on the mesh of an index at the next `commit`: a copy of the level that
    /// `load("res://world.chunks/NAME")` gives, also on a thread.
    ///
    /// Refuses a level that is no chunk, a chunk of another bake, and one that is there.
    #[func]
    fn insert_chunk(&mut self, chunk: Gd<NavbakeLevel>) -> Error {
        let inserted = self.shared.write().insert_chunk(chunk.bind().level());
        let named = inserted.map_err(|error| format!("{}: {error}", chunk.get_path()));
        done("NavbakeMesh.insert_chunk", named)
    }

    /// Takes a chunk off at the next `commit`, by its column and row.
    #[func]
    fn remove_chunk(&mut self, key: Vector2i) -> Error {
        let removed = self.shared.write().remove_chunk([key.x, key.y]);
        done("NavbakeMesh.remove_chunk", removed.map_err(|error| error.to_string()))
    }

    /// Is a chunk on the mesh since the last `commit`?
    #[func]
    fn is_loaded(&self, key: Vector2i) -> bool {
        self.shared.read().world().is_loaded([key.x, key.y])
    }

    /// The chunks that are not loaded and in which the ground of a position goes on, by column and
    /// row. Empty with an error in the output where no ground is within `vertical` metres above or
    /// below the position.
    #[func]
    fn not_loaded(
        &self,
        position: Vector3,
        #[opt(default = 2.0)] vertical: f64,
    ) -> Array<Vector2i> {
        let found = self.shared.read().not_loaded(point(position), vertical);
        let keys = found.inspect_err(|reason| godot_error!("NavbakeMesh.not_loaded: {reason}"));
        keys.unwrap_or_default().into_iter().map(key).collect()
    }

    /// Makes the changes of obstacles and chunks until `most` polygons were cut anew, or came and
    /// went with chunks, 0 for all; gives how many changes are left. A chunk changes as a whole.
    #[func]
    fn commit(&mut self, #[opt(default = 0)] most: i64) -> i64 {
        let most = usize::try_from(most).unwrap_or(0);
        self.shared.write().commit(most).left as i64
    }

    /// Obstacles, chunks and staged changes as bytes, for `restore`.
    #[func]
    fn save(&self) -> PackedByteArray {
        PackedByteArray::from(self.shared.read().world().save())
    }

    /// The chunks that `restore` needs for the bytes of `save`, by column and row. Empty with an
    /// error in the output for other bytes.
    #[func]
    fn saved_chunks(saved: PackedByteArray) -> Array<Vector2i> {
        let keys = World::saved_chunks(saved.as_slice())
            .inspect_err(|reason| godot_error!("NavbakeMesh.saved_chunks: {reason}"));
        keys.unwrap_or_default().into_iter().map(key).collect()
    }

    /// Makes the mesh what it was when `save` gave these bytes, to the bit: answers, and the
    /// numbers of obstacles. What is on the mesh before is gone; queries stay, with their switches
    /// and costs.
    ///
    /// `chunks` are the levels of those that `saved_chunks` names, in any order; `[]` for a mesh
    /// that is not in chunks. Refuses bytes that were changed or cut, or are of another level,
    /// agent or version, and a chunk that is missing or has changed. The mesh is then as before.
    #[func]
    fn restore(&mut self, saved: PackedByteArray, chunks: AnyArray) -> Error {
        let restored = self.try_restore(saved.as_slice(), &chunks);
        done("NavbakeMesh.restore", restored)
    }
}

/// A shape at a place, as the ground knows it.
fn solid(shape: &Gd<Shape3D>, place: Transform3D) -> Result<Solid, String> {
    let upright = |radius: f32, height: f32| (Vector3::new(radius, height / 2.0, radius), true);
    let (half, is_round) = if let Ok(cube) = shape.clone().try_cast::<BoxShape3D>() {
        (cube.get_size() / 2.0, false)
    } else if let Ok(cylinder) = shape.clone().try_cast::<CylinderShape3D>() {
        upright(cylinder.get_radius(), cylinder.get_height())
    } else if let Ok(capsule) = shape.clone().try_cast::<CapsuleShape3D>() {
        upright(capsule.get_radius(), capsule.get_height())
    } else if let Ok(ball) = shape.clone().try_cast::<SphereShape3D>() {
        upright(ball.get_radius(), 2.0 * ball.get_radius())
    } else {
        let class = shape.get_class();
        return Err(format!("{class} is no obstacle: take a box, cylinder, capsule or sphere"));
    };
    let basis = place.basis;
    Ok(Solid {
        half: point(half),
        is_round,
        axes: [basis.col_a(), basis.col_b(), basis.col_c()].map(point),
        middle: point(place.origin),
    })
}
