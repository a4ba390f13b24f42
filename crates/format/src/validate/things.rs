//! What must hold of switches, doors, closures and links, so that a query can rely on them.

use navbake_grid::{LinkKind, PolyId};

use crate::exact::{LIMIT, orient};
use crate::records::{ClosureRecord, DoorRecord, LinkRecord, NO_SWITCH, StringRef, SwitchRecord};
use crate::{Blob, BlobError, Found, NavMeshView, Section};

type Checked = Result<(), BlobError>;

/// Where a record is, for errors.
#[derive(Clone, Copy)]
struct At {
    section: Section,
    class: u16,
    index: u64,
}

impl At {
    fn fail<T>(self, found: Found, expected: &'static str) -> Result<T, BlobError> {
        let At {
            section,
            class,
            index,
        } = self;
        Err(BlobError::Record {
            section,
            class,
            index,
            found,
            expected,
        })
    }

    fn int(self, found: impl Into<i64>, expected: &'static str) -> Checked {
        self.fail(Found::Int(found.into()), expected)
    }

    fn name(self, blob: &Blob<'_>, name: StringRef) -> Checked {
        match blob.string(name) {
            Some(_) => Ok(()),
            None => self.int(
                name.offset.get(),
                "a name of whole characters within the section strings",
            ),
        }
    }

    fn amount(self, v: f64, expected: &'static str) -> Checked {
        if v.is_finite() && v >= 0.0 {
            Ok(())
        } else {
            self.fail(Found::Float(v), expected)
        }
    }

    fn zero(self, reserved: u16) -> Checked {
        if reserved == 0 {
            Ok(())
        } else {
            self.int(reserved, "0 in the reserved bytes")
        }
    }
}

fn switch_count(blob: &Blob<'_>) -> usize {
    blob.records::<SwitchRecord>(Section::SWITCHES, 0).len()
}

/// The switches of a blob.
pub(crate) fn switches(blob: &Blob<'_>) -> Checked {
    let records = blob.records::<SwitchRecord>(Section::SWITCHES, 0);
    for (index, r) in (0u64..).zip(records) {
        let at = At {
            section: Section::SWITCHES,
            class: 0,
            index,
        };
        if index >= u64::from(NO_SWITCH) {
            return at.int(index as i64, "fewer than 65535 switches");
        }
        at.name(blob, r.name)?;
        if r.closed > 1 {
            return at.int(r.closed, "0 (open) or 1 (closed)");
        }
        at.zero(r.reserved.into())?;
    }
    Ok(())
}

/// What a mesh has of them.
pub(crate) fn things(blob: &Blob<'_>, mesh: &NavMeshView<'_>, class: u16) -> Checked {
    doors(blob, mesh, class)?;
    closures(blob, mesh, class)?;
    links(blob, mesh, class)
}

fn doors(blob: &Blob<'_>, mesh: &NavMeshView<'_>, class: u16) -> Checked {
    let mut last = None;
    for (index, r) in (0u64..).zip(blob.records::<DoorRecord>(Section::DOORS, class)) {
        let at = At {
            section: Section::DOORS,
            class,
            index,
        };
        let (p, k) = (r.polygon.get(), u32::from(r.edge.get()));
        if p >= mesh.polygon_count() {
            return at.int(p, "a polygon");
        }
        let polygon = mesh.polygon(PolyId(p));
        if k >= polygon.len() {
            return at.int(k, "an edge of its polygon");
        }
        match polygon.neighbour(k) {
            None => return at.int(k, "an edge with a neighbour: a portal"),
            Some(beyond) if beyond.0 < p => {
                return at.int(p, "the polygon with the lesser number of the portal's two");
            }
            Some(_) => {}
        }
        if last >= Some((p, k)) {
            return at.int(p, "doors sorted by polygon and edge, each once");
        }
        last = Some((p, k));
        let s = r.switch.get();
        if s != NO_SWITCH && usize::from(s) >= switch_count(blob) {
            return at.int(s, "a switch, or 65535 for none");
        }
        at.amount(
            r.width.get().into(),
            "a width that is finite and not negative",
        )?;
        at.name(blob, r.name)?;
        at.zero(r.reserved.get())?;
    }
    Ok(())
}

fn closures(blob: &Blob<'_>, mesh: &NavMeshView<'_>, class: u16) -> Checked {
    let mut last = None;
    for (index, r) in (0u64..).zip(blob.records::<ClosureRecord>(Section::CLOSURES, class)) {
        let at = At {
            section: Section::CLOSURES,
            class,
            index,
        };
        let (p, s) = (r.polygon.get(), r.switch.get());
        if p >= mesh.polygon_count() {
            return at.int(p, "a polygon");
        }
        if usize::from(s) >= switch_count(blob) {
            return at.int(s, "a switch");
        }
        if last >= Some((p, s)) {
            return at.int(p, "closures sorted by polygon and switch, each once");
        }
        last = Some((p, s));
        at.zero(r.reserved.get())?;
    }
    Ok(())
}

fn links(blob: &Blob<'_>, mesh: &NavMeshView<'_>, class: u16) -> Checked {
    let mut last = 0;
    for (index, r) in (0u64..).zip(blob.records::<LinkRecord>(Section::LINKS, class)) {
        let at = At {
            section: Section::LINKS,
            class,
            index,
        };
        if r.polygon.get() < last {
            return at.int(r.polygon.get(), "links sorted by the polygon they begin on");
        }
        last = r.polygon.get();
        for (p, place) in [(r.polygon, r.from), (r.beyond, r.to)] {
            if p.get() >= mesh.polygon_count() {
                return at.int(p.get(), "a polygon");
            }
            let place = place.map(|c| c.get());
            if let Some(c) = place.into_iter().find(|c| c.unsigned_abs() >= LIMIT as u32) {
                return at.int(c, "coordinates strictly between -2^25 and 2^25");
            }
            let polygon = mesh.polygon(PolyId(p.get()));
            let is_left =
                |k: u32| orient(polygon.corner(k), polygon.corner(polygon.next(k)), place) >= 0;
            if !(0..polygon.len()).all(is_left) {
                return at.int(p.get(), "a polygon that holds the link's end");
            }
        }
        at.amount(r.cost.get(), "a cost that is finite and not negative")?;
        at.amount(
            r.width.get().into(),
            "a width that is finite and not negative",
        )?;
        let s = r.switch.get();
        if s != NO_SWITCH && usize::from(s) >= switch_count(blob) {
            return at.int(s, "a switch, or 65535 for none");
        }
        if usize::from(r.kind) >= LinkKind::ALL.len() {
            return at.int(r.kind, "a kind from 0 to 7");
        }
        at.zero(r.reserved.into())?;
        at.name(blob, r.name)?;
    }
    Ok(())
}
