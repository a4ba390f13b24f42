//! Items in groups, as one array (compressed rows).

/// Lists of items, one list for each group.
#[derive(Debug, Default)]
pub(crate) struct Groups<T> {
    /// Where each list begins; one more entry than groups.
    first: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Default> Groups<T> {
    /// Sorts pairs of group and item into `count` lists, by counting; the order is kept.
    pub(crate) fn new(count: usize, pairs: impl Iterator<Item = (u32, T)> + Clone) -> Groups<T> {
        // Two entries ahead, so that filling a list moves the beginning of the next one into place.
        let mut first = vec![0u32; count + 2];
        for (group, _) in pairs.clone() {
            first[group as usize + 2] += 1;
        }
        for k in 2..first.len() {
            first[k] += first[k - 1];
        }
        let mut items = vec![T::default(); first[count + 1] as usize];
        for (group, item) in pairs {
            let at = &mut first[group as usize + 1];
            items[*at as usize] = item;
            *at += 1;
        }
        first.pop();
        Groups { first, items }
    }

    /// The items of a group.
    pub(crate) fn of(&self, group: usize) -> &[T] {
        &self.items[self.first[group] as usize..self.first[group + 1] as usize]
    }
}
