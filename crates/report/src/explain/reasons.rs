//! Reasons in words and figures.

use navbake_level::{PASSAGE_REPORTED, PASSAGE_ROUNDING};

use super::answer::{Answer, Cause, Reason, metres, place as show};
use super::room::{Border, End, Rooms};
use super::{Explainer, Surface, Who, lid};

impl Explainer<'_> {
    /// Why an agent cannot stand at a place.
    ///
    /// The reasons of the nearest surface come first, then those of the others.
    pub(super) fn not_ground(
        &self,
        mut answer: Answer,
        who: &Who,
        column: &[Surface],
        asked: Option<usize>,
        place: [f64; 2],
        y: f64,
    ) -> Answer {
        let Some(asked) = asked else {
            return answer.not(self.nothing(who, column, place, y));
        };
        let body = &who.body;
        let found = column[asked].y;
        answer.ground = Some(self.outward([place[0], found, place[1]]));
        self.describe(&mut answer, column, asked, body);
        let near = |k: &usize| (column[*k].y - found).abs() <= body.climb;
        // Ground without head room comes first, because the agent could otherwise walk on it.
        let mut answer = answer;
        if let Some(reason) =
            (0..column.len()).rev().filter(near).find_map(|k| self.bump(who, column, k, place))
        {
            answer = answer.not(reason);
        }
        if !column[asked].ground {
            let reason = self.no_ground_itself(who, &column[asked]);
            answer = answer.not(reason);
        }
        answer
    }

    fn nothing(&self, who: &Who, column: &[Surface], place: [f64; 2], y: f64) -> Reason {
        let agent = &who.agent;
        let mut message = format!(
            "no ground within {} m below and {} m above",
            metres(agent.height),
            metres(agent.climb)
        );
        let mut reason = Reason::new(Cause::NoGround, String::new());
        let below = column.iter().rev().find(|s| s.y < y);
        let above = column.iter().find(|s| s.y > y);
        for (s, way, name) in [(below, "below", "below_m"), (above, "above", "above_m")] {
            if let Some(s) = s {
                let far = self.length((s.y - y).abs());
                message += &format!("; the nearest surface {way} is {} m away", metres(far));
                reason = reason.figure(name, far);
                if reason.place.is_none() {
                    reason.place = Some(self.outward([place[0], s.y, place[1]]));
                    reason = reason.of(self.object(s.solid));
                }
            }
        }
        if below.is_none() && above.is_none() {
            message += "; no surface below or above";
        }
        Reason { message, ..reason }
    }

    /// Why a surface is not ground.
    fn no_ground_itself(&self, who: &Who, surface: &Surface) -> Reason {
        let solid = &self.solids.all[surface.solid as usize];
        let (slope, limit) = (solid.slope(), who.agent.slope);
        if solid.obstacle {
            let name = self.part(surface.solid).unwrap_or_default();
            return Reason::new(
                Cause::Obstacle,
                format!("the surface `{name}` is of the role `obstacle`"),
            )
            .of(self.object(surface.solid));
        }
        if solid.up < 0 {
            return Reason::new(
                Cause::FacesDown,
                "the surface here faces down: it is a ceiling, or its winding is wrong".into(),
            )
            .of(self.object(surface.solid))
            .figure("slope_degrees", slope);
        }
        Reason::new(Cause::TooSteep, format!("slope {slope:.1} of {limit} degrees"))
            .of(self.object(surface.solid))
            .figure("slope_degrees", slope)
            .figure("limit_degrees", limit)
    }

    /// What takes the head room above ground, if anything.
    fn bump(&self, who: &Who, column: &[Surface], k: usize, place: [f64; 2]) -> Option<Reason> {
        if !column[k].ground {
            return None;
        }
        let above = lid(column, k, &who.body)?;
        let room = self.length(above.y - column[k].y);
        let at = self.outward([place[0], above.y, place[1]]);
        Some(self.low(Cause::LowCeiling, "", room, who, above.solid).at(at))
    }

    fn low(&self, cause: Cause, before: &str, room: f64, who: &Who, solid: u32) -> Reason {
        let needed = who.agent.height;
        let by = self.part(solid);
        let by = by.map_or(String::new(), |name| format!(" under `{name}`"));
        let message = format!("{before}head room {} of {} m{by}", metres(room), metres(needed));
        Reason::new(cause, message)
            .of(self.object(solid))
            .figure("room_m", room)
            .figure("needed_m", needed)
    }

    /// The passage of about two radii that a place is in, if any: the bake closes it.
    ///
    /// `border` is the nearest end of the ground. From the middle of such a passage the opposite
    /// one is as near.
    pub(super) fn too_narrow(
        &self,
        rooms: &mut Rooms,
        who: &Who,
        place: [f64; 2],
        y: f64,
        border: &Border,
    ) -> Option<Reason> {
        let body = &who.body;
        let half = body.radius + PASSAGE_ROUNDING / 2.0;
        if border.distance <= 0.0 || border.distance > half || body.radius == 0.0 {
            return None;
        }
        let [x, _, z] = border.at;
        let middle = [(place[0], x), (place[1], z)]
            .map(|(at, end)| end + (at - end) * (half / border.distance));
        let opposite = rooms.border(&self.solids, middle, y, half + 1.0, false, body)?;
        // The border itself is as near, so the search goes on a little farther from it.
        let past = [0, 1].map(|k| middle[k] + (middle[k] - [x, z][k]) * (4.0 / half));
        let opposite = match rooms.border(&self.solids, past, y, half, false, body) {
            Some(nearer) if nearer.distance < opposite.distance => nearer,
            _ => opposite,
        };
        let width = (opposite.at[0] - x).hypot(opposite.at[2] - z);
        if width < 2.0 * body.radius - PASSAGE_REPORTED
            || width > 2.0 * body.radius + PASSAGE_ROUNDING
        {
            return None;
        }
        let between = [0, 1, 2].map(|k| (border.at[k] + opposite.at[k]) / 2.0);
        let needed = 2.0 * who.agent.radius;
        let width = self.length(width);
        let message = format!(
            "a passage of {} m at {} is closed: the agent needs more than {} m",
            metres(width),
            show(self.outward(between)),
            metres(needed)
        );
        let mut reason = Reason::new(Cause::NarrowPassage, message).at(self.outward(between));
        if let End::Wall(solid) | End::Lid(solid, _) | End::Slope(solid) = border.end {
            reason = reason.of(self.object(solid));
        }
        Some(reason.figure("width_m", width).figure("needed_m", needed))
    }

    /// Why ground ends nearer than the radius.
    pub(super) fn too_near(&self, who: &Who, border: &Border) -> Reason {
        let agent = &who.agent;
        let far = self.length(border.distance);
        let at = self.outward(border.at);
        let close = format!(
            "{} m too close to {{what}} at {}: {} of {} m",
            metres(agent.radius - far),
            show(at),
            metres(far),
            metres(agent.radius)
        );
        let close = |what: &str| close.replace("{what}", what);
        let reason = match border.end {
            End::Wall(solid) => {
                let name = self.part(solid);
                let name = name.map_or(String::new(), |n| format!(" (`{n}`)"));
                Reason::new(Cause::NearWall, close("a wall") + &name).of(self.object(solid))
            }
            End::Lid(solid, room) => {
                let before = close("a low ceiling") + "; ";
                let room = self.length(room);
                self.low(Cause::NearLowCeiling, &before, room, who, solid)
            }
            End::Step(rise) => {
                let rise = self.length(rise);
                let step =
                    format!("; step of {} above climb {}", metres(rise), metres(agent.climb));
                Reason::new(Cause::NearStep, close("a step") + &step).figure("rise_m", rise)
            }
            End::Slope(solid) => {
                let slope = self.solids.all[solid as usize].slope();
                let steep = format!("; slope {slope:.1} of {} degrees", agent.slope);
                Reason::new(Cause::NearSlope, close("a slope") + &steep)
                    .of(self.object(solid))
                    .figure("slope_degrees", slope)
                    .figure("limit_degrees", agent.slope)
            }
            End::Ledge(None) => {
                Reason::new(Cause::NearLedge, close("a ledge") + "; nothing below it")
            }
            End::Ledge(Some(drop)) => {
                let drop = self.length(drop);
                let deep = format!("; it goes down {} m", metres(drop));
                Reason::new(Cause::NearLedge, close("a ledge") + &deep).figure("drop_m", drop)
            }
        };
        reason.at(at).figure("distance_m", far).figure("radius_m", agent.radius)
    }

    pub(super) fn too_small(&self, area: f64, least: f64) -> Reason {
        let square = self.level.grid.units().powi(2);
        let (area, least) = (area / square, least / square);
        let message = format!(
            "in an island of about {area:.1} m2, which `min_region` = {} m2 leaves out; no marker or link keeps it",
            metres(least)
        );
        Reason::new(Cause::SmallIsland, message)
            .figure("area_m2", area)
            .figure("min_region_m2", least)
    }

    pub(super) fn not_reached(&self, ground: Option<[f64; 3]>) -> Reason {
        let seeds = self.seeds();
        let square = |p: &[f64; 3]| {
            let g = ground.unwrap_or(*p);
            (0..3).map(|k| (p[k] - g[k]).powi(2)).sum::<f64>()
        };
        let nearest = seeds.iter().min_by(|a, b| square(a).total_cmp(&square(b))).copied();
        let near = nearest.map_or(String::new(), |p| format!("; the nearest is at {}", show(p)));
        let message = format!("on an island without any of the {} `seeds`{near}", seeds.len());
        let reason = Reason::new(Cause::NotReached, message);
        match nearest {
            Some(p) => reason.at(p),
            None => reason,
        }
    }

    /// Adds what follows from the area of the ground.
    pub(super) fn judge_area(
        &self,
        mut answer: Answer,
        who: &Who,
        column: &[Surface],
        k: usize,
    ) -> Answer {
        let number = usize::from(self.area(column, k, &who.body));
        let Some(area) = self.level.areas.get(number) else {
            return answer;
        };
        let switch = area.switch.and_then(|s| self.level.switches.get(usize::from(s)));
        if let Some(switch) = switch {
            let state = if switch.closed { "closed at the start" } else { "open at the start" };
            let note = format!("the switch `{}` closes this ground; {state}", switch.name);
            answer.notes.push(note);
        }
        if who.blocked.get(number) == Some(&true) {
            let message = format!("the agent does not walk on the area `{}`", area.name);
            return answer.not(Reason::new(Cause::AreaBlocked, message));
        }
        answer
    }

    /// Checks the designer's triangles, which decide with `surface = "floor"`.
    pub(super) fn on_floor(&self, who: &Who, place: [f64; 2], y: f64, marked: bool) -> Answer {
        let body = &who.body;
        let column = self.solids.column(place, body);
        let is_floor = |s: &Surface| {
            let solid = &self.solids.all[s.solid as usize];
            if marked { solid.floor } else { s.ground }
        };
        let floors: Vec<Surface> = column.iter().copied().filter(is_floor).collect();
        let mut answer = Answer::new(&who.agent.name);
        let Some(k) = super::nearest(&floors, y, body) else {
            let reason = self.nothing(who, &floors, place, y);
            let message = reason.message.replace("ground", "floor").replace("surface", "floor");
            return answer.not(Reason { cause: Cause::OffFloor, message, ..reason });
        };
        answer.ground = Some(self.outward([place[0], floors[k].y, place[1]]));
        self.describe(&mut answer, &floors, k, body);
        answer.notes.push(
            "`surface = \"floor\"`: the designer's triangles are the navmesh, whatever is on them"
                .into(),
        );
        self.judge_area(answer, who, &floors, k)
    }
}
