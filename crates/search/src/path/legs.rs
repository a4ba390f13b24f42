//! The legs of a path: walks over ground, and links between them.

use core::ops::Range;

use super::course::Course;
use super::scratch::Step;

/// A stretch of a path of one kind. They follow one another: walk, link, walk and so on; where a link ends at the begin of another one, the walk
/// between them has two points at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The number of the link that is taken; `None` on ground.
    pub link: Option<u32>,
    /// Its points, by their numbers in [`Answer::points`](super::Answer::points). A link has two, the last of the walk before and the first of
    /// the walk after it.
    pub points: Range<usize>,
    /// Its polygons, by their numbers in [`Answer::polygons`](super::Answer::polygons).
    pub polygons: Range<usize>,
}

/// In [`Step::edge`]: the polygon is left by the link of this number, not over an edge.
const LINK: u32 = 1 << 31;

impl Step {
    /// A step over a link.
    pub(super) fn by_link(polygon: u32, link: u32) -> Step {
        Step {
            polygon,
            edge: link | LINK,
        }
    }

    /// The link that it takes.
    pub(super) fn link(&self) -> Option<u32> {
        (self.edge & LINK != 0).then_some(self.edge & !LINK)
    }
}

/// The first of a path's steps from one on that takes a link, and that link; at their end there is none.
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
    /// The first point and the first step of the next walk; beyond the end when all are told.
    point: usize,
    step: usize,
    /// The link after the walk that was told last, and its step.
    link: Option<(u32, usize)>,
}

impl<'s> Legs<'s> {
    pub(super) fn new(course: Course<'s>) -> Legs<'s> {
        Legs {
            course,
            point: 0,
            step: 0,
            link: None,
        }
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
        let leg = Leg {
            link: None,
            points: first..end,
            polygons: self.step..step + 1,
        };
        (self.point, self.step) = (end, step + 1);
        self.link = link.map(|number| (number, step));
        Some(leg)
    }
}
