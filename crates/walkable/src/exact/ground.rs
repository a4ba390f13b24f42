//! The true heights of a tile: its facets, kept to be asked for heights at places.

use navbake_geom::Point;

use super::Measures;
use super::facet::Facets;
use super::plumb::Plumb;

/// The ground of a tile as its triangles have it.
#[derive(Debug)]
pub struct Ground {
    pub(super) facets: Facets,
    plumb: Plumb,
    climb: f64,
    height: f64,
    /// How far apart steps are looked at along their edge.
    pub(super) pitch: f64,
}

/// Heights that differ by less do not part anything.
const TOUCH: f64 = 0.5;

impl Ground {
    pub(super) fn new(facets: Facets, measures: &Measures) -> Ground {
        Ground {
            plumb: Plumb::new(&facets, measures),
            facets,
            climb: measures.climb,
            height: measures.height,
            pitch: measures.radius.max(64.0),
        }
    }

    /// Height, in grid units, of the surface above or below `p` that an agent can stand on and that is nearest to `about()`, at most a climb away: the
    /// highest of several within a climb of each other, with head room. Where there is one only, nothing is asked of `about`.
    #[inline]
    pub fn height(&self, p: Point, about: impl FnOnce() -> f64) -> Option<f64> {
        let places = self.standing(p);
        match places.only() {
            Some(y) => Some(y),
            None => self.nearest(p, &places, about()),
        }
    }

    /// Height of the one surface above or below `p` that an agent can stand on, whatever its height; `None` where there are more, or none.
    pub fn only_height(&self, p: Point) -> Option<f64> {
        self.standing(p).only()
    }

    /// All surfaces above or below a place that an agent can stand on.
    fn standing(&self, p: Point) -> Column<FEW> {
        let at = flat(p);
        let mut column = Column::<FEW>::default();
        let met = (self.plumb).at(&self.facets, at, |f| column.take(f.at(at), f.ground));
        column.is_cut |= !met;
        column.keep_standing(self.climb, self.height);
        column
    }

    fn nearest(&self, p: Point, places: &Column<FEW>, about: f64) -> Option<f64> {
        if places.is_cut {
            let at = flat(p);
            let (low, high) = (
                about - 2.0 * self.climb - TOUCH,
                about + self.climb + self.height,
            );
            let mut column = Column::<MOST>::default();
            self.facets.at(at, low, high, |facet| {
                let y = facet.at(at);
                if y >= low && y <= high {
                    column.take(y, facet.ground);
                }
            });
            column.keep_standing(self.climb, self.height);
            return column.nearest(about, self.climb);
        }
        places.nearest(about, self.climb)
    }

    /// Height at a place, in grid units, of the plane of a triangle that [`Ground::bends`] named.
    #[inline]
    pub fn plane_height(&self, triangle: u32, p: Point) -> Option<f64> {
        let facet = self.facets.all.get(triangle as usize)?;
        Some(facet.at(flat(p)))
    }

    /// How far a triangle that [`Ground::bends`] named may lie above or below the ground and still belong to it: room for places nearby and steep planes.
    #[inline]
    pub fn reach(&self) -> f64 {
        self.climb + 64.0
    }
}

#[inline]
fn flat(p: Point) -> [f64; 2] {
    [f64::from(p.x), f64::from(-p.z)]
}

/// Of more surfaces above each other than these it depends on the height asked for which ones are looked at.
const FEW: usize = 8;
/// Of more surfaces within a body's reach than these the rest is not looked at.
const MOST: usize = 24;

/// What lies above or below a place: heights, the highest first, and whether they are ground.
struct Column<const N: usize> {
    all: [(f64, bool); N],
    count: usize,
    /// Is there more than is told?
    is_cut: bool,
}

impl<const N: usize> Default for Column<N> {
    #[inline]
    fn default() -> Column<N> {
        Column {
            all: [(0.0, false); N],
            count: 0,
            is_cut: false,
        }
    }
}

impl<const N: usize> Column<N> {
    #[inline]
    fn take(&mut self, y: f64, ground: bool) {
        if self.count == N {
            self.is_cut = true;
            return;
        }
        let mut k = self.count;
        while k > 0 && self.all[k - 1] < (y, ground) {
            self.all[k] = self.all[k - 1];
            k -= 1;
        }
        self.all[k] = (y, ground);
        self.count += 1;
    }

    /// Leaves ground with head room, the highest of what lies within a climb.
    #[inline]
    fn keep_standing(&mut self, climb: f64, height: f64) {
        let mut kept = [0.0; N];
        let mut count = 0;
        for k in 0..self.count {
            let (y, ground) = self.all[k];
            if !ground || count > 0 && kept[count - 1] - y <= climb {
                continue;
            }
            let (knee, head) = (y + climb + TOUCH, y + height - TOUCH);
            if !(self.all[..k].iter()).any(|c| c.0 > knee && c.0 < head) {
                kept[count] = y;
                count += 1;
            }
        }
        for (slot, y) in self.all.iter_mut().zip(&kept[..count]) {
            *slot = (*y, true);
        }
        self.count = count;
    }

    #[inline]
    fn only(&self) -> Option<f64> {
        (self.count == 1 && !self.is_cut).then_some(self.all[0].0)
    }

    /// The one nearest to a height, the higher one of two, if it is no more than a climb away.
    fn nearest(&self, about: f64, climb: f64) -> Option<f64> {
        let away = |y: f64| (y - about).abs();
        let mut best: Option<f64> = None;
        for &(y, _) in &self.all[..self.count] {
            if away(y) <= climb + TOUCH && best.is_none_or(|b| away(y) < away(b)) {
                best = Some(y);
            }
        }
        best
    }
}
