//! Files that are levels, by their endings.

use godot::classes::{FileAccess, IResourceFormatLoader};
use godot::global::Error;
use godot::prelude::*;

use super::NavbakeLevel;

/// The endings of files that are levels: baked files, indices of worlds in chunks, and chunks.
const ENDINGS: [&str; 3] = ["navbake", "navw", "nav"];
/// The class of loaded files.
const CLASS: &str = "NavbakeLevel";

/// Loads a `NavbakeLevel` from a file with one of its endings, also from a packed game.
#[derive(GodotClass, Debug)]
#[class(tool, init, internal, base = ResourceFormatLoader)]
pub struct NavbakeLoader {}

#[godot_api]
impl IResourceFormatLoader for NavbakeLoader {
    fn get_recognized_extensions(&self) -> PackedStringArray {
        ENDINGS.map(GString::from).into()
    }

    fn handles_type(&self, class: StringName) -> bool {
        class == CLASS || class == "Resource"
    }

    fn get_resource_type(&self, path: GString) -> GString {
        let ending = path.get_extension().to_lower().to_string();
        if ENDINGS.contains(&ending.as_str()) { CLASS.into() } else { GString::new() }
    }

    fn load(&self, path: GString, original: GString, _threads: bool, _cache: i32) -> Variant {
        let bytes = FileAccess::get_file_as_bytes(&path);
        let unread = FileAccess::get_open_error();
        if bytes.is_empty() && unread != Error::OK {
            godot_error!("{original}: cannot be read: {unread:?}");
            return unread.to_variant();
        }
        let mut level = NavbakeLevel::new_gd();
        let opened = match bytes.is_empty() {
            true => Err("the file is empty: bake it again".to_owned()),
            false => level.bind_mut().open(bytes),
        };
        match opened {
            Ok(()) => level.to_variant(),
            Err(reason) => {
                godot_error!("{original}: {reason}");
                Error::ERR_FILE_CORRUPT.to_variant()
            }
        }
    }
}
