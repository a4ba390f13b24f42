//! Random pairs of places on a baked navmesh, and what `corridor` and `optimal` answer: to be asked
//! of Detour.
//!
//! `answers BLOB COUNT SEED` prints a line a pair: start and goal as x y z, then the status, the
//! lengths of both in the ground plane and the number of links.
#![allow(missing_docs)]

use std::error::Error;
use std::fmt::Write;

use navbake_search::around::Random;
use navbake_search::{Algorithm, NavMeshBuf, NavQuery, PathRequest, QueryFilter, Scratch, Status};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [blob, count, seed] = words.as_slice() else {
        return Err("usage: answers BLOB COUNT SEED".into());
    };
    let nav = NavMeshBuf::open(&std::fs::read(blob)?)?;
    let mesh = nav.mesh();
    let agent = mesh.file().agents().next().map_or(String::new(), |a| a.name.into());
    let filter = QueryFilter::new().agent(&mesh, &agent)?;
    let query = NavQuery::new(mesh).with_filter(&filter);
    let mut sums = vec![0; mesh.polygon_count() as usize];
    let areas = query.areas(&mut sums).ok_or("no ground")?;
    let mut random = Random::new(seed.parse()?);
    let mut scratch = Scratch::new();
    let mut out = String::new();
    for _ in 0..count.parse::<u32>()? {
        let mut place = || query.random_place(&areas, &mut random).ok_or("no ground");
        let (from, to) = (place()?, place()?);
        let request = PathRequest::new([0.0; 3], [0.0; 3]);
        let optimal = request.algorithm(Algorithm::Optimal);
        let shortest = query.find_path_between(&from, &to, &optimal, &mut scratch)?.length_xz;
        let corridor = request.algorithm(Algorithm::Corridor(Default::default()));
        let path = query.find_path_between(&from, &to, &corridor, &mut scratch)?;
        let status = if path.status == Status::Reached { "reached" } else { "unreached" };
        let links = path.legs().filter(|leg| leg.link.is_some()).count();
        for p in [from.position(), to.position()] {
            write!(out, "{} {} {} ", p[0], p[1], p[2])?;
        }
        writeln!(out, "{status} {} {shortest} {links}", path.length_xz)?;
    }
    print!("{out}");
    Ok(())
}
