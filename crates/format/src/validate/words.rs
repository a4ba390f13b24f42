//! Names, agents and markers.

use super::{Checked, Place};
use crate::records::{AgentRecord, MarkerRecord, StringRef};
use crate::{Blob, Found, Section};

pub(super) fn name(blob: &Blob<'_>, section: Section, index: u64, name: StringRef) -> Checked {
    match blob.string(name) {
        Some(_) => Ok(()),
        None => Place { class: 0 }.fail(
            section,
            index,
            Found::Int(name.offset.get().into()),
            "a name of whole characters within the section strings",
        ),
    }
}

pub(super) fn agents(blob: &Blob<'_>) -> Checked {
    let place = Place { class: 0 };
    for (i, r) in (0u64..).zip(blob.records::<AgentRecord>(Section::AGENTS, 0)) {
        name(blob, Section::AGENTS, i, r.name)?;
        let class = r.class.get();
        if class >= blob.class_count() {
            return place.fail(
                Section::AGENTS,
                i,
                Found::Int(class.into()),
                "an agent class with a mesh",
            );
        }
        for v in [r.radius, r.height, r.climb, r.slope] {
            let v = v.get();
            if !(v.is_finite() && v >= 0.0) {
                return place.fail(
                    Section::AGENTS,
                    i,
                    Found::Float(v),
                    "radius, height, climb and slope finite and not negative",
                );
            }
        }
    }
    Ok(())
}

pub(super) fn markers(blob: &Blob<'_>) -> Checked {
    let place = Place { class: 0 };
    for (i, r) in (0u64..).zip(blob.records::<MarkerRecord>(Section::MARKERS, 0)) {
        name(blob, Section::MARKERS, i, r.name)?;
        if r.reserved.get() != 0 {
            return place.fail(
                Section::MARKERS,
                i,
                Found::Int(r.reserved.get().into()),
                "0 in the reserved bytes",
            );
        }
        if let Some(c) = r.position.iter().find(|c| !c.get().is_finite()) {
            return place.fail(
                Section::MARKERS,
                i,
                Found::Float(c.get()),
                "a finite position",
            );
        }
    }
    Ok(())
}
