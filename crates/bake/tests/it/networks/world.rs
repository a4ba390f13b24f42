//! Levels of square cells with weights, gates and links, and what straight lines over them cost.

use navbake_level::{CellShape, GridMap, Source};
use navbake_testkit::Random;

use crate::scenes::Builder;

/// Weights of the units on the terrains 0, 1 and 2.
pub(super) const UNITS: [(&str, [f64; 3]); 2] =
    [("walker", [1.0, 2.5, 4.0]), ("tank", [1.5, f64::INFINITY, 1.25])];

const TERRAINS: [&str; 3] = ["plain", "mud", "water"];

/// From one storey to the next, m: a ramp rises as high over [`RAMP`] cells.
const STOREY: f64 = 3.0;
const RAMP: usize = 4;

/// A free cell of 1 m: flat, or a piece of a ramp.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// Column and row.
    at: [usize; 2],
    /// The heights of its sides of least and of greatest x, m.
    sides: [f64; 2],
    terrain: u8,
}

impl Cell {
    fn height(&self, x: f64) -> f64 {
        let share = x - self.at[0] as f64;
        self.sides[0] + share * (self.sides[1] - self.sides[0])
    }

    /// Does ground go on from here to a cell beside it?
    fn meets(&self, other: &Cell) -> bool {
        let [dx, dz] = [0, 1].map(|k| other.at[k] as i64 - self.at[k] as i64);
        match (dx, dz) {
            (1, 0) => self.sides[1] == other.sides[0],
            (-1, 0) => self.sides[0] == other.sides[1],
            (0, 1 | -1) => self.sides == other.sides,
            _ => false,
        }
    }
}

/// Cells with a gate over some of them, and links.
#[derive(Clone, Debug)]
pub(super) struct World {
    /// Columns and rows.
    size: [usize; 2],
    cells: Vec<Cell>,
    /// The numbers of the cells of each column, row by row.
    columns: Vec<Vec<usize>>,
    /// Least and greatest column and row.
    gate: [usize; 4],
    pub(super) links: Vec<([f64; 3], [f64; 3], f64)>,
    pub(super) weights: [f64; 3],
    pub(super) closed: bool,
}

/// How the ground is at a place.
#[derive(Clone, Copy, PartialEq)]
enum Ground {
    /// Closed or forbidden: only left, at this cost.
    Shut(f64),
    Open(f64),
}

/// May a path lead from one place to another?
fn enters(from: Ground, to: Ground) -> bool {
    !matches!((from, to), (Ground::Open(_), Ground::Shut(_)))
}

/// Random cells of one height, up to `most` in 100 of them blocked; the first one is free.
fn storey(
    random: &mut Random,
    [width, rows]: [usize; 2],
    (terrains, most): (usize, usize),
    height: f64,
) -> Vec<Cell> {
    let blocked = random.below(most) as u64;
    let free: Vec<bool> = (0..width * rows).map(|k| k == 0 || !random.chance(blocked)).collect();
    let patch: Vec<u8> = free.iter().map(|_| random.below(terrains) as u8).collect();
    let terrain: Vec<u8> = (0..free.len())
        .map(|k| {
            let (c, r) = (k % width / 4, k / width / 4);
            if random.chance(85) { patch[r * width + c] } else { patch[k] }
        })
        .collect();
    let cell =
        |k: usize| Cell { at: [k % width, k / width], sides: [height; 2], terrain: terrain[k] };
    (0..free.len()).filter(|&k| free[k]).map(cell).collect()
}

/// Puts a ramp between two storeys into a band of three rows, and takes out what is beside it.
fn add_ramp(random: &mut Random, cells: &mut Vec<Cell>, width: usize, band: usize, low: f64) {
    let (row, first) = (3 * band + 1, 1 + random.below(width - RAMP - 1));
    let is_own = |cell: &Cell| {
        cell.sides[0] == cell.sides[1] && [low, low + STOREY].contains(&cell.sides[0])
    };
    let beside =
        |cell: &Cell| (first..first + RAMP).contains(&cell.at[0]) && cell.at[1].abs_diff(row) <= 1;
    let ends = [(first - 1, low), (first + RAMP, low + STOREY)];
    let is_end = |cell: &Cell| cell.at[1] == row && ends.contains(&(cell.at[0], cell.sides[0]));
    cells.retain(|cell| !is_own(cell) || !(beside(cell) || is_end(cell)));
    let mut add = |column: usize, sides: [f64; 2]| {
        cells.push(Cell { at: [column, row], sides, terrain: random.below(3) as u8 });
    };
    for (column, height) in ends {
        add(column, [height; 2]);
    }
    for k in 0..RAMP {
        let height = |k: usize| low + STOREY * k as f64 / RAMP as f64;
        add(first + k, [height(k), height(k + 1)]);
    }
}

impl World {
    /// A grid map.
    pub(super) fn map(random: &mut Random, terrains: usize, links: usize) -> World {
        let size = [5 + random.below(12), 5 + random.below(12)];
        let cells = storey(random, size, (terrains, 40), 0.0);
        World::new(random, size, cells, links)
    }

    /// Two or three storeys above each other, with ramps between them.
    pub(super) fn storeys(random: &mut Random, links: usize) -> World {
        let (size, count) = ([7 + random.below(8), 6 + random.below(9)], 2 + random.below(2));
        let mut cells: Vec<Cell> =
            (0..count).flat_map(|k| storey(random, size, (3, 25), STOREY * k as f64)).collect();
        let first = random.below(size[1] / 3);
        for k in 0..size[1] / 3 {
            let band = (first + k) % (size[1] / 3);
            add_ramp(random, &mut cells, size[0], band, STOREY * (k % (count - 1)) as f64);
            if k + 2 > count && random.chance(30) {
                break;
            }
        }
        World::new(random, size, cells, links)
    }

    fn new(random: &mut Random, size: [usize; 2], cells: Vec<Cell>, links: usize) -> World {
        let [width, rows] = size;
        let (c, r) = (random.below(width), random.below(rows));
        let gate =
            [c, r, (c + 1 + random.below(3)).min(width), (r + 1 + random.below(3)).min(rows)];
        let mut columns = vec![vec![]; width * rows];
        for (number, cell) in cells.iter().enumerate() {
            columns[cell.at[1] * width + cell.at[0]].push(number);
        }
        let (weights, closed) = (UNITS[0].1, false);
        let mut world = World { size, cells, columns, gate, links: vec![], weights, closed };
        for k in 0..links {
            let (from, to) = (world.place(random), world.place(random));
            if from != to {
                world.links.push((from, to, (3 * k + 1) as f64 / 4.0));
            }
        }
        world
    }

    /// The same with everything open, where all ground costs 1.
    pub(super) fn open(&self) -> World {
        World { links: vec![], weights: [1.0; 3], closed: false, ..self.clone() }
    }

    /// A place on a free cell, on no line between cells.
    pub(super) fn place(&self, random: &mut Random) -> [f64; 3] {
        let cell = self.cells[random.below(self.cells.len())];
        let mut within = || (3 + 2 * random.below(28)) as f64 / 64.0 + 1.0 / 256.0;
        let [x, z] = cell.at.map(|line| line as f64 + within());
        [x, cell.height(x), z]
    }

    pub(super) fn is_map(&self) -> bool {
        self.cells.iter().all(|cell| cell.sides == [0.0; 2])
    }

    /// Has a place ground on another storey above or below it?
    pub(super) fn is_in_storeys(&self, [x, _, z]: [f64; 3]) -> bool {
        self.at([x, z]).len() > 1
    }

    pub(super) fn source(&self) -> Source {
        if !self.is_map() {
            let mut level = Builder::new();
            for name in ["plain", "mud", "water", "gate"] {
                level = level.part(name);
                for k in (0..self.cells.len()).filter(|&k| self.area(k) == name) {
                    let Cell { at, sides, .. } = self.cells[k];
                    let [x, z] = at.map(|v| v as f64);
                    level = level.ramp([x, sides[0], z], [x + 1.0, sides[1], z + 1.0]);
                }
            }
            return level.source();
        }
        let [width, rows] = self.size;
        let (mut free, mut terrain) = (vec![false; width * rows], vec![0; width * rows]);
        for cell in &self.cells {
            let k = cell.at[1] * width + cell.at[0];
            (free[k], terrain[k]) = (true, cell.terrain);
        }
        Source::Grid(GridMap {
            shape: CellShape::Square,
            cell: 1.0,
            corner: [0.0; 2],
            width: width as u32,
            height: rows as u32,
            free,
            terrain,
        })
    }

    pub(super) fn config(&self, networks: &str) -> String {
        let mut text = String::new();
        let [c, r, far_c, far_r] = self.gate;
        let gate = match self.is_map() {
            true => {
                text += "[terrain]\nnames = [\"plain\", \"mud\", \"water\"]\n";
                format!(
                    "[[volume]]\narea = \"gate\"\n\
                     box = [[{c}.25, -1.0, {r}.25], [{far_c}.25, 1.0, {far_r}.25]]\n"
                )
            }
            false => {
                text += "surface = \"floor\"\nmin_region = 0.0\n";
                let rule = |name| format!("[[rule]]\nnode = \"{name}\"\narea = \"{name}\"\n");
                let areas = TERRAINS.map(|name| format!("[[area]]\nname = \"{name}\"\n"));
                areas.concat() + &["plain", "mud", "water", "gate"].map(rule).concat()
            }
        };
        text += &gate;
        text += "[[area]]\nname = \"gate\"\nswitch = \"gate\"\n[[switch]]\nname = \"gate\"\n";
        for (name, _) in UNITS {
            text += &format!("[[agent]]\nname = \"{name}\"\n");
        }
        text += "[weights.units]\n";
        for (name, [plain, mud, water]) in UNITS {
            text +=
                &format!("{name} = {{ plain = {plain:?}, mud = {mud:?}, water = {water:?} }}\n");
        }
        for (from, to, cost) in &self.links {
            text += &format!("[[link]]\nfrom = {from:?}\nto = {to:?}\ncost = {cost:?}\n");
        }
        text + networks
    }

    /// The numbers of the cells at a place, one above the other.
    fn at(&self, place: [f64; 2]) -> &[usize] {
        let [c, r] = place.map(|v| v.floor() as i64);
        let inside = c >= 0 && r >= 0 && c < self.size[0] as i64 && r < self.size[1] as i64;
        if inside { &self.columns[r as usize * self.size[0] + c as usize] } else { &[] }
    }

    /// Is a place of the plan of a cell at its height?
    fn holds(&self, cell: usize, [x, y, _]: [f64; 3]) -> bool {
        (self.cells[cell].height(x) - y).abs() < 0.25
    }

    /// May a path lead from one place straight to another that is anywhere?
    pub(super) fn may_leap(&self, from: [f64; 3], to: [f64; 3]) -> bool {
        let ground = |place: [f64; 3]| {
            let own = self.at([place[0], place[2]]).iter().copied();
            own.into_iter().find(|&k| self.holds(k, place)).map(|k| self.ground(k, 1.0))
        };
        matches!((ground(from), ground(to)), (Some(from), Some(to)) if enters(from, to))
    }

    /// Those of the squares of a grid: a place in each storey.
    pub(super) fn places_at(&self, place: [f64; 2]) -> Vec<[f64; 3]> {
        let [x, z] = place;
        self.at(place).iter().map(|&k| [x, self.cells[k].height(x), z]).collect()
    }

    /// The least cost of ground that is not forbidden.
    fn least(&self) -> f64 {
        let all = (0..self.cells.len()).map(|k| self.weight(k)).filter(|w| w.is_finite());
        let least = all.fold(f64::INFINITY, f64::min);
        if least.is_finite() { least } else { 1.0 }
    }

    /// Is a cell of the gate, which is on the lowest storey?
    fn is_gate(&self, k: usize) -> bool {
        let Cell { at: [c, r], sides, .. } = self.cells[k];
        let [column, row, far_column, far_row] = self.gate;
        sides[0] == 0.0 && (column..far_column).contains(&c) && (row..far_row).contains(&r)
    }

    fn area(&self, k: usize) -> &'static str {
        match self.is_gate(k) {
            true => "gate",
            false => TERRAINS[usize::from(self.cells[k].terrain)],
        }
    }

    fn weight(&self, k: usize) -> f64 {
        match self.is_gate(k) {
            true => 1.0,
            false => self.weights[usize::from(self.cells[k].terrain)],
        }
    }

    fn ground(&self, k: usize, least: f64) -> Ground {
        match self.weight(k) {
            _ if self.is_gate(k) && self.closed => Ground::Shut(1.0),
            weight if weight.is_finite() => Ground::Open(weight),
            _ => Ground::Shut(least),
        }
    }

    /// The cell at a place that a straight line enters from another cell: over their side, or where
    /// four meet if one of the two beside is open as well.
    fn next(&self, from: usize, place: [f64; 2], least: f64) -> Option<usize> {
        let ground = |k: usize| self.ground(k, least);
        let enters = |a: usize, b: usize| {
            self.cells[a].meets(&self.cells[b]) && enters(ground(a), ground(b))
        };
        let here = self.at(place);
        let own = self.cells[from].at;
        let to = self.cells[*here.first()?].at;
        if own[0] == to[0] || own[1] == to[1] {
            return here.iter().copied().find(|&k| k == from || enters(from, k));
        }
        let beside = [[own[0], to[1]], [to[0], own[1]]];
        let beside = beside.iter().flat_map(|at| self.at(at.map(|v| v as f64)));
        let over = |side: usize| here.iter().copied().find(|&k| enters(side, k));
        beside.filter(|&&side| enters(from, side)).find_map(|&side| over(side))
    }

    /// The cost of a straight line, where it is free: from one line between cells to the next.
    pub(super) fn cost(&self, from: [f64; 3], to: [f64; 3]) -> Option<f64> {
        let least = self.least();
        let [start, end] = [from, to].map(|[x, _, z]| [x, z]);
        let d = [end[0] - start[0], end[1] - start[1]];
        let mut cuts = vec![0.0, 1.0];
        for k in 0..2 {
            let (low, high) = (start[k].min(end[k]).floor() as i64, start[k].max(end[k]) as i64);
            let lines = (low..=high).map(|line| (line as f64 - start[k]) / d[k]);
            cuts.extend(lines.filter(|t| *t > 0.0 && *t < 1.0));
        }
        cuts.sort_by(f64::total_cmp);
        cuts.dedup_by(|b, a| *b - *a < 1e-12);
        let at = |t: f64| [0, 1].map(|k| start[k] + t * d[k]);
        let mut here: Option<usize> = None;
        let mut sum = 0.0;
        for pair in cuts.windows(2) {
            let middle = at((pair[0] + pair[1]) / 2.0);
            let next = match here {
                None => self.at(middle).iter().copied().find(|&k| self.holds(k, from)),
                Some(before) => self.next(before, middle, least),
            }?;
            let (Ground::Open(weight) | Ground::Shut(weight)) = self.ground(next, least);
            sum += weight * (pair[1] - pair[0]) * d[0].hypot(d[1]);
            here = Some(next);
        }
        here.filter(|&k| self.holds(k, to)).map(|_| sum)
    }
}
