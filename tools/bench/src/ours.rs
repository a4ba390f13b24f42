//! A bake by navbake, and where its time goes.

use navbake_bake::config::{AgentConfig, Budget};
use navbake_bake::{BakeInput, Baked, Config, Options};
use navbake_level::{Scene, Source};
use navbake_search::{NavMeshBuf, NavPoint, NavQuery};

use crate::levels::Agent;

/// The config of the comparison: the same agent, no island left out, no tables, and no findings,
/// which Recast does not report either. `border_error` is the config's, m.
pub fn config(agent: &Agent, border_error: f64) -> Config {
    let mut config = Config { min_region: Some(0.0), border_error, ..Config::default() };
    config.agents = vec![AgentConfig {
        radius: Some(agent.radius),
        height: agent.height,
        climb: agent.climb,
        slope: agent.slope,
        ..AgentConfig::default()
    }];
    config.tables.budget = Budget::None.into();
    config.findings = false;
    config
}

/// A level on its grid, from triangles in memory.
///
/// # Errors
/// When navbake refuses the level.
pub fn job(scene: Scene, config: &Config) -> Result<BakeInput, String> {
    BakeInput::new(Source::Scene(scene), config).map_err(|e| e.to_string())
}

/// Bakes on `threads` threads.
///
/// # Errors
/// When the bake fails.
pub fn bake(job: &BakeInput, threads: usize) -> Result<Baked, String> {
    let options = Options { threads, ..Options::default() };
    job.bake(&options).map_err(|e| e.to_string())
}

/// The CPU time of a bake's stages that several threads can share, s. The stages report it
/// themselves, by a clock of all threads of the process.
pub fn shared_seconds(baked: &Baked) -> f64 {
    let stages = baked.timings.stages.iter();
    stages.filter(|s| s.parallel).map(|s| s.cpu).sum()
}

/// How far a point of a pair may be from the navmesh, m, along each axis.
const REACH: [f64; 3] = [0.6, 0.9, 0.6];

/// For each pair of points: can one walk from the first to the second? Nothing where one of them is
/// not on the navmesh.
///
/// # Errors
/// When the bytes are not a navmesh.
pub fn reachable(bytes: &[u8], pairs: &[[f64; 6]]) -> Result<Vec<Option<bool>>, String> {
    let nav = NavMeshBuf::open(bytes).map_err(|e| e.to_string())?;
    let query = NavQuery::new(nav.mesh());
    let place = |p: &[f64]| -> Option<NavPoint> { query.nearest([p[0], p[1], p[2]], REACH) };
    let answer = |pair: &[f64; 6]| {
        let (from, to) = (place(&pair[..3])?, place(&pair[3..])?);
        Some(query.reachable(&from, &to))
    };
    Ok(pairs.iter().map(answer).collect())
}

/// For each pair of points: the places on the navmesh nearest to them, x, y, z twice. Nothing where
/// one of them is not on the navmesh.
///
/// # Errors
/// When the bytes are not a navmesh.
pub fn places(bytes: &[u8], pairs: &[[f64; 6]]) -> Result<Vec<Option<[f64; 6]>>, String> {
    let nav = NavMeshBuf::open(bytes).map_err(|e| e.to_string())?;
    let query = NavQuery::new(nav.mesh());
    let place = |p: &[f64]| Some(query.nearest([p[0], p[1], p[2]], REACH)?.position());
    let both = |pair: &[f64; 6]| {
        let ([a, b, c], [d, e, f]) = (place(&pair[..3])?, place(&pair[3..])?);
        Some([a, b, c, d, e, f])
    };
    Ok(pairs.iter().map(both).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::cpu_seconds;

    #[test]
    fn shared_time_is_part_of_the_whole_and_pairs_are_distinguished() {
        let mut scene = Scene { parts: vec![navbake_level::Part::default()], ..Scene::default() };
        for x in [0.0, 50.0] {
            let base = scene.vertices.len() as u32;
            let corners = [[x, 0.0], [x, 20.0], [x + 20.0, 20.0], [x + 20.0, 0.0]];
            scene.vertices.extend(corners.map(|[x, z]| [x, 0.0, z]));
            scene.triangles.extend([[0, 1, 2], [0, 2, 3]].map(|t| t.map(|v| v + base)));
            scene.triangle_parts.extend([0, 0]);
        }
        let config = config(&Agent::default(), Config::default().border_error);
        let job = job(scene, &config).expect("a level");
        let begin = cpu_seconds();
        let baked = bake(&job, 1).expect("bakes");
        let shared = shared_seconds(&baked);
        assert!(shared > 0.0 && shared <= cpu_seconds() - begin);
        assert!(
            (baked.summary.area_m2 - 2.0 * 18.8 * 18.8).abs() < 0.5,
            "{}",
            baked.summary.area_m2
        );
        let pairs = [
            [2.0, 0.0, 2.0, 18.0, 0.0, 18.0],
            [2.0, 0.0, 2.0, 60.0, 0.0, 10.0],
            [2.0, 0.0, 2.0, 40.0, 0.0, 10.0],
        ];
        let answers = reachable(&baked.bytes, &pairs).expect("a navmesh");
        assert_eq!(answers, [Some(true), Some(false), None]);
    }
}
