//! Boxes to be looked up by place and height: a packed tree, eight boxes a node.

/// A box in whole grid units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Least X, Y and height.
    pub(crate) low: [i32; 3],
    /// Greatest X, Y and height.
    pub(crate) high: [i32; 3],
}

impl Bounds {
    /// What nothing meets; what to begin with to grow a box.
    pub(crate) const EMPTY: Bounds = Bounds {
        low: [i32::MAX; 3],
        high: [i32::MIN; 3],
    };

    /// Takes another box in.
    pub(crate) fn grow(&mut self, other: &Bounds) {
        for axis in 0..3 {
            self.low[axis] = self.low[axis].min(other.low[axis]);
            self.high[axis] = self.high[axis].max(other.high[axis]);
        }
    }
}

/// Boxes in a node.
const WIDE: usize = 8;

/// Eight boxes side by side, so that one comparison does for several.
#[derive(Clone, Copy, Debug)]
struct Node {
    low: [[i32; WIDE]; 3],
    high: [[i32; WIDE]; 3],
}

impl Node {
    const EMPTY: Node = Node {
        low: [[i32::MAX; WIDE]; 3],
        high: [[i32::MIN; WIDE]; 3],
    };

    fn of(boxes: &[Bounds]) -> Node {
        let mut node = Node::EMPTY;
        for (k, b) in boxes.iter().enumerate() {
            for axis in 0..3 {
                node.low[axis][k] = b.low[axis];
                node.high[axis][k] = b.high[axis];
            }
        }
        node
    }

    /// One bit a box that meets another.
    fn meets(&self, b: &Bounds) -> u32 {
        let mut apart = [0i32; WIDE];
        for axis in 0..3 {
            let sides = self.low[axis].iter().zip(&self.high[axis]);
            for (apart, (&low, &high)) in apart.iter_mut().zip(sides) {
                *apart |= i32::from(low > b.high[axis]) | i32::from(high < b.low[axis]);
            }
        }
        let mut bits = 0;
        for (k, a) in apart.into_iter().enumerate() {
            bits |= ((a ^ 1) as u32) << k;
        }
        bits
    }
}

/// Boxes, neighbours kept together.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// The boxes' indices in the order of the leaves.
    order: Vec<u32>,
    /// All nodes, the root last.
    nodes: Vec<Node>,
    /// Where each level's nodes begin, leaves first.
    levels: Vec<u32>,
}

impl Tree {
    pub(crate) fn new(boxes: &[Bounds]) -> Tree {
        let mut all = Bounds::EMPTY;
        boxes.iter().for_each(|b| all.grow(b));
        let side = (0..2)
            .map(|axis| i64::from(all.high[axis]) - i64::from(all.low[axis]))
            .max()
            .unwrap_or(0)
            .max(1);
        // Large boxes by themselves, or they would make the nodes of small ones large. Then along a curve that stays nearby.
        let mut keys: Vec<(u64, u32)> = boxes
            .iter()
            .enumerate()
            .map(|(i, b)| {
                let mut extent = 0;
                let mut curve = 0;
                for axis in 0..2 {
                    let (low, high) = (i64::from(b.low[axis]), i64::from(b.high[axis]));
                    extent = extent.max(high - low);
                    let middle = (low + high) / 2 - i64::from(all.low[axis]);
                    curve |= spread_bits((middle * 0xffff / side) as u64) << axis;
                }
                let large = [32, 8].iter().filter(|&&part| extent * part > side).count();
                ((large as u64) << 32 | curve, i as u32)
            })
            .collect();
        keys.sort_unstable();
        let order: Vec<u32> = keys.into_iter().map(|k| k.1).collect();
        let mut level: Vec<Bounds> = order.iter().map(|&i| boxes[i as usize]).collect();
        let (mut nodes, mut levels) = (vec![], vec![]);
        loop {
            levels.push(nodes.len() as u32);
            nodes.extend(level.chunks(WIDE).map(Node::of));
            if level.len() <= WIDE {
                break;
            }
            let outer = level.chunks(WIDE).map(|boxes| {
                let mut all = Bounds::EMPTY;
                boxes.iter().for_each(|b| all.grow(b));
                all
            });
            level = outer.collect();
        }
        Tree {
            order,
            nodes,
            levels,
        }
    }

    /// Calls `f` with the index of each box that meets one.
    pub(crate) fn near(&self, bounds: &Bounds, mut f: impl FnMut(u32)) {
        if self.order.is_empty() {
            return;
        }
        // Nodes to look at: level and number in it. Every level adds seven more than it takes away; there are at most 11 levels.
        let mut todo = [(0u32, 0u32); 11 * WIDE];
        todo[0] = (self.levels.len() as u32 - 1, 0);
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let (level, number) = todo[count];
            let node = self.levels[level as usize] + number;
            let mut bits = self.nodes[node as usize].meets(bounds);
            while bits != 0 {
                let child = number * WIDE as u32 + bits.trailing_zeros();
                bits &= bits - 1;
                if level == 0 {
                    f(self.order[child as usize]);
                } else {
                    todo[count] = (level - 1, child);
                    count += 1;
                }
            }
        }
    }
}

/// The lowest 16 bits, each followed by a zero.
fn spread_bits(v: u64) -> u64 {
    let v = (v | v << 8) & 0x00ff_00ff;
    let v = (v | v << 4) & 0x0f0f_0f0f;
    let v = (v | v << 2) & 0x3333_3333;
    (v | v << 1) & 0x5555_5555
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_gives_exactly_the_boxes_that_meet() {
        let mut seed = 1u32;
        let mut next = move |most: i32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as i32 % most
        };
        for count in [0, 1, 7, 8, 9, 64, 65, 700] {
            let mut make = |size: i32| {
                let low = [next(1000) - 500, next(1000) - 500, next(100)];
                Bounds {
                    low,
                    high: low.map(|l| l + next(size)),
                }
            };
            let boxes: Vec<Bounds> = (0..count)
                .map(|k| make(if k % 9 == 0 { 400 } else { 20 }))
                .collect();
            let tree = Tree::new(&boxes);
            for _ in 0..50 {
                let wanted = make(90);
                let mut found = vec![];
                tree.near(&wanted, |i| found.push(i as usize));
                found.sort_unstable();
                let meets = |b: &Bounds| {
                    (0..3).all(|k| b.low[k] <= wanted.high[k] && b.high[k] >= wanted.low[k])
                };
                let plain: Vec<usize> = (0..count).filter(|&k| meets(&boxes[k])).collect();
                assert_eq!(found, plain);
            }
        }
    }
}
