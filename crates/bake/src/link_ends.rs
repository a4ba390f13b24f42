//! Finds the polygons that links begin and end on.
//!
//! An end is moved to the nearest ground: at most the agent's radius beside it, its climb above
//! it and its height below it. The navmesh is the one that games search.

use navbake_format::write::LinkParts;
use navbake_format::{DiagnosticKind, PolyId};
use navbake_level::number::{point, readable};
use navbake_level::{Agent, Link, Warning};
use navbake_lint::Diagnostic;
use navbake_mesh::PolygonMesh;
use navbake_search::{NavPoint, NavQuery};

/// How far the nearest ground is looked for, for messages, m.
const FAR: f64 = 25.0;

/// A class of agents and its mesh.
pub(crate) struct LinkedClass<'a> {
    pub(crate) class: u16,
    pub(crate) agent: &'a Agent,
    /// The class's agents, one bit each.
    pub(crate) agents: u32,
    pub(crate) numbers: &'a PolygonNumbers,
}

/// The links of a class, by their polygons in the mesh; reports those that are left out.
pub(crate) fn place<'l>(
    of: &LinkedClass<'_>,
    view: navbake_format::NavMesh<'_>,
    links: &'l [Link],
    warnings: &mut Vec<Warning>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<LinkParts<'l>> {
    let query = NavQuery::new(view);
    let mut placed = vec![];
    for link in links.iter().filter(|l| l.agents & of.agents != 0) {
        let ends = [(link.from, "begins"), (link.to, "ends")].map(|(place, does)| {
            let found = ground_at(&query, of.agent, place);
            if found.is_none() {
                warnings.push(lost(&query, of.agent, link, place, does));
                diagnostics.push(Diagnostic {
                    class: Some(of.class),
                    name: link.name.clone(),
                    ..Diagnostic::new(DiagnosticKind::LinkOffMesh, place)
                });
            }
            found.and_then(|at| {
                Some((of.numbers.of_polygon(&view, at.polygon())?, flat(&view, &at)?))
            })
        });
        let [Some(from), Some(to)] = ends else {
            continue;
        };
        placed.push(LinkParts {
            from,
            to,
            cost: link.cost,
            width: link.width as f32,
            agents: link.agents & of.agents,
            switch: link.switch,
            kind: link.kind,
            name: &link.name,
        });
    }
    placed
}

/// The ground at an end of a link, or at another point that a designer set.
pub(crate) fn ground_at(query: &NavQuery<'_>, agent: &Agent, place: [f64; 3]) -> Option<NavPoint> {
    let reach = agent.radius;
    let found = query.nearest(place, [reach, agent.height, reach])?;
    let [x, y, z] = found.position();
    let beside = (x - place[0]).hypot(z - place[2]);
    // Points on the grid are a little off the place.
    let slack = 2.0 / query.mesh().grid().units();
    (beside <= reach + slack && y - place[1] <= agent.climb + slack).then_some(found)
}

fn lost(query: &NavQuery<'_>, agent: &Agent, link: &Link, place: [f64; 3], does: &str) -> Warning {
    let called = match link.name.as_str() {
        "" => String::new(),
        name => format!(" `{name}`"),
    };
    let nearest = query.nearest(place, [FAR; 3]).map(|at| {
        let p = at.position();
        let square: f64 = (0..3).map(|k| (p[k] - place[k]) * (p[k] - place[k])).sum();
        format!("{} m from the nearest ground, {},", readable(square.sqrt(), 3), point(p))
    });
    let nearest = nearest.unwrap_or_else(|| format!("more than {FAR} m from any ground"));
    Warning {
        code: "link-off-mesh",
        message: format!(
            "the link{called} {does} {nearest} of agent `{}`, and is left out for it; move its end to walkable ground, at most {} m beside \
             it and {} m below",
            agent.name,
            readable(agent.radius, 3),
            readable(agent.climb, 3)
        ),
        place: place.into(),
    }
}

/// The mesh's numbers of the encoded polygons: those with the same corners.
pub(crate) struct PolygonNumbers {
    by_corners: Vec<(Vec<[i32; 3]>, u32)>,
}

impl PolygonNumbers {
    pub(crate) fn of(mesh: &PolygonMesh) -> PolygonNumbers {
        let corner = |&v: &u32| {
            let p = mesh.vertices[v as usize];
            [p.x, p.y, p.z]
        };
        let sorted = |p: usize| {
            let mut all: Vec<[i32; 3]> = mesh.polygon(p).iter().map(corner).collect();
            all.sort_unstable();
            (all, p as u32)
        };
        let mut by_corners: Vec<_> = (0..mesh.len()).map(sorted).collect();
        by_corners.sort_unstable();
        PolygonNumbers { by_corners }
    }

    pub(crate) fn of_polygon(
        &self,
        view: &navbake_format::NavMesh<'_>,
        polygon: PolyId,
    ) -> Option<u32> {
        let it = view.polygon(polygon);
        let mut wanted: Vec<[i32; 3]> = (0..it.len()).map(|k| it.point(k)).collect();
        wanted.sort_unstable();
        let first = self.by_corners.partition_point(|(c, _)| *c < wanted);
        let (corners, number) = self.by_corners.get(first)?;
        (*corners == wanted).then_some(*number)
    }
}

/// A place in the ground plane, grid units.
fn flat(view: &navbake_format::NavMesh<'_>, at: &NavPoint) -> Option<[i32; 2]> {
    let [x, _, z] = view.grid().snap(at.position())?;
    Some([x, z])
}
