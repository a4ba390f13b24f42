//! What must hold of areas and weights.

use zerocopy::FromBytes;

use navbake_grid::{AreaId, PolyId};

use super::words::name;
use super::{Checked, Place};
use crate::areas::{ANY_AGENT, RawRow, SLOPES, WEIGHTS, raw_rows};
use crate::records::{AgentRecord, AreaRecord, ClosureRecord, NO_SWITCH, SwitchRecord};
use crate::{Blob, Found, NavMeshView, Section};

const BLOB: Place = Place { class: 0 };

/// The areas of a blob.
pub(super) fn areas(blob: &Blob<'_>) -> Checked {
    let records = blob.records::<AreaRecord>(Section::AREAS, 0);
    let switches = blob.records::<SwitchRecord>(Section::SWITCHES, 0).len();
    let fail = |index: u64, found: u64, expected| {
        BLOB.fail(Section::AREAS, index, Found::Int(found as i64), expected)
    };
    if records.len() > AreaId::LIMIT {
        return fail(0, records.len() as u64, "at most 64 areas");
    }
    for (index, r) in (0u64..).zip(records) {
        name(blob, Section::AREAS, index, r.name)?;
        let s = r.switch.get();
        if s != NO_SWITCH && usize::from(s) >= switches {
            return fail(index, s.into(), "a switch, or 65535 for none");
        }
        let factor = f64::from(r.factor.get());
        if !WEIGHTS.contains(&factor) {
            let expected = "a factor from 2^-20 to 2^20";
            return BLOB.fail(Section::AREAS, index, Found::Float(factor), expected);
        }
    }
    Ok(())
}

/// The table of weights.
pub(super) fn weights(blob: &Blob<'_>) -> Checked {
    let areas = blob.records::<AreaRecord>(Section::AREAS, 0).len();
    let agents = blob.records::<AgentRecord>(Section::AGENTS, 0).len();
    let fail = |index, found, expected| BLOB.fail(Section::WEIGHTS, index, found, expected);
    let mut before: Option<(&str, u16)> = None;
    for (index, bytes) in (0u64..).zip(raw_rows(blob)) {
        let row = match RawRow::ref_from_bytes(bytes) {
            Ok(row) if row.weights.len() == areas => row,
            _ => {
                let found = Found::Int(bytes.len() as i64);
                return fail(index, found, "24 bytes, and 8 for each element of areas");
            }
        };
        name(blob, Section::WEIGHTS, index, row.head.name)?;
        let agent = row.head.agent.get();
        if agent != ANY_AGENT && usize::from(agent) >= agents {
            let found = Found::Int(agent.into());
            return fail(index, found, "an agent, or 65535 for all");
        }
        let key = Some((blob.string(row.head.name).unwrap_or(""), agent));
        if before >= key {
            let found = Found::Int(agent.into());
            return fail(index, found, "rows sorted by name and agent, each once");
        }
        before = key;
        for slope in [row.head.uphill.get(), row.head.downhill.get()] {
            if !SLOPES.contains(&slope) {
                let expected = "a cost of a metre of height from 0 to 2^20";
                return fail(index, Found::Float(slope), expected);
            }
        }
        for w in row.weights.iter().map(|w| w.get()) {
            if !(w == f64::INFINITY || WEIGHTS.contains(&w)) {
                let expected = "weights from 2^-20 to 2^20, or infinity";
                return fail(index, Found::Float(w), expected);
            }
        }
    }
    Ok(())
}

/// The areas of a mesh's polygons.
pub(super) fn of_polygons(blob: &Blob<'_>, mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let areas = blob.records::<AreaRecord>(Section::AREAS, 0);
    let closures = blob.records::<ClosureRecord>(Section::CLOSURES, at.class);
    let switches = areas.iter().any(|a| a.switch.get() != NO_SWITCH);
    if mesh.polygon_areas().is_empty() && !switches {
        return Ok(());
    }
    for index in 0..mesh.polygon_count() {
        let area = mesh.area(PolyId(index));
        let record = areas.get(area.index());
        let fail = |expected| {
            let found = Found::Int(area.0.into());
            at.fail(Section::POLYGON_AREAS, index.into(), found, expected)
        };
        if record.is_none() && area != AreaId::GROUND {
            return fail("an area");
        }
        // Closures are sorted by now.
        let switch = record.map_or(NO_SWITCH, |r| r.switch.get());
        let key = |c: &ClosureRecord| (c.polygon.get(), c.switch.get());
        let told = || closures.binary_search_by_key(&(index, switch), key).is_ok();
        if switch != NO_SWITCH && !told() {
            return fail("an area without a switch, or a closure with it for the polygon");
        }
    }
    Ok(())
}
