//! A hash map from places to numbers, by open addressing, that is emptied in O(1).

/// A set that is emptied and filled again and again.
#[derive(Default)]
pub(crate) struct PlaceMap {
    /// Key, turn in which it was put in, and number.
    slots: Vec<(u64, u32, u32)>,
    turn: u32,
    used: usize,
}

/// Slots at the least, a power of two.
const FEW: usize = 64;

impl PlaceMap {
    /// Forgets all places.
    pub(crate) fn clear(&mut self) {
        self.used = 0;
        self.turn = self.turn.wrapping_add(1);
        if self.turn == 0 || self.slots.is_empty() {
            self.slots.clear();
            self.slots.resize(FEW, (0, 0, 0));
            self.turn = 1;
        }
    }

    /// The number that a place was given; it gets this one if it is new.
    pub(crate) fn find(&mut self, key: u64, number: u32) -> u32 {
        if 2 * self.used >= self.slots.len() {
            self.grow();
        }
        let at = self.slot_of(key);
        let slot = &mut self.slots[at];
        if slot.1 != self.turn {
            *slot = (key, self.turn, number);
            self.used += 1;
        }
        slot.2
    }

    /// Was the place met before? It is now.
    pub(crate) fn meets(&mut self, key: u64) -> bool {
        let before = self.used;
        self.find(key, 0);
        self.used == before
    }

    /// Where a place is, or would be put in.
    fn slot_of(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let spread = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut at = (spread >> 32) as usize & mask;
        while self.slots[at].1 == self.turn && self.slots[at].0 != key {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let wider = vec![(0, 0, 0); (2 * self.slots.len()).max(FEW)];
        let old = std::mem::replace(&mut self.slots, wider);
        for slot in old.into_iter().filter(|s| s.1 == self.turn) {
            let at = self.slot_of(slot.0);
            self.slots[at] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_keep_their_number_until_all_are_forgotten() {
        let mut seen = PlaceMap::default();
        for round in 0..3 {
            seen.clear();
            for k in 0..500u64 {
                let (key, number) = ((k << 28) + 3 * k, k as u32 + round);
                assert_eq!(seen.find(key, number), number);
                assert_eq!(seen.find(key, number + 7), number);
            }
            assert!(seen.meets((5 << 28) + 15));
            assert!(!seen.meets((5 << 28) + 16));
        }
    }
}
