//! Changes of inputs, for the loop on stable Rust: no coverage, but corpora, dictionaries and
//! splices.

use navbake_testkit::Random;

/// The longest input that the loop makes.
const LONGEST: usize = 1 << 16;

/// Words of a dictionary of libFuzzer: `name="text with \xNN"`, one a line; `#` begins a comment.
pub fn words(dictionary: &str) -> Vec<Vec<u8>> {
    let quoted = |line: &str| -> Option<Vec<u8>> {
        let line = line.trim();
        let inner = line.split_once('"')?.1.strip_suffix('"')?;
        (!line.starts_with('#')).then(|| unescaped(inner))
    };
    dictionary.lines().filter_map(quoted).collect()
}

fn unescaped(text: &str) -> Vec<u8> {
    let (mut out, mut rest) = (vec![], text.as_bytes());
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        match (first, rest) {
            (b'\\', [b'x', high, low, ..]) => {
                let digit = |c: &u8| char::from(*c).to_digit(16).unwrap_or(0) as u8;
                out.push(digit(high) << 4 | digit(low));
                rest = &rest[3..];
            }
            (b'\\', [c, ..]) => {
                out.push(*c);
                rest = &rest[1..];
            }
            _ => out.push(first),
        }
    }
    out
}

/// An input made of one or two others.
pub fn mutated(random: &mut Random, corpus: &[Vec<u8>], words: &[Vec<u8>]) -> Vec<u8> {
    let pick = |random: &mut Random| match corpus {
        [] => vec![],
        _ => corpus[random.below(corpus.len())].clone(),
    };
    let mut out = pick(random);
    if random.chance(10) {
        let other = pick(random);
        let (head, tail) = (random.below(out.len() + 1), random.below(other.len() + 1));
        out.truncate(head);
        out.extend(&other[tail..]);
    }
    for _ in 0..1 << random.below(5) {
        change(random, &mut out, words);
    }
    out.truncate(LONGEST);
    out
}

const NUMBERS: [u64; 14] = [
    0,
    1,
    0x7F,
    0x80,
    0xFF,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFF,
    0x7FF0_0000_0000_0000,
    0x7FF8_0000_0000_0001,
    u64::MAX,
];

fn change(random: &mut Random, out: &mut Vec<u8>, words: &[Vec<u8>]) {
    let at = random.below(out.len() + 1);
    let some = (1 + random.below(16)).min(out.len() - at);
    match random.below(9) {
        0 if at < out.len() => out[at] ^= 1 << random.below(8),
        1 if at < out.len() => out[at] = random.next() as u8,
        2 if at < out.len() => out[at] = out[at].wrapping_add(random.within(-9, 9) as u8),
        3 => drop(out.drain(at..at + some)),
        4 => {
            let own: Vec<u8> = out[at..at + some].to_vec();
            let to = random.below(out.len() + 1);
            out.splice(to..to, own);
        }
        5 => {
            let own: Vec<u8> = (0..1 + random.below(8)).map(|_| random.next() as u8).collect();
            out.splice(at..at, own);
        }
        6 if !words.is_empty() => {
            let word = &words[random.below(words.len())];
            let over = if random.chance(50) { word.len().min(out.len() - at) } else { 0 };
            out.splice(at..at + over, word.iter().copied());
        }
        _ => {
            let width = 1 << random.below(4);
            let value = match random.chance(70) {
                true => NUMBERS[random.below(NUMBERS.len())],
                false => random.next() % 300,
            };
            let mut bytes = value.to_le_bytes();
            if random.chance(30) {
                bytes[..width].reverse();
            }
            if let Some(own) = out.get_mut(at..at + width) {
                own.copy_from_slice(&bytes[..width]);
            }
        }
    }
}
