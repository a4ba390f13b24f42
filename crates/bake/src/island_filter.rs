//! Drops islands that are small and have no marker, seed or link; or that no seed reaches.

use navbake_format::DiagnosticKind;
use navbake_geom::Point3;
use navbake_hierarchy::{ClassMesh, Islands, keep, polygons_under};
use navbake_level::number::{count, exact, readable};
use navbake_level::{Agent, Class, Level, Warning};
use navbake_lint::Diagnostic;
use navbake_mesh::PolygonMesh;

use crate::config::Config;
use crate::error::BakeError;
use crate::input::BakeInput;
use crate::linking;
use crate::recorder::Recorder;

/// Which islands of a class are kept, and what is reported of the others.
struct Choice {
    /// One entry an island.
    keep: Vec<bool>,
    warnings: Vec<Warning>,
    /// Oddities with places, for reports.
    diagnostics: Vec<Diagnostic>,
    /// Why no island is kept, where there were islands and none is.
    emptied: Option<String>,
}

/// What a config says of the islands of a class, before links are followed.
struct Marks {
    points: Vec<[f64; 3]>,
    /// How many of the points are seeds.
    seeds: usize,
    /// Is a seed on the island?
    seeded: Vec<bool>,
    /// Is it smaller than `min_region`, with no seed, no marker and no end of a link?
    crumb: Vec<bool>,
    /// The seeds without ground.
    lost: Vec<usize>,
}

fn marks(config: &Config, level: &Level, agent: &Agent, of: &ClassMesh) -> Marks {
    let (mesh, islands) = (&of.mesh, &of.islands);
    let units = level.grid.units();
    let mut points = config.seed_places(&level.markers);
    let seeds = points.len();
    points.extend(level.markers.iter().map(|m| m.position));
    points.extend(level.links.iter().flat_map(|link| [link.from, link.to]));
    let under = polygons_under(&points, &level.grid, agent, mesh);
    let (mut seeded, mut marked) = (vec![false; islands.len()], vec![false; islands.len()]);
    let mut lost = vec![];
    for (i, polygon) in under.iter().enumerate() {
        match polygon {
            Some(t) if i < seeds => seeded[islands.of[*t as usize] as usize] = true,
            Some(t) => marked[islands.of[*t as usize] as usize] = true,
            None if i < seeds => lost.push(i),
            None => {}
        }
    }
    let least = config.min_region.unwrap_or(0.0) * units * units * 2.0;
    let small = |i: usize| (islands.area_doubled[i] as f64) < least;
    let crumb = (0..islands.len()).map(|i| small(i) && !seeded[i] && !marked[i]).collect();
    Marks { points, seeds, seeded, crumb, lost }
}

/// Keeps islands with a seed, a marker or the end of a link, and those of `min_region` or more.
///
/// When there are seeds, only islands that they reach are kept: by `reached`, one entry an island.
fn choose(
    config: &Config,
    level: &Level,
    number: u16,
    class: &Class,
    of: &ClassMesh,
    marks: &Marks,
    reached: &[bool],
) -> Choice {
    let (mesh, islands) = (&of.mesh, &of.islands);
    let grid = level.grid;
    let units = grid.units();
    let area = |doubled: i128| doubled as f64 / 2.0 / (units * units);
    let (mut warnings, mut diagnostics) = (vec![], vec![]);

    let Marks { points, seeds, crumb, lost, .. } = marks;
    for &i in lost {
        warnings.push(Warning {
            code: "seed-off-mesh",
            message: format!(
                "the seed has no ground for agent `{}` under it; it keeps nothing",
                class.agent.name
            ),
            place: points[i].into(),
        });
        diagnostics.push(Diagnostic {
            class: Some(number),
            ..Diagnostic::new(DiagnosticKind::SeedOffMesh, points[i])
        });
    }

    let mut report = |code, what: &str, out: &[usize]| {
        // Islands are numbered by place: of equally large ones it is always the same.
        let Some(&largest) =
            out.iter().max_by_key(|&&i| (islands.area_doubled[i], std::cmp::Reverse(i)))
        else {
            return;
        };
        let sum: i128 = out.iter().map(|&i| islands.area_doubled[i]).sum();
        warnings.push(Warning {
            code,
            message: format!(
                "{} {what} left out for agent `{}`: {} m2 in all, the largest {} m2",
                count(out.len(), "island"),
                class.agent.name,
                readable(area(sum), 3),
                readable(area(islands.area_doubled[largest]), 3)
            ),
            place: grid.metres(islands.least[largest]).into(),
        });
    };
    let (mut cut_off, mut crumbs) = (vec![], vec![]);
    for i in 0..islands.len() {
        if *seeds > 0 && !reached[i] {
            cut_off.push(i);
        } else if crumb[i] {
            crumbs.push(i);
        }
    }
    report("islands-without-seed", "that no seed reaches", &cut_off);
    let what = format!(
        "smaller than `min_region` = {} m2 without a marker or seed",
        exact(config.min_region.unwrap_or(0.0))
    );
    report("small-islands", &what, &crumbs);
    let middles = middles(mesh, islands);
    for (kind, out) in
        [(DiagnosticKind::UnseededIsland, &cut_off), (DiagnosticKind::SmallIsland, &crumbs)]
    {
        diagnostics.extend(out.iter().map(|&i| Diagnostic {
            class: Some(number),
            value: area(islands.area_doubled[i]),
            limit: config.min_region.unwrap_or(0.0),
            ..Diagnostic::new(kind, grid.metres(middles[i]))
        }));
    }
    let mut keep = vec![true; islands.len()];
    for i in cut_off.into_iter().chain(crumbs) {
        keep[i] = false;
    }
    let largest = islands.area_doubled.iter().max().copied();
    let emptied = match largest {
        Some(largest) if !keep.contains(&true) => Some(why_none_is_kept(
            islands.len(),
            area(largest),
            *seeds,
            config.min_region.unwrap_or(0.0),
        )),
        _ => None,
    };
    Choice { keep, warnings, diagnostics, emptied }
}

/// A place in the midst of each island: the middle of its largest polygon's corners, the first of
/// equals.
fn middles(mesh: &PolygonMesh, islands: &Islands) -> Vec<Point3> {
    let mut best = vec![(-1, Point3::default()); islands.len()];
    for (p, &island) in islands.of.iter().enumerate() {
        let (most, place) = &mut best[island as usize];
        let doubled = mesh.polygon_area_doubled(p);
        if doubled > *most {
            let ring = mesh.polygon(p);
            let sum = |of: fn(&Point3) -> i32| {
                let all = ring.iter().map(|&v| i64::from(of(&mesh.vertices[v as usize])));
                (all.sum::<i64>() / ring.len().max(1) as i64) as i32
            };
            *most = doubled;
            *place = Point3::new(sum(|p| p.x), sum(|p| p.y), sum(|p| p.z));
        }
    }
    best.into_iter().map(|(_, place)| place).collect()
}

/// Which setting took every island away, in numbers, and the cure. An island with a seed is always
/// kept, so that seeds take all of them only when none has ground under it.
fn why_none_is_kept(islands: usize, largest: f64, seeds: usize, min_region: f64) -> String {
    let of = match islands {
        1 => "the only island".into(),
        n => format!("the largest of the {n} islands"),
    };
    let largest = readable(largest, 3);
    if seeds > 0 {
        let none = match seeds {
            1 => "the seed is not".into(),
            n => format!("none of the {n} seeds is"),
        };
        format!(
            "{none} on walkable ground ({of} has {largest} m2), and only islands with a seed are kept; move `seeds` or leave them out"
        )
    } else {
        format!(
            "{of} has {largest} m2 and `min_region` is {} m2; lower `min_region`, or check `scale`",
            exact(min_region)
        )
    }
}

/// The islands that are kept of each class.
pub(crate) struct Filtered {
    pub(crate) meshes: Vec<ClassMesh>,
    /// For each class, why none of its islands was kept, where that is so.
    emptied: Vec<Option<String>>,
}

/// Drops and reports small islands without a marker or seed, and those that no seed reaches.
pub(crate) fn filter_islands(
    input: &BakeInput,
    classes: &[Class],
    class_of_agent: &[usize],
    meshes: Vec<PolygonMesh>,
    rec: &mut Recorder<'_>,
) -> Result<Filtered, BakeError> {
    let (config, level) = (&input.config, &input.level);
    let (meshes, marks) = rec.serial("islands", || {
        let whole: Vec<ClassMesh> = meshes.into_iter().map(ClassMesh::new).collect();
        let of = |(class, mesh): (&Class, &ClassMesh)| marks(config, level, &class.agent, mesh);
        let marks: Vec<Marks> = classes.iter().zip(&whole).map(of).collect();
        (whole, marks)
    })?;
    let reached = reached(input, class_of_agent, &meshes, &marks, rec)?;
    let (mut kept, mut emptied) = (vec![], vec![]);
    let of_class = marks.iter().zip(&reached);
    for (number, ((class, whole), (marks, reached))) in
        (0u16..).zip(classes.iter().zip(meshes).zip(of_class))
    {
        let (mesh, choice) = rec.serial("islands", || {
            let choice = choose(config, level, number, class, &whole, marks, reached);
            (only(whole, &choice.keep), choice)
        })?;
        rec.warnings.extend(choice.warnings);
        rec.diagnostics.extend(choice.diagnostics);
        emptied.push(choice.emptied);
        kept.push(mesh);
    }
    Ok(Filtered { meshes: kept, emptied })
}

/// A mesh without some of its islands.
fn only(whole: ClassMesh, islands: &[bool]) -> ClassMesh {
    if islands.iter().all(|&k| k) {
        return whole;
    }
    let marks: Vec<bool> = whole.islands.of.iter().map(|&i| islands[i as usize]).collect();
    ClassMesh::new(keep(&whole.mesh, &marks))
}

/// Which islands of each class some agent gets to from a seed: on foot and over the links that the
/// agent may use, as the finished file will have them.
fn reached(
    input: &BakeInput,
    class_of_agent: &[usize],
    meshes: &[ClassMesh],
    marks: &[Marks],
    rec: &mut Recorder<'_>,
) -> Result<Vec<Vec<bool>>, BakeError> {
    let mut reached: Vec<Vec<bool>> = marks.iter().map(|m| m.seeded.clone()).collect();
    let is_any = |of: &[bool]| of.contains(&true);
    if !marks.iter().any(|m| is_any(&m.seeded) && m.seeded.contains(&false))
        || !linking::has_links(input)
    {
        return Ok(reached);
    }
    // Small islands get no links of their own: they are left out first.
    let large: Vec<ClassMesh> = rec.serial("islands", || {
        let without = |(mesh, marks): (&ClassMesh, &Marks)| {
            let large: Vec<bool> = marks.crumb.iter().map(|c| !c).collect();
            only(mesh.clone(), &large)
        };
        meshes.iter().zip(marks).map(without).collect()
    })?;
    let ways = linking::ways(input, &large, class_of_agent, rec)?;
    for (class, ways) in ways.iter().enumerate() {
        // Numbers of islands stay in order where some are left out.
        let crumb = &marks[class].crumb;
        let number: Vec<usize> = (0..crumb.len()).filter(|&i| !crumb[i]).collect();
        let islands = &large[class].islands;
        let island = |polygon: u32| number[islands.of[polygon as usize] as usize];
        let agents = ways.iter().fold(0, |all, way| all | way.agents);
        for agent in (0..u32::BITS).map(|bit| 1 << bit).filter(|bit| agents & bit != 0) {
            let mut own = marks[class].seeded.clone();
            let mut queue: Vec<usize> = (0..own.len()).filter(|&i| own[i]).collect();
            while let Some(from) = queue.pop() {
                for way in ways.iter().filter(|w| w.agents & agent != 0) {
                    let to = island(way.polygons[1]);
                    if island(way.polygons[0]) == from && !std::mem::replace(&mut own[to], true) {
                        queue.push(to);
                    }
                }
            }
            for (slot, own) in reached[class].iter_mut().zip(own) {
                *slot |= own;
            }
        }
    }
    Ok(reached)
}

impl Filtered {
    /// Reports classes without ground.
    ///
    /// # Errors
    /// When no class has any, unless the config allows an empty navmesh.
    pub(crate) fn check_walkable(
        &self,
        input: &BakeInput,
        classes: &[Class],
        rec: &mut Recorder<'_>,
    ) -> Result<(), BakeError> {
        let why = |class: usize, agent: &Agent| match &self.emptied[class] {
            Some(reason) => reason.clone(),
            None => why_empty(input, agent),
        };
        let is_empty = |m: &ClassMesh| m.mesh.is_empty();
        if !input.config.allow_empty
            && self.meshes.iter().all(is_empty)
            && let Some(class) = classes.first()
        {
            let mut reason = why(0, &class.agent);
            let is_said = |w: &&Warning| {
                let of_islands = ["small-islands", "islands-without-seed", "seed-off-mesh"];
                self.emptied.iter().any(Option::is_some) && of_islands.contains(&w.code)
            };
            for w in rec.warnings.iter().filter(|w| !is_said(w)) {
                reason.push_str(&format!("; {}", w.message));
            }
            return Err(BakeError::input(
                &input.place,
                format!(
                    "nothing is walkable for agent `{}`: {reason} (`allow_empty` bakes an empty navmesh)",
                    class.agent.name
                ),
            ));
        }
        let with_meshes = classes.iter().zip(&self.meshes).enumerate();
        for (i, (class, _)) in with_meshes.filter(|(_, (_, m))| is_empty(m)) {
            let (agent, why) = (&class.agent.name, why(i, &class.agent));
            let message = format!("nothing is walkable for agent `{agent}`: {why}");
            rec.warn("nothing-walkable", &input.place, message);
        }
        Ok(())
    }
}

/// The likely reason why an agent has no ground, and the cure.
fn why_empty(input: &BakeInput, agent: &Agent) -> String {
    if input.map.is_some() {
        return "the map has no free cell".into();
    }
    if input.chunked.is_some() {
        return format!(
            "nowhere in the world is there ground with a slope of at most {} degrees and room for radius {} m and height {} m; check              `scale`, `up`, `winding` and the agent",
            agent.slope, agent.radius, agent.height
        );
    }
    let least = agent.least_up();
    let all = input.level.triangles.len();
    let up = input.level.triangles.iter().filter(|t| t.up >= least).count();
    let down = input.level.triangles.iter().filter(|t| -t.up >= least).count();
    if up == 0 && down > 0 {
        format!(
            "none of the {all} triangles faces up and {down} face down; check `winding` (or `up`)"
        )
    } else if up == 0 {
        format!(
            "none of the {all} triangles is flat enough for a slope of {} degrees; check `up`",
            agent.slope
        )
    } else {
        format!(
            "{up} of the {all} triangles are flat enough, but nowhere is there room for radius {} m and height {} m; check `scale` \
             and the agent",
            agent.radius, agent.height
        )
    }
}
