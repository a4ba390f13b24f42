//! The level's triangles, fewer where they are too many for a page.

use std::mem::take;

use navbake_bake::BakeInput;
use navbake_level::{Level, Role, Scene};
use serde::Serialize;

use super::cells::{Cells, exponent};
use super::instances::{Affine, Repeated, split};
use super::pack::{Box3, Packer, part};
use super::pieces::{Content, Name, Pieces, blocks, count_in, pieces, simplify_and_pack};
use super::soup::Soup;

/// The most triangles of a page.
#[derive(Clone, Copy)]
struct Budget {
    /// Those that it contains.
    kept: usize,
    /// Those that it draws, those of copies included.
    drawn: usize,
}

const BUDGET: Budget = Budget { kept: 200_000, drawn: 1_000_000 };

#[derive(Debug, Serialize)]
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

#[derive(Debug, Serialize)]
struct MeshHeader {
    #[serde(flatten)]
    frame: Box3,
    vertices: usize,
    triangles: usize,
    /// 0 for a mesh that is where it is.
    places: usize,
}

/// A level as pages have it: the header, and parts of a deflate stream.
type Drawing = (Option<LevelHeader>, Vec<u8>);

/// Draws the triangles of a level; none of a grid map, which has none. `kept` are the pieces of an
/// earlier level, and get those of this one.
pub(super) fn draw(job: &BakeInput, kept: &mut Pieces, effort: u8) -> Drawing {
    if job.grid_map().is_some() {
        return (None, vec![]);
    }
    let level = job.level();
    // The scene has the copies, which the level on its grid has not.
    let (repeated, rest) = match job.scene() {
        Some(scene) => split(scene, &drawn(scene, level)),
        None => (vec![], of_level(level)),
    };
    draw_within(BUDGET, repeated, &rest, level.grid.origin, kept, effort)
}

fn draw_within(
    budget: Budget,
    repeated: Vec<Repeated>,
    rest: &Soup,
    origin: [f64; 3],
    kept: &mut Pieces,
    effort: u8,
) -> Drawing {
    let of = |r: &Repeated| r.soup.triangles.len() * r.places.len();
    let triangles = rest.triangles.len() + repeated.iter().map(of).sum::<usize>();
    let (meshes, places): (Vec<_>, Vec<_>) =
        repeated.into_iter().map(|r| (Content::whole(r.soup), r.places)).unzip();
    let meshes = (0..).map(Name::Mesh).zip(meshes).collect();
    let cells = fewer(budget, meshes, rest, &places, kept);
    simplify_and_pack(kept, cells, effort);
    let mut out = LevelHeader {
        meshes: vec![],
        origin,
        triangles,
        drawn: 0,
        kept: 0,
        error: 0.0,
        cell: cells.map_or(0.0, Cells::side),
    };
    let (mut stream, mut error) = (vec![], [0.0f64; 2]);
    for (name, piece) in kept {
        let Some(packed) = piece.packed().filter(|packed| packed.triangles > 0) else { continue };
        stream.extend(&packed.stream);
        let places = places_of(*name, &places);
        let relative = |m: &Affine| {
            // From steps of the box to the place: the page's vertices begin at its least corner.
            let at = |k: usize| {
                let turned: f64 = (0..3).map(|c| m[c][k] * packed.frame.least[c]).sum();
                turned + m[3][k] - origin[k]
            };
            let translation = [at(0), at(1), at(2)];
            [m[0], m[1], m[2], translation].concat().into_iter().map(|v| v as f32)
        };
        if !places.is_empty() {
            let floats: Vec<f32> = places.iter().flat_map(relative).collect();
            let mut packer = Packer::default();
            packer.floats(&floats);
            stream.extend(part(&packer.bytes, effort));
        }
        error = [error[0].max(piece.error()), error[1].max(packed.frame.error())];
        out.kept += packed.triangles;
        out.drawn += packed.triangles * places.len().max(1);
        out.meshes.push(MeshHeader {
            frame: packed.frame,
            vertices: packed.vertices,
            triangles: packed.triangles,
            places: places.len(),
        });
    }
    out.error = error[0] + error[1];
    ((!out.meshes.is_empty()).then_some(out), stream)
}

/// Where a mesh is repeated; empty for a block, which is not.
fn places_of(name: Name, places: &[Vec<Affine>]) -> &[Affine] {
    match name {
        Name::Mesh(number) => &places[number],
        Name::Block(_) => &[],
    }
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

/// Makes the pieces of a level, and finds the finest cells that keep their triangles within the
/// budget; `None` if they are within it as they are. `places` are those of the meshes.
fn fewer(
    budget: Budget,
    meshes: Vec<(Name, Content)>,
    rest: &Soup,
    places: &[Vec<Affine>],
    kept: &mut Pieces,
) -> Option<Cells> {
    let mut exponent = exponent(width(rest));
    *kept = pieces(meshes.into_iter().chain(blocks(rest, exponent)), take(kept));
    // Triangles kept and drawn: those of a mesh that repeats are drawn at each place.
    let fits = |pieces: &Pieces, cells| {
        let (mut left, mut drawn) = (0, 0);
        for (name, piece) in pieces {
            let count = piece.count(cells);
            left += count;
            drawn += count * places_of(*name, places).len().max(1);
        }
        left <= budget.kept && drawn <= budget.drawn
    };
    if fits(kept, None) {
        return None;
    }
    // Less than half the side of as many squares as the budget has triangles.
    let area: f64 = kept.values().map(|piece| piece.area).sum();
    let mut cells = Cells::at_least(0.4 * (area / budget.kept as f64).sqrt(), exponent);
    loop {
        if cells.exponent != exponent {
            exponent = cells.exponent;
            recut(rest, exponent, kept);
        }
        count_in(kept, cells);
        if fits(kept, Some(cells)) {
            return Some(cells);
        }
        cells = cells.coarser();
    }
}

/// Cuts all but the meshes into blocks of another side.
fn recut(rest: &Soup, exponent: i32, kept: &mut Pieces) {
    kept.retain(|name, _| matches!(name, Name::Mesh(_)));
    kept.append(&mut pieces(blocks(rest, exponent), Pieces::new()));
}

/// The longest side of a mesh seen from above, m.
fn width(soup: &Soup) -> f64 {
    let along = |k: usize| {
        let all = soup.vertices.iter().map(|p| p[k]);
        all.clone().fold(f64::NEG_INFINITY, f64::max) - all.fold(f64::INFINITY, f64::min)
    };
    along(0).max(along(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEW: Budget = Budget { kept: 3000, drawn: 6000 };

    fn random(seed: &mut u32) -> f64 {
        *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(*seed >> 8) / f64::from(1 << 24)
    }

    fn add(soup: &mut Soup, vertices: &[[f64; 3]], triangles: &[[u32; 3]]) {
        let base = soup.vertices.len() as u32;
        soup.vertices.extend(vertices);
        soup.triangles.extend(triangles.iter().map(|t| t.map(|i| base + i)));
    }

    /// Rough ground of `n` x `n` squares of 4 m, which begins at a corner.
    fn ground(n: u32, [x, z]: [f64; 2]) -> Soup {
        let mut seed = 7;
        let place = |k: u32| {
            let (i, j) = (f64::from(k / (n + 1)), f64::from(k % (n + 1)));
            [x + 4.0 * i, 3.0 * random(&mut seed), z + 4.0 * j]
        };
        let vertices = (0..(n + 1) * (n + 1)).map(place).collect();
        let square = |k: u32| {
            let a = k / n * (n + 1) + k % n;
            [[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]]
        };
        Soup { vertices, triangles: (0..n * n).flat_map(square).collect() }
    }

    /// A pyramid, the same at every place but for its size.
    fn pyramid([x, z]: [f64; 2], side: f64) -> Soup {
        let corner = |i: f64, j: f64| [x + side * i, 0.0, z + side * j];
        let vertices = vec![
            corner(0.0, 0.0),
            corner(0.0, 1.0),
            corner(1.0, 1.0),
            corner(1.0, 0.0),
            [x + side / 2.0, side, z + side / 2.0],
        ];
        let triangles = vec![[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4], [0, 2, 1], [0, 3, 2]];
        Soup { vertices, triangles }
    }

    fn drawing(repeated: &[(Soup, usize)], rest: &Soup, kept: &mut Pieces) -> (String, Vec<u8>) {
        let place = |k: usize| {
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [9.0 * k as f64, 0.0, 0.0]]
        };
        let repeated = repeated.iter().map(|(soup, count)| Repeated {
            soup: soup.clone(),
            places: (0..*count).map(place).collect(),
        });
        let (header, stream) = draw_within(FEW, repeated.collect(), rest, [0.0; 3], kept, 1);
        (serde_json::to_string(&header).unwrap(), stream)
    }

    #[test]
    fn what_is_kept_between_saves_changes_no_byte() {
        let mut pyramids: Vec<Soup> = vec![];
        let mut repeated = vec![(ground(9, [0.0; 2]), 5), (pyramid([0.0; 2], 2.0), 100)];
        let mut corner = [-130.0, 20.0];
        let mut kept = Pieces::new();
        let mut seed = 1;
        let mut sides = std::collections::BTreeSet::new();
        for step in 0..60 {
            let mut at = |most: f64| [0, 1].map(|k| corner[k] + most * random(&mut seed));
            match step % 10 {
                // New, moved and removed objects, of the level and among what it repeats.
                0..=3 => pyramids.push(pyramid(at(300.0), 1.0 + f64::from(step))),
                4 => pyramids[step as usize / 10] = pyramid(at(300.0), 5.0),
                5 => drop(pyramids.remove(1)),
                6 => repeated[1].1 += 3,
                7 if step == 37 => drop(repeated.remove(0)),
                7 => repeated.push((pyramid([0.0; 2], f64::from(step)), 40)),
                // All of it moves, to other blocks.
                8 => corner[1] += 40.0,
                // A save without a change, and one whose blocks are wider.
                _ if step == 49 => pyramids.push(pyramid([3000.0, 0.0], 9.0)),
                _ => {}
            }
            let mut rest = ground(75, corner);
            pyramids.iter().for_each(|p| add(&mut rest, &p.vertices, &p.triangles));
            let again = drawing(&repeated, &rest, &mut kept);
            let fresh = drawing(&repeated, &rest, &mut Pieces::new());
            assert!(again == fresh, "step {step}: {}\n{}", again.0, fresh.0);
            sides.insert(fresh.0[fresh.0.find("cell").unwrap()..].to_owned());
        }
        assert!(sides.len() > 1, "{sides:?}");
    }

    #[test]
    fn a_level_that_fits_is_drawn_as_it_is() {
        let rest = ground(38, [-70.0, -70.0]);
        let (header, _) = draw_within(FEW, vec![], &rest, [0.0; 3], &mut Pieces::new(), 9);
        let header = header.unwrap();
        assert_eq!((header.drawn, header.kept, header.cell), (2888, 2888, 0.0));
        assert!(header.meshes.len() > 4 && header.error < 0.01, "{header:?}");
    }
}
