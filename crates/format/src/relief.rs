//! The height of a polygon: of the fan of its corners, or of the Delaunay triangles of its corners and its *height points*.
//!
//! No triangle is stored. The Delaunay triangle over a place is where the vertical line through the place meets the lower convex hull of the
//! points lifted to the paraboloid x² + z² (Brown, Voronoi diagrams from convex hulls, 1979). That is a linear program of three
//! variables, and [`height`] solves it by the simplex method: from a triangle that contains the place, a point inside its circumcircle
//! replaces one corner, such that the triangle contains the place again; the lifted triangle is lower there each time. Where more than three
//! points lie on one circle, a second lifting decides, so that all places agree on one triangulation.
//!
//! The baker measures its errors with the same functions that queries call.

use core::array;

/// The most height points that a polygon may have.
pub const MOST_POINTS: usize = 255;

/// `[t, u]` of the second lifting, u x² + t x z. Points of one circle tie again when the axes of the conics through them lie where
/// tan(2 angle) = t / u. As t² + u² is a prime, that takes a side longer than u units.
pub const SECOND: [i32; 2] = [40_501, 65_536];
/// The same as one number: exact, u is a power of two.
const TILT: f64 = SECOND[0] as f64 / SECOND[1] as f64;

/// Height of a polygon at a place `[x, z]` that it holds, grid units. `at(i)` gives corner i for i below `corners`, and the height points
/// from there on, `points` of them.
///
/// On an edge it is linear between the edge's ends and the height points that lie on the edge. Inside a polygon without points it is that
/// of the fan of triangles from the first corner: of the triangles (first, k, k + 1) with an area, k rising, the first one that contains the
/// place. Inside a polygon with points it is that of the Delaunay triangle that contains the place. Allocates nothing, and ends whatever the
/// points are.
#[inline]
pub fn height(
    corners: usize,
    points: usize,
    at: impl Fn(usize) -> [i32; 3],
    place: [f64; 2],
) -> f64 {
    let flat = |i: usize| {
        let p = at(i);
        [f64::from(p[0]) - place[0], f64::from(p[2]) - place[1]]
    };
    // The points lie on the stack, in the smallest of three sizes, so that little has to be cleared.
    let found = match corners + points {
        _ if points == 0 => scan(corners, flat, false),
        0..=16 => on_stack::<16>(corners, points, flat),
        17..=64 => on_stack::<64>(corners, points, flat),
        65..=320 => on_stack::<320>(corners, points, flat),
        n => search(corners, &Read { n, flat }),
    };
    match found {
        Found::Triangle(t) => {
            let up = |k: usize| t.weight[k] * f64::from(at(t.corner[k])[1]);
            (up(0) + up(1) + up(2)) / t.area()
        }
        Found::Edge(k) => {
            let next = if k + 1 == corners { 0 } else { k + 1 };
            let further = (corners..corners + points).map(&at);
            height_on_edge(at(k), at(next), further, place)
        }
        Found::Outside if corners == 0 => 0.0,
        Found::Outside => f64::from(at(0)[1]),
    }
}

/// Height at a place of the edge from `a` to `b`: linear between those of its ends and the `points` that lie on it.
pub fn height_on_edge(
    mut a: [i32; 3],
    mut b: [i32; 3],
    points: impl Iterator<Item = [i32; 3]>,
    place: [f64; 2],
) -> f64 {
    let relative = |p: [i32; 3]| [f64::from(p[0]) - place[0], f64::from(p[2]) - place[1]];
    let ([ax, az], [bx, bz]) = (relative(a), relative(b));
    let along = |[x, z]: [f64; 2]| x * (bx - ax) + z * (bz - az);
    let end = along([bx, bz]);
    let (mut low, mut high) = (along([ax, az]), end);
    for p in points {
        let q = relative(p);
        // Whole numbers of 26 bits: exact.
        let on = (bz - az) * (q[0] - ax) - (bx - ax) * (q[1] - az) == 0.0;
        let t = along(q);
        if on && t > low && t <= 0.0 && t < end {
            (a, low) = (p, t);
        } else if on && t < high && t > 0.0 {
            (b, high) = (p, t);
        }
    }
    height_on_segment(a, b, place)
}

/// Height on the segment from `a` to `b` at a place of it: the same from both of its sides.
pub fn height_on_segment(a: [i32; 3], b: [i32; 3], place: [f64; 2]) -> f64 {
    let (a, b) = if (a[0], a[2]) <= (b[0], b[2]) {
        (a, b)
    } else {
        (b, a)
    };
    let [ax, ay, az, bx, by, bz] = [a[0], a[1], a[2], b[0], b[1], b[2]].map(f64::from);
    let (dx, dz) = (bx - ax, bz - az);
    let t = if dx.abs() >= dz.abs() {
        (place[0] - ax) / dx
    } else {
        (place[1] - az) / dz
    };
    if t.is_nan() {
        return ay;
    }
    ay + (by - ay) * t.clamp(0.0, 1.0)
}

/// Where the place lies.
enum Found {
    Triangle(Triangle),
    /// On the edge from this corner to the next.
    Edge(usize),
    /// The polygon does not hold the place, or has no area.
    Outside,
}

/// A triangle of points relative to the place, counter-clockwise seen from above.
#[derive(Clone, Copy)]
struct Triangle {
    corner: [usize; 3],
    flat: [[f64; 2]; 3],
    /// Twice the area of the triangle of the place and the side opposite each corner.
    weight: [f64; 3],
}

/// Twice the signed area of the place, `a` and `b`, both relative to the place; exact for whole numbers of 26 bits.
#[inline]
fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[1] * b[0] - a[0] * b[1]
}

/// How [`cross`] of a side changes as the place moves along x and along z.
#[inline]
fn slope(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [b[1] - a[1], a[0] - b[0]]
}

impl Triangle {
    #[inline]
    fn new(corner: [usize; 3], flat: [[f64; 2]; 3]) -> Triangle {
        let [a, b, c] = flat;
        Triangle {
            corner,
            flat,
            weight: [cross(b, c), cross(c, a), cross(a, b)],
        }
    }

    /// Twice its area.
    #[inline]
    fn area(&self) -> f64 {
        self.weight[0] + self.weight[1] + self.weight[2]
    }

    #[inline]
    fn slopes(&self) -> [[f64; 2]; 3] {
        let [a, b, c] = self.flat;
        [slope(b, c), slope(c, a), slope(a, b)]
    }

    /// Does it contain the place, moved a tiny bit towards +x and a yet tinier bit towards +z?
    #[inline]
    fn contains_moved(&self) -> bool {
        (self.weight.iter().zip(self.slopes())).all(|(&w, s)| w > 0.0 || (w == 0.0 && s > [0.0; 2]))
    }

    #[inline]
    fn contains(&self) -> bool {
        self.weight.iter().all(|&w| w >= 0.0) && self.area() > 0.0
    }

    /// The plane over the triangle through heights at its corners, times twice its area: `[constant, along x, along z]`.
    #[inline]
    fn plane(&self, heights: [f64; 3]) -> [f64; 3] {
        let (w, s) = (self.weight, self.slopes());
        let sum = |f: [f64; 3]| f[0] * heights[0] + f[1] * heights[1] + f[2] * heights[2];
        [sum(w), sum(s.map(|s| s[0])), sum(s.map(|s| s[1]))]
    }

    /// Takes a point for the one corner with which the triangle contains the (moved) place again: that whose weight reaches zero first as
    /// the point's grows.
    #[inline]
    fn replace(&self, point: usize, q: [f64; 2]) -> Triangle {
        let slopes = self.slopes();
        let share = |i: usize| self.weight[i] + slopes[i][0] * q[0] + slopes[i][1] * q[1];
        let mut leaving: Option<(usize, f64)> = None;
        for i in 0..3 {
            let mine = share(i);
            if mine <= 0.0 {
                continue;
            }
            let sooner = leaving.is_none_or(|(j, other)| {
                let key =
                    |i: usize, by: f64| [self.weight[i] * by, slopes[i][0] * by, slopes[i][1] * by];
                key(i, other) < key(j, mine)
            });
            if sooner {
                leaving = Some((i, mine));
            }
        }
        let (mut corner, mut flat) = (self.corner, self.flat);
        if let Some((i, _)) = leaving {
            (corner[i], flat[i]) = (point, q);
        }
        Triangle::new(corner, flat)
    }
}

/// The points of a polygon relative to the place.
trait Points {
    fn len(&self) -> usize;
    fn get(&self, i: usize) -> [f64; 2];
    /// x and z of point `first` and those behind it; not a number where there is none.
    fn four(&self, first: usize) -> [[f64; FOUR]; 2];
}

/// Points that are looked at together.
const FOUR: usize = 4;

/// Points on the stack, `n` of them, and at least as many behind them as make the last four whole: those are not numbers.
struct Stack<'s> {
    n: usize,
    x: &'s [f64],
    z: &'s [f64],
}

impl Points for Stack<'_> {
    #[inline]
    fn len(&self) -> usize {
        self.n
    }

    #[inline]
    fn get(&self, i: usize) -> [f64; 2] {
        [self.x[i], self.z[i]]
    }

    #[inline]
    fn four(&self, first: usize) -> [[f64; FOUR]; 2] {
        let part = |all: &[f64]| all.get(first..).and_then(|a| a.first_chunk().copied());
        [self.x, self.z].map(|all| part(all).unwrap_or([f64::NAN; FOUR]))
    }
}

/// Points read anew each time: for more corners than anybody has.
struct Read<F> {
    n: usize,
    flat: F,
}

impl<F: Fn(usize) -> [f64; 2]> Points for Read<F> {
    fn len(&self) -> usize {
        self.n
    }

    fn get(&self, i: usize) -> [f64; 2] {
        (self.flat)(i)
    }

    fn four(&self, first: usize) -> [[f64; FOUR]; 2] {
        let mut four = [[f64::NAN; FOUR]; 2];
        for i in (0..FOUR).filter(|i| first + i < self.n) {
            [four[0][i], four[1][i]] = self.get(first + i);
        }
        four
    }
}

fn on_stack<const N: usize>(
    corners: usize,
    points: usize,
    flat: impl Fn(usize) -> [f64; 2],
) -> Found {
    let (mut x, mut z) = ([f64::NAN; N], [f64::NAN; N]);
    let n = N.min(corners + points);
    for (i, (x, z)) in x.iter_mut().zip(&mut z).take(n).enumerate() {
        [*x, *z] = flat(i);
    }
    search(corners, &Stack { n, x: &x, z: &z })
}

/// The edge or the triangle of the fan in which the place lies: the first that contains it; where the place is to be `moved`, the first that
/// contains it then too, when there is one.
#[inline]
fn scan(corners: usize, flat: impl Fn(usize) -> [f64; 2], moved: bool) -> Found {
    if corners < 3 {
        return Found::Outside;
    }
    let first = flat(0);
    let mut a = first;
    let mut found: Option<(Triangle, bool)> = None;
    for k in 0..corners {
        let last = k + 1 == corners;
        let b = if last { first } else { flat(k + 1) };
        if cross(a, b) == 0.0 && a[0] * b[0] + a[1] * b[1] <= 0.0 {
            return Found::Edge(k);
        }
        if k > 0 && !last && !matches!(found, Some((_, true))) {
            let triangle = Triangle::new([0, k, k + 1], [first, a, b]);
            if triangle.contains() {
                let best = !moved || triangle.contains_moved();
                if best || found.is_none() {
                    found = Some((triangle, best));
                }
            }
        }
        a = b;
    }
    found.map_or(Found::Outside, |(t, _)| Found::Triangle(t))
}

/// The Delaunay triangle that contains the place.
#[inline]
fn search(corners: usize, points: &impl Points) -> Found {
    let mut triangle = match scan(corners, |i| points.get(i), true) {
        Found::Triangle(t) => t,
        other => return other,
    };
    let lift = |[x, z]: [f64; 2]| x * x + z * z;
    let second = |[x, z]: [f64; 2]| x * (x + TILT * z);
    // The nearest point is a corner of the Delaunay triangle more often than not.
    let (mut nearest, mut least, mut greatest) = (0, f64::INFINITY, 0.0);
    for i in 0..points.len() {
        let far = lift(points.get(i));
        if far < least {
            (nearest, least) = (i, far);
        }
        if far > greatest {
            greatest = far;
        }
    }
    // Determinants are sums of products of four lengths; what is below their rounding counts as zero.
    let noise = 64.0 * f64::EPSILON * greatest * greatest;
    let mut entering = nearest;
    {
        let [c, x, z] = triangle.plane(triangle.flat.map(lift));
        let q = points.get(nearest);
        if c + x * q[0] + z * q[1] - triangle.area() * lift(q) <= noise {
            entering = usize::MAX;
        }
    }
    for _ in 0..points.len() + 16 {
        if entering == usize::MAX {
            let area = triangle.area();
            let [c, x, z] = triangle.plane(triangle.flat.map(lift));
            // How far a point is inside the circumcircle.
            let inside = |q: [f64; 2]| c + x * q[0] + z * q[1] - area * lift(q);
            let (mut most, mut ties) = (noise, 0);
            for first in (0..points.len()).step_by(FOUR) {
                let [xs, zs] = points.four(first);
                let values: [f64; FOUR] = array::from_fn(|i| inside([xs[i], zs[i]]));
                let pairs = [values[0].max(values[2]), values[1].max(values[3])];
                // Most points are far outside.
                if pairs[0].max(pairs[1]) < -noise {
                    continue;
                }
                for (i, value) in (first..).zip(values) {
                    if value > most {
                        (entering, most) = (i, value);
                    }
                    ties += usize::from(value >= -noise);
                }
            }
            // The three corners themselves are on the circle.
            if entering == usize::MAX && ties > 3 {
                let [c, x, z] = triangle.plane(triangle.flat.map(second));
                most = noise;
                for i in 0..points.len() {
                    let q = points.get(i);
                    let value = c + x * q[0] + z * q[1] - area * second(q);
                    if value > most && inside(q) >= -noise {
                        (entering, most) = (i, value);
                    }
                }
            }
            if entering == usize::MAX {
                break;
            }
        }
        triangle = triangle.replace(entering, points.get(entering));
        entering = usize::MAX;
    }
    Found::Triangle(triangle)
}
