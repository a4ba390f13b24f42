//! Disjoint sets.

/// Disjoint sets over `0..n`; the least member of a set is its representative.
///
/// Path halving, and union by least member instead of by rank: the representative then depends on
/// the sets alone, not on the order of joins (Galler and Fischer, "An improved equivalence
/// algorithm", 1964). A sequence of m operations takes O(m log n) at most.
#[derive(Clone, Debug, Default)]
pub struct UnionFind {
    parent: Vec<u32>,
}

impl UnionFind {
    /// The sets {0}, {1}, .. {n - 1}.
    pub fn new(n: usize) -> UnionFind {
        UnionFind { parent: (0..n as u32).collect() }
    }

    /// The least member of the set of `i`.
    ///
    /// # Panics
    /// When `i` is not below `n`; [`UnionFind::join`] likewise.
    #[inline]
    pub fn find(&mut self, mut i: u32) -> u32 {
        while self.parent[i as usize] != i {
            let up = self.parent[self.parent[i as usize] as usize];
            self.parent[i as usize] = up;
            i = up;
        }
        i
    }

    /// Makes the sets of `a` and `b` one.
    #[inline]
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::UnionFind;

    proptest! {
        #[test]
        fn sets_are_those_of_repeated_relabelling(
            n in 1usize..40,
            joins in prop::collection::vec((0u32..40, 0u32..40), 0..60),
        ) {
            let mut sets = UnionFind::new(n);
            let mut label: Vec<u32> = (0..n as u32).collect();
            for (a, b) in joins {
                let (a, b) = (a % n as u32, b % n as u32);
                sets.join(a, b);
                let (low, high) = {
                    let (a, b) = (label[a as usize], label[b as usize]);
                    (a.min(b), a.max(b))
                };
                label.iter_mut().filter(|l| **l == high).for_each(|l| *l = low);
            }
            for i in 0..n as u32 {
                prop_assert_eq!(sets.find(i), label[i as usize]);
            }
        }
    }
}
