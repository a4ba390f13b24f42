//! Obstacles that follow their entities.

use bevy_ecs::prelude::*;
use bevy_math::{Affine3A, Vec3};
use bevy_transform::components::Transform;
use bevy_transform::helper::TransformHelper;
use navbake_world::{Error, Obstacle, ObstacleError, ObstacleId};

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
        let [x, y, z] = [place.matrix3.x_axis, place.matrix3.y_axis, place.matrix3.z_axis];
        let half = match *self {
            NavObstacle::Cylinder { radius, .. } if radius < 0.0 => {
                return Err(ObstacleError::Radius(radius.into()));
            }
            NavObstacle::Cylinder { radius, height } => Vec3::new(radius, height / 2.0, radius),
            NavObstacle::Box { size } => size / 2.0,
        };
        let corners = CORNERS.map(|corner| {
            place.transform_point3(half * Vec3::from(corner)).to_array().map(f64::from)
        });
        let heights = corners.map(|[_, y, _]| y);
        let heights = [
            heights.into_iter().fold(f64::INFINITY, f64::min),
            heights.into_iter().fold(f64::NEG_INFINITY, f64::max),
        ];
        let [right, ahead] = [x.length(), z.length()];
        let upright = y.x == 0.0 && y.z == 0.0 && x.y == 0.0 && z.y == 0.0;
        let round = (right - ahead).abs() <= 1e-5 * right.max(ahead);
        match *self {
            NavObstacle::Cylinder { radius, .. } if upright && round => {
                let [x, _, z] = place.translation.to_array().map(f64::from);
                Obstacle::cylinder([x, z], f64::from(radius * right.max(ahead)), heights)
            }
            _ => Obstacle::prism(&corners.map(|[x, _, z]| [x, z]), heights),
        }
    }
}

/// The corners of a box, in halves of its edges.
const CORNERS: [[f32; 3]; 8] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [1.0, 1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [1.0, -1.0, 1.0],
    [-1.0, 1.0, 1.0],
    [1.0, 1.0, 1.0],
];

/// An obstacle as a level has it.
#[derive(Debug)]
pub(crate) struct Placed {
    /// `None` where the level refused it.
    id: Option<ObstacleId>,
    shape: Result<Obstacle, Error>,
    /// The round in which it was seen last.
    round: u64,
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
            let placed = ready.obstacles.entry(*entity).or_insert(Placed {
                id: None,
                shape: Err(Error::NoObstacle),
                round: 0,
            });
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
