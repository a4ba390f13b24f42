//! Scenes of convex polygons on several storeys, and an oracle for shortest paths.

pub mod adverse;
pub mod doors;
pub mod links;
mod of_mesh;
pub mod shortest;
mod sight;

use std::collections::{BTreeMap, BTreeSet};

use navbake_format::write::{
    AgentParts, AreaParts, BlobParts, ClosureParts, DoorParts, LinkParts, MeshParts, SwitchParts,
    WeightParts, encode,
};
use navbake_search::{NavPoint, NavQuery, PolyId};

use crate::Random;
use doors::Closed;
use links::SceneLink;

/// Kinds of ground, for scenes with several.
pub const AREAS: [AreaParts<'static>; 3] = [area("ground"), area("mud"), area("water")];

const fn area(name: &'static str) -> AreaParts<'static> {
    AreaParts { name, tags: 0, edge_tags: 0, factor: 1.0, switch: None }
}

/// An agent of radius 0, for worlds whose ground is walkable up to its border.
pub const fn point_agent(name: &str) -> AgentParts<'_> {
    AgentParts { name, class: 0, radius: 0.0, height: 2.0, climb: 0.5, slope: 45.0 }
}

/// Grid units per metre.
pub const UNITS: f64 = 16.0;
const STOREY: i32 = 160;

/// A point of a path in the ground plane, grid units.
pub fn grid(p: [f64; 3]) -> [i32; 2] {
    [p[0], p[2]].map(|c| (c * UNITS).round() as i32)
}

/// A convex polygon, counter-clockwise seen from above.
///
/// Its corners are numbers of lattice points.
#[derive(Clone)]
pub struct Face {
    pub corners: Vec<usize>,
    /// The face beyond each edge; edge k runs from corner k to the next.
    pub beyond: Vec<Option<usize>>,
    pub storey: usize,
}

#[derive(Clone)]
pub struct Scene {
    /// The lattice points, the same for all storeys.
    pub points: Vec<[i32; 2]>,
    /// Height of the ground above its storey at each of them; empty where it is level.
    pub hills: Vec<i32>,
    pub faces: Vec<Face>,
    /// A face, the number of its edge, and the switch that closes the door there.
    pub doors: Vec<(usize, usize, u16)>,
    /// A face and the switch that closes it.
    pub closures: Vec<(usize, u16)>,
    /// The area of each face.
    pub areas: Vec<u8>,
    /// Rows of weights: a name, an agent, and a weight for each of [`AREAS`].
    pub weights: Vec<(&'static str, Option<u16>, [f64; 3])>,
    /// Links, each in one direction.
    pub links: Vec<SceneLink>,
    /// The parts that are closed now.
    pub closed: Closed,
    /// The agents of the unit: only links for one of them are taken.
    pub agents: u32,
}

/// The make-up of a scene.
///
/// In percent: faces left out, links cut (walls without thickness), links exchanged between storeys
/// (ramps, helices).
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    pub columns: usize,
    pub rows: usize,
    pub storeys: usize,
    pub jitter: i32,
    pub blocked: u64,
    pub cut: u64,
    pub exchanged: u64,
    pub merged: u64,
}

/// Positive where `a b c` is counter-clockwise seen from above.
///
/// x points to the right, z down.
fn orient(a: [i32; 2], b: [i32; 2], c: [i32; 2]) -> i128 {
    let d = |p: [i32; 2]| [i128::from(p[0] - a[0]), i128::from(p[1] - a[1])];
    let (u, v) = (d(b), d(c));
    u[1] * v[0] - u[0] * v[1]
}

impl Scene {
    /// Faces of ground without areas, doors and links.
    fn plain(points: Vec<[i32; 2]>, faces: Vec<Face>) -> Scene {
        Scene {
            points,
            hills: vec![],
            faces,
            doors: vec![],
            closures: vec![],
            areas: vec![],
            weights: vec![],
            links: vec![],
            closed: Closed::default(),
            agents: u32::MAX,
        }
    }

    pub fn random(random: &mut Random, mix: Mix) -> Scene {
        let (w, h) = (mix.columns + 1, mix.rows + 1);
        let mut points = vec![];
        for row in 0..h as i32 {
            for column in 0..w as i32 {
                let mut off = || {
                    let reach = 2 * mix.jitter + 1;
                    2 * (random.below(reach as usize) as i32 - mix.jitter)
                };
                points.push([32 * column + off(), 32 * row + off()]);
            }
        }
        let mut triangles: Vec<[usize; 3]> = vec![];
        for row in 0..mix.rows {
            for column in 0..mix.columns {
                let a = row * w + column;
                let [a, b, c, d] = [a, a + w, a + w + 1, a + 1];
                let cuts = [[[a, b, c], [a, c, d]], [[a, b, d], [b, c, d]]];
                let sound = |cut: &[[usize; 3]; 2]| {
                    cut.iter().all(|t| orient(points[t[0]], points[t[1]], points[t[2]]) > 0)
                };
                let first = random.below(2);
                let cut = [cuts[first], cuts[1 - first]].into_iter().find(sound);
                triangles.extend(cut.into_iter().flatten());
            }
        }
        let mut faces = vec![];
        for storey in 0..mix.storeys {
            for triangle in &triangles {
                if !random.chance(mix.blocked) {
                    faces.push(Face { corners: triangle.to_vec(), beyond: vec![None; 3], storey });
                }
            }
        }
        let mut scene = Scene::plain(points, faces);
        scene.link(random, mix);
        scene.merge(random, mix.merged);
        scene
    }

    fn link(&mut self, random: &mut Random, mix: Mix) {
        // Edges by their ends, then by storey.
        let mut sides: BTreeMap<(usize, usize), Vec<(usize, usize)>> = BTreeMap::new();
        for (f, face) in self.faces.iter().enumerate() {
            for k in 0..3 {
                sides.entry((face.corners[k], face.corners[(k + 1) % 3])).or_default().push((f, k));
            }
        }
        for (&(a, b), near) in &sides {
            let Some(far) = sides.get(&(b, a)).filter(|_| a < b) else {
                continue;
            };
            let mut far = far.clone();
            if random.chance(mix.exchanged) {
                let (i, j) = (random.below(far.len()), random.below(far.len()));
                let (s, t) = (self.faces[far[i].0].storey, self.faces[far[j].0].storey);
                let swap = |x: usize| match x {
                    _ if x == s => t,
                    _ if x == t => s,
                    _ => x,
                };
                far.sort_by_key(|&(f, _)| swap(self.faces[f].storey));
                for &(f, k) in near {
                    let other = (far.iter())
                        .find(|&&(g, _)| swap(self.faces[g].storey) == self.faces[f].storey);
                    self.connect(random, mix, (f, k), other.copied());
                }
            } else {
                for &(f, k) in near {
                    let other =
                        (far.iter()).find(|&&(g, _)| self.faces[g].storey == self.faces[f].storey);
                    self.connect(random, mix, (f, k), other.copied());
                }
            }
        }
    }

    fn connect(
        &mut self,
        random: &mut Random,
        mix: Mix,
        (f, k): (usize, usize),
        other: Option<(usize, usize)>,
    ) {
        if let (Some((g, l)), false) = (other, random.chance(mix.cut)) {
            self.faces[f].beyond[k] = Some(g);
            self.faces[g].beyond[l] = Some(f);
        }
    }

    /// Joins neighbours at random where the union is convex.
    fn merge(&mut self, random: &mut Random, percent: u64) {
        for f in 0..self.faces.len() {
            let mut k = 0;
            while k < self.faces[f].corners.len() {
                if let Some(g) = self.faces[f].beyond[k]
                    && random.chance(percent)
                    && let Some(union) = self.union(f, k, g)
                {
                    for face in &mut self.faces {
                        for beyond in &mut face.beyond {
                            if *beyond == Some(g) {
                                *beyond = Some(f);
                            }
                        }
                    }
                    self.faces[f] = union;
                    self.faces[g].corners.clear();
                    self.faces[g].beyond.clear();
                    k = 0;
                } else {
                    k += 1;
                }
            }
        }
        // Faces merged into others are left out.
        let mut numbers = vec![None; self.faces.len()];
        let mut count = 0;
        for (f, face) in self.faces.iter().enumerate() {
            if !face.corners.is_empty() {
                numbers[f] = Some(count);
                count += 1;
            }
        }
        self.faces.retain(|f| !f.corners.is_empty());
        for face in &mut self.faces {
            for beyond in &mut face.beyond {
                *beyond = beyond.and_then(|b| numbers[b]);
            }
        }
    }

    fn union(&self, f: usize, k: usize, g: usize) -> Option<Face> {
        let (a, b) = (&self.faces[f], &self.faces[g]);
        let (n, m) = (a.corners.len(), b.corners.len());
        let shared = |x: &Face, y: usize| x.beyond.iter().filter(|&&o| o == Some(y)).count();
        if f == g || a.storey != b.storey || shared(a, g) != 1 || shared(b, f) != 1 {
            return None;
        }
        let l = b.beyond.iter().position(|&o| o == Some(f))?;
        let walk = |x: &Face, from: usize, count: usize, n: usize| {
            (0..count)
                .map(|i| (x.corners[(from + i) % n], x.beyond[(from + i) % n]))
                .collect::<Vec<_>>()
        };
        let mut all = walk(a, k + 1, n - 1, n);
        all.extend(walk(b, l + 1, m - 1, m));
        let at = |i: usize| self.points[all[i % all.len()].0];
        let distinct: BTreeSet<usize> = all.iter().map(|c| c.0).collect();
        let convex = (0..all.len()).all(|i| orient(at(i), at(i + 1), at(i + 2)) >= 0);
        (convex && distinct.len() == all.len()).then(|| Face {
            corners: all.iter().map(|c| c.0).collect(),
            beyond: all.iter().map(|c| c.1).collect(),
            storey: a.storey,
        })
    }

    /// Cuts faces in two along a random diagonal, each in percent: the same ground, cut otherwise.
    ///
    /// One half keeps the number of the face, the other gets a new one, with its area and switches.
    /// Not for scenes with doors or links. Returns the face that each new one was cut off.
    pub fn split(&mut self, random: &mut Random, percent: u64) -> Vec<usize> {
        let mut cut_off = vec![];
        for f in 0..self.faces.len() {
            let n = self.faces[f].corners.len();
            let (i, j) = (random.below(n), random.below(n));
            let (i, j) = (i.min(j), i.max(j));
            let side = |k: usize| orient(self.corner(f, i), self.corner(f, j), self.corner(f, k));
            let halves = (0..n).any(|k| side(k) > 0) && (0..n).any(|k| side(k) < 0);
            if !halves || !random.chance(percent) {
                continue;
            }
            let (g, mut own) = (self.faces.len(), self.faces[f].clone());
            let mut other = Face {
                corners: own.corners[i..=j].to_vec(),
                beyond: own.beyond[i..j].to_vec(),
                storey: own.storey,
            };
            for h in other.beyond.iter().flatten().copied().collect::<BTreeSet<usize>>() {
                for l in 0..self.faces[h].corners.len() {
                    let m = self.faces[h].corners.len();
                    let ends = [(l + 1) % m, l].map(|l| self.faces[h].corners[l]);
                    let is_its = other.corners.windows(2).any(|w| w == ends);
                    if self.faces[h].beyond[l] == Some(f) && is_its {
                        self.faces[h].beyond[l] = Some(g);
                    }
                }
            }
            other.beyond.push(Some(f));
            own.corners.drain(i + 1..j);
            own.beyond.splice(i..j, [Some(g)]);
            self.faces[f] = own;
            self.faces.push(other);
            cut_off.push(f);
            self.areas.extend(self.areas.get(f).copied());
            let switches = self.closures.iter().filter(|c| c.0 == f).map(|c| (g, c.1));
            self.closures.extend(switches.collect::<Vec<_>>());
        }
        self.closures.sort_unstable();
        cut_off
    }

    pub fn corner(&self, f: usize, k: usize) -> [i32; 2] {
        let corners = &self.faces[f].corners;
        self.points[corners[k % corners.len()]]
    }

    pub fn islands(&self) -> Vec<usize> {
        let mut island = vec![usize::MAX; self.faces.len()];
        for start in 0..self.faces.len() {
            let mut stack = vec![start];
            while let Some(f) = stack.pop() {
                if island[f] == usize::MAX {
                    island[f] = start;
                    stack.extend(self.faces[f].beyond.iter().flatten());
                }
            }
        }
        island
    }

    pub fn vertex(&self, f: usize, k: usize) -> [i32; 3] {
        let [x, z] = self.corner(f, k);
        let corners = &self.faces[f].corners;
        let hill = self.hills.get(corners[k % corners.len()]).unwrap_or(&0);
        [x, STOREY * self.faces[f].storey as i32 + hill, z]
    }

    pub fn bake(&self) -> Vec<u8> {
        let (mut vertices, mut numbers) = (vec![], BTreeMap::new());
        let mut doors = vec![];
        let (mut first_edge, mut corners, mut neighbours) = (vec![0u32], vec![], vec![]);
        for (f, face) in self.faces.iter().enumerate() {
            let n = face.corners.len();
            let first = (0..n).min_by_key(|&k| self.corner(f, k)).expect("three corners");
            for k in (0..n).map(|i| (first + i) % n) {
                let door = self.doors.iter().find(|d| (d.0, d.1) == (f, k));
                doors.extend(door.map(|d| DoorParts {
                    edge: corners.len() as u32,
                    switch: Some(d.2),
                    width: 0.0,
                    name: "",
                }));
                let number = *numbers.entry(self.vertex(f, k)).or_insert_with(|| {
                    vertices.push(self.vertex(f, k));
                    vertices.len() as u32 - 1
                });
                corners.push(number);
                neighbours.push(face.beyond[k].map_or(u32::MAX, |b| b as u32));
            }
            first_edge.push(corners.len() as u32);
        }
        let islands: Vec<u32> = self.islands().iter().map(|&i| i as u32).collect();
        let closure = |&(f, switch): &(usize, u16)| ClosureParts { polygon: f as u32, switch };
        let closures: Vec<ClosureParts> = self.closures.iter().map(closure).collect();
        let weights: Vec<WeightParts<'_>> = (self.weights.iter())
            .map(|(name, agent, weights)| WeightParts {
                name,
                agent: *agent,
                weights,
                slopes: (0.0, 0.0),
            })
            .collect();
        let links: Vec<LinkParts<'_>> = self.links.iter().map(SceneLink::parts).collect();
        let switch = |name| SwitchParts { name, closed: false };
        encode(&BlobParts {
            grid_bits: 4,
            switches: &["a", "b", "c"].map(switch),
            areas: if self.areas.is_empty() { &[] } else { &AREAS },
            weights: &weights,
            agents: &["point", "other"].map(point_agent),
            meshes: &[MeshParts {
                vertices: &vertices,
                first_edge: &first_edge,
                corners: &corners,
                neighbours: &neighbours,
                islands: &islands,
                doors: &doors,
                closures: &closures,
                links: &links,
                areas: &self.areas,
                ..MeshParts::default()
            }],
            ..BlobParts::default()
        })
        .unwrap()
    }

    /// The polygon of the blob made from a face.
    pub fn polygon(&self, query: &NavQuery<'_>, f: usize) -> PolyId {
        let sorted = |mut all: Vec<[i32; 3]>| {
            all.sort_unstable();
            all
        };
        let own = sorted((0..self.faces[f].corners.len()).map(|k| self.vertex(f, k)).collect());
        let mut all = query.mesh().polygons();
        all.find(|p| sorted((0..p.len()).map(|k| p.point(k)).collect()) == own)
            .expect("every face is a polygon")
            .id()
    }

    pub fn place(&self, query: &NavQuery<'_>, f: usize, p: [i32; 2]) -> NavPoint {
        let [x, z] = p.map(|c| f64::from(c) / UNITS);
        query.on_polygon(self.polygon(query, f), [x, 0.0, z]).expect("a point of the face")
    }

    /// A corner of a face, the middle of an edge, or a point inside.
    pub fn point_in(&self, random: &mut Random, f: usize) -> [i32; 2] {
        let n = self.faces[f].corners.len();
        let k = random.below(n);
        let (a, b) = (self.corner(f, k), self.corner(f, k + 1));
        let c = self.corner(f, k + 2 + random.below(n - 2));
        match random.below(3) {
            0 => a,
            1 => [0, 1].map(|i| (a[i] + b[i]) / 2),
            _ => {
                let t: [i32; 2] = core::array::from_fn(|_| random.below(9) as i32);
                let p = [0, 1].map(|i| a[i] + ((b[i] - a[i]) * t[0] + (c[i] - a[i]) * t[1]) / 16);
                if self.touches(f, p) { p } else { a }
            }
        }
    }
}
