//! Checks of height meshes: they are within the grid, and points are in their buckets and in ascending
//! order, none at a corner of the box.

use navbake_grid::{LIMIT, PolyId};
use navbake_navmesh::detail::{MOST_POINTS, MOST_STEPS};

use crate::Section;
use crate::height_mesh::{HEAD, HeightMesh, MANY, MOST_SHIFT};
use crate::packed_mesh::NavMeshView;

/// A fault: the section, the number of the element, the value found, the value expected.
pub(crate) type Fault = (Section, u64, i64, &'static str);

/// Checks the height meshes of polygons, then the height meshes themselves. Polygons are known to be sound.
pub(crate) fn height_meshes(mesh: &NavMeshView<'_>) -> Result<(), Fault> {
    let (of, height_meshes) = mesh.height_meshes();
    let count = height_meshes.len();
    if of.len() == 0 && height_meshes.words() == 0 {
        return Ok(());
    }
    let (mut used, mut last) = (0, None);
    for i in 0..of.len() {
        let (first, number) = of.record(i);
        let fail = |found: u32, expected| {
            Err((Section::HEIGHT_MESH_OF, i as u64, i64::from(found), expected))
        };
        if last.is_some_and(|l| l >= first) || first >= mesh.polygon_count() {
            return fail(first, "a polygon behind the first one of the run before");
        }
        if number > used + 1 || number > count {
            return fail(
                number,
                "0, a height mesh that was named before, or the next one, counted from 1",
            );
        }
        used = used.max(number);
        last = Some(first);
    }
    let fail =
        |at: usize, found: i64, expected| Err((Section::HEIGHT_MESHES, at as u64, found, expected));
    if used != count || count == 0 {
        return fail(0, count.into(), "as many height meshes as polygons name, and one at least");
    }
    if count as usize >= height_meshes.words() {
        return fail(0, count.into(), "where each height mesh ends behind their number");
    }
    for i in 0..count {
        let (begin, end) = (height_meshes.end(i.wrapping_sub(1)), height_meshes.end(i));
        if end < begin + HEAD || end > height_meshes.words() {
            return fail(
                i as usize + 1,
                end as i64,
                "an end at least a head behind the one before, and no later than the section's",
            );
        }
        height_mesh(&height_meshes.get(i))
            .or_else(|(at, found, expected)| fail(begin + at, found, expected))?;
    }
    let end = height_meshes.end(count - 1);
    if end != height_meshes.words() {
        return fail(count as usize, end as i64, "the section's end for the last height mesh");
    }
    // Each polygon within the box of its height mesh.
    for p in 0..mesh.polygon_count() {
        let Some(number) = of.get(PolyId(p)) else {
            continue;
        };
        let [least, greatest] = height_meshes.get(number).bounds();
        let polygon = mesh.polygon(PolyId(p));
        for k in 0..polygon.len() {
            let c = polygon.corner(k);
            if (0..2).any(|k| c[k] < least[k] || c[k] > greatest[k]) {
                return Err((
                    Section::HEIGHT_MESH_OF,
                    p.into(),
                    (number + 1).into(),
                    "a height mesh whose box holds the polygon",
                ));
            }
        }
    }
    Ok(())
}

/// The fault of a height mesh: the number of the word, the value found, the value expected.
fn height_mesh(height_mesh: &HeightMesh<'_>) -> Result<(), (usize, i64, &'static str)> {
    let head = height_mesh.head();
    let [flat, bucket, up] = head.shifts;
    if flat > MOST_SHIFT || up > MOST_SHIFT || head.spare != 0 {
        let found = flat.max(up).into();
        return Err((6, found, "shifts of at most 18, and 0 in the bits behind"));
    }
    let limit = i64::from(LIMIT);
    for k in 0..2 {
        let (least, size) = (i64::from(head.least[k]), i64::from(head.size[k]));
        if !(1..=i64::from(MOST_STEPS)).contains(&size) {
            return Err((3, size, "1 to 16383 steps a side"));
        }
        if least < -limit || least + (size << flat) > limit {
            return Err((k, least, "a box from -2^25 to 2^25 at most"));
        }
    }
    let (base, top) = (i64::from(head.base), i64::from(head.top));
    if base < -limit || base + (top << up) > limit {
        return Err((2, base, "heights from -2^25 to 2^25 at most"));
    }
    if top >> (32 - 2 * bucket) != 0 {
        return Err((6, top, "heights in the bits that places leave"));
    }
    if height_mesh.given() != height_mesh.words() {
        let found = height_mesh.given() as i64;
        return Err((6, found, "as many words as buckets and points take"));
    }
    if head.wide != (height_mesh.len() >= MANY) || height_mesh.len() > MOST_POINTS {
        return Err((
            6,
            height_mesh.len() as i64,
            "ends of one byte for fewer than 256 points, of two for up to 65532",
        ));
    }
    if !height_mesh.is_padded() {
        return Err((HEAD, 0, "zeros behind the ends of buckets and behind points"));
    }
    let mut range = [u32::MAX, 0];
    for y in head.corners.map(u32::from) {
        range = [range[0].min(y), range[1].max(y)];
    }
    let begin = HEAD + head.end_words();
    for b in 0..head.bucket_count() {
        let points = height_mesh.bucket(b);
        if points.start > points.end || points.end > height_mesh.len() {
            let found = points.end as i64;
            return Err((HEAD, found, "ends of buckets that do not fall"));
        }
        for i in points.clone() {
            if i > points.start && height_mesh.place_code(i) <= height_mesh.place_code(i - 1) {
                let found = height_mesh.place_code(i).into();
                return Err((begin + i, found, "places of a bucket in ascending order"));
            }
            let ([x, z], y) = height_mesh.in_steps(b, i);
            let on_side = [x == 0 || x == head.size[0], z == 0 || z == head.size[1]];
            if x > head.size[0] || z > head.size[1] || (on_side[0] && on_side[1]) {
                return Err((begin + i, x.into(), "a place in the box and not at its corners"));
            }
            range = [range[0].min(y), range[1].max(y)];
        }
    }
    if range != [0, head.top.into()] {
        return Err((6, head.top.into(), "the greatest of the heights, of which the least is 0"));
    }
    Ok(())
}
