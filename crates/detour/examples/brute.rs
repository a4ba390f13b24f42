//! Shortest paths on a navmesh beside those of a plain method: the visibility graph of all corners.
//!
//! `brute BLOB COUNT SEED` draws pairs of places and prints how many were asked, reached and wrong.
//! Ends with 1 where a length is off by more than rounding.
#![allow(missing_docs)]

use std::error::Error;

use navbake_search::around::Random;
use navbake_search::{Algorithm, NavMeshBuf, NavQuery, PathRequest, QueryFilter, Scratch, Status};
use navbake_testkit::scene::Scene;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [blob, count, seed] = words.as_slice() else {
        return Err("usage: brute BLOB COUNT SEED".into());
    };
    let nav = NavMeshBuf::open(&std::fs::read(blob)?)?;
    let mesh = nav.mesh();
    let (mut scene, faces) = Scene::of(&mesh);
    scene.agents = 1;
    let agent = mesh.file().agents().next().map_or(String::new(), |a| a.name.into());
    let filter = QueryFilter::new().agent(&mesh, &agent)?;
    let query = NavQuery::new(mesh).with_filter(&filter);
    let mut sums = vec![0; mesh.polygon_count() as usize];
    let areas = query.areas(&mut sums).ok_or("no ground")?;
    let (mut random, mut scratch) = (Random::new(seed.parse()?), Scratch::new());
    let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(Algorithm::Optimal);
    let units = mesh.grid().units();
    let (mut asked, mut reached, mut wrong) = (0, 0, 0);
    for _ in 0..count.parse::<u32>()? {
        let mut place = || query.random_place(&areas, &mut random).ok_or("no ground");
        let (from, to) = (place()?, place()?);
        let path = query.find_path_between(&from, &to, &request, &mut scratch)?;
        let ours = (path.status == Status::Reached).then_some(path.cost * units);
        let [a, b] = [&from, &to].map(|p| faces.binary_search(&p.polygon()));
        let plain = scene.shortest(
            a.map_err(|_| "no face")?,
            from.point(),
            b.map_err(|_| "no face")?,
            to.point(),
        );
        asked += 1;
        reached += u32::from(plain.is_some());
        let same = match (ours, plain) {
            (Some(ours), Some(plain)) => (ours - plain).abs() <= 1e-9 * plain.max(1.0),
            (ours, plain) => ours.is_none() == plain.is_none(),
        };
        if !same {
            wrong += 1;
            eprintln!("{:?} {:?}: {ours:?}, plainly {plain:?}", from.position(), to.position());
        }
    }
    println!("{asked} {reached} {wrong}");
    if wrong > 0 { Err("wrong lengths".into()) } else { Ok(()) }
}
