//! Loads a baked blob and asks for a path: `cargo run --example ask_path level.nav 1 0 1 8 0 5`.

use navbake_search::{Blob, PathRequest, Query, SearchBuffer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: ask_path BLOB x y z x y z")?;
    let n: Vec<f64> = arguments.map(|a| a.parse()).collect::<Result<_, _>>()?;
    let &[a, b, c, d, e, f] = n.as_slice() else {
        return Err("expected six coordinates in metres, from and to".into());
    };

    let bytes = std::fs::read(file)?;
    let blob = Blob::open_checked(&bytes)?;
    let query = Query::new(blob.decode(0)?.leak());
    let mut buffer = SearchBuffer::new(query.mesh());
    let answer = query.path(&PathRequest::new([a, b, c], [d, e, f]), &mut buffer);
    println!("{}, {} m", answer.status.name(), answer.length_xz);
    for point in answer.points {
        println!("{point:?}");
    }
    Ok(())
}
