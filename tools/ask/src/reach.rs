//! Checks reachability: compares the lookup in a blob's tables, for every agent and every row of
//! weights, with a plain search from polygon to polygon.

use std::collections::BTreeSet;

use navbake_format::{CheckedBlob, PolyId};
use navbake_search::around::Random;
use navbake_search::{NavMesh, NavPoint, NavQuery, QueryFilter};

use crate::fuzzer::{Fault, Fuzzer, show};

/// The results of the questions for one agent.
#[derive(Debug, Default)]
pub struct ReachCounts {
    /// Questions.
    pub asked: u64,
    /// Those that were answered with yes or no.
    pub known: u64,
    /// Those with both ends on forbidden ground that were left to a search.
    pub searched: u64,
    /// Those that were answered with yes.
    pub yes: u64,
    /// The faults found.
    pub faults: Vec<Fault>,
}

/// Goals for each start: one plain search serves them all.
const GOALS: u64 = 100;

/// Asks for `pairs` pairs of places, half of them even by area, half from polygon to polygon, for
/// an agent with each row of weights that is for it.
pub fn reach(blob: &CheckedBlob<'_>, agent: u16, pairs: u64, seed: u64) -> Option<ReachCounts> {
    let shape = blob.agents().nth(agent.into())?;
    let nav = blob.decode(shape.class).ok()?;
    let mesh = nav.mesh();
    let mut ask = Fuzzer::new(mesh, shape.radius, seed)?;
    let mut conclusive = ReachCounts::default();
    let names: BTreeSet<&str> = blob.weights().map(|row| row.name).collect();
    let rows = names.iter().filter_map(|name| blob.weights_for(name, agent));
    let mut own = QueryFilter::new();
    own.set_agents(1u32.checked_shl(agent.into()).unwrap_or(0));
    for row in rows.map(Some).chain([None]) {
        let mut weighted = own.clone();
        if let Some(row) = row {
            weighted.set_weights(&row);
        }
        let blocked = weighted.forbidden();
        // Areas to avoid may be given by the weights alone, or be blocked as well.
        let mut closed = weighted.clone();
        closed.set_blocked(&mesh, &[], blocked).ok()?;
        let query = NavQuery::new(mesh).with_filter(&weighted);
        let closed = NavQuery::new(mesh).with_filter(&closed);
        for _ in 0..pairs.div_ceil(GOALS) {
            let from = ask.place(None);
            let reached = plain(&query, &ask, from.polygon().0 as usize, blocked);
            for goal in 0..GOALS {
                let to = match goal % 2 {
                    0 => ask.place(None),
                    _ => corner(&query, &mut ask.random),
                };
                let truth = reached[to.polygon().0 as usize];
                let answers = [query.connected(&from, &to), closed.connected(&from, &to)];
                conclusive.asked += 1;
                let both = [&from, &to].iter().all(|p| is_forbidden(&mesh, blocked, p.polygon()));
                conclusive.known += u64::from(answers[0].is_some());
                conclusive.searched += u64::from(answers[0].is_none() && both);
                conclusive.yes += u64::from(answers[0] == Some(true));
                if answers.iter().any(|a| a.is_some_and(|a| a != truth)) {
                    let what =
                        format!("{} to {}: {answers:?}, not {truth}", show(&from), show(&to));
                    conclusive.faults.push(Fault { kind: "reach", what });
                }
            }
        }
    }
    Some(conclusive)
}

/// A place on a random polygon. All polygons are equally likely, whatever their size.
fn corner(query: &NavQuery<'_>, random: &mut Random) -> NavPoint {
    let mesh = query.mesh();
    let polygon = mesh.polygon(PolyId(random.below(mesh.polygon_count().into()) as u32));
    let [x, y, z] = polygon.point(0).map(f64::from);
    let found = query.on_polygon(polygon.id(), mesh.grid().metres([x, y, z]));
    found.expect("a polygon holds its corners")
}

/// Is a polygon of a forbidden area?
fn is_forbidden(mesh: &NavMesh<'_>, blocked: u64, polygon: PolyId) -> bool {
    blocked >> mesh.area(polygon).0 & 1 != 0
}

/// The polygons that can be reached over portals and links without entering a forbidden area from
/// other ground.
fn plain(query: &NavQuery<'_>, ask: &Fuzzer<'_>, from: usize, blocked: u64) -> Vec<bool> {
    let mesh = query.mesh();
    let mut reached = vec![false; ask.plain.beyond.len()];
    let mut open = vec![from];
    reached[from] = true;
    while let Some(p) = open.pop() {
        let leaves = is_forbidden(mesh, blocked, PolyId(p as u32));
        let over = ask.plain.beyond[p].iter().flatten().copied();
        let links = mesh.links_of(PolyId(p as u32)).filter_map(|k| mesh.link(k));
        let links = links.filter(|l| query.is_link_open(0, l));
        for q in over.chain(links.map(|l| l.beyond.0 as usize)) {
            let enters = is_forbidden(mesh, blocked, PolyId(q as u32)) && !leaves;
            if !reached[q] && !enters {
                reached[q] = true;
                open.push(q);
            }
        }
    }
    reached
}
