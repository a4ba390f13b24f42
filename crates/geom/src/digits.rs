//! Sorting of many numbers: by digits of ten bits, and by parts of their range.

/// Bits of a digit.
const BITS: u32 = 10;
/// Digits of what numbers are sorted by.
const DIGITS: usize = 3;
/// The least length at which it pays.
const MANY: usize = 256;

/// Sorts numbers whose upper halves are below 2^30 and whose lower halves ascend: what is sorted
/// by, and its number.
///
/// From the least digit on, each time in the order that came before (H. Seward, Information sorting
/// in the application of electronic digital computers, 1954).
pub fn sort_by_digits(keys: &mut Vec<u64>) {
    if keys.len() < MANY {
        keys.sort_unstable();
        return;
    }
    let digit = |key: u64, k: usize| (key >> (32 + BITS * k as u32)) as usize & ((1 << BITS) - 1);
    let mut counts = [[0u32; 1 << BITS]; DIGITS];
    for &key in keys.iter() {
        for (k, counts) in counts.iter_mut().enumerate() {
            counts[digit(key, k)] += 1;
        }
    }
    let mut sorted = vec![0; keys.len()];
    for (k, first) in counts.iter_mut().enumerate() {
        let mut sum = 0;
        for n in first.iter_mut() {
            sum += std::mem::replace(n, sum);
        }
        for &key in keys.iter() {
            let at = &mut first[digit(key, k)];
            sorted[*at as usize] = key;
            *at += 1;
        }
        std::mem::swap(keys, &mut sorted);
    }
}

/// Sorts keys. `part` numbers parts of them from 0 to below `parts` and ascends with the key: each
/// part is sorted by itself, so that many small parts take linear time.
pub fn sort_by_parts(mut keys: Vec<u128>, parts: usize, part: impl Fn(u128) -> usize) -> Vec<u128> {
    if keys.len() < MANY {
        keys.sort_unstable();
        return keys;
    }
    // Where the next key of each part goes: in the end, where the part ends.
    let mut next = vec![0u32; parts + 1];
    for &key in &keys {
        next[part(key) + 1] += 1;
    }
    for k in 1..parts {
        next[k] += next[k - 1];
    }
    let mut sorted = vec![0; keys.len()];
    for key in keys {
        let next = &mut next[part(key)];
        sorted[*next as usize] = key;
        *next += 1;
    }
    let mut from = 0;
    for &end in &next[..parts] {
        sorted[from..end as usize].sort_unstable();
        from = end as usize;
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_numbers_come_in_the_same_order_as_few() {
        let mut seed = 7u64;
        for count in [0, 1, MANY - 1, MANY, 3000] {
            for bits in [30, 5] {
                let key = |number: u64| {
                    seed = seed
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    (seed >> (64 - bits)) << 32 | number
                };
                let keys: Vec<u64> = (0..count as u64).map(key).collect();
                let (mut found, mut plain) = (keys.clone(), keys);
                sort_by_digits(&mut found);
                plain.sort_unstable();
                assert_eq!(found, plain);
            }
        }
    }

    #[test]
    fn keys_sorted_by_parts_are_the_sorted_keys() {
        let mut seed = 3u128;
        for (count, parts) in [(0, 1), (MANY - 1, 40), (MANY, 1), (3000, 7), (3000, 5000)] {
            let keys: Vec<u128> = (0..count)
                .map(|_| {
                    seed = seed.wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645);
                    seed = seed.wrapping_add(1);
                    ((seed >> 100) % parts) << 96 | (seed >> 20 & 0xFFFF)
                })
                .collect();
            let mut plain = keys.clone();
            plain.sort_unstable();
            let found = sort_by_parts(keys, parts as usize, |key| (key >> 96) as usize);
            assert_eq!(found, plain);
        }
    }
}
