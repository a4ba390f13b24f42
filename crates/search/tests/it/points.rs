//! Points of other crates.

use navbake_search::{NavMeshBuf, NavQuery, PathRequest, Point};

#[test]
fn points_are_taken_in_single_and_double_precision() {
    let bytes = navbake_testkit::level();
    let nav = NavMeshBuf::open(&bytes).unwrap();
    let query = NavQuery::new(nav.mesh());
    let at = query.locate([1.5f64, 0.0, 2.5], 1.0);
    assert!(at.is_some());
    assert_eq!(query.locate([1.5f32, 0.0, 2.5], 1.0), at);
    assert_eq!(query.locate(Point([1.5, 0.0, 2.5]), 1.0), at);
    let single = PathRequest::new([1.5f32, 0.0, 2.5], [8.0f32, 0.0, 2.5]);
    assert_eq!(single, PathRequest::new([1.5, 0.0, 2.5], [8.0, 0.0, 2.5]));
    let there: [f32; 3] = Point([0.1, -2.0, 3.0]).into();
    assert_eq!(there, [0.1f32, -2.0, 3.0]);
}

/// A point becomes a type and comes back.
#[cfg(any(feature = "mint", feature = "glam"))]
fn there_and_back<T: From<Point> + Into<Point>>() {
    let point = Point([1.5, -2.25, 1024.0]);
    assert_eq!(T::from(point).into(), point);
}

#[cfg(feature = "mint")]
#[test]
fn points_of_mint_are_taken() {
    there_and_back::<mint::Point3<f32>>();
    there_and_back::<mint::Point3<f64>>();
    there_and_back::<mint::Vector3<f32>>();
    there_and_back::<mint::Vector3<f64>>();
    let from = mint::Point3 { x: 1.0f32, y: 2.0, z: 3.0 };
    let to = mint::Vector3 { x: 4.0f64, y: 5.0, z: 6.0 };
    let request = PathRequest::new(from, to);
    assert_eq!((request.from, request.to), ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]));
}

#[cfg(feature = "glam")]
#[test]
fn points_of_glam_are_taken() {
    there_and_back::<glam::Vec3>();
    there_and_back::<glam::Vec3A>();
    there_and_back::<glam::DVec3>();
    let request = PathRequest::new(glam::Vec3::new(1.0, 2.0, 3.0), glam::DVec3::new(4.0, 5.0, 6.0));
    assert_eq!((request.from, request.to), ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]));
}
