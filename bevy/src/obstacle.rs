//! Obstacles that follow their entities.

use bevy_ecs::prelude::*;
use bevy_math::{Affine3A, Vec3};
use bevy_transform::components::Transform;
use bevy_transform::helper::TransformHelper;
use navbake_world::{Error, Obstacle, ObstacleError, ObstacleId, Solid};

use crate::{NavWorld, ObstacleRefused};

/// Takes ground away from every level, where the entity's `Transform` is.
///
/// Its origin is its middle, as that of Bevy's `Cylinder` and `Cuboid`. Ground is taken within the
/// agent's radius of it, where its heights are. It takes the outline seen from above: of a box in
/// any rotation, of an upright cylinder exactly. A cylinder that is tilted, or whose scales along x
/// and z differ, takes the outline of the box around it.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[require(Transform)]
pub enum NavObstacle {
    /// A cylinder along the y axis.
    Cylinder {
        /// Its radius, metres.
        radius: f32,
        /// Its height, metres.
        height: f32,
    },
    /// A box.
    Box {
        /// Its edges along x, y and z, metres.
        size: Vec3,
    },
}

impl NavObstacle {
    /// The shape in world space.
    ///
    /// # Errors
    /// When a number is not finite, or a radius negative.
    pub fn shape(&self, place: &Affine3A) -> Result<Obstacle, ObstacleError> {
        let (half, is_round) = match *self {
            NavObstacle::Cylinder { radius, height } => {
                (Vec3::new(radius, height / 2.0, radius), true)
            }
            NavObstacle::Box { size } => (size / 2.0, false),
        };
        let wide = |v: [f32; 3]| v.map(f64::from);
        let [x, y, z] = [place.matrix3.x_axis, place.matrix3.y_axis, place.matrix3.z_axis];
        let axes = [x, y, z].map(|axis| wide(axis.to_array()));
        let middle = wide(place.translation.to_array());
        Solid { half: wide(half.to_array()), is_round, axes, middle }.obstacle()
    }
}

/// An obstacle as a level has it.
#[derive(Debug)]
pub(crate) struct Placed {
    /// `None` where the level refused it.
    id: Option<ObstacleId>,
    shape: Result<Obstacle, Error>,
    /// The round in which it was seen last.
    round: u64,
}

impl Placed {
    /// The obstacle of an entity that the level did not know: one of a restored world that is the
    /// same, or none.
    fn new(shape: &Result<Obstacle, Error>, restored: &mut Vec<(ObstacleId, Obstacle)>) -> Placed {
        let is_same = |(_, own): &(ObstacleId, Obstacle)| shape.as_ref() == Ok(own);
        match restored.iter().position(is_same) {
            // The order of the rest decides which ids go to obstacles that are alike.
            Some(i) => Placed { id: Some(restored.remove(i).0), shape: *shape, round: 0 },
            None => Placed { id: None, shape: Err(Error::NoObstacle), round: 0 },
        }
    }
}

/// Puts obstacles where their transforms are, in every level; takes away those that went.
pub(crate) fn place(
    mut commands: Commands,
    mut round: Local<u64>,
    obstacles: Query<(Entity, &NavObstacle)>,
    transforms: TransformHelper,
    mut levels: Query<(Entity, &mut NavWorld)>,
) {
    *round += 1;
    // Where an entity above it has no transform, there is no place: such an obstacle takes nothing.
    let shapes: Vec<(Entity, Result<Obstacle, Error>)> = obstacles
        .iter()
        .filter_map(|(entity, obstacle)| {
            let place = transforms.compute_global_transform(entity).ok()?;
            Some((entity, obstacle.shape(&place.affine()).map_err(Error::from)))
        })
        .collect();
    for (level, mut world) in &mut levels {
        let Some(ready) = world.bypass_change_detection().ready.as_mut() else {
            continue;
        };
        for (entity, shape) in &shapes {
            let restored = &mut ready.restored;
            let placed =
                ready.obstacles.entry(*entity).or_insert_with(|| Placed::new(shape, restored));
            placed.round = *round;
            if same(&placed.shape, shape) {
                continue;
            }
            placed.shape = *shape;
            if let Err(error) = update(&mut ready.world, placed) {
                commands.trigger(ObstacleRefused { entity: *entity, level, error });
            }
        }
        ready.obstacles.retain(|_, placed| {
            let stays = placed.round == *round;
            if let Some(id) = placed.id.filter(|_| !stays) {
                // The world gave the id, and it was not removed before.
                let _ = ready.world.remove(id);
            }
            stays
        });
        for (id, _) in ready.restored.drain(..) {
            // The world that was restored has it, and no entity does.
            let _ = ready.world.remove(id);
        }
    }
}

/// Is a shape the one of before? An error may hold a number that is unlike itself.
fn same(a: &Result<Obstacle, Error>, b: &Result<Obstacle, Error>) -> bool {
    match (a, b) {
        (Err(a), Err(b)) => a.to_string() == b.to_string(),
        _ => a == b,
    }
}

/// Brings a changed obstacle to the world. One that is refused takes no ground.
fn update(world: &mut navbake_world::World, placed: &mut Placed) -> Result<(), Error> {
    let done = placed.shape.and_then(|shape| match placed.id {
        Some(id) => world.move_to(id, shape).map(|()| id),
        None => world.add(shape),
    });
    if let (Err(_), Some(id)) = (&done, placed.id.take()) {
        world.remove(id)?;
    }
    placed.id = done.as_ref().ok().copied();
    done.map(|_| ())
}
