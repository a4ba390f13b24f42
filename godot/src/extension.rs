//! The entry that Godot calls: it registers the classes and the loader.
#![allow(unsafe_code)] // The trait promises that Godot keeps to its own rules.

use std::sync::{Mutex, PoisonError};

use godot::classes::{ResourceFormatLoader, ResourceLoader};
use godot::init::{ExtensionLibrary, InitStage, gdextension};
use godot::obj::{Gd, InstanceId, NewGd, Singleton};

use crate::classes::NavbakeLoader;

struct Navbake;

/// The loader that is registered. Objects of Godot must not outlive it, so not the object itself.
static LOADER: Mutex<Option<InstanceId>> = Mutex::new(None);

#[gdextension]
unsafe impl ExtensionLibrary for Navbake {
    fn on_stage_init(stage: InitStage) {
        if stage == InitStage::Scene {
            let loader = NavbakeLoader::new_gd();
            ResourceLoader::singleton().add_resource_format_loader(&loader);
            *LOADER.lock().unwrap_or_else(PoisonError::into_inner) = Some(loader.instance_id());
        }
    }

    fn on_stage_deinit(stage: InitStage) {
        let registered = match stage {
            InitStage::Scene => LOADER.lock().unwrap_or_else(PoisonError::into_inner).take(),
            _ => None,
        };
        let loader = registered.map(Gd::<ResourceFormatLoader>::try_from_instance_id);
        if let Some(Ok(loader)) = loader {
            ResourceLoader::singleton().remove_resource_format_loader(&loader);
        }
    }
}
