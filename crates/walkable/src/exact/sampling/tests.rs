use super::*;
use crate::exact::sampling::columns::{Surface, tests::level};
use crate::exact::test_levels;

#[test]
fn a_lattice_that_is_patched_is_the_one_that_grows_with_the_patches() {
    let level = level();
    let (measures, triangles) = test_levels::tile(&level);
    let grounds = triangles.all.iter().zip(0u32..).filter(|(f, _)| f.ground);
    let grounds: Vec<u32> = grounds.map(|(_, i)| i).collect();
    let mut next = test_levels::random_whole(5);
    let (mut linked, mut fewer) = (0, 0);
    for turn in 0..160 {
        let mut patches = vec![];
        let mut grid = SamplingGrid::empty(&triangles, &measures);
        Growth::new(&mut grid, &measures).all(&triangles, &[]);
        let across = grid.size[1] as usize;
        // In some turns the first and the last row as well, and rows next to each other.
        let (low, rows) = [(0, across), (20, 6), (across - 3, 3), (0, 3)][turn % 4];
        for _ in 0..1 + turn % 7 {
            if turn >= 60 {
                // In the head room of a node; the surface may have no head room of its own.
                let node = grid.nodes[next(grid.nodes.len())];
                let above = measures.climb + 1.0 + next(measures.height as usize) as f64;
                let [column, row] = node.position.map(|k| k as usize);
                patches.push((row, column, Surface::ground(node.y + above, node.triangle)));
                continue;
            }
            let (row, column) = (low + next(rows), next(60));
            let triangle = grounds[next(grounds.len())];
            let p = grid.corner[0] + column as f64 * grid.cell;
            let q = grid.row(row as i32);
            let y = triangles.all[triangle as usize].at([p, q]).clamp(-1000.0, 9000.0);
            patches.push((row, column, Surface::ground(y, triangle)));
        }
        patches.sort_by_key(|p| (p.0, p.1));
        let before = grid.nodes.len();
        let mut grid = SamplingGrid::empty(&triangles, &measures);
        let mut growth = Growth::new(&mut grid, &measures);
        growth.all(&triangles, &[]);
        growth.patch(&triangles, &patches);
        growth.finish(&triangles);
        let mut wanted = SamplingGrid::empty(&triangles, &measures);
        let mut growth = Growth::new(&mut wanted, &measures);
        growth.all(&triangles, &patches);
        growth.finish(&triangles);
        assert_eq!(grid.first, wanted.first, "{turn}");
        assert_eq!(grid.nodes, wanted.nodes, "{turn}");
        assert_eq!(grid.kinds, wanted.kinds, "{turn}");
        fewer += usize::from(grid.nodes.len() < before);
        // HeightBlocks may hold ground that patches took away.
        linked += (grid.kinds.iter()).filter(|k| **k != Kind::Nothing).count();
    }
    assert!(linked > 1000 && fewer > 3, "{linked} {fewer}");
}
