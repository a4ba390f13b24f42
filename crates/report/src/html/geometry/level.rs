//! The level's triangles, fewer where they are too many for a page.

use navbake_bake::BakeInput;
use navbake_level::{Level, Role, Scene};
use serde::Serialize;

use super::instances::{Repeated, split};
use super::pack::{Box3, Packer, Quantised};
use super::simplify::{Clusters, doubled_area};
use super::soup::Soup;

/// Triangles that the page contains at most.
const BUDGET: usize = 200_000;
/// Triangles that it draws at most, those of copies included.
const DRAWN: usize = 1_000_000;
/// Blocks of the level along an axis; each is drawn only when it is in view.
const BLOCKS: f64 = 6.0;

#[derive(Serialize)]
pub(super) struct LevelHeader {
    meshes: Vec<MeshHeader>,
    /// What the translations of places are relative to, m.
    origin: [f64; 3],
    /// Triangles of the level.
    triangles: usize,
    /// Triangles that the page draws.
    drawn: usize,
    /// Those that it contains: copies are there once.
    kept: usize,
    /// How far they are off at most, m.
    error: f64,
    /// The side of the cells whose vertices became one, m; 0 where none had to.
    cell: f64,
}

#[derive(Serialize)]
struct MeshHeader {
    #[serde(flatten)]
    frame: Box3,
    vertices: usize,
    triangles: usize,
    /// 0 for a mesh that is where it is.
    places: usize,
}

/// Writes the triangles of a level; none of a grid map, which has none.
pub(super) fn write(job: &BakeInput, packer: &mut Packer) -> Option<LevelHeader> {
    if job.grid_map().is_some() {
        return None;
    }
    let level = job.level();
    // The scene has the copies, which the level on its grid has not.
    let (repeated, rest) = match job.scene() {
        Some(scene) => split(scene, &drawn(scene, level)),
        None => (vec![], of_level(level)),
    };
    let of = |r: &Repeated| r.soup.triangles.len() * r.places.len();
    let triangles = rest.triangles.len() + repeated.iter().map(of).sum::<usize>();
    let Fewer { repeated, rest, mut error, cell } = fewer(repeated, rest);
    let mut out = LevelHeader {
        meshes: vec![],
        origin: level.grid.origin,
        triangles,
        drawn: 0,
        kept: 0,
        error: 0.0,
        cell,
    };
    let mut quantised = 0.0f64;
    let all = repeated
        .into_iter()
        .chain(blocks(&rest).into_iter().map(|soup| Repeated { soup, places: vec![] }));
    for Repeated { soup, places } in all {
        let made = Quantised::new(&soup);
        if made.triangles.is_empty() {
            continue;
        }
        made.write(packer);
        let relative = |m: &[[f64; 3]; 4]| {
            // From steps of the box to the place: the page's vertices begin at its least corner.
            let at = |k: usize| {
                let turned: f64 = (0..3).map(|c| m[c][k] * made.frame.least[c]).sum();
                turned + m[3][k] - out.origin[k]
            };
            let translation = [at(0), at(1), at(2)];
            [m[0], m[1], m[2], translation].concat().into_iter().map(|v| v as f32)
        };
        let floats: Vec<f32> = places.iter().flat_map(relative).collect();
        packer.floats(&floats);
        quantised = quantised.max(made.frame.error());
        out.kept += made.triangles.len();
        out.drawn += made.triangles.len() * places.len().max(1);
        out.meshes.push(MeshHeader {
            frame: made.frame,
            vertices: made.vertices.len(),
            triangles: made.triangles.len(),
            places: places.len(),
        });
    }
    error += quantised;
    out.error = error;
    (!out.meshes.is_empty()).then_some(out)
}

/// The parts that are drawn: all that the bake looks at.
fn drawn(scene: &Scene, level: &Level) -> Vec<bool> {
    let role = |part| match level.parts.binary_search(part) {
        Ok(at) => level.roles[at],
        // Parts without a triangle on the grid.
        Err(_) => Role::Ignored,
    };
    scene.parts.iter().map(|part| role(part) != Role::Ignored).collect()
}

/// A level that was made in memory.
fn of_level(level: &Level) -> Soup {
    let place = |p: &navbake_geom::Point3| level.grid.metres([p.x, p.y, p.z].map(f64::from));
    Soup {
        vertices: level.vertices.iter().map(place).collect(),
        triangles: level.triangles.iter().map(|t| t.v).collect(),
    }
}

struct Fewer {
    repeated: Vec<Repeated>,
    rest: Soup,
    error: f64,
    cell: f64,
}

/// Merges vertices in cells that grow until the triangles are within the budgets.
fn fewer(repeated: Vec<Repeated>, rest: Soup) -> Fewer {
    // Triangles kept and drawn: those of a mesh that repeats are drawn at each place.
    let fits = |count_of: &dyn Fn(usize) -> usize, rest: usize| {
        let counts = || repeated.iter().enumerate().map(|(k, r)| (count_of(k), r.places.len()));
        let kept: usize = counts().map(|(count, _)| count).sum();
        let drawn: usize = counts().map(|(count, places)| count * places).sum();
        kept + rest <= BUDGET && drawn + rest <= DRAWN
    };
    if fits(&|k| repeated[k].soup.triangles.len(), rest.triangles.len()) {
        return Fewer { repeated, rest, error: 0.0, cell: 0.0 };
    }
    let area: f64 =
        repeated.iter().map(|r| doubled_area(&r.soup)).sum::<f64>() + doubled_area(&rest);
    // Half the side of as many squares as the budget has triangles.
    let mut cell = (area / BUDGET as f64).sqrt().clamp(1e-3, 1e3) / 2.0;
    let clusters = |soup, cell| Clusters::new(soup, cell, |_| false, |_| 0);
    loop {
        let of_rest = clusters(&rest, cell);
        let of_meshes: Vec<_> = repeated.iter().map(|r| clusters(&r.soup, cell)).collect();
        if fits(&|k| of_meshes[k].count(), of_rest.count()) {
            let (rest, _, mut error) = of_rest.simplified();
            let mesh = |(clusters, r): (Clusters<'_>, &Repeated)| {
                let (soup, _, off) = clusters.simplified();
                error = error.max(off);
                Repeated { soup, places: r.places.clone() }
            };
            let repeated = of_meshes.into_iter().zip(&repeated).map(mesh).collect();
            return Fewer { repeated, rest, error, cell };
        }
        cell *= 1.25;
    }
}

/// A mesh in blocks, by the first corners of its triangles.
fn blocks(soup: &Soup) -> Vec<Soup> {
    let frame = Box3::around(soup.vertices.iter());
    let side = frame.step.iter().map(|s| s * 65535.0).fold(64.0 * BLOCKS, f64::max) / BLOCKS;
    let mut of_block: std::collections::BTreeMap<[i64; 2], Vec<[u32; 3]>> = Default::default();
    for t in &soup.triangles {
        let p = soup.vertices[t[0] as usize];
        let block = [0, 2].map(|k| ((p[k] - frame.least[k]) / side) as i64);
        of_block.entry(block).or_default().push(*t);
    }
    let mut number = vec![u32::MAX; soup.vertices.len()];
    let own = |triangles: Vec<[u32; 3]>| {
        let mut vertices = vec![];
        let renumbered = triangles.iter().map(|t| {
            t.map(|i| {
                let at = number[i as usize] as usize;
                let p = soup.vertices[i as usize];
                // Numbers of other blocks are no numbers here.
                if vertices.get(at) != Some(&p) {
                    number[i as usize] = vertices.len() as u32;
                    vertices.push(p);
                }
                number[i as usize]
            })
        });
        let triangles = renumbered.collect();
        Soup { vertices, triangles }
    };
    of_block.into_values().map(own).collect()
}
