use super::*;
use crate::exact::columns::{Surface, tests::level};
use crate::exact::trial;

#[test]
fn a_lattice_that_is_patched_is_the_one_that_grows_with_the_patches() {
    let level = level();
    let (measures, facets) = trial::tile(&level);
    let grounds = facets.all.iter().zip(0u32..).filter(|(f, _)| f.ground);
    let grounds: Vec<u32> = grounds.map(|(_, i)| i).collect();
    let mut next = trial::random_whole(5);
    let mut linked = 0;
    for turn in 0..60 {
        let mut patches = vec![];
        let mut lattice = Lattice::empty(&facets, &measures);
        let across = lattice.size[1] as usize;
        // In some turns the first and the last row as well, and rows next to each other.
        let (low, rows) = [(0, across), (20, 6), (across - 3, 3), (0, 3)][turn % 4];
        for _ in 0..1 + turn % 7 {
            let (row, column) = (low + next(rows), next(60));
            let facet = grounds[next(grounds.len())];
            let p = lattice.corner[0] + column as f64 * lattice.cell;
            let q = lattice.row(row as i32);
            let y = facets.all[facet as usize].at([p, q]).clamp(-1000.0, 9000.0);
            patches.push((row, column, Surface::ground(y, facet)));
        }
        patches.sort_by_key(|p| (p.0, p.1));
        let mut growth = Growth::new(&mut lattice, &measures);
        growth.all(&facets, &[]);
        growth.patch(&facets, &patches);
        growth.finish(&facets);
        let mut wanted = Lattice::empty(&facets, &measures);
        let mut growth = Growth::new(&mut wanted, &measures);
        growth.all(&facets, &patches);
        growth.finish(&facets);
        assert_eq!(lattice.first, wanted.first, "{turn}");
        assert_eq!(lattice.nodes, wanted.nodes, "{turn}");
        assert_eq!(lattice.kinds, wanted.kinds, "{turn}");
        // Blocks may hold ground that patches took away.
        linked += (lattice.kinds.iter())
            .filter(|k| **k != Kind::Nothing)
            .count();
    }
    assert!(linked > 1000, "{linked}");
}
