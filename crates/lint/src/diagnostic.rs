//! An oddity at a place, and which of many are kept.

use navbake_format::DiagnosticKind;

/// The largest number of diagnostics of one kind and agent class.
///
/// The greatest are kept.
const MOST: usize = 50;

/// An oddity at a place; [`DiagnosticKind`] defines the numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The kind of oddity.
    pub kind: DiagnosticKind,
    /// The agent class it concerns; `None` for the level itself.
    pub class: Option<u16>,
    /// The place, y-up metres.
    pub at: [f64; 3],
    /// The measured value.
    pub value: f64,
    /// The limit for that value.
    pub limit: f64,
    /// A number of items, or an amount in hundredths.
    pub count: u32,
    /// A name; empty if there is none.
    pub name: String,
}

impl Diagnostic {
    /// A diagnostic at a place, with all other fields empty.
    pub fn new(kind: DiagnosticKind, at: [f64; 3]) -> Diagnostic {
        Diagnostic { kind, class: None, at, value: 0.0, limit: 0.0, count: 1, name: String::new() }
    }

    /// The record for the file: numbers are clamped to `f32`, a name to 65535 bytes.
    pub fn record(&self) -> navbake_format::Diagnostic<'_> {
        let clamped = |v: f64| v.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32;
        let mut end = self.name.len().min(usize::from(u16::MAX));
        while !self.name.is_char_boundary(end) {
            end -= 1;
        }
        navbake_format::Diagnostic {
            kind: self.kind,
            class: self.class,
            at: self.at,
            value: clamped(self.value),
            limit: clamped(self.limit),
            count: self.count,
            name: &self.name[..end],
        }
    }
}

/// Keeps the greatest of each kind and class, sorted by kind, class and place.
///
/// Also returns the number of dropped diagnostics.
pub fn greatest(mut found: Vec<Diagnostic>) -> (Vec<Diagnostic>, u32) {
    let order = |a: &Diagnostic, b: &Diagnostic| {
        let places = a.at.iter().zip(&b.at).map(|(a, b)| a.total_cmp(b));
        let place = places.reduce(|first, next| first.then(next));
        place.unwrap_or(std::cmp::Ordering::Equal).then_with(|| a.name.cmp(&b.name))
    };
    found.sort_by(|a, b| {
        let weight = |r: &Diagnostic| (r.count, r.value);
        let ((ca, va), (cb, vb)) = (weight(a), weight(b));
        (a.kind, a.class)
            .cmp(&(b.kind, b.class))
            .then_with(|| cb.cmp(&ca))
            .then_with(|| vb.total_cmp(&va))
            .then_with(|| order(a, b))
    });
    found.dedup();
    let all = found.len();
    let (mut before, mut own) = (None, 0);
    found.retain(|r| {
        if before != Some((r.kind, r.class)) {
            (before, own) = (Some((r.kind, r.class)), 0);
        }
        own += 1;
        own <= MOST
    });
    let left_out = (all - found.len()) as u32;
    found.sort_by(|a, b| (a.kind, a.class).cmp(&(b.kind, b.class)).then_with(|| order(a, b)));
    (found, left_out)
}

/// Compares two places axis by axis.
pub(crate) fn by_place(a: &[f64; 3], b: &[f64; 3]) -> std::cmp::Ordering {
    let axes = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
    axes.fold(std::cmp::Ordering::Equal, |order, next| order.then(next))
}
