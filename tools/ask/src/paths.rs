//! Questions with a search: paths by every planner, and places within a walk.

use navbake_search::path::{Ahead, Order};
use navbake_search::{AStar, Algorithm, Heuristic, NavPoint, PathRequest, Status};

use crate::fuzzer::{Fuzzer, index, show};
use crate::plain::Point;

/// A* with the usual options.
const A_STAR: AStar = AStar {
    order: Order::AStar,
    heuristic: Heuristic::Euclidean,
    weight: 1.0,
    ahead: Ahead::Least,
    reverse: false,
    max_open: None,
};

/// The planners under test: add new ones here.
const PLANNERS: &[Algorithm] =
    &[Algorithm::Optimal, Algorithm::Corridor(A_STAR), Algorithm::Midpoints(A_STAR)];

/// Pairs of planners: the path of the first is never longer than that of the second.
const NEVER_LONGER: &[(Algorithm, Algorithm)] = &[
    (Algorithm::Optimal, Algorithm::Corridor(A_STAR)),
    (Algorithm::Optimal, Algorithm::Midpoints(A_STAR)),
];

/// The paths of all planners between two places of one island can be walked, and none is longer
/// than it may be beside another.
pub(crate) fn path(ask: &mut Fuzzer<'_>) {
    let from = ask.place(None);
    let island = ask.island(&from);
    let to = ask.place(Some(island));
    let mut lengths = vec![];
    for &planner in PLANNERS {
        if let Some(length) = walk(ask, &from, &to, planner) {
            lengths.push((planner, length));
            ask.conclusive += 1;
        }
    }
    let length = |planner| lengths.iter().find(|l| l.0 == planner).map(|l| l.1);
    for &(shorter, longer) in NEVER_LONGER {
        let (Some(a), Some(b)) = (length(shorter), length(longer)) else {
            continue;
        };
        // Sums of the same legs may be rounded in another order.
        ask.demand("path", a <= b * (1.0 + 1e-12) + 1e-12, || {
            let ends = format!("{} to {}", show(&from), show(&to));
            format!("{ends}: {shorter:?} has {a}, {longer:?} {b}")
        });
    }
}

/// The length of a planner's path, which has been walked.
fn walk(ask: &mut Fuzzer<'_>, from: &NavPoint, to: &NavPoint, planner: Algorithm) -> Option<f64> {
    let request = PathRequest::new(from.position(), to.position()).algorithm(planner);
    let path = match ask.query.find_path_between(from, to, &request, &mut ask.search) {
        Ok(path) => path,
        Err(why) => {
            ask.demand("path", false, || format!("{planner:?} is refused: {why}"));
            return None;
        }
    };
    let (status, length, points) = (path.status, path.length_xz, path.points.to_vec());
    let certified = path.certified_optimal;
    let asked = || format!("{planner:?} from {} to {}", show(from), show(to));
    ask.demand("path", status == Status::Reached, || format!("{}: {}", asked(), status.name()));
    if status != Status::Reached {
        return None;
    }
    let corners: Vec<Point> = points.iter().map(|&p| ask.flat(p)).collect();
    let ends = corners.first() == Some(&from.point()) && corners.last() == Some(&to.point());
    let walkable = ends && {
        let (from, to) = (index(from.polygon()), index(to.polygon()));
        ask.plain.walkable(from, to, &corners)
    };
    ask.demand("path", walkable, || format!("{}: not walkable: {corners:?}", asked()));
    let legs = corners.windows(2).map(|w| {
        let [dx, dz] = [0, 1].map(|k| f64::from(w[1][k] - w[0][k]));
        dx.hypot(dz)
    });
    let sum = legs.sum::<f64>() / ask.query.mesh().grid().units();
    ask.demand("path", (sum - length).abs() <= 1e-9 * (1.0 + sum), || {
        format!("{}: {sum} long, not {length}", asked())
    });
    let optimal = planner == Algorithm::Optimal;
    ask.demand("path", certified || !optimal, || format!("{}: not certified", asked()));
    Some(length)
}

/// A place within a walk is on its polygon, and the shortest path there is no longer than the walk.
pub(crate) fn random_within(ask: &mut Fuzzer<'_>) {
    let from = ask.place(None);
    let most = ask.stride * ask.random.unit() * 4.0;
    let place = (ask.query).random_within(&from, most, &mut ask.random, &mut ask.flood);
    ask.demand("walk within", ask.holds(&place), || format!("off its polygon: {}", show(&place)));
    let Some(length) = walk(ask, &from, &place, Algorithm::Optimal) else {
        return;
    };
    ask.demand("walk within", length <= most + 1e-9, || {
        format!("{} is {length} from {}, not {most}", show(&place), show(&from))
    });
    ask.conclusive += u64::from(place != from);
}
