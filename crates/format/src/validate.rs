//! What must hold of every record, so that no query can panic, loop for ever, read out of bounds or contradict another.
//!
//! The order matters: each check relies on those before it. Text, agents and markers first; then, mesh by mesh, the lengths of sections
//! against each other, vertices, where polygons begin, corners and neighbours, convexity, reliefs and bounds, and only then portals
//! (their search relies on convexity), islands and boxes.

use core::array;

use navbake_ids::PolyId;

use crate::exact::{LIMIT, orient};
use crate::grid_map_rules::grid_map;
use crate::index::Bounds;
use crate::mesh::{Edges, Vertices};
use crate::records::{
    AgentRecord, BEFORE, BLOCK, FAR, GROUP, MarkerRecord, MeshRecord, StringRef, VertexBlock, WALL,
};
use crate::relief_rules::reliefs;
use crate::thing_rules::{switches, things};
use crate::{Blob, BlobError, FANOUT, Found, NavMeshView, Polygon, Section};

type Checked = Result<(), BlobError>;

pub(crate) fn validate(blob: &Blob<'_>) -> Checked {
    for section in [Section::STRINGS, Section::CONFIG, Section::SUMMARY] {
        blob.text(section)?;
    }
    agents(blob)?;
    markers(blob)?;
    switches(blob)?;
    grid_map(blob)?;
    for class in 0..blob.class_count() {
        let mesh = NavMeshView::read(blob, class)?;
        let at = Place { class };
        vertices(&mesh, &at)?;
        groups(&mesh, &at)?;
        islands(&mesh, &at)?;
        for p in 0..mesh.polygon_count() {
            polygon(&mesh, &at, PolyId(p))?;
        }
        last_edge(&mesh, &at)?;
        heights(&mesh, &at)?;
        bounds(blob, &mesh, &at)?;
        for p in 0..mesh.polygon_count() {
            portals(&mesh, &at, PolyId(p))?;
        }
        boxes(&mesh, &at)?;
        things(blob, &mesh, class)?;
    }
    Ok(())
}

struct Place {
    class: u16,
}

impl Place {
    fn fail<T>(
        &self,
        section: Section,
        index: u64,
        found: Found,
        expected: &'static str,
    ) -> Result<T, BlobError> {
        Err(BlobError::Record {
            section,
            class: self.class,
            index,
            found,
            expected,
        })
    }

    fn int<T>(
        &self,
        section: Section,
        index: u32,
        found: impl Into<i64>,
        expected: &'static str,
    ) -> Result<T, BlobError> {
        self.fail(section, index.into(), Found::Int(found.into()), expected)
    }
}

fn name(blob: &Blob<'_>, section: Section, index: u64, name: StringRef) -> Checked {
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

fn agents(blob: &Blob<'_>) -> Checked {
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

fn markers(blob: &Blob<'_>) -> Checked {
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

/// Coordinates within the grid's range, before and after the sum with their block.
fn vertices(mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let inside = |c: i64| c.abs() < i64::from(LIMIT);
    match mesh.vertices() {
        Vertices::Wide(all) => {
            for (i, v) in (0u32..).zip(all) {
                for c in v.at {
                    if !inside(c.get().into()) {
                        return at.int(
                            Section::VERTICES,
                            i,
                            c.get(),
                            "coordinates between -2^25 and 2^25",
                        );
                    }
                }
            }
        }
        Vertices::Packed(all) => {
            let mut first = 0u64;
            for (i, b) in (0u32..).zip(all.blocks) {
                for base in b.base {
                    if !inside(base.get().into()) {
                        return at.int(
                            Section::VERTEX_BLOCKS,
                            i,
                            base.get(),
                            "coordinates between -2^25 and 2^25",
                        );
                    }
                }
                if !b.is_sound() {
                    return at.int(
                        Section::VERTEX_BLOCKS,
                        i,
                        b.split.get(),
                        "y before z before the width, a width of at most 57 or 64 bits, and shifts of at most 25",
                    );
                }
                if u64::from(b.first.get()) != first {
                    return at.int(
                        Section::VERTEX_BLOCKS,
                        i,
                        b.first.get(),
                        "the number of bytes of the blocks before",
                    );
                }
                let known = (all.count as usize - i as usize * BLOCK).min(BLOCK);
                first += b.bytes(known) as u64;
            }
            if first != all.bytes.len() as u64 {
                return at.int(
                    Section::VERTICES,
                    0,
                    all.bytes.len() as i64,
                    "as many bytes as the blocks' vertices take",
                );
            }
            for i in 0..mesh.vertex_count() {
                let Some((b, word)) = all.get(i as usize) else {
                    return at.int(
                        Section::VERTEX_BLOCKS,
                        i,
                        i,
                        "one block for each 64 vertices",
                    );
                };
                let split = b.split();
                let parts = VertexBlock::parts(word, split);
                for (k, part) in parts.into_iter().enumerate() {
                    // Longer ones would be out of range whatever the base is.
                    let part = part.min(1 << 27) as i64;
                    let c = i64::from(b.base[k].get()) + (part << split.shift[k]);
                    if !inside(c) {
                        return at.int(
                            Section::VERTICES,
                            i,
                            c,
                            "coordinates between -2^25 and 2^25",
                        );
                    }
                }
            }
        }
    }
    Ok(())
}

/// Groups of polygons follow each other, and their edges name entries of `far` that are the group's own.
fn groups(mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let Edges::Short(groups, edges, far) = mesh.edges() else {
        return Ok(());
    };
    let mut first = 0u64;
    for (g, group) in (0u32..).zip(groups.iter()) {
        if u64::from(group.first_edge.get()) != first {
            return at.int(
                Section::POLYGONS,
                g,
                group.first_edge.get(),
                "the number of corners in the groups before",
            );
        }
        let known = (mesh.polygon_count() as usize - g as usize * GROUP).min(GROUP);
        if group.corners[known..].iter().any(|&n| n != 0) {
            return at.int(
                Section::POLYGONS,
                g,
                known as i64,
                "no corners behind the last polygon",
            );
        }
        let count: u64 = group.corners.iter().map(|&n| u64::from(n)).sum();
        let next = groups.get(g as usize + 1);
        let start = group.first_far.get();
        let end = next.map_or(far.len() as u64, |n| n.first_far.get().into());
        if u64::from(start) > end || end > far.len() as u64 || (g == 0 && start != 0) {
            return at.int(
                Section::POLYGONS,
                g,
                start,
                "a first entry of far: 0, then no less than before, and no more than there are",
            );
        }
        let own = edges.iter().skip(first as usize).take(count as usize);
        for (e, edge) in (first..).zip(own) {
            let out =
                |code: u8| code & FAR != 0 && u64::from(start) + u64::from(code & !FAR) >= end;
            if let Some(code) = [edge.vertex, edge.neighbour].into_iter().find(|&c| out(c)) {
                return at.fail(
                    Section::EDGES,
                    e,
                    Found::Int(code.into()),
                    "an entry of far that is the group's own",
                );
            }
            let n = match edge.neighbour {
                WALL => continue,
                n if n & FAR != 0 => i64::from(far.get((start + u32::from(n & !FAR)) as usize)),
                n => i64::from(g) * GROUP as i64 - i64::from(BEFORE) + i64::from(n),
            };
            if n < 0 || n >= i64::from(mesh.polygon_count()) {
                return at.fail(Section::EDGES, e, Found::Int(n), "another polygon");
            }
        }
        first += count;
    }
    Ok(())
}

/// Islands are runs of polygons.
fn islands(mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let count = mesh.island_count();
    for i in 0..count {
        let (first, next) = (mesh.island_first(i), mesh.island_first(i + 1));
        if (i == 0 && first != 0) || first >= next {
            return at.int(
                Section::ISLANDS,
                i,
                first,
                "0 for the first island, then more than before, and less than there are polygons",
            );
        }
    }
    if count == 0 && mesh.polygon_count() > 0 {
        return at.int(Section::ISLANDS, 0, 0, "an island for the polygons");
    }
    Ok(())
}

fn heights(mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    reliefs(mesh).or_else(|(section, index, found, expected)| {
        at.fail(section, index, Found::Int(found), expected)
    })
}

/// The stated bounds are those of the vertices and reliefs.
fn bounds(blob: &Blob<'_>, mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let (mut least, mut greatest) = ([i32::MAX; 3], [i32::MIN; 3]);
    for v in 0..mesh.vertex_count() {
        let p = mesh.vertex(navbake_ids::VertexId(v));
        for k in 0..3 {
            least[k] = least[k].min(p[k]);
            greatest[k] = greatest[k].max(p[k]);
        }
    }
    for [low, high] in (0..mesh.relief_count()).map(|i| mesh.relief(i).heights()) {
        least[1] = least[1].min(low);
        greatest[1] = greatest[1].max(high);
    }
    if mesh.vertex_count() == 0 {
        (least, greatest) = ([0; 3], [0; 3]);
    }
    for r in blob.records::<MeshRecord>(Section::MESH, at.class) {
        for (stated, true_bound) in [(r.least, least), (r.greatest, greatest)] {
            for k in 0..3 {
                if stated[k].get() != true_bound[k] {
                    return at.int(
                        Section::MESH,
                        0,
                        stated[k].get(),
                        "the bounds of vertices and reliefs, zeros when there are none",
                    );
                }
            }
        }
    }
    Ok(())
}

/// Edges follow on those of the polygon before, indices are in range, corners turn left once around.
fn polygon(mesh: &NavMeshView<'_>, at: &Place, id: PolyId) -> Checked {
    let range = mesh.edges_of(id);
    if id.0 == 0 && range.start != 0 {
        return at.int(Section::POLYGONS, 0, range.start, "0 for the first polygon");
    }
    if range.end > mesh.edge_count() || range.end < range.start || range.end - range.start < 3 {
        return at.int(
            Section::POLYGONS,
            id.0 + 1,
            range.end,
            "at least 3 more than the record before, and no more than there are edges",
        );
    }
    let polygon = mesh.polygon(id);
    for k in 0..polygon.len() {
        let vertex = polygon.vertex(k);
        if vertex.0 >= mesh.vertex_count() {
            return at.int(Section::EDGES, polygon.edge(k).0, vertex.0, "a vertex");
        }
        if let Some(n) = polygon.neighbour(k)
            && (n.0 >= mesh.polygon_count() || n == id)
        {
            return at.int(
                Section::EDGES,
                polygon.edge(k).0,
                n.0,
                "another polygon, or all bits set for none",
            );
        }
    }
    convex(&polygon, at)
}

/// A closed chain that rises in (x, z) from its first corner to one other, falls from there, and never turns right, is convex; with one
/// turn to the left it has an area.
fn convex(polygon: &Polygon<'_, '_>, at: &Place) -> Checked {
    let n = polygon.len();
    let (mut falling, mut turns) = (false, false);
    let (mut a, mut b) = (polygon.corner(n - 1), polygon.corner(0));
    let first = b;
    for k in 0..n {
        let c = polygon.corner(polygon.next(k));
        let fail = |expected| {
            at.int(
                Section::EDGES,
                polygon.edge(k).0,
                polygon.vertex(k).0,
                expected,
            )
        };
        match (falling, c > b) {
            // The last edge goes back to the first corner and falls.
            _ if b == c => return fail("a corner away from the one before"),
            (false, false) => falling = true,
            (true, true) => {
                return fail(
                    "corners that rise in (x, z) from the first to the greatest and then fall",
                );
            }
            _ => {}
        }
        if b < first {
            return fail("the corner with the least (x, z) first");
        }
        let turn = orient(a, b, c);
        if turn < 0 {
            return fail("a convex polygon, counter-clockwise seen from above");
        }
        turns |= turn > 0;
        (a, b) = (b, c);
    }
    if turns {
        Ok(())
    } else {
        at.int(
            Section::POLYGONS,
            polygon.id().0,
            0,
            "a polygon with an area, counter-clockwise seen from above",
        )
    }
}

fn last_edge(mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let end = match mesh.polygon_count() {
        0 => 0,
        n => mesh.edges_of(PolyId(n - 1)).end,
    };
    if end != mesh.edge_count() {
        return at.int(
            Section::POLYGONS,
            mesh.polygon_count(),
            end,
            "the number of edges in the last record",
        );
    }
    Ok(())
}

/// Portals have one other side with the same segment, and join polygons of one island.
fn portals(mesh: &NavMeshView<'_>, at: &Place, id: PolyId) -> Checked {
    let polygon = mesh.polygon(id);
    let island = mesh.island(id);
    for k in 0..polygon.len() {
        let Some(neighbour) = polygon.neighbour(k) else {
            continue;
        };
        let mirrored = polygon.across(k).is_some_and(|(beyond, j)| {
            let beyond = mesh.polygon(beyond);
            beyond.corner(beyond.next(j)) == polygon.corner(k) && beyond.neighbour(j) == Some(id)
        });
        if !mirrored {
            return at.int(
                Section::EDGES,
                polygon.edge(k).0,
                neighbour.0,
                "a neighbour with an edge back between the same two points of the ground plane",
            );
        }
        if mesh.island(neighbour) != island {
            return at.int(
                Section::ISLANDS,
                id.0,
                island.0,
                "the same island on both sides of a portal",
            );
        }
    }
    Ok(())
}

/// Every box of the index holds what is below it.
fn boxes(mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let index = mesh.index();
    let mut number = 0u32;
    for level in 0..index.level_count() {
        let below = match level {
            0 => mesh.polygon_count(),
            _ => index.level_len(level - 1),
        };
        for i in 0..index.level_len(level) {
            let [lo, hi] = index.bounds(level, i);
            let first = i * FANOUT;
            for child in first..first.saturating_add(FANOUT).min(below) {
                let inner = match level {
                    0 => polygon_box(mesh, PolyId(child)),
                    _ => index.bounds(level - 1, child),
                };
                if (0..3).any(|k| inner[0][k] < lo[k] || inner[1][k] > hi[k]) {
                    return at.int(
                        Section::INDEX,
                        number,
                        child,
                        "a box that holds all its children",
                    );
                }
            }
            number += 1;
        }
    }
    Ok(())
}

pub(crate) fn polygon_box(mesh: &NavMeshView<'_>, id: PolyId) -> Bounds {
    let polygon = mesh.polygon(id);
    let mut bounds = [[i64::MAX; 3], [i64::MIN; 3]];
    for k in 0..polygon.len() {
        let p: [i64; 3] = array::from_fn(|c| polygon.point(k)[c].into());
        for c in 0..3 {
            bounds[0][c] = bounds[0][c].min(p[c]);
            bounds[1][c] = bounds[1][c].max(p[c]);
        }
    }
    if let Some([low, high]) = polygon.relief().map(|r| r.heights()) {
        bounds[0][1] = bounds[0][1].min(low.into());
        bounds[1][1] = bounds[1][1].max(high.into());
    }
    bounds
}
