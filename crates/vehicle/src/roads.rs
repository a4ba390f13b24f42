//! Roads: tiles that units are to keep to, and corners that they are to take tightly.
//!
//! The shortest curve leaves a road wherever that saves a metre. M. Pinter, "Toward More Realistic
//! Pathfinding" (2001), names four remedies, and all of them are options here:
//!
//! 1. moves on a road lead to tiles beside only, and nothing is smoothed: [`RoadRules::rings`] 1;
//! 2. tiles off the road are not driven on: [`RoadRules::off_road_cost`] infinite;
//! 3. as 1, for vehicles that cannot turn that tightly: [`Vehicle::rings_for_turn`] rings;
//! 4. cones beside the road, but for some tiles around its bends: [`Roads::place_cones`].
//!
//! A finite off-road cost makes other tiles more expensive by that factor, so a path leaves the
//! road only where that saves a long detour. It only adds to costs, so the lower bounds of searches
//! hold.

use navbake_format::{VehicleRules, VehicleView};
use navbake_search::{NavMesh, NavQuery};

use crate::ground::Ground;
use crate::lattice::times;
use crate::tables::Vehicle;

/// How units keep to roads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoadRules {
    /// Rings that moves which begin on a road may reach; all moves when it is `None`.
    pub rings: Option<u32>,
    /// The cost factor of a move that touches any other tile, at least 1; infinite where it is not
    /// made at all.
    pub off_road_cost: f64,
}

impl From<VehicleRules> for RoadRules {
    fn from(rules: VehicleRules) -> RoadRules {
        RoadRules { rings: rules.rings.map(u32::from), off_road_cost: rules.off_road_cost }
    }
}

impl Default for RoadRules {
    fn default() -> RoadRules {
        RoadRules { rings: None, off_road_cost: f64::INFINITY }
    }
}

/// Which tiles of a ground are road: bits in borrowed memory, none at first.
#[derive(Debug)]
pub struct Roads<'r> {
    bits: &'r mut [u64],
    pub(crate) rules: RoadRules,
}

/// The data of roads that a search needs to expand a state.
pub(crate) struct RoadWindow<const W: usize> {
    off: [u64; W],
    rings: u32,
    off_road_cost: f64,
}

impl<'r> Roads<'r> {
    /// Words that the bits need.
    pub fn words(ground: &Ground<'_>) -> usize {
        ground.ids() as usize / 64
    }

    /// No roads yet. `None` when the memory is too small, or an off-road cost is less than 1.
    pub fn new(ground: &Ground<'_>, bits: &'r mut [u64], rules: RoadRules) -> Option<Roads<'r>> {
        let bits = bits.get_mut(..Roads::words(ground))?;
        bits.fill(0);
        (rules.off_road_cost >= 1.0).then_some(Roads { bits, rules })
    }

    /// Makes a tile road or other ground.
    pub fn set(&mut self, ground: &Ground<'_>, tile: [i32; 2], is_road: bool) {
        if !ground.is_inside(tile) {
            return;
        }
        for id in ground.images(ground.id(tile)) {
            if let Some(word) = self.bits.get_mut(id as usize / 64) {
                let bit = 1 << (id % 64);
                *word = if is_road { *word | bit } else { *word & !bit };
            }
        }
    }

    /// Makes the tiles road of whose middles `is_road` says so: y-up metres, where the ground is
    /// free.
    pub fn mark(&mut self, ground: &Ground<'_>, mut is_road: impl FnMut([f64; 3]) -> bool) {
        for row in 0..ground.height() as i32 {
            for column in 0..ground.width() as i32 {
                let tile = [column, row];
                if ground.tile_middle(tile).is_some_and(&mut is_road) {
                    self.set(ground, tile, true);
                }
            }
        }
    }

    /// Makes the tiles road whose middles are on ground of these areas, bits of
    /// [`VehicleRules::areas`].
    pub fn mark_areas(&mut self, ground: &Ground<'_>, mesh: &NavMesh<'_>, areas: u64) {
        let query = NavQuery::new(*mesh);
        self.mark(ground, |middle| {
            let at = query.locate(middle, f64::INFINITY);
            at.is_some_and(|at| areas >> (mesh.area(at.polygon()).0 & 63) & 1 == 1)
        });
    }

    /// Is a tile road?
    pub fn is_road(&self, ground: &Ground<'_>, tile: [i32; 2]) -> bool {
        ground.is_inside(tile) && self.is_set(ground.id(tile))
    }

    fn is_set(&self, id: u32) -> bool {
        let word = self.bits.get(id as usize / 64);
        word.is_some_and(|w| w >> (id % 64) & 1 != 0)
    }

    /// Blocks the tiles beside the road, but for those near a bend of its border.
    ///
    /// Near is within `after` tiles, as many as a vehicle needs to turn. The tiles are written to
    /// `cones`, for [`Roads::lift_cones`]: how many there are, or `None`, with none placed, when
    /// there are more than it holds.
    pub fn place_cones(
        &self,
        ground: &mut Ground<'_>,
        after: u32,
        cones: &mut [[i32; 2]],
    ) -> Option<usize> {
        let mut count = 0;
        for row in 0..ground.height() as i32 {
            for column in 0..ground.width() as i32 {
                let tile = [column, row];
                if ground.is_blocked_but_for_obstacles(tile) || !self.is_cone(ground, tile, after) {
                    continue;
                }
                let Some(place) = cones.get_mut(count) else {
                    Roads::lift_cones(ground, cones);
                    return None;
                };
                *place = tile;
                count += 1;
                ground.set_blocked(tile, true);
            }
        }
        Some(count)
    }

    /// Takes cones away.
    pub fn lift_cones(ground: &mut Ground<'_>, cones: &[[i32; 2]]) {
        for &cone in cones {
            ground.set_blocked(cone, false);
        }
    }

    /// Does a tile touch the road, away from bends?
    fn is_cone(&self, ground: &Ground<'_>, [x, z]: [i32; 2], after: u32) -> bool {
        let road = |x: i32, z: i32| self.is_road(ground, [x, z]);
        let around = |far: i32| {
            (-far..=far).flat_map(move |dz| (-far..=far).map(move |dx| [x + dx, z + dz]))
        };
        if road(x, z) || !around(1).any(|[x, z]| road(x, z)) {
            return false;
        }
        // A bend of the border: of four tiles around a corner of tiles one or three are road.
        let is_bend = |[x, z]: [i32; 2]| {
            let four = [road(x, z), road(x + 1, z), road(x, z + 1), road(x + 1, z + 1)];
            four.iter().filter(|r| **r).count() % 2 == 1
        };
        let after = after.min(64) as i32;
        let near = |dz: i32| (-after - 1..=after).map(move |dx| [x + dx, z + dz]);
        !(-after - 1..=after).flat_map(near).any(is_bend)
    }

    /// The tiles around a tile that are not road, and the rules there.
    #[inline]
    pub(crate) fn around<const W: usize>(
        &self,
        ground: &Ground<'_>,
        tile: u32,
        half: u32,
    ) -> RoadWindow<W> {
        let on = crate::ground::window(self.bits, ground.stride(), tile, half, 0);
        let rings = self.rules.rings.filter(|_| self.is_set(tile));
        RoadWindow {
            off: on.map(|word: u64| !word),
            rings: rings.unwrap_or(u32::MAX),
            off_road_cost: self.rules.off_road_cost,
        }
    }
}

impl<const W: usize> RoadWindow<W> {
    /// The cost of a move over the tiles of a mask; `None` where it is not allowed.
    #[inline]
    pub(crate) fn cost(&self, [x, z]: [i32; 2], mask: &[u64; W], cost: u32) -> Option<u32> {
        if x.unsigned_abs().max(z.unsigned_abs()) > self.rings {
            return None;
        }
        let off = mask.iter().zip(&self.off).any(|(a, b)| a & b != 0);
        if off { scaled(cost, self.off_road_cost) } else { Some(cost) }
    }
}

/// A cost off the road, rounded up; `None` where that is infinite.
pub(crate) fn scaled(cost: u32, off_road_cost: f64) -> Option<u32> {
    let is_finite = f64::from(cost) * off_road_cost < f64::from(u32::MAX);
    is_finite.then(|| times(cost, off_road_cost))
}

impl Vehicle<'_> {
    /// The least number of rings with a move that is a quarter turn, goes as far aside as ahead and
    /// is no loop; `None` where there is none.
    pub fn rings_for_turn(&self) -> Option<u32> {
        let (_, moves, _) = self.moves(0, 0);
        let ends = moves.iter().map(|m| (m.offset.map(i32::from), m.to.into(), m.length));
        rings_for_turn(self.headings(), ends)
    }

    /// The roads that it keeps to by the config, and the directions that it is drawn in.
    pub fn rules(&self) -> VehicleRules {
        self.view.rules()
    }
}

/// The same of moves ahead along x: their offset, last heading and length.
pub(crate) fn rings_for_turn(
    headings: u32,
    moves: impl Iterator<Item = ([i32; 2], u32, u32)>,
) -> Option<u32> {
    let turns = moves.filter(|&([x, z], to, length)| {
        // A quarter of a circle is 1.11 times its chord.
        let most = 1.2 * core::f64::consts::SQRT_2 * f64::from(x) * f64::from(VehicleView::UNITS);
        to == headings / 4 && x > 0 && z == -x && f64::from(length) < most
    });
    turns.map(|([x, _], _, _)| x.unsigned_abs()).min()
}
