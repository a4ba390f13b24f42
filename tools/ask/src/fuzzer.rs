//! The state of a fuzzer: random places of one navmesh, scratch, and the faults found.

use navbake_search::around::{Areas, Random};
use navbake_search::blob::IslandId;
use navbake_search::{NavMesh, NavPoint, NavQuery, PolyId, Scratch};

use crate::plain::{Plain, Point};

/// A wrong answer, described in words, with the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of question.
    pub kind: &'static str,
    /// A description of the fault.
    pub what: String,
}

/// Asks random questions of one navmesh.
pub struct Fuzzer<'a> {
    /// The query under test.
    pub query: NavQuery<'a>,
    /// The plain navmesh that answers are compared with.
    pub plain: Plain,
    /// The source of random questions.
    pub random: Random,
    /// The length that questions are measured by, m: a few steps of an agent.
    pub stride: f64,
    /// The faults found.
    pub faults: Vec<Fault>,
    /// How many answers were conclusive: hits as well as free lines, and paths that were found.
    pub conclusive: u64,
    pub(crate) sums: Vec<u64>,
    pub(crate) flood: Scratch,
    pub(crate) search: Scratch,
    /// Where the moving point is, and how often it did not get anywhere.
    pub(crate) walker: Option<NavPoint>,
    pub(crate) stalls: u32,
}

impl<'a> Fuzzer<'a> {
    /// Asks a navmesh with at least one polygon; `None` for others.
    pub fn new(mesh: NavMesh<'a>, radius: f64, seed: u64) -> Option<Fuzzer<'a>> {
        let mut sums = vec![0; mesh.polygon_count() as usize];
        NavQuery::new(mesh).areas(&mut sums)?;
        (mesh.polygon_count() > 0).then(|| Fuzzer {
            query: NavQuery::new(mesh),
            plain: Plain::new(&mesh),
            random: Random::new(seed),
            stride: 6.0 * radius.max(0.1),
            faults: vec![],
            conclusive: 0,
            sums,
            flood: Scratch::new(),
            search: Scratch::new(),
            walker: None,
            stalls: 0,
        })
    }

    /// Notes a fault unless the condition holds.
    pub(crate) fn demand(&mut self, kind: &'static str, holds: bool, what: impl Fn() -> String) {
        if !holds {
            let what = what();
            self.faults.push(Fault { kind, what });
        }
    }

    /// A random place, even by area over the mesh or an island.
    pub(crate) fn place(&mut self, island: Option<IslandId>) -> NavPoint {
        // The sums are those of `NavQuery::areas`, so asking again costs nothing but a pass over
        // them.
        let random = &mut self.random;
        let areas = Areas::from_sums(&self.query, &self.sums);
        let place = match island {
            Some(island) => self.query.random_on_island(&areas, island, random),
            None => self.query.random_place(&areas, random),
        };
        place.expect("a mesh with ground has random places")
    }

    /// A point at an offset from a place of up to `by` metres along each axis.
    pub(crate) fn beside(&mut self, place: &NavPoint, by: [f64; 3]) -> [f64; 3] {
        let p = place.position();
        [0, 1, 2].map(|k| p[k] + by[k] * (2.0 * self.random.unit() - 1.0))
    }

    /// A point of the ground plane on the grid.
    pub(crate) fn flat(&self, p: [f64; 3]) -> Point {
        let grid = self.query.mesh().grid();
        let [x, _, z] = grid.snap([p[0], grid.origin[1], p[2]]).expect("in range");
        [x, z]
    }

    pub(crate) fn island(&self, place: &NavPoint) -> IslandId {
        self.query.mesh().island(place.polygon())
    }

    pub(crate) fn holds(&self, place: &NavPoint) -> bool {
        self.plain.holds(index(place.polygon()), place.point())
    }
}

pub(crate) fn index(polygon: PolyId) -> usize {
    polygon.0 as usize
}

/// A place in words.
pub(crate) fn show(place: &NavPoint) -> String {
    format!("{:?} on polygon {}", place.point(), place.polygon().0)
}
