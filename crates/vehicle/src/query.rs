//! Queries of a vehicle on its ground, and the states of its lattice: tile, gear, heading.

use crate::connect::{self, Target};
use crate::curve::{Curve, Pose};
use crate::filter::FilterParts;
use crate::flood_steps::NOWHERE;
use crate::ground::Ground;
use crate::lattice::lattice_pose;
use crate::request::{ENTRY, LINK};
use crate::roads::{self, RoadRules, Roads};
use crate::sweep::is_hit;
use crate::symmetry::Symmetry;
use crate::tables::Vehicle;
use crate::trig::{TURN, wrapped};
use navbake_navmesh::math::round;

/// Does a mask touch something blocked in a window?
#[inline]
pub(crate) fn is_met<const W: usize>(mask: &[u64; W], window: &[u64; W]) -> bool {
    let mut hit = 0;
    for (a, b) in mask.iter().zip(window) {
        hit |= a & b;
    }
    hit != 0
}

/// A vehicle on its ground.
#[derive(Clone, Copy)]
pub struct TurningQuery<'q> {
    pub(crate) vehicle: &'q Vehicle<'q>,
    pub(crate) ground: &'q Ground<'q>,
    pub(crate) roads: Option<&'q Roads<'q>>,
    pub(crate) filter: FilterParts<'q>,
}

impl<'q> TurningQuery<'q> {
    /// Queries for a vehicle on a ground. `None` when the ground's tiles are not those that its
    /// tables were made for.
    pub fn new(vehicle: &'q Vehicle<'q>, ground: &'q Ground<'q>) -> Option<TurningQuery<'q>> {
        let off = vehicle.view.tile() - ground.tile();
        let filter = FilterParts::default();
        let own = TurningQuery { vehicle, ground, roads: None, filter };
        (off.abs() <= 1e-9 * ground.tile()).then_some(own)
    }

    /// The vehicle.
    pub fn vehicle(&self) -> &'q Vehicle<'q> {
        self.vehicle
    }

    /// The ground.
    pub fn ground(&self) -> &'q Ground<'q> {
        self.ground
    }

    /// The same for units that keep to roads. Shots and smoothing, which know nothing of them, are
    /// left out, unless moves cost and reach as much as without roads: then there are cones alone.
    pub fn on_roads(mut self, roads: &'q Roads<'q>) -> TurningQuery<'q> {
        let free = RoadRules { rings: None, off_road_cost: 1.0 };
        self.roads = Some(roads).filter(|roads| roads.rules != free);
        self
    }

    /// The shortest free curve between a pose and a target, if it is no longer than `most`: its
    /// form, and its cost by the ground and the roads.
    pub(crate) fn final_curve(
        &self,
        from: Pose,
        to: &Target,
        class: u8,
        gear: u32,
        most: f64,
    ) -> Option<(u8, u32)> {
        let (vehicle, ground) = (self.vehicle, self.ground);
        let (form, length) = connect::free_curve(vehicle, ground, from, to, class, gear, most)?;
        let radius = vehicle.radius_of(class);
        let curve = connect::curve(self.vehicle, from, to, gear, form)?;
        let cost = self.curve_cost(from, &curve, radius, gear, length)?;
        let Some(roads) = self.roads else {
            return Some((form, cost));
        };
        let off = |tile| !roads.is_road(self.ground, tile);
        match is_hit(vehicle.footprint(), radius, from, &curve, off) {
            true => Some((form, roads::scaled(cost, roads.rules.off_road_cost)?)),
            false => Some((form, cost)),
        }
    }

    /// The cost of a move forwards of that length, by its number, from a tile in a gear.
    #[inline]
    pub(crate) fn move_cost(
        &self,
        tile: u32,
        gear: u32,
        number: usize,
        length: u32,
    ) -> Option<u32> {
        let length = self.filter.move_cost(self.ground, tile, number, length)?;
        Some(self.vehicle.cost(gear, length)).filter(|&cost| cost < NOWHERE)
    }

    /// The cost of a curve of that many parts and a turn radius, in a gear.
    pub(crate) fn curve_cost(
        &self,
        from: Pose,
        curve: &Curve,
        radius: f64,
        gear: u32,
        length: u32,
    ) -> Option<u32> {
        let length = self.filter.curve_cost(self.ground, from, curve, radius, length)?;
        Some(self.vehicle.cost(gear, length)).filter(|&cost| cost < NOWHERE)
    }

    /// The same without links.
    pub(crate) fn without_links(&self) -> TurningQuery<'q> {
        let filter = FilterParts { links: &[], links_back: &[], ..self.filter };
        TurningQuery { filter, ..*self }
    }

    /// The number of the link by which a state was reached.
    pub(crate) fn link_of(&self, by: u32) -> Option<u32> {
        let is_link = (LINK..ENTRY).contains(&by);
        let link = self.filter.links.get((by & !LINK) as usize).filter(|_| is_link);
        link.map(|link| link.number)
    }

    /// How many of the moves from a tile at a heading touch nothing blocked, and how many there
    /// are: forwards, or in gear 1 backwards. None from a tile that is blocked or outside.
    pub fn free_moves(&self, tile: [i32; 2], heading: u32, gear: u32) -> [u32; 2] {
        let vehicle = self.vehicle;
        let is_known = heading < vehicle.headings && gear < vehicle.gears();
        if !is_known || self.ground.is_blocked(tile) {
            return [0; 2];
        }
        match vehicle.words {
            1 => self.count_free::<1>(tile, heading, gear),
            2 => self.count_free::<2>(tile, heading, gear),
            4 => self.count_free::<4>(tile, heading, gear),
            8 => self.count_free::<8>(tile, heading, gear),
            _ => self.count_free::<16>(tile, heading, gear),
        }
    }

    fn count_free<const W: usize>(&self, tile: [i32; 2], heading: u32, gear: u32) -> [u32; 2] {
        let (vehicle, ground) = (self.vehicle, self.ground);
        let window = ground.window::<W>(ground.id(tile), vehicle.half);
        let (_, _, masks) = vehicle.moves(gear, vehicle.travel(gear, heading));
        let (masks, _) = masks.as_chunks::<W>();
        let free = masks.iter().filter(|mask| !is_met(mask, &window)).count();
        [free, masks.len()].map(|n| n as u32) // some thousands
    }

    /// The state of the lattice at a pose, if there is one: its tile's place and its heading.
    pub(crate) fn on_lattice(&self, pose: Pose) -> Option<([i32; 2], u32)> {
        let tile = [round(pose.x), round(pose.z)];
        let eighths = wrapped(pose.heading) / TURN * f64::from(self.vehicle.headings);
        let heading = round(eighths);
        let near = |a: f64, b: i32| (a - f64::from(b)).abs() < 1e-9;
        let on = near(pose.x, tile[0]) && near(pose.z, tile[1]) && near(eighths, heading);
        on.then_some((tile, heading as u32 % self.vehicle.headings))
    }

    /// A state by its tile, its lane, and its heading. The lane is the gear, and with speeds the
    /// level times the gears and the gear.
    #[inline]
    pub(crate) fn state(&self, tile: u32, lane: u32, heading: u32) -> u32 {
        let headings = self.vehicle.headings;
        (tile * self.vehicle.lanes + lane) * headings + heading
    }

    /// Where the search keeps what it knows of a state.
    #[inline]
    pub(crate) fn slot(&self, state: u32) -> usize {
        if self.ground.twins.is_empty() {
            return state as usize;
        }
        let states = self.vehicle.headings * self.vehicle.lanes;
        let first = self.ground.slot(state / states) as usize;
        first.saturating_mul(states as usize) + (state % states) as usize
    }

    /// The state that names all images of the same place.
    #[inline]
    pub(crate) fn home(&self, state: u32) -> u32 {
        if self.ground.twins.is_empty() {
            return state;
        }
        let (tile, lane, heading) = self.parts_of(state);
        self.state(self.ground.home(tile), lane, heading)
    }

    /// Tile, lane and heading of a state.
    #[inline]
    pub(crate) fn parts_of(&self, state: u32) -> (u32, u32, u32) {
        let (headings, lanes) = (self.vehicle.headings, self.vehicle.lanes);
        let (rest, heading) = (state / headings, state % headings);
        (rest / lanes, rest % lanes, heading)
    }

    /// The pose of a state on the layer of a row, if it is on that one.
    pub(crate) fn pose_like(&self, state: u32, row: f64) -> Pose {
        let (tile, _, heading) = self.parts_of(state);
        let ground = self.ground;
        let image = ground.images(tile).find(|&t| ground.is_same_layer(t, row));
        let tile = ground.tile_of(image.unwrap_or(tile));
        lattice_pose(tile, heading, self.vehicle.headings)
    }

    /// The place of the first exit of a state, if it is within the rings around the goal: one for
    /// each speed class.
    #[inline]
    pub(crate) fn exit_of(&self, near: u32, tile: u32, gear: u32, heading: u32) -> Option<usize> {
        let vehicle = self.vehicle;
        let rings = vehicle.view.rings() as i32;
        let ([x, z], [gx, gz]) = (self.ground.tile_of(tile), self.ground.tile_of(near));
        let (dx, dz) = (x - gx + rings, z - gz + rings);
        let side = 2 * rings + 1;
        if !(0..side).contains(&dx) || !(0..side).contains(&dz) {
            return None;
        }
        let first = ((dz * side + dx) as u32 * vehicle.gears() + gear) * vehicle.headings + heading;
        Some(first as usize * usize::from(vehicle.classes()))
    }

    /// The distance in the table from a state to a tile, at a heading or at any: `None` beyond the
    /// table.
    pub(crate) fn table_distance(
        &self,
        from: [i32; 2],
        gear: u32,
        heading: u32,
        to: [i32; 2],
        at: Option<u32>,
    ) -> Option<u32> {
        let view = &self.vehicle.view;
        let headings = self.vehicle.headings;
        let (quarter, range) = (headings / 4, view.range() as i32);
        let offset = [from[0] - to[0], from[1] - to[1]];
        if offset[0].abs() > range || offset[1].abs() > range {
            return None;
        }
        // Turned back until the goal's heading, or that of the state, is in the first quarter turn.
        let by = at.unwrap_or(heading);
        let turn = Symmetry { mirror: false, quarters: ((4 - by / quarter) % 4) as u8 };
        let [x, z] = turn.offset(offset);
        let side = 2 * range as usize + 1;
        let place = (z + range) as usize * side + (x + range) as usize;
        let gears = self.vehicle.gears();
        let table = match at {
            Some(to) => {
                ((to % quarter) * gears + gear) * headings + turn.heading(heading, headings)
            }
            None => quarter * gears * headings + gear * quarter + heading % quarter,
        };
        Some(view.distance(table as usize * side * side + place))
    }
}
