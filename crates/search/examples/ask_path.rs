//! Loads a baked blob and asks for a path: `cargo run --example ask_path level.nav 1 0 1 8 0 5`.

use navbake_search::{NavMeshBuf, NavQuery, PathRequest, Scratch};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: ask_path BLOB x y z x y z")?;
    let n: Vec<f64> = arguments.map(|a| a.parse()).collect::<Result<_, _>>()?;
    let &[a, b, c, d, e, f] = n.as_slice() else {
        return Err("expected six coordinates in metres, from and to".into());
    };

    let bytes = std::fs::read(file)?;
    let nav = NavMeshBuf::open(&bytes)?;
    let query = NavQuery::new(nav.mesh());
    let mut scratch = Scratch::new();
    let path = query.find_path(&PathRequest::new([a, b, c], [d, e, f]), &mut scratch)?;
    println!("{}, {} m", path.status.name(), path.length_xz);
    for point in path.points {
        println!("{point:?}");
    }
    Ok(())
}
