//! Options of A* for tests.

use navbake_search::path::{Ahead, Order};
use navbake_search::{AStar, Algorithm, Heuristic, PathRequest};

/// The usual options.
const USUAL: AStar = AStar {
    order: Order::AStar,
    heuristic: Heuristic::Euclidean,
    weight: 1.0,
    ahead: Ahead::Least,
    reverse: false,
    max_open: None,
};

pub(crate) const CORRIDOR: Algorithm = Algorithm::Corridor(USUAL);
pub(crate) const MIDPOINTS: Algorithm = Algorithm::Midpoints(USUAL);

pub(crate) trait Options {
    /// Changes the options of A*; a request for another algorithm stays as it is.
    fn a_star(self, change: impl FnOnce(&mut AStar)) -> Self;
}

impl Options for PathRequest {
    fn a_star(mut self, change: impl FnOnce(&mut AStar)) -> PathRequest {
        match &mut self.algorithm {
            Algorithm::Corridor(a_star) | Algorithm::Midpoints(a_star) => change(a_star),
            _ => {}
        }
        self
    }
}

#[test]
fn the_usual_options_are_the_default() {
    assert_eq!(USUAL, AStar::default());
    assert_eq!(PathRequest::new([0.0; 3], [0.0; 3]).algorithm, Algorithm::Auto);
}
