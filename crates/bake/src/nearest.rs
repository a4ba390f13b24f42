//! The nearest known name to one that is not known.

/// The known name with the fewest single-letter changes (insert, drop, replace) from `found`, the
/// earlier one on a tie. `None` when none is near: two changes, or one in three letters, are taken
/// for a slip, and more for another word.
pub fn name<'a>(found: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let found = found.to_lowercase();
    let letters = found.chars().count();
    let (away, near) =
        known.map(|k| (changes(&found, &k.to_lowercase()), k)).min_by_key(|(away, _)| *away)?;
    // With as many changes as letters nothing of the name is left.
    let slip = away <= (letters / 3).max(2) && away < letters.max(near.chars().count());
    slip.then_some(near)
}

/// Levenshtein's distance in characters.
fn changes(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &cb) in b.iter().enumerate() {
            let replace = diagonal + usize::from(ca != cb);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_has_the_fewest_changes() {
        let known = ["height", "height_error", "radius", "climb"];
        assert_eq!(name("heigth", known.into_iter()), Some("height"));
        assert_eq!(name("Radus", known.into_iter()), Some("radius"));
        assert_eq!(name("x", [].into_iter()), None);
        assert_eq!(name("slope", known.into_iter()), None);
        assert_eq!(name("ab", ["xy"].into_iter()), None);
        assert_eq!(changes("kitten", "sitting"), 3);
    }
}
