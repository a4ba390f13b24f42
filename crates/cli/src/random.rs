//! Random places on a surface, the same for the same seed on every machine.

use crate::surface::Surface;

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Picks places evenly by area.
#[derive(Debug)]
pub(crate) struct Places<'a> {
    surface: &'a Surface,
    all: Weighted,
    islands: Vec<Weighted>,
}

/// Polygons with the running sum of their areas.
#[derive(Clone, Debug, Default)]
struct Weighted {
    polygons: Vec<usize>,
    sums: Vec<f64>,
}

impl Weighted {
    fn push(&mut self, polygon: usize, area: f64) {
        self.polygons.push(polygon);
        self.sums
            .push(self.sums.last().copied().unwrap_or(0.0) + area);
    }

    fn pick(&self, random: &mut Random) -> usize {
        let total = self.sums.last().copied().unwrap_or(0.0);
        let target = random.unit() * total;
        let k = self.sums.partition_point(|&sum| sum <= target);
        self.polygons[k.min(self.polygons.len() - 1)]
    }
}

impl<'a> Places<'a> {
    /// Of a surface with at least one polygon; `None` for an empty one.
    pub(crate) fn new(surface: &'a Surface) -> Option<Places<'a>> {
        let count = surface
            .polygons
            .iter()
            .map(|p| p.island as usize + 1)
            .max()?;
        let (mut all, mut islands) = (Weighted::default(), vec![Weighted::default(); count]);
        for (p, polygon) in surface.polygons.iter().enumerate() {
            let area = surface.area(p);
            all.push(p, area);
            islands[polygon.island as usize].push(p, area);
        }
        Some(Places {
            surface,
            all,
            islands,
        })
    }

    /// Two places of one island: the first anywhere, the second anywhere on the island of the first.
    pub(crate) fn pair(&self, random: &mut Random) -> [[f64; 3]; 2] {
        let first = self.all.pick(random);
        let island = self.surface.polygons[first].island as usize;
        let second = self.islands[island].pick(random);
        [first, second].map(|p| inside(&self.surface.triangles(p), random))
    }
}

/// A place in triangles, evenly by area: a triangle, then a place in that triangle.
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
    use super::*;
    use crate::surface::tests::two_squares_and_an_island;

    #[test]
    fn pairs_lie_on_one_island_and_cover_it_evenly() {
        let surface = two_squares_and_an_island();
        let places = Places::new(&surface).unwrap();
        let mut random = Random::new(7);
        let mut far = 0;
        for _ in 0..10_000 {
            let [a, b] = places.pair(&mut random);
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
        let draw = |seed| {
            let mut random = Random::new(seed);
            [random.unit(), random.unit()]
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert!(Places::new(&Surface::default()).is_none());
    }
}
