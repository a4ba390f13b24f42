//! Opens, validates, decodes or unpacks a file, as the second argument says: 0 to 3.
//!
//! With 4 it unpacks, and validates that.
use navbake_format::Blob;

fn main() {
    let mut args = std::env::args().skip(1);
    let path = args.next().expect("a file");
    let step: u32 = args.next().and_then(|s| s.parse().ok()).unwrap_or(2);
    let bytes = std::fs::read(path).expect("a file that can be read");
    let blob = Blob::open(&bytes).expect("a header");
    if step == 0 {
        return;
    }
    let checked = blob.validate().expect("a sound file");
    match step {
        1 => {}
        2 => println!("{}", checked.decode(0).expect("a mesh").size()),
        _ => {
            let unpacked = checked.unpack().expect("a layout");
            println!("{}", unpacked.len());
            if step > 3 {
                let own = Blob::open_checked(&unpacked).expect("a sound unpacked file");
                own.blob().verify_checksum().expect("its checksum");
                for class in 0..own.class_count() {
                    let same = checked.decode(class) == own.decode(class);
                    assert!(same, "class {class} decodes to the same bytes");
                }
            }
        }
    }
}
