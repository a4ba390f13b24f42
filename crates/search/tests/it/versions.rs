//! Files of every format version that there was: read as they were, or refused with the cure.
//!
//! `4.blob` is a small house of `navbake bake` with two agents, areas, switches, links, markers,
//! rooms, labels, a network, weights and triangles of the source. Those before version 4 have a
//! header alone. A change of the format that these tests do not survive raises the version, and a
//! file of that version is added.

use navbake_format::VERSION;
use navbake_search::blob::{Blob, BlobError};
use navbake_search::{Algorithm, NavQuery, PathRequest, Scratch, Status};

const FILES: [&[u8]; 4] = [
    include_bytes!("../versions/1.blob"),
    include_bytes!("../versions/2.blob"),
    include_bytes!("../versions/3.blob"),
    include_bytes!("../versions/4.blob"),
];

#[test]
fn files_of_every_version_are_read_or_refused_with_the_cure() {
    assert_eq!(FILES.len() as u32, VERSION, "there is a file of each version");
    for (number, bytes) in (1..).zip(FILES) {
        match Blob::open_checked(bytes) {
            Ok(file) => {
                assert_eq!(file.blob().header().version, number);
                file.blob().verify_checksum().unwrap();
            }
            Err(error) => {
                assert_eq!(error, BlobError::TooOld { version: number });
                assert!(error.to_string().contains("bake the level again"), "{error}");
                // In 0.x one version at a time, which is the last.
                assert!(number < VERSION);
            }
        }
    }
}

#[test]
fn a_kept_file_of_this_version_says_what_it_said() {
    let file = Blob::open_checked(FILES[3]).unwrap();
    let names: Vec<_> = file.agents().map(|agent| agent.name).collect();
    assert_eq!(names, ["cart", "guard"]);
    assert_eq!(file.markers().count(), 1);
    assert_eq!(file.switches().map(|s| s.closed).collect::<Vec<_>>(), [false, true]);
    assert!(file.config().contains("[[agent]]"));
    // Polygons, and the shortest length of a way up in whole micrometres.
    let said = [0, 1].map(|class| {
        let nav = file.decode(class).unwrap();
        let query = NavQuery::new(nav.mesh());
        let request = PathRequest::new([1.0, 0.0, 1.0], [39.0, 4.0, 19.0]);
        let request = request.algorithm(Algorithm::Optimal);
        let mut scratch = Scratch::new();
        let path = query.find_path(&request, &mut scratch).unwrap();
        assert_eq!(path.status, Status::Reached);
        (nav.mesh().polygon_count(), (path.length_xz * 1e6).round())
    });
    assert_eq!(said, [(130, 43_861_422.0), (142, 43_277_338.0)]);
}
