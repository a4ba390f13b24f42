//! Relaxed ground: what could be stood on if the agent's limits were more generous, at a price.
//!
//! Ground is sampled at the centres of square cells, on demand. A [`Spot`] is a surface in such a
//! column with its flaws. A flaw has a price that grows with what it exceeds.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

use navbake_format::PolyId;
use navbake_level::{UP_ONE, Winding};

use super::blocks::{Block, Blocks, Near, around};
use super::footprint::{distance, footprint};
use super::pieces::Pieces;
use crate::Walker;
use crate::explain::Explainer;
use crate::explain::bins::meet;
use crate::explain::solid::{Body, Solid, Surface, TOUCH};

/// Sides of cells, m: half the radius, but no more and no less.
const CELLS: [f64; 2] = [0.05, 0.2];
/// What is above this share of the agent's height is a lintel, and below it a wall.
const LINTEL: f64 = 0.55;
/// The price of any flaw; more is added for what it exceeds.
const BASE: f64 = 1.0;
/// Things wider than this seen from above, m, are parts of the building and not props.
pub(super) const PROP: f64 = 3.5;
/// The same of what is higher than the agent, such as the leaf of a door.
pub(super) const LEAF: f64 = 1.6;
/// Surfaces steeper than this, degrees, are walls.
const STEEPEST: f64 = 75.0;

/// What is wrong with a spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Flaw {
    /// Steeper than the agent's slope.
    Slope,
    /// Too little head room.
    Head,
    /// The surface faces down.
    Flipped,
    /// Walls are nearer than the radius.
    Width,
    /// No ground at all.
    Air,
    /// Its role or area keeps the agent out.
    Forbidden,
}

/// The work of a column besides its triangles.
const COLUMN: u64 = 20;

/// Number of flaws.
pub(super) const FLAWS: usize = 6;

/// A surface that could be stood on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// Its height, grid units.
    pub(super) y: f64,
    /// Its triangle; `None` in the air.
    pub(super) solid: Option<u32>,
    /// What is above it, if that is lower than the agent is high, and the head room.
    pub(super) lid: Option<(u32, f64)>,
    /// The island of the navmesh there.
    pub(super) island: Option<u32>,
    /// Distance to the nearest wall, up to the radius, grid units.
    pub(super) clearance: f64,
    /// The price of each flaw, 0 without it.
    pub(super) prices: [f64; FLAWS],
}

impl Spot {
    pub(super) fn has(&self, flaw: Flaw) -> bool {
        self.prices[flaw as usize] > 0.0
    }
}

/// The spots of a cell, lowest first.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) at: [f64; 2],
    pub(super) spots: Vec<Spot>,
    /// Steep triangles nearby.
    pub(super) walls: Vec<u32>,
    /// Those of them that may be between this cell and one beside it.
    pub(super) between: Vec<u32>,
    /// Triangles looked at.
    work: u64,
}

/// A map by cells.
pub(super) type Cells<K, V> = HashMap<K, V, BuildHasherDefault<Mixed>>;

/// A hash of numbers of cells: each is multiplied in. Nobody chooses cells to make them collide,
/// as the work of a search is bounded.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for four in bytes.chunks(4) {
            let number = four.iter().rev().fold(0u64, |n, byte| n << 8 | u64::from(*byte));
            self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }

    fn write_usize(&mut self, _length: usize) {
        // Lengths of arrays are the same for all keys of a map.
    }
}

/// The relaxed ground of an agent.
pub(super) struct Ground<'a> {
    pub(super) explainer: &'a Explainer<'a>,
    pub(super) walker: &'a Walker<'a>,
    /// The agent's number in the config.
    agent: usize,
    pub(super) body: Body,
    /// The agent's slope, degrees.
    slope: f64,
    /// Side of a cell, grid units.
    pub(super) cell: f64,
    /// Grid units of a metre.
    pub(super) metre: f64,
    /// Clockwise triangles face the viewer.
    pub(super) is_clockwise: bool,
    /// Both sides of triangles are their front.
    pub(super) has_two_fronts: bool,
    /// The number of each polygon's island: what is joined by portals and not forbidden.
    pub(super) islands: Vec<Option<u32>>,
    /// Triangles looked at for columns, and columns: the work done, the same on every machine.
    pub(super) work: u64,
    columns: Cells<[i32; 2], Rc<Column>>,
    blocks: Blocks,
    pieces: OnceCell<Pieces>,
}

/// Is a triangle too steep to be anything but a wall?
pub(super) fn is_wall(solid: &Solid) -> bool {
    solid.upright || solid.up.unsigned_abs() < UP_ONE as u32 / 4
}

impl<'a> Ground<'a> {
    pub(super) fn new(
        explainer: &'a Explainer<'a>,
        walker: &'a Walker<'a>,
        agent: usize,
    ) -> Option<Ground<'a>> {
        let metre = explainer.level.grid.units();
        let body = *explainer.body(agent)?;
        Some(Ground {
            explainer,
            walker,
            agent,
            body,
            slope: explainer.agents().nth(agent)?.slope,
            cell: (0.5 * body.radius).clamp(CELLS[0] * metre, CELLS[1] * metre),
            metre,
            is_clockwise: explainer.winding() == Winding::Cw,
            has_two_fronts: explainer.winding() == Winding::Both,
            islands: vec![],
            work: 0,
            columns: Cells::default(),
            blocks: Blocks::default(),
            pieces: OnceCell::new(),
        })
    }

    /// Numbers the islands; how many there are.
    pub(super) fn number_islands(&mut self) -> usize {
        let mesh = self.walker.mesh;
        let count = mesh.polygon_count();
        let mut islands = vec![None; count as usize];
        let mut number = 0u32;
        for first in (0..count).map(PolyId) {
            if islands[first.index()].is_some() || !self.walker.walks_on(first) {
                continue;
            }
            let mut open = vec![first];
            while let Some(id) = open.pop() {
                if islands[id.index()].replace(number).is_some() {
                    continue;
                }
                let polygon = mesh.polygon(id);
                let beside = (0..polygon.len()).filter_map(|k| polygon.neighbour(k));
                open.extend(
                    beside.filter(|n| islands[n.index()].is_none() && self.walker.walks_on(*n)),
                );
            }
            number += 1;
        }
        self.islands = islands;
        number as usize
    }

    /// The connected pieces of the level, found when first asked for.
    pub(super) fn pieces(&self) -> &Pieces {
        self.pieces.get_or_init(|| Pieces::new(&self.explainer.solids.all))
    }

    /// Is a triangle's piece small enough for a prop? What is higher than the agent is part of a
    /// wall, unless it is as narrow as the leaf of a door.
    pub(super) fn is_prop(&self, solid: u32) -> bool {
        let extent = self.pieces().extent(solid);
        let most = match extent.top() - extent.base() < self.body.height {
            true => PROP,
            false => LEAF,
        };
        extent.wide() <= most * self.metre
    }

    /// The cell at a place.
    pub(super) fn cell_at(&self, [x, z]: [f64; 2]) -> [i32; 2] {
        [x, z].map(|c| (c / self.cell).floor() as i32)
    }

    pub(super) fn solid(&self, number: u32) -> &'a Solid {
        &self.explainer.solids.all[number as usize]
    }

    pub(super) fn column(&mut self, cell: [i32; 2]) -> Rc<Column> {
        if let Some(known) = self.columns.get(&cell) {
            return Rc::clone(known);
        }
        // A little off the centre: levels are drawn on round coordinates.
        let at = cell.map(|c| (f64::from(c) + 0.487) * self.cell);
        let block = self.blocks.of(cell, self.cell, self.reach(), &self.explainer.solids);
        let made = Rc::new(self.sample(at, &block));
        self.work += COLUMN + made.work;
        self.columns.insert(cell, Rc::clone(&made));
        made
    }

    /// Steep triangles within a distance.
    pub(super) fn walls(&self, at: [f64; 2], far: f64) -> Vec<u32> {
        let mut near = vec![];
        self.explainer.solids.around(at, far, &mut near);
        near.retain(|&n| is_wall(self.solid(n)));
        near
    }

    /// The heights between which something upright is a wall and not a step or a lintel.
    pub(super) fn band(&self, y: f64) -> [f64; 2] {
        let low = y + self.body.climb + TOUCH;
        [low, low.max(y + LINTEL * self.body.height)]
    }

    /// The distance to the nearest wall between knee and head, and its triangle.
    pub(super) fn clearance(
        &self,
        at: [f64; 2],
        y: f64,
        walls: &[u32],
        most: f64,
    ) -> (f64, Option<u32>) {
        let band = self.band(y);
        let mut best = (most, None);
        for &n in walls {
            let ring = footprint(self.solid(n), band);
            if let Some((far, _)) = distance(&ring, at)
                && far < best.0
            {
                best = (far, Some(n));
            }
        }
        best
    }

    /// Walls up to this far from a cell make it narrow.
    fn reach(&self) -> f64 {
        2.0 * self.body.radius
    }

    fn sample(&self, at: [f64; 2], block: &Block) -> Column {
        let body = &self.body;
        let (here, close) = (around(at, 0.0), around(at, (1.0 + 1e-6) * self.cell));
        let near = block.near(at, self.reach());
        let below: Vec<u32> =
            near.iter().filter(|n| meet(&n.bounds, &here)).map(|n| n.number).collect();
        let surfaces = self.explainer.solids.column_of(&below, at, body);
        let work = near.len() as u64 * (1 + surfaces.len() as u64);
        let mut steep = near;
        steep.retain(|n| n.is_wall);
        let walls = steep.iter().map(|n| n.number).collect();
        let between = steep.iter().filter(|n| meet(&n.bounds, &close)).map(|n| n.number).collect();
        // What is near only by the corner of the square is too far for a passage.
        steep.retain(|n| n.is_within(at, self.reach()));
        let mut spots: Vec<Spot> = vec![];
        for k in (0..surfaces.len()).rev() {
            let Some(spot) = self.spot(&surfaces, k) else { continue };
            // The agent steps onto what is at most a step above.
            if spots.last().is_none_or(|above| above.y - spot.y > body.climb) {
                spots.push(spot);
            }
        }
        spots.reverse();
        for spot in spots.iter_mut() {
            let is_sound = spot.prices.iter().all(|p| *p == 0.0);
            if is_sound && let Some(polygon) = self.polygon(at, spot.y) {
                spot.island = self.islands.get(polygon.index()).copied().flatten();
                if spot.island.is_some() {
                    continue;
                }
                spot.prices[Flaw::Forbidden as usize] = 4.0 * BASE;
            }
            let (clear, short) = self.tightness(at, spot.y, &steep);
            spot.clearance = clear;
            if short > 0.0 {
                spot.prices[Flaw::Width as usize] = BASE + 5.0 * short / body.radius;
            }
        }
        Column { at, spots, walls, between, work }
    }

    /// The distance to the nearest wall, up to the radius, and by how much the passage between
    /// that and a wall on the other side is too narrow.
    ///
    /// One wall makes no passage: beside it the agent has room.
    fn tightness(&self, at: [f64; 2], y: f64, walls: &[Near]) -> (f64, f64) {
        let (band, radius) = (self.band(y), self.body.radius);
        let near: Vec<(f64, [f64; 2])> = (walls.iter().filter(|n| n.is_beside(band)))
            .filter_map(|n| distance(&footprint(self.solid(n.number), band), at))
            .filter(|(far, _)| *far < 2.0 * radius)
            .collect();
        let Some(&(far, p)) = near.iter().min_by(|a, b| a.0.total_cmp(&b.0)) else {
            return (radius, 0.0);
        };
        let wide = near.iter().filter_map(|&(e, q)| {
            let dot = (p[0] - at[0]) * (q[0] - at[0]) + (p[1] - at[1]) * (q[1] - at[1]);
            (dot <= -0.5 * far * e).then(|| (p[0] - q[0]).hypot(p[1] - q[1]))
        });
        let wide = wide.fold(2.0 * radius, f64::min);
        (far.min(radius), 2.0 * radius - wide)
    }

    /// A spot above the ground at a height.
    pub(super) fn air(&self, column: &Column, y: f64) -> Spot {
        let (clearance, _) = self.clearance(column.at, y, &column.walls, self.body.radius);
        let mut prices = [0.0; FLAWS];
        prices[Flaw::Air as usize] = 1.5 * BASE;
        Spot { y, solid: None, lid: None, island: None, clearance, prices }
    }

    /// The polygon of the navmesh at a place, its height known.
    pub(super) fn polygon(&self, at: [f64; 2], y: f64) -> Option<PolyId> {
        let place = self.explainer.outward([at[0], y, at[1]]);
        let beside = 0.6 * self.cell / self.metre;
        let high = (self.body.climb / self.metre).max(0.1);
        Some(self.walker.query().nearest(place, [beside, high, beside])?.polygon())
    }

    /// A surface of a column as a spot, without island and clearance.
    fn spot(&self, surfaces: &[Surface], k: usize) -> Option<Spot> {
        let body = &self.body;
        let surface = &surfaces[k];
        let solid = self.solid(surface.solid);
        let slope = solid.slope();
        let folded = slope.min(180.0 - slope);
        if folded > STEEPEST {
            return None;
        }
        let above = surfaces[k + 1..].iter().find(|s| s.y - surface.y > TOUCH);
        let mut prices = [0.0; FLAWS];
        if solid.up < 0 {
            // The underside of something that has a top, or of what is at the same height.
            let same = surfaces
                .iter()
                .any(|s| (s.y - surface.y).abs() <= TOUCH && self.solid(s.solid).up > 0);
            if same || above.is_some_and(|s| self.solid(s.solid).up > 0) {
                return None;
            }
            prices[Flaw::Flipped as usize] = 1.5 * BASE;
        }
        if solid.obstacle || self.explainer.is_blocked(self.agent, solid.area) {
            prices[Flaw::Forbidden as usize] = 4.0 * BASE;
        }
        let limit = self.slope;
        if folded > limit && !self.is_flat_enough(solid) {
            prices[Flaw::Slope as usize] = BASE + 10.0 * (folded - limit) / 45.0;
        }
        let lid = surfaces[k + 1..].iter().find(|s| body.bumps(s.y - surface.y));
        let mut low = None;
        if let Some(lid) = lid {
            // From inside a solid its top is seen from below: its walls are in the path, not this.
            let is_inside = self.solid(lid.solid).up > 0;
            let room = lid.y - surface.y;
            if !is_inside {
                if room < LINTEL * body.height {
                    return None;
                }
                prices[Flaw::Head as usize] = self.head_price(room);
                low = Some((lid.solid, room));
            }
        }
        Some(Spot {
            y: surface.y,
            solid: Some(surface.solid),
            lid: low,
            island: None,
            clearance: body.radius,
            prices,
        })
    }

    /// The price of head room that is too low.
    pub(super) fn head_price(&self, room: f64) -> f64 {
        BASE + 10.0 * (self.body.height - room) / self.body.height
    }

    /// Flat enough for the agent, whichever side is its front?
    fn is_flat_enough(&self, solid: &Solid) -> bool {
        solid.up.abs() >= self.body.least_up
    }
}
