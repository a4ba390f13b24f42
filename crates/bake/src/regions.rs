//! Which islands are kept: by size, by markers, by seeds.

use navbake_format::DiagnosticKind;
use navbake_geom::{Grid, Point3, orient};
use navbake_hierarchy::{Islands, islands, keep};
use navbake_level::{Agent, Warning};
use navbake_mesh::NavMesh;

use crate::config::Seed;
use crate::error::BakeError;
use crate::findings::Remark;
use crate::job::{Class, Ground, Job};
use crate::number::{exact, point, readable};
use crate::run::{ClassMesh, Run};

/// What becomes of each island, and what to say about it.
struct Choice {
    /// One entry an island.
    keep: Vec<bool>,
    warnings: Vec<Warning>,
    /// The same with places, for reports.
    remarks: Vec<Remark>,
    /// Why no island is kept, where there were islands and none is.
    emptied: Option<String>,
}

/// Islands with a seed, a marker or the end of a link on them are kept; others when they are at least `min_region` large. When there are seeds, only islands
/// with a seed are kept.
fn choose(job: &Job, number: u16, class: &Class, mesh: &NavMesh, islands: &Islands) -> Choice {
    let grid = job.ground.grid();
    let place_of = |p: Point3| {
        let place = grid.metres(p);
        point(place)
    };
    let units = grid.units();
    let area = |doubled: i128| doubled as f64 / 2.0 / (units * units);
    let (mut warnings, mut remarks) = (vec![], vec![]);

    let mut points: Vec<[f64; 3]> = vec![];
    for seed in &job.config.seeds {
        match seed {
            Seed::Point(p) => points.push(*p),
            Seed::Marker(name) => {
                let named = job.ground.markers().iter().filter(|m| m.name == *name);
                points.extend(named.map(|m| m.position));
            }
        }
    }
    let seeds = points.len();
    points.extend(job.ground.markers().iter().map(|m| m.position));
    points.extend(job.links().iter().flat_map(|link| [link.from, link.to]));
    let stood_on = stood_on(&points, &grid, &class.agent, mesh);
    let (mut seeded, mut marked) = (vec![false; islands.len()], vec![false; islands.len()]);
    for (i, polygon) in stood_on.iter().enumerate() {
        match polygon {
            Some(t) if i < seeds => seeded[islands.of[*t as usize] as usize] = true,
            Some(t) => marked[islands.of[*t as usize] as usize] = true,
            None if i < seeds => {
                warnings.push(Warning {
                    code: "seed-off-mesh",
                    message: format!(
                        "the seed has no ground for agent `{}` under it; it keeps nothing",
                        class.agent.name
                    ),
                    place: point(points[i]),
                });
                remarks.push(Remark {
                    class: Some(number),
                    ..Remark::new(DiagnosticKind::SeedOffMesh, points[i])
                });
            }
            None => {}
        }
    }

    let least = job.config.min_region.unwrap_or(0.0) * units * units * 2.0;
    let small = |i: usize| (islands.area_doubled[i] as f64) < least;
    let mut report = |code, what: &str, out: &[usize]| {
        // Islands are numbered by place, so the first of several equally large ones is always the same.
        let Some(&largest) = out
            .iter()
            .max_by_key(|&&i| (islands.area_doubled[i], std::cmp::Reverse(i)))
        else {
            return;
        };
        let sum: i128 = out.iter().map(|&i| islands.area_doubled[i]).sum();
        warnings.push(Warning {
            code,
            message: format!(
                "{} islands {what} were left out for agent `{}`: {} m2 in all, the largest {} m2",
                out.len(),
                class.agent.name,
                readable(area(sum), 3),
                readable(area(islands.area_doubled[largest]), 3)
            ),
            place: place_of(islands.least[largest]),
        });
    };
    let (mut cut_off, mut crumbs) = (vec![], vec![]);
    for i in 0..islands.len() {
        if seeds > 0 && !seeded[i] {
            cut_off.push(i);
        } else if small(i) && !seeded[i] && !marked[i] {
            crumbs.push(i);
        }
    }
    report("islands-without-seed", "that no seed reaches", &cut_off);
    let what = format!(
        "smaller than `min_region` = {} m2 without a marker or seed",
        exact(job.config.min_region.unwrap_or(0.0))
    );
    report("small-islands", &what, &crumbs);
    let middles = middles(mesh, islands);
    for (kind, out) in [
        (DiagnosticKind::UnseededIsland, &cut_off),
        (DiagnosticKind::SmallIsland, &crumbs),
    ] {
        remarks.extend(out.iter().map(|&i| Remark {
            class: Some(number),
            value: area(islands.area_doubled[i]),
            limit: job.config.min_region.unwrap_or(0.0),
            ..Remark::new(kind, grid.metres(middles[i]))
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
            seeds,
            job.config.min_region.unwrap_or(0.0),
        )),
        _ => None,
    };
    Choice {
        keep,
        warnings,
        remarks,
        emptied,
    }
}

/// A place in the midst of each island: the middle of its largest polygon's corners, the first of equals.
fn middles(mesh: &NavMesh, islands: &Islands) -> Vec<Point3> {
    let mut best = vec![(-1, Point3::default()); islands.len()];
    for (p, &island) in islands.of.iter().enumerate() {
        let (most, place) = &mut best[island as usize];
        let doubled = mesh.polygon_area_doubled(p);
        if doubled > *most {
            let ring = mesh.polygon(p);
            let sum = |of: fn(&Point3) -> i32| {
                let all = ring
                    .iter()
                    .map(|&v| i64::from(of(&mesh.vertices[v as usize])));
                (all.sum::<i64>() / ring.len().max(1) as i64) as i32
            };
            *most = doubled;
            *place = Point3::new(sum(|p| p.x), sum(|p| p.y), sum(|p| p.z));
        }
    }
    best.into_iter().map(|(_, place)| place).collect()
}

/// Which setting took every island away, in numbers, and the cure. An island with a seed is always kept, so that seeds take all of them
/// only when none has ground under it.
fn why_none_is_kept(islands: usize, largest: f64, seeds: usize, min_region: f64) -> String {
    let of = match islands {
        1 => "the only island".into(),
        n => format!("the largest of the {n} islands"),
    };
    let largest = readable(largest, 3);
    if seeds > 0 {
        let none = match seeds {
            1 => "the seed does not lie".into(),
            n => format!("none of the {n} seeds lies"),
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

/// The polygon each point stands on: the nearest one seen from above within the agent's radius, of those whose ground lies between one
/// agent height below and one climb above the point; the nearest in height among equals.
pub(crate) fn stood_on(
    points: &[[f64; 3]],
    grid: &Grid,
    agent: &Agent,
    mesh: &NavMesh,
) -> Vec<Option<u32>> {
    let reach = grid.length(agent.radius).max(1);
    let (below, above) = (
        f64::from(grid.length(agent.height)),
        f64::from(grid.length(agent.climb)),
    );
    let mut queries: Vec<(Point3, usize)> = points
        .iter()
        .enumerate()
        .filter_map(|(i, &p)| Some((grid.snap_point(p)?, i)))
        .collect();
    queries.sort_unstable();
    let mut best: Vec<Option<(f64, f64, u32)>> = vec![None; points.len()];
    if queries.is_empty() {
        return vec![None; points.len()];
    }
    let fans = (0..mesh.len()).flat_map(|p| {
        let ring = mesh.polygon(p);
        ring[1..]
            .windows(2)
            .map(move |w| (p, [ring[0], w[0], w[1]]))
    });
    for (t, corners) in fans {
        let corners = corners.map(|v| mesh.vertices[v as usize]);
        let low = corners.iter().map(|c| c.x).min().unwrap_or(0) - reach;
        let high = corners.iter().map(|c| c.x).max().unwrap_or(0) + reach;
        let from = queries.partition_point(|(q, _)| q.x < low);
        for &(q, i) in queries[from..].iter().take_while(|(q, _)| q.x <= high) {
            let (away, ground) = nearest_in(corners, q);
            let rise = ground - f64::from(q.y);
            if away > f64::from(reach) * f64::from(reach) || rise > above || rise < -below {
                continue;
            }
            let found = (away, rise.abs(), t as u32);
            if best[i].is_none_or(|b| found < b) {
                best[i] = Some(found);
            }
        }
    }
    best.into_iter().map(|b| b.map(|(_, _, t)| t)).collect()
}

/// Squared distance from a point to a triangle seen from above, and the triangle's height at the nearest place.
fn nearest_in(corners: [Point3; 3], q: Point3) -> (f64, f64) {
    let [a, b, c] = corners;
    let whole = orient(a.flat(), b.flat(), c.flat());
    let parts = [(b, c), (c, a), (a, b)].map(|(u, v)| orient(u.flat(), v.flat(), q.flat()));
    if whole > 0 && parts.iter().all(|&p| p >= 0) {
        let height: f64 = corners
            .iter()
            .zip(parts)
            .map(|(c, part)| f64::from(c.y) * (part as f64 / whole as f64))
            .sum();
        return (0.0, height);
    }
    let mut nearest = (f64::INFINITY, 0.0);
    for (u, v) in [(a, b), (b, c), (c, a)] {
        let (ex, ez) = (
            f64::from(v.x) - f64::from(u.x),
            f64::from(v.z) - f64::from(u.z),
        );
        let (px, pz) = (
            f64::from(q.x) - f64::from(u.x),
            f64::from(q.z) - f64::from(u.z),
        );
        let length = ex * ex + ez * ez;
        let along = if length > 0.0 {
            ((px * ex + pz * ez) / length).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let (dx, dz) = (px - along * ex, pz - along * ez);
        let height = f64::from(u.y) + along * (f64::from(v.y) - f64::from(u.y));
        if dx * dx + dz * dz < nearest.0 {
            nearest = (dx * dx + dz * dz, height);
        }
    }
    nearest
}

impl Run<'_> {
    /// Leaves out islands that are too small or that no seed reaches.
    pub(crate) fn keep_islands(
        &mut self,
        mesh: NavMesh,
        number: u16,
        class: &Class,
    ) -> Result<ClassMesh, BakeError> {
        let job = self.job;
        let (kept, warnings, remarks, emptied) = self.serial("islands", || {
            let found = islands(&mesh);
            let choice = choose(job, number, class, &mesh, &found);
            let kept = if choice.keep.iter().all(|&k| k) {
                ClassMesh {
                    mesh,
                    islands: found,
                    rooms: None,
                }
            } else {
                let of = found.of.iter();
                let marks: Vec<bool> = of.map(|&i| choice.keep[i as usize]).collect();
                let mesh = keep(&mesh, &marks);
                ClassMesh {
                    islands: islands(&mesh),
                    mesh,
                    rooms: None,
                }
            };
            (kept, choice.warnings, choice.remarks, choice.emptied)
        })?;
        self.warnings.extend(warnings);
        self.remarks.extend(remarks);
        self.emptied.push(emptied);
        Ok(kept)
    }

    /// An empty navmesh is a warning where another agent has ground or the config allows it, and bad input otherwise.
    pub(crate) fn refuse_emptiness(
        &mut self,
        classes: &[Class],
        navmeshes: &[ClassMesh],
    ) -> Result<(), BakeError> {
        let empty = |m: &ClassMesh| m.mesh.is_empty();
        if !self.job.config.allow_empty
            && navmeshes.iter().all(empty)
            && let Some(class) = classes.first()
        {
            let mut reason = self.why_empty(0, &class.agent);
            let told = |w: &&Warning| {
                let of_islands = ["small-islands", "islands-without-seed", "seed-off-mesh"];
                self.emptied.iter().any(Option::is_some) && of_islands.contains(&w.code)
            };
            for w in self.warnings.iter().filter(|w| !told(w)) {
                reason.push_str(&format!("; {}", w.message));
            }
            return Err(BakeError::input(
                &self.job.place,
                format!(
                    "nothing is walkable for agent `{}`: {reason} (`allow_empty` bakes an empty navmesh)",
                    class.agent.name
                ),
            ));
        }
        let with_meshes = classes.iter().zip(navmeshes).enumerate();
        for (i, (class, _)) in with_meshes.filter(|(_, (_, m))| empty(m)) {
            let message = format!(
                "nothing is walkable for agent `{}`: {}",
                class.agent.name,
                self.why_empty(i, &class.agent)
            );
            self.warnings.push(Warning {
                code: "nothing-walkable",
                message,
                place: self.job.place.clone(),
            });
        }
        Ok(())
    }

    /// The likely reason why the agent of a class has no ground, and the cure.
    fn why_empty(&self, class: usize, agent: &Agent) -> String {
        if let Some(Some(reason)) = self.emptied.get(class) {
            return reason.clone();
        }
        let level = match &self.job.ground {
            Ground::Map(..) => return "the map has no free cell".into(),
            Ground::Level(level) => level,
        };
        let least = agent.least_up();
        let all = level.triangles.len();
        let up = level.triangles.iter().filter(|t| t.up >= least).count();
        let down = level.triangles.iter().filter(|t| -t.up >= least).count();
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
}
