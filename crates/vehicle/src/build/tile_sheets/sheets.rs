//! Free tiles divided into sheets: no two tiles at the same place, and any two side by side on one
//! piece of ground.
//!
//! Each tile has a home, a sheet that holds all of the window that hit checks look at around it, as
//! far as ground continues within the window: so every move from it can be made there. A sheet
//! grows from the lowest tile without a home over connected tiles, with their windows, as long as
//! everything fits. The next sheet starts from the next tile without a home. A storey is usually
//! one sheet. Windows include tiles whose home is another sheet: on tiles of several sheets, a
//! vehicle passes from one to another. If a window overlaps itself, as on a narrow spiral, the
//! nearest tiles count.

use std::collections::VecDeque;

use navbake_mesh::NONE;

use super::Sheet;
use super::cover::Node;

/// The layers of some free tiles, for windows that reach this many tiles to each side.
pub(super) fn sheets(nodes: &[Node], half: u32) -> Vec<Sheet> {
    let mut order: Vec<u32> = (0..nodes.len() as u32).collect();
    order.sort_by_key(|&n| {
        let node = &nodes[n as usize];
        (node.height, node.tile[1], node.tile[0], n)
    });
    let mut places = Places::new(nodes, half as i32); // at most 15
    let mut has_home = vec![false; nodes.len()];
    let mut first: Vec<u32> = vec![NONE; nodes.len()];
    let mut all = vec![];
    while !order.is_empty() {
        for &seed in &order {
            if !has_home[seed as usize] {
                places.grow(seed, &mut has_home);
            }
        }
        order.retain(|&n| !has_home[n as usize]);
        all.push(places.sheet(all.len() as u32, &mut first));
        places.clear();
    }
    all
}

/// Which tile is at each place of a sheet.
struct Places<'n> {
    nodes: &'n [Node],
    half: i32,
    least: [i32; 2],
    width: usize,
    /// By row and column, from the least of all tiles on and with a rim.
    at: Vec<u32>,
    /// The tiles on the sheet, in the order in which they were added.
    put: Vec<u32>,
    /// The tile from which each tile was last visited, and the tiles that this sheet has refused.
    seen: Vec<u32>,
    refused: Vec<bool>,
}

impl<'n> Places<'n> {
    fn new(nodes: &'n [Node], half: i32) -> Places<'n> {
        let range = |k: usize| {
            let numbers = || nodes.iter().map(|n| n.tile[k]);
            (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0))
        };
        let [(x, to_x), (z, to_z)] = [range(0), range(1)];
        let (width, height) = ((to_x - x + 3) as usize, (to_z - z + 3) as usize);
        Places {
            nodes,
            half,
            least: [x - 1, z - 1],
            width,
            at: vec![NONE; width * height],
            put: vec![],
            seen: vec![NONE; nodes.len()],
            refused: vec![false; nodes.len()],
        }
    }

    /// An empty sheet.
    fn clear(&mut self) {
        self.take_back(0);
        self.refused.fill(false);
        self.seen.fill(NONE);
    }

    fn place(&self, n: u32) -> usize {
        let [x, z] = self.nodes[n as usize].tile;
        (z - self.least[1]) as usize * self.width + (x - self.least[0]) as usize
    }

    fn fits(&self, n: u32) -> bool {
        fits(&self.at, self.width, self.place(n), &self.nodes[n as usize])
    }

    /// Removes the newest tiles of the layer until this many are left.
    fn take_back(&mut self, many: usize) {
        for n in self.put.split_off(many) {
            let place = self.place(n);
            self.at[place] = NONE;
        }
    }

    /// Gives a tile its home here, and all that fit of those that it goes on to.
    fn grow(&mut self, seed: u32, has_home: &mut [bool]) {
        let mut queue = VecDeque::from([seed]);
        while let Some(n) = queue.pop_front() {
            if has_home[n as usize] || self.refused[n as usize] {
                continue;
            }
            if !self.put_window(n) {
                self.refused[n as usize] = true;
                continue;
            }
            has_home[n as usize] = true;
            let beside = self.nodes[n as usize].beside;
            queue.extend(beside.into_iter().filter(|&next| next != NONE));
        }
    }

    /// Puts the window of a tile here; `false`, and nothing is put, where some of it does not fit.
    fn put_window(&mut self, n: u32) -> bool {
        let many = self.put.len();
        for next in self.window(n) {
            let place = self.place(next);
            if self.at[place] == next {
                continue;
            }
            if !self.fits(next) {
                self.take_back(many);
                return false;
            }
            self.at[place] = next;
            self.put.push(next);
        }
        true
    }

    /// The tiles connected to a tile within its window, nearest first, without those that do not
    /// fit with nearer ones.
    fn window(&mut self, n: u32) -> Vec<u32> {
        let nodes = self.nodes;
        let [x, z] = nodes[n as usize].tile;
        // With a rim, so that each place has one on all sides.
        let side = 2 * self.half as usize + 3;
        let place = |m: u32| {
            let [mx, mz] = nodes[m as usize].tile;
            (mz - z + self.half + 1) as usize * side + (mx - x + self.half + 1) as usize
        };
        let mut at = vec![NONE; side * side];
        let (mut found, mut queue) = (vec![], VecDeque::from([n]));
        self.seen[n as usize] = n;
        while let Some(now) = queue.pop_front() {
            if !fits(&at, side, place(now), &nodes[now as usize]) {
                continue;
            }
            at[place(now)] = now;
            found.push(now);
            for next in nodes[now as usize].beside {
                if next == NONE || self.seen[next as usize] == n {
                    continue;
                }
                let [nx, nz] = nodes[next as usize].tile;
                if (nx - x).abs().max((nz - z).abs()) <= self.half {
                    self.seen[next as usize] = n;
                    queue.push_back(next);
                }
            }
        }
        found
    }

    /// In the form of the file; `first` holds the first layer of each tile.
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

/// Is a place empty, and does a tile go on to all that are beside it?
fn fits(at: &[u32], width: usize, place: usize, node: &Node) -> bool {
    let [east, south, west, north] = node.beside;
    let goes_on = |place: usize, next: u32| at[place] == NONE || at[place] == next;
    at[place] == NONE
        && goes_on(place + 1, east)
        && goes_on(place + width, south)
        && goes_on(place - 1, west)
        && goes_on(place - width, north)
}
