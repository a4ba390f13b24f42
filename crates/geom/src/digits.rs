//! Radix sort of numbers by digits of ten bits.

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
}
