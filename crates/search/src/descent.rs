//! Descent in a potential: where cost and the distance from a goal fall, without a search.

use navbake_navmesh::math::length;

use crate::motion::{MoveLog, MoveRequest};
use crate::{NavPoint, NavQuery};

/// What a unit descends in: the cost of a metre where it is, and for each metre to a goal `pull`
/// more, in a straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DescentRequest {
    /// The goal, y-up metres; its height is ignored. Without one, cost alone is descended.
    pub goal: Option<[f64; 3]>,
    /// What a metre to the goal adds.
    pub pull: f64,
    /// The usual step, m; up to eight times as far is tried where nothing nearer is lower.
    pub step: f64,
}

/// Why a descent ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DescentEnd {
    /// At the goal.
    Goal,
    /// In a local minimum: nothing near is lower. With a goal the unit is stuck.
    Minimum,
    /// There is no more room for places.
    OutOfRoom,
    /// The start is on no ground.
    OffMesh,
}

impl DescentEnd {
    /// The word for it on the command line and in its JSON.
    pub fn name(self) -> &'static str {
        match self {
            DescentEnd::Goal => "reached",
            DescentEnd::Minimum => "minimum",
            DescentEnd::OutOfRoom => "out_of_room",
            DescentEnd::OffMesh => "off_mesh",
        }
    }
}

/// Where a descent led.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Descent<'p> {
    /// Why it ended.
    pub end: DescentEnd,
    /// The places, from the start on.
    pub places: &'p [NavPoint],
}

/// Directions tried at each place: those of a quarter turn, and the same turned by quarters.
const QUARTER: [[f64; 2]; 4] = [
    [1.0, 0.0],
    [0.923_879_532_511_286_7, 0.382_683_432_365_089_8],
    [core::f64::consts::FRAC_1_SQRT_2, core::f64::consts::FRAC_1_SQRT_2],
    [0.382_683_432_365_089_8, 0.923_879_532_511_286_7],
];

/// How long steps are tried, in the step of the request. Longer ones come last: bands of cost are
/// even inside.
const LENGTHS: [f64; 9] =
    [1.0, 1.0 / 2.0, 1.0 / 4.0, 1.0 / 8.0, 1.0 / 16.0, 1.0 / 32.0, 2.0, 4.0, 8.0];

impl NavQuery<'_> {
    /// The potential at a place. Infinite on forbidden ground.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let at = query.locate([1.0, 0.0, 1.0], 2.0).unwrap();
    /// use navbake_search::DescentRequest;
    ///
    /// let request = DescentRequest { goal: Some([4.0, 0.0, 5.0]), pull: 2.0, step: 0.5 };
    /// assert_eq!(query.potential(&at, &request), 1.0 + 2.0 * 5.0);
    /// ```
    pub fn potential(&self, at: &NavPoint, request: &DescentRequest) -> f64 {
        if self.is_forbidden(at.polygon()) {
            return f64::INFINITY;
        }
        let cost = self.costs.map_or(1.0, |costs| costs.get(self.mesh.area(at.polygon())));
        let [x, _, z] = at.position();
        let far = request.goal.map_or(0.0, |goal| length(goal[0] - x, goal[2] - z));
        cost + request.pull * far
    }

    /// Goes from place to place, each time a step to the lowest of 16 around, while that is lower.
    ///
    /// Where none is lower, shorter steps are tried, and then longer ones. Steps slide along walls;
    /// links are not followed. Only the ends of a step count: bands of cost that are narrower can be
    /// stepped over. A descent ends in local minima, such as before a wall across the line to the
    /// goal. Takes time by the number of steps.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let at = query.locate([1.0, 0.0, 1.0], 2.0).unwrap();
    /// use navbake_search::DescentRequest;
    /// use navbake_search::around::DescentEnd;
    ///
    /// let request = DescentRequest { goal: Some([4.0, 0.0, 5.0]), pull: 1.0, step: 0.5 };
    /// let mut places = [at; 64];
    /// let descent = query.descend(&at, &request, &mut places);
    /// assert_eq!(descent.end, DescentEnd::Goal);
    /// ```
    pub fn descend<'p>(
        &self,
        from: &NavPoint,
        request: &DescentRequest,
        places: &'p mut [NavPoint],
    ) -> Descent<'p> {
        let mut at = *from;
        let mut count = 0;
        let end = loop {
            let Some(slot) = places.get_mut(count) else {
                break DescentEnd::OutOfRoom;
            };
            *slot = at;
            count += 1;
            if request.goal.is_some_and(|goal| self.is_at(&at, goal)) {
                break DescentEnd::Goal;
            }
            match self.lower(&at, request) {
                Some(next) => at = next,
                None => break DescentEnd::Minimum,
            }
        };
        Descent { end, places: &places[..count] }
    }

    /// Is a place within two grid units of a point, seen from above?
    fn is_at(&self, at: &NavPoint, [x, _, z]: [f64; 3]) -> bool {
        let [ax, _, az] = at.position();
        length(ax - x, az - z) * self.mesh.grid().units() <= 2.0
    }

    /// The lowest place a step away that is lower.
    fn lower(&self, at: &NavPoint, request: &DescentRequest) -> Option<NavPoint> {
        let own = self.potential(at, request);
        let [x, y, z] = at.position();
        let mut lowest = (own, None);
        let mut tried = |to: [f64; 3]| {
            let motion = self.move_along(at, &MoveRequest::new(to), MoveLog::default());
            if let Some(place) = self.place(motion.end) {
                let potential = self.potential(&place, request);
                if potential < lowest.0 {
                    lowest = (potential, Some(place));
                }
            }
            lowest.1
        };
        for step in LENGTHS.map(|length| length * request.step) {
            let mut found = None;
            for [cos, sin] in QUARTER {
                for [dx, dz] in [[cos, sin], [-sin, cos], [-cos, -sin], [sin, -cos]] {
                    found = tried([x + step * dx, y, z + step * dz]);
                }
            }
            if let Some(goal) = request.goal.filter(|g| length(g[0] - x, g[2] - z) <= step) {
                found = tried(goal);
            }
            if found.is_some() {
                return found;
            }
        }
        None
    }
}
