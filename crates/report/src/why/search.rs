//! The cheapest set of places where the navmesh is left between an island and other islands.
//!
//! Islands are joined by relaxed ground. Walking on an island costs nothing, so it is one node of
//! the graph; a cell of relaxed ground beside it costs its length and its flaws. The shortest path
//! (Dijkstra) from the island that is cut off to one that is not has the cheapest set of places.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use navbake_format::PolyId;

use super::footprint::is_crossed;
use super::ground::{Column, FLAWS, Flaw, Footing, Ground};
use crate::cell_map::CellMap;
use crate::explain::solid::TOUCH;

/// The price of a metre beside the navmesh.
const METRE: f64 = 0.05;
/// The price of a metre in the air.
const FLOWN: f64 = 2.5;
/// The price of a metre over a flaw, as a share of its price.
const ALONG: f64 = 0.2;
/// The price of going into a solid, and of going out.
const WALL: f64 = 9.0;
/// The same of what is as small as a prop.
const PROP_WALL: f64 = 6.0;
/// Steps above the climb by at most this, m, are steps; higher ones are changes of height.
const STEP: f64 = 1.0;
/// Changes of height above this, m, lead to another storey and cost more.
const STOREY: f64 = 4.0;
/// The deepest change of height, m.
const DEEPEST: f64 = 12.0;
/// The price of a metre between the place asked for and the border where a path begins.
const AWAY: f64 = 0.01;
/// The most of it.
const AWAY_MOST: f64 = 0.3;
/// Ground that is too steep rises by at most this many cells from cell to cell.
const STEEP: f64 = 5.0;
/// The work of a place.
const PLACE: u64 = 20;
/// Units of a price in the queue.
const UNITS: f64 = 4096.0;

/// How a cell is left for the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Move {
    /// On foot.
    Walk,
    /// Up or down by more than the climb, grid units.
    Step(f64),
    /// Through the surface of a solid.
    Wall(u32),
    /// Below a lintel, with this head room, grid units.
    Low(u32, f64),
}

/// A place of a path over relaxed ground.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) at: [f64; 2],
    pub(super) footing: Footing,
    /// How it was entered.
    pub(super) by: Move,
}

/// The path from an island that is cut off to ground that is not.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// Stretches beside the navmesh, each from island to island.
    pub(super) stretches: Vec<Vec<Place>>,
}

/// Islands by number: those to reach, and their borders.
pub(super) struct Islands<'a> {
    /// The islands that end the search.
    pub(super) goals: &'a [bool],
    /// The polygons of each island.
    pub(super) polygons: &'a [Vec<u32>],
    /// The islands from which links lead to each: the search goes from what is lost to what is
    /// reached, against the direction of paths.
    pub(super) linked: &'a [Vec<u32>],
}

/// A cell, a height, and the direction of a straight line in the air.
type Key = ([i32; 2], i32, [i32; 2]);

/// Of what is on ground.
const ON_GROUND: [i32; 2] = [0; 2];

struct Node {
    cell: [i32; 2],
    column: Rc<Column>,
    footing: Footing,
    price: f64,
    parent: Option<u32>,
    by: Move,
    done: bool,
    /// On the border of an island that was entered.
    border: bool,
    /// Of a node in the air: gaps are crossed straight.
    heading: [i32; 2],
}

/// A search from one island.
pub(super) struct Search<'s, 'a> {
    ground: &'s mut Ground<'a>,
    nodes: Vec<Node>,
    known: CellMap<Key, u32>,
    /// Where the search begins is near this place, if it may be anywhere.
    near: [f64; 2],
    /// The greatest price of a path.
    most: f64,
    open: BinaryHeap<Reverse<(u64, u32)>>,
    entered: Vec<bool>,
}

impl<'s, 'a> Search<'s, 'a> {
    /// The cheapest path from an island to a goal.
    ///
    /// `most` is its greatest price. `left` is the work that may be done; what is done is
    /// subtracted.
    pub(super) fn run(
        ground: &'s mut Ground<'a>,
        from: u32,
        near: [f64; 2],
        islands: &Islands<'_>,
        most: f64,
        left: &mut u64,
    ) -> Option<Found> {
        if *left == 0 {
            return None;
        }
        let mut search = Search {
            ground,
            nodes: vec![],
            known: CellMap::default(),
            near,
            most,
            open: BinaryHeap::new(),
            entered: vec![false; islands.goals.len()],
        };
        if search.enter(from, None, 0.0, islands) {
            return None;
        }
        while let Some(Reverse((_, number))) = search.open.pop() {
            if std::mem::replace(&mut search.nodes[number as usize].done, true) {
                continue;
            }
            let work = std::mem::take(&mut search.ground.work);
            let walls = search.nodes[number as usize].column.walls;
            *left = left.saturating_sub(PLACE + walls + work);
            if *left == 0 {
                return None;
            }
            let (island, price) = {
                let node = &search.nodes[number as usize];
                (node.footing.island, node.price)
            };
            match island {
                Some(island) if islands.goals[island as usize] => {
                    return Some(Found { stretches: search.stretches(number) });
                }
                Some(island) if !search.entered[island as usize] => {
                    if search.enter(island, Some(number), price, islands) {
                        return Some(Found { stretches: search.stretches(number) });
                    }
                }
                // The island's whole border was entered.
                Some(_) if search.nodes[number as usize].parent.is_some() => {}
                _ => search.expand(number),
            }
        }
        None
    }

    /// Opens all borders of an island and of those from which links lead to it.
    ///
    /// True if one of these is a goal.
    fn enter(
        &mut self,
        island: u32,
        parent: Option<u32>,
        price: f64,
        islands: &Islands<'_>,
    ) -> bool {
        let mut open = vec![island];
        while let Some(island) = open.pop() {
            if std::mem::replace(&mut self.entered[island as usize], true) {
                continue;
            }
            if islands.goals[island as usize] {
                return true;
            }
            open.extend(&islands.linked[island as usize]);
            for &polygon in &islands.polygons[island as usize] {
                self.border(PolyId(polygon), parent, price);
            }
        }
        false
    }

    /// Opens the cells along the border of a polygon.
    fn border(&mut self, polygon: PolyId, parent: Option<u32>, price: f64) {
        let mesh = self.ground.walker.mesh;
        let polygon = mesh.polygon(polygon);
        let islands = &self.ground.islands;
        let is_open =
            |k: &u32| polygon.neighbour(*k).is_none_or(|beyond| islands[beyond.index()].is_none());
        let open: Vec<u32> = (0..polygon.len()).filter(is_open).collect();
        for k in open {
            let ends = [polygon.corner(k), polygon.corner(polygon.next(k))];
            let [a, b] = ends.map(|p| p.map(f64::from));
            let long = (b[0] - a[0]).hypot(b[1] - a[1]);
            let count = (long / self.ground.cell).ceil().max(1.0) as u32;
            for n in 0..=count {
                let t = f64::from(n) / f64::from(count);
                let at = [0, 1].map(|axis| a[axis] + t * (b[axis] - a[axis]));
                self.seed(at, polygon.height(at), parent, price);
            }
        }
    }

    /// Opens the footing of the island at a place.
    fn seed(&mut self, at: [f64; 2], y: f64, parent: Option<u32>, price: f64) {
        let cell = self.ground.cell_at(at);
        let away = (at[0] - self.near[0]).hypot(at[1] - self.near[1]) / self.ground.metre;
        let price = if parent.is_none() { (AWAY * away).min(AWAY_MOST) } else { price };
        let column = self.ground.column(cell);
        let rise = |s: &Footing| (s.y - y).abs();
        let near = column.footings.iter().filter(|s| rise(s) <= self.ground.body.climb + 2.0);
        let Some(footing) = near.min_by(|a, b| rise(a).total_cmp(&rise(b))) else { return };
        let key = (cell, footing.y.round() as i32, ON_GROUND);
        let better = self.known.get(&key).is_none_or(|&known| {
            let known = &self.nodes[known as usize];
            known.price > price || (known.price == price && !known.border)
        });
        if !better {
            return;
        }
        let number = self.nodes.len() as u32;
        // Nodes of the border are expanded as they are, without entering the island again.
        self.nodes.push(Node {
            cell,
            column: Rc::clone(&column),
            footing: Footing { island: None, prices: [0.0; FLAWS], ..*footing },
            price,
            parent,
            by: Move::Walk,
            done: false,
            border: true,
            heading: ON_GROUND,
        });
        self.known.insert(key, number);
        self.open.push(Reverse(((price * UNITS) as u64, number)));
    }

    fn expand(&mut self, number: u32) {
        let (cell, column, footing, heading) = {
            let node = &self.nodes[number as usize];
            (node.cell, Rc::clone(&node.column), node.footing, node.heading)
        };
        for dx in -1..=1 {
            for dz in -1..=1 {
                let to = [dx, dz];
                if to == ON_GROUND || (heading != ON_GROUND && to != heading) {
                    continue;
                }
                let beside = [cell[0] + dx, cell[1] + dz];
                let next = self.ground.column(beside);
                self.moves(number, &column, &footing, beside, &next);
            }
        }
    }

    /// Opens the footings of a neighbouring cell.
    fn moves(
        &mut self,
        from: u32,
        column: &Column,
        footing: &Footing,
        cell: [i32; 2],
        next: &Rc<Column>,
    ) {
        let body = self.ground.body;
        let in_air = footing.has(Flaw::Air);
        // Across a gap only a step is tried, as over a missing tread.
        let highest = match in_air {
            true => body.climb + STEP * self.ground.metre,
            false => DEEPEST * self.ground.metre,
        };
        let mut continues = false;
        for to in &next.footings {
            let rise = (to.y - footing.y).abs();
            // Steep ground rises by more than a climb from cell to cell.
            let is_steep = footing.has(Flaw::Slope) || to.has(Flaw::Slope);
            let most = if is_steep { body.climb.max(STEEP * self.ground.cell) } else { body.climb };
            let is_level = rise <= most + 1.0;
            continues |= is_level;
            let is_free = || {
                // No floor between both: of the upper column nothing below its footing matters.
                let other = if to.y < footing.y { next } else { column };
                let [low, high] = [to.y.min(footing.y) + body.climb, to.y.max(footing.y) + 1.0];
                !other.footings.iter().any(|s| s.y > low && s.y <= high)
            };
            if is_level || (rise <= highest && is_free()) {
                self.open_spot(from, column, footing, cell, next, *to, !is_level);
            }
        }
        if !continues {
            let to = self.ground.air(footing.y);
            self.open_spot(from, column, footing, cell, next, to, false);
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn open_spot(
        &mut self,
        from: u32,
        column: &Column,
        footing: &Footing,
        cell: [i32; 2],
        next: &Rc<Column>,
        to: Footing,
        is_step: bool,
    ) {
        let metre = self.ground.metre;
        let far = (next.at[0] - column.at[0]).hypot(next.at[1] - column.at[1]) / metre;
        let rise = (to.y - footing.y).abs();
        let mut price = self.nodes[from as usize].price + METRE * far;
        let mut by = Move::Walk;
        if is_step {
            let above = (rise - self.ground.body.climb) / metre;
            price += match above <= STEP {
                true => 1.0 + 6.0 * above,
                false => 10.0 + above + 2.0 * (above - STOREY).max(0.0),
            };
            by = Move::Step(to.y - footing.y);
        }
        let from_cell = self.nodes[from as usize].cell;
        let heading = match to.has(Flaw::Air) {
            true => [cell[0] - from_cell[0], cell[1] - from_cell[1]],
            false => ON_GROUND,
        };
        let key = (cell, to.y.round() as i32, heading);
        // Walls and flaws only add to the price.
        if self.is_known(&key, price) {
            return;
        }
        let passed = self.wall(column, footing, next, &to);
        for k in 0..FLAWS {
            // Inside of a solid nothing is a passage.
            if k == Flaw::Width as usize && passed.is_some() {
                continue;
            }
            price += (to.prices[k] - footing.prices[k]).max(0.0) + ALONG * to.prices[k] * far;
        }
        if to.has(Flaw::Air) {
            price += FLOWN * far;
        }
        if let Some((wall, own)) = passed {
            price += own;
            if by == Move::Walk {
                by = Move::Wall(wall);
            }
        }
        if by == Move::Walk
            && let Some((solid, room)) = self.lintel(column, footing, next, &to)
        {
            price += self.ground.head_price(room);
            by = Move::Low(solid, room);
        }
        if price > self.most {
            return;
        }
        if self.is_known(&key, price) {
            return;
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(Node {
            cell,
            column: Rc::clone(next),
            footing: to,
            price,
            parent: Some(from),
            by,
            done: false,
            border: false,
            heading,
        });
        self.known.insert(key, number);
        self.open.push(Reverse(((price * UNITS) as u64, number)));
    }

    /// Was a place reached already, at this price or less?
    fn is_known(&self, key: &Key, price: f64) -> bool {
        self.known.get(key).is_some_and(|&known| {
            let node = &self.nodes[known as usize];
            node.done || node.price <= price
        })
    }

    /// A lintel between two footings that is too thin to be above either of them.
    fn lintel(
        &self,
        a: &Column,
        footing: &Footing,
        b: &Column,
        to: &Footing,
    ) -> Option<(u32, f64)> {
        if footing.has(Flaw::Head) || to.has(Flaw::Head) || a.between.is_empty() {
            return None;
        }
        let y = footing.y.max(to.y);
        let [_, low] = self.ground.band(y);
        let band = [low, y + self.ground.body.height - TOUCH];
        let crossed =
            a.between.iter().filter(|&&n| is_crossed(self.ground.solid(n), band, a.at, b.at));
        let rooms = crossed.map(|&n| {
            let least = self.ground.solid(n).corners.map(|c| c[1]);
            let least = least.into_iter().fold(f64::INFINITY, f64::min);
            (n, least.max(low) - y)
        });
        rooms.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// A wall between two footings, and the price of what is between them: of each piece its front,
    /// its back or both.
    fn wall(&self, a: &Column, footing: &Footing, b: &Column, to: &Footing) -> Option<(u32, f64)> {
        let band = self.ground.band(footing.y.max(to.y));
        let along = [b.at[0] - a.at[0], b.at[1] - a.at[1]];
        let crossed = (a.between.iter().copied())
            .filter(|&n| is_crossed(self.ground.solid(n), band, a.at, b.at));
        let mut sides: Vec<(u32, bool)> = vec![];
        let mut price = 0.0;
        let mut first = None;
        for n in crossed {
            first = first.or(Some(n));
            let side = (self.ground.pieces().of(n), self.ground.solid(n).faces(along));
            if !sides.contains(&side) {
                sides.push(side);
                price += if self.ground.is_prop(n) { PROP_WALL } else { WALL };
            }
        }
        Some((first?, price))
    }

    /// The stretches of the path to a node, those near the start first.
    fn stretches(&self, last: u32) -> Vec<Vec<Place>> {
        let mut stretches = vec![];
        let mut stretch = vec![];
        let mut at = Some(last);
        while let Some(number) = at {
            let node = &self.nodes[number as usize];
            let place = Place { at: node.column.at, footing: node.footing, by: node.by };
            // A node that enters an island ends a stretch there.
            if place.footing.island.is_some() && !stretch.is_empty() {
                stretches.push(std::mem::take(&mut stretch));
            }
            stretch.push(place);
            at = node.parent;
        }
        stretches.push(stretch);
        for stretch in &mut stretches {
            stretch.reverse();
        }
        stretches.reverse();
        stretches
    }
}
