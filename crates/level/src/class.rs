//! Classes of agents that share a navmesh.

use crate::Agent;

/// Agents of the same radius, height, climb and slope, which share one navmesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// The first agent of the class.
    pub agent: Agent,
    /// Its agents, as indices into the original list, ascending.
    pub members: Vec<usize>,
}

/// The classes of a list of agents, and the class of each agent.
///
/// Classes are in the order of their first agents.
pub fn classes(agents: &[Agent]) -> (Vec<Class>, Vec<usize>) {
    let sizes = |a: &Agent| (a.radius, a.height, a.climb, a.slope);
    let mut classes: Vec<Class> = vec![];
    let mut class_of = Vec::with_capacity(agents.len());
    for (i, agent) in agents.iter().enumerate() {
        let known =
            classes.iter().position(|c| sizes(&c.agent) == sizes(agent)).unwrap_or_else(|| {
                classes.push(Class { agent: agent.clone(), members: vec![] });
                classes.len() - 1
            });
        classes[known].members.push(i);
        class_of.push(known);
    }
    (classes, class_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_that_differ_in_name_and_reach_alone_share_a_class() {
        let of = |name: &str, radius: f64, drop: f64| Agent {
            name: name.into(),
            radius,
            drop,
            ..Agent::default()
        };
        let agents = [of("elf", 0.3, 0.0), of("orc", 0.6, 0.0), of("cat", 0.3, 4.0)];
        let (classes, class_of) = classes(&agents);
        assert_eq!(class_of, [0, 1, 0]);
        assert_eq!(classes[0].members, [0, 2]);
        assert_eq!(classes[0].agent.name, "elf");
        assert_eq!(classes[1].members, [1]);
    }
}
