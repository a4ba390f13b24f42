//! Checks of labels: they belong to the mesh, and every number is in range.
//!
//! Distances are not checked. Wrong ones cause neither panics nor endless searches.

use core::ops::Range;

use super::squares::{MOST, SquareLabel};
use super::{FARTHEST, Labels, VIEW_KINDS, mesh_hash};
use crate::numbers::Numbers;
use crate::packed_mesh::NavMeshView;
use crate::place::{Checked, Place};
use crate::{Blob, BlobError, Section};

pub(crate) fn check(blob: &Blob<'_>, mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let sections = [
        Section::LABEL_ENDS,
        Section::LABEL_HUBS,
        Section::LABEL_DISTANCES,
        Section::LABEL_HOPS,
        Section::LABEL_RANKS,
        Section::VIEW_ENDS,
        Section::VIEWS,
        Section::VIEW_CELLS,
        Section::SQUARE_STARTS,
        Section::SQUARE_LABELS,
    ];
    let heads = blob.count(Section::LABELS, at.class);
    let Some(labels) = Labels::read(blob, at.class) else {
        return at.alone(blob, sections, "a section labels, to which this belongs");
    };
    at.refuse(heads != 1, Section::LABELS, 0, heads, "one record")?;
    let head = &labels.head;
    let expected = "labels that belong to this mesh; bake the level again";
    at.refuse(head.mesh != mesh_hash(blob, at.class), Section::LABELS, 0, head.mesh, expected)?;
    if head.shift > 31 || head.view_shift > 31 || head.reserved != [0; 2] {
        let expected = "shifts of at most 31, and zeros behind them";
        return at.fail(Section::LABELS, 0, head.shift.max(head.view_shift), expected);
    }
    let corners = labels.corner_count() as usize;
    let entries = labels.entry_count();
    for (section, found, wanted) in [
        (Section::LABEL_ENDS, labels.ends.len(), 2 * corners),
        (Section::LABEL_RANKS, labels.ranks.len(), corners),
        (Section::LABEL_HUBS, labels.hubs.len(), entries),
        (Section::LABEL_HOPS, labels.hops.len(), entries),
    ] {
        let expected =
            "two ends and a rank for each corner, a hub, a distance and a hop for each entry";
        at.refuse(found != wanted, section, 0, found, expected)?;
    }
    let expected = "ends that do not fall, within the entries";
    let begin = at.ends(Section::LABEL_ENDS, labels.ends, entries, expected, |_, part| {
        rising(labels.hubs, part, corners, at)
    })?;
    at.refuse(begin != entries, Section::LABEL_ENDS, 0, begin, "ends up to the last entry")?;
    for (it, distance) in at.each(Section::LABEL_DISTANCES, labels.distances.iter()) {
        it.refuse(distance >= FARTHEST, distance, "distances below 2^30")?;
    }
    for (section, numbers) in [
        (Section::LABEL_HOPS, labels.hops),
        (Section::LABEL_RANKS, labels.ranks),
        (Section::VIEWS, labels.views),
    ] {
        let wrong = (0..numbers.len()).find(|&i| numbers.get(i) as usize >= corners);
        if let Some(i) = wrong {
            return at.fail(section, i as u32, numbers.get(i), "numbers of corners");
        }
    }
    let polygons = mesh.polygon_count() as usize;
    match labels.has_squares() {
        true => squares(&labels, polygons, at),
        false => views(&labels, polygons, at),
    }
}

/// Views end in order, each whole.
fn views(labels: &Labels<'_>, polygons: usize, at: &Place) -> Checked {
    let expected = "starts of the labels of squares, to which this belongs";
    at.refuse(!labels.square_labels.is_empty(), Section::SQUARE_STARTS, 0, 0, expected)?;
    let (ends, numbers) = (labels.view_ends, labels.views.len());
    if ends.is_empty() && numbers == 0 && labels.view_cells.is_empty() {
        return Ok(());
    }
    if ends.len() != 4 * rows(labels, ends.len() / 4, polygons, at)? {
        let expected = "four ends for each polygon, or for each of their squares";
        return at.fail(Section::VIEW_ENDS, 0, ends.len(), expected);
    }
    let mut begin = 0;
    for (i, end) in (0u32..).zip(ends.iter()) {
        let it = at.element(Section::VIEW_ENDS, i);
        let end = end as usize;
        let kind = VIEW_KINDS[i as usize % 4];
        if end < begin || end > numbers || !(end - begin).is_multiple_of(kind) {
            let expected = "ends that do not fall, within the views, each behind whole ones";
            return it.fail(end, expected);
        }
        begin = end;
    }
    at.refuse(begin != numbers, Section::VIEW_ENDS, 0, begin, "ends up to the last view")?;
    Ok(())
}

/// Labels of squares follow each other, and everything they refer to exists.
fn squares(labels: &Labels<'_>, polygons: usize, at: &Place) -> Checked {
    let starts = labels.square_starts;
    if !labels.view_ends.is_empty() || !labels.views.is_empty() {
        let expected = "no views where squares have labels";
        let found = labels.view_ends.len();
        return at.fail(Section::VIEW_ENDS, 0, found, expected);
    }
    let rows = rows(labels, starts.len(), polygons, at)?;
    if labels.view_cells.is_empty() || starts.len() != rows {
        let expected = "a start for each square of each polygon";
        return at.fail(Section::SQUARE_STARTS, 0, starts.len(), expected);
    }
    let all = labels.square_labels.len();
    let mut next = 0;
    for (it, start) in at.each(Section::SQUARE_STARTS, starts.iter()) {
        let start = start as usize;
        let label = SquareLabel::read(labels.square_labels, start);
        let Some(label) = label.filter(|l| start == next && start + l.len() <= all) else {
            let expected = "labels one behind another, each as long as its head says";
            return it.fail(start, expected);
        };
        square(&label, labels, start, at)?;
        next = start + label.len();
    }
    let expected = "labels up to the last number";
    at.refuse(next != all, Section::SQUARE_LABELS, next as u32, all, expected)?;
    Ok(())
}

/// The label of a square, which begins at a number.
fn square(label: &SquareLabel<'_>, labels: &Labels<'_>, start: usize, at: &Place) -> Checked {
    let it = at.element(Section::SQUARE_LABELS, start as u32);
    let corners = labels.corner_count();
    let (views, own) = (label.view_count(), label.own_count());
    let entries = label.entry_count();
    if views + entries >= MOST || own > views {
        let expected = "a label with fewer than 65535 views and entries, \
                        and no more hubs that are views than views";
        return it.fail((views + entries) as u32, expected);
    }
    for number in 0..views {
        let known = label.view(number).filter(|view| {
            let [right, left] = view.between;
            [view.corner, right, left].iter().all(|&c| c < corners)
        });
        let Some(view) = known else {
            let expected = "a label whose views have three numbers of corners";
            return it.fail(number as u32, expected);
        };
        let expected = "a label with sides of views from 0 to 3";
        it.refuse(label.how(number) > 3, label.how(number), expected)?;
        let rank = label.hubs().get(number);
        let expected = "a label whose hubs that are views are the ranks of their corners";
        it.refuse(number < own && rank != labels.rank(view.corner), rank, expected)?;
    }
    let mut before = 0;
    for number in 0..own + entries {
        let hub = label.hubs().get(number);
        let expected = "a label whose hubs do not fall, each a corner's rank";
        it.refuse((hub < before && number != own) || hub >= corners, hub, expected)?;
        let (via, far) = label.entry(number).unwrap_or((usize::MAX, 0));
        it.refuse(via >= views, via as u32, "a label whose entries name views of the square")?;
        it.refuse(far >= FARTHEST, far, "a label with distances below 2^30")?;
        before = hub;
    }
    Ok(())
}

/// The number of rows of views. Squares of polygons are whole rows of them, one after another.
fn rows(labels: &Labels<'_>, all: usize, polygons: usize, at: &Place) -> Result<usize, BlobError> {
    let cells = labels.view_cells;
    if cells.is_empty() {
        return Ok(polygons);
    }
    let expected = "squares of each polygon";
    at.refuse(cells.len() != polygons, Section::VIEW_CELLS, 0, cells.len(), expected)?;
    let firsts = || cells.iter().map(|c| c.first as usize);
    let ends = firsts().skip(1).chain([all]);
    let mut before = 0;
    for (i, (cell, (first, end))) in (0u32..).zip(cells.iter().zip(firsts().zip(ends))) {
        let across = cell.across as usize;
        let whole = first >= before && end >= first && (end - first).is_multiple_of(across.max(1));
        if !whole || (i == 0 && first != 0) || (across == 0 && end > first) {
            let expected = "squares in whole rows, one polygon after another";
            return at.fail(Section::VIEW_CELLS, i, first, expected);
        }
        before = first;
    }
    Ok(all)
}

/// The hubs of a part rise, and are corners.
fn rising(hubs: Numbers<'_>, part: Range<usize>, corners: usize, at: &Place) -> Checked {
    let mut next = 0;
    for i in part {
        let hub = hubs.get(i);
        if hub < next || hub as usize >= corners {
            let expected = "hubs that rise within a part, each a corner's rank";
            return at.fail(Section::LABEL_HUBS, i as u32, hub, expected);
        }
        next = hub + 1;
    }
    Ok(())
}
