//! Scenes that are made to cost searches much: fans, spirals, rings in rings, sieves.
//!
//! Each comes with the faces that a search begins and ends in.

use std::collections::HashMap;

use super::{Face, Scene, orient};
use crate::Random;

/// A scene, and the faces of start and goal.
pub type Adverse = (Scene, [usize; 2]);

impl Scene {
    /// Faces with these corners on one storey. Those that have two corners in common are connected
    /// there.
    ///
    /// # Panics
    /// When a face is not convex and counter-clockwise.
    pub fn of_faces(points: Vec<[i32; 2]>, corners: Vec<Vec<usize>>) -> Scene {
        let at: HashMap<(usize, usize), usize> = (corners.iter().enumerate())
            .flat_map(|(f, c)| (0..c.len()).map(move |k| ((c[k], c[(k + 1) % c.len()]), f)))
            .collect();
        let face = |corners: Vec<usize>| {
            let n = corners.len();
            let point = |k: usize| points[corners[k % n]];
            assert!((0..n).all(|k| orient(point(k), point(k + 1), point(k + 2)) > 0), "not convex");
            let beyond = (0..n).map(|k| at.get(&(corners[(k + 1) % n], corners[k])).copied());
            Face { beyond: beyond.collect(), storey: 0, corners }
        };
        let faces: Vec<Face> = corners.into_iter().map(face).collect();
        Scene::plain(points, faces)
    }
}

/// The corner number `k` of a square ring of `8 * half` points with a side of `2 * half` steps.
fn on_square(k: i32, half: i32, step: i32) -> [i32; 2] {
    let (side, along) = (k / (2 * half) % 4, k % (2 * half) - half);
    let [x, z] = [[along, -half], [half, along], [-along, half], [-half, -along]][side as usize];
    [step * x, step * z]
}

/// `8 * half` triangles around one point, with a wall between the first and the last one.
pub fn fan(half: i32) -> Adverse {
    let count = 8 * half;
    let mut points: Vec<[i32; 2]> = (0..count).map(|k| on_square(k, half, 8)).collect();
    points.push([0, 0]);
    // The first corner again: faces that share its number would be connected.
    points.push(points[0]);
    let middle = count as usize;
    let corner = |k: usize| if k == middle { middle + 1 } else { k };
    let mut faces: Vec<Vec<usize>> = vec![];
    for k in 0..middle {
        faces.push(counter_clockwise(&points, [middle, corner(k), corner(k + 1)]));
    }
    (Scene::of_faces(points, faces), [0, middle - 1])
}

fn counter_clockwise(points: &[[i32; 2]], [a, b, c]: [usize; 3]) -> Vec<usize> {
    match orient(points[a], points[b], points[c]) > 0 {
        true => vec![a, b, c],
        false => vec![a, c, b],
    }
}

/// A corridor of triangles along a plan of free cells, 32 units wide; each cell is cut into
/// `2 * cuts` triangles.
fn plan(free: &[Vec<bool>], cuts: i32, [from, to]: [[usize; 2]; 2]) -> Adverse {
    let (mut points, mut numbers) = (vec![], HashMap::new());
    let mut number = |p: [i32; 2]| {
        *numbers.entry(p).or_insert_with(|| {
            points.push(p);
            points.len() - 1
        })
    };
    let (mut faces, mut ends) = (vec![], [0, 0]);
    let side = 32 * cuts;
    for (row, cells) in free.iter().enumerate() {
        for (column, _) in cells.iter().enumerate().filter(|(_, free)| **free) {
            for (end, place) in ends.iter_mut().zip([from, to]) {
                if place == [column, row] {
                    *end = faces.len();
                }
            }
            let [x, z] = [column, row].map(|c| c as i32 * side);
            for i in 0..cuts {
                for j in 0..cuts {
                    let at = |u: i32, v: i32| [x + 32 * (i + u), z + 32 * (j + v)];
                    let [a, b, c, d] =
                        [[0, 0], [0, 1], [1, 1], [1, 0]].map(|[u, v]| number(at(u, v)));
                    faces.extend([vec![a, b, c], vec![a, c, d]]);
                }
            }
        }
    }
    (Scene::of_faces(points, faces), ends)
}

/// A corridor that winds inwards to the middle of a plan of `side` by `side` cells.
pub fn spiral(side: usize, cuts: i32) -> Adverse {
    let mut free = vec![vec![false; side]; side];
    let (mut at, mut ahead) = ([0usize, 0], 0);
    let steps = [[1i64, 0], [0, 1], [-1, 0], [0, -1]];
    free[0][0] = true;
    let cell = |at: [usize; 2], ahead: usize, far: i64| {
        let [x, z] = [0, 1].map(|k| at[k] as i64 + far * steps[ahead % 4][k]);
        let within = |c: i64| (0..side as i64).contains(&c);
        (within(x) && within(z)).then_some([x as usize, z as usize])
    };
    loop {
        let is_free = |ahead: usize| match (cell(at, ahead, 1), cell(at, ahead, 2)) {
            (Some(next), after) => {
                !free[next[1]][next[0]] && after.is_none_or(|[x, z]| !free[z][x])
            }
            (None, _) => false,
        };
        if !is_free(ahead) {
            ahead += 1;
            if !is_free(ahead) {
                break;
            }
        }
        at = cell(at, ahead, 1).expect("it is free");
        free[at[1]][at[0]] = true;
    }
    plan(&free, cuts, [[0, 0], at])
}

/// Rings in rings, each with one opening to the next: right and left in turn.
pub fn rings(count: usize, cuts: i32) -> Adverse {
    let side = 4 * count + 1;
    let middle = side / 2;
    let mut free = vec![vec![false; side]; side];
    for (z, row) in free.iter_mut().enumerate() {
        for (x, cell) in row.iter_mut().enumerate() {
            let ring = x.abs_diff(middle).max(z.abs_diff(middle));
            let is_opening = z == middle && ((ring / 2) % 2 == 0) == (x > middle);
            *cell = ring % 2 == 0 || is_opening;
        }
    }
    plan(&free, cuts, [[0, middle], [middle, middle]])
}

/// Rows of walls with gaps, each row across the whole width, with ground between them in strips
/// that cross it: every gap sees every strip.
pub fn sieve(rows: usize, gaps: usize) -> Adverse {
    let mut points = vec![];
    let (mut faces, mut open): (Vec<Vec<usize>>, Vec<Vec<usize>>) = (vec![], vec![]);
    // Corners of a line: two for each wall and gap.
    let width = 2 * gaps + 1;
    let deep = 64 * gaps as i32;
    for line in 0..2 * (rows + 1) {
        let z = (line / 2) as i32 * (deep + 16) + if line % 2 == 0 { 0 } else { deep };
        open.push((0..=width).map(|k| points.len() + k).collect());
        points.extend((0..=width).map(|k| [64 * k as i32, z]));
    }
    let mut room = |upper: &[usize], lower: &[usize]| {
        let first = faces.len();
        for k in 0..width {
            let [a, b, c, d] = [upper[k], lower[k], lower[k + 1], upper[k + 1]];
            faces.extend([vec![a, b, c], vec![a, c, d]]);
        }
        first
    };
    let first = room(&open[0], &open[1]);
    let mut last = first;
    for row in 1..=rows {
        last = room(&open[2 * row], &open[2 * row + 1]);
    }
    for row in 0..rows {
        let (upper, lower) = (&open[2 * row + 1], &open[2 * row + 2]);
        for gap in 0..gaps {
            let k = 2 * gap + 1;
            faces.push(vec![upper[k], lower[k], lower[k + 1], upper[k + 1]]);
        }
    }
    (Scene::of_faces(points, faces), [first, last + 2 * width - 1])
}

/// A random scene in which some edges are walls, for a search of the worst.
pub fn cut_up(random: &mut Random, side: usize, cut: u64) -> Adverse {
    let mix = super::Mix {
        columns: side,
        rows: side,
        storeys: 1,
        jitter: 7,
        blocked: 0,
        cut,
        exchanged: 0,
        merged: 30,
    };
    let scene = Scene::random(random, mix);
    let ends = [0, scene.faces.len() - 1];
    (scene, ends)
}
