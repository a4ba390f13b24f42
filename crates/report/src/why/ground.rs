//! Relaxed ground: what could be stood on if the agent's limits were more generous, at a price.
//!
//! Ground is sampled at the centres of square cells, on demand. A [`Footing`] is a surface in such
//! a column with its flaws. A flaw has a price that grows with what it exceeds.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use navbake_format::PolyId;
use navbake_level::{UP_ONE, Winding};
use navbake_search::NavQuery;

use super::blocks::{Block, Blocks, Near, Shapes, around};
use super::footprint::footprint;
use super::pieces::Pieces;
use crate::Walker;
use crate::cell_map::CellMap;
use crate::explain::Explainer;
use crate::explain::bins::meet;
use crate::explain::solid::{Body, Solid, Surface, TOUCH};
use crate::ring::distance;

/// Sides of cells, m: half the radius, but no more and no less.
const CELLS: [f64; 2] = [0.05, 0.2];
/// What is above this share of the agent's height is a lintel, and below it a wall.
pub(super) const LINTEL: f64 = 0.55;
/// The price of any flaw; more is added for what it exceeds.
const BASE: f64 = 1.0;
/// Surfaces steeper than this, degrees, are walls.
const STEEPEST: f64 = 75.0;

/// What is wrong with a footing.
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

/// Places this near to the border of a polygon, grid units, may be on it or off it by rounding.
const DOUBT: f64 = 2.0;
/// The work of a column besides its triangles.
const COLUMN: u64 = 20;

/// Number of flaws.
pub(super) const FLAWS: usize = 6;

/// A surface that could be stood on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Footing {
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

impl Footing {
    pub(super) fn has(&self, flaw: Flaw) -> bool {
        self.prices[flaw as usize] > 0.0
    }
}

/// The footings of a cell, lowest first.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) at: [f64; 2],
    pub(super) footings: Vec<Footing>,
    /// How many steep triangles are nearby.
    pub(super) walls: u64,
    /// Those of them that may be between this cell and one beside it.
    pub(super) between: Box<[u32]>,
    /// Triangles looked at.
    work: u64,
}

/// Lists that the sampling of columns uses again and again.
#[derive(Debug, Default)]
struct Memory {
    below: Vec<u32>,
    steep: Vec<Near>,
    flat: Vec<Near>,
    between: Vec<u32>,
    islands: Vec<Option<u32>>,
}

/// The relaxed ground of an agent.
pub(super) struct Ground<'a> {
    pub(super) explainer: &'a Explainer<'a>,
    pub(super) walker: &'a Walker<'a>,
    /// The agent's number in the config.
    pub(super) agent: usize,
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
    pub(super) island_count: u32,
    query: NavQuery<'a>,
    shapes: Shapes,
    /// Triangles looked at for columns, and columns: the work done, the same on every machine.
    pub(super) work: u64,
    columns: CellMap<[i32; 2], Rc<Column>>,
    blocks: Blocks,
    memory: Memory,
    pieces: OnceCell<Pieces>,
    /// Height of the tallest agent, grid units: what is a prop is so for all agents.
    pub(super) tallest: f64,
    /// By their numbers, narrow and high pieces that were asked about: are they parts of walls?
    pub(super) of_walls: RefCell<CellMap<u32, bool>>,
}

/// Is a triangle too steep to be anything but a wall?
pub(super) fn is_wall(solid: &Solid) -> bool {
    solid.upright || solid.up.unsigned_abs() < UP_ONE as u32 / 4
}

/// The number of each polygon's island, and how many islands there are.
fn islands(walker: &Walker<'_>) -> (Vec<Option<u32>>, u32) {
    let mesh = walker.mesh;
    let count = mesh.polygon_count();
    let mut islands = vec![None; count as usize];
    let mut number = 0u32;
    for first in (0..count).map(PolyId) {
        if islands[first.index()].is_some() || !walker.walks_on(first) {
            continue;
        }
        let mut open = vec![first];
        while let Some(id) = open.pop() {
            if islands[id.index()].replace(number).is_some() {
                continue;
            }
            let polygon = mesh.polygon(id);
            let beside = (0..polygon.len()).filter_map(|k| polygon.neighbour(k));
            open.extend(beside.filter(|n| islands[n.index()].is_none() && walker.walks_on(*n)));
        }
        number += 1;
    }
    (islands, number)
}

impl<'a> Ground<'a> {
    pub(super) fn new(
        explainer: &'a Explainer<'a>,
        walker: &'a Walker<'a>,
        agent: usize,
    ) -> Option<Ground<'a>> {
        let metre = explainer.level.grid.units();
        let body = *explainer.body(agent)?;
        let (islands, island_count) = islands(walker);
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
            islands,
            island_count,
            query: walker.query(),
            shapes: Shapes::new(walker.mesh),
            work: 0,
            columns: CellMap::default(),
            blocks: Blocks::default(),
            memory: Memory::default(),
            pieces: OnceCell::new(),
            tallest: explainer.tallest(),
            of_walls: RefCell::default(),
        })
    }

    /// The connected pieces of the level, found when first asked for.
    pub(super) fn pieces(&self) -> &Pieces {
        self.pieces.get_or_init(|| Pieces::new(&self.explainer.solids.all))
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
        let (reach, beside) = (self.reach(), 1.5 * self.extents()[0] + DOUBT);
        let solids = &self.explainer.solids;
        let block = self.blocks.of(cell, self.cell, [reach, beside], solids, &self.shapes);
        let mut memory = std::mem::take(&mut self.memory);
        let made = Rc::new(self.sample(at, &block, &mut memory));
        self.memory = memory;
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
    pub(super) fn reach(&self) -> f64 {
        2.0 * self.body.radius
    }

    fn sample(&self, at: [f64; 2], block: &Block, memory: &mut Memory) -> Column {
        let body = &self.body;
        let (here, close) = (around(at, 0.0), around(at, (1.0 + 1e-6) * self.cell));
        let wanted = around(at, self.reach());
        let Memory { below, steep, flat, between, islands } = memory;
        [&mut *below, &mut *between].into_iter().for_each(Vec::clear);
        [&mut *steep, &mut *flat].into_iter().for_each(Vec::clear);
        let (mut near, mut walls) = (0, 0);
        for n in block.triangles.iter().filter(|n| meet(&n.bounds, &wanted)) {
            near += 1;
            if meet(&n.bounds, &here) {
                below.push(n.number);
            }
            if n.is_wall {
                walls += 1;
                // What is near only by the corner of the square is too far for a passage.
                if n.is_within(at, self.reach()) {
                    steep.push(*n);
                }
                if meet(&n.bounds, &close) {
                    between.push(n.number);
                }
            } else {
                flat.push(*n);
            }
        }
        let surfaces = self.explainer.solids.column_of(below, at, body);
        let work = near * (1 + surfaces.len() as u64);
        let mut footings: Vec<Footing> = vec![];
        for k in (0..surfaces.len()).rev() {
            let Some(footing) = self.footing(&surfaces, k) else { continue };
            // The agent steps onto what is at most a step above.
            if footings.last().is_none_or(|above| above.y - footing.y > body.climb) {
                footings.push(footing);
            }
        }
        footings.reverse();
        for footing in footings.iter_mut() {
            let is_sound = footing.prices.iter().all(|p| *p == 0.0);
            if is_sound && let Some(island) = self.island(block, at, footing.y, islands) {
                footing.island = island;
                if footing.island.is_some() {
                    continue;
                }
                footing.prices[Flaw::Forbidden as usize] = 4.0 * BASE;
            }
            let Some((wall, wide)) = self.tightness(at, footing.y, steep) else { continue };
            let far = (wall[0] - at[0]).hypot(wall[1] - at[1]);
            footing.clearance = far.min(body.radius);
            if wide < self.reach() {
                let short = self.reach() - wide;
                footing.prices[Flaw::Width as usize] = BASE + 5.0 * short / body.radius;
            } else if footing.lid.is_none()
                && far < body.radius
                && let Some((lid, room)) = self.low_beside(at, wall, footing.y, flat)
            {
                footing.prices[Flaw::Head as usize] = self.head_price(room);
                footing.lid = Some((lid, room));
            }
        }
        Column { at, footings, walls, between: between.as_slice().into(), work }
    }

    /// A footing in the air at a height. Its clearance is measured where a cause is looked for.
    pub(super) fn air(&self, y: f64) -> Footing {
        let mut prices = [0.0; FLAWS];
        prices[Flaw::Air as usize] = 1.5 * BASE;
        let clearance = self.body.radius;
        Footing { y, solid: None, lid: None, island: None, clearance, prices }
    }

    /// The polygon of the navmesh at a place, its height known.
    pub(super) fn polygon(&self, at: [f64; 2], y: f64) -> Option<PolyId> {
        let place = self.explainer.outward([at[0], y, at[1]]);
        let [beside, high] = self.extents().map(|e| e / self.metre);
        Some(self.query.nearest(place, [beside, high, beside])?.polygon())
    }

    /// Ground this far beside a place and this far above or below it is there, grid units.
    fn extents(&self) -> [f64; 2] {
        [0.6 * self.cell, self.body.climb.max(0.1 * self.metre)]
    }

    /// The island at a place of a block, its height known: `None` off the navmesh, and `Some(None)`
    /// where the agent may not walk.
    ///
    /// The polygons near the block answer where they leave no doubt, and a query answers elsewhere.
    fn island(
        &self,
        block: &Block,
        at: [f64; 2],
        y: f64,
        islands: &mut Vec<Option<u32>>,
    ) -> Option<Option<u32>> {
        let [beside, high] = self.extents();
        let near = 1.5 * beside + DOUBT;
        islands.clear();
        let mut is_sure = false;
        for &n in block.polygons.iter() {
            let away = self.shapes.away(n, at);
            if away <= near {
                islands.push(self.islands[n as usize]);
                is_sure |= away < -DOUBT && {
                    let height = self.walker.mesh.polygon(PolyId(n)).height(at);
                    (height - y).abs() < high - DOUBT
                };
            }
        }
        let first = *islands.first()?;
        if is_sure && islands.iter().all(|other| *other == first) {
            return Some(first);
        }
        Some(self.islands[self.polygon(at, y)?.index()])
    }

    /// A surface of a column as a footing, without island and clearance.
    fn footing(&self, surfaces: &[Surface], k: usize) -> Option<Footing> {
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
        Some(Footing {
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
