//! Oddities of a level's triangles as read.

use navbake_format::DiagnosticKind;
use navbake_geom::{Grid, Point3};
use navbake_level::{Role, Scene};
use rayon::iter::Either;
use rayon::prelude::*;

use crate::diagnostic::{Diagnostic, by_place};

/// Bits of a triangle's hash at most.
const BITS: u32 = 24;

/// Checks a scene as read.
///
/// It finds degenerate triangles, duplicates, and unknown names of areas. `known` are the names of
/// areas of the config; with fewer than two, names are not checked.
pub fn scene(scene: &Scene, roles: &[Role], grid: &Grid, known: &[&str]) -> Vec<Diagnostic> {
    let mut found = vec![];
    let places: Vec<Option<Point3>> =
        scene.vertices.par_iter().map(|&p| grid.snap_point(p)).collect();
    let in_metres = |t: usize| scene.triangles[t].map(|v| scene.vertices[v as usize]);
    // Rotate to the least corner. Two faces of opposite orientation are the two sides of a sheet.
    let turned = |t: usize| {
        let [a, b, c] = scene.triangles[t].map(|v| places[v as usize]);
        let corners = [a?, b?, c?];
        let least = (0..3).min_by_key(|&k| corners[k]).unwrap_or(0);
        Some([0, 1, 2].map(|k| corners[(least + k) % 3]))
    };
    // Triangles without area, and the hashes and numbers of all others.
    let sorted = |(t, &part): (usize, &u32)| {
        let corners = turned(t).filter(|_| roles[part as usize] != Role::Ignored)?;
        Some(match navbake_level::is_degenerate(corners) {
            true => Either::Left(middle(in_metres(t))),
            false => Either::Right(mixed(corners) << 32 | t as u64),
        })
    };
    let parts = scene.triangle_parts.par_iter().enumerate();
    let (degenerate, mut keys): (Vec<[f64; 3]>, Vec<u64>) =
        parts.filter_map(sorted).partition_map(|either| either);
    if let Some(&first) = degenerate.iter().min_by(|a, b| by_place(a, b)) {
        found.push(Diagnostic {
            count: degenerate.len() as u32,
            ..Diagnostic::new(DiagnosticKind::DegenerateTriangles, first)
        });
    }
    // Only triangles with the same hash can be equal. There are 16 to 32 bits for each triangle, so
    // few share one by chance.
    let bits = (keys.len().max(1).ilog2() + 5).clamp(6, BITS);
    let (mut once, mut twice) = (vec![0u64; 1 << (bits - 6)], vec![0u64; 1 << (bits - 6)]);
    let place = |key: u64| {
        let hash = key >> 32 >> (BITS - bits);
        ((hash >> 6) as usize, 1 << (hash & 63))
    };
    for &key in &keys {
        let (word, bit) = place(key);
        twice[word] |= once[word] & bit;
        once[word] |= bit;
    }
    keys.retain(|&key| {
        let (word, bit) = place(key);
        twice[word] & bit != 0
    });
    keys.sort_unstable();
    let alike = keys.chunk_by(|a, b| a >> 32 == b >> 32);
    let alike = alike.filter(|keys| keys.len() > 1).flatten();
    let mut seen: Vec<_> = alike
        .map(|&key| {
            let t = key as u32 as usize;
            let part = &scene.parts[scene.triangle_parts[t] as usize];
            (turned(t), part, middle(in_metres(t)))
        })
        .collect();
    seen.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then_with(|| by_place(&a.2, &b.2)));
    let twice: Vec<[f64; 3]> =
        seen.windows(2).filter(|w| (w[0].0, w[0].1) == (w[1].0, w[1].1)).map(|w| w[0].2).collect();
    if let Some(&first) = twice.first() {
        found.push(Diagnostic {
            count: twice.len() as u32,
            ..Diagnostic::new(DiagnosticKind::DuplicateTriangles, first)
        });
    }
    if known.len() > 1 {
        found.extend(strangers(scene, known));
    }
    found
}

/// A hash of three corners.
fn mixed(corners: [Point3; 3]) -> u64 {
    let all = corners.into_iter().flat_map(|p| [p.x, p.y, p.z]);
    let sum = all.fold(0u64, |sum, c| {
        let mixed = (sum ^ u64::from(c as u32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ mixed >> 32
    });
    sum >> (64 - BITS)
}

/// Areas that the level names but the config does not define.
///
/// Each is reported at its first triangle by position.
fn strangers(scene: &Scene, known: &[&str]) -> Vec<Diagnostic> {
    let mut first: std::collections::BTreeMap<&str, [f64; 3]> = Default::default();
    for (corners, &part) in scene.triangles.iter().zip(&scene.triangle_parts) {
        let Some(area) = scene.parts[part as usize].given.area.as_deref() else {
            continue;
        };
        if known.contains(&area) {
            continue;
        }
        let place = middle(corners.map(|v| scene.vertices[v as usize]));
        let own = first.entry(area).or_insert(place);
        if by_place(&place, own).is_lt() {
            *own = place;
        }
    }
    let diagnostic = |(name, at): (&str, [f64; 3])| Diagnostic {
        name: name.into(),
        ..Diagnostic::new(DiagnosticKind::UnknownArea, at)
    };
    first.into_iter().map(diagnostic).collect()
}

fn middle(corners: [[f64; 3]; 3]) -> [f64; 3] {
    [0, 1, 2].map(|k| (corners[0][k] + corners[1][k] + corners[2][k]) / 3.0)
}
