//! Points as games have them.

/// A point, y-up metres: what every query takes.
///
/// Made from `[f32; 3]` and `[f64; 3]`, and with the features `mint` and `glam` from their points
/// and vectors. It turns into the same types.
///
/// ```
/// use navbake_search::Point;
///
/// let single = Point::from([1.0f32, 0.5, 2.0]);
/// assert_eq!(single, Point::from([1.0f64, 0.5, 2.0]));
/// let back: [f32; 3] = single.into();
/// assert_eq!(back, [1.0, 0.5, 2.0]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point(pub [f64; 3]);

impl From<[f64; 3]> for Point {
    fn from(point: [f64; 3]) -> Point {
        Point(point)
    }
}

impl From<[f32; 3]> for Point {
    fn from(point: [f32; 3]) -> Point {
        Point(point.map(f64::from))
    }
}

impl From<Point> for [f64; 3] {
    fn from(point: Point) -> [f64; 3] {
        point.0
    }
}

impl From<Point> for [f32; 3] {
    /// Rounds to the nearest.
    fn from(point: Point) -> [f32; 3] {
        point.0.map(|c| c as f32)
    }
}

/// Both directions of the types of other crates, by arrays.
#[cfg(any(feature = "mint", feature = "glam"))]
macro_rules! by_arrays {
    ($($other:ty: $array:ty),* $(,)?) => { $(
        impl From<$other> for Point {
            fn from(point: $other) -> Point {
                Point::from(<$array>::from(point))
            }
        }

        impl From<Point> for $other {
            fn from(point: Point) -> $other {
                <$other>::from(<$array>::from(point))
            }
        }
    )* };
}

#[cfg(feature = "mint")]
by_arrays! {
    mint::Point3<f32>: [f32; 3],
    mint::Point3<f64>: [f64; 3],
    mint::Vector3<f32>: [f32; 3],
    mint::Vector3<f64>: [f64; 3],
}

#[cfg(feature = "glam")]
by_arrays! {
    glam::Vec3: [f32; 3],
    glam::Vec3A: [f32; 3],
    glam::DVec3: [f64; 3],
}
