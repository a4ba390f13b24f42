//! Random ends of paths, the same for the same seed on every machine.

use navbake_draw::Surface;
use navbake_search::around::Random;
use navbake_search::{NavMesh, PolyId, QueryFilter};

use crate::failure::Failure;

/// Ends of `count` random queries, both on one island and on ground that is not blocked, uniform by
/// area.
///
/// # Errors
/// If the navmesh is empty.
pub(crate) fn random_pairs(
    mesh: &NavMesh<'_>,
    filter: &QueryFilter,
    count: u32,
    seed: u64,
    name: &str,
) -> Result<Vec<[[f64; 3]; 2]>, Failure> {
    let surface = Surface::new(mesh);
    let open = |p| !filter.is_blocked(PolyId(p as u32));
    let sampler = Sampler::new(&surface, open).ok_or_else(|| {
        Failure::input(format_args!(
            "{name}: the navmesh has no ground that this agent may enter; bake a level with walkable ground, or choose another --agent or --task"
        ))
    })?;
    let mut random = Random::new(seed);
    Ok((0..count).map(|_| sampler.pair(&mut random)).collect())
}

/// Picks points uniformly by area.
#[derive(Debug)]
struct Sampler<'a> {
    surface: &'a Surface,
    all: Weighted,
    islands: Vec<Weighted>,
}

/// Polygons with the prefix sums of their areas.
#[derive(Clone, Debug, Default)]
struct Weighted {
    polygons: Vec<usize>,
    sums: Vec<f64>,
}

impl Weighted {
    fn push(&mut self, polygon: usize, area: f64) {
        self.polygons.push(polygon);
        self.sums.push(self.sums.last().copied().unwrap_or(0.0) + area);
    }

    fn pick(&self, random: &mut Random) -> usize {
        let total = self.sums.last().copied().unwrap_or(0.0);
        let target = random.unit() * total;
        let k = self.sums.partition_point(|&sum| sum <= target);
        self.polygons[k.min(self.polygons.len() - 1)]
    }
}

impl<'a> Sampler<'a> {
    /// `None` where no ground is open.
    fn new(surface: &'a Surface, open: impl Fn(usize) -> bool) -> Option<Sampler<'a>> {
        let islands = surface.polygons.iter().map(|p| p.island as usize + 1);
        let count = islands.max()?;
        let (mut all, mut islands) = (Weighted::default(), vec![Weighted::default(); count]);
        for (p, polygon) in surface.polygons.iter().enumerate().filter(|(p, _)| open(*p)) {
            let area = surface.area(p);
            all.push(p, area);
            islands[polygon.island as usize].push(p, area);
        }
        (!all.polygons.is_empty()).then_some(Sampler { surface, all, islands })
    }

    /// Two points of one island, the first anywhere on the navmesh.
    fn pair(&self, random: &mut Random) -> [[f64; 3]; 2] {
        let first = self.all.pick(random);
        let island = self.surface.polygons[first].island as usize;
        let second = self.islands[island].pick(random);
        [first, second].map(|p| inside(&self.surface.triangles(p), random))
    }
}

/// A point in triangles, uniform by area.
fn inside(triangles: &[[[f64; 3]; 3]], random: &mut Random) -> [f64; 3] {
    let mut fan = Weighted::default();
    for (k, [o, a, b]) in triangles.iter().enumerate() {
        let area = (a[2] - o[2]) * (b[0] - o[0]) - (a[0] - o[0]) * (b[2] - o[2]);
        fan.push(k, area.max(0.0));
    }
    let k = fan.pick(random);
    let (mut s, mut t) = (random.unit(), random.unit());
    if s + t > 1.0 {
        (s, t) = (1.0 - s, 1.0 - t);
    }
    let [o, a, b] = triangles[k];
    std::array::from_fn(|i| o[i] + s * (a[i] - o[i]) + t * (b[i] - o[i]))
}

#[cfg(test)]
mod tests {
    use navbake_draw::Polygon;

    use super::*;

    /// Two unit squares side by side along x, and a triangle of half a square metre at x = 5.
    fn squares_and_a_triangle() -> Surface {
        let flat = |p: &[f64; 2]| [p[0], 0.0, p[1]];
        let corners = [
            [0.0, 0.0],
            [1.0, 0.0],
            [0.0, 1.0],
            [1.0, 1.0],
            [2.0, 0.0],
            [2.0, 1.0],
            [5.0, 0.0],
            [5.0, 1.0],
            [6.0, 0.0],
        ];
        let polygon = |corners: &[u32], island| Polygon {
            corners: corners.to_vec(),
            neighbours: vec![None; corners.len()],
            island,
            faces: vec![],
        };
        Surface {
            vertices: corners.iter().map(flat).collect(),
            polygons: vec![
                polygon(&[0, 2, 3, 1], 0),
                polygon(&[1, 3, 5, 4], 0),
                polygon(&[6, 7, 8], 1),
            ],
            ..Surface::default()
        }
    }

    #[test]
    fn pairs_are_on_one_island_and_cover_it_evenly() {
        let surface = squares_and_a_triangle();
        let sampler = Sampler::new(&surface, |_| true).unwrap();
        let mut random = Random::new(7);
        let mut far = 0;
        for _ in 0..10_000 {
            let [a, b] = sampler.pair(&mut random);
            assert_eq!(a[0] >= 5.0, b[0] >= 5.0);
            for p in [a, b] {
                assert!(
                    p[0] <= 2.0 && p[2] <= 1.0 || p[0] >= 5.0 && p[0] - 5.0 + p[2] <= 1.0 + 1e-12
                );
            }
            far += usize::from(a[0] >= 5.0);
        }
        // The triangle has a fifth of the area: 2000 of 10,000, with a standard deviation of 40.
        assert!((1800..2200).contains(&far), "{far}");
    }

    #[test]
    fn one_seed_gives_one_sequence() {
        let surface = squares_and_a_triangle();
        let sampler = Sampler::new(&surface, |_| true).unwrap();
        let draw = |seed| sampler.pair(&mut Random::new(seed));
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert!(Sampler::new(&Surface::default(), |_| true).is_none());
        assert!(Sampler::new(&surface, |_| false).is_none());
    }
}
