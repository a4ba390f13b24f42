//! Free tiles parted into sheets: no two at one place, and any two side by side on one piece of ground.
//!
//! A sheet grows from the lowest tile that is left over all that it goes on to and that fits, then from the next one, so that a storey is one sheet as a rule. Then it takes
//! the tiles of other sheets around it, as far as hit checks look, where they fit: what is on several sheets is where a vehicle passes from one to another.

use std::collections::{HashMap, VecDeque};

use navbake_mesh::NONE;

use super::cover::Node;

/// A sheet, as the format wants it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sheet {
    pub(crate) least: [i32; 2],
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Heights of the free tiles, row by row.
    pub(crate) tiles: Vec<Option<i32>>,
    /// Tiles that an earlier sheet has as well, with the first one that has.
    pub(crate) twins: Vec<(u32, u32)>,
}

/// The steps to the four tiles beside, as [`Node::beside`] has them.
const STEPS: [[i32; 2]; 4] = [[1, 0], [0, 1], [-1, 0], [0, -1]];

/// The sheets of some free tiles, with margins of so many tiles.
pub(crate) fn sheets(nodes: &[Node], margin: u32) -> Vec<Sheet> {
    let mut order: Vec<u32> = (0..nodes.len() as u32).collect();
    order.sort_by_key(|&n| {
        let node = &nodes[n as usize];
        (node.height, node.tile[1], node.tile[0], n)
    });
    let mut is_taken = vec![false; nodes.len()];
    let mut all: Vec<Places> = vec![];
    while !order.is_empty() {
        let mut places = Places::new(nodes);
        for &seed in &order {
            if !is_taken[seed as usize] && places.fits(seed) {
                places.grow(seed, &mut is_taken);
            }
        }
        order.retain(|&n| !is_taken[n as usize]);
        all.push(places);
    }
    for places in &mut all {
        places.widen(margin);
    }
    let mut first: Vec<u32> = vec![NONE; nodes.len()];
    let number = |(k, places): (usize, &Places<'_>)| places.sheet(k as u32, &mut first);
    all.iter().enumerate().map(number).collect()
}

/// Which tile is at each place of a sheet.
struct Places<'n> {
    nodes: &'n [Node],
    at: HashMap<[i32; 2], u32>,
    /// In the order in which they were put.
    put: Vec<u32>,
}

impl<'n> Places<'n> {
    fn new(nodes: &'n [Node]) -> Places<'n> {
        Places {
            nodes,
            at: HashMap::new(),
            put: vec![],
        }
    }

    /// Is the place of a tile empty, and does the tile go on to all that are beside it?
    fn fits(&self, n: u32) -> bool {
        let node = &self.nodes[n as usize];
        let beside = STEPS.iter().zip(node.beside);
        !self.at.contains_key(&node.tile)
            && beside.into_iter().all(|(step, next)| {
                let place = [node.tile[0] + step[0], node.tile[1] + step[1]];
                self.at.get(&place).is_none_or(|&there| there == next)
            })
    }

    fn put(&mut self, n: u32) {
        self.at.insert(self.nodes[n as usize].tile, n);
        self.put.push(n);
    }

    /// Takes a tile and all that fit of those that it goes on to.
    fn grow(&mut self, seed: u32, is_taken: &mut [bool]) {
        let mut queue = VecDeque::from([seed]);
        while let Some(n) = queue.pop_front() {
            if is_taken[n as usize] || !self.fits(n) {
                continue;
            }
            is_taken[n as usize] = true;
            self.put(n);
            let beside = self.nodes[n as usize].beside;
            queue.extend(beside.into_iter().filter(|&next| next != NONE));
        }
    }

    /// Puts tiles of other sheets around, the nearest first.
    fn widen(&mut self, margin: u32) {
        let mut queue: VecDeque<(u32, u32)> = self.put.iter().map(|&n| (n, 0)).collect();
        while let Some((n, far)) = queue.pop_front() {
            if far == margin {
                continue;
            }
            for next in self.nodes[n as usize].beside {
                if next != NONE && self.fits(next) {
                    self.put(next);
                    queue.push_back((next, far + 1));
                }
            }
        }
    }

    /// As the format wants it; `first` tells the first sheet of each tile so far.
    fn sheet(&self, number: u32, first: &mut [u32]) -> Sheet {
        let tiles = || self.put.iter().map(|&n| self.nodes[n as usize].tile);
        let least = [0, 1].map(|k| tiles().map(|t| t[k]).min().unwrap_or(0));
        let size = [0, 1].map(|k| {
            let last = tiles().map(|t| t[k]).max().unwrap_or(0);
            (last - least[k] + 1) as u32
        });
        let mut sheet = Sheet {
            least,
            width: size[0],
            height: size[1],
            tiles: vec![None; size[0] as usize * size[1] as usize],
            twins: vec![],
        };
        for &n in &self.put {
            let node = &self.nodes[n as usize];
            let [column, row] = [0, 1].map(|k| (node.tile[k] - least[k]) as usize);
            let at = row * size[0] as usize + column;
            sheet.tiles[at] = Some(node.height);
            match first[n as usize] {
                NONE => first[n as usize] = number,
                earlier => sheet.twins.push((at as u32, earlier)),
            }
        }
        sheet.twins.sort_unstable();
        sheet
    }
}
