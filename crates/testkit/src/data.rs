//! Paths of the levels that tests read.

use std::path::{Path, PathBuf};

/// The folder of real levels and maps; `None` where it is absent.
///
/// Then it prints a line that names the test. The folder is the value of the environment variable
/// `NAVBAKE_DATA`, else `../shared/data` beside the repository.
pub fn data(test: &str) -> Option<PathBuf> {
    data_in(test, "")
}

/// A folder of [`data`]; `None` where it is absent, with a line on stderr.
pub fn data_in(test: &str, name: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("NAVBAKE_DATA").map_or(beside, PathBuf::from);
    let folder = folder.join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!(
        "{test}: skipped, there is no folder {}; NAVBAKE_DATA names where the data is",
        folder.display()
    );
    None
}

/// A file or folder of the repository's `fixtures`.
pub fn fixture(name: impl AsRef<Path>) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

/// Writes a world of courtyards and towers, turned by any angle and overlapping, and the files that
/// it places; gives its path.
///
/// # Panics
/// When they cannot be written.
pub fn world(folder: &Path, places: usize) -> PathBuf {
    for name in ["courtyard", "tower"] {
        let file = format!("{name}.obj");
        std::fs::copy(fixture(name).join(&file), folder.join(&file)).expect("a copy");
    }
    let place = |k: usize| {
        let file = if k % 3 == 2 { "tower" } else { "courtyard" };
        let (x, z) = (17.3 * (k % 5) as f64, 13.7 * (k / 5) as f64);
        let (angle, scale) = (37.0 * k as f64, 1.0 + 0.1 * (k % 3) as f64);
        format!(
            "[[place]]\nfile = \"{file}.obj\"\nname = \"p{k}\"\ntranslate = [{x}, 0, {z}]\n\
             rotate = {angle}\nscale = {scale}\n"
        )
    };
    let path = folder.join("world.toml");
    std::fs::write(&path, (0..places).map(place).collect::<String>()).expect("a file");
    path
}

/// The cells of a MovingAI map.
#[derive(Clone, Debug)]
pub struct MapText {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Row by row.
    pub letters: Vec<u8>,
}

impl MapText {
    /// Reads a `.map` file.
    ///
    /// # Panics When the file cannot be read, or its rows differ from its header.
    pub fn read(path: &Path) -> MapText {
        let text = std::fs::read_to_string(path).expect("a map");
        let mut lines = text.lines();
        let number = |line: &str| line.split_whitespace().nth(1)?.parse().ok();
        let head = (&mut lines).take_while(|l| l.trim() != "map");
        let sizes: Vec<usize> = head.filter_map(number).collect();
        let [height, width] = sizes[..] else {
            panic!("{}: no height and width", path.display());
        };
        let letters: Vec<u8> = lines.take(height).flat_map(|row| row.bytes().take(width)).collect();
        assert_eq!(letters.len(), width * height, "{}", path.display());
        MapText { width, height, letters }
    }

    /// The cells that are free: `.`, `G` and `S`.
    pub fn free(&self) -> Vec<bool> {
        let free = |b: &u8| matches!(b, b'.' | b'G' | b'S');
        self.letters.iter().map(free).collect()
    }
}
