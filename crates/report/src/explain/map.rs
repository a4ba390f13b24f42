//! Explains places of grid maps, whose cells are free or blocked.

use navbake_bake::BakeInput;

use super::answer::{Answer, Cause, Reason, place as show};

/// What a place (y-up metres) of a grid map is to each agent.
///
/// `None` if the job is made of triangles, or if a coordinate is not finite.
pub fn explain_map(job: &BakeInput, at: [f64; 3]) -> Option<Vec<Answer>> {
    let map = job.grid_map()?;
    let agents = job.config().agent_list();
    if !at.iter().all(|c| c.is_finite()) {
        return None;
    }
    let number = map.cell_at([at[0], at[2]]).unwrap_or(usize::MAX);
    let width = (map.width as usize).max(1);
    let [column, row] = [number % width, number / width];
    let answers = agents.iter().zip(0u16..).map(|(agent, who)| {
        let mut answer = Answer::new(&agent.name);
        let Some(free) = map.free.get(number) else {
            let message = format!(
                "{} is outside of the map of {} x {} cells of {} m",
                show(at),
                map.width,
                map.height,
                map.cell
            );
            return answer.not(Reason::new(Cause::NoGround, message));
        };
        if !free {
            let message = format!("the cell of column {column} and row {row} is blocked");
            return answer.not(Reason::new(Cause::BlockedCell, message));
        }
        answer.ground = Some([at[0], 0.0, at[2]]);
        let area = job.areas_of_cells().get(number).copied().unwrap_or(0);
        let Some(area_of) = job.level().areas.get(usize::from(area)) else {
            return answer;
        };
        answer.area = Some(area_of.name.clone());
        let mut rows = job.weights().rows.iter();
        let row = rows.find(|r| r.agent == who && r.name.is_empty());
        if row.is_some_and(|r| r.by_area.get(usize::from(area)) == Some(&None)) {
            let message = format!("the agent does not walk on the area `{}`", area_of.name);
            return answer.not(Reason::new(Cause::AreaBlocked, message));
        }
        answer
    });
    Some(answers.collect())
}
