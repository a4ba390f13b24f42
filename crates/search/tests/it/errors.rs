//! Errors: when they are returned, what they say, and which algorithm is chosen instead.

use navbake_format::write::{LabelParts, replace_labels};
use navbake_search::blob::{AreaId, Blob};
use navbake_search::{
    Algorithm, Error, NavMeshBuf, NavQuery, PathRequest, QueryFilter, Scratch, Status,
};
use navbake_testkit::Random;
use navbake_testkit::scene::{Mix, Scene};
use navbake_testkit::squares::World;

use crate::a_star::CORRIDOR;

const ACROSS: [[f64; 3]; 2] = [[1.0, 0.0, 1.0], [8.0, 0.0, 5.0]];

fn across() -> PathRequest {
    PathRequest::new(ACROSS[0], ACROSS[1])
}

#[test]
fn names_that_the_file_does_not_have_are_refused() {
    let bytes = navbake_testkit::level();
    let nav = NavMeshBuf::open(&bytes).unwrap();
    let mesh = nav.mesh();
    let filter = QueryFilter::new;
    assert_eq!(filter().agent(&mesh, "dragon"), Err(Error::NoAgent));
    assert_eq!(filter().cost(&mesh, "lava", 2.0), Err(Error::NoArea));
    assert_eq!(filter().block(&mesh, "hatch"), Err(Error::NoSwitch));
    assert_eq!(filter().unblock(&mesh, "hatch"), Err(Error::NoSwitch));
    assert_eq!(filter().weights(&mesh, "haste"), Err(Error::NoWeights));
    assert_eq!(filter().cost(&mesh, "mud", -2.0), Err(Error::Cost(-2.0)));
    assert_eq!(filter().set_cost(AreaId(0), 0.0), Err(Error::Cost(0.0)));
    assert_eq!(filter().set_slopes(-1.0, 0.0), Err(Error::Cost(-1.0)));
    assert_eq!(filter().set_slopes(0.0, 1e9), Err(Error::Cost(1e9)));
    let refused = |bytes: &[u8], agent: &str| -> Result<(), Error> {
        NavMeshBuf::open_for(bytes, agent)?;
        Ok(())
    };
    assert_eq!(refused(&bytes, "default"), Ok(()));
    assert!(matches!(refused(&bytes, "dragon"), Err(Error::Blob(_))));
    assert!(matches!(refused(&bytes[..bytes.len() / 2], "default"), Err(Error::Blob(_))));
}

#[test]
fn an_algorithm_that_does_not_serve_a_request_refuses_it() {
    let bytes = navbake_testkit::level();
    let nav = NavMeshBuf::open(&bytes).unwrap();
    let open = NavQuery::new(nav.mesh());
    let mut scratch = Scratch::new();
    let mut ask = |query: &NavQuery<'_>, request: PathRequest, algorithm: Algorithm| {
        let request = request.algorithm(algorithm);
        let found = query.find_path(&request, &mut scratch).map(|path| path.status);
        let begun = query.start_path(&request, &mut scratch).map(|search| search.status());
        assert_eq!(found.clone().err(), begun.err(), "a search says the same as a path");
        found
    };
    let mud = QueryFilter::new().cost(&nav.mesh(), "mud", 4.0).unwrap();
    let weighed = open.with_filter(&mud);
    assert_eq!(ask(&weighed, across(), Algorithm::Optimal), Err(Error::Costs));
    let weighted = Algorithm::weighted(Algorithm::GAP);
    for serves in [weighted, CORRIDOR, Algorithm::Auto] {
        assert_eq!(ask(&weighed, across(), serves), Ok(Status::Reached));
    }
    let no_mud = QueryFilter::new().cost(&nav.mesh(), "mud", f64::INFINITY).unwrap();
    let walled = open.with_filter(&no_mud);
    let out = PathRequest::new([5.5, 0.0, 4.0], ACROSS[1]);
    assert_eq!(ask(&walled, out, Algorithm::Optimal), Err(Error::StartBlocked));
    for serves in [CORRIDOR, Algorithm::Auto] {
        assert_eq!(ask(&walled, out, serves), Ok(Status::Reached));
    }
    assert_eq!(ask(&walled, across(), Algorithm::Optimal), Ok(Status::Unreachable));
    let landmarks = Algorithm::Weighted { gap: 0.02, landmarks: true };
    assert_eq!(ask(&open, across(), landmarks), Err(Error::NoLandmarks));
    let rooms: Result<Algorithm, _> = "hierarchical".parse();
    assert!(rooms.unwrap_err().contains("navbake-rooms"));
}

#[test]
fn a_path_of_another_mesh_is_none_of_this_one() {
    let mix = |columns| Mix {
        columns,
        rows: 3,
        storeys: 1,
        jitter: 0,
        blocked: 0,
        cut: 0,
        exchanged: 0,
        merged: 0,
    };
    let files = [2, 9].map(|columns| Scene::random(&mut Random(1), mix(columns)).bake());
    let [small, large] = [&files[0], &files[1]]
        .map(|b| NavQuery::new(Blob::open_checked(b).unwrap().decode(0).unwrap().leak()));
    let mut scratch = Scratch::new();
    let request = PathRequest::new([1.0, 0.0, 1.0], [17.0, 0.0, 5.0]);
    let path = large.find_path(&request, &mut scratch).unwrap();
    assert_eq!(path.status, Status::Reached);
    assert!(matches!(navbake_finish::path_places(&small, &path).map(|_| ()), Err(Error::NotAPath)));
    assert!(navbake_finish::path_places(&large, &path).is_ok());
}

#[test]
fn auto_is_optimal_where_the_mesh_has_labels_and_nothing_costs() {
    // One corner that paths turn at.
    let bytes = World::flat(&["..", ".#"]).bake(false, true);
    let labels = LabelParts { ranks: &[0], ends: &[0, 0], ..LabelParts::default() };
    let labelled = replace_labels(&bytes, &[labels]).unwrap();
    let request = PathRequest::new([1.75, 0.0, 0.5], [0.5, 0.0, 1.75]);
    let mut scratch = Scratch::new();
    let mut chosen = |bytes: &[u8], filter: &QueryFilter| {
        let query = NavQuery::new(Blob::open_checked(bytes).unwrap().decode(0).unwrap().leak());
        let path = query.with_filter(filter).find_path(&request, &mut scratch).unwrap();
        assert_eq!(path.status, Status::Reached);
        path.algorithm.name()
    };
    let mut costly = QueryFilter::new();
    costly.set_slopes(1.0, 0.0).unwrap();
    assert_eq!(chosen(&bytes, &QueryFilter::new()), "corridor");
    assert_eq!(chosen(&labelled, &QueryFilter::new()), "optimal");
    assert_eq!(chosen(&labelled, &costly), "corridor");
}

#[test]
fn every_error_names_what_is_wrong_and_a_cure() {
    for (error, word) in [
        (Error::NoAgent, "agent"),
        (Error::NoArea, "area"),
        (Error::NoSwitch, "switch"),
        (Error::NoWeights, "weights"),
        (Error::Cost(-2.0), "set_cost"),
        (Error::OtherMesh, "mesh"),
        (Error::Costs, "weighted"),
        (Error::StartBlocked, "corridor"),
        (Error::NoLandmarks, "bake"),
        (Error::NoRooms, "bake"),
        (Error::NotAPath, "mesh"),
    ] {
        let said = error.to_string();
        assert!(said.contains(word), "{said}");
        assert!(said.contains(": ") || said.contains(';'), "no cure: {said}");
    }
}
