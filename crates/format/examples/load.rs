//! Opens, validates and decodes a file, as far as the second argument says.
fn main() {
    let mut args = std::env::args().skip(1);
    let path = args.next().expect("a file");
    let steps: u32 = args.next().and_then(|s| s.parse().ok()).unwrap_or(2);
    let bytes = std::fs::read(path).expect("a file that can be read");
    let blob = navbake_format::Blob::open(&bytes).expect("a header");
    if steps > 0 {
        let checked = blob.validate().expect("a sound file");
        if steps > 1 {
            println!("{}", checked.decode(0).expect("a mesh").size());
        }
    }
}
