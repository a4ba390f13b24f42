//! What is seen from each polygon, so that a look-up need not look around.
//!
//! They take memory and save time: about as much time for each byte, on whichever polygon it is spent, whenever a path ends there. So polygons
//! are served in order of how likely that is: of their area.

use std::cmp::Reverse;

use navbake_format::write::views_bytes;
use navbake_search::{Corners, NavMeshView, View};
use rayon::prelude::*;

use crate::Packed;

/// The views of all polygons of a mesh, the polygons in the order in which they are served.
#[derive(Clone, Debug, Default)]
pub struct Views {
    corners: u64,
    polygons: Vec<OfPolygon>,
}

/// The views of a polygon as a blob holds them.
#[derive(Clone, Debug)]
struct OfPolygon {
    polygon: u32,
    /// Twice its area seen from above, grid units squared.
    area: i64,
    /// The numbers of each kind.
    kinds: [Vec<u32>; 4],
}

impl OfPolygon {
    fn numbers(&self) -> u64 {
        self.kinds.iter().map(|k| k.len() as u64).sum()
    }
}

impl Views {
    /// Looks around from every corner. `None` when that took too much room somewhere.
    pub fn new(mesh: &NavMeshView<'_>) -> Option<Views> {
        let corners = Corners::new(mesh);
        let count = corners.count() as u32;
        let of = |look: &mut _, corner| {
            let mut views = vec![];
            corners.views(corner, look, &mut views).then_some(views)
        };
        let views: Option<Vec<Vec<View>>> = (0..count)
            .into_par_iter()
            .map_init(|| corners.look(), of)
            .collect();
        let mut polygons: Vec<OfPolygon> = (mesh.polygons())
            .map(|p| OfPolygon {
                polygon: p.id().0,
                area: doubled_area((0..p.len()).map(|k| p.corner(k))),
                kinds: Default::default(),
            })
            .collect();
        for view in views?.into_iter().flatten() {
            let [right, left] = view.between.map(|c| Some(c).filter(|&c| c != view.corner));
            let kind = usize::from(right.is_some()) + 2 * usize::from(left.is_some());
            let numbers = &mut polygons[view.polygon as usize].kinds[kind];
            numbers.push(view.corner);
            numbers.extend(right);
            numbers.extend(left);
        }
        polygons.sort_by_key(|p| (Reverse(p.area), p.polygon));
        Some(Views {
            corners: count.into(),
            polygons,
        })
    }

    /// How many bytes they take in a blob, those of all polygons.
    pub fn bytes(&self) -> u64 {
        let numbers = self.polygons.iter().map(OfPolygon::numbers).sum();
        views_bytes(self.corners, self.polygons.len() as u64, numbers)
    }

    /// Adds those of as many polygons as so many bytes hold to the labels of the mesh; gives how many bytes they take, and which share of the ground
    /// they serve, from 0 to 1.
    pub fn fill(&self, packed: &mut Packed, room: u64) -> (u64, f64) {
        let polygons = self.polygons.len();
        let bytes = |numbers| views_bytes(self.corners, polygons as u64, numbers);
        let mut served: Vec<Option<&OfPolygon>> = vec![None; polygons];
        let (mut numbers, mut area) = (0, 0.0);
        for of in &self.polygons {
            let more = numbers + of.numbers();
            if bytes(more) <= room {
                numbers = more;
                area += of.area as f64;
                served[of.polygon as usize] = Some(of);
            }
        }
        (packed.view_ends, packed.views) = (vec![], vec![]);
        if numbers == 0 {
            return (0, 0.0);
        }
        for of in served {
            for kind in 0..4 {
                packed
                    .views
                    .extend(of.iter().flat_map(|of| &of.kinds[kind]));
                packed.view_ends.push(packed.views.len() as u32);
            }
        }
        let whole: f64 = self.polygons.iter().map(|p| p.area as f64).sum();
        (bytes(numbers), area / whole.max(1.0))
    }
}

fn doubled_area(border: impl Iterator<Item = [i32; 2]> + Clone) -> i64 {
    let mut next = border.clone().cycle();
    next.next();
    let cross = |[a, b]: [[i32; 2]; 2]| {
        i128::from(a[0]) * i128::from(b[1]) - i128::from(a[1]) * i128::from(b[0])
    };
    let sum: i128 = border.zip(next).map(|(a, b)| cross([a, b])).sum();
    i64::try_from(sum.abs()).unwrap_or(i64::MAX)
}
