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
            plumb: Plumb::new(&facets),
            facets,
            climb: measures.climb,
            height: measures.height,
            pitch: measures.radius.max(64.0),
        }
    }

    /// Height, in grid units, of the surface above or below `p` that an agent can stand on and that is nearest to `about()`, at most a climb away: the
    /// highest of several within a climb of each other, with head room. Where all is ground within a climb, nothing is asked of `about`.
    #[inline]
    pub fn height(&self, p: Point, about: impl FnOnce() -> f64) -> Option<f64> {
        let column = self.column(p);
        match column.only(self.climb) {
            Some(y) => Some(y),
            None => self.near(p, &column, about()),
        }
    }

    /// Height of the ground above or below `p` if there is nothing else but ground within a climb of it.
    pub fn only_height(&self, p: Point) -> Option<f64> {
        self.column(p).only(self.climb)
    }

    fn column(&self, p: Point) -> Column {
        let at = flat(p);
        let mut column = Column::default();
        let met = (self.plumb).at(&self.facets, at, |f| column.take(f.at(at), f.ground));
        column.is_cut |= !met;
        column
    }

    fn near(&self, p: Point, column: &Column, about: f64) -> Option<f64> {
        let (low, high) = (
            about - 2.0 * self.climb - TOUCH,
            about + self.climb + self.height,
        );
        let mut within = Column::default();
        if column.is_cut {
            let at = flat(p);
            self.facets.at(at, low, high, |facet| {
                let y = facet.at(at);
                if y >= low && y <= high {
                    within.take(y, facet.ground);
                }
            });
        } else {
            let near = column.all().iter().filter(|c| c.0 >= low && c.0 <= high);
            near.for_each(|&(y, ground)| within.take(y, ground));
        }
        let column = within.all();
        let mut best: Option<(f64, f64)> = None;
        let mut last = f64::INFINITY;
        for (k, &(y, ground)) in column.iter().enumerate() {
            if !ground || last - y <= self.climb {
                continue;
            }
            let (knee, head) = (y + self.climb + TOUCH, y + self.height - TOUCH);
            if column[..k].iter().any(|c| c.0 > knee && c.0 < head) {
                continue;
            }
            last = y;
            let away = (y - about).abs();
            if away <= self.climb + TOUCH && best.is_none_or(|b| away < b.0) {
                best = Some((away, y));
            }
        }
        best.map(|b| b.1)
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

/// Of more surfaces above each other than these the rest is not looked at.
const MOST: usize = 24;

/// What lies above or below a place: heights, the highest first, and whether they are ground.
struct Column {
    all: [(f64, bool); MOST],
    count: usize,
    /// Is there something else than ground?
    is_mixed: bool,
    /// Is there more than is told?
    is_cut: bool,
}

impl Default for Column {
    #[inline]
    fn default() -> Column {
        Column {
            all: [(0.0, false); MOST],
            count: 0,
            is_mixed: false,
            is_cut: false,
        }
    }
}

impl Column {
    #[inline]
    fn take(&mut self, y: f64, ground: bool) {
        if self.count == MOST {
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
        self.is_mixed |= !ground;
    }

    fn all(&self) -> &[(f64, bool)] {
        &self.all[..self.count]
    }

    /// The highest, if there is nothing but ground within a climb.
    #[inline]
    fn only(&self, climb: f64) -> Option<f64> {
        let all = self.all();
        let (top, bottom) = (all.first()?.0, all.last()?.0);
        (!self.is_cut && !self.is_mixed && top - bottom <= climb).then_some(top)
    }
}
