//! Leaves out views of a polygon that no shortest path needs, and joins those of one root.

use alloc::vec::Vec;

use navbake_navmesh::Border;
use navbake_navmesh::math::{distance, float};
use navbake_search::parts::{along, towards, turn};

use super::{View, seen_part};

/// A view, and the edge of its polygon that the root looks through; none where the root is in the
/// polygon.
#[derive(Clone, Copy)]
pub(super) struct Through {
    pub(super) view: View,
    pub(super) edge: Option<u32>,
}

/// How often an edge is halved to compare two ways along it.
const HALVINGS: u32 = 6;

/// Leaves out views whose ways are longer than others wherever they lead, and joins neighbours.
pub(super) fn trim(border: &Border<'_>, views: &mut Vec<Through>) {
    let mut k = 0;
    while k < views.len() {
        if is_passed(border, views, k) {
            views.swap_remove(k);
        } else {
            k += 1;
        }
    }
    let mut k = 0;
    while k < views.len() {
        let own = views[k].view;
        match (k + 1..views.len()).find_map(|n| Some((n, joined(&own, &views[n].view)?))) {
            Some((n, view)) => {
                views[k].view = view;
                views.swap_remove(n);
            }
            None => k += 1,
        }
    }
}

/// Both views as one, where they are beside each other from one root.
fn joined(a: &View, b: &View) -> Option<View> {
    let beside = |a: &View, b: &View| {
        let [end, begin] = [a.sides[1], b.sides[0]];
        let sides = [a.sides[0], b.sides[1]];
        let is_one = turn(end, begin) == 0 && along(end, begin) > 0;
        (is_one && turn(sides[0], sides[1]) > 0).then_some(View { sides, ..*a })
    };
    let same = a.root == b.root;
    same.then(|| beside(a, b).or_else(|| beside(b, a)))?
}

/// Is the way of a view longer than that of others all along the edge that it looks through?
///
/// Beyond the edge it is then as well: straight away from its root its length grows by each step,
/// and that of others by at most as much.
fn is_passed(border: &Border<'_>, views: &[Through], own: usize) -> bool {
    let Through { view, edge: Some(edge) } = views[own] else {
        return false;
    };
    let edge = edge as usize;
    let portal = [border.after(edge).at, border.at(edge).at].map(|end| towards(view.at, end));
    let at = float(view.at);
    let ends = seen_part(view.sides, portal).map(|end| [at[0] + end[0], at[1] + end[1]]);
    let longer = |place: [f64; 2]| {
        let others = views.iter().enumerate().filter(|(k, _)| *k != own);
        let least = others.filter_map(|(_, other)| length_from(&other.view, place));
        view.length + distance(at, place) - least.fold(f64::INFINITY, f64::min)
    };
    let slack = 1e-9 * (1.0 + view.length + distance(at, ends[0]));
    is_longer(ends, &longer, slack, HALVINGS)
}

/// Is a difference of lengths positive all along a segment?
fn is_longer(
    [a, b]: [[f64; 2]; 2],
    longer: &impl Fn([f64; 2]) -> f64,
    slack: f64,
    halvings: u32,
) -> bool {
    let middle = [0, 1].map(|k| 0.5 * (a[k] + b[k]));
    let by = longer(middle);
    if by <= slack {
        return false;
    }
    // Over half of the segment both lengths change by at most this.
    by > distance(a, b) + slack
        || halvings > 0
            && [[a, middle], [middle, b]]
                .iter()
                .all(|&part| is_longer(part, longer, slack, halvings - 1))
}

/// [`View::length_from`] a place between grid points.
fn length_from(view: &View, place: [f64; 2]) -> Option<f64> {
    let at = float(view.at);
    let d = [place[0] - at[0], place[1] - at[1]];
    let turn = |a: [f64; 2], b: [f64; 2]| a[1] * b[0] - a[0] * b[1];
    let [right, left] = view.sides.map(float);
    (turn(right, d) >= 0.0 && turn(d, left) >= 0.0).then(|| view.length + distance(at, place))
}
