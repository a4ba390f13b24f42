//! The legs of a path: walked legs over ground, and links between them.

use core::ops::Range;

use super::course::Course;
use super::nodes::Step;

/// A stretch of a path of one kind.
///
/// Legs alternate: ground, link, ground and so on. Where a link ends at the begin of another one,
/// the leg between them has two points at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The number of the link that is taken; `None` on ground.
    pub link: Option<u32>,
    /// The numbers of its points in [`NavPath::points`](super::NavPath::points).
    ///
    /// A link has two: the last of the leg before it and the first of the leg after it.
    pub points: Range<usize>,
    /// The numbers of its polygons in [`NavPath::polygons`](super::NavPath::polygons).
    pub polygons: Range<usize>,
}

/// In [`Step::edge`]: the path leaves the polygon by the link of this number.
const LINK: u32 = 1 << 31;

impl Step {
    /// A step over a link.
    pub(super) fn by_link(polygon: u32, link: u32) -> Step {
        Step { polygon, edge: link | LINK }
    }

    /// The link that it takes.
    pub(super) fn link(&self) -> Option<u32> {
        (self.edge & LINK != 0).then_some(self.edge & !LINK)
    }
}

/// The first step from `from` on that takes a link, and that link.
///
/// Without one, the number of steps and `None`.
pub(super) fn next_link(steps: &[Step], from: usize) -> (usize, Option<u32>) {
    let rest = steps.get(from..).unwrap_or(&[]);
    let at = rest.iter().position(|s| s.link().is_some());
    let end = at.map_or(steps.len(), |at| from + at);
    (end, steps.get(end).and_then(Step::link))
}

/// The legs of a path, in order.
#[derive(Clone, Debug)]
pub struct Legs<'s> {
    pub(super) course: Course<'s>,
    /// The first point of the next walked leg, and its first step.
    ///
    /// Beyond the end after the last leg.
    point: usize,
    step: usize,
    /// The link after the last walked leg that was returned, and its step.
    link: Option<(u32, usize)>,
}

impl<'s> Legs<'s> {
    pub(super) fn new(course: Course<'s>) -> Legs<'s> {
        Legs { course, point: 0, step: 0, link: None }
    }
}

impl Iterator for Legs<'_> {
    type Item = Leg;

    fn next(&mut self) -> Option<Leg> {
        if let Some((number, step)) = self.link.take() {
            return Some(Leg {
                link: Some(number),
                points: self.point - 1..self.point + 1,
                polygons: step..step + 2,
            });
        }
        let first = self.point;
        if first >= self.course.points.len() {
            return None;
        }
        let mut end = first + 1;
        while end < self.course.points.len() && !self.course.begins_leg(end) {
            end += 1;
        }
        let (step, link) = next_link(self.course.steps, self.step);
        let leg = Leg { link: None, points: first..end, polygons: self.step..step + 1 };
        (self.point, self.step) = (end, step + 1);
        self.link = link.map(|number| (number, step));
        Some(leg)
    }
}
