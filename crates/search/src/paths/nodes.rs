//! What searches are made of: nodes, ends, and the portals of a corridor.

use navbake_format::PolyId;

use super::landmarks::Away;

/// A node: a polygon or a portal in a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// Its number among all possible nodes.
    pub(super) key: u32,
    /// The polygon that is entered.
    pub(super) polygon: u32,
    /// The node that it was entered from.
    pub(super) parent: u32,
    /// The edge of the parent's polygon through which it was entered.
    pub(super) edge: u32,
    /// Its position in the open list, or the reason why it has none.
    pub(super) place: u32,
    /// The point through which it was entered, grid units.
    pub(super) entry: [f64; 2],
    /// Length walked up to the entry.
    pub(super) g: f64,
    /// Estimated length from the entry to the goal.
    pub(super) h: f64,
    /// Its priority.
    pub(super) f: f64,
}

impl Node {
    /// No node of any search.
    pub(super) const NOWHERE: Node = Node {
        key: u32::MAX,
        polygon: u32::MAX,
        parent: 0,
        edge: 0,
        place: u32::MAX,
        entry: [0.0; 2],
        g: 0.0,
        h: 0.0,
        f: 0.0,
    };
}

impl Default for Node {
    fn default() -> Node {
        Node::NOWHERE
    }
}

/// An end of a search: a start or a goal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Goal {
    /// All bits set where it is not on the mesh, or cannot be reached.
    pub(super) polygon: u32,
    pub(super) point: [i32; 2],
    /// Height, grid units.
    pub(super) height: f64,
    /// Which of the request's goals it is.
    pub(super) number: u32,
    /// Its node, when it has one.
    pub(super) node: u32,
    /// Its distances from landmarks, where a search uses them.
    pub(super) away: Away,
}

/// One portal of a corridor.
///
/// A polygon, and the number of its edge through which the path leaves it, or the link that leads
/// away from it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Step {
    /// The polygon that the path leaves.
    pub polygon: u32,
    /// Its edge, or a link.
    pub edge: u32,
}

impl Step {
    pub(super) const NONE: Step = Step { polygon: 0, edge: 0 };
}

impl Goal {
    pub(super) const NONE: Goal =
        Goal { polygon: 0, point: [0; 2], height: 0.0, number: 0, node: 0, away: Away::UNKNOWN };
}

/// The portals of a path: the first `len` steps of `Scratch::corridor`.
#[derive(Clone, Copy, Debug)]
pub struct Corridor {
    /// Number of steps.
    pub len: usize,
    whole: bool,
    cut: bool,
    /// The polygon at its end.
    pub last: PolyId,
}

impl Corridor {
    /// An empty one.
    pub fn new(last: PolyId) -> Corridor {
        Corridor { len: 0, whole: true, cut: false, last }
    }

    /// Continues it over an edge.
    pub fn push(&mut self, steps: &mut [Step], polygon: PolyId, edge: u32) {
        match steps.get_mut(self.len) {
            Some(step) => {
                *step = Step { polygon: polygon.0, edge };
                self.len += 1;
            }
            None => self.whole = false,
        }
    }

    /// Continues over a link that begins on a polygon.
    pub(super) fn take_link(&mut self, steps: &mut [Step], polygon: PolyId, link: u32) {
        let Step { polygon, edge } = Step::by_link(polygon.0, link);
        self.push(steps, PolyId(polygon), edge);
    }

    /// Removes the steps from `len` on, which make a loop.
    pub(super) fn cut(&mut self, len: usize) {
        (self.len, self.cut) = (len, true);
    }

    /// Were loops removed?
    pub(super) fn is_cut(&self) -> bool {
        self.cut
    }

    /// Was there room for the whole corridor?
    pub fn is_whole(&self) -> bool {
        self.whole
    }
}
