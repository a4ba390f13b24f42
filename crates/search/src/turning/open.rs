//! The open list of searches over a lattice: a heap with four children a place. Nodes that improve are put in again; what was put in before is told by its
//! total when it comes out.

/// An entry of the open list.
#[derive(Clone, Copy, Debug, Default)]
pub struct TurningOpen {
    /// Estimated total.
    pub(super) total: u64,
    /// Estimate of what remains: of equal totals the one that is nearer goes first.
    pub(super) rest: u32,
    pub(super) node: u32,
}

#[inline]
fn before(a: &TurningOpen, b: &TurningOpen) -> bool {
    (a.total, a.rest, a.node) < (b.total, b.rest, b.node)
}

/// Puts an entry in; `false` when there is no room.
#[inline]
pub(super) fn push(heap: &mut [TurningOpen], len: &mut usize, entry: TurningOpen) -> bool {
    let Some(heap) = heap.get_mut(..*len + 1) else {
        return false;
    };
    let mut at = *len;
    *len += 1;
    while at > 0 {
        let above = (at - 1) / 4;
        if !before(&entry, &heap[above]) {
            break;
        }
        heap[at] = heap[above];
        at = above;
    }
    heap[at] = entry;
    true
}

/// Takes the best entry out.
#[inline]
pub(super) fn pop(heap: &mut [TurningOpen], len: &mut usize) -> Option<TurningOpen> {
    let heap = heap.get_mut(..*len)?;
    let best = *heap.first()?;
    *len -= 1;
    let (last, heap) = heap.split_last_mut()?;
    sink(heap, 0, *last);
    Some(best)
}

/// Changes what entries say, or takes them out, and puts the rest in order again.
pub(super) fn again(
    heap: &mut [TurningOpen],
    len: &mut usize,
    mut now: impl FnMut(TurningOpen) -> Option<TurningOpen>,
) {
    let heap = heap.get_mut(..*len).unwrap_or_default();
    let mut kept = 0;
    for at in 0..heap.len() {
        if let Some(entry) = now(heap[at]) {
            heap[kept] = entry;
            kept += 1;
        }
    }
    *len = kept;
    let heap = heap.get_mut(..kept).unwrap_or_default();
    for at in (0..kept.div_ceil(4)).rev() {
        let entry = heap[at];
        sink(heap, at, entry);
    }
}

/// Puts an entry at a place, or below it where it belongs.
#[inline]
fn sink(heap: &mut [TurningOpen], mut at: usize, entry: TurningOpen) {
    loop {
        let first = 4 * at + 1;
        let Some(children) = heap.get(first..) else {
            break;
        };
        let Some(mut least) = children.first() else {
            break;
        };
        let mut child = first;
        for (k, other) in children.iter().enumerate().take(4).skip(1) {
            if before(other, least) {
                (least, child) = (other, first + k);
            }
        }
        if !before(least, &entry) {
            break;
        }
        heap[at] = *least;
        at = child;
    }
    if let Some(place) = heap.get_mut(at) {
        *place = entry;
    }
}
