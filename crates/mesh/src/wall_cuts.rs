//! Shares a small polygon at a wall out between two neighbours by a cut from a corner to the wall.
//!
//! ```text
//!     \        R        /              \        R        /
//!      \      / \      /                \       |       /
//!   N1  \   /     \   /  N2    ->    N1  \      |      /  N2
//!        \/         \/                    \     |     /
//!   ------------------------         ------------f-----------
//! ```
//!
//! A corner of an obstacle beside a wall gives such a polygon, with no other corner to cut to. The
//! wall gets a corner more, and the ground a polygon less, often a narrow one.

use navbake_geom::{Point, direction, dot, orient};

use crate::NONE;
use crate::faces::Faces;
use crate::improve::{neighbours_that_take, takers};

/// Polygons with more corners are not tried.
const MOST_CORNERS: u32 = 6;

/// A new corner is at least this far from where it would be of no use, grid units.
const LEAST: f64 = 1.5;

/// Cuts polygons where both parts may then be merged with neighbours. Was there any? `height` gives
/// the height of a place on its side in a direction.
pub(crate) fn cut_to_walls(faces: &mut Faces, height: &impl Fn(Point, [i64; 2]) -> i32) -> bool {
    let mut edges = vec![];
    let mut takes = vec![];
    let mut done = false;
    for face in 0..faces.edge_of.len() as u32 {
        let n = faces.corners[face as usize] as usize;
        if faces.edge_of[face as usize] == NONE || n > MOST_CORNERS as usize {
            continue;
        }
        let has_wall = faces.around(face).any(|h| faces.twin[h as usize] == NONE);
        if !has_wall || !neighbours_that_take(faces, face, &mut edges, &mut takes) {
            continue;
        }
        // As for cuts between two corners; a wall leads nowhere.
        let goes = |from: usize, to: usize, begins: usize, ends: usize| {
            (from..to).any(|k| {
                let [leads, first, last] = takes[k % n];
                leads && (first || k == begins) && (last || k + 1 == ends)
            })
        };
        'cuts: for i in 0..n {
            for m in i + 1..i + n - 1 {
                let wall = edges[m % n];
                let cuts = is_wall(faces, wall)
                    && goes(i, m, i, n + n)
                    && goes(m + 1, i + n, n + n, i + n);
                if !cuts {
                    continue;
                }
                for place in places(faces, edges[i], wall) {
                    if try_cut(faces, &edges, [i, m % n], place, height) {
                        done = true;
                        break 'cuts;
                    }
                }
            }
        }
    }
    done
}

/// May the edge get a corner? It is a border that ends here: an open edge goes on in another tile
/// or layer, which has it in one piece.
fn is_wall(faces: &Faces, h: u32) -> bool {
    faces.twin[h as usize] == NONE && !faces.is_open(h)
}

/// Places in a wall to cut to from the corner where `h` begins: as near as can be to the corner, so
/// that both neighbours, or one of them, turn the right direction there.
fn places(faces: &Faces, h: u32, wall: u32) -> Vec<Point> {
    let (corner, a, b) = (faces.from(h), faces.from(wall), faces.to(wall));
    let along = direction(a, b);
    let square = dot(along, along) as f64;
    let least = LEAST / square.sqrt();
    // Shares of the wall's length, by what its ends have to be above.
    let keep = |[low, high]: [f64; 2], [first, last]: [i64; 2]| {
        let (first, last) = (first as f64, last as f64);
        let at = first / (first - last);
        match (first >= 0.0, last >= 0.0) {
            (true, true) => [low, high],
            (true, false) => [low, high.min(at - least)],
            (false, true) => [low.max(at + least), high],
            (false, false) => [1.0, 0.0],
        }
    };
    let all = [least, 1.0 - least];
    let (mut right, mut left) = (None, None);
    let before = faces.twin[faces.prev[h as usize] as usize];
    if before != NONE {
        let from = faces.from(faces.prev[before as usize]);
        right = Some([orient(from, corner, a), orient(from, corner, b)]);
    }
    let after = faces.twin[h as usize];
    if after != NONE {
        let to = faces.to(faces.next[after as usize]);
        left = Some([orient(a, corner, to), orient(b, corner, to)]);
    }
    let foot = dot(along, direction(a, corner)) as f64 / square;
    let mut found: Vec<Point> = vec![];
    for (right, left) in [(right, left), (right, None), (None, left), (None, None)] {
        let within = [right, left].into_iter().flatten().fold(all, keep);
        if within[0] <= within[1]
            && let Some(place) = on_wall(a, b, foot.max(within[0]).min(within[1]))
            && !found.contains(&place)
        {
            found.push(place);
        }
    }
    found
}

/// The place of the grid at a share of a wall's length: on it, or next to it on the ground's side.
fn on_wall(a: Point, b: Point, share: f64) -> Option<Point> {
    let at = |from: i32, to: i32| f64::from(from) + share * (f64::from(to) - f64::from(from));
    let (x, z) = (at(a.x, b.x).floor() as i32, at(a.z, b.z).floor() as i32);
    let places = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[i, j]| Point::new(x + i, z + j));
    let inside = places.into_iter().filter(|&p| p != a && p != b && orient(a, b, p) >= 0);
    inside.min_by_key(|&p| (orient(a, b, p), p))
}

/// Cuts a polygon from corner `i` to a place in its edge `m`, and merges both parts with neighbours
/// if they may be.
fn try_cut(
    faces: &mut Faces,
    edges: &[u32],
    [i, m]: [usize; 2],
    place: Point,
    height: &impl Fn(Point, [i64; 2]) -> i32,
) -> bool {
    let n = edges.len();
    let at = |k: usize| faces.from(edges[k % n]);
    let (corner, a, b) = (at(i), at(m), at(m + 1));
    let turns = [
        [at(i + n - 1), corner, place],
        [place, corner, at(i + 1)],
        [a, place, corner],
        [corner, place, b],
        [place, b, at(m + 2)],
        [at(m + n - 1), a, place],
    ];
    if turns.iter().any(|&[p, q, r]| orient(p, q, r) <= 0) {
        return false;
    }
    let added = faces.divide(edges[m], place.at(0));
    let whole = faces.split(edges[i], added);
    // All edges from the corner on.
    let mut ring: Vec<u32> = (i..i + n).map(|k| edges[k % n]).collect();
    let j = (m + n - i) % n + 1;
    ring.insert(j, added);
    // The ground must have one height there, whatever the side.
    let heights = |_: &(u32, u32)| {
        let sides = [a, corner, b].map(|p| height(place, direction(place, p)));
        (sides[0] == sides[1] && sides[1] == sides[2]).then_some(sides[0])
    };
    let takers = takers(faces, &ring, 0, j);
    let y = takers.as_ref().and_then(heights);
    let (Some((first, second)), Some(y)) = (takers, y) else {
        faces.unsplit(whole);
        faces.undivide(added);
        return false;
    };
    faces.raise_last(y);
    for h in [first, second] {
        if faces.is_live(h)
            && let Some(slab) = faces.union_across(h)
        {
            faces.dissolve(h, slab, &mut |_, _| {});
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use navbake_geom::ring_area;
    use navbake_walkable::{Layer, Ring};

    use super::*;
    use crate::layer_heights::LayerHeights;
    use crate::patch::merged;
    use crate::{Patch, PatchSettings};

    /// Ground between a wall from `a` to `b` and a corner of an obstacle above it.
    fn beside_a_corner(a: Point, b: Point, open: bool) -> (Patch, i128) {
        let points =
            vec![a, b, Point::new(2000, -1000), Point::new(1000, -100), Point::new(0, -1000)];
        let rings = [Ring { open: vec![open, false, false, false, false], points }];
        let area = ring_area(&rings[0].points);
        assert!(area > 0);
        let layer = Layer::default();
        let heights = LayerHeights::new(&layer).unwrap();
        let settings = PatchSettings {
            tolerance: 20,
            height_error: 1,
            seam_error: 1,
            slope_error: 0,
            max_corners: 32,
        };
        (merged(&rings, &rings, &heights, &settings).unwrap(), i128::from(area))
    }

    #[test]
    fn a_corner_beside_a_wall_leaves_two_polygons() {
        let (patch, area) = beside_a_corner(Point::new(0, 0), Point::new(2000, 0), false);
        assert_eq!(patch.mesh.check(), Ok(()));
        assert_eq!((patch.mesh.len(), patch.mesh.area_doubled()), (2, area));
        let cut = Point::new(1000, 0).at(0);
        assert!(patch.mesh.vertices.contains(&cut), "{:?}", patch.mesh.vertices);
    }

    #[test]
    fn a_slanted_wall_is_cut_on_the_grid() {
        let (patch, area) = beside_a_corner(Point::new(0, 7), Point::new(2000, 0), false);
        assert_eq!(patch.mesh.check(), Ok(()));
        assert_eq!(patch.mesh.len(), 2);
        let lost = area - patch.mesh.area_doubled();
        assert!((0..=2000).contains(&lost), "less than a grid unit along the wall: {lost}");
    }

    #[test]
    fn an_open_edge_is_not_cut() {
        for z in [0, 7] {
            let (patch, area) = beside_a_corner(Point::new(0, z), Point::new(2000, 0), true);
            assert_eq!((patch.mesh.len(), patch.mesh.area_doubled()), (3, area));
            assert_eq!(patch.open.iter().filter(|&&open| open).count(), 1);
        }
    }
}
