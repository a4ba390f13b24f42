//! The kinds of edges of the level's triangles: inner edges, and edges with ground on both sides.

use navbake_geom::{Point3, orient};
use navbake_level::{Level, Triangle};

use crate::params::Params;

/// How an edge relates to the triangles that share it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EdgeKind {
    /// Seen from above, there are triangles on both sides, or one is upright: it is no outline.
    pub(crate) inner: bool,
    /// There is ground on both sides.
    pub(crate) ground_on_both: bool,
    /// There is one triangle on either side, and both are ground.
    pub(crate) joins_two: bool,
}

/// On which side of an edge a triangle is, seen from above; upright ones are under theirs.
const LEFT: u8 = 0;
const RIGHT: u8 = 1;
const UNDER: u8 = 2;

/// The kinds of all edges of a level (from corner k to the next).
pub(crate) fn edge_kinds(level: &Level, params: &Params) -> Vec<[EdgeKind; 3]> {
    // All edges by their lesser vertex: the greater one, and the edge.
    let mut first = vec![0u32; level.vertices.len() + 1];
    let ends = |t: &Triangle, k: usize| {
        let (a, b) = (t.v[k], t.v[(k + 1) % 3]);
        (a.min(b), a.max(b))
    };
    for t in &level.triangles {
        for k in 0..3 {
            first[ends(t, k).0 as usize + 1] += 1;
        }
    }
    for k in 1..first.len() {
        first[k] += first[k - 1];
    }
    let mut edges = vec![0u64; level.triangles.len() * 3];
    let mut next = first.clone();
    for (i, t) in level.triangles.iter().enumerate() {
        for k in 0..3 {
            let (a, b) = ends(t, k);
            let at = &mut next[a as usize];
            edges[*at as usize] = u64::from(b) << 32 | (3 * i + k) as u64;
            *at += 1;
        }
    }
    // On which side of its edges each triangle is, seen from above: two bits for edges from the
    // lesser vertex to the greater one, two for the others. The bit above says whether it is
    // ground.
    let sides: Vec<u8> = (level.triangles.iter().enumerate())
        .map(|(i, t)| {
            let [a, b, c] = level.corners(t).map(Point3::flat);
            let sides = match orient(a, b, c).signum() {
                1 => LEFT | RIGHT << 2,
                -1 => RIGHT | LEFT << 2,
                _ => UNDER | UNDER << 2,
            };
            sides | u8::from(params.is_ground(level, i)) << 4
        })
        .collect();
    let mut kinds = vec![[EdgeKind::default(); 3]; level.triangles.len()];
    for a in 0..level.vertices.len() {
        let list = &mut edges[first[a] as usize..first[a + 1] as usize];
        sort_few(list);
        for same in list.chunk_by(|p, q| p >> 32 == q >> 32).filter(|c| c.len() > 1) {
            let (mut has, mut grounds) = (0u8, 0u8);
            for half in same.iter().map(|&half| half as u32 as usize) {
                let (t, k) = (half / 3, half % 3);
                let is_back = u8::from(level.triangles[t].v[k] as usize != a);
                let side = 1 << (sides[t] >> (2 * is_back) & 3);
                has |= side;
                grounds |= side * (sides[t] >> 4);
            }
            let both = 1 << LEFT | 1 << RIGHT;
            let ground_on_both = grounds & both == both;
            let kind = EdgeKind {
                inner: has & both == both || has & 1 << UNDER != 0,
                ground_on_both,
                joins_two: ground_on_both && same.len() == 2,
            };
            for half in same.iter().map(|&half| half as u32 as usize) {
                kinds[half / 3][half % 3] = kind;
            }
        }
    }
    kinds
}

/// Sorts a list that mostly has few numbers.
fn sort_few(list: &mut [u64]) {
    if list.len() > 16 {
        list.sort_unstable();
        return;
    }
    for k in 1..list.len() {
        let (value, mut at) = (list[k], k);
        while at > 0 && list[at - 1] > value {
            list[at] = list[at - 1];
            at -= 1;
        }
        list[at] = value;
    }
}
