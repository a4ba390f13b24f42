//! The links of a world in chunks: those within each chunk, and those between two.

use std::collections::BTreeMap;

use navbake_format::write::{FarLinkParts, LinkParts};

use crate::chunks::Key;

/// The links of one class by chunk. Polygons are numbered within each chunk.
#[derive(Default)]
pub(crate) struct ChunkLinks<'a> {
    within: BTreeMap<Key, Vec<LinkParts<'a>>>,
    far: BTreeMap<Key, Vec<FarLinkParts<'a>>>,
}

impl<'a> ChunkLinks<'a> {
    /// Sorts links of the whole navmesh. `place` gives the chunk of a polygon and its number there.
    pub(crate) fn of(links: &[LinkParts<'a>], place: impl Fn(u32) -> (Key, u32)) -> ChunkLinks<'a> {
        let mut all = ChunkLinks::default();
        let mut number = 0;
        for link in links {
            let ends = [link.from, link.to].map(|(polygon, at)| (place(polygon), at));
            let [((here, from), at), ((there, to), end)] = ends;
            if here == there {
                let link = LinkParts { from: (from, at), to: (to, end), ..*link };
                all.within.entry(here).or_default().push(link);
                continue;
            }
            let far = |end, ends_here, chunk| {
                let link = LinkParts { from: end, to: end, ..*link };
                FarLinkParts { number, ends_here, chunk, link }
            };
            let (begins, ends) = (far((from, at), false, there), far((to, end), true, here));
            all.far.entry(here).or_default().push(begins);
            all.far.entry(there).or_default().push(ends);
            number += 1;
        }
        all
    }

    /// The links within a chunk, and the ends of others in it.
    pub(crate) fn of_chunk(&self, key: Key) -> (Vec<LinkParts<'a>>, Vec<FarLinkParts<'a>>) {
        let within = self.within.get(&key).cloned().unwrap_or_default();
        (within, self.far.get(&key).cloned().unwrap_or_default())
    }
}

/// For each island the least of those that links connect it with, in whatever direction.
pub(crate) fn joined(islands: usize, links: impl Iterator<Item = [u32; 2]>) -> Vec<u32> {
    let mut least: Vec<u32> = (0..islands as u32).collect();
    fn root(least: &[u32], mut island: u32) -> u32 {
        while least[island as usize] != island {
            island = least[island as usize];
        }
        island
    }
    for ends in links {
        let [a, b] = ends.map(|island| root(&least, island));
        least[a.max(b) as usize] = a.min(b);
    }
    (0..islands as u32).map(|island| root(&least, island)).collect()
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn islands_that_links_connect_have_the_number_of_the_least() {
        let links = [[5, 3], [1, 4], [3, 1], [6, 6]];
        assert_eq!(joined(8, links.into_iter()), [0, 1, 2, 1, 1, 1, 6, 7]);
        assert_eq!(joined(3, [].into_iter()), [0, 1, 2]);
    }
}
