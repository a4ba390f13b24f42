//! The terrain of a grid map's cells, from the map and from an image beside the config.

use std::path::{Path, PathBuf};

use navbake_import::{Colour, TerrainImage, read_terrain};
use navbake_level::GridMap;

use crate::config::{Config, Terrain, colour};
use crate::error::BakeError;

/// Paints cells with the config's image, and returns the path of that file.
///
/// Where the config names terrains, each terrain of a free cell must have a name.
///
/// # Errors
/// When the image cannot be read, has another size or a colour that the config does not know, or a
/// terrain has no name.
pub(crate) fn read(
    map: &mut GridMap,
    config: &Config,
    place: &str,
) -> Result<Option<PathBuf>, BakeError> {
    let read = match &config.terrain.image {
        Some(image) => Some(paint(map, config, image)?),
        None => None,
    };
    let names = config.terrain.names.len();
    let cells = map.free.iter().zip(&map.terrain);
    let nameless =
        |(_, (free, terrain)): &(usize, (&bool, &u8))| **free && usize::from(**terrain) >= names;
    if names > 0
        && let Some((cell, (_, terrain))) = cells.enumerate().find(nameless)
    {
        let width = map.width.max(1) as usize;
        let found = format!(
            "the cell in column {}, row {} is of terrain {terrain}, and `terrain.names` has names for 0 to {}; add the others to it",
            1 + cell % width,
            1 + cell / width,
            names - 1
        );
        return Err(BakeError::input(place, found));
    }
    Ok(read)
}

fn paint(map: &mut GridMap, config: &Config, image: &str) -> Result<PathBuf, BakeError> {
    let terrain = &config.terrain;
    let ground = |name: &String| {
        let number = terrain.names.iter().position(|n| n == name);
        number.filter(|_| name != Terrain::BLOCKED).map(|n| n as u8) // at most 256 names
    };
    let colours: Vec<Colour> = (terrain.colours.iter())
        .filter_map(|(key, name)| Some(Colour { rgb: colour(key)?, ground: ground(name) }))
        .collect();
    let path = beside(config, image);
    let file = config.file.as_ref().map(Path::new).filter(|_| !config.outside);
    let wanted =
        TerrainImage { width: map.width, height: map.height, beside: file, colours: &colours };
    let cells = read_terrain(&path, &wanted)?;
    map.terrain = cells.iter().map(|ground| ground.unwrap_or(0)).collect();
    for (free, ground) in map.free.iter_mut().zip(&cells) {
        *free &= ground.is_some();
    }
    if map.terrain.iter().all(|&t| t == 0) {
        map.terrain.clear();
    }
    Ok(path)
}

/// A file beside the config; beside where the command runs when the config is no file.
fn beside(config: &Config, name: &str) -> PathBuf {
    let folder = config.file.as_ref().and_then(|f| Path::new(f).parent());
    folder.map_or_else(|| PathBuf::from(name), |folder| folder.join(name))
}
