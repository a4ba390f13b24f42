//! Which cells obstacles take, and how many obstacles each.

use alloc::vec::Vec;
use core::mem;

/// Cells that obstacles take, by number, under obstacles that the caller numbers.
///
/// Each cell counts the obstacles on it, so that it is free again only when the last one has gone.
/// Empty, it needs no memory; then four bytes a cell, and four for each cell of each obstacle. A
/// change allocates nothing once that memory has grown.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    /// By cell.
    counts: Vec<u32>,
    /// In the order of their numbers, with their cells in rising order.
    obstacles: Vec<(u32, Vec<u32>)>,
    /// Memory of obstacles that went.
    spare: Vec<Vec<u32>>,
    /// The cells of a new place.
    next: Vec<u32>,
    changed: Vec<u32>,
}

impl Taken {
    /// Is there no obstacle?
    pub fn is_empty(&self) -> bool {
        self.obstacles.is_empty()
    }

    /// Does any obstacle take a cell?
    pub fn is_taken(&self, cell: u32) -> bool {
        self.counts.get(cell as usize).is_some_and(|&count| count > 0)
    }

    /// Does any obstacle but this one?
    pub fn is_taken_by_another(&self, cell: u32, number: u32) -> bool {
        let count = self.counts.get(cell as usize).copied().unwrap_or(0);
        let is_own = || self.cells_of(number).binary_search(&cell).is_ok();
        count > 1 || (count == 1 && !is_own())
    }

    /// The cells that an obstacle takes, in rising order; none when it is not there.
    pub fn cells_of(&self, number: u32) -> &[u32] {
        self.find(number).ok().and_then(|at| self.obstacles.get(at)).map_or(&[], |own| &own.1)
    }

    fn find(&self, number: u32) -> Result<usize, usize> {
        self.obstacles.binary_search_by_key(&number, |own| own.0)
    }

    /// Puts an obstacle on the cells that `list` writes, all less than `count`, or takes it away
    /// without one. [`Taken::changed`] are the cells that are taken from now on, or free.
    ///
    /// O(cells before and after, times the logarithm of their number).
    pub fn set(&mut self, number: u32, count: usize, list: Option<impl FnOnce(&mut Vec<u32>)>) {
        self.changed.clear();
        self.next.clear();
        let (found, stays) = (self.find(number), list.is_some());
        if let Some(list) = list {
            list(&mut self.next);
            self.next.sort_unstable();
            self.next.dedup();
            self.counts.resize(count.max(self.counts.len()), 0);
        } else if found.is_err() {
            return;
        }
        // First what it takes, then what it leaves: a cell of both does not change.
        for &cell in &self.next {
            self.counts[cell as usize] += 1;
            if self.counts[cell as usize] == 1 {
                self.changed.push(cell);
            }
        }
        let at = found.unwrap_or_else(|at| {
            self.obstacles.insert(at, (number, self.spare.pop().unwrap_or_default()));
            at
        });
        mem::swap(&mut self.obstacles[at].1, &mut self.next);
        for &cell in &self.next {
            self.counts[cell as usize] -= 1;
            if self.counts[cell as usize] == 0 {
                self.changed.push(cell);
            }
        }
        if !stays {
            self.spare.push(self.obstacles.remove(at).1);
        }
    }

    /// Removes an obstacle from its cells for a while; `back` puts it back on them.
    pub fn set_aside(&mut self, number: u32, back: bool) {
        self.changed.clear();
        let Ok(at) = self.find(number) else {
            return;
        };
        for &cell in &self.obstacles[at].1 {
            let count = &mut self.counts[cell as usize];
            if back {
                *count += 1;
            } else {
                *count -= 1;
            }
            if *count == u32::from(back) {
                self.changed.push(cell);
            }
        }
    }

    /// What the last [`Taken::set`] or [`Taken::set_aside`] changed, in no order.
    pub fn changed(&self) -> &[u32] {
        &self.changed
    }
}
