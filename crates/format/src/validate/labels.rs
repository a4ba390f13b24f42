//! What must hold of labels: that they belong to the mesh, and that every number is in range. That distances are true is not checked: who
//! writes a blob is trusted in that. Looking at wrong ones neither panics nor ends nowhere.

use super::{Checked, Place};
use crate::labels::{FARTHEST, LabelNumbers, Labels, VIEW_KINDS, ground};
use crate::squares::NUMBERS;
use crate::{Blob, BlobError, NavMeshView, Section};

pub(super) fn labels(blob: &Blob<'_>, mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let sections = [
        Section::LABEL_ENDS,
        Section::LABEL_HUBS,
        Section::LABEL_DISTANCES,
        Section::LABEL_HOPS,
        Section::LABEL_RANKS,
        Section::VIEW_ENDS,
        Section::VIEWS,
        Section::VIEW_CELLS,
        Section::SQUARE_ENDS,
        Section::SQUARE_VIEWS,
        Section::SQUARE_HUBS,
        Section::SQUARE_VIAS,
        Section::SQUARE_DISTANCES,
    ];
    let heads = (blob.section(Section::LABELS, at.class)).map_or(0, |(info, _)| info.count);
    let Some(labels) = mesh.labels() else {
        let alone = sections
            .into_iter()
            .find(|&s| blob.section(s, at.class).is_some());
        return match alone {
            Some(section) => at.int(section, 0, 0, "a section labels, to which this belongs"),
            None => Ok(()),
        };
    };
    if heads != 1 {
        return at.int(Section::LABELS, 0, heads as i64, "one record");
    }
    let known = ground(blob, at.class);
    if labels.head.mesh.get() != known {
        let expected = "labels that belong to this mesh; bake the level again";
        return at.int(Section::LABELS, 0, labels.head.mesh.get() as i64, expected);
    }
    let head = &labels.head;
    if head.shift > 31 || head.view_shift > 31 || head.reserved != [0; 2] {
        let expected = "shifts of at most 31, and zeros behind them";
        return at.int(
            Section::LABELS,
            0,
            head.shift.max(head.view_shift),
            expected,
        );
    }
    let corners = labels.corner_count() as usize;
    let entries = labels.entry_count();
    for (section, found, expected) in [
        (Section::LABEL_ENDS, labels.ends.len(), 2 * corners),
        (Section::LABEL_RANKS, labels.ranks.len(), corners),
        (Section::LABEL_HUBS, labels.hubs.len(), entries),
        (Section::LABEL_HOPS, labels.hops.len(), entries),
    ] {
        if found != expected {
            let expected =
                "two ends and a rank for each corner, a hub, a distance and a hop for each entry";
            return at.int(section, 0, found as i64, expected);
        }
    }
    let mut begin = 0;
    for (i, end) in (0u32..).zip(labels.ends) {
        let end = end.get() as usize;
        if end < begin || end > entries {
            let expected = "ends that do not fall, within the entries";
            return at.int(Section::LABEL_ENDS, i, end as i64, expected);
        }
        rising(labels.hubs(), begin..end, corners, at)?;
        begin = end;
    }
    if begin != entries {
        let expected = "ends up to the last entry";
        return at.int(Section::LABEL_ENDS, 0, begin as i64, expected);
    }
    for (i, distance) in (0u32..).zip(labels.distances) {
        if distance.get() >= FARTHEST {
            let expected = "distances below 2^30";
            return at.int(Section::LABEL_DISTANCES, i, distance.get(), expected);
        }
    }
    for (section, numbers) in [
        (Section::LABEL_HOPS, labels.hops),
        (Section::LABEL_RANKS, labels.ranks),
        (Section::VIEWS, labels.views),
    ] {
        let wrong = (0..numbers.len()).find(|&i| numbers.get(i) as usize >= corners);
        if let Some(i) = wrong {
            return at.int(section, i as u32, numbers.get(i), "numbers of corners");
        }
    }
    let polygons = mesh.polygon_count() as usize;
    match labels.has_squares() {
        true => squares(labels, polygons, at),
        false => views(labels, polygons, at),
    }
}

/// Numbers of a square's entries have 16 bits.
const MOST_ENTRIES: usize = 0xFFFF;

/// Views end in order, each whole.
fn views(labels: &Labels<'_>, polygons: usize, at: &Place) -> Checked {
    if labels.square_views.len()
        + labels.square_hubs.len()
        + labels.square_vias.len()
        + labels.square_distances.len()
        > 0
    {
        let expected = "ends of the labels of squares, to which this belongs";
        return at.int(Section::SQUARE_ENDS, 0, 0, expected);
    }
    let (ends, numbers) = (labels.view_ends, labels.views.len());
    if ends.is_empty() && numbers == 0 && labels.view_cells.is_empty() {
        return Ok(());
    }
    if ends.len() != 4 * rows(labels, ends.len() / 4, polygons, at)? {
        let expected = "four ends for each polygon, or for each of their squares";
        return at.int(Section::VIEW_ENDS, 0, ends.len() as i64, expected);
    }
    let mut begin = 0;
    for (i, end) in (0u32..).zip(ends) {
        let end = end.get() as usize;
        let kind = VIEW_KINDS[i as usize % 4];
        if end < begin || end > numbers || !(end - begin).is_multiple_of(kind) {
            let expected = "ends that do not fall, within the views, each behind whole ones";
            return at.int(Section::VIEW_ENDS, i, end as i64, expected);
        }
        begin = end;
    }
    if begin != numbers {
        let expected = "ends up to the last view";
        return at.int(Section::VIEW_ENDS, 0, begin as i64, expected);
    }
    Ok(())
}

/// Labels of squares end in order; what they name is there.
fn squares(labels: &Labels<'_>, polygons: usize, at: &Place) -> Checked {
    let ends = labels.square_ends;
    if !labels.view_ends.is_empty() || labels.views.len() > 0 {
        let expected = "no views where squares have labels";
        return at.int(
            Section::VIEW_ENDS,
            0,
            labels.view_ends.len() as i64,
            expected,
        );
    }
    if labels.view_cells.is_empty() || ends.len() != rows(labels, ends.len(), polygons, at)? {
        let expected = "a row for each square of each polygon";
        return at.int(Section::SQUARE_ENDS, 0, ends.len() as i64, expected);
    }
    let corners = labels.corner_count() as usize;
    let (numbers, entries) = (labels.square_views, labels.square_hubs.len());
    for (section, found, expected) in [
        (Section::SQUARE_VIAS, labels.square_vias.len(), entries),
        (
            Section::SQUARE_DISTANCES,
            labels.square_distances.len(),
            entries,
        ),
        (Section::SQUARE_VIEWS, numbers.len() % NUMBERS, 0),
    ] {
        if found != expected {
            let expected = "four numbers a view; a hub, a view and a distance for each entry";
            return at.int(section, 0, found as i64, expected);
        }
    }
    let views = numbers.len() / NUMBERS;
    let mut begin = [0; 2];
    for (i, end) in (0u32..).zip(ends) {
        let end = [end.views.get() as usize, end.entries.get() as usize];
        let falls = (0..2).any(|k| end[k] < begin[k]);
        if falls || end[0] > views || end[1] > entries || end[1] - begin[1] > MOST_ENTRIES {
            let expected = "ends that do not fall, within the views and entries, of at most 65535 entries a square";
            return at.int(Section::SQUARE_ENDS, i, end[1] as i64, expected);
        }
        let mut before = 0;
        for k in begin[1]..end[1] {
            let (hub, via) = (labels.square_hubs.get(k), labels.square_vias.get(k));
            if hub < before || hub as usize >= corners {
                let expected = "hubs that do not fall within a square, each a corner's rank";
                return at.int(Section::SQUARE_HUBS, k as u32, hub, expected);
            }
            before = hub;
            let via = via.map_or(0, |v| usize::from(v.get()));
            if via >= end[0] - begin[0] {
                let expected = "numbers of views of the square";
                return at.int(Section::SQUARE_VIAS, k as u32, via as i64, expected);
            }
        }
        begin = end;
    }
    if begin != [views, entries] {
        let expected = "ends up to the last view and the last entry";
        return at.int(Section::SQUARE_ENDS, 0, begin[1] as i64, expected);
    }
    let distances = (0u32..).zip(labels.square_distances);
    if let Some((i, far)) = distances.into_iter().find(|d| d.1.get() >= FARTHEST) {
        let expected = "distances below 2^30";
        return at.int(Section::SQUARE_DISTANCES, i, far.get(), expected);
    }
    for view in 0..views {
        let [a, b, c, how] = [0, 1, 2, 3].map(|k| numbers.get(NUMBERS * view + k));
        if [a, b, c].iter().any(|&n| n as usize >= corners) || how > 3 {
            let expected = "three numbers of corners, and a side from 0 to 3";
            return at.int(Section::SQUARE_VIEWS, (NUMBERS * view) as u32, a, expected);
        }
    }
    Ok(())
}

/// How many rows views have. Squares of polygons are whole rows of them, one after another.
fn rows(labels: &Labels<'_>, all: usize, polygons: usize, at: &Place) -> Result<usize, BlobError> {
    let cells = labels.view_cells;
    if cells.is_empty() {
        return Ok(polygons);
    }
    if cells.len() != polygons {
        let expected = "squares of each polygon";
        return at.int(Section::VIEW_CELLS, 0, cells.len() as i64, expected);
    }
    let firsts = || cells.iter().map(|c| c.first.get() as usize);
    let ends = firsts().skip(1).chain([all]);
    let mut before = 0;
    for (i, (cell, (first, end))) in (0u32..).zip(cells.iter().zip(firsts().zip(ends))) {
        let across = cell.across.get() as usize;
        let whole = first >= before && end >= first && (end - first).is_multiple_of(across.max(1));
        if !whole || (i == 0 && first != 0) || (across == 0 && end > first) {
            let expected = "squares in whole rows, one polygon after another";
            return at.int(Section::VIEW_CELLS, i, first as i64, expected);
        }
        before = first;
    }
    Ok(all)
}

/// The hubs of a part rise, and are corners.
fn rising(
    hubs: LabelNumbers<'_>,
    part: core::ops::Range<usize>,
    corners: usize,
    at: &Place,
) -> Checked {
    let get = |i: usize| match hubs {
        LabelNumbers::Two(n) => n.get(i).map_or(0, |h| u32::from(h.get())),
        LabelNumbers::Four(n) => n.get(i).map_or(0, |h| h.get()),
    };
    let mut next = 0;
    for i in part {
        let hub = get(i);
        if hub < next || hub as usize >= corners {
            let expected = "hubs that rise within a part, each a corner's rank";
            return at.int(Section::LABEL_HUBS, i as u32, hub, expected);
        }
        next = hub + 1;
    }
    Ok(())
}
