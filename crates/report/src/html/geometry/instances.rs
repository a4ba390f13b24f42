//! What a level repeats: runs of triangles that are affine images of each other.

use std::collections::BTreeMap;

use navbake_level::Scene;

use super::simplify::{cross, dot};
use super::soup::Soup;

/// Runs of fewer triangles are not worth a draw call.
const LEAST: usize = 12;
/// More meshes than these are drawn as one.
const MOST_MESHES: usize = 200;
/// More places than these would take more of the page than their triangles, simplified.
const MOST_PLACES: usize = 20_000;
/// Positions of copies agree to this share of their size: those of files are 32-bit floats.
const AGREES: f64 = 1e-4;

/// A mesh and the places where it is.
pub(super) struct Repeated {
    pub(super) soup: Soup,
    /// From the mesh to its place: three rows of a matrix, the last column relative to `origin`.
    pub(super) places: Vec<Affine>,
}

/// Three columns, then the translation.
pub(super) type Affine = [[f64; 3]; 4];

type Corners = Vec<[f64; 3]>;

/// Splits a scene into what repeats and all the rest. Parts that are not `drawn` are left out.
pub(super) fn split(scene: &Scene, drawn: &[bool]) -> (Vec<Repeated>, Soup) {
    let runs = runs(scene).into_iter().filter(|run| drawn[run.part]);
    let mut of_mesh: BTreeMap<(&str, &str), Vec<Run>> = BTreeMap::new();
    let mut alone: Vec<Run> = vec![];
    for run in runs {
        let part = &scene.parts[run.part];
        if part.mesh.is_empty() || run.len() < LEAST {
            alone.push(run);
        } else {
            of_mesh.entry((&part.mesh, &part.material)).or_default().push(run);
        }
    }
    let mut repeated = vec![];
    for runs in of_mesh.values() {
        copies(scene, runs, &mut repeated, &mut alone);
    }
    // The meshes that save the most.
    let saved = |r: &Found| (r.places.len() - 1) * r.run.len();
    repeated.sort_by_key(|r| std::cmp::Reverse((saved(r), r.run.from)));
    let (mut kept, mut places) = (vec![], 0);
    for found in repeated {
        let fits = kept.len() < MOST_MESHES && places + found.places.len() <= MOST_PLACES;
        if found.places.len() < 2 || !fits {
            alone.extend(found.runs);
            continue;
        }
        places += found.places.len();
        kept.push(Repeated { soup: soup(scene, &[found.run]), places: found.places });
    }
    alone.sort_by_key(|run| run.from);
    (kept, soup(scene, &alone))
}

/// Triangles of one part that follow each other.
#[derive(Clone, Copy)]
struct Run {
    part: usize,
    from: usize,
    to: usize,
}

impl Run {
    fn len(&self) -> usize {
        self.to - self.from
    }
}

struct Found {
    run: Run,
    frame: Frame,
    places: Vec<Affine>,
    runs: Vec<Run>,
}

fn runs(scene: &Scene) -> Vec<Run> {
    let mut from = 0;
    let parts = scene.triangle_parts.chunk_by(|a, b| a == b);
    let run = |same: &[u32]| {
        let run = Run { part: same[0] as usize, from, to: from + same.len() };
        from = run.to;
        run
    };
    parts.map(run).collect()
}

/// Finds the copies among the runs of a mesh.
fn copies(scene: &Scene, runs: &[Run], repeated: &mut Vec<Found>, alone: &mut Vec<Run>) {
    let first = repeated.len();
    let least = runs.iter().map(|run| period(scene, run)).min().unwrap_or(LEAST);
    for run in runs {
        let size = if run.len().is_multiple_of(least) { least } else { run.len() };
        for from in (run.from..run.to).step_by(size) {
            let piece = Run { part: run.part, from, to: from + size };
            let corners = corners(scene, &piece);
            let fits = |found: &mut Found| {
                let place = found.frame.place(&corners)?;
                found.places.push(place);
                found.runs.push(piece);
                Some(())
            };
            // A mesh without its likes on file is rare: three variants are enough.
            let known = repeated[first..].iter_mut().filter(|found| found.run.len() == size);
            if known.take(3).find_map(fits).is_some() {
                continue;
            }
            match Frame::new(corners) {
                Some(frame) => {
                    let places = vec![IDENTITY];
                    repeated.push(Found { run: piece, frame, places, runs: vec![piece] });
                }
                None => alone.push(piece),
            }
        }
    }
}

const IDENTITY: Affine = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]];

/// The least number of triangles after which the indices of a run repeat with an offset: places of
/// one node. The length of the run where they do not.
fn period(scene: &Scene, run: &Run) -> usize {
    let all = &scene.triangles[run.from..run.to];
    let offset = |a: [u32; 3], b: [u32; 3]| [0, 1, 2].map(|k| i64::from(b[k]) - i64::from(a[k]));
    let repeats = |p: usize| {
        let by = offset(all[0], all[p]);
        // Vertices of a copy come after all of the first, and are used more than once.
        let top = all[..p].iter().flatten().max().map_or(0, |&m| i64::from(m));
        let low = all[..p].iter().flatten().min().map_or(0, |&m| i64::from(m));
        by[0] == by[1]
            && by[1] == by[2]
            && by[0] == top - low + 1
            && by[0] < 3 * p as i64
            && (p..all.len()).all(|k| offset(all[k - p], all[k]) == by)
    };
    let divides = |p: &usize| all.len().is_multiple_of(*p) && repeats(*p);
    (LEAST..=all.len() / 2).find(divides).unwrap_or(all.len())
}

fn corners(scene: &Scene, run: &Run) -> Corners {
    let all = scene.triangles[run.from..run.to].iter().flatten();
    all.map(|&i| scene.vertices[i as usize]).collect()
}

fn soup(scene: &Scene, runs: &[Run]) -> Soup {
    let mut number = vec![u32::MAX; scene.vertices.len()];
    let mut out = Soup::default();
    for t in runs.iter().flat_map(|run| &scene.triangles[run.from..run.to]) {
        let vertices = &mut out.vertices;
        out.triangles.push(t.map(|i| {
            let own = &mut number[i as usize];
            if *own == u32::MAX {
                *own = vertices.len() as u32;
                vertices.push(scene.vertices[i as usize]);
            }
            *own
        }));
    }
    out
}

/// Four corners of a mesh that span it.
struct Frame {
    corners: Corners,
    anchors: [usize; 4],
    /// The inverse of the matrix of the three sides.
    inverse: [[f64; 3]; 3],
    is_flat: bool,
    size: f64,
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|k| a[k] - b[k])
}

impl Frame {
    /// None where all corners are on a line.
    fn new(corners: Corners) -> Option<Frame> {
        let o = *corners.first()?;
        let farthest = |of: &dyn Fn([f64; 3]) -> f64| {
            let all = corners.iter().map(|&p| of(minus(p, o))).enumerate();
            all.fold((0, 0.0), |best, one| if one.1 > best.1 { one } else { best })
        };
        let (p, size) = farthest(&|d| dot(d, d));
        let u = minus(corners[p], o);
        let (q, area) = farthest(&|d| dot(cross(u, d), cross(u, d)));
        if area <= 1e-12 * size * size {
            return None;
        }
        let n = cross(u, minus(corners[q], o));
        let (r, volume) = farthest(&|d| dot(n, d).abs());
        let is_flat = volume <= 1e-6 * dot(n, n).sqrt() * size.sqrt();
        let mut frame = Frame {
            anchors: [0, p, q, r],
            inverse: [[0.0; 3]; 3],
            is_flat,
            size: size.sqrt(),
            corners: vec![],
        };
        frame.inverse = inverse(frame.sides(&corners))?;
        frame.corners = corners;
        Some(frame)
    }

    fn sides(&self, corners: &[[f64; 3]]) -> [[f64; 3]; 3] {
        let [o, p, q, r] = self.anchors.map(|i| corners[i]);
        let (u, v) = (minus(p, o), minus(q, o));
        let w = if self.is_flat {
            let n = cross(u, v);
            n.map(|c| c / dot(n, n).sqrt().sqrt().max(1e-9))
        } else {
            minus(r, o)
        };
        [u, v, w]
    }

    /// The affine map onto a copy. Mirrored copies have their triangles turned round.
    fn place(&self, copy: &[[f64; 3]]) -> Option<Affine> {
        self.fit(copy).or_else(|| {
            let mut turned = copy.to_vec();
            turned.chunks_exact_mut(3).for_each(|t| t.swap(1, 2));
            self.fit(&turned)
        })
    }

    fn fit(&self, copy: &[[f64; 3]]) -> Option<Affine> {
        let sides = self.sides(copy);
        // Columns: the images of the axes.
        let column = |k: usize| {
            [0, 1, 2].map(|i| (0..3).map(|s| sides[s][i] * self.inverse[s][k]).sum::<f64>())
        };
        let m = [column(0), column(1), column(2)];
        let turn =
            |p: [f64; 3]| [0, 1, 2].map(|i| m[0][i] * p[0] + m[1][i] * p[1] + m[2][i] * p[2]);
        let t = minus(copy[self.anchors[0]], turn(self.corners[self.anchors[0]]));
        let slack = AGREES * self.size.max(0.1);
        let agrees = self.corners.iter().zip(copy).all(|(&p, &to)| {
            let off = minus(minus(to, t), turn(p));
            dot(off, off) <= slack * slack
        });
        agrees.then_some([m[0], m[1], m[2], t])
    }
}

/// The inverse of the matrix whose columns are `sides`, as rows.
fn inverse([u, v, w]: [[f64; 3]; 3]) -> Option<[[f64; 3]; 3]> {
    let det = dot(u, cross(v, w));
    let rows = [cross(v, w), cross(w, u), cross(u, v)];
    (det != 0.0).then(|| rows.map(|row| row.map(|c| c / det)))
}

#[cfg(test)]
mod tests {
    use navbake_level::Part;

    use super::*;

    /// A spiral of triangles around a column, at many places.
    fn scene(places: &[Affine]) -> Scene {
        let mut scene = Scene::default();
        for (n, m) in places.iter().enumerate() {
            let base = scene.vertices.len() as u32;
            let image = |p: [f64; 3]| {
                [0, 1, 2].map(|i| m[0][i] * p[0] + m[1][i] * p[1] + m[2][i] * p[2] + m[3][i])
            };
            let point = |k: u32| {
                let a = f64::from(k) * 0.7;
                image([a.cos(), 0.1 * f64::from(k), a.sin() * (1.0 + 0.1 * a)])
            };
            scene.vertices.extend((0..22).map(point));
            let is_mirrored = dot(m[0], cross(m[1], m[2])) < 0.0;
            let triangle = |k: u32| match is_mirrored {
                true => [base + k, base + k + 2, base + k + 1],
                false => [base + k, base + k + 1, base + k + 2],
            };
            scene.triangles.extend((0..20).map(triangle));
            scene.triangle_parts.extend([n as u32 % 2; 20]);
        }
        let part = |node: &str| Part { node: node.into(), mesh: "m".into(), ..Part::default() };
        scene.parts = vec![part("a"), part("b")];
        scene
    }

    #[test]
    fn turned_moved_scaled_and_mirrored_copies_are_one_mesh() {
        let turned = [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [7.0, 1.0, -3.0]];
        let scaled = [[2.0, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 3.0], [-9.0, 0.0, 2.0]];
        let mirrored = [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 4.0, 0.0]];
        let places = [IDENTITY, turned, scaled, mirrored];
        let (repeated, rest) = split(&scene(&places), &[true, true]);
        assert_eq!((repeated.len(), rest.triangles.len()), (1, 0));
        assert_eq!(repeated[0].soup.triangles.len(), 20);
        for (found, given) in repeated[0].places.iter().zip(&places) {
            for (a, b) in found.iter().flatten().zip(given.iter().flatten()) {
                assert!((a - b).abs() < 1e-9, "{found:?} for {given:?}");
            }
        }
    }

    #[test]
    fn what_is_bent_or_not_drawn_is_no_copy() {
        let far = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [9.0, 0.0, 0.0]];
        let mut bent = scene(&[IDENTITY, far]);
        bent.vertices[30][1] += 0.2;
        let (repeated, rest) = split(&bent, &[true, true]);
        assert_eq!((repeated.len(), rest.triangles.len()), (0, 40));
        let (repeated, rest) = split(&scene(&[IDENTITY, far]), &[true, false]);
        assert_eq!((repeated.len(), rest.triangles.len()), (0, 20));
    }
}
